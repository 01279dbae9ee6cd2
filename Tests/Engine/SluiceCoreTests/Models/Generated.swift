// Models that are made up of a seed: which properties there are, and the keys, alternatives, directions, presences and policies
// of each. A seed is a type of its own, and so has a table of its own.

import SluiceTestSupport

@testable import SluiceCore

/// What is said of one property.
struct GeneratedProperty: CustomStringConvertible {
    var name: String
    var field: GeneratedField
    var keys: [JSONKeyPath]
    var presence: JSONPresence
    /// Whether an optional starts with a value: then nil and absent are two things.
    var hasInitial = false
    var direction = JSONDirection.both
    var policy = JSONPropertyPolicy.none

    var description: String {
        var words = ["\(name): \(field) \(presence)\(hasInitial ? " = initial" : "")", "keys \(keys.map(\.components))"]
        if direction != .both { words.append("\(direction)") }
        words.append(policy.summary)
        return words.joined(separator: ", ")
    }
}

extension JSONPropertyPolicy {
    /// What the policy says, without what it does not.
    fileprivate var summary: String {
        Mirror(reflecting: self).children.compactMap { child in
            let text = "\(child.value)"
            let words = text.replacing("SluiceCore.", with: "").replacing("Optional", with: "")
            return text == "nil" || text == "false" || text == "true" ? nil : "\(child.label ?? ""): \(words)"
        }.joined(separator: ", ")
    }
}

/// The kinds of properties.
enum GeneratedField: CaseIterable {
    case int, small, large, real, single, text, flag, numbers, weights, ids, sparse, texts, color, level, any, raw, moment, leaf
    case figure, children
}

/// What is said of a model.
struct GeneratedDescription: CustomStringConvertible {
    let seed: Int
    /// Whether each key belongs to one property, both read and written, and no value that does not fit is tolerated: then
    /// what is written can be read back.
    let isPlain: Bool
    var policy = JSONPropertyPolicy.none
    var properties: [GeneratedProperty] = []

    var description: String {
        "Shape<\(seed)>, \(policy.summary)\n" + properties.map { "    \($0)" }.joined(separator: "\n")
    }

    /// The first half of them are plain.
    static let all = (0..<24).map { GeneratedDescription(seed: $0, isPlain: $0 < 12) }

    private static let plainKeys: [JSONKeyPath] = [
        "a", "b", "id", "name", "x.a", "x.b", "x.c.d", "y.a", "é", "e\u{301}", .literal("p.q"), .literal("with \"quotes\"\n"),
        .literal("?"), "😀", "type", "a long key of more than sixteen bytes", .literal(""), "z.é.?", "c", "d", "e", "f", "g", "h",
        "i", "j", "k", "l", "m", "n",
    ]

    init(seed: Int, isPlain: Bool) {
        self.seed = seed
        self.isPlain = isPlain
        var random = SplitMix64(seed: 4000 + UInt64(seed))
        if random.below(3) == 0 { policy = Self.policy(&random, isPlain) }
        var keys = Self.plainKeys.shuffled(using: &random)
        if !isPlain { keys = Array(keys.prefix(9)) + ["x", "x.c", "id.a"] }
        let fields = GeneratedField.allCases.shuffled(using: &random).prefix(4 + random.below(6))
        for (number, field) in fields.enumerated() {
            var own: [JSONKeyPath] = []
            for _ in 0..<random.pick([1, 1, 1, 2, 3]) {
                guard let key = isPlain ? keys.popLast() : random.pick(keys) else { continue }
                if !own.contains(key) { own.append(key) }
            }
            var property = GeneratedProperty(
                name: "p\(number)", field: field, keys: own,
                presence: field == .children ? .optional : random.pick([.required, .defaulted, .optional, .optional, .optional]))
            if property.presence == .optional, field != .children { property.hasInitial = random.below(3) == 0 }
            if random.below(2) == 0 { property.policy = Self.policy(&random, isPlain) }
            if !isPlain, random.below(8) == 0 { property.direction = random.pick([.reading, .writing]) }
            if property.direction == .writing { property.presence = .defaulted }
            if field == .text, random.below(3) == 0 { property.policy.joinSeparator = ", " }
            if field == .moment, random.below(3) == 0 {
                property.policy.date = random.pick([.unix, .milliseconds, .iso8601, .rfc1123, .format("yyyy/MM/dd HH:mm:ss")])
            }
            if field == .leaf, random.below(3) == 0 { property.policy.update = .replace }
            if field == .numbers, random.below(3) == 0 { property.policy.update = .append }
            properties.append(property)
        }
    }

