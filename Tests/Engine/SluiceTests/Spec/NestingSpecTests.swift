// SPEC §1.3 and §1.4: models in models, containers and trees.
#if Macros

import Sluice
import Testing

@testable import SluiceTestSupport

@Suite struct NestingSpecTests {
    @JSONModel
    struct Named: Hashable {
        var name: String
    }

    @JSONModel
    struct Product: Equatable {
        var name: String
        var maker: Named?
        var categories: [Named] = []
    }

    @JSONModel
    struct Tree: Equatable {
        var name: String
        var children: [Tree] = []
    }

    @JSONModel
    final class Chain {
        var value = 0
        var next: Chain?
    }

    @JSONModel
    struct Attachment: Hashable {
        var id: Int
    }

    @JSONModel
    struct Containers: Equatable {
        var attachments: [String: Attachment] = [:]
        var unique: Set<Attachment> = []
        var numbers: Set<Int> = []
        var grid: [[Attachment]] = []
        var groups: [String: [Attachment]]?
        var spaced: [Attachment?] = []
    }

    @JSONModel
    struct Untyped: Equatable {
        var userDictionary: [String: JSONValue] = [:]
        var list: [JSONValue] = []
        var any: JSONValue?
        var raw: RawJSON?
    }

    @JSONModel
    struct Drawer: Equatable {
        var entries: EntryCollection = EntryCollection()
    }

    @JSONModel(keys: .collectionSuffixes)
    struct Inferred: Equatable {
        var myArrayObjectCollection: [Named] = []
        var userList: [Named] = []
        var links: Set<String> = []
        var status = "untouched"
    }

    struct EntryCollection: RangeReplaceableCollection, JSONCollection, Equatable {
        private var entries: [Attachment] = []
        var startIndex: Int { entries.startIndex }
        var endIndex: Int { entries.endIndex }
        subscript(position: Int) -> Attachment { entries[position] }
        func index(after index: Int) -> Int { index + 1 }
        mutating func replaceSubrange(_ range: Range<Int>, with elements: some Collection<Attachment>) {
            entries.replaceSubrange(range, with: elements)
        }
    }

    /// Reads text every way; says how many values were left out.
    private func read<Value: JSONBindable & Equatable>(
        _ text: String, leavingOut count: Int = 0, options: JSONReader.Options = .init(), as type: Value.Type = Value.self
    ) -> Value? {
        let reading = readings(of: type, text, options: options)
        #expect(reading.disagreements == [])
        #expect(reading.error == nil)
        #expect(reading.report.droppedCount == count)
        return reading.value
    }

    @Test("F11: an object becomes a model of the declared type; null is nil, and anything else does not fit")
    func nestedModels() throws {
        #expect(read(#"{"name":"p","maker":{"name":"m"}}"#) == Product(name: "p", maker: Named(name: "m")))
        #expect(read(#"{"name":"p","maker":null}"#) == Product(name: "p"))
        for value in ["3", "[]", "\"m\"", "true"] {
            let text = #"{"name":"p","maker":\#(value)}"#
            for options in [JSONReader.Options(), .strict] {
                let error = failure(reading: Product.self, text, options: options)
                #expect(error?.kind == .typeMismatch)
                #expect(error?.path == "maker")
            }
            #expect(read(text, leavingOut: 1, options: .yyModel) == Product(name: "p"))
        }
    }

    @Test("F12: the declared type of the elements is all that an array of models needs")
    func arraysOfModels() throws {
        let text = #"{"name":"Foo","categories":[{"name":"A"},{"name":"B"}]}"#
        let product = Product(name: "Foo", categories: [Named(name: "A"), Named(name: "B")])
        #expect(read(text) == product)
        #expect(try product.jsonString() == text)
        let mixed = #"{"name":"Foo","categories":[{"name":"x"},null,7,"s"]}"#
        #expect(read(mixed, leavingOut: 3, options: .tolerant) == Product(name: "Foo", categories: [Named(name: "x")]))
        #expect(failure(reading: Product.self, mixed)?.path == "categories[1]")
        #expect(failure(reading: Product.self, mixed, options: .init())?.path == "categories[1]")
    }

    @Test("F13: a collection is also found under what its elements are called")
    func inferredKeys() throws {
        let named = [Named(name: "v")]
        #expect(read(#"{"myArrayObject":[{"name":"v"}]}"#) == Inferred(myArrayObjectCollection: named))
        #expect(read(#"{"user":[{"name":"v"}],"link":["a"],"statu":"x"}"#) == Inferred(userList: named, links: ["a"]))
        #expect(read(#"{"user":[],"userList":[{"name":"v"}]}"#) == Inferred(userList: named))
        #expect(try Inferred(userList: named).jsonObject()["userList"] == [["name": "v"]])
    }

