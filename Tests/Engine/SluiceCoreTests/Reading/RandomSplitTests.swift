// Documents at random, sound and unsound: what lies in memory as a whole and what comes in pieces take different ways through
// the reader, and must end in the same value, or in the same error at the same position.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct RandomSplitTests {
    @Test func wholeAndInPiecesAreOneValue() throws {
        var maker = DocumentMaker(seed: 81)
        var values = 0
        var failures = 0
        for _ in 0..<600 {
            let text = maker.document()
            for isValue in [
                try agrees(Tree.self, text, &maker), try agrees(Trio<Tree>.self, text, &maker),
                try agrees(Trio<RawJSON>.self, text, &maker),
                try agrees(Trio<[String: JSONValue]>.self, text, &maker), try agrees(Trio<Trio<String>>.self, text, &maker),
                try agrees(JSONValue.self, text, &maker),
            ] {
                if isValue { values += 1 } else { failures += 1 }
            }
        }
        // Neither side is all there is.
        #expect(values > 600)
        #expect(failures > 600)
    }

    /// Whether the text was read, in all ways or in none.
    private func agrees<Value: JSONBindable & Equatable>(_ type: Value.Type, _ text: String, _ maker: inout DocumentMaker) throws
        -> Bool
    {
        let bytes = Array(text.utf8)
        // Strings that no property wants are checked here on both sides.
        var reader = JSONReader(options: JSONReader.Options(validation: .full).inPieces)
        let whole = Result { () throws(JSONError) in try reader.read(type, from: bytes) }
        var source = BytesSource(bytes, chunkSize: maker.chunkSize())
        let pieces = Result { () throws(JSONError) in try reader.read(type, from: &source) }
        switch (whole, pieces) {
        case (.success(let one), .success(let other)):
            #expect(one == other, "\(text)")
            return true
        case (.failure(let one), .failure(let other)):
            #expect(
                one.kind == other.kind && one.path == other.path && one.position == other.position, "\(text)\n\(one)\n\(other)")
            return false
        default:
            Issue.record("whole: \(whole), in pieces: \(pieces): \(text)")
            return false
        }
    }
}

/// Makes objects whose keys are those of the models, in any order and number, with values that mostly fit.
private struct DocumentMaker {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func document() -> String { blank() + object(3) + blank() }

    mutating func chunkSize() -> Int { 1 + below(60) }

    private mutating func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    private mutating func pick(_ texts: [String]) -> String { texts[below(texts.count)] }

    private mutating func blank() -> String { pick(["", "", "", " ", "\n", " \t\r\n "]) }

    private mutating func object(_ depth: Int) -> String {
        var members: [String] = []
        for name in ["name", "required", "children", "optional", "defaulted", "other"] where below(4) != 0 {
            members.append(member(name, depth))
            if below(8) == 0 { members.append(member(pick([name, "unknown", "", "é"]), depth)) }
        }
        if below(3) != 0 { members.shuffle(using: &random) }
        return "{" + blank() + members.joined(separator: "," + blank()) + blank() + "}"
    }

    private mutating func member(_ name: String, _ depth: Int) -> String {
        var key = name
        if below(6) == 0, let first = name.first?.asciiValue { key = "\\u00" + String(first, radix: 16) + name.dropFirst() }
        let value =
            switch (name, below(80)) {
            case (_, 0): anything(depth)
            case ("name", _): string()
            case ("children", _) where depth > 0: array(depth) { $0.object(depth - 1) }
            case ("required", _) where depth > 0, ("optional", _) where depth > 0: object(depth - 1)
            case ("defaulted", _): pick(["null", "{\"name\":\"d\",\"required\":\"r\"}"])
            default: anything(depth)
            }
        return "\"\(key)\"\(blank()):\(blank())\(value)"
    }

    private mutating func array(_ depth: Int, _ element: (inout Self) -> String) -> String {
        let elements = (0..<below(4)).map { _ in element(&self) + blank() }
        return "[" + blank() + elements.joined(separator: "," + blank()) + "]"
    }

    private mutating func string() -> String {
        pick([
            "\"\"", "\"short\"", "\"exactly 15 byte\"", "\"exactly 16 bytes\"", "\"more than sixteen bytes, and é 😀 too\"",
            #""\u00e9\n\"\\ ]}{[""#, #""\ud83d\ude00?""#,
            "\"" + String(repeating: "0123456789abcdef", count: 5) + "\\/\"",
        ])
    }

    private mutating func anything(_ depth: Int) -> String {
        switch below(depth > 0 ? 12 : 8) {
        case 0: "null"
        case 1: pick(["true", "false"])
        case 2, 3: pick(["0", "-1.5e3", "12345678901234567890", "1e400", "-0"])
        case 4, 5: string()
        case 6:
            below(60) == 0
                ? pick(["01", "tru", "\"\\ud800\"", "[1 2]", "{\"a\"}", "\"\u{1}\"", "[}", "\"\\x\"", "1.", "{1:2}", "[,]"])
                : "\"ok\""
        case 7: pick(["[]", "{}"])
        case 8, 9: object(depth - 1)
        default: array(depth) { $0.anything(depth - 1) }
        }
    }
}
