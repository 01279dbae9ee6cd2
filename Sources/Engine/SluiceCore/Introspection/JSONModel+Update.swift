// Reads a document into an existing model: the document's values replace the model's.

/// The properties that an update assigned, and the assigned properties that changed.
///
/// ```swift
/// var repository = try Repository(json: #"{"id": 1234, "name": "YYModel", "user": {"id": 5678, "name": "ibireme"}}"#)
/// let changes = try repository.update(json: #"{"name": "YYModel", "user": {"name": "bot"}}"#)
/// changes.assigned                     // ["name", "user.name"]
/// changes.changed                      // ["user.name"]
/// changes.contains("user")             // true
/// ```
public struct JSONChangeSet<Model>: Sendable, Hashable {
    /// The names of the properties whose keys the document had, in the document's order. A property of a nested model is named by its path
    /// (`user.name`).
    public let assigned: [String]
    /// The assigned properties whose JSON form has changed; properties that are never written count as changed.
    public let changed: [String]
    /// What other copies have already of the collections that an update appends to.
    let additions: [JSONAddition]

    /// Whether nothing changed.
    public var isEmpty: Bool { changed.isEmpty }

    /// Whether a property changed, or a property of the nested model in it.
    public func contains(_ property: String) -> Bool {
        changed.contains { $0 == property || $0.hasPrefix(property + ".") }
    }
}

extension JSONModel {
    /// Reads JSON into this model. Properties whose keys are absent keep their values.
    ///
    /// Nested models are updated in turn, and all other values are replaced; `@JSONUpdate` changes that for a property. Null makes an
    /// optional property nil and leaves any other property unchanged. The update happens completely or not at all: after an error the model
    /// is unchanged. Ignored properties keep their values. ``JSONDidRead`` hooks run, ``JSONWillRead`` hooks do not.
    ///
    /// An instance of a class remains the same object, here and in properties. The new values are first read into a temporary object, on
    /// which hooks run. After the whole document has been read, the object takes over the properties that the document has, and those that
    /// a hook has changed. A constant (`let`) may be absent or have the value that it has already; another value is an error that names it.
    /// An object of a subclass is read as that subclass. An object in a property is replaced only if the JSON says that it is of another
    /// class, or if its class is found by trying (`JSONTag.untagged`).
    ///
    /// ```swift
    /// var book = try Book(json: #"{"name": "Emma", "pages": 474}"#)
    /// try book.update(json: #"{"pages": 475}"#)          // the name stays
    /// ```
    ///
    /// - Returns: The properties that were assigned, and those that changed.
    /// - Throws: ``JSONError`` with the kind, path, byte offset, line and column of the error; of kind `invalidValue` for another value of
    ///   an object's constant.
    @discardableResult
    public mutating func update(
        json text: some JSONBytes, options: JSONReader.Options = .init()
    ) throws(JSONError) -> JSONChangeSet<Self> {
        var reader = JSONReader(options: options)
        return try reader.update(&self, from: text)
    }
}

extension JSONModel where Self: AnyObject {
    /// Reads JSON into this object, which stays the same object: see `JSONModel.update(json:options:)`.
    ///
    /// ```swift
    /// let counter = try Counter(json: #"{"count": 4}"#)
    /// try counter.update(json: #"{"count": 5}"#)
    /// ```
    ///
    /// - Throws: ``JSONError`` as for other models; of kind `invalidModel` for a class written by hand without key paths.
    @discardableResult
    public func update(json text: some JSONBytes, options: JSONReader.Options = .init()) throws(JSONError) -> JSONChangeSet<Self>
    {
        var reader = JSONReader(options: options)
        return try reader.update(self, from: text)
    }
}

extension JSONReader {
    /// Reads a document into an existing object, which stays the same object; see `JSONModel.update(json:options:)`.
    ///
    /// - Throws: ``JSONError``; the object is then unchanged.
    public mutating func update<Model: JSONModel & AnyObject>(
        _ object: Model, from text: some JSONBytes
    ) throws(JSONError) -> JSONChangeSet<Model> {
        let type = type(of: object)
        guard type._jsonTable.problem != nil || type._jsonTable.canFillDrafts(of: type) else {
            throw JSONError(.invalidModel, expected: "a class with key paths of its properties", found: "\(type), which has none")
        }
        var same = object
        return try update(&same, from: text)
    }

    /// Reads a document into an existing model; see `JSONModel.update(json:options:)`.
    ///
    /// - Throws: ``JSONError``; the model is then unchanged.
    public mutating func update<Model: JSONModel>(
        _ model: inout Model, from text: some JSONBytes
    ) throws(JSONError) -> JSONChangeSet<Model> {
        let modelType = type(of: model)
        // For an object of a class, this is the table of the object's own class.
        let table = modelType._jsonTable
        if let problem = table.problem { throw problem }
        guard !(modelType is AnyClass) || table.binding.type == modelType else {
            throw .unmarkedSubclass(modelType, of: table.binding.type)
        }
        // Without a draft filled from the model, a new model would be read, and values that the document does not have would be lost.
        guard table.isBuiltInPlace || table.canFillDrafts(of: modelType) || model._makeDraft() != nil else {
            throw JSONError(.invalidModel, expected: "a model that can be updated", found: "\(modelType), which cannot")
        }
        // Written before reading, because an object of a class changes in place.
        // Sorted, because equal sets and dictionaries may have their elements in another order.
        let before = try? JSONValue(json: model.jsonBytes(options: .sortedKeys))
        var result: Model? = model
        var assigned: [AssignedProperty] = []
        // The model's own binding, without the hooks and variants that the binding of its type may go through.
        let row = _BindingCompiler.elementRow(_Binding(table.binding), addingDepth: 1)
        defer { unsafe row.address.deallocate() }
        let failure = unsafe withUnsafeMutablePointer(to: &result) { address in
            unsafe text.withJSONBytes { bytes in
                unsafe runUpdate(row, at: UnsafeMutableRawPointer(address), bytes, &assigned)
            }
        }
        if let failure { throw failure }
        guard let result else { throw JSONReader.nothing }
        let after = try? JSONValue(json: result.jsonBytes(options: .sortedKeys))
        let changed = JSONReader.changed(assigned, from: before, to: after, table)
        let changes = JSONChangeSet<Model>(
            assigned: assigned.map(\.name), changed: changed.map(\.name),
            additions: changed.filter(\.isAppended).compactMap {
                JSONAddition(
                    name: $0.name, steps: $0.steps, isSet: $0.isSet, from: before?.value(at: $0.steps),
                    to: after?.value(at: $0.steps))
            })
        model = result
        return changes
    }

    /// The assigned properties whose JSON form differs.
    private static func changed(
        _ assigned: [AssignedProperty], from before: JSONValue?, to after: JSONValue?, _ table: PropertyTable
    ) -> [AssignedProperty] {
        guard let before, let after else { return assigned }
        return assigned.filter { property in
            let values = (before.value(at: property.steps), after.value(at: property.steps))
            // A property that is never written counts as changed, because its values cannot be compared.
            return values.0 != values.1 || (values.0 == nil && !table.writes(property.names))
        }
    }
}

extension PropertyTable {
    /// Whether a property is written; a property of a nested model is assumed to be.
    fileprivate func writes(_ names: [String]) -> Bool {
        names.count > 1 || properties.contains { $0.name == names.first && $0.direction != .reading }
    }
}
