import Foundation
import SluiceCodable
import SluiceCore
import Testing

@Suite struct SluiceJSONEncoderTests {
    struct Book: Codable, Equatable {
        var name: String
        var pages: Int
        var price = 2.5
        var tags: [String]?
        var link = URL(string: "http://a.b/c")
    }

    private func text(_ value: some Encodable, _ adjust: (JSONEncoder) -> Void = { _ in }) throws -> String {
        let encoder: JSONEncoder = SluiceJSONEncoder()
        adjust(encoder)
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test func writesMembersInTheOrderInWhichTheyAreEncoded() throws {
        #expect(
            try text(Book(name: "Emma", pages: 474, tags: ["a/b"]))
                == #"{"name":"Emma","pages":474,"price":2.5,"tags":["a\/b"],"link":"http:\/\/a.b\/c"}"#)
    }

    @Test func sortsAndLaysOutAsFoundationDoes() throws {
        let text = try text([Book(name: "é", pages: 1, tags: [])]) {
            $0.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        }
        #expect(
            text == """
                [
                  {
                    "link" : "http://a.b/c",
                    "name" : "é",
                    "pages" : 1,
                    "price" : 2.5,
                    "tags" : [

                    ]
                  }
                ]
                """)
    }

    @Test func appendsToDataThatIsKept() throws {
        let encoder = SluiceJSONEncoder()
        let books = (0..<3).map { Book(name: String(repeating: "a book ", count: $0 * 30), pages: $0, tags: ["\($0)"]) }
        var data = Data("[".utf8)
        for book in books {
            try encoder.encode(book, into: &data)
            data.append(UInt8(ascii: ","))
        }
        data[data.count - 1] = UInt8(ascii: "]")
        #expect(data == (try encoder.encode(books)))
        encoder.outputFormatting = .prettyPrinted
        data.removeAll(keepingCapacity: true)
        try encoder.encode(books, into: &data)
        let before = data
        #expect(data == (try encoder.encode(books)))
        #expect(throws: EncodingError.self) { try encoder.encode([Double.nan], into: &data) }
        #expect(data == before)
    }

    @Test func writesWhatItsDecoderReads() throws {
        let books = (0..<100).map { Book(name: "book \($0) \"quoted\"", pages: $0, price: Double($0) / 7, tags: ["\($0)"]) }
        let data = try SluiceJSONEncoder().encode(books)
        #expect(try SluiceJSONDecoder().decode([Book].self, from: data) == books)
    }

    @Test func ofAKeyThatIsWrittenTwiceTheLastValueCounts() throws {
        struct Twice: Encodable {
            enum CodingKeys: CodingKey { case a, b }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(1, forKey: .a)
                try container.encode("x", forKey: .b)
                try container.encode([3], forKey: .a)
            }
        }
        #expect(try text(Twice()) == #"{"a":[3],"b":"x"}"#)
    }

    @Test func containersOfTheirOwnMayBeWrittenInAnyOrder() throws {
        struct Interleaved: Encodable {
            enum CodingKeys: CodingKey { case a, b, c, d }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                var first = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .a)
                var second = container.nestedUnkeyedContainer(forKey: .b)
                try first.encode(1, forKey: .a)
                try container.encode(2, forKey: .c)
                try second.encode(3)
                try first.encode(4, forKey: .b)
                try second.encode(5)
                try 6.encode(to: container.superEncoder(forKey: .d))
                var again = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .a)
                try again.encode(7, forKey: .c)
            }
        }
        #expect(try text(Interleaved()) == #"{"a":{"a":1,"b":4,"c":7},"b":[3,5],"c":2,"d":6}"#)
    }

    @Test func aMemberThatFailsLeavesNothingAfter() throws {
        struct Trying: Encodable {
            enum CodingKeys: CodingKey { case a, b, c }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(1, forKey: .a)
                try? container.encode([["x": Double.nan]], forKey: .b)
                try container.encode(2, forKey: .c)
            }
        }
        #expect(try text(Trying()) == #"{"a":1,"c":2}"#)
    }

    @Test func saysWhichValueHasNoJSONForm() {
        let error = #expect(throws: EncodingError.self) { try text(["a": [1, .nan]]) }
        guard case .invalidValue(let value, let context) = error else { return }
        #expect((value as? Double)?.isNaN == true)
        #expect(context.codingPath.map(\.stringValue) == ["a", "Index 1"])
        #expect((context.underlyingError as? JSONError)?.kind == .notWritable)
        #expect(throws: EncodingError.self) { try text(Decimal.nan) }
    }

    @Test func refusesMoreLevelsThanFoundation() throws {
        struct Nested: Encodable {
            var levels: Int

            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                if levels > 1 { try container.encode(Nested(levels: levels - 1)) }
            }
        }
        _ = try text(Nested(levels: 511))
        #expect(throws: EncodingError.self) { try text(Nested(levels: 512)) }
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(Nested(levels: 512)) }
    }

    /// What the innermost level of ``Chain`` does with its container.
    enum LastStep: CaseIterable, Sendable {
        case path, nested, nestedUnkeyed, superEncoder
    }

    /// Objects inside each other, of which the innermost is one too many.
    private struct Chain: Encodable {
        var levels: Int
        let isKeyed: Bool
        let last: LastStep

        func encode(to encoder: any Encoder) throws {
            if isKeyed { try encodeKeyed(encoder) } else { try encodeUnkeyed(encoder) }
        }

        private func encodeKeyed(_ encoder: any Encoder) throws {
            let key = AnyKey(stringValue: "a")
            var container = encoder.container(keyedBy: AnyKey.self)
            if levels > 1 { return try container.encode(Chain(levels: levels - 1, isKeyed: true, last: last), forKey: key) }
            switch last {
            case .path: #expect(container.codingPath.count == 511)
            case .nested:
                var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: key)
                #expect(nested.codingPath.count == 512)
                try nested.encode(1, forKey: key)
            case .nestedUnkeyed:
                var nested = container.nestedUnkeyedContainer(forKey: key)
                try nested.encode(1)
            case .superEncoder:
                var single = container.superEncoder(forKey: key).singleValueContainer()
                try single.encode(1)
            }
        }

        private func encodeUnkeyed(_ encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            if levels > 1 { return try container.encode(Chain(levels: levels - 1, isKeyed: false, last: last)) }
            switch last {
            case .path: #expect(container.codingPath.count == 511)
            case .nested:
                var nested = container.nestedContainer(keyedBy: AnyKey.self)
                try nested.encode(1, forKey: AnyKey(stringValue: "a"))
            case .nestedUnkeyed:
                var nested = container.nestedUnkeyedContainer()
                try nested.encode(1)
            case .superEncoder:
                var single = container.superEncoder().singleValueContainer()
                try single.encode(1)
            }
        }
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    @Test(arguments: LastStep.allCases) func aContainerThatIsOneLevelTooDeepMayBeAskedForContainersInside(_ last: LastStep) {
        for isKeyed in [true, false] {
            #expect(throws: EncodingError.self) { try text(Chain(levels: 512, isKeyed: isKeyed, last: last)) }
        }
    }

    @Test func aValueThatEncodesNothingIsAnErrorAtTheTopAndAnEmptyObjectInside() throws {
        struct Nothing: Encodable { func encode(to encoder: any Encoder) throws {} }
        #expect(throws: EncodingError.self) { try text(Nothing()) }
        #expect(try text([Nothing()]) == "[{}]")
    }
}
