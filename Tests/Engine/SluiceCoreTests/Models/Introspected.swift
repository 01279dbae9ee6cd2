// Models for looking at, comparing, copying and archiving: written as the macro would, with a case for each slot, so that
// properties which are ignored in writing can be reached.

import SluiceTestSupport

@testable import SluiceCore

/// Scalars and an array.
struct Gadget: JSONModel, Equatable {
    var string: String = ""
    var int: Int = 0
    var float: Double = 0
    var array: [Int] = []

    struct JSONDraft: _JSONModelDraft {
        var string: String?
        var int: Int?
        var float: Double?
        var array: [Int]?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("string", \JSONDraft.string, presence: .defaulted)
        model.property("int", \JSONDraft.int, presence: .defaulted)
        model.property("float", \JSONDraft.float, presence: .defaulted)
        model.property("array", \JSONDraft.array, presence: .defaulted)
    }

    static let _jsonTable = PropertyTable._compiled(for: Gadget.self)

    init(string: String = "", int: Int = 0, float: Double = 0, array: [Int] = []) {
        (self.string, self.int, self.float, self.array) = (string, int, float, array)
    }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        if let value = draft.string { string = value }
        if let value = draft.int { int = value }
        if let value = draft.float { float = value }
        if let value = draft.array { array = value }
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(string)
        case 1: try writer.property(int)
        case 2: try writer.property(float)
        case 3: try writer.property(array)
        default: break
        }
    }
}

/// Two strings, and one that is no business of JSON's.
final class Pair: JSONModel, JSONHashableModel {
    var string: String?
    var string2: String?
    var note = ""

    struct JSONDraft: _JSONModelDraft {
        var string: String?
        var string2: String?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("string", \JSONDraft.string, presence: .optional)
        model.property("string2", \JSONDraft.string2, presence: .optional)
    }

    static let _jsonTable = PropertyTable._compiled(for: Pair.self)

    init(_ string: String?, _ string2: String?) {
        self.string = string
        self.string2 = string2
    }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        string = draft.string
        string2 = draft.string2
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(string)
        case 1: try writer.property(string2)
        default: break
        }
    }
}

/// An object that others are reached from, and perhaps itself.
final class Station: JSONModel, JSONHashableModel, JSONDescribable {
    var name: String
    var next: Station?
    var lines: [Station] = []
    var weights: [String: Double] = [:]

    struct JSONDraft: _JSONModelDraft {
        var name: String?
        var next: Station?
        var lines: [Station]?
        var weights: [String: Double]?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("name", \JSONDraft.name)
        model.property("next", \JSONDraft.next, keys: ["links.next"], presence: .optional)
        model.property("lines", \JSONDraft.lines, keys: ["links.lines"], presence: .defaulted)
        model.property("weights", \JSONDraft.weights, presence: .defaulted)
    }

    static let _jsonTable = PropertyTable._compiled(for: Station.self)

    init(_ name: String, next: Station? = nil, lines: [Station] = [], weights: [String: Double] = [:]) {
        self.name = name
        self.next = next
        self.lines = lines
        self.weights = weights
    }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        name = try bound.required(draft.name, 0)
        next = draft.next
        if let value = draft.lines { lines = value }
        if let value = draft.weights { weights = value }
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(name)
        case 1: try writer.property(next)
        case 2: try writer.property(lines)
        case 3: try writer.property(weights)
        default: break
        }
    }
}

/// Properties of every direction and policy; the form of `created` has lost the time of day, and `tag` has an initial value.
struct Membership: JSONModel, JSONHashableModel, JSONDescribable {
    var id: Int
    var password: String = "none"
    var cache: String = "cold"
    var token: String?
    var tag: String? = "new"
    var extra: JSONValue = .null
    var hidden = 0
    let client = "sluice"

    struct JSONDraft: _JSONModelDraft {
        var id: Int?
        var password: String?
        var cache: String?
        var token: String?
        var tag: String?
        var extra: JSONValue?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("id", \JSONDraft.id, keys: ["user.id", "id"])
        model.property("password", \JSONDraft.password, keys: ["pw"], presence: .defaulted, direction: .reading)
        model.property(
            "cache", \JSONDraft.cache, presence: .defaulted, policy: JSONPropertyPolicy(isArchived: false))
        model.property("token", \JSONDraft.token, presence: .optional, policy: JSONPropertyPolicy(isSensitive: true))
        model.property("tag", \JSONDraft.tag, presence: .optional)
        model.property("extra", \JSONDraft.extra, presence: .defaulted)
        model.writeOnly("client", String.self)
    }

    static let _jsonTable = PropertyTable._compiled(for: Membership.self)

    init(id: Int) { self.id = id }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        id = try bound.required(draft.id, 0)
        if let value = draft.password { password = value }
        if let value = draft.cache { cache = value }
        token = draft.token
        if bound.contains(4) { tag = draft.tag }
        if let value = draft.extra { extra = value }
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(id)
        case 1: try writer.property(password)
        case 2: try writer.property(cache)
        case 3: try writer.property(token)
        case 4: try writer.property(tag)
        case 5: try writer.property(extra)
        case 6: try writer.property(client)
        default: break
        }
    }
}
