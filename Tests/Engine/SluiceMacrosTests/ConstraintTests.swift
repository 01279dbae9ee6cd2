// `@JSONConstraint` and comments: what they add to an expansion, and what is refused.
#if Macros

import SwiftDiagnostics
import SwiftSyntaxMacrosGenericTestSupport
import Testing

extension ModelEmissionTests {
    @Test func aConstraintIsAStatementAfterItsProperty() {
        expectExpansion(
            of: """
                @JSONModel
                struct Person {
                    @JSONConstraint(.range(0...130)) var age: Int
                    var name: String
                }
                """,
            differsFrom: """
                @JSONModel
                struct Person {
                    var age: Int
                    var name: String
                }
                """,
            in: """
                + model.constraint(.range(0...130))
                """)
    }

    @Test func theFirstParagraphOfACommentIsADescription() {
        let source = #"""
            /// An earlier comment.

            /// A person
            ///   of "note".
            ///
            /// More.
            @JSONModel
            struct Person {
                /** In years.

                    More. */
                var age: Int
                // Not for users.
                var name: String
                /// - Note: A list is no paragraph.
                var list: [Int]
            }
            """#
        expectExpansion(of: source, whereItContains: "model.summary", is: ##"model.summary = #"A person of "note"."#"##)
        expectExpansion(of: source, whereItContains: "model.describe", is: #"model.describe("In years.")"#)
    }
}

extension ModelChecksTests {
    @Test func aConstraintFitsTheTypeOfItsProperty() {
        expectRefusal(
            of: """
                @JSONModel
                struct Person {
                    @JSONConstraint(.range(0...1)) var a: String
                    @JSONConstraint(.length(1)) var b: Int?
                    @JSONConstraint(.count(1...2), .pattern("x")) var c: [String]
                    @JSONConstraint(.unique) var d: Set<Int>
                    @JSONConstraint(.range(0...1)) var e: Percentage
                }
                """,
            with: DiagnosticSpec(
                message: "'.range' is for numbers, and property 'a' has the type 'String'; its length is limited by '.length'",
                line: 3, column: 21, fixIts: [FixItSpec(message: "remove '@JSONConstraint'")]),
            DiagnosticSpec(
                message: "'.length' is for strings, and property 'b' has the type 'Int'; its values are limited by '.range'",
                line: 4, column: 21, fixIts: [FixItSpec(message: "remove '@JSONConstraint'")]),
            DiagnosticSpec(
                message: "'.pattern' is for strings, and property 'c' has the type '[String]'; its count is limited by '.count'",
                line: 5, column: 36),
            DiagnosticSpec(
                message: "'.unique' is for arrays, and property 'd' has the type 'Set<Int>'",
                line: 6, column: 21, fixIts: [FixItSpec(message: "remove '@JSONConstraint'")]))
    }

    @Test func aConstraintCannotCheckWhatAnAdapterReads() {
        expectRefusal(
            of: """
                @JSONModel
                struct Person {
                    @JSONCodable @JSONConstraint(.range(0...1)) var a: Score
                    @JSONInline @JSONConstraint(.count(1)) var b: Score
                }
                """,
            with: DiagnosticSpec(
                message: "'@JSONConstraint' cannot check 'a', whose values are read by '@JSONCodable'",
                line: 3, column: 18, fixIts: [FixItSpec(message: "remove '@JSONConstraint'")]),
            DiagnosticSpec(
                message: "'@JSONConstraint' cannot check 'b', whose values are read by '@JSONInline'",
                line: 4, column: 17, fixIts: [FixItSpec(message: "remove '@JSONConstraint'")]))
    }
}

#endif
