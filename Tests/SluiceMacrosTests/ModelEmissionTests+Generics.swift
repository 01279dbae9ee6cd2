// Generic models: which parameters are constrained, and where the table lives.
#if Macros

import Testing

extension ModelEmissionTests {
    @Test func anUnconstrainedParameterThatIsUsedHasToBeBindable() {
        expectExpansion(
            of: """
                @JSONModel
                struct Page<Item, Phantom> {
                    var items: [Item]
                    var total = 0
                    @JSONIgnored var phantom: Phantom? = nil
                }
                """,
            is: #"""

                struct Page<Item, Phantom> {
                    var items: [Item]
                    var total = 0
                    var phantom: Phantom? = nil

                    struct JSONDraft: SluiceCore._JSONModelDraft {
                        fileprivate var items: Swift.Optional<[Item]> = nil
                        fileprivate var total: Swift.Optional<Swift.Int> = nil
                        init() {}
                    }

                    static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) where Item: SluiceCore.JSONBindable {
                        do {
                            func JSON<JSONType: SluiceCore.JSONBindable>(_: JSONType.Type) {}
                            @available(*, unavailable, message: "mark 'Item' with '@JSONModel', or the property with '@JSONIgnored'") func JSON<JSONType>(_: JSONType.Type) {}
                            #sourceLocation(file: "test.swift", line: 3)
                            JSON((Item).self)
                            #sourceLocation()
                        }
                        model._unmarkedRow("items", \JSONDraft.items, .required)
                        model._row("total", \JSONDraft.total, .defaulted)
                    }
                }

                extension Page: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel where Item: SluiceCore.JSONBindable {
                    static var _jsonTable: SluiceCore.PropertyTable {
                        SluiceCore.PropertyTable._compiled(for: Self.self)
                    }

                    init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                        try bound.check(draft.items, 0)
                        self.init(_checkedDraft: &draft, bound: bound)
                    }

                    private init(_checkedDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) {
                        self.items = bound.checked(draft.items.take())
                        if var value = draft.total.take() { Swift.swap(&self.total, &value) }
                    }

                    func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                        switch slot {
                        case 0: try writer._property(self.items)
                        case 1: try writer.property(self.total)
                        default: break
                        }
                    }

                    func _makeDraft() -> JSONDraft? {
                        var draft = JSONDraft()
                        draft.items = self.items
                        draft.total = self.total
                        return draft
                    }

                    mutating func _keepUnread(of old: Self) {
                        self.phantom = old.phantom
                    }

