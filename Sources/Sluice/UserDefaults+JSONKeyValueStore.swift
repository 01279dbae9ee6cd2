// Models in the user's defaults. Where Foundation comes in two parts, as on Linux, the facade imports only the smaller one, which
// has no defaults.

#if canImport(Foundation) && !canImport(FoundationEssentials)
public import Foundation
public import SluiceCore

extension UserDefaults: JSONKeyValueStore {
    /// The data of a key, as bytes; nil if the key is absent or holds something else.
    ///
    /// ```swift
    /// try UserDefaults.standard.set(book, forKey: "book")
    /// let book = try UserDefaults.standard.value(Book.self, forKey: "book")
    /// ```
    public func bytes(forKey key: String) throws(JSONError) -> [UInt8]? { data(forKey: key).map { [UInt8]($0) } }

    /// Keeps bytes as the data of a key.
    public func setBytes(_ bytes: [UInt8], forKey key: String) throws(JSONError) { set(Data(bytes), forKey: key) }

    /// Removes the key.
    public func removeBytes(forKey key: String) throws(JSONError) { removeObject(forKey: key) }
}
#endif
