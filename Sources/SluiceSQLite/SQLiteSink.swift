// Stores rows in a table of a SQLite database.

#if SQLite
internal import Foundation
public import GRDB
internal import SluiceCore
public import SluiceIngest

/// A table of a SQLite database, which is made if it is missing.
///
/// ```swift
/// let pool = try DatabasePool(path: "feed.db")
/// try await Ingest(["events.ndjson"], into: SQLiteSink(pool, table: "events")).run()
/// ```
///
/// Each batch is one transaction of the database's writer, so other reads and writes of the same pool come in between. The table
/// `_sluice_checkpoints` of the same database says how far the inputs have been read, and `_sluice_memory` what their columns hold.
public struct SQLiteSink: RecordSink {
    /// The tables of a database in which the sink keeps checkpoints, and what tables remember.
    package static let ownTables = CheckpointLayout.tables

    /// Where the database is.
    enum Location {
        /// A file that the sink opens and makes.
        case file(String)
        /// A database that the caller has open.
        case open(any DatabaseWriter)
    }

    let location: Location
    public let table: String

    public var place: String {
        switch location {
        case .file(let path): path
        case .open(let writer): writer.path
        }
    }

    public var abilities: SinkAbilities { .all }
    // SQLite keeps its log and its journal beside the database.
    public var files: [String] {
        if case .open(let writer) = location, writer.path.isEmpty || writer.path == ":memory:" { return [] }
        return ["", "-wal", "-shm", "-journal"].map { place + $0 }
    }

    /// A table of a database that the caller uses, too. Its settings stay as they are.
    ///
    /// - Parameters:
    ///   - writer: A `DatabasePool` or a `DatabaseQueue`.
    ///   - table: The name of the table.
    public init(_ writer: any DatabaseWriter, table: String = "records") {
        location = .open(writer)
        self.table = table
    }

    /// A table of a database file, which is opened for each ingest, and made if it is missing. While rows come in, the database has a
    /// write-ahead log, so that others can read it.
    public init(path: String, table: String = "records") {
        location = .file(path)
        self.table = table
    }

    public func connect(_ run: SinkRun) throws -> any SinkConnection { try SQLiteConnection(self, run) }
}

/// The database, open for one run.
final class SQLiteConnection: SinkConnection {
    fileprivate let sink: SQLiteSink
    fileprivate let run: SinkRun
    /// Nil if the database does not exist and this run has not made it yet.
    private var database: RecordDatabase?
    /// The journal mode that the database had.
    private var journal: String?
    private var hasBegun = false
    /// The statement that stores rows; nil until a transaction has prepared the table.
    fileprivate var loader: RecordLoader?
    fileprivate let found = RecordLoader.Found()
    /// The table of the records, as the run wants it.
    fileprivate var wanted: SinkTable?
    /// The child tables, by name.
    fileprivate var children: [String: ChildLoader] = [:]

    fileprivate init(_ sink: SQLiteSink, _ run: SinkRun) throws {
        self.sink = sink
        self.run = run
        if case .file(let path) = sink.location, !FileManager.default.fileExists(atPath: path) { return }
        database = try RecordDatabase(sink, run)
    }

    /// The database, made if necessary.
    private func opened() throws -> RecordDatabase {
        if let database { return database }
        let made = try RecordDatabase(sink, run)
        database = made
        return made
    }

    // MARK: Looking

    func contents() throws -> SinkContents {
        guard let database else { return SinkContents() }
        return try failing("read") { try database.read { try SinkContents(of: sink.table, $0) } }
    }

    func columns(of table: String) throws -> [String] {
        guard let database else { return [] }
        return try failing("read") { try database.read { try RecordTable.columns(of: table, $0) } }
    }

    func rowCount() -> Int? {
        try? database?.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(sink.table.quotedForSQL)") ?? 0 }
    }

    func hasPendingRejects(to file: String) throws -> Bool {
        guard let database else { return false }
        return try failing("read") { try database.read { try !CheckpointTable.pendingRejects(to: file, $0).isEmpty } }
    }

    /// Runs a body, whose errors of the database become ``IngestError``.
    private func failing<Result>(_ action: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw RecordDatabase.failure("cannot \(action) \(sink.place)", error)
        }
    }

    // MARK: The run

    func begin(_ claim: SinkClaim) throws -> [String: CheckpointVersion] {
        let database = try opened()
        let journal = database.journalToRestore
        (self.journal, hasBegun) = (journal, true)
        let versions = try failing("write") { try database.write { try take(claim, journal, $0) } }
        database.useLog()
        return versions
    }

    /// Claims the inputs in the table of checkpoints, in a transaction of its own, so that other runs see the claim.
    private func take(_ claim: SinkClaim, _ journal: String?, _ db: Database) throws -> [String: CheckpointVersion] {
        // A run without inputs to claim reads a pipe, or has everything already. It, too, may be killed, and then the next run must know
        // which journal mode the database had.
        guard !claim.inputs.isEmpty || journal != nil else { return [:] }
        try CheckpointTable.make(db)
        if let journal { try CheckpointTable.keepJournal(journal, db) }
        let found = try claim.check(try CheckpointTable.entries(of: sink.table, db))
        var versions: [String: CheckpointVersion] = [:]
        for input in claim.inputs {
            versions[input.identity] = try CheckpointTable.take(
                input.identity, of: sink.table, for: claim.run, from: found[input.identity]?.version, db)
        }
        return versions
    }

    func transaction(_ body: (any SinkTransaction) throws -> Void) throws {
        let database = try opened()
        try failing("write") {
            try database.write { db in
                do {
                    try body(SQLiteTransaction(self, db))
                } catch {
                    // The table of the loader may have been made in this transaction, which was rolled back.
                    loader = nil
                    children = [:]
                    throw error
                }
            }
        }
    }

    func sync() throws { try database?.sync() }

    func close(isComplete: Bool) {
        guard let database, !run.isDryRun else { return }
        // Others may be using this connection. The statements must be released where no other statement runs.
        database.withConnection { db in
            loader = nil
            children = [:]
            RecordLoader.removeFunction(of: run.identity, from: db)
        }
        // Without a write of this run, the mode is the one that a run which was killed has noted, even if that run has restored it: the note
        // and the journal of its transaction may be left.
        database.restoreJournal(hasBegun ? journal : nil, after: run.identity)
    }
}

/// An open transaction of the database.
private final class SQLiteTransaction: RejectionTransaction {
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

extension SinkContents {
    /// What a database holds.
    fileprivate init(of table: String, _ db: Database) throws {
        self.init()
        columns = try RecordTable.columns(of: table, db)
        // GRDB's cached schema may be out of date: another process may have created the table while this one waited.
        hasTable = !columns.isEmpty
        key = try RecordTable.primaryKey(of: table, db)
        checkpoints = try CheckpointTable.entries(of: table, db)
        snapshot = try CheckpointTable.snapshot(of: table, db)
        memory = try CheckpointTable.memory(of: table, db)
    }
}
#endif
