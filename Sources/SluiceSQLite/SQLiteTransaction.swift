// One transaction of a run. It makes or widens the table, and stores rows and what is kept beside them.

#if SQLite
internal import GRDB
internal import SluiceCore
internal import SluiceIngest

/// An open transaction of the database.
final class SQLiteTransaction: SinkTransaction, RejectionLedger {
    private let connection: SQLiteConnection
    private let db: Database
    private var table: String { connection.sink.table }
    /// The number of the next checkpoint.
    private var nextSequence: Int?

    init(_ connection: SQLiteConnection, _ db: Database) {
        self.connection = connection
        self.db = db
    }

    func contents() throws -> SinkContents { try SinkContents(of: table, db) }
    var ledger: any SinkLedger { self }

    // MARK: Rows

    func prepare(_ wanted: SinkTable) throws -> [String] {
        if wanted.parent != nil { return try prepareChild(wanted) }
        if let loader = connection.loader {
            let known = loader.addedColumns.count
            try loader.add(Array(wanted.columns.dropFirst(loader.columns.count)), db)
            return Array(loader.addedColumns.dropFirst(known))
        }
        let made = try RecordTable(wanted, db)
        do {
            connection.loader = try RecordLoader(
                db, table: made, columns: wanted.columns, conflict: wanted.conflict, run: connection.run.identity,
                connection.found, changes: wanted.changes)
            connection.wanted = wanted
        } catch let error as DatabaseError where error.message?.contains("ON CONFLICT") == true {
            throw IngestError.usage(
                "the table \(table) has no primary key or unique index of \(wanted.key.joined(separator: ", "))")
        }
        return made.addedColumns
    }

    private func prepareChild(_ wanted: SinkTable) throws -> [String] {
        if let child = connection.children[wanted.name] {
            try child.rows.add(Array(wanted.columns.dropFirst(child.rows.columns.count)), db)
            return []
        }
        guard try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true else {
            throw IngestError.usage(
                "child tables need a connection with PRAGMA foreign_keys = ON, as GRDB makes it unless it is told otherwise")
        }
        connection.children[wanted.name] = try ChildLoader(
            wanted, isNested: wanted.parent.map { connection.children[$0.table] != nil } ?? false, db, connection.run.identity,
            connection.found)
        return []
    }

    func store(_ batch: RowBatch) throws -> StoredBatch {
        guard let loader = connection.loader else { return StoredBatch() }
        return try loader.store(batch, db)
    }

    func store(_ batch: RowBatch, inChild table: String, replacing ends: RowBatch?) throws -> StoredBatch {
        guard let child = connection.children[table] else { return StoredBatch() }
        return try child.store(batch, replacing: ends, below: tables(below: table), db)
    }

    /// The child tables below a table, the deepest first.
    private func tables(below parent: String) -> [ChildLoader] {
        connection.children.values.map(\.wanted).below(parent).compactMap { connection.children[$0.name] }
    }

    // MARK: Missing rows

    func setSnapshot(_ snapshot: SinkSnapshot, over earlier: SinkSnapshot?, begins: Bool) throws -> Bool {
        guard let loader = connection.loader, try CheckpointTable.snapshot(of: table, db) == earlier else { return false }
        if snapshot != earlier {
            try CheckpointTable.make(db)
            try CheckpointTable.keepSnapshot(snapshot, of: table, db)
        }
        let notes = KeyNotes(loader)
        if snapshot.isDone {
            try notes.remove(db)
            loader.forgetKeyNotes()
        } else if begins || !loader.notesKeys {
            try notes.make(begins: begins, db)
            try loader.noteKeys(in: notes.name, db)
        }
        return true
    }

    func settleMissing(_ change: MissingChange, most: Int) throws -> StoredBatch {
        guard let loader = connection.loader, let wanted = connection.wanted else { return StoredBatch() }
        return try KeyNotes(loader).settle(change, most: most, wanted, children: tables(below: table).map(\.wanted), db)
    }

    // MARK: Checkpoints

    func forgetCheckpoints(of run: RunIdentity, includingOthers: Bool) throws {
        try CheckpointTable.forget(of: table, for: run, includingOthers: includingOthers, db)
    }

    func write(_ checkpoint: StoredCheckpoint, of input: String, over version: CheckpointVersion) throws -> CheckpointVersion? {
        let sequence = try nextSequence ?? CheckpointTable.nextSequence(db)
        nextSequence = sequence + 1
        return try CheckpointTable.write(checkpoint, of: input, over: version, sequence: sequence, db)
    }

    func remember(_ change: (String?) throws -> String) throws {
        let known = try CheckpointTable.memory(of: table, db)
        let text = try change(known)
        if text != known { try CheckpointTable.keepMemory(text, of: table, db) }
    }

    func release(_ run: RunIdentity) throws { try CheckpointTable.release(run, of: table, db) }

    // MARK: Rejected records

