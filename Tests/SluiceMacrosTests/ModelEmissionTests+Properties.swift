// What the declaration of a property changes in the expansion of its type.
#if Macros

import Testing

extension ModelEmissionTests {
    @Test func everySpellingOfAnOptionalIsUnwrappedOnceInTheDraft() {
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
                    let g: Int? = 1
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
                - fileprivate var e: Swift.Optional<Int> = nil
                + fileprivate var e: Swift.Optional<Int?> = nil
                - fileprivate var g: Swift.Optional<Int> = nil
                - model._row("g", \JSONDraft.g, .optional)
                + model.writeOnly("g", Int.self)
                + self.c = draft.c.take()
                + self.f = draft.f.take()
                - Swift.swap(&self.c, &draft.c)
                - Swift.swap(&self.d, &draft.d)
                + if bound.contains(3) { Swift.swap(&self.d, &draft.d) }
                - Swift.swap(&self.f, &draft.f)
                - Swift.swap(&self.g, &draft.g)
                - draft.g = self.g
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
            in: """
                - var count: Int = 0
                - var total: Int
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
                """)
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
                fileprivate var `default`: Swift.Optional<Int> = nil
                fileprivate var `switch`: Swift.Optional<Swift.Int> = nil
                fileprivate var `self`: Swift.Optional<String> = nil
                fileprivate var `content type`: Swift.Optional<String> = nil
                model._row("default", \JSONDraft.`default`, .required)
                model._row("switch", \JSONDraft.`switch`, .defaulted)
                model._row("self", \JSONDraft.`self`, .optional)
                model._row("content type", \JSONDraft.`content type`, .defaulted)
                try bound.check(draft.`default`, 0)
                self.`default` = bound.checked(draft.`default`.take())
                if var value = draft.`switch`.take() { Swift.swap(&self.`switch`, &value) }
                Swift.swap(&self.`self`, &draft.`self`)
                if var value = draft.`content type`.take() { Swift.swap(&self.`content type`, &value) }
                case 0: try writer.property(self.`default`)
                case 1: try writer.property(self.`switch`)
                case 2: try writer.property(self.`self`)
                case 3: try writer.property(self.`content type`)
                case 4: try writer.property(self.`in`)
                draft.`default` = self.`default`
                draft.`switch` = self.`switch`
                draft.`self` = self.`self`
                draft.`content type` = self.`content type`
                self.`in` = old.`in`
                case 0: return \Self.`default`
                case 1: return \Self.`switch`
                case 2: return \Self.`self`
                case 3: return \Self.`content type`
                case 4: return \Self.`in`
                """#)
    }

    @Test func namesThatTheExpansionUsesItselfDoNotClash() {
        expectExpansion(
            of: """
                @JSONModel
                struct Clashes {
                    var slot: Int
                    var writer: Int = 0
                    var draft: Int?
                    var bound: Int? = 1
                    var value: Int = 2
                    var model: Int
                }
                """,
            whereItContains: "self.",
            is: """
                self.init(_checkedDraft: &draft, bound: bound)
                self.slot = bound.checked(draft.slot.take())
                self.model = bound.checked(draft.model.take())
                if var value = draft.writer.take() { Swift.swap(&self.writer, &value) }
                Swift.swap(&self.draft, &draft.draft)
                if bound.contains(3) { Swift.swap(&self.bound, &draft.bound) }
                if var value = draft.value.take() { Swift.swap(&self.value, &value) }
                case 0: try writer.property(self.slot)
                case 1: try writer.property(self.writer)
                case 2: try writer.property(self.draft)
                case 3: try writer.property(self.bound)
                case 4: try writer.property(self.value)
                case 5: try writer.property(self.model)
                draft.slot = self.slot
                draft.writer = self.writer
                draft.draft = self.draft
                draft.bound = self.bound
                draft.value = self.value
                draft.model = self.model
                """)
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
            in: """
                - var level: Int = 3
                + @Clamped var level: Int = 3
                """)
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
            in: """
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
                + }
                + mutating func _keepUnread(of old: Self) {
                + self.action = old.action
                + self.list = old.list
                """)
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
                - model._row("number", \JSONDraft.number, .required)
                - model._row("text", \JSONDraft.text, .required)
                + model._row("number", \JSONDraft.number, .required, keys: ["id"])
                + model._row("text", \JSONDraft.text, .required, keys: ["id"])
                """#)
    }

    @Test func selfInAPropertyTypeMeansTheModelAndNotItsDraft() {
        expectExpansion(
            of: """
                @JSONModel
                struct Tree {
                    var children: [Self]
                    let none: [String: Self] = [:]
                }
                """,
            differsFrom: """
                @JSONModel
                struct Tree {
                    var children: [Tree]
                    let none: [String: Tree] = [:]
                }
                """,
            in: """
                - var children: [Tree]
                - let none: [String: Tree] = [:]
                + var children: [Self]
                + let none: [String: Self] = [:]
                - @available(*, unavailable, message: "mark 'Tree' with '@JSONModel', or the property with '@JSONIgnored'") func JSON<JSONType>(_: JSONType.Type) {}
                + @available(*, unavailable, message: "mark 'Self' with '@JSONModel', or the property with '@JSONIgnored'") func JSON<JSONType>(_: JSONType.Type) {}
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
                - @available(*, unavailable, message: "mark 'Circle' with '@JSONModel', or the property with '@JSONIgnored'") func JSON<JSONType>(_: JSONType.Type) {}
                + @available(*, unavailable, message: "'any Shape' may be of any type; use an enum whose cases hold the types, or mark the property with '@JSONIgnored'") func JSON<JSONType>(_: JSONType.Type) {}
                - JSON((Circle).self)
                + JSON((any Shape).self)
                - @available(*, unavailable, message: "mark 'C' with '@JSONModel', or the property with '@JSONIgnored'") func JSON<JSONType>(_: JSONType.Type) {}
                + @available(*, unavailable, message: "mark 'A & B' with '@JSONModel', or the property with '@JSONIgnored'") func JSON<JSONType>(_: JSONType.Type) {}
                - JSON((C).self)
                + JSON((A & B).self)
                - model._writeOnly("a", Circle.self)
                - model._writeOnly("b", C.self)
                + model._writeOnly("a", (any Shape).self)
                + model._writeOnly("b", (A & B).self)
                """)
    }
}

#endif
