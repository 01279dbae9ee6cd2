// The checks of one property: what `@JSONModel` cannot bind, what has no initial value, and markers that contradict it or each other.
#if Macros

import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

extension PropertyDeclaration {
    /// Errors about the property, except for its markers.
    var diagnostics: [Diagnostic] {
        guard isMapped || !isInitialised else { return [] }
        guard identifier != nil else {
            return isMapped ? [Diagnostic(.tuplePattern, at: binding.pattern)] : []
        }
        if let diagnostic = unsupportedDiagnostic {
            return [diagnostic]
        }
        return [missingTypeDiagnostic, missingValueDiagnostic].compactMap(\.self)
    }

    /// The error for a kind of property that cannot be bound at all.
    private var unsupportedDiagnostic: Diagnostic? {
        guard isMapped else { return nil }
        let fixIts = isInitialised && ignoredAttributes.isEmpty ? [FixIt.adding("JSONIgnored", to: variable)] : []
        if let modifier = storageModifier {
            // The fix-it to ignore the property needs an initial value: `weak` starts as nil, `unowned` only if it is optional.
            return Diagnostic(.storageModifier, modifier.name.text, name, at: modifier, fixIts: fixIts)
        }
        if isInsideIfConfig { return Diagnostic(.conditionalProperty, name, at: binding.pattern, fixIts: fixIts) }
        if ["init", "Type", "Protocol", "Self", "SluiceCore", "Swift"].contains(name) {
            return Diagnostic(.reservedName, name, at: binding.pattern)
        }
        if let leaf = type?.wrapped.leaf.trimmedText, ["Any", "AnyObject", "any Any"].contains(leaf) {
            return Diagnostic(.anyType, name, leaf, at: binding.pattern, fixIts: fixIts)
        }
        if let field = type?.wrapped, let inner = field.optionalInField {
            return Diagnostic(.optionalInField, name, inner.trimmedText, at: field)
        }
        if let kind = type?.wrapped.unrepresentableKind {
            return Diagnostic(.unrepresentableType, name, kind, at: binding.pattern, fixIts: fixIts)
        }
        return nil
    }

    private var missingTypeDiagnostic: Diagnostic? {
        guard isMapped, type == nil else { return nil }
        let likely = initialValue?.likelyType
        var annotated = binding
        annotated.pattern.trailingTrivia = []
        annotated.typeAnnotation = TypeAnnotationSyntax(
            colon: .colonToken(trailingTrivia: .space), type: likely ?? TypeSyntax(stringLiteral: "<#Type#>"),
            trailingTrivia: binding.pattern.trailingTrivia)
        let fixIt = FixIt(
            likely.map { "add type annotation ': \($0.description)'" } ?? "add type annotation",
            replacing: binding, with: annotated)
        return Diagnostic(.missingType, name, at: binding.pattern, fixIts: [fixIt])
    }

    private var missingValueDiagnostic: Diagnostic? {
        // A wrapper may make its value itself.
        guard !isRead, !isInitialised, foreignAttribute == nil else { return nil }
        // The initial value goes between the type and the text after it, such as observers, a comma or a comment.
        var initialised = binding
        let gap = binding.typeAnnotation?.trailingTrivia ?? binding.pattern.trailingTrivia
        if binding.typeAnnotation != nil {
            initialised.typeAnnotation?.trailingTrivia = []
        } else {
            initialised.pattern.trailingTrivia = []
        }
        initialised.initializer = InitializerClauseSyntax(
            equal: .equalToken(leadingTrivia: .space, trailingTrivia: .space),
            value: ExprSyntax(stringLiteral: isOptional ? "nil" : "<#initial value#>"), trailingTrivia: gap)
        // `only:`, `except:` and `CodingKeys` leave properties out, too.
        let cause = ignoredAttributes.isEmpty ? "nothing is read into it" : "'@JSONIgnored' leaves nothing to initialize it"
        let fixIt = FixIt(isOptional ? "add initial value 'nil'" : "add initial value", replacing: binding, with: initialised)
        return Diagnostic(.nothingInitialises, name, cause, at: binding.pattern, fixIts: [fixIt])
    }
}

extension PropertyDeclaration {
    /// The warning for `let version = 5`, which is written and never read.
    var constantDiagnostics: [Diagnostic] {
        guard isLet, initialValue != nil, type != nil, ignoredAttributes.isEmpty, isMapped, identifier != nil else { return [] }
        var mutable = variable
        mutable.bindingSpecifier.tokenKind = .keyword(.var)
        let fixIts = [
            FixIt("make it a 'var', which is read", replacing: variable, with: mutable),
            FixIt.adding("JSONIgnored(.reading)", to: variable),
        ]
        return [Diagnostic(.constantWithValue, name, at: binding.pattern, fixIts: fixIts)]
    }
}

// MARK: - Markers

extension PropertyDeclaration {
    var keyDiagnostics: [Diagnostic] {
        guard let first = keyAttributes.first else { return [] }
        var result = keyAttributes.flatMap(\.diagnostics)
        if keyAttributes.count > 1 {
            result.append(Diagnostic(.severalKeyAttributes, name, at: keyAttributes[1].attribute, fixIts: combiningFixIt))
        }
        if variable.bindings.count > 1 {
            result.append(Diagnostic(.keyOfSeveralProperties, at: first.attribute))
        } else if !isMapped {
            let removal = FixIt.removing(first.attribute, from: variable)
            result.append(Diagnostic(.keyOfIgnoredProperty, name, at: first.attribute, fixIts: [removal]))
        }
        return result
    }

