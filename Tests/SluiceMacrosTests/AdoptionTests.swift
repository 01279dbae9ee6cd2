// What `@JSONModel` emits for properties that another type binds, for keys that no property has, and for open enums.
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

    @Test func anOpenEnumIsAString() {
        expectExpansion(
            of: """
                @JSONModel
                public enum Status {
                    case active
                    @JSONKey("on-hold") case paused
                    case unknown(String)
                }
                """,
            is: """
                public enum Status {
                    case active
                    case paused
                    case unknown(String)
                }

                extension Status: SluiceCore.JSONBindable, SluiceCore.JSONScalarBindable {
                    public init?(jsonScalar scalar: SluiceCore.JSONScalar) {
                        guard let raw = Swift.String(jsonScalar: scalar) else { return nil }
                        switch raw {
                        case "active": self = .active
                        case "on-hold": self = .paused
                        default: self = .unknown(raw)
                        }
                    }

                    public func write(to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                        switch self {
                        case .active: writer.write("active")
                        case .paused: writer.write("on-hold")
                        case .unknown(let raw): writer.write(raw)
                        }
                    }
                }
                """)
    }
}

#endif
