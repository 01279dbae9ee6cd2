// The main loop with workers: they read the records of slices, and this thread writes the rows in the order of the input.

#if CommandLine
internal import Foundation
internal import SluiceCore
internal import SluiceFeed

extension IngestRun {
    /// How many threads read an input; with 1, only this thread does.
    func workerCount(for opened: OpenInput) -> Int {
        // Rows under a header cannot be read in slices: the thread that cuts the feed reads them.
        if options.feed.hasHeader { return 1 }
        if let workers = options.workers { return workers }
        // An input of a single slice gives a second thread nothing to do.
        if let size = opened.totalBytes, size < IngestRun.smallInput { return 1 }
        return min(2, ProcessInfo.processInfo.activeProcessorCount)
    }

    private static let smallInput = 256 << 10

    /// How far the slices have been read.
    private struct Progress {
        /// The byte offsets at which the last record and the last slice end in the input.
        var recordEnd = -1
        var sliceEnd = 0
        /// Whether the input ended inside a container.
        var isCutOff = false
        /// How many entries of the current slice have been processed.
        var entryCount = 0
        /// Nanoseconds spent on its records that had to be read again.
        var rereading: UInt64 = 0
    }

    /// Reads the rest of an input with worker threads.
    func readSlices(
        _ splitter: consuming RecordSplitter, _ opened: OpenInput, workers count: Int, _ progress: inout ProgressLine
    ) throws {
        let columns = rows.workerColumns
        let condition = options.feed.filter
        let countsKeys = rows.countsKeys
        let workers = try OrderedWorkers(count: count, cutter: SliceCutter(splitter, keeping: opened)) {
            let worker = SliceRowWorker(SliceRowReader(columns, condition, countsKeys: countsKeys))
            return { worker.read($0) }
        }
        var reached = Progress()
        while goesOn, let slice = workers.next() {
            place.enter(slice.slice)
            let (start, timeBefore) = (Clock.nanoseconds, databaseTime)
            (reached.entryCount, reached.rereading) = (0, 0)
            reached.sliceEnd = slice.slice.end.offset
            defer {
                // All time of this thread here counts as SQLite's, except for the records that it reads again.
                if loader != nil { databaseTime = timeBefore &+ Clock.nanoseconds &- start &- reached.rereading }
                noteKeys(of: slice, readCount: reached.entryCount, opened)
            }
            try store(slice, opened, &reached) { try endRecord(opened, at: start &- self.start, &progress) }
        }
        let isOpen = breaksOff && reached.recordEnd == reached.sliceEnd
        guard goesOn else { return leaveOff(isOpen: isOpen, reached.isCutOff) }
        finish(isOpen: isOpen, reached.isCutOff)
    }

    /// Stores the rows of a slice.
    private func store(
        _ slice: SliceRows, _ opened: OpenInput, _ reached: inout Progress, endRecord: () throws -> Void
    ) throws {
        try unsafe slice.withBytes { bytes, text in
            for entry in slice.entries where goesOn {
                let record = unsafe UnsafeRawBufferPointer(rebasing: bytes[entry.range])
                switch entry.kind {
                case .failed: break
                // The input ended inside this document. Its rest may still be written, so the next run reads it again.
                case .rejected where entry.endsInDocument: reached.isCutOff = true
                case .passedOver: passOver { $0.pass(entry.mark, end: entry.end) }
                case .cells, .again, .rejected: note { $0.pass(entry.mark, end: entry.end) }
                }
                switch entry.kind {
                case .passedOver: break
                case .cells(let cells):
                    if records <= IngestRun.firstRecordCount, plan.origin == .declared { unsafe lookAtFirst(record) }
                    unsafe rows.bind(SliceRow(slice, cells, bytes, text), into: loader, file: opened.name)
                    unsafe try insert(record, at: entry.position, opened)
                case .again: unsafe try readAgain(record, at: entry.position, opened, &reached.rereading)
                case .rejected(let error): unsafe try reject(error, record, opened)
                case .failed(let error):
                    if interruption.received != 0 { break }
                    reached.isCutOff = true
                    try end(error, opened)
                }
                reached.recordEnd = entry.recordEnd
                reached.entryCount += 1
                rows.endRecord()
                try endRecord()
            }
        }
    }

    /// Reads a record again that needs more than its cells.
    private func readAgain(
        _ record: UnsafeRawBufferPointer, at position: SourcePosition, _ opened: OpenInput, _ time: inout UInt64
    ) throws {
        let (start, timeBefore) = (Clock.nanoseconds, databaseTime)
        if let failure = unsafe try store(record, of: record, at: position, opened) {
            unsafe try reject(failure.shifted(by: position), record, at: position, opened)
        }
        time &+= Clock.nanoseconds &- start &- (databaseTime &- timeBefore)
    }

    /// Notes the keys of a slice that no column reads.
    ///
    /// - Parameter readCount: How many of the slice's entries were processed.
    private func noteKeys(of slice: SliceRows, readCount: Int, _ opened: OpenInput) {
        if readCount == slice.entries.count {
            rows.note(slice.unknownKeys) { describe($0, opened) }
        } else if rows.countsKeys {
            // The worker's counts include records that were not processed, so the keys are counted again.
            unsafe slice.withBytes { bytes, _ in
                for entry in slice.entries[..<readCount] {
                    guard case .cells = entry.kind else { continue }
                    unsafe rows.countKeys(of: UnsafeRawBufferPointer(rebasing: bytes[entry.range]), at: entry.position)
                }
            }
        }
    }

    /// Rejects a record that the cutter refused.
    private func reject(_ error: JSONError, _ text: UnsafeRawBufferPointer?, _ opened: OpenInput) throws {
        unsafe try reject(RejectedRecord(error, text, at: error.position, of: opened.name), error.description)
    }

    /// Handles the error that ends the feed. A feed that breaks off has been read to its end; one with a damaged layout has not.
    private func end(_ error: JSONError, _ opened: OpenInput) throws {
        if Ingest.isFatal(error) || error.kind != .unexpectedEnd { throw error }
        try unsafe reject(error, nil, opened)
    }
}
#endif
