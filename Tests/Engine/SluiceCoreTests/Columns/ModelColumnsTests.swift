// The columns of models: they accept and refuse what the model accepts and refuses, and hold what it holds.

import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct ModelColumnsTests {
    private static let isFull = ProcessInfo.processInfo.environment["SLUICE_DAMAGE"] == "full"
    private static let models: [any GeneratedModel.Type] = [
        Shape<0>.self, Shape<1>.self, Shape<2>.self, Shape<3>.self, Shape<4>.self, Shape<5>.self, Shape<6>.self, Shape<7>.self,
        Shape<8>.self, Shape<9>.self, Shape<10>.self, Shape<11>.self, Shape<12>.self, Shape<13>.self, Shape<14>.self,
        Shape<15>.self, Shape<16>.self, Shape<17>.self, Shape<18>.self, Shape<19>.self, Shape<20>.self, Shape<21>.self,
        Shape<22>.self, Shape<23>.self,
    ]

    // MARK: Verdicts

    @Test func generatedModelsAndTheirColumnsRefuseTheSameTexts() throws {
        var accepted = 0
        var refused = 0
        for model in Self.models {
            for round in 0..<(Self.isFull ? 5_000 : 120) {
                let own = 71 << 32 | UInt64(model.seed) << 24 | UInt64(round)
                var random = SplitMix64(seed: own)
                var made = GeneratedJSON(random: SplitMix64(seed: ~own))
                var bytes = Array(
                    made.object(for: model.made, random.below(2) == 0 ? .exact : .loose).text(&made.random).utf8)
                if random.below(4) == 0 { bytes = random.damaged(bytes) }
                var options = JSONReader.Options.chosen(by: &random)
                options.unknownKeys = random.pick([.ignore, .report, .reject])
                if random.below(2) == 0 { options = options.throughYajl }
                if try compare(model, bytes, options) { accepted += 1 } else { refused += 1 }
            }
        }
        #expect(accepted > 24 * 30)
        #expect(refused > 24 * 20)
    }

    @Test func aTextThatIsCutAnywhereIsRefusedForTheSameReason() throws {
        for model in Self.models {
            var random = SplitMix64(seed: 72 << 32 | UInt64(model.seed))
            var made = GeneratedJSON(random: random)
            let bytes = Array(made.object(for: model.made, .exact).text(&random).utf8)
            for end in 0...bytes.count {
                for options in [JSONReader.Options(), .init().throughYajl] {
                    _ = try compare(model, Array(bytes[..<end]), options)
                }
            }
        }
    }

    @Test func aTextWithAnotherByteAnywhereIsJudgedTheSame() throws {
        for model in Self.models.prefix(Self.isFull ? 24 : 6) {
            var random = SplitMix64(seed: 73 << 32 | UInt64(model.seed))
            var made = GeneratedJSON(random: random)
            let bytes = Array(made.object(for: model.made, .exact).text(&random).utf8)
            for offset in bytes.indices {
                for byte in [UInt8(ascii: "\""), UInt8(ascii: "0"), UInt8(ascii: "}"), 0xC3, UInt8(ascii: "\\")] {
                    var other = bytes
                    other[offset] = byte
                    _ = try compare(model, other, JSONReader.Options())
                    _ = try compare(model, other, JSONReader.Options().throughYajl)
                }
            }
        }
    }

    /// Reads a text as a model and as its columns. Returns whether the model accepts it.
    private func compare<Model: GeneratedModel>(
        _ type: Model.Type, _ bytes: [UInt8], _ options: JSONReader.Options
    ) throws -> Bool {
        let columns = try ModelColumns.of(type)
        let reader = ColumnReader(columns, options: options)
        let (value, error) = JSONReader.outcome(type, bytes, options)
        let other = reader.failure(bytes)
        func comment() -> Comment {
            "\(String(decoding: bytes, as: UTF8.self)) as \(Model.made)\n    \(options)\n    \(error?.description ?? "accepted")\n    \(other?.description ?? "accepted")"
        }
        #expect(other?.kind == error?.kind, comment())
        #expect(other?.path == error?.path, comment())
        #expect(other?.position == error?.position, comment())
        #expect(other?.description == error?.description, comment())
        guard let value, other == nil else { return false }
        for (property, text) in value.writtenProperties {
            // A model inside has columns of its own, whose names begin with its name.
            let cells = reader.texts(bytes, columns).filter { $0.name == property.name || $0.name.hasPrefix(property.name + "_") }
            if property.field == .leaf, let leaf = value.fieldsOfShape.leaf {
                let texts = cells.map(\.text)
                guard texts != [nil, nil, nil] else {
                    #expect(property.presence != .required && leaf == Leaf(id: 42), "\(property), \(comment())")
                    continue
                }
                #expect(texts[0] == "\(leaf.id)", comment())
                #expect(texts[1] == leaf.note.map(String.init), comment())
                let weights = leaf.weights.isEmpty && texts[2] == nil ? nil : try leaf.weights.jsonString(options: .sortedKeys)
                #expect(try texts[2].map { try JSONValue(json: $0).jsonString(options: .sortedKeys) } == weights, comment())
            } else if let cell = cells.first?.text {
                let isSame = property.field == .single ? Float(cell) == text.flatMap { Float($0) } : cell.isSameJSON(as: text)
                // A set, also one inside a child, is written in an order of its own each time it is made.
                let isReordered = [.ids, .children].contains(property.field) && cell.utf8.sorted() == text?.utf8.sorted()
                #expect(cell == text || isSame || isReordered, "\(property), \(comment())")
            } else {
                // A property that no value has come for is null, whatever it begins with.
                let isNull = text == nil || text == "null"
                let isInitial = isNull || text == value.initialText(of: property)
                #expect(isInitial && (isNull || property.presence != .required), "\(property) \(text ?? "nil"), \(comment())")
            }
        }
        return true
    }

    // MARK: Which columns there are

    private func columns<Model: JSONModel>(_ type: Model.Type) throws -> [String] {
        try ModelColumns.of(type).columns.map {
            "\($0.name): \($0.type.name) at \($0.keys.map(\.text).joined(separator: ", "))\($0.isSensitive ? ", sensitive" : "")"
        }
    }

    @Test func aModelInsideHasColumnsOfItsOwn() throws {
        #expect(
            try columns(Couple<Leaf, Int>.self) == [
                "first_id: integer at first.id, first.ID", "first_ext_note: text at first.ext.note",
                "first_ext_weights: json at first.ext.weights, first.weights", "second: integer at second",
            ])
    }

    @Test func theTypeOfAPropertySaysThatOfItsColumn() throws {
        #expect(try columns(Couple<Bool, Double>.self) == ["first: bool at first", "second: real at second"])
        #expect(try columns(Couple<UInt32, Float>.self) == ["first: integer at first", "second: real at second"])
        // No column of integers holds these.
        #expect(try columns(Couple<UInt64, Int128>.self) == ["first: text at first", "second: text at second"])
        #expect(try columns(Couple<Substring, String>.self) == ["first: text at first", "second: text at second"])
        #expect(try columns(Couple<Color, Level>.self) == ["first: text at first", "second: integer at second"])
        #expect(try columns(Couple<[Int], [String: Leaf]>.self) == ["first: json at first", "second: json at second"])
        #expect(try columns(Couple<JSONValue, Figure>.self) == ["first: json at first", "second: json at second"])
        #expect(try columns(Couple<RawJSON, Set<Int>>.self) == ["first: json at first", "second: json at second"])
        #expect(try columns(Couple<Int?, Leaf?>.self) == ["first: integer at first", "second: json at second"])
    }

    @Test func whatCannotBeAColumnIsNamed() {
        func problem<Model: JSONModel>(_ type: Model.Type) -> String {
            do throws(JSONError) {
                _ = try ModelColumns.of(type)
                return "none"
            } catch {
                #expect(error.kind == .invalidModel)
                return error.found
            }
        }
        #expect(
            problem(Chosen<Int, AsBool>.self)
                == "Chosen<Int, AsBool>.value is of type Int, which has no column of type bool; it can be integer, real, text, json"
        )
        #expect(
            problem(Chosen<[Int], AsBool>.self)
                == "Chosen<Array<Int>, AsBool>.value is of type [Int], which has no column of type bool; it can be json, text")
        #expect(problem(Chosen<Int, AsOther>.self).hasSuffix("name one of them with @JSONColumn"))
    }

    @Test func aColumnOfAnotherTypeHoldsTheSameValue() throws {
        func text<Value: JSONBindable, Choice: ColumnChoosing>(_ type: Chosen<Value, Choice>.Type, _ json: String) throws
            -> String?
        {
            let columns = try ModelColumns.of(type)
            let reader = ColumnReader(columns)
            if let failure = reader.failure(Array(json.utf8)) { return "\(failure.kind) at '\(failure.path)'" }
            return reader.texts(Array(json.utf8), columns).first?.text
        }
        #expect(try text(Chosen<Int, AsText>.self, #"{"value":"7"}"#) == "7")
        #expect(try text(Chosen<UInt64, AsInteger>.self, #"{"value":9223372036854775807}"#) == "9223372036854775807")
        #expect(try text(Chosen<UInt64, AsInteger>.self, #"{"value":9223372036854775808}"#) == "invalidValue at 'value'")
        #expect(try text(Chosen<Int, AsReal>.self, #"{"value":4}"#) == "4.0")
        #expect(try text(Chosen<Int, AsReal>.self, #"{"value":9007199254740993}"#) == "invalidValue at 'value'")
        #expect(try text(Chosen<Leaf, AsJSON>.self, #"{"value":{"ID":1,"weights":{}}}"#) == #"{"id":1,"ext":{"weights":{}}}"#)
        #expect(try text(Chosen<String, AsJSON>.self, #"{"value":"a\"b"}"#) == #""a\"b""#)
        #expect(try text(Chosen<[String], AsText>.self, #"{"value":["a"]}"#) == #"["a"]"#)
        #expect(try text(Chosen<Color, AsText>.self, #"{"value":"deep blue"}"#) == "deep blue")
    }

    @Test func readingMakesNoAllocationForARecord() throws {
        let columns = try ModelColumns.of(Couple<String, Leaf>.self)
        let reader = ColumnReader(columns)
        let json = Array(
            #"{"first":"a text that no small string holds","second":{"id":7,"ext":{"note":"a note that is a long one, too"}}}"#
                .utf8)
        guard AllocationCounter.isAvailable else { return }
        for _ in 0..<3 { #expect(reader.failure(json) == nil) }
        let count = AllocationCounter.count {
            for _ in 0..<100 { _ = unsafe json.withUnsafeBytes { unsafe try? reader.read($0) } }
        }
        #expect(count == 0)
    }
}

