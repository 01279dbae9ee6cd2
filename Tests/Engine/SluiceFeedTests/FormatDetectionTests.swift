import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceFeed

@Suite struct FormatDetectionTests {
    @Test(arguments: [
        // Lines.
        ("{\"a\":1}\n{\"a\":2}\n", JSONFeedFormat.lines, ["{\"a\":1}", "{\"a\":2}"]),
        ("{\"a\":1}\n{\"a\":2}", .lines, ["{\"a\":1}", "{\"a\":2}"]),
        ("{\"a\":1}\r\n{\"a\":2}\r\n", .lines, ["{\"a\":1}\r", "{\"a\":2}\r"]),
        ("\n\n  \r\n{\"a\":1}\n\n\t\n{\"a\":2}\n\n", .lines, ["{\"a\":1}", "{\"a\":2}"]),
        ("{\"a\":1}", .lines, ["{\"a\":1}"]),
        ("{\"a\":\"\\n[{\"}\n{\"a\":\"\\\"\"}", .lines, ["{\"a\":\"\\n[{\"}", "{\"a\":\"\\\"\"}"]),
        ("[1,2]\n[3]\n", .lines, ["[1,2]", "[3]"]), ("[]\n\n[3]", .lines, ["[]", "[3]"]),
        ("1\n2\n", .lines, ["1", "2"]), ("\"a\"\n\"b\"", .lines, ["\"a\"", "\"b\""]), ("null\ntrue", .lines, ["null", "true"]),
        ("7", .lines, ["7"]), ("\"a b\"", .lines, ["\"a b\""]), ("true", .lines, ["true"]),
        ("\u{FEFF}{\"a\":1}\n{\"a\":2}", .lines, ["{\"a\":1}", "{\"a\":2}"]),
        // One array.
        ("[{\"a\":1},{\"a\":2}]", .array, ["{\"a\":1}", "{\"a\":2}"]),
        ("[{\"a\":1},{\"a\":2}]\n", .array, ["{\"a\":1}", "{\"a\":2}"]),
        (" \r\n\t[1 ,\n 2 ]\n\n", .array, ["1", "2"]), ("\u{FEFF} [1,\"],[\"]", .array, ["1", "\"],[\""]),
        ("[\n  {\n    \"a\": 1\n  },\n  {\n    \"a\": 2\n  }\n]\n", .array, ["{\n    \"a\": 1\n  }", "{\n    \"a\": 2\n  }"]),
        ("[{\"a\":1}\n,{\"a\":2}\n]", .array, ["{\"a\":1}", "{\"a\":2}"]),
        ("[[1,2]\n,[3]]", .array, ["[1,2]", "[3]"]), ("[]", .array, []), (" [\n]\n", .array, []),
        // Values one after the other.
        ("{\n  \"a\": 1\n}\n{\n  \"a\": 2\n}\n", .concatenated, ["{\n  \"a\": 1\n}", "{\n  \"a\": 2\n}"]),
        ("{\"a\":1}{\"a\":2}", .concatenated, ["{\"a\":1}", "{\"a\":2}"]),
        ("{\"a\":1} {\"a\":2}\n{\"a\":3}", .concatenated, ["{\"a\":1}", "{\"a\":2}", "{\"a\":3}"]),
        ("[1][2]", .concatenated, ["[1]", "[2]"]), ("1 2 3", .concatenated, ["1", "2", "3"]),
        ("{\"a\"\n:1}{\"a\":2}", .concatenated, ["{\"a\"\n:1}", "{\"a\":2}"]),
        ("{\"a\":1\n}\n{\"a\":2}", .concatenated, ["{\"a\":1\n}", "{\"a\":2}"]),
        ("{\"a\":1\n,\"b\":2}\n{\"a\":2}", .concatenated, ["{\"a\":1\n,\"b\":2}", "{\"a\":2}"]),
        // Nothing.
        ("", .lines, []), (" \n\t\r\n ", .lines, []), ("\u{FEFF}", .lines, []), ("\u{FEFF}\n", .lines, []),
    ])
    func layoutIsFound(_ text: String, _ format: JSONFeedFormat, _ records: [String]) {
        let found = Pieces(text)
        #expect(found.format == format)
        #expect(found.texts == records)
        #expect(found.errors == [])
    }

    /// A first record that is damaged says nothing about the layout of those after it.
    @Test(arguments: [
        "{\"a\":1\n{\"a\":2}", "{\"a\":[1,2\n{\"a\":2}\n", "[1,2\n[3]", "{\"a\":\"b\n{\"a\":2}", "\"abc\n{\"a\":2}",
        "}\n{\"a\":2}",
        "id,name\n{\"a\":2}", "\u{1}{\n{\"a\":2}",
    ])
    func damagedFirstLineDoesNotSwallowTheNext(_ text: String) {
        let found = Pieces(text)
        #expect(found.format == .lines)
        #expect(found.texts.count == 2)
        #expect(found.texts.last == (text.contains("[3]") ? "[3]" : "{\"a\":2}"))
    }

    @Test(arguments: [JSONFeedFormat.lines, .array, .concatenated])
    func givenLayoutIsKept(_ format: JSONFeedFormat) {
        #expect(Pieces("[1,2]", format: format).format == format)
        #expect(Pieces("[1,2]", format: .lines).texts == ["[1,2]"])
        #expect(Pieces("[1,2]", format: .concatenated).texts == ["[1,2]"])
        #expect(Pieces("[1,2]", format: .array).texts == ["1", "2"])
    }

    @Test func firstRecordLongerThanOneReadIsStillFound() {
        let filler = String(repeating: "x", count: 300 << 10)
        let lines = Pieces("{\"a\":\"\(filler)\"}\n{\"a\":2}\n")
        #expect(lines.format == .lines)
        #expect(lines.texts.map(\.utf8.count) == [filler.utf8.count + 8, 7])
        let pretty = Pieces("{\n\"a\":\"\(filler)\"}\n{\"a\":2}\n")
        #expect(pretty.format == .concatenated)
        #expect(pretty.texts.count == 2)
        let array = Pieces("[{\"a\":\"\(filler)\"},{\"a\":2}]")
        #expect(array.format == .array)
        #expect(array.texts.count == 2)
    }
}
