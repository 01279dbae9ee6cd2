// The fix-its of diagnostics, and the edits that several of them make.
#if Macros

import SwiftDiagnostics
import SwiftSyntax

private struct Remedy: FixItMessage {
    let message: String

    var fixItID: MessageID { MessageID(domain: "SluiceMacros", id: message) }
}

extension FixIt {
    init(_ message: String, replacing old: some SyntaxProtocol, with new: some SyntaxProtocol) {
        self.init(message: Remedy(message: message), changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
    }
}

extension FixIt {
    /// Removes a marker from the declaration that it stands on.
    static func removing(_ marker: AttributeSyntax, from variable: VariableDeclSyntax) -> FixIt {
        FixIt("remove '@\(marker.attributeName.lastComponent)'", replacing: variable, with: variable.removing(marker))
    }
}

// MARK: - Edits that several fix-its make

extension DeclSyntaxProtocol {
    /// The declaration with each attribute changed, or removed if `change` returns nil. Position and comments stay the same.
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
