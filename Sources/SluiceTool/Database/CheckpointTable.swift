// How far an input has been read, kept in the database beside the rows. It is written in the same transaction as those rows, so
// the two never disagree. After a crash, the next run continues after the last stored row.

#if CommandLine
internal import Foundation
internal import GRDB
internal import SluiceCore
internal import SluiceFeed

/// How far an input has been read into a table, and with which options.
struct StoredCheckpoint: Hashable, Sendable {
    /// The place after the last record that was read.
    var feed: JSONCheckpoint
    /// Records before that place that were rejected.
    var rejected = 0
    /// Records before that place that do not match `--where`.
    var passedOver = 0
    /// Whether the input has been read to its end.
    var isComplete = false
    /// The columns of the table at that time.
    var columns: [TableColumn] = []
    /// The options of the run that must not change when it is resumed.
    var signature = ""
    /// The records in which the input ended. They were rejected, and the next run reads them again.
    var cutOff = CutOff()

    /// Rejected records that are read again: the input's name in their rejections, and the byte offsets at which they begin.
    struct CutOff: Hashable, Sendable {
        var file = ""
        var offsets: [Int] = []
    }

    /// Rejected records that are not read again.
    var lastingRejections: Int { max(0, rejected - cutOff.offsets.count) }

    /// The parts that only this tool needs to read, as JSON.
    fileprivate var state: JSONValue {
        [
            "columns": .array(columns.map(\.json)), "signature": .string(signature),
            "passed_over": .number(JSONNumber(passedOver)),
            "cut_off": ["file": .string(cutOff.file), "offsets": .array(cutOff.offsets.map { .number(JSONNumber($0)) })],
        ]
    }
}

extension StoredCheckpoint {
    fileprivate init?(_ row: Row) {
        guard let token: Data = row["checkpoint"], let feed = try? JSONDecoder().decode(JSONCheckpoint.self, from: token),
            let text: String = row["state"], let state = try? JSONValue(json: text)
        else { return nil }
        self.feed = feed
        rejected = row["rejected"]
        isComplete = row["is_complete"]
        columns = state["columns"]?.array?.compactMap { TableColumn(json: $0) } ?? []
        signature = state["signature"]?.string ?? ""
        passedOver = state["passed_over"]?.int ?? 0
        cutOff.file = state["cut_off"]?["file"]?.string ?? ""
        cutOff.offsets = state["cut_off"]?["offsets"]?.array?.compactMap(\.int) ?? []
    }
}

/// The table of checkpoints.
enum CheckpointTable {
    static let name = "_sluice_checkpoints"

    /// The checkpoints of a table's inputs, by the inputs' paths; the last entry is the newest.
    static func all(for table: String, _ db: Database) throws -> [(input: String, checkpoint: StoredCheckpoint)] {
        guard try RecordTable.exists(name, db), try RecordTable.exists(table, db) else { return [] }
        let rows = try Row.fetchAll(
            db, sql: "SELECT * FROM \(name) WHERE table_name = ? ORDER BY sequence", arguments: [table])
        return rows.compactMap { row in StoredCheckpoint(row).map { (row["input"], $0) } }
    }

    static func make(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS \(name) (
                    table_name TEXT NOT NULL, input TEXT NOT NULL, byte_offset INTEGER NOT NULL, records INTEGER NOT NULL,
                    rejected INTEGER NOT NULL, is_complete INTEGER NOT NULL, sequence INTEGER NOT NULL, checkpoint TEXT NOT NULL,
                    state TEXT NOT NULL, PRIMARY KEY (table_name, input))
                """)
    }

    /// Stores the journal mode that the database had before the run. It is restored when no run uses the database.
    static func keepJournal(_ journal: String, _ db: Database) throws {
        try db.execute(sql: "INSERT OR IGNORE INTO \(name) VALUES ('', 'journal', 0, 0, 0, 0, 0, '', ?)", arguments: [journal])
    }

    static func journal(_ db: Database) throws -> String? {
        guard try RecordTable.exists(name, db) else { return nil }
        return try String.fetchOne(db, sql: "SELECT state FROM \(name) WHERE table_name = '' AND input = 'journal'")
    }

    static func forgetJournal(_ db: Database) throws {
        guard try RecordTable.exists(name, db) else { return }
        try db.execute(sql: "DELETE FROM \(name) WHERE table_name = '' AND input = 'journal'")
    }

    // MARK: Debts

    /// Stores the lines that this transaction owes a file of rejected records, in place of an earlier debt.
    static func keepDebt(_ debt: RejectsFile.Debt, to file: String, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO \(name) VALUES ('', ?, ?, 0, 0, 0, 0, '', ?)",
            arguments: ["rejects:" + file, debt.start, String(decoding: debt.lines, as: UTF8.self)])
    }

    /// The lines that the last transaction owed a file. They may have been written since.
    static func debt(to file: String, _ db: Database) throws -> RejectsFile.Debt? {
        guard try RecordTable.exists(name, db) else { return nil }
        let row = try Row.fetchOne(
            db, sql: "SELECT byte_offset, state FROM \(name) WHERE table_name = '' AND input = ?", arguments: ["rejects:" + file])
        return row.map { row in
            let lines: String = row["state"]
            return RejectsFile.Debt(start: row["byte_offset"], lines: Array(lines.utf8))
        }
    }

    /// Forgets a debt that was paid; one that another run has stored since stays.
    static func forgetDebt(_ debt: RejectsFile.Debt, to file: String, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM \(name) WHERE table_name = '' AND input = ? AND byte_offset = ? AND state = ?",
            arguments: ["rejects:" + file, debt.start, String(decoding: debt.lines, as: UTF8.self)])
    }

    // MARK: Checkpoints

    static func write(_ checkpoint: StoredCheckpoint, of input: String, for table: String, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO \(name)
                VALUES (?, ?, ?, ?, ?, ?, (SELECT coalesce(max(sequence), 0) + 1 FROM \(name)), ?, ?)
                """)
        let token = String(decoding: try JSONEncoder().encode(checkpoint.feed), as: UTF8.self)
        try statement.execute(arguments: [
            table, input, checkpoint.feed.offset, checkpoint.feed.recordIndex, checkpoint.rejected, checkpoint.isComplete, token,
            checkpoint.state.jsonString(),
        ])
    }

    /// Forgets the checkpoints of some inputs, or of all.
    static func forget(_ inputs: [String]?, of table: String, _ db: Database) throws {
        guard try RecordTable.exists(name, db) else { return }
        guard let inputs else {
            try db.execute(sql: "DELETE FROM \(name) WHERE table_name = ?", arguments: [table])
            return
        }
        for input in inputs {
            try db.execute(sql: "DELETE FROM \(name) WHERE table_name = ? AND input = ?", arguments: [table, input])
        }
    }
}
#endif
