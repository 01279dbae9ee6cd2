// The main loop: workers, or this thread, read the records of slices, and this thread adds the rows to the batch in the order of the input.

internal import Foundation
internal import SluiceCore
package import SluiceFeed

extension IngestRun {
    /// How many threads read an input; 0 if this thread does.
    private func workerCount(for opened: OpenInput) -> Int {
        // Rows and members become objects under the cutter's lock, and this thread reads them. Text is written for whole slices, which
        // have more records than a limit.
        if options.feed.makesObjects || textWork != nil && options.limit != nil { return 0 }
        // With a single slice, a second thread has nothing to do.
        let isSmall = opened.totalBytes.map { $0 < IngestRun.smallInput } ?? false
        let count = options.workers ?? (isSmall ? 1 : min(2, ProcessInfo.processInfo.activeProcessorCount))
        return count > 1 ? count : 0
    }

    private static let smallInput = 256 << 10

    /// Reads the rest of an input.
    package func readRecords(_ splitter: consuming RecordSplitter, _ input: InputProgress, _ opened: OpenInput) throws {
        let count = workerCount(for: opened)
        var splitter = splitter
        var sinkFailure: (any Error)?
        if count == 0, opened.mayWait {
            splitter.beforeRead = { [unowned self] () throws(JSONError) in
                do {
                    if try goesOnAfterFlush(isReady: opened.isReady(within:)) { return }
                } catch {
                    sinkFailure = error
                }
                // Nobody sees this error: the run ends.
                throw .inputOutput("read", opened.name, EINTR)
            }
        }
        let columns = rows.workerColumns
        let condition = options.feed.filter
        let (countsKeys, textWork, model) = (rows.countsKeys, textWork, options.model)
        let (passesGaps, leavesAll, wanted) = (!rows.readsGapsAgain, rows.readsAllAgain, limit - records)
        let (schema, hidesText) = (options.schema, options.feed.hidesText)
        let workers = try OrderedWorkers(count: count, cutter: SliceCutter(splitter, keeping: opened)) {
            var reader = SliceRowReader(
                columns, condition, countsKeys: countsKeys, passesGaps: passesGaps, leavesAll: leavesAll, textWork, model: model,
                schema: schema, hidesText: hidesText, limit: wanted)
            return { reader.read($0) }
        }
        var found: PathFindings?
        while goesOn, let slice = try next(of: workers, opened) {
            if let sinkFailure { throw sinkFailure }
            found = slice.slice.pathFindings
            input.resumePoint.enter(slice.slice)
            var readCount = 0
            defer { noteKeys(of: slice, readCount: readCount, opened) }
            try add(slice, input, opened) {
                readCount += 1
                try endRecord(input)
            }
            showProgress(input, opened, at: Clock.nanoseconds &- start)
        }
        if goesOn, let found { noteEnd(of: input, found) }
        input.isComplete = goesOn && input.cutOff.isEmpty
    }

    /// The next slice. What was read before is committed first, unless the slice is ready.
    private func next(of workers: OrderedWorkers<SliceRows>, _ opened: OpenInput) throws -> SliceRows? {
        if opened.mayWait, try !goesOnAfterFlush(isReady: workers.isReady(within:)) { return nil }
        // Of records that a condition chooses, any number may come before the last one.
        return workers.next(atMost: options.feed.filter == nil ? limit - records : .max)
    }

    /// How many milliseconds an input may have nothing to read before what was read is committed.
    private static let patience = 100

    /// Commits what was read, unless the input is ready. Returns whether the run goes on: the sink may refuse too many rows.
    private func goesOnAfterFlush(isReady: (Int) -> Bool) throws -> Bool {
        if hasUncommitted, !isReady(IngestRun.patience) { try flush() }
        return goesOn
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
                case .passedOver:
                    countPassedOver(input)
                    if options.replay != nil { input.leaveOut() }
                case .cells where rows.readsAllAgain:
                    tally.records += 1
                    isPassed =
                        unsafe try readAgain(record, nil, of: entry, bytes, slice.slice, input, opened) || !isCutOff(entry, input)
                case .cells(let row):
                    tally.records += 1
                    unsafe lookAtFirst(record)
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
                            isPassed = !isCutOff(entry, input)
                            let rejected = unsafe RejectedRecord(failure, record, at: entry.position, of: input.name)
                            reject(rejected, of: input, isCutOff: !isPassed)
                        }
                    }
                case .text(let range, let count, let passedOver):
                    tally.records += count
                    passedCount = count + passedOver
                    countPassedOver(input, passedOver)
                    if count > 0 { unsafe lookAtFirst(record) }
                    if writes, count > 0 {
                        batch.enter(slice)
                        batch.append(text: range, of: slice, count: count)
                    }
                case .again(let error):
                    tally.records += 1
                    isPassed =
                        unsafe try readAgain(record, error.map { slice.errors[$0] }, of: entry, bytes, slice.slice, input, opened)
                        || !isCutOff(entry, input)
                case .rejected(let error):
                    isPassed = !isCutOff(entry, input)
                    if isPassed { tally.records += 1 }
                    unsafe reject(slice.errors[error], record, isCutOff: !isPassed, input)
                case .failed(let error):
                    isPassed = false
                    if interruption.received == 0 { try end(slice.errors[error], input) }
                }
                if isPassed { input.resumePoint.pass(entry.index, end: entry.end, count: passedCount) }
                try endRecord()
            }
        }
    }

    /// Whether more of a record may come that ends with its input.
    private func isCutOff(_ entry: SliceRows.Entry, _ input: InputProgress) -> Bool { entry.endsInRecord && !input.isEnded }

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

    /// Reads a record again that needs more than its cells, unless its error is known. Returns false if it is rejected.
    private func readAgain(
        _ record: UnsafeRawBufferPointer, _ known: JSONError?, of entry: SliceRows.Entry, _ bytes: UnsafeRawBufferPointer,
        _ slice: FeedSlice,
        _ input: InputProgress, _ opened: OpenInput
    ) throws -> Bool {
        let row = unsafe slice.row(ofEntry: entry.index).map { unsafe UnsafeRawBufferPointer(rebasing: bytes[$0]) }
        let text = unsafe row ?? record
        let discarded = rows.discarded
        guard let failure = unsafe try add(record, known, of: text, at: entry.position, nextNumber(of: input), opened) else {
            if options.replay != nil, rows.discarded > discarded { input.leaveOut() }
            return true
        }
        let error = slice.located(failure, ofEntry: entry.index, at: entry.position)
        reject(
            unsafe RejectedRecord(error, text, at: entry.position, of: opened.name), of: input, isCutOff: isCutOff(entry, input))
        return false
    }

    /// Notes the keys of a slice that no column reads.
    ///
    /// - Parameter readCount: How many of the slice's entries were processed.
    private func noteKeys(of slice: SliceRows, readCount: Int, _ opened: OpenInput) {
        if readCount == slice.entries.count {
            rows.note(slice.unknownKeys) { describe($0, opened) }
            // If the run ends inside a slice, its unknown keys are not examined, and not counted.
            if textWork != nil { rows.note(unseenInText: slice.unseenColumns) }
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
