// Step one of three: the syntax of a type goes in, and a `ModelDeclaration` comes out. It holds plain facts, which the next two steps
// check and print. Parsing never fails: a missing part is nil, and a wrong one is kept as the node to report.
#if Macros

import SwiftSyntax

/// The facts about a type marked `@JSONModel` that binding it to JSON needs.
struct ModelDeclaration {
    enum Kind {
        case structure
        case finalClass
        /// A class marked `@JSONBaseClass` or `@JSONSubclass`.
        case baseClass(ClassDeclSyntax)
        /// A class that is neither final nor marked `@JSONBaseClass` or `@JSONSubclass`.
        case openClass(ClassDeclSyntax)
        case enumeration(EnumDeclSyntax)
        /// Anything else, with the words that name it in a message ("an actor").
        case unsupported(String)
    }

    let attribute: AttributeSyntax
    let kind: Kind
    /// The type's own name.
    let name: TokenSyntax
    /// `"public "`, `"package "`, `"@usableFromInline "` or empty: the access that the witnesses of a conformance need.
    let access: String
    /// `"nonisolated "` or empty, for generated code. If a module is isolated to an actor by default, only this word frees that code, too.
    private(set) var isolation: String
    /// The same for members in the body of the type, which have the type's own isolation anyway.
    let memberIsolation: String
    /// `@MainActor` on the type, or another actor.
    let actor: AttributeSyntax?
    /// The name of another macro on the type, which may add stored properties.
    let otherMacro: String?
    /// Whether the type, or a type around it, has generic parameters.
    let isGeneric: Bool
    /// Whether it may have some: an extension does not show whether the type that it extends is generic. A generic type cannot hold a
    /// stored static.
    let mayBeGeneric: Bool
    /// The type's name with its own generic parameters as arguments, as the body of the type may use it: `Box<Item>`.
    let nameWithArguments: String
    /// Whether a type around it has generic parameters, or may have some.
    let isNested: Bool
    /// The generic parameters of the type, and of the types around it.
    let genericParameters: Set<String>
    /// Those that are not known to be bindable.
    let openParameters: Set<String>
    /// The argument of `@JSONModel(keys:)`.
    private(set) var keyStrategy: LabeledExprSyntax?
    /// The argument of `@JSONModel(layout:)`.
    private(set) var layout: LabeledExprSyntax?
    /// The argument of `@JSONModel(unknownKeys:)`.
    private(set) var unknownKeys: LabeledExprSyntax?
    /// Whether the attribute has the argument `codable: true`.
    let isCodable: Bool
    /// The values of `@JSONModel(conversions:null:mismatch:elements:)`, as arguments of a `JSONPropertyPolicy`.
    private(set) var policy: [String]
    /// The keys of `@JSONModel(observe:)`, as literals.
    private(set) var observed: [String]
    /// The argument of `@JSONModel(tag:)`.
    let tag: LabeledExprSyntax?
    /// The type of `@JSONSubclass(of:)`, as it is written.
    private(set) var superclass: String?
    /// The names in `@JSONModel(only:)` and `(except:)`.
    let selection: Selection
    /// Every stored instance property, in source order, ignored ones included.
    private(set) var properties: [PropertyDeclaration]
    /// The keys that the type declares for Codable.
    let codingKeys: CodingKeysDeclaration?
    /// The type's own code for Codable: `init(from:)` and `encode(to:)`.
    let codableCode: [DeclSyntax]
    /// The member that already has the name of the generated draft.
    let existingDraft: DeclSyntax?
    /// `private` types declared inside the model, by name.
    let privateTypes: [String: DeclModifierSyntax]
    /// The `private` of a type inside another type, where no extension can reach it.
    let unreachable: DeclModifierSyntax?
    /// Whether the type, or a type around it, has a parameter pack.
    let hasParameterPack: Bool
    /// `~Copyable` in the inheritance clause.
    let noncopyable: InheritedTypeSyntax?
    /// The inheritance clause, as in the source.
    let inheritanceClause: InheritanceClauseSyntax?
    /// The first paragraph of the comment before the type.
    let summary: String?
    /// Whether a class inherits its conformance from a superclass.
    let inheritsModel: Bool
    /// Whether this is a stand-in: only the conformance is emitted, and no property, so that the compiler does not report it as missing.
    private(set) var isStandIn = false
    /// The source lines of properties and cases; nil if they are not needed.
    var lines: SourceLines?
    /// Whether a class has the implicit `init()`, which any generated initialiser in its body would remove.
    let hasImplicitInit: Bool
    /// Whether a subclass would inherit the initialisers of its superclass if none were generated in its body.
    let inheritsInits: Bool

