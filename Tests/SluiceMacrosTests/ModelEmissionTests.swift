// What the settings of a type, its access and its place change in its expansion.
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
                - fileprivate var a: Swift.Optional<Int> = nil
                - model._row("a", \JSONDraft.a, .required)
                - try bound.check(draft.a, 0)
                - self.init(_checkedDraft: &draft, bound: bound)
                - private init(_checkedDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) {
                - self.a = bound.checked(draft.a.take())
                - }
                - case 0: try writer.property(self.a)
                - var draft = JSONDraft()
                - draft.a = self.a
                + let draft = JSONDraft()
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
                - struct JSONDraft: SluiceCore._JSONModelDraft {
                + package struct Shared {
                + package var x: Int
                + package struct JSONDraft: SluiceCore._JSONModelDraft {
                - init() {}
                + package init() {}
                - static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                + package static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                - static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: Shared.self)
                - init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                + package static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: Shared.self)
                + package init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                - func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                + package func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                - func _makeDraft() -> JSONDraft? {
                + package func _makeDraft() -> JSONDraft? {
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
                - struct JSONDraft: SluiceCore._JSONModelDraft {
                + public struct JSONDraft: SluiceCore._JSONModelDraft {
                - init() {}
                + public init() {}
                - static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                + public static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                - static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: API.User.self)
                - init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                + public static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: API.User.self)
                + public init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                - func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                + public func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                - func _makeDraft() -> JSONDraft? {
                + public func _makeDraft() -> JSONDraft? {
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
                - public struct JSONDraft: SluiceCore._JSONModelDraft {
                + public nonisolated struct JSONDraft: SluiceCore._JSONModelDraft {
                - extension Free: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                + nonisolated extension Free: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                """)
    }
}

#endif
