// What kind of stored property takes part, and what its absence or null means.

#if Macros
import Sluice
import Testing

@testable import SluiceTestSupport

@Suite struct PropertyTests {
    @JSONModel
    struct Defaults: Equatable {
        let id: Int
        var pages = 7
        var rate = 0.5
        var title = "none"
        var isOpen = true
        var tags: [String] = ["a"]
        var author: Author = Author(name: "nobody")
        var note: String?
        var hint: String? = "hint"
        @JSONIgnored(.reading) let fixed = 3
        var implicit: Int!
    }

    @JSONModel
    struct Author: Equatable { var name: String }

    @Test func absentKeysKeepInitialValues() throws {
        let value = try Defaults(json: #"{"id":1}"#)
        #expect(value == Defaults(id: 1))
        #expect(value.author.name == "nobody")
        #expect(value.hint == "hint")
    }

    @Test func nullKeepsADefaultAndClearsAnOptional() throws {
        let json = #"""
            {"id":1,"pages":null,"rate":null,"title":null,"isOpen":null,"tags":null,"author":null,"note":null,"hint":null,
             "implicit":null}
            """#
        let reading = readEveryWay(Defaults.self, json)
        #expect(reading.disagreements == [])
        #expect(reading.outcome == .value(Defaults(id: 1, hint: nil)))
    }

    @Test func constantsAreWrittenAndNeverRead() throws {
        let value = try Defaults(json: #"{"id":1,"fixed":99}"#)
        #expect(value.fixed == 3)
        #expect(try PlainJSON(foundation: try value.jsonBytes())["fixed"]?.integer == 3)
    }

    @Test func everyMissingKeyIsInOneError() {
        let error = #expect(throws: JSONError.self) { try Required(json: #"{"b":null,"e":1}"#) }
        #expect(error?.kind == .missingKeys)
        #expect(error?.keys == ["a", "b", "c.d"])
        #expect(error?.expected == "an object of Required")
        #expect(error?.description.contains("'a', 'b' (null), 'c.d'") == true)
    }

    @JSONModel
    struct Required {
        var a: Int
        let b: String
        @JSONKey("c.d") var deep: [Int]
        var e: Int
    }

    @JSONModel
    struct Access: Equatable {
        private let secret: Int
        private(set) var shown: String
        fileprivate var hidden = 1
        private var cache: Int?
        static let shared = 5
        var computed: Int { secret * 2 }

        var all: [Int?] { [secret, hidden, cache] }
    }

    @Test func privatePropertiesTakePart() throws {
        let value = try Access(json: #"{"secret":4,"shown":"s","hidden":2,"cache":3,"computed":9,"shared":9}"#)
        #expect(value.all == [4, 2, 3])
        #expect(value.shown == "s")
        #expect(try value.jsonString() == #"{"secret":4,"shown":"s","hidden":2,"cache":3}"#)
    }

    @JSONModel
    struct Directions: Equatable {
        @JSONIgnored var isSelected = false
        @JSONIgnored(.writing) var password: String?
        @JSONIgnored(.reading) var client = "sluice"
        @JSONIgnored(.reading) var token: String?
        @JSONIgnored var handler: Handler?
        var name = ""

        struct Handler: Equatable { var code = 0 }
    }

    @Test func ignoredPropertiesAreReadOnlyWrittenOnlyOrNeither() throws {
        let json = #"{"isSelected":true,"password":"p","client":"other","token":"t","handler":{},"name":"n"}"#
        let value = try Directions(json: json)
        #expect(value == Directions(password: "p", name: "n"))
        #expect(try value.jsonString() == #"{"client":"sluice","name":"n"}"#)
        var other = value
        other.isSelected = true
        other.token = "t"
        other.handler = .init()
        #expect(try other.jsonString() == #"{"client":"sluice","token":"t","name":"n"}"#)
    }

    @JSONModel
    struct Observed {
        var count: Int = 0 { didSet { changes += 1 } }
        var name: String { willSet { changes += 1 } }
        @JSONIgnored var changes = 0
        @JSONIgnored lazy var double = count * 2
    }

    @Test func observedPropertiesAreBoundWithoutNotice() throws {
        var value = try Observed(json: #"{"count":3,"name":"n"}"#)
        #expect(value.count == 3)
        #expect(value.name == "n")
        #expect(value.changes == 0)
        value.count = 4
        #expect(value.changes == 1)
        #expect(value.double == 8)
        #expect(try value.jsonString() == #"{"count":4,"name":"n"}"#)
    }

    typealias MaybeInt = Int?

    @JSONModel
    struct Renamed: Equatable {
        typealias Alias = String?
        var a: MaybeInt
        var b: Alias = "b"
        var c: Optional<Int>
        var d: Swift.Optional<[Int?]>
        var e: Int??
    }

    @Test func renamedOptionalsAreOptionalToo() throws {
        #expect(try Renamed(json: "{}") == Renamed(a: nil, c: nil, d: nil, e: nil))
        let nulls = try Renamed(json: #"{"a":null,"b":null,"c":null,"d":null}"#)
        #expect(nulls == Renamed(a: nil, b: nil, c: nil, d: nil, e: nil))
        let json = #"{"a":1,"b":"x","c":2,"d":[1,null],"e":3}"#
        let reading = readEveryWay(Renamed.self, json)
        #expect(reading.disagreements == [])
        #expect(reading.outcome == .value(Renamed(a: 1, b: "x", c: 2, d: [1, nil], e: 3)))
        #expect(try reading.outcome == .value(Renamed(json: json)))
        #expect(try Renamed(json: json).jsonString() == json)
    }

    @JSONModel
    struct Inferred: Equatable {
        var a = true, b = 1, c = -2.5, d = "s"
        var e = [Int](), f = Set<String>(), g = [String: Int]()
        var h, i: Int
        var j = Author(name: "x")
        var k = "\(1 + 1)"
    }

    @Test func typesAreEvidentFromInitialValues() throws {
        let json = #"{"a":false,"b":2,"c":3.5,"d":"t","e":[1],"f":["y"],"g":{"k":1},"h":4,"i":5,"j":{"name":"z"},"k":"l"}"#
        let value = try Inferred(json: json)
        #expect(try value.jsonString() == json)
        #expect(try Inferred(json: #"{"h":4,"i":5}"#) == Inferred(h: 4, i: 5))
    }

    @Test func laterKeyOfTheSameNameWins() throws {
        let json =
            #"{"id":1,"note":"a","tags":["x"],"author":{"name":"one"},"note":"b","tags":["y","z"],"author":{"name":"two"},"id":2}"#
        let reading = readEveryWay(Defaults.self, json)
        #expect(reading.disagreements == [])
        #expect(reading.outcome == .value(Defaults(id: 2, tags: ["y", "z"], author: Author(name: "two"), note: "b")))
    }

    @JSONModel struct Empty: Equatable {}

    @Test func modelWithoutPropertiesIsAnyObject() throws {
        #expect(try Empty(json: #"{"a":{"b":[1,2]}}"#) == Empty())
        #expect(try Empty().jsonString() == "{}")
        #expect(try [Empty](json: "[{},{}]").count == 2)
        #expect(throws: JSONError.self) { try Empty(json: "[]") }
    }
}
#endif
