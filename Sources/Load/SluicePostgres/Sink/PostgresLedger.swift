// A session of PostgreSQL as the ledger uses it.
//
// A run that reads an input holds an advisory lock of its session. The number of the lock stands for the table and the input. The lock is
// released when the connection ends. So no run has to guess whether another one is still running, on whatever machine that may be.

#if PostgreSQL
internal import SluiceCore
internal import SluiceIngest
internal import SluiceSQL

final class PostgresLedger: SQLConnection {
    /// After a lost connection, the session has another one.
    private unowned let session: PostgresSinkConnection
    private var connection: PostgresConnection { session.connection }
    /// The last name that was made storable: most rows of a batch come from one file.
    private var lastName: (name: String, stored: String)?

    let kind = "schema"
    let nameCollation = ""
    let rowIdentity = "ctid"
    // An update moves a row, so the order of the rows in the table is not that of the feed.
    let rejectionOrder = "file, line_byte_position, ctid"
    let oldestLayout = 2
    let addedColumns: [(name: String, definition: String)] = []
    let memoryColumns = (definition: "table_name text PRIMARY KEY, memory text NOT NULL", ending: "")
    let countingKey = "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY"

    init(_ session: PostgresSinkConnection) { self.session = session }

    var destination: String { "the schema \(session.schema)" }

    var checkpointColumns: String {
        """
        table_name text NOT NULL, input text NOT NULL, byte_offset bigint NOT NULL DEFAULT 0, records bigint NOT NULL DEFAULT 0,
        rejected bigint NOT NULL DEFAULT 0, is_complete boolean NOT NULL DEFAULT false, sequence bigint NOT NULL DEFAULT 0,
        checkpoint text NOT NULL DEFAULT '', state text NOT NULL DEFAULT '', run text NOT NULL DEFAULT '',
        is_held boolean NOT NULL DEFAULT false, layout int NOT NULL DEFAULT \(LedgerLayout.number),
        PRIMARY KEY (table_name, input)
        """
    }

    func definition(_ type: ColumnType) -> String { type.postgres }

    func run(_ sql: String, _ parameters: [SQLParameter]) throws -> SQLRows {
        let rows = try connection.query(sql, parameters.map(text))
        let values = (0..<rows.count).map { row in (0..<rows.columnCount).map { rows.text(row, $0) } }
        return SQLRows(values: values, affected: rows.affectedCount)
    }

    /// A value as text; nil for null.
    private func text(_ parameter: SQLParameter) throws -> String? {
        switch parameter {
        case .null: return nil
        case .integer(let value): return "\(value)"
        case .bool(let value): return value ? "true" : "false"
        case .text(let text): return try connection.storable(text: text)
        case .name(let name):
            if let lastName, lastName.name == name { return lastName.stored }
            let stored = try connection.storable(name: name)
            lastName = (name, stored)
            return stored
        }
    }

    func quoted(_ name: String) throws -> String { try connection.identifier(name) }

    func path(of table: String) throws -> String { try connection.path(of: table, in: session.schema) }

    func columns(of table: String) throws -> [String] {
        // A table of the user's may be a view.
        guard table.hasPrefix("_sluice_") else {
            return try PostgresTable(table, schema: session.schema, connection)?.columns.map(\.name) ?? []
        }
        let rows = try connection.query(
            "SELECT attname FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
            [try path(of: table)])
        return (0..<rows.count).map { rows.text($0, 0) ?? "" }
    }

    // MARK: Rows

    /// Rows that are no records take the COPY of all other rows.
    func insert(_ rows: [[SQLParameter]], into table: String, _ columns: [SQLColumn]) throws {
        guard let table = try PostgresTable(table, schema: session.schema, connection) else { return }
        let columns = columns.map { JSONColumn(name: $0.name, type: $0.type) }
        let store = try RowStore(table, columns: columns, key: [], rule: .reject, staging: "_sluice_own", connection)
        let batch = RowBatch()
        let nothing = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        for row in rows {
            unsafe batch.beginRow(nothing, of: nothing, at: .start)
            for (index, value) in row.enumerated() {
                if case .integer(let number) = value {
                    batch.append(.integer(Int64(number)), at: index)
                } else if let text = try text(value) {
                    // PostgreSQL cannot store the character U+0000 in a text.
                    batch.append(text.escaping([("\0", "\u{FFFD}")]), at: index)
                } else {
                    batch.append(.null, at: index)
                }
            }
        }
        batch.forEachRow { store.append($1, $0) }
        var stored = StoredBatch()
        try store.store(&stored)
        if let refused = stored.refused.first {
            throw PostgresError.impossible("the table \(table.name) does not take a row of its kind: \(refused.reason)")
        }
    }

    // MARK: Rows with keys

    func primaryKey(of table: String) throws -> [String] {
        try PostgresTable(table, schema: session.schema, connection)?.primaryKey ?? []
    }

    func makeTable(_ name: String, withKey key: [String], of rows: String, _ columns: [SQLColumn]) throws {
        let table = try PostgresTable(rows, schema: session.schema, connection)
        let (path, keys) = (try path(of: name), try list(key, in: table))
        let others = try columns.map { "ADD COLUMN \(try quoted($0.name)) \(definition($0.type)), " }.joined()
        try connection.run(
            """
            CREATE TABLE \(path) AS SELECT \(keys) FROM \(self.path(of: rows)) WITH NO DATA;
            ALTER TABLE \(path) \(others)ADD PRIMARY KEY (\(keys))
            """)
    }

