// Records that workers read on slices of a feed, with all that a feed counts and tells about them.

public import SluiceCore

/// What became of one record of a slice.
struct RecordOutcome {
    enum Kind {
        case accepted
        case rejected(JSONError)
        /// The number of records, one behind the other, that do not match; the rest of the outcome is that of the last.
        case unmatched(Int)
        /// The feed ends with this error.
        case failed(JSONError)
    }

    var kind: Kind
    /// Where the record stands in the feed.
    var range: Range<Int>
    /// Where it starts.
    var start: SourcePosition
    /// The place behind it, as far as the feed is used then.
    var end: SourcePosition
    /// Where the cutter stood behind it; nil among lines, where the place says all.
    var mark: Mark?
    /// Envelopes that ended before it, counted from the beginning of the feed.
    var envelopeCount: Int
    /// What was left out of it, with places in the feed; nil if nothing was.
    var report: JSONReadReport?
    /// What became of its properties, if that is counted.
    var propertyCounts: PropertyCounts?

    var isUnmatched: Bool { if case .unmatched = kind { true } else { false } }
    var isAccepted: Bool { if case .accepted = kind { true } else { false } }

    /// How many records it stands for.
    var recordCount: Int { if case .unmatched(let count) = kind { count } else { 1 } }
}

/// What a worker has read of a slice.
// Safe: the records are Sendable, because `JSONFeed.parallel(workers:)` asks that of their type.
struct SliceRecords<Record>: @unchecked Sendable {
    var records: [Record] = []
    var outcomes: [RecordOutcome] = []
    var format = JSONFeedFormat.automatic
    var end = SourcePosition.start
    var origin = FeedOrigin()
    var endMark: Mark?
    var envelopeCount = 0
}

/// Reads the records of one slice after the other, in one thread.
@usableFromInline
final class SliceWorker {
    private var reader: JSONReader
    private var slice: FeedSliceReader?
    fileprivate var outcomes: [RecordOutcome] = []

    private var choice: RecordChoice?
    private let countsProperties: Bool

    init(_ options: JSONReader.Options, _ choice: RecordChoice?) {
        reader = JSONReader(options: options)
        countsProperties = options.countsProperties
        self.choice = choice
    }

    /// Reads all records of a slice.
    func read<Record>(_ slice: FeedSlice, _ collect: (SliceWorker) -> [Record]) -> SliceRecords<Record> {
        var result = SliceRecords<Record>()
        outcomes.removeAll(keepingCapacity: true)
        unsafe slice.bytes.withUnsafeBytes { bytes in
            self.slice = unsafe FeedSliceReader(slice, bytes)
            result.records = collect(self)
            self.slice = nil
        }
        result.outcomes = outcomes
        result.format = slice.format
        result.origin = slice.origin
        result.end = slice.end
        result.endMark = slice.endMark
        result.envelopeCount = slice.envelopeCount
        return result
    }

    /// Reads the next record of the slice that can be read into memory that holds a nil `Record?`; false at the slice's end.
    @usableFromInline
    func readNext<Record: JSONReadable>(_ type: Record.Type, into place: UnsafeMutableRawPointer) -> Bool {
        while let step = slice?.next(), let slice {
            var outcome = RecordOutcome(
                kind: .accepted, range: slice.range, start: slice.recordStart, end: slice.end, mark: slice.mark,
                envelopeCount: slice.envelopeCount)
            switch step {
            case .record(let bytes, let position):
                outcome.kind = unsafe read(type, bytes, into: place, at: position)
                if countsProperties, !outcome.isUnmatched { outcome.propertyCounts = reader.propertyCounts }
                if case .accepted = outcome.kind, reader.hasReport {
                    outcome.report = reader.report.shifted(by: position)
                }
            case .rejected(let error, _): outcome.kind = .rejected(error)
            case .failed(let error): outcome.kind = .failed(error)
            }
            add(outcome)
            if case .accepted = outcome.kind { return true }
        }
        return false
    }

