// A model with a property of each sort that errors have words of their own for.

@testable import SluiceCore

/// An enum that knows its cases.
enum Hue: String, JSONScalarBindable, CaseIterable { case red, green, deepBlue = "deep blue" }

/// A date that says how its form is told.
struct Day: JSONScalarBindable, Hashable {
    var timestamp: JSONTimestamp

    init?(jsonScalar scalar: JSONScalar) {
        guard let timestamp = scalar.timestamp else { return nil }
        self.timestamp = timestamp
    }

    func write(to writer: inout JSONWriter) throws(JSONError) { try writer.write(timestamp) }
    static func jsonHint(for scalar: JSONScalar) -> String? { scalar.dateHint }
}

struct Home: JSONModel, Equatable {
    var street: String
    var city: String

    struct JSONDraft: _JSONModelDraft {
        var street: String?
        var city: String?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("street", \JSONDraft.street)
        model.property("city", \JSONDraft.city, keys: ["city", "town"])
    }

    static let _jsonTable = PropertyTable._compiled(for: Home.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        street = try bound.required(draft.street, 0)
        city = try bound.required(draft.city, 1)
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}

struct Resident: JSONModel, Equatable {
    var name: String
    var age: UInt8?
    var hue: Hue?
    var born: Day?
    var tags: [String]
    var homes: [String: Home]
    var balance: Double?
    var raw: RawJSON?

    struct JSONDraft: _JSONModelDraft {
        var name: String?
        var age: UInt8??
        var hue: Hue??
        var born: Day??
        var tags: [String]?
        var homes: [String: Home]?
        var balance: Double??
        var raw: RawJSON??
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("name", \JSONDraft.name)
        model.property("age", \JSONDraft.age, presence: .optional)
        model.property("hue", \JSONDraft.hue, presence: .optional)
        model.property("born", \JSONDraft.born, presence: .optional)
        model.property("tags", \JSONDraft.tags, presence: .defaulted)
        model.property("homes", \JSONDraft.homes, presence: .defaulted)
        model.property("balance", \JSONDraft.balance, presence: .optional)
        model.property("raw", \JSONDraft.raw, presence: .optional)
    }

    static let _jsonTable = PropertyTable._compiled(for: Resident.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        name = try bound.required(draft.name, 0)
        age = draft.age ?? nil
        hue = draft.hue ?? nil
        born = draft.born ?? nil
        tags = draft.tags ?? []
        homes = draft.homes ?? [:]
        balance = draft.balance ?? nil
        raw = draft.raw ?? nil
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}
