// Records that workers read from slices of a feed, with everything that the feed counts and reports about them.

public import SluiceCore

/// The result for one record of a slice.
struct RecordOutcome {
    enum Kind {
        case accepted
        case rejected(JSONError)
        /// A number of consecutive records that do not match. The outcome's other properties describe the last of them.
        case unmatched(Int)
        /// The feed ends with this error.
        case failed(JSONError)
    }

    var kind: Kind
    /// The record's byte range in the feed.
    var range: Range<Int>
    /// The place where the record starts.
    var start: SourcePosition
    /// The place after the record: how far the feed has been used by then.
    var end: SourcePosition
    /// The cutter's state after the record; nil in a slice of lines, where the place is enough.
    var mark: Mark?
    /// How many envelopes ended before the record, counted from the beginning of the feed.
    var envelopeCount: Int
    /// What was left out of the record, with places in the feed; nil if nothing was.
    var report: JSONReadReport?
    /// Counts per property of the record, if they are wanted.
    var propertyCounts: PropertyCounts?

    var isUnmatched: Bool { if case .unmatched = kind { true } else { false } }
    var isAccepted: Bool { if case .accepted = kind { true } else { false } }

    /// How many records this outcome covers.
    var recordCount: Int { if case .unmatched(let count) = kind { count } else { 1 } }
}

/// A slice as a worker has read it.
// Safe: the records are Sendable, because `JSONFeed.parallel(workers:)` requires it of their type.
struct SliceRecords<Record>: @unchecked Sendable {
    var records: [Record] = []
    var outcomes: [RecordOutcome] = []
    var format = JSONFeedFormat.automatic
    var end = SourcePosition.start
    var origin = FeedOrigin()
    var endMark: Mark?
    var envelopeCount = 0
    /// The text of the slice, if it consists of lines.
    var text: SliceText?
}

/// Reads the records of one slice after the other, in one thread.
@usableFromInline
final class SliceWorker {
    private var reader: JSONReader
    private var slice: FeedSliceReader?
    fileprivate var outcomes: [RecordOutcome] = []

    private var choice: RecordChoice?
    private let countsProperties: Bool

    init(_ reader: consuming JSONReader, _ options: JSONReader.Options, _ choice: RecordChoice?) {
        self.reader = reader
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
        result.text = slice.text
        return result
    }

    /// Reads records of the slice until one is accepted, into memory that holds a nil `Record?`. Returns false at the slice's end.
    @usableFromInline
    func readNext<Record: JSONReadable>(_ type: Record.Type, into address: UnsafeMutableRawPointer) -> Bool {
        while let step = slice?.next(), let slice {
            var outcome = RecordOutcome(
                kind: .accepted, range: slice.range, start: slice.recordStart, end: slice.end, mark: slice.mark,
                envelopeCount: slice.envelopeCount)
            switch step {
            case .record(let bytes, let position):
                outcome.kind = unsafe read(type, bytes, into: address, at: position)
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
        _ type: Record.Type, _ bytes: UnsafeRawBufferPointer, into address: UnsafeMutableRawPointer, at position: SourcePosition
    ) -> RecordOutcome.Kind {
        switch unsafe choice?.read(type, at: address, bytes, &reader) {
        case .matched: .accepted
        case .unmatched: .unmatched(1)
        case .failed(let error): .rejected(error.shifted(by: position))
        case nil: unsafe reader.run(type, at: address, bytes).map { .rejected($0.shifted(by: position)) } ?? .accepted
        }
    }

    /// Appends an outcome. Consecutive records that do not match share one, so that they need little memory.
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

    /// The byte range in the feed of the record that was returned or rejected last.
    private(set) var range: Range<Int>
    /// The place after the record: how far the feed has been used by then.
    private(set) var position: SourcePosition
    /// The point after that record, for checkpoints.
    private var resumePoint: ResumePoint
    /// The layout, once it is known.
    var format: JSONFeedFormat { resumePoint.format }
    /// Whether the feed is over.
    private(set) var isOver = false
    /// Takes the envelope, if one is wanted.
    private let envelope: (any EnvelopeTarget)?

    init(behind splitter: borrowing RecordSplitter) {
        envelope = splitter.walk?.envelope.target
        envelope?.holdBack()
        range = splitter.recordRange
        position = splitter.position
        resumePoint = splitter.resumePoint
    }

    /// The result for the next record; nil at the end, or if the record is not there yet and `waits` is false.
    func next(waits: Bool) -> RecordOutcome? {
        while index == slice.outcomes.count {
            if slice.end.offset > position.offset { position = slice.end }
            if let endMark = slice.endMark {
                resumePoint.end(at: endMark)
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
            resumePoint.enter(next.format, next.origin, next.text)
        }
        let outcome = slice.outcomes[index]
        index += 1
        position = outcome.end
        envelope?.giveOut(outcome.envelopeCount)
        if case .failed = outcome.kind {
            end(outcome)
        } else {
            range = outcome.range
            resumePoint.pass(outcome.mark, end: outcome.end, count: outcome.recordCount)
        }
        return outcome
    }

    /// Ends the feed with an error.
    private func end(_ outcome: RecordOutcome) {
        isOver = true
        // In a feed of lines, the cutter does not know the last line that it cut off in a block.
        guard let known = outcome.mark, format != .lines || !resumePoint.origin.path.isEmpty else { return }
        range = outcome.range
        resumePoint.fail(at: known)
    }

    /// The place after the record of the last outcome; at the end of the feed, its end.
    func checkpoint(totalBytes: Int?) -> JSONCheckpoint { resumePoint.checkpoint(totalBytes: totalBytes) }

    /// The digest of a certain number of bytes before that place; nil if they are no longer in memory.
    func tail(of count: Int) -> TailDigest? { resumePoint.tail(of: count) }

    /// Copies the record of the last outcome to memory that holds a nil `Record?`.
    func take(into address: UnsafeMutableRawPointer) {
        // Safe: the caller guarantees what the memory holds, and there is a record for each accepted outcome.
        unsafe address.assumingMemoryBound(to: Record?.self).pointee = slice.records[recordIndex]
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
