// How far an input has been read, kept in the database beside the rows. It is written in the same transaction as those rows, so
// the two never disagree. After a crash, the next run continues after the last stored row.
//
// Two runs may read one input at the same time. So a run first claims the row of its input: it writes its own name into the row,
// if the row is still as the run has read it and no other run holds it. Each batch writes its checkpoint only over the row that
// this run wrote last. If another run has written the row since, the batch is rolled back.

#if SQLite
internal import Foundation
internal import GRDB
internal import SluiceCore
internal import SluiceIngest
internal import SluiceFeed

/// The table of checkpoints.
enum CheckpointTable {
    static let name = CheckpointLayout.table
    private static let firstColumns = CheckpointLayout.firstColumns
    /// The definitions of the columns that the second layout added.
    private static let addedColumns = [
        "run": "TEXT NOT NULL DEFAULT ''", "is_held": "INTEGER NOT NULL DEFAULT 0",
        "layout": "INTEGER NOT NULL DEFAULT \(CheckpointLayout.number)",
    ]

    // MARK: The table

    /// Whether the table exists.
    ///
    /// - Throws: ``IngestError/database(_:)`` if the table is not one that this version understands.
    static func exists(_ db: Database) throws -> Bool {
        let columns = Set(try RecordTable.columns(of: name, db))
        let file = try String.fetchOne(db, sql: "SELECT file FROM pragma_database_list WHERE name = 'main'") ?? ""
        let fault = try CheckpointLayout.fault(of: columns, in: file, "database") {
            try Int.fetchOne(db, sql: "SELECT max(layout) FROM \(name)")
        }
        if let fault { throw IngestError.database("\(fault)") }
        return !columns.isEmpty
    }

    /// Creates the table, or brings an older one to the current layout, inside a transaction.
    static func make(_ db: Database) throws {
        guard try exists(db) else {
            return try db.execute(
                sql: """
                    CREATE TABLE \(name) (
                        table_name TEXT NOT NULL, input TEXT NOT NULL, byte_offset INTEGER NOT NULL, records INTEGER NOT NULL,
                        rejected INTEGER NOT NULL, is_complete INTEGER NOT NULL, sequence INTEGER NOT NULL,
                        checkpoint TEXT NOT NULL, state TEXT NOT NULL,
                        \(addedColumns.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")),
                        PRIMARY KEY (table_name, input))
                    """)
        }
        let columns = Set(try RecordTable.columns(of: name, db))
        for (column, definition) in addedColumns.sorted(by: { $0.key < $1.key }) where !columns.contains(column) {
            try db.execute(sql: "ALTER TABLE \(name) ADD COLUMN \(column) \(definition)")
        }
    }

