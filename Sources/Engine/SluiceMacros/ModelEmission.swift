// Step three of three: a checked `ModelDeclaration` goes in, and source text comes out. The members that name the user's types (the
// draft and the description) go into the body of the type, where a name means the same as at the property: an extension of a nested
// type does not see the names around it. Everything else goes into the extension. Above all `init`: in the body of a struct it would
// remove the memberwise initialiser.
#if Macros

import SwiftSyntax

extension ModelDeclaration {
    /// The name of the generated struct that collects the values read.
    static let draftName = "JSONDraft"

    /// The members for the body of the type.
    func bodyMembers() -> [String] {
        guard isStandIn, actor != nil else { return ownMembers() }
        // The code of a stand-in uses no property, so it need not be isolated to the actor.
        return ownMembers().map { member in
            member.contains("nonisolated ") || member == "init() {}" ? member : "nonisolated " + member
        }
    }

    private func ownMembers() -> [String] {
        switch kind {
        case .structure:
            [draft] + quiet([description] + writingOfAdapters)
        case .finalClass:
            // A designated initialiser cannot live in an extension, and one in the body removes the implicit `init()`.
            [draft]
                + quiet(
                    [description, initialiser(where: bindableClause)] + writingOfAdapters
                        // Key paths need the type with its arguments, which only the body of a generic class can name.
                        + (mayBeGeneric ? [keyPaths(of: nameWithArguments)] : []))
                + (hasImplicitInit ? ["init() {}"] : [])
        case .baseClass(let node):
            hierarchyMembers(of: node)
        case .enumeration(let node) where isPolymorphic(node):
            quiet(variants(of: node))
        case .openClass:
            openStandIn
        case .enumeration, .unsupported:
            []
        }
    }

    /// Marks the members as deprecated if a property or a case is. Then the compiler does not warn where they use it; nobody calls them by
    /// name, so nobody is warned of them. But a subclass calls those of its superclass, of which it does not know whether they are marked.
    func quiet(_ members: [String]) -> [String] { isDeprecated ? members.map { "@available(*, deprecated)\n" + $0 } : members }

    private var isDeprecated: Bool {
        if superclass != nil { return true }
        let cases = if case .enumeration(let node) = kind { node.cases } else { [CaseDeclaration]() }
        return properties.contains { $0.variable.attributes.areDeprecated } || cases.contains(where: \.isDeprecated)
    }

    /// The statement that throws in a stand-in, in place of the assignments; empty otherwise.
    var standInThrow: [String] { isStandIn ? ["    throw SluiceCore.JSONError._missing"] : [] }

    /// The stand-in's members for a class that should have been final or marked `@JSONBaseClass`. It has every conformance that
    /// `@JSONModel` may add, because the compiler (6.3.1) fails with an assertion at a subclass of a class that has fewer.
    private var openStandIn: [String] {
        guard isStandIn else { return [] }
        let draft = "\(name.text).\(Self.draftName)"
        return [
            self.draft, description,
            lines(
                "\(access)class var _jsonTable: SluiceCore.PropertyTable { SluiceCore.PropertyTable._compiled(for: Self.self) }"),
            lines(
                "\(access)class func _bind(_ compiler: inout SluiceCore._BindingCompiler) -> SluiceCore._Binding {",
                "    compiler.model(\(name.text).self, draft: \(draft).self) { _ in }", "}"),
            lines("\(access)required init(_jsonDraft \(parameters)) throws(SluiceCore.JSONError) {", standInThrow, "}"),
            lines("\(access)required init?(jsonScalar scalar: SluiceCore.JSONScalar) {", "    return nil", "}"),
            lines("\(access)class var jsonVariants: SluiceCore.JSONVariants<\(name.text)> { .init(by: .external) }"),
            lines("\(access)func write(to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {", "}"),
            lines("\(access)func _write(to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {", "}"),
            lines(
                "\(access)class func _bind(_ captured: SluiceCore._CapturedValue, at destination: SluiceCore._Destination) throws(SluiceCore.JSONError) -> SluiceCore._CapturedValue.Outcome {",
                "    .unbound", "}"),
            lines(
                "\(access)class func _store(_ scalar: SluiceCore.JSONScalar, at destination: SluiceCore._Destination) throws(SluiceCore.JSONError) -> Swift.Bool {",
                "    false", "}"),
            lines("\(access)\(Self.writingFunction) {", "}"),
        ] + (hasImplicitInit ? ["init() {}"] : [])
    }

