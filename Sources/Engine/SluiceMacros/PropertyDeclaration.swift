// The facts about one stored property of a model, and its marker attributes: the part of step one that looks inside a `var`.
#if Macros

import SwiftSyntax

/// A stored instance property: one binding of a `let` or `var`, with the attributes of the whole declaration.
struct PropertyDeclaration {
    enum Ignored {
        case nothing, reading, writing, both, archive
        /// An argument that does not name one of these directions.
        case unreadable(LabeledExprSyntax)
    }

    let variable: VariableDeclSyntax
    let binding: PatternBindingSyntax
    /// The name as written, with backticks; nil for a tuple pattern.
    let identifier: TokenSyntax?
    /// The type, declared or evident from the initial value; nil if neither shows it.
    let type: PropertyType?
    /// Whether only the compiler knows if the type can be bound.
    let hasUnknownType: Bool
    let isLet: Bool
    /// `lazy`, `weak` or `unowned`.
    let storageModifier: DeclModifierSyntax?
    let isInsideIfConfig: Bool
    let keyAttributes: [KeyAttribute]
    /// The source of the literal that `CodingKeys` has for the property.
    var codingKey: String?
    let ignoredAttributes: [AttributeSyntax]
    var ignored: Ignored
    /// The adapter that binds the property in place of its type, or nil.
    let adapter: PropertyAdapter?
    /// `@JSONInline`: the keys of the property's value are in the model's own object.
    let inlineAttribute: AttributeSyntax?
    /// Whether the property collects the members whose keys no other property has.
    var isCollector = false
    /// The values of the other markers, as arguments of `JSONPropertyPolicy` in the order of its parameters.
    let policy: [String]
    /// The arguments of `@JSONColumn`; nil without it.
    let columnArguments: String?
    /// The arguments of `@JSONConstraint`; nil without it.
    let constraintArguments: String?
    /// The first paragraph of the comment before the declaration.
    let summary: String?
    /// The other markers.
    let policyAttributes: [AttributeSyntax]
    /// The name of a property wrapper, or of a macro that is not ours: what it stores is unknown.
    let foreignAttribute: String?

    /// The name without backticks, as the table and errors use it.
    var name: String { identifier?.unquoted ?? "" }

    var isInlined: Bool { inlineAttribute != nil }

    var initialValue: ExprSyntax? { binding.initializer?.value }

    /// Whether the type is spelled as an optional.
    var isOptional: Bool { type.map { $0.optional != .none } ?? false }

    /// Whether the property has a value without an assignment. Of the optionals, only `T?` and `T!` start as nil.
    var isInitialised: Bool {
        initialValue != nil || (!isLet && type?.optional == .sugared) || storageModifier?.name.text == "weak"
    }

    var isRead: Bool {
        switch ignored {
        case .both, .reading: false
        case .nothing, .writing, .archive, .unreadable: !(isLet && initialValue != nil)
        }
    }

    var isWritten: Bool {
        switch ignored {
        case .both, .writing: false
        case .nothing, .reading, .archive, .unreadable: true
        }
    }

    var isMapped: Bool { isRead || isWritten }

    /// The stored properties that a declaration introduces: none for statics and computed properties.
    static func all(in variable: VariableDeclSyntax, insideIfConfig: Bool) -> [PropertyDeclaration] {
        guard !variable.isTypeProperty else { return [] }
        let attributes = variable.attributes.compactMap { $0.as(AttributeSyntax.self) }
        let ignoredAttributes = attributes.filter { $0.isMarker("JSONIgnored") }
        let summary = variable.summary
        // Made an array first: a syntax collection's own `filter` copies the nodes, and the copies have lost their position in the source.
        return Array(variable.bindings).filter(\.isStored).map { binding in
            let type = (binding.declaredType(in: variable) ?? binding.initializer?.value.evidentType).map { PropertyType($0) }
            return PropertyDeclaration(
                variable: variable,
                binding: binding,
                identifier: binding.pattern.as(IdentifierPatternSyntax.self)?.identifier,
                type: type,
                hasUnknownType: type.map { !TypeCheck.all(of: $0.wrapped).isEmpty } ?? false,
                isLet: variable.bindingSpecifier.tokenKind == .keyword(.let),
                storageModifier: variable.modifiers.first { ["lazy", "weak", "unowned"].contains($0.name.text) },
                isInsideIfConfig: insideIfConfig,
                keyAttributes: attributes.filter { $0.isMarker("JSONKey") }.map(KeyAttribute.init),
                ignoredAttributes: ignoredAttributes,
                ignored: ignoredAttributes.first.map(Ignored.init) ?? .nothing,
                adapter: PropertyAdapter.allCases.first { adapter in attributes.contains { $0.isMarker(adapter.rawValue) } },
                inlineAttribute: attributes.first { $0.isMarker("JSONInline") },
                policy: PolicyMarker.arguments(of: attributes),
                columnArguments: attributes.first { $0.isMarker(PolicyMarker.column) }?.argumentTexts,
                constraintArguments: attributes.first { $0.isMarker(PolicyMarker.constraint) }?.argumentTexts,
                summary: summary,
                policyAttributes: attributes.filter(\.isPolicyMarker),
                foreignAttribute: attributes.first(where: \.isForeign)?.attributeName.trimmedText)
        }
    }
}