    /// Writes a row that is not the checkpoint of an input.
    static func keep(_ input: String, state: String, checkpoint: String = "", orIgnore: Bool = false, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR \(orIgnore ? "IGNORE" : "REPLACE") INTO \(name) (\(firstColumns.joined(separator: ", ")))
                VALUES ('', ?, 0, 0, 0, 0, 0, ?, ?)
                """, arguments: [input, checkpoint, state])
    }

    /// Stores the journal mode that the database had before the run. It is restored when no other run uses the database.
    static func keepJournal(_ journal: String, _ db: Database) throws {
        try keep("journal", state: journal, orIgnore: true, db)
    }

    static func journal(_ db: Database) throws -> String? {
        guard try exists(db) else { return nil }
        return try String.fetchOne(db, sql: "SELECT state FROM \(name) WHERE table_name = '' AND input = 'journal'")
    }

    /// Deletes the stored journal mode, and the table with it if nothing else is stored.
    static func forgetJournal(_ db: Database) throws {
        guard try exists(db) else { return }
        try db.execute(sql: "DELETE FROM \(name) WHERE table_name = '' AND input = 'journal'")
        if try Int.fetchOne(db, sql: "SELECT 1 FROM \(name) LIMIT 1") == nil { try db.execute(sql: "DROP TABLE \(name)") }
    }

    /// The last load of a table whose keys were noted.
    static func snapshot(of table: String, _ db: Database) throws -> SinkSnapshot? {
        guard try exists(db) else { return nil }
        let sql = "SELECT state FROM \(name) WHERE table_name = '' AND input = ? COLLATE NOCASE"
        return try String.fetchOne(db, sql: sql, arguments: ["snapshot:" + table]).flatMap { SinkSnapshot(text: $0) }
    }

    static func keepSnapshot(_ snapshot: SinkSnapshot, of table: String, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM \(name) WHERE table_name = '' AND input = ? COLLATE NOCASE", arguments: ["snapshot:" + table])
        try keep("snapshot:" + table, state: snapshot.text, db)
    }

    // MARK: What tables remember

    /// What a table remembers of its columns.
    static func memory(of table: String, _ db: Database) throws -> String? {
        let name = CheckpointLayout.memoryTable
        let columns = try RecordTable.columns(of: name, db)
        guard !columns.isEmpty else { return nil }
        guard columns == CheckpointLayout.memoryColumns else {
            throw IngestError.database("the database has a table \(name) that is not one of sluice")
        }
        return try String.fetchOne(
            db, sql: "SELECT memory FROM \(name) WHERE table_name = ? COLLATE NOCASE", arguments: [table])
    }

    static func keepMemory(_ text: String, of table: String, _ db: Database) throws {
        let name = CheckpointLayout.memoryTable
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS \(name) (table_name TEXT PRIMARY KEY COLLATE NOCASE, memory TEXT NOT NULL) WITHOUT ROWID
                """)
        try db.execute(sql: "INSERT OR REPLACE INTO \(name) VALUES (?, ?)", arguments: [table, text])
    }

    // MARK: The rows of inputs

    /// The rows of a table's inputs; the last one was written last. SQLite ignores case in the name of a table.
    static func entries(of table: String, _ db: Database) throws -> [SinkCheckpoint] {
        guard try exists(db) else { return [] }
        let sql = "SELECT * FROM \(name) WHERE table_name = ? COLLATE NOCASE ORDER BY sequence"
        return try Row.fetchAll(db, sql: sql, arguments: [table]).map { row in
            SinkCheckpoint(
                input: row["input"],
                version: CheckpointVersion(
                    table: row["table_name"], sequence: row["sequence"], offset: row["byte_offset"], run: row["run"] ?? ""),
                checkpoint: StoredCheckpoint(row), isHeld: row["is_held"] ?? false)
        }
    }

    /// Takes the row of an input: it names this run as its holder from now on.
    ///
    /// - Parameter version: The row as it is, or nil.
    static func take(_ input: String, of table: String, for run: RunIdentity, from version: CheckpointVersion?, _ db: Database)
        throws
        -> CheckpointVersion
    {
        var taken = version ?? CheckpointVersion(table: table)
        taken.run = run.text
        if version != nil {
            let sql = "UPDATE \(name) SET run = ?, is_held = 1 WHERE table_name = ? AND input = ?"
            try db.cachedStatement(sql: sql).execute(arguments: [taken.run, taken.table, input])
        } else {
            let sql = """
                INSERT INTO \(name) (\(firstColumns.joined(separator: ", ")), run, is_held)
                VALUES (?, ?, 0, 0, 0, 0, 0, '', '', ?, 1)
                """
            try db.cachedStatement(sql: sql).execute(arguments: [table, input, taken.run])
        }
        return taken
    }

    /// Whether this is the last run of this database: no other running run holds an input, or has written later than this run.
    static func isLast(_ run: RunIdentity, _ db: Database) throws -> Bool {
        guard try exists(db) else { return true }
        let rows = try Row.fetchAll(db, sql: "SELECT run, sequence, is_held FROM \(name) WHERE run <> ''")
        let writes = rows.compactMap { row in
            RunIdentity(text: row["run"]).map { (run: $0, sequence: row["sequence"] as Int, isHeld: row["is_held"] as Bool) }
        }
        let own = writes.filter { $0.run.id == run.id }.map(\.sequence).max() ?? 0
        return !writes.contains { other in
            guard other.run.id != run.id, other.run.state(seenFrom: run) == .running else { return false }
            return other.isHeld || (other.sequence, other.run.id) > (own, run.id)
        }
    }

    /// The next number of a write.
    static func nextSequence(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT max(sequence) + 1 FROM \(name)") ?? 1
    }

    /// Writes the checkpoint of an input that this run holds.
    ///
    /// - Parameter version: The row as this run wrote it last.
    /// - Returns: The row as it is now; nil if the row was not as expected, because another run has written it.
    static func write(
        _ checkpoint: StoredCheckpoint, of input: String, over version: CheckpointVersion, sequence: Int, _ db: Database
    ) throws -> CheckpointVersion? {
        let statement = try db.cachedStatement(
            sql: """
                UPDATE \(name) SET byte_offset = ?, records = ?, rejected = ?, is_complete = ?, sequence = ?, checkpoint = ?,
                state = ? WHERE table_name = ? AND input = ? AND sequence = ? AND byte_offset = ? AND run = ?
                """)
        try statement.execute(arguments: [
            checkpoint.feed.offset, checkpoint.feed.recordIndex, checkpoint.rejected, checkpoint.isComplete, sequence,
            checkpoint.feedText,
            checkpoint.state.jsonString(), version.table, input, version.sequence, version.offset, version.run,
        ])
        guard db.changesCount == 1 else { return nil }
        return CheckpointVersion(table: version.table, sequence: sequence, offset: checkpoint.feed.offset, run: version.run)
    }

    /// Notes that a run has ended, and deletes its rows that have no checkpoint.
    static func release(_ run: RunIdentity, of table: String, _ db: Database) throws {
        guard try exists(db) else { return }
        let condition = "table_name = ? COLLATE NOCASE AND run = ?"
        try db.execute(sql: "DELETE FROM \(name) WHERE \(condition) AND checkpoint = ''", arguments: [table, run.text])
        try db.execute(sql: "UPDATE \(name) SET is_held = 0 WHERE \(condition)", arguments: [table, run.text])
    }

    /// Forgets the checkpoints of a table's inputs. The rows of inputs that a run holds stay, but say that nothing has been read.
    ///
    /// - Parameter includingOthers: Whether to include inputs that the run does not hold.
    static func forget(of table: String, for run: RunIdentity, includingOthers: Bool, _ db: Database) throws {
        guard try exists(db) else { return }
        if includingOthers {
            // A row without a checkpoint belongs to a run that is about to begin.
            try db.execute(
                sql: "DELETE FROM \(name) WHERE table_name = ? COLLATE NOCASE AND run <> ? AND checkpoint <> ''",
                arguments: [table, run.text])
        }
        try db.execute(
            sql: """
                UPDATE \(name) SET byte_offset = 0, records = 0, rejected = 0, is_complete = 0, checkpoint = '', state = ''
                WHERE table_name = ? COLLATE NOCASE AND run = ?
                """, arguments: [table, run.text])
    }
}
#endif
