// What is refused about `@JSONKey` and `@JSONIgnored` where `@JSONModel` finds them.
#if Macros

import SwiftDiagnostics
import SwiftSyntaxMacrosGenericTestSupport
import Testing

extension ModelChecksTests {
    @Test func aKeyAttributeNeedsAKey() {
        expectRefusal(
            of: """
                @JSONModel
                struct Book {
                    @JSONKey() var a: Int
                    @JSONKey var b: Int
                }
                """,
            with: DiagnosticSpec(
                message: "'@JSONKey' requires at least one key",
                line: 3, column: 5),
            DiagnosticSpec(
                message: "'@JSONKey' requires at least one key",
                line: 4, column: 5))
    }

    @Test func anEmptyKeyHasToBeLiteral() {
        expectRefusal(
            of: """
                @JSONModel
                struct Book {
                    @JSONKey("") var a: Int
                    @JSONKey("b", "") var b: Int
                }
                """,
            with: DiagnosticSpec(
                message: "key cannot be empty",
                line: 3, column: 14,
                fixIts: [FixItSpec(message: "take the key literally")]),
            DiagnosticSpec(
                message: "key cannot be empty",
                line: 4, column: 19),
            fixed: """
                @JSONModel
                struct Book {
                    @JSONKey(literal: "") var a: Int
                    @JSONKey("b", "") var b: Int
                }
                """)
    }

    @Test func aPathHasNoEmptyComponents() {
        expectRefusal(
            of: """
                @JSONModel
                struct Book {
                    @JSONKey("a..b") var a: Int
                    @JSONKey(".b") var b: Int
                    @JSONKey("c.") var c: Int
                    @JSONKey("d", ".") var d: Int
                    @JSONKey(literal: "..") var e: Int
                }
                """,
            with: DiagnosticSpec(
                message:
                    #"'a..b' is not a path: expected a key, found '.' (column 3); a key with such characters is written '@JSONKey(literal: "a..b")'"#,
                line: 3, column: 14,
                fixIts: [FixItSpec(message: "take the key literally")]),
            DiagnosticSpec(
                message:
                    #"'.b' is not a path: expected a key, found '.' (column 1); a key with such characters is written '@JSONKey(literal: ".b")'"#,
                line: 4, column: 14,
                fixIts: [FixItSpec(message: "take the key literally")]),
            DiagnosticSpec(
                message:
                    #"'c.' is not a path: expected a key, found the end (column 3); a key with such characters is written '@JSONKey(literal: "c.")'"#,
                line: 5, column: 14,
                fixIts: [FixItSpec(message: "take the key literally")]),
            DiagnosticSpec(
                message:
                    #"'.' is not a path: expected a key, found '.' (column 1); a key with such characters is written '@JSONKey(literal: ".")'"#,
                line: 6, column: 19),
            fixed: """
                @JSONModel
                struct Book {
                    @JSONKey(literal: "a..b") var a: Int
                    @JSONKey(literal: ".b") var b: Int
                    @JSONKey(literal: "c.") var c: Int
                    @JSONKey("d", ".") var d: Int
                    @JSONKey(literal: "..") var e: Int
                }
                """)
    }

