// Tables as SQL: for SQLite, or for PostgreSQL.

#if CommandLine
internal import SluiceCore
internal import SluiceIngest
internal import SluicePostgres
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

    /// A name in quotes, without characters that command a terminal. PostgreSQL has escapes in names; in SQLite's SQL, the name has the
    /// escape's letters instead of the character.
    fileprivate func quoted(_ name: String) -> String {
        guard name.unicodeScalars.contains(where: \.isCommand) else { return name.quotedForSQL }
        guard self == .postgres else { return name.printable.quotedForSQL }
        let text = name.unicodeScalars.map { scalar in
            guard scalar.isCommand else { return scalar == "\\" ? #"\\"# : String(scalar) }
            let digits = String(scalar.value, radix: 16)
            return #"\+"# + String(repeating: "0", count: 6 - digits.count) + digits
        }.joined()
        return "U&" + text.quotedForSQL
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
        func list(_ names: [String]) -> String { "(\(names.map(dialect.quoted).joined(separator: ", ")))" }
        var lines = table.columns.map { column in
            "\(dialect.quoted(column.name)) \(dialect.name(of: column.type, meanings[table.name, column.name]))"
        }
        if !table.key.isEmpty { lines.append("PRIMARY KEY \(list(table.key))") }
        if let parent = table.parent {
            lines.append(
                "FOREIGN KEY \(list(parent.columns)) REFERENCES \(dialect.quoted(parent.table)) \(list(parent.key)) ON DELETE CASCADE"
            )
        }
        let end = table.parent != nil && dialect == .sqlite ? " WITHOUT ROWID" : ""
        return "CREATE TABLE \(dialect.quoted(table.name)) (\n\(lines.map { "    " + $0 }.joined(separator: ",\n"))\n)\(end);\n"
    }
}
#endif
