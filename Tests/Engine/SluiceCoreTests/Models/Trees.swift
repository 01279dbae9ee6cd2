// Models that lead back to themselves, models that are classes, and a model with more properties than a word has bits.

import SluiceTestSupport

@testable import SluiceCore

struct Tree: JSONModel, Equatable, Sendable {
    var name: String
    var children: [Tree] = []

    struct JSONDraft: _JSONModelDraft {
        var name: String?
        var children: [Tree]?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("name", \JSONDraft.name)
        model.property("children", \JSONDraft.children, presence: .defaulted)
    }

    static let _jsonTable = PropertyTable._compiled(for: Tree.self)

    init(_ name: String, _ children: [Tree] = []) {
        self.name = name
        self.children = children
    }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        name = try bound.required(draft.name, 0)
        if let value = draft.children { children = value }
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(name)
        case 1: try writer.property(children)
        default: break
        }
    }
}

/// A list by way of a class, since a struct cannot hold itself: `{"value": 1, "next": {"value": 2}}`.
final class Link: JSONModel, Equatable {
    let value: Int
    let next: Link?

    struct JSONDraft: _JSONModelDraft {
        var value: Int?
        var next: Link?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("value", \JSONDraft.value)
        model.property("next", \JSONDraft.next, presence: .optional)
    }

    static let _jsonTable = PropertyTable._compiled(for: Link.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        value = try bound.required(draft.value, 0)
        next = draft.next
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(value)
        case 1: try writer.property(next)
        default: break
        }
    }

    static func == (left: Link, right: Link) -> Bool { left.value == right.value && left.next == right.next }
}

/// Folders hold files, and files may hold folders: two tables that lead to each other.
struct Folder<Tag>: JSONModel {
    var files: [File<Tag>] = []

    struct JSONDraft: _JSONModelDraft {
        var files: [File<Tag>]?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("files", \JSONDraft.files, presence: .defaulted)
    }

    static var _jsonTable: PropertyTable { PropertyTable._compiled(for: Self.self) }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        if let value = draft.files { files = value }
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        if slot == 0 { try writer.property(files) }
    }
}

struct File<Tag>: JSONModel {
    var name: String
    var archive: [Folder<Tag>] = []

    struct JSONDraft: _JSONModelDraft {
        var name: String?
        var archive: [Folder<Tag>]?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("name", \JSONDraft.name)
        model.property("archive", \JSONDraft.archive, presence: .defaulted)
    }

    static var _jsonTable: PropertyTable { PropertyTable._compiled(for: Self.self) }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        name = try bound.required(draft.name, 0)
        if let value = draft.archive { archive = value }
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(name)
        case 1: try writer.property(archive)
        default: break
        }
    }
}

/// 250 properties, `p0` to `p249`, all required integers.
struct Crowd: JSONModel, Equatable {
    var values: [Int]

    struct Ten {
        var a, b, c, d, e, f, g, h, i, j: Int?
        static var fields: [KeyPath<Ten, Int?>] { [\.a, \.b, \.c, \.d, \.e, \.f, \.g, \.h, \.i, \.j] }
    }

    struct Fifty {
        var a = Ten(), b = Ten(), c = Ten(), d = Ten(), e = Ten()
        static var fields: [KeyPath<Fifty, Int?>] {
            let tens: [KeyPath<Fifty, Ten>] = [\.a, \.b, \.c, \.d, \.e]
            return tens.flatMap { ten in Ten.fields.map { ten.appending(path: $0) } }
        }
    }

    struct JSONDraft: _JSONModelDraft {
        var a = Fifty(), b = Fifty(), c = Fifty(), d = Fifty(), e = Fifty()
        init() {}
        static var fields: [KeyPath<JSONDraft, Int?>] {
            let fifties: [KeyPath<JSONDraft, Fifty>] = [\.a, \.b, \.c, \.d, \.e]
            return fifties.flatMap { fifty in Fifty.fields.map { fifty.appending(path: $0) } }
        }

        var values: [Int?] {
            let fifties = [a, b, c, d, e]
            return fifties.flatMap { [$0.a, $0.b, $0.c, $0.d, $0.e] }
                .flatMap { [$0.a, $0.b, $0.c, $0.d, $0.e, $0.f, $0.g, $0.h, $0.i, $0.j] }
        }
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        for (index, field) in JSONDraft.fields.enumerated() { model.property("p\(index)", field) }
    }

    static let _jsonTable = PropertyTable._compiled(for: Crowd.self)

    init(values: [Int]) { self.values = values }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        values = []
        for (slot, value) in draft.values.enumerated() { values.append(try bound.required(value, slot)) }
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) { try writer.property(values[slot]) }
}
