// Short texts are read from a copy with spaces after it. The results must be the same as without the copy.

import SluiceCore
import Testing

struct PaddedTextTests {
    private static let documents = [
        #"{"a":1234567}"#, #"{"id":4711,"title":"Emma","isOut":true,"price":12.5,"tags":["x","é\n"],"more":null}"#,
        "12", "-0.5e3", #""a text""#, "true", "[1, 2, [3]]", " [ ] ", "\u{FEFF}{\"a\": 1}",
    ]

    /// The value as text, or the error, from a reader that makes its events with a certain parser.
    private func outcome(_ text: some Sequence<UInt8>, _ parser: JSONReader.Options.Parser) -> String {
        var reader = JSONReader(options: .init(parser: parser))
        do {
            return try reader.read(JSONValue.self, from: Array(text)).jsonString()
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: documents) func aTextThatEndsAnywhereHasTheSameOutcomeAsThroughYajl(document: String) {
        for end in 0...document.utf8.count {
            let text = document.utf8.prefix(end)
            #expect(outcome(text, .automatic) == outcome(text, .yajl))
        }
    }

    @Test func lengthsAroundTheLongestCopiedTextAreRead() throws {
        var reader = JSONReader()
        for count in 240...300 {
            let text = String(repeating: "x", count: count)
            #expect(try reader.read([String].self, from: "[\"\(text)\"]") == [text])
            #expect(throws: JSONError.self) { try reader.read([String].self, from: "[\"\(text)") }
            #expect(throws: JSONError.self) { try reader.read([String].self, from: "[\"\(text)\"] 1") }
        }
    }

    @Test func theExcerptOfAnErrorEndsWithTheText() {
        let error = #expect(throws: JSONError.self) { try [Int](json: "[1, \"x\"]") }
        #expect(error.map { "\($0)" }?.contains("\"x\"] ") == false)
    }
}
