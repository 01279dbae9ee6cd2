// Stores rows in a table of PostgreSQL.
//
//     PostgresSink              says which table of which server
//     PostgresSinkConnection    a session for one run: the claim on the inputs, transactions, what to do when the session is lost
//     PostgresTransaction       the table, the rows, the checkpoints and the rejected records of one batch

#if PostgreSQL
internal import Foundation
public import SluiceIngest

/// A table of a PostgreSQL database, which is made if it is missing.
///
/// Rows go in by COPY, as `psql`'s `\copy` sends them. Records that update rows by a key go through a temporary table. How far each input
/// has been read is stored in the table `_sluice_checkpoints` of the same schema, in the transaction of the rows.
///
/// ```swift
/// let sink = PostgresSink("postgresql://localhost/shop", table: "events")
/// ```
///
/// The connection needs a session of its own for the whole run, because it holds locks: a pooler has to be in session mode.
public struct PostgresSink: RecordSink {
    private let text: String
    public let table: String
    /// The schema of the table; nil for the first one of `search_path` that has it.
    public let schema: String?
    /// How often a run connects anew when it loses its connection, and goes on.
    public let reconnects: Int

    /// Describes a table.
    ///
    /// - Parameters:
    ///   - connection: A URL, or keywords and values, as libpq takes them: https://www.postgresql.org/docs/current/libpq-connect.html.
    ///     What it leaves out comes from services, from the environment and from `.pgpass`. It is shown nowhere.
    ///   - table: The name of the table, as the database spells it.
    ///   - schema: The schema of the table; without it, `search_path` decides.
    ///   - reconnects: How often to connect anew when the connection is lost, with growing pauses. Each batch is stored once, also if the
    ///     connection is lost during a commit.
    public init(_ connection: String, table: String, schema: String? = nil, reconnects: Int = 0) {
        text = connection
        self.table = table
        self.schema = schema
        self.reconnects = reconnects
    }

    public var place: String { PostgresConnection.place(of: text) }

    public var batchSize: Int { 8 << 20 }
    public var abilities: SinkAbilities { .all }

    public func connect(_ run: SinkRun) throws -> any SinkConnection { try PostgresSinkConnection(self, run) }

    /// Opens a session.
    fileprivate func open(_ run: SinkRun) throws(PostgresError) -> PostgresConnection {
        let connection = try PostgresConnection(text, isInterrupted: run.isInterrupted)
        // Whoever holds the table is waited for as long as SQLite's users wait.
        try connection.run("SET client_min_messages = warning; SET lock_timeout = \(run.waits ? 0 : 60_000)")
        return connection
    }
}

/// A session for one run.
final class PostgresSinkConnection: SinkConnection {
    private let sink: PostgresSink
    private let run: SinkRun
    private(set) var connection: PostgresConnection
    let schema: String
    /// The inputs that the run has taken.
    private var claimed: [String] = []
    private var reconnects: Int
    /// The number of the last transaction whose commit can be looked up; nil if there is none yet.
    private var mark: Int?

    /// The table that the run has prepared, and the store for its rows; nil until then, and after a transaction that was undone.
    var wanted: SinkTable?
    var store: RowStore?
    /// The child tables that the run has prepared, by name, with the stores for their rows.
    var children: [String: Child] = [:]
    /// Counts the temporary tables for the rows of a table: one with other columns has another name.
    var stagings: [String: Int] = [:]
    /// What the open transaction has done that would have to be done again in another one.
    var steps: [Step] = []

    /// A child table, and the store for its rows; nil after a transaction that was undone.
    struct Child {
        let wanted: SinkTable
        var store: RowStore?
    }

    /// A step of a transaction that a run takes once, though its transaction may be repeated.
    enum Step {
        case prepare(SinkTable)
        case forget(RunIdentity, includingOthers: Bool)
    }

