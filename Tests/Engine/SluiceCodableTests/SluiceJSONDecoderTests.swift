import Foundation
import SluiceCodable
import SluiceCore
import Testing

@Suite struct SluiceJSONDecoderTests {
    struct Book: Codable, Equatable {
        var name: String
        var pages: Int
        var tags: [String]?

        enum CodingKeys: CodingKey { case name, pages, tags }
    }

    private func decode<Value: Decodable>(
        _ type: Value.Type, _ text: String, _ adjust: (JSONDecoder) -> Void = { _ in }
    ) throws -> Value {
        let decoder = SluiceJSONDecoder()
        adjust(decoder)
        return try decoder.decode(type, from: Data(text.utf8))
    }

    @Test func takesThePlaceOfFoundationsDecoder() throws {
        let decoder: JSONDecoder = SluiceJSONDecoder()
        let book = try decoder.decode(Book.self, from: Data(#"{"name": "Emma", "pages": 474, "tags": ["a", "b"]}"#.utf8))
        #expect(book == Book(name: "Emma", pages: 474, tags: ["a", "b"]))
    }

    @Test func saysWhereAValueDoesNotFit() throws {
        let text = "{\n  \"name\": \"Emma\",\n  \"pages\": \"many\"\n}"
        let error = #expect(throws: DecodingError.self) { try decode(Book.self, text) }
        guard case .typeMismatch(let type, let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(type is Int.Type)
        #expect(context.codingPath.map(\.stringValue) == ["pages"])
        let cause = try #require(context.underlyingError as? JSONError)
        #expect(cause.kind == .typeMismatch)
        #expect(cause.path == "pages")
        #expect((cause.offset, cause.line, cause.column) == (31, 3, 12))
        #expect(context.debugDescription.contains("(line 3, column 12, byte 31)"))
        #expect(context.debugDescription.contains("  \"pages\": \"many\"\n           ^"))
    }

    @Test func saysWhereTextIsNotJSON() throws {
        let error = #expect(throws: DecodingError.self) { try decode(Book.self, #"{"name": "Emma" "pages": 1}"#) }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.codingPath.isEmpty)
        let cause = try #require(context.underlyingError as? JSONError)
        #expect(cause.kind == .syntax)
        #expect(cause.offset == 16)
        #expect(cause.path.isEmpty)
    }

    @Test func saysWhichKeyIsMissingAndWhere() throws {
        let error = #expect(throws: DecodingError.self) {
            try decode([Book].self, #"[{"name": "a", "pages": 1}, {"name": "b"}]"#)
        }
        guard case .keyNotFound(let key, let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(key.stringValue == "pages")
        #expect(context.codingPath.first?.intValue == 1)
        let cause = try #require(context.underlyingError as? JSONError)
        #expect(cause.kind == .missingKeys)
        #expect(cause.keys == ["pages"])
        #expect(cause.path == "[1]")
        #expect(cause.offset == 28)
    }

    @Test func takesTheFirstOfEqualKeys() throws {
        #expect(try decode(Book.self, #"{"pages": 1, "name": "a", "pages": 2, "name": "b"}"#) == Book(name: "a", pages: 1))
        #expect(try decode([String: Int].self, #"{"a": 1, "b": 2, "a": 3}"#) == ["a": 1, "b": 2])
        // Wherever the second key is, and however long it is.
        for key in ["", "a", "seven77", "eight888", "fifteen15151515", "sixteen161616161", "a key of more than thirty-two bytes"]
        {
            for filler in ["", "\"x\": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],"] {
                let text = "{\"\(key)\": 1, \(filler) \"\(key)\":2}"
                #expect(try decode([String: JSONValue].self, text)[key] == 1, "\(text)")
            }
        }
    }

    @Test func findsKeysWhateverTheirOrder() throws {
        struct Many: Codable, Equatable {
            var a, b, c, d, e: Int
            var f: Int?
        }
        for text in [
            #"{"a":1,"b":2,"c":3,"d":4,"e":5}"#, #"{"e":5,"d":4,"c":3,"b":2,"a":1}"#,
            #"{"x":[{"a":9}],"c":3,"b":2,"y":{"a":8},"a":1,"e":5,"d":4}"#,
        ] {
            #expect(try decode(Many.self, text) == Many(a: 1, b: 2, c: 3, d: 4, e: 5))
        }
    }

    @Test func aDecimalHasAllDigitsOfItsTextAlsoWhereADoubleIsAWholeNumber() throws {
        let numbers = [
            "100.000000000000001", "1234567890.000000001", "-99.99999999999999999", "7.0", "7", "-7", "1e2", "12.50",
            "999999999999999", "0.1", "-0", "-0.0",
        ]
        let padding = String(repeating: " ", count: 48)
        for number in numbers {
            for text in ["[\(number)]", "[\(number)\(padding)]"] {
                let decimals = try SluiceJSONDecoder().decode([Decimal].self, from: Data(text.utf8))
                #expect(decimals == [try #require(Decimal(string: number))], "\(text)")
                #expect(try decimals == JSONDecoder().decode([Decimal].self, from: Data(text.utf8)), "\(text)")
            }
        }
    }

    @Test func findsKeysWithEscapesAndInOtherNormalForms() throws {
        #expect(try decode(Book.self, #"{"n\u0061me": "a", "pages": 1}"#).name == "a")
        struct Accented: Codable { var é: Int }
        #expect(try decode(Accented.self, "{\"e\u{301}\": 1}").é == 1)
    }

    @Test func aKeyOfALargeObjectIsFoundInConstantTime() throws {
        // Keys are asked for from the last to the first, each of which is a search through all others.
        struct Reversed: Decodable {
            init(from decoder: any Decoder) throws {
                struct Key: CodingKey {
                    let stringValue: String
                    var intValue: Int? { nil }
                    init(stringValue: String) { self.stringValue = stringValue }
                    init?(intValue: Int) { return nil }
                }
                let container = try decoder.container(keyedBy: Key.self)
                for index in (0..<20_000).reversed() {
                    let key = Key(stringValue: "key\(index)")
                    guard try container.decode(Int.self, forKey: key) == index else {
                        throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "another")
                    }
                }
            }
        }
        let text = "{" + (0..<20_000).map { "\"key\($0)\":\($0)" }.joined(separator: ",") + "}"
        _ = try decode(Reversed.self, text)
    }

    @Test func refusesMoreThan512Levels() throws {
        struct Nested: Decodable {
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                if !container.isAtEnd { _ = try container.decode(Nested.self) }
            }
        }
        func text(_ levels: Int) -> String { String(repeating: "[", count: levels) + String(repeating: "]", count: levels) }
        _ = try decode(Nested.self, text(512))
        let error = #expect(throws: DecodingError.self) { try decode(Nested.self, text(513)) }
        guard case .dataCorrupted(let context) = error else { return }
        #expect((context.underlyingError as? JSONError)?.kind == .depthLimit)
    }

    @Test func readsOtherEncodings() throws {
        let text = #"{"name": "Ämma 😀", "pages": 1}"#
        for encoding in [
            String.Encoding.utf8, .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian, .utf32BigEndian,
        ] {
            let data = try #require(text.data(using: encoding))
            #expect(try SluiceJSONDecoder().decode(Book.self, from: data).name == "Ämma 😀", "\(encoding)")
        }
        let marked = Data([0xEF, 0xBB, 0xBF] + Array("{\"name\": 1}".utf8))
        let error = #expect(throws: DecodingError.self) { try SluiceJSONDecoder().decode(Book.self, from: marked) }
        guard case .typeMismatch(_, let context) = error else { return }
        // A byte order mark counts.
        #expect((context.underlyingError as? JSONError)?.offset == 12)
    }

    @Test func handsJSON5ToFoundation() throws {
        #expect(try decode(Book.self, "{name: 'Emma', pages: 0x10,}") { $0.allowsJSON5 = true } == Book(name: "Emma", pages: 16))
    }

    @Test func takesMembersWithoutBraces() throws {
        #expect(
            try decode(Book.self, #""name": "Emma", "pages": 1"#) { $0.assumesTopLevelDictionary = true }
                == Book(name: "Emma", pages: 1))
    }

    @Test func optionsThatChangeBetweenDocumentsCount() throws {
        let decoder = SluiceJSONDecoder()
        let data = Data("[0]".utf8)
        #expect(try decoder.decode([Date].self, from: data) == [Date(timeIntervalSinceReferenceDate: 0)])
        decoder.dateDecodingStrategy = .secondsSince1970
        #expect(try decoder.decode([Date].self, from: data) == [Date(timeIntervalSince1970: 0)])
    }

    @Test func aDecoderThatIsKeptStillReads() throws {
        final class Box: @unchecked Sendable { var decoder: (any Decoder)? }
        struct Keeping: Decodable {
            init(from decoder: any Decoder) throws {
                let key = try #require(CodingUserInfoKey(rawValue: "box"))
                (decoder.userInfo[key] as? Box)?.decoder = try decoder.container(keyedBy: Book.CodingKeys.self).superDecoder(
                    forKey: .name)
            }
        }
        let box = Box()
        _ = try decode(Keeping.self, #"{"name": "a name of more than fifteen bytes"}"#) {
            if let key = CodingUserInfoKey(rawValue: "box") { $0.userInfo[key] = box }
        }
        // Another document goes over the memory of the first.
        _ = try decode(Book.self, #"{"name": "Emma", "pages": 474}"#)
        let decoder = try #require(box.decoder)
        #expect(try String(from: decoder) == "a name of more than fifteen bytes")
    }

    @Test func placesOfManyErrorsAreFoundInLinearTime() throws {
        // Each element is tried as a number first, and that error has a position.
        enum Either: Decodable {
            case text(String)
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if (try? container.decode(Int.self)) != nil { throw CancellationError() }
                self = .text(try container.decode(String.self))
            }
        }
        let text = "[" + repeatElement("\"text\"", count: 20_000).joined(separator: ",\n") + "]"
        #expect(try decode([Either].self, text).count == 20_000)
    }
}
