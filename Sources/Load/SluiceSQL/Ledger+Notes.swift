// Rows of the table of checkpoints that are no inputs, and so have no table name: the lines that a transaction owes to a file, the load of
// each table whose keys were noted, and what a database must know of the runs that use it.

internal import SluiceCore
package import SluiceIngest

extension Ledger {
    private static let isNote = "table_name = '' AND input"

    /// The state of a note; nil if no note has this name.
    package func note(_ name: String) throws -> String? { try note(name, "") }

    private func note(_ name: String, _ collation: String) throws -> String? {
        guard try hasCheckpoints() else { return nil }
        return try connection.run("SELECT state FROM \(path) WHERE \(Ledger.isNote) = $1\(collation)", [.text(name)]).first
    }

    /// The names of the notes that begin with a text of ASCII.
    package func notes(startingWith start: String) throws -> [String] {
        guard try hasCheckpoints() else { return [] }
        let sql = try "SELECT input FROM \(path) WHERE table_name = '' AND substr(input, 1, \(start.utf8.count)) = $1"
        return try connection.run(sql, [.text(start)]).values.map { $0.text(0) }
    }

    /// Keeps a note, in place of one of the same name.
    ///
    /// - Parameter file: The file that the note is about, or an empty text.
    package func keep(_ name: String, _ state: String, of file: String = "", ifMissing: Bool = false) throws {
        try makeCheckpoints()
        let update = ifMissing ? "NOTHING" : "UPDATE SET checkpoint = excluded.checkpoint, state = excluded.state"
        try connection.run(
            """
            INSERT INTO \(path) (table_name, input, byte_offset, records, rejected, is_complete, sequence, checkpoint, state)
            VALUES ('', $1, 0, 0, 0, FALSE, 0, $2, $3) ON CONFLICT (table_name, input) DO \(update)
            """, [.text(name), .name(file), .text(state)])
    }

    /// Deletes notes.
    package func forget(_ names: [String]) throws {
        guard !names.isEmpty, try hasCheckpoints() else { return }
        for name in names { try connection.run("DELETE FROM \(path) WHERE \(Ledger.isNote) = $1", [.text(name)]) }
    }

    // MARK: Lines that are owed to files

    private static let rejects = "rejects:"
    private static let isOfRejects = "table_name = '' AND substr(input, 1, 8) = '\(rejects)'"

    package func pendingRejects(to file: String) throws -> [PendingRejects] {
        guard try hasCheckpoints() else { return [] }
        // In the first layout there was one such row for each file, and the row had the file's name.
        let rows = try connection.run(
            """
            SELECT substr(input, 9), byte_offset, checkpoint, state FROM \(path)
            WHERE \(Ledger.isOfRejects) AND (input = $1 OR checkpoint = $2) ORDER BY \(dialect.rowIdentity)
            """, [.text(Ledger.rejects + file), .name(file)])
        return rows.values.map { row in
            guard row.text(2).isEmpty else { return PendingRejects(owner: row.text(0), text: row.text(3)) }
            let lines = RejectsFile.Pending(start: row.integer(1), lines: Array(row.text(3).utf8))
            return PendingRejects(owner: row.text(0), text: lines.text)
        }
    }

    /// The files that lines are owed to.
    func pendingFiles() throws -> Set<String> {
        guard try hasCheckpoints() else { return [] }
        let file = "CASE WHEN checkpoint = '' THEN substr(input, 9) ELSE checkpoint END"
        let rows = try connection.run("SELECT DISTINCT \(file) FROM \(path) WHERE \(Ledger.isOfRejects)", [])
        return Set(rows.values.map { connection.original(name: $0.text(0)) })
    }

    package func setPendingRejects(_ pending: PendingRejects?, of owner: String, to file: String) throws {
        let name = Ledger.rejects + owner
        // If none of the inputs of a run can be read again, it has no checkpoints.
        if let pending { try keep(name, pending.text, of: file) } else { try forget([name]) }
    }

    // MARK: Snapshots

    /// The last load of the table whose keys were noted.
    func snapshot() throws -> SinkSnapshot? {
        guard let note = try note("snapshot:" + table, dialect.nameCollation) else { return nil }
        guard let snapshot = SinkSnapshot(text: note) else {
            throw IngestError.unreadable(
                "the note on the load of the table \(table) in \(OwnTables.checkpoints)",
                remedy: "delete the row 'snapshot:\(table)', and load all inputs again")
        }
        return snapshot
    }

    func keep(_ snapshot: SinkSnapshot) throws {
        try makeCheckpoints()
        let name = "snapshot:" + table
        // The note may spell the table's name otherwise.
        try connection.run("DELETE FROM \(path) WHERE \(Ledger.isNote) = $1\(dialect.nameCollation)", [.text(name)])
        try keep(name, snapshot.text)
    }
}
