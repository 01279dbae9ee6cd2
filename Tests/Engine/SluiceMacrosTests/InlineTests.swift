// `@JSONInline`, constants with a value, and the unavailable initialiser of a subclass that does not inherit `init()`.
#if Macros

import SwiftDiagnostics
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite struct InlineTests {
    @Test func anInlinedPropertyIsDescribedWithoutItsKey() {
        expectExpansion(
            of: """
                @JSONModel
                struct List {
                    @JSONInline var page: Page
                    var items: [Int]
                }
                """,
            whereItContains: "_inline",
            is: """
                model._inline()
                case 0: try writer._inlined(self.page)
                """)
    }

    @Test func aKeyOrAScalarCannotBeInlined() {
        expectRefusal(
            of: """
                @JSONModel
                struct List {
                    @JSONInline @JSONKey("p") var page: Page
                    @JSONInline var items: [Int]
                }
                """,
            with: DiagnosticSpec(
                message: "property 'page' has no key of its own, because it is marked '@JSONInline'", line: 3, column: 5,
                fixIts: [FixItSpec(message: "remove '@JSONInline'")]),
            DiagnosticSpec(
                message:
                    "property 'items' cannot be inlined; only a model, or an enum whose cases hold models, has keys", line: 4,
                column: 5,
                fixIts: [FixItSpec(message: "remove '@JSONInline'")]))
    }

    @Test func aConstantWithAValueIsWarnedOf() {
        let source = """
            @JSONModel
            struct Body {
                let version = 5
                @JSONIgnored(.reading) let client = "a"
                @JSONIgnored let other = 1
            }
            """
        expectExpansion(
            of: source, is: expansion(of: source),
            diagnostics: [
                DiagnosticSpec(
                    message:
                        "constant 'version' is written and never read, because it has its value already; mark it '@JSONIgnored(.reading)' if that is meant",
                    line: 3, column: 9, severity: .warning,
                    fixIts: [
                        FixItSpec(message: "make it a 'var', which is read"), FixItSpec(message: "add '@JSONIgnored(.reading)'"),
                    ])
            ])
    }

    @Test func aSubclassWithoutInitialisersSaysHowToGetOne() {
        let words = "add 'override init() { super.init() }'"
        #expect(expansion(of: "@JSONSubclass(of: User.self)\nclass Guest: User {\n    var host = 1\n}").contains(words))
        #expect(!expansion(of: "@JSONSubclass(of: User.self)\nclass Guest: User {\n    var host: Int\n}").contains(words))
        #expect(
            !expansion(of: "@JSONSubclass(of: User.self)\nclass Guest: User {\n    override init() { super.init() }\n}").contains(
                words))
    }
}

#endif
