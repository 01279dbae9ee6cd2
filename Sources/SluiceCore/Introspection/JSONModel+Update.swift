// A document is read into a model that exists: what its keys bring takes the place of what the model has.

/// Which properties an update has given a value, and which of those changed by it.
///
/// ```swift
/// var repository = try Repository(json: #"{"id": 1234, "name": "YYModel", "user": {"id": 5678, "name": "ibireme"}}"#)
/// let changes = try repository.update(json: #"{"name": "YYModel", "user": {"name": "bot"}}"#)
/// changes.assigned                     // ["name", "user.name"]
/// changes.changed                      // ["user.name"]
/// changes.contains("user")             // true
/// ```
public struct JSONChangeSet<Model>: Sendable, Hashable {
    /// The properties whose keys the document had, by name; those of nested models behind a dot. In the document's order.
    public let assigned: [String]
    /// Those among them whose JSON form is another one now; properties that are not written count as changed.
    public let changed: [String]

    /// Whether nothing changed.
    public var isEmpty: Bool { changed.isEmpty }

    /// Whether a property, or one of the model that it holds, changed.
    public func contains(_ property: String) -> Bool {
        changed.contains { $0 == property || $0.hasPrefix(property + ".") }
    }
}

extension JSONModel {
    /// Reads JSON into this model: properties whose keys are absent stay what they are.
    ///
    /// Models in properties are updated in turn, everything else is replaced; `@JSONUpdate` says otherwise for a property. Null
    /// makes an optional nil and leaves anything else alone. It happens completely or not at all: after an error the model is
    /// what it was. Ignored properties stay what they are. ``JSONDidRead`` is asked, ``JSONWillRead`` is not.
    ///
    /// An object of a class stays the same object, here and in properties; it takes its new values over when the whole document has been
    /// read, all properties that are read being assigned. Hooks are asked of a new object that holds the values until then. A class with a
    /// constant (`let`) that is read, or with generic parameters, gets a new object instead. In a property, an object of another class than
    /// the JSON is read as is replaced.
    ///
    /// ```swift
    /// var book = try Book(json: #"{"name": "Emma", "pages": 474}"#)
    /// try book.update(json: #"{"pages": 475}"#)          // the name stays
    /// ```
    ///
    /// - Returns: Which properties were given a value, and which changed.
    /// - Throws: ``JSONError`` with the kind, path, byte offset, line and column of what is wrong.
    @discardableResult
    public mutating func update(json text: String, options: JSONReader.Options = .init()) throws(JSONError) -> JSONChangeSet<Self>
    {
        var reader = JSONReader(options: options)
        return try reader.update(&self, from: Array(text.utf8))
    }

    /// Reads JSON in UTF-8 into this model: see ``update(json:options:)``.
    @discardableResult
    public mutating func update(json bytes: [UInt8], options: JSONReader.Options = .init()) throws(JSONError) -> JSONChangeSet<
        Self
    > {
        var reader = JSONReader(options: options)
        return try reader.update(&self, from: bytes)
    }
}

extension JSONReader {
    /// Reads a document into a model that exists; see `JSONModel.update(json:options:)`.
    ///
    /// - Throws: ``JSONError``; the model is then what it was.
    public mutating func update<Model: JSONModel>(_ model: inout Model, from bytes: [UInt8]) throws(JSONError) -> JSONChangeSet<
        Model
    > {
        let modelType = type(of: model)
        // Of a class, the table of the object's own.
        let table = modelType._jsonTable
        if let problem = table.problem { throw problem }
        guard !(modelType is AnyClass) || table.binding.type == modelType else {
            throw .unmarkedSubclass(modelType, of: table.binding.type)
        }
        // Without a draft of what the model has, it would be read anew, and lose what the document does not say.
        guard table.canFillDrafts(of: modelType) || model._makeDraft() != nil else {
            throw JSONError(.invalidModel, expected: "a model that can be updated", found: "\(modelType), which cannot")
        }
        // An object will be another one than it is now.
        let before = try? JSONValue(json: model.jsonBytes())
        var result: Model? = model
        var assigned: [AssignedProperty] = []
        // The model's own binding, without the hooks and variants that its type's may go through.
        let row = _BindingCompiler.elementRow(_Binding(table.binding), addingDepth: 1)
        defer { unsafe row.address.deallocate() }
        let failure = unsafe withUnsafeMutablePointer(to: &result) { place in
            unsafe bytes.withUnsafeBytes { bytes in
                unsafe runUpdate(row, at: UnsafeMutableRawPointer(place), bytes, &assigned)
            }
        }
        if let failure { throw failure }
        guard let result else { throw JSONReader.nothing }
        let changes = JSONChangeSet<Model>(
            assigned: assigned.map { $0.names.joined(separator: ".") },
            changed: JSONReader.changed(assigned, from: before, to: result, table).map { $0.names.joined(separator: ".") })
        model = result
        return changes
    }

    /// Those properties whose JSON form differs.
    private static func changed<Model: JSONModel>(
        _ assigned: [AssignedProperty], from before: JSONValue?, to new: Model, _ table: PropertyTable
    ) -> [AssignedProperty] {
        guard let before, let after = try? JSONValue(json: new.jsonBytes()) else {
            return assigned
        }
        func value(_ keys: [String], in root: JSONValue) -> JSONValue? {
            var value: JSONValue? = root
            for key in keys { value = value?[key] }
            return value
        }
        return assigned.filter { property in
            let values = (value(property.keys, in: before), value(property.keys, in: after))
            // What is written in neither may have changed all the same.
            return values.0 != values.1 || (values.0 == nil && !table.writes(property.names))
        }
    }
}

extension PropertyTable {
    /// Whether a property is written; one of a nested model is taken for written.
    fileprivate func writes(_ names: [String]) -> Bool {
        names.count > 1 || properties.contains { $0.name == names.first && $0.direction != .reading }
    }
}
