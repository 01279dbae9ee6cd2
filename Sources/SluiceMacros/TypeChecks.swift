// What generated code asks the compiler about types that a macro knows by name only. The question stands at the line of the property, and
// the answer is in words that say what to do.
#if Macros

import SwiftSyntax
import SwiftSyntaxMacros

/// Where the parts of a declaration stand in the source. The declaration is located once: to locate a node is dear.
struct SourceLines {
    /// As a literal.
    private let file: String
    /// The line of the declaration's first character that is not blank.
    private let first: Int
    private let start: AbsolutePosition
    private let source: [UInt8]

    init?(of declaration: some SyntaxProtocol, in context: some MacroExpansionContext) {
        guard let location = context.location(of: declaration, at: .afterLeadingTrivia, filePathMode: .filePath),
            let line = Int(location.line.trimmedText)
        else { return nil }
        file = location.file.trimmedText
        first = line
        start = declaration.positionAfterSkippingLeadingTrivia
        source = Array(declaration.trimmedText.utf8)
    }

    /// What tells the compiler that the text after it stands at the line of the node.
    func directive(for node: some SyntaxProtocol) -> String {
        let distance = node.positionAfterSkippingLeadingTrivia.utf8Offset - start.utf8Offset
        var line = first
        var last: UInt8 = 0
        for byte in source.prefix(max(distance, 0)) {
            // A line ends with \n, \r or both.
            if byte == 13 || byte == 10 && last != 13 { line += 1 }
            last = byte
        }
        return "#sourceLocation(file: \(file), line: \(line))"
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
        var checks = type.dictionaryKeys.filter { $0.trimmedText != "String" }.map { key in
            TypeCheck(
                type: key.trimmedText, requirement: "JSONKeyBindable",
                message:
                    "a dictionary's keys are strings, or of a type that is a 'JSONKeyBindable'; '\(key.trimmedText)' is not"
            )
        }
        let leaf = type.leaf
        guard !leaf.bindsItself else { return checks }
        let name = leaf.trimmedText
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
    func lines(at node: some SyntaxProtocol, in source: SourceLines?) -> [String] {
        let directive = source.map { ["        " + $0.directive(for: node)] } ?? []
        return [
            "    do {",
            "        func JSON<JSONType: SluiceCore.\(requirement)>(_: JSONType.Type) {}",
            "        @available(*, unavailable, message: \(message.literal)) func JSON<JSONType>(_: JSONType.Type) {}",
        ] + directive + ["        JSON((\(type)).self)"] + (directive.isEmpty ? [] : ["        #sourceLocation()"]) + ["    }"]
    }
}

extension TypeSyntax {
    /// The types that bind themselves, by their names.
    private static let ownNames = scalarNames.union(["JSONValue", "JSONObject", "RawJSON"])

    fileprivate var bindsItself: Bool {
        let base = self.as(MemberTypeSyntax.self)?.baseType.trimmedText ?? "Swift"
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
                    ? check.lines(at: property.binding, in: lines) : []
            }
        }
    }

    /// The same for the values of an enum's cases.
    func typeChecks(of node: EnumDeclSyntax) -> [String] {
        var asked: Set<String> = []
        return node.cases.filter { !$0.isUnknown }.flatMap { element -> [String] in
            (element.parameters.last.map { TypeCheck.all(of: $0.type, canBeIgnored: false) } ?? []).flatMap { check in
                asked.insert(check.requirement + check.type).inserted
                    ? check.lines(at: element.element, in: lines) : []
            }
        }
    }

    /// Remembers where the declaration stands, if there is a question about its parts.
    mutating func locate(_ declaration: some DeclGroupSyntax, in context: some MacroExpansionContext) {
        let asks = if case .enumeration(let node) = kind { isPolymorphic(node) } else { rows.contains(where: \.hasUnknownType) }
        if asks { lines = SourceLines(of: declaration, in: context) }
    }
}

extension PropertyDeclaration {
    /// What the type has to be, by the directions in which the property takes part.
    var requirement: String {
        guard adapter == nil else { return "JSONBindable" }
        guard isRead else { return "JSONWritable" }
        return isWritten ? "JSONBindable" : "JSONReadable"
    }
}

#endif