// MARK: What the tests read

extension JSONReader {
    /// What reading a text gives.
    fileprivate static func outcome<Value: JSONReadable>(
        _ type: Value.Type, _ bytes: [UInt8], _ options: Options
    ) -> (Value?, JSONError?) {
        var reader = JSONReader(options: options)
        do throws(JSONError) {
            return (try reader.read(type, from: bytes), nil)
        } catch {
            return (nil, error)
        }
    }
}

extension ColumnReader {
    /// Why a text is refused; nil if it is not.
    fileprivate func failure(_ bytes: [UInt8]) -> JSONError? {
        unsafe bytes.withUnsafeBytes { bytes -> JSONError? in
            do throws(JSONError) {
                try unsafe read(bytes)
                return nil
            } catch {
                return error
            }
        }
    }

    /// The cells of a record that is accepted, as text.
    fileprivate func texts(_ bytes: [UInt8], _ columns: ModelColumns) -> [(name: String, text: String?)] {
        unsafe bytes.withUnsafeBytes { bytes in
            guard unsafe (try? read(bytes)) != nil else { return [] }
            return columns.columns.indices.map { index in
                let text: String? =
                    switch value(at: index) {
                    case .null: nil
                    case .integer(let value): columns.columns[index].type == .bool ? "\(value == 1)" : "\(value)"
                    case .real(let value): "\(value)"
                    case .text(let text): unsafe String(decoding: text, as: UTF8.self)
                    }
                return (columns.columns[index].name, text)
            }
        }
    }
}

