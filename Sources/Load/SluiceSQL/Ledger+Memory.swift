// What tables remember of their columns.

internal import SluiceIngest

extension Ledger {
    /// What the table remembers.
    package func memory() throws -> String? {
        let columns = try columns(of: OwnTables.memory)
        guard !columns.isEmpty else { return nil }
        guard columns == ["table_name", "memory"] else {
            throw IngestError.database("\(dialect.destination) has a table \(OwnTables.memory) that is not one of sluice")
        }
        return try connection.run(
            "SELECT memory FROM \(connection.path(of: OwnTables.memory)) WHERE table_name = $1\(dialect.nameCollation)",
            [.text(table)]
        ).first
    }

    package func remember(_ change: (String?) throws -> String) throws {
        // Another run must not change the text after this one has read it.
        try connection.lock(table)
        let known = try memory()
        let text = try change(known)
        guard text != known else { return }
        try make(OwnTables.memory, dialect.memoryColumns.definition, dialect.memoryColumns.ending)
        try connection.run(
            """
            INSERT INTO \(connection.path(of: OwnTables.memory)) (table_name, memory) VALUES ($1, $2)
            ON CONFLICT (table_name) DO UPDATE SET memory = excluded.memory
            """, [.text(table), .text(text)])
    }
}
