// Feeds: the layout, the size of chunks and of reads, workers, compression and a stop after any record change nothing; every line
// that is JSON is a record, every other one is rejected, none is lost.

import SluiceTestSupport

@testable import Models
@testable import SluiceCompression
@testable import SluiceCore
@testable import SluiceFeed

enum FeedFuzz: FuzzTarget {
    static let name = "feed"

    static func text(_ knobs: Knobs, _ random: inout SplitMix64) -> [UInt8] { FeedPlan(knobs).text(&random) }

    static func check(_ input: FuzzInput) {
        var random = input.knobs.random
        let plan = FeedPlan(input.knobs)
        switch random.below(3) {
        case 0: checkWays(JSONValue.self, plan, input.bytes, &random)
        case 1: checkWays(RawJSON.self, plan, input.bytes, &random)
        default: checkWays(Leaf.self, plan, input.bytes, &random)
        }
        checkPieces(plan, input, &random)
        checkLines(input)
    }

    // MARK: Feeds

    private static func checkWays<Record: JSONBindable & Equatable & Sendable>(
        _ type: Record.Type, _ plan: FeedPlan, _ bytes: [UInt8], _ random: inout SplitMix64
    ) {
        let setting = FeedSetting<Record>(plan, &random)
        let options = setting.options
        let whole = FeedSteps(of: JSONFeed<Record>(bytes: bytes, options: options), setting)
        func check(_ other: FeedSteps<Record>, after count: Int = 0, _ way: @autoclosure () -> String) {
            guard let difference = other.difference(from: whole, after: count) else { return }
            finding("a feed \(way()): \(difference)\n    whole: \(whole.words)\n    \(options)")
        }
        /// The same feed with rejects of its own.
        func make(_ bytes: [UInt8], _ chunkSize: Int, _ compression: JSONCompression = .none) -> (
            JSONFeed<Record>, FeedSetting<Record>
        ) {
            var setting = setting.renewed
            setting.options.compression = compression
            return (JSONFeed<Record>(source: BytesSource(bytes, chunkSize: chunkSize), options: setting.options), setting)
        }
        func push(_ bytes: [UInt8], _ sizes: [Int], _ compression: JSONCompression = .none) -> FeedSteps<Record> {
            var setting = setting.renewed
            setting.options.compression = compression
            return FeedSteps(pushing: bytes, into: JSONFeedParser<Record>(options: setting.options), sizes, setting)
        }
        let size = random.pick([1, 2, 3, 1 + random.below(64)])
        let (chunked, chunkedSetting) = make(bytes, size)
        check(FeedSteps(of: chunked, chunkedSetting), "in chunks of \(size)")
        let sizes = (0..<4).map { _ in 1 + random.below(random.pick([2, 8, 100])) }
        check(push(bytes, sizes), "pushed in pieces of \(sizes)")
        // Threads take their time to start.
        if random.below(4) == 0 {
            let (feed, setting) = make(bytes, size)
            let workers = 1 + random.below(3)
            check(
                FeedSteps(of: feed, setting) { _ = try? $0.parallel(workers: workers) },
                "read by \(workers) workers, in chunks of \(size)")
        }
        if random.below(8) == 0 {
            let (feed, setting) = make(bytes, size)
            check(FeedSteps(readingAhead: feed, setting), "read ahead, in chunks of \(size)")
        }
        if random.below(3) == 0 {
            let compressed = CompressedFeed(bytes, &random)
            for compression in [JSONCompression.automatic, compressed.compression] {
                let (feed, setting) = make(compressed.bytes, size, compression)
                check(FeedSteps(of: feed, setting), "compressed with \(compressed.compression), in chunks of \(size)")
                check(push(compressed.bytes, sizes, compression), "compressed with \(compressed.compression), pushed")
            }
        }
        checkDamagedCompression(setting, bytes, &random)
        checkResumed(whole, setting, bytes, &random)
    }

    /// Damaged compressed bytes give the same records, or some of them and an error; never a trap.
    private static func checkDamagedCompression<Record: JSONBindable & Equatable>(
        _ setting: FeedSetting<Record>, _ bytes: [UInt8], _ random: inout SplitMix64
    ) {
        guard random.below(4) == 0 else { return }
        let compressed = CompressedFeed(bytes, &random)
        let damaged = random.damaged(compressed.bytes)
        var setting = setting.renewed
        // An error of its own, whatever the feed's options allow.
        setting.options.maximumErrors = nil
        setting.options.maximumErrorRatio = nil
        setting.options.limit = nil
        setting.options.compression = .none
        let whole = FeedSteps(of: JSONFeed<Record>(bytes: bytes, options: setting.options), setting)
        setting.options.compression = compressed.compression
        let source = BytesSource(damaged, chunkSize: 1 + random.below(40))
        let pulled = FeedSteps(of: JSONFeed<Record>(source: source, options: setting.options), setting)
        let pushed = FeedSteps(
            pushing: damaged, into: JSONFeedParser<Record>(options: setting.options), [1 + random.below(40)], setting)
        for steps in [pulled, pushed] {
            // Other text may end the feed before the damage is found.
            let isReported = steps.steps.contains { $0.error?.kind == .inputOutput } || steps.steps.last?.error != nil
            // What is cut off between two members is whole.
            let isCutBetween = compressed.boundaries.contains(damaged.count) && compressed.bytes.starts(with: damaged)
            let isHarmless = steps.steps.map(\.record) == whole.steps.map(\.record)
            promise(
                isReported || isCutBetween || isHarmless,
                "damaged \(compressed.compression) data gave other records and no error: \(steps.words)\n    whole: \(whole.words)"
            )
        }
    }