extension String {
    /// Whether both are the same JSON, whatever the order of members and the form of numbers.
    fileprivate func isSameJSON(as other: String?) -> Bool {
        guard let other, let left = try? JSONValue(json: self), let right = try? JSONValue(json: other) else { return false }
        if let left = left.number, let right = right.number { return left.double == right.double }
        return left.sorted == right.sorted
    }
}

extension GeneratedModel {
    /// The fields of a generated model.
    fileprivate var fieldsOfShape: GeneratedFields<Self> {
        // Safe: each generated model is a shape.
        (self as? any HasFields)?.anyFields as? GeneratedFields<Self> ?? GeneratedFields<Self>()
    }

    /// The properties that are read, with what the model would write of their values; nil for nil.
    fileprivate var writtenProperties: [(GeneratedProperty, String?)] {
        Self.made.properties.filter { $0.direction != .writing }.map { ($0, text(of: $0, fieldsOfShape)) }
    }

    fileprivate func initialText(of property: GeneratedProperty) -> String? {
        var initial = Initial<Self>()
        try? GeneratedFields<Self>.visit(property.field, &initial)
        return text(of: property, initial.fields)
    }

    private func text(of property: GeneratedProperty, _ fields: GeneratedFields<Self>) -> String? {
        var written = WrittenField<Self>(fields: fields, policy: property.policy.completed(by: Self.made.policy))
        try? GeneratedFields<Self>.visit(property.field, &written)
        return written.text
    }
}