    private func read<Record: JSONReadable>(
        _ type: Record.Type, _ bytes: UnsafeRawBufferPointer, into place: UnsafeMutableRawPointer, at position: SourcePosition
    ) -> RecordOutcome.Kind {
        switch unsafe choice?.read(type, at: place, bytes, &reader) {
        case .matched: .accepted
        case .unmatched: .unmatched(1)
        case .failed(let error): .rejected(error.shifted(by: position))
        case nil: unsafe reader.run(type, at: place, bytes).map { .rejected($0.shifted(by: position)) } ?? .accepted
        }
    }

    /// Notes an outcome. Where few records match, there are not many outcomes.
    private func add(_ outcome: RecordOutcome) {
        guard case .unmatched = outcome.kind, case .unmatched(let count)? = outcomes.last?.kind else {
            return outcomes.append(outcome)
        }
        outcomes[outcomes.count - 1] = outcome
        outcomes[outcomes.count - 1].kind = .unmatched(count + 1)
    }
}

/// The consumer's side: outcomes in the order of the feed.
final class ParallelRecords<Record> {
    var workers: OrderedWorkers<SliceRecords<Record>>?
    private var slice = SliceRecords<Record>()
    private var index = 0
    private var recordIndex = 0

    /// Where the last record stands that was given out or rejected.
    private(set) var range: Range<Int>
    /// The place behind it, as far as the feed is used then.
    private(set) var position: SourcePosition
    /// Where the cutter stood behind it.
    private var place: FeedPlace
    /// The layout, once it is known.
    var format: JSONFeedFormat { place.format }
    /// Whether nothing more comes.
    private(set) var isOver = false
    /// Takes what stands around records at a path.
    private let envelope: (any EnvelopeTarget)?

    init(behind splitter: borrowing RecordSplitter) {
        envelope = splitter.walk?.envelope.target
        envelope?.holdBack()
        range = splitter.recordRange
        position = splitter.position
        place = splitter.place
    }

    /// What became of the next record, or nil at the end, or if it is not there yet and must not be waited for.
    func next(waits: Bool) -> RecordOutcome? {
        while index == slice.outcomes.count {
            if !slice.outcomes.isEmpty || slice.end.offset > position.offset { position = max(slice.end, position) }
            if let endMark = slice.endMark {
                place.end(at: endMark)
                envelope?.giveOut(slice.envelopeCount)
            }
            slice = SliceRecords()
            index = 0
            recordIndex = 0
            guard let workers, !isOver, waits || workers.isReady else { return nil }
            guard let next = workers.next() else {
                isOver = true
                return nil
            }
            slice = next
            place.enter(next.format, next.origin)
        }
        let outcome = slice.outcomes[index]
        index += 1
        position = outcome.end
        envelope?.giveOut(outcome.envelopeCount)
        if case .failed = outcome.kind {
            end(outcome)
        } else {
            range = outcome.range
            place.pass(outcome.mark, end: outcome.end, count: outcome.recordCount)
        }
        return outcome
    }

    /// The feed ends with an error.
    private func end(_ outcome: RecordOutcome) {
        isOver = true
        // Of lines that are cut off together, the cutter does not know the last.
        guard let known = outcome.mark, format != .lines || !place.origin.path.isEmpty else { return }
        range = outcome.range
        place.fail(at: known)
    }

    /// The place behind the record of the outcome that was given out last; at the end of the feed, that end.
    func checkpoint(totalBytes: Int?) -> JSONCheckpoint { place.checkpoint(totalBytes: totalBytes) }

    /// Moves the record of the outcome that was given out last to memory that holds a nil `Record?`.
    func take(into place: UnsafeMutableRawPointer) {
        // Safe: the caller says what the memory holds, and there is a record for each outcome that is accepted.
        unsafe place.assumingMemoryBound(to: Record?.self).pointee = slice.records[recordIndex]
        recordIndex += 1
    }

    /// Suspends the task until the next record is there, or the task is cancelled.
    var readiness: @Sendable () async -> Void { { [workers] in await workers?.waitUntilReady() } }
}

extension SourcePosition {
    fileprivate static func max(_ left: SourcePosition, _ right: SourcePosition) -> SourcePosition {
        left.offset < right.offset ? right : left
    }
}
