// Types with variants: a `oneOf` whose schemas have the tag as a `const`, if there is a tag.

extension ModelSchemaCompiler {
    /// The schema of a type with variants.
    mutating func oneOf(_ variants: _VariantTypes, _ binding: BindingHandle) -> JSONValue {
        var choices: [JSONValue] = []
        var words: [JSONValue] = []
        let rows = binding.variants
        let named = variants.names.indices.filter { $0 != variants.fallbackIndex && rows.indices.contains($0) }
        for index in named {
            let name = variants.names[index]
            guard variants.hasValue[index] else {
                switch variants.form {
                case .key(let key), .adjacent(let key, _): choices.append(tagged([], key, name))
                case .external: words.append(.string(name))
                case .presence: choices.append(.object(["type": "object", "required": .array([.string(name)])]))
                case .untagged, .function: break
                }
                continue
            }
            choices.append(
                choice(variants.form, name, rows[index], before: named.prefix { $0 < index }.map { variants.names[$0] }))
        }
        if !words.isEmpty { choices.insert(.object(["enum": .array(words)]), at: 0) }
        let names = named.map { JSONValue.string(variants.names[$0]) }
        if let index = variants.fallbackIndex, rows.indices.contains(index) {
            let fallback = schema(of: rows[index].binding, rules(of: .none), acceptsNull: false)
            choices.append(rest(variants.form, names, fallback))
        } else if variants.hasUnknown, !isOfTools {
            choices.append(rest(variants.form, names, .object(["type": "object"])))
        }
        // With a tag, no value fits two of them.
        return switch variants.form {
        case .key, .adjacent, .external: .object(["oneOf": .array(choices)])
        case .presence, .untagged, .function: .object(["anyOf": .array(choices)])
        }
    }

    private var isOfTools: Bool { if case .tools = purpose { true } else { false } }

    /// A variant with a value.
    ///
    /// - Parameter earlier: The names of the variants that come first.
    private mutating func choice(
        _ form: JSONTag.Form, _ name: String, _ row: RowHandle, before earlier: [String]
    ) -> JSONValue {
        // The row stores its value in an optional of its own.
        let acceptsNull = row.depth > 1
        if case .key(let key) = form {
            if row.binding.kind == .model, let table = row.binding.modelTable, table.layout == .object {
                return .object(object(of: table, tag: (key, name)))
            }
            return .object([
                "allOf": .array([tagged([], key, name), schema(of: row.binding, rules(of: .none), acceptsNull: false)])
            ])
        }
        let value = schema(of: row.binding, rules(of: .none), acceptsNull: acceptsNull)
        switch form {
        case .adjacent(let key, let content):
            let inner = content.components.dropFirst().reversed().reduce(value) { $1.holding($0, isClosed: isOfTools) }
            return tagged([(content.components[0], inner)], key, name)
        case .external:
            return name.holding(value, isClosed: true)
        case .presence:
            var members: [JSONObject.Member] = [("allOf", .array([value])), ("required", .array([.string(name)]))]
            let others = earlier.map { JSONValue.object(["required": .array([.string($0)])]) }
            if !others.isEmpty { members.append(("not", .object(["anyOf": .array(others)]))) }
            return .object(JSONObject(members))
        case .key, .untagged, .function:
            return value
        }
    }

    /// An object with a tag, and perhaps with further keys that are required.
    private func tagged(_ members: [JSONObject.Member], _ key: String, _ name: String) -> JSONValue {
        let all = [(key: key, value: JSONValue.object(["const": .string(name)]))] + members
        var result: [JSONObject.Member] = [
            ("type", "object"), ("properties", .object(JSONObject(all))), ("required", .array(all.map { .string($0.key) })),
        ]
        if isOfTools { result.append(("additionalProperties", .bool(false))) }
        return .object(JSONObject(result))
    }

    /// The values that none of the named variants has.
    private func rest(_ form: JSONTag.Form, _ names: [JSONValue], _ schema: JSONValue) -> JSONValue {
        let isNamed: JSONValue
        switch form {
        case .key(let key), .adjacent(let key, _):
            isNamed = .object([
                "properties": .object(JSONObject([(key, .object(["enum": .array(names)]))])), "required": .array([.string(key)]),
            ])
        case .external, .presence:
            isNamed = .object(["anyOf": .array(names.map { .object(["required": .array([$0])]) })])
        case .untagged, .function:
            return schema
        }
        return .object(["allOf": .array([schema]), "not": isNamed])
    }
}

extension String {
    /// The schema of an object with this key.
    fileprivate func holding(_ value: JSONValue, isClosed: Bool) -> JSONValue {
        var members: [JSONObject.Member] = [
            ("type", "object"), ("properties", .object(JSONObject([(self, value)]))), ("required", .array([.string(self)])),
        ]
        if isClosed { members.append(("additionalProperties", .bool(false))) }
        return .object(JSONObject(members))
    }
}
