// The main loop where workers read the records: this thread takes their rows in the order of the input, and writes.

#if CommandLine
internal import SluiceCore
internal import SluiceFeed

extension IngestRun {
    /// Reads the rest of an input with workers.
    func readSlices(_ splitter: consuming RecordSplitter, _ opened: OpenInput, _ progress: inout ProgressLine) throws {
        let columns = rows.firstColumns
        let predicate = options.feed.filter?.predicate
        let countsKeys = rows.countsKeys
        let workers = try OrderedWorkers(
            count: options.workers, cutter: SliceCutter(splitter, keeping: opened)
        ) {
            let worker = SliceRowWorker(columns, predicate, countsKeys: countsKeys)
            return { worker.read($0) }
        }
        var lastEnd = (record: -1, feed: 0)
        var isCutOff = false
        while goesOn, let slice = workers.next() {
            place.enter(slice.slice)
            try unsafe slice.withBytes { bytes, text in
                var (cellsIndex, readCount) = (0, 0)
                for entry in slice.entries where goesOn {
                    let record = unsafe UnsafeRawBufferPointer(rebasing: bytes[entry.range])
                    switch entry.kind {
                    case .failed: break
                    case .passedOver: passOver { $0.pass(entry.mark, end: entry.end) }
                    case .cells, .again, .rejected: note { $0.pass(entry.mark, end: entry.end) }
                    }
                    switch entry.kind {
                    case .passedOver: break
                    case .cells:
                        if records <= IngestRun.firstRecordCount, plan.origin == .declared { unsafe lookAtFirst(record) }
                        unsafe rows.bind(SliceRow(slice, cellsIndex, bytes, text), into: loader, file: opened.name)
                        cellsIndex += 1
                        unsafe try insert(record, at: entry.position, opened)
                    case .again:
                        if let failure = unsafe try store(record, of: record, at: entry.position, opened) {
                            unsafe try reject(failure.shifted(by: entry.position), record, at: entry.position, opened)
                        }
                    case .rejected(let error):
                        try reject(error, opened)
                    case .failed(let error):
                        if interruption.received != 0 { break }
                        isCutOff = true
                        try end(error, opened)
                    }
                    lastEnd.record = entry.recordEnd
                    rows.endRecord()
                    try endRecord(opened, &progress)
                    readCount += 1
                }
                if readCount == slice.entries.count {
                    rows.note(slice.unknownKeys) { describe($0, opened) }
                } else if countsKeys {
                    // The worker has counted more than was taken.
                    for entry in slice.entries[..<readCount] {
                        guard case .cells = entry.kind else { continue }
                        unsafe rows.countKeys(of: UnsafeRawBufferPointer(rebasing: bytes[entry.range]), at: entry.position)
                    }
                }
                lastEnd.feed = slice.slice.end.offset
            }
        }
        guard goesOn else { return }
        // A last record without a line break may not be complete yet.
        finish(isOpen: breaksOff && lastEnd.record == lastEnd.feed, isCutOff)
    }

    private func reject(_ error: JSONError, _ opened: OpenInput) throws {
        unsafe try reject(RejectedRecord(error, nil, at: error.position, of: opened.name), error.description)
    }

    /// The feed ends with an error: one that breaks off has been read to its end; one whose layout is damaged has not.
    private func end(_ error: JSONError, _ opened: OpenInput) throws {
        if Ingest.isFatal(error) || error.kind != .unexpectedEnd { throw error }
        try reject(error, opened)
    }
}
#endif
