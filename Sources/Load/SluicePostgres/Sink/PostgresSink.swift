// Stores rows in a table of PostgreSQL.
//
//     PostgresSink              says which table of which server
//     PostgresSinkConnection    a session for one run: the claim on the inputs, transactions, what to do when the session is lost
//     PostgresTransaction       the table, the rows, the checkpoints and the rejected records of one batch

#if PostgreSQL
internal import Foundation
public import SluiceIngest
internal import SluiceSQL

/// A table of a PostgreSQL database, which is made if it is missing.
///
/// Rows are stored with COPY, like those of `psql`'s `\copy`. Records that update rows by a key go through a temporary table. The
/// table `_sluice_checkpoints` of the same schema says how far each input has been read. It is written in the transaction of the
/// rows.
///
/// ```swift
/// let sink = PostgresSink("postgresql://localhost/shop", table: "events")
/// ```
///
/// The run needs a session of its own, because it holds locks. So a connection pooler must be in session mode.
public struct PostgresSink: RecordSink {
    private let text: String
    public let table: String
    /// The schema of the table; nil for the first one of `search_path` that has it.
    package let schema: String?
    /// How often a run reconnects after its connection is lost.
    package let reconnects: Int

    /// Describes a table.
    ///
    /// - Parameters:
    ///   - connection: A URL, or keywords and values, as libpq takes them: https://www.postgresql.org/docs/current/libpq-connect.html.
    ///     What it leaves out comes from services, from the environment and from `.pgpass`. It is shown nowhere.
    ///   - table: The name of the table, as the database spells it.
    ///   - schema: The schema of the table; without it, `search_path` decides.
    ///   - reconnects: How often to reconnect when the connection is lost, with growing pauses. Each batch is stored once, even
    ///     if the connection is lost during a commit.
    public init(_ connection: String, table: String, schema: String? = nil, reconnects: Int = 0) {
        text = connection
        self.table = table
        self.schema = schema
        self.reconnects = reconnects
    }

    public var destination: String { PostgresConnection.destination(of: text) }

    public var batchSize: Int { 8 << 20 }
    public var abilities: SinkAbilities { .all }

    public func connect(_ run: SinkRun) throws -> any SinkConnection { try PostgresSinkConnection(self, run) }

    /// Opens a session.
    fileprivate func open(_ run: SinkRun) throws(PostgresError) -> PostgresConnection {
        let connection = try PostgresConnection(text, isInterrupted: run.isInterrupted)
        // If others have locked the table, the run waits as long as it would for a locked SQLite database.
        try connection.run("SET lock_timeout = \(run.waits ? 0 : 60_000)")
        return connection
    }
}

/// A session for one run.
final class PostgresSinkConnection: TableConnection {
    let sink: PostgresSink
    private let run: SinkRun
    private(set) var connection: PostgresConnection
    let schema: String
    /// The inputs that the run has taken.
    private var claimed: [String] = []
    private var reconnects: Int
    /// The number of the last transaction, as the row of the run has it; nil if the run does not reconnect.
    private var mark: Int?

    /// The table that the run has prepared, and its child tables by name.
    var wanted: SinkTable?
    var children: [String: SinkTable] = [:]
    /// The child tables whose names the database cannot hold.
    var impossible: Set<String> = []
    /// The stores for the rows of these tables, by name; empty after a rollback.
    var stores: [String: RowStore] = [:]
    var store: RowStore? { wanted.flatMap { stores[$0.name] } }
    /// Whether it is known that the table has rows with all noted keys.
    var hasFoundNotedKeys = false
    /// Counts the temporary tables for each table. When the columns change, the temporary table gets another name.
    var stagings: [String: Int] = [:]

