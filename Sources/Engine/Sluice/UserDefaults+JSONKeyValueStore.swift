// Models in the user's defaults. If Foundation has two parts, as on Linux, the facade imports only the smaller one, which has no
// UserDefaults.

#if canImport(Foundation) && !canImport(FoundationEssentials)
public import Foundation
public import SluiceCore

extension UserDefaults: JSONKeyValueStore {
    /// The data stored under a key, as bytes; nil if the key is absent or its value is not data.
    ///
    /// ```swift
    /// try UserDefaults.standard.set(book, forKey: "book")
    /// let book = try UserDefaults.standard.value(Book.self, forKey: "book")
    /// ```
    public func bytes(forKey key: String) throws(JSONError) -> [UInt8]? { data(forKey: key).map { [UInt8]($0) } }

    /// Stores bytes as data under a key.
    public func setBytes(_ bytes: [UInt8], forKey key: String) throws(JSONError) { set(Data(bytes), forKey: key) }

    /// Removes a key and its value.
    public func removeBytes(forKey key: String) throws(JSONError) { removeObject(forKey: key) }
}
#endif
