// Step two of three: a `ModelDeclaration` goes in, and all diagnostics about it come out at once, so that one build shows everything
// to fix. For a model with an error only a stand-in is emitted. Here are the checks of the type; PropertyChecks.swift has those of its
// properties.
#if Macros

import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

extension ModelDeclaration {
    func diagnostics() -> [Diagnostic] {
        switch kind {
        case .unsupported(let what):
            return [Diagnostic(.unsupportedDeclaration, what, at: attribute)]
        case .enumeration(let node) where isPolymorphic(node):
            return (node.variantDiagnostics + node.caseNameDiagnostics).inSourceOrder + keyStrategyOnEnumDiagnostics
        case .enumeration(let node) where isOpenRaw(node):
            return node.caseNameDiagnostics + keyStrategyOnEnumDiagnostics
        case .enumeration(let node):
            return node.rawTypeDiagnostics + node.rawNameDiagnostics + keyStrategyOnEnumDiagnostics
        case .openClass where inheritsModel, .finalClass where inheritsModel, .baseClass where inheritsModel && superclass == nil:
            return [inheritedDiagnostic]
        case .openClass(let node):
            return ([node.notFinalDiagnostic] + memberDiagnostics).inSourceOrder
        case .structure, .finalClass, .baseClass:
            return memberDiagnostics.inSourceOrder
        }
    }

    private var memberDiagnostics: [Diagnostic] {
        typeDiagnostics + properties.flatMap(\.diagnostics) + markerDiagnostics + codableDiagnostics
    }

    private var typeDiagnostics: [Diagnostic] {
        let name = name.text
        var result: [Diagnostic] = []
        if let argument = selection.unreadable, let label = argument.label?.text {
            result.append(Diagnostic(.namesNotLiteral, label, at: argument.expression))
        }
        result += selectionDiagnostics + superclassDiagnostics + collectorDiagnostics
        if let actor, kind.isClass {
            let words = actor.isMarker("MainActor") ? "the main actor" : "'@\(actor.attributeName.trimmedText)'"
            result.append(Diagnostic(.isolatedClass, name, words, at: actor))
        }
        if case .baseClass = kind, isGeneric { result.append(Diagnostic(.genericHierarchy, name, at: self.name)) }
        if let unreachable {
            result.append(Diagnostic(.privateModel, name, at: unreachable, fixIts: [.wideningAccess(of: unreachable)]))
        }
        if hasParameterPack { result.append(Diagnostic(.parameterPack, name, at: self.name)) }
        if let noncopyable { result.append(Diagnostic(.noncopyable, name, at: noncopyable)) }
        if let existingDraft { result.append(Diagnostic(.existingDraft, name, Self.draftName, at: existingDraft)) }
        let read = properties.filter(\.isRead).compactMap(\.type?.wrapped)
        for (type, modifier) in privateTypes where read.contains(where: { $0.mentions(type) }) {
            result.append(Diagnostic(.privatePropertyType, type, at: modifier, fixIts: [.wideningAccess(of: modifier)]))
        }
        return result
    }

    /// The diagnostics of marker attributes. They belong to a whole declaration, so they are checked once for both properties of
    /// `var a, b: Int`.
    private var markerDiagnostics: [Diagnostic] {
        var seen: Set<SyntaxIdentifier> = []
        return properties.flatMap { property -> [Diagnostic] in
            guard seen.insert(property.variable.id).inserted else { return [] }
            var found =
                property.keyDiagnostics + property.ignoredDiagnostics + property.policyDiagnostics
                + property.constraintDiagnostics
            found += property.inlineDiagnostics + property.constantDiagnostics
            return found + placeDiagnostics(of: property)
        }
    }

