// Stores rows in a table of a SQLite database.

#if SQLite
internal import Foundation
public import GRDB
internal import SluiceCore
public import SluiceIngest
internal import SluiceSQL

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
    /// Where the database is.
    enum Location {
        /// A file that the sink opens and makes.
        case file(String)
        /// A database that the caller has open.
        case open(any DatabaseWriter)
    }

    let location: Location
    public let table: String

    public var destination: String {
        switch location {
        case .file(let path): path
        case .open(let writer): writer.path
        }
    }

    public var abilities: SinkAbilities { .all }
    // SQLite keeps its log and its journal beside the database.
    public var files: [String] {
        if case .open(let writer) = location, writer.path.isEmpty || writer.path == ":memory:" { return [] }
        return ["", "-wal", "-shm", "-journal"].map { destination + $0 }
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
final class SQLiteConnection: TableConnection {
    let sink: SQLiteSink
    let run: SinkRun
    /// Nil if the database does not exist and this run has not made it yet.
    private var database: RecordDatabase?
    /// The journal mode that the database had.
    private var journal: String?
    private var hasBegun = false
    /// The statement that stores rows; nil until a transaction has prepared the table.
    var loader: RecordLoader?
    let found = RecordLoader.Found()
    /// The table of the records, as the run wants it.
    var wanted: SinkTable?
    /// The child tables, by name.
    var children: [String: ChildLoader] = [:]

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

    func contents() throws -> SinkContents { try contents(.whole) }

    func contents(_ reading: CheckpointReading) throws -> SinkContents {
        var contents = SinkContents()
        if let database {
            contents = try failing("read") { try database.read { try SinkContents(of: Ledger($0, of: sink), $0, reading) } }
        }
        contents.isOfDatabase = true
        contents.hasUntypedColumns = true
        return contents
    }

    func checkpoints(of entries: [SinkCheckpoint]) throws -> [SinkCheckpoint] {
        guard let database else { return [] }
        return try failing("read") { try database.read { try Ledger($0, of: sink).checkpoints(of: entries) } }
    }

    func columnNames(of table: String) throws -> [String] {
        guard let database else { return [] }
        return try failing("read") { try database.read { try RecordTable.columns(of: table, $0) } }
    }

    func rowCount() -> Int? {
        try? database?.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(sink.table.quotedForSQL)") ?? 0 }
    }

    /// Runs a body, whose errors of the database become ``IngestError``.
    private func failing<Result>(_ action: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw RecordDatabase.failure("cannot \(action) \(sink.destination)", error)
        }
    }

    // MARK: The run

    func takeInputs(_ claim: SinkClaim) throws -> [String: CheckpointVersion] {
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
        let ledger = Ledger(db, of: sink)
        let versions = try ledger.claim(claim)
        if let journal { try ledger.keepJournal(journal) }
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

extension SinkContents {
    /// What a database holds.
    init(of ledger: Ledger, _ db: Database, _ reading: CheckpointReading) throws {
        self.init()
        columns = try RecordTable.columns(of: ledger.table, db)
        // GRDB's cached schema may be out of date: another process may have created the table while this one waited.
        hasTable = !columns.isEmpty
        key = try RecordTable.primaryKey(of: ledger.table, db)
        try ledger.fill(&self, reading)
    }
}
#endif
