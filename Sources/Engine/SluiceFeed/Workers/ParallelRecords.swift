// The consumer's side of records that workers read: it passes over them in the order of the feed.

internal import SluiceCore

/// Records of one slice after the other.
final class ParallelRecords<Record> {
    var workers: OrderedWorkers<SliceRecords<Record>>?
    // Safe: all are changed only in `next`, which the feed calls for one record after the other.
    /// The slice that is being passed over; nil before the first one and after the last.
    @safe @exclusivity(unchecked) private var current: SliceRecords<Record>?
    /// What became of its records, and the errors.
    @safe @exclusivity(unchecked) private var outcomes: [RecordOutcome] = []
    private var errors: [JSONError] = []
    @safe @exclusivity(unchecked) private var index = 0
    /// The byte range in the feed of the record that was returned or rejected last.
    @safe @exclusivity(unchecked) private(set) var range: Range<Int>
    /// The position after the record: the feed has been used up to here.
    @safe @exclusivity(unchecked) private(set) var position: SourcePosition
    /// The point after the last record that was counted here, for checkpoints; ``pendingCount`` records follow it.
    @safe @exclusivity(unchecked) private var resumePoint: ResumePoint
    /// How many records have been passed since ``resumePoint``: a point that is not asked for is not made.
    @safe @exclusivity(unchecked) private var pendingCount = 0
    /// The index of the last of them.
    @safe @exclusivity(unchecked) private var lastPassed = 0
    /// Whether the feed is over.
    private(set) var isOver = false
    /// Takes the envelope, if one is wanted.
    private let envelope: (any EnvelopeTarget)?

    /// The layout, once it is known.
    var format: JSONFeedFormat { resumePoint.format }

    init(after splitter: borrowing RecordSplitter) {
        envelope = splitter.walk?.envelope.target
        envelope?.holdBack()
        range = splitter.recordRange
        position = splitter.position
        resumePoint = splitter.resumePoint
    }

    /// The result for the next record; nil at the end, or if the record is not there yet and `waits` is false.
    func next(waits: Bool) -> RecordOutcome? {
        while index == outcomes.count {
            guard nextSlice(waits: waits) else { return nil }
        }
        let outcome = outcomes[index]
        index += 1
        position = outcome.end
        if let envelope, let entry = current?.entry(of: outcome) { envelope.giveOut(entry.envelopeCount) }
        if case .failed = outcome.kind {
            end(outcome)
        } else {
            range = outcome.range
            pendingCount += outcome.recordCount
            lastPassed = index - 1
        }
        return outcome
    }

    /// Goes on to the next slice. Returns false at the end, or if the slice is not there yet and `waits` is false.
    private func nextSlice(waits: Bool) -> Bool {
        updateResumePoint()
        if let slice = current?.slice {
            if slice.end.offset > position.offset { position = slice.end }
            if let endMark = slice.endMark {
                resumePoint.end(at: endMark)
                envelope?.giveOut(slice.envelopeCount)
            }
        }
        current = nil
        outcomes = []
        index = 0
        guard let workers, !isOver, waits || workers.isReady else { return false }
        guard let next = workers.next() else {
            isOver = true
            return false
        }
        current = next
        outcomes = next.outcomes
        errors = next.errors
        resumePoint.enter(next.slice)
        return true
    }

    /// What is known of a record besides its outcome; nil if nothing is.
    func details(of outcome: RecordOutcome) -> RecordOutcome.Details? { outcome.details.flatMap { current?.details[$0] } }

    /// An error of the slice that is being passed over.
    func error(_ index: Int) -> JSONError { errors[index] }

    /// Takes out the record of the last outcome: the caller moves the `Record?` from this address before the next call.
    func take() -> UnsafeMutableRawPointer? { unsafe current?.records.take() }

    /// Ends the feed with an error.
    private func end(_ outcome: RecordOutcome) {
        isOver = true
        updateResumePoint()
        // In a feed of lines, the cutter does not know the last line that it cut off in a block.
        guard let known = current?.entry(of: outcome)?.mark, format != .lines || !resumePoint.origin.path.isEmpty else { return }
        range = outcome.range
        resumePoint.fail(at: known)
    }

    // MARK: The resume point

    private func updateResumePoint() {
        guard pendingCount > 0 else { return }
        let last = outcomes[lastPassed]
        resumePoint.pass(last.entry, end: last.end, count: pendingCount)
        pendingCount = 0
    }

    /// The position after the record of the last outcome; at the end of the feed, its end.
    func checkpoint(totalBytes: Int?) -> JSONCheckpoint {
        updateResumePoint()
        return resumePoint.checkpoint(totalBytes: totalBytes)
    }

    /// The digest of a certain number of bytes before that position; nil if they are no longer in memory.
    func tail(of count: Int) -> TailDigest? {
        updateResumePoint()
        return resumePoint.tail(of: count)
    }

    /// Suspends the task until the next record is there, or the task is cancelled.
    var readiness: @Sendable () async -> Void { { [workers] in await workers?.waitUntilReady() } }
}
