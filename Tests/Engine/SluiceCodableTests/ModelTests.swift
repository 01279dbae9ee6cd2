// A type that is also a model goes through its table, wherever it is in the document.

import Foundation
import SluiceCodable
import SluiceCore
import Synchronization
import Testing

/// A model with another key in its table than in its Codable conformance, so that a test sees which of the two was taken.
private struct Price: JSONModel, Codable, Equatable {
    var cents: Int

    struct JSONDraft: _JSONModelDraft {
        var cents: Int?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("cents", \JSONDraft.cents, keys: ["table"])
    }

    static let _jsonTable = PropertyTable._compiled(for: Price.self)

    init(cents: Int) { self.cents = cents }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        cents = try bound.required(draft.cents.take(), 0)
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        if slot == 0 { try writer.property(cents) }
    }
}

/// A model with the same keys for its table and for Codable.
private struct Named: JSONModel, Codable, Equatable {
    var name: String
    var small: Int8?
    var inner: [Named]?

    struct JSONDraft: _JSONModelDraft {
        var name: String?
        var small: Int8??
        var inner: [Named]??
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("name", \JSONDraft.name, keys: ["name"])
        model.property("small", \JSONDraft.small, keys: ["small"], presence: .optional)
        model.property("inner", \JSONDraft.inner, keys: ["inner"], presence: .optional)
    }

    static let _jsonTable = PropertyTable._compiled(for: Named.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        name = try bound.required(draft.name.take(), 0)
        small = draft.small ?? nil
        inner = draft.inner ?? nil
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(name)
        case 1: try writer.property(small)
        default: try writer.property(inner)
        }
    }
}

private struct Holder: Codable, Equatable {
    var m: Named?
    var list: [Named]?
    var map: [String: Named]?
}

/// A model that counts how often it is made.
private struct Counted: JSONModel, Codable {
    var number: Int
    static let made = Mutex(0)

    struct JSONDraft: _JSONModelDraft {
        var number: Int?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("number", \JSONDraft.number, keys: ["number"])
    }

    static let _jsonTable = PropertyTable._compiled(for: Counted.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        number = try bound.required(draft.number.take(), 0)
        Counted.made.withLock { $0 += 1 }
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        if slot == 0 { try writer.property(number) }
    }
}

/// A model that decodes another one from a container that somebody has kept, while it is made itself.
private struct Curious: JSONModel, Codable {
    var name: String
    var price: Price?
    nonisolated(unsafe) static var container: KeyedDecodingContainer<PairOfModels.CodingKeys>?

    struct JSONDraft: _JSONModelDraft {
        var name: String?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("name", \JSONDraft.name, keys: ["name"])
    }

    static let _jsonTable = PropertyTable._compiled(for: Curious.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        name = try bound.required(draft.name.take(), 0)
        price = try? unsafe Curious.container?.decode(Price.self, forKey: .price)
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        if slot == 0 { try writer.property(name) }
    }
}

private struct PairOfModels: Decodable {
    enum CodingKeys: String, CodingKey { case curious, price }
    let curious: [Curious]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        unsafe Curious.container = container
        defer { unsafe Curious.container = nil }
        curious = try container.decode([Curious].self, forKey: .curious)
    }
}

