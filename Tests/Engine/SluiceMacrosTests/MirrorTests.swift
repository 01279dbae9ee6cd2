// The mirror of a type with a sensitive property, and the warning about a description of its own.
#if Macros

import Foundation
import SwiftDiagnostics
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite struct MirrorTests {
    /// The extension with the mirror, among the text that a source expands to.
    private func mirror(of source: String) -> String? {
        expansion(of: source).components(separatedBy: "\n\nextension ").first { $0.contains(": Swift.CustomReflectable") }
    }

    @Test func aSensitivePropertyIsRedactedInTheMirror() {
        let text = mirror(
            of: """
                @JSONModel
                public struct Login<Item> {
                    var name: String, `in`: Int?
                    @JSONSensitive var password: String
                    @JSONIgnored @JSONSensitive var session = ""
                    @JSONIgnored lazy var size = 1
                    static let shared = 1
                }
                """)
        #expect(
            text == """
                Login: Swift.CustomReflectable {
                    public var customMirror: Swift.Mirror { Swift.Mirror(self, children: ["name": self.name as Any, "in": self.`in` as Any, "password": SluiceCore._JSONRedacted(), "session": SluiceCore._JSONRedacted()], displayStyle: .struct) }
                }
                """)
    }

    @Test func aTypeWithoutSensitivePropertiesKeepsItsMirror() {
        #expect(mirror(of: "@JSONModel\nstruct Book {\n    var name: String\n}") == nil)
        #expect(mirror(of: "@JSONModel\nfinal class Book {\n    var name: String = \"\"\n}") == nil)
    }

    @Test func eachClassOfAHierarchyMirrorsItsOwnProperties() {
        let base = expansion(of: "@JSONBaseClass\nclass User {\n    var id = 0\n}")
        #expect(base.contains("Swift.Mirror(self, children: [\"id\": self.id as Any], displayStyle: .class)"))
        #expect(
            base.contains("extension User: Swift.CustomReflectable {\n    var customMirror: Swift.Mirror { self._jsonMirror() }"))
        let admin = expansion(of: "@JSONSubclass(of: User.self)\nclass Admin: User {\n    @JSONSensitive var key = \"\"\n}")
        #expect(admin.contains("override func _jsonMirror() -> Swift.Mirror {"))
        #expect(admin.contains("let parent = super._jsonMirror()"))
        #expect(
            admin.contains(
                "children: [\"key\": SluiceCore._JSONRedacted()], displayStyle: .class, ancestorRepresentation: .customized { parent })"
            ))
    }

    @Test func aDescriptionOfOnesOwnIsLeftAloneWithAWarning() {
        expectRefusal(
            of: """
                @JSONModel
                struct Login: CustomStringConvertible {
                    @JSONSensitive var password: String
                    var description: String { password }
                }
                """,
            with: DiagnosticSpec(
                message:
                    "'Login' is 'CustomStringConvertible' by its own code, which '@JSONSensitive' does not change: it must not show 'password'",
                line: 3, column: 5, severity: .warning))
    }
}

#endif
