// Two trees of one model go in, and the names of the properties that differ come out. Nested models are compared property by property,
// by the tables of their own classes; every other value is compared as a whole.

/// What an update has to write of a collection that it appends to.
struct JSONAddition: Hashable {
    /// The property's name, with those of the models around it.
    let name: String
    let steps: [JSONStep]
    /// How many elements the other copy has already; nil if no update makes it equal.
    let knownCount: Int?
    /// What an update could do instead, if no update makes the other copy equal.
    let expectation: String

    /// A change that no update can make.
    init(name: String, steps: [JSONStep], cannot expectation: String) {
        (self.name, self.steps, knownCount, self.expectation) = (name, steps, nil, expectation)
    }

    /// Nil if the whole value makes the other copy equal.
    init?(name: String, steps: [JSONStep], isSet: Bool, from old: JSONValue?, to new: JSONValue?) {
        let known: Int?
        switch (old, new) {
        case (.array(let old)?, .array(let new)?) where isSet: known = Set(old).isSubset(of: Set(new)) ? 0 : nil
        case (.array(let old)?, .array(let new)?): known = new.starts(with: old) ? old.count : nil
        case (.object(let old)?, .object(let new)?): known = Set(old.keys).isSubset(of: Set(new.keys)) ? 0 : nil
        default: return nil
        }
        if known == 0 { return nil }
        (self.name, self.steps, knownCount) = (name, steps, known)
        expectation = "elements added to '\(name)', because updates append to it (@JSONUpdate(.append))"
    }
}

/// Finds the properties in which a model differs from another copy of it.
struct ModelDifference {
    private(set) var names: [String] = []
    private(set) var additions: [JSONAddition] = []
    private let oldTree: JSONValue
    private let newTree: JSONValue

    init<Model: JSONModel>(from old: Model, to new: Model) throws(JSONError) {
        // Sorted, because equal sets and dictionaries may have their elements in another order.
        oldTree = try JSONValue(json: old.jsonBytes(options: .sortedKeys))
        newTree = try JSONValue(json: new.jsonBytes(options: .sortedKeys))
        let table = type(of: new)._jsonTable
        compare(ModelPart(old), ModelPart(new), [], table.stepsToModel)
    }

    private mutating func compare(_ old: ModelPart, _ new: ModelPart, _ path: [String], _ steps: [JSONStep]) {
        for (slot, property) in new.table.properties.enumerated() where property.direction != .reading && !property.isObserved {
            let names = path + [property.name]
            let name = names.joined(separator: ".")
            if property.isCollector {
                let members = (rest(oldTree, steps, new.table), rest(newTree, steps, new.table))
                guard members.0 != members.1 else { continue }
                self.names.append(name)
                if !Set(members.0.keys).isSubset(of: members.1.keys) {
                    refuse(name, steps, "members added to '\(name)' or replaced there, because updates remove none")
                }
                continue
            }
            let steps = steps + [new.table.step(toSlot: slot)]
            let values = (
                members(of: slot, oldTree.value(at: steps), new.table), members(of: slot, newTree.value(at: steps), new.table)
            )
            guard values.0 != values.1 else { continue }
            if let expectation = new.expectation(ofSlot: slot, from: old, to: values.1) {
                self.names.append(name)
                refuse(name, steps, expectation)
                continue
            }
            if property.policy.update == .append {
                self.names.append(name)
                let isSet = new.table.isSet(slot: slot)
                if let part = JSONAddition(name: name, steps: steps, isSet: isSet, from: values.0, to: values.1) {
                    additions.append(part)
                }
                continue
            }
            let count = self.names.count
            // A model that an update replaces is written as a whole, and so is an object that has become one of another class.
            if property.policy.update != .replace, let before = old.part(slot), let after = new.part(slot),
                before.identity == after.identity, values.0 != nil, values.1 != nil, values.0 != .null, values.1 != .null
            {
                compare(before, after, names, steps + after.table.stepsToModel)
            }
            if self.names.count == count { self.names.append(name) }
        }
    }

    private mutating func refuse(_ name: String, _ steps: [JSONStep], _ expectation: String) {
        additions.append(JSONAddition(name: name, steps: steps, cannot: expectation))
    }

    /// Of the object in which a property is inlined, the members that belong to the property; any other value as it is.
    private func members(of slot: Int, _ value: JSONValue?, _ table: PropertyTable) -> JSONValue? {
        guard let keys = table.inlinedKeys(ofSlot: slot), let object = value?.object else { return value }
        return .object(JSONObject(object.members.filter { keys.contains($0.key) || !table.binds($0.key) }))
    }

