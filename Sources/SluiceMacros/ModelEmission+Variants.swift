// Step three for an enum whose cases hold values: each case is a variant, told from the others by the tag.
#if Macros

import SwiftSyntax

extension ModelDeclaration {
    /// Whether the enum is made of one of several types, and not of a raw value.
    func isPolymorphic(_ node: EnumDeclSyntax) -> Bool {
        !isOpenRaw(node) && (tag != nil || node.cases.contains { $0.payload != nil })
    }

    /// Whether the enum is made of a string, of which a case `unknown(String)` keeps those that no other case has.
    func isOpenRaw(_ node: EnumDeclSyntax) -> Bool {
        let cases = node.cases
        return tag == nil && cases.contains(where: \.isUnknownString)
            && cases.allSatisfy { $0.isUnknownString || $0.payload == nil }
    }

    /// How such an enum is read and written.
    func openRawMembers(of node: EnumDeclSyntax) -> [String] {
        let known = node.cases.filter { !$0.isUnknownString }
        let label = node.cases.first(where: \.isUnknownString)?.label.map { "\($0): " } ?? ""
        return [
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

    /// The variants, and how each is written.
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
        // A property cannot have requirements of its own, so the extension that has them asks a function.
        let table =
            !bindableClause.isEmpty
            ? lines(
                "\(access)\(memberIsolation)static func _jsonVariants() -> SluiceCore.JSONVariants<\(type)>\(bindableClause) {",
                builder.map { "    " + $0 }, "}")
            : isGeneric
                ? lines(
                    "\(access)\(memberIsolation)static var jsonVariants: SluiceCore.JSONVariants<\(type)> {",
                    builder.map { "    " + $0 }, "}")
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

    /// The variants of an enum whose parameters are bindable only where its conformance says so.
    var variantsOfGeneric: String {
        lines("\(access)static var jsonVariants: SluiceCore.JSONVariants<Self> { _jsonVariants() }")
    }
}

/// One case of an enum, with the attributes of its declaration.
struct CaseDeclaration {
    let element: EnumCaseElementSyntax
    /// The literal of `@JSONKey` on the case.
    let key: String?

    var source: String { element.name.text }

    /// The tag's value as a literal.
    var tag: String { key ?? element.name.unquoted.literal }

    var parameters: [EnumCaseParameterSyntax] { Array(element.parameterClause?.parameters ?? []) }

    /// The type of the one value.
    var payload: String? { parameters.last?.type.trimmedText }

    var label: String? { parameters.last?.firstName.flatMap { $0.tokenKind == .wildcard ? nil : $0.text } }

    /// `case unknown(RawJSON)` and `case unknown(String?, RawJSON)` take what no other case does.
    var isUnknown: Bool {
        source == "unknown" && parameters.last?.type.as(IdentifierTypeSyntax.self)?.name.text == "RawJSON"
    }

    /// `case unknown(String)`, which takes any other string.
    var isUnknownString: Bool {
        source == "unknown" && parameters.count == 1
            && ["String", "Swift.String"].contains(parameters.first?.type.trimmedText)
    }

    /// What the closure calls the tag, where the case keeps it.
    var unknownTag: String? { parameters.count == 2 ? "tag" : nil }

    func unknownMaking(_ type: String) -> String {
        let arguments = zip(parameters, unknownTag == nil ? ["value"] : ["tag", "value"]).map { parameter, value in
            (parameter.firstName.map { $0.tokenKind == .wildcard ? "" : "\($0.text): " } ?? "") + value
        }
        return "\(type).\(source)(\(arguments.joined(separator: ", ")))"
    }
}

extension EnumDeclSyntax {
    /// All cases, in order.
    var cases: [CaseDeclaration] {
        memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }.flatMap { declaration in
            let attributes = declaration.attributes.compactMap { $0.as(AttributeSyntax.self) }
            let key = attributes.first { $0.isMarker("JSONKey") }?.labeledArguments.first?.expression.trimmedText
            return declaration.elements.map { CaseDeclaration(element: $0, key: key) }
        }
    }
}

#endif
