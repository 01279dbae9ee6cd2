// What a type with an error expands to: its conformance and nothing else, so that the error stays the only one.
#if Macros

import SwiftDiagnostics
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite struct StandInTests {
    @Test func aStructWithAnErrorStaysAModel() {
        expectExpansion(
            of: """
                @JSONModel
                struct Book {
                    var tags = ["a"]
                }
                """,
            differsFrom: """
                @JSONModel
                struct Book {
                }
                """,
            in: """
                - typealias JSONDraft = SluiceCore._InPlace<Self>
                + var tags = ["a"]
                + struct JSONDraft: SluiceCore._JSONModelDraft {
                + init() {}
                + }
                + init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                + throw SluiceCore.JSONError._missing
                + }
                + }
                + func _makeDraft() -> JSONDraft? {
                + let draft = JSONDraft()
                + return draft
                """,
            diagnostics: [
                DiagnosticSpec(
                    message:
                        "type annotation missing for property 'tags'; '@JSONModel' cannot infer its type from the initial value",
                    line: 3, column: 9, fixIts: [FixItSpec(message: "add type annotation ': [String]'")])
            ])
    }

    @Test func anEnumWithoutARawTypeStaysAScalar() {
        expectExpansion(
            of: """
                @JSONModel
                enum Status {
                    case active
                }
                """,
            is: """
                enum Status {
                    case active
                }

                extension Status: SluiceCore.JSONBindable, SluiceCore.JSONScalarBindable {
                    init?(jsonScalar scalar: SluiceCore.JSONScalar) {
                        return nil
                    }

                    func write(to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                    }
                }
                """,
            diagnostics: [
                DiagnosticSpec(
                    message:
                        "enum 'Status' has no raw type; '@JSONModel' applies to enums whose raw type is 'String' or an integer type",
                    line: 2, column: 6, fixIts: [FixItSpec(message: "add raw type 'String'")])
            ])
    }

    @Test func anotherSuperclassThanTheClassHasIsReplaced() {
        expectRefusal(
            of: """
                @JSONSubclass(of: Animal.self)
                final class Puppy: Dog {
                }
                """,
            with: DiagnosticSpec(
                message: "the superclass of 'Puppy' is 'Dog'; write '@JSONSubclass(of: Dog.self)'", line: 1, column: 19,
                fixIts: [FixItSpec(message: "replace 'Animal' with 'Dog'")]),
            fixed: """
                @JSONSubclass(of: Dog.self)
                final class Puppy: Dog {
                }
                """)
    }

    @Test func aSubclassHasASuperclass() {
        expectRefusal(
            of: """
                @JSONSubclass(of: Animal.self)
                final class Puppy {
                }
                """,
            with: DiagnosticSpec(
                message: "class 'Puppy' has no superclass; a class with subclasses is marked '@JSONBaseClass'", line: 1, column: 1
            ))
    }

    @Test func aClassOfTheMainActorIsRefused() {
        expectRefusal(
            of: """
                @MainActor @JSONModel
                final class Screen {
                }
                """,
            with: DiagnosticSpec(
                message:
                    "class 'Screen' is isolated to the main actor, and models are read and written outside of it; mark the class 'nonisolated', or bind a struct that it holds",
                line: 1, column: 1))
    }

    @Test func namesThatNoPropertyHasAreRefused() {
        expectRefusal(
            of: """
                @JSONModel(only: ["name", "naem"], except: ["pagse"])
                struct Book {
                    var name: String
                }
                """,
            with: DiagnosticSpec(message: "'Book' has no stored property 'naem'", line: 1, column: 27),
            DiagnosticSpec(message: "'Book' has no stored property 'pagse'", line: 1, column: 45))
    }

    @Test(arguments: ["Self", "SluiceCore", "Swift"])
    func propertiesThatWouldHideWhatTheExpansionNamesAreRefused(name: String) {
        expectRefusal(
            of: """
                @JSONModel
                struct Book {
                    var `\(name)`: Int
                }
                """,
            with: DiagnosticSpec(
                message: "a '@JSONModel' property cannot be named '\(name)'; choose another name and add '@JSONKey(\"\(name)\")'",
                line: 3, column: 9))
    }

    @Test(arguments: [("JSONDate(.unix)", "Date"), ("JSONJoin(\",\")", "String"), ("JSONData(.utf8)", "Data")])
    func aMarkerOnAnotherTypeIsPointless(marker: String, wanted: String) {
        let name = String(marker.prefix { $0 != "(" })
        expectRefusal(
            of: """
                @JSONModel
                struct Book {
                    @\(marker) var pages: [Int?]
                }
                """,
            with: DiagnosticSpec(
                message: "'@\(name)' has no effect on 'pages', whose values are of type 'Int' and not '\(wanted)'", line: 3,
                column: 5, severity: .warning, fixIts: [FixItSpec(message: "remove '@\(name)'")]))
    }

    @Test func aKeyIsPointlessWherePositionsCount() {
        expectRefusal(
            of: """
                @JSONModel(layout: .array)
                struct Point {
                    @JSONKey("a.b") var x: Int
                }
                """,
            with: DiagnosticSpec(
                message: "'@JSONKey' has no effect on 'x', which is bound to a place in an array", line: 3, column: 5,
                severity: .warning, fixIts: [FixItSpec(message: "remove '@JSONKey'")]))
    }

    @Test func valuesOfAnyTypeAreRefused() {
        expectRefusal(
            of: """
                @JSONModel
                struct Book {
                    var extra: [String: Any] = [:]
                }
                """,
            with: DiagnosticSpec(
                message: "property 'extra' has values of type 'Any', which JSON cannot be bound to; use 'JSONValue'", line: 3,
                column: 9, fixIts: [FixItSpec(message: "add '@JSONIgnored'")]),
            fixed: """
                @JSONModel
                struct Book {
                    @JSONIgnored var extra: [String: Any] = [:]
                }
                """)
    }
}

#endif
