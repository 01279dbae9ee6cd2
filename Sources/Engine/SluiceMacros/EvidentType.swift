// The types that an initial value alone shows, for properties without an annotation. A macro sees text, not types: it may use a type
// that the compiler certainly infers, and must not guess.
#if Macros

import SwiftSyntax
import SwiftSyntaxBuilder

extension ExprSyntax {
    /// The type of a scalar literal or of an initialiser call; nil if only the type checker can know it.
    var evidentType: TypeSyntax? {
        if self.is(BooleanLiteralExprSyntax.self) {
            return "Swift.Bool"
        } else if self.is(StringLiteralExprSyntax.self) {
            return "Swift.String"
        } else if self.is(IntegerLiteralExprSyntax.self) {
            return "Swift.Int"
        } else if self.is(FloatLiteralExprSyntax.self) {
            return "Swift.Double"
        } else if let negated = self.as(PrefixOperatorExprSyntax.self), negated.operator.text == "-" {
            let number = negated.expression
            return number.is(IntegerLiteralExprSyntax.self) || number.is(FloatLiteralExprSyntax.self)
                ? number.evidentType : nil
        } else if let call = self.as(FunctionCallExprSyntax.self) {
            return call.calledExpression.namedType
        } else if let unwrapped = self.as(ForceUnwrapExprSyntax.self) {
            return unwrapped.expression.as(FunctionCallExprSyntax.self)?.calledExpression.namedType
        } else {
            return nil
        }
    }

    /// The type to offer in a fix-it: right in most programs, but the author must confirm it.
    var likelyType: TypeSyntax? {
        if let evidentType {
            return TypeSyntax(stringLiteral: evidentType.description.replacingPrefix("Swift.", with: ""))
        } else if let array = self.as(ArrayExprSyntax.self), let element = array.elements.map(\.expression).commonType {
            return "[\(element)]"
        } else if let dictionary = self.as(DictionaryExprSyntax.self),
            case .elements(let elements) = dictionary.content,
            let key = elements.map(\.key).commonType, let value = elements.map(\.value).commonType
        {
            return "[\(key): \(value)]"
        } else if let member = self.as(MemberAccessExprSyntax.self) {
            return member.base?.namedType
        } else {
            return nil
        }
    }

    /// The type that the expression names, such as `Author`, `API.Author`, `Set<Int>`, `[Int]` or `Author.init`; nil if it names none.
    private var namedType: TypeSyntax? {
        if let array = self.as(ArrayExprSyntax.self) {
            guard array.elements.count == 1, array.elements.first?.expression.namedType != nil else { return nil }
        } else if let dictionary = self.as(DictionaryExprSyntax.self) {
            guard case .elements(let elements) = dictionary.content, elements.count == 1,
                elements.first?.key.namedType != nil, elements.first?.value.namedType != nil
            else { return nil }
        } else if let reference = self.as(DeclReferenceExprSyntax.self) {
            guard reference.argumentNames == nil, reference.baseName.isCapitalised else { return nil }
        } else if let specialisation = self.as(GenericSpecializationExprSyntax.self) {
            guard specialisation.expression.namedType != nil else { return nil }
        } else if let member = self.as(MemberAccessExprSyntax.self) {
            guard let base = member.base?.namedType, member.declName.argumentNames == nil else { return nil }
            if member.declName.baseName.tokenKind == .keyword(.`init`) {
                return base
            }
            guard member.declName.baseName.isCapitalised else { return nil }
        } else if self.is(OptionalChainingExprSyntax.self) {
            return nil
        } else {
            return nil
        }
        return TypeSyntax(stringLiteral: trimmedText)
    }
}

extension TypeSyntax {
    /// The type of the values inside optionals, arrays, sets and dictionaries: `Author` for `[String: [Author?]]`.
    var leaf: TypeSyntax {
        if let inner = self.as(OptionalTypeSyntax.self)?.wrappedType { return inner.leaf }
        if let inner = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self)?.wrappedType { return inner.leaf }
        if let inner = self.as(ArrayTypeSyntax.self)?.element { return inner.leaf }
        if let inner = self.as(DictionaryTypeSyntax.self)?.value { return inner.leaf }
        if let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first {
            return only.type.leaf
        }
        let arguments = self.as(IdentifierTypeSyntax.self)?.genericArgumentClause?.arguments
        if ["Optional", "Array", "ContiguousArray", "Set", "Dictionary", "JSONField"].contains(lastComponent),
            let inner = arguments?.last.flatMap({ TypeSyntax($0.argument) })
        {
            return inner.leaf
        }
        return self
    }

    /// Whether values of the type are certainly stored as they are: whether it is no function, no metatype, and no tuple with one of them.
    /// Those that a generic parameter stands for are stored as all others.
    func isPlainlyStored(_ genericParameters: Set<String>) -> Bool {
        if let inner = self.as(OptionalTypeSyntax.self)?.wrappedType ?? spelledOptional {
            return inner.isPlainlyStored(genericParameters)
        }
        if let tuple = self.as(TupleTypeSyntax.self) {
            return tuple.elements.allSatisfy { $0.type.isPlainlyStored(genericParameters) }
        }
        return self.is(ArrayTypeSyntax.self) || self.is(DictionaryTypeSyntax.self) || self.is(SomeOrAnyTypeSyntax.self)
            || Self.plainNames.contains(lastComponent)
            || self.as(IdentifierTypeSyntax.self).map { genericParameters.contains($0.name.text) } == true
    }

    private static let plainNames = scalarNames.union(["Any", "AnyObject", "Array", "ContiguousArray", "Dictionary", "Set"])

    /// The names of scalar types that are bindable without a macro.
    static let scalarNames: Set = [
        "Bool", "String", "Double", "Float", "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt", "UInt8", "UInt16",
        "UInt32", "UInt64", "UInt128", "Decimal", "Date", "Data", "URL", "UUID", "JSONTimestamp", "JSONNumber",
    ]
}

extension [ExprSyntax] {
    /// The type of all elements, if it is the same and evident for each.
    fileprivate var commonType: TypeSyntax? {
        guard let first = first?.likelyType, allSatisfy({ $0.likelyType?.description == first.description })
        else { return nil }
        return first
    }
}

extension String {
    fileprivate func replacingPrefix(_ prefix: String, with replacement: String) -> String {
        hasPrefix(prefix) ? replacement + dropFirst(prefix.count) : self
    }
}

#endif