    func reject(_ records: [RejectedRecord], into table: String) throws {
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS \(table.quotedForSQL) (
                    file TEXT, line INTEGER, line_byte_position INTEGER, byte_position INTEGER, column_name TEXT,
                    error_type TEXT, json_line TEXT, error_message TEXT)
                """)
        guard !records.isEmpty else { return }
        let columns = RejectedRecord.columns.joined(separator: ", ")
        let statement = try db.cachedStatement(
            sql: "INSERT INTO \(table.quotedForSQL) (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        for record in records {
            try statement.execute(arguments: [
                record.file, record.record.line, record.record.offset, record.place.offset,
                record.column.isEmpty ? nil : record.column, record.kind, record.text.isEmpty ? nil : record.text, record.reason,
            ])
        }
    }

    func removeRejections(_ cutOff: CutOffRecords, from table: String) throws -> Int {
        guard try RecordTable.exists(table, db) else { return 0 }
        var search = CutOffSearch(cutOff)
        var removed = 0
        // Each statement reads the whole table once, so it takes many records. SQLite allows 32,766 arguments.
        for start in stride(from: 0, to: cutOff.records.count, by: 10_000) {
            let part = cutOff.records[start...].prefix(10_000)
            var arguments: [any DatabaseValueConvertible] = [cutOff.file]
            for record in part { arguments += [record.offset, record.kind] }
            let records = Array(repeating: "(?, ?)", count: part.count).joined(separator: ", ")
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT rowid, \(RejectedRecord.columns.joined(separator: ", ")) FROM \(table.quotedForSQL)
                    WHERE file = ? AND (line_byte_position, error_type) IN (VALUES \(records)) ORDER BY rowid
                    """,
                arguments: StatementArguments(arguments))
            for row in rows where search.take(SQLiteTransaction.rejection(row)) {
                let id: Int64 = row[0]
                try db.execute(sql: "DELETE FROM \(table.quotedForSQL) WHERE rowid = ?", arguments: [id])
                removed += 1
            }
        }
        return removed
    }

    /// A rejection from a row of a table of rejects, behind the row's number.
    private static func rejection(_ row: Row) -> RejectedRecord {
        RejectedRecord(
            file: row[1] ?? "", record: SourcePosition(offset: row[3] ?? 0, line: row[2] ?? 1, column: 1),
            place: SourcePosition(offset: row[4] ?? 0, line: 1, column: 1), column: row[5] ?? "", kind: row[6] ?? "",
            text: row[7] ?? "", reason: row[8] ?? "")
    }

    func settle(_ rejections: [Replay.Rejection], in table: String) throws -> Int {
        guard try RecordTable.exists(table, db) else { return 0 }
        // SQLite gives the number of a removed row to a new one, so the rest is compared, too.
        let statement = try db.cachedStatement(
            sql: """
                DELETE FROM \(table.quotedForSQL)
                WHERE rowid = ? AND json_line IS ? AND ifnull(file, '') = ? AND ifnull(line_byte_position, 0) = ?
                    AND ifnull(error_type, '') = ?
                """)
        var removed = 0
        for rejection in rejections {
            guard case .row(let id, let text) = rejection.place, let id = Int64(id) else { continue }
            try statement.execute(arguments: [id, text, rejection.file, rejection.offset, rejection.kind])
            removed += db.changesCount
        }
        return removed
    }

    func record(_ changes: [RecordedChange], into table: String) throws {
        let columns = try RecordTable.columns(of: table, db)
        if columns.isEmpty {
            try db.execute(
                sql: """
                    CREATE TABLE \(table.quotedForSQL) (
                        number INTEGER PRIMARY KEY, table_name TEXT NOT NULL, key TEXT NOT NULL, operation TEXT NOT NULL, changed_at TEXT NOT NULL, file TEXT,
                        line INTEGER, byte_position INTEGER, patch TEXT NOT NULL, nulls TEXT, hidden TEXT)
                    """)
        } else if columns != RecordedChange.columns {
            throw IngestError.database(
                "\(connection.sink.place) has a table \(table) already that is no table of changes; name another one")
        }
        guard !changes.isEmpty else { return }
        let statement = try db.cachedStatement(
            sql: "INSERT INTO \(table.quotedForSQL) VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        for change in changes {
            try statement.execute(arguments: [
                change.table, change.key, change.operation.rawValue, change.time, change.file, change.line, change.byte,
                change.patch,
                change.nulls, change.hidden,
            ])
        }
    }

    func pendingRejects(to file: String) throws -> [PendingRejects] { try CheckpointTable.pendingRejects(to: file, db) }

    func setPendingRejects(_ pending: PendingRejects?, of owner: String, to file: String) throws {
        if let pending {
            // If none of the inputs of a run can be read again, it has no checkpoints.
            try CheckpointTable.make(db)
            try CheckpointTable.keepPendingRejects(pending, to: file, db)
        } else {
            try CheckpointTable.forgetPendingRejects(of: owner, db)
        }
    }
}
#endif