    /// The members of an object whose keys no property binds.
    private func rest(_ tree: JSONValue, _ steps: [JSONStep], _ table: PropertyTable) -> JSONObject {
        JSONObject((tree.value(at: steps)?.object?.members ?? []).filter { !table.binds($0.key) })
    }
}

/// A model, and the table of its own class.
struct ModelPart {
    let table: PropertyTable
    /// Nil if only the type is known.
    private let model: (any JSONModel)?

    init(_ model: any JSONModel) {
        // The dynamic type: a variable may hold an object of a subclass.
        table = type(of: model)._jsonTable
        self.model = model
    }

    private init(_ table: PropertyTable) { (self.table, model) = (table, nil) }

    /// Equal for models of one class.
    var identity: ObjectIdentifier { ObjectIdentifier(table) }

    /// The model in a slot's property, if an update merges an object with some of its keys into that model; nil otherwise.
    func part(_ slot: Int) -> ModelPart? {
        let bound = table.binding(ofSlot: slot)
        guard bound?.adapter == Adapter.none else { return nil }
        guard let model, let path = type(of: model)._jsonKeyPath(slot) else {
            guard let inner = bound?.modelTable, !(inner.binding.type is AnyClass) else { return nil }
            return ModelPart(inner)
        }
        let value = model[keyPath: path]
        guard let inner = (value as? any ValueField)?.anyValue as? any JSONModel ?? value as? any JSONModel else { return nil }
        // The hook may need keys that did not change, and so may the choice of the variant.
        if inner is any JSONWillRead { return nil }
        let part = ModelPart(inner)
        switch part.table.variant?.form {
        case .presence, .function, .untagged: return nil
        case .key, .adjacent, .external, nil: return part
        }
    }
}

extension ModelPart {
    /// What an update could do to a property instead of what it should do; nil if an update with the new value makes the property equal.
    ///
    /// - Parameter value: The new value, as JSON.
    func expectation(ofSlot slot: Int, from old: ModelPart, to value: JSONValue?) -> String? {
        let property = table.properties[slot]
        let name = "'\(property.name)'"
        if property.isInlined, isNil(slot) { return "\(name) with a value, because it has no key that could be null" }
        if value == nil, table.isField(slot: slot) {
            return "a value or null for \(name), because a key that is absent changes nothing"
        }
        switch property.policy.nulls {
        case .keep?, .empty?, .error?:
            if value == nil || value == .null { return "a value for \(name), because null does not make it nil (@JSONNull)" }
        case .asNil?, .default?, nil: break
        }
        guard let object = object(slot), type(of: object)._jsonTable.variant == nil else { return nil }
        // The JSON does not name the object's class. It becomes that of the property's type, or remains what it is.
        let before = property.policy.update == .replace ? nil : old.object(slot)
        let after: Any.Type? = before.map { type(of: $0) as Any.Type } ?? table.binding(ofSlot: slot)?.type
        guard let after, after != type(of: object), before != nil || !(type(of: object) is any JSONPolymorphic.Type) else {
            return nil
        }
        return "an object of \(after) in \(name), because the JSON of \(type(of: object)) does not name its class"
    }

    private func isNil(_ slot: Int) -> Bool {
        guard let model, let path = type(of: model)._jsonKeyPath(slot) else { return false }
        return (model[keyPath: path] as? any JSONWritable)?._isNil == true
    }

    /// The object of a class in a slot's property.
    private func object(_ slot: Int) -> (any JSONModel)? {
        guard let model, let path = type(of: model)._jsonKeyPath(slot) else { return nil }
        let value = model[keyPath: path]
        guard let inner = (value as? any ValueField)?.anyValue as? any JSONModel ?? value as? any JSONModel,
            type(of: inner) is AnyClass
        else { return nil }
        return inner
    }
}

extension PropertyTable {
    /// Whether the property of a slot is a ``JSONField``.
    fileprivate func isField(slot: Int) -> Bool {
        binding.model.map { $0.row(ofSlot: slot).depth >= _Destination.fieldDepth } ?? false
    }
}

/// A ``JSONField`` of any type.
private protocol ValueField {
    var anyValue: Any? { get }
}

extension JSONField: ValueField {
    var anyValue: Any? { value }
}
