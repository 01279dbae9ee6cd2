// Everything that can be seen of a feed, step by step, in a form that can be compared: for every way in which its bytes may come.

import Glibc
import SluiceTestSupport

@testable import SluiceCompression
@testable import SluiceCore
@testable import SluiceFeed

/// A feed's records and errors in their order, and what it counts.
struct FeedSteps<Record: JSONReadable & Equatable> {
    struct Step {
        var record: Record?
        var error: JSONError?
        var range: Range<Int>
        var rejected: JSONRejectedRecord?
        var counts: [Int]
        var checkpoint: JSONCheckpoint
    }

    /// Where the feed begins, or was taken up.
    var start = 0
    var steps: [Step] = []
    var rejectedRecords: [JSONRejectedRecord] = []
    var report = JSONReadReport()
    var envelope: Result<JSONValue?, JSONError>?
    var rejects: [UInt8] = []
    /// What is there after the last step.
    var counts: [Int] = []
    var format = JSONFeedFormat.automatic
    var end: JSONCheckpoint?
    var isFinished = false

    init() {}

    /// Reads a feed to its end.
    init(of feed: JSONFeed<Record>, _ setting: FeedSetting<Record>, prepare: (JSONFeed<Record>) -> Void = { _ in }) {
        var steps = Self(feed, setting)
        prepare(feed)
        steps.drain(feed)
        self = steps
        note(feed, setting)
    }

    /// Pushes bytes, and takes out records in between.
    init(pushing bytes: [UInt8], into parser: JSONFeedParser<Record>, _ sizes: [Int], _ setting: FeedSetting<Record>) {
        let feed = parser.feed
        var steps = Self(feed, setting)
        var offset = 0
        var number = 0
        while offset < bytes.count {
            let end = min(offset + sizes[number % sizes.count], bytes.count)
            number += 1
            parser.append(bytes[offset..<end])
            offset = end
            steps.drain(feed)
        }
        parser.finish()
        steps.drain(feed)
        self = steps
        note(feed, setting)
    }

    /// Reads a feed as a task does: a thread reads its source ahead.
    init(readingAhead feed: JSONFeed<Record>, _ setting: FeedSetting<Record>) {
        var steps = Self(feed, setting)
        while !feed.isFinished {
            do throws(JSONError) {
                if try feed.prepareWithoutWaiting() {
                    steps.add(feed, feed.takePrepared(), nil)
                } else if !feed.isFinished {
                    // A task would be suspended.
                    DetachedThread.pause()
                }
            } catch {
                steps.add(feed, nil, error)
                if steps.isStuck(feed) { break }
            }
        }
        self = steps
        note(feed, setting)
    }

    private init(_ feed: JSONFeed<Record>, _ setting: FeedSetting<Record>) {
        start = feed.checkpoint.offset
        if setting.hasEnvelope { heldEnvelope = feed.envelope(as: JSONValue.self) }
    }

    private var heldEnvelope: JSONEnvelope<JSONValue>?

    private mutating func drain(_ feed: JSONFeed<Record>) {
        while true {
            do throws(JSONError) {
                guard let record = try feed.next() else { return }
                add(feed, record, nil)
            } catch {
                add(feed, nil, error)
            }
            if isStuck(feed) { return }
        }
    }

    private func isStuck(_ feed: JSONFeed<Record>) -> Bool { steps.count > 8192 }

    private mutating func add(_ feed: JSONFeed<Record>, _ record: Record?, _ error: JSONError?) {
        steps.append(
            Step(
                record: record, error: error, range: feed.recordRange, rejected: feed.lastRejected,
                counts: [feed.consumedBytes, feed.acceptedCount, feed.rejectedCount], checkpoint: feed.checkpoint))
    }

    private mutating func note(_ feed: JSONFeed<Record>, _ setting: FeedSetting<Record>) {
        promise(!isStuck(feed), "a feed without an end: \(setting.options)")
        promise(
            feed.acceptedCount == steps.count { $0.record != nil }, "\(feed.acceptedCount) records were counted, \(words)")
        rejectedRecords = feed.rejectedRecords
        report = feed.report
        counts = [feed.consumedBytes, feed.acceptedCount, feed.rejectedCount]
        format = feed.format
        end = feed.checkpoint
        isFinished = feed.isFinished
        if let heldEnvelope {
            do throws(JSONError) {
                envelope = .success(try heldEnvelope.value())
            } catch {
                envelope = .failure(error)
            }
        }
        heldEnvelope = nil
        rejects = setting.takeRejects()
    }
}