    init(_ sink: PostgresSink, _ run: SinkRun) throws {
        self.sink = sink
        self.run = run
        reconnects = sink.reconnects
        do {
            connection = try sink.open(run)
            if let schema = sink.schema {
                self.schema = schema
            } else {
                let rows = try connection.query(
                    """
                    SELECT coalesce((SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                        WHERE c.oid = to_regclass($1)), current_schema())
                    """, [try connection.identifier(sink.table)])
                guard let found = rows.text(0, 0) else {
                    throw PostgresError.impossible("search_path of \(sink.destination) names no schema that exists")
                }
                schema = found
            }
            if schema.hasPrefix("pg_temp") {
                throw PostgresError.impossible(
                    "the schema \(schema) of \(sink.destination) is for temporary tables, which are gone when the run ends; name another one"
                )
            }
        } catch {
            throw PostgresSinkConnection.failure(error, sink)
        }
    }

    /// The ledger of one transaction or of one look.
    func ledger() -> Ledger { Ledger(PostgresLedger(self), of: sink.table) }

    var tableName: String { sink.table }

    /// The table of noted keys. A long name would be cut.
    var keyTable: String {
        let number = String(UInt64(bitPattern: PostgresConnection.lockNumber(tableName)), radix: 16)
        return "_sluice_keys_" + (tableName.utf8.count > 40 ? number : tableName)
    }

    /// The names of the tables that the run has prepared, and of those that are ours.
    var tableNames: [String] { [tableName, keyTable] + OwnTables.names + children.keys }

    /// The number of the lock that the reader of an input holds.
    ///
    /// - Parameter table: The table that the input is read into; nil for that of the run.
    func lockNumber(of input: String, in table: String? = nil) -> Int64 {
        PostgresConnection.lockNumber("\(schema)\0\(table ?? sink.table)\0\(input)")
    }

    /// The name of the note with the number of the last transaction, which has a lock like an input.
    private var markName: String { "commit:" + run.identity.id }

    // MARK: Looking

    /// What the database holds at one moment. Without the transaction, another run could commit between two statements, and the
    /// checkpoints would not fit the table.
    func contents() throws -> SinkContents { try contents(.whole) }

    func contents(_ reading: CheckpointReading) throws -> SinkContents {
        try persistent {
            try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            defer { if connection.isAlive { _ = try? connection.run("ROLLBACK") } }
            return try readContents(ledger(), reading)
        }
    }

    func checkpoints(of entries: [SinkCheckpoint]) throws -> [SinkCheckpoint] {
        try persistent { try ledger().checkpoints(of: entries) }
    }

    func readContents(_ ledger: Ledger, _ reading: CheckpointReading) throws -> SinkContents {
        var contents = SinkContents()
        // The server looks up names of tables in the present, also for a look at an earlier moment. So the checkpoints are read before the
        // table. Another run may make the table and store its rows in between. Then the claim finds other checkpoints than these. In the
        // other order, they would be those of a table that is not there, and all rows would be stored again.
        try ledger.fill(&contents, reading)
        contents.mostColumns = PostgresTable.mostColumns
        contents.retypesColumns = true
        contents.longestName = ColumnName.longestInPostgreSQL
        // In a transaction that sees each commit: a run changes the table together with what it remembers. If that is the same before and
        // after the look, the two belong together.
        var (found, memory) = (try PostgresTable(sink.table, schema: schema, connection), try ledger.memory())
        while memory != contents.memory {
            contents.memory = memory
            (found, memory) = (try PostgresTable(sink.table, schema: schema, connection), try ledger.memory())
        }
        if let table = found {
            contents.hasTable = true
            contents.columns = table.columns.map(\.name)
            contents.key = table.primaryKey
            contents.rowTriggers = try rowTriggers(of: table)
            contents.exactColumns = table.columns.filter { if case .numeric = $0.type { true } else { false } }.map(\.name)
        }
        return contents
    }

