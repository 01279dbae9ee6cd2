// The objects of models: a key path is a chain of nested objects, and a key of several properties has the schemas of all.
//
//     @JSONKey("geo.lat") var latitude: Double      {"properties": {"geo": {"type": "object", "properties": {"lat": …}, "required": ["lat"]}}}
//     @JSONKey("id", "ID") var id: Int              {"properties": {"id": true, "ID": true}, "allOf": [{"anyOf": [one for each key]}]}

/// A key on the way to the values of properties, and the keys below it.
private struct SchemaNode {
    private(set) var children: [(key: String, node: SchemaNode)] = []
    /// The schemas of the properties that have this very key.
    private(set) var values: [JSONValue] = []
    private var isRequired = false

    /// Whether an object without the key is refused.
    var hasRequired: Bool { isRequired || children.contains { $0.node.hasRequired } }
    /// Whether the values are elements of an array, by their indices.
    var hasIndices: Bool { children.contains { !$0.key.isEmpty && $0.key.utf8.allSatisfy { (48...57).contains($0) } } }
    var requiredKeys: [String] { children.filter(\.node.hasRequired).map(\.key) }

    mutating func insert(_ value: JSONValue, at path: ArraySlice<String>, isRequired: Bool) {
        guard let key = path.first else {
            // A key of several properties needs no further schema that accepts everything.
            if values.isEmpty || value != .bool(true) { values.append(value) }
            self.isRequired = self.isRequired || isRequired
            return
        }
        let known = children.firstIndex { $0.key == key }
        if known == nil { children.append((key, SchemaNode())) }
        children[known ?? children.count - 1].node.insert(value, at: path.dropFirst(), isRequired: isRequired)
    }

    /// Gives a key another schema than that of a property.
    mutating func replace(_ value: JSONValue, at key: String) {
        children.removeAll { $0.key == key }
        insert(value, at: [key], isRequired: true)
    }

    /// The members `properties` and `required`.
    func members(_ schema: (SchemaNode) -> JSONValue) -> [JSONObject.Member] {
        var members: [JSONObject.Member] = []
        if !children.isEmpty { members.append(("properties", .object(JSONObject(children.map { ($0.key, schema($0.node)) })))) }
        if !requiredKeys.isEmpty { members.append(("required", .array(requiredKeys.map { .string($0) }))) }
        return members
    }

    /// The value of a key that has one; nil for a key that only leads on.
    var ownSchema: JSONValue? {
        values.count > 1 ? .object(["allOf": .array(values)]) : values.first
    }

    /// A part of an object's schema, which says nothing about other keys.
    var fragment: JSONValue {
        // Without a type, a key is required of objects alone.
        let type: [JSONObject.Member] = hasRequired ? [("type", "object")] : []
        return .object(JSONObject(type + members { $0.ownSchema ?? $0.fragment }))
    }
}

/// What is known of a model's object.
private struct ObjectShape {
    var root = SchemaNode()
    /// Further schemas that the object must meet.
    var others: [JSONValue] = []
    /// Whether unknown keys are collected.
    var isCollecting = false
}

extension ModelSchemaCompiler {
    /// The schema of a model.
    ///
    /// - Parameter tag: The key and the value that tell the model apart from other variants.
    mutating func object(of table: PropertyTable, tag: (key: String, name: String)? = nil) -> JSONObject {
        var members: [JSONObject.Member] = table.summary.map { [("description", .string($0))] } ?? []
        if table.layout == .array { return JSONObject(members + positions(of: table)) }
        var shape = ObjectShape()
        add(table, to: &shape, isAbsentable: false)
        var tag = tag
        // The tag of a class is written also where the property has just its type.
        if case .writing = purpose, tag == nil, let variant = table.variant, case .key(let key) = variant.form {
            tag = (key, variant.name)
        }
        if let tag { shape.root.replace(.object(["const": .string(tag.name)]), at: tag.key) }
        let isClosed = isClosed(table, shape)
        members.append(("type", "object"))
        members += shape.root.members { node in schema(of: node, isClosed: isClosed) }
        if !shape.others.isEmpty { members.append(("allOf", .array(shape.others))) }
        if isClosed, !isFragment { members.append(("additionalProperties", .bool(false))) }
        return JSONObject(members)
    }

