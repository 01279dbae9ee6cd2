// What a fuzzed feed is and how it is read, by the knobs of the input: layout, path, header, options; and text of that layout.

import SluiceTestSupport

@testable import SluiceCompression
@testable import SluiceCore
@testable import SluiceFeed

/// A feed as the knobs ask for it.
struct FeedPlan {
    /// What the text's grammar makes, and what the feed is told, as a rule.
    let format: JSONFeedFormat
    /// Where the records stand; the empty path for the feed's own values.
    let path: JSONRecordPath
    let hasHeader: Bool

    private static let formats: [JSONFeedFormat] = [.lines, .array, .concatenated, .sequence, .object]
    private static let paths: [JSONRecordPath] = [
        "a", "id", "a.id", "*", "*.a", "[0].a", "[1]", "a[1]", "a[*].id", "/a/id", "/a/1", "*.*", "[*].a.id", "/é~0/",
    ]

    init(_ knobs: Knobs) {
        // The first knob only, so that the others may change while the layout stays.
        var random = SplitMix64(seed: UInt64(knobs.choice))
        hasHeader = random.below(6) == 0
        let chosen = random.pick(Self.formats)
        path = random.below(2) == 0 || chosen == .object ? random.pick(Self.paths) : ""
        format = chosen
    }

    // MARK: Options

    func options<Record>(for type: Record.Type, _ random: inout SplitMix64) -> JSONFeed<Record>.Options {
        var reading = JSONReader.Options.random(&random)
        reading.unknownKeys = random.pick([.ignore, .ignore, .report, .reject])
        reading.countsProperties = random.below(2) == 0
        var options = JSONFeed<Record>.Options(
            format: random.pick([format, format, .automatic] + (path.isEmpty ? Self.formats : [])), at: path,
            compression: .none, invalidRecords: random.pick([.throw, .skip]),
            maximumRecordSize: random.pick([64 << 20, 64 << 20, 100, 10]), keptReasons: random.pick([0, 1, 10]),
            reading: reading, hasHeader: hasHeader)
        if random.below(8) == 0 { options.limit = random.below(6) }
        if random.below(8) == 0 { options.maximumErrors = random.below(3) }
        if random.below(8) == 0 { options.maximumErrorRatio = random.pick([0, 0.25, 0.5]) }
        return options
    }

    // MARK: Text

    func text(_ random: inout SplitMix64) -> [UInt8] {
        let documents = (0..<(format == .object ? 1 : random.below(7))).map { _ in
            var text = document(&random)
            if random.below(8) == 0 { text = random.damaged(text) }
            return text
        }
        return layOut(documents, &random)
    }

    private static let keys = ["id", "ID", "ext", "note", "a"]

    private func record(_ random: inout SplitMix64) -> SampleJSON {
        guard hasHeader else { return .random(&random, depth: random.below(4), keys: Self.keys) }
        if random.below(3) == 0 { return .array(Self.keys.prefix(random.below(4)).map { .lexeme(SampleJSON.quoted($0)) }) }
        return .array((0..<random.below(5)).map { _ in .random(&random, depth: random.below(3), keys: Self.keys) })
    }

    private func document(_ random: inout SplitMix64) -> [UInt8] {
        let document = wrapped(path.components[...], &random)
        // A line has no line breaks inside, as a rule.
        return Array((format == .lines && random.below(8) > 0 ? document.text : document.text(&random)).utf8)
    }

    /// Records with what a path leads through around them.
    private func wrapped(_ components: ArraySlice<PathStep>, _ random: inout SplitMix64) -> SampleJSON {
        guard let component = components.first else {
            if path.isEmpty { return record(&random) }
            return random.below(6) == 0 ? record(&random) : .array((0..<random.below(4)).map { _ in record(&random) })
        }
        let rest = components.dropFirst()
        switch component {
        case _ where random.below(24) == 0: return .random(&random, depth: 2, keys: Self.keys)
        case .key(let name) where Int(name) == nil:
            var members = (0..<random.below(3)).map { _ in other(&random) }
            members.append(SampleJSON.Member(name, wrapped(rest, &random)))
            if random.below(4) == 0 { members.append(SampleJSON.Member(name, wrapped(rest, &random))) }
            return .object(members.shuffled(using: &random))
        case .any where random.below(2) == 0:
            return .object((0..<random.below(4)).map { SampleJSON.Member("k\($0)", wrapped(rest, &random)) })
        default: return .array((0..<random.below(4)).map { _ in wrapped(rest, &random) })
        }
    }

    private func other(_ random: inout SplitMix64) -> SampleJSON.Member {
        SampleJSON.Member(random.pick(["b", "é", "items", "x y"]), .random(&random, depth: random.below(3), keys: Self.keys))
    }

    private func layOut(_ documents: [[UInt8]], _ random: inout SplitMix64) -> [UInt8] {
        let end = Array(random.pick(["", "\n", "\n", " \r\n"]).utf8)
        func joined(_ separators: [String]) -> [UInt8] {
            let separator = random.pick(separators)
            return Array(documents.joined(separator: Array(separator.utf8)))
        }
        switch format {
        // At a path, an array is one document.
        case .array where path.isEmpty: return Array("[".utf8) + joined([",", ",", ",\n", " , "]) + Array("]".utf8) + end
        case .sequence:
            let lineBreak = Array(random.pick(["\n", "\n", "\n", "", " "]).utf8)
            return documents.flatMap { [RecordSplitter.recordSeparator] + $0 + lineBreak }
        case .concatenated: return joined(["", " ", "\n", "\n\n", "\r\n"]) + end
        default: return joined(["\n", "\n", "\n", "\r\n", "\n\n"]) + end
        }
    }
}
