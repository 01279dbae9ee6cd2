// Declarations whose expansion was tested as text only: each is compiled, read, written and updated here.
#if Macros

import Foundation
public import Sluice
import Testing

enum Declarations {
    @JSONModel struct Page: Equatable {
        var total: Int
        var next: String?
    }

    struct Thing: Identifiable { var id = 1 }

    /// The type of a property is an associated one.
    @JSONModel struct Reference<Item: Identifiable> {
        var id: Item.ID
        var others: [Item.ID]?
    }

    @JSONModel struct Tree {
        var children: [Self] = []
        @JSONIgnored(.reading) var none: [String: Self] = [:]
    }

    @JSONModel final class Chain {
        var children: [Chain] = []
        var next: Chain?
        weak var up: Chain? { nil }
    }

    @JSONModel struct Adapted<Item: JSONBindable> {
        @JSONString var a: Item
        @JSONString var b: [Item]?
        @JSONString var c: [String: Item] = [:]
    }

    @JSONModel final class AdaptedClass<Item: JSONBindable> {
        @JSONString var a: [Item] = []
        @JSONSensitive var secret = "x"
        var c: Item?
    }

    @JSONModel(unknownKeys: .collect(into: "rest")) final class CollectingClass {
        var a = 1
        var rest: JSONObject = [:]
    }

    @JSONModel(unknownKeys: .collect(into: "rest")) struct Collecting<Item: JSONBindable> {
        var a: Item
        @JSONIgnored var action: (() -> Void)?
        var rest: [String: JSONValue] = [:]
    }

    @JSONModel struct Constrained<A, B> where A: JSONBindable {
        var a: A
        var b: B?
        @JSONIgnored var action: ((A) -> B)?
    }

    @JSONModel(observe: ["x"]) struct Observing: JSONDidRead {
        var a = 1
        @JSONIgnored var action = { 1 }
        @JSONIgnored var seen = false

        mutating func didRead(_ context: JSONReadContext) -> Bool {
            seen = context.value("x") != nil
            return true
        }
    }

    @JSONBaseClass(observe: ["x"]) class ObservingBase: JSONDidRead {
        var a = 1
        @JSONIgnored var action = { 1 }
        @JSONSensitive var secret = "q"

        func didRead(_ context: JSONReadContext) -> Bool { true }
    }

    @JSONSubclass(of: ObservingBase.self, keys: .snakeCase) final class ObservingSubclass: ObservingBase {
        var bigName = 1
        @JSONString var list: [Int] = []
        @JSONIgnored var (x, y) = (1, { 2 })
    }

    @JSONModel struct Inlining {
        @JSONInline var page: Page?
        var z = 1
        @JSONIgnored var made = Date(timeIntervalSince1970: 0)
    }

    @JSONModel final class InliningClass {
        @JSONInline var page: Page
        var z = 1
        @JSONIgnored lazy var action = { 1 }
        init() { page = Page(total: 1) }
    }

    @JSONBaseClass class InliningBase {
        @JSONInline var page: Page?
        var z = 1
    }

    @JSONSubclass(of: InliningBase.self) final class InliningSubclass: InliningBase {
        @JSONInline var quotient: Quotient?
    }

    @JSONModel struct Quotient {
        @JSONKey("q.r") var r: Int
        @JSONKey("q.s", "s") var s: Int?
    }

    @JSONModel struct Words {
        var `default`: Int
        var `in`: String?
        @JSONIgnored var `class` = { 1 }
        var `self`: Int = 1
        @JSONIgnored(.reading) let `let` = 4
    }

    @JSONModel(layout: .array) struct Row {
        var a: Double
        var b: Int?
        var c = "x"
        @JSONIgnored var action: (() -> Void)?
    }

    @JSONModel(codable: true) struct Coded<Item: JSONBindable> {
        var a: Item
        @JSONIgnored var action: (() -> Void)?
        @JSONSensitive var secret = "x"
    }

    @JSONModel struct Unwrapped {
        var a: Int!
        var b: [Int]! = [1]
        @JSONIgnored var action: (() -> Void)!
        @JSONIgnored let constant: Int? = nil
    }

    @JSONModel fileprivate struct Hidden {
        fileprivate var a = 1
        private var inner = Inner()
        @JSONModel fileprivate struct Inner { var x = 1 }
        fileprivate init() {}
    }

    @JSONModel struct Fields {
        var a: JSONField<Int>
        var b: JSONField<[String]> = .absent
        @JSONIgnored var c: JSONField<Int> = .absent
    }

    @JSONModel indirect enum Nested {
        case leaf(Int)
        case node([Nested])
        case pair(Nested)
        case none
    }

    @JSONModel(tag: .key("t")) enum Labelled {
        case a(value: Page)
        case b(_ page: Page)
        case unknown(tag: String?, raw: RawJSON)
    }

    @JSONModel(tag: .presence) enum Present {
        @JSONKey("total") case page(Page)
        case q(Quotient)
    }

