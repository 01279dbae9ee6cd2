// The main loop with workers: they read the records of slices, and this thread adds the rows to the batch in the order of the input.

internal import Foundation
internal import SluiceCore
package import SluiceFeed

extension IngestRun {
    /// How many threads read an input; with 1, only this thread does.
    package func workerCount(for opened: OpenInput) -> Int {
        // Rows under a header cannot be read in slices: the thread that cuts the feed reads them.
        if options.feed.makesObjects { return 1 }
        if let workers = options.workers { return workers }
        // With a single slice, a second thread has nothing to do.
        if let size = opened.totalBytes, size < IngestRun.smallInput { return 1 }
        return min(2, ProcessInfo.processInfo.activeProcessorCount)
    }

    /// Whether workers read an input. Text is written for whole slices, which have more records than a small limit; without a limit that
    /// takes less time than record by record, also with one worker.
    package func readsSlices(_ workers: Int) -> Bool {
        guard textWork != nil else { return workers > 1 }
        return options.limit == nil && !options.feed.makesObjects
    }

    private static let smallInput = 256 << 10

    /// Reads the rest of an input with worker threads.
    package func readSlices(
        _ splitter: consuming RecordSplitter, _ input: InputProgress, _ opened: OpenInput, workers count: Int
    ) throws {
        let columns = rows.workerColumns
        let condition = options.feed.filter
        let (countsKeys, textWork, model) = (rows.countsKeys, textWork, options.model)
        let passesGaps = !rows.readsGapsAgain
        let workers = try OrderedWorkers(count: count, cutter: SliceCutter(splitter, keeping: opened)) {
            var reader = SliceRowReader(
                columns, condition, countsKeys: countsKeys, passesGaps: passesGaps, textWork, model: model)
            return { reader.read($0) }
        }
        var found: PathFindings?
        while goesOn, let slice = try next(of: workers, opened) {
            found = slice.slice.pathFindings
            input.resumePoint.enter(slice.slice)
            let time = Clock.nanoseconds &- start
            var readCount = 0
            defer { noteKeys(of: slice, readCount: readCount, opened) }
            try add(slice, input, opened) {
                readCount += 1
                try endRecord(input, opened, at: time)
            }
        }
        if goesOn, let found { noteEnd(of: input, found) }
        input.isComplete = goesOn && input.cutOff.isEmpty
    }

    /// The next slice.
    private func next(of workers: OrderedWorkers<SliceRows>, _ opened: OpenInput) throws -> SliceRows? {
        guard opened.mayWait else { return workers.next() }
        return try waiting(for: opened, isReady: workers.isReady(within:)) { workers.next() }
    }

    /// Adds the rows of a slice to the batch.
    private func add(_ slice: SliceRows, _ input: InputProgress, _ opened: OpenInput, endRecord: () throws -> Void) throws {
        let writes = connection != nil
        try unsafe slice.withMemory { cells, bytes, own in
            for entry in slice.entries where goesOn {
                let record = unsafe UnsafeRawBufferPointer(rebasing: bytes[entry.range])
                // Whether the record is complete, so that no more of it can come.
                var isPassed = true
                var passedCount = 1
                switch entry.kind {
                case .passedOver: countPassedOver(input)
                case .cells where rows.readsAllAgain:
                    records += 1
                    isPassed = unsafe try readAgain(record, of: entry, input, opened) || !entry.endsInRecord
                case .cells(let row):
                    records += 1
                    if records <= IngestRun.firstRecordCount, watchesFirst { unsafe lookAtFirst(record) }
                    rows.note(row, of: slice)
                    if writes {
                        // After a commit, the batch no longer holds the slice.
                        batch.enter(slice)
                        try batch.append(
                            cells: row, record: entry.range, at: entry.position, number: nextNumber(of: input))
                    }
                    if childReading != nil {
                        let arrays = unsafe UnsafeBufferPointer(rebasing: cells[entry.arrays])
                        if let failure = try unsafe readArrays(arrays, own: own, slice: bytes, of: record, entry) {
                            isPassed = !entry.endsInRecord
                            let rejected = unsafe RejectedRecord(failure, record, at: entry.position, of: input.name)
                            reject(rejected, of: input, isCutOff: !isPassed)
                        }
                    }
                case .text(let range, let count, let passedOver):
                    records += count
                    passedCount = count + passedOver
                    countPassedOver(input, passedOver)
                    if records <= IngestRun.firstRecordCount, watchesFirst, count > 0 { unsafe lookAtFirst(record) }
                    if writes, count > 0 {
                        batch.enter(slice)
                        batch.append(text: range, of: slice, count: count)
                    }
                case .again:
                    records += 1
                    isPassed = unsafe try readAgain(record, of: entry, input, opened) || !entry.endsInRecord
                case .rejected(let error):
                    isPassed = !entry.endsInRecord
                    if isPassed { records += 1 }
                    unsafe reject(error, record, isCutOff: !isPassed, input)
                case .failed(let error):
                    isPassed = false
                    if interruption.received == 0 { try end(error, input) }
                }
                if isPassed { input.resumePoint.pass(entry.mark, end: entry.end, count: passedCount) }
                try endRecord()
            }
        }
    }

