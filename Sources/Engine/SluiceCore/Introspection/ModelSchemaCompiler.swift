// Describes a type's bindings as a JSON Schema. A model that occurs more than once is described once, in `$defs`.
//
//     struct Tree { var label: String; var children: [Tree] }
//
//     {"$schema": …, "$ref": "#/$defs/Tree",
//      "$defs": {"Tree": {"type": "object", "properties": {"label": …, "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}, …}}}

/// Makes the schema of one type for one purpose.
struct ModelSchemaCompiler {
    let purpose: JSONSchemaPurpose
    /// Whether the object of a model is only a part of one: other keys belong to the model around it.
    var isFragment = false
    /// How often each model and each type with variants occurs.
    private var counts: [BindingHandle: Int] = [:]
    /// The names of those that occur more than once.
    private var names: [BindingHandle: String] = [:]
    private var definitions: [JSONObject.Member] = []
    /// The first model that cannot be used.
    private var problem: JSONError?

    private init(_ purpose: JSONSchemaPurpose) { self.purpose = purpose }

    static func schema(of binding: _Binding, for purpose: JSONSchemaPurpose) throws(JSONError) -> JSONObject {
        var compiler = ModelSchemaCompiler(purpose)
        compiler.count(binding.pointer)
        if let problem = compiler.problem { throw problem }
        var members: [JSONObject.Member] = [("$schema", "https://json-schema.org/draft/2020-12/schema")]
        let root = compiler.schema(of: binding.pointer, compiler.rules(of: .none), acceptsNull: binding.depth > 0)
        // A root that accepts everything is an object without further members.
        if case .object(let root) = root { members += root.members }
        if !compiler.definitions.isEmpty { members.append(("$defs", .object(JSONObject(compiler.definitions)))) }
        return JSONObject(members)
    }

    /// Counts a type's occurrences, and those of the types inside it.
    private mutating func count(_ binding: BindingHandle) {
        guard binding.kind == .model || binding.kind == .captured else {
            if let inner = binding.kind == .value ? nil : binding.element?.binding { count(inner) }
            return
        }
        counts[binding, default: 0] += 1
        guard counts[binding] == 1 else { return }
        for variant in binding.variants { count(variant.binding) }
        guard let table = binding.modelTable else { return }
        problem = problem ?? table.problem
        for slot in table.properties.indices { table.binding(ofSlot: slot).map { count($0) } }
    }

    // MARK: Values

    /// The schema of the values of a binding.
    ///
    /// - Parameters:
    ///   - rules: What holds for values of the property, or of the whole document.
    ///   - constraints: Those of the property.
    mutating func schema(
        of binding: BindingHandle, _ rules: ModelSchemaRules, constraints: ConstraintSet? = nil, acceptsNull: Bool
    ) -> JSONValue {
        if binding.adapter == .text { return text(of: binding, rules, acceptsNull) }
        let schema: JSONValue
        switch binding.kind {
        case .model, .captured:
            schema = binding.adapter == .codable ? .bool(true) : shared(binding)
        case .array:
            schema = array(binding, rules)
        case .dictionary:
            schema = dictionary(binding, rules)
        default:
            schema = scalar(binding, rules)
        }
        let constrained = constraints.map { schema.adding($0, to: binding.kind) } ?? schema
        return acceptsNull ? constrained.orNull : constrained
    }

    /// The JSON of another value in a string.
    private mutating func text(of binding: BindingHandle, _ rules: ModelSchemaRules, _ acceptsNull: Bool) -> JSONValue {
        var members: [JSONObject.Member] = [("type", "string"), ("contentMediaType", "application/json")]
        if let inner = binding.element {
            members.append(("contentSchema", schema(of: inner.binding, rules, acceptsNull: inner.flags.contains(.nullable))))
        }
        return acceptsNull ? JSONValue.object(JSONObject(members)).orNull : .object(JSONObject(members))
    }

    /// A model, or a reference to it if it occurs more than once.
    private mutating func shared(_ binding: BindingHandle) -> JSONValue {
        guard counts[binding, default: 0] > 1 else { return unshared(binding) }
        if let name = names[binding] { return reference(to: name) }
        let name = freeName(for: binding.modelTable?.modelName ?? TypeSpelling.of(binding.spelledType))
        names[binding] = name
        let index = definitions.count
        definitions.append((name, .bool(true)))
        definitions[index].value = unshared(binding)
        return reference(to: name)
    }

    private func reference(to name: String) -> JSONValue { .object(["$ref": .string("#/$defs/" + name)]) }