    /// The extension with the conformances that the compiler asks for: those that the type does not declare itself. Nil if there is nothing
    /// to add.
    func conformance(of type: String, to protocols: [TypeSyntax]) -> String? {
        let members: [String]
        var conformances = ["JSONBindable", "_ReadableModel", "JSONModel"] + (isCodable ? ["JSONCodableModel"] : [])
        switch kind {
        case .structure where isInPlace:
            members = [table(of: type)] + quiet(plainWriting + [keyPaths(of: "Self")])
        case .structure:
            members = [table(of: type)] + quiet(structInitialisers + plainWriting + [drafting] + keeping + [keyPaths(of: "Self")])
        case .finalClass:
            // An object that is updated stays the same object, so there is nothing to keep.
            members = [table(of: type)] + quiet(plainWriting + [drafting] + (mayBeGeneric ? [] : [keyPaths(of: type)]))
        case .enumeration(let node) where isPolymorphic(node):
            members = bindableClause.isEmpty || isStandIn ? [] : quiet([variantsOfGeneric])
            conformances = ["JSONBindable", "JSONPolymorphic"]
        case .enumeration(let node):
            members = isStandIn ? scalarStandIn : isOpenRaw(node) ? quiet(openRawMembers(of: node)) : rawCases(of: node)
            conformances = ["JSONBindable", "JSONScalarBindable"]
        case .openClass where isStandIn:
            members = []
            conformances = ["JSONBindable", "_ReadableModel", "JSONModel", "JSONScalarBindable", "JSONPolymorphic"]
        case .baseClass:
            members = []
            conformances = ["JSONBindable", "_ReadableModel", "JSONModel"]
        case .openClass, .unsupported:
            return nil
        }
        // A conditional conformance does not imply the protocols that it refines, so all are written.
        let asked = protocols.map(\.lastComponent)
        let names = conformances.flatMap { $0.halves(askedFor: asked) }.map { "SluiceCore." + $0 }
        guard !(names.isEmpty && members.isEmpty) else { return nil }
        let header =
            "\(isolation)extension \(type)" + (names.isEmpty ? "" : ": " + names.joined(separator: ", "))
            + bindableClause
        return members.isEmpty ? "\(header) {}" : "\(header) {\n\(members.map(\.indented).joined(separator: "\n\n"))\n}"
    }
}

extension ModelDeclaration {
    /// The stand-in's members for an enum that has no raw value to read and write.
    private var scalarStandIn: [String] {
        [
            lines("\(access)init?(jsonScalar scalar: SluiceCore.JSONScalar) {", "    return nil", "}"),
            lines("\(access)func write(to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {", "}"),
        ]
    }
}

// MARK: - The members one by one

extension ModelDeclaration {
    private var draft: String {
        if isInPlace { return "\(access)typealias \(Self.draftName) = SluiceCore._InPlace<Self>" }
        return draftType()
    }

    /// - Parameter inherited: The field for the draft of a superclass.
    func draftType(_ inherited: [String] = []) -> String {
        let fields = rows.filter(\.isRead).map { property in
            "    fileprivate var \(property.source): Swift.Optional<\(property.draftTypeName(in: name))> = nil"
        }
        return lines(
            "\(access)\(isolation)struct \(Self.draftName): SluiceCore._JSONModelDraft {", inherited, fields, observedFields,
            "    \(access)init() {}", "}")
    }

    private var description: String {
        let parameter = "_ model: inout SluiceCore._ModelDescription<\(Self.draftName)>"
        return lines(
            "\(access)\(memberIsolation)static func _describeJSON(\(parameter))\(bindableClause) {",
            settings, typeChecks,
            (isInPlace ? callsInPlace : rows.flatMap { $0.inlining($0.describingCall(in: name)) }).map { "    " + $0 },
            observedCalls { "\\\(Self.draftName).\($0)" }, "}")
    }

