// Whole expansions: what is written here is what the compiler is given.
#if Macros

import Testing

@Suite struct ModelEmissionTests {
    @Test func everyKindOfPropertyHasItsRowItsAssignmentAndItsCase() {
        expectExpansion(
            of: """
                @JSONModel(keys: .snakeCase)
                public struct Book {
                    let name: String
                    @JSONKey("p") var pages: Int = 0
                    @JSONKey("ext.desc") var summary: String?
                    @JSONKey("id", "ID", "book_id") var bookID: String? = "x"
                    @JSONKey(literal: "a.b") var dotted: Int?
                    var author: Author?
                    @JSONIgnored var isOpen = false
                    @JSONIgnored(.writing) var secret: String?
                    @JSONIgnored(.reading) var stamp: Int = 3
                    let kind = "book"
                }
                """,
            is: #"""

                public struct Book {
                    let name: String
                    var pages: Int = 0
                    var summary: String?
                    var bookID: String? = "x"
                    var dotted: Int?
                    var author: Author?
                    var isOpen = false
                    var secret: String?
                    var stamp: Int = 3
                    let kind = "book"

                    public struct JSONDraft: SluiceCore._JSONModelDraft {
                        fileprivate var name: Swift.Optional<String> = nil
                        fileprivate var pages: Swift.Optional<Int> = nil
                        fileprivate var summary: Swift.Optional<String> = nil
                        fileprivate var bookID: Swift.Optional<String> = nil
                        fileprivate var dotted: Swift.Optional<Int> = nil
                        fileprivate var author: Swift.Optional<Author> = nil
                        fileprivate var secret: Swift.Optional<String> = nil
                        public init() {}
                    }

                    public static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                        model.keyStrategy = .snakeCase
                        do {
                            func JSON<JSONType: SluiceCore.JSONBindable>(_: JSONType.Type) {}
                            @available(*, unavailable, message: "mark 'Author' with '@JSONModel', or the property with '@JSONIgnored'") func JSON<JSONType>(_: JSONType.Type) {}
                            #sourceLocation(file: "test.swift", line: 8)
                            JSON((Author).self)
                            #sourceLocation()
                        }
                        model._row("name", \JSONDraft.name, .required)
                        model._row("pages", \JSONDraft.pages, .defaulted, keys: ["p"])
                        model._row("summary", \JSONDraft.summary, .optional, keys: ["ext.desc"])
                        model._row("bookID", \JSONDraft.bookID, .optional, keys: ["id", "ID", "book_id"])
                        model._row("dotted", \JSONDraft.dotted, .optional, literal: "a.b")
                        model._unmarkedRow("author", \JSONDraft.author, .optional)
                        model.property("secret", \JSONDraft.secret, presence: .optional, direction: .reading)
                        model.writeOnly("stamp", Int.self)
                        model.writeOnly("kind", Swift.String.self)
                    }
                }

                extension Book: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                    public static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: Book.self)