                    static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                        switch slot {
                        case 0: return \Self.items
                        case 1: return \Self.total
                        default: return nil
                        }
                    }
                }
                """#)
    }

    @Test func aParameterThatIsKnownToBeBindableIsNotConstrainedAgain() {
        expectExpansion(
            of: """
                @JSONModel
                public struct Box<A: JSONBindable, B: Hashable & SluiceCore.JSONModel, C> where C: JSONModel {
                    var a: A
                    var b: B?
                    var c: [C]
                }
                """,
            is: #"""

                public struct Box<A: JSONBindable, B: Hashable & SluiceCore.JSONModel, C> where C: JSONModel {
                    var a: A
                    var b: B?
                    var c: [C]

                    public struct JSONDraft: SluiceCore._JSONModelDraft {
                        fileprivate var a: Swift.Optional<A> = nil
                        fileprivate var b: Swift.Optional<B> = nil
                        fileprivate var c: Swift.Optional<[C]> = nil
                        public init() {}
                    }

                    public static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                        do {
                            func JSON<JSONType: SluiceCore.JSONBindable>(_: JSONType.Type) {}
                            @available(*, unavailable, message: "mark 'A' with '@JSONModel', or the property with '@JSONIgnored'") func JSON<JSONType>(_: JSONType.Type) {}
                            #sourceLocation(file: "test.swift", line: 3)
                            JSON((A).self)
                            #sourceLocation()
                        }
                        do {
                            func JSON<JSONType: SluiceCore.JSONBindable>(_: JSONType.Type) {}
                            @available(*, unavailable, message: "mark 'B' with '@JSONModel', or the property with '@JSONIgnored'") func JSON<JSONType>(_: JSONType.Type) {}
                            #sourceLocation(file: "test.swift", line: 4)
                            JSON((B).self)
                            #sourceLocation()
                        }
                        do {
                            func JSON<JSONType: SluiceCore.JSONBindable>(_: JSONType.Type) {}
                            @available(*, unavailable, message: "mark 'C' with '@JSONModel', or the property with '@JSONIgnored'") func JSON<JSONType>(_: JSONType.Type) {}
                            #sourceLocation(file: "test.swift", line: 5)
                            JSON((C).self)
                            #sourceLocation()
                        }
                        model._unmarkedRow("a", \JSONDraft.a, .required)
                        model._unmarkedRow("b", \JSONDraft.b, .optional)
                        model._unmarkedRow("c", \JSONDraft.c, .required)
                    }
                }

                extension Box: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                    public static var _jsonTable: SluiceCore.PropertyTable {
                        SluiceCore.PropertyTable._compiled(for: Self.self)
                    }

                    public init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                        try bound.check(draft.a, 0)
                        try bound.check(draft.c, 2)
                        self.init(_checkedDraft: &draft, bound: bound)
                    }

                    private init(_checkedDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) {
                        self.a = bound.checked(draft.a.take())
                        self.c = bound.checked(draft.c.take())
                        Swift.swap(&self.b, &draft.b)
                    }

                    public func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                        switch slot {
                        case 0: try writer._property(self.a)
                        case 1: try writer._property(self.b)
                        case 2: try writer._property(self.c)
                        default: break
                        }
                    }

                    public func _makeDraft() -> JSONDraft? {
                        var draft = JSONDraft()
                        draft.a = self.a
                        draft.b = self.b
                        draft.c = self.c
                        return draft
                    }

                    public static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                        switch slot {
                        case 0: return \Self.a
                        case 1: return \Self.b
                        case 2: return \Self.c
                        default: return nil
                        }
                    }
                }
                """#)
    }

    @Test func anyOtherConstraintIsJoinedByOurs() {
        expectExpansion(
            of: """
                @JSONModel
                struct Keyed<Item: Hashable & Identifiable> {
                    var items: Set<Item>
                }
                """,
            is: #"""

                struct Keyed<Item: Hashable & Identifiable> {
                    var items: Set<Item>

                    struct JSONDraft: SluiceCore._JSONModelDraft {
                        fileprivate var items: Swift.Optional<Set<Item>> = nil
                        init() {}
                    }

                    static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) where Item: SluiceCore.JSONBindable {
                        do {
                            func JSON<JSONType: SluiceCore.JSONBindable>(_: JSONType.Type) {}
                            @available(*, unavailable, message: "mark 'Item' with '@JSONModel', or the property with '@JSONIgnored'") func JSON<JSONType>(_: JSONType.Type) {}
                            #sourceLocation(file: "test.swift", line: 3)
                            JSON((Item).self)
                            #sourceLocation()
                        }
                        model._unmarkedRow("items", \JSONDraft.items, .required)
                    }
                }

                extension Keyed: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel where Item: SluiceCore.JSONBindable {
                    static var _jsonTable: SluiceCore.PropertyTable {
                        SluiceCore.PropertyTable._compiled(for: Self.self)
                    }

                    init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                        try bound.check(draft.items, 0)
                        self.init(_checkedDraft: &draft, bound: bound)
                    }

                    private init(_checkedDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) {
                        self.items = bound.checked(draft.items.take())
                    }

                    func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                        switch slot {
                        case 0: try writer._property(self.items)
                        default: break
                        }
                    }

                    func _makeDraft() -> JSONDraft? {
                        var draft = JSONDraft()
                        draft.items = self.items
                        return draft
                    }

                    static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                        switch slot {
                        case 0: return \Self.items
                        default: return nil
                        }
                    }
                }
                """#)
    }

    @Test func anAssociatedTypeIsConstrainedInPlaceOfItsParameter() {
        expectExpansion(
            of: """
                @JSONModel
                struct Reference<Item: Identifiable> {
                    var id: Item.ID
                }
                """,
            is: #"""

                struct Reference<Item: Identifiable> {
                    var id: Item.ID

                    struct JSONDraft: SluiceCore._JSONModelDraft {
                        fileprivate var id: Swift.Optional<Item.ID> = nil
                        init() {}
                    }

                    static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) where Item.ID: SluiceCore.JSONBindable {
                        do {
                            func JSON<JSONType: SluiceCore.JSONBindable>(_: JSONType.Type) {}
                            @available(*, unavailable, message: "mark 'Item.ID' with '@JSONModel', or the property with '@JSONIgnored'") func JSON<JSONType>(_: JSONType.Type) {}
                            #sourceLocation(file: "test.swift", line: 3)
                            JSON((Item.ID).self)
                            #sourceLocation()
                        }
                        model._unmarkedRow("id", \JSONDraft.id, .required)
                    }
                }

                extension Reference: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel where Item.ID: SluiceCore.JSONBindable {
                    static var _jsonTable: SluiceCore.PropertyTable {
                        SluiceCore.PropertyTable._compiled(for: Self.self)
                    }

                    init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                        try bound.check(draft.id, 0)
                        self.init(_checkedDraft: &draft, bound: bound)
                    }

                    private init(_checkedDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) {
                        self.id = bound.checked(draft.id.take())
                    }

                    func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                        switch slot {
                        case 0: try writer._property(self.id)
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

    @Test func aTypeInsideAGenericTypeHasNoStoredTable() {
        expectExpansion(
            of: """
                struct Outer<T> {
                    @JSONModel
                    struct Inner {
                        var value: T
                    }
                    @JSONModel
                    struct Plain {
                        var x: Int
                    }
                }
                """,
            is: #"""
                struct Outer<T> {
                    struct Inner {
                        var value: T

                        struct JSONDraft: SluiceCore._JSONModelDraft {
                            fileprivate var value: Swift.Optional<T> = nil
                            init() {}
                        }

                        static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) where T: SluiceCore.JSONBindable {
                            do {
                                func JSON<JSONType: SluiceCore.JSONBindable>(_: JSONType.Type) {}
                                @available(*, unavailable, message: "mark 'T' with '@JSONModel', or the property with '@JSONIgnored'") func JSON<JSONType>(_: JSONType.Type) {}
                                #sourceLocation(file: "test.swift", line: 4)
                                JSON((T).self)
                                #sourceLocation()
                            }
                            model._unmarkedRow("value", \JSONDraft.value, .required)
                        }
                    }
                    struct Plain {
                        var x: Int

                        struct JSONDraft: SluiceCore._JSONModelDraft {
                            fileprivate var x: Swift.Optional<Int> = nil
                            init() {}
                        }

                        static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                            model._row("x", \JSONDraft.x, .required)
                        }
                    }
                }

                extension Outer.Inner: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel where T: SluiceCore.JSONBindable {
                    static var _jsonTable: SluiceCore.PropertyTable {
                        SluiceCore.PropertyTable._compiled(for: Self.self)
                    }

                    init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                        try bound.check(draft.value, 0)
                        self.init(_checkedDraft: &draft, bound: bound)
                    }

                    private init(_checkedDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) {
                        self.value = bound.checked(draft.value.take())
                    }

                    func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                        switch slot {
                        case 0: try writer._property(self.value)
                        default: break
                        }
                    }

                    func _makeDraft() -> JSONDraft? {
                        var draft = JSONDraft()
                        draft.value = self.value
                        return draft
                    }

                    static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                        switch slot {
                        case 0: return \Self.value
                        default: return nil
                        }
                    }
                }

                extension Outer.Plain: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                    static var _jsonTable: SluiceCore.PropertyTable {
                        SluiceCore.PropertyTable._compiled(for: Self.self)
                    }

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

    @Test func theInitialiserOfAGenericClassIsConstrainedByItself() {
        expectExpansion(
            of: """
                @JSONModel
                final class Reference<Item> {
                    let item: Item
                    init(item: Item) {
                        self.item = item
                    }
                }
                """,
            is: #"""

                final class Reference<Item> {
                    let item: Item
                    init(item: Item) {
                        self.item = item
                    }

                    struct JSONDraft: SluiceCore._JSONModelDraft {
                        fileprivate var item: Swift.Optional<Item> = nil
                        init() {}
                    }

                    static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) where Item: SluiceCore.JSONBindable {
                        do {
                            func JSON<JSONType: SluiceCore.JSONBindable>(_: JSONType.Type) {}
                            @available(*, unavailable, message: "mark 'Item' with '@JSONModel', or the property with '@JSONIgnored'") func JSON<JSONType>(_: JSONType.Type) {}
                            #sourceLocation(file: "test.swift", line: 3)
                            JSON((Item).self)
                            #sourceLocation()
                        }
                        model._unmarkedRow("item", \JSONDraft.item, .required)
                    }

                    init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) where Item: SluiceCore.JSONBindable {
                        self.item = try bound.required(draft.item.take(), 0)
                    }

                    static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                        switch slot {
                        case 0: return \Reference<Item>.item
                        default: return nil
                        }
                    }
                }

                extension Reference: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel where Item: SluiceCore.JSONBindable {
                    static var _jsonTable: SluiceCore.PropertyTable {
                        SluiceCore.PropertyTable._compiled(for: Self.self)
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
                }
                """#)
    }
}

#endif
