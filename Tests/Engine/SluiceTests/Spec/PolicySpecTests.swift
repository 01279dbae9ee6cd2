// SPEC §1.5 and §1.6: what a property says about its values, by attributes; Foundation's types under the three profiles.
#if Macros

import Foundation
import Sluice
import Testing

@testable import SluiceTestSupport

@Suite struct PolicySpecTests {
    @JSONModel
    struct Converted: Equatable {
        @JSONConvert(.truncating) var stars = 0
        @JSONConvert(.strict) var count = 0
        @JSONConvert(.init(overflow: .clamp)) var small: Int8 = 0
        @JSONConvert(.init(overflow: .wrap)) var wrapped: UInt8 = 0
        @JSONConvert(.init(extendedBooleans: true)) var flag = false
        @JSONConvert(.init(emptyStringIsNull: true)) var maybe: Int? = 5
        @JSONConvert(.init(detectsEpochs: true)) var at: Date?
        @JSONConvert(.yyModel) var loose = 0
        var price = 0.0
        var text = ""
    }

    @JSONModel(conversions: .strict)
    struct Strict: Equatable {
        var count = 0
        @JSONConvert(.lenient) var price = 0.0
    }

    @JSONModel
    struct Nulls: Equatable {
        var plain = 7
        var nilled: Int? = 7
        @JSONNull(.keep) var kept: Int? = 7
        @JSONNull(.empty) var name: String = "n"
        @JSONNull(.empty) var dogs: [String] = ["d"]
        @JSONNull(.empty) var info: [String: Int] = ["i": 1]
        @JSONNull(.empty) var unique: Set<Int> = [1]
        @JSONNull(.empty) var number = 7
        @JSONNull(.empty) var flag = true
        @JSONNull(.empty) var date: Date? = Date(timeIntervalSince1970: 0)
        @JSONNull(.default) var level: Int? = 3
    }

    @JSONModel(null: .empty)
    struct Emptied: Equatable {
        var name: String? = "n"
        var n: Int? = 7
        @JSONNull(.asNil) var optedOut: String? = "x"
    }

    @JSONModel
    struct Guarded: Equatable {
        @JSONNull(.error) var id: Int?
    }

    @JSONModel
    struct Mismatched: Equatable {
        @JSONMismatch(.nil) var age: Int? = 1
        @JSONMismatch(.keep) var size = 2
        @JSONMismatch(.default) var weight = 3
        @JSONMismatch(.throw) var height = 4
    }

    @JSONModel(mismatch: .keep, elements: .skipInvalid)
    struct Tolerant: Equatable {
        var count = 1
        var tags: [String] = []
        @JSONMismatch(.throw) var id = 0
    }

    @JSONModel
    struct Entry: Equatable {
        var v: Int
    }

    @JSONModel
    struct Elements: Equatable {
        @JSONElements(.strict) var strict: [Entry] = []
        @JSONElements(.skipMistyped) var mistyped: [Entry] = []
        @JSONElements(.skipInvalid) var invalid: [Entry] = []
        @JSONElements(.skipNull) var nulls: [Entry] = []
    }

    @JSONModel
    struct Dated: Equatable {
        @JSONDate(.unix) var unix: Date?
        @JSONDate(.milliseconds) var milliseconds: Date?
        @JSONDate(.microseconds) var microseconds: Date?
        @JSONDate(.rfc1123) var mail: Date?
        @JSONDate(.format("dd/MM/yyyy HH:mm")) var local: Date?
        @JSONDate(.iso8601) var iso: Date?
        var any: Date?
    }

    @JSONModel
    struct Bytes: Equatable {
        @JSONData(.utf8) var body: Data?
        @JSONData(.base64) var blob: Data?
        var plain: Data?
    }

    @JSONModel
    struct Joined: Equatable {
        @JSONJoin(", ") var artists = ""
        @JSONJoin(",") var numbers: String?
    }

    @JSONModel
    struct Timeline: Equatable {
        @JSONUpdate(.append) var posts: [Int] = []
        @JSONUpdate(.replace) var head: Entry?
        @JSONUpdate(.merge) var tail: Entry?
        var tags: [Int] = []
    }

    @JSONModel
    struct Login: Equatable {
        var name: String
        @JSONSensitive var pin: Int
    }

    @JSONModel
    struct Typed: Equatable {
        var date: Date?
        var data: Data?
        var url: URL?
        var decimal: Decimal?
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

    private func kind<Value: JSONBindable>(
        _ type: Value.Type, _ text: String, options: JSONReader.Options = .init()
    ) -> JSONError.Kind? {
        failure(reading: type, text, options: options)?.kind
    }