    /// The statements that set the model's options; they apply to the properties described after them.
    var settings: [String] {
        let strategy = keyStrategy.map { ["    model.keyStrategy = \($0.expression.trimmedText)"] } ?? []
        let form = layout.map { ["    model.layout = \($0.expression.trimmedText)"] } ?? []
        let rule = unknownKeys.map { ["    model.unknownKeys = \($0.expression.trimmedText)"] } ?? []
        let reason = draftReason.map { ["    model._draftReason = \($0.literal)"] } ?? []
        let words = summary.map { ["    model.summary = \($0.literal)"] } ?? []
        return reason + words + strategy + form + rule
            + (policy.isEmpty ? [] : ["    model.policy = .init(\(policy.joined(separator: ", ")))"])
    }

    /// The draft's fields for the keys in `observe:`, which the model's hook may ask for.
    var observedFields: [String] {
        observed.indices.map { "    fileprivate var _observed\($0): Swift.Optional<SluiceCore.JSONValue> = nil" }
    }

    func observedCalls(_ field: (String) -> String) -> [String] {
        observed.enumerated().map { "    model.observed(\($1), \(field("_observed\($0)")))" }
    }

    /// The function that makes the draft with which an update begins.
    private var drafting: String {
        let read = rows.filter(\.isRead)
        let assignments = read.map { "    draft.\($0.source) = self.\($0.source)\($0.isCollector ? "._collected" : "")" }
        return lines(
            "\(access)func _makeDraft() -> \(Self.draftName)? {",
            "    \(read.isEmpty ? "let" : "var") draft = \(Self.draftName)()",
            assignments, "    return draft", "}")
    }

    /// The function by which an update of a struct keeps the values that are not read; empty if all are read. It starts from a copy of the
    /// old value. A copy also keeps what has no name here: a lazy value, an object that is gone, storage inside `#if`. The values that were
    /// read are assigned in an initialiser, where no observer is called. Wrapped properties are assigned after that: in the initialiser, the
    /// compiler would take the assignment for the wrapper's initialisation, and leak the wrapper of the copy.
    private var keeping: [String] {
        guard properties.contains(where: { !$0.isRead }) || otherMacro != nil else { return [] }
        let read = rows.filter(\.isRead)
        return [
            lines(
                "\(access)mutating func _keepUnread(of old: Self) {", "    let new = self",
                "    self = Self(_keeping: old, readFrom: new)",
                read.filter { $0.foreignAttribute != nil }.map { $0.taking(from: "new") }, "}"),
            lines(
                "private init(_keeping old: Self, readFrom new: Self) {", "    self.init(_sameAs: old)",
                read.filter { $0.foreignAttribute == nil }.map { $0.taking(from: "new") }, "}"),
        ]
    }

    /// The function that returns the key path of a slot's property.
    private func keyPaths(of type: String) -> String {
        slotSwitch("\(access)static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath?", otherwise: "return nil") {
            "return \\\(type).\($0.source)"
        }
    }

    /// A function with a case for the slot of each property.
    ///
    /// - Parameter parent: The superclass that has the first slots, if there is one.
    func slotSwitch(
        _ declaration: String, after parent: String? = nil, otherwise: String, _ statement: (PropertyDeclaration) -> String
    ) -> String {
        lines(
            declaration + " {", "    switch \(parent.map { "slot - \($0)._jsonTable._slotCount" } ?? "slot") {",
            rows.enumerated().map { "    case \($0): \(statement($1))" }, "    default: \(otherwise)", "    }", "}")
    }

    private func table(of type: String) -> String {
        mayBeGeneric
            ? lines(
                "\(access)static var _jsonTable: SluiceCore.PropertyTable {",
                "    SluiceCore.PropertyTable._compiled(for: Self.self)", "}")
            : lines("\(access)static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: \(type).self)")
    }

    private func initialiser(where clause: String) -> String {
        let assignments = rows.enumerated().requiredFirst.compactMap { slot, property in
            property.assignment(slot: "\(slot)").map { "    " + $0 }
        }
        return lines(
            "\(access)init(_jsonDraft \(parameters)) throws(SluiceCore.JSONError)\(clause) {", standInThrow, assignments, "}")
    }

