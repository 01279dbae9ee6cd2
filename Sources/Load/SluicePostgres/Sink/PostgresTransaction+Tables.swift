// Makes or widens the tables of a run.

#if PostgreSQL
internal import SluiceCore
internal import SluiceIngest

extension PostgresTransaction {
    func prepare(_ wanted: SinkTable) throws -> [String] {
        if wanted.parent != nil { return try prepareChild(wanted) }
        let added = try makeTable(wanted)
        session.wanted = wanted
        try open(wanted)
        return added
    }

    /// Prepares the store for rows of a table that exists.
    func open(_ wanted: SinkTable) throws(PostgresError) {
        let name = wanted.parent == nil ? session.tableName : wanted.name
        guard let table = try PostgresTable(name, schema: session.schema, connection) else {
            throw .impossible("the table \(name) is gone")
        }
        let staging = PostgresTransaction.staging(of: wanted)
        let earlier = session.stagings[staging] ?? 0
        if earlier > 0 { try connection.run("DROP TABLE IF EXISTS pg_temp.\(staging)_\(earlier)") }
        session.stagings[staging] = earlier + 1
        session.stores[wanted.name] = try RowStore(
            table,
            columns: wanted.columns.map(\.column), key: wanted.key.isEmpty ? table.primaryKey : wanted.key, rule: wanted.conflict,
            staging: "\(staging)_\(earlier + 1)",
            connection, namesKept: wanted.parent == nil && !wanted.children.isEmpty, changes: wanted.changes,
            isOrphan: isOrphan(wanted), places: Set(wanted.columns.indices.filter { wanted.columns[$0].isOfPlace }))
    }

    /// The condition that a row `s` of a child table has no parent, if rows of the parent table may be replaced.
    private func isOrphan(_ wanted: SinkTable) throws(PostgresError) -> String? {
        guard wanted.conflict == .replace, let parent = wanted.parent, session.children[parent.table] != nil else { return nil }
        let isParent = try connection.identifiers(parent.key.map(PostgresTable.clipped)).enumerated().map { "p.\($1) = s.c\($0)" }
        return "NOT EXISTS (SELECT FROM \(try path(of: tableName(of: parent))) p WHERE \(isParent.joined(separator: " AND ")))"
    }

    /// The first part of the name of the temporary table for a table's rows.
    private static func staging(of wanted: SinkTable) -> String {
        guard wanted.parent != nil else { return "_sluice_rows" }
        return "_sluice_\(String(UInt64(bitPattern: PostgresConnection.lockNumber(wanted.name)), radix: 16))"
    }

    /// Makes or widens a child table.
    private func prepareChild(_ wanted: SinkTable) throws -> [String] {
        guard try connection.hasCharacters(of: wanted.name) else {
            session.impossible.insert(wanted.name)
            return []
        }
        try PostgresTable.checkNames(wanted.name, session.tableNames)
        let added = try makeTable(wanted)
        session.children[wanted.name] = wanted
        try open(wanted)
        return added
    }

