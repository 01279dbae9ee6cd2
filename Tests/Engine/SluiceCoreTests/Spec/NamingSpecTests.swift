// What names say about elements (F13): for keys, for types, and for containers that have no element type.

import SluiceTestSupport
import Testing

@testable import SluiceCore

private struct MyArrayObject: JSONModel, Equatable {
    var subKey1: String

    struct JSONDraft: _JSONModelDraft {
        var subKey1: String?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("subKey1", \JSONDraft.subKey1)
    }

    static let _jsonTable = PropertyTable._compiled(for: MyArrayObject.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        subKey1 = try bound.required(draft.subKey1, 0)
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        if slot == 0 { try writer.property(subKey1) }
    }
}

/// Collections and others, under the strategy that looks at their names.
private struct Shelf: JSONModel {
    var myArrayObjectCollection: [MyArrayObject] = []
    var tagList: Set<String>?
    var links: [String] = []
    var news: [Int] = []
    var status: String = ""
    var statu: Int?
    var prices: [String: Int] = [:]
    var memoList: [Int] = []
    var memo: String?
    var planItems: [Int] = []
    var plans: [Int] = []

    struct JSONDraft: _JSONModelDraft {
        var myArrayObjectCollection: [MyArrayObject]?
        var tagList: Set<String>?
        var links: [String]?
        var news: [Int]?
        var status: String?
        var prices: [String: Int]?
        var memoList: [Int]?
        var memo: String?
        var planItems: [Int]?
        var plans: [Int]?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.keyStrategy = .collectionSuffixes
        model.property("myArrayObjectCollection", \JSONDraft.myArrayObjectCollection, presence: .defaulted)
        model.property("tagList", \JSONDraft.tagList, presence: .optional)
        model.property("links", \JSONDraft.links, presence: .defaulted)
        model.property("news", \JSONDraft.news, keys: ["headlines"], presence: .defaulted)
        model.property("status", \JSONDraft.status, presence: .defaulted)
        model.property("prices", \JSONDraft.prices, presence: .defaulted)
        model.property("memoList", \JSONDraft.memoList, presence: .defaulted)
        model.property("memo", \JSONDraft.memo, presence: .optional)
        model.property("planItems", \JSONDraft.planItems, presence: .defaulted)
        model.property("plans", \JSONDraft.plans, presence: .defaulted)
    }

    static let _jsonTable = PropertyTable._compiled(for: Shelf.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        if let value = draft.myArrayObjectCollection { myArrayObjectCollection = value }
        tagList = draft.tagList
        if let value = draft.links { links = value }
        if let value = draft.news { news = value }
        if let value = draft.status { status = value }
        if let value = draft.prices { prices = value }
        if let value = draft.memoList { memoList = value }
        memo = draft.memo
        if let value = draft.planItems { planItems = value }
        if let value = draft.plans { plans = value }
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        if slot == 0 { try writer.property(myArrayObjectCollection) }
    }
}

@Suite struct NamingSpecTests {
    // MARK: Names

    @Test(
        "F13: a collection's name implies the type of its elements, by the word at its end or the plural s",
        arguments: [
            ("myArrayObjectCollection", "MyArrayObject"), ("userList", "User"), ("feedItems", "Feed"),
            ("photoArray", "Photo"), ("links", "Link"), ("arrayItems", "Array"), ("items", "Item"), ("userLists", "UserList"),
        ])
    func namesImplyTypes(name: String, type: String) {
        #expect(JSONElementName.typeName(for: name) == type)
    }

    @Test(
        "F13: a name in which nothing else is implies nothing",
        arguments: ["Items", "Array", "List", "Collection", "s", "", "user", "list", "address", "Itemsx"])
    func otherNamesImplyNothing(name: String) {
        #expect(JSONElementName.typeName(for: name) == nil)
        #expect(JSONElementName.stem(of: name) == nil)
    }

    @Test("F13: the stem keeps the case of the name")
    func stemsKeepTheirCase() {
        #expect(JSONElementName.stem(of: "arrayItems") == "array")
        #expect(JSONElementName.stem(of: "élèves") == "élève")
        #expect(JSONElementName.typeName(for: "élèves") == "Élève")
    }

    // MARK: Keys

