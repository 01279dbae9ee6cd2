// SPEC §1.2: which keys a property has.
#if Macros

import Sluice
import Testing

@testable import SluiceTestSupport

@Suite struct MappingSpecTests {
    @JSONModel
    struct Book: Equatable {
        @JSONKey("n") var name: String?
        @JSONKey("p") var page = 0
        @JSONKey("ext.desc") var desc: String?
        @JSONKey("id", "ID", "book_id") var bookID: String?
    }

    @JSONModel
    struct Ranked: Equatable {
        @JSONKey("ID", "Id", "id", "ext.id") var modelID: String?
    }

    @JSONModel
    struct RankedDefault: Equatable {
        @JSONKey("ID", "id") var modelID = "none"
    }

    @JSONModel
    struct Shared: Equatable {
        @JSONKey("ext.d") var d1: String?
        @JSONKey("ext.d") var d2: String?
        @JSONKey("ext.d.e") var d3: String?
    }

    @JSONModel
    struct Mixed: Equatable {
        @JSONKey("k") var tree: [String: Int]?
        @JSONKey("k.e") var e: Int?
        @JSONKey("k") var list: [Int] = [5]
        @JSONKey("k") var number = 6
    }

    @JSONModel
    struct Twice: Equatable {
        @JSONKey("v") var text: String?
        @JSONKey("v") var number: Int?
        @JSONKey("v") var value: JSONValue?
    }

    @JSONModel
    struct Extended: Equatable {
        @JSONKey("ext.c") var count: Int?
        @JSONKey("ext.x.y") var depth = 7
        @JSONKey(literal: ".ext") var dotted: String?
        @JSONKey(literal: "ext.c") var flat: Int?
    }

    @JSONModel
    struct Student: Equatable {
        @JSONKey("name.newName") var nowName: String
        @JSONKey("name.oldName") var oldName: String
        @JSONKey("name.info.nameChangedTime") var nameChangedTime: String
    }

    @JSONModel(keys: .pascalCase)
    struct Pascal: Equatable {
        var name: String
        var page: Int
        @JSONKey("Description") var desc: String
    }

    @JSONModel(keys: .custom { $0 == "city" ? "address.city" : "x_" + $0 })
    struct Custom: Equatable {
        var city: String
        var code: Int
        @JSONKey("plain") var named: Int
    }

    @JSONModel(keys: .kebabCase)
    struct Kebab: Equatable {
        var createdAt: Int
        var htmlURL: String
    }

    @JSONModel
    struct Plain: Equatable {
        var a = 0
        var b = 0
    }

    /// Reads text every way, with the default options unless others are given.
    private func read<Value: JSONBindable & Equatable>(
        _ text: String, leavingOut count: Int = 0, options: JSONReader.Options = .init(), as type: Value.Type = Value.self
    ) -> Value? {
        let reading = readings(of: type, text, options: options)
        #expect(reading.disagreements == [])
        #expect(reading.error == nil)
        #expect(reading.report.droppedCount == count)
        return reading.value
    }

    @Test("F5: a property has its own name for a key, and keys that no property has are passed over")
    func sameNames() throws {
        for text in [
            #"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, #"{"c":{"a":9},"a":1,"d":[{"b":9}],"b":2,"A":5}"#,
            #"{"a":1,"aa":9,"b":2,"":8}"#,
        ] {
            #expect(read(text) == Plain(a: 1, b: 2))
        }
        #expect(try Plain(a: 1, b: 2).jsonString() == #"{"a":1,"b":2}"#)
    }

    @Test("F5: a key with escapes finds its property, and a key that only looks alike does not")
    func keysAreComparedByTheirBytes() throws {
        #expect(read(#"{"\u0061":1,"\u0062":2}"#) == Plain(a: 1, b: 2))
        let composed = "{\"caf\u{E9}\":1}"
        let decomposed = "{\"cafe\u{301}\":2}"
        #expect(read(composed) == Accented(caf: 1))
        #expect(read(decomposed) == Accented(caf: 0))
    }

    @JSONModel
    struct Accented: Equatable {
        @JSONKey("caf\u{E9}") var caf = 0
    }

