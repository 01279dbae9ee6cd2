// Step two of three: a `ModelDeclaration` goes in, and all diagnostics about it come out at once, so that one build shows everything
// to fix. For a model with an error only a stand-in is emitted.
#if Macros

import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

extension ModelDeclaration {
    func diagnostics() -> [Diagnostic] {
        switch kind {
        case .unsupported(let what):
            return [
                .error(
                    "unsupportedDeclaration",
                    "'@JSONModel' cannot be applied to \(what); it applies to structs, classes, and enums",
                    at: attribute)
            ]
        case .enumeration(let node) where isPolymorphic(node):
            return node.variantDiagnostics + keyStrategyOnEnumDiagnostics
        case .enumeration(let node) where isOpenRaw(node):
            return keyStrategyOnEnumDiagnostics
        case .enumeration(let node):
            return node.rawTypeDiagnostics + keyStrategyOnEnumDiagnostics
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
        var result: [Diagnostic] = []
        if let argument = selection.unreadable, let label = argument.label?.text {
            result.append(
                .error("namesNotLiteral", "'\(label):' must be an array of string literals", at: argument.expression))
        }
        result += selectionDiagnostics + superclassDiagnostics + collectorDiagnostics
        if let mainActor, kind.isClass {
            result.append(
                .error(
                    "isolatedClass",
                    "class '\(name.text)' is isolated to the main actor, and models are read and written outside of it; mark the class 'nonisolated', or bind a struct that it holds",
                    at: mainActor))
        }
        if case .baseClass = kind, isGeneric {
            result.append(
                .error("genericHierarchy", "generic class '\(name.text)' cannot have subclasses that are models", at: name))
        }
        if let unreachable {
            result.append(
                .error(
                    "privateModel",
                    "nested type '\(name.text)' cannot be private because its '@JSONModel' extension would not see it",
                    at: unreachable, fixIts: [.wideningAccess(of: unreachable)]))
        }
        if let noncopyable {
            result.append(
                .error(
                    "noncopyable", "'@JSONModel' cannot be applied to noncopyable type '\(name.text)'", at: noncopyable)
            )
        }
        if let existingDraft {
            result.append(
                .error(
                    "existingDraft",
                    "'\(name.text)' already declares '\(Self.draftName)', the name of the type that '@JSONModel' generates",
                    at: existingDraft))
        }
        let read = properties.filter(\.isRead).compactMap(\.type?.wrapped)
        for (typeName, modifier) in privateTypes
        where read.contains(where: { $0.mentions(typeName) }) {
            result.append(
                .error(
                    "privatePropertyType",
                    "type '\(typeName)' cannot be private because the draft that '@JSONModel' generates stores a value of it",
                    at: modifier, fixIts: [.wideningAccess(of: modifier)]))
        }
        return result
    }

    /// The diagnostics of marker attributes. They belong to a whole declaration, so they are checked once for both properties of
    /// `var a, b: Int`.
    private var markerDiagnostics: [Diagnostic] {
        var seen: Set<SyntaxIdentifier> = []
        return properties.flatMap { property in
            seen.insert(property.variable.id).inserted
                ? property.keyDiagnostics + property.ignoredDiagnostics + property.policyDiagnostics
                    + placeDiagnostics(of: property) : []
        }
    }

    /// The error for a subclass of a model that is not marked `@JSONSubclass`.
    private var inheritedDiagnostic: Diagnostic {
        let parent = inheritanceClause?.inheritedTypes.first?.type.trimmedText ?? "<#superclass#>"
        var marker: AttributeSyntax = "@JSONSubclass(of: \(raw: parent).self)"
        (marker.leadingTrivia, marker.trailingTrivia) = (attribute.leadingTrivia, attribute.trailingTrivia)
        return .error(
            "unmarkedSubclass",
            "class '\(name.text)' is a subclass of the model '\(parent)'; a subclass says '@JSONSubclass(of: \(parent).self)'",
            at: attribute,
            fixIts: [FixIt("replace '@\(attribute.attributeName.lastComponent)'", replacing: attribute, with: marker)])
    }

    /// The warning for a `@JSONKey` in a model with array layout, where keys have no effect.
    private func placeDiagnostics(of property: PropertyDeclaration) -> [Diagnostic] {
        guard layout?.expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "array", property.isMapped,
            let key = property.keyAttributes.first
        else { return [] }
        let removal = FixIt("remove '@JSONKey'", replacing: property.variable, with: property.variable.removing(key.attribute))
        return [
            .warning(
                "keyInArray", "'@JSONKey' has no effect on '\(property.name)', which is bound to a place in an array",
                at: key.attribute, fixIts: [removal])
        ]
    }

    /// Errors for names in `only:` and `except:` that no property has.
    private var selectionDiagnostics: [Diagnostic] {
        let names = Set(properties.map(\.name))
        return selection.literals.compactMap { literal in
            guard let text = literal.plainText, !names.contains(text) else { return nil }
            return .error("unknownName", "'\(name.text)' has no stored property '\(text)'", at: literal)
        }
    }

    /// Errors about the property that collects unknown keys.
    private var collectorDiagnostics: [Diagnostic] {
        guard let argument = unknownKeys, argument.expression.trimmedText.contains("collect") else { return [] }
        guard let literal = argument.collectingName, let text = literal.plainText else {
            return [
                .error(
                    "collectorNotLiteral", "unknown keys are collected by '.collect(into: \"rest\")', with a literal",
                    at: argument.expression)
            ]
        }
        guard let property = properties.first(where: { $0.name == text }) else {
            return [.error("unknownName", "'\(name.text)' has no stored property '\(text)'", at: literal)]
        }
        guard let type = property.type, type.optional == .none, property.isRead else {
            return [
                .error(
                    "collectorType",
                    "property '\(text)', which collects unknown keys, has to be a 'JSONObject' or a '[String: JSONValue]' that can be set",
                    at: property.binding.pattern)
            ]
        }
        return []
    }

    /// The error for a superclass in `@JSONSubclass(of:)` that differs from the one in the inheritance clause, or for a class without one.
    private var superclassDiagnostics: [Diagnostic] {
        guard case .baseClass(let node) = kind, let argument = attribute.labeledArguments.first(where: { $0.label?.text == "of" })
        else { return [] }
        guard let first = node.inheritanceClause?.inheritedTypes.first?.type else {
            return [
                .error(
                    "noSuperclass", "class '\(name.text)' has no superclass; a class with subclasses is marked '@JSONBaseClass'",
                    at: attribute)
            ]
        }
        guard let superclass, superclass.split(separator: ".").last.map(String.init) != first.lastComponent else { return [] }
        let fixed: ExprSyntax = "\(first.trimmed).self"
        return [
            .error(
                "otherSuperclass",
                "the superclass of '\(name.text)' is '\(first.trimmedText)'; write '@JSONSubclass(of: \(first.trimmedText).self)'",
                at: argument.expression,
                fixIts: [
                    FixIt(
                        "replace '\(superclass)' with '\(first.trimmedText)'", replacing: argument.expression, with: fixed)
                ])
        ]
    }

    private var keyStrategyOnEnumDiagnostics: [Diagnostic] {
        guard let argument = keyStrategy ?? layout, let label = argument.label?.text else { return [] }
        var bare = attribute
        (bare.leftParen, bare.arguments, bare.rightParen) = (nil, nil, nil)
        bare.trailingTrivia = attribute.trailingTrivia
        return [
            .warning(
                "\(label)OnEnum", "'\(label):' has no effect on an enum, whose values are its raw values", at: argument,
                fixIts: [FixIt("remove '\(label):'", replacing: attribute, with: bare)])
        ]
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
        return .error(
            "classNotFinal",
            "'@JSONModel' requires class '\(name.text)' to be final; a class with subclasses is marked '@JSONBaseClass'",
            at: classKeyword, fixIts: [fixIt])
    }
}

extension EnumDeclSyntax {
    fileprivate var rawTypeDiagnostics: [Diagnostic] {
        let supported = "'@JSONModel' applies to enums whose raw type is 'String' or an integer type"
        let elements = memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }.flatMap(\.elements)
        let inherited = inheritanceClause?.inheritedTypes.map(\.type) ?? []
        if let rawType = inherited.first, ["Float", "Double", "Float16", "Character"].contains(rawType.lastComponent) {
            return [
                .error(
                    "rawType", "raw type '\(rawType.trimmedText)' is not supported; \(supported)", at: rawType)
            ]
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
        return [
            .error(
                "noRawType", "enum '\(name.text)' has no raw type; \(supported)", at: name,
                fixIts: genericParameterClause == nil ? [fixIt] : [])
        ]
    }

