// Models that are read in the shapes: written by hand, so that nothing but the Core and the feed is built.

import SluiceCore

/// A model of a few properties, all of which may be absent.
struct Item: JSONModel, Equatable {
    var id = 0
    var name: String?
    var tags: [Int]?

    struct JSONDraft: _JSONModelDraft {
        var id: Int?
        var name: String?
        var tags: [Int]?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("id", \JSONDraft.id, keys: ["id", "ID"], presence: .defaulted)
        model.property("name", \JSONDraft.name, presence: .optional)
        model.property("tags", \JSONDraft.tags, presence: .optional, policy: JSONPropertyPolicy(update: .append))
    }

    static let _jsonTable = PropertyTable._compiled(for: Item.self)

    init(id: Int) { self.id = id }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        if let value = draft.id { id = value }
        name = draft.name
        tags = draft.tags
    }

    func _makeDraft() -> JSONDraft? {
        var draft = JSONDraft()
        draft.id = id
        draft.name = name
        draft.tags = tags
        return draft
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(id)
        case 1: try writer.property(name)
        case 2: try writer.property(tags)
        default: break
        }
    }
}

/// A model whose properties share one key.
struct Shared: JSONModel {
    var list: [Int]?
    var raw: RawJSON?
    var value: JSONValue?

    struct JSONDraft: _JSONModelDraft {
        var list: [Int]?
        var raw: RawJSON?
        var value: JSONValue?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("list", \JSONDraft.list, keys: ["k"], presence: .optional)
        model.property("raw", \JSONDraft.raw, keys: ["k"], presence: .optional)
        model.property("value", \JSONDraft.value, keys: ["k"], presence: .optional)
    }

    static let _jsonTable = PropertyTable._compiled(for: Shared.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        list = draft.list
        raw = draft.raw
        value = draft.value
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}

/// A model that looks at its object before and after it is read.
struct Hooked: JSONModel, JSONWillRead, JSONDidRead {
    var id: Int

    struct JSONDraft: _JSONModelDraft {
        var id: Int?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) { model.property("id", \JSONDraft.id) }

    static let _jsonTable = PropertyTable._compiled(for: Hooked.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) { id = try bound.required(draft.id, 0) }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}

    static func willRead(_ object: inout JSONObject) -> Bool { object["id"] != nil }
    mutating func didRead(_ context: JSONReadContext) -> Bool { id >= 0 }
}

/// A model of places along paths, some of them in arrays.
struct Placed: JSONModel {
    var deep: Int?
    var first: Int?
    var other: Int?

    struct JSONDraft: _JSONModelDraft {
        var deep: Int?
        var first: Int?
        var other: Int?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("deep", \JSONDraft.deep, keys: ["a.b.c"], presence: .optional)
        model.property("first", \JSONDraft.first, keys: ["list.0.id"], presence: .optional)
        model.property("other", \JSONDraft.other, keys: ["list.7.id"], presence: .optional)
    }

    static let _jsonTable = PropertyTable._compiled(for: Placed.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        deep = draft.deep
        first = draft.first
        other = draft.other
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}

/// Variants told apart by the value of a key.
enum Tagged: JSONPolymorphic {
    case item(Item)
    case other(RawJSON)

    static let jsonVariants = JSONVariants<Tagged>(by: .key("type"))
        .variant("item", Item.self) { .item($0) }
        .unknown { _, raw in .other(raw) }

    func _write(to writer: inout JSONWriter) throws(JSONError) {}
}

/// Variants told apart by a key that only one of them has.
enum Present: JSONPolymorphic {
    case item(Item)
    case hooked(Hooked)

    static let jsonVariants = JSONVariants<Present>(by: .presence)
        .variant("name", Item.self) { .item($0) }
        .variant("id", Hooked.self) { .hooked($0) }

    func _write(to writer: inout JSONWriter) throws(JSONError) {}
}

/// An enum that holds its own kind in two ways, told apart by nothing but its form.
indirect enum Nested: JSONPolymorphic {
    case few([Nested])
    case list([Nested])
    case number(Int)
    case text(String)

    static let jsonVariants = JSONVariants<Nested>(by: .untagged)
        .variant("few", [Nested].self) { .few($0) }
        .variant("list", [Nested].self) { .list($0) }
        .variant("number", Int.self) { .number($0) }
        .variant("text", String.self) { .text($0) }

    func _write(to writer: inout JSONWriter) throws(JSONError) {}
}

/// A moment in any format that is known.
struct Moment: JSONScalarBindable {
    var time: JSONTimestamp

    init?(jsonScalar scalar: JSONScalar) {
        guard let time = scalar.timestamp else { return nil }
        self.time = time
    }

    func write(to writer: inout JSONWriter) throws(JSONError) {}
}
