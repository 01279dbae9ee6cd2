// Rows go into a table of a SQLite database, many in a transaction.
//
// A process that dies half-way leaves a database that opens and holds whole batches: every batch is one transaction, together with
// the checkpoints of the inputs that its rows come from. Where it can, the database has a write-ahead log during the work, so that
// others read while rows come in. `synchronous = NORMAL` keeps all that true when the power fails, but for the last batches, which
// may be missing together with their checkpoints.

#if CommandLine
internal import Foundation
internal import GRDB
internal import SluiceCore

/// A database with the table that records go into.
struct RecordDatabase {
    private let queue: DatabaseQueue
    private let path: String
    let table: String
    /// The journal that the database had before this run gave it a write-ahead log; nil if it had one.
    let previousJournal: String?

    /// Opens a database, or makes one.
    ///
    /// - Throws: ``CommandError/database(_:)``.
    init(path: String, table: String, isReadOnly: Bool = false, interruption: Interruption = Interruption()) throws(CommandError)
    {
        self.path = path
        self.table = table
        var configuration = Configuration()
        // Another run may hold the database for the time of a batch. It is asked often, because the pause between two is short.
        configuration.busyMode = .callback { tries in
            guard tries < 60_000, interruption.received == 0 else { return false }
            usleep(tries < 100 ? 200 : 1_000)
            return true
        }
        configuration.readonly = isReadOnly
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
            // 16 MiB of pages: a batch of ordinary records is written once, when it is committed.
            try db.execute(sql: "PRAGMA cache_size = -16384")
            // For a database that is made now.
            if !isReadOnly { try db.execute(sql: "PRAGMA page_size = 16384") }
        }
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
            let isView = try queue.read { try $0.viewExists(table) }
            if isView { throw CommandError.database("\(table) is a view of \(path)") }
            previousJournal = isReadOnly ? nil : RecordDatabase.useLog(queue)
        } catch let error as CommandError {
            throw error
        } catch {
            throw .database("cannot open \(path): \(RecordDatabase.words(for: error))")
        }
    }

    /// Gives the database a write-ahead log; the kind of journal that it had, or nil if it stays as it is. Some file systems have
    /// no shared memory, and another process may be at work: then it goes without.
    private static func useLog(_ queue: DatabaseQueue) -> String? {
        let before = try? queue.inDatabase { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
        // A run that was killed before its first transaction has left a log and nothing else.
        let isEmpty = try? queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") == 0 }
        guard let before, before != "wal" else { return isEmpty == true ? "delete" : nil }
        let after = try? queue.inDatabase { try String.fetchOne($0, sql: "PRAGMA journal_mode = WAL") }
        return after == "wal" ? before : nil
    }

    /// Gives the database back the journal that it had, if no other process is at work in it. Otherwise that one does so, or the next
    /// run: what the journal was is kept beside the checkpoints.
    func restoreJournal() {
        let kept = try? queue.read { try CheckpointTable.journal($0) }
        guard let journal = kept.flatMap(\.self) ?? previousJournal,
            ["delete", "truncate", "persist", "memory", "off"].contains(journal)
        else { return }
        try? queue.inDatabase { db in
            db.busyMode(0)
            guard try String.fetchOne(db, sql: "PRAGMA journal_mode = \(journal)") == journal else { return }
            try CheckpointTable.forgetJournal(db)
        }
    }

    /// Runs a body that reads.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result { try queue.read(body) }

    /// Runs a body inside a transaction, which a ``RecordLoader`` may commit and begin anew. What is there when the body returns is
    /// committed; when it throws, the transaction that has begun is taken back.
    func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try queue.writeWithoutTransaction { db in
            try db.beginTransaction(.immediate)
            do {
                let result = try body(db)
                if db.isInsideTransaction { try db.commit() }
                return result
            } catch {
                if db.isInsideTransaction { try db.rollback() }
                throw error
            }
        }
    }

    /// SQLite's own words, without the statement.
    static func words(for error: any Error) -> String {
        if let error = error as? CommandError { return error.description }
        guard let error = error as? DatabaseError else { return String(describing: error) }
        return error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
    }
}

extension Database {
    /// From now on another process is waited for no longer than this.
    fileprivate func busyMode(_ milliseconds: Int) {
        try? execute(sql: "PRAGMA busy_timeout = \(milliseconds)")
    }
}

extension String {
    /// The text as an identifier of SQL, whatever is in it; GRDB's own quoting leaves quotes as they are.
    var quotedForSQL: String { "\"" + replacing("\"", with: "\"\"") + "\"" }
}

/// The table of the database, with the columns that it has.
struct RecordTable {
    /// What SQLite does with a value that goes into a column: https://www.sqlite.org/datatype3.html#determination_of_column_affinity
    enum Affinity {
        case integer, real, numeric, text, none

        init(declared type: String) {
            let type = type.uppercased()
            self =
                if type.contains("INT") {
                    .integer
                } else if type.contains("CHAR") || type.contains("CLOB") || type.contains("TEXT") {
                    .text
                } else if type.isEmpty || type.contains("BLOB") {
                    .none
                } else if type.contains("REAL") || type.contains("FLOA") || type.contains("DOUB") {
                    .real
                } else {
                    .numeric
                }
        }
    }

