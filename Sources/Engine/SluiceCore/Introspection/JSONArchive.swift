// Turns a value into an archive, bytes with a header that describes them, for files and key-value stores; and an archive into a value.
//
//     offset   bytes
//          0       4   "SLUA"
//          4       1   the format's version, 1
//          5       1   the kind of content: 0 the value, 1 the value and the objects in it whose classes have subclasses
//          6       2   n, the length of the model's name         all numbers: least significant byte first
//          8       8   the fingerprint of the model's schema
//         16       8   m, the length of the content
//         24       8   FNV-1a of the bytes 0 ..< 24, the name and the content
//         32       n   the model's name in UTF-8
//     32 + n       m   the content, as JSON: an object of the properties under their first keys; with objects, the array
//                      [value, [name of a class, …], [its path, …], [number of an object's class, …], object, …]

/// An archive whose bytes have been checked. It gives the header's facts, and ``value(_:named:)`` reads the archived value.
///
/// ```swift
/// let archive = try JSONArchive(bytes)
/// archive.modelName                                      // "Book"
/// archive.fingerprint == Book.schema.fingerprint         // whether Book has not changed since
/// let book = try Book(archive: bytes)
/// ```
package struct JSONArchive: Sendable {
    /// The version of the format that this library writes, and the newest that it reads.
    package static let currentVersion = 1

    private static let magic: [UInt8] = Array("SLUA".utf8)
    private static let headerSize = 32

    /// The format's version.
    package let version: Int
    /// The name of the archived type when the archive was made.
    package let modelName: String
    /// The fingerprint of the archived model's schema when the archive was made; 0 for a type that is not a model.
    package let fingerprint: UInt64
    /// The content as JSON: see the table at the top of this file.
    package let content: ArraySlice<UInt8>
    /// Whether the content also has objects of classes with subclasses.
    let holdsObjects: Bool

    /// Reads the header of an archive, and checks that the bytes are complete and unchanged.
    ///
    /// - Throws: ``JSONError`` of kind `unusableArchive` for bytes that are not an archive, are damaged, or are of a newer format.
    package init(_ bytes: [UInt8]) throws(JSONError) {
        guard bytes.starts(with: Self.magic) else { throw Self.unusable("an archive", "other bytes", at: 0) }
        guard bytes.count >= Self.headerSize else { throw Self.cutOff(bytes) }
        version = Int(bytes[4])
        guard version <= Self.currentVersion else {
            throw Self.unusable("an archive of a format up to \(Self.currentVersion)", "format \(version)", at: 4)
        }
        let nameSize = UInt64(bytes[6]) | UInt64(bytes[7]) << 8
        let contentSize = Self.number(bytes[16..<24])
        let (size, overflow) = contentSize.addingReportingOverflow(nameSize + UInt64(Self.headerSize))
        guard !overflow, size >= UInt64(bytes.count) else {
            throw Self.unusable("the end of the archive", "more", at: Int(size))
        }
        guard size == UInt64(bytes.count) else { throw Self.cutOff(bytes) }
        guard Self.number(bytes[24..<32]) == Self.checksum(bytes), bytes[5] <= 1 else {
            throw Self.unusable("an archive as it was made", "changed bytes", at: 0)
        }
        let contentStart = Self.headerSize + Int(nameSize)
        guard let name = String(validating: bytes[Self.headerSize..<contentStart], as: UTF8.self) else {
            throw Self.unusable("the model's name", "bytes that are no UTF-8", at: Self.headerSize)
        }
        modelName = name
        fingerprint = Self.number(bytes[8..<16])
        content = bytes[contentStart...]
        holdsObjects = bytes[5] == 1
    }

    /// The bytes of an archive. A name is cut after 65,535 bytes.
    package static func bytes(
        ofModel name: String, fingerprint: UInt64, content: [UInt8], holdsObjects: Bool = false
    ) -> [UInt8] {
        let name = Array(name.utf8.prefix(Int(UInt16.max)))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headerSize + name.count + content.count)
        bytes += magic
        bytes += [UInt8(currentVersion), holdsObjects ? 1 : 0, UInt8(name.count & 0xFF), UInt8(name.count >> 8)]
        bytes += littleEndian(fingerprint)
        bytes += littleEndian(UInt64(content.count))
        bytes += littleEndian(0)
        bytes += name
        bytes += content
        bytes.replaceSubrange(24..<32, with: littleEndian(checksum(bytes)))
        return bytes
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt64 {
        var hash = FNV1a()
        hash.combine(bytes[..<24])
        hash.combine(bytes[headerSize...])
        return hash.value
    }

    private static func littleEndian(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64($0 * 8)) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func cutOff(_ bytes: [UInt8]) -> JSONError {
        unusable("the rest of the archive", "its end", at: bytes.count)
    }

    static func unusable(_ expected: String, _ found: String, at offset: Int) -> JSONError {
        JSONError(
            .unusableArchive, position: SourcePosition(offset: offset, line: 1, column: offset + 1), expected: expected,
            found: found)
    }
}

