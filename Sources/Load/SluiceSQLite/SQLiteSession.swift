// A database of SQLite as the ledger uses it.

#if SQLite
internal import GRDB
internal import SluiceCore
internal import SluiceIngest
internal import SluiceSQL

final class SQLiteSession: SQLConnection {
    private let db: Database
    let destination: String
    let kind = "database"
    let nameCollation = " COLLATE NOCASE"
    let rowIdentity = "rowid"
    let rejectionOrder = "rowid"
    let oldestLayout = 1
    let addedColumns = [
        (name: "is_held", definition: "INTEGER NOT NULL DEFAULT 0"),
        (name: "layout", definition: "INTEGER NOT NULL DEFAULT \(LedgerLayout.number)"),
        (name: "run", definition: "TEXT NOT NULL DEFAULT ''"),
    ]
    let memoryColumns = (definition: "table_name TEXT PRIMARY KEY COLLATE NOCASE, memory TEXT NOT NULL", ending: " WITHOUT ROWID")
    let countingKey = "INTEGER PRIMARY KEY"

    init(_ db: Database, in destination: String) { (self.db, self.destination) = (db, destination) }

    var checkpointColumns: String {
        """
        table_name TEXT NOT NULL, input TEXT NOT NULL, byte_offset INTEGER NOT NULL, records INTEGER NOT NULL,
        rejected INTEGER NOT NULL, is_complete INTEGER NOT NULL, sequence INTEGER NOT NULL,
        checkpoint TEXT NOT NULL, state TEXT NOT NULL, \(addedColumns.map { "\($0.name) \($0.definition)" }.joined(separator: ", ")),
        PRIMARY KEY (table_name, input)
        """
    }

    func definition(_ type: ColumnType) -> String { type.sql }

    func run(_ sql: String, _ parameters: [SQLParameter]) throws -> SQLRows {
        // A statement without parameters may make a table, and is not run often.
        let statement = try parameters.isEmpty ? db.makeStatement(sql: sql) : db.cachedStatement(sql: sql)
        let arguments = arguments(parameters)
        guard statement.columnCount > 0 else {
            try statement.execute(arguments: arguments)
            return SQLRows(affected: db.changesCount)
        }
        let rows = try Row.fetchAll(statement, arguments: arguments)
        return SQLRows(values: rows.map { $0.databaseValues.map(\.shown) }, affected: 0)
    }

    func read(_ sql: String, _ parameters: [SQLParameter], _ take: ([String?]) throws -> Void) throws {
        let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments(parameters))
        while let row = try rows.next() { try take(row.databaseValues.map(\.shown)) }
    }

    private func arguments(_ parameters: [SQLParameter]) -> StatementArguments {
        // To SQLite, `$1` is a name.
        let values = parameters.enumerated().map { ("\($0 + 1)", $1.databaseValue) }
        return StatementArguments(Dictionary(uniqueKeysWithValues: values))
    }

    func quoted(_ name: String) -> String { name.quotedForSQL }

    func path(of table: String) -> String { table.quotedForSQL }

    func columns(of table: String) throws -> [String] { try RecordTable.columns(of: table, db) }

    func insert(_ rows: [[SQLParameter]], into table: String, _ columns: [SQLColumn]) throws {
        let names = columns.map(\.name.quotedForSQL).joined(separator: ", ")
        let values = columns.map { _ in "?" }.joined(separator: ", ")
        let statement = try db.cachedStatement(sql: "INSERT INTO \(table.quotedForSQL) (\(names)) VALUES (\(values))")
        for row in rows { try statement.execute(arguments: StatementArguments(row.map(\.databaseValue))) }
    }

    func primaryKey(of table: String) throws -> [String] { try RecordTable.primaryKey(of: table, db) }

    func makeTable(_ name: String, withKey key: [String], of rows: String, _ columns: [SQLColumn]) throws {
        let keys = try key.map { "\($0.quotedForSQL) \(try ColumnComparison(of: $0, in: rows, db))" }
        let others = columns.map { "\($0.name.quotedForSQL) \($0.type.sql)" }
        try db.execute(
            sql: """
                CREATE TABLE \(name.quotedForSQL) (\((keys + others).joined(separator: ", ")), \
                PRIMARY KEY (\(key.map(\.quotedForSQL).joined(separator: ", ")))) WITHOUT ROWID
                """)
    }

    func merge(_ rows: [[SQLParameter]], into table: String, _ key: [String], _ others: [String]) throws {
        let (keys, names) = (key.map(\.quotedForSQL), others.map(\.quotedForSQL))
        let values = (keys + names).map { _ in "?" }.joined(separator: ", ")
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO \(table.quotedForSQL) (\((keys + names).joined(separator: ", "))) VALUES (\(values)) \
                ON CONFLICT (\(keys.joined(separator: ", "))) \
                DO UPDATE SET \(names.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
                """)
        for row in rows { try statement.execute(arguments: StatementArguments(row.map(\.databaseValue))) }
    }

    func delete(_ keys: [[SQLParameter]], from table: String, _ key: [String]) throws {
        let isSame = key.map { "\($0.quotedForSQL) = ?" }.joined(separator: " AND ")
        let statement = try db.cachedStatement(sql: "DELETE FROM \(table.quotedForSQL) WHERE \(isSame)")
        for values in keys { try statement.execute(arguments: StatementArguments(values.map(\.databaseValue))) }
    }
}

extension SQLParameter {
    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let value): value.databaseValue
        case .bool(let value): value.databaseValue
        case .text(let text), .name(let text): text.databaseValue
        }
    }
}

extension DatabaseValue {
    /// The value as text; nil for null.
    fileprivate var shown: String? {
        switch storage {
        case .null: nil
        case .int64(let value): "\(value)"
        case .double(let value): "\(value)"
        case .string(let text): text
        case .blob(let bytes): String(decoding: bytes, as: UTF8.self)
        }
    }
}

extension Ledger {
    convenience init(_ db: Database, of table: String, in destination: String) {
        self.init(SQLiteSession(db, in: destination), of: table)
    }

    convenience init(_ db: Database, of sink: SQLiteSink) { self.init(db, of: sink.table, in: sink.destination) }

    // MARK: The journal mode

    /// Stores the journal mode that the database had before the run. It is restored when no other run uses the database.
    func keepJournal(_ journal: String) throws { try keep("journal", journal, ifMissing: true) }

    func journal() throws -> String? { try note("journal") }

    /// Deletes the stored journal mode, and the table with it if nothing else is stored.
    func forgetJournal() throws {
        guard try hasCheckpoints() else { return }
        try forget(["journal"])
        if try connection.run("SELECT 1 FROM \(path) LIMIT 1", []).values.isEmpty { try connection.run("DROP TABLE \(path)", []) }
    }

    /// Whether this is the last run of this database: no other running run holds an input, or has written later than this run.
    func isLast(_ run: RunIdentity) throws -> Bool {
        guard try hasCheckpoints() else { return true }
        let rows = try connection.run("SELECT run, sequence, is_held FROM \(path) WHERE run <> ''", []).values
        let writes = rows.compactMap { row in
            RunIdentity(text: row.text(0)).map { (run: $0, sequence: row.integer(1), isHeld: row.isTrue(2)) }
        }
        let own = writes.filter { $0.run.id == run.id }.map(\.sequence).max() ?? 0
        return !writes.contains { other in
            guard other.run.id != run.id, other.run.state(seenFrom: run) == .running else { return false }
            return other.isHeld || (other.sequence, other.run.id) > (own, run.id)
        }
    }
}
#endif
