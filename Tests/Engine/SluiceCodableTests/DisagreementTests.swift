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

    @Test func aFractionOfZerosIsAnInteger() throws {
        let text = Data("[9007199254740993.0]".utf8)
        #expect(try SluiceJSONDecoder().decode([Int].self, from: text) == [9_007_199_254_740_993])
        #expect(try JSONDecoder().decode([Int].self, from: text) == [9_007_199_254_740_993])
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

    @Test func membersStandInTheOrderInWhichTheyAreEncoded() throws {
        struct Many: Encodable { var z = 1, b = 2, y = 3, a = 4, x = 5 }
        #expect(String(decoding: try SluiceJSONEncoder().encode(Many()), as: UTF8.self) == #"{"z":1,"b":2,"y":3,"a":4,"x":5}"#)
    }

    @Test func aDecimalThatIsNoNumberIsRefused() throws {
        #expect(throws: EncodingError.self) { try SluiceJSONEncoder().encode([Decimal.nan]) }
        #expect(String(decoding: try JSONEncoder().encode([Decimal.nan]), as: UTF8.self) == "[NaN]")
    }

    @Test func aSecondValueInOnePlaceIsAnError() {
        let calls = Calls { encoder in
            var container = encoder.singleValueContainer()
            try container.encode(1)
            try? container.encode(2)
        }
        #expect(throws: EncodingError.self) { try SluiceJSONEncoder().encode([calls]) }
    }

    @Test func whatAFailedValueLeavesIsDropped() throws {
        let calls = Calls { encoder in
            var container = encoder.unkeyedContainer()
            let failing = Calls { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(1, forKey: AnyKey(stringValue: "left"))
                throw CancellationError()
            }
            try? container.encode(failing)
            try container.encode(["a": 1])
        }
        #expect(String(decoding: try SluiceJSONEncoder().encode(calls), as: UTF8.self) == #"[{"a":1}]"#)
        let foundation = JSONEncoder()
        foundation.outputFormatting = .sortedKeys
        #expect(String(decoding: try foundation.encode(calls), as: UTF8.self) == #"[{"a":1,"left":1}]"#)
    }

    @Test func pathsInsideADictionaryAreWhole() throws {
        final class Paths: @unchecked Sendable { var words: [String] = [] }
        struct Item: Encodable { var x = 1 }
        struct Holder: Encodable { var items = ["k": Item()] }
        func paths(_ encoder: JSONEncoder) throws -> [String] {
            let paths = Paths()
            encoder.keyEncodingStrategy = .custom { path in
                paths.words.append(path.map(\.stringValue).joined(separator: "."))
                return path[path.count - 1]
            }
            _ = try encoder.encode(Holder())
            return paths.words.sorted()
        }
        #expect(try paths(SluiceJSONEncoder()) == ["items", "items.k.x"])
        #expect(try paths(JSONEncoder()) == ["items", "k.x"])
    }

    @Test func aNumberOutOfRangeIsCalledSo() throws {
        func words(_ decoder: JSONDecoder) -> String {
            let error = #expect(throws: DecodingError.self) { try decoder.decode([Int].self, from: Data("[1e300]".utf8)) }
            guard case .dataCorrupted(let context) = error else { return "\(String(describing: error))" }
            return context.debugDescription
        }
        #expect(words(SluiceJSONDecoder()).hasPrefix("The number 1e300 is not representable as Int."))
        #expect(words(JSONDecoder()) == "The given data was not valid JSON.")
    }

    @Test func theEncoderOfASuperclassHasItsPlaceAtOnce() throws {
        final class Box: @unchecked Sendable { var encoder: (any Encoder)? }
        let box = Box()
        let calls = Calls { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            box.encoder = container.superEncoder()
            if let encoder = box.encoder { try 1.encode(to: encoder) }
            try container.encode(2, forKey: AnyKey(stringValue: "super"))
            box.encoder = nil
        }
        #expect(String(decoding: try SluiceJSONEncoder().encode(calls), as: UTF8.self) == #"{"super":2}"#)
        #expect(String(decoding: try JSONEncoder().encode(calls), as: UTF8.self) == #"{"super":1}"#)
    }

    @Test func aLatePathHasTheKeysOfTheText() throws {
        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { 7 }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        struct Keeper: Decodable {
            let container: any UnkeyedDecodingContainer
            let path: [any CodingKey]
            init(from decoder: any Decoder) throws {
                container = try decoder.unkeyedContainer()
                path = container.codingPath
            }
        }
        struct Holder: Decodable {
            let keeper: Keeper
            init(from decoder: any Decoder) throws {
                // The key is spelt with one scalar here, and with two in the text.
                keeper = try decoder.container(keyedBy: Key.self).decode(Keeper.self, forKey: Key(stringValue: "\u{E9}"))
            }
        }
        func scalars(_ path: [any CodingKey]) -> [UInt32] { path.flatMap { $0.stringValue.unicodeScalars.map(\.value) } }
        let text = Data("{\"e\u{301}\":[1]}".utf8)
        let own = try SluiceJSONDecoder().decode(Holder.self, from: text).keeper
        let other = try JSONDecoder().decode(Holder.self, from: text).keeper
        // While the value is decoded, the paths are the same.
        for path in [own.path, other.path, other.container.codingPath] {
            #expect(scalars(path) == [0xE9])
            #expect(path.map(\.intValue) == [7])
        }
        #expect(scalars(own.container.codingPath) == [0x65, 0x301])
        #expect(own.container.codingPath.map(\.intValue) == [nil])
        #expect(own.container.codingPath.map(\.stringValue) == other.container.codingPath.map(\.stringValue))
    }

    @Test func aContainerWhoseValueIsCompleteIsRefused() throws {
        final class Box: @unchecked Sendable { var container: (any UnkeyedEncodingContainer)? }
        struct Keeping: Encodable {
            let box: Box

            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                try container.encode(1)
                box.container = container
            }
        }
        let box = Box()
        #expect(String(decoding: try SluiceJSONEncoder().encode([Keeping(box: box)]), as: UTF8.self) == "[[1]]")
        #expect(throws: EncodingError.self) { try box.container?.encode(2) }
    }
}
