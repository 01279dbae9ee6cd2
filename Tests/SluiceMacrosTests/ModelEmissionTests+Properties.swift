// Properties: how each is drafted, described, assigned and written.
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
            is: #"""

                struct Optionals {
                    var a: Int?
                    var b: Int!
                    var c: Optional<Int>
                    var d: Swift.Optional<Int> = 1
                    var e: Int??
                    let f: Int?
                    let g: Int? = 1

                    struct JSONDraft: SluiceCore._JSONModelDraft {
                        fileprivate var a: Swift.Optional<Int> = nil
                        fileprivate var b: Swift.Optional<Int> = nil
                        fileprivate var c: Swift.Optional<Int> = nil
                        fileprivate var d: Swift.Optional<Int> = nil
                        fileprivate var e: Swift.Optional<Int?> = nil
                        fileprivate var f: Swift.Optional<Int> = nil
                        init() {}
                    }

                    static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                        model._row("a", \JSONDraft.a, .optional)
                        model._row("b", \JSONDraft.b, .optional)
                        model._row("c", \JSONDraft.c, .optional)
                        model._row("d", \JSONDraft.d, .optional)
                        model._row("e", \JSONDraft.e, .optional)
                        model._row("f", \JSONDraft.f, .optional)
                        model.writeOnly("g", Int.self)
                    }
                }

                extension Optionals: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                    static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: Optionals.self)

                    init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                        self.c = draft.c.take()
                        self.f = draft.f.take()
                        Swift.swap(&self.a, &draft.a)
                        Swift.swap(&self.b, &draft.b)
                        if bound.contains(3) { Swift.swap(&self.d, &draft.d) }
                        Swift.swap(&self.e, &draft.e)
                    }

                    func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                        switch slot {
                        case 0: try writer.property(self.a)
                        case 1: try writer.property(self.b)
                        case 2: try writer.property(self.c)
                        case 3: try writer.property(self.d)
                        case 4: try writer.property(self.e)
                        case 5: try writer.property(self.f)
                        case 6: try writer.property(self.g)
                        default: break
                        }
                    }

                    func _makeDraft() -> JSONDraft? {
                        var draft = JSONDraft()
                        draft.a = self.a
                        draft.b = self.b
                        draft.c = self.c
                        draft.d = self.d
                        draft.e = self.e
                        draft.f = self.f
                        return draft
                    }

                    static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                        switch slot {
                        case 0: return \Self.a
                        case 1: return \Self.b
                        case 2: return \Self.c
                        case 3: return \Self.d
                        case 4: return \Self.e
                        case 5: return \Self.f
                        case 6: return \Self.g
                        default: return nil
                        }
                    }
                }
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
            is: #"""

                struct Point {
                    var x, y: Double
                    var name = "p", tag: String, weight: Int = 1

                    struct JSONDraft: SluiceCore._JSONModelDraft {
                        fileprivate var x: Swift.Optional<Double> = nil
                        fileprivate var y: Swift.Optional<Double> = nil
                        fileprivate var name: Swift.Optional<Swift.String> = nil
                        fileprivate var tag: Swift.Optional<String> = nil
                        fileprivate var weight: Swift.Optional<Int> = nil
                        init() {}
                    }

                    static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                        model._row("x", \JSONDraft.x, .required)
                        model._row("y", \JSONDraft.y, .required)
                        model._row("name", \JSONDraft.name, .defaulted)
                        model._row("tag", \JSONDraft.tag, .required)
                        model._row("weight", \JSONDraft.weight, .defaulted)
                    }
                }

                extension Point: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                    static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: Point.self)

                    init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                        try bound.check(draft.x, 0)
                        try bound.check(draft.y, 1)
                        try bound.check(draft.tag, 3)
                        self.init(_checkedDraft: &draft, bound: bound)
                    }

                    private init(_checkedDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) {
                        self.x = bound.checked(draft.x.take())
                        self.y = bound.checked(draft.y.take())
                        self.tag = bound.checked(draft.tag.take())
                        if var value = draft.name.take() { Swift.swap(&self.name, &value) }
                        if var value = draft.weight.take() { Swift.swap(&self.weight, &value) }
                    }

                    func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                        switch slot {
                        case 0: try writer.property(self.x)
                        case 1: try writer.property(self.y)
                        case 2: try writer.property(self.name)
                        case 3: try writer.property(self.tag)
                        case 4: try writer.property(self.weight)
                        default: break
                        }
                    }

                    func _makeDraft() -> JSONDraft? {
                        var draft = JSONDraft()
                        draft.x = self.x
                        draft.y = self.y
                        draft.name = self.name
                        draft.tag = self.tag
                        draft.weight = self.weight
                        return draft
                    }

                    static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                        switch slot {
                        case 0: return \Self.x
                        case 1: return \Self.y
                        case 2: return \Self.name
                        case 3: return \Self.tag
                        case 4: return \Self.weight
                        default: return nil
                        }
                    }
                }
                """#)
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
            is: #"""

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

                    struct JSONDraft: SluiceCore._JSONModelDraft {
                        fileprivate var count: Swift.Optional<Int> = nil
                        fileprivate var total: Swift.Optional<Int> = nil
                        init() {}
                    }

                    static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                        model._row("count", \JSONDraft.count, .defaulted)
                        model._row("total", \JSONDraft.total, .required)
                    }
                }

                extension Counter: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                    static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: Counter.self)

                    init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                        try bound.check(draft.total, 1)
                        self.init(_checkedDraft: &draft, bound: bound)
                    }

                    private init(_checkedDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) {
                        self.total = bound.checked(draft.total.take())
                        if var value = draft.count.take() { Swift.swap(&self.count, &value) }
                    }

                    func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                        switch slot {
                        case 0: try writer.property(self.count)
                        case 1: try writer.property(self.total)
                        default: break
                        }
                    }

                    func _makeDraft() -> JSONDraft? {
                        var draft = JSONDraft()
                        draft.count = self.count
                        draft.total = self.total
                        return draft
                    }

                    static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                        switch slot {
                        case 0: return \Self.count
                        case 1: return \Self.total
                        default: return nil
                        }
                    }
                }
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
            is: #"""

                struct Words {
                    var `default`: Int
                    var `switch` = 1
                    var `self`: String?
                    var `content type`: String = ""
                    var `in` = true

                    struct JSONDraft: SluiceCore._JSONModelDraft {
                        fileprivate var `default`: Swift.Optional<Int> = nil
                        fileprivate var `switch`: Swift.Optional<Swift.Int> = nil
                        fileprivate var `self`: Swift.Optional<String> = nil
                        fileprivate var `content type`: Swift.Optional<String> = nil
                        init() {}
                    }

                    static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                        model._row("default", \JSONDraft.`default`, .required)
                        model._row("switch", \JSONDraft.`switch`, .defaulted)
                        model._row("self", \JSONDraft.`self`, .optional)
                        model._row("content type", \JSONDraft.`content type`, .defaulted)
                        model.writeOnly("in", Swift.Bool.self)
                    }
                }

                extension Words: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                    static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: Words.self)

                    init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                        try bound.check(draft.`default`, 0)
                        self.init(_checkedDraft: &draft, bound: bound)
                    }

                    private init(_checkedDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) {
                        self.`default` = bound.checked(draft.`default`.take())
                        if var value = draft.`switch`.take() { Swift.swap(&self.`switch`, &value) }
                        Swift.swap(&self.`self`, &draft.`self`)
                        if var value = draft.`content type`.take() { Swift.swap(&self.`content type`, &value) }
                    }

                    func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                        switch slot {
                        case 0: try writer.property(self.`default`)
                        case 1: try writer.property(self.`switch`)
                        case 2: try writer.property(self.`self`)
                        case 3: try writer.property(self.`content type`)
                        case 4: try writer.property(self.`in`)
                        default: break
                        }
                    }

                    func _makeDraft() -> JSONDraft? {
                        var draft = JSONDraft()
                        draft.`default` = self.`default`
                        draft.`switch` = self.`switch`
                        draft.`self` = self.`self`
                        draft.`content type` = self.`content type`
                        return draft
                    }

                    mutating func _keepUnread(of old: Self) {
                        self.`in` = old.`in`
                    }

                    static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                        switch slot {
                        case 0: return \Self.`default`
                        case 1: return \Self.`switch`
                        case 2: return \Self.`self`
                        case 3: return \Self.`content type`
                        case 4: return \Self.`in`
                        default: return nil
                        }
                    }
                }
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
            is: #"""

                struct Clashes {
                    var slot: Int
                    var writer: Int = 0
                    var draft: Int?
                    var bound: Int? = 1
                    var value: Int = 2
                    var model: Int

                    struct JSONDraft: SluiceCore._JSONModelDraft {
                        fileprivate var slot: Swift.Optional<Int> = nil
                        fileprivate var writer: Swift.Optional<Int> = nil
                        fileprivate var draft: Swift.Optional<Int> = nil
                        fileprivate var bound: Swift.Optional<Int> = nil
                        fileprivate var value: Swift.Optional<Int> = nil
                        fileprivate var model: Swift.Optional<Int> = nil
                        init() {}
                    }

                    static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                        model._row("slot", \JSONDraft.slot, .required)
                        model._row("writer", \JSONDraft.writer, .defaulted)
                        model._row("draft", \JSONDraft.draft, .optional)
                        model._row("bound", \JSONDraft.bound, .optional)
                        model._row("value", \JSONDraft.value, .defaulted)
                        model._row("model", \JSONDraft.model, .required)
                    }
                }

                extension Clashes: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                    static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: Clashes.self)

                    init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                        try bound.check(draft.slot, 0)
                        try bound.check(draft.model, 5)
                        self.init(_checkedDraft: &draft, bound: bound)
                    }

                    private init(_checkedDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) {
                        self.slot = bound.checked(draft.slot.take())
                        self.model = bound.checked(draft.model.take())
                        if var value = draft.writer.take() { Swift.swap(&self.writer, &value) }
                        Swift.swap(&self.draft, &draft.draft)
                        if bound.contains(3) { Swift.swap(&self.bound, &draft.bound) }
                        if var value = draft.value.take() { Swift.swap(&self.value, &value) }
                    }

                    func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                        switch slot {
                        case 0: try writer.property(self.slot)
                        case 1: try writer.property(self.writer)
                        case 2: try writer.property(self.draft)
                        case 3: try writer.property(self.bound)
                        case 4: try writer.property(self.value)
                        case 5: try writer.property(self.model)
                        default: break
                        }
                    }

                    func _makeDraft() -> JSONDraft? {
                        var draft = JSONDraft()
                        draft.slot = self.slot
                        draft.writer = self.writer
                        draft.draft = self.draft
                        draft.bound = self.bound
                        draft.value = self.value
                        draft.model = self.model
                        return draft
                    }

                    static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                        switch slot {
                        case 0: return \Self.slot
                        case 1: return \Self.writer
                        case 2: return \Self.draft
                        case 3: return \Self.bound
                        case 4: return \Self.value
                        case 5: return \Self.model
                        default: return nil
                        }
                    }
                }
                """#)
    }

    @Test func anUnknownAttributeIsAPlainProperty() {
        expectExpansion(
            of: """
                @JSONModel
                struct Wrapped {
                    @Clamped var level: Int = 3
                }
                """,
            is: #"""

                struct Wrapped {
                    @Clamped var level: Int = 3

                    struct JSONDraft: SluiceCore._JSONModelDraft {
                        fileprivate var level: Swift.Optional<Int> = nil
                        init() {}
                    }

                    static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                        model._row("level", \JSONDraft.level, .defaulted)
                    }
                }

                extension Wrapped: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                    static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: Wrapped.self)

                    init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                        if var value = draft.level.take() { Swift.swap(&self.level, &value) }
                    }

                    func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                        switch slot {
                        case 0: try writer.property(self.level)
                        default: break
                        }
                    }

                    func _makeDraft() -> JSONDraft? {
                        var draft = JSONDraft()
                        draft.level = self.level
                        return draft
                    }

                    static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                        switch slot {
                        case 0: return \Self.level
                        default: return nil
                        }
                    }
                }
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
            is: #"""

                struct View {
                    var id: Int
                    lazy var cache = [1]
                    weak var owner: Owner?
                    unowned var other: Owner? = nil
                    var action: () -> Void = {}
                    var (a, b) = (1, 2)
                    var list = []
                    #if DEBUG
                    var trace: String?
                    func dump() {}
                    #endif

                    struct JSONDraft: SluiceCore._JSONModelDraft {
                        fileprivate var id: Swift.Optional<Int> = nil
                        init() {}
                    }

                    static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                        model._row("id", \JSONDraft.id, .required)
                    }
                }

                extension View: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                    static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: View.self)

                    init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                        try bound.check(draft.id, 0)
                        self.init(_checkedDraft: &draft, bound: bound)
                    }

                    private init(_checkedDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) {
                        self.id = bound.checked(draft.id.take())
                    }

                    func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                        switch slot {
                        case 0: try writer.property(self.id)
                        default: break
                        }
                    }

                    func _makeDraft() -> JSONDraft? {
                        var draft = JSONDraft()
                        draft.id = self.id
                        return draft
                    }

                    mutating func _keepUnread(of old: Self) {
                        self.action = old.action
                        self.list = old.list
                    }

                    static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                        switch slot {
                        case 0: return \Self.id
                        default: return nil
                        }
                    }
                }
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
            is: #"""

                struct Both {
                    var number: Int
                    var text: String

                    struct JSONDraft: SluiceCore._JSONModelDraft {
                        fileprivate var number: Swift.Optional<Int> = nil
                        fileprivate var text: Swift.Optional<String> = nil
                        init() {}
                    }

                    static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                        model._row("number", \JSONDraft.number, .required, keys: ["id"])
                        model._row("text", \JSONDraft.text, .required, keys: ["id"])
                    }
                }

                extension Both: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                    static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: Both.self)

                    init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                        try bound.check(draft.number, 0)
                        try bound.check(draft.text, 1)
                        self.init(_checkedDraft: &draft, bound: bound)
                    }

                    private init(_checkedDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) {
                        self.number = bound.checked(draft.number.take())
                        self.text = bound.checked(draft.text.take())
                    }

                    func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                        switch slot {
                        case 0: try writer.property(self.number)
                        case 1: try writer.property(self.text)
                        default: break
                        }
                    }

                    func _makeDraft() -> JSONDraft? {
                        var draft = JSONDraft()
                        draft.number = self.number
                        draft.text = self.text
                        return draft
                    }

                    static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                        switch slot {
                        case 0: return \Self.number
                        case 1: return \Self.text
                        default: return nil
                        }
                    }
                }
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
            is: #"""

                struct Tree {
                    var children: [Self]
                    let none: [String: Self] = [:]

                    struct JSONDraft: SluiceCore._JSONModelDraft {
                        fileprivate var children: Swift.Optional<[Tree]> = nil
                        init() {}
                    }

                    static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                        do {
                            func JSON<JSONType: SluiceCore.JSONBindable>(_: JSONType.Type) {}
                            @available(*, unavailable, message: "mark 'Self' with '@JSONModel', or the property with '@JSONIgnored'") func JSON<JSONType>(_: JSONType.Type) {}
                            #sourceLocation(file: "test.swift", line: 3)
                            JSON((Self).self)
                            #sourceLocation()
                        }
                        model._unmarkedRow("children", \JSONDraft.children, .required)
                        model._writeOnly("none", [String: Tree].self)
                    }
                }

                extension Tree: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                    static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: Tree.self)

                    init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                        try bound.check(draft.children, 0)
                        self.init(_checkedDraft: &draft, bound: bound)
                    }

                    private init(_checkedDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) {
                        self.children = bound.checked(draft.children.take())
                    }

                    func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                        switch slot {
                        case 0: try writer._property(self.children)
                        case 1: try writer._property(self.none)
                        default: break
                        }
                    }

                    func _makeDraft() -> JSONDraft? {
                        var draft = JSONDraft()
                        draft.children = self.children
                        return draft
                    }

                    static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                        switch slot {
                        case 0: return \Self.children
                        case 1: return \Self.none
                        default: return nil
                        }
                    }
                }
                """#)
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
            is: #"""

                struct Boxed {
                    var a: any Shape = Circle()
                    var b: A & B = C()

                    struct JSONDraft: SluiceCore._JSONModelDraft {
                        init() {}
                    }

                    static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                        do {
                            func JSON<JSONType: SluiceCore.JSONWritable>(_: JSONType.Type) {}
                            @available(*, unavailable, message: "'any Shape' may be of any type; use an enum whose cases hold the types, or mark the property with '@JSONIgnored'") func JSON<JSONType>(_: JSONType.Type) {}
                            #sourceLocation(file: "test.swift", line: 3)
                            JSON((any Shape).self)
                            #sourceLocation()
                        }
                        do {
                            func JSON<JSONType: SluiceCore.JSONWritable>(_: JSONType.Type) {}
                            @available(*, unavailable, message: "mark 'A & B' with '@JSONModel', or the property with '@JSONIgnored'") func JSON<JSONType>(_: JSONType.Type) {}
                            #sourceLocation(file: "test.swift", line: 4)
                            JSON((A & B).self)
                            #sourceLocation()
                        }
                        model._writeOnly("a", (any Shape).self)
                        model._writeOnly("b", (A & B).self)
                    }
                }

                extension Boxed: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                    static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: Boxed.self)

                    init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                    }

                    func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                        switch slot {
                        case 0: try writer._property(self.a)
                        case 1: try writer._property(self.b)
                        default: break
                        }
                    }

                    func _makeDraft() -> JSONDraft? {
                        let draft = JSONDraft()
                        return draft
                    }

                    mutating func _keepUnread(of old: Self) {
                        self.a = old.a
                        self.b = old.b
                    }

                    static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                        switch slot {
                        case 0: return \Self.a
                        case 1: return \Self.b
                        default: return nil
                        }
                    }
                }
                """#)
    }
}

#endif
