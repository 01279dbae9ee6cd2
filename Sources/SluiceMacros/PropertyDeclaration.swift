// One stored property of a model as plain facts, and its marker attributes: the part of step one that looks inside a `var`.
#if Macros

import SwiftSyntax

/// A stored instance property: one binding of a `let` or `var`, with the attributes of the whole declaration.
struct PropertyDeclaration {
    enum Ignored {
        case nothing, reading, writing, both, archive
        /// An argument that is not one of the directions by name.
        case unreadable(LabeledExprSyntax)
    }

    let variable: VariableDeclSyntax
    let binding: PatternBindingSyntax
    /// As written, backticks included; nil for a tuple pattern.
    let identifier: TokenSyntax?
    /// Declared or inferred, nil when neither tells.
    let type: PropertyType?
    /// Whether only the compiler knows if the type can be bound.
    let hasUnknownType: Bool
    let isLet: Bool
    /// `lazy`, `weak` or `unowned`.
    let storageModifier: DeclModifierSyntax?
    let isInsideIfConfig: Bool
    let keyAttributes: [KeyAttribute]
    /// The raw value that `CodingKeys` has for the property, as a literal.
    var codingKey: String?
    let ignoredAttributes: [AttributeSyntax]
    var ignored: Ignored
    /// What binds the property in place of its type.
    let adapter: PropertyAdapter?
    /// Whether it collects the members that no other property has.
    var isCollector = false
    /// What the other markers say, as arguments of a `JSONPropertyPolicy`, in its order.
    let policy: [String]
    /// The other markers.
    let policyAttributes: [AttributeSyntax]

    /// The name without backticks: what the table and errors call it.
    var name: String { identifier?.unquoted ?? "" }

    var initialValue: ExprSyntax? { binding.initializer?.value }

    /// Whether the type is spelled as an optional.
    var isOptional: Bool { type.map { $0.optional != .none } ?? false }

    /// Whether the property has a value when nothing is assigned to it. Only the sugared optionals start out as nil.
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
        // An array first: a syntax collection's own `filter` copies the nodes away from the places they would be reported at.
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
                policy: PolicyMarker.arguments(of: attributes), policyAttributes: attributes.filter(\.isPolicyMarker))
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

/// A marker that says what binds a property in place of its type.
enum PropertyAdapter: String, CaseIterable {
    case text = "JSONString"
    case codable = "JSONCodable"

    /// The type that does it, without its parameter.
    var typeName: String { self == .text ? "SluiceCore._JSONText" : "Sluice._JSONCodable" }
}

/// A marker that says one thing of a property's policy.
struct PolicyMarker {
    let name: String
    /// The label in the initialiser of `JSONPropertyPolicy`.
    let label: String
    /// What the marker means when it takes no argument.
    var flag: String?

    /// In the order of the initialiser's parameters.
    static let all = [
        PolicyMarker(name: "JSONConvert", label: "conversions"), PolicyMarker(name: "JSONNull", label: "nulls"),
        PolicyMarker(name: "JSONMismatch", label: "mismatch"), PolicyMarker(name: "JSONElements", label: "elements"),
        PolicyMarker(name: "JSONDate", label: "date"), PolicyMarker(name: "JSONData", label: "data"),
        PolicyMarker(name: "JSONJoin", label: "joinSeparator"), PolicyMarker(name: "JSONUpdate", label: "update"),
        PolicyMarker(name: "JSONSensitive", label: "isSensitive", flag: "true"),
    ]

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
    /// Whether this is one of the markers that say how values are treated.
    var isPolicyMarker: Bool {
        PolicyMarker.all.contains { isMarker($0.name) } || PropertyAdapter.allCases.contains { isMarker($0.rawValue) }
    }
}

/// A property's type with one layer of optionality taken off and remembered.
struct PropertyType {
    enum Optionality {
        /// `T`, or a name that may turn out to stand for an optional.
        case none
        /// `T?` or `T!`, which start out as nil.
        case sugared
        /// `Optional<T>`, which does not.
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
        /// The characters between the quotes, nil when the argument is not a plain string literal.
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