extension PropertyDeclaration.Ignored {
    fileprivate init(_ attribute: AttributeSyntax) {
        guard let argument = attribute.labeledArguments.first else {
            self = .both
            return
        }
        switch argument.expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text {
        case "both": self = .both
        case "reading": self = .reading
        case "writing": self = .writing
        case "archive": self = .archive
        default: self = .unreadable(argument)
        }
    }
}

/// A marker that chooses an adapter, which binds a property in place of its type.
enum PropertyAdapter: String, CaseIterable {
    case text = "JSONString"
    case codable = "JSONCodable"

    /// The name of the adapter's type, without its generic argument.
    var typeName: String { self == .text ? "SluiceCore._JSONText" : "Sluice._JSONCodable" }
}

/// A marker that sets one part of a property's policy.
struct PolicyMarker {
    let name: String
    /// The label in the initialiser of `JSONPropertyPolicy`.
    let label: String
    /// The value that a marker without an argument sets.
    var flag: String?

    /// All markers, in the order of the parameters of `JSONPropertyPolicy`'s initialiser.
    static let all = [
        PolicyMarker(name: "JSONConvert", label: "conversions"), PolicyMarker(name: "JSONNull", label: "nulls"),
        PolicyMarker(name: "JSONMismatch", label: "mismatch"), PolicyMarker(name: "JSONElements", label: "elements"),
        PolicyMarker(name: "JSONDate", label: "date"), PolicyMarker(name: "JSONData", label: "data"),
        PolicyMarker(name: "JSONJoin", label: "joinSeparator"), PolicyMarker(name: "JSONUpdate", label: "update"),
        PolicyMarker(name: "JSONSensitive", label: "isSensitive", flag: "true"),
    ]

    /// The marker for a property's column. It does not belong to the property's policy.
    static let column = "JSONColumn"
    /// The marker for rules that values must meet. Its arguments become those of a call of their own.
    static let constraint = "JSONConstraint"

    static func arguments(of attributes: [AttributeSyntax]) -> [String] {
        var result = all.compactMap { marker -> String? in
            guard let attribute = attributes.first(where: { $0.isMarker(marker.name) }) else { return nil }
            let value = attribute.labeledArguments.first?.expression.trimmedText ?? marker.flag
            return value.map { "\(marker.label): \($0)" }
        }
        let ignored = attributes.first { $0.isMarker("JSONIgnored") }
        if ignored?.labeledArguments.first?.expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "archive" {
            result.append("isArchived: false")
        }
        return result
    }
}

extension AttributeSyntax {
    /// Whether the attribute is a wrapper or a macro that is not ours. Those of the compiler begin with a small letter.
    var isForeign: Bool {
        guard !isPolicyMarker, !isMarker("JSONKey"), !isMarker("JSONIgnored"), !isMarker("JSONInline") else {
            return false
        }
        return attributeName.lastComponent.first?.isUppercase ?? true
    }

    /// Whether this is `@MainActor`, or by its name another actor.
    var isActor: Bool { attributeName.lastComponent.hasSuffix("Actor") }

    /// Whether this is a marker of a policy or an adapter.
    var isPolicyMarker: Bool {
        isMarker(PolicyMarker.column) || isMarker(PolicyMarker.constraint) || PolicyMarker.all.contains { isMarker($0.name) }
            || PropertyAdapter.allCases.contains { isMarker($0.rawValue) }
    }
}

/// A property's type: the type without its outer optionality, and the kind of that optionality.
struct PropertyType {
    enum Optionality {
        /// `T`, or a name that may be a typealias of an optional.
        case none
        /// `T?` or `T!`: a `var` of this type starts as nil.
        case sugared
        /// `Optional<T>`: a property of this type has no initial value by itself.
        case spelled
    }

    let wrapped: TypeSyntax
    let optional: Optionality

    init(_ type: TypeSyntax) {
        if let sugar = type.as(OptionalTypeSyntax.self) {
            (wrapped, optional) = (sugar.wrappedType, .sugared)
        } else if let sugar = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            (wrapped, optional) = (sugar.wrappedType, .sugared)
        } else if let inner = type.spelledOptional {
            (wrapped, optional) = (inner, .spelled)
        } else {
            (wrapped, optional) = (type, .none)
        }
    }
}

/// One `@JSONKey(…)`.
struct KeyAttribute {
    struct Key {
        let argument: LabeledExprSyntax
        /// The characters between the quotes; nil if the argument is not a plain string literal.
        let text: String?

        init(_ argument: LabeledExprSyntax) {
            self.argument = argument
            text = argument.expression.as(StringLiteralExprSyntax.self).flatMap(\.plainText)
        }
    }

    let attribute: AttributeSyntax
    let keys: [Key]
    /// `@JSONKey(literal:)`: a dot is part of the key.
    let isLiteral: Bool

    init(_ attribute: AttributeSyntax) {
        self.attribute = attribute
        keys = attribute.labeledArguments.map(Key.init)
        isLiteral = keys.first?.argument.label?.text == "literal"
    }
}

#endif