    /// The properties that have a row in the table; a property's index here is its slot.
    var rows: [PropertyDeclaration] { properties.filter(\.isMapped) }

    /// - Parameter protocols: The protocols that the type does not conform to yet.
    init(
        _ declaration: some DeclGroupSyntax, attribute: AttributeSyntax, conformingTo protocols: [TypeSyntax], context: [Syntax]
    ) {
        self.attribute = attribute
        inheritsModel =
            declaration.is(ClassDeclSyntax.self) && !protocols.contains { $0.lastComponent == "JSONModel" }
            && !(declaration.inheritanceClause?.inheritedTypes ?? []).contains { $0.type.lastComponent == "JSONModel" }
        inheritanceClause = declaration.inheritanceClause
        summary = declaration.summary
        kind = Kind(declaration, isInHierarchy: !attribute.isMarker("JSONModel"))
        name = declaration.declaredName ?? .identifier("")

        let enclosing = context.surrounding(declaration)
        access = Self.access(of: declaration, in: enclosing.first)
        let attributes = declaration.attributes.compactMap { $0.as(AttributeSyntax.self) }
        let foreign = attributes.filter { $0.isForeign && !$0.isMarker("JSONModel") }
        actor = foreign.first(where: \.isActor)
        otherMacro = foreign.first { !$0.isActor }?.attributeName.trimmedText
        // The values of a struct that is isolated to an actor may be used anywhere, but code that does so must be marked nonisolated. Any
        // attribute may be an actor; where it is none, the word changes nothing.
        let isIsolatedValue = (actor != nil || otherMacro != nil) && !declaration.is(ClassDeclSyntax.self)
        isolation = declaration.modifiers.contains(.nonisolated) || isIsolatedValue ? "nonisolated " : ""
        memberIsolation = isIsolatedValue ? "nonisolated " : ""
        unreachable = enclosing.isEmpty ? nil : declaration.modifiers.first { $0.name.tokenKind == .keyword(.private) }

        noncopyable = declaration.inheritanceClause?.inheritedTypes.first {
            $0.type.as(SuppressedTypeSyntax.self)?.type.lastComponent == "Copyable"
        }

        nameWithArguments = name.text + (GenericClauses(declaration).arguments.map { "<\($0)>" } ?? "")
        var clauses = [GenericClauses(declaration)]
        clauses += enclosing.map(GenericClauses.init)
        isGeneric = clauses.contains(where: \.isGeneric)
        isNested = clauses.dropFirst().contains(where: \.isGeneric) || enclosing.contains { $0.is(ExtensionDeclSyntax.self) }
        mayBeGeneric = isGeneric || isNested
        hasParameterPack = clauses.contains(where: \.hasParameterPack)
        genericParameters = clauses.reduce(into: []) { $0.formUnion($1.parameters) }
        openParameters = clauses.reduce(into: []) { $0.formUnion($1.openParameters) }

        keyStrategy = attribute.argument("keys")
        layout = attribute.argument("layout")
        unknownKeys = attribute.argument("unknownKeys")
        isCodable =
            attribute.argument("codable")?.expression.as(BooleanLiteralExprSyntax.self)?.literal.tokenKind == .keyword(.true)
        tag = attribute.argument("tag")
        let labels = [("conversions", "conversions"), ("null", "nulls"), ("mismatch", "mismatch"), ("elements", "elements")]
        policy = labels.compactMap { written, label in
            attribute.argument(written).map { "\(label): \($0.expression.trimmedText)" }
        }
        superclass = attribute.argument("of").flatMap {
            let type = $0.expression.as(MemberAccessExprSyntax.self)
            return type?.declName.baseName.text == "self" ? type?.base?.trimmedText : nil
        }
        observed = attribute.literals(of: "observe") ?? []
        let selection = Selection(attribute)
        self.selection = selection

        let collecting = unknownKeys?.collectingName?.plainText
        var members = MemberScan()
        members.scan(declaration.memberBlock.members, insideIfConfig: false)
        codingKeys = members.codingKeys
        codableCode = members.codableCode
        properties = members.properties.map { property in
            var property = property.keyed(by: members.codingKeys)
            if !selection.contains(property.name) { property.ignored = .both }
            if property.name == collecting {
                property.isCollector = true
                property.ignored = .nothing
            }
            return property
        }
        existingDraft = members.existingDraft
        privateTypes = members.privateTypes
        inheritsInits =
            declaration.is(ClassDeclSyntax.self) && !members.hasInit && members.properties.allSatisfy { $0.isInitialised }
        hasImplicitInit =
            declaration.is(ClassDeclSyntax.self) && !members.hasInit && declaration.inheritsOnlyKnownProtocols
            && members.properties.allSatisfy { $0.isInitialised }
    }