    @Test("F6: a key replaces the property's own name, in both directions")
    func renamedKeys() throws {
        let text = #"{"n":"Harry Pottery","p":256,"ext":{"desc":"A book"},"ID":100010}"#
        let book = Book(name: "Harry Pottery", page: 256, desc: "A book", bookID: "100010")
        #expect(read(text) == book)
        #expect(read(#"{"name":"x","page":9,"desc":"y","bookID":"z"}"#) == Book())
        #expect(try book.jsonString() == #"{"n":"Harry Pottery","p":256,"ext":{"desc":"A book"},"id":"100010"}"#)
    }

    @Test("F7: a path leads through objects, and its value is absent where one of them is something else")
    func paths() throws {
        #expect(read(#"{"ext":{"c":3,"x":{"y":4}}}"#) == Extended(count: 3, depth: 4))
        for text in [#"{"ext":12}"#, #"{"ext":null}"#, #"{"ext":[{"c":1}]}"#, #"{"ext":"c"}"#, #"{"ext":{"x":8}}"#, "{}"] {
            for options in [JSONReader.Options(), .strict, .yyModel] {
                #expect(read(text, options: options) == Extended())
            }
        }
        #expect(try Extended(count: 1).jsonString() == #"{"ext":{"c":1,"x":{"y":7}}}"#)
        #expect(try Extended(count: 1).jsonString(options: .init(paths: .flat)) == #"{"ext.c":1,"ext.x.y":7}"#)
    }

    @Test("F7: of objects with the same key all are read, and of each path the last value counts, or the first")
    func repeatedObjectsOnAPath() {
        let text = #"{"ext":{"c":1,"x":{"y":2}},"ext":{"c":3}}"#
        #expect(read(text) == Extended(count: 3, depth: 2))
        #expect(read(text, options: .init(duplicateKeys: .first)) == Extended(count: 1, depth: 2))
        #expect(read(#"{"ext":{"c":1},"ext":5}"#) == Extended(count: 1))
    }

    @Test("F7: a literal key may hold dots")
    func literalKeys() throws {
        #expect(read(#"{".ext":"Apple","ext.c":5}"#) == Extended(dotted: "Apple", flat: 5))
        #expect(try Extended(dotted: "Apple", flat: 5).jsonString() == #"{"ext":{"x":{"y":7}},".ext":"Apple","ext.c":5}"#)
    }

