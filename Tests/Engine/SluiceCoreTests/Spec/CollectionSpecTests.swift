// A collection type of one's own (F14) is bound as an array is.

import SluiceTestSupport
import Testing

@testable import SluiceCore

private struct Entry: JSONModel, Equatable {
    var v: Int

    struct JSONDraft: _JSONModelDraft {
        var v: Int?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) { model.property("v", \JSONDraft.v) }

    static let _jsonTable = PropertyTable._compiled(for: Entry.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        v = try bound.required(draft.v, 0)
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        if slot == 0 { try writer.property(v) }
    }
}

private struct EntryCollection: RangeReplaceableCollection, Equatable {
    private var entries: [Entry] = []
    var startIndex: Int { entries.startIndex }
    var endIndex: Int { entries.endIndex }
    subscript(position: Int) -> Entry { entries[position] }
    func index(after index: Int) -> Int { index + 1 }
    mutating func replaceSubrange(_ range: Range<Int>, with elements: some Swift.Collection<Entry>) {
        entries.replaceSubrange(range, with: elements)
    }
}

extension EntryCollection: JSONCollection {}

private struct Ledger: JSONModel, Equatable {
    var entries: EntryCollection
    var optional: ContiguousArray<String?>?

    struct JSONDraft: _JSONModelDraft {
        var entries: EntryCollection?
        var optional: ContiguousArray<String?>?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.keyStrategy = .collectionSuffixes
        model.property("entries", \JSONDraft.entries, policy: JSONPropertyPolicy(update: .append))
        model.property("optional", \JSONDraft.optional, presence: .optional)
    }

    static let _jsonTable = PropertyTable._compiled(for: Ledger.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        entries = try bound.required(draft.entries, 0)
        optional = draft.optional
    }

    func _makeDraft() -> JSONDraft? {
        var draft = JSONDraft()
        draft.entries = entries
        draft.optional = optional
        return draft
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(entries)
        case 1: try writer.property(optional)
        default: break
        }
    }
}

@Suite struct CollectionSpecTests {
    @Test("F14: {\"entries\": [{\"v\": 1}, {\"v\": 2}]} into an EntryCollection has count 2, and entries[1].v is 2")
    func collectionObjectsAreBound() throws {
        let ledger = try Ledger(json: #"{"entries":[{"v":1},{"v":2}]}"#)
        #expect(ledger.entries.count == 2)
        #expect(ledger.entries[1].v == 2)
        #expect(try ledger.jsonString() == #"{"entries":[{"v":1},{"v":2}]}"#)
    }

    @Test("F14: a collection is read alike however the text is cut, nested, optional and at the top level")
    func collectionsAreReadEveryWay() throws {
        let text = #"{"entries": [{"v": 1}, {"v": 2}, {"v": 3}], "optional": ["é", null, "b\n"]}"#
        let (outcome, disagreements) = readEveryWay(Ledger.self, text)
        #expect(disagreements == [])
        guard case .value(let ledger) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(ledger.entries.map(\.v) == [1, 2, 3])
        #expect(ledger.optional.map(Array.init) == ["é", nil, "b\n"])
        let nested = try [String: [EntryCollection]](json: #"{"a": [[{"v": 1}], []]}"#)
        #expect(nested["a"]?.map(\.count) == [1, 0])
        #expect(try EntryCollection(json: "[]").isEmpty)
        #expect(try ContiguousArray<Int>(json: "[\((0..<5000).map(String.init).joined(separator: ","))]").count == 5000)
    }

    @Test("F14: an update appends to a collection where the property asks for it, and replaces it elsewhere")
    func updatesAppend() throws {
        var ledger = try Ledger(json: #"{"entries": [{"v": 1}], "optional": ["a"]}"#)
        _ = try ledger.update(json: #"{"entries": [{"v": 2}], "optional": ["b"]}"#)
        #expect(ledger.entries.map(\.v) == [1, 2])
        #expect(ledger.optional.map(Array.init) == ["b"])
    }

    @Test("F14: elements that were read before an error are released")
    func elementsAreReleased() {
        enum Tag {}
        for text in [#"["a", "b", {}]"#, #"["a", "b""#, #"["a"] x"#] {
            #expect(failure(reading: ContiguousArray<Counted<Tag>>.self, text, options: .strict) != nil)
            #expect(Counted<Tag>.live == 0)
        }
    }

    @Test("F14: errors say which element, in both directions")
    func errorsSayWhichElement() throws {
        let reading = try #require(failure(reading: Ledger.self, #"{"entries": [{"v": 1}, {"v": {}}]}"#, options: .strict))
        #expect(reading.path == "entries[1].v")
        let values: ContiguousArray<Double> = [1, .nan]
        #expect(failure { () throws(JSONError) in try values.jsonString() }?.path == "[1]")
        #expect(failure(reading: EntryCollection.self, "{}")?.kind == .typeMismatch)
    }

    @Test("F14: a collection counts as one where names, schemas, descriptions and archives tell them apart")
    func collectionsAreArraysInTheSchemaAndTheArchive() throws {
        #expect(Ledger.schema["entries"]?.kind == .array)
        #expect(Ledger.schema["entries"]?.model?.name == "Entry")
        #expect(Ledger.schema["entries"]?.keys == ["entries", "entrie"])
        let ledger = try Ledger(json: #"{"entries": [{"v": 1}], "optional": [null]}"#)
        #expect(ledger.jsonSummary == "entries = [{v = 1}], optional = [<null>]")
        #expect(try Ledger(archive: ledger.archive()) == ledger)
    }
}