    /// A model to emit in place of one with an error, so that no further errors follow from it; nil if nothing can be emitted.
    var standIn: ModelDeclaration? {
        guard unreachable == nil, noncopyable == nil, existingDraft == nil else { return nil }
        var standIn = self
        switch kind {
        case .unsupported: return nil
        case .finalClass where inheritsModel, .openClass where inheritsModel: return nil
        case .baseClass where isGeneric || inheritsModel && superclass == nil: return nil
        case .baseClass(let node) where superclass != nil:
            guard let first = node.inheritanceClause?.inheritedTypes.first else { return nil }
            standIn.superclass = first.type.trimmedText
        default: break
        }
        standIn.isStandIn = true
        if actor != nil { standIn.isolation = "nonisolated " }
        standIn.properties = []
        (standIn.keyStrategy, standIn.layout, standIn.policy, standIn.observed) = (nil, nil, [], [])
        standIn.unknownKeys = nil
        return standIn
    }

    private static func access(of declaration: some DeclGroupSyntax, in enclosing: Syntax?) -> String {
        if let own = declaration.modifiers.accessKeyword {
            return own
        }
        let attributes = declaration.attributes.lazy.compactMap { $0.as(AttributeSyntax.self) }
        if attributes.contains(where: { $0.isMarker("usableFromInline") }) { return "@usableFromInline " }
        // `public extension Outer { struct Inner … }` makes Inner public without a modifier of its own.
        return enclosing?.as(ExtensionDeclSyntax.self)?.modifiers.accessKeyword ?? ""
    }
}

extension LabeledExprSyntax {
    /// The name in `.collect(into: "rest")`; nil for other arguments.
    var collectingName: StringLiteralExprSyntax? {
        guard let call = expression.as(FunctionCallExprSyntax.self),
            call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "collect"
        else { return nil }
        return call.arguments.first?.expression.as(StringLiteralExprSyntax.self)
    }
}

/// The names of the properties that take part, from `only:` and `except:`.
struct Selection {
    let only: [String]?
    let except: [String]?
    /// All names, as nodes of the source.
    let literals: [StringLiteralExprSyntax]
    /// An argument that is not an array of string literals.
    let unreadable: LabeledExprSyntax?

    init(_ attribute: AttributeSyntax) {
        only = attribute.names(of: "only")
        except = attribute.names(of: "except")
        literals = (attribute.elements(of: "only") ?? []) + (attribute.elements(of: "except") ?? [])
        unreadable = attribute.labeledArguments.first {
            ["only", "except", "observe"].contains($0.label?.text) && attribute.literals(of: $0.label?.text ?? "") == nil
        }
    }

    func contains(_ name: String) -> Bool {
        (only?.contains(name) ?? true) && !(except?.contains(name) ?? false)
    }
}

extension AttributeSyntax {
    /// The literals of an argument that is an array of plain strings; nil if it is something else.
    fileprivate func literals(of label: String) -> [String]? {
        guard let array = elements(of: label) else { return nil }
        let literals = array.compactMap { $0.plainText == nil ? nil : $0.trimmedText }
        return literals.count == array.count ? literals : nil
    }

    fileprivate func names(of label: String) -> [String]? { elements(of: label)?.compactMap(\.plainText) }

    fileprivate func elements(of label: String) -> [StringLiteralExprSyntax]? {
        guard let array = argument(label)?.expression.as(ArrayExprSyntax.self) else { return nil }
        let elements = array.elements.compactMap { $0.expression.as(StringLiteralExprSyntax.self) }
        return elements.count == array.elements.count ? elements : nil
    }
}

extension [Syntax] {
    /// The contexts around a declaration, without the declaration itself, which some callers get as the innermost context.
    fileprivate func surrounding(_ declaration: some DeclGroupSyntax) -> ArraySlice<Syntax> {
        let innermost = first?.asProtocol((any DeclGroupSyntax).self)
        let isItself =
            first?.kind == declaration.kind && innermost?.declaredName?.text == declaration.declaredName?.text
        return isItself ? dropFirst() : self[...]
    }
}

