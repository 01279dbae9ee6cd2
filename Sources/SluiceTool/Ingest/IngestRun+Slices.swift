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
            var reader = SliceRowReader(columns, condition, countsKeys: countsKeys)
            return { reader.read($0) }
        }
        var reached = Progress()
        while goesOn, let slice = try next(of: workers, opened) {
            resumePoint.enter(slice.slice)
            let (start, timeBefore) = (Clock.nanoseconds, databaseTime)
            (reached.entryCount, reached.rereading) = (0, 0)
            defer {
                // All time of this thread here counts as SQLite's, except for the records that it reads again.
                if loader != nil { databaseTime = timeBefore &+ Clock.nanoseconds &- start &- reached.rereading }
                noteKeys(of: slice, readCount: reached.entryCount, opened)
            }
            try store(slice, opened, &reached) { try endRecord(opened, at: start &- self.start, &progress) }
        }
        isInputComplete = goesOn && cutOff.isEmpty
    }

    /// The next slice.
    private func next(of workers: OrderedWorkers<SliceRows>, _ opened: OpenInput) throws -> SliceRows? {
        guard opened.mayWait else { return workers.next() }
        return try waiting(for: opened, isReady: workers.isReady(within: IngestRun.patience)) { workers.next() }
    }

    /// Stores the rows of a slice.
    private func store(
        _ slice: SliceRows, _ opened: OpenInput, _ reached: inout Progress, endRecord: () throws -> Void
    ) throws {
        try unsafe slice.withBytes { bytes, text in
            for entry in slice.entries where goesOn {
                let record = unsafe UnsafeRawBufferPointer(rebasing: bytes[entry.range])
                // Whether the record is complete, so that no more of it can come.
                var isPassed = true
                switch entry.kind {
                case .passedOver: countPassedOver()
                case .cells(let cells):
                    records += 1
                    if records <= IngestRun.firstRecordCount, plan.origin == .declared { unsafe lookAtFirst(record) }
                    unsafe rows.bind(SliceRow(slice, cells, bytes, text), into: loader, file: opened.name)
                    unsafe try insert(record, at: entry.position, opened)
                case .again:
                    records += 1
                    isPassed = unsafe try readAgain(record, of: entry, opened, &reached.rereading) || !entry.endsInRecord
                case .rejected(let error):
                    isPassed = !entry.endsInRecord
                    if isPassed { records += 1 }
                    unsafe try reject(error, record, isCutOff: !isPassed, opened)
                case .failed(let error):
                    isPassed = false
                    if interruption.received == 0 { try end(error, opened) }
                }
                if isPassed { resumePoint.pass(entry.mark, end: entry.end) }
                reached.entryCount += 1
                rows.endRecord()
                try endRecord()
            }
        }
    }

    /// Reads a record again that needs more than its cells. Returns false if it is rejected.
    private func readAgain(
        _ record: UnsafeRawBufferPointer, of entry: SliceRows.Entry, _ opened: OpenInput, _ time: inout UInt64
    ) throws -> Bool {
        let (start, timeBefore) = (Clock.nanoseconds, databaseTime)
        defer { time &+= Clock.nanoseconds &- start &- (databaseTime &- timeBefore) }
        guard let failure = unsafe try store(record, of: record, at: entry.position, opened) else { return true }
        let rejected = unsafe RejectedRecord(
            failure.shifted(by: entry.position), record, at: entry.position, of: opened.name)
        try reject(rejected, isCutOff: entry.endsInRecord)
        return false
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
    private func reject(
        _ error: JSONError, _ text: UnsafeRawBufferPointer?, isCutOff: Bool, _ opened: OpenInput
    ) throws {
        try reject(unsafe RejectedRecord(error, text, at: error.position, of: opened.name), isCutOff: isCutOff)
    }

    /// Handles the error that ends the feed. A feed that breaks off has been read to its end; one with a damaged layout has not.
    private func end(_ error: JSONError, _ opened: OpenInput) throws {
        if Ingest.isFatal(error) || error.kind != .unexpectedEnd { throw error }
        try unsafe reject(error, nil, isCutOff: true, opened)
    }
}
#endif
