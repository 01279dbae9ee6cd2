// How far inputs have been read. Two runs may read one input at the same time. So a run first claims the row of its input: it writes its own
// name into the row, if the row is still as the run has read it and no other run holds it. Each batch writes its checkpoint only over the row
// that this run wrote last. If another run has written the row since, the batch is rolled back.

internal import SluiceCore
package import SluiceIngest

extension Ledger {
    /// The table of checkpoints as SQL has it.
    package var path: String { get throws { try connection.path(of: OwnTables.checkpoints) } }

    // MARK: The table

    /// Whether the table exists.
    ///
    /// - Throws: ``IngestError/database(_:)`` if the table is not one that this version understands.
    package func hasCheckpoints() throws -> Bool {
        if hasUnderstood { return true }
        let columns = try columns(of: OwnTables.checkpoints)
        if let fault = try LedgerLayout.fault(
            of: Set(columns), dialect,
            newest: {
                try connection.run("SELECT max(layout) FROM \(path)", []).first.flatMap { Int($0) }
            })
        {
            throw IngestError.database("\(fault)")
        }
        hasUnderstood = !columns.isEmpty
        return hasUnderstood
    }

    /// Makes the table, or brings an older one to the newest layout.
    package func makeCheckpoints() throws {
        guard try hasCheckpoints() else { return try make(OwnTables.checkpoints, dialect.checkpointColumns) }
        let columns = try columns(of: OwnTables.checkpoints)
        for column in dialect.addedColumns where !columns.contains(column.name) {
            try connection.run("ALTER TABLE \(path) ADD COLUMN \(column.name) \(column.definition)", [])
            forget(columnsOf: OwnTables.checkpoints)
        }
    }

    // MARK: The rows of inputs

    private var isOfTable: String { "table_name = $1\(dialect.nameCollation)" }

    /// The checkpoints of the table's inputs; the last one was written last.
    package func checkpoints(_ reading: CheckpointReading) throws -> [SinkCheckpoint] {
        try checkpoints(isOfTable, [.text(table)], reading).sorted { $0.version.sequence < $1.version.sequence }
    }

    /// The checkpoints of the inputs of all tables, table by table.
    package func allCheckpoints() throws -> [SinkCheckpoint] {
        try checkpoints("table_name <> '' ORDER BY table_name, input", [], .whole)
    }

    /// The checkpoints of some inputs, of which the versions are known; the last one was written last.
    package func checkpoints(of entries: [SinkCheckpoint]) throws -> [SinkCheckpoint] {
        // Who has read the versions has understood the table.
        hasUnderstood = try !columns(of: OwnTables.checkpoints).isEmpty
        let count = 200
        // One statement for any number of inputs.
        let names = (0..<count).map { "$\($0 + 2)" }.joined(separator: ", ")
        // With the name as it is spelled in the row, the database finds the rows by their key.
        return try Dictionary(grouping: entries, by: \.version.table).flatMap { table, entries in
            try stride(from: 0, to: entries.count, by: count).flatMap { start in
                let inputs = (start..<start + count).map { SQLParameter.name(entries[min($0, entries.count - 1)].input) }
                return try checkpoints("table_name = $1 AND input IN (\(names))", [.text(table)] + inputs, .whole)
            }
        }.sorted { $0.version.sequence < $1.version.sequence }
    }

    private func checkpoints(
        _ condition: String, _ parameters: [SQLParameter], _ reading: CheckpointReading
    ) throws -> [SinkCheckpoint] {
        guard try hasCheckpoints() else { return [] }
        // The first layout has no such columns.
        let holder = try columns(of: OwnTables.checkpoints).contains("run") ? "run, is_held" : "'', FALSE"
        let rest = reading == .whole ? ", checkpoint, state, rejected, is_complete" : ""
        var entries: [SinkCheckpoint] = []
        var version = CheckpointVersion(table: "")
        try connection.read(
            "SELECT table_name, input, sequence, byte_offset, \(holder)\(rest) FROM \(path) WHERE \(condition)", parameters
        ) { row in
            let input = connection.original(name: row.text(1))
            (version.table, version.sequence, version.offset) = (row.text(0), row.integer(2), row.integer(3))
            // Many inputs were read by one run, and share its text.
            if version.run != row.text(4) { version.run = row.text(4) }
            let checkpoint = try reading == .whole ? checkpoint(of: input, row) : nil
            entries.append(SinkCheckpoint(input: input, version: version, checkpoint: checkpoint, isHeld: row.isTrue(5)))
        }
        let claimed = Dictionary(grouping: entries.indices.filter { entries[$0].isHeld }) { entries[$0].version.table }
        for (table, claimed) in claimed {
            let held = try connection.held(claimed.map { entries[$0].input }, of: table)
            for index in claimed { entries[index].isHeld = held.contains(entries[index].input) }
        }
        return entries
    }