extension ModelDeclaration.Kind {
    fileprivate init(_ declaration: some DeclGroupSyntax, isInHierarchy: Bool) {
        if declaration.is(StructDeclSyntax.self) {
            self = .structure
        } else if let node = declaration.as(ClassDeclSyntax.self) {
            self = isInHierarchy ? .baseClass(node) : node.modifiers.contains(.final) ? .finalClass : .openClass(node)
        } else if let node = declaration.as(EnumDeclSyntax.self) {
            self = .enumeration(node)
        } else if declaration.is(ActorDeclSyntax.self) {
            self = .unsupported("an actor")
        } else if declaration.is(ProtocolDeclSyntax.self) {
            self = .unsupported("a protocol")
        } else {
            self = .unsupported("an extension")
        }
    }
}

/// The facts that one walk over a member list finds.
private struct MemberScan {
    var properties: [PropertyDeclaration] = []
    var existingDraft: DeclSyntax?
    var privateTypes: [String: DeclModifierSyntax] = [:]
    var hasInit = false
    var codingKeys: CodingKeysDeclaration?
    var codableCode: [DeclSyntax] = []

    mutating func scan(_ members: MemberBlockItemListSyntax, insideIfConfig: Bool) {
        for member in members.map(\.decl) {
            if member.isCodableCode { codableCode.append(member) }
            codingKeys = codingKeys ?? CodingKeysDeclaration(member)
            if let variable = member.as(VariableDeclSyntax.self) {
                let found = PropertyDeclaration.all(in: variable, insideIfConfig: insideIfConfig)
                properties += found
                if variable.bindings.contains(where: { $0.boundName == ModelDeclaration.draftName }) {
                    existingDraft = member
                }
            } else if let block = member.as(IfConfigDeclSyntax.self) {
                for case .decls(let inner)? in block.clauses.map(\.elements) {
                    scan(inner, insideIfConfig: true)
                }
            } else if member.is(InitializerDeclSyntax.self) {
                hasInit = true
            } else if let type = member.asProtocol((any NamedDeclSyntax).self) {
                if type.name.text == ModelDeclaration.draftName {
                    existingDraft = member
                }
                let modifiers = member.asProtocol((any WithModifiersSyntax).self)?.modifiers ?? []
                if !member.is(FunctionDeclSyntax.self), let modifier = modifiers.first(where: \.isPrivate) {
                    privateTypes[type.name.unquoted] = modifier
                }
            }
        }
    }
}

/// The generic parameters that one declaration introduces.
private struct GenericClauses {
    var isGeneric = false
    var openParameters: Set<String> = []
    var hasParameterPack = false
    var parameters: [String] = []
    /// The parameters as arguments: `Item, Other`.
    var arguments: String? { parameters.isEmpty ? nil : parameters.joined(separator: ", ") }

    init(_ node: some SyntaxProtocol) {
        if let node = node.as(ExtensionDeclSyntax.self) {
            // The extension does not show whether the extended type is generic, except by these two spellings.
            isGeneric =
                node.genericWhereClause != nil
                || node.extendedType.as(IdentifierTypeSyntax.self)?.genericArgumentClause != nil
        }
        guard let clause = node.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause else {
            return
        }
        isGeneric = true
        hasParameterPack = clause.parameters.contains { $0.specifier?.tokenKind == .keyword(.each) }
        parameters = clause.parameters.map(\.name.text)
        for parameter in clause.parameters where parameter.specifier == nil {
            if !parameter.inheritedType.provesBindable {
                openParameters.insert(parameter.name.text)
            }
        }
        let requirements =
            node.asProtocol((any WithGenericParametersSyntax).self)?.genericWhereClause?.requirements ?? []
        for case .conformanceRequirement(let requirement) in requirements.map(\.requirement)
        where Optional(requirement.rightType).provesBindable {
            openParameters.remove(requirement.leftType.trimmedText)
        }
    }
}

extension TypeSyntax? {
    /// Whether a constraint shows by its name that the parameter is bindable. If a protocol of the user refines one of ours, the
    /// requirement that we add is only redundant, and the compiler accepts that silently.
    fileprivate var provesBindable: Bool {
        guard let self else { return false }
        if let composition = self.as(CompositionTypeSyntax.self) {
            return composition.elements.contains { Optional($0.type).provesBindable }
        }
        return ["JSONBindable", "JSONModel", "JSONScalarBindable", "JSONPolymorphic"].contains(self.lastComponent)
    }
}

#endif
