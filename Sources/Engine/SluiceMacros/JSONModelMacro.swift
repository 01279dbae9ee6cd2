// `@JSONModel`, and `@JSONBaseClass` and `@JSONSubclass` for classes that have subclasses or are one: the three steps in order. The compiler calls the macro twice for each type, once for members and once for the
// extension. Both calls parse and check; only the first reports diagnostics, so that none is reported twice.
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
        guard mayBe(node, on: declaration) else {
            context.diagnose(Diagnostic(.notAClass, node.attributeName.lastComponent, at: node))
            return []
        }
        var model = ModelDeclaration(
            declaration, attribute: node, conformingTo: protocols, context: context.lexicalContext)
        model.locate(declaration, in: context)
        let diagnostics = model.diagnostics() + model.descriptionDiagnostics(protocols)
        for diagnostic in diagnostics {
            context.diagnose(diagnostic)
        }
        let members = (diagnostics.hasErrors ? model.standIn : model)?.bodyMembers() ?? []
        return members.map(DeclSyntax.init(unparsed:))
    }
}

// The compiler takes the expansion as text, so it is neither parsed nor formatted here: that would take most of a plugin's time.
extension JSONModelMacro {
    static var formatMode: FormatMode { .disabled }

    /// Whether the attribute can be applied to the declaration at all: the other two are for classes.
    private static func mayBe(_ node: AttributeSyntax, on declaration: some DeclGroupSyntax) -> Bool {
        node.isMarker("JSONModel") || declaration.is(ClassDeclSyntax.self)
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
        guard mayBe(node, on: declaration) else { return [] }
        let model = ModelDeclaration(
            declaration, attribute: node, conformingTo: protocols, context: context.lexicalContext)
        let emitted = model.diagnostics().hasErrors ? model.standIn : model
        let extensions = [
            emitted?.conformance(of: type.trimmedText, to: protocols), emitted?.mirroring(of: type.trimmedText, to: protocols),
        ]
        return extensions.compactMap { $0.map { ExtensionDeclSyntax(unparsed: $0) } }
    }
}

extension DeclSyntax {
    /// A declaration whose whole text is a single token, so that nothing is parsed.
    fileprivate init(unparsed text: String) {
        self.init(MissingDeclSyntax(placeholder: .identifier(text)))
    }
}

extension ExtensionDeclSyntax {
    /// An extension whose whole text is a single token; all its other tokens are missing.
    fileprivate init(unparsed text: String) {
        self.init(
            extensionKeyword: .keyword(.extension, presence: .missing),
            extendedType: IdentifierTypeSyntax(name: .identifier(text)),
            memberBlock: MemberBlockSyntax(
                leftBrace: .leftBraceToken(presence: .missing), members: [], rightBrace: .rightBraceToken(presence: .missing)))
    }
}

extension [Diagnostic] {
    fileprivate var hasErrors: Bool {
        contains { $0.diagMessage.severity == .error }
    }
}

#endif