    /// The triggers that see a row before it is inserted, those of partitions too. The functions of PostgreSQL itself change only
    /// the columns that the trigger names.
    private func rowTriggers(of table: PostgresTable) throws(PostgresError) -> [RowTrigger] {
        let rows = try connection.query(
            """
            SELECT DISTINCT t.tgname, CASE WHEN l.lanname = 'plpgsql' THEN p.prosrc END
            FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid JOIN pg_language l ON l.oid = p.prolang
            WHERE t.tgrelid IN (SELECT $1::int8::oid UNION SELECT relid FROM pg_partition_tree($1::int8::oid))
                AND NOT t.tgisinternal AND t.tgenabled <> 'D' AND t.tgtype & 7 = 7 AND p.pronamespace <> 'pg_catalog'::regnamespace
            ORDER BY t.tgname
            """, ["\(table.identifier)"])
        return (0..<rows.count).map { RowTrigger(name: rows.text($0, 0) ?? "", text: rows.text($0, 1)) }
    }

    func columnNames(of table: String) throws -> [String] {
        try persistent {
            // No table has a name that the database cannot hold.
            guard try connection.hasCharacters(of: table) else { return [] }
            return try PostgresTable(table, schema: schema, connection)?.columns.map(\.name) ?? []
        }
    }

    func rowCount() -> Int? {
        guard let path = try? connection.path(of: sink.table, in: schema) else { return nil }
        // A large table takes long to count.
        let rows = try? connection.run("BEGIN; SET LOCAL statement_timeout = 2000; SELECT count(*) FROM \(path)")
        _ = try? connection.run("ROLLBACK")
        return rows?.integer(0, 0)
    }

    // MARK: The run

    func takeInputs(_ claim: SinkClaim) throws -> [String: CheckpointVersion] {
        guard !claim.inputs.isEmpty else { return [:] }
        return try persistent { try take(claim) }
    }

    /// Claims the inputs in a transaction of its own, so that other runs see the claim.
    private func take(_ claim: SinkClaim) throws -> [String: CheckpointVersion] {
        do {
            try connection.run("BEGIN ISOLATION LEVEL READ COMMITTED")
            let versions = try ledger().claim(claim)
            try connection.commit()
            claimed = claim.inputs.map(\.identity)
            return versions
        } catch {
            if connection.isAlive { _ = try? connection.run("ROLLBACK; SELECT pg_advisory_unlock_all()") }
            throw error
        }
    }

    func transaction(_ body: (any SinkTransaction) throws -> Void) throws {
        try makeMark()
        let before = (wanted, children, hasFoundNotedKeys)
        var deadlocks = 0
        while true {
            var isCommitting = false
            do {
                if !connection.isAlive { throw PostgresError.broken("it was lost before the batch began") }
                try connection.run("BEGIN ISOLATION LEVEL READ COMMITTED")
                let transaction = PostgresTransaction(self)
                // After a rollback, and in a new session, there is no store yet.
                if store == nil, let wanted { try transaction.open(wanted) }
                for child in children.values where stores[child.name] == nil { try transaction.open(child) }
                try body(transaction)
                if let next = mark.map({ $0 + 1 }) {
                    try transaction.sqlLedger.setMark(markName, next)
                    mark = next
                }
                isCommitting = true
                try connection.commit()
                return
            } catch {
                if connection.isAlive { _ = try? connection.run("ROLLBACK") }
                stores = [:]
                let isDeadlock = PostgresSinkConnection.isDeadlock(error) && deadlocks < PostgresSinkConnection.mostDeadlocks
                guard isLost(error) || isDeadlock, !run.isInterrupted() || !isDeadlock else {
                    (wanted, children) = (nil, [:])
                    throw PostgresSinkConnection.failure(error, sink)
                }
                let after = (wanted, children, hasFoundNotedKeys)
                // The body is run again, and does again what was rolled back.
                (wanted, children, hasFoundNotedKeys) = before
                if isDeadlock {
                    deadlocks += 1
                    // Two runs that begin again at once must not wait the same time.
                    usleep(.random(in: 1_000...50_000))
                    continue
                }
                try reconnect(after: error)
                if isCommitting, try isCommitted() {
                    (wanted, children, hasFoundNotedKeys) = after
                    return
                }
            }
        }
    }

    func sync() throws {
        try persistent {
            // With `synchronous_commit = off`, no commit has waited for the disk. One commit that waits is enough, because the
            // log is written in order.
            guard try connection.query("SHOW synchronous_commit").text(0, 0) == "off" else { return }
            try connection.run("BEGIN; SET LOCAL synchronous_commit = on; SELECT txid_current(); COMMIT")
        }
    }

