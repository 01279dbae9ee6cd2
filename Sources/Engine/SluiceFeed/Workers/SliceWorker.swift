// A worker reads the records of one slice after the other, in its own thread.

internal import SluiceCore

/// Reads slices into records.
struct SliceWorker<Record: JSONReadable>: ~Copyable {
    private var reader: JSONReader
    private var choice: RecordChoice?
    private let countsProperties: Bool
    /// How many records the last slice had: the next one will have about as many.
    private var lastCount = 0

    init(_ reader: consuming JSONReader, _ options: JSONReader.Options, _ choice: RecordChoice?) {
        self.reader = reader
        countsProperties = options.countsProperties
        self.choice = choice
    }

    /// Reads all records of a slice.
    mutating func read(_ slice: FeedSlice) -> SliceRecords<Record> {
        var result = SliceRecords<Record>(slice, capacity: slice.entries?.count ?? (lastCount + lastCount / 8))
        let records = result.records
        unsafe slice.bytes.withUnsafeBytes { bytes in
            unsafe reader.beginBatch(bytes)
            defer { unsafe reader.beginBatch(UnsafeRawBufferPointer(start: nil, count: 0)) }
            var steps = unsafe FeedSliceReader(slice, bytes)
            while let step = steps.next() {
                var outcome = RecordOutcome(range: steps.range, start: steps.recordStart, end: steps.end, entry: steps.entryIndex)
                switch step {
                case .record:
                    unsafe records.append { address in
                        unsafe read(steps.text, into: address, at: steps.recordStart, &outcome, &result)
                    }
                case .rejected(let error): outcome.kind = .rejected(error: result.add(error))
                case .failed(let error): outcome.kind = .failed(error: result.add(error))
                }
                result.add(outcome)
            }
        }
        lastCount = result.outcomes.count
        return result
    }

    /// Reads a record into memory that holds a nil `Record?`. Returns whether it is accepted.
    @inline(__always)
    private mutating func read(
        _ bytes: UnsafeRawBufferPointer, into address: UnsafeMutableRawPointer, at position: SourcePosition,
        _ outcome: inout RecordOutcome, _ result: inout SliceRecords<Record>
    ) -> Bool {
        switch unsafe choice?.read(Record.self, at: address, bytes, &reader) {
        case .matched: break
        case .unmatched: outcome.kind = .unmatched
        case .failed(let error): outcome.kind = .rejected(error: result.add(error.shifted(by: position)))
        case nil:
            if let error = unsafe reader.run(Record.self, at: address, bytes) {
                outcome.kind = .rejected(error: result.add(error.shifted(by: position)))
            }
        }
        let isAccepted = outcome.kind == .accepted
        let countsProperties = countsProperties && outcome.kind != .unmatched
        if countsProperties || isAccepted && reader.hasReport {
            outcome.details = result.details.count
            result.details.append(
                .init(
                    report: isAccepted && reader.hasReport ? reader.report.shifted(by: position) : nil,
                    propertyCounts: countsProperties ? reader.propertyCounts : nil))
        }
        return isAccepted
    }
}

extension SliceRecords {
    /// Adds an error. Returns its index.
    fileprivate mutating func add(_ error: JSONError) -> Int {
        errors.append(error)
        return errors.count - 1
    }

    /// Adds an outcome. Consecutive records that do not match share one outcome, to save memory.
    @inline(__always)
    fileprivate mutating func add(_ outcome: RecordOutcome) {
        guard outcome.kind == .unmatched, let last = outcomes.last, last.kind == .unmatched else {
            return outcomes.append(outcome)
        }
        var outcome = outcome
        outcome.recordCount += last.recordCount
        outcomes[outcomes.count - 1] = outcome
    }
}
