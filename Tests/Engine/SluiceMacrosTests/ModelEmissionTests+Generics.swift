// Generic models: which parameters are constrained, and where the table lives.
#if Macros

import Testing

extension ModelEmissionTests {
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
            differsFrom: """
                @JSONModel
                public struct Box<A, B, C> {
                    var a: A
                    var b: B?
                    var c: [C]
                }
                """,
            in: """
                - public struct Box<A, B, C> {
                + public struct Box<A: JSONBindable, B: Hashable & SluiceCore.JSONModel, C> where C: JSONModel {
                - public static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) where A: SluiceCore.JSONBindable, B: SluiceCore.JSONBindable, C: SluiceCore.JSONBindable {
                + public static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                - extension Box: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel where A: SluiceCore.JSONBindable, B: SluiceCore.JSONBindable, C: SluiceCore.JSONBindable {
                + extension Box: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                """)
    }

    @Test func anyOtherConstraintIsJoinedByOurs() {
        expectExpansion(
            of: """
                @JSONModel
                struct Keyed<Item: Hashable & Identifiable> {
                    var items: Set<Item>
                }
                """,
            differsFrom: """
                @JSONModel
                struct Keyed<Item: JSONBindable & Identifiable> {
                    var items: Set<Item>
                }
                """,
            in: """
                - struct Keyed<Item: JSONBindable & Identifiable> {
                + struct Keyed<Item: Hashable & Identifiable> {
                - static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                + static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) where Item: SluiceCore.JSONBindable {
                - extension Keyed: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                + extension Keyed: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel where Item: SluiceCore.JSONBindable {
                """)
    }

    @Test func anAssociatedTypeIsConstrainedInPlaceOfItsParameter() {
        expectExpansion(
            of: """
                @JSONModel
                struct Reference<Item: Identifiable> {
                    var id: Item.ID
                }
                """,
            differsFrom: """
                @JSONModel
                struct Reference<Item: Identifiable> {
                    var id: Item
                }
                """,
            in: """
                - var id: Item
                + var id: Item.ID
                - static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) where Item: SluiceCore.JSONBindable {
                + static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) where Item.ID: SluiceCore.JSONBindable {
                - @available(*, unavailable, message: "mark 'Item' with '@JSONModel', or the property with '@JSONIgnored' or, if the type is Codable, '@JSONCodable'") func JSON<JSONType>(_: JSONType.Type) {}
                + @available(*, unavailable, message: "mark 'Item.ID' with '@JSONModel', or the property with '@JSONIgnored' or, if the type is Codable, '@JSONCodable'") func JSON<JSONType>(_: JSONType.Type) {}
                - JSON((Item).self)
                + JSON((Item.ID).self)
                - extension Reference: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel where Item: SluiceCore.JSONBindable {
                + extension Reference: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel where Item.ID: SluiceCore.JSONBindable {
                """)
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
            differsFrom: """
                struct Outer {
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
            in: """
                - struct Outer {
                + struct Outer<T> {
                - static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                + static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) where T: SluiceCore.JSONBindable {
                - @available(*, unavailable, message: "mark 'T' with '@JSONModel', or the property with '@JSONIgnored' or, if the type is Codable, '@JSONCodable'") func JSON<JSONType>(_: JSONType.Type) {}
                + @available(*, unavailable, message: "mark 'T' with '@JSONModel', or the property with '@JSONIgnored' or, if the type is Codable, '@JSONCodable'; if it depends on a generic parameter, constrain that to 'JSONBindable'") func JSON<JSONType>(_: JSONType.Type) {}
                - extension Outer.Inner: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                - static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: Outer.Inner.self)
                + extension Outer.Inner: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel where T: SluiceCore.JSONBindable {
                + static var _jsonTable: SluiceCore.PropertyTable {
                + SluiceCore.PropertyTable._compiled(for: Self.self)
                + }
                - static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: Outer.Plain.self)
                + static var _jsonTable: SluiceCore.PropertyTable {
                + SluiceCore.PropertyTable._compiled(for: Self.self)
                + }
                """)
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
            differsFrom: """
                @JSONModel
                final class Reference {
                    let item: Item
                    init(item: Item) {
                        self.item = item
                    }
                }
                """,
            in: #"""
                - final class Reference {
                + final class Reference<Item> {
                - static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                + static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) where Item: SluiceCore.JSONBindable {
                - init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                + init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) where Item: SluiceCore.JSONBindable {
                + static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                + switch slot {
                + case 0: return \Reference<Item>.item
                + default: return nil
                - extension Reference: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                - static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: Reference.self)
                + }
                + }
                + extension Reference: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel where Item: SluiceCore.JSONBindable {
                + static var _jsonTable: SluiceCore.PropertyTable {
                + SluiceCore.PropertyTable._compiled(for: Self.self)
                + }
                - }
                - static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                - switch slot {
                - case 0: return \Reference.item
                - default: return nil
                - }
                """#)
    }
}

#endif