    /// Whether keys that no property has are refused, or never written.
    private func isClosed(_ table: PropertyTable, _ shape: ObjectShape) -> Bool {
        guard case .reading(let options) = purpose else {
            if case .tools = purpose { return true }
            return !shape.isCollecting
        }
        return switch table.binding.model?.level.unknownKeys {
        case .reject: true
        case .asReader: options.unknownKeys == .reject
        default: false
        }
    }

    /// The schema of a key's value.
    private func schema(of node: SchemaNode, isClosed: Bool) -> JSONValue {
        var isReading = false
        if case .reading = purpose { isReading = true }
        if let own = node.ownSchema {
            // An object belongs to the path that leads on, and another value to the property: no schema says both.
            return node.children.isEmpty || !isReading ? own : .bool(true)
        }
        if isReading, node.hasIndices { return .bool(true) }
        var members: [JSONObject.Member] = []
        if !isReading || node.hasRequired {
            members.append(("type", "object"))
        } else if isClosed {
            // Without the option, a value that is no object is passed over.
            members.append(("type", ["object", "null"]))
        }
        members += node.members { schema(of: $0, isClosed: isClosed) }
        if isClosed { members.append(("additionalProperties", .bool(false))) }
        return .object(JSONObject(members))
    }

    // MARK: Properties

    private mutating func add(_ table: PropertyTable, to shape: inout ObjectShape, isAbsentable: Bool) {
        for (slot, property) in table.properties.enumerated() {
            guard let binding = table.binding(ofSlot: slot), isIncluded(property) else { continue }
            if property.isObserved {
                for key in property.keys { shape.root.insert(.bool(true), at: key.components[...], isRequired: false) }
            } else if property.isCollector {
                shape.isCollecting = true
            } else if property.isInlined {
                inline(property, binding, into: &shape, isAbsentable: isAbsentable)
            } else {
                let isRequired = isRequired(property, slot, in: table) && !(isAbsentable && purpose.isOfAbsence)
                add(property, to: &shape, isRequired: isRequired) { compiler, isChoice in
                    compiler.schema(of: property, slot, binding, in: table, isChoice: isChoice)
                }
            }
        }
    }

    private func isIncluded(_ property: JSONProperty) -> Bool {
        switch purpose {
        case .reading: property.direction != .writing
        case .tools: property.direction != .writing && !property.isObserved
        case .writing: property.direction != .reading
        }
    }

    /// Adds a property under its keys.
    ///
    /// - Parameter schema: The schema of its values; of those of one of several keys, if it is given true.
    private mutating func add(
        _ property: JSONProperty, to shape: inout ObjectShape, isRequired: Bool,
        schema: (inout ModelSchemaCompiler, Bool) -> JSONValue
    ) {
        let keys = property.keys.isEmpty ? [JSONKeyPath.literal(property.name)] : property.keys
        if case .reading = purpose, keys.count > 1 {
            for key in keys { shape.root.insert(.bool(true), at: key.components[...], isRequired: false) }
            return shape.others.append(alternatives(keys, schema(&self, true), isRequired: isRequired))
        }
        var path = keys[0].components
        if case .writing(let options) = purpose, options.paths == .flat { path = [keys[0].description] }
        shape.root.insert(schema(&self, false), at: path[...], isRequired: isRequired)
    }

    /// The first of several keys that has a value other than null must have one that fits.
    private func alternatives(_ keys: [JSONKeyPath], _ value: JSONValue, isRequired: Bool) -> JSONValue {
        func absent(_ keys: some Sequence<JSONKeyPath>) -> SchemaNode {
            var node = SchemaNode()
            for key in keys { node.insert(.object(["type": "null"]), at: key.components[...], isRequired: false) }
            return node
        }
        var choices = keys.indices.map { index -> JSONValue in
            var node = absent(keys[..<index])
            node.insert(value, at: keys[index].components[...], isRequired: true)
            return node.fragment
        }
        if !isRequired { choices.append(absent(keys).fragment) }
        return .object(["anyOf": .array(choices)])
    }