    func merge(_ rows: [[SQLParameter]], into table: String, _ key: [String], _ others: [String]) throws {
        guard !rows.isEmpty else { return }
        let found = try PostgresTable(table, schema: session.schema, connection)
        let (source, values) = try source(of: rows, found, key + others)
        try connection.query(
            """
            INSERT INTO \(path(of: table)) (\(list(key + others, in: found))) SELECT \(source.list) FROM \(source.rows)
            ON CONFLICT (\(list(key, in: found))) DO UPDATE SET (\(list(others, in: found))) = \
            ROW(\(list(others, in: found, of: "excluded.")))
            """, values)
    }

    func delete(_ keys: [[SQLParameter]], from table: String, _ key: [String]) throws {
        guard !keys.isEmpty else { return }
        let found = try PostgresTable(table, schema: session.schema, connection)
        let (source, values) = try source(of: keys, found, key)
        try connection.query(
            """
            DELETE FROM \(path(of: table)) t USING (SELECT \(source.list) FROM \(source.rows)) s
            WHERE (\(list(key, in: found, of: "t."))) = (\(list(key, in: found, of: "s.")))
            """, values)
    }

    /// The names of a table's columns, as the server has them.
    private func list(_ names: [String], in table: PostgresTable?, of row: String = "") throws -> String {
        let names = names.map { table?.column(named: $0)?.name ?? PostgresTable.clipped($0) }
        return try connection.identifiers(names).map { row + $0 }.joined(separator: ", ")
    }

    /// Rows as a source for a statement, with the types of a table's columns: the list of its columns, where they come from, and the
    /// parameters.
    private func source(
        of rows: [[SQLParameter]], _ table: PostgresTable?, _ columns: [String]
    ) throws -> (source: (list: String, rows: String), parameters: [String]) {
        let texts = try rows.map { try $0.map { try text($0) ?? "" } }
        let values = columns.indices.map { column in texts.map { $0[column] }.asParameter }
        let typed = try columns.enumerated().map { index, name in
            "u.c\(index)::\(table?.column(named: name)?.declaration ?? "text") AS \(try list([name], in: table))"
        }
        let arrays = columns.indices.map { "$\($0 + 1)::text[]" }.joined(separator: ", ")
        let names = columns.indices.map { "c\($0)" }.joined(separator: ", ")
        return ((typed.joined(separator: ", "), "unnest(\(arrays)) AS u (\(names))"), values)
    }

    // MARK: Locks

    func lock(_ table: String) throws { try connection.lockUntilCommit("\(session.schema).\(table)") }

    func lockRows(of table: String) throws { try connection.run("LOCK TABLE \(path(of: table)) IN SHARE ROW EXCLUSIVE MODE") }

    func tryLock(_ input: String) throws -> Bool { try connection.tryLock(session.lockNumber(of: input)) }

    func held(_ inputs: [String], of table: String) throws -> Set<String> {
        let held = try connection.locksOfOthers()
        return Set(inputs.filter { held.contains(session.lockNumber(of: $0, in: table)) })
    }

    // MARK: Names

    func checkName(of table: String) throws { try PostgresTable.checkNames(table, session.tableNames) }

    func original(name: String) -> String { connection.original(name: name) }
}

// MARK: Marks

/// A run that may reconnect stores the number of its last transaction in a note. If the connection is lost during a commit, the number shows
/// whether the commit happened.
extension Ledger {
    /// Makes the note of a run, and deletes those of runs that were killed.
    func makeMark(_ name: String) throws {
        try connection.lock(OwnTables.checkpoints)
        let marks = try notes(startingWith: "commit:")
        let held = try marks.isEmpty ? [] : connection.held(marks, of: table)
        try forget(marks.filter { !held.contains($0) })
        try keep(name, "0", ifMissing: true)
    }

    func setMark(_ name: String, _ number: Int) throws {
        let sql = "UPDATE \(try path) SET state = $1 WHERE table_name = '' AND input = $2"
        guard try connection.run(sql, [.text("\(number)"), .text(name)]).affected == 1 else {
            throw PostgresError.impossible("the row \(name) of the checkpoints is gone")
        }
    }
}

// MARK: Locks

extension PostgresConnection {
    /// The number of the advisory lock for a name.
    static func lockNumber(_ name: String) -> Int64 { Int64(bitPattern: NameHash.value(of: "sluice\0\(name)")) }

    /// Waits for a lock that is held until the transaction ends.
    func lockUntilCommit(_ name: String) throws(PostgresError) {
        try query("SELECT pg_advisory_xact_lock($1)", ["\(PostgresConnection.lockNumber(name))"])
    }

    /// Takes a lock until it is given back, or until the connection ends; false if another session has it.
    func tryLock(_ number: Int64) throws(PostgresError) -> Bool {
        try query("SELECT pg_try_advisory_lock($1)", ["\(number)"]).isTrue(0, 0)
    }

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