    /// The initialisers that make a struct from its draft. If a value can be missing there are two, and only the first one throws. The
    /// reason: `self` is half initialised where an initialiser throws. If there is such an exit, the optimizer copies a large `self` out of
    /// the initialiser, retaining all its strings, and then destroys it; otherwise it moves it.
    private var structInitialisers: [String] {
        let slots = rows.enumerated().filter(\.element.isRead)
        let checks = slots.compactMap { slot, property in property.check(slot: slot).map { "    " + $0 } }
        let moves = slots.requiredFirst.compactMap { slot, property in
            property.assignment(slot: "\(slot)", isChecked: true).map { "    " + $0 }
        }
        let head = "\(access)init(_jsonDraft \(parameters)) throws(SluiceCore.JSONError) {"
        guard !checks.isEmpty else { return [lines(head, standInThrow, moves, "}")] }
        return [
            lines(head, checks, "    self.init(_checkedDraft: &draft, bound: bound)", "}"),
            lines("private init(_checkedDraft \(parameters)) {", moves, "}"),
        ]
    }

    fileprivate var parameters: String { "draft: inout \(Self.draftName), bound: SluiceCore._BoundProperties" }

    /// The function that writes a property, in the extension; empty if it is in the body of the type.
    private var plainWriting: [String] { namesTypesInWriting ? [] : [writing(isolation: "", where: "")] }

    /// The same in the body of the type; empty if it is in the extension.
    private var writingOfAdapters: [String] {
        namesTypesInWriting ? [writing(isolation: memberIsolation, where: bindableClause)] : []
    }

    /// Whether the code that writes properties names their types: those with an adapter.
    private var namesTypesInWriting: Bool { rows.contains { $0.adapter != nil } }

    private func writing(isolation: String, where clause: String) -> String {
        // Properties that are left out of JSON have a case, too: descriptions, copies and archives contain them.
        slotSwitch("\(access)\(isolation)\(Self.writingFunction)\(clause)", otherwise: "break") { $0.writingCall(in: name) }
    }

    static var writingFunction: String {
        "func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError)"
    }

    /// The types that must be bindable: those of the mapped properties, or of the associated values of an enum.
    private var boundTypes: [TypeSyntax] {
        guard case .enumeration(let node) = kind else { return rows.filter(\.bindsItsType).compactMap(\.type?.wrapped) }
        return node.cases.compactMap { $0.parameters.last?.type }
    }

    /// ` where Item: JSONBindable`, one requirement for each open parameter that a bound type mentions.
    var bindableClause: String {
        guard !openParameters.isEmpty else { return "" }
        var requirements: [String] = []
        for type in boundTypes {
            for mention in ParameterMentions.of(openParameters, in: type) where !requirements.contains(mention) {
                requirements.append(mention)
            }
        }
        guard !requirements.isEmpty else { return "" }
        return " where " + requirements.map { "\($0): SluiceCore.JSONBindable" }.joined(separator: ", ")
    }

    func lines(_ parts: any Lines...) -> String {
        parts.flatMap(\.lines).joined(separator: "\n")
    }
}

extension PropertyDeclaration {
    /// The name as written after a dot, with backticks if it has them.
    var source: String { identifier?.text ?? "" }

    /// The statement that copies the property from another model. A constant cannot be assigned.
    fileprivate func taking(from model: String) -> String {
        isLet ? "    self._take(\\.\(source), from: \(model))" : "    self.\(source) = \(model).\(source)"
    }

    /// The type without its optionality, as written inside the draft: `Self` would mean the draft there, so it is replaced.
    func typeName(in model: TokenSyntax) -> String {
        guard let type = type?.wrapped else { return "" }
        let text = type.trimmedText
        return text.contains("Self") ? SelfReplacement(name: model).rewrite(type.trimmed).description : text
    }

    /// The type of the draft's field.
    func draftTypeName(in model: TokenSyntax) -> String { isCollector ? "SluiceCore.JSONObject" : typeName(in: model) }

    /// Whether the type of the property must be bindable.
    var bindsItsType: Bool { adapter != .codable && !isCollector }

    /// `SluiceCore._JSONText<Author>.self`
    func adapterArgument(in model: TokenSyntax) -> String? {
        adapter.map { "by: \($0.typeName)<\(typeName(in: model))>.self" }
    }

