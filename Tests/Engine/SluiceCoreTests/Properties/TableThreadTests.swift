// Tables are compiled once, whichever of many tasks comes first, also where types lead to each other.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct TableThreadTests {
    @Test func tablesCompiledByManyTasksAtOnceAreOne() async throws {
        enum A {}
        enum B {}
        for _ in 0..<3 {
            let tables = try await withThrowingTaskGroup(of: ObjectIdentifier.self) { group in
                for number in 0..<64 {
                    group.addTask {
                        switch number % 4 {
                        case 0:
                            let folder = try Folder<A>(json: #"{"files":[{"name":"a","archive":[{"files":[]}]}]}"#)
                            #expect(folder.files[0].archive[0].files.isEmpty)
                            return ObjectIdentifier(Folder<A>._jsonTable)
                        case 1:
                            let file = try File<B>(json: #"{"name":"b","archive":[{"files":[{"name":"c"}]}]}"#)
                            #expect(file.archive[0].files[0].name == "c")
                            #expect(try file.jsonString() == #"{"name":"b","archive":[{"files":[{"name":"c","archive":[]}]}]}"#)
                            return ObjectIdentifier(File<B>._jsonTable)
                        case 2:
                            #expect(try Late(json: #"{"name":"a","children":[{"name":"b"}]}"#).children.first?.name == "b")
                            return ObjectIdentifier(Late._jsonTable)
                        default:
                            let value = try [Keyed<[String: Trio<Color>], Keys>](json: #"[{"k":{"a":{"required":"red"}}}]"#)
                            #expect(value[0].value?["a"]?.required == .red)
                            return ObjectIdentifier(Keyed<[String: Trio<Color>], Keys>._jsonTable)
                        }
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(tables.count == 4)
        }
    }

    private enum Keys: KeyList { static let keys: [JSONKeyPath] = ["k"] }

    @Test func readersOfManyTasksShareTables() async throws {
        let text = try Tree("root", (0..<50).map { Tree("child \($0)", [Tree("leaf")]) }).jsonBytes()
        try await withThrowingTaskGroup(of: Tree.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    var reader = JSONReader()
                    var tree = Tree("")
                    for _ in 0..<20 { tree = try reader.read(Tree.self, from: text) }
                    return tree
                }
            }
            for try await tree in group { #expect(tree.children.count == 50) }
        }
    }
}

/// A tree of its own, whose table is a static. The thread that needs it first compiles it.
private struct Late: JSONModel {
    var name: String
    var children: [Late] = []

    struct JSONDraft: _JSONModelDraft {
        var name: String?
        var children: [Late]?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("name", \JSONDraft.name)
        model.property("children", \JSONDraft.children, presence: .defaulted)
    }

    static let _jsonTable = PropertyTable._compiled(for: Late.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        name = try bound.required(draft.name, 0)
        if let value = draft.children { children = value }
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}