    @Test("F13: {\"myArrayObject\": [{\"subKey1\": \"v1\"}]} binds to `var myArrayObjectCollection: [MyArrayObject]`")
    func collectionsAcceptTheirElementsName() throws {
        let shelf = try Shelf(json: #"{"myArrayObject":[{"subKey1":"v1"}], "tag": ["a"], "link": ["l"]}"#)
        #expect(shelf.myArrayObjectCollection.map(\.subKey1) == ["v1"])
        #expect(shelf.tagList == ["a"])
        #expect(shelf.links == ["l"])
        #expect(try shelf.jsonString() == #"{"myArrayObjectCollection":[{"subKey1":"v1"}]}"#)
    }

    @Test("F13: a collection's own name comes first, whatever the order of the keys")
    func ownNameComesFirst() throws {
        #expect(try Shelf(json: #"{"link": ["b"], "links": ["a"]}"#).links == ["a"])
        #expect(try Shelf(json: #"{"links": ["a"], "link": ["b"]}"#).links == ["a"])
    }

    @Test("F13: `status`, which is no collection, a dictionary, and a property with a key of its own have only that")
    func othersKeepTheirNames() throws {
        let shelf = try Shelf(json: #"{"status": "ok", "statu": "no", "price": {"a": 1}, "new": [1], "headlines": [2]}"#)
        #expect(shelf.status == "ok")
        #expect(shelf.prices == [:])
        #expect(shelf.news == [2])
        #expect(Shelf.schema["status"]?.keys == ["status"])
        #expect(Shelf.schema["links"]?.keys == ["links", "link"])
    }

    @Test("F13: a key that another property has, or that two names imply, is not inferred")
    func inferredKeysGiveWay() throws {
        let shelf = try Shelf(json: #"{"memo": "m", "memoList": [1], "plan": [3], "plans": [4]}"#)
        #expect(shelf.memo == "m")
        #expect(shelf.memoList == [1])
        #expect(shelf.planItems == [])
        #expect(shelf.plans == [4])
    }

    // MARK: Registry

    @Test("F13: a registry reads models by name")
    func registryReadsByName() throws {
        let registry = JSONModelRegistry()
        registry.register(Author.self)
        registry.register(Gadget.self, as: "thing")
        #expect(registry.type(named: "Author") == Author.self)
        #expect(registry.type(named: "Gadget") == nil)
        #expect(try registry.read(named: "Author", from: #"{"login": "a"}"#) as? Author == Author(login: "a"))
        #expect(try registry.read(named: "thing", from: #"{"int": 3}"#) as? Gadget == Gadget(int: 3))
        let error = try #require(failure { () throws(JSONError) in try registry.read(named: "Book", from: "{}") })
        #expect(error.kind == .invalidModel)
        #expect(error.found == "'Book'")
    }

    @Test("F13: elements are of the registered type, else of the one that the name implies; else values are kept")
    func registryReadsElements() throws {
        let registry = JSONModelRegistry()
        registry.register(Author.self)
        registry.register(Gadget.self, forElementsOf: "authorList")
        let text = #"[{"login": "a", "int": 1}, 7, null, {"login": "b"}]"#

        let implied = try registry.readElements(of: "authors", from: text)
        #expect(implied.compactMap { $0.model(as: Author.self)?.login } == ["a", "b"])
        #expect(implied.compactMap(\.value) == [7, .null])
        #expect(try registry.readElements(of: "authorArray", from: text).count == 4)

        let registered = try registry.readElements(of: "authorList", from: text)
        #expect(registered.compactMap { $0.model(as: Gadget.self)?.int } == [1, 0])
        #expect(registered[0].model(as: Author.self) == nil)

        let raw = try registry.readElements(of: "Items", from: text)
        #expect(raw.compactMap(\.value) == (try [JSONValue](json: text)))
    }

    @Test("F13: an object that does not fit says where")
    func registryNamesThePosition() throws {
        let registry = JSONModelRegistry()
        registry.register(Author.self)
        for (text, path) in [(#"[1, {"login": {}}]"#, "[1].login"), ("[{}]", "[0]")] {
            #expect(failure { () throws(JSONError) in try registry.readElements(of: "authors", from: text) }?.path == path)
        }
    }

    @Test("F13: one registry serves many tasks")
    func registryIsShared() async {
        let registry = JSONModelRegistry()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask {
                    registry.register(Author.self, as: "Author\(number)")
                    _ = registry.elementType(of: "authorList")
                }
            }
        }
        #expect((0..<50).allSatisfy { registry.type(named: "Author\($0)") != nil })
    }
}