    private static func policy(_ random: inout SplitMix64, _ isPlain: Bool) -> JSONPropertyPolicy {
        let conversions: [JSONConversions?] = [
            nil, .strict, .lenient, .truncating, .init(overflow: .clamp), .init(overflow: .wrap),
            JSONConversions(emptyStringIsNull: true),
            JSONConversions(extendedBooleans: true),
        ]
        return JSONPropertyPolicy(
            conversions: random.pick(isPlain ? conversions : conversions + [.yyModel]),
            nulls: random.pick([nil, .asNil, .keep, .empty, .default, .error]),
            mismatch: isPlain ? nil : random.pick([nil, nil, .default, .keep, .nil]),
            elements: random.pick([nil, .strict, .skipMistyped, .skipInvalid, .skipNull]),
            isSensitive: random.below(8) == 0)
    }

    /// The null policy of a property, its model's included.
    func nulls(of property: GeneratedProperty) -> JSONNullPolicy? { property.policy.nulls ?? policy.nulls }
}

// MARK: The model

/// A field for each kind of property; only those that the description names are properties.
struct GeneratedFields<Child: JSONBindable & Equatable>: _JSONModelDraft, Equatable {
    var int: Int?
    var small: Int8?
    var large: UInt64?
    var real: Double?
    var single: Float?
    var text: String?
    var flag: Bool?
    var numbers: [Int]?
    var weights: [String: Double]?
    var ids: Set<Int>?
    var sparse: [Int?]?
    var texts: [Substring]?
    var color: Color?
    var level: Level?
    var any: JSONValue?
    var raw: RawJSON?
    var moment: Moment?
    var leaf: Leaf?
    var figure: Figure?
    var children: [Child]?

    init() {}

    /// Calls `visitor` with the field of a kind, and with what it starts with.
    static func visit<Visitor: FieldVisitor>(
        _ field: GeneratedField, _ visitor: inout Visitor
    ) throws(JSONError) where Visitor.Child == Child {
        switch field {
        case .int: try visitor.visit(\.int, 42)
        case .small: try visitor.visit(\.small, -42)
        case .large: try visitor.visit(\.large, .max)
        case .real: try visitor.visit(\.real, 0.5)
        case .single: try visitor.visit(\.single, 1.5)
        case .text: try visitor.visit(\.text, "initial, and longer than fifteen bytes")
        case .flag: try visitor.visit(\.flag, true)
        case .numbers: try visitor.visit(\.numbers, [4, 2])
        case .weights: try visitor.visit(\.weights, ["initial": 1])
        case .ids: try visitor.visit(\.ids, [42])
        case .sparse: try visitor.visit(\.sparse, [nil, 42])
        case .texts: try visitor.visit(\.texts, ["initial"])
        case .color: try visitor.visit(\.color, .green)
        case .level: try visitor.visit(\.level, .high)
        case .any: try visitor.visit(\.any, ["initial"])
        case .raw: try visitor.visit(\.raw, RawJSON(known: "[0]"))
        case .moment: try visitor.visit(\.moment, Moment(1_390_220_688))
        case .leaf: try visitor.visit(\.leaf, Leaf(id: 42))
        case .figure: try visitor.visit(\.figure, .disc(Disc(r: 42)))
        case .children: try visitor.visit(\.children, [])
        }
    }
}

protocol FieldVisitor<Child> {
    associatedtype Child: JSONBindable & Equatable
    mutating func visit<Value: JSONBindable>(
        _ path: WritableKeyPath<GeneratedFields<Child>, Value?>, _ initial: Value
    ) throws(JSONError)
}

/// A model whose table is made of a seed.
protocol GeneratedModel: JSONModel, Equatable {
    static var seed: Int { get }
    /// The same with the members of JSON values in the order of their keys, and raw JSON as it would be written anew.
    var sorted: Self { get }
    /// Whether a property is nil.
    func isNil(_ property: GeneratedProperty) -> Bool
}

extension GeneratedModel {
    static var made: GeneratedDescription { GeneratedDescription.all[seed] }
}

struct Shape<let number: Int>: GeneratedModel, CustomStringConvertible {
    typealias JSONDraft = GeneratedFields<Shape>

