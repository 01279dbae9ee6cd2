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
    /// Only the changed properties of an updated nested model are written, but all of one that is written as an array or that
    /// `@JSONUpdate(.replace)` replaces. Of a collection with `@JSONUpdate(.append)`, only the added elements are written. Properties that
    /// are never written are left out.
    ///
    /// - Throws: ``JSONError`` as `jsonBytes(include:exclude:options:)` does; of kind `notWritable` for a change that no update can make: that of
    ///   a collection that an update appends to in another way than by more elements, to an object whose JSON does not name its class, to
    ///   an inlined property that is nil, or to one whose null policy keeps the old value.
    public func jsonBytes(of changes: JSONChangeSet<Self>, options: JSONWriter.Options = .init()) throws(JSONError) -> [UInt8] {
        var options = options
        options.nils = .null
        return try ModelPatch(of: changes.changed, changes.additions, self).bytes(of: self, options)
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
        let difference = try ModelDifference(from: old, to: self)
        return JSONChangeSet(assigned: difference.names, changed: difference.names, additions: difference.additions)
    }
}

/// The parts of a model that changes are written as.
private struct ModelPatch {
    /// The names of the properties to write.
    private var names: [String] = []
    /// Whether the model is written as an array, which always has all properties.
    private let isArray: Bool
    private let hasChanges: Bool
    /// How many elements to leave out at the start of collections; nil for all of them.
    private var known: [(steps: [JSONStep], count: Int?)] = []

    /// - Throws: ``JSONError`` of kind `notWritable` for a change that JSON cannot tell an update.
    init<Model: JSONModel>(
        of changes: [String], _ additions: [JSONAddition], _ model: Model
    ) throws(JSONError) {
        if let other = additions.first(where: { $0.knownCount == nil }) {
            throw JSONError.notWritable(other.expectation, found: "another change")
        }
        known = additions.map { ($0.steps, $0.knownCount) }
        isArray = type(of: model)._jsonTable.layout == .array
        hasChanges = !changes.isEmpty
        for name in changes { add(name.split(separator: ".").map(String.init), of: ModelPart(model)) }
    }

    /// Adds a property, or the first part on the way to it that has to be written as a whole.
    private mutating func add(_ name: [String], of model: ModelPart) {
        var part = model
        var steps = part.table.stepsToModel
        var path: [String] = []
        for component in name {
            if part.table.layout == .array {
                leaveOutCollections(of: part.table, steps)
                break
            }
            guard
                let slot = part.table.properties.firstIndex(where: { $0.name == component && $0.direction != .reading })
            else { break }
            path.append(component)
            // Collected members are written with the property that holds them.
            guard !part.table.properties[slot].isCollector, let inner = part.part(slot) else { break }
            steps += [part.table.step(toSlot: slot)] + inner.table.stepsToModel
            part = inner
        }
        if !path.isEmpty { names.append(path.joined(separator: ".")) }
    }

    /// Leaves out the collections in a model that is written as an array: an update would append them although they have not changed.
    private mutating func leaveOutCollections(of table: PropertyTable, _ steps: [JSONStep]) {
        for (slot, property) in table.properties.enumerated() where property.policy.update == .append {
            let steps = steps + [table.step(toSlot: slot)]
            if !known.contains(where: { $0.steps == steps }) { known.append((steps, nil)) }
        }
    }

    func bytes<Model: JSONModel>(of model: Model, _ options: JSONWriter.Options) throws(JSONError) -> [UInt8] {
        if isArray, !hasChanges { return Array("[]".utf8) }
        let bytes =
            isArray ? try model.jsonBytes(options: options) : try model.jsonBytes(include: JSONSelection(names), options: options)
        guard !known.isEmpty else { return bytes }
        var tree = try JSONValue(json: bytes)
        for (steps, count) in known {
            tree.change(at: steps[...]) { value in
                switch value {
                case .array(let elements): value = .array(Array(elements.dropFirst(count ?? elements.count)))
                case .object where count == nil: value = .object(JSONObject())
                default: break
                }
            }
        }
        return try tree.jsonBytes(options: options)
    }
}