@Suite struct ModelTests {
    @Test func aModelMayDecodeAnotherWhileItIsMade() throws {
        let names = (0..<3).map { "a name that has memory of its own \($0)" }
        let elements = names.map { #"{"name":"\#($0)"}"# }.joined(separator: ",")
        let text = #"{"curious":[\#(elements)],"price":{"table":7}}"#
        for _ in 0..<2 {
            let pair = try SluiceJSONDecoder().decode(PairOfModels.self, from: Data(text.utf8))
            #expect(pair.curious.map(\.name) == names)
            #expect(pair.curious.map(\.price) == names.map { _ in Price(cents: 7) })
        }
    }

    private struct Order: Codable, Equatable {
        var first: Price
        var others: [Price]
        var named: [String: Price]
        var maybe: Price?
    }

    private let order = Order(
        first: Price(cents: 1), others: [Price(cents: 2), Price(cents: 3)], named: ["a": Price(cents: 4)], maybe: Price(cents: 5))
    private let text =
        #"{"first":{"table":1},"others":[{"table":2},{"table":3}],"named":{"a":{"table":4}},"maybe":{"table":5}}"#

    @Test func modelsAreReadThroughTheirTablesWhereverTheyStand() throws {
        let decoder = SluiceJSONDecoder()
        #expect(try decoder.decode(Order.self, from: Data(text.utf8)) == order)
        #expect(try decoder.decode([Price].self, from: Data(#"[{"table": 1}]"#.utf8)) == [Price(cents: 1)])
        #expect(try decoder.decode(Price.self, from: Data(#"{"table": 1}"#.utf8)) == Price(cents: 1))
    }

    @Test func modelsAreWrittenThroughTheirTablesWhereverTheyStand() throws {
        #expect(String(decoding: try SluiceJSONEncoder().encode(order), as: UTF8.self) == text)
        #expect(String(decoding: try SluiceJSONEncoder().encode(order.first), as: UTF8.self) == #"{"table":1}"#)
    }

    @Test func anOptionThatTablesDoNotFollowForbidsThem() throws {
        let codable = #"{"cents":7}"#
        let decoder = SluiceJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        #expect(try decoder.decode(Price.self, from: Data(codable.utf8)) == Price(cents: 7))
        let encoder = SluiceJSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        #expect(String(decoding: try encoder.encode(Price(cents: 7)), as: UTF8.self) == codable)
        let other = SluiceJSONDecoder()
        other.dateDecodingStrategy = .custom { _ in Date() }
        #expect(try other.decode([Price].self, from: Data("[\(codable)]".utf8)) == [Price(cents: 7)])
    }

    @Test func nothingIsConvertedInAModelEither() {
        let error = #expect(throws: DecodingError.self) {
            try SluiceJSONDecoder().decode(Order.self, from: Data(#"{"first": {"table": "1"}}"#.utf8))
        }
        guard case .typeMismatch(_, let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["first", "table"])
        let cause = context.underlyingError as? JSONError
        #expect(cause?.path == "first.table")
        #expect(cause?.offset == 20)
    }

    /// The case of a decoding error, with the type or key, and the coding path.
    private func facts<Value: Decodable>(_ type: Value.Type, _ text: String, _ decoder: JSONDecoder) -> String {
        facts(type, Data(text.utf8), decoder)
    }

    private func facts<Value: Decodable>(_ type: Value.Type, _ text: Data, _ decoder: JSONDecoder) -> String {
        func words(_ path: [any CodingKey]) -> String { path.map(\.stringValue).joined(separator: "/") }
        do {
            _ = try decoder.decode(type, from: text)
            return "a value"
        } catch DecodingError.typeMismatch(let type, let context) {
            return "typeMismatch \(type) at \(words(context.codingPath))"
        } catch DecodingError.valueNotFound(let type, let context) {
            return "valueNotFound \(type) at \(words(context.codingPath))"
        } catch DecodingError.keyNotFound(let key, let context) {
            return "keyNotFound \(key.stringValue) at \(words(context.codingPath))"
        } catch DecodingError.dataCorrupted(let context) {
            return "dataCorrupted at \(words(context.codingPath))"
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [
        #"{"m":{"name":5}}"#, #"{"list":[{"name":[]},{"name":"x"}]}"#, #"{"m":{"name":null}}"#, #"{"m":{}}"#, #"{"m":5}"#,
        #"{"list":5}"#,
        #"{"list":[5]}"#, #"{"list":[{"name":"a"},null]}"#,
        #"{"list":[{"name":"a"},{"name":"b","inner":[{"name":"c"},{"name":{}}]}]}"#,
        #"{"m":{"name":"a","small":300}}"#, #"{"m":{"name":"a","small":"1"}}"#, #"{"map":{"k":{"name":true}}}"#,
        #"{"m":{"name":"a","inner":{}}}"#,
        #"{"m":{"name":"a","inner":[{}]}}"#, #"{"m":{"small":[],"name":7}}"#,
    ])
    func theErrorsOfNestedModelsAreFoundations(_ text: String) throws {
        #expect(facts(Holder.self, text, SluiceJSONDecoder()) == facts(Holder.self, text, JSONDecoder()))
        for (inner, type) in [("{\"m\":", "a model"), ("{\"list\":", "an array")] where text.hasPrefix(inner) {
            let own = String(text.dropFirst(inner.count).dropLast())
            if type == "a model" { #expect(facts(Named.self, own, SluiceJSONDecoder()) == facts(Named.self, own, JSONDecoder())) }
            if type == "an array" {
                #expect(facts([Named].self, own, SluiceJSONDecoder()) == facts([Named].self, own, JSONDecoder()))
            }
        }
        let error = #expect(throws: DecodingError.self) { try SluiceJSONDecoder().decode(Holder.self, from: Data(text.utf8)) }
        guard case .typeMismatch(_, let context) = error else { return }
        // As every error, it has its position in the text.
        let cause = try #require(context.underlyingError as? JSONError)
        #expect(cause.offset > 0)
        #expect(
            cause.path
                == context.codingPath.reduce(into: "") { path, key in
                    if let index = key.intValue {
                        path += "[\(index)]"
                    } else {
                        path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
                    }
                })
    }

    @Test func aKeyThatAModelMissesIsNamedAsFoundationDoes() {
        let error = #expect(throws: DecodingError.self) {
            try SluiceJSONDecoder().decode([Price].self, from: Data(#"[{"table": 1}, {}]"#.utf8))
        }
        guard case .keyNotFound(let key, let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(key.stringValue == "table")
        #expect(context.codingPath.map(\.intValue) == [1])
    }

    @Test func documentsAreReadAlikeInEveryEncoding() throws {
        let decoder = SluiceJSONDecoder()
        for text in [
            #"{"name":"é","small":3}"#, #"{"name":"a name of more than fifteen","extra":{"a":[]}}"#, #"{"name":"x","small":300}"#,
            #"{"name":"x","inner":[{"name":"y"},{"name":2}]}"#, #"{"small":3}"#, #"{"name":"x"} y"#,
            #"{"name":"x","extra":[tru]}"#, "7",
        ] {
            let wanted = Result { try JSONDecoder().decode(Named.self, from: Data(text.utf8)) }
            let wantedFacts = facts(Named.self, text, decoder)
            for encoding in [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian, .utf32BigEndian] {
                for mark in ["", "\u{FEFF}"] {
                    let data = try #require((mark + text).data(using: encoding))
                    let found = Result { try decoder.decode(Named.self, from: data) }
                    #expect((try? found.get()) == (try? wanted.get()), "\(text)")
                    #expect(facts(Named.self, data, decoder) == wantedFacts, "\(text)")
                }
            }
        }
    }

    @Test func decodersWithOtherOptionsTakeTurns() throws {
        let (plain, other, bare) = (SluiceJSONDecoder(), SluiceJSONDecoder(), SluiceJSONDecoder())
        other.keyDecodingStrategy = .convertFromSnakeCase
        bare.assumesTopLevelDictionary = true
        let data = Data(#"{"name":"x","inner":[{"name":"y"}]}"#.utf8)
        for _ in 0..<3 {
            #expect(try plain.decode(Named.self, from: data).name == "x")
            // Tables do not support the strategy, so the key is that of `Codable`.
            #expect(try other.decode(Price.self, from: Data(#"{"cents":3}"#.utf8)).cents == 3)
            #expect(try plain.decode(Price.self, from: Data(#"{"table":4}"#.utf8)).cents == 4)
            #expect(try bare.decode(Named.self, from: Data(#""name":"z""#.utf8)).name == "z")
            #expect(try plain.decode([Named].self, from: Data(#"[{"name":"a"},{"name":"b"}]"#.utf8)).map(\.name) == ["a", "b"])
        }
    }

    @Test func aDocumentOfModelsThatDoesNotFitIsReadOnce() {
        for mark in ["", "\u{FEFF}"] { expectOneReading(after: mark) }
    }

    private func expectOneReading(after mark: String) {
        Counted.made.withLock { $0 = 0 }
        let text = mark + "[{\"number\": 1}, {\"number\": 2},\n {\"number\": \"3\"}]"
        let error = #expect(throws: DecodingError.self) {
            try SluiceJSONDecoder().decode([Counted].self, from: Data(text.utf8))
        }
        #expect(Counted.made.withLock { $0 } == 2)
        guard case .typeMismatch(_, let context) = error, let cause = context.underlyingError as? JSONError else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["Index 2", "number"])
        #expect(cause.path == "[2].number")
        #expect((cause.offset, cause.line, cause.column) == (43 + mark.utf8.count, 2, 13))
        // An error in the text is reported first, wherever it is.
        let damaged = #expect(throws: DecodingError.self) {
            try SluiceJSONDecoder().decode([Counted].self, from: Data(#"[{"number": "1"}, {"number": 2]"#.utf8))
        }
        guard case .dataCorrupted = damaged else {
            Issue.record("\(String(describing: damaged))")
            return
        }
    }

    @Test func damageInWhatNoPropertyBindsIsNoticed() throws {
        let filler = #""filler": "\#(String(repeating: "-", count: 100))""#
        for inside in [
            #"{\#(filler), "a" 1}"#, #"[{\#(filler)} 2]"#, #"[tru, {\#(filler)}]"#, #"{\#(filler), "a": }"#,
            #"[{\#(filler)},,1]"#,
        ] {
            for (open, close) in [("", ""), ("[", "]")] {
                let text = Data(#"\#(open){"table": 1, "cents": 1, "other": \#(inside)}\#(close)"#.utf8)
                for decoder in [SluiceJSONDecoder(), JSONDecoder()] {
                    let error = #expect(throws: DecodingError.self, "\(inside)") {
                        if open.isEmpty { _ = try decoder.decode(Price.self, from: text) }
                        if !open.isEmpty { _ = try decoder.decode([Price].self, from: text) }
                    }
                    guard decoder is SluiceJSONDecoder else { continue }
                    guard case .dataCorrupted(let context) = error else {
                        Issue.record("\(String(describing: error))")
                        continue
                    }
                    #expect((context.underlyingError as? JSONError)?.kind == .syntax)
                }
            }
        }
        let whole = Data(#"{"table": 1, "cents": 1, "other": {\#(filler)}}"#.utf8)
        #expect(try SluiceJSONDecoder().decode(Price.self, from: whole) == Price(cents: 1))
    }

    @Test func anyJSONKeepsItsNumbers() throws {
        let text = #"{"a":[123456789012345678901234567890.10,null,true,"x"],"b":{}}"#
        let value = try SluiceJSONDecoder().decode([String: JSONValue].self, from: Data(text.utf8))
        #expect(value["a"]?.description.contains("123456789012345678901234567890.10") == true)
        #expect(
            String(decoding: try SluiceJSONEncoder().encode(value["a"]), as: UTF8.self)
                == #"[123456789012345678901234567890.10,null,true,"x"]"#)
    }
}
