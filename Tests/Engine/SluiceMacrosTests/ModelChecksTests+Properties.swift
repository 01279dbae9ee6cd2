// What is refused about a property.
#if Macros

import SwiftSyntaxMacrosGenericTestSupport
import Testing

extension ModelChecksTests {
    @Test func aTypeThatCannotBeInferredHasToBeWritten() {
        expectRefusal(
            of: """
                @JSONModel
                struct Book {
                    var tags = ["a", "b"], sizes = ["s": 1]
                    var status = Status.active // for now
                    var value = makeValue()
                    var mixed = [1, "a"]
                    let none = nil
                }
                """,
            with: DiagnosticSpec(
                message:
                    "type annotation missing for property 'tags'; '@JSONModel' cannot infer its type from the initial value",
                line: 3, column: 9,
                fixIts: [FixItSpec(message: "add type annotation ': [String]'")]),
            DiagnosticSpec(
                message:
                    "type annotation missing for property 'sizes'; '@JSONModel' cannot infer its type from the initial value",
                line: 3, column: 28,
                fixIts: [FixItSpec(message: "add type annotation ': [String: Int]'")]),
            DiagnosticSpec(
                message:
                    "type annotation missing for property 'status'; '@JSONModel' cannot infer its type from the initial value",
                line: 4, column: 9,
                fixIts: [FixItSpec(message: "add type annotation ': Status'")]),
            DiagnosticSpec(
                message:
                    "type annotation missing for property 'value'; '@JSONModel' cannot infer its type from the initial value",
                line: 5, column: 9,
                fixIts: [FixItSpec(message: "add type annotation")]),
            DiagnosticSpec(
                message:
                    "type annotation missing for property 'mixed'; '@JSONModel' cannot infer its type from the initial value",
                line: 6, column: 9,
                fixIts: [FixItSpec(message: "add type annotation")]),
            DiagnosticSpec(
                message:
                    "type annotation missing for property 'none'; '@JSONModel' cannot infer its type from the initial value",
                line: 7, column: 9,
                fixIts: [FixItSpec(message: "add type annotation")]),
            fixed: """
                @JSONModel
                struct Book {
                    var tags: [String] = ["a", "b"], sizes: [String: Int] = ["s": 1]
                    var status: Status = Status.active // for now
                    var value: <#Type#> = makeValue()
                    var mixed: <#Type#> = [1, "a"]
                    let none: <#Type#> = nil
                }
                """)
    }

    @Test func lazyWeakAndUnownedPropertiesHaveToBeIgnored() {
        expectRefusal(
            of: """
                @JSONModel
                final class Node {
                    /// Costly.
                    lazy var cache = 1
                    private weak var parent: Node?
                    unowned var root: Node
                    @JSONIgnored(.reading) lazy var size = 1
                }
                """,
            with: DiagnosticSpec(
                message: "lazy property 'cache' cannot be bound to JSON; mark it '@JSONIgnored'",
                line: 4, column: 5,
                fixIts: [FixItSpec(message: "add '@JSONIgnored'")]),
            DiagnosticSpec(
                message: "weak property 'parent' cannot be bound to JSON; mark it '@JSONIgnored'",
                line: 5, column: 13,
                fixIts: [FixItSpec(message: "add '@JSONIgnored'")]),
            DiagnosticSpec(
                message: "unowned property 'root' cannot be bound to JSON; mark it '@JSONIgnored'",
                line: 6, column: 5),
            DiagnosticSpec(
                message: "lazy property 'size' cannot be bound to JSON; mark it '@JSONIgnored'",
                line: 7, column: 28),
            fixed: """
                @JSONModel
                final class Node {
                    /// Costly.
                    @JSONIgnored lazy var cache = 1
                    @JSONIgnored private weak var parent: Node?
                    unowned var root: Node
                    @JSONIgnored(.reading) lazy var size = 1
                }
                """)
    }

    @Test func functionsTuplesAndMetatypesHaveToBeIgnored() {
        expectRefusal(
            of: """
                @JSONModel
                struct View {
                    var action: (@Sendable () -> Void)?
                    var size: (Int, Int)
                    let type: Int.Type
                }
                """,
            with: DiagnosticSpec(
                message: "property 'action' has a function type, which JSON cannot represent; mark it '@JSONIgnored'",
                line: 3, column: 9,
                fixIts: [FixItSpec(message: "add '@JSONIgnored'")]),
            DiagnosticSpec(
                message: "property 'size' has a tuple type, which JSON cannot represent; mark it '@JSONIgnored'",
                line: 4, column: 9),
            DiagnosticSpec(
                message: "property 'type' has a metatype type, which JSON cannot represent; mark it '@JSONIgnored'",
                line: 5, column: 9),
            fixed: """
                @JSONModel
                struct View {
                    @JSONIgnored var action: (@Sendable () -> Void)?
                    var size: (Int, Int)
                    let type: Int.Type
                }
                """)
    }

