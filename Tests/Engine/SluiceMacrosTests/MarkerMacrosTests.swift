// Markers in places where `@JSONModel` does not look.
#if Macros

import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite struct MarkerMacrosTests {
    @Test func aMarkerOnAnythingButAPropertyIsRefused() {
        expectRefusal(
            of: """
                struct Book {
                    /// Opens it.
                    @JSONKey("o") func open() {
                    }
                    @JSONIgnored init() {
                    }
                    enum Kind {
                        @JSONIgnored case a
                    }
                    @JSONIgnored
                    struct Page {
                    }
                    @JSONKey("s") subscript(i: Int) -> Int {
                        i
                    }
                }
                """,
            with: DiagnosticSpec(
                message: "'@JSONKey' can only be applied to a stored property",
                line: 3, column: 5,
                fixIts: [FixItSpec(message: "remove '@JSONKey'")]),
            DiagnosticSpec(
                message: "'@JSONIgnored' can only be applied to a stored property",
                line: 5, column: 5,
                fixIts: [FixItSpec(message: "remove '@JSONIgnored'")]),
            DiagnosticSpec(
                message: "'@JSONIgnored' can only be applied to a stored property",
                line: 8, column: 9,
                fixIts: [FixItSpec(message: "remove '@JSONIgnored'")]),
            DiagnosticSpec(
                message: "'@JSONIgnored' can only be applied to a stored property",
                line: 10, column: 5,
                fixIts: [FixItSpec(message: "remove '@JSONIgnored'")]),
            DiagnosticSpec(
                message: "'@JSONKey' can only be applied to a stored property",
                line: 13, column: 5,
                fixIts: [FixItSpec(message: "remove '@JSONKey'")]),
            fixed: """
                struct Book {
                    /// Opens it.
                    func open() {
                    }
                    init() {
                    }
                    enum Kind {
                        case a
                    }
                    struct Page {
                    }
                    subscript(i: Int) -> Int {
                        i
                    }
                }
                """)
    }

    @Test func aMarkerOnAComputedPropertyIsRefused() {
        expectRefusal(
            of: """
                struct Book {
                    @JSONKey("p") var pages: Int { 1 }
                    @JSONIgnored var size: Int {
                        get {
                            1
                        }
                        set {
                        }
                    }
                }
                """,
            with: DiagnosticSpec(
                message: "'@JSONKey' cannot be applied to computed property 'pages'; it marks stored properties",
                line: 2, column: 5,
                fixIts: [FixItSpec(message: "remove '@JSONKey'")]),
            DiagnosticSpec(
                message: "'@JSONIgnored' cannot be applied to computed property 'size'; it marks stored properties",
                line: 3, column: 5,
                fixIts: [FixItSpec(message: "remove '@JSONIgnored'")]),
            fixed: """
                struct Book {
                    var pages: Int { 1 }
                    var size: Int {
                        get {
                            1
                        }
                        set {
                        }
                    }
                }
                """)
    }

    @Test func aMarkerOnAStaticPropertyIsRefused() {
        expectRefusal(
            of: """
                struct Book {
                    @JSONKey("p") static var pages = 1
                }
                """,
            with: DiagnosticSpec(
                message:
                    "'@JSONKey' cannot be applied to static property 'pages'; it marks stored properties of an instance",
                line: 2, column: 5,
                fixIts: [FixItSpec(message: "remove '@JSONKey'")]),
            fixed: """
                struct Book {
                    static var pages = 1
                }
                """)
    }

    @Test func aMarkerOutsideAModelHasNoEffect() {
        expectRefusal(
            of: """
                struct Book {
                    // The pages.
                    @JSONKey("p") @Clamped var pages: Int
                    @JSONIgnored
                    var isOpen = false
                }
                """,
            with: DiagnosticSpec(
                message: "'@JSONKey' has no effect because 'Book' is not marked '@JSONModel'",
                line: 3, column: 5,
                fixIts: [FixItSpec(message: "remove '@JSONKey'")]),
            DiagnosticSpec(
                message: "'@JSONIgnored' has no effect because 'Book' is not marked '@JSONModel'",
                line: 4, column: 5,
                fixIts: [FixItSpec(message: "remove '@JSONIgnored'")]),
            fixed: """
                struct Book {
                    // The pages.
                    @Clamped var pages: Int
                    var isOpen = false
                }
                """)
    }

    @Test func aMarkerOnAVariableOutsideATypeIsRefused() {
        expectRefusal(
            of: """
                @JSONKey("p") var pages = 1
                """,
            with: DiagnosticSpec(
                message: "'@JSONKey' can only be applied to a stored property of a type",
                line: 1, column: 1,
                fixIts: [FixItSpec(message: "remove '@JSONKey'")]),
            fixed: """
                var pages = 1
                """)
    }
}

#endif
