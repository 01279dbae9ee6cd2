// Archives as Foundation's Data.

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import SluiceCore

extension JSONArchive {
    /// The archive of a value of any type: see `bytes(of:)`.
    public static func data(of value: some JSONWritable) throws(JSONError) -> Data { Data(try bytes(of: value)) }

    /// Reads the archive's header, and checks that the content is complete and unchanged.
    ///
    /// - Throws: `JSONError` of kind `unusableArchive` for data that is not an archive, is damaged, or is of a newer format.
    public init(_ data: Data) throws(JSONError) { try self.init([UInt8](data)) }
}

extension JSONModel {
    /// The value as an archive: see `archive()`.
    ///
    /// ```swift
    /// let data = try book.archiveData()
    /// let again = try Book(archive: data)
    /// ```
    ///
    /// - Throws: `JSONError` of kind `notWritable` or `depthLimit`.
    public func archiveData() throws(JSONError) -> Data { Data(try archive()) }

    /// Reads a value from an archive: see `init(archive:named:)`.
    ///
    /// - Throws: `JSONError` of kind `unusableArchive` for data that is not an archive of this type, is damaged, or is of a newer
    ///   format; the error of reading for properties that are missing, or whose types have changed.
    public init(archive data: Data, named name: String? = nil) throws(JSONError) {
        self = try Self(archive: [UInt8](data), named: name)
    }
}