    /// `@JSONKey("a") @JSONKey("b")` → `@JSONKey("a", "b")`, unless one of them is a literal key, which cannot be combined.
    private var combiningFixIt: [FixIt] {
        guard !keyAttributes.contains(where: \.isLiteral) else { return [] }
        let keys = keyAttributes.flatMap(\.keys).map(\.argument.expression.trimmedText)
        guard !keys.isEmpty, let first = keyAttributes.first?.attribute else { return [] }
        let later = keyAttributes.dropFirst().map(\.attribute.id)
        var combined: AttributeSyntax = "@\(first.attributeName.trimmed)(\(raw: keys.joined(separator: ", ")))"
        (combined.leadingTrivia, combined.trailingTrivia) = (first.leadingTrivia, first.trailingTrivia)
        let merged = variable.changingAttributes { attribute in
            attribute.id == first.id ? combined : later.contains(attribute.id) ? nil : attribute
        }
        return [FixIt("combine the keys", replacing: variable, with: merged)]
    }

    var policyDiagnostics: [Diagnostic] {
        var result: [Diagnostic] = []
        var seen: Set<String> = []
        let adapters = policyAttributes.filter { attribute in
            PropertyAdapter.allCases.contains { attribute.isMarker($0.rawValue) }
        }
        if let second = adapters.dropFirst().first {
            let names = [adapters[0], second].map(\.attributeName.lastComponent)
            if names[0] != names[1] {
                let removal = FixIt.removing(second, from: variable)
                result.append(Diagnostic(.severalAdapters, name, names[0], names[1], at: second, fixIts: [removal]))
            }
        }
        for attribute in policyAttributes {
            let marker = "@" + attribute.attributeName.lastComponent
            let removal = [FixIt.removing(attribute, from: variable)]
            if !seen.insert(marker).inserted {
                result.append(Diagnostic(.severalMarkers, name, marker, at: attribute, fixIts: removal))
            } else if let types = otherTypes(attribute) {
                result.append(
                    Diagnostic(.markerOfOtherType, marker, name, types.own, types.wanted, at: attribute, fixIts: removal))
            } else if !isMapped, !attribute.isMarker("JSONSensitive") {
                result.append(Diagnostic(.markerOfIgnoredProperty, marker, name, at: attribute, fixIts: removal))
            }
        }
        return result
    }

    /// The type of this property and the one that a marker is for; nil if the marker may have an effect, or if the type's name is
    /// unknown.
    private func otherTypes(_ attribute: AttributeSyntax) -> (own: String, wanted: String)? {
        let suitable = ["JSONDate": "Date", "JSONJoin": "String", "JSONData": "Data"]
        guard let wanted = suitable[attribute.attributeName.lastComponent], let leaf = type?.wrapped.leaf.lastComponent,
            wanted != leaf, TypeSyntax.scalarNames.contains(leaf)
        else { return nil }
        return (leaf, wanted)
    }

    var ignoredDiagnostics: [Diagnostic] {
        var result = variable.hiddenMarkers.map { Diagnostic(.conditionalMarker, at: $0) }
        if case .unreadable(let argument) = ignored { result.append(Diagnostic(.directionNotLiteral, at: argument)) }
        if ignoredAttributes.count > 1 {
            let second = ignoredAttributes[1]
            let removal = FixIt("remove '\(second.trimmed)'", replacing: variable, with: variable.removing(second))
            result.append(Diagnostic(.severalIgnoredAttributes, name, at: second, fixIts: [removal]))
        }
        return result
    }
}

// MARK: - Questions and edits

extension VariableDeclSyntax {
    /// `#if` blocks in the attribute list that hold a marker.
    fileprivate var hiddenMarkers: [IfConfigDeclSyntax] {
        attributes.compactMap { $0.as(IfConfigDeclSyntax.self) }.filter { block in
            block.tokens(viewMode: .sourceAccurate).contains { token in
                ["JSONKey", "JSONIgnored", "JSONString", "JSONCodable"].contains(token.text)
                    || [PolicyMarker.column, PolicyMarker.constraint].contains(token.text)
                    || PolicyMarker.all.contains { $0.name == token.text }
            }
        }
    }
}

extension TypeSyntax {
    /// The `T` of `JSONField<T?>`.
    fileprivate var optionalInField: TypeSyntax? {
        guard lastComponent == "JSONField", let argument = genericArgument else { return nil }
        return argument.as(OptionalTypeSyntax.self)?.wrappedType ?? argument.spelledOptional
    }

    /// The kind of a type for which no conversion can be written; nil for other types.
    fileprivate var unrepresentableKind: String? {
        if let attributed = self.as(AttributedTypeSyntax.self) {
            attributed.baseType.unrepresentableKind
        } else if let tuple = self.as(TupleTypeSyntax.self) {
            tuple.elements.count == 1 ? tuple.elements.first?.type.unrepresentableKind : "tuple"
        } else if self.is(FunctionTypeSyntax.self) {
            "function"
        } else if self.is(MetatypeTypeSyntax.self) {
            "metatype"
        } else {
            nil
        }
    }
}

extension FixIt {
    fileprivate static func adding(_ marker: String, to variable: VariableDeclSyntax) -> FixIt {
        FixIt("add '@\(marker)'", replacing: variable, with: variable.adding(attribute: .identifier(marker)))
    }
}

#endif
