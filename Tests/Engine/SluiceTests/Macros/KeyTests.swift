// Which key binds which property, with the attributes that a user writes.

#if Macros
import Sluice
import Testing

@testable import SluiceTestSupport

@Suite struct KeyTests {
    @Test func pathsReachIntoNestedObjects() throws {
        let json = #"{"ext":{"desc":"d","size":{"width":3,"height":4,"depth":{"x":[1]}},"other":1},"last":5}"#
        let reading = readEveryWay(Flat.self, json)
        #expect(reading.disagreements == [])
        #expect(reading.outcome == .value(Flat(summary: "d", width: 3, height: 4, last: 5)))
    }

    @JSONModel
    struct Flat: Equatable {
        @JSONKey("ext.desc") var summary: String?
        @JSONKey("ext.size.width") var width = 0
        @JSONKey("ext.size.height") var height: Int
        var last: Int?
    }

    @Test func pathsAreWrittenAsOneObjectForEachLevel() throws {
        let flat = Flat(summary: "d", width: 3, height: 4, last: 5)
        #expect(try flat.jsonString() == #"{"ext":{"desc":"d","size":{"width":3,"height":4}},"last":5}"#)
        #expect(try Flat(json: try flat.jsonBytes(options: .pretty)) == flat)
    }

    @JSONModel
    struct Optionals: Equatable {
        @JSONKey("a.b.c") var deep: Int?
        @JSONKey("a.d") var shallow: Int?
        var z = 1
    }

    @Test func pathOfNilsLeavesNothingAfter() throws {
        #expect(try Optionals().jsonString() == #"{"z":1}"#)
        #expect(try Optionals(shallow: 2).jsonString() == #"{"a":{"d":2},"z":1}"#)
        #expect(try Optionals().jsonString(options: .init(nils: .null)) == #"{"a":{"b":{"c":null},"d":null},"z":1}"#)
        #expect(try Optionals().jsonString(options: .pretty) == "{\n  \"z\": 1\n}")
    }

    @Test(arguments: [
        #"{"a":null}"#, #"{"a":7}"#, #"{"a":"x"}"#, #"{"a":[{"d":1}]}"#, #"{"a":{"b":null}}"#, #"{"a":{"b":{}}}"#, "{}",
    ])
    func pathThroughSomethingElseIsAbsent(_ json: String) throws {
        let reading = readEveryWay(Optionals.self, json)
        #expect(reading.disagreements == [])
        #expect(reading.outcome == .value(Optionals()))
    }

    @Test func errorsNameThePathOfKeys() {
        let error = #expect(throws: JSONError.self) { try Flat(json: #"{"ext":{"size":{"height":"tall"}}}"#) }
        #expect(error?.kind == .typeMismatch)
        #expect(error?.path == "ext.size.height")
        let missing = #expect(throws: JSONError.self) { try Flat(json: #"{"ext":{"size":{}}}"#) }
        #expect(missing?.kind == .missingKeys)
        #expect(missing?.keys == ["ext.size.height"])
    }

    @JSONModel
    struct Alternatives: Equatable {
        @JSONKey("id", "ID", "ext.id") var id: String?
        @JSONKey("n", "name") var name: String
        @JSONKey("c", "count") var count = 1
    }