                    public init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                        try bound.check(draft.name, 0)
                        self.init(_checkedDraft: &draft, bound: bound)
                    }

                    private init(_checkedDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) {
                        self.name = bound.checked(draft.name.take())
                        if var value = draft.pages.take() { Swift.swap(&self.pages, &value) }
                        Swift.swap(&self.summary, &draft.summary)
                        if bound.contains(3) { Swift.swap(&self.bookID, &draft.bookID) }
                        Swift.swap(&self.dotted, &draft.dotted)
                        Swift.swap(&self.author, &draft.author)
                        Swift.swap(&self.secret, &draft.secret)
                    }

                    public func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                        switch slot {
                        case 0: try writer.property(self.name)
                        case 1: try writer.property(self.pages)
                        case 2: try writer.property(self.summary)
                        case 3: try writer.property(self.bookID)
                        case 4: try writer.property(self.dotted)
                        case 5: try writer._property(self.author)
                        case 6: try writer.property(self.secret)
                        case 7: try writer.property(self.stamp)
                        case 8: try writer.property(self.kind)
                        default: break
                        }
                    }

                    public func _makeDraft() -> JSONDraft? {
                        var draft = JSONDraft()
                        draft.name = self.name
                        draft.pages = self.pages
                        draft.summary = self.summary
                        draft.bookID = self.bookID
                        draft.dotted = self.dotted
                        draft.author = self.author
                        draft.secret = self.secret
                        return draft
                    }

                    public mutating func _keepUnread(of old: Self) {
                        self.isOpen = old.isOpen
                        self.stamp = old.stamp
                    }

                    public static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                        switch slot {
                        case 0: return \Self.name
                        case 1: return \Self.pages
                        case 2: return \Self.summary
                        case 3: return \Self.bookID
                        case 4: return \Self.dotted
                        case 5: return \Self.author
                        case 6: return \Self.secret
                        case 7: return \Self.stamp
                        case 8: return \Self.kind
                        default: return nil
                        }
                    }
                }
                """#)
    }

    @Test func aStructWithoutPropertiesIsAModel() {
        expectExpansion(
            of: """
                @JSONModel
                struct Empty {
                }
                """,
            is: #"""

                struct Empty {

                    struct JSONDraft: SluiceCore._JSONModelDraft {
                        init() {}
                    }

                    static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                    }
                }

                extension Empty: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                    static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: Empty.self)

                    init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                    }

                    func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                        switch slot {
                        default: break
                        }
                    }

                    func _makeDraft() -> JSONDraft? {
                        let draft = JSONDraft()
                        return draft
                    }

                    static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                        switch slot {
                        default: return nil
                        }
                    }
                }
                """#)
    }

    @Test func aStrategyMayBeAClosure() {
        expectExpansion(
            of: """
                @JSONModel(keys: .custom({ name in name + "_" }))
                struct Custom {
                    var a: Int
                }
                """,
            is: #"""

                struct Custom {
                    var a: Int

                    struct JSONDraft: SluiceCore._JSONModelDraft {
                        fileprivate var a: Swift.Optional<Int> = nil
                        init() {}
                    }

                    static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                        model.keyStrategy = .custom({ name in name + "_" })
                        model._row("a", \JSONDraft.a, .required)
                    }
                }

                extension Custom: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                    static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: Custom.self)

                    init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                        try bound.check(draft.a, 0)
                        self.init(_checkedDraft: &draft, bound: bound)
                    }

                    private init(_checkedDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) {
                        self.a = bound.checked(draft.a.take())
                    }

                    func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                        switch slot {
                        case 0: try writer.property(self.a)
                        default: break
                        }
                    }

                    func _makeDraft() -> JSONDraft? {
                        var draft = JSONDraft()
                        draft.a = self.a
                        return draft
                    }

                    static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                        switch slot {
                        case 0: return \Self.a
                        default: return nil
                        }
                    }
                }
                """#)
    }

    @Test func packageAccessIsCarriedOver() {
        expectExpansion(
            of: """
                @JSONModel
                package struct Shared {
                    package var x: Int
                }
                """,
            is: #"""

                package struct Shared {
                    package var x: Int

                    package struct JSONDraft: SluiceCore._JSONModelDraft {
                        fileprivate var x: Swift.Optional<Int> = nil
                        package init() {}
                    }

                    package static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                        model._row("x", \JSONDraft.x, .required)
                    }
                }

                extension Shared: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                    package static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: Shared.self)

                    package init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                        try bound.check(draft.x, 0)
                        self.init(_checkedDraft: &draft, bound: bound)
                    }

                    private init(_checkedDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) {
                        self.x = bound.checked(draft.x.take())
                    }

                    package func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                        switch slot {
                        case 0: try writer.property(self.x)
                        default: break
                        }
                    }

                    package func _makeDraft() -> JSONDraft? {
                        var draft = JSONDraft()
                        draft.x = self.x
                        return draft
                    }

                    package static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                        switch slot {
                        case 0: return \Self.x
                        default: return nil
                        }
                    }
                }
                """#)
    }

    @Test func aPrivateTypeNeedsNoAccessOnItsWitnesses() {
        expectExpansion(
            of: """
                @JSONModel
                private struct Hidden {
                    private let x: Int
                }
                """,
            is: #"""

                private struct Hidden {
                    private let x: Int

                    struct JSONDraft: SluiceCore._JSONModelDraft {
                        fileprivate var x: Swift.Optional<Int> = nil
                        init() {}
                    }

                    static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                        model._row("x", \JSONDraft.x, .required)
                    }
                }

                extension Hidden: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                    static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: Hidden.self)

                    init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                        try bound.check(draft.x, 0)
                        self.init(_checkedDraft: &draft, bound: bound)
                    }

                    private init(_checkedDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) {
                        self.x = bound.checked(draft.x.take())
                    }

                    func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                        switch slot {
                        case 0: try writer.property(self.x)
                        default: break
                        }
                    }

                    func _makeDraft() -> JSONDraft? {
                        var draft = JSONDraft()
                        draft.x = self.x
                        return draft
                    }

                    static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                        switch slot {
                        case 0: return \Self.x
                        default: return nil
                        }
                    }
                }
                """#)
    }

    @Test func accessIsTakenFromAnEnclosingExtension() {
        expectExpansion(
            of: """
                public extension API {
                    @JSONModel
                    struct User {
                        var id: Int
                    }
                    @JSONModel
                    internal struct Item {
                        var id: Int
                    }
                }
                """,
            is: #"""
                public extension API {
                    struct User {
                        var id: Int

                        public struct JSONDraft: SluiceCore._JSONModelDraft {
                            fileprivate var id: Swift.Optional<Int> = nil
                            public init() {}
                        }

                        public static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                            model._row("id", \JSONDraft.id, .required)
                        }
                    }
                    internal struct Item {
                        var id: Int

                        struct JSONDraft: SluiceCore._JSONModelDraft {
                            fileprivate var id: Swift.Optional<Int> = nil
                            init() {}
                        }

                        static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                            model._row("id", \JSONDraft.id, .required)
                        }
                    }
                }

                extension API.User: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                    public static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: API.User.self)

                    public init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                        try bound.check(draft.id, 0)
                        self.init(_checkedDraft: &draft, bound: bound)
                    }

                    private init(_checkedDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) {
                        self.id = bound.checked(draft.id.take())
                    }

                    public func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                        switch slot {
                        case 0: try writer.property(self.id)
                        default: break
                        }
                    }

                    public func _makeDraft() -> JSONDraft? {
                        var draft = JSONDraft()
                        draft.id = self.id
                        return draft
                    }

                    public static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                        switch slot {
                        case 0: return \Self.id
                        default: return nil
                        }
                    }
                }

                extension API.Item: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                    static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: API.Item.self)

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

                    static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                        switch slot {
                        case 0: return \Self.id
                        default: return nil
                        }
                    }
                }
                """#)
    }

    @Test func aNestedTypeIsExtendedByItsFullName() {
        expectExpansion(
            of: """
                enum API {
                    @JSONModel
                    struct User {
                        var item: Item
                    }
                }
                """,
            is: #"""
                enum API {
                    struct User {
                        var item: Item

                        struct JSONDraft: SluiceCore._JSONModelDraft {
                            fileprivate var item: Swift.Optional<Item> = nil
                            init() {}
                        }

                        static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                            do {
                                func JSON<JSONType: SluiceCore.JSONBindable>(_: JSONType.Type) {}
                                @available(*, unavailable, message: "mark 'Item' with '@JSONModel', or the property with '@JSONIgnored'") func JSON<JSONType>(_: JSONType.Type) {}
                                #sourceLocation(file: "test.swift", line: 4)
                                JSON((Item).self)
                                #sourceLocation()
                            }
                            model._unmarkedRow("item", \JSONDraft.item, .required)
                        }
                    }
                }

                extension API.User: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                    static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: API.User.self)

                    init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                        try bound.check(draft.item, 0)
                        self.init(_checkedDraft: &draft, bound: bound)
                    }

                    private init(_checkedDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) {
                        self.item = bound.checked(draft.item.take())
                    }

                    func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                        switch slot {
                        case 0: try writer._property(self.item)
                        default: break
                        }
                    }

                    func _makeDraft() -> JSONDraft? {
                        var draft = JSONDraft()
                        draft.item = self.item
                        return draft
                    }

                    static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                        switch slot {
                        case 0: return \Self.item
                        default: return nil
                        }
                    }
                }
                """#)
    }

    @Test func aNonisolatedTypeStaysSo() {
        expectExpansion(
            of: """
                @JSONModel
                public nonisolated struct Free {
                    var x: Int
                }
                """,
            is: #"""

                public nonisolated struct Free {
                    var x: Int

                    public nonisolated struct JSONDraft: SluiceCore._JSONModelDraft {
                        fileprivate var x: Swift.Optional<Int> = nil
                        public init() {}
                    }

                    public static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                        model._row("x", \JSONDraft.x, .required)
                    }
                }

                nonisolated extension Free: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                    public static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: Free.self)

                    public init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                        try bound.check(draft.x, 0)
                        self.init(_checkedDraft: &draft, bound: bound)
                    }

                    private init(_checkedDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) {
                        self.x = bound.checked(draft.x.take())
                    }

                    public func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                        switch slot {
                        case 0: try writer.property(self.x)
                        default: break
                        }
                    }

                    public func _makeDraft() -> JSONDraft? {
                        var draft = JSONDraft()
                        draft.x = self.x
                        return draft
                    }

                    public static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                        switch slot {
                        case 0: return \Self.x
                        default: return nil
                        }
                    }
                }
                """#)
    }
}

#endif
