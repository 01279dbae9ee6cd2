// What `@JSONModel` takes from a type's code for Codable, and what it says of the rest.
#if Macros

import SwiftDiagnostics
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite struct CodingKeysTests {
    @Test func casesWithoutAPropertyAndCodeThatIsNotCalledAreNamed() {
        expectRefusal(
            of: """
                @JSONModel
                struct Order {
                    var orderID: Int
                    var total = 0

                    private enum CodingKeys: String, CodingKey {
                        case orderID = "order_id", note
                    }

                    init(from decoder: any Decoder) throws {
                    }

                    func encode(to encoder: any Encoder) throws {
                    }

                    func encode(to text: String) {
                    }
                }
                """,
            with: DiagnosticSpec(
                message: "'Order' has no stored property 'note'; '@JSONModel' ignores this case",
                line: 7, column: 36, severity: .warning),
            DiagnosticSpec(
                message:
                    "'@JSONModel' does not call 'init(from:)'; '@JSONKey' with a path, initial values and 'JSONDidRead' take its place",
                line: 10, column: 5, severity: .warning),
            DiagnosticSpec(
                message: "'@JSONModel' does not call 'encode(to:)'; '@JSONKey' with a path and 'JSONWillWrite' take its place",
                line: 13, column: 5, severity: .warning))
    }

    @Test func aPropertyWithoutACaseNeedsAValue() {
        expectRefusal(
            of: """
                @JSONModel
                struct Order {
                    var id: Int
                    var cache: Int

                    enum CodingKeys: String, CodingKey {
                        case id
                    }
                }
                """,
            with: DiagnosticSpec(
                message: "property 'cache' needs an initial value because nothing is read into it",
                line: 4, column: 9,
                fixIts: [FixItSpec(message: "add initial value")]))
    }
}

#endif