    /// Makes, empties or widens the table.
    ///
    /// - Returns: The names of the columns that were added to a table that already existed.
    private func makeTable(_ wanted: SinkTable) throws(PostgresError) -> [String] {
        let name = wanted.parent == nil ? session.tableName : PostgresTable.clipped(wanted.name)
        let path = try self.path(of: name)
        // A lock, so that two runs do not make or widen the table at the same time.
        try connection.lockUntilCommit("\(session.schema).\(name)")
        if wanted.existing == .drop {
            for child in wanted.children where try connection.hasCharacters(of: child) {
                try connection.run("DROP TABLE IF EXISTS \(self.path(of: PostgresTable.clipped(child)))")
            }
            try connection.run("DROP TABLE IF EXISTS \(path)")
        }
        let columns = try nameable(wanted)
        let names = try PostgresTable.columnNames(for: columns.map(\.name))
        let keyTypes = try wanted.parent.map { parent throws(PostgresError) in try typesOfKey(of: parent) } ?? []
        var definitions: [String] = []
        for (index, (name, column)) in zip(names, columns).enumerated() {
            // A column of a foreign key has the type and the collation of the column that it refers to, so both find the same rows.
            let type = index < keyTypes.count ? keyTypes[index] : column.type.postgres
            definitions.append(try connection.identifier(name) + " " + type)
        }
        guard let table = try PostgresTable(name, schema: session.schema, connection) else {
            var parts = zip(definitions, columns).map { $1.isRequired ? $0 + " NOT NULL" : $0 }
            if !wanted.key.isEmpty { parts.append("PRIMARY KEY (\(try list(wanted.key)))") }
            if let parent = wanted.parent {
                parts.append(
                    "FOREIGN KEY (\(try list(parent.columns))) REFERENCES \(try self.path(of: tableName(of: parent))) "
                        + "(\(try list(parent.key))) ON DELETE CASCADE")
            }
            try connection.run("CREATE TABLE \(path) (\(parts.joined(separator: ", ")))")
            // A later run must not take another name, which is cut alike, for the same.
            if let comment = PostgresTable.comment(on: wanted.name) {
                try connection.run("COMMENT ON TABLE \(path) IS \(connection.literal(connection.storable(text: comment)))")
            }
            return []
        }
        try table.checkComment(for: wanted.name, connection)
        // The server may have kept a part of the name of a column that runs have filled.
        let ours = columns.map(\.name).byteSet
        _ = try PostgresTable.columnNames(
            for: columns.map(\.name)
                + wanted.filled.map(\.name).filter {
                    !ours.contains($0.bytes) && table.column(named: $0) != nil
                })
        if wanted.existing == .truncate { try empty(path, table) }
        if let parent = wanted.parent,
            let lost = wanted.key.first(where: { table.column(named: $0) == nil })
        {
            throw .impossible(
                "there is a table \(name) already, and it is no child table of \(parent.table): it has no column \(lost)")
        }
        var missing = names.indices.filter { table.column(named: names[$0]) == nil }
        for index in names.indices where try retypes(columns[index], wanted, names[index], table, path) {
            missing.append(index)
        }
        guard !missing.isEmpty else { return [] }
        _ = try PostgresTable.columnNames(
            for: table.columns.map(\.name).filter { !missing.map { names[$0] }.byteSet.contains($0.bytes) }
                + missing.map { names[$0] })
        try connection.run("ALTER TABLE \(path) " + missing.map { "ADD COLUMN \(definitions[$0])" }.joined(separator: ", "))
        return missing.map { names[$0] }
    }

    /// Removes a column of texts that has only had null, if its values have another type now: the column is added again with that type.
    /// This takes no time, as a change of the type would. What the user has made of the column would go with it: if there is an index, a
    /// constraint, a default, a view, a right or a comment, the column stays as it is.
    private func retypes(
        _ column: IngestColumn, _ wanted: SinkTable, _ name: String, _ table: PostgresTable, _ path: String
    ) throws(PostgresError) -> Bool {
        guard column.type != .text, !column.isForeign, case .text(limit: nil)? = table.column(named: name)?.type,
            wanted.filled.contains(where: { $0.isUndecided && $0.name.bytes == column.name.bytes })
        else { return false }
        let quoted = try connection.identifier(name)
        try connection.run("SAVEPOINT sluice_column")
        do throws(PostgresError) {
            // Nobody else may store a value after the look.
            try connection.run("LOCK TABLE \(path) IN ACCESS EXCLUSIVE MODE")
            let isFree =
                try connection.query(
                    """
                    SELECT 1 FROM pg_attribute c WHERE c.attrelid = \(connection.literal(path))::regclass
                    AND c.attname = \(connection.literal(name)) AND c.attacl IS NULL AND NOT c.attnotnull
                    AND col_description(c.attrelid, c.attnum) IS NULL
                    AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE refclassid = 'pg_class'::regclass
                        AND refobjid = c.attrelid AND refobjsubid = c.attnum)
                    AND (SELECT max(attnum) FROM pg_attribute WHERE attrelid = c.attrelid) < \(PostgresTable.mostColumns)
                    AND NOT EXISTS (SELECT 1 FROM \(path) WHERE \(quoted) IS NOT NULL)
                    """
                ).count == 1
            if isFree { try connection.run("ALTER TABLE \(path) DROP COLUMN \(quoted)") }
            try connection.run("RELEASE SAVEPOINT sluice_column")
            return isFree
        } catch {
            guard case .server = error else { throw error }
            try connection.run("ROLLBACK TO SAVEPOINT sluice_column; RELEASE SAVEPOINT sluice_column")
            return false
        }
    }

    /// The columns whose names the database can hold. The values of the others are left out.
    ///
    /// - Throws: ``PostgresError/impossible(_:)`` if one of the others is in the key.
    private func nameable(_ wanted: SinkTable) throws(PostgresError) -> [IngestColumn] {
        var columns: [IngestColumn] = []
        let key = (wanted.key + (wanted.parent?.columns ?? [])).byteSet
        for column in wanted.columns {
            if try connection.hasCharacters(of: column.name) {
                columns.append(column)
            } else if key.contains(column.name.bytes) {
                throw .impossible("the key cannot have the column \(column.name): \(connection.lacksCharacters)")
            }
        }
        return columns
    }

