// What `@JSONModel` refuses of properties that another type binds, and of keys that no property has.
#if Macros

import SwiftDiagnostics
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite struct AdoptionTests {
    @Test func unknownKeysGoToAPropertyThatExistsAndCanTakeThem() {
        expectRefusal(
            of: """
                @JSONModel(unknownKeys: .collect(into: "others"))
                struct Event {
                    var rest: JSONObject
                }
                """,
            with: DiagnosticSpec(message: "'Event' has no stored property 'others'", line: 1, column: 40))
        expectRefusal(
            of: """
                @JSONModel(unknownKeys: .collect(into: name))
                struct Event {
                    var rest: JSONObject
                }
                """,
            with: DiagnosticSpec(
                message: "unknown keys are collected by '.collect(into: \"rest\")', with a literal", line: 1, column: 25))
        expectRefusal(
            of: """
                @JSONModel(unknownKeys: .collect(into: "rest"))
                struct Event {
                    var rest: JSONObject?
                }
                """,
            with: DiagnosticSpec(
                message:
                    "property 'rest', which collects unknown keys, has to be a 'JSONObject' or a '[String: JSONValue]' that can be set",
                line: 3, column: 9))
    }

    @Test func aMarkerStandsOnceAndOnAPropertyThatTakesPart() {
        expectRefusal(
            of: """
                @JSONModel
                struct Event {
                    @JSONString @JSONIgnored var payload = 0
                }
                """,
            with: DiagnosticSpec(
                message: "'@JSONString' has no effect because 'payload' is ignored", line: 3, column: 5, severity: .warning,
                fixIts: [FixItSpec(message: "remove '@JSONString'")]))
        expectRefusal(
            of: """
                @JSONModel
                struct Event {
                    @JSONString @JSONCodable var payload: Place
                }
                """,
            with: DiagnosticSpec(
                message: "property 'payload' is bound by '@JSONString' or by '@JSONCodable', not by both", line: 3, column: 17,
                fixIts: [FixItSpec(message: "remove '@JSONCodable'")]))
    }
}

#endif
