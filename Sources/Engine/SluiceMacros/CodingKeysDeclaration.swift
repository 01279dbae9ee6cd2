// The `CodingKeys` of a type that was written for Codable: they name the properties that take part, and their keys.
#if Macros

import SwiftDiagnostics
import SwiftSyntax

/// The nested `enum CodingKeys: String, CodingKey` of a model.
struct CodingKeysDeclaration {
    /// One case: the key of the property with the same name.
    struct Key {
        let name: TokenSyntax
        /// The raw value as written in the source; nil if the name itself is the key.
        let literal: StringLiteralExprSyntax?
    }

    let keys: [Key]

    /// Returns nil if the member is not such an enum, or if its keys are not strings.
    init?(_ member: DeclSyntax) {
        guard let node = member.as(EnumDeclSyntax.self), node.name.unquoted == "CodingKeys" else { return nil }
        let inherited = (node.inheritanceClause?.inheritedTypes ?? []).map(\.type.lastComponent)
        guard inherited.contains("CodingKey"), !inherited.contains("Int") else { return nil }
        keys = node.memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }.flatMap(\.elements).map { element in
            Key(name: element.name, literal: element.rawValue?.value.as(StringLiteralExprSyntax.self))
        }
    }

    /// The key of a property; nil if the property takes no part.
    func key(of property: String) -> Key? { keys.first { $0.name.unquoted == property } }
}

extension PropertyDeclaration {
    /// The property with the key that `CodingKeys` gives it, unless it has a `@JSONKey` of its own. A property without a case there takes
    /// no part, as with Codable.
    func keyed(by codingKeys: CodingKeysDeclaration?) -> PropertyDeclaration {
        guard let codingKeys, keyAttributes.isEmpty else { return self }
        var keyed = self
        if let key = codingKeys.key(of: name) {
            keyed.codingKey = key.literal?.trimmedText
        } else {
            keyed.ignored = .both
        }
        return keyed
    }
}

extension ModelDeclaration {
    /// Warnings for cases of `CodingKeys` without a property, and for code for Codable that is not called.
    var codableDiagnostics: [Diagnostic] {
        let names = Set(properties.map(\.name))
        let strays = (codingKeys?.keys ?? []).filter { !names.contains($0.name.unquoted) }.map { key in
            Diagnostic(.strayCodingKey, name.text, key.name.unquoted, at: key.name)
        }
        return strays
            + codableCode.map { Diagnostic($0.is(InitializerDeclSyntax.self) ? .codableInit : .codableEncode, at: $0) }
    }
}

extension DeclSyntax {
    /// Whether this is Codable's `init(from: any Decoder)` or `encode(to: any Encoder)`.
    var isCodableCode: Bool {
        if let node = self.as(InitializerDeclSyntax.self) {
            return node.signature.parameterClause.isOne(labelled: "from", of: "Decoder")
        }
        guard let node = self.as(FunctionDeclSyntax.self), node.name.text == "encode" else { return false }
        return node.signature.parameterClause.isOne(labelled: "to", of: "Encoder")
    }
}

extension FunctionParameterClauseSyntax {
    fileprivate func isOne(labelled label: String, of type: String) -> Bool {
        guard parameters.count == 1, let parameter = parameters.first, parameter.firstName.text == label else { return false }
        let constraint = parameter.type.as(SomeOrAnyTypeSyntax.self)?.constraint ?? parameter.type
        return constraint.lastComponent == type
    }
}

#endif