    /// A name that is no other definition's, of characters that need no escape in a reference.
    private func freeName(for typeName: String) -> String {
        let plain = String(
            typeName.unicodeScalars.map { $0.isASCII && $0.properties.isAlphabetic || $0.isDigit ? Character($0) : "_" })
        var name = plain
        var number = 2
        while definitions.contains(where: { $0.key == name }) {
            name = "\(plain)_\(number)"
            number += 1
        }
        return name
    }

    private mutating func unshared(_ binding: BindingHandle) -> JSONValue {
        if let variants = binding.variantTypes, binding.kind == .captured { return oneOf(variants, binding) }
        if binding.kind == .captured, let own = binding.variants.first?.binding {
            // A hook sees the object first, and may change it.
            if case .reading = purpose { return .object(["type": "object"]) }
            return unshared(own)
        }
        guard let table = binding.modelTable else { return .bool(true) }
        return .object(object(of: table))
    }

    private mutating func array(_ binding: BindingHandle, _ rules: ModelSchemaRules) -> JSONValue {
        guard let element = binding.element else { return .bool(true) }
        var members: [JSONObject.Member] = [("type", "array")]
        let takesNull = element.flags.contains(.nullable)
        switch rules.elements {
        case .strict:
            members.append(("items", schema(of: element.binding, rules, acceptsNull: takesNull)))
        case .skipNull:
            members.append(("items", schema(of: element.binding, rules, acceptsNull: true)))
        case .skipMistyped, .skipInvalid: break
        }
        if case .writing = purpose, binding.spelledType is any SetAlgebra.Type { members.append(("uniqueItems", .bool(true))) }
        return rules.isYYModel ? .bool(true) : .object(JSONObject(members))
    }

    private mutating func dictionary(_ binding: BindingHandle, _ rules: ModelSchemaRules) -> JSONValue {
        guard let element = binding.element, !rules.isYYModel else { return .bool(true) }
        var members: [JSONObject.Member] = [("type", "object")]
        if let keys = (binding.spelledType as? any KeyedByText.Type)?.keySchema {
            members.append(("propertyNames", .object(keys)))
        }
        if rules.elements == .strict {
            let values = schema(of: element.binding, rules, acceptsNull: element.flags.contains(.nullable))
            members.append(("additionalProperties", values))
        }
        return .object(JSONObject(members))
    }
}

extension Unicode.Scalar {
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}

/// A dictionary, whose keys have a schema.
private protocol KeyedByText {
    /// What the keys are like; nil for any string.
    static var keySchema: JSONObject? { get }
}

extension Dictionary: KeyedByText where Key: JSONKeyBindable {
    fileprivate static var keySchema: JSONObject? {
        // Other spellings of an integer are refused.
        if Key.self is any UnsignedInteger.Type { return ["pattern": "^(0|[1-9][0-9]*)$"] }
        if Key.self is any BinaryInteger.Type { return ["pattern": "^(0|-?[1-9][0-9]*)$"] }
        if let known = Key.self as? any KnownScalar.Type, case .text(let format?) = known.form {
            return ["format": .string(format)]
        }
        guard let cases = Key.self as? any CaseIterable.Type else { return nil }
        return ["enum": .array(RawCases.all(of: cases).compactMap { ($0 as? any JSONKeyBindable).map { .string($0.jsonKey) } })]
    }
}

extension JSONValue {
    /// The schema, also for null.
    var orNull: JSONValue {
        guard case .object(var object) = self else { return self }
        if object["enum"] == nil, object["const"] == nil, object["anyOf"] == nil, object["oneOf"] == nil {
            switch object["type"] {
            case .string(let type)?:
                object["type"] = .array([.string(type), "null"])
                return .object(object)
            case .array(let types)?:
                if !types.contains("null") { object["type"] = .array(types + ["null"]) }
                return .object(object)
            default: break
            }
        }
        if case .array(let values)? = object["enum"], object["anyOf"] == nil, object["oneOf"] == nil {
            object["enum"] = .array(values + [.null])
            if case .string(let type)? = object["type"] { object["type"] = .array([.string(type), "null"]) }
            return .object(object)
        }
        return .object(["anyOf": .array([self, .object(["type": "null"])])])
    }

    /// The schema with a description before its other members.
    func described(as words: String?) -> JSONValue {
        guard let words, case .object(let object) = self else {
            return words.map { .object(["description": .string($0)]) } ?? self
        }
        guard object["description"] == nil || object["$ref"] != nil else {
            var changed = object
            changed["description"] = .string(words)
            return .object(changed)
        }
        return .object(JSONObject([("description", .string(words))] + object.members))
    }
}
