// The lines that a transaction has stored for a file of rejected records or changes. They are kept in the table of checkpoints,
// with a row for each run.

#if SQLite
internal import GRDB
internal import SluiceCore
internal import SluiceIngest

extension CheckpointTable {
    /// Stores the lines that this transaction must still write to a file. They replace the lines of an earlier transaction of
    /// this run.
    static func keepPendingRejects(_ pendingRejects: PendingRejects, to file: String, _ db: Database) throws {
        try keep("rejects:" + pendingRejects.owner, state: pendingRejects.text, checkpoint: file, db)
    }

    /// The lines that transactions have stored for a file. They may have been written to the file since.
    static func pendingRejects(to file: String, _ db: Database) throws -> [PendingRejects] {
        guard try exists(db) else { return [] }
        // In the first layout there was one such row for each file, and the row had the file's name.
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT input, byte_offset, checkpoint, state FROM \(name)
                WHERE table_name = '' AND (input = ?1 OR substr(input, 1, 8) = 'rejects:' AND checkpoint = ?2) ORDER BY rowid
                """, arguments: ["rejects:" + file, file])
        return rows.map { row in
            let state: String = row["state"]
            let owner = String((row["input"] as String).dropFirst("rejects:".count))
            guard (row["checkpoint"] as String).isEmpty else { return PendingRejects(owner: owner, text: state) }
            let lines = RejectsFile.Pending(start: row["byte_offset"], lines: Array(state.utf8))
            return PendingRejects(owner: owner, text: lines.text)
        }
    }

    /// Deletes the lines that a run has stored for a file.
    static func forgetPendingRejects(of owner: String, _ db: Database) throws {
        guard try exists(db) else { return }
        try db.execute(sql: "DELETE FROM \(name) WHERE table_name = '' AND input = ?", arguments: ["rejects:" + owner])
    }
}
#endif
