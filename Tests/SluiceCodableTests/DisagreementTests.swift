// Each disagreement that is listed is one.

import Foundation
import SluiceCodable
import Testing

@Suite struct DisagreementTests {
    @Test func largeIntegersAreExact() throws {
        #expect(try SluiceJSONDecoder().decode([Int128].self, from: Data("[1e20]".utf8)) == [100_000_000_000_000_000_000])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Int128].self, from: Data("[1e20]".utf8)) }
        #expect(throws: DecodingError.self) {
            try SluiceJSONDecoder().decode([Int].self, from: Data("[9007199254740993.5]".utf8))
        }
        #expect(try JSONDecoder().decode([Int].self, from: Data("[9007199254740993.5]".utf8)) == [9_007_199_254_740_993])
    }

    @Test func markOfUTF32IsKnown() throws {
        let text = Data([0xFF, 0xFE, 0, 0, 0x37, 0, 0, 0])
        #expect(try SluiceJSONDecoder().decode(Int.self, from: text) == 7)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Int.self, from: text) }
    }

    @Test func dictionariesAreReadInOrder() {
        for text in [#"{"a": 1, "b": "x", "c": null}"#, #"{"c": 1, "b": "x", "a": null}"#] {
            let error = #expect(throws: DecodingError.self) {
                try SluiceJSONDecoder().decode([String: Int].self, from: Data(text.utf8))
            }
            guard case .typeMismatch(_, let context) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(context.codingPath.map(\.stringValue) == ["b"])
        }
    }
}
