// Writes the changes of rows into their table.

#if PostgreSQL
internal import SluiceCore
internal import SluiceIngest

extension PostgresTransaction {
    func record(_ changes: [RecordedChange], into table: String) throws {
        try PostgresTable.checkNames(table, tableNames)
        let path = try self.path(of: table)
        if let found = try PostgresTable(table, schema: session.schema, connection) {
            guard found.columns.map(\.name) == RecordedChange.columns else {
                throw PostgresError.impossible("there is a table \(table) already that is no table of changes; name another one")
            }
        } else {
            try connection.lockUntilCommit("\(session.schema).\(table)")
            try connection.run(
                """
                CREATE TABLE IF NOT EXISTS \(path) (
                    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, table_name text NOT NULL, key jsonb NOT NULL, operation text NOT NULL, changed_at timestamptz NOT NULL, file text,
                    line bigint, byte_position bigint, patch jsonb NOT NULL, nulls jsonb, hidden jsonb)
                """)
        }
        guard !changes.isEmpty else { return }
        // PostgreSQL has no texts with the character U+0000. An empty text stands for null.
        let columns: [[String]] = [
            changes.map(\.table), changes.map(\.key), changes.map(\.operation.rawValue), changes.map(\.time),
            changes.map { ($0.file ?? "").replacing("\0", with: "\u{FFFD}") }, changes.map { $0.line.map { "\($0)" } ?? "" },
            changes.map { $0.byte.map { "\($0)" } ?? "" }, changes.map(\.patch), changes.map { $0.nulls ?? "" },
            changes.map { $0.hidden ?? "" },
        ]
        let arrays = columns.indices.map { "$\($0 + 1)::text[]" }.joined(separator: ", ")
        try connection.query(
            """
            INSERT INTO \(path) (\(RecordedChange.columns.dropFirst().joined(separator: ", "))) SELECT a, b::jsonb, c, d::timestamptz, nullif(e, ''), nullif(f, '')::bigint, nullif(g, '')::bigint,
                h::jsonb, nullif(i, '')::jsonb, nullif(j, '')::jsonb
            FROM unnest(\(arrays)) WITH ORDINALITY AS u (a, b, c, d, e, f, g, h, i, j, place) ORDER BY place
            """, columns.map { PostgresParameter($0) })
    }
}
#endif
