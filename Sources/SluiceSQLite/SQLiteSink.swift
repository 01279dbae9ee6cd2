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
/// Each batch is one transaction of the database's writer, so other reads and writes of the same pool come in between. How far the
/// inputs have been read stands in the table `_sluice_checkpoints` of the same database.
public struct SQLiteSink: RecordSink {
    /// The table of a database in which the sink keeps checkpoints.
    package static let checkpointTable = CheckpointTable.name

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

    // SQLite keeps its log and its journal beside the database.
    public var abilities: SinkAbilities { .all }
    public var files: [String] {
        if case .open(let writer) = location, writer.path.isEmpty || writer.path == ":memory:" { return [] }
        return ["", "-wal", "-shm", "-journal"].map { place + $0 }
    }

    /// A table of a database that the caller uses, too. Its settings stay as they are.
    ///
    /// - Parameter writer: A `DatabasePool` or a `DatabaseQueue`.
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
    /// Nil if the database does not exist, and is not made either.
    private var database: RecordDatabase?
    /// The journal mode that the database had.
    private var journal: String?
    private var hasBegun = false
    /// The statement that stores rows; nil until a transaction has prepared the table.
    fileprivate var loader: RecordLoader?
    fileprivate let found = RecordLoader.Found()
    /// Those of child tables, by name.
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

    /// Takes the rows of the inputs in the table of checkpoints, in a transaction of its own, so that other runs see them.
    private func take(_ claim: SinkClaim, _ journal: String?, _ db: Database) throws -> [String: CheckpointVersion] {
        guard !claim.inputs.isEmpty else { return [:] }
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
                    // Its table may have been made in this transaction.
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
        // The database's connection is busy with others, maybe: a statement ends where no other one runs.
        database.withConnection { db in
            loader = nil
            children = [:]
            RecordLoader.removeFunction(of: run.identity, from: db)
        }
        if hasBegun { database.restoreJournal(journal, after: run.identity) } else { database.leaveAsFound(after: run.identity) }
    }
}

/// An open transaction of the database.
private final class SQLiteTransaction: SinkTransaction {
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
                connection.found)
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
        connection.children[wanted.name] = try ChildLoader(wanted, db, connection.run.identity, connection.found)
        return []
    }

    func store(_ batch: RowBatch) throws -> StoredBatch {
        guard let loader = connection.loader else { return StoredBatch() }
        return try loader.store(batch)
    }

    func store(_ batch: RowBatch, inChild table: String, replacing ends: RowBatch?) throws -> StoredBatch {
        guard let child = connection.children[table] else { return StoredBatch() }
        return try child.store(batch, replacing: ends, db)
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
        let statement = try db.cachedStatement(sql: "INSERT INTO \(table.quotedForSQL) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        for record in records {
            try statement.execute(arguments: [
                record.file, record.record.line, record.record.offset, record.place.offset,
                record.column.isEmpty ? nil : record.column, record.kind, record.text.isEmpty ? nil : record.text, record.reason,
            ])
        }
    }

    func removeRejections(_ cutOff: CutOffRecords, from table: String) throws {
        guard try RecordTable.exists(table, db) else { return }
        for record in cutOff.records {
            try db.execute(
                sql: "DELETE FROM \(table.quotedForSQL) WHERE file = ? AND line_byte_position = ? AND error_type = ?",
                arguments: [cutOff.file, record.offset, record.kind])
        }
    }

    func pendingRejects(to file: String) throws -> [PendingRejects] { try CheckpointTable.pendingRejects(to: file, db) }

    func setPendingRejects(_ pending: PendingRejects?, of owner: String, to file: String) throws {
        if let pending {
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
    }
}
#endif
