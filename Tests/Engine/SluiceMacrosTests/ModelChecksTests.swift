// What is refused about a type as a whole, word for word, and what the fix-its make of it.
#if Macros

import SwiftDiagnostics
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite struct ModelChecksTests {
    @Test func anActorIsRefused() {
        expectRefusal(
            of: """
                @JSONModel
                actor Counter {
                }
                """,
            with: DiagnosticSpec(
                message:
                    "'@JSONModel' cannot be applied to an actor; it applies to structs, classes, and enums",
                line: 1, column: 1))
    }

    @Test func aProtocolIsRefused() {
        expectRefusal(
            of: """
                @JSONModel
                protocol Countable {
                }
                """,
            with: DiagnosticSpec(
                message:
                    "'@JSONModel' cannot be applied to a protocol; it applies to structs, classes, and enums",
                line: 1, column: 1))
    }

    @Test func aClassThatIsNotFinalIsRefused() {
        expectRefusal(
            of: """
                @JSONModel
                public class Node {
                    var id = 1
                }
                """,
            with: DiagnosticSpec(
                message: "'@JSONModel' requires class 'Node' to be final; a class with subclasses is marked '@JSONBaseClass'",
                line: 2, column: 8,
                fixIts: [FixItSpec(message: "add 'final'")]),
            fixed: """
                @JSONModel
                public final class Node {
                    var id = 1
                }
                """)
    }

    @Test func anOpenClassIsMadePublicAndFinal() {
        expectRefusal(
            of: """
                @JSONModel
                open class Node {
                }
                """,
            with: DiagnosticSpec(
                message: "'@JSONModel' requires class 'Node' to be final; a class with subclasses is marked '@JSONBaseClass'",
                line: 2, column: 6,
                fixIts: [FixItSpec(message: "replace 'open' with 'public final'")]),
            fixed: """
                @JSONModel
                public final class Node {
                }
                """)
    }

    @Test func aNoncopyableTypeIsRefused() {
        expectRefusal(
            of: """
                @JSONModel
                struct Handle: ~Copyable {
                    var id: Int
                }
                """,
            with: DiagnosticSpec(
                message: "'@JSONModel' cannot be applied to noncopyable type 'Handle'",
                line: 2, column: 16))
    }

    @Test func aPrivateTypeInsideAnotherIsRefused() {
        expectRefusal(
            of: """
                enum API {
                    @JSONModel
                    private struct User {
                        var id: Int
                    }
                }
                """,
            with: DiagnosticSpec(
                message: "nested type 'User' cannot be private because its '@JSONModel' extension would not see it",
                line: 3, column: 5,
                fixIts: [FixItSpec(message: "replace 'private' with 'fileprivate'")]),
            fixed: """
                enum API {
                    @JSONModel
                    fileprivate struct User {
                        var id: Int
                    }
                }
                """)
    }

    @Test func aPrivateTypeOfAPropertyIsRefused() {
        expectRefusal(
            of: """
                @JSONModel
                struct Book {
                    private struct Chapter {
                    }
                    private struct Note {
                    }
                    private var chapters: [Chapter]
                }
                """,
            with: DiagnosticSpec(
                message:
                    "type 'Chapter' cannot be private because the draft that '@JSONModel' generates stores a value of it",
                line: 3, column: 5,
                fixIts: [FixItSpec(message: "replace 'private' with 'fileprivate'")]),
            fixed: """
                @JSONModel
                struct Book {
                    fileprivate struct Chapter {
                    }
                    private struct Note {
                    }
                    private var chapters: [Chapter]
                }
                """)
    }

    @Test func aMemberTypeNamedLikeTheDraftIsRefused() {
        expectRefusal(
            of: """
                @JSONModel
                struct Book {
                    struct JSONDraft {
                    }
                }
                """,
            with: DiagnosticSpec(
                message: "'Book' already declares 'JSONDraft', the name of the type that '@JSONModel' generates",
                line: 3, column: 5))
    }

    @Test func aMemberPropertyNamedLikeTheDraftIsRefused() {
        expectRefusal(
            of: """
                @JSONModel
                struct Book {
                    var JSONDraft: Int
                }
                """,
            with: DiagnosticSpec(
                message: "'Book' already declares 'JSONDraft', the name of the type that '@JSONModel' generates",
                line: 3, column: 5))
    }

    @Test func aMemberAliasNamedLikeTheDraftIsRefused() {
        expectRefusal(
            of: """
                @JSONModel
                struct Book {
                    typealias JSONDraft = Int
                }
                """,
            with: DiagnosticSpec(
                message: "'Book' already declares 'JSONDraft', the name of the type that '@JSONModel' generates",
                line: 3, column: 5))
    }

    @Test func aCaseWithSeveralAssociatedValuesIsRefused() {
        expectRefusal(
            of: """
                @JSONModel
                enum Shape {
                    case circle(x: Double, y: Double)
                }
                """,
            with: DiagnosticSpec(
                message:
                    "case 'circle' has several associated values; '@JSONModel' binds one, so make a model of them",
                line: 3, column: 10))
    }

    @Test(arguments: ["@JSONModel(tag: .key(\"t\"))", "@JSONModel", "@JSONModel(tag: .presence)", "@JSONModel(tag: .untagged)"])
    func twoCasesOfOneNameAreRefused(attribute: String) {
        expectRefusal(
            of: """
                \(attribute)
                enum Shape {
                    case circle(Circle)
                    @JSONKey("\\u{63}ircle") case disc(Circle)
                    @JSONKey("x") case first(Circle), second(Circle)
                }
                """,
            with: DiagnosticSpec(
                message: "case 'disc' has the same name in JSON as case 'circle': 'circle'", line: 4, column: 34),
            DiagnosticSpec(
                message: "case 'second' has the same name in JSON as case 'first': 'x'", line: 5, column: 39))
    }

    @Test func twoStringsOfOneNameAreRefused() {
        expectRefusal(
            of: """
                @JSONModel
                enum Status {
                    case open
                    @JSONKey("open") case opened
                    case unknown(String)
                }
                """,
            with: DiagnosticSpec(
                message: "case 'opened' has the same name in JSON as case 'open': 'open'", line: 4, column: 27))
    }

    @Test func aCaseHasOneNameInOneLiteral() {
        expectRefusal(
            of: """
                @JSONModel(tag: .external)
                enum Shape {
                    @JSONKey("a", "b") case circle(Circle)
                    @JSONKey(name) case disc(Circle)
                }
                """,
            with: DiagnosticSpec(
                message: "'@JSONKey' of a case is one string literal on one line, without interpolation", line: 3, column: 19),
            DiagnosticSpec(
                message: "'@JSONKey' of a case is one string literal on one line, without interpolation", line: 4, column: 14))
    }

    @Test func aKeyOfARawCaseIsRefused() {
        expectRefusal(
            of: """
                @JSONModel
                enum Status: String {
                    @JSONKey("o") case open
                }
                """,
            with: DiagnosticSpec(
                message: "'@JSONKey' has no effect on case 'open', whose raw value is its JSON; write 'case open = \"o\"'",
                line: 3,
                column: 5))
    }

    @Test func aTypeWithAParameterPackIsRefused() {
        expectRefusal(
            of: """
                @JSONModel
                struct Pack<each Item> {
                    var id: Int
                }
                """,
            with: DiagnosticSpec(
                message:
                    "'@JSONModel' cannot be applied to 'Pack': Swift's runtime stops at key paths of types with a parameter pack",
                line: 2, column: 8))
    }

    @Test func anEnumWithoutARawTypeIsRefused() {
        expectRefusal(
            of: """
                @JSONModel
                enum Status {
                    case active
                }
                """,
            with: DiagnosticSpec(
                message:
                    "enum 'Status' has no raw type; '@JSONModel' applies to enums whose raw type is 'String' or an integer type",
                line: 2, column: 6,
                fixIts: [FixItSpec(message: "add raw type 'String'")]),
            fixed: """
                @JSONModel
                enum Status: String {
                    case active
                }
                """)
    }

    @Test func theRawTypeGoesBeforeTheConformances() {
        expectRefusal(
            of: """
                @JSONModel
                enum Status: Sendable, Hashable {
                    case active
                }
                """,
            with: DiagnosticSpec(
                message:
                    "enum 'Status' has no raw type; '@JSONModel' applies to enums whose raw type is 'String' or an integer type",
                line: 2, column: 6,
                fixIts: [FixItSpec(message: "add raw type 'String'")]),
            fixed: """
                @JSONModel
                enum Status: String, Sendable, Hashable {
                    case active
                }
                """)
    }

    @Test func anEnumOverAFloatingPointTypeIsRefused() {
        expectRefusal(
            of: """
                @JSONModel
                enum Ratio: Double {
                    case half = 0.5
                }
                """,
            with: DiagnosticSpec(
                message:
                    "raw type 'Double' is not supported; '@JSONModel' applies to enums whose raw type is 'String' or an integer type",
                line: 2, column: 13))
    }

    @Test func everyComplaintIsMadeAtOnceInSourceOrder() {
        expectRefusal(
            of: """
                @JSONModel
                class Everything {
                    lazy var first = 1
                    @JSONKey("") var second: Int
                    var third = []
                }
                """,
            with: DiagnosticSpec(
                message:
                    "'@JSONModel' requires class 'Everything' to be final; a class with subclasses is marked '@JSONBaseClass'",
                line: 2, column: 1,
                fixIts: [FixItSpec(message: "add 'final'")]),
            DiagnosticSpec(
                message: "lazy property 'first' cannot be bound to JSON; mark it '@JSONIgnored'",
                line: 3, column: 5,
                fixIts: [FixItSpec(message: "add '@JSONIgnored'")]),
            DiagnosticSpec(
                message: "key cannot be empty",
                line: 4, column: 14,
                fixIts: [FixItSpec(message: "take the key literally")]),
            DiagnosticSpec(
                message:
                    "type annotation missing for property 'third'; '@JSONModel' cannot infer its type from the initial value",
                line: 5, column: 9,
                fixIts: [FixItSpec(message: "add type annotation")]),
            fixed: """
                @JSONModel
                final class Everything {
                    @JSONIgnored lazy var first = 1
                    @JSONKey(literal: "") var second: Int
                    var third: <#Type#> = []
                }
                """)
    }

    @Test func aKeyStrategyOnAnEnumIsPointless() {
        let fixed = """
            @JSONModel
            enum Status: String {
                case active
            }
            """
        expectExpansion(
            of: """
                @JSONModel(keys: .snakeCase)
                enum Status: String {
                    case active
                }
                """,
            is: expansion(of: fixed),
            diagnostics: [
                DiagnosticSpec(
                    message: "'keys:' has no effect on an enum, whose values are its raw values", line: 1, column: 12,
                    severity: .warning, fixIts: [FixItSpec(message: "remove 'keys:'")])
            ],
            fixed: fixed)
    }
}

#endif
