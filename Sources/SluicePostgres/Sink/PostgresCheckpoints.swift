// How far inputs have been read, in a table beside the rows; its columns are those of the table in SQLite. A checkpoint is
// written in the transaction of its rows, and only over the version that the run knows. If another transaction holds the row, the
// update waits for it, and compares then.
//
// A run that reads an input holds an advisory lock of its session. The number of the lock stands for the table and the input. The
// lock is released when the connection ends. So no run has to guess whether another one is still running, on whatever machine
// that may be.

#if PostgreSQL
internal import SluiceCore
internal import SluiceIngest

/// The table of checkpoints in a schema.
struct PostgresCheckpoints {
    static let name = CheckpointLayout.table

    let connection: PostgresConnection
    let schema: String
    /// The table whose inputs have these checkpoints.
    let table: String

    /// The table's name with its schema, as SQL has it.
    private var path: String {
        get throws(PostgresError) { try connection.identifier(schema) + "." + PostgresCheckpoints.name }
    }

    // MARK: The table

    /// Whether the table exists.
    ///
    /// - Throws: ``PostgresError/impossible(_:)`` if it is not one that this version understands.
    func exists() throws(PostgresError) -> Bool {
        let rows = try connection.query(
            "SELECT attname FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped",
            [.text(try path)])
        let found = Set((0..<rows.count).compactMap { rows.text($0, 0) })
        let fault = try CheckpointLayout.fault(of: found, oldest: 2, in: "the schema \(schema)", "schema") {
            () throws(PostgresError) in try connection.query("SELECT max(layout) FROM \(try path)").integer(0, 0)
        }
        if let fault { throw .impossible(fault) }
        return !found.isEmpty
    }

    /// Makes the table, if it is missing, inside a transaction.
    func make() throws(PostgresError) {
        try connection.lockUntilCommit("\(schema).\(PostgresCheckpoints.name)")
        guard try !exists() else { return }
        try connection.run(
            """
            CREATE TABLE \(try path) (
                table_name text NOT NULL, input text NOT NULL, byte_offset bigint NOT NULL DEFAULT 0, records bigint NOT NULL DEFAULT 0,
                rejected bigint NOT NULL DEFAULT 0, is_complete boolean NOT NULL DEFAULT false, sequence bigint NOT NULL DEFAULT 0,
                checkpoint text NOT NULL DEFAULT '', state text NOT NULL DEFAULT '', run text NOT NULL DEFAULT '',
                is_held boolean NOT NULL DEFAULT false, layout int NOT NULL DEFAULT \(CheckpointLayout.number),
                PRIMARY KEY (table_name, input))
            """)
    }

    // MARK: The rows of inputs

    /// The checkpoints of the table's inputs; the last one was written last.
    func entries() throws(PostgresError) -> [SinkCheckpoint] {
        guard try exists() else { return [] }
        let rows = try connection.query(
            """
            SELECT input, sequence, byte_offset, run, is_held, checkpoint, state, rejected, is_complete FROM \(try path)
            WHERE table_name = $1 ORDER BY sequence
            """, [.text(table)])
        let held = (0..<rows.count).contains { rows.isTrue($0, 4) } ? try connection.locksOfOthers() : []
        return (0..<rows.count).map { row in
            let input = connection.original(name: rows.text(row, 0) ?? "")
            let state = rows.text(row, 6).flatMap { try? JSONValue(json: $0) }
            let checkpoint = state.flatMap {
                StoredCheckpoint(
                    feedText: rows.text(row, 5) ?? "", state: $0, rejected: rows.integer(row, 7) ?? 0,
                    isComplete: rows.isTrue(row, 8))
            }
            return SinkCheckpoint(
                input: input,
                version: CheckpointVersion(
                    table: table, sequence: rows.integer(row, 1) ?? 0, offset: rows.integer(row, 2) ?? 0,
                    run: rows.text(row, 3) ?? ""),
                checkpoint: checkpoint, isHeld: rows.isTrue(row, 4) && held.contains(lockNumber(of: input)))
        }
    }

    /// The number of the lock that the reader of an input holds.
    func lockNumber(of input: String) -> Int64 { PostgresConnection.lockNumber("\(schema)\0\(table)\0\(input)") }

    /// Takes the row of an input: writes this run's name into it.
    ///
    /// - Parameter version: The row as it is, or nil.
    func take(_ input: String, for run: RunIdentity, from version: CheckpointVersion?) throws(PostgresError) -> CheckpointVersion
    {
        var taken = version ?? CheckpointVersion(table: table)
        taken.run = run.text
        try connection.query(
            """
            INSERT INTO \(try path) (table_name, input, run, is_held) VALUES ($1, $2, $3, true)
            ON CONFLICT (table_name, input) DO UPDATE SET run = excluded.run, is_held = true
            """, [.text(table), .text(try connection.storable(name: input)), .text(taken.run)])
        return taken
    }

