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
        let model = ModelDeclaration(declaration, attribute: node, context: context.lexicalContext)
        let diagnostics = model.diagnostics()
        for diagnostic in diagnostics {
            context.diagnose(diagnostic)
        }
        return diagnostics.hasErrors ? [] : model.bodyMembers()
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
        let model = ModelDeclaration(declaration, attribute: node, context: context.lexicalContext)
        guard !model.diagnostics().hasErrors else { return [] }
        return model.extensions(of: type.trimmedDescription, conformingTo: protocols)
    }
}

extension [Diagnostic] {
    fileprivate var hasErrors: Bool {
        contains { $0.diagMessage.severity == .error }
    }
}

#endif