    /// `try writer.property(self.pages)`
    func writingCall(in model: TokenSyntax) -> String {
        if isCollector { return "try writer._collected(self.\(source), Self._jsonTable)" }
        if isInlined { return "try writer._inlined(self.\(source))" }
        if let adapter = adapterArgument(in: model) { return "try writer._property(self.\(source), \(adapter))" }
        return "try writer.\(hasUnknownType ? "_property" : "property")(self.\(source))"
    }

    /// `model.property("pages", \JSONDraft.pages, keys: ["p"], presence: .defaulted)`
    func describingCall(in model: TokenSyntax, field: ((String) -> String)? = nil) -> String {
        propertyCall(in: model, field: field) + furtherCalls
    }

    /// Further statements about the property: the column and the constraints of one that is read, and what its comment says.
    var furtherCalls: String {
        let column = isRead ? columnArguments.map { "\n    model.column(\($0))" } : nil
        let constraint = isRead ? constraintArguments.map { "\n    model.constraint(\($0))" } : nil
        return (column ?? "") + (constraint ?? "") + (summary.map { "\n    model.describe(\($0.literal))" } ?? "")
    }

    private func propertyCall(in model: TokenSyntax, field: ((String) -> String)?) -> String {
        var arguments = [name.literal]
        if isCollector {
            return "model._collector(\(arguments[0]), \(field?(source) ?? "\\\(ModelDeclaration.draftName).\(source)"))"
        }
        let adapter = adapterArgument(in: model)
        if let adapter {
            if isRead { arguments.append(field?(source) ?? "\\\(ModelDeclaration.draftName).\(source)") }
            arguments.append(adapter)
        } else if isRead {
            arguments.append(field?(source) ?? "\\\(ModelDeclaration.draftName).\(source)")
        } else {
            let typeName = typeName(in: model)
            let needsParentheses =
                type?.wrapped.is(SomeOrAnyTypeSyntax.self) == true
                || type?.wrapped.is(CompositionTypeSyntax.self) == true
            arguments.append(needsParentheses ? "(\(typeName)).self" : "\(typeName).self")
        }
        if isRead, isWritten, adapter == nil, policy.isEmpty {
            arguments.append("." + (presence ?? "required"))
            if let keys = literalKey.map({ ".literal(\($0))" }) ?? keys {
                arguments.append("keys: [\(keys)]")
            }
            return "model.\(hasUnknownType ? "_unmarkedRow" : "_row")(\(arguments.joined(separator: ", ")))"
        }
        if let keys = literalKey.map({ ".literal(\($0))" }) ?? keys {
            arguments.append("keys: [\(keys)]")
        }
        if let presence {
            arguments.append("presence: .\(presence)")
        }
        if isRead && !isWritten {
            arguments.append("direction: .reading")
        }
        if !policy.isEmpty {
            arguments.append("policy: .init(\(policy.joined(separator: ", ")))")
        }
        return
            "model.\(hasUnknownType || adapter != nil ? "_" : "")\(isRead ? "property" : "writeOnly")(\(arguments.joined(separator: ", ")))"
    }

    /// The source of the literal for a key that is not a path: of `@JSONKey(literal:)` or of `CodingKeys`.
    var literalKey: String? {
        guard let attribute = keyAttributes.first else { return codingKey }
        return attribute.isLiteral ? attribute.keys.first?.argument.expression.trimmedText : nil
    }

    /// The sources of the literals in `@JSONKey`, separated by commas.
    var keys: String? {
        keyAttributes.first.map { $0.keys.map(\.argument.expression.trimmedText).joined(separator: ", ") }
    }

    /// The meaning of an absent key; nil if it is an error. The table needs this to list missing keys and to accept nulls.
    private var presence: String? {
        guard isRead else { return nil }
        if isOptional {
            return "optional"
        }
        return initialValue == nil ? nil : "defaulted"
    }

    /// The statement in the throwing `init` of a struct, before `self` is touched; nil if the value cannot be missing.
    fileprivate func check(slot: Int) -> String? {
        isOptional || initialValue != nil || isCollector ? nil : "try bound.check(draft.\(source), \(slot))"
    }