    @Test func aKeyIsAPlainStringLiteral() {
        expectRefusal(
            of: #"""
                @JSONModel
                struct Book {
                    @JSONKey(Keys.a) var a: Int
                    @JSONKey("\(prefix)b") var b: Int
                    @JSONKey("c" + "d") var c: Int
                }
                """#,
            with: DiagnosticSpec(
                message: "key must be a string literal on one line, without interpolation",
                line: 3, column: 14),
            DiagnosticSpec(
                message: "key must be a string literal on one line, without interpolation",
                line: 4, column: 14),
            DiagnosticSpec(
                message: "key must be a string literal on one line, without interpolation",
                line: 5, column: 14))
    }

    @Test func alternativesAreDistinct() {
        expectRefusal(
            of: """
                @JSONModel
                struct Book {
                    @JSONKey("id", "ID", "id") var a: Int
                    @JSONKey("n", "n", "m") var b: Int
                }
                """,
            with: DiagnosticSpec(
                message: "key 'id' is already among the alternatives",
                line: 3, column: 26,
                fixIts: [FixItSpec(message: "remove the duplicate")]),
            DiagnosticSpec(
                message: "key 'n' is already among the alternatives",
                line: 4, column: 19,
                fixIts: [FixItSpec(message: "remove the duplicate")]),
            fixed: """
                @JSONModel
                struct Book {
                    @JSONKey("id", "ID") var a: Int
                    @JSONKey("n", "m") var b: Int
                }
                """)
    }

    @Test func aPropertyHasOneKeyAttribute() {
        expectRefusal(
            of: """
                @JSONModel
                struct Book {
                    // The number.
                    @JSONKey("id")
                    @JSONKey("ID", "Id")
                    var a: Int
                    @JSONKey("b") @JSONKey(literal: "b.c") var b: Int
                }
                """,
            with: DiagnosticSpec(
                message: "property 'a' has more than one '@JSONKey'; alternative keys go into one",
                line: 5, column: 5,
                fixIts: [FixItSpec(message: "combine the keys")]),
            DiagnosticSpec(
                message: "property 'b' has more than one '@JSONKey'; alternative keys go into one",
                line: 7, column: 19),
            fixed: """
                @JSONModel
                struct Book {
                    // The number.
                    @JSONKey("id", "ID", "Id")
                    var a: Int
                    @JSONKey("b") @JSONKey(literal: "b.c") var b: Int
                }
                """)
    }

    @Test func aPropertyHasOneIgnoredAttribute() {
        expectRefusal(
            of: """
                @JSONModel
                struct Book {
                    @JSONIgnored(.reading) @JSONIgnored(.writing) var a = 1
                }
                """,
            with: DiagnosticSpec(
                message: "property 'a' has more than one '@JSONIgnored'; '@JSONIgnored' alone means both directions",
                line: 3, column: 28,
                fixIts: [FixItSpec(message: "remove '@JSONIgnored(.writing)'")]),
            fixed: """
                @JSONModel
                struct Book {
                    @JSONIgnored(.reading) var a = 1
                }
                """)
    }

    @Test func aDirectionMustBeALiteralCase() {
        expectRefusal(
            of: """
                @JSONModel
                struct Book {
                    @JSONIgnored(direction) var a = 1
                    @JSONIgnored(JSONDirection.reading) var b = 1
                }
                """,
            with: DiagnosticSpec(
                message: "direction must be written as '.both', '.reading', '.writing', or '.archive'",
                line: 3, column: 18))
    }

    @Test func aMarkerInsideIfIsRefused() {
        expectRefusal(
            of: """
                @JSONModel
                struct Book {
                    #if DEBUG
                    @JSONKey("b")
                    #endif
                    var a: Int
                }
                """,
            with: DiagnosticSpec(
                message: "'@JSONModel' does not see attributes inside '#if'; move the marker out",
                line: 3, column: 5))
    }

    // The first complaint is swift-syntax's own test support; the compiler leaves this case to us.
    @Test func aKeyBelongsToOneProperty() {
        expectRefusal(
            of: """
                @JSONModel
                struct Point {
                    @JSONKey("x") var x, y: Int
                }
                """,
            with: DiagnosticSpec(
                message: "peer macro can only be applied to a single variable",
                line: 3, column: 5),
            DiagnosticSpec(
                message: "'@JSONKey' cannot be applied to several properties at once; declare one property at a time",
                line: 3, column: 5))
    }

    @Test func aKeyOfAnIgnoredPropertyIsPointless() {
        let fixed = """
            @JSONModel
            struct Book {
                @JSONIgnored var isOpen = false
            }
            """
        expectExpansion(
            of: """
                @JSONModel
                struct Book {
                    @JSONKey("o") @JSONIgnored var isOpen = false
                }
                """,
            is: expansion(of: fixed),
            diagnostics: [
                DiagnosticSpec(
                    message: "'@JSONKey' has no effect because 'isOpen' is ignored", line: 3, column: 5,
                    severity: .warning, fixIts: [FixItSpec(message: "remove '@JSONKey'")])
            ],
            fixed: fixed)
    }
}

#endif
