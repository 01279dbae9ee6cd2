// Generated code makes the compiler check types that the macro knows by name only. The check has the line of the property, and its error
// message says what to do.
#if Macros

import SwiftSyntax
import SwiftSyntaxMacros

/// The source lines of a declaration's parts. Only the declaration itself is located through the compiler, because that is slow.
struct SourceLines {
    /// The path of the file, as a string literal.
    private let file: String
    /// The line of the declaration's first character that is not white space.
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

    /// The directive that gives the text after it the line of a node.
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

/// A check that a type conforms to the protocol that its place requires.
struct TypeCheck {
    /// The type, and the protocol of SluiceCore that it must conform to.
    let type: String
    let requirement: String
    /// The error message if it does not conform: what to do.
    let message: String

    /// The types of dictionary keys that need no check.
    private static let keyNames: Set<String> = ["String", "Int", "Int32", "Int64", "UInt", "UInt32", "UInt64", "UUID"]

    /// The checks for a type and the types inside it; none for types that are known to be bindable.
    ///
    /// - Parameter requirement: The protocol that the bound value must conform to.
    /// - Parameter canBeIgnored: Whether this is the type of a property, which can be ignored, and not of a case's value.
    /// - Parameter isNested: Whether the type may be generic, or depend on a parameter, because the model is inside another type.
    static func all(
        of type: TypeSyntax, requirement: String = "JSONBindable", canBeIgnored: Bool = true, isNested: Bool = false
    ) -> [TypeCheck] {
        var checks = type.dictionaryKeys.filter { !keyNames.contains($0.trimmedText) }.map { key in
            TypeCheck(
                type: key.trimmedText, requirement: "JSONKeyBindable",
                message:
                    "a dictionary's keys are strings, integers, or of a type that is a 'JSONKeyBindable'; '\(key.trimmedText)' is not"
            )
        }
        let leaf = type.leaf
        guard !leaf.bindsItself else { return checks }
        let name = leaf.trimmedText
        func otherwise(_ words: String) -> String { canBeIgnored ? ", \(words) the property with '@JSONIgnored'" : "" }
        // A generic type may be bindable only if its parameters are.
        let parameters = isNested ? "; if it depends on a generic parameter, constrain that to 'JSONBindable'" : ""
        let remedy =
            if leaf.is(SomeOrAnyTypeSyntax.self) {
                "'\(name)' may be of any type; use an enum whose cases hold the types\(otherwise("or mark"))"
            } else if leaf.isCodableAlone {
                canBeIgnored
                    ? "'\(name)' is bound by its Codable conformance: mark the property with '@JSONCodable'"
                    : "'\(name)' is no model; hold it in one, with '@JSONCodable' on the property"
            } else {
                "mark '\(name)' with '@JSONModel'\(otherwise("or"))\(canBeIgnored ? " or, if the type is Codable, '@JSONCodable'" : "")\(parameters)"
            }
        checks.append(TypeCheck(type: name, requirement: requirement, message: remedy))
        return checks
    }

    /// Whether a check in `asked` already covers this one: it requires the type to be bindable, and this one requires less.
    func isWithin(_ asked: Set<String>) -> Bool {
        ["JSONReadable", "JSONWritable"].contains(requirement) && asked.contains("JSONBindable" + type)
    }

    /// The code of the check, in a scope of its own.
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
    /// The names of types that are bindable without a macro.
    private static let ownNames = scalarNames.union(["JSONValue", "JSONObject", "RawJSON"])

    /// Whether this is a type of the standard library or of Foundation that is Codable, and cannot be marked.
    fileprivate var isCodableAlone: Bool {
        let names: Set = [
            "AttributedString", "Calendar", "CharacterSet", "ClosedRange", "DateComponents", "DateInterval", "Duration",
            "IndexPath",
            "IndexSet", "Locale", "Measurement", "PartialRangeFrom", "PartialRangeThrough", "PartialRangeUpTo",
            "PersonNameComponents", "Range", "TimeZone",
        ]
        return names.contains(lastComponent) || lastComponent.hasPrefix("SIMD")
    }

    fileprivate var bindsItself: Bool {
        let base = self.as(MemberTypeSyntax.self)?.baseType.trimmedText ?? "Swift"
        return Self.ownNames.contains(lastComponent) && ["Swift", "Foundation", "SluiceCore", "Sluice"].contains(base)
    }

    /// The key types of all dictionaries in the type.
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
    /// The code of the checks for the types of all properties.
    var typeChecks: [String] {
        code(
            of: rows.filter(\.bindsItsType).flatMap { property in
                (property.type.map { TypeCheck.all(of: $0.wrapped, requirement: property.requirement, isNested: isNested) } ?? [])
                    .map { ($0, Syntax(property.binding)) }
            })
    }

    /// The code of the checks for the associated values of an enum.
    func typeChecks(of node: EnumDeclSyntax) -> [String] {
        code(
            of: node.cases.filter { !$0.isUnknown }.flatMap { element in
                (element.parameters.last.map { TypeCheck.all(of: $0.type, canBeIgnored: false, isNested: isNested) } ?? [])
                    .map { ($0, Syntax(element.element)) }
            })
    }

    /// The code of checks, each type once. A bindable type can also be read and written.
    private func code(of checks: [(TypeCheck, Syntax)]) -> [String] {
        var asked: Set<String> = []
        return checks.flatMap { check, node in
            asked.insert(check.requirement + check.type).inserted && !check.isWithin(asked)
                ? check.lines(at: node, in: lines) : []
        }
    }

    /// Locates the declaration in the source, if there is a check of its parts.
    mutating func locate(_ declaration: some DeclGroupSyntax, in context: some MacroExpansionContext) {
        let asks = if case .enumeration(let node) = kind { isPolymorphic(node) } else { rows.contains(where: \.hasUnknownType) }
        if asks { lines = SourceLines(of: declaration, in: context) }
    }
}

extension PropertyDeclaration {
    /// The protocol that the property's type must conform to: it depends on whether the property is read, written or both.
    var requirement: String {
        guard adapter == nil else { return "JSONBindable" }
        guard isRead else { return "JSONWritable" }
        return isWritten ? "JSONBindable" : "JSONReadable"
    }
}

#endif
