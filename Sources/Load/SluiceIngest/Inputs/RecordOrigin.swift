// The place of a record: the input, and the line and byte in it.

/// Where a record is: in which input, and at which line and byte of it.
///
/// ```swift
/// let rows = try Row.fetchAll(db, sql: "SELECT * FROM events WHERE actor = 'ann'")
/// for row in rows {
///     let origin = RecordOrigin(input: row["_input"], line: row["_line"], byte: row["_byte"], digest: row["_digest"])
///     print(try origin.text())
/// }
/// ```
///
/// ``Ingest/provenance(_:)`` stores it with each row.
public struct RecordOrigin: Hashable, Sendable, Codable {
    /// The absolute path of a file without symbolic links, or the name of another input, such as `standard input`. A range of a file has
    /// its bounds after the path: `/logs/a.ndjson[0:1000]`. On Linux, each `%` of a path is `%25`.
    public let input: String
    /// The line where the record begins, from 1 on. In a range of a file, lines count from the beginning of the range.
    public let line: Int
    /// How many bytes come before the record in the text of the input. The text of a compressed file is decompressed.
    public let byte: Int
    /// A digest of the record's text, by which another text at this place is recognised; nil if it is not known.
    public let digest: Int64?

    public init(input: String, line: Int, byte: Int, digest: Int64? = nil) {
        (self.input, self.line, self.byte, self.digest) = (input, line, byte, digest)
    }
}

extension RecordOrigin: CustomStringConvertible {
    /// The place on one line: `/logs/a.ndjson: line 3, byte 91`.
    public var description: String { "\(input): line \(line), byte \(byte)" }
}