    // MARK: Conversions

    @Test("F19: a property's own conversions hold for it, and the default is lenient")
    func conversions() {
        #expect(read(#"{"stars":4.7}"#) == Converted(stars: 4))
        #expect(read(#"{"stars":-4.7}"#) == Converted(stars: -4))
        #expect(kind(Converted.self, #"{"count":"3"}"#) == .typeMismatch)
        #expect(kind(Strict.self, #"{"count":"3"}"#) == .typeMismatch)
        #expect(read(#"{"count":3,"price":"1.5"}"#) == Strict(count: 3, price: 1.5))
        #expect(read(#"{"small":300,"wrapped":300}"#) == Converted(small: 127, wrapped: 44))
        #expect(read(#"{"flag":"on"}"#) == Converted(flag: true))
        #expect(read(#"{"maybe":""}"#) == Converted(maybe: nil))
        #expect(read(#"{"at":1390220688000}"#) == Converted(at: Date(timeIntervalSince1970: 1_390_220_688)))
        #expect(read(#"{"loose":"12abc","price":"12.5","text":662.81}"#) == Converted(loose: 12, price: 12.5, text: "662.81"))
        #expect(read(#"{"text":true,"price":true}"#) == Converted(price: 1, text: "true"))
        #expect(kind(Converted.self, #"{"price":"12abc"}"#) == .typeMismatch)
    }

    @Test("F19: what the reader is told holds where neither the property nor the model says otherwise")
    func precedence() {
        #expect(kind(Converted.self, #"{"price":"1"}"#, options: .strict) == .typeMismatch)
        #expect(read(#"{"stars":4.7}"#, options: .strict) == Converted(stars: 4))
        #expect(kind(Strict.self, #"{"count":[]}"#, options: .yyModel) == .typeMismatch)
    }