    // MARK: A lost connection

    /// Reconnects, and takes the locks of the claimed inputs again.
    private func reconnect(after error: any Error) throws {
        var pause: UInt32 = 100_000
        while true {
            guard reconnects > 0, !run.isInterrupted() else { throw PostgresSinkConnection.failure(error, sink) }
            reconnects -= 1
            usleep(pause)
            pause = min(pause * 2, 30_000_000)
            do {
                connection = try sink.open(run)
                return try takeAgain()
            } catch {
                switch error as? PostgresError {
                case .connecting?, .broken?: continue
                default: throw PostgresSinkConnection.failure(error, sink)
                }
            }
        }
    }

    /// Takes the locks of the claimed inputs in the new session. The server may not have noticed yet that the old session is
    /// lost.
    private func takeAgain() throws {
        for input in claimed + (mark == nil ? [] : [markName]) {
            var patience = 300
            while try !connection.tryLock(lockNumber(of: input)) {
                patience -= 1
                guard patience > 0, !run.isInterrupted() else {
                    throw OtherRun(input, try ledger().checkpoints(.versions).last { $0.input == input }, isRunning: true)
                }
                usleep(100_000)
            }
        }
    }

    /// Makes the row that will show whether a commit happened.
    private func makeMark() throws {
        guard sink.reconnects > 0, mark == nil else { return }
        try persistent {
            // Before others can see the note: they delete one whose lock is free.
            _ = try connection.tryLock(lockNumber(of: markName))
            try connection.run("BEGIN ISOLATION LEVEL READ COMMITTED")
            try ledger().makeMark(markName)
            try connection.commit()
        }
        mark = 0
    }

    /// Whether the last transaction of the lost session was committed. The old session has ended, because its locks were free.
    ///
    /// `txid_status` is not reliable here: after a crash, the server may give the number of a lost transaction to a new one.
    private func isCommitted() throws -> Bool { try persistent { try ledger().note(markName) == mark.map { "\($0)" } } }

    func close(isComplete: Bool) throws {
        guard connection.isAlive else { return }
        if mark != nil { try? ledger().forget([markName]) }
        _ = try? connection.run("SELECT pg_advisory_unlock_all()")
    }

    // MARK: Errors

    /// Runs a body, and runs it again after each reconnect. So the body must be repeatable.
    func persistent<Result>(_ body: () throws -> Result) throws -> Result {
        while true {
            do {
                return try body()
            } catch {
                guard isLost(error) else { throw PostgresSinkConnection.failure(error, sink) }
                try reconnect(after: error)
            }
        }
    }

    /// Whether an error means that the connection is lost, and the run may reconnect.
    private func isLost(_ error: any Error) -> Bool {
        guard reconnects > 0 else { return false }
        if case .broken? = error as? PostgresError { return true }
        return !connection.isAlive
    }

    /// Whether the server has rolled the transaction back because of a deadlock or a serialization failure. Then all of it can be
    /// repeated.
    private static func isDeadlock(_ error: any Error) -> Bool {
        guard case .server(let failure)? = error as? PostgresError else { return false }
        return ["40P01", "40001"].contains(failure.state)
    }

    /// How often a transaction is repeated after a deadlock.
    private static let mostDeadlocks = 20

    /// Turns an error of the connection into an error of an ingest.
    private static func failure(_ error: any Error, _ sink: PostgresSink) -> any Error {
        guard let error = error as? PostgresError else { return error }
        switch error {
        case .interrupted: return IngestError.locked("\(error)")
        case .server(let failure) where failure.state == "55P03":
            return IngestError.locked("the table \(sink.table) of \(sink.destination) is locked: \(failure.message)")
        case .server(let failure):
            return IngestError.database("\(sink.destination): \(failure.message) (SQLSTATE \(failure.state))")
        case .connecting, .broken, .impossible: return IngestError.database("\(error)")
        }
    }
}
#endif