    /// Reads the arrays of a record that go into tables of their own. Returns the error if an element cannot be read.
    private func readArrays(
        _ cells: UnsafeBufferPointer<Cell>, own: UnsafeRawBufferPointer, slice: UnsafeRawBufferPointer,
        of record: UnsafeRawBufferPointer, _ entry: SliceRows.Entry
    ) throws -> JSONError? {
        do {
            try unsafe rows.readArrays(
                cells, own: own, slice: slice, of: record, into: connection == nil ? nil : batch, at: entry.position)
            return nil
        } catch let error as JSONError where !error.endsIngest {
            return error.shifted(by: entry.position)
        }
    }

    /// Reads a record again that needs more than its cells. Returns false if it is rejected.
    private func readAgain(
        _ record: UnsafeRawBufferPointer, of entry: SliceRows.Entry, _ input: InputProgress, _ opened: OpenInput
    ) throws -> Bool {
        guard let failure = unsafe try add(record, of: record, at: entry.position, nextNumber(of: input), opened) else {
            return true
        }
        let rejected = unsafe RejectedRecord(
            failure.shifted(by: entry.position), record, at: entry.position, of: opened.name)
        reject(rejected, of: input, isCutOff: entry.endsInRecord)
        return false
    }

    /// Notes the keys of a slice that no column reads.
    ///
    /// - Parameter readCount: How many of the slice's entries were processed.
    private func noteKeys(of slice: SliceRows, readCount: Int, _ opened: OpenInput) {
        if readCount == slice.entries.count {
            rows.note(slice.unknownKeys) { describe($0, opened) }
            // If the run ends inside a slice, its unknown keys are not examined, and not counted.
            if textWork != nil { rows.note(slice.textFindings) }
        } else if rows.countsKeys {
            // The worker's counts include records that were not processed, so the keys are counted again.
            unsafe slice.withMemory { _, bytes, _ in
                for entry in slice.entries[..<readCount] {
                    guard case .cells = entry.kind else { continue }
                    unsafe rows.countKeys(of: UnsafeRawBufferPointer(rebasing: bytes[entry.range]), at: entry.position)
                }
            }
        }
    }

    /// Rejects a record that the cutter refused.
    private func reject(
        _ error: JSONError, _ text: UnsafeRawBufferPointer?, isCutOff: Bool, _ input: InputProgress
    ) {
        rejectCut(unsafe RejectedRecord(error, text, at: error.position, of: input.name), of: input, isCutOff: isCutOff)
    }

    /// Handles the error that ends the feed. If a feed breaks off, it has been read to its end. If its layout is damaged, it has
    /// not.
    private func end(_ error: JSONError, _ input: InputProgress) throws {
        if error.endsIngest || error.kind != .unexpectedEnd { throw error }
        unsafe reject(error, nil, isCutOff: true, input)
    }
}