    @Test("F14: an array becomes a collection type of one's own")
    func collectionTypes() throws {
        let text = #"{"entries":[{"id":1},{"id":2}]}"#
        let drawer = try #require(read(text, as: Drawer.self))
        #expect(drawer.entries.count == 2)
        #expect(drawer.entries[1].id == 2)
        #expect(try drawer.jsonString() == text)
    }

    @Test("F15: sets and dictionaries hold models, in any nesting")
    func setsAndDictionaries() throws {
        let one = Attachment(id: 1)
        let attachments = #"{"attachments":{"a":{"id":1},"b":null}}"#
        #expect(read(attachments, leavingOut: 1, options: .tolerant) == Containers(attachments: ["a": one]))
        let unique = #"{"unique":[{"id":1},{"id":1},7]}"#
        #expect(read(unique, leavingOut: 1, options: .tolerant) == Containers(unique: [one]))
        #expect(read(#"{"numbers":[1,2,2]}"#) == Containers(numbers: [1, 2]))
        #expect(read(#"{"grid":[[{"id":1}],[],[{"id":1}]]}"#) == Containers(grid: [[one], [], [one]]))
        #expect(read(#"{"groups":{"g":[{"id":1}],"h":[]}}"#) == Containers(groups: ["g": [one], "h": []]))
        #expect(read(#"{"spaced":[{"id":1},null]}"#) == Containers(spaced: [one, nil]))
        #expect(try Containers(attachments: ["a": one], unique: [one]).jsonObject()["unique"] == [["id": 1]])
    }

    @Test("F15: an object for a set does not fit; YYModel's rules make it an empty one")
    func mistypedSets() {
        let text = #"{"numbers":{"a":1}}"#
        #expect(failure(reading: Containers.self, text, options: .init())?.path == "numbers")
        #expect(read(text, leavingOut: 1, options: .init(mismatch: .keep)) == Containers())
        #expect(read(text, leavingOut: 1, options: .yyModel) == Containers())
    }

    @Test("F16: of a mixed array what fits is kept")
    func mixedArrays() {
        #expect(read(#"[1,"x",2]"#, leavingOut: 1, options: .tolerant, as: [Int].self) == [1, 2])
        #expect(read(#"["a",null,"b",[1],{"c":2}]"#, leavingOut: 3, options: .tolerant, as: [String].self) == ["a", "b"])
        #expect(failure(reading: [Int].self, #"[1,"x",2]"#)?.path == "[1]")
    }

    @Test("F17: a tree is as deep as its text, and a leaf needs no key for its children")
    func trees() throws {
        let text = #"{"name":"1","children":[{"name":"1.1"},{"name":"1.2","children":[{"name":"1.2.1"}]}]}"#
        let tree = try #require(read(text, as: Tree.self))
        #expect(tree.children.count == 2)
        #expect(tree.children[1].children[0].name == "1.2.1")
        #expect(tree.children[0].children.isEmpty)
        #expect(try Tree(json: tree.jsonString()) == tree)
        let chain = try Chain(json: #"{"value":1,"next":{"value":2,"next":{"value":3}}}"#)
        #expect(chain.next?.next?.value == 3)
        let depth = 300
        let deep = String(repeating: #"{"name":"n","children":["#, count: depth / 2) + String(repeating: "]}", count: depth / 2)
        #expect(try Tree(json: Tree(json: deep).jsonString()) == Tree(json: deep))
    }

    @Test("F18: what has no type of its own is kept as it is, nulls included")
    func untyped() throws {
        #expect(read(#"{"userDictionary":{"k1":"v1"}}"#) == Untyped(userDictionary: ["k1": "v1"]))
        #expect(read(#"{"list":[1,"a",{"v":1},null]}"#) == Untyped(list: [1, "a", ["v": 1], nil]))
        let text = #"{"userDictionary":{},"list":[],"any":{"n":1.50,"x":[null]},"raw":{ "a" : 1 }}"#
        let untyped = try #require(read(text, as: Untyped.self))
        #expect(untyped.any?["n"]?.number?.description == "1.50")
        #expect(untyped.raw?.text == #"{ "a" : 1 }"#)
        #expect(try untyped.jsonString() == text)
    }
}

#endif
