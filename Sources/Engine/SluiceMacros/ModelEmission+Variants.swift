// Step three for an enum whose cases have associated values: each case is a variant, and the tag shows which one a value is.
#if Macros

import SwiftParser
import SwiftSyntax

extension ModelDeclaration {
    /// Whether a value of the enum is one of several variants, told apart by a tag, and not a raw value.
    func isPolymorphic(_ node: EnumDeclSyntax) -> Bool {
        !isOpenRaw(node) && (tag != nil || node.cases.contains { $0.payload != nil })
    }

    /// Whether the enum is a string: a case `unknown(String)` keeps strings that are no other case, and only that case has a value.
    func isOpenRaw(_ node: EnumDeclSyntax) -> Bool {
        let cases = node.cases
        return tag == nil && cases.contains(where: \.isUnknownString)
            && cases.allSatisfy { $0.isUnknownString || $0.payload == nil }
    }

    /// The members that read and write an enum with a case `unknown(String)`.
    func openRawMembers(of node: EnumDeclSyntax) -> [String] {
        let known = node.cases.filter { !$0.isUnknownString }
        let label = node.cases.first(where: \.isUnknownString)?.label.map { "\($0): " } ?? ""
        let names = known.map(\.tag).joined(separator: ", ")
        return [
            lines("\(access)static var _jsonCases: [Any] { [\(names)] }"),
            lines(
                "\(access)init?(jsonScalar scalar: SluiceCore.JSONScalar) {",
                "    guard let raw = Swift.String(jsonScalar: scalar) else { return nil }", "    switch raw {",
                known.map { "    case \($0.tag): self = .\($0.source)" }, "    default: self = .unknown(\(label)raw)", "    }",
                "}"),
            lines(
                "\(access)func write(to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {", "    switch self {",
                known.map { "    case .\($0.source): writer.write(\($0.tag))" }, "    case .unknown(let raw): writer.write(raw)",
                "    }", "}"),
        ]
    }

    /// The cases of an enum of raw values, which errors and schemas list.
    func rawCases(of node: EnumDeclSyntax) -> [String] {
        let members = node.memberBlock.members.map(\.decl)
        // A case inside `#if` or with a limited availability may not be there to be named.
        let isPlain = members.allSatisfy { member in
            !member.is(IfConfigDeclSyntax.self)
                && member.as(EnumCaseDeclSyntax.self)?.attributes.contains {
                    $0.as(AttributeSyntax.self)?.isMarker("available") ?? true
                } != true
        }
        guard isPlain, node.hasKeyValues, !node.cases.isEmpty else { return [] }
        let cases = node.cases.map { "Self.\($0.source)" }.joined(separator: ", ")
        return [lines("\(access)static var _jsonCases: [Any] { [\(cases)] }")]
    }

    /// The members with the table of variants, and with the code that writes each.
    func variants(of node: EnumDeclSyntax) -> [String] {
        guard !isStandIn else { return variantsStandIn }
        let type = name.text
        let tag = self.tag?.expression.trimmedText ?? ".external"
        let calls = node.cases.map { element -> String in
            let made = "\(type).\(element.source)"
            if element.isUnknown {
                return "    .unknown { \(element.unknownTag ?? "_"), value in \(element.unknownMaking(type)) }"
            }
            guard let payload = element.payload else { return "    .variant(\(element.tag)) { \(made) }" }
            let label = element.label.map { "\($0): " } ?? ""
            let isKnown = element.parameters.last.map { TypeCheck.all(of: $0.type).isEmpty } ?? true
            return "    .\(isKnown ? "variant" : "_variant")(\(element.tag), (\(payload)).self) { \(made)(\(label)$0) }"
        }
        let builder = ["SluiceCore.JSONVariants<\(type)>(by: \(tag))"] + calls
        // A property cannot have a `where` clause. So this is a function, which the property in the conditional extension calls.
        let declaration = bindableClause.isEmpty ? "static var jsonVariants:" : "static func _jsonVariants() ->"
        let table =
            mayBeGeneric
            ? lines(
                "\(access)\(memberIsolation)\(declaration) SluiceCore.JSONVariants<\(type)>\(bindableClause) {",
                "    ._made(for: Self.self) {", builder.map { "        " + $0 }, "    }", "}")
            : lines("\(access)\(memberIsolation)static let jsonVariants = \(builder[0])", Array(builder.dropFirst()))
        let cases = node.cases.map { element -> String in
            if element.isUnknown {
                let pattern = element.unknownTag == nil ? "let value" : "_, let value"
                return "    case .\(element.source)(\(pattern)): try Self.jsonVariants._writeUnknown(value, to: &writer)"
            }
            guard element.payload != nil else {
                return "    case .\(element.source): try Self.jsonVariants._write(\(element.tag), to: &writer)"
            }
            return "    case .\(element.source)(let value): try Self.jsonVariants._write(\(element.tag), value, to: &writer)"
        }
        let writing = lines(
            "\(access)\(memberIsolation)func _write(to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError)\(bindableClause) {",
            typeChecks(of: node), "    switch self {",
            cases, "    }", "}")
        return [table, writing]
    }
}