    /// The error for a subclass of a model that is not marked `@JSONSubclass`.
    private var inheritedDiagnostic: Diagnostic {
        let parent = inheritanceClause?.inheritedTypes.first?.type.trimmedText ?? "<#superclass#>"
        var marker: AttributeSyntax = "@JSONSubclass(of: \(raw: parent).self)"
        (marker.leadingTrivia, marker.trailingTrivia) = (attribute.leadingTrivia, attribute.trailingTrivia)
        let fixIt = FixIt("replace '@\(attribute.attributeName.lastComponent)'", replacing: attribute, with: marker)
        return Diagnostic(.unmarkedSubclass, name.text, parent, at: attribute, fixIts: [fixIt])
    }

    /// The warning for a `@JSONKey` in a model with array layout, where keys have no effect.
    private func placeDiagnostics(of property: PropertyDeclaration) -> [Diagnostic] {
        guard layout?.expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "array", property.isMapped,
            let key = property.keyAttributes.first
        else { return [] }
        let removal = FixIt.removing(key.attribute, from: property.variable)
        return [Diagnostic(.keyInArray, property.name, at: key.attribute, fixIts: [removal])]
    }

    /// Errors for names in `only:` and `except:` that no property has.
    private var selectionDiagnostics: [Diagnostic] {
        let names = Set(properties.map(\.name))
        return selection.literals.compactMap { literal in
            guard let text = literal.plainText, !names.contains(text) else { return nil }
            return Diagnostic(.unknownName, name.text, text, at: literal)
        }
    }

    /// Errors about the property that collects unknown keys.
    private var collectorDiagnostics: [Diagnostic] {
        guard let argument = unknownKeys, argument.expression.trimmedText.contains("collect") else { return [] }
        guard let literal = argument.collectingName, let text = literal.plainText else {
            return [Diagnostic(.collectorNotLiteral, at: argument.expression)]
        }
        guard let property = properties.first(where: { $0.name == text }) else {
            return [Diagnostic(.unknownName, name.text, text, at: literal)]
        }
        guard let type = property.type, type.optional == .none, property.isRead else {
            return [Diagnostic(.collectorType, text, at: property.binding.pattern)]
        }
        return []
    }

    /// The error for a superclass in `@JSONSubclass(of:)` that differs from the one in the inheritance clause, or for a class without one.
    private var superclassDiagnostics: [Diagnostic] {
        guard case .baseClass(let node) = kind, let argument = attribute.argument("of")
        else { return [] }
        guard let first = node.inheritanceClause?.inheritedTypes.first?.type else {
            return [Diagnostic(.noSuperclass, name.text, at: attribute)]
        }
        guard let superclass, superclass.split(separator: ".").last.map(String.init) != first.lastComponent else { return [] }
        let (right, fixed) = (first.trimmedText, "\(first.trimmed).self" as ExprSyntax)
        let fixIt = FixIt("replace '\(superclass)' with '\(right)'", replacing: argument.expression, with: fixed)
        return [Diagnostic(.otherSuperclass, name.text, right, at: argument.expression, fixIts: [fixIt])]
    }

    private var keyStrategyOnEnumDiagnostics: [Diagnostic] {
        guard let argument = keyStrategy ?? layout, let label = argument.label?.text else { return [] }
        var bare = attribute
        (bare.leftParen, bare.arguments, bare.rightParen) = (nil, nil, nil)
        bare.trailingTrivia = attribute.trailingTrivia
        let removal = FixIt("remove '\(label):'", replacing: attribute, with: bare)
        return [Diagnostic(keyStrategy == nil ? .layoutOnEnum : .keysOnEnum, at: argument, fixIts: [removal])]
    }
}

// MARK: - Classes and enums

extension ClassDeclSyntax {
    fileprivate var notFinalDiagnostic: Diagnostic {
        // One token is replaced by two words, so that the modifiers and comments around it stay the same.
        let fixIt =
            if let open = modifiers.first(where: { $0.name.tokenKind == .keyword(.open) }) {
                FixIt(
                    "replace 'open' with 'public final'", replacing: open.name,
                    with: open.name.respelled("public final"))
            } else {
                FixIt("add 'final'", replacing: classKeyword, with: classKeyword.respelled("final class"))
            }
        return Diagnostic(.classNotFinal, name.text, at: classKeyword, fixIts: [fixIt])
    }
}