    /// Reading goes on after any record as if it had never stopped.
    private static func checkResumed<Record: JSONBindable & Equatable & Sendable>(
        _ whole: FeedSteps<Record>, _ setting: FeedSetting<Record>, _ bytes: [UInt8], _ random: inout SplitMix64
    ) {
        guard !whole.steps.isEmpty else { return }
        let count = 1 + random.below(whole.steps.count)
        let last = whole.steps[count - 1]
        // A feed that was ended by an error is over; and what was rejected before is not counted after.
        guard count < whole.steps.count || whole.steps[count - 1].record != nil, setting.options.maximumErrors == nil,
            setting.options.maximumErrorRatio == nil
        else { return }
        var setting = setting.renewed
        setting.options.limit = setting.options.limit.map { $0 - last.counts[1] }
        let checkpoint = last.checkpoint
        func check(_ other: FeedSteps<Record>, _ way: @autoclosure () -> String) {
            guard let difference = other.difference(from: whole, after: count) else { return }
            finding(
                "\(way()) after step \(count): \(difference)\n    whole: \(whole.words)\n    \(setting.options)\n    \(checkpoint)"
            )
        }
        do throws(JSONError) {
            let size = random.pick([1, 3, 1 + random.below(64)])
            let source = BytesSource(bytes, chunkSize: size)
            let pulled = try JSONFeed<Record>(
                source: source, totalBytes: bytes.count, options: setting.options, resumingFrom: checkpoint)
            let hasWorkers = random.below(8) == 0
            check(
                FeedSteps(of: pulled, setting) { if hasWorkers { _ = try? $0.parallel(workers: 2) } },
                "resumed in chunks of \(size)\(hasWorkers ? " by workers" : "")")
            let pushed = try JSONFeedParser<Record>(options: setting.options, resumingFrom: checkpoint)
            let rest = Array(bytes[checkpoint.offset...])
            check(FeedSteps(pushing: rest, into: pushed, [size], setting), "resumed and pushed in pieces of \(size)")
            guard random.below(4) == 0 else { return }
            let compressed = CompressedFeed(bytes, &random)
            var setting = setting
            setting.options.compression = random.pick([.automatic, compressed.compression])
            var options = setting.options
            options.limit = nil
            let stopped = try JSONFeed<Record>(path: FuzzFile.path(holding: compressed.bytes), options: options)
            for _ in 0..<count { _ = try? stopped.next() }
            let resumed = try JSONFeed<Record>(
                path: FuzzFile.path(holding: compressed.bytes), options: setting.options, resumingFrom: stopped.checkpoint)
            check(FeedSteps(of: resumed, setting), "compressed with \(compressed.compression), resumed")
        } catch {
            finding("cannot resume after step \(count): \(error)\n    whole: \(whole.words)\n    \(checkpoint)")
        }
    }

    // MARK: Pieces

    /// The splitter gives the same records whatever its buffer's size and its source's chunks.
    private static func checkPieces(_ plan: FeedPlan, _ input: FuzzInput, _ random: inout SplitMix64) {
        let format = random.pick([plan.format, .lines, .array, .concatenated])
        let limit = random.pick([64 << 20, 64 << 20, 100, 10])
        let bytes = input.bytes
        let whole = Pieces(bytes, format: format, at: plan.path, maximumRecordSize: limit)
        let readSize = 1 + random.below(80)
        let pieces = Pieces(
            bytes, format: format, chunkSize: 1 + random.below(40), at: plan.path, readSize: readSize, maximumRecordSize: limit)
        promise(
            pieces.isEqual(whole),
            "records of \(format), whole: \(whole)\n    in reads of \(readSize): \(pieces)\n    at most \(limit) bytes")
    }

    /// Lines, found here by their breaks: those that are JSON are given out, the others are rejected.
    private static func checkLines(_ input: FuzzInput) {
        var bytes = input.bytes[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        let lines = bytes.split(separator: 10).map(Array.init).filter { line in
            !line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        }
        let good = lines.filter { line in line.withUnsafeBytes { PlainGrammar($0).isJSON && !$0.starts(with: [0xEF]) } }
        let options = JSONFeed<RawJSON>.Options(format: .lines, invalidRecords: .skip, reading: .init(validation: .full))
        let outcome = FeedOutcome(of: JSONFeed<RawJSON>(bytes: input.bytes, options: options))
        promise(
            outcome.accepted == good.count && outcome.rejected == lines.count - good.count,
            "\(good.count) of \(lines.count) lines are JSON; the feed: \(outcome)")
    }
}
