// Dates and bytes as a Foundation-free package has them, and a model whose property has a format.

@testable import SluiceCore

/// A date that is nothing but its moment.
struct Moment: JSONScalarBindable, Hashable {
    var timestamp: JSONTimestamp

    init(_ seconds: Int64, _ nanoseconds: Int32 = 0) {
        timestamp = JSONTimestamp(seconds: seconds, nanoseconds: nanoseconds)
    }

    init?(jsonScalar scalar: JSONScalar) {
        guard let timestamp = scalar.timestamp else { return nil }
        self.timestamp = timestamp
    }

    func write(to writer: inout JSONWriter) throws(JSONError) { try writer.write(timestamp) }
    static var jsonExpectation: String { "a date" }
}

/// Bytes that write the name of the format that they are asked for.
struct Blob: JSONScalarBindable, Hashable {
    init() {}
    init?(jsonScalar scalar: JSONScalar) {}
    func write(to writer: inout JSONWriter) throws(JSONError) { writer.write(writer.dataFormat == .utf8 ? "utf8" : "base64") }
}

/// What a property says beyond its key.
protocol PolicyChoice {
    static var policy: JSONPropertyPolicy { get }
    static var layout: JSONLayout { get }
}

extension PolicyChoice {
    static var layout: JSONLayout { .object }
}

/// A model of a property with a policy and one without.
struct Formatted<Value: JSONBindable, Choice: PolicyChoice> {
    var styled: Value?
    var plain: Moment?
}

extension Formatted: JSONModel {
    struct JSONDraft: _JSONModelDraft {
        var styled: Value?
        var plain: Moment?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.layout = Choice.layout
        model.property("styled", \JSONDraft.styled, presence: .optional, policy: Choice.policy)
        model.property("plain", \JSONDraft.plain, presence: .optional)
    }

    static var _jsonTable: PropertyTable { PropertyTable._compiled(for: Self.self) }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        styled = draft.styled
        plain = draft.plain
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(styled)
        case 1: try writer.property(plain)
        default: break
        }
    }
}
