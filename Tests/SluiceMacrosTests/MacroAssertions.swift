// What the macro tests share: expand a source text with our macros and compare, reporting to Swift Testing.
#if Macros

import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import SluiceMacros

/// Expects that `source` expands to exactly `expanded`, with these diagnostics and no others.
func expectExpansion(
    of source: String, is expanded: String, diagnostics: [DiagnosticSpec] = [], fixed: String? = nil,
    at location: Testing.SourceLocation = #_sourceLocation
) {
    assertMacroExpansion(
        source, expandedSource: expanded, diagnostics: diagnostics, macroSpecs: sluiceMacros, fixedSource: fixed,
        failureHandler: { failure in
            Issue.record("\(failure.message)", sourceLocation: location)
        })
}

/// Expects that `source` is refused with these diagnostics, and that all fix-its together turn it into `fixed`. What it expands to
/// all the same is the concern of ``StandInTests``.
func expectRefusal(
    of source: String, with diagnostics: DiagnosticSpec..., fixed: String? = nil,
    at location: Testing.SourceLocation = #_sourceLocation
) {
    expectExpansion(of: source, is: expanded(source), diagnostics: diagnostics, fixed: fixed, at: location)
}

/// What the source expands to, whatever that is.
func expansion(of source: String) -> String { expanded(source) }

private func expanded(_ source: String) -> String {
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(sourceFiles: [file: .init(moduleName: "TestModule", fullFilePath: "test.swift")])
    return file.expand(macroSpecs: sluiceMacros) { node in
        BasicMacroExpansionContext(sharingWith: context, lexicalContext: node.allMacroLexicalContexts())
    }.description
}

private let sluiceMacros: [String: MacroSpec] = [
    "JSONBaseClass": MacroSpec(
        type: JSONBaseClassMacro.self,
        conformances: ["JSONReadable", "JSONWritable", "_ReadableModel", "JSONModel", "CustomReflectable"]),
    "JSONSubclass": MacroSpec(type: JSONBaseClassMacro.self),
    "JSONModel": MacroSpec(
        type: JSONModelMacro.self,
        conformances: [
            "JSONReadable", "JSONWritable", "_ReadableModel", "JSONModel", "JSONScalarReadable", "JSONScalarWritable",
            "JSONPolymorphic", "CustomStringConvertible", "CustomDebugStringConvertible", "CustomReflectable", "JSONDescribable",
        ]),
    "JSONKey": MacroSpec(type: JSONKeyMacro.self),
    "JSONIgnored": MacroSpec(type: JSONIgnoredMacro.self),
    "JSONNull": MacroSpec(type: JSONPolicyMacro.self),
    "JSONData": MacroSpec(type: JSONPolicyMacro.self),
    "JSONJoin": MacroSpec(type: JSONPolicyMacro.self),
    "JSONDate": MacroSpec(type: JSONPolicyMacro.self),
    "JSONString": MacroSpec(type: JSONPolicyMacro.self),
    "JSONCodable": MacroSpec(type: JSONPolicyMacro.self),
    "JSONSensitive": MacroSpec(type: JSONPolicyMacro.self),
]

#endif