extension JSONArchive {
    /// The archive of a value of any type, such as an array of models.
    ///
    /// ```swift
    /// let bytes = try JSONArchive.bytes(of: books)
    /// let again = try JSONArchive(bytes).value([Book].self)
    /// ```
    ///
    /// - Throws: ``JSONError`` of kind `notWritable` for a number that is not finite, and for an object inside itself.
    package static func bytes(of value: some JSONWritable) throws(JSONError) -> [UInt8] {
        let stored = try value.stored(in: .archive)
        // The dynamic type: a variable may hold an object of a subclass.
        let type = type(of: value)
        return bytes(
            ofModel: String(describing: type), fingerprint: (type as? any JSONModel.Type)?.schema.fingerprint ?? 0,
            content: stored.objects.isEmpty ? stored.text : try content(stored.text, stored.objects),
            holdsObjects: !stored.objects.isEmpty)
    }

    /// The value that was archived.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - name: The name of the type when the archive was made, if it has changed since.
    /// - Throws: ``JSONError`` of kind `unusableArchive` for an archive of another type; of kind `missingKeys` for properties that
    ///   are required and not in the archive; of kind `typeMismatch` or `invalidValue` for properties whose types have changed.
    package func value<Value: JSONReadable>(_ type: Value.Type, named name: String? = nil) throws(JSONError) -> Value {
        let expected = name ?? String(describing: type)
        // A stored object names its own class, which may be a subclass.
        guard modelName == expected || name == nil && holdsObjects && type is AnyClass else {
            throw JSONArchive.unusable("an archive of \(expected)", "one of \(modelName)", at: 32)
        }
        guard holdsObjects else { return try Value(stored: Array(content), nil, in: .archive) }
        let (text, objects) = try objects(calling: name, String(describing: type))
        return try Value(stored: text, objects, in: .archive)
    }
}

extension JSONWritable {
    /// The value as an archive: bytes for a file or a store, from which `init(archive:named:)` reads it again.
    ///
    /// ```swift
    /// let bytes = try books.archive()
    /// let again = try [Book](archive: bytes)
    /// ```
    ///
    /// An archive has the properties of a model under their first keys. Their policies do not apply: each value has the default JSON form
    /// of its type (a date keeps its microseconds). Hooks do not run. Properties that are excluded from archives, and those that are never
    /// read, such as constants, are left out. A property that is ignored in writing is archived if the model can write it by its
    /// slot, as models made by `@JSONModel` can. Sensitive values are stored unchanged, and an archive is not encrypted.
    ///
    /// - Throws: ``JSONError`` of kind `notWritable` for a number that is not finite, and for an object inside itself.
    public func archive() throws(JSONError) -> [UInt8] {
        try JSONArchive.bytes(of: self)
    }

    /// Archives the value into a file. The file is replaced completely, or not at all if an error is thrown.
    ///
    /// ```swift
    /// try book.archive(to: "/var/tmp/book.archive")
    /// let again = try Book(archiveAt: "/var/tmp/book.archive")
    /// ```
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput`, and the errors of ``archive()``.
    package func archive(to path: String) throws(JSONError) { try WholeFile.write(try archive(), to: path) }
}

extension JSONReadable {
    /// Reads a value from an archive.
    ///
    /// The model may have changed since the archive was made. A property that the archive does not have is absent (nil, or its
    /// initial value); an archived property that the model no longer has is skipped. A property is also found under its other keys,
    /// and under its name.
    ///
    /// ```swift
    /// let book = try Book(archive: bytes)
    /// let article = try Article(archive: old, named: "Post")       // when Article was still called Post
    /// ```
    ///
    /// - Parameters:
    ///   - bytes: The archive.
    ///   - name: The name of the type when the archive was made, if it has changed since.
    /// - Throws: ``JSONError`` of kind `unusableArchive` for bytes that are not an archive of this type, are damaged, or are of a
    ///   newer format; of kind `missingKeys` for properties that are required and not in the archive; of kind `typeMismatch` or
    ///   `invalidValue` for properties whose types have changed.
    public init(archive bytes: [UInt8], named name: String? = nil) throws(JSONError) {
        self = try JSONArchive(bytes).value(Self.self, named: name)
    }

    /// Reads a value from an archive in a file.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput`, and the errors of `init(archive:named:)`.
    package init(archiveAt path: String, named name: String? = nil) throws(JSONError) {
        self = try Self(archive: try WholeFile.read(path), named: name)
    }
}