    var fields = JSONDraft()

    static var seed: Int { number }

    static var _jsonTable: PropertyTable { PropertyTable._compiled(for: Self.self) }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.policy = made.policy
        for property in made.properties {
            var describing = Describing(model: model, property: property)
            try? JSONDraft.visit(property.field, &describing)
            model = describing.model
        }
    }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        for (slot, property) in Self.made.properties.enumerated() {
            var completing = Completing(draft: draft, bound: bound, property: property, slot: slot)
            try JSONDraft.visit(property.field, &completing)
            draft = completing.draft
        }
        fields = draft
    }

    func _makeDraft() -> JSONDraft? { fields }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        try write(Self.made.properties[slot].field, to: &writer)
    }

    private struct Describing: FieldVisitor {
        var model: _ModelDescription<JSONDraft>
        let property: GeneratedProperty

        mutating func visit<Value: JSONBindable>(_ path: WritableKeyPath<JSONDraft, Value?>, _ initial: Value) {
            if property.direction == .writing {
                model.writeOnly(property.name, Value.self, keys: property.keys, policy: property.policy)
            } else {
                model.property(
                    property.name, path, keys: property.keys, presence: property.presence, direction: property.direction,
                    policy: property.policy)
                // Several properties may have one key, but not one column.
                model.column(property.name)
            }
        }
    }

    private struct Completing: FieldVisitor {
        var draft: JSONDraft
        let bound: _BoundProperties
        let property: GeneratedProperty
        let slot: Int

        mutating func visit<Value: JSONBindable>(
            _ path: WritableKeyPath<JSONDraft, Value?>, _ initial: Value
        ) throws(JSONError) {
            switch property.presence {
            case .required:
                let value: Value = try bound.required(draft[keyPath: path], slot)
                draft[keyPath: path] = value
            case .defaulted: draft[keyPath: path] = draft[keyPath: path] ?? initial
            case .optional: if property.hasInitial, !bound.contains(slot) { draft[keyPath: path] = initial }
            }
        }
    }

    private func write(_ field: GeneratedField, to writer: inout JSONWriter) throws(JSONError) {
        switch field {
        case .int: try writer.property(fields.int)
        case .small: try writer.property(fields.small)
        case .large: try writer.property(fields.large)
        case .real: try writer.property(fields.real)
        case .single: try writer.property(fields.single)
        case .text: try writer.property(fields.text)
        case .flag: try writer.property(fields.flag)
        case .numbers: try writer.property(fields.numbers)
        case .weights: try writer.property(fields.weights)
        case .ids: try writer.property(fields.ids)
        case .sparse: try writer.property(fields.sparse)
        case .texts: try writer.property(fields.texts)
        case .color: try writer.property(fields.color)
        case .level: try writer.property(fields.level)
        case .any: try writer.property(fields.any)
        case .raw: try writer.property(fields.raw)
        case .moment: try writer.property(fields.moment)
        case .leaf: try writer.property(fields.leaf)
        case .figure: try writer.property(fields.figure)
        case .children: try writer.property(fields.children)
        }
    }

    private struct Asking: FieldVisitor {
        let fields: JSONDraft
        var isNil = false

        mutating func visit<Value: JSONBindable>(_ path: WritableKeyPath<JSONDraft, Value?>, _ initial: Value) {
            isNil = fields[keyPath: path] == nil
        }
    }

    func isNil(_ property: GeneratedProperty) -> Bool {
        var asking = Asking(fields: fields)
        try? JSONDraft.visit(property.field, &asking)
        return asking.isNil
    }

    var sorted: Self {
        var result = self
        result.fields.any = fields.any?.sorted
        result.fields.raw = fields.raw.map(\.sorted)
        if case .other(let raw) = fields.figure { result.fields.figure = .other(raw.sorted) }
        result.fields.children = fields.children?.map(\.sorted)
        return result
    }

    var description: String {
        "("
            + Self.made.properties.map { property in
                var telling = Telling(fields: fields)
                try? JSONDraft.visit(property.field, &telling)
                return "\(property.name) \(telling.text)"
            }.joined(separator: ", ") + ")"
    }

    private struct Telling: FieldVisitor {
        let fields: JSONDraft
        var text = ""

        mutating func visit<Value: JSONBindable>(_ path: WritableKeyPath<JSONDraft, Value?>, _ initial: Value) {
            text = fields[keyPath: path].map { "\($0)" } ?? "nil"
        }
    }
}

