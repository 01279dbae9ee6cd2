// Final classes and enums, which expand differently from structs.
#if Macros

import Testing

extension ModelEmissionTests {
    @Test func aFinalClassHasItsInitialiserInTheBody() {
        expectExpansion(
            of: """
                @JSONModel
                public final class Node {
                    let id: Int
                    var children: [Node] = []
                    init(id: Int) {
                        self.id = id
                    }
                }
                """,
            is: #"""

                public final class Node {
                    let id: Int
                    var children: [Node] = []
                    init(id: Int) {
                        self.id = id
                    }

                    public struct JSONDraft: SluiceCore._JSONModelDraft {
                        fileprivate var id: Swift.Optional<Int> = nil
                        fileprivate var children: Swift.Optional<[Node]> = nil
                        public init() {}
                    }

                    public static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                        do {
                            func JSON<JSONType: SluiceCore.JSONBindable>(_: JSONType.Type) {}
                            @available(*, unavailable, message: "mark 'Node' with '@JSONModel', or the property with '@JSONIgnored'") func JSON<JSONType>(_: JSONType.Type) {}
                            #sourceLocation(file: "test.swift", line: 4)
                            JSON((Node).self)
                            #sourceLocation()
                        }
                        model._row("id", \JSONDraft.id, .required)
                        model._unmarkedRow("children", \JSONDraft.children, .defaulted)
                    }

                    public init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                        self.id = try bound.required(draft.id.take(), 0)
                        if let value = draft.children.take() { self.children = value }
                    }
                }

                extension Node: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                    public static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: Node.self)

                    public func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                        switch slot {
                        case 0: try writer.property(self.id)
                        case 1: try writer._property(self.children)
                        default: break
                        }
                    }

                    public func _makeDraft() -> JSONDraft? {
                        var draft = JSONDraft()
                        draft.id = self.id
                        draft.children = self.children
                        return draft
                    }

                    public static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                        switch slot {
                        case 0: return \Node.id
                        case 1: return \Node.children
                        default: return nil
                        }
                    }
                }
                """#)
    }

    @Test func aClassKeepsItsImplicitInitialiser() {
        expectExpansion(
            of: """
                @JSONModel
                final class Settings: Sendable {
                    let theme = "dark"
                    var size: Int?
                }
                """,
            is: #"""

                final class Settings: Sendable {
                    let theme = "dark"
                    var size: Int?

                    struct JSONDraft: SluiceCore._JSONModelDraft {
                        fileprivate var size: Swift.Optional<Int> = nil
                        init() {}
                    }

                    static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                        model.writeOnly("theme", Swift.String.self)
                        model._row("size", \JSONDraft.size, .optional)
                    }

                    init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                        self.size = draft.size.take()
                    }

                    init() {}
                }

                extension Settings: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                    static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: Settings.self)

                    func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                        switch slot {
                        case 0: try writer.property(self.theme)
                        case 1: try writer.property(self.size)
                        default: break
                        }
                    }

                    func _makeDraft() -> JSONDraft? {
                        var draft = JSONDraft()
                        draft.size = self.size
                        return draft
                    }

                    static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                        switch slot {
                        case 0: return \Settings.theme
                        case 1: return \Settings.size
                        default: return nil
                        }
                    }
                }
                """#)
    }

    @Test func aClassThatMayHaveASuperclassGetsNoInitialiserThatCouldOverride() {
        expectExpansion(
            of: """
                @JSONModel
                final class Derived: Base {
                    var extra = 0
                }
                """,
            is: #"""

                final class Derived: Base {
                    var extra = 0

                    struct JSONDraft: SluiceCore._JSONModelDraft {
                        fileprivate var extra: Swift.Optional<Swift.Int> = nil
                        init() {}
                    }

                    static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                        model._row("extra", \JSONDraft.extra, .defaulted)
                    }

                    init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                        if let value = draft.extra.take() { self.extra = value }
                    }
                }

                extension Derived: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                    static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: Derived.self)

                    func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                        switch slot {
                        case 0: try writer.property(self.extra)
                        default: break
                        }
                    }

                    func _makeDraft() -> JSONDraft? {
                        var draft = JSONDraft()
                        draft.extra = self.extra
                        return draft
                    }

                    static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                        switch slot {
                        case 0: return \Derived.extra
                        default: return nil
                        }
                    }
                }
                """#)
    }

    @Test func anEnumWithARawTypeIsAScalar() {
        expectExpansion(
            of: """
                @JSONModel
                public enum Status: String, Sendable {
                    case active, suspended
                }
                @JSONModel
                enum Level: Swift.UInt8 {
                    case low = 1
                }
                @JSONModel
                enum Aliased: RawID {
                    case a = "a"
                }
                @JSONModel
                enum ByHand: RawRepresentable {
                    case a
                }
                """,
            is: #"""

                public enum Status: String, Sendable {
                    case active, suspended
                }
                enum Level: Swift.UInt8 {
                    case low = 1
                }
                enum Aliased: RawID {
                    case a = "a"
                }
                enum ByHand: RawRepresentable {
                    case a
                }

                extension Status: SluiceCore.JSONBindable, SluiceCore.JSONScalarBindable {}

                extension Level: SluiceCore.JSONBindable, SluiceCore.JSONScalarBindable {}

                extension Aliased: SluiceCore.JSONBindable, SluiceCore.JSONScalarBindable {}

                extension ByHand: SluiceCore.JSONBindable, SluiceCore.JSONScalarBindable {}
                """#)
    }
}

#endif
