// What a transaction owes a file of rejected records, kept in the table of checkpoints: one debt for each run.

#if CommandLine
internal import GRDB
internal import SluiceCore

extension CheckpointTable {
    /// A debt and the row that it is in.
    struct KeptDebt {
        let row: String
        let debt: RejectsFile.Debt
    }

    /// Stores what this transaction owes a file of rejected records, in place of an earlier debt of the run.
    static func keepDebt(_ debt: RejectsFile.Debt, to file: String, of run: RunIdentity, _ db: Database) throws {
        try keep("rejects:" + run.id, state: debt.json.jsonString(), checkpoint: file, db)
    }

    /// What transactions owed a file. It may have been written since.
    static func debts(to file: String, _ db: Database) throws -> [KeptDebt] {
        guard try exists(db) else { return [] }
        // In the first layout there was one debt for each file, and the row had the file's name.
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT input, byte_offset, checkpoint, state FROM \(name)
                WHERE table_name = '' AND (input = ?1 OR substr(input, 1, 8) = 'rejects:' AND checkpoint = ?2) ORDER BY rowid
                """, arguments: ["rejects:" + file, file])
        return rows.compactMap { row in
            let state: String = row["state"]
            if (row["checkpoint"] as String).isEmpty {
                return KeptDebt(row: row["input"], debt: RejectsFile.Debt(start: row["byte_offset"], lines: Array(state.utf8)))
            }
            return (try? JSONValue(json: state)).flatMap { RejectsFile.Debt(json: $0) }.map {
                KeptDebt(row: row["input"], debt: $0)
            }
        }
    }

    /// Forgets a debt that was paid, if it is still the same.
    static func forget(_ paid: KeptDebt, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM \(name) WHERE table_name = '' AND input = ?", arguments: [paid.row])
    }

    /// Forgets the debt of a run, which it has paid.
    static func forgetDebt(of run: RunIdentity, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM \(name) WHERE table_name = '' AND input = ?", arguments: ["rejects:" + run.id])
    }
}
#endif