    let name: String
    let primaryKey: [String]
    /// Columns that a table that existed before did not have.
    private(set) var addedColumns: [String] = []
    private var affinities: [[UInt8]: Affinity] = [:]
    /// The columns that may be written, in the table's own order.
    private(set) var writableNames: [String] = []

    /// Whether a table is in the database now. GRDB would say what it was when the connection looked last: another process may have
    /// made the table while this one waited for the database.
    static func exists(_ name: String, _ db: Database) throws -> Bool {
        try !columns(of: name, db).isEmpty
    }

    /// Makes the table fit for its columns, inside a transaction.
    init(
        _ name: String, _ columns: [TableColumn], primaryKey: [String], existing: ExistingTable, _ db: Database
    ) throws {
        self.name = name
        let quoted = name.quotedForSQL
        if existing == .drop { try db.execute(sql: "DROP TABLE IF EXISTS \(quoted)") }
        if try RecordTable.exists(name, db) {
            if existing == .truncate { try db.execute(sql: "DELETE FROM \(quoted)") }
            self.primaryKey = try primaryKey.isEmpty ? RecordTable.primaryKey(of: name, db) : primaryKey
            try readColumns(db)
            try add(columns, db)
        } else {
            var definitions = columns.map { "\($0.name.quotedForSQL) \($0.type.sql)" }
            if !primaryKey.isEmpty {
                definitions.append("PRIMARY KEY (\(primaryKey.map(\.quotedForSQL).joined(separator: ", ")))")
            }
            try db.execute(sql: "CREATE TABLE \(quoted) (\(definitions.joined(separator: ", ")))")
            self.primaryKey = primaryKey
            try readColumns(db)
        }
    }

    /// The columns of a table's key, in the key's order.
    static func primaryKey(of table: String, _ db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", arguments: [table])
    }

    /// The names of a table's columns; empty if there is no table.
    static func columns(of table: String, _ db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT name FROM pragma_table_xinfo(?)", arguments: [table])
    }

    /// Adds the columns that the table does not have. Another process may have added some.
    mutating func add(_ columns: [TableColumn], _ db: Database) throws {
        var isChanged = false
        for column in columns where affinities[ColumnName.folded(column.name)] == nil {
            if !isChanged { try readColumns(db) }
            isChanged = true
            if affinities[ColumnName.folded(column.name)] != nil { continue }
            try db.execute(
                sql: "ALTER TABLE \(name.quotedForSQL) ADD COLUMN \(column.name.quotedForSQL) \(column.type.sql)")
            addedColumns.append(column.name)
        }
        if isChanged { try readColumns(db) }
    }

    private mutating func readColumns(_ db: Database) throws {
        affinities = [:]
        writableNames = []
        for row in try Row.fetchAll(db, sql: "SELECT name, type, hidden FROM pragma_table_xinfo(?)", arguments: [name]) {
            let column: String = row["name"]
            affinities[ColumnName.folded(column)] = Affinity(declared: row["type"])
            // Others are generated.
            if row["hidden"] == 0 { writableNames.append(column) }
        }
    }

    func affinity(of column: String) -> Affinity { affinities[ColumnName.folded(column)] ?? .none }

    func rowCount(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM \(name.quotedForSQL)") ?? 0
    }

    /// The statement that stores a row. The value of column n is parameter n; those behind them are masks that say which columns the
    /// record has, 32 columns each.
    func insertion(of columns: [TableColumn], _ conflict: KeyConflict) -> String {
        let names = columns.map(\.name.quotedForSQL).joined(separator: ", ")
        let places = (1...max(columns.count, 1)).map { "?\($0)" }.joined(separator: ", ")
        let insertion = "INSERT INTO \(name.quotedForSQL) (\(names)) VALUES (\(places))"
        guard conflict != .reject else { return insertion }
        let key = Set(primaryKey.map(ColumnName.folded))
        let target = insertion + " ON CONFLICT (\(primaryKey.map(\.quotedForSQL).joined(separator: ", "))) DO "
        var changes: [String] = []
        switch conflict {
        case .reject, .ignore: break
        case .replace:
            // A column that the records do not have gets its default, as in a row that is new.
            for column in writableNames where !key.contains(ColumnName.folded(column)) {
                changes.append("\(column.quotedForSQL) = excluded.\(column.quotedForSQL)")
            }
        case .upsert:
            for (index, column) in columns.enumerated() where !key.contains(ColumnName.folded(column.name)) {
                let name = column.name.quotedForSQL
                let mask = "(?\(columns.count + 1 + index / 32) >> \(index % 32)) & 1"
                changes.append("\(name) = CASE WHEN \(mask) THEN excluded.\(name) ELSE \(name) END")
            }
        }
        return changes.isEmpty ? target + "NOTHING" : target + "UPDATE SET " + changes.joined(separator: ", ")
    }
}
#endif