extension ModelDeclaration {
    private var variantsStandIn: [String] {
        [
            lines(
                "\(access)\(memberIsolation)static var jsonVariants: SluiceCore.JSONVariants<\(name.text)> {",
                "    .init(by: .external)", "}"),
            lines(
                "\(access)\(memberIsolation)func _write(to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {",
                "}"),
        ]
    }

    /// The variants of a generic enum whose conformance requires bindable parameters.
    var variantsOfGeneric: String {
        lines("\(access)static var jsonVariants: SluiceCore.JSONVariants<Self> { _jsonVariants() }")
    }
}

/// One case of an enum, with the attributes of its declaration.
struct CaseDeclaration {
    let element: EnumCaseElementSyntax
    /// The `@JSONKey` of the declaration, which may have several cases.
    let keyAttribute: KeyAttribute?
    let isDeprecated: Bool

    var source: String { element.name.text }

    /// The tag's value as a literal.
    var tag: String { key?.trimmedText ?? element.name.unquoted.literal }

    /// The tag's value itself.
    var tagValue: String { key?.as(StringLiteralExprSyntax.self)?.representedLiteralValue ?? element.name.unquoted }

    private var key: ExprSyntax? { keyAttribute?.keys.first?.argument.expression }

    var parameters: [EnumCaseParameterSyntax] { Array(element.parameterClause?.parameters ?? []) }

    /// The type of the associated value; nil for a case without one.
    var payload: String? { parameters.last?.type.trimmedText }

    var label: String? { parameters.last?.firstName.flatMap { $0.tokenKind == .wildcard ? nil : $0.text } }

    /// Whether this is `case unknown(RawJSON)` or `case unknown(String?, RawJSON)`, which take values that fit no other case.
    var isUnknown: Bool {
        source == "unknown" && parameters.last?.type.as(IdentifierTypeSyntax.self)?.name.text == "RawJSON"
    }

    /// Whether this is `case unknown(String)`, which takes all strings that are no other case.
    var isUnknownString: Bool {
        source == "unknown" && parameters.count == 1
            && ["String", "Swift.String"].contains(parameters.first?.type.trimmedText)
    }

    /// The closure's name for the tag; nil if the case does not keep the tag.
    var unknownTag: String? { parameters.count == 2 ? "tag" : nil }

    func unknownMaking(_ type: String) -> String {
        let arguments = zip(parameters, unknownTag == nil ? ["value"] : ["tag", "value"]).map { parameter, value in
            (parameter.firstName.map { $0.tokenKind == .wildcard ? "" : "\($0.text): " } ?? "") + value
        }
        return "\(type).\(source)(\(arguments.joined(separator: ", ")))"
    }
}

extension EnumDeclSyntax {
    /// Whether the raw values are known to be keys of a dictionary: strings or integers.
    var hasKeyValues: Bool {
        let names: Set = [
            "String", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
        ]
        return inheritanceClause?.inheritedTypes.first.map { names.contains($0.type.lastComponent) } ?? false
    }

    /// All cases, in order.
    var cases: [CaseDeclaration] {
        memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }.flatMap { declaration in
            let attributes = declaration.attributes.compactMap { $0.as(AttributeSyntax.self) }
            let key = attributes.first { $0.isMarker("JSONKey") }.map(KeyAttribute.init)
            let isDeprecated = declaration.attributes.areDeprecated
            return declaration.elements.map { CaseDeclaration(element: $0, keyAttribute: key, isDeprecated: isDeprecated) }
        }
    }
}

#endif
