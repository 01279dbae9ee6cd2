import Foundation
import SluiceCodable
import SluiceCore
import Testing

/// What errors show of a value's text.
@Suite struct ErrorTextTests {
    @Test(arguments: 0...4) func longTextIsCutBetweenCharacters(_ prefix: Int) throws {
        let decoder = SluiceJSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        for character in ["é", "漢", "😀"] {
            let text = String(repeating: "x", count: prefix) + String(repeating: character, count: 50)
            let error = try #require(throws: DecodingError.self) {
                try decoder.decode([Date].self, from: Data("[\"\(text)\"]".utf8))
            }
            guard case .dataCorrupted(let context) = error else { return #expect(Bool(false), "\(error)") }
            let found = try #require(context.underlyingError as? JSONError).found
            #expect(found.hasSuffix("\(character)…"))
            #expect(!found.contains("\u{FFFD}"))
        }
    }
}
