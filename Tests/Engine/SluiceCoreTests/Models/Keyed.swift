// A model of one optional property whose keys are a type parameter: a new set of keys is one line.

import SluiceTestSupport

@testable import SluiceCore

/// Keys of a property.
protocol KeyList {
    static var keys: [JSONKeyPath] { get }
}

struct Keyed<Value: Sample, Keys: KeyList>: Equatable {
    var value: Value?

    static func == (left: Keyed, right: Keyed) -> Bool { left.value == right.value }
}

extension Keyed: JSONModel {
    struct JSONDraft: _JSONModelDraft {
        var value: Value?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("value", \JSONDraft.value, keys: Keys.keys, presence: .optional)
    }

    static var _jsonTable: PropertyTable { PropertyTable._compiled(for: Self.self) }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) { value = draft.value }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        if slot == 0 { try writer.property(value) }
    }
}

/// A model of several optional integers, each with its own keys.
struct Several<Keys: SlotKeys>: Equatable {
    var values: [Int?]

    static func == (left: Several, right: Several) -> Bool { left.values == right.values }
}

/// Keys of up to four properties.
protocol SlotKeys {
    static var keys: [[JSONKeyPath]] { get }
    static var policies: [JSONPropertyPolicy] { get }
}

extension Several: JSONModel {
    struct JSONDraft: _JSONModelDraft {
        var first: Int?
        var second: Int?
        var third: Int?
        var fourth: Int?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        let fields = [\JSONDraft.first, \.second, \.third, \.fourth]
        for (index, keys) in Keys.keys.enumerated() {
            model.property("value\(index)", fields[index], keys: keys, presence: .optional)
        }
    }

    static var _jsonTable: PropertyTable { PropertyTable._compiled(for: Self.self) }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        values = Array([draft.first, draft.second, draft.third, draft.fourth].prefix(Keys.keys.count))
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        if values.indices.contains(slot) { try writer.property(values[slot]) }
    }
}

/// A model whose names become keys by a strategy.
struct Strategic<Strategy: KeyMaking>: Equatable {
    var createdAt: Int?
    var htmlURL: Int?

    static func == (left: Strategic, right: Strategic) -> Bool {
        left.createdAt == right.createdAt && left.htmlURL == right.htmlURL
    }
}

protocol KeyMaking {
    static var strategy: JSONKeyStrategy { get }
}

extension Strategic: JSONModel {
    struct JSONDraft: _JSONModelDraft {
        var createdAt: Int?
        var htmlURL: Int?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.keyStrategy = Strategy.strategy
        model.property("createdAt", \JSONDraft.createdAt, presence: .optional)
        model.property("htmlURL", \JSONDraft.htmlURL, presence: .optional)
    }

    static var _jsonTable: PropertyTable { PropertyTable._compiled(for: Self.self) }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        createdAt = draft.createdAt
        htmlURL = draft.htmlURL
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        try writer.property(slot == 0 ? createdAt : htmlURL)
    }
}
