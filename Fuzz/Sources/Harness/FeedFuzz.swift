// Feeds: the layout, the size of chunks and of reads change nothing; every line that is JSON is a record, every other one is
// rejected, none is lost.

import SluiceTestSupport

@testable import Models
@testable import SluiceCore
@testable import SluiceFeed

enum FeedFuzz: FuzzTarget {
    static let name = "feed"

    static func text(_ knobs: Knobs, _ random: inout SplitMix64) -> [UInt8] {
        let separator = random.pick(["\n", "\n", "\r\n", "", " ", "\n\n", ",", ", \n"])
        let isArray = random.below(3) == 0
        let records = (0..<random.below(8)).map { _ in
            var text = Array(
                SampleJSON.random(&random, depth: random.below(4), keys: ["id", "ID", "ext", "note", "a"]).text.utf8)
            if random.below(8) == 0 { text = random.damaged(text) }
            return text
        }
        let body = Array(records.joined(separator: Array((isArray ? "," : separator).utf8)))
        let text = isArray ? Array("[".utf8) + body + Array("]".utf8) : body
        return random.below(3) == 0 ? text : text + Array("\n".utf8)
    }

    static func check(_ input: FuzzInput) {
        var random = input.knobs.random
        if random.below(2) == 0 {
            check(JSONValue.self, input, &random)
        } else {
            check(Leaf.self, input, &random)
        }
        checkPieces(input, &random)
        checkLines(input)
    }

    private static func check<Record: JSONBindable & Equatable>(
        _ type: Record.Type, _ input: FuzzInput, _ random: inout SplitMix64
    ) {
        let options = JSONFeed<Record>.Options(
            format: random.pick([.automatic, .lines, .array, .concatenated]), invalidRecords: random.pick([.throw, .skip]),
            maximumRecordSize: random.pick([64 << 20, 64 << 20, 100, 10]), keptReasons: random.pick([0, 1, 10]),
            reading: .random(&random))
        let bytes = input.bytes
        let whole = FeedOutcome(of: JSONFeed<Record>(bytes: bytes, options: options))
        let size = random.pick([1, 2, 3, 1 + random.below(64)])
        let source = BytesSource(bytes, chunkSize: size)
        let pieces = FeedOutcome(of: JSONFeed<Record>(source: source, options: options))
        promise(pieces == whole, "a feed, whole: \(whole)\n    in chunks of \(size): \(pieces)\n    \(options)")
        promise(whole.accepted == whole.records.count, "\(whole.accepted) records were counted: \(whole)")
    }

    /// The splitter gives the same records whatever its buffer's size and its source's chunks.
    private static func checkPieces(_ input: FuzzInput, _ random: inout SplitMix64) {
        let format = random.pick([JSONFeedFormat.lines, .array, .concatenated])
        let limit = random.pick([64 << 20, 64 << 20, 100, 10])
        let bytes = input.bytes
        let whole = Pieces(bytes, format: format, maximumRecordSize: limit)
        let readSize = 1 + random.below(80)
        let pieces = Pieces(
            bytes, format: format, chunkSize: 1 + random.below(40), readSize: readSize, maximumRecordSize: limit)
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
