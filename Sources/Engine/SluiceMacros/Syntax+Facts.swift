// Small properties of syntax nodes that several steps use. Their names make a condition read like a sentence.
#if Macros

import SwiftSyntax
import SwiftSyntaxBuilder

extension DeclGroupSyntax {
    /// The name of a nominal type; nil for an extension.
    var declaredName: TokenSyntax? {
        asProtocol((any NamedDeclSyntax).self)?.name
    }

    /// Whether nothing in the inheritance clause can be a superclass.
    var inheritsOnlyKnownProtocols: Bool {
        let known: Set = [
            "AnyObject", "Codable", "CustomStringConvertible", "Decodable", "Encodable", "Equatable", "Hashable",
            "Identifiable", "Observable", "Sendable",
        ]
        return (inheritanceClause?.inheritedTypes ?? []).allSatisfy { inherited in
            var type = inherited.type
            if let attributed = type.as(AttributedTypeSyntax.self) {
                type = attributed.baseType
            }
            return known.contains(type.lastComponent)
        }
    }
}

extension DeclModifierListSyntax {
    func contains(_ keyword: Keyword) -> Bool {
        contains { $0.name.tokenKind == .keyword(keyword) }
    }

    /// `"public "` or `"package "`; empty for other access modifiers, which a witness does not need, or nil.
    var accessKeyword: String? {
        for modifier in self {
            switch modifier.name.tokenKind {
            case .keyword(.public), .keyword(.open): return "public "
            case .keyword(.package): return "package "
            case .keyword(.internal), .keyword(.fileprivate), .keyword(.private): return ""
            default: continue
            }
        }
        return nil
    }
}

extension DeclModifierSyntax {
    /// Whether the modifier is `private`, but not `private(set)`.
    var isPrivate: Bool {
        name.tokenKind == .keyword(.private) && detail == nil
    }
}

extension AttributeListSyntax {
    /// Whether one of them is `@available` with `deprecated`.
    var areDeprecated: Bool {
        contains { $0.as(AttributeSyntax.self).map { $0.isMarker("available") && $0.trimmedText.contains("deprecated") } == true }
    }
}

extension AttributeSyntax {
    /// Whether this is `@name` or `@Module.name`.
    func isMarker(_ name: String) -> Bool {
        attributeName.lastComponent == name
    }

    var labeledArguments: LabeledExprListSyntax {
        if case .argumentList(let list)? = arguments { list } else { [] }
    }

    /// The arguments, as they are written; nil if there are none.
    var argumentTexts: String? {
        labeledArguments.isEmpty ? nil : labeledArguments.map(\.expression.trimmedText).joined(separator: ", ")
    }

    func argument(_ label: String) -> LabeledExprSyntax? { labeledArguments.first { $0.label?.text == label } }
}

extension TypeSyntaxProtocol {
    /// `Author` for `API.Author`; empty for a type without a name.
    var lastComponent: String {
        if let member = self.as(MemberTypeSyntax.self) {
            member.name.text
        } else {
            self.as(IdentifierTypeSyntax.self)?.name.text ?? ""
        }
    }

    /// The first generic argument of a type with a name: `T` for `Box<T>` and `API.Box<T>`.
    var genericArgument: TypeSyntax? {
        let clause =
            self.as(IdentifierTypeSyntax.self)?.genericArgumentClause ?? self.as(MemberTypeSyntax.self)?.genericArgumentClause
        return clause?.arguments.first.flatMap { TypeSyntax($0.argument) }
    }

    /// The `T` of `Optional<T>` and `Swift.Optional<T>`.
    var spelledOptional: TypeSyntax? {
        let module = self.as(MemberTypeSyntax.self)?.baseType.trimmedText ?? "Swift"
        return lastComponent == "Optional" && module == "Swift" ? genericArgument : nil
    }
}

extension VariableDeclSyntax {
    /// Whether the property is `static` or `class`.
    var isTypeProperty: Bool {
        modifiers.contains(.static) || modifiers.contains(.class)
    }
}

extension PatternBindingSyntax {
    /// Whether the property is stored: it has no accessors, or only observers.
    var isStored: Bool {
        switch accessorBlock?.accessors {
        case nil: true
        case .getter: false
        case .accessors(let accessors):
            accessors.allSatisfy {
                [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
            }
        }
    }

    var boundName: String? {
        pattern.as(IdentifierPatternSyntax.self)?.identifier.unquoted
    }

    /// The type annotation; in `var a, b: Int`, that of a later binding also applies to `a`.
    func declaredType(in variable: VariableDeclSyntax) -> TypeSyntax? {
        if let typeAnnotation {
            return typeAnnotation.type
        }
        guard initializer == nil else { return nil }
        let later = variable.bindings.drop { $0.id != id }.dropFirst()
        for binding in later {
            if binding.initializer != nil && binding.typeAnnotation == nil {
                return nil
            }
            if let annotation = binding.typeAnnotation {
                return annotation.type
            }
        }
        return nil
    }
}

extension StringLiteralExprSyntax {
    /// The source characters between the quotes; nil for a literal with an interpolation or over several lines.
    var plainText: String? {
        guard openingQuote.tokenKind == .stringQuote else { return nil }
        var text = ""
        // A literal can have several segments: an escaped line break ends one, too.
        for segment in segments {
            guard case .stringSegment(let characters) = segment else { return nil }
            text += characters.content.text
        }
        return text
    }
}

extension SyntaxProtocol {
    /// The source text without the white space and comments around it. It equals `trimmedDescription`, which is slower because it copies
    /// the tree twice.
    var trimmedText: String {
        let (leading, trailing) = (leadingTriviaLength.utf8Length, trailingTriviaLength.utf8Length)
        let text = description
        return leading + trailing == 0 ? text : String(Substring(text.utf8.dropFirst(leading).dropLast(trailing)))
    }
}

extension String {
    /// The text as a string literal.
    var literal: String {
        let isPlain = utf8.allSatisfy { $0 >= 32 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        return isPlain ? "\"\(self)\"" : StringLiteralExprSyntax(content: self).description
    }
}

extension TokenSyntax {
    /// The text without backticks.
    var unquoted: String {
        let text = text
        return text.count > 2 && text.first == "`" && text.last == "`" ? String(text.dropFirst().dropLast()) : text
    }

    var isCapitalised: Bool {
        unquoted.first?.isUppercase ?? false
    }
}

#endif