extension FeedSteps {
    /// The first thing that differs; nil if nothing does.
    ///
    /// - Parameter count: Steps of the other that are left out, because the feed was taken up after them.
    func difference(from other: FeedSteps, after count: Int = 0) -> String? {
        let isResumed = count > 0
        let before = isResumed ? other.steps[count - 1].counts : [0, 0, 0]
        for (index, pair) in zip(steps, other.steps[count...]).enumerated() {
            let (own, others) = pair
            let isSame =
                own.record == others.record && areSame(own.error, others.error, withHint: !isResumed)
                && (own.range == others.range || isResumed && isBefore(own.range))
                && areSame(own.rejected, others.rejected, isResumed)
                && areSame(own.counts, others.counts, before) && Self.areSame(own.checkpoint, others.checkpoint, isResumed)
            if !isSame { return "step \(index): \(own)\n    not: \(others)" }
        }
        if steps.count + count != other.steps.count { return "\(steps.count) steps, not \(other.steps.count - count): \(words)" }
        if !areSame(counts, other.counts, before) { return "counts at the end: \(counts), not \(other.counts)" }
        if (end.map { Self.areSame($0, other.end ?? $0, isResumed) } ?? true) == false {
            return "the end: \(end.map { "\($0)" } ?? ""), not \(other.end.map { "\($0)" } ?? "")"
        }
        if isFinished != other.isFinished { return "isFinished: \(isFinished)" }
        if isResumed { return nil }
        if format != other.format { return "format \(format), not \(other.format)" }
        if rejectedRecords != other.rejectedRecords { return "rejected: \(rejectedRecords), not \(other.rejectedRecords)" }
        if report != other.report { return "report: \(report), not \(other.report)" }
        if rejects != other.rejects { return "rejects: \(rejects), not \(other.rejects)" }
        if envelope != other.envelope {
            return "envelope: \(String(describing: envelope)), not \(String(describing: other.envelope))"
        }
        return nil
    }

    /// Of a feed that was taken up, accepted and rejected records are counted from there.
    private func areSame(_ own: [Int], _ others: [Int], _ before: [Int]) -> Bool {
        own[0] == others[0] && own[1] + before[1] == others[1] && own[2] + before[2] == others[2]
    }

    /// Whether a range is that of no record: none has been given out or rejected since the feed was taken up.
    private func isBefore(_ range: Range<Int>) -> Bool { range.isEmpty && range.lowerBound == start }

    private func areSame(_ left: JSONRejectedRecord?, _ right: JSONRejectedRecord?, _ isResumed: Bool) -> Bool {
        // What was rejected before the place is not known after it.
        guard let left, let right else { return isResumed || (left == nil) == (right == nil) }
        return left.range == right.range && left.position == right.position && left.index == right.index
            && areSame(left.error, right.error, withHint: !isResumed)
    }

    /// The hint may name a place before the checkpoint.
    private func areSame(_ left: JSONError?, _ right: JSONError?, withHint: Bool) -> Bool {
        if withHint { return left == right }
        return left?.kind == right?.kind && left?.position == right?.position
            && left?.path == right?.path && left?.expected == right?.expected && left?.found == right?.found
    }

    /// All but what depends on whether the feed's size is known, and where it stands when it is compressed. Where a feed was taken
    /// up, it may know less of its first bytes.
    private static func areSame(_ left: JSONCheckpoint, _ right: JSONCheckpoint, _ isResumed: Bool) -> Bool {
        left.position == right.position && left.recordIndex == right.recordIndex && left.format == right.format
            && left.path == right.path && left.standing == right.standing && left.header == right.header
            && (isResumed || left.headSize == right.headSize && left.headHash == right.headHash)
    }

    var words: String {
        steps.map { step in
            (step.record.map { "\($0)" } ?? step.error?.summary ?? "") + " @\(step.range)"
        }.joined(separator: "\n    ")
    }
}

/// How a feed is read, whichever way its bytes come.
struct FeedSetting<Record: JSONReadable> {
    var options: JSONFeed<Record>.Options
    let hasEnvelope: Bool
    private let rejects: JSONRejects?

    init(_ plan: FeedPlan, _ random: inout SplitMix64) {
        options = plan.options(for: Record.self, &random)
        hasEnvelope = !plan.path.isEmpty && random.below(2) == 0
        rejects = random.below(4) == 0 ? JSONRejects(to: [UInt8]()) : nil
        if let rejects { options.invalidRecords = .rejects(rejects) }
    }

    /// The same with rejects of its own.
    var renewed: FeedSetting { FeedSetting(self) }

    private init(_ other: FeedSetting) {
        options = other.options
        hasEnvelope = other.hasEnvelope
        rejects = other.rejects == nil ? nil : JSONRejects(to: [UInt8]())
        if let rejects { options.invalidRecords = .rejects(rejects) }
    }

    func takeRejects() -> [UInt8] { rejects?.withSink { $0 as? [UInt8] } ?? [] }
}
