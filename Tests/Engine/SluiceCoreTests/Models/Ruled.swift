// A model of one property with policies: presence, keys and policies are a type parameter.

import SluiceTestSupport

@testable import SluiceCore

/// What is said about the property of a ``Ruled``.
protocol Rules {
    static var presence: JSONPresence { get }
    static var keys: [JSONKeyPath] { get }
    static var policy: JSONPropertyPolicy { get }
    static var modelPolicy: JSONPropertyPolicy { get }
    static var layout: JSONLayout { get }
}

extension Rules {
    static var presence: JSONPresence { .defaulted }
    static var keys: [JSONKeyPath] { ["v"] }
    static var policy: JSONPropertyPolicy { .none }
    static var modelPolicy: JSONPropertyPolicy { .none }
    static var layout: JSONLayout { .object }
}

/// The three presences, without a policy. An optional has an initial value here, so that nil and absent are two things.
enum Required: Rules { static let presence = JSONPresence.required }
enum Defaulted: Rules {}
enum Maybe: Rules { static let presence = JSONPresence.optional }

struct Ruled<Value: Sample, Rule: Rules>: Equatable, CustomStringConvertible {
    var value: Value?

    init(_ value: Value?) { self.value = value }

    static func == (left: Ruled, right: Ruled) -> Bool { left.value == right.value }

    var description: String { value.map { "\($0)" } ?? "nil" }
}

extension Ruled: JSONModel {
    struct JSONDraft: _JSONModelDraft {
        var value: Value?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.policy = Rule.modelPolicy
        model.layout = Rule.layout
        model.property("value", \JSONDraft.value, keys: Rule.keys, presence: Rule.presence, policy: Rule.policy)
    }

    static var _jsonTable: PropertyTable { PropertyTable._compiled(for: Self.self) }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        switch Rule.presence {
        case .required:
            let bound: Value = try bound.required(draft.value, 0)
            value = bound
        case .defaulted: value = draft.value ?? .initial
        case .optional: value = bound.contains(0) ? draft.value : .initial
        }
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        if slot == 0 { try writer.property(value) }
    }
}

extension Ruled: Sample { static var initial: Self { Self(.initial) } }

/// A number that is kept as it is written, as a decimal is made of its text.
struct Exact: JSONScalarBindable, Sample, Hashable {
    var text: String

    init(_ text: String) { self.text = text }

    init?(jsonScalar scalar: JSONScalar) {
        guard let text = scalar.numberText else { return nil }
        self.text = text
    }

    func write(to writer: inout JSONWriter) throws(JSONError) { writer.write(text) }
    static var initial: Exact { Exact("initial") }
}

/// Raw values that are numbers and booleans as text.
enum Code: String, JSONScalarBindable, Sample {
    case one = "1", half = "0.5", yes = "true", other
    static var initial: Code { .other }
}
