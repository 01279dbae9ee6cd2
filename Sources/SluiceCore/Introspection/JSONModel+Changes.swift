// Writes only the changed properties of an updated model, so that another copy of it can follow.

extension JSONModel {
    /// The properties that an update changed, as JSON that changes another copy of the model in the same way. A property that has
    /// become nil is written as null.
    ///
    /// ```swift
    /// let changes = try account.update(json: body)
    /// try peer.send(account.jsonString(of: changes))     // {"balance":2.5,"homepage":null}
    /// ```
    ///
    /// Only the changed properties of an updated nested model are written. Properties that are never written are left out.
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

    /// The properties that an update changed, as JSON text: see ``jsonBytes(of:options:)``.
    public func jsonString(of changes: JSONChangeSet<Self>, options: JSONWriter.Options = .init()) throws(JSONError) -> String {
        String(decoding: try jsonBytes(of: changes, options: options), as: UTF8.self)
    }

    /// The properties that an update changed, as an object: see ``jsonBytes(of:options:)``.
    public func jsonObject(of changes: JSONChangeSet<Self>, options: JSONWriter.Options = .init()) throws(JSONError) -> JSONObject
    {
        try JSONObject(json: jsonBytes(of: changes, options: options))
    }

    /// The names of the properties in which this model differs from another copy of it. Only properties that are written are
    /// compared.
    ///
    /// ```swift
    /// let edits = draft.changes(from: saved)
    /// try send(draft.jsonString(of: edits))
    /// ```
    ///
    /// A difference inside a nested model is named by its path, as `update(json:options:)` names it (`user.name`). A difference in
    /// an element names the whole array.
    ///
    /// - Throws: ``JSONError`` as `jsonBytes(options:)` does.
    public func changes(from old: Self) throws(JSONError) -> JSONChangeSet<Self> {
        let names = try ModelDifference.names(Self._jsonTable, old.jsonObject(), jsonObject())
        return JSONChangeSet(assigned: names, changed: names)
    }
}

/// Finds the properties whose JSON form differs between two objects of one model.
private enum ModelDifference {
    static func names(_ table: PropertyTable, _ old: JSONObject, _ new: JSONObject) -> [String] {
        table.properties.enumerated().flatMap { slot, property -> [String] in
            guard property.direction != .reading, !property.isObserved else { return [] }
            if property.isCollector { return rest(of: old, table) == rest(of: new, table) ? [] : [property.name] }
            guard let key = property.keys.first?.components else { return [] }
            let values = (value(key, in: old), value(key, in: new))
            guard values.0 != values.1 else { return [] }
            // Two objects of a nested model are compared property by property; any other value is compared as a whole.
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

    /// The members whose keys no property binds.
    private static func rest(of object: JSONObject, _ table: PropertyTable) -> JSONObject {
        JSONObject(object.members.filter { !table.binds($0.key) })
    }
}
