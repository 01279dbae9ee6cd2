// Models for which being read back is not being read: variants by the presence of a key, hooks, and keys that are shared.

import SluiceTestSupport

@testable import SluiceCore

/// A disc or a bar, told apart by keys that are not the properties' names.
enum Piece: JSONPolymorphic, Equatable {
    case disc(Disc)
    case bar(Bar)

    static let jsonVariants = JSONVariants<Piece>(by: .presence)
        .variant("radius", Disc.self) { .disc($0) }
        .variant("width", Bar.self) { .bar($0) }

    func _write(to writer: inout JSONWriter) throws(JSONError) {
        switch self {
        case .disc(let disc): try disc._write(to: &writer)
        case .bar(let bar): try bar._write(to: &writer)
        }
    }
}

struct Disc: JSONModel, Equatable {
    var r: Int

    struct JSONDraft: _JSONModelDraft {
        var r: Int?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("r", \JSONDraft.r, keys: ["radius"])
    }

    static let _jsonTable = PropertyTable._compiled(for: Disc.self)

    init(r: Int) { self.r = r }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        r = try bound.required(draft.r, 0)
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        if slot == 0 { try writer.property(r) }
    }
}

struct Bar: JSONModel, Equatable {
    var w: Int

    struct JSONDraft: _JSONModelDraft {
        var w: Int?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("w", \JSONDraft.w, keys: ["width"])
    }

    static let _jsonTable = PropertyTable._compiled(for: Bar.self)

    init(w: Int) { self.w = w }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        w = try bound.required(draft.w, 0)
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        if slot == 0 { try writer.property(w) }
    }
}

/// Refused unless its object has a `stamp`, of which nothing is left; two of its properties share a key.
struct Letter: JSONModel, Equatable, JSONWillRead, JSONDidRead {
    var time: Int?
    var text: String?
    var copy: String?
    var pieces: [Piece] = []

    struct JSONDraft: _JSONModelDraft {
        var time: Int?
        var text: String?
        var copy: String?
        var pieces: [Piece]?
        var stamp: JSONValue?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("time", \JSONDraft.time, presence: .optional)
        model.property("text", \JSONDraft.text, keys: ["body.text"], presence: .optional)
        model.property("copy", \JSONDraft.copy, keys: ["body.text"], presence: .optional)
        model.property("pieces", \JSONDraft.pieces, presence: .defaulted)
        model.observed("stamp", \JSONDraft.stamp)
    }

    static let _jsonTable = PropertyTable._compiled(for: Letter.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        time = draft.time
        text = draft.text
        copy = draft.copy
        if let value = draft.pieces { pieces = value }
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(time)
        case 1: try writer.property(text)
        case 2: try writer.property(copy)
        case 3: try writer.property(pieces)
        default: break
        }
    }

    static func willRead(_ object: inout JSONObject) -> Bool { object["stamp"] != nil }

    mutating func didRead(_ context: JSONReadContext) -> Bool {
        time = context.value("stamp")?.int
        return time != nil
    }
}