extension JSONValue {
    /// The same with the members of objects in the order of their keys.
    var sorted: JSONValue { (try? JSONValue(json: jsonBytes(options: .sortedKeys))) ?? self }
}

extension RawJSON {
    /// The text that would be written of the same value.
    fileprivate var sorted: RawJSON {
        guard let text = try? JSONValue(json: text).jsonString(options: .sortedKeys) else { return self }
        return (try? RawJSON(json: text)) ?? self
    }
}

// MARK: What they hold

/// A model inside others.
struct Leaf: JSONModel, Equatable {
    var id: Int
    var note: Substring?
    var weights: [String: Double] = [:]

    static let properties = [
        GeneratedProperty(name: "id", field: .int, keys: ["id", "ID"], presence: .required),
        GeneratedProperty(name: "note", field: .text, keys: ["ext.note"], presence: .optional),
        GeneratedProperty(name: "weights", field: .weights, keys: ["ext.weights", "weights"], presence: .defaulted),
    ]

    struct JSONDraft: _JSONModelDraft {
        var id: Int?
        var note: Substring?
        var weights: [String: Double]?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("id", \JSONDraft.id, keys: properties[0].keys)
        model.property("note", \JSONDraft.note, keys: properties[1].keys, presence: .optional)
        model.property("weights", \JSONDraft.weights, keys: properties[2].keys, presence: .defaulted)
    }

    static let _jsonTable = PropertyTable._compiled(for: Leaf.self)

    init(id: Int) { self.id = id }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        id = try bound.required(draft.id, 0)
        note = draft.note
        if let value = draft.weights { weights = value }
    }

    func _makeDraft() -> JSONDraft? {
        var draft = JSONDraft()
        (draft.id, draft.note, draft.weights) = (id, note, weights)
        return draft
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(id)
        case 1: try writer.property(note)
        case 2: try writer.property(weights)
        default: break
        }
    }
}

/// One of several models, told apart by a key that may be anywhere in the object.
enum Figure: JSONPolymorphic, Equatable {
    case disc(Disc)
    case bar(Bar)
    case other(RawJSON)

    static let jsonVariants = JSONVariants<Figure>(by: .key("type"))
        .variant("disc", Disc.self) { .disc($0) }
        .variant("bar", Bar.self) { .bar($0) }
        .unknown { _, raw in .other(raw) }

    func _write(to writer: inout JSONWriter) throws(JSONError) {
        switch self {
        case .disc(let disc): try Figure.jsonVariants._write("disc", disc, to: &writer)
        case .bar(let bar): try Figure.jsonVariants._write("bar", bar, to: &writer)
        // An archive wraps it: keys of its own, such as "#bar", must not be taken for the tag of a variant.
        case .other(let raw): try Figure.jsonVariants._writeUnknown(raw, to: &writer)
        }
    }
}

// MARK: JSON for them

/// Makes JSON for generated models.
struct GeneratedJSON {
    /// How well the JSON fits.
    enum Fit { case exact, loose }

    var random: SplitMix64

    /// An object for a model: all that is required is there, and fits, if it is to be exact.
    mutating func object(for model: GeneratedDescription, _ fit: Fit, isPart: Bool = false, depth: Int = 2) -> SampleJSON {
        var result = SampleJSON.object([])
        for property in model.properties.shuffled(using: &random) where property.direction != .writing {
            var keys = property.keys.shuffled(using: &random)
            let isNeeded = property.presence == .required && fit == .exact && !isPart
            if !isNeeded, random.below(isPart ? 2 : 4) == 0 { continue }
            // An update with two alternatives of a model merges both, in their order.
            let isMerged = isPart && property.field == .leaf
            keys = Array(keys.prefix(random.below(4) == 0 && !isMerged ? 2 : 1))
            for key in keys {
                result.put(value(for: property, in: model, fit, isNeeded: isNeeded, depth: depth), at: key.components)
            }
        }
        if random.below(4) == 0, case .object(let members) = result {
            let other = SampleJSON.Member("unbound", .random(&random, depth: 2))
            result = .object(members + [other])
        }
        return result
    }

