// Stores rejected records, in the same transaction as the rows around them: in a table of the same database, or as lines that the
// transaction owes an NDJSON file. The columns are those of DuckDB's `reject_errors`.

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
        case file(RejectsFile)
    }

    private let name: String
    private let run: RunIdentity
    private var target: Target?
    /// Lines for the file that are not in a transaction yet.
    private var pending: [UInt8] = []
    /// The records whose rejections are to be removed from the file with the open transaction.
    private var unwanted: [StoredCheckpoint.CutOff] = []
    /// What the last transaction owes the file, and whether that has been written.
    private var pendingRejects: RejectsFile.PendingRejects?
    private var isPaid = true
    /// Whether the lines are stored as pending rejects. Otherwise they are written before the commit: to a pipe or device, which cannot
    /// be compared with them; and if no input has a checkpoint, so that no run is taken up.
    private var keepsPendingRejects = false

    /// Whether the pending lines take enough memory to commit them now.
    var isFull: Bool { pending.count > 1 << 20 }

    /// Whether a name stands for a file, not a table.
    static func isFile(_ name: String) -> Bool { name.contains("/") || name.contains(".") }

    init(_ name: String, of run: RunIdentity) {
        self.name = name
        self.run = run
    }

    /// Writes to the file what killed runs owe it.
    ///
    /// - Throws: ``CommandError/output(_:)`` or what the database throws.
    static func settle(_ name: String, _ database: RecordDatabase) throws {
        let identity = RejectsFile.identity(of: name)
        guard isFile(name), try database.read({ try !CheckpointTable.pendingRejects(to: identity, $0).isEmpty }) else { return }
        let file = try RejectsFile(path: name)
        // A transaction that is lost in a power failure must not have lines in the file.
        try database.sync()
        // Every run takes the database first and then the file, so that no two wait for each other.
        try database.write { db in
            file.lock()
            defer { file.unlock() }
            for kept in try CheckpointTable.pendingRejects(to: identity, db) {
                try file.pay(kept.pendingRejects)
                try CheckpointTable.forget(kept, db)
            }
        }
    }

    /// Opens the file, if it is one; before the database is changed, so that an error leaves all as it was.
    ///
    /// All lines in the file stay, also with `--restart`, `--drop` and `--truncate`: the file may be shared, and its lines say
    /// what was rejected when. A record that is read again and rejected again gets another line.
    ///
    /// - Parameter isResumable: Whether an input has checkpoints.
    /// - Throws: ``CommandError/output(_:)``.
    func openFile(isResumable: Bool) throws(CommandError) {
        guard RejectedRecords.isFile(name) else { return }
        let file = try RejectsFile(path: name)
        keepsPendingRejects = file.isRegular && isResumable
        target = .file(file)
    }

    /// Opens the table, if it is one, inside a transaction. All rejections in it stay: they may belong to another run.
    func open(_ db: Database) throws {
        if case .file = target { return }
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS \(name.quotedForSQL) (
                    file TEXT, line INTEGER, line_byte_position INTEGER, byte_position INTEGER, column_name TEXT,
                    error_type TEXT, json_line TEXT, error_message TEXT)
                """)
        target = .table(
            try db.makeStatement(sql: "INSERT INTO \(name.quotedForSQL) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"))
    }

    /// Removes, with the open transaction, the rejections of records that are read again.
    func remove(_ cutOff: StoredCheckpoint.CutOff, _ db: Database) throws {
        switch target {
        case nil: break
        case .file(let file): if file.isRegular { unwanted.append(cutOff) }
        case .table:
            for record in cutOff.records {
                try db.execute(
                    sql: "DELETE FROM \(name.quotedForSQL) WHERE file = ? AND line_byte_position = ? AND error_type = ?",
                    arguments: [cutOff.file, record.offset, record.kind])
            }
        }
    }

    /// The lines of the file that are to be removed.
    private func unwantedLines(of file: RejectsFile) throws -> [RejectsFile.Line] {
        guard !unwanted.isEmpty else { return [] }
        // The file may be long, so only lines of these inputs are parsed.
        let beginnings = try unwanted.map { try (["file": .string($0.file)] as JSONValue).jsonBytes().dropLast() }
        return try file.lines { line in
            // Lines that were removed in front of this one have become blanks.
            let line = line.drop { $0 == UInt8(ascii: " ") }
            return zip(beginnings, unwanted).contains { beginning, cutOff in
                guard line.starts(with: beginning), let text = String(validating: line, as: UTF8.self),
                    let value = try? JSONValue(json: text), value["file"]?.string == cutOff.file
                else { return false }
                guard let offset = value["line_byte_position"]?.int, let kind = value["error_type"]?.string else { return false }
                return cutOff.records.contains(StoredCheckpoint.CutOff.Record(offset: offset, kind: kind))
            }
        }
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
        }
    }

    // MARK: Transactions

    /// Makes the pending lines part of the transaction, which is committed next. From here to ``endCommit()``, no other run writes
    /// to the file.
    ///
    /// - Throws: ``CommandError/output(_:)`` or what the database throws.
    func beginCommit(_ db: Database) throws {
        guard case .file(let file) = target else { return }
        guard keepsPendingRejects else {
            if !pending.isEmpty { try file.append(pending) }
            return pending.removeAll(keepingCapacity: true)
        }
        if pending.isEmpty, unwanted.isEmpty { return try forgetPendingRejects(db) }
        file.lock()
        let pendingRejects = try file.pendingRejects(of: pending, removing: try unwantedLines(of: file))
        try CheckpointTable.keepPendingRejects(pendingRejects, to: file.identity, of: run, db)
        (self.pendingRejects, isPaid) = (pendingRejects, false)
        pending.removeAll(keepingCapacity: true)
        unwanted = []
    }

    /// Writes to the file what the transaction, now committed, owes it.
    ///
    /// - Throws: ``CommandError/output(_:)``; the next run then writes the lines.
    func endCommit(_ db: Database) throws(CommandError) {
        guard case .file(let file) = target, let pendingRejects, !isPaid else { return }
        defer { file.unlock() }
        // If a power failure could take the transaction back, the next run would reject its records once more.
        try RecordDatabase.sync(db)
        try file.pay(pendingRejects)
        isPaid = true
    }

    /// Lets other runs write to the file, when the transaction was rolled back.
    func abandonCommit() {
        if case .file(let file) = target { file.unlock() }
    }

    /// Waits until the file is on the disk.
    func sync() throws(CommandError) {
        if case .file(let file) = target, file.isRegular { try file.sync() }
    }

    /// Forgets the pending rejects of this run's last transaction, inside a transaction.
    func forgetPendingRejects(_ db: Database) throws {
        guard pendingRejects != nil, isPaid else { return }
        try CheckpointTable.forgetPendingRejects(of: run, db)
        pendingRejects = nil
    }
}
#endif
