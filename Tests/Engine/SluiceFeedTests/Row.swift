import SluiceCore

/// A record of the tests' feeds.
struct Row: JSONModel, Equatable {
    var id: Int
    var name: String

    struct JSONDraft: _JSONModelDraft {
        var id: Int?
        var name: String?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("id", \JSONDraft.id)
        model.property("name", \JSONDraft.name)
    }

    static let _jsonTable = PropertyTable._compiled(for: Row.self)

    init(id: Int, name: String) {
        self.id = id
        self.name = name
    }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        id = try bound.required(draft.id, 0)
        name = try bound.required(draft.name, 1)
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(id)
        case 1: try writer.property(name)
        default: break
        }
    }
}
