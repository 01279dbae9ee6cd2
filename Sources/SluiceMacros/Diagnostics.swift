// Makes diagnostics and fix-its in one call each, so that a check in the source shows mostly its message.
#if Macros

import SwiftDiagnostics
import SwiftSyntax

extension Diagnostic {
    static func error(
        _ id: String, _ message: String, at node: some SyntaxProtocol, fixIts: [FixIt] = []
    ) -> Diagnostic {
        Diagnostic(node: node, message: ModelMessage(id: id, message: message, severity: .error), fixIts: fixIts)
    }

    static func warning(
        _ id: String, _ message: String, at node: some SyntaxProtocol, fixIts: [FixIt] = []
    ) -> Diagnostic {
        Diagnostic(node: node, message: ModelMessage(id: id, message: message, severity: .warning), fixIts: fixIts)
    }
}

private struct ModelMessage: DiagnosticMessage {
    let id: String
    let message: String
    let severity: DiagnosticSeverity

    var diagnosticID: MessageID { MessageID(domain: "SluiceMacros", id: id) }
}

private struct Remedy: FixItMessage {
    let message: String

    var fixItID: MessageID { MessageID(domain: "SluiceMacros", id: message) }
}

extension FixIt {
    init(_ message: String, replacing old: some SyntaxProtocol, with new: some SyntaxProtocol) {
        self.init(message: Remedy(message: message), changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
    }
}

// MARK: - Edits that several fix-its make

extension DeclSyntaxProtocol {
    /// The declaration with each attribute changed, or removed if `change` returns nil. Place and comments stay the same.
    func changingAttributes(_ change: (AttributeSyntax) -> AttributeSyntax?) -> DeclSyntax {
        guard var node = asProtocol((any WithAttributesSyntax).self) else { return DeclSyntax(self) }
        var attributes: [AttributeListSyntax.Element] = []
        for element in node.attributes {
            guard let attribute = element.as(AttributeSyntax.self) else {
                attributes.append(element)
                continue
            }
            if let changed = change(attribute) {
                attributes.append(.attribute(changed))
            }
        }
        let leadingTrivia = node.leadingTrivia
        node.attributes = AttributeListSyntax(attributes)
        node.leadingTrivia = leadingTrivia
        return DeclSyntax(node) ?? DeclSyntax(self)
    }

    func removing(_ attribute: AttributeSyntax) -> DeclSyntax {
        changingAttributes { $0.id == attribute.id ? nil : $0 }
    }

    /// The declaration with `@name` in front.
    func adding(attribute name: TokenSyntax) -> DeclSyntax {
        guard var node = asProtocol((any WithAttributesSyntax).self) else { return DeclSyntax(self) }
        let leadingTrivia = node.leadingTrivia
        node.leadingTrivia = []
        let marker = AttributeSyntax(attributeName: IdentifierTypeSyntax(name: name), trailingTrivia: .space)
        node.attributes = [.attribute(marker)] + node.attributes
        node.leadingTrivia = leadingTrivia
        return DeclSyntax(node) ?? DeclSyntax(self)
    }
}

#endif