    /// The checkpoint in a row; nil if no batch has been committed yet.
    private func checkpoint(of input: String, _ row: [String?]) throws -> StoredCheckpoint? {
        let feed = row.text(6)
        let checkpoint = (try? JSONValue(json: row.text(7))).flatMap {
            StoredCheckpoint(feedText: feed, state: $0, rejected: row.integer(8), isComplete: row.isTrue(9))
        }
        guard checkpoint != nil || feed.isEmpty else {
            throw IngestError.unreadable(
                "the checkpoint of \(input) in \(OwnTables.checkpoints)",
                remedy: "delete this row to read \(input) from its start")
        }
        return checkpoint
    }

    /// Claims the inputs of a run, in a transaction of its own, so that other runs see the claim.
    package func claim(_ claim: SinkClaim) throws -> [String: CheckpointVersion] {
        // So that this run sees the claims of all others, and they see this one.
        try connection.lock(OwnTables.checkpoints)
        try makeCheckpoints()
        let entries = try checkpoints(.versions)
        for input in claim.inputs where try !connection.tryLock(input.identity) {
            throw OtherRun(input.name, entries.last { $0.input == input.identity }, isRunning: true)
        }
        let found = try claim.check(entries)
        var versions: [String: CheckpointVersion] = [:]
        let run = claim.run.text
        for input in claim.inputs {
            versions[input.identity] = try take(input.identity, for: run, from: found[input.identity]?.version)
        }
        return versions
    }

    /// Takes the row of an input: it names this run as its holder from now on.
    ///
    /// - Parameters:
    ///   - run: Its text.
    ///   - version: The row as it is, or nil.
    package func take(_ input: String, for run: String, from version: CheckpointVersion?) throws -> CheckpointVersion {
        var taken = version ?? CheckpointVersion(table: table)
        taken.run = run
        try connection.run(
            """
            INSERT INTO \(path) (table_name, input, byte_offset, records, rejected, is_complete, sequence, checkpoint, state, run, is_held)
            VALUES ($1, $2, 0, 0, 0, FALSE, 0, '', '', $3, TRUE)
            ON CONFLICT (table_name, input) DO UPDATE SET run = excluded.run, is_held = TRUE
            """, [.text(taken.table), .name(input), .text(taken.run)])
        return taken
    }

    package func write(
        _ checkpoint: StoredCheckpoint, of input: String, over version: CheckpointVersion
    ) throws -> CheckpointVersion? {
        let sequence =
            try nextSequence ?? connection.run("SELECT max(sequence) + 1 FROM \(path)", []).first.flatMap { Int($0) } ?? 1
        nextSequence = sequence + 1
        let rows = try connection.run(
            """
            UPDATE \(path) SET byte_offset = $1, records = $2, rejected = $3, is_complete = $4, sequence = $5, checkpoint = $6, state = $7
            WHERE table_name = $8 AND input = $9 AND sequence = $10 AND byte_offset = $11 AND run = $12
            """,
            [
                .integer(checkpoint.offset), .integer(checkpoint.recordCount), .integer(checkpoint.rejected),
                .bool(checkpoint.isComplete), .integer(sequence), .text(checkpoint.feedText),
                .text(checkpoint.state.jsonString()),
                .text(version.table), .name(input), .integer(version.sequence), .integer(version.offset), .text(version.run),
            ])
        guard rows.affected == 1 else { return nil }
        return CheckpointVersion(table: version.table, sequence: sequence, offset: checkpoint.offset, run: version.run)
    }

    package func forget(_ input: String, over version: CheckpointVersion) throws {
        try connection.run(
            "DELETE FROM \(path) WHERE \(isOfTable) AND input = $2 AND sequence = $3 AND run = $4",
            [.text(table), .name(input), .integer(version.sequence), .text(version.run)])
    }

    package func release(_ run: RunIdentity) throws {
        guard try hasCheckpoints() else { return }
        let (condition, parameters) = ("\(isOfTable) AND run = $2", [SQLParameter.text(table), .text(run.text)])
        try connection.run("DELETE FROM \(path) WHERE \(condition) AND checkpoint = ''", parameters)
        try connection.run("UPDATE \(path) SET is_held = FALSE WHERE \(condition)", parameters)
    }

    package func forgetCheckpoints(of run: RunIdentity, includingOthers: Bool) throws {
        guard try hasCheckpoints() else { return }
        let parameters: [SQLParameter] = [.text(table), .text(run.text)]
        if includingOthers {
            // A row without a checkpoint belongs to a run that is about to begin.
            try connection.run("DELETE FROM \(path) WHERE \(isOfTable) AND run <> $2 AND checkpoint <> ''", parameters)
        }
        try connection.run(
            """
            UPDATE \(path) SET byte_offset = 0, records = 0, rejected = 0, is_complete = FALSE, checkpoint = '', state = ''
            WHERE \(isOfTable) AND run = $2
            """, parameters)
    }
}
