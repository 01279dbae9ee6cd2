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
            return isMapped
                ? [
                    .error(
                        "tuplePattern", "'@JSONModel' cannot bind a tuple pattern; declare one property at a time",
                        at: binding.pattern)
                ] : []
        }
        if let diagnostic = unsupportedDiagnostic {
            return [diagnostic]
        }
        return [missingTypeDiagnostic, missingValueDiagnostic].compactMap(\.self)
    }

    /// The error for a kind of property that cannot be bound at all.
    private var unsupportedDiagnostic: Diagnostic? {
        guard isMapped else { return nil }
        let fixIts = isInitialised && ignoredAttributes.isEmpty ? [FixIt.ignoring(variable)] : []
        if let modifier = storageModifier {
            // The fix-it to ignore the property needs an initial value: `weak` starts as nil, `unowned` only if it is optional.
            return .error(
                "storageModifier",
                "\(modifier.name.text) property '\(name)' cannot be bound to JSON; mark it '@JSONIgnored'",
                at: modifier,
                fixIts: fixIts)
        }
        if isInsideIfConfig {
            return .error(
                "conditionalProperty",
                "'@JSONModel' does not support properties inside '#if'; move '\(name)' out or mark it '@JSONIgnored'",
                at: binding.pattern, fixIts: fixIts)
        }
        if ["init", "Type", "Protocol", "Self", "SluiceCore", "Swift"].contains(name) {
            return .error(
                "reservedName",
                "a '@JSONModel' property cannot be named '\(name)'; choose another name and add '@JSONKey(\"\(name)\")'",
                at: binding.pattern)
        }
        if let leaf = type?.wrapped.leaf.trimmedText, ["Any", "AnyObject", "any Any"].contains(leaf) {
            return .error(
                "anyType", "property '\(name)' has values of type '\(leaf)', which JSON cannot be bound to; use 'JSONValue'",
                at: binding.pattern, fixIts: fixIts)
        }
        if let field = type?.wrapped, let inner = field.optionalInField {
            return .error(
                "optionalInField",
                "property '\(name)' is a field of an optional, but null is a value of every field; write 'JSONField<\(inner.trimmed)>'",
                at: field)
        }
        if let kind = type?.wrapped.unrepresentableKind {
            return .error(
                "unrepresentableType",
                "property '\(name)' has a \(kind) type, which JSON cannot represent; mark it '@JSONIgnored'",
                at: binding.pattern, fixIts: fixIts)
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
        return .error(
            "missingType",
            "type annotation missing for property '\(name)'; '@JSONModel' cannot infer its type from the initial value",
            at: binding.pattern, fixIts: [fixIt])
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
        return .error(
            "nothingInitialises",
            "property '\(name)' needs an initial value because \(cause)",
            at: binding.pattern,
            fixIts: [
                FixIt(
                    isOptional ? "add initial value 'nil'" : "add initial value", replacing: binding, with: initialised)
            ])
    }
}

extension PropertyDeclaration {
    /// The warning for `let version = 5`, which is written and never read.
    var constantDiagnostics: [Diagnostic] {
        guard isLet, initialValue != nil, type != nil, ignoredAttributes.isEmpty, isMapped, identifier != nil else { return [] }
        var mutable = variable
        mutable.bindingSpecifier.tokenKind = .keyword(.var)
        return [
            .warning(
                "constantWithValue",
                "constant '\(name)' is written and never read, because it has its value already; mark it '@JSONIgnored(.reading)' if that is meant",
                at: binding.pattern,
                fixIts: [
                    FixIt("make it a 'var', which is read", replacing: variable, with: mutable),
                    FixIt(
                        "add '@JSONIgnored(.reading)'", replacing: variable,
                        with: variable.adding(attribute: .identifier("JSONIgnored(.reading)"))),
                ])
        ]
    }
}

// MARK: - Markers

