// Of a model that was updated, only what changed is written: what another copy of it needs to follow.

extension JSONModel {
    /// What an update changed, as JSON that changes another copy of the model in the same way; a property that is nil now is null.
    ///
    /// ```swift
    /// let changes = try account.update(json: body)
    /// try peer.send(account.jsonString(of: changes))     // {"balance":2.5,"homepage":null}
    /// ```
    ///
    /// A nested model that was updated has its changed properties only. What is never written is left out.
    ///
    /// - Throws: ``JSONError`` as `jsonBytes(include:options:)` does.
    public func jsonBytes(of changes: JSONChangeSet<Self>, options: JSONWriter.Options = .init()) throws(JSONError) -> [UInt8] {
        let table = Self._jsonTable
        let names = changes.changed.compactMap { name -> String? in
            let first = String(name.prefix { $0 != "." })
            guard let property = table.properties.first(where: { $0.name == first }), property.direction != .reading else {
                return nil
            }
            // Collected members are written with the property that holds them.
            return property.isCollector ? first : name
        }
        var options = options
        options.nils = .null
        return try jsonBytes(include: JSONSelection(names), options: options)
    }

    /// What an update changed, as JSON text: see ``jsonBytes(of:options:)``.
    public func jsonString(of changes: JSONChangeSet<Self>, options: JSONWriter.Options = .init()) throws(JSONError) -> String {
        String(decoding: try jsonBytes(of: changes, options: options), as: UTF8.self)
    }

    /// What an update changed, as an object: see ``jsonBytes(of:options:)``.
    public func jsonObject(of changes: JSONChangeSet<Self>, options: JSONWriter.Options = .init()) throws(JSONError) -> JSONObject
    {
        try JSONObject(json: jsonBytes(of: changes, options: options))
    }

    /// What this model differs in from another copy of it: every property that is written, by name.
    ///
    /// ```swift
    /// let edits = draft.changes(from: saved)
    /// try send(draft.jsonString(of: edits))
    /// ```
    ///
    /// A nested model in which something differs is named with the property inside, as `update(json:options:)` names it; an element of an
    /// array is not told from the array.
    ///
    /// - Throws: ``JSONError`` as `jsonBytes(options:)` does.
    public func changes(from old: Self) throws(JSONError) -> JSONChangeSet<Self> {
        let names = try ModelDifference.names(Self._jsonTable, old.jsonObject(), jsonObject())
        return JSONChangeSet(assigned: names, changed: names)
    }
}

/// Which properties of a model have another JSON form in two objects.
private enum ModelDifference {
    static func names(_ table: PropertyTable, _ old: JSONObject, _ new: JSONObject) -> [String] {
        table.properties.enumerated().flatMap { slot, property -> [String] in
            guard property.direction != .reading, !property.isObserved else { return [] }
            if property.isCollector { return rest(of: old, table) == rest(of: new, table) ? [] : [property.name] }
            guard let key = property.keys.first?.components else { return [] }
            let values = (value(key, in: old), value(key, in: new))
            guard values.0 != values.1 else { return [] }
            // Of two objects of one model, what is inside counts; of anything else, the whole.
            guard case .object(let before)? = values.0, case .object(let after)? = values.1,
                let inner = table.boundType(ofSlot: slot)?.table
            else { return [property.name] }
            let names = names(inner, before, after)
            return names.isEmpty ? [property.name] : names.map { property.name + "." + $0 }
        }
    }

    private static func value(_ key: [String], in object: JSONObject) -> JSONValue? {
        key.dropFirst().reduce(key.first.flatMap { object[$0] }) { value, key in value?[key] }
    }

    /// The members that no property has.
    private static func rest(of object: JSONObject, _ table: PropertyTable) -> JSONObject {
        JSONObject(object.members.filter { !table.binds($0.key) })
    }
}
