// The decoder of a key that is absent reads null, which has no position in the text.

import Foundation
import SluiceCodable
import SluiceCore
import Testing

@Suite struct AbsentValueTests {
    private enum Keys: String, CodingKey { case base, x }

    private static let texts = ["{}", "{ }", "{}  ", #"{"x":1}"#, "{\n}", #"{"x":"null"}"#]

    /// Decodes a value from the decoder of a superclass that has no value in the text.
    private struct Absent<Value: Decodable>: Decodable {
        let value: Value

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            value = try Value(from: container.superDecoder(forKey: .base))
            #expect(try container.superDecoder().singleValueContainer().decodeNil())
        }
    }

    @Test(arguments: texts) func aModelOfAnAbsentSuperclassIsNotFound(_ text: String) throws {
        for decoder in [JSONDecoder(), SluiceJSONDecoder()] {
            let error = #expect(throws: DecodingError.self) {
                try decoder.decode(Absent<Price>.self, from: Data(text.utf8))
            }
            guard case .valueNotFound(_, let context) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(context.codingPath.map(\.stringValue) == ["base"])
        }
    }

    @Test(arguments: texts) func whatTakesNullIsReadFromAnAbsentSuperclass(_ text: String) throws {
        let tree = try SluiceJSONDecoder().decode(Absent<JSONValue>.self, from: Data(text.utf8))
        #expect(tree.value == .null)
        #expect(try SluiceJSONDecoder().decode(Absent<Price?>.self, from: Data(text.utf8)).value == nil)
    }

    /// Keeps the decoder of a superclass that has no value in the text.
    private final class Keeper: Decodable {
        let decoder: any Decoder

        init(from decoder: any Decoder) throws {
            self.decoder = try decoder.container(keyedBy: Keys.self).superDecoder(forKey: .base)
        }
    }

    @Test(arguments: texts) func theDecoderOfAnAbsentSuperclassMayBeKept(_ text: String) throws {
        let kept = try SluiceJSONDecoder().decode(Keeper.self, from: Data(text.utf8))
        _ = try SluiceJSONDecoder().decode([Int].self, from: Data("[1,2,3]".utf8))
        #expect(try kept.decoder.singleValueContainer().decode(JSONValue.self) == .null)
        #expect(throws: DecodingError.self) { try kept.decoder.singleValueContainer().decode(Price.self) }
        #expect(throws: DecodingError.self) { try kept.decoder.singleValueContainer().decode(Decimal.self) }
        #expect(throws: DecodingError.self) { try kept.decoder.singleValueContainer().decode(URL.self) }
        #expect(throws: DecodingError.self) { try kept.decoder.container(keyedBy: Keys.self) }
    }

    @Test func nullWhereAModelIsExpectedIsNotFound() throws {
        for text in ["null", "[null]", #"{"a":null}"#] {
            for decoder in [JSONDecoder(), SluiceJSONDecoder()] {
                let error = #expect(throws: DecodingError.self) {
                    switch text.first {
                    case "n": _ = try decoder.decode(Price.self, from: Data(text.utf8))
                    case "[": _ = try decoder.decode([Price].self, from: Data(text.utf8))
                    default: _ = try decoder.decode([String: Price].self, from: Data(text.utf8))
                    }
                }
                guard case .valueNotFound = error else {
                    Issue.record("\(text) \(String(describing: error))")
                    continue
                }
            }
        }
    }
}

/// A model whose table and whose Codable conformance read the same.
private struct Price: JSONModel, Codable, Equatable {
    var cents: Int

    struct JSONDraft: _JSONModelDraft {
        var cents: Int?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("cents", \JSONDraft.cents, keys: ["cents"])
    }

    static let _jsonTable = PropertyTable._compiled(for: Price.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        cents = try bound.required(draft.cents.take(), 0)
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        if slot == 0 { try writer.property(cents) }
    }
}
