// Stores archives by name: any store of bytes by key can store models.

/// A store of bytes by key. It can also store models, as archives.
///
/// ```swift
/// let store = UserDefaults.standard                            // or a store of yours
/// try store.set(book, forKey: "book")
/// let again = try store.value(Book.self, forKey: "book")       // nil if nothing is there
/// ```
///
/// A store is a reference: setting a value does not need a `var`.
public protocol JSONKeyValueStore {
    /// The bytes of a key; nil if there are none.
    func bytes(forKey key: String) throws(JSONError) -> [UInt8]?
    /// Stores bytes under a key and replaces those stored before.
    func setBytes(_ bytes: [UInt8], forKey key: String) throws(JSONError)
    /// Removes a key, if it is there.
    func removeBytes(forKey key: String) throws(JSONError)
}

extension JSONKeyValueStore {
    /// Stores a model under a key; nil removes the key.
    ///
    /// - Throws: ``JSONError`` from archiving the model, or from the store.
    public func set<Model: JSONModel>(_ model: Model?, forKey key: String) throws(JSONError) {
        try setArchive(of: model, forKey: key)
    }

    /// Stores an array of models under a key; nil removes the key.
    ///
    /// - Throws: ``JSONError`` from archiving the models, or from the store.
    public func set<Model: JSONModel>(_ models: [Model]?, forKey key: String) throws(JSONError) {
        try setArchive(of: models, forKey: key)
    }

    /// Stores a dictionary of models under a key; nil removes the key.
    ///
    /// - Throws: ``JSONError`` from archiving the models, or from the store.
    public func set<Model: JSONModel>(_ models: [String: Model]?, forKey key: String) throws(JSONError) {
        try setArchive(of: models, forKey: key)
    }

    private func setArchive(of value: (some JSONWritable)?, forKey key: String) throws(JSONError) {
        guard let value else { return try removeBytes(forKey: key) }
        try setBytes(try value.archive(), forKey: key)
    }

    /// The value that was stored under a key; nil if absent.
    ///
    /// ```swift
    /// let books = try store.value([Book].self, forKey: "books") ?? []
    /// ```
    ///
    /// - Throws: ``JSONError`` from the store, or from reading the archive: see `init(archive:named:)`.
    public func value<Value: JSONReadable>(_ type: Value.Type, forKey key: String) throws(JSONError) -> Value? {
        guard let bytes = try bytes(forKey: key) else { return nil }
        return try Value(archive: bytes)
    }
}
