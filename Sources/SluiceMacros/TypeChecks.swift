// What generated code asks the compiler about types that a macro knows by name only. The question stands at the line of the property, and
// the answer is in words that say what to do.
#if Macros

import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Where something stands in the source, as the literals of `#sourceLocation`.
struct SourceLine {
    let file: String
    let line: String

    init?(of node: some SyntaxProtocol, in context: some MacroExpansionContext) {
        guard let location = context.location(of: node, at: .afterLeadingTrivia, filePathMode: .filePath) else { return nil }
        file = location.file.trimmedDescription
        line = location.line.trimmedDescription
    }
}

/// A question whether a type may be where it is.
struct TypeCheck {
    /// The type, and what it has to be.
    let type: String
    let requirement: String
    /// What to do if it is not.
    let message: String

    /// The questions about a type: none for the types that bind themselves.
    ///
    /// - Parameter requirement: the protocol of what is bound.
    /// - Parameter canBeIgnored: whether the type is that of a property, and not of a case's value.
    static func all(
        of type: TypeSyntax, requirement: String = "JSONBindable", canBeIgnored: Bool = true
    ) -> [TypeCheck] {
        var checks = type.dictionaryKeys.filter { $0.trimmedDescription != "String" }.map { key in
            TypeCheck(
                type: key.trimmedDescription, requirement: "JSONKeyBindable",
                message:
                    "a dictionary's keys are strings, or of a type that is a 'JSONKeyBindable'; '\(key.trimmedDescription)' is not"
            )
        }
        let leaf = type.leaf
        guard !leaf.bindsItself else { return checks }
        let name = leaf.trimmedDescription
        func otherwise(_ words: String) -> String { canBeIgnored ? ", \(words) the property with '@JSONIgnored'" : "" }
        let remedy =
            leaf.is(SomeOrAnyTypeSyntax.self)
            ? "'\(name)' may be of any type; use an enum whose cases hold the types\(otherwise("or mark"))"
            : "mark '\(name)' with '@JSONModel'\(otherwise("or"))"
        checks.append(TypeCheck(type: name, requirement: requirement, message: remedy))
        return checks
    }

    /// Whether the type has been found to be bindable, where less is asked.
    func isWithin(_ asked: Set<String>) -> Bool {
        ["JSONReadable", "JSONWritable"].contains(requirement) && asked.contains("JSONBindable" + type)
    }

    /// The question, in a scope of its own.
    func lines(at line: SourceLine?) -> [String] {
        let message = StringLiteralExprSyntax(content: message).description
        let directive = line.map { ["#sourceLocation(file: \($0.file), line: \($0.line))"] } ?? []
        return [
            "    do {",
            "        func JSON<JSONType: SluiceCore.\(requirement)>(_: JSONType.Type) {}",
            "        @available(*, unavailable, message: \(message)) func JSON<JSONType>(_: JSONType.Type) {}",
        ] + directive + ["        JSON((\(type)).self)"] + (directive.isEmpty ? [] : ["#sourceLocation()"]) + ["    }"]
    }
}

extension TypeSyntax {
    /// The types that bind themselves, by their names.
    private static let ownNames = scalarNames.union(["JSONValue", "JSONObject", "RawJSON"])

    fileprivate var bindsItself: Bool {
        let base = self.as(MemberTypeSyntax.self)?.baseType.trimmedDescription ?? "Swift"
        return Self.ownNames.contains(lastComponent) && ["Swift", "Foundation", "SluiceCore", "Sluice"].contains(base)
    }

    /// The types of the keys of all dictionaries in it.
    fileprivate var dictionaryKeys: [TypeSyntax] {
        let inner: TypeSyntax?
        var keys: [TypeSyntax] = []
        if let dictionary = self.as(DictionaryTypeSyntax.self) {
            keys = [dictionary.key]
            inner = dictionary.value
        } else if let optional = self.as(OptionalTypeSyntax.self) {
            inner = optional.wrappedType
        } else if let array = self.as(ArrayTypeSyntax.self) {
            inner = array.element
        } else {
            let arguments = self.as(IdentifierTypeSyntax.self)?.genericArgumentClause?.arguments
            if lastComponent == "Dictionary", let key = arguments?.first.flatMap({ TypeSyntax($0.argument) }) { keys = [key] }
            let isContainer = ["Optional", "Array", "ContiguousArray", "Set", "Dictionary", "JSONField"].contains(lastComponent)
            inner = isContainer ? arguments?.last.flatMap { TypeSyntax($0.argument) } : nil
        }
        return keys + (inner?.dictionaryKeys ?? [])
    }
}

extension ModelDeclaration {
    /// The questions about the types of all properties, each type once.
    var typeChecks: [String] {
        var asked: Set<String> = []
        return rows.flatMap { property -> [String] in
            guard property.bindsItsType else { return [] }
            return (property.type.map { TypeCheck.all(of: $0.wrapped, requirement: property.requirement) } ?? []).flatMap {
                check in
                // A type that may be bound may also be read, and written.
                asked.insert(check.requirement + check.type).inserted && !check.isWithin(asked)
                    ? check.lines(at: lines[property.name]) : []
            }
        }
    }

    /// The same for the values of an enum's cases.
    func typeChecks(of node: EnumDeclSyntax) -> [String] {
        var asked: Set<String> = []
        return node.cases.filter { !$0.isUnknown }.flatMap { element -> [String] in
            (element.parameters.last.map { TypeCheck.all(of: $0.type, canBeIgnored: false) } ?? []).flatMap { check in
                asked.insert(check.requirement + check.type).inserted
                    ? check.lines(at: lines[element.source]) : []
            }
        }
    }

    /// Remembers where the properties and the cases stand.
    mutating func locate(in context: some MacroExpansionContext) {
        for property in rows { lines[property.name] = SourceLine(of: property.binding, in: context) }
        guard case .enumeration(let node) = kind else { return }
        for element in node.cases { lines[element.source] = SourceLine(of: element.element, in: context) }
    }
}

extension PropertyDeclaration {
    /// What the type has to be, by the directions in which the property takes part.
    var requirement: String {
        guard adapter == nil else { return "JSONBindable" }
        guard isRead else { return "JSONWritable" }
        return isWritten ? "JSONBindable" : "JSONReadable"
    }

    /// Whether only the compiler knows if the type can be bound.
    var hasUnknownType: Bool { type.map { !TypeCheck.all(of: $0.wrapped).isEmpty } ?? false }
}

#endif