    private mutating func value(
        for property: GeneratedProperty, in model: GeneratedDescription, _ fit: Fit, isNeeded: Bool, depth: Int
    ) -> SampleJSON {
        if fit == .loose, random.below(5) == 0 { return .random(&random, depth: 2) }
        if !isNeeded, random.below(10) == 0, fit == .loose || model.nulls(of: property) != .error { return .null }
        return fitting(property, in: model, fit, depth: depth)
    }

    private mutating func fitting(
        _ property: GeneratedProperty, in model: GeneratedDescription, _ fit: Fit, depth: Int
    ) -> SampleJSON {
        func number() -> String { random.pick(["0", "-1", "7", "123456789", "-9223372036854775808", "9223372036854775807"]) }
        func text() -> String { random.pick(["\"\"", "\"x\"", "\"7\"", "\"é\\n\"", "\"\\ud83d\\ude00 and more than fifteen\""]) }
        func real() -> String { random.pick(["0", "-0.0", "1.5", "0.1", "1e300", "-2.5e-7", "12345678901234567890", "5e-324"]) }
        func list(_ make: () -> String) -> SampleJSON { .array((0..<random.below(5)).map { _ in .lexeme(make()) }) }
        switch property.field {
        case .int: return .lexeme(number())
        case .small: return .lexeme(random.pick(["0", "-128", "127", "5"]))
        case .large: return .lexeme(random.pick(["0", "18446744073709551615", "7"]))
        case .real: return .lexeme(real())
        case .single: return .lexeme(random.pick(["0", "1.5", "0.1", "3.4e38", "-1e-45"]))
        case .text: return .lexeme(text())
        case .flag: return .lexeme(random.pick(["true", "false"]))
        case .numbers: return list(number)
        case .weights:
            let keys = ["a", "", "é", "a key of more than fifteen", "?"].shuffled(using: &random)
            return .object(keys.prefix(random.below(4)).map { .init($0, .lexeme(real())) })
        case .ids: return list { random.pick(["1", "2", "3"]) }
        case .sparse: return list { random.below(4) == 0 ? "null" : number() }
        case .texts: return list(text)
        case .color: return .lexeme(random.pick(["\"red\"", "\"green\"", "\"deep blue\""]))
        case .level: return .lexeme(random.pick(["-1", "0", "127"]))
        case .any: return .random(&random, depth: 3)
        case .raw: return .random(&random, depth: 2)
        case .moment: return .lexeme(moment(property.policy.date ?? model.policy.date))
        case .leaf: return leaf(fit)
        case .figure: return figure()
        case .children:
            guard depth > 0 else { return .array([]) }
            return .array((0..<random.below(3)).map { _ in object(for: model, fit, depth: depth - 1) })
        }
    }

    private mutating func moment(_ format: JSONDateFormat?) -> String {
        switch format {
        case .unix: random.pick(["0", "1390220688", "-1.5"])
        case .milliseconds: random.pick(["0", "1390220688123"])
        case .rfc1123: "\"Mon, 20 Jan 2014 12:24:48 GMT\""
        case .format: "\"2014/01/20 12:24:48\""
        default: random.pick(["\"2014-01-20T12:24:48Z\"", "\"2014-01-20T12:24:48.250+08:00\"", "\"1969-12-31T23:59:59.999Z\""])
        }
    }

    /// A leaf; a part of one where that may be.
    mutating func leaf(_ fit: Fit) -> SampleJSON {
        var result = SampleJSON.object([])
        if fit == .exact || random.below(8) > 0 {
            result.put(.lexeme(random.pick(["1", "2", "-3"])), at: [random.pick(["id", "ID"])])
        }
        if random.below(2) == 0 { result.put(.lexeme("\"note\""), at: ["ext", "note"]) }
        if random.below(2) == 0 {
            result.put(.object([.init("w", .lexeme("0.25"))]), at: random.pick([["ext", "weights"], ["weights"]]))
        }
        return result
    }

    private mutating func figure() -> SampleJSON {
        let members: [SampleJSON.Member] =
            switch random.below(4) {
            case 0, 1: [.init("type", .lexeme("\"disc\"")), .init("radius", .lexeme("\(random.below(9))"))]
            case 2: [.init("width", .lexeme("3")), .init("type", .lexeme("\"bar\"")), .init("more", .random(&random, depth: 1))]
            default: [.init("type", .lexeme("\"else\"")), .init("b", .array([.lexeme("1.50")])), .init("a", .null)]
            }
        return .object(members)
    }
}