    @Test("F7: three paths share their beginning")
    func sharedBeginnings() throws {
        let text = #"{"name":{"newName":"lufy","oldName":"kitty","info":{"nameChangedTime":"2013-08"}}}"#
        let student = Student(nowName: "lufy", oldName: "kitty", nameChangedTime: "2013-08")
        #expect(read(text) == student)
        #expect(read(#"{"name":{"info":{"nameChangedTime":"2013-08"},"oldName":"kitty","newName":"lufy"}}"#) == student)
        #expect(try student.jsonString() == text)
        let error = failure(reading: Student.self, #"{"name":{"newName":"lufy","info":3}}"#)
        #expect(error?.kind == .missingKeys)
        #expect(error?.keys == ["name.oldName", "name.info.nameChangedTime"])
    }

    @Test("F8: of several keys the first in rank counts, whatever the order in the document")
    func rankedKeys() throws {
        let members = [#""ID":"ABCD""#, #""Id":"Abcd""#, #""id":"abcd""#, #""ext":{"id":"ext"}"#]
        for order in permutations(members) {
            #expect(read("{" + order.joined(separator: ",") + "}") == Ranked(modelID: "ABCD"))
            let rest = order.filter { $0 != members[0] }
            #expect(read("{" + rest.joined(separator: ",") + "}") == Ranked(modelID: "Abcd"))
        }
        #expect(read(#"{"ext":{"id":"ext"}}"#) == Ranked(modelID: "ext"))
        #expect(try Ranked(modelID: "ABCD").jsonString() == #"{"ID":"ABCD"}"#)
    }

    @Test("F8: a null gives way to a lower rank, and counts where there is nothing else")
    func nullAmongAlternatives() throws {
        #expect(read(#"{"ID":null,"id":"x"}"#) == Ranked(modelID: "x"))
        #expect(read(#"{"id":"x","ID":null}"#) == Ranked(modelID: "x"))
        #expect(read(#"{"Id":null,"ext":{"id":"x"},"ID":null}"#) == Ranked(modelID: "x"))
        #expect(read(#"{"ID":null}"#) == Ranked(modelID: nil))
        #expect(read(#"{"ID":null}"#) == RankedDefault(modelID: "none"))
        #expect(read(#"{"ID":null,"id":"x"}"#) == RankedDefault(modelID: "x"))
    }

    @Test("F9: several properties have one key, each with its own type")
    func oneKeyForSeveral() throws {
        #expect(read(#"{"v":7}"#) == Twice(text: "7", number: 7, value: 7))
        #expect(read(#"{"v":"12"}"#) == Twice(text: "12", number: 12, value: "12"))
        #expect(read(#"{"v":null}"#) == Twice())
        #expect(try Twice(text: "a", number: 1).jsonString() == #"{"v":"a"}"#)
        #expect(try Twice(number: 1, value: 2).jsonString() == #"{"v":1}"#)
        #expect(try Twice(number: 1).jsonString(options: .init(nils: .null)) == #"{"v":1}"#)
        #expect(try Twice().jsonString(options: .init(nils: .null)) == #"{"v":null}"#)
    }

    @Test("F9: a key is a value to some properties and the beginning of a path to others")
    func leafAndIntermediate() throws {
        #expect(read(#"{"ext":{"d":"Apple"}}"#) == Shared(d1: "Apple", d2: "Apple"))
        #expect(read(#"{"ext":{"d":{"e":"Apple"}}}"#) == Shared(d3: "Apple"))
        #expect(read(#"{"ext":{"d":{"e":"Apple"}}}"#, options: .strict) == Shared(d3: "Apple"))
        #expect(read(#"{"ext":{"d":{"x":[{}],"e":null}},"z":1}"#) == Shared())
        #expect(read(#"{"ext":{"d":{"e":"Apple"},"d":"Pear"}}"#) == Shared(d1: "Pear", d2: "Pear", d3: "Apple"))
        #expect(read(#"{"k":{"e":1}}"#) == Mixed(tree: ["e": 1], e: 1, list: [5], number: 6))
        #expect(read(#"{"k":[7]}"#, leavingOut: 2, options: .init(mismatch: .keep)) == Mixed(list: [7], number: 6))
        #expect(failure(reading: Shared.self, #"{"ext":{"d":[]}}"#)?.path == "ext.d")
        #expect(try Shared(d1: "Apple", d2: "Pear").jsonString() == #"{"ext":{"d":"Apple"}}"#)
        #expect(try Shared(d2: "Pear", d3: "x").jsonString() == #"{"ext":{"d":"Pear"}}"#)
        #expect(try Shared(d3: "Apple").jsonString() == #"{"ext":{"d":{"e":"Apple"}}}"#)
    }

    @Test("F10: a strategy makes keys of names, and a key of one's own goes before it")
    func strategies() throws {
        let pascal = Pascal(name: "H", page: 256, desc: "d")
        #expect(read(#"{"Name":"H","Page":256,"Description":"d"}"#) == pascal)
        #expect(try pascal.jsonString() == #"{"Name":"H","Page":256,"Description":"d"}"#)
        let custom = Custom(city: "Oslo", code: 1, named: 2)
        #expect(read(#"{"address":{"city":"Oslo"},"x_code":1,"plain":2,"x_named":3}"#) == custom)
        #expect(try custom.jsonString() == #"{"address":{"city":"Oslo"},"x_code":1,"plain":2}"#)
        #expect(read(#"{"created-at":1,"html-url":"u"}"#) == Kebab(createdAt: 1, htmlURL: "u"))
    }

    private func permutations(_ items: [String]) -> [[String]] {
        if items.count < 2 { return [items] }
        return items.indices.flatMap { index in
            var rest = items
            let first = rest.remove(at: index)
            return permutations(rest).map { [first] + $0 }
        }
    }
}

#endif