extension PropertyDeclaration {
    var keyDiagnostics: [Diagnostic] {
        guard let first = keyAttributes.first else { return [] }
        var result = keyAttributes.flatMap(\.diagnostics)
        if keyAttributes.count > 1 {
            result.append(
                .error(
                    "severalKeyAttributes",
                    "property '\(name)' has more than one '@JSONKey'; alternative keys go into one",
                    at: keyAttributes[1].attribute, fixIts: combiningFixIt))
        }
        if variable.bindings.count > 1 {
            result.append(
                .error(
                    "keyOfSeveralProperties",
                    "'@JSONKey' cannot be applied to several properties at once; declare one property at a time",
                    at: first.attribute))
        } else if !isMapped {
            result.append(
                .warning(
                    "keyOfIgnoredProperty", "'@JSONKey' has no effect because '\(name)' is ignored",
                    at: first.attribute,
                    fixIts: [FixIt("remove '@JSONKey'", replacing: variable, with: variable.removing(first.attribute))])
            )
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
        if let second = adapters.dropFirst().first, adapters[0].attributeName.lastComponent != second.attributeName.lastComponent
        {
            let names = (adapters[0].attributeName.lastComponent, second.attributeName.lastComponent)
            result.append(
                .error(
                    "severalAdapters", "property '\(name)' is bound by '@\(names.0)' or by '@\(names.1)', not by both",
                    at: second,
                    fixIts: [FixIt("remove '@\(names.1)'", replacing: variable, with: variable.removing(second))]))
        }
        for attribute in policyAttributes {
            let marker = "@" + attribute.attributeName.lastComponent
            let removal = FixIt("remove '\(marker)'", replacing: variable, with: variable.removing(attribute))
            if !seen.insert(marker).inserted {
                result.append(
                    .error(
                        "severalMarkers", "property '\(name)' has more than one '\(marker)'", at: attribute, fixIts: [removal]))
            } else if let remark = remark(on: attribute) {
                result.append(
                    .warning(
                        "markerOfOtherType", "'\(marker)' has no effect on '\(name)', \(remark)", at: attribute, fixIts: [removal]
                    ))
            } else if !isMapped, !attribute.isMarker("JSONSensitive") {
                result.append(
                    .warning(
                        "markerOfIgnoredProperty", "'\(marker)' has no effect because '\(name)' is ignored", at: attribute,
                        fixIts: [removal]))
            }
        }
        return result
    }

    /// Why a marker for one type has no effect on this property; nil if it may have one, or if the type's name is unknown.
    private func remark(on attribute: AttributeSyntax) -> String? {
        let suitable = ["JSONDate": "Date", "JSONJoin": "String", "JSONData": "Data"]
        guard let wanted = suitable[attribute.attributeName.lastComponent], let leaf = type?.wrapped.leaf.lastComponent,
            wanted != leaf, TypeSyntax.scalarNames.contains(leaf)
        else { return nil }
        return "whose values are of type '\(leaf)' and not '\(wanted)'"
    }

    var ignoredDiagnostics: [Diagnostic] {
        var result = variable.hiddenMarkers.map { block in
            Diagnostic.error(
                "conditionalMarker",
                "'@JSONModel' does not see attributes inside '#if'; move the marker out",
                at: block)
        }
        if case .unreadable(let argument) = ignored {
            result.append(
                .error(
                    "directionNotLiteral", "direction must be written as '.both', '.reading', '.writing', or '.archive'",
                    at: argument))
        }
        if ignoredAttributes.count > 1 {
            let second = ignoredAttributes[1]
            result.append(
                .error(
                    "severalIgnoredAttributes",
                    "property '\(name)' has more than one '@JSONIgnored'; '@JSONIgnored' alone means both directions",
                    at: second,
                    fixIts: [FixIt("remove '\(second.trimmed)'", replacing: variable, with: variable.removing(second))])
            )
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
                    || PolicyMarker.all.contains { $0.name == token.text }
            }
        }
    }
}

extension TypeSyntax {
    /// The `T` of `JSONField<T?>`.
    fileprivate var optionalInField: TypeSyntax? {
        let clause =
            self.as(IdentifierTypeSyntax.self)?.genericArgumentClause ?? self.as(MemberTypeSyntax.self)?.genericArgumentClause
        guard lastComponent == "JSONField", let argument = clause?.arguments.first.flatMap({ TypeSyntax($0.argument) }) else {
            return nil
        }
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
    fileprivate static func ignoring(_ variable: VariableDeclSyntax) -> FixIt {
        FixIt("add '@JSONIgnored'", replacing: variable, with: variable.adding(attribute: "JSONIgnored"))
    }
}

#endif