    /// Writes the checkpoint of an input that this run holds.
    ///
    /// - Parameter version: The row as this run wrote it last.
    /// - Returns: The row as it is now; nil if it was not as expected, because another run has written it.
    func write(_ checkpoint: StoredCheckpoint, of input: String, over version: CheckpointVersion) throws(PostgresError)
        -> CheckpointVersion?
    {
        let state = (try? checkpoint.state.jsonString()) ?? ""
        let rows = try connection.query(
            """
            UPDATE \(try path) SET byte_offset = $1, records = $2, rejected = $3, is_complete = $4, checkpoint = $5, state = $6,
                sequence = (SELECT max(sequence) + 1 FROM \(try path))
            WHERE table_name = $7 AND input = $8 AND sequence = $9 AND byte_offset = $10 AND run = $11 RETURNING sequence
            """,
            [
                PostgresParameter(checkpoint.offset), PostgresParameter(checkpoint.recordCount),
                PostgresParameter(checkpoint.rejected),
                PostgresParameter(checkpoint.isComplete), .text(try connection.storable(text: checkpoint.feedText)),
                .text(try connection.storable(text: state)), .text(version.table), .text(try connection.storable(name: input)),
                PostgresParameter(version.sequence), PostgresParameter(version.offset), .text(version.run),
            ])
        guard rows.count == 1, let sequence = rows.integer(0, 0) else { return nil }
        return CheckpointVersion(table: version.table, sequence: sequence, offset: checkpoint.offset, run: version.run)
    }

    /// Notes that a run has ended, and deletes its rows that have no checkpoint.
    func release(_ run: RunIdentity) throws(PostgresError) {
        guard try exists() else { return }
        let parameters: [PostgresParameter] = [.text(table), .text(run.text)]
        try connection.query("DELETE FROM \(try path) WHERE table_name = $1 AND run = $2 AND checkpoint = ''", parameters)
        try connection.query("UPDATE \(try path) SET is_held = false WHERE table_name = $1 AND run = $2", parameters)
    }

    /// Forgets the checkpoints of the table's inputs. The rows of inputs that a run holds stay, but say that nothing has been
    /// read.
    func forget(for run: RunIdentity, includingOthers: Bool) throws(PostgresError) {
        guard try exists() else { return }
        let parameters: [PostgresParameter] = [.text(table), .text(run.text)]
        if includingOthers {
            // A row without a checkpoint belongs to a run that is about to begin.
            try connection.query("DELETE FROM \(try path) WHERE table_name = $1 AND run <> $2 AND checkpoint <> ''", parameters)
        }
        try connection.query(
            """
            UPDATE \(try path) SET byte_offset = 0, records = 0, rejected = 0, is_complete = false, checkpoint = '', state = ''
            WHERE table_name = $1 AND run = $2
            """, parameters)
    }

    // MARK: Noted keys

    /// The last load of the table whose keys were noted.
    func snapshot() throws(PostgresError) -> SinkSnapshot? {
        guard try exists() else { return nil }
        return try connection.query(
            "SELECT state FROM \(try path) WHERE table_name = '' AND input = $1", [.text("snapshot:" + table)]
        ).text(0, 0).flatMap { SinkSnapshot(text: $0) }
    }

    func keepSnapshot(_ snapshot: SinkSnapshot) throws(PostgresError) {
        if try !exists() { try make() }
        try connection.query(
            """
            INSERT INTO \(try path) (table_name, input, state) VALUES ('', $1, $2)
            ON CONFLICT (table_name, input) DO UPDATE SET state = excluded.state
            """, [.text("snapshot:" + table), .text(snapshot.text)])
    }

    // MARK: What the table remembers

    private var memoryPath: String {
        get throws(PostgresError) { try connection.identifier(schema) + "." + CheckpointLayout.memoryTable }
    }

    /// What the table remembers of its columns.
    func memory() throws(PostgresError) -> String? {
        let columns = try connection.query(
            "SELECT attname FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
            [.text(try memoryPath)])
        guard columns.count > 0 else { return nil }
        guard (0..<columns.count).map({ columns.text($0, 0) ?? "" }) == CheckpointLayout.memoryColumns else {
            throw .impossible("the schema \(schema) has a table \(CheckpointLayout.memoryTable) that is not one of sluice")
        }
        return try connection.query("SELECT memory FROM \(try memoryPath) WHERE table_name = $1", [.text(table)]).text(0, 0)
    }

    func keepMemory(_ text: String) throws(PostgresError) {
        // A role that may write the table need not be one that may make tables, and runs into other tables need not wait.
        if try connection.query("SELECT to_regclass($1)", [.text(try memoryPath)]).text(0, 0) == nil {
            try connection.lockUntilCommit("\(schema).\(CheckpointLayout.memoryTable)")
            try connection.run("CREATE TABLE IF NOT EXISTS \(try memoryPath) (table_name text PRIMARY KEY, memory text NOT NULL)")
        }
        try connection.query(
            "INSERT INTO \(try memoryPath) VALUES ($1, $2) ON CONFLICT (table_name) DO UPDATE SET memory = excluded.memory",
            [.text(table), .text(try connection.storable(text: text))])
    }

    // MARK: Pending rejects

