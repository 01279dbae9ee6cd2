// Stores rows in a table of a SQLite database, many in one transaction.
//
// If the process dies, the database still opens and holds whole batches: each batch is one transaction, which includes the
// checkpoints of the inputs that its rows come from. Where possible, the database uses a write-ahead log during the work, so that
// others can read while rows come in. With `synchronous = NORMAL` this also holds if the power fails, except that the last
// batches may be missing, together with their checkpoints.

#if CommandLine
internal import Foundation
internal import GRDB
internal import SluiceCore

/// A database with the table that the records are stored in.
struct RecordDatabase {
    private let queue: DatabaseQueue
    private let path: String
    let table: String
    /// The journal mode that the database had before this run turned on the write-ahead log; nil if the run did not turn it on.
    let previousJournal: String?

    /// Opens a database, or creates it.
    ///
    /// - Throws: ``CommandError/database(_:)``.
    init(path: String, table: String, isReadOnly: Bool = false, interruption: Interruption = Interruption()) throws(CommandError)
    {
        self.path = path
        self.table = table
        var configuration = Configuration()
        // Another run may hold the database for the time of a batch. The pause between two batches is short, so ask often.
        configuration.busyMode = .callback { tries in
            guard tries < 60_000, interruption.received == 0 else { return false }
            usleep(tries < 100 ? 200 : 1_000)
            return true
        }
        configuration.readonly = isReadOnly
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
            // On macOS, fsync leaves data in the drive's cache, so SQLite calls F_FULLFSYNC; elsewhere this changes nothing.
            try db.execute(sql: "PRAGMA fullfsync = ON")
            // 16 MiB of pages: a batch of ordinary records is written once, when it is committed.
            try db.execute(sql: "PRAGMA cache_size = -16384")
            // Takes effect only if the database is new.
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

    /// Turns on the write-ahead log. Returns the journal mode before, or nil if it stays as it is. This may fail, because some
    /// file systems have no shared memory, and another process may be using the database; then the run does without.
    private static func useLog(_ queue: DatabaseQueue) -> String? {
        let before = try? queue.inDatabase { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
        // A run that was killed before its first transaction has left an empty database with a write-ahead log.
        let isEmpty = try? queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") == 0 }
        guard let before, before != "wal" else { return isEmpty == true ? "delete" : nil }
        let after = try? queue.inDatabase { try String.fetchOne($0, sql: "PRAGMA journal_mode = WAL") }
        return after == "wal" ? before : nil
    }

    /// Restores the journal mode that the database had, if no other process uses the database. Otherwise the other process or the
    /// next run restores it: the mode is stored beside the checkpoints.
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

    /// Runs a body that only reads.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result { try queue.read(body) }

    /// Runs a body inside a transaction, which a ``RecordLoader`` may commit and replace with a new one. When the body returns,
    /// the open transaction is committed; when it throws, the open transaction is rolled back.
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

    /// SQLite's message for an error, without the statement.
    static func words(for error: any Error) -> String {
        if let error = error as? CommandError { return error.description }
        guard let error = error as? DatabaseError else { return String(describing: error) }
        return error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
    }
}

extension Database {
    /// From now on, waits at most this long for another process.
    fileprivate func busyMode(_ milliseconds: Int) {
        try? execute(sql: "PRAGMA busy_timeout = \(milliseconds)")
    }
}

extension String {
    /// The text as a quoted SQL identifier. Quotes inside are doubled, which GRDB's own quoting does not do.
    var quotedForSQL: String { "\"" + replacing("\"", with: "\"\"") + "\"" }
}

/// The table of the database, with its columns.
struct RecordTable {
    /// How SQLite converts the values of a column: https://www.sqlite.org/datatype3.html#determination_of_column_affinity
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
    /// Columns that were added to a table that already existed.
    private(set) var addedColumns: [String] = []
    private var affinities: [[UInt8]: Affinity] = [:]
    /// The columns that can be written, in the table's own order.
    private(set) var writableNames: [String] = []

    /// Whether a table exists now. GRDB's cached schema may be out of date: another process may have created the table while this
    /// one waited for the database.
    static func exists(_ name: String, _ db: Database) throws -> Bool {
        try !columns(of: name, db).isEmpty
    }

    /// Creates the table or adds the missing columns, inside a transaction.
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

    /// The columns of a table's primary key, in the key's order.
    static func primaryKey(of table: String, _ db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", arguments: [table])
    }

    /// The names of a table's columns; empty if the table does not exist.
    static func columns(of table: String, _ db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT name FROM pragma_table_xinfo(?)", arguments: [table])
    }

    /// Adds the columns that the table lacks. Another process may have added some of them in the meantime.
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
            // Other columns are generated or hidden, and cannot be written.
            if row["hidden"] == 0 { writableNames.append(column) }
        }
    }

    func affinity(of column: String) -> Affinity { affinities[ColumnName.folded(column)] ?? .none }

    func rowCount(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM \(name.quotedForSQL)") ?? 0
    }

    /// The statement that stores a row. Parameter n is the value of column n. The parameters after those are masks of 32 columns
    /// each, which say which columns the record has.
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
            // A column that the records do not have gets its default, as in a new row.
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