    /// Errors about an enum whose cases have associated values.
    fileprivate var variantDiagnostics: [Diagnostic] {
        cases.compactMap { element in
            guard !element.isUnknown, element.parameters.count > 1 else { return nil }
            return .error(
                "severalAssociatedValues",
                "case '\(element.source)' has several associated values; '@JSONModel' binds one, so make a model of them",
                at: element.element)
        }
    }

    private static let rawTypes: Set = [
        "String", "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
        "UInt128",
    ]
}

// MARK: - Properties

extension PropertyDeclaration {
    /// Errors about the property, except for its markers.
    fileprivate var diagnostics: [Diagnostic] {
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
        guard !isRead, !isInitialised else { return nil }
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

// MARK: - Markers

extension PropertyDeclaration {
    fileprivate var keyDiagnostics: [Diagnostic] {
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

    fileprivate var policyDiagnostics: [Diagnostic] {
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

    fileprivate var ignoredDiagnostics: [Diagnostic] {
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
    fileprivate static func wideningAccess(of modifier: DeclModifierSyntax) -> FixIt {
        FixIt(
            "replace 'private' with 'fileprivate'", replacing: modifier.name,
            with: modifier.name.with(\.tokenKind, .keyword(.fileprivate)))
    }

    fileprivate static func ignoring(_ variable: VariableDeclSyntax) -> FixIt {
        FixIt("add '@JSONIgnored'", replacing: variable, with: variable.adding(attribute: "JSONIgnored"))
    }
}

extension TokenSyntax {
    /// The token with other text, and with the same white space and comments around it.
    fileprivate func respelled(_ text: String) -> TokenSyntax {
        with(\.tokenKind, .unknown(text))
    }
}

#endif
