// The description of a struct that is built in its own memory. It has no draft: the table stores values at the offsets of the key paths,
// and has the initial values.
#if Macros

import SwiftSyntax

extension ModelDeclaration {
    /// Whether the struct is described by its own stored properties, and not by those of a draft.
    var isInPlace: Bool {
        if case .structure = kind { !isStandIn && draftReason == nil } else { false }
    }

    /// Why a struct keeps a draft, in words; nil if it needs none.
    var draftReason: String? {
        guard case .structure = kind, !isStandIn else { return nil }
        if actor != nil { return "it is isolated to an actor" }
        if let name = otherMacro { return "'@\(name)' may add stored properties" }
        if !observed.isEmpty { return "its hook observes keys" }
        return properties.lazy.compactMap { $0.draftReason(genericParameters) }.first
    }

    /// The calls that describe the properties.
    var callsInPlace: [String] {
        properties.flatMap { property in
            (property.isMapped ? property.inlining(property.callInPlace(in: name)) : [])
                + (property.isRead ? [] : [property.keepingCall])
        }
    }
}

extension PropertyDeclaration {
    /// Why a struct with this property keeps a draft; nil if it need not.
    fileprivate func draftReason(_ genericParameters: Set<String>) -> String? {
        guard identifier != nil else { return "a property is a tuple" }
        let subject = "the property '\(name)'"
        if let modifier = storageModifier { return "\(subject) is \(modifier.name.text)" }
        if isInsideIfConfig { return "\(subject) is inside '#if'" }
        if isCollector { return "\(subject) collects unknown keys" }
        if binding.accessorBlock != nil { return "\(subject) is observed" }
        if let attribute = foreignAttribute { return "\(subject) has '@\(attribute)'" }
        if !isRead, keptValue == nil { return "\(subject) is not read, and has no initial value" }
        // What is written is bindable, so it is none of the types below.
        if !isMapped, !isPlainlyStored(genericParameters) { return "\(subject) is ignored, and may be a function" }
        return nil
    }

    /// Whether the property certainly has an offset. A function, a metatype and a tuple with one of them are stored in a form of their
    /// own, which no key path reaches. A name may stand for any of them, unless the initial value shows that it does not.
    private func isPlainlyStored(_ genericParameters: Set<String>) -> Bool {
        // A value of another type cannot stand for one of `some P`, although it initialises it.
        if type?.wrapped.tokens(viewMode: .sourceAccurate).contains(where: { $0.tokenKind == .keyword(.some) }) == true {
            return false
        }
        return type?.wrapped.isPlainlyStored(genericParameters) == true || initialValue?.isOfNominalType(type) == true
    }

    /// The call that describes a property of the table.
    fileprivate func callInPlace(in model: TokenSyntax) -> String {
        guard isRead else { return describingCall(in: model) }
        let kind = isOptional ? "optional" : initialValue == nil ? "required" : "defaulted"
        var arguments = [name.literal, "\\Self.\(source)"]
        if let initialValue, !initialValue.is(NilLiteralExprSyntax.self) { arguments.append(initialValue.asInitial) }
        if let adapter = adapterArgument(in: model) { arguments.append(adapter) }
        if let literalKey {
            arguments.append("keys: [.literal(\(literalKey))]")
        } else if let keys {
            arguments.append("keys: [\(keys)]")
        }
        if !isWritten { arguments.append("direction: .reading") }
        if !policy.isEmpty { arguments.append("policy: .init(\(policy.joined(separator: ", ")))") }
        let prefix = hasUnknownType && adapter == nil ? "_unmarked\(kind.prefix(1).uppercased())\(kind.dropFirst())" : "_\(kind)"
        return "model.\(prefix)(\(arguments.joined(separator: ", ")))" + furtherCalls
    }

    /// The call for a stored property that is not read.
    fileprivate var keepingCall: String { "model._kept(\\Self.\(source), \(keptValue ?? ""))" }

    /// The value of a stored property that is not read.
    private var keptValue: String? {
        initialValue?.asInitial ?? (!isLet && type?.optional == .sugared ? ".literal(nil)" : nil)
    }
}

extension ExprSyntax {
    /// The initial value as an argument.
    fileprivate var asInitial: String { (isPlainLiteral ? ".literal(" : ".each(") + trimmedText + ")" }

    /// Whether no function, no metatype, and no optional or tuple with one of them can have this as its initial value. A name may stand for
    /// such a type, so `Pair(1, { 2 })` and `.some(action)` do not show it.
    fileprivate func isOfNominalType(_ type: PropertyType?) -> Bool {
        if self.is(NilLiteralExprSyntax.self) { return false }
        if let unwrapped = self.as(ForceUnwrapExprSyntax.self) { return unwrapped.expression.isOfNominalType(type) }
        if isPlainLiteral || self.is(StringLiteralExprSyntax.self) || self.is(ArrayExprSyntax.self)
            || self.is(DictionaryExprSyntax.self)
        {
            return true
        }
        let call = self.as(FunctionCallExprSyntax.self)
        if let call {
            // A tuple or an optional with a function is made of a function.
            let arguments = call.arguments.allSatisfy { $0.expression.isOfNominalType(nil) }
            guard arguments, call.trailingClosure == nil else { return false }
            if evidentType != nil { return true }
        }
        // Only a nominal type has members: `.active`, `.init(1)`, `Mode.active`. Those of an optional are its own.
        guard let member = (call?.calledExpression ?? self).as(MemberAccessExprSyntax.self), let type,
            !["none", "some"].contains(member.declName.baseName.text)
        else { return false }
        return member.base.map { $0.trimmedText == type.wrapped.trimmedText } ?? (type.optional == .none)
    }

    /// Whether this is a literal without any parts that are computed.
    private var isPlainLiteral: Bool {
        if let prefixed = self.as(PrefixOperatorExprSyntax.self) {
            return prefixed.operator.text == "-" && prefixed.expression.isNumber
        }
        if let text = self.as(StringLiteralExprSyntax.self) {
            return text.segments.allSatisfy { $0.is(StringSegmentSyntax.self) }
        }
        if let array = self.as(ArrayExprSyntax.self) { return array.elements.isEmpty }
        if let dictionary = self.as(DictionaryExprSyntax.self) {
            if case .colon = dictionary.content { return true }
            return false
        }
        return isNumber || self.is(BooleanLiteralExprSyntax.self) || self.is(NilLiteralExprSyntax.self)
    }

    private var isNumber: Bool { self.is(IntegerLiteralExprSyntax.self) || self.is(FloatLiteralExprSyntax.self) }
}

#endif
