// Archives under names: whatever keeps bytes by key keeps models.

internal import Synchronization

/// Something that keeps bytes by key, and so also models, as archives.
///
/// ```swift
/// let store = JSONMemoryStore()
/// try store.set(book, forKey: "book")
/// let again = try store.value(Book.self, forKey: "book")       // nil if nothing is there
/// ```
///
/// A store is a reference: setting a value does not need a `var`.
public protocol JSONKeyValueStore {
    /// The bytes of a key; nil if there are none.
    func bytes(forKey key: String) throws(JSONError) -> [UInt8]?
    /// Keeps bytes under a key, in place of those before.
    func setBytes(_ bytes: [UInt8], forKey key: String) throws(JSONError)
    /// Removes a key, if it is there.
    func removeBytes(forKey key: String) throws(JSONError)
}

extension JSONKeyValueStore {
    /// Keeps a model under a key.
    ///
    /// - Throws: ``JSONError``; what the model's archiving and the store throw.
    public func set(_ model: some JSONModel, forKey key: String) throws(JSONError) {
        try setBytes(try model.archive(), forKey: key)
    }

    /// Keeps an array of models under a key.
    ///
    /// - Throws: ``JSONError``; what the models' archiving and the store throw.
    public func set<Model: JSONModel>(_ models: [Model], forKey key: String) throws(JSONError) {
        try setBytes(try JSONArchive.bytes(of: models), forKey: key)
    }

    /// The value that was kept under a key; nil if absent.
    ///
    /// ```swift
    /// let books = try store.value([Book].self, forKey: "books") ?? []
    /// ```
    ///
    /// - Throws: ``JSONError``; what the store throws, and what ``JSONArchive/value(_:named:)`` throws for what it holds.
    public func value<Value: JSONReadable>(_ type: Value.Type, forKey key: String) throws(JSONError) -> Value? {
        guard let bytes = try bytes(forKey: key) else { return nil }
        return try JSONArchive(bytes).value(type)
    }
}

/// A store in memory: for tests, and for what need not outlive the process.
public final class JSONMemoryStore: JSONKeyValueStore, Sendable {
    private let contents = Mutex<[String: [UInt8]]>([:])

    /// An empty store.
    public init() {}

    /// The bytes of a key; nil if there are none.
    public func bytes(forKey key: String) -> [UInt8]? { contents.withLock { $0[key] } }
    /// Keeps bytes under a key.
    public func setBytes(_ bytes: [UInt8], forKey key: String) { contents.withLock { $0[key] = bytes } }
    /// Removes a key.
    public func removeBytes(forKey key: String) { contents.withLock { _ = $0.removeValue(forKey: key) } }
    /// All keys, sorted.
    public var keys: [String] { contents.withLock { $0.keys.sorted() } }
}
