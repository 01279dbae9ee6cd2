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

/// Expects that the expansion of `source` differs from that of `plain` in these lines and no others. A line that only `plain` has begins
/// with `-`, one that only `source` has begins with `+`. Margins and blank lines do not count here: the recorded expansions have them.
func expectExpansion(
    of source: String, differsFrom plain: String, in changes: String, diagnostics: [DiagnosticSpec] = [],
    at location: Testing.SourceLocation = #_sourceLocation
) {
    let expansions = (plain: expanded(plain), source: expanded(source))
    expectExpansion(of: plain, is: expansions.plain, at: location)
    expectExpansion(of: source, is: expansions.source, diagnostics: diagnostics, at: location)
    expectLines(changes, are: differences(from: lines(expansions.plain), to: lines(expansions.source)), at: location)
}

/// Expects that these are the lines of the expansion that contain `part`: all of them, in this order.
func expectExpansion(
    of source: String, whereItContains part: String, is found: String, at location: Testing.SourceLocation = #_sourceLocation
) {
    let expansion = expanded(source)
    expectExpansion(of: source, is: expansion, at: location)
    expectLines(found, are: lines(expansion).filter { $0.contains(part) }, at: location)
}

private func lines(_ text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).map { String($0.drop(while: \.isWhitespace)) }.filter { !$0.isEmpty }
}

/// What turns the old lines into the new ones, in the order of both.
private func differences(from old: [String], to new: [String]) -> [String] {
    var removed: Set<Int> = [], inserted: Set<Int> = []
    for change in new.difference(from: old) {
        switch change {
        case .remove(let offset, _, _): removed.insert(offset)
        case .insert(let offset, _, _): inserted.insert(offset)
        }
    }
    var changes: [String] = []
    var index = 0
    for (offset, line) in old.enumerated() {
        if removed.contains(offset) {
            changes.append("- " + line)
            continue
        }
        while inserted.contains(index) {
            changes.append("+ " + new[index])
            index += 1
        }
        index += 1
    }
    return changes + new[index...].map { "+ " + $0 }
}

private func expectLines(_ expected: String, are found: [String], at location: Testing.SourceLocation) {
    let expected = lines(expected)
    guard expected != found else { return }
    Issue.record(
        """
        The lines that are missing, after '-', and those that are new, after '+':
        \(differences(from: expected, to: found).joined(separator: "\n"))
        All lines as they are now:
        \(found.joined(separator: "\n"))
        """, sourceLocation: location)
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

/// Which of these properties a text uses as members of something, and which by their names alone. Declarations are no uses.
func propertyUses(of names: Set<String>, in text: String) -> (qualified: Set<String>, unqualified: Set<String>) {
    let visitor = PropertyUses(names)
    visitor.walk(Parser.parse(source: text))
    return (visitor.qualified, visitor.unqualified)
}

private final class PropertyUses: SyntaxVisitor {
    private let names: Set<String>
    var qualified: Set<String> = []
    var unqualified: Set<String> = []

    init(_ names: Set<String>) {
        self.names = names
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        let name = node.baseName.text
        guard names.contains(name) else { return .visitChildren }
        if let access = node.parent?.as(MemberAccessExprSyntax.self), access.declName.id == node.id {
            // `.required` without a base is a case of an enum, never a property.
            if access.base != nil { qualified.insert(name) }
        } else if node.parent?.is(KeyPathPropertyComponentSyntax.self) == true {
            qualified.insert(name)
        } else {
            unqualified.insert(name)
        }
        return .visitChildren
    }
}

private func expanded(_ source: String) -> String {
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(sourceFiles: [file: .init(moduleName: "TestModule", fullFilePath: "test.swift")])
    return file.expand(macroSpecs: sluiceMacros) { node in
        BasicMacroExpansionContext(sharingWith: context, lexicalContext: node.allMacroLexicalContexts())
    }.description
}

private let sluiceMacros: [String: MacroSpec] = [
    "JSONBaseClass": MacroSpec(
        type: JSONModelMacro.self,
        conformances: ["JSONReadable", "JSONWritable", "_ReadableModel", "JSONModel", "CustomReflectable"]),
    "JSONSubclass": MacroSpec(type: JSONModelMacro.self),
    "JSONModel": MacroSpec(
        type: JSONModelMacro.self,
        conformances: [
            "JSONReadable", "JSONWritable", "_ReadableModel", "JSONModel", "JSONScalarReadable", "JSONScalarWritable",
            "JSONPolymorphic", "CustomStringConvertible", "CustomDebugStringConvertible", "CustomReflectable",
            "JSONDescribable",
        ]),
    "JSONKey": MacroSpec(type: JSONMarkerMacro.self),
    "JSONIgnored": MacroSpec(type: JSONMarkerMacro.self),
    "JSONNull": MacroSpec(type: JSONMarkerMacro.self),
    "JSONData": MacroSpec(type: JSONMarkerMacro.self),
    "JSONJoin": MacroSpec(type: JSONMarkerMacro.self),
    "JSONColumn": MacroSpec(type: JSONMarkerMacro.self),
    "JSONConstraint": MacroSpec(type: JSONMarkerMacro.self),
    "JSONDate": MacroSpec(type: JSONMarkerMacro.self),
    "JSONConvert": MacroSpec(type: JSONMarkerMacro.self),
    "JSONMismatch": MacroSpec(type: JSONMarkerMacro.self),
    "JSONElements": MacroSpec(type: JSONMarkerMacro.self),
    "JSONUpdate": MacroSpec(type: JSONMarkerMacro.self),
    "JSONString": MacroSpec(type: JSONMarkerMacro.self),
    "JSONCodable": MacroSpec(type: JSONMarkerMacro.self),
    "JSONInline": MacroSpec(type: JSONMarkerMacro.self),
    "JSONSensitive": MacroSpec(type: JSONMarkerMacro.self),
]

#endif
