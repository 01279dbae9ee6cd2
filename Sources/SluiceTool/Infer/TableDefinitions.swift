// Tables as SQL: for SQLite, or for PostgreSQL.

#if CommandLine
internal import SluiceCore
internal import SluiceIngest
internal import SluiceSQLite

/// Whose SQL is written.
enum SQLDialect: String, CaseIterable {
    case sqlite, postgres

    fileprivate func name(of type: ColumnType) -> String {
        switch self {
        case .sqlite: type.sql
        case .postgres: type.postgres
        }
    }
}

/// `CREATE TABLE` statements, as `ingest` makes the tables.
struct TableDefinitions {
    private let tables: [SinkTable]
    private let dialect: SQLDialect

    init(_ tables: [SinkTable], _ dialect: SQLDialect) { (self.tables, self.dialect) = (tables, dialect) }

    var text: String { tables.map(text).joined() }

    private func text(of table: SinkTable) -> String {
        func list(_ names: [String]) -> String { "(\(names.map(\.quotedForSQL).joined(separator: ", ")))" }
        var lines = table.columns.map { "\($0.name.quotedForSQL) \(dialect.name(of: $0.type))" }
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
