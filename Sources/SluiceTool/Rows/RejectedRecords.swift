// Stores rejected records: in a table of the same database, in the same transaction as the rows around them, or in an NDJSON
// file. The columns are those of DuckDB's `reject_errors`.

#if CommandLine
internal import Foundation
internal import GRDB
internal import SluiceCore

/// A record that was rejected, with the reason.
struct RejectedRecord {
    let file: String
    /// The position of the record's first byte.
    let record: SourcePosition
    /// The position of the error.
    let place: SourcePosition
    let column: String
    let kind: String
    /// The text of the record; empty if it is not available.
    let text: String
    let reason: String
}

/// The table or file that rejected records are written to.
final class RejectedRecords {
    private enum Target {
        case table(Statement)
        case file(FileHandle)
    }

    private let name: String
    private var target: Target?
    private var pending: [UInt8] = []
    private var writtenSize = 0
    /// The size of the file in bytes once all pending records are written.
    var size: Int { writtenSize + pending.count }

    /// Whether a name stands for a file, not a table.
    static func isFile(_ name: String) -> Bool { name.contains("/") || name.contains(".") }

    init(_ name: String) { self.name = name }

    /// Opens the table or file, inside a transaction.
    ///
    /// - Parameters:
    ///   - size: How many bytes of the file belong to committed transactions of an earlier run; the rest is cut off.
    ///   - resumed: For each resumed input, the least byte offset of a record that will be read again.
    func open(_ db: Database, size: Int, resumed: [(file: String, offset: Int)]) throws {
        if RejectedRecords.isFile(name) {
            if !FileManager.default.fileExists(atPath: name), !FileManager.default.createFile(atPath: name, contents: nil) {
                throw CommandError.database("cannot create \(name)")
            }
            guard let handle = FileHandle(forUpdatingAtPath: name) else { throw CommandError.database("cannot open \(name)") }
            try handle.truncate(atOffset: UInt64(size))
            try handle.seekToEnd()
            writtenSize = size
            target = .file(handle)
            return
        }
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS \(name.quotedForSQL) (
                    file TEXT, line INTEGER, line_byte_position INTEGER, byte_position INTEGER, column_name TEXT,
                    error_type TEXT, json_line TEXT, error_message TEXT)
                """)
        // If the input ended in the middle of a record, that record is read again. All other rows stay: they may belong to
        // another run.
        for input in resumed {
            try db.execute(
                sql: "DELETE FROM \(name.quotedForSQL) WHERE file = ? AND line_byte_position >= ? AND error_type = ?",
                arguments: [input.file, input.offset, "\(JSONError.Kind.unexpectedEnd)"])
        }
        target = .table(
            try db.makeStatement(sql: "INSERT INTO \(name.quotedForSQL) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"))
    }

    func add(_ record: RejectedRecord) throws {
        switch target {
        case nil: break
        case .table(let statement):
            try statement.execute(arguments: [
                record.file, record.record.line, record.record.offset, record.place.offset,
                record.column.isEmpty ? nil : record.column, record.kind, record.text.isEmpty ? nil : record.text, record.reason,
            ])
        case .file:
            func text(_ text: String) -> JSONValue { text.isEmpty ? .null : .string(text) }
            let value: JSONValue = [
                "file": .string(record.file), "line": .number(JSONNumber(record.record.line)),
                "line_byte_position": .number(JSONNumber(record.record.offset)),
                "byte_position": .number(JSONNumber(record.place.offset)), "column_name": text(record.column),
                "error_type": .string(record.kind), "json_line": text(record.text), "error_message": .string(record.reason),
            ]
            pending += try value.jsonBytes() + [UInt8(ascii: "\n")]
            if pending.count > 1 << 20 { try flush() }
        }
    }

    /// Writes the pending records, before the transaction is committed.
    func flush() throws {
        guard case .file(let handle) = target, !pending.isEmpty else { return }
        try handle.write(contentsOf: Data(pending))
        writtenSize += pending.count
        pending.removeAll(keepingCapacity: true)
    }
}
#endif
