// What the declaration of a property changes in the expansion of its type.
#if Macros

import Testing

extension ModelEmissionTests {
    @Test func everySpellingOfAnOptionalIsUnwrappedOnce() {
        expectExpansion(
            of: """
                @JSONModel
                struct Optionals {
                    var a: Int?
                    var b: Int!
                    var c: Optional<Int>
                    var d: Swift.Optional<Int> = 1
                    var e: Int??
                    let f: Int?
                    @JSONIgnored(.reading) let g: Int? = 1
                }
                """,
            differsFrom: """
                @JSONModel
                struct Optionals {
                    var a: Int?
                    var b: Int?
                    var c: Int?
                    var d: Int?
                    var e: Int?
                    var f: Int?
                    var g: Int?
                }
                """,
            in: #"""
                - var b: Int?
                - var c: Int?
                - var d: Int?
                - var e: Int?
                - var f: Int?
                - var g: Int?
                + var b: Int!
                + var c: Optional<Int>
                + var d: Swift.Optional<Int> = 1
                + var e: Int??
                + let f: Int?
                + let g: Int? = 1
                - model._optional("d", \Self.d)
                + model._optional("d", \Self.d, .literal(1))
                - model._optional("g", \Self.g)
                + model.writeOnly("g", Int.self)
                + model._kept(\Self.g, .literal(1))
                """#)
    }

    @Test func columnsAreDeclaredAfterTheirProperty() {
        expectExpansion(
            of: """
                @JSONModel
                struct Row {
                    @JSONColumn("key", .text) var id: UInt64
                    @JSONColumn(.json) var tags: Tags = Tags()
                    @JSONColumn("n") var note: String?
                }
                """,
            differsFrom: """
                @JSONModel
                struct Row {
                    var id: UInt64
                    var tags: Tags = Tags()
                    var note: String?
                }
                """,
            in: #"""
                + model.column("key", .text)
                + model.column(.json)
                + model.column("n")
                """#)
    }

    @Test func aDeclarationOfSeveralPropertiesMakesARowOfEach() {
        expectExpansion(
            of: """
                @JSONModel
                struct Point {
                    var x, y: Double
                    var name = "p", tag: String, weight: Int = 1
                }
                """,
            differsFrom: """
                @JSONModel
                struct Point {
                    var x: Double
                    var y: Double
                    var name = "p"
                    var tag: String
                    var weight: Int = 1
                }
                """,
            in: """
                - var x: Double
                - var y: Double
                - var name = "p"
                - var tag: String
                - var weight: Int = 1
                + var x, y: Double
                + var name = "p", tag: String, weight: Int = 1
                """)
    }

    @Test func staticsAndComputedPropertiesAreLeftAloneAndObservedOnesAreNot() {
        expectExpansion(
            of: """
                @JSONModel
                struct Counter {
                    static let zero = 0
                    static var shared: Int { 0 }
                    var next: Int { count + 1 }
                    var count: Int = 0 {
                        didSet {}
                    }
                    var total: Int {
                        willSet {}
                    }
                    func reset() {}
                }
                """,
            differsFrom: """
                @JSONModel
                struct Counter {
                    var count: Int = 0
                    var total: Int
                }
                """,
            in: #"""
                - var count: Int = 0
                - var total: Int
                - typealias JSONDraft = SluiceCore._InPlace<Self>
                + static let zero = 0
                + static var shared: Int { 0 }
                + var next: Int { count + 1 }
                + var count: Int = 0 {
                + didSet {}
                + }
                + var total: Int {
                + willSet {}
                + }
                + func reset() {}
                + struct JSONDraft: SluiceCore._JSONModelDraft {
                + fileprivate var count: Swift.Optional<Int> = nil
                + fileprivate var total: Swift.Optional<Int> = nil
                + init() {}
                + }
                - model._defaulted("count", \Self.count, .literal(0))
                - model._required("total", \Self.total)
                + model._draftReason = "the property 'count' is observed"
                + model._row("count", \JSONDraft.count, .defaulted)
                + model._row("total", \JSONDraft.total, .required)
                + init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                + try bound.check(draft.total, 1)
                + self.init(_checkedDraft: &draft, bound: bound)
                + }
                + private init(_checkedDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) {
                + self.total = bound.checked(draft.total.take())
                + if var value = draft.count.take() { Swift.swap(&self.count, &value) }
                + }
                + }
                + func _makeDraft() -> JSONDraft? {
                + var draft = JSONDraft()
                + draft.count = self.count
                + draft.total = self.total
                + return draft
                """#)
    }

    @Test func keywordsKeepTheirBackticksInCodeAndLoseThemInNames() {
        expectExpansion(
            of: """
                @JSONModel
                struct Words {
                    var `default`: Int
                    var `switch` = 1
                    var `self`: String?
                    var `content type`: String = ""
                    @JSONIgnored(.reading) var `in` = true
                }
                """,
            whereItContains: "`",
            is: #"""
                var `default`: Int
                var `switch` = 1
                var `self`: String?
                var `content type`: String = ""
                var `in` = true
                model._required("default", \Self.`default`)
                model._defaulted("switch", \Self.`switch`, .literal(1))
                model._optional("self", \Self.`self`)
                model._defaulted("content type", \Self.`content type`, .literal(""))
                model._kept(\Self.`in`, .literal(true))
                case 0: try writer.property(self.`default`)
                case 1: try writer.property(self.`switch`)
                case 2: try writer.property(self.`self`)
                case 3: try writer.property(self.`content type`)
                case 4: try writer.property(self.`in`)
                case 0: return \Self.`default`
                case 1: return \Self.`switch`
                case 2: return \Self.`self`
                case 3: return \Self.`content type`
                case 4: return \Self.`in`
                """#)
    }

    /// Whatever names the expansion declares, no property can clash with them if the expansion reaches each property as a member of
    /// `self`, of a draft or of a key path's type.
    @Test(arguments: [
        "@JSONModel struct Model", "@MainActor @JSONModel struct Model", "@JSONModel struct Model<Item>",
        "@JSONModel final class Model",
        "@JSONBaseClass class Model", "@JSONSubclass(of: Base.self) final class Model: Base",
    ])
    func namesThatTheExpansionUsesItselfDoNotClash(declaration: String) {
        let text = expansion(
            of: """
                \(declaration) {
                    var required: Int
                    var defaulted: Int = 0
                    var optional: Int?
                    var optionalWithValue: Int? = 1
                    @JSONSensitive var sensitive: String
                    @JSONString var adapted: [Int]
                    @JSONIgnored(.reading) var written = 2
                    @JSONIgnored var ignored = 3
                }
                """)
        let names: Set = [
            "required", "defaulted", "optional", "optionalWithValue", "sensitive", "adapted", "written", "ignored",
        ]
        let uses = propertyUses(of: names, in: text)
        #expect(uses.unqualified == [])
        #expect(uses.qualified == names)
    }

    @Test func theCheckOfNamesSeesAnUnqualifiedName() {
        let uses = propertyUses(
            of: ["a", "b", "c", "d"], in: #"func f(a: Int) { print(self.a, \Self.b, draft.c, d.take(), .d(1)) }"#)
        #expect(uses.unqualified == ["d"])
        #expect(uses.qualified == ["a", "b", "c"])
    }

    @Test func anUnknownAttributeIsAPlainProperty() {
        expectExpansion(
            of: """
                @JSONModel
                struct Wrapped {
                    @Clamped var level: Int = 3
                }
                """,
            differsFrom: """
                @JSONModel
                struct Wrapped {
                    var level: Int = 3
                }
                """,
            in: #"""
                - var level: Int = 3
                - typealias JSONDraft = SluiceCore._InPlace<Self>
                + @Clamped var level: Int = 3
                + struct JSONDraft: SluiceCore._JSONModelDraft {
                + fileprivate var level: Swift.Optional<Int> = nil
                + init() {}
                + }
                - model._defaulted("level", \Self.level, .literal(3))
                + model._draftReason = "the property 'level' has '@Clamped'"
                + model._row("level", \JSONDraft.level, .defaulted)
                + init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                + if var value = draft.level.take() { Swift.swap(&self.level, &value) }
                + }
                + }
                + func _makeDraft() -> JSONDraft? {
                + var draft = JSONDraft()
                + draft.level = self.level
                + return draft
                """#)
    }

    @Test func ignoredPropertiesMayBeAnything() {
        expectExpansion(
            of: #"""
                @JSONModel
                struct View {
                    var id: Int
                    @JSONIgnored lazy var cache = [1]
                    @JSONIgnored weak var owner: Owner?
                    @JSONIgnored unowned var other: Owner? = nil
                    @JSONIgnored var action: () -> Void = {}
                    @JSONIgnored var (a, b) = (1, 2)
                    @JSONIgnored var list = []
                    #if DEBUG
                    @JSONIgnored var trace: String?
                    func dump() {}
                    #endif
                }
                """#,
            differsFrom: """
                @JSONModel
                struct View {
                    var id: Int
                }
                """,
            in: #"""
                - typealias JSONDraft = SluiceCore._InPlace<Self>
                + lazy var cache = [1]
                + weak var owner: Owner?
                + unowned var other: Owner? = nil
                + var action: () -> Void = {}
                + var (a, b) = (1, 2)
                + var list = []
                + #if DEBUG
                + var trace: String?
                + func dump() {}
                + #endif
                + struct JSONDraft: SluiceCore._JSONModelDraft {
                + fileprivate var id: Swift.Optional<Int> = nil
                + init() {}
                + }
                - model._required("id", \Self.id)
                + model._draftReason = "the property 'cache' is lazy"
                + model._row("id", \JSONDraft.id, .required)
                + init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                + try bound.check(draft.id, 0)
                + self.init(_checkedDraft: &draft, bound: bound)
                + }
                + private init(_checkedDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) {
                + self.id = bound.checked(draft.id.take())
                + }
                + }
                + }
                + func _makeDraft() -> JSONDraft? {
                + var draft = JSONDraft()
                + draft.id = self.id
                + return draft
                + }
                + mutating func _keepUnread(of old: Self) {
                + let new = self
                + self = Self(_keeping: old, readFrom: new)
                + private init(_keeping old: Self, readFrom new: Self) {
                + self.init(_sameAs: old)
                + self.id = new.id
                """#)
    }

    @Test func oneKeyMayFeedSeveralProperties() {
        expectExpansion(
            of: """
                @JSONModel
                struct Both {
                    @JSONKey("id") var number: Int
                    @JSONKey("id") var text: String
                }
                """,
            differsFrom: """
                @JSONModel
                struct Both {
                    var number: Int
                    var text: String
                }
                """,
            in: #"""
                - model._required("number", \Self.number)
                - model._required("text", \Self.text)
                + model._required("number", \Self.number, keys: ["id"])
                + model._required("text", \Self.text, keys: ["id"])
                """#)
    }

    @Test func selfInAPropertyTypeMeansTheModelAndNotItsDraft() {
        expectExpansion(
            of: """
                @JSONModel
                struct Tree {
                    var children: [Self]
                    @JSONIgnored(.reading) let none: [String: Self] = [:]
                }
                """,
            differsFrom: """
                @JSONModel
                struct Tree {
                    var children: [Tree]
                    @JSONIgnored(.reading) let none: [String: Tree] = [:]
                }
                """,
            in: """
                - var children: [Tree]
                - let none: [String: Tree] = [:]
                + var children: [Self]
                + let none: [String: Self] = [:]
                - @available(*, unavailable, message: "mark 'Tree' with '@JSONModel', or the property with '@JSONIgnored' or, if the type is Codable, '@JSONCodable'") func JSON<JSONType>(_: JSONType.Type) {}
                + @available(*, unavailable, message: "mark 'Self' with '@JSONModel', or the property with '@JSONIgnored' or, if the type is Codable, '@JSONCodable'") func JSON<JSONType>(_: JSONType.Type) {}
                - JSON((Tree).self)
                + JSON((Self).self)
                """)
    }

    @Test func anExistentialIsParenthesisedWhenItsMetatypeIsTaken() {
        expectExpansion(
            of: """
                @JSONModel
                struct Boxed {
                    @JSONIgnored(.reading) var a: any Shape = Circle()
                    @JSONIgnored(.reading) var b: A & B = C()
                }
                """,
            differsFrom: """
                @JSONModel
                struct Boxed {
                    @JSONIgnored(.reading) var a: Circle = Circle()
                    @JSONIgnored(.reading) var b: C = C()
                }
                """,
            in: """
                - var a: Circle = Circle()
                - var b: C = C()
                + var a: any Shape = Circle()
                + var b: A & B = C()
                - @available(*, unavailable, message: "mark 'Circle' with '@JSONModel', or the property with '@JSONIgnored' or, if the type is Codable, '@JSONCodable'") func JSON<JSONType>(_: JSONType.Type) {}
                + @available(*, unavailable, message: "'any Shape' may be of any type; use an enum whose cases hold the types, or mark the property with '@JSONIgnored'") func JSON<JSONType>(_: JSONType.Type) {}
                - JSON((Circle).self)
                + JSON((any Shape).self)
                - @available(*, unavailable, message: "mark 'C' with '@JSONModel', or the property with '@JSONIgnored' or, if the type is Codable, '@JSONCodable'") func JSON<JSONType>(_: JSONType.Type) {}
                + @available(*, unavailable, message: "mark 'A & B' with '@JSONModel', or the property with '@JSONIgnored' or, if the type is Codable, '@JSONCodable'") func JSON<JSONType>(_: JSONType.Type) {}
                - JSON((C).self)
                + JSON((A & B).self)
                - model._writeOnly("a", Circle.self)
                + model._writeOnly("a", (any Shape).self)
                - model._writeOnly("b", C.self)
                + model._writeOnly("b", (A & B).self)
                """)
    }
}

#endif
