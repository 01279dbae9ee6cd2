// Records that are not stored go to a table of the same database, in the same transaction as the rows around them, or to a file of
// NDJSON. The columns are those of DuckDB's `reject_errors`.

#if CommandLine
internal import Foundation
internal import GRDB
internal import SluiceCore

/// A record that is not stored, with all that is known of it.
struct RejectedRecord {
    let file: String
    /// Where the record begins.
    let record: SourcePosition
    /// Where it is wrong.
    let place: SourcePosition
    let column: String
    let kind: String
    /// The record; empty if its text is not at hand.
    let text: String
    let reason: String
}

/// Where rejected records go.
final class RejectedRecords {
    private enum Target {
        case table(Statement)
        case file(FileHandle)
    }

    private let name: String
    private var target: Target?
    private var pending: [UInt8] = []
    private var writtenSize = 0
    /// The size of the file, when all that is pending is written.
    var size: Int { writtenSize + pending.count }

    /// Whether a name means a file.
    static func isFile(_ name: String) -> Bool { name.contains("/") || name.contains(".") }

    init(_ name: String) { self.name = name }

    /// Opens the table or file, inside a transaction.
    ///
    /// - Parameters:
    ///   - size: The bytes of the file that an earlier run has written; what comes behind them is of no transaction.
    ///   - resumed: For each input that is taken up again, the first place where a record may be that is read again.
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
        // What the input ended in is read again when the input has grown. All else stays: it may be of another run's table.
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

    /// Writes what is pending, before the transaction is committed.
    func flush() throws {
        guard case .file(let handle) = target, !pending.isEmpty else { return }
        try handle.write(contentsOf: Data(pending))
        writtenSize += pending.count
        pending.removeAll(keepingCapacity: true)
    }
}
#endif