private protocol HasFields {
    var anyFields: Any { get }
}

extension Shape: HasFields {
    fileprivate var anyFields: Any { fields }
}

private struct Initial<Child: JSONBindable & Equatable>: FieldVisitor {
    var fields = GeneratedFields<Child>()

    mutating func visit<Value: JSONBindable>(_ path: WritableKeyPath<GeneratedFields<Child>, Value?>, _ initial: Value) {
        fields[keyPath: path] = initial
    }
}

/// Writes a field as a model does that has nothing else.
private struct WrittenField<Child: JSONBindable & Equatable>: FieldVisitor {
    let fields: GeneratedFields<Child>
    let policy: JSONPropertyPolicy
    var text: String?

    mutating func visit<Value: JSONBindable>(_ path: WritableKeyPath<GeneratedFields<Child>, Value?>, _ initial: Value) {
        guard let value = fields[keyPath: path] else { return }
        if let value = value as? String {
            text = value
            return
        }
        var options = JSONWriter.Options()
        options.nonFinite = .strings
        if let date = policy.date { options.dates = date }
        text = try? value.jsonString(options: options)
        if let scalar = text.flatMap({ try? JSONValue(json: $0) })?.string, !(value is JSONValue), !(value is RawJSON) {
            text = scalar
        }
    }
}

/// A model of two required properties.
private struct Couple<First: JSONBindable, Second: JSONBindable>: JSONModel {
    var first: First
    var second: Second

    struct JSONDraft: _JSONModelDraft {
        var first: First?
        var second: Second?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("first", \JSONDraft.first)
        model.property("second", \JSONDraft.second)
    }

    static var _jsonTable: PropertyTable { PropertyTable._compiled(for: Self.self) }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        first = try bound.required(draft.first, 0)
        second = try bound.required(draft.second, 1)
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        try slot == 0 ? writer.property(first) : writer.property(second)
    }
}

private protocol ColumnChoosing {
    static func choose<Draft>(_ model: inout _ModelDescription<Draft>)
}

private enum AsBool: ColumnChoosing { static func choose<Draft>(_ model: inout _ModelDescription<Draft>) { model.column(.bool) } }
private enum AsText: ColumnChoosing { static func choose<Draft>(_ model: inout _ModelDescription<Draft>) { model.column(.text) } }
private enum AsInteger: ColumnChoosing {
    static func choose<Draft>(_ model: inout _ModelDescription<Draft>) { model.column(.integer) }
}
private enum AsReal: ColumnChoosing { static func choose<Draft>(_ model: inout _ModelDescription<Draft>) { model.column(.real) } }
private enum AsJSON: ColumnChoosing {
    static func choose<Draft>(_ model: inout _ModelDescription<Draft>) { model.column("v", .json) }
}
private enum AsOther: ColumnChoosing {
    static func choose<Draft>(_ model: inout _ModelDescription<Draft>) { model.column("other") }
}

/// A model of a property with a column of its choice.
private struct Chosen<Value: JSONBindable, Choice: ColumnChoosing>: JSONModel {
    var value: Value
    var other: Int?

    struct JSONDraft: _JSONModelDraft {
        var value: Value?
        var other: Int?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("value", \JSONDraft.value)
        Choice.choose(&model)
        model.property("other", \JSONDraft.other, presence: .optional)
    }

    static var _jsonTable: PropertyTable { PropertyTable._compiled(for: Self.self) }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        value = try bound.required(draft.value, 0)
        other = draft.other
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        try slot == 0 ? writer.property(value) : writer.property(other)
    }
}