    @Test func aTuplePatternIsRefused() {
        expectRefusal(
            of: """
                @JSONModel
                struct Point {
                    var (x, y) = (1, 2)
                }
                """,
            with: DiagnosticSpec(
                message: "'@JSONModel' cannot bind a tuple pattern; declare one property at a time",
                line: 3, column: 9))
    }

    @Test func aPropertyInsideIfHasToBeIgnored() {
        expectRefusal(
            of: """
                @JSONModel
                struct Book {
                    #if DEBUG
                    var trace = 1
                    #else
                    #if os(Linux)
                    var id: Int
                    #endif
                    #endif
                }
                """,
            with: DiagnosticSpec(
                message:
                    "'@JSONModel' does not support properties inside '#if'; move 'trace' out or mark it '@JSONIgnored'",
                line: 4, column: 9,
                fixIts: [FixItSpec(message: "add '@JSONIgnored'")]),
            DiagnosticSpec(
                message:
                    "'@JSONModel' does not support properties inside '#if'; move 'id' out or mark it '@JSONIgnored'",
                line: 7, column: 9),
            fixed: """
                @JSONModel
                struct Book {
                    #if DEBUG
                    @JSONIgnored var trace = 1
                    #else
                    #if os(Linux)
                    var id: Int
                    #endif
                    #endif
                }
                """)
    }

    @Test func namesThatCannotFollowADotAreRefused() {
        expectRefusal(
            of: """
                @JSONModel
                struct Words {
                    var `init`: Int
                    var `Type`: Int
                    var `Protocol`: Int
                }
                """,
            with: DiagnosticSpec(
                message:
                    #"a '@JSONModel' property cannot be named 'init'; choose another name and add '@JSONKey("init")'"#,
                line: 3, column: 9),
            DiagnosticSpec(
                message:
                    #"a '@JSONModel' property cannot be named 'Type'; choose another name and add '@JSONKey("Type")'"#,
                line: 4, column: 9),
            DiagnosticSpec(
                message:
                    #"a '@JSONModel' property cannot be named 'Protocol'; choose another name and add '@JSONKey("Protocol")'"#,
                line: 5, column: 9))
    }

    @Test func anIgnoredPropertyNeedsAnInitialValue() {
        expectRefusal(
            of: """
                @JSONModel
                struct Book {
                    @JSONIgnored var isOpen: Bool
                    @JSONIgnored(.reading) let stamp: Int
                    @JSONIgnored let parent: Book?
                    @JSONIgnored(.both) var spelled: Optional<Int> // not nil by itself
                    @JSONIgnored var observed: Int { didSet {} }
                    @JSONIgnored var sugared: Int?
                    @JSONIgnored(.writing) let read: Int
                }
                """,
            with: DiagnosticSpec(
                message:
                    "property 'isOpen' needs an initial value because '@JSONIgnored' leaves nothing to initialize it",
                line: 3, column: 22,
                fixIts: [FixItSpec(message: "add initial value")]),
            DiagnosticSpec(
                message:
                    "property 'stamp' needs an initial value because '@JSONIgnored' leaves nothing to initialize it",
                line: 4, column: 32,
                fixIts: [FixItSpec(message: "add initial value")]),
            DiagnosticSpec(
                message:
                    "property 'parent' needs an initial value because '@JSONIgnored' leaves nothing to initialize it",
                line: 5, column: 22,
                fixIts: [FixItSpec(message: "add initial value 'nil'")]),
            DiagnosticSpec(
                message:
                    "property 'spelled' needs an initial value because '@JSONIgnored' leaves nothing to initialize it",
                line: 6, column: 29,
                fixIts: [FixItSpec(message: "add initial value 'nil'")]),
            DiagnosticSpec(
                message:
                    "property 'observed' needs an initial value because '@JSONIgnored' leaves nothing to initialize it",
                line: 7, column: 22,
                fixIts: [FixItSpec(message: "add initial value")]),
            fixed: """
                @JSONModel
                struct Book {
                    @JSONIgnored var isOpen: Bool = <#initial value#>
                    @JSONIgnored(.reading) let stamp: Int = <#initial value#>
                    @JSONIgnored let parent: Book? = nil
                    @JSONIgnored(.both) var spelled: Optional<Int> = nil // not nil by itself
                    @JSONIgnored var observed: Int = <#initial value#> { didSet {} }
                    @JSONIgnored var sugared: Int?
                    @JSONIgnored(.writing) let read: Int
                }
                """)
    }
}

#endif
