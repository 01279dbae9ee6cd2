// Tables as SQL: for SQLite, or for PostgreSQL.

#if CommandLine
internal import SluiceCore
internal import SluiceIngest
internal import SluiceSQLite

/// Whose SQL is written.
enum SQLDialect: String, CaseIterable {
    case sqlite, postgres

    fileprivate func name(of type: ColumnType, _ meaning: ValueForms.Meaning?) -> String {
        switch (self, type, meaning) {
        // Types of PostgreSQL for texts that have a meaning, such as dates. SQLite has no such types, and keeps the text.
        case (.postgres, .text, .date): "date"
        case (.postgres, .text, .timestamp): "timestamptz"
        case (.postgres, .text, .localTimestamp): "timestamp"
        case (.sqlite, _, _): type.sql
        case (.postgres, _, _): type.postgres
        }
    }
}

/// `CREATE TABLE` statements, as `ingest` makes the tables.
struct TableDefinitions {
    private let tables: [SinkTable]
    private let dialect: SQLDialect
    private let meanings: TableMeanings

    init(_ tables: [SinkTable], _ dialect: SQLDialect, _ meanings: TableMeanings) {
        (self.tables, self.dialect, self.meanings) = (tables, dialect, meanings)
    }

    var text: String { tables.map(text).joined() }

    private func text(of table: SinkTable) -> String {
        func list(_ names: [String]) -> String { "(\(names.map(\.quotedForSQL).joined(separator: ", ")))" }
        var lines = table.columns.map { column in
            "\(column.name.quotedForSQL) \(dialect.name(of: column.type, meanings[table.name, column.name]))"
        }
        if !table.key.isEmpty { lines.append("PRIMARY KEY \(list(table.key))") }
        if let parent = table.parent {
            lines.append(
                "FOREIGN KEY \(list(parent.columns)) REFERENCES \(parent.table.quotedForSQL) \(list(parent.key)) ON DELETE CASCADE"
            )
        }
        let end = table.parent != nil && dialect == .sqlite ? " WITHOUT ROWID" : ""
        return "CREATE TABLE \(table.name.quotedForSQL) (\n\(lines.map { "    " + $0 }.joined(separator: ",\n"))\n)\(end);\n"
    }
}
#endif