    /// The lines that transactions have stored for a file. They may have been written to the file since.
    func pendingRejects(to file: String) throws(PostgresError) -> [PendingRejects] {
        guard try exists() else { return [] }
        let rows = try connection.query(
            """
            SELECT substr(input, 9), state FROM \(try path)
            WHERE table_name = '' AND starts_with(input, 'rejects:') AND checkpoint = $1 ORDER BY input
            """, [.text(try connection.storable(name: file))])
        return (0..<rows.count).map { PendingRejects(owner: rows.text($0, 0) ?? "", text: rows.text($0, 1) ?? "") }
    }

    /// Stores the lines that a run must still write to a file. They replace the lines stored before; nil if there are none left.
    func setPendingRejects(_ pending: PendingRejects?, of owner: String, to file: String) throws(PostgresError) {
        let row = PostgresParameter.text("rejects:" + owner)
        guard let pending else {
            guard try exists() else { return }
            try connection.query("DELETE FROM \(try path) WHERE table_name = '' AND input = $1", [row])
            return
        }
        // If none of the inputs of a run can be read again, it has no checkpoints.
        if try !exists() { try make() }
        try connection.query(
            """
            INSERT INTO \(try path) (table_name, input, checkpoint, state) VALUES ('', $1, $2, $3)
            ON CONFLICT (table_name, input) DO UPDATE SET checkpoint = excluded.checkpoint, state = excluded.state
            """, [row, .text(try connection.storable(name: file)), .text(try connection.storable(text: pending.text))])
    }

    // MARK: Marks

    /// The name of the row in which a run that may reconnect stores the number of its last transaction. If the connection is lost
    /// during a commit, the number in the row shows whether the commit took place.
    static func mark(of run: RunIdentity) -> String { "commit:" + run.id }

    /// Makes the row of this run, and deletes the rows of runs that were killed.
    func makeMark(of run: RunIdentity) throws(PostgresError) {
        try make()
        let rows = try connection.query("SELECT input FROM \(try path) WHERE table_name = '' AND starts_with(input, 'commit:')")
        let held = rows.count > 0 ? try connection.locksOfOthers() : []
        let stale = (0..<rows.count).compactMap { rows.text($0, 0) }.filter { !held.contains(lockNumber(of: $0)) }
        try connection.query(
            "DELETE FROM \(try path) WHERE table_name = '' AND input = ANY ($1::text[])", [PostgresParameter(stale)])
        try connection.query(
            "INSERT INTO \(try path) (table_name, input, state) VALUES ('', $1, '0') ON CONFLICT DO NOTHING",
            [.text(PostgresCheckpoints.mark(of: run))])
    }

    func setMark(_ number: Int, of run: RunIdentity) throws(PostgresError) {
        let parameters: [PostgresParameter] = [.text("\(number)"), .text(PostgresCheckpoints.mark(of: run))]
        let rows = try connection.query("UPDATE \(try path) SET state = $1 WHERE table_name = '' AND input = $2", parameters)
        if rows.affectedCount != 1 {
            throw .impossible("the row \(PostgresCheckpoints.mark(of: run)) of the checkpoints is gone")
        }
    }

    func readMark(of run: RunIdentity) throws(PostgresError) -> Int? {
        try connection.query(
            "SELECT state FROM \(try path) WHERE table_name = '' AND input = $1", [.text(PostgresCheckpoints.mark(of: run))]
        ).integer(0, 0)
    }

    func removeMark(of run: RunIdentity) throws(PostgresError) {
        try connection.query(
            "DELETE FROM \(try path) WHERE table_name = '' AND input = $1", [.text(PostgresCheckpoints.mark(of: run))])
    }
}

// MARK: Locks

extension PostgresConnection {
    /// The number of the advisory lock for a name.
    static func lockNumber(_ name: String) -> Int64 { Int64(bitPattern: NameHash.value(of: "sluice\0\(name)")) }

    /// Waits for a lock that is held until the transaction ends.
    func lockUntilCommit(_ name: String) throws(PostgresError) {
        try query("SELECT pg_advisory_xact_lock($1)", [.text("\(PostgresConnection.lockNumber(name))")])
    }

    /// Takes a lock until it is given back, or until the connection ends; false if another session has it.
    func tryLock(_ number: Int64) throws(PostgresError) -> Bool {
        try query("SELECT pg_try_advisory_lock($1)", [.text("\(number)")]).isTrue(0, 0)
    }

    /// Gives back all locks that ``tryLock(_:)`` has taken.
    func unlockAll() throws(PostgresError) { try run("SELECT pg_advisory_unlock_all()") }

    /// The numbers of the locks that other sessions hold. The catalogue has a number in two halves:
    /// https://www.postgresql.org/docs/current/view-pg-locks.html
    func locksOfOthers() throws(PostgresError) -> Set<Int64> {
        let rows = try query(
            """
            SELECT (classid::bigint << 32) | objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted
                AND pid <> pg_backend_pid() AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """)
        return Set((0..<rows.count).compactMap { rows.text($0, 0).flatMap { Int64($0) } })
    }
}
#endif