    @Test("F19: an array is joined to a string")
    func joins() {
        #expect(
            read(#"{"artists":["Simon","Garfunkel"],"numbers":[1,2]}"#) == Joined(artists: "Simon, Garfunkel", numbers: "1,2"))
        #expect(read(#"{"artists":"Nico","numbers":[]}"#) == Joined(artists: "Nico", numbers: ""))
    }

    // MARK: Foundation's types

    private static let strict = JSONReader.Options.strict
    private static let lenient = JSONReader.Options()
    private static let yyModel = JSONReader.Options.yyModel

    @Test("F19: a Date is made of text under each profile, of a number under none unless it is told to")
    func dates() {
        let moment = Date(timeIntervalSince1970: 1_399_334_400)
        for options in [Self.strict, Self.lenient, Self.yyModel] {
            #expect(read(#"{"date":"2014-05-06"}"#, options: options) == Typed(date: moment))
            #expect(read(#"{"date":null}"#, options: options) == Typed(date: nil))
        }
        for value in ["1399334400", "true", "[]", "\"soon\""] {
            let text = #"{"date":\#(value)}"#
            #expect(kind(Typed.self, text, options: Self.strict) != nil)
            #expect(kind(Typed.self, text, options: Self.lenient) != nil)
        }
        #expect(read(#"{"date":1399334400}"#, leavingOut: 1, options: Self.yyModel) == Typed())
        #expect(read(#"{"date":[]}"#, leavingOut: 1, options: Self.yyModel) == Typed())
        #expect(read(#"{"date":"soon"}"#, leavingOut: 1, options: Self.yyModel) == Typed(date: nil))
        #expect(read(#"{"date":1399334400}"#, options: .init(dates: .unix)) == Typed(date: moment))
        #expect(read(#"{"date":1399334400}"#, options: .init(conversions: .init(detectsEpochs: true))) == Typed(date: moment))
    }

    @JSONModel
    struct Existing: Equatable {
        var date: Date? = Date(timeIntervalSince1970: 5)
        var data: Data? = Data("initial".utf8)
        var url: URL? = URL(string: "https://example.com")
        var id: UUID? = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        var decimal: Decimal? = 7
        var count: Int? = 7
    }

    @Test("B11: YYModel's rules leave a date, a URL or data alone where something else than a string stands")
    func existingValuesUnderYYModel() throws {
        for key in ["date", "data", "url", "id"] {
            for value in ["7", "1.5", "true", "[1]", #"{"a":[]}"#] {
                let text = #"{"\#(key)":\#(value)}"#
                #expect(read(text, leavingOut: 1, options: Self.yyModel) == Existing(), "\(text)")
                var existing = Existing(date: Date(timeIntervalSince1970: 9))
                try existing.update(json: text, options: Self.yyModel)
                #expect(existing == Existing(date: Date(timeIntervalSince1970: 9)), "\(text)")
            }
            let text = #"{"\#(key)":null}"#
            #expect(read(text, options: Self.yyModel) != Existing())
        }
        for value in ["[1]", "{}"] {
            #expect(read(#"{"decimal":\#(value)}"#, leavingOut: 1, options: Self.yyModel) == Existing())
            #expect(read(#"{"count":\#(value)}"#, leavingOut: 1, options: Self.yyModel) == Existing(count: nil))
        }
        #expect(read(#"{"date":"soon"}"#, leavingOut: 1, options: Self.yyModel) == Existing(date: nil))
        #expect(read(#"{"url":""}"#, leavingOut: 1, options: Self.yyModel) == Existing(url: nil))
    }

    @JSONModel(conversions: .yyModel)
    struct Loose: Equatable {
        var body: Data?
        var list: [Data] = []
        @JSONData(.base64) var blob: Data?
        @JSONConvert(.lenient) var plain: Data?
    }

    @Test("B12: data that YYModel's rules read as text is written as text")
    func dataUnderYYModel() throws {
        let text = #"{"body":"é\"","list":["a","=="],"blob":"aGk=","plain":"aGk="}"#
        let loose = try #require(read(text, as: Loose.self))
        #expect(loose.body == Data("é\"".utf8))
        #expect(loose.blob == Data("hi".utf8))
        #expect(try loose.jsonString() == text)
        #expect(try Loose(json: loose.jsonString()) == loose)
        #expect(try Loose(archive: loose.archive()) == loose)
        #expect(throws: JSONError.self) { try Loose(body: Data([0xFF])).jsonString() }
        // Where the reader says it and not the model, the writer has to be told too.
        let typed = try #require(read(#"{"data":"hi ="}"#, options: Self.yyModel, as: Typed.self))
        let written = try typed.jsonString(options: .yyModel)
        #expect(written == #"{"data":"hi ="}"#)
        #expect(try Typed(json: written, options: .yyModel) == typed)
        #expect(try [Data("hi".utf8)].jsonString(options: .init(data: .utf8)) == #"["hi"]"#)
        #expect(try typed.jsonString() == #"{"data":"aGkgPQ=="}"#)
        #expect(try Bytes(blob: Data("hi".utf8)).jsonString(options: .yyModel) == #"{"blob":"aGk="}"#)
    }

    @Test("F19: Data is Base64, and the string's own bytes under YYModel's rules")
    func data() {
        #expect(read(#"{"data":"aGk="}"#, options: Self.strict) == Typed(data: Data("hi".utf8)))
        #expect(read(#"{"data":"aGk="}"#, options: Self.lenient) == Typed(data: Data("hi".utf8)))
        #expect(read(#"{"data":"aGk="}"#, options: Self.yyModel) == Typed(data: Data("aGk=".utf8)))
        #expect(kind(Typed.self, #"{"data":"?"}"#) == .invalidValue)
        #expect(kind(Typed.self, #"{"data":7}"#) == .invalidValue)
        #expect(read(#"{"data":7}"#, leavingOut: 1, options: Self.yyModel) == Typed())
        #expect(read(#"{"data":null}"#, options: Self.yyModel) == Typed(data: nil))
    }

    @Test("F19: a URL is made of text without the white space around it")
    func urls() {
        let url = URL(string: "https://example.com/a?b=c")
        for options in [Self.strict, Self.lenient, Self.yyModel] {
            #expect(read(#"{"url":"https://example.com/a?b=c"}"#, options: options) == Typed(url: url))
            #expect(read(#"{"url":" https://example.com/a?b=c\n"}"#, options: options) == Typed(url: url))
            #expect(read(#"{"url":null}"#, options: options) == Typed(url: nil))
        }
        #expect(kind(Typed.self, #"{"url":""}"#) == .invalidValue)
        #expect(kind(Typed.self, #"{"url":7}"#, options: Self.strict) == .invalidValue)
        #expect(read(#"{"url":7}"#, leavingOut: 1, options: Self.yyModel) == Typed())
        #expect(read(#"{"url":""}"#, leavingOut: 1, options: Self.yyModel) == Typed(url: nil))
    }

    @Test("F19: a Decimal is exact, and made of text except under strict rules")
    func decimals() {
        let exact = Decimal(string: "3.14159265358979323846264338327950288")
        for options in [Self.strict, Self.lenient, Self.yyModel] {
            #expect(read(#"{"decimal":3.14159265358979323846264338327950288}"#, options: options) == Typed(decimal: exact))
            #expect(read(#"{"decimal":null}"#, options: options) == Typed(decimal: nil))
        }
        #expect(kind(Typed.self, #"{"decimal":"-3.2"}"#, options: Self.strict) == .invalidValue)
        #expect(read(#"{"decimal":"-3.2"}"#, options: Self.lenient) == Typed(decimal: Decimal(string: "-3.2")))
        #expect(read(#"{"decimal":"-3.2"}"#, options: Self.yyModel) == Typed(decimal: Decimal(string: "-3.2")))
        #expect(read(#"{"decimal":true}"#, options: Self.lenient) == Typed(decimal: 1))
        #expect(read(#"{"decimal":[]}"#, leavingOut: 1, options: Self.yyModel) == Typed())
    }

    @Test("F19: a date has the form that its property says, in both directions")
    func dateForms() throws {
        let text = """
            {"unix":1390220688,"milliseconds":1390220688250,"microseconds":1390220688000001,"mail":"Mon, 20 Jan 2014 12:24:48 GMT",\
            "local":"20/01/2014 12:24","iso":"2014-01-20T12:24:48Z","any":"2014-01-20T12:24:48Z"}
            """
        let moment = Date(timeIntervalSince1970: 1_390_220_688)
        let dated = Dated(
            unix: moment, milliseconds: moment + 0.25,
            microseconds: Date(JSONTimestamp(seconds: 1_390_220_688, nanoseconds: 1000)),
            mail: moment, local: Date(timeIntervalSince1970: 1_390_220_640), iso: moment, any: moment)
        #expect(read(text) == dated)
        #expect(read(text, options: .strict) == dated)
        #expect(try dated.jsonString() == text)
        #expect(try Dated(any: moment).jsonString(options: .init(dates: .unix)) == #"{"any":1390220688}"#)
        #expect(kind(Dated.self, #"{"unix":"2014-01-20"}"#) != nil)
    }

    @Test("F19: data has the form that its property says, in both directions")
    func dataForms() throws {
        let text = #"{"body":"hi","blob":"aGk=","plain":"aGk="}"#
        let bytes = Bytes(body: Data("hi".utf8), blob: Data("hi".utf8), plain: Data("hi".utf8))
        #expect(read(text) == bytes)
        #expect(try bytes.jsonString() == text)
        let loose = Bytes(body: Data("hi".utf8), blob: Data("hi".utf8), plain: Data("aGk=".utf8))
        #expect(read(text, options: .yyModel) == loose)
    }

    // MARK: Null and mismatch

    @Test("F20: a null is what the property says")
    func nulls() {
        let names = ["plain", "nilled", "kept", "name", "dogs", "info", "unique", "number", "flag", "date", "level"]
        let text = "{" + names.map { "\"\($0)\":null" }.joined(separator: ",") + "}"
        let expected = Nulls(
            plain: 7, nilled: nil, kept: 7, name: "", dogs: [], info: [:], unique: [], number: 0, flag: false, date: nil, level: 3
        )
        #expect(read(text) == expected)
        #expect(read(text, options: .strict) == expected)
        #expect(read("{}") == Nulls())
        #expect(read(#"{"name":null,"n":null,"optedOut":null}"#) == Emptied(name: "", n: 0, optedOut: nil))
        #expect(kind(Guarded.self, #"{"id":null}"#) == .typeMismatch)
        #expect(read("{}") == Guarded())
    }

    @Test("F20: YYModel's null is 0 for a number and nil for an object, whatever the initial value")
    func nullsOfYYModel() {
        #expect(read(#"{"plain":null}"#, options: .yyModel) == Nulls(plain: 0))
        #expect(read(#"{"nilled":null}"#, options: .yyModel) == Nulls(nilled: nil))
    }

    @Test("F20: what does not fit is what the property says, and counted")
    func mismatches() {
        #expect(read(#"{"age":"old","size":[],"weight":{}}"#, leavingOut: 3) == Mismatched(age: nil, size: 2, weight: 3))
        #expect(kind(Mismatched.self, #"{"height":[]}"#) == .typeMismatch)
        #expect(read(#"{"count":"x","tags":[1,[2],"c"]}"#, leavingOut: 2) == Tolerant(count: 1, tags: ["1", "c"]))
        #expect(failure(reading: Tolerant.self, #"{"id":{}}"#)?.path == "id")
    }

    @Test("F16: elements that do not fit are what the property says")
    func elements() {
        let nothing = Elements()
        #expect(kind(Elements.self, #"{"strict":[{"v":1},null]}"#) == .typeMismatch)
        #expect(read(#"{"mistyped":[{"v":1},null,3]}"#, leavingOut: 2, as: Elements.self)?.mistyped == [Entry(v: 1)])
        #expect(kind(Elements.self, #"{"mistyped":[{"v":[]}]}"#) == .typeMismatch)
        #expect(
            read(#"{"invalid":[{"v":1},null,3,{"v":[]},{}]}"#, leavingOut: 4, options: .strict, as: Elements.self)?.invalid == [
                Entry(v: 1)
            ])
        #expect(read(#"{"nulls":[{"v":1},null]}"#, leavingOut: 1, options: .strict, as: Elements.self)?.nulls == [Entry(v: 1)])
        #expect(kind(Elements.self, #"{"nulls":[3]}"#) == .typeMismatch)
        #expect(read("{}") == nothing)
    }