    @JSONModel(tag: .external) enum Optionals {
        case a(Page?)
        case b([Int]?)
        case `default`(Int)
        case `self`(Int)
    }

    @JSONModel struct Several {
        var a = 1, b = 2
        let c, d: Int
        @JSONIgnored var e = 1, f = { 2 }
        @JSONIgnored var g, h: Int?
    }

    /// The names that the expansion has for its own values and types.
    @JSONModel struct JSONType { var page: Page? }
    @JSONModel struct Model {
        var model: Int?
        var writer = 1, slot = 2, old = 3, new = 4, draft = 5, bound = 6
        @JSONIgnored var action = { 1 }
    }
    @JSONModel struct Value<Value> {
        var value: Value?
        @JSONIgnored var other: Value?
    }
    @JSONBaseClass class Root { var id = 0 }
    @JSONSubclass(of: Root.self) final class Leaf: Root { var level = 0 }

    typealias List<Item> = [Item]
    @JSONModel struct Aliases {
        var a: List<Int>
        var b: List<Page>?
        @JSONIgnored var c: List<() -> Void> = []
    }

    /// What is deprecated causes no warning inside the expansion.
    @JSONModel struct Deprecated {
        @available(*, deprecated) var old = 1
        let b: Int
        @JSONIgnored @available(*, deprecated) var action: (() -> Void)?
        @JSONSensitive var secret = ""
    }
    @JSONModel final class DeprecatedClass<Item: JSONBindable> {
        @available(*, deprecated) var old: Item?
        let b: Int
    }
    @JSONBaseClass class DeprecatedBase {
        @available(*, deprecated) var old = 1
        @JSONSensitive var secret = ""
    }
    @JSONSubclass(of: DeprecatedBase.self) class DeprecatedMiddle: DeprecatedBase { var b = 2 }
    @JSONSubclass(of: DeprecatedMiddle.self) final class DeprecatedDerived: DeprecatedMiddle {
        @available(*, deprecated) var own = 3
    }
    @JSONModel(tag: .key("t")) enum DeprecatedCase {
        @available(*, deprecated) case a(Page)
        case b(Page)
    }
    @JSONModel enum DeprecatedWord {
        @available(*, deprecated) case a
        case unknown(String)
    }
}

@globalActor actor TestActor { static let shared = TestActor() }
@globalActor actor TestDatabase { static let shared = TestDatabase() }

@TestActor @JSONModel struct OnTestActor {
    var x = 3
    let z: Int
    @JSONIgnored var action: (() -> Void)?
}

@TestDatabase @JSONModel(tag: .key("t")) enum OnTestDatabase { case a(OnTestActor) }

public enum PublicDeclarations {
    @JSONModel public struct Generic<Item> {
        public var item: Item?

        @JSONModel public struct Inner {
            public var item: Item?
            public var items: [Item] = []
        }

        @JSONModel(tag: .key("k")) public enum Event {
            case a(Inner)
            case b(Item)
            case c
        }

        @JSONModel public final class Object {
            public var item: Item?
            public init() {}
        }
    }
}

@Suite struct DeclarationTests {
    private typealias D = Declarations
    private typealias Generic = PublicDeclarations.Generic

    private func expectSame<Model: JSONBindable>(_ type: Model.Type, _ text: String) throws {
        #expect(try Model(json: text).jsonString() == text, "\(type)")
    }

    /// Reads `text` with the value `1` of a member, updates it to `9`, and expects all else to stay.
    private func expectUpdated<Model: JSONModel>(_ type: Model.Type, _ text: String, _ change: String) throws {
        var model = try Model(json: text)
        #expect(try model.jsonString() == text, "\(type)")
        try model.update(json: change)
        #expect(try model.jsonString() == text.replacing(":1", with: ":9"), "\(type)")
        #expect(try model.copy().jsonString() == model.jsonString(), "\(type)")
    }

