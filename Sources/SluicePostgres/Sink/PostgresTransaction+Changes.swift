// Writes the changes of rows into their table.

#if PostgreSQL
internal import SluiceCore
internal import SluiceIngest

extension PostgresTransaction {
    /// The columns of a table of changes behind `number`.
    private static let changeColumns = RecordedChange.columns.dropFirst().map { name in
        let type: SluiceCore.Column.ColumnType =
            switch name {
            case "key", "patch", "nulls", "hidden": .json
            case "line", "byte_position": .integer
            case "changed_at": .timestamp
            default: .text
            }
        return RowStore.Column(name: name, type: type)
    }

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
        guard !changes.isEmpty, let found = try PostgresTable(table, schema: session.schema, connection) else { return }
        // Most changes of a batch come from one file.
        var (name, file): (String?, String?) = (nil, nil)
        try add(changes.count, to: found, PostgresTransaction.changeColumns) { row in
            let change = changes[row]
            if change.file != name { (name, file) = (change.file, try change.file.map { try connection.storable(name: $0) }) }
            return [
                .text(change.table), .text(change.key), .text(change.operation.rawValue), .text(change.time), .text(file),
                .integer(change.line), .integer(change.byte), .text(change.patch), .text(change.nulls), .text(change.hidden),
            ]
        }
    }
}
#endif