    // MARK: Updates and secrets

    @JSONModel
    enum Fruit: String { case apple, pear }

    @Test("F19: tolerant, an element that does not fit is left out and counted, whatever its JSON type")
    func tolerance() {
        let reading = readings(of: [Fruit].self, #"["apple","kiwi",5,null,{},"pear"]"#, options: .tolerant)
        #expect(reading.value == [.apple, .pear])
        #expect(reading.report.droppedCount == 4)
        #expect(reading.report.issues.first?.kind == .invalidValue)
        #expect(reading.disagreements == [])
    }

    @Test("F24: an update replaces, merges or appends as the property says")
    func updates() throws {
        var timeline = Timeline(posts: [1], head: Entry(v: 1), tail: Entry(v: 1), tags: [1])
        try timeline.update(json: #"{"posts":[2],"tail":{},"tags":[2]}"#)
        #expect(timeline == Timeline(posts: [1, 2], head: Entry(v: 1), tail: Entry(v: 1), tags: [2]))
        let error = #expect(throws: JSONError.self) { try timeline.update(json: #"{"head":{}}"#) }
        #expect(error?.kind == .missingKeys)
        try timeline.update(json: #"{"head":{"v":5},"tail":{"v":6}}"#)
        #expect(timeline.head == Entry(v: 5))
        #expect(timeline.tail == Entry(v: 6))
    }

    @Test("F34: a sensitive value is neither in descriptions nor in errors")
    func secrets() throws {
        let login = try Login(json: #"{"name":"ann","pin":4711}"#)
        #expect(login.jsonDescription == "<Login> {\n    name = \"ann\";\n    pin = <redacted>\n}")
        #expect(login.jsonSummary == "name = ann, pin = <redacted>")
        let error = failure(reading: Login.self, #"{"name":"ann","pin":"hunter2"}"#)
        #expect(error?.found == "a string")
        #expect(try login.jsonString() == #"{"name":"ann","pin":4711}"#)
    }
}

@Suite struct MetadataSpecTests {
    @JSONModel
    struct Leaf: Equatable {
        var name: String
        var trees: [Tree] = []
    }

    @JSONModel
    struct Tree: Equatable {
        var leaves: [Leaf] = []
        var pages: Page<Leaf>?
    }

    @JSONModel
    struct Page<Item: Equatable>: Equatable {
        var items: [Item]
    }

    @Test("F38: a table is compiled once, whichever of many tasks comes first")
    func tablesAreCompiledOnce() async throws {
        let text = #"{"leaves":[{"name":"a","trees":[{"leaves":[]}]}],"pages":{"items":[{"name":"b"}]}}"#
        let tables = try await withThrowingTaskGroup(of: [ObjectIdentifier].self) { group in
            for number in 0..<64 {
                group.addTask {
                    switch number % 4 {
                    case 0:
                        let tree = try Tree(json: text)
                        #expect(tree.pages?.items == [Leaf(name: "b")])
                        #expect(try Tree(json: tree.jsonString()) == tree)
                    case 1: #expect(try [Leaf](json: #"[{"name":"c"}]"#).map(\.name) == ["c"])
                    case 2: #expect(try Page<Int>(json: #"{"items":[1]}"#).items == [1])
                    default:
                        #expect(try Page<Leaf>(items: [Leaf(name: "d")]).jsonString() == #"{"items":[{"name":"d","trees":[]}]}"#)
                    }
                    return [Tree._jsonTable, Leaf._jsonTable, Page<Int>._jsonTable, Page<Leaf>._jsonTable].map {
                        ObjectIdentifier($0)
                    }
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(tables.count == 1)
        #expect(Set(try #require(tables.first)).count == 4)
    }

    @Test("F38: schemas and their fingerprints may be asked for by many tasks at a time")
    func schemasAreShared() async {
        let prints = await withTaskGroup(of: UInt64.self) { group in
            for _ in 0..<32 { group.addTask { Tree.schema.fingerprint } }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(prints.count == 1)
    }
}

#endif
