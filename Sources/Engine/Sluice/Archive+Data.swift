// Archives as Foundation's Data.

public import Foundation
public import SluiceCore

extension JSONReadable {
    /// Reads a value from an archive: see `init(archive:named:)`.
    ///
    /// ```swift
    /// let data = try Data(book.archive())
    /// let again = try Book(archive: data)
    /// ```
    ///
    /// - Throws: `JSONError` of kind `unusableArchive` for data that is not an archive of this type, is damaged, or is of a newer
    ///   format; the error of reading for properties that are missing, or whose types have changed.
    public init(archive data: Data, named name: String? = nil) throws(JSONError) {
        self = try Self(archive: [UInt8](data), named: name)
    }
}
