// Slashes have escapes unless an option says otherwise: copied in blocks, whose ends are where mistakes are made.

import Foundation
import SluiceCodable
import SluiceCore
import Testing

@Suite struct SlashTests {
    private struct Text: Codable, Equatable { var text: String }

    private func check(_ text: String) throws {
        let expected = try JSONEncoder().encode(Text(text: text))
        #expect(try SluiceJSONEncoder().encode(Text(text: text)) == expected, "\(text)")
        // Through the writer of a table.
        #expect(try SluiceJSONEncoder().encode(JSONValue.object(["text": .string(text)])) == expected, "\(text)")
    }

    @Test func slashesAndOtherEscapesStandAnywhere() throws {
        for length in 0...50 {
            for offset in 0..<max(1, length) {
                for special in ["/", "//", "\"", "/\\", "\n/", "é/"] {
                    let before = String(repeating: "x", count: offset)
                    try check(before + special + String(repeating: "y", count: max(0, length - offset - 1)))
                }
            }
        }
    }

    @Test func slashesStandInLongTexts() throws {
        for length in [100, 1000, 5000, 70_000] {
            try check(String(repeating: "/", count: length))
            try check(String(repeating: "https://api.example.com/users/", count: length / 30))
            try check(String(repeating: "a/b\u{1}", count: length / 4))
        }
    }

    @Test func keysHaveSlashesToo() throws {
        struct Slashed: Encodable {
            enum CodingKeys: String, CodingKey {
                case short = "a/b"
                case long = "https://example.com/a/key/of/many/slashes/\"quoted\""
            }
            let short: Int
            let long: String
        }
        for formatting in [[.sortedKeys], [.sortedKeys, .withoutEscapingSlashes]] as [JSONEncoder.OutputFormatting] {
            let (encoder, foundation) = (SluiceJSONEncoder(), JSONEncoder())
            (encoder.outputFormatting, foundation.outputFormatting) = (formatting, formatting)
            for value in [Slashed(short: 1, long: "/"), Slashed(short: 2, long: "a/b/c")] {
                #expect(try encoder.encode(value) == foundation.encode(value))
            }
        }
    }
}