    func path(of table: String) throws(PostgresError) -> String { try connection.path(of: table, in: session.schema) }

    func path(of table: SinkTable) throws(PostgresError) -> String {
        try path(of: table.parent == nil ? session.tableName : PostgresTable.clipped(table.name))
    }

    /// Names of columns, separated by commas.
    private func list(_ names: [String]) throws(PostgresError) -> String {
        try connection.identifiers(names.map(PostgresTable.clipped)).joined(separator: ", ")
    }

    /// The name of a parent table as the server has it.
    private func tableName(of parent: SinkParent) -> String {
        session.children[parent.table] == nil ? session.tableName : PostgresTable.clipped(parent.table)
    }

    /// The types of the key's columns in the parent table.
    private func typesOfKey(of parent: SinkParent) throws(PostgresError) -> [String] {
        let name = tableName(of: parent)
        guard let table = try PostgresTable(name, schema: session.schema, connection) else {
            throw .impossible("the table \(name) is gone")
        }
        let names = parent.key.map { PostgresTable.clipped($0) }
        guard
            table.uniqueKeys.contains(where: { $0.columns.byteSet == names.map { table.column(named: $0)?.name ?? $0 }.byteSet })
        else {
            throw .impossible(
                "child tables need a primary key or a unique index of \(names.joined(separator: ", ")) in the table \(name)")
        }
        return names.map { table.column(named: $0)?.declaration ?? "text" }
    }

    /// Deletes all rows. TRUNCATE is fast, but the server refuses it for a table that foreign keys refer to.
    private func empty(_ path: String, _ table: PostgresTable) throws(PostgresError) {
        try connection.run("SAVEPOINT sluice_rows")
        do throws(PostgresError) {
            try connection.run("TRUNCATE \(path); RELEASE SAVEPOINT sluice_rows")
        } catch {
            guard case .server = error else { throw error }
            try connection.run("ROLLBACK TO SAVEPOINT sluice_rows; RELEASE SAVEPOINT sluice_rows")
            try checkReferences(to: table)
            try connection.run("DELETE FROM \(path)")
        }
    }

    /// Checks that no rows of other tables refer to the rows of a table: they would be removed together with them, or changed. The child
    /// tables that a load has made are no others: their names begin with the parent's, and their keys are the parent's key and a `position`.
    private func checkReferences(to table: PostgresTable) throws(PostgresError) {
        var own = [(oid: "\(table.identifier)", name: table.name)]
        var index = 0
        while index < own.count {
            let parent = own[index]
            index += 1
            let keys = try connection.query(
                """
                SELECT c.conrelid::text, k.relname, c.conrelid::regclass::text, c.confrelid::regclass::text,
                    (SELECT string_agg(format('p.%I = c.%I', t.attname, f.attname), ' AND ') FROM unnest(c.conkey, c.confkey) u (f, t)
                        JOIN pg_attribute f ON f.attrelid = c.conrelid AND f.attnum = u.f
                        JOIN pg_attribute t ON t.attrelid = c.confrelid AND t.attnum = u.t),
                    CASE WHEN c.confdeltype = 'c' AND starts_with(k.relname::text, $2) AND EXISTS (SELECT FROM pg_index i
                        WHERE i.indrelid = c.conrelid AND i.indisprimary AND i.indnkeyatts = cardinality(c.conkey) + 1
                            AND c.conkey <@ i.indkey::int2[] AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.conrelid
                                AND a.attnum = ANY (i.indkey) AND a.attnum <> ALL (c.conkey) AND a.attname ~ '^position(_|$)'))
                        THEN 'child' ELSE 'other' END
                FROM pg_constraint c JOIN pg_class k ON k.oid = c.conrelid
                WHERE c.contype = 'f' AND c.confrelid = $1::text::oid
                """, [parent.oid, parent.name + "_"])
            for row in 0..<keys.count {
                guard let oid = keys.text(row, 0), !own.contains(where: { $0.oid == oid }), let name = keys.text(row, 1),
                    let child = keys.text(row, 2), let path = keys.text(row, 3), let isSame = keys.text(row, 4)
                else { continue }
                if keys.text(row, 5) == "child" {
                    own.append((oid: oid, name: name))
                    continue
                }
                let found = try connection.run(
                    "SELECT 1 FROM \(child) c WHERE EXISTS (SELECT 1 FROM \(path) p WHERE \(isSame)) LIMIT 1")
                guard found.count == 0 else {
                    throw .impossible(
                        "rows of the table \(name) refer to rows of \(parent.name), which would be removed; remove those of \(name) first"
                    )
                }
            }
        }
    }
}
#endif