    fileprivate init(_ sink: PostgresSink, _ run: SinkRun) throws {
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
                    """, [.text(try connection.identifier(sink.table))])
                guard let found = rows.text(0, 0) else {
                    throw PostgresError.impossible("search_path of \(sink.place) names no schema that exists")
                }
                schema = found
            }
        } catch {
            throw PostgresSinkConnection.failure(error, sink)
        }
    }

    var checkpoints: PostgresCheckpoints {
        PostgresCheckpoints(connection: connection, schema: schema, table: sink.table)
    }

    var tableName: String { sink.table }

    // MARK: Looking

    func contents() throws -> SinkContents { try persistent { try readContents() } }

    func readContents() throws(PostgresError) -> SinkContents {
        var contents = SinkContents()
        if let table = try PostgresTable(sink.table, schema: schema, connection) {
            contents.hasTable = true
            contents.columns = table.columns.map(\.name)
            contents.key = table.primaryKey
            contents.exactColumns = table.columns.filter { if case .numeric = $0.type { true } else { false } }.map(\.name)
        }
        contents.checkpoints = try checkpoints.entries()
        return contents
    }

    func rowCount() -> Int? {
        guard let path = try? connection.identifier(schema) + "." + connection.identifier(sink.table) else { return nil }
        // A large table takes long to count.
        let rows = try? connection.run("BEGIN; SET LOCAL statement_timeout = 2000; SELECT count(*) FROM \(path)")
        _ = try? connection.run("ROLLBACK")
        return rows?.integer(0, 0)
    }

    func hasPendingRejects(to file: String) throws -> Bool {
        try persistent { try !checkpoints.pendingRejects(to: file).isEmpty }
    }

    // MARK: The run

    func begin(_ claim: SinkClaim) throws -> [String: CheckpointVersion] {
        guard !claim.inputs.isEmpty else { return [:] }
        return try persistent { try take(claim) }
    }

    /// Takes the inputs, in a transaction of its own, so that other runs see that.
    private func take(_ claim: SinkClaim) throws -> [String: CheckpointVersion] {
        do {
            try connection.run("BEGIN ISOLATION LEVEL READ COMMITTED")
            try checkpoints.make()
            let entries = try checkpoints.entries()
            for input in claim.inputs {
                guard try connection.tryLock(checkpoints.lockNumber(of: input.identity)) else {
                    throw OtherRun(input.name, entries.last { $0.input == input.identity }, isRunning: true)
                }
            }
            let found = try claim.check(entries)
            var versions: [String: CheckpointVersion] = [:]
            for input in claim.inputs {
                versions[input.identity] = try checkpoints.take(
                    input.identity, for: claim.run, from: found[input.identity]?.version)
            }
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
        steps = []
        var lost: [Step] = []
        var deadlocks = 0
        while true {
            var isCommitting = false
            do {
                if !connection.isAlive { throw PostgresError.broken("it was lost before the batch began") }
                try connection.run("BEGIN ISOLATION LEVEL READ COMMITTED")
                let transaction = PostgresTransaction(self)
                for step in lost { try transaction.take(step) }
                // A session that is new knows nothing of the table.
                if store == nil, let wanted { try transaction.open(wanted) }
                for child in children.values where child.store == nil { try transaction.open(child.wanted) }
                try body(transaction)
                if let next = mark.map({ $0 + 1 }) {
                    try checkpoints.setMark(next, of: run.identity)
                    mark = next
                }
                isCommitting = true
                try connection.commit()
                steps = []
                return
            } catch {
                if connection.isAlive { _ = try? connection.run("ROLLBACK") }
                store = nil
                for name in children.keys { children[name]?.store = nil }
                let isDeadlock = PostgresSinkConnection.isDeadlock(error) && deadlocks < PostgresSinkConnection.mostDeadlocks
                guard isLost(error) || isDeadlock, !run.isInterrupted() || !isDeadlock else {
                    (wanted, children) = (nil, [:])
                    throw PostgresSinkConnection.failure(error, sink)
                }
                // What has been taken again stands in both lists.
                if steps.count > lost.count { lost = steps }
                steps = []
                if isDeadlock {
                    deadlocks += 1
                    // Of two runs that began again at once, one waits longer.
                    usleep(.random(in: 1_000...50_000))
                    continue
                }
                try reconnect(after: error)
                if isCommitting, try isCommitted() { return }
            }
        }
    }

    func sync() throws {
        try persistent {
            // Without a wait at each commit, one commit that waits is enough: the log is written in its order.
            guard try connection.query("SHOW synchronous_commit").text(0, 0) == "off" else { return }
            try connection.run("BEGIN; SET LOCAL synchronous_commit = on; SELECT txid_current(); COMMIT")
        }
    }

    // MARK: A lost connection

    /// Connects anew, and takes the claimed inputs again.
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

    /// Takes the locks of the claimed inputs in a new session. The server may not have noticed yet that the old one is lost.
    private func takeAgain() throws {
        for input in claimed + (mark == nil ? [] : [PostgresCheckpoints.mark(of: run.identity)]) {
            var patience = 300
            while try !connection.tryLock(checkpoints.lockNumber(of: input)) {
                patience -= 1
                guard patience > 0, !run.isInterrupted() else {
                    throw OtherRun(input, try checkpoints.entries().last { $0.input == input }, isRunning: true)
                }
                usleep(100_000)
            }
        }
    }

    /// Gets ready to look up commits.
    private func makeMark() throws {
        guard sink.reconnects > 0, mark == nil else { return }
        try persistent {
            try connection.run("BEGIN ISOLATION LEVEL READ COMMITTED")
            try checkpoints.makeMark(of: run.identity)
            try connection.commit()
            _ = try connection.tryLock(checkpoints.lockNumber(of: PostgresCheckpoints.mark(of: run.identity)))
        }
        mark = 0
    }

    /// Whether the last transaction of the lost session was committed. That session is at its end, because its locks are free.
    ///
    /// `txid_status` does not say it for sure: a server that has crashed may give the number of a transaction that it has lost to another.
    private func isCommitted() throws -> Bool { try persistent { try checkpoints.readMark(of: run.identity) == mark } }

    func close(isComplete: Bool) throws {
        guard connection.isAlive else { return }
        if mark != nil { try? checkpoints.removeMark(of: run.identity) }
        _ = try? connection.unlockAll()
    }

    // MARK: Errors

    /// Runs a body that may be run again; it is, if the connection is lost and may be made anew.
    private func persistent<Result>(_ body: () throws -> Result) throws -> Result {
        while true {
            do {
                return try body()
            } catch {
                guard isLost(error) else { throw PostgresSinkConnection.failure(error, sink) }
                try reconnect(after: error)
            }
        }
    }

    /// Whether an error is that of a lost connection, and the run may connect anew.
    private func isLost(_ error: any Error) -> Bool {
        guard reconnects > 0 else { return false }
        if case .broken? = error as? PostgresError { return true }
        return !connection.isAlive
    }

    /// Whether the server has ended the transaction, because it and others waited for each other. Nothing of it is left, so all of it can
    /// be done again.
    private static func isDeadlock(_ error: any Error) -> Bool {
        guard case .server(let failure)? = error as? PostgresError else { return false }
        return ["40P01", "40001"].contains(failure.state)
    }

    /// How often a transaction is done again.
    private static let mostDeadlocks = 20

    /// The error of an ingest for an error of the connection.
    private static func failure(_ error: any Error, _ sink: PostgresSink) -> any Error {
        guard let error = error as? PostgresError else { return error }
        switch error {
        case .interrupted: return IngestError.locked("\(error)")
        case .server(let failure) where failure.state == "55P03":
            return IngestError.locked("the table \(sink.table) of \(sink.place) is locked: \(failure.message)")
        case .server(let failure): return IngestError.database("\(sink.place): \(failure.message) (SQLSTATE \(failure.state))")
        case .connecting, .broken, .impossible: return IngestError.database("\(error)")
        }
    }
}
#endif