    @Test func genericDeclarations() throws {
        try expectSame(D.Reference<D.Thing>.self, #"{"id":1,"others":[2]}"#)
        try expectSame(D.Adapted<Int>.self, #"{"a":"1","b":"[1]","c":"{\"x\":1}"}"#)
        try expectUpdated(D.AdaptedClass<Int>.self, #"{"a":"[2]","secret":"y","c":1}"#, #"{"c":9}"#)
        try expectUpdated(D.Constrained<Int, String>.self, #"{"a":1,"b":"3"}"#, #"{"a":9}"#)
        try expectUpdated(D.Coded<Int>.self, #"{"a":1,"secret":"y"}"#, #"{"a":9}"#)
        try expectUpdated(D.Value<Int>.self, #"{"value":1}"#, #"{"value":9}"#)
        try expectUpdated(Generic<Int>.self, #"{"item":1}"#, #"{"item":9}"#)
        try expectUpdated(Generic<Int>.Inner.self, #"{"item":1,"items":[2]}"#, #"{"item":9}"#)
        try expectUpdated(Generic<Int>.Object.self, #"{"item":1}"#, #"{"item":9}"#)
        for text in [#"{"k":"b","total":1}"#, #"{"k":"a","item":{"total":1},"items":[]}"#, #"{"k":"c"}"#] {
            try expectSame(Generic<D.Page>.Event.self, text)
        }
        #expect("\(try D.AdaptedClass<Int>(json: #"{"secret":"y"}"#).customMirror.children.map(\.value))".contains("y") == false)
    }

    @Test func recursiveDeclarations() throws {
        try expectSame(D.Tree.self, #"{"children":[{"children":[],"none":{}}],"none":{}}"#)
        try expectSame(D.Chain.self, #"{"children":[{"children":[]}],"next":{"children":[]}}"#)
        try expectSame(D.Nested.self, #"{"node":[{"leaf":1},{"pair":"none"},"none"]}"#)
    }

    @Test func declarationsThatTakeOtherKeys() throws {
        try expectUpdated(D.CollectingClass.self, #"{"a":2,"b":1}"#, #"{"b":9}"#)
        try expectUpdated(D.Collecting<Int>.self, #"{"a":2,"b":1}"#, #"{"b":9}"#)
        try expectUpdated(D.Observing.self, #"{"a":1}"#, #"{"a":9}"#)
        #expect(try D.Observing(json: #"{"x":1}"#).seen)
        try expectUpdated(D.ObservingSubclass.self, #"{"a":2,"secret":"z","big_name":1,"list":"[3]"}"#, #"{"big_name":9}"#)
        try expectUpdated(D.Inlining.self, #"{"total":1,"next":"a","z":3}"#, #"{"total":9}"#)
        try expectUpdated(D.InliningClass.self, #"{"total":1,"next":"a","z":3}"#, #"{"total":9}"#)
        try expectUpdated(D.InliningSubclass.self, #"{"total":1,"z":3,"q":{"r":2}}"#, #"{"total":9}"#)
    }

    @Test func declarationsOfPropertiesAndNames() throws {
        try expectUpdated(D.Words.self, #"{"default":1,"in":"3","self":5,"let":4}"#, #"{"default":9}"#)
        try expectSame(D.Row.self, #"[1.5,2,"y"]"#)
        try expectUpdated(D.Unwrapped.self, #"{"a":1,"b":[2]}"#, #"{"a":9}"#)
        try expectUpdated(D.Hidden.self, #"{"a":1,"inner":{"x":2}}"#, #"{"a":9}"#)
        try expectSame(D.Fields.self, #"{"a":null,"b":["x"]}"#)
        try expectUpdated(D.Several.self, #"{"a":3,"b":2,"c":1,"d":4}"#, #"{"c":9}"#)
        try expectSame(D.JSONType.self, #"{"page":{"total":1}}"#)
        try expectUpdated(
            D.Model.self, #"{"model":1,"writer":2,"slot":2,"old":3,"new":4,"draft":5,"bound":6}"#, #"{"model":9}"#)
        try expectUpdated(D.Leaf.self, #"{"id":1,"level":2}"#, #"{"id":9}"#)
        try expectSame(D.Aliases.self, #"{"a":[1],"b":[{"total":1}]}"#)
    }

    @Test func declarationsOfCases() throws {
        for tag in ["a", "b", "z"] { try expectSame(D.Labelled.self, #"{"t":"\#(tag)","total":1}"#) }
        try expectSame(D.Present.self, #"{"total":1}"#)
        try expectSame(D.Present.self, #"{"q":{"r":1}}"#)
        try expectSame([D.Optionals].self, #"[{"a":{"total":1}},{"a":null},{"b":null},{"default":1},{"self":1}]"#)
    }

    @Test func deprecatedDeclarations() throws {
        try expectUpdated(D.Deprecated.self, #"{"old":2,"b":1,"secret":""}"#, #"{"b":9}"#)
        try expectUpdated(D.DeprecatedClass<Int>.self, #"{"old":1,"b":2}"#, #"{"old":9}"#)
        try expectUpdated(D.DeprecatedBase.self, #"{"old":1,"secret":"s"}"#, #"{"old":9}"#)
        try expectUpdated(D.DeprecatedMiddle.self, #"{"old":2,"secret":"s","b":1}"#, #"{"b":9}"#)
        try expectUpdated(D.DeprecatedDerived.self, #"{"old":2,"secret":"s","b":3,"own":1}"#, #"{"own":9}"#)
        try expectSame(D.DeprecatedCase.self, #"{"t":"a","total":1}"#)
        try expectSame([D.DeprecatedWord].self, #"["a","b"]"#)
    }

    @Test func declarationsOnActors() throws {
        try expectUpdated(OnTestActor.self, #"{"x":3,"z":1}"#, #"{"z":9}"#)
        try expectSame(OnTestDatabase.self, #"{"t":"a","x":3,"z":1}"#)
    }
}

#endif
