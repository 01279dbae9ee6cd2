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

/// Expects that `source` is refused with these diagnostics and expands to nothing, and that all fix-its together turn it
/// into `fixed`.
func expectRefusal(
    of source: String, with diagnostics: DiagnosticSpec..., fixed: String? = nil,
    at location: Testing.SourceLocation = #_sourceLocation
) {
    expectExpansion(of: source, is: bare(source), diagnostics: diagnostics, fixed: fixed, at: location)
}

/// The source with its attributes taken away, just as macros that expand to nothing take them away.
private func bare(_ source: String) -> String {
    let nothing = sluiceMacros.mapValues { _ in MacroSpec(type: NothingMacro.self) }
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(sourceFiles: [file: .init(moduleName: "M", fullFilePath: "M.swift")])
    return file.expand(macroSpecs: nothing) { _ in context }.description
}

private let sluiceMacros: [String: MacroSpec] = [
    "JSONModel": MacroSpec(
        type: JSONModelMacro.self, conformances: ["JSONBindable", "JSONModel", "JSONScalarBindable", "JSONPolymorphic"]),
    "JSONKey": MacroSpec(type: JSONKeyMacro.self),
    "JSONIgnored": MacroSpec(type: JSONIgnoredMacro.self),
    "JSONNull": MacroSpec(type: JSONPolicyMacro.self),
    "JSONDate": MacroSpec(type: JSONPolicyMacro.self),
    "JSONSensitive": MacroSpec(type: JSONPolicyMacro.self),
]

private enum NothingMacro: MemberMacro, ExtensionMacro, PeerMacro {
    static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] { [] }

    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] { [] }

    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] { [] }
}

#endif
