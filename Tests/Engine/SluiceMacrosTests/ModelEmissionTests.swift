// What the settings of a type, its access and where it is declared change in its expansion.
#if Macros

import Testing

@Suite struct ModelEmissionTests {
    @Test func aStructWithoutPropertiesIsAModel() {
        expectExpansion(
            of: """
                @JSONModel
                struct Empty {
                }
                """,
            differsFrom: """
                @JSONModel
                struct Empty {
                    var a: Int
                }
                """,
            in: #"""
                - var a: Int
                - model._required("a", \Self.a)
                - case 0: try writer.property(self.a)
                - case 0: return \Self.a
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
            differsFrom: """
                @JSONModel
                struct Custom {
                    var a: Int
                }
                """,
            in: """
                + model.keyStrategy = .custom({ name in name + "_" })
                """)
    }

    @Test func packageAccessIsCarriedOver() {
        expectExpansion(
            of: """
                @JSONModel
                package struct Shared {
                    package var x: Int
                }
                """,
            differsFrom: """
                @JSONModel
                struct Shared {
                    var x: Int
                }
                """,
            in: """
                - struct Shared {
                - var x: Int
                - typealias JSONDraft = SluiceCore._InPlace<Self>
                - static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                + package struct Shared {
                + package var x: Int
                + package typealias JSONDraft = SluiceCore._InPlace<Self>
                + package static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                - static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: Shared.self)
                - func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                + package static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: Shared.self)
                + package func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                - static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                + package static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                """)
    }

    @Test func aPrivateTypeNeedsNoAccessOnItsWitnesses() {
        expectExpansion(
            of: """
                @JSONModel
                private struct Hidden {
                    private let x: Int
                }
                """,
            differsFrom: """
                @JSONModel
                struct Hidden {
                    let x: Int
                }
                """,
            in: """
                - struct Hidden {
                - let x: Int
                + private struct Hidden {
                + private let x: Int
                """)
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
            differsFrom: """
                extension API {
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
            in: """
                - extension API {
                + public extension API {
                - typealias JSONDraft = SluiceCore._InPlace<Self>
                - static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                + public typealias JSONDraft = SluiceCore._InPlace<Self>
                + public static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                - static var _jsonTable: SluiceCore.PropertyTable {
                + public static var _jsonTable: SluiceCore.PropertyTable {
                - func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                + public func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                - static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                + public static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                """)
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
            differsFrom: """
                @JSONModel
                struct User {
                    var item: Item
                }
                """,
            in: """
                + enum API {
                - #sourceLocation(file: "test.swift", line: 3)
                + #sourceLocation(file: "test.swift", line: 4)
                - extension User: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                - static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: User.self)
                + }
                + extension API.User: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                + static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: API.User.self)
                """)
    }

    @Test func aNonisolatedTypeStaysSo() {
        expectExpansion(
            of: """
                @JSONModel
                public nonisolated struct Free {
                    var x: Int
                }
                """,
            differsFrom: """
                @JSONModel
                public struct Free {
                    var x: Int
                }
                """,
            in: """
                - public struct Free {
                + public nonisolated struct Free {
                - extension Free: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                + nonisolated extension Free: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                """)
    }
}

#endif
