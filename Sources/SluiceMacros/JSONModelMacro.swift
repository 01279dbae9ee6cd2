// `@JSONModel`: the three steps in order. The compiler asks twice for each type, once for members and once for the
// extension, in separate calls; both parse and check, and only the first reports, so that nothing is reported twice.
#if Macros

import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

enum JSONModelMacro {}

extension JSONModelMacro: MemberMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        var model = ModelDeclaration(
            declaration, attribute: node, conformingTo: protocols, context: context.lexicalContext)
        model.locate(in: context)
        let diagnostics = model.diagnostics()
        for diagnostic in diagnostics {
            context.diagnose(diagnostic)
        }
        return (diagnostics.hasErrors ? model.standIn : model)?.bodyMembers() ?? []
    }
}

/// `@JSONBaseClass`: the same for a class that has subclasses.
enum JSONBaseClassMacro {}

extension JSONBaseClassMacro: MemberMacro {
    static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard declaration.is(ClassDeclSyntax.self) else {
            let name = node.attributeName.lastComponent
            context.diagnose(.error("notAClass", "'@\(name)' can only be applied to a class", at: node))
            return []
        }
        return try JSONModelMacro.expansion(of: node, providingMembersOf: declaration, conformingTo: protocols, in: context)
    }
}

extension JSONBaseClassMacro: ExtensionMacro {
    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard declaration.is(ClassDeclSyntax.self) else { return [] }
        return try JSONModelMacro.expansion(
            of: node, attachedTo: declaration, providingExtensionsOf: type, conformingTo: protocols, in: context)
    }
}

extension JSONModelMacro: ExtensionMacro {
    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        let model = ModelDeclaration(
            declaration, attribute: node, conformingTo: protocols, context: context.lexicalContext)
        let emitted = model.diagnostics().hasErrors ? model.standIn : model
        return emitted?.extensions(of: type.trimmedDescription, conformingTo: protocols) ?? []
    }
}

extension [Diagnostic] {
    fileprivate var hasErrors: Bool {
        contains { $0.diagMessage.severity == .error }
    }
}

#endif