    private mutating func inline(
        _ property: JSONProperty, _ binding: BindingHandle, into shape: inout ObjectShape, isAbsentable: Bool
    ) {
        let isAbsentable = isAbsentable || property.presence != .required
        if let table = binding.modelTable, binding.kind == .model {
            return add(table, to: &shape, isAbsentable: isAbsentable)
        }
        // The keys of an enum's cases.
        for key in InlinedKeys.of(binding) ?? [] { shape.root.insert(.bool(true), at: [key], isRequired: false) }
        guard !isAbsentable, let variants = binding.variantTypes else { return }
        let outer = isFragment
        isFragment = true
        shape.others.append(oneOf(variants, binding))
        isFragment = outer
    }

    /// The schema of a property's values.
    ///
    /// - Parameter isChoice: Whether the property has other keys, to one of which null leaves the choice.
    private mutating func schema(
        of property: JSONProperty, _ slot: Int, _ binding: BindingHandle, in table: PropertyTable, isChoice: Bool = false
    ) -> JSONValue {
        let rules = rules(of: property.policy)
        let isTolerant = rules.mismatch.map { $0 != .throw } ?? false
        // A value that does not fit is left out, and the property has another.
        if isTolerant, property.presence != .required || rules.isYYModel {
            return JSONValue.bool(true).described(as: property.summary)
        }
        let acceptsNull = acceptsNull(property, slot, binding, rules, in: table) && (!isChoice || rules.nulls == .empty)
        return schema(of: binding, rules, constraints: property.policy.constraints, acceptsNull: acceptsNull)
            .described(as: property.summary)
    }

    private func acceptsNull(
        _ property: JSONProperty, _ slot: Int, _ binding: BindingHandle, _ rules: ModelSchemaRules, in table: PropertyTable
    ) -> Bool {
        let isNullable = table.takesNull(slot: slot) || property.presence == .optional
        switch purpose {
        case .tools: return isNullable
        case .writing(let options):
            let isFloat = binding.kind == .double || binding.kind == .float
            // An element keeps its position, even if it is nil.
            let isWritten = options.nils == .null || table.isField(slot) || table.layout == .array
            return isNullable && isWritten
                || isFloat && (options.nonFinite == .null || table.layout == .array && options.nonFinite == .omit)
        case .reading:
            let isSpared = isNullable || property.presence != .required
            return switch rules.nulls {
            case .error: false
            case .empty: isSpared || binding.kind.isText || binding.kind.isNumeric || binding.schemaElement != nil
            default: isSpared || rules.isYYModel && binding.kind.isNumeric
            }
        }
    }

    /// Whether an object without the property's key is refused, or never written.
    private func isRequired(_ property: JSONProperty, _ slot: Int, in table: PropertyTable) -> Bool {
        let isNullable = table.takesNull(slot: slot) || property.presence == .optional
        switch purpose {
        case .tools: return true
        case .reading: return property.presence == .required && !isNullable
        case .writing(let options):
            let kind = table.binding(ofSlot: slot)?.kind
            let isOmitted = options.nonFinite == .omit && (kind == .double || kind == .float)
            // A hook may leave the value out.
            let hasHook = table.binding(ofSlot: slot).map { $0.type is any JSONWillWrite.Type } ?? false
            return !isOmitted && !hasHook && (!isNullable || options.nils == .null && !table.isField(slot))
        }
    }

    /// The elements of a model that is written as an array.
    private mutating func positions(of table: PropertyTable) -> [JSONObject.Member] {
        var items: [JSONValue] = []
        var required = 0
        for (slot, property) in table.properties.enumerated() {
            guard let binding = table.binding(ofSlot: slot) else { continue }
            items.append(schema(of: property, slot, binding, in: table))
            if isRequired(property, slot, in: table) { required = items.count }
        }
        var members: [JSONObject.Member] = [("type", "array"), ("prefixItems", .array(items))]
        if case .reading = purpose {
            if required > 0 { members.append(("minItems", .number(JSONNumber(required)))) }
        } else {
            members += [("items", .bool(false)), ("minItems", .number(JSONNumber(items.count)))]
        }
        return members
    }
}

extension JSONSchemaPurpose {
    /// Whether the keys of an inlined model may be absent together, so that none is required.
    fileprivate var isOfAbsence: Bool { if case .tools = self { false } else { true } }
}

extension PropertyTable {
    /// Whether a property is a ``JSONField``, which may be absent.
    fileprivate func isField(_ slot: Int) -> Bool { bindings[slot].map { $0.depth >= _Destination.fieldDepth } ?? false }
}
