// Orders of keys are kept, and the next object with the same ones is read by them: what is read must not depend on what came before.

import Foundation
import SluiceCodable
import Testing

@Suite struct KeyOrderTests {
    private struct Item: Codable, Equatable {
        var a: Int?
        var bb: String?
        /// Longer than two blocks of 16 bytes.
        var aKeyThatIsLongerThanThirtyTwoBytesInAll: Bool?
        var d: [Item]?

        var count: Int { 1 + (d ?? []).reduce(0) { $0 + $1.count } }
    }

    /// All orders of some of the members.
    private static func orders(_ members: [String]) -> [[String]] {
        guard !members.isEmpty else { return [[]] }
        return [[]]
            + members.indices.flatMap { index in
                var rest = members
                let first = rest.remove(at: index)
                return orders(rest).map { [first] + $0 }
            }
    }

    private static let members = [
        #""a":1"#, #""bb":"x""#, #""aKeyThatIsLongerThanThirtyTwoBytesInAll":true"#, #""other":[{}]"#,
        #""d":[{"a":2},{"bb":"y","a":3}]"#,
    ]

    private func check<Value: Decodable & Equatable>(_ type: Value.Type, _ text: String) throws {
        let data = Data(text.utf8)
        let ours = Result { try SluiceJSONDecoder().decode(type, from: data) }
        let foundations = Result { try JSONDecoder().decode(type, from: data) }
        switch (ours, foundations) {
        case (.success(let value), .success(let other)): #expect(value == other, "\(text)")
        case (.failure, .failure): break
        default: Issue.record("\(ours) but \(foundations) of \(text)")
        }
    }

    @Test func keysInAnyOrderAreFoundWhateverCameBefore() throws {
        let texts = KeyOrderTests.orders(KeyOrderTests.members).map { "{" + $0.joined(separator: ",") + "}" }
        #expect(texts.count == 326)
        try check([Item].self, "[" + texts.joined(separator: ",") + "]")
        try check([Item].self, "[" + texts.reversed().joined(separator: ",\n") + "]")
        // One by one, so that keys are near the end of the text.
        for text in texts { try check(Item.self, text) }
        // Each as often as it takes for its order to be known, and then others.
        for text in texts.prefix(40) {
            try check([Item].self, "[" + Array(repeating: text, count: 3).joined(separator: ",") + "," + texts[7] + "]")
        }
    }

    @Test func theFirstOfEqualKeysCountsAmongObjectsOfAKnownOrder() throws {
        let usual = #"{"a":1,"bb":"x"}"#
        for other in [
            #"{"a":1,"a":2}"#, #"{"bb":"x","bb":"y"}"#, #"{"a":1,"b\u0062":"x"}"#, #"{"\u0061":1,"bb":"x"}"#, #"{"a":3,"é":"x"}"#,
            #"{"a":1,"":"x"}"#, #"{"":1,"":2}"#, #"{"a":null,"bb":null}"#, #"{"a":1,"bc":"x"}"#, #"{"b":1,"bb":"x"}"#,
        ] {
            try check([Item].self, "[\(usual),\(usual),\(other),\(usual),\(other),\(other),\(usual)]")
            try check([Item].self, "[\(other),\(other),\(usual),\(other)]")
        }
    }

    /// Two cases with one name, and one that is asked for under no name of the text.
    private enum Names: String, CodingKey {
        case first, second, third
        var stringValue: String { self == .third ? "third" : "name" }
        init?(stringValue: String) {
            switch stringValue {
            case "name", "NAME": self = .first
            case "third": self = .third
            default: return nil
            }
        }
    }

    private struct Named: Decodable, Equatable {
        let values: [Int?]
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Names.self)
            values = try [Names.first, .second, .third, .second].map { try container.decodeIfPresent(Int.self, forKey: $0) }
            #expect(container.contains(.second) == (values[1] != nil))
        }
    }

    @Test func casesWithOneNameAreOneKey() throws {
        try check([Named].self, #"[{"name":1},{"name":2},{"NAME":3},{"third":4,"name":5},{"NAME":6,"name":7},{},{"name":8}]"#)
    }

    /// More cases than there are bits in a word.
    private struct Wide: Codable, Equatable {
        let values: [Int?]
        private enum Keys: CodingKey {
            case a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, c0, c1, c2, c3, c4, c5, c6, c7,
                c8, c9
            case d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, e0, e1, e2, e3, e4, e5, e6, e7, e8, e9, f0, f1, f2, f3, f4, f5, f6, f7,
                f8, f9
            case g0, g1, g2, g3, g4, g5, g6, g7, g8, g9
            static var some: [Keys] { [.a0, .f2, .f3, .f4, .f5, .g0, .g9] }
        }
        init(_ values: [Int?]) { self.values = values }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            values = try Keys.some.map { try container.decodeIfPresent(Int.self, forKey: $0) }
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            for (key, value) in zip(Keys.some, values) { try container.encodeIfPresent(value, forKey: key) }
        }
    }

    @Test func enumerationsMayHaveManyCases() throws {
        let wide = (0..<20).map { number in Wide((0..<7).map { ($0 + number) % 3 == 0 ? nil : $0 * number }) }
        let encoder = SluiceJSONEncoder()
        let foundation = JSONEncoder()
        (encoder.outputFormatting, foundation.outputFormatting) = (.sortedKeys, .sortedKeys)
        let data = try encoder.encode(wide)
        #expect(try data == foundation.encode(wide))
        #expect(try SluiceJSONDecoder().decode([Wide].self, from: data) == wide)
    }
}
