// The checks of `@JSONConstraint`: whether its rules fit the property's type, where the type is spelled out.
#if Macros

import SwiftDiagnostics
import SwiftSyntax

/// The values that a rule of `@JSONConstraint` is for.
private enum ConstrainedFamily: String {
    case numbers, strings, arrays
    /// Values that no rule is for.
    case others

    /// The family of a rule, by its name; nil for a name that is not known, which the compiler reports.
    init?(ofRule name: String) {
        switch name {
        case "range", "multiple": self = .numbers
        case "length", "pattern", "format": self = .strings
        case "count", "unique": self = .arrays
        default: return nil
        }
    }

    /// What limits the size of such values, to be named in place of another rule.
    var remedy: String {
        switch self {
        case .numbers: "; its values are limited by '.range'"
        case .strings: "; its length is limited by '.length'"
        case .arrays: "; its count is limited by '.count'"
        case .others: ""
        }
    }
}

extension PropertyDeclaration {
    var constraintDiagnostics: [Diagnostic] {
        guard let attribute = policyAttributes.first(where: { $0.isMarker(PolicyMarker.constraint) }), isMapped else { return [] }
        let removal = [FixIt.removing(attribute, from: variable)]
        if let adapter = adapter?.rawValue ?? (isInlined ? "JSONInline" : nil) {
            return [Diagnostic(.constraintOfAdapter, name, adapter, at: attribute, fixIts: removal)]
        }
        guard let type = type?.wrapped, let family = type.constrainedFamily else { return [] }
        return attribute.labeledArguments.compactMap { argument in
            guard let rule = argument.expression.ruleName, let wanted = ConstrainedFamily(ofRule: rule), wanted != family else {
                return nil
            }
            return Diagnostic(
                .constraintOfOtherType, "." + rule, wanted.rawValue, name, type.trimmedText, family.remedy,
                at: argument.expression, fixIts: attribute.labeledArguments.count == 1 ? removal : [])
        }
    }
}

extension ExprSyntax {
    /// The name of a rule: `range` of `.range(0...9)`.
    fileprivate var ruleName: String? {
        let callee = self.as(FunctionCallExprSyntax.self)?.calledExpression ?? self
        return callee.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    }
}

extension TypeSyntax {
    /// The values of a type that is spelled out; nil for a name that may stand for anything.
    fileprivate var constrainedFamily: ConstrainedFamily? {
        if self.is(ArrayTypeSyntax.self) { return .arrays }
        if self.is(DictionaryTypeSyntax.self) { return .others }
        switch lastComponent {
        case "String", "Substring": return .strings
        case "Array", "ContiguousArray": return .arrays
        case "Double", "Float", "CGFloat", "Decimal", "JSONNumber", "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt",
            "UInt8",
            "UInt16", "UInt32", "UInt64", "UInt128":
            return .numbers
        case "Bool", "Date", "Data", "URL", "UUID", "JSONTimestamp", "JSONValue", "JSONObject", "RawJSON", "Set", "Dictionary":
            return .others
        default: return nil
        }
    }
}

#endif