extension EnumDeclSyntax {
    fileprivate var rawTypeDiagnostics: [Diagnostic] {
        let elements = memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }.flatMap(\.elements)
        let inherited = inheritanceClause?.inheritedTypes.map(\.type) ?? []
        if let rawType = inherited.first, ["Float", "Double", "Float16", "Character"].contains(rawType.lastComponent) {
            return [Diagnostic(.rawType, rawType.trimmedText, at: rawType)]
        }
        // If a typealias hides the raw type, the raw values show it; an enum that conforms by hand names RawRepresentable.
        let isRaw =
            inherited.first.map { Self.rawTypes.contains($0.lastComponent) } == true
            || inherited.contains { $0.lastComponent == "RawRepresentable" }
            || elements.contains { $0.rawValue != nil }
        guard !isRaw else { return [] }
        let fixIt =
            if let colon = inheritanceClause?.colon {
                FixIt("add raw type 'String'", replacing: colon, with: colon.respelled(": String,"))
            } else {
                FixIt("add raw type 'String'", replacing: name, with: name.respelled("\(name.text): String"))
            }
        return [Diagnostic(.noRawType, name.text, at: name, fixIts: genericParameterClause == nil ? [fixIt] : [])]
    }

    /// Errors about an enum whose cases have associated values.
    fileprivate var variantDiagnostics: [Diagnostic] {
        cases.filter { !$0.isUnknown && $0.parameters.count > 1 }.map {
            Diagnostic(.severalAssociatedValues, $0.source, at: $0.element)
        }
    }

    /// Errors about the names by which the cases are known in JSON: `@JSONKey` gives one, and no two cases have the same.
    fileprivate var caseNameDiagnostics: [Diagnostic] {
        var result: [Diagnostic] = []
        var owners: [[UInt8]: CaseDeclaration] = [:]
        for element in cases where !element.isUnknown && !element.isUnknownString {
            if let key = element.keyAttribute?.keys.first(where: { $0.text == nil })
                ?? element.keyAttribute?.keys.dropFirst().first
            {
                result.append(Diagnostic(.caseKey, at: key.argument.expression))
            }
            // Byte by byte, as names are compared.
            guard let owner = owners[Array(element.tagValue.utf8)] else {
                owners[Array(element.tagValue.utf8)] = element
                continue
            }
            result.append(
                Diagnostic(.duplicateCaseName, element.source, owner.source, element.tagValue, at: element.element))
        }
        return result
    }

    /// Errors about `@JSONKey` where the raw value is the JSON.
    fileprivate var rawNameDiagnostics: [Diagnostic] {
        cases.compactMap { element in
            element.keyAttribute.map { Diagnostic(.keyOfRawCase, element.source, element.tag, at: $0.attribute) }
        }
    }

    private static let rawTypes: Set = [
        "String", "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
        "UInt128",
    ]
}

// MARK: - Questions and edits

extension [Diagnostic] {
    fileprivate var inSourceOrder: [Diagnostic] {
        sorted { $0.position < $1.position }
    }
}

extension ModelDeclaration.Kind {
    var isClass: Bool {
        switch self {
        case .finalClass, .baseClass, .openClass: true
        case .structure, .enumeration, .unsupported: false
        }
    }
}

extension TypeSyntax {
    fileprivate func mentions(_ name: String) -> Bool {
        tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .identifier(name) || $0.unquoted == name }
    }
}

extension FixIt {
    fileprivate static func wideningAccess(of modifier: DeclModifierSyntax) -> FixIt {
        FixIt(
            "replace 'private' with 'fileprivate'", replacing: modifier.name,
            with: modifier.name.with(\.tokenKind, .keyword(.fileprivate)))
    }
}

extension TokenSyntax {
    /// The token with other text, and with the same white space and comments around it.
    fileprivate func respelled(_ text: String) -> TokenSyntax {
        with(\.tokenKind, .unknown(text))
    }
}

#endif