    @Test(arguments: [
        (#"{"id":"a","ID":"b","ext":{"id":"c"},"n":"x","name":"y","c":2,"count":3}"#, "a", "x", 2),
        (#"{"ext":{"id":"c"},"count":3,"ID":"b","c":2,"name":"y","id":"a","n":"x"}"#, "a", "x", 2),
        (#"{"id":null,"ID":"b","ext":{"id":"c"},"n":null,"name":"y","c":null,"count":3}"#, "b", "y", 3),
        (#"{"ext":{"id":"c"},"ID":null,"name":"y","id":null}"#, "c", "y", 1),
        (#"{"ext":{"id":"c"},"ID":"b","id":null,"name":"y","n":null}"#, "b", "y", 1),
        (#"{"ID":"b","ext":{"id":"c"},"name":"y"}"#, "b", "y", 1),
        (#"{"name":"y","ext":null}"#, nil, "y", 1),
    ])
    func bestAlternativeThatIsNotNullWinsInAnyOrder(_ json: String, _ id: String?, _ name: String, _ count: Int) {
        let reading = readEveryWay(Alternatives.self, json)
        #expect(reading.disagreements == [])
        #expect(reading.outcome == .value(Alternatives(id: id, name: name, count: count)))
    }

    @Test func firstAlternativeIsWritten() throws {
        #expect(try Alternatives(id: "a", name: "x").jsonString() == #"{"id":"a","n":"x","c":1}"#)
        let error = #expect(throws: JSONError.self) { try Alternatives(json: #"{"id":"a","n":null}"#) }
        #expect(error?.keys == ["n"])
    }

    @Test(
        "M10: the keys of an error are keys, and the one that was null is called so",
        arguments: [
            (#"{"n":null}"#, ["n"], "missing key 'n' (null)"), (#"{"name":null}"#, ["name"], "missing key 'name' (null)"),
            (#"{"n":null,"name":null}"#, ["name"], "missing key 'name' (null)"),
            (#"{"name":null,"n":null}"#, ["n"], "missing key 'n' (null)"),
            (#"{"n":"x","ID":null,"n":null}"#, ["n"], "missing key 'n' (null)"),
            ("{}", ["n", "name"], "missing key 'n' or 'name'"),
        ])
    func keysOfErrorsAreKeys(_ json: String, _ keys: [String], _ words: String) {
        for text in [json, #"[{"name":null,"n":"x"},\#(json)]"#] {
            let reading =
                text == json
                ? readings(of: Alternatives.self, Array(text.utf8), options: .init()).error
                : readings(of: [Alternatives].self, Array(text.utf8), options: .init()).error
            #expect(reading?.keys == keys)
            #expect(reading?.summary.hasPrefix(words) == true, "\(reading?.summary ?? "")")
        }
        #expect(readings(of: Alternatives.self, Array(json.utf8), options: .init()).disagreements == [])
    }

    @JSONModel
    struct Literal: Equatable {
        @JSONKey(literal: "swift.version") var version: String
        @JSONKey("swift.build") var build: Int
        @JSONKey(literal: "") var empty: Int?
        @JSONKey("ключ 🔑") var odd: Int?
        @JSONKey(literal: "a \"q\"") var quoted: Int?
        @JSONKey("tab\tline\n\u{e9}") var escaped: Int?
    }

    @Test func literalKeysKeepTheirDots() throws {
        let json = #"{"swift.version":"6.3","swift":{"build":7},"":1,"ключ \ud83d\udd11":2,"a \"q\"":3,"tab\tline\né":4}"#
        let value = Literal(version: "6.3", build: 7, empty: 1, odd: 2, quoted: 3, escaped: 4)
        let reading = readEveryWay(Literal.self, json)
        #expect(reading.disagreements == [])
        #expect(reading.outcome == .value(value))
        #expect(try Literal(json: try value.jsonString()) == value)
    }

    @JSONModel
    struct Shared: Equatable {
        var id: Int?
        @JSONKey("id", "other") var same: Double?
    }

    @JSONModel
    struct Inside: Equatable {
        @JSONKey("a.ext.desc") var summary: String?
        @JSONKey("a.ext") var whole: JSONValue?
    }

    @Test func aKeyOfTwoPropertiesGivesBothTheirValue() {
        let reading = readEveryWay(Shared.self, #"{"other":2,"id":7,"id2":0}"#)
        #expect(reading.disagreements == [])
        #expect(reading.outcome == .value(Shared(id: 7, same: 7)))
        #expect(readEveryWay(Shared.self, #"{"other":2}"#).outcome == .value(Shared(same: 2)))
        let nulls = readEveryWay(Shared.self, #"{"id":null,"other":3}"#)
        #expect(nulls.disagreements == [])
        #expect(nulls.outcome == .value(Shared(same: 3)))
    }

    @Test func aKeyMayBeAPropertyAndTheWayToAnother() throws {
        let json = #"{"a": {"ext": {"desc": "d\u00e9", "n": [1, {"x": null}]}, "more": {"deep": [{}]}}}"#
        let reading = readEveryWay(Inside.self, json)
        #expect(reading.disagreements == [])
        let whole = try JSONValue(json: #"{"desc": "d\u00e9", "n": [1, {"x": null}]}"#)
        #expect(reading.outcome == .value(Inside(summary: "dé", whole: whole)))
        #expect(readEveryWay(Inside.self, #"{"a":{"ext":12}}"#).outcome == .value(Inside(whole: 12)))
    }

    @JSONModel
    struct OneWayEach: Equatable {
        @JSONKey("v") @JSONIgnored(.writing) var read: Int?
        @JSONKey("v") @JSONIgnored(.reading) var written = 5
    }

    @Test func oneKeyMayBeReadByOnePropertyAndWrittenByAnother() throws {
        #expect(try OneWayEach(json: #"{"v":1}"#) == OneWayEach(read: 1))
        #expect(try OneWayEach(read: 1).jsonString() == #"{"v":5}"#)
    }

    @JSONModel(keys: .snakeCase)
    struct Snake: Equatable { var firstName: String; var htmlURL = ""; @JSONKey("ID") var id = 0 }
    @JSONModel(keys: .kebabCase)
    struct Kebab: Equatable { var firstName: String; var htmlURL = "" }
    @JSONModel(keys: .pascalCase)
    struct Pascal: Equatable { var firstName: String; var htmlURL = "" }
    @JSONModel(keys: .custom({ "data." + $0.uppercased() }))
    struct Custom: Equatable { var firstName: String; var htmlURL = "" }

    @Test func strategiesMakeKeysOfNames() throws {
        #expect(try Snake(firstName: "a", htmlURL: "b").jsonString() == #"{"first_name":"a","html_url":"b","ID":0}"#)
        #expect(try Kebab(firstName: "a", htmlURL: "b").jsonString() == #"{"first-name":"a","html-url":"b"}"#)
        #expect(try Pascal(firstName: "a", htmlURL: "b").jsonString() == #"{"FirstName":"a","HtmlURL":"b"}"#)
        #expect(try Custom(firstName: "a", htmlURL: "b").jsonString() == #"{"data":{"FIRSTNAME":"a","HTMLURL":"b"}}"#)
        #expect(try Snake(json: #"{"ID":2,"first_name":"a"}"#) == Snake(firstName: "a", id: 2))
        #expect(try Kebab(json: #"{"first-name":"a"}"#) == Kebab(firstName: "a"))
        #expect(try Pascal(json: #"{"FirstName":"a"}"#) == Pascal(firstName: "a"))
        #expect(try Custom(json: #"{"data":{"FIRSTNAME":"a"}}"#) == Custom(firstName: "a"))
    }

    @JSONModel
    struct Clashes: Equatable {
        var slot: Int
        var writer: String?
        var draft = 1
        var bound: Int? = 2
        var value = 3
        var model: Int
        var `default`: String
        var `self`: Int
        var `content type`: String?
        var type: Int
    }

    @Test func namesThatTheExpansionUsesItselfAreProperties() throws {
        let json =
            #"{"slot":1,"writer":"w","draft":2,"bound":null,"value":4,"model":5,"default":"d","self":6,"content type":"c","type":7}"#
        let value = Clashes(
            slot: 1, writer: "w", draft: 2, bound: nil, value: 4, model: 5, default: "d", self: 6, `content type`: "c", type: 7)
        #expect(try Clashes(json: json) == value)
        #expect(try Clashes(json: try value.jsonString(options: .init(nils: .null))) == value)
    }

    @JSONBaseClass
    class ClashingBase {
        var compiler: Int
        var contents = 1
        var destination: Int?
        var draft: Int? = 2
        var bound: String
        var model = 3
    }

    @JSONSubclass(of: ClashingBase.self)
    final class ClashingSubclass: ClashingBase {
        var first: Int
        var parent = 4
        var root: Int?
        var slot: Int? = 5
        var value = 6
        @JSONString var writer: [Int]
    }

    @JSONModel
    struct ClashingDraft {
        var draft: Int
        var bound = 1
        var value: Int?
        var model: Int? = 2
        @Clamped var slot = 3
        @JSONIgnored var old = 4
        @JSONIgnored(.reading) var writer = 5
    }

    @Test func namesThatTheExpansionOfADraftUsesItselfAreProperties() throws {
        let json =
            #"{"compiler":1,"contents":2,"destination":3,"draft":null,"bound":"b","model":4,"first":5,"#
            + #""parent":6,"root":7,"slot":null,"value":8,"writer":"[9]"}"#
        let object = try ClashingSubclass(json: json)
        #expect(try object.jsonString(options: .init(nils: .null)) == json)
        try object.update(json: #"{"value":1,"draft":2,"bound":"c"}"#)
        #expect((object.value, object.draft, object.bound, object.first) == (1, 2, "c", 5))
        var model = try ClashingDraft(json: #"{"draft":7,"bound":8,"value":9,"model":null,"slot":20,"writer":0}"#)
        model.old = 6
        try model.update(json: #"{"bound":1,"value":null}"#)
        #expect(try model.jsonString() == #"{"draft":7,"bound":1,"slot":10,"writer":5}"#)
        #expect(model.old == 6)
        #expect(ClashingDraft.schema.draftReason != nil)
    }
}
#endif