    /// The statement that moves the property's value from the draft in an `init`; nil if the property is not read.
    ///
    /// - Parameter isChecked: Whether this is a struct, whose values are checked already. There, a property that has a value is swapped with
    ///   the draft's: an assignment would cost the copy of `self` that ``ModelDeclaration/structInitialisers`` describes.
    func assignment(slot: String, isChecked: Bool = false) -> String? {
        guard isRead else { return nil }
        let (own, drafted) = ("self.\(source)", "draft.\(source)")
        if isCollector { return "\(own) = .init(_collected: \(drafted).take())" }
        let (assigning, swapping) = ("\(own) = \(drafted).take()", "Swift.swap(&\(own), &\(drafted))")
        return switch (isOptional, initialValue != nil) {
        case (false, false) where isChecked: "\(own) = bound.checked(\(drafted).take())"
        case (false, false): "\(own) = try bound.required(\(drafted).take(), \(slot))"
        case (false, true) where isChecked: "if var value = \(drafted).take() { Swift.swap(&\(own), &value) }"
        case (false, true): "if let value = \(drafted).take() { \(own) = value }"
        case (true, false): isChecked && isInitialised ? swapping : assigning
        // An absent key keeps the initial value, an explicit null sets nil: the draft alone cannot tell them apart.
        case (true, true): "if bound.contains(\(slot)) { \(isChecked ? swapping : assigning) }"
        }
    }
}

private final class SelfReplacement: SyntaxRewriter {
    private let name: TokenSyntax

    init(name: TokenSyntax) {
        self.name = name
    }

    override func visit(_ node: IdentifierTypeSyntax) -> TypeSyntax {
        guard node.name.tokenKind == .keyword(.Self) else { return super.visit(node) }
        return TypeSyntax(node.with(\.name.tokenKind, name.tokenKind))
    }
}

/// Finds generic parameters, and their associated types, in the type of a property.
private final class ParameterMentions: SyntaxVisitor {
    private let parameters: Set<String>
    private var mentions: [String] = []

    private init(_ parameters: Set<String>) {
        self.parameters = parameters
        super.init(viewMode: .sourceAccurate)
    }

    static func of(_ parameters: Set<String>, in type: TypeSyntax) -> [String] {
        let visitor = ParameterMentions(parameters)
        visitor.walk(type)
        return visitor.mentions
    }

    override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
        if parameters.contains(node.name.text) {
            mentions.append(node.name.text)
        }
        return .visitChildren
    }

    override func visit(_ node: MemberTypeSyntax) -> SyntaxVisitorContinueKind {
        var root = node.baseType
        while let member = root.as(MemberTypeSyntax.self) {
            root = member.baseType
        }
        // `Item.ID` must be bindable; `Item` itself need not be.
        guard let name = root.as(IdentifierTypeSyntax.self)?.name.text, parameters.contains(name) else {
            return .visitChildren
        }
        mentions.append(node.trimmedText)
        return .skipChildren
    }
}

extension Sequence<(offset: Int, element: PropertyDeclaration)> {
    /// The properties without an initial value come first: a property with a wrapper or a macro is set by a call, and before that all
    /// other properties must be initialised.
    var requiredFirst: [Element] { filter { !$0.element.isInitialised } + filter(\.element.isInitialised) }
}

/// One line or several, so that the code that emits a declaration looks like the declaration.
protocol Lines {
    var lines: [String] { get }
}

extension String: Lines {
    var lines: [String] { [self] }
}

extension [String]: Lines {
    var lines: [String] { self }
}

extension String {
    /// The text, indented by one more level.
    fileprivate var indented: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n")
    }

    /// The protocol's name if the compiler asks for it. A `…Bindable` protocol stands for two: the result is its own name if the compiler
    /// asks for both, otherwise the one that it asks for.
    fileprivate func halves(askedFor asked: [String]) -> [String] {
        guard hasSuffix("Bindable") else { return asked.contains(self) ? [self] : [] }
        let halves = [replacing("Bindable", with: "Readable"), replacing("Bindable", with: "Writable")].filter(asked.contains)
        return halves.count == 2 ? [self] : halves
    }
}

#endif
