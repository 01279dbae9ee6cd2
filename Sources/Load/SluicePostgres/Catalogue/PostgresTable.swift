// A table as the server's catalogue describes it: https://www.postgresql.org/docs/current/catalogs.html

#if PostgreSQL
internal import SluiceCore
internal import SluiceIngest

/// A table of the database, with its columns.
struct PostgresTable: Sendable {
    /// A column of a table.
    struct Column: Hashable, Sendable {
        let name: String
        let type: PostgresType
        /// The type as SQL spells it, such as `character varying(5)`.
        let definition: String
        /// The collation as SQL spells it; nil if it is that of the type.
        let collation: String?
        /// Whether records may give it a value. They may not if it is a generated column, or an identity column
        /// `GENERATED ALWAYS`.
        let isWritable: Bool
        /// Whether it must have a value.
        let isNotNull: Bool
        /// Whether the server gives it a value where a record has none.
        let hasDefault: Bool

        /// Whether records must give it a value.
        var isRequired: Bool { isNotNull && !hasDefault }

        /// The type and the collation of a column whose values are equal where this column's are.
        var declaration: String { collation.map { "\(definition) COLLATE \($0)" } ?? definition }
    }

    /// Columns of which no two rows may have the same values.
    struct UniqueKey: Hashable, Sendable {
        let columns: [String]
        let isPrimary: Bool
    }

    let identifier: Int
    let schema: String
    let name: String
    let columns: [Column]
    /// Where the columns are, by their folded names.
    private let indices: [[UInt8]: [Int]]
    /// The keys that ON CONFLICT may name. They are not deferrable, and not partial, and have no expressions.
    let uniqueKeys: [UniqueKey]
    /// What a comment says about the table; nil if it has none.
    let comment: String?
    /// Whether the table has partitions.
    let isPartitioned: Bool
    /// Whether something may change or leave out a row: a BEFORE trigger for each row, or a policy of row-level security.
    let mayLeaveOutRows: Bool
    /// Whether policies of row-level security hold for this user. COPY is not possible into such a table.
    let hasPolicies: Bool
    /// Whether a row may be refused because of other rows. Besides the primary key, there are unique indexes, exclusion
    /// constraints, foreign keys or triggers. Then records must be stored exactly in their order.
    let dependsOnOrder: Bool

    /// Whether a row may be refused for its own values, although they fit their columns: by a CHECK constraint, a generated
    /// column, an index with expressions or a condition, or a foreign server.
    let checksRows: Bool

    /// The columns of the primary key, in the key's order.
    var primaryKey: [String] { uniqueKeys.first { $0.isPrimary }?.columns ?? [] }

    /// The column for a name, which the server may have cut: the one with exactly this spelling, or else the only one that differs only in
    /// case. SQL turns names without quotes into lower case.
    func column(named name: String) -> Column? {
        let name = PostgresTable.clipped(name)
        // Only ASCII letters, as everywhere in the loader and in the server: É and é are two columns.
        guard let similar = indices[ColumnName.folded(name)] else { return nil }
        let exact = similar.first { columns[$0].name.utf8.elementsEqual(name.utf8) }
        return (exact ?? (similar.count == 1 ? similar[0] : nil)).map { columns[$0] }
    }

    // MARK: Names

    /// The most columns of a table: https://www.postgresql.org/docs/current/limits.html
    static let mostColumns = 1600

    /// A name as the server cuts it: to 63 bytes, between two characters.
    static func clipped(_ name: String) -> String {
        guard name.utf8.count > ColumnName.longestInPostgreSQL else { return name }
        var end = name.utf8.index(name.startIndex, offsetBy: ColumnName.longestInPostgreSQL)
        while end.samePosition(in: name.unicodeScalars) == nil { end = name.utf8.index(before: end) }
        return String(name[..<end])
    }

    /// What a comment says about a table whose name was cut.
    static func comment(on name: String) -> String? { clipped(name) == name ? nil : "Sluice: " + name }

    /// Checks that the table with the cut form of a name has it for this name.
    ///
    /// - Throws: ``PostgresError/impossible(_:)``. A comment that is not ours says nothing.
    func checkComment(for name: String, _ connection: PostgresConnection) throws(PostgresError) {
        // A database of another encoding has the comment escaped.
        guard let ours = PostgresTable.comment(on: name), let comment, comment.hasPrefix("Sluice: "),
            try comment.bytes != connection.storable(text: ours).bytes
        else { return }
        throw .impossible("the tables \(comment.dropFirst(8)) and \(name) \(PostgresTable.haveOneName)")
    }

    static let haveOneName = "would have one name: PostgreSQL cuts names after \(ColumnName.longestInPostgreSQL) bytes"

    /// Checks that tables get different names from the server.
    ///
    /// - Parameter name: The name of one of them.
    /// - Throws: ``PostgresError/impossible(_:)``.
    static func checkNames(_ name: String, _ others: [String]) throws(PostgresError) {
        let bytes = clipped(name).bytes
        guard let other = others.first(where: { $0.bytes != name.bytes && clipped($0).bytes == bytes }) else { return }
        throw .impossible("the tables \(other) and \(name) \(haveOneName)")
    }

    /// The names that a table's columns get from the server.
    ///
    /// - Throws: ``PostgresError/impossible(_:)`` if two columns would have one name, or if there are too many.
    static func columnNames(for names: [String]) throws(PostgresError) -> [String] {
        if names.count > mostColumns {
            throw .impossible("the records need \(names.count) columns, and a table of PostgreSQL has \(mostColumns) at most")
        }
        var origins: [[UInt8]: String] = [:]
        return try names.map { name throws(PostgresError) in
            let clipped = clipped(name)
            if let other = origins.updateValue(name, forKey: clipped.bytes) {
                throw .impossible("the columns \(other) and \(name) \(haveOneName)")
            }
            return clipped
        }
    }
}

extension String {
    /// A name as the server compares it: byte by byte. For `==` of Swift, é is one character, whether it is written as one scalar or
    /// as two.
    var bytes: [UInt8] { Array(utf8) }
}

extension [String] {
    /// Names as the server compares them, without their order.
    var byteSet: Set<[UInt8]> { Set(map(\.bytes)) }
}

// MARK: Reading

extension PostgresTable {
    /// Reads a table from the catalogue, or nil.
    ///
    /// - Parameters:
    ///   - schema: The table's schema; nil for the first one of `search_path` that has the table.
    /// - Throws: ``PostgresError``; ``PostgresError/impossible(_:)`` if the name is that of a view.
    init?(_ name: String, schema: String?, _ connection: PostgresConnection) throws(PostgresError) {
        let path = if let schema { try connection.path(of: name, in: schema) } else { try connection.identifier(name) }
        let found = try connection.query(
            """
            SELECT c.oid, n.nspname, c.relname, c.relkind, c.relrowsecurity OR EXISTS (
                    SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal AND t.tgtype & 3 = 3),
                EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal)
                OR EXISTS (SELECT FROM pg_constraint o WHERE o.conrelid = c.oid AND o.contype IN ('f', 'x', 't'))
                OR EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique AND NOT i.indisprimary)
                OR EXISTS (SELECT FROM pg_constraint o WHERE o.confrelid = c.oid),
                row_security_active(c.oid),
                c.relkind = 'f' OR EXISTS (SELECT FROM pg_constraint o WHERE o.conrelid = c.oid AND o.contype = 'c')
                OR EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attgenerated <> '')
                OR EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND (i.indexprs IS NOT NULL OR i.indpred IS NOT NULL)),
                obj_description(c.oid, 'pg_class')
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = to_regclass($1)
            """, [path])
        guard found.count == 1, let identifier = found.integer(0, 0) else { return nil }
        let kind = found.text(0, 3) ?? ""
        guard ["r", "p", "f"].contains(kind) else {
            let words = ["v": "a view", "m": "a materialized view", "S": "a sequence", "i": "an index", "c": "a type"]
            throw .impossible("\(name) is \(words[kind] ?? "no table"), and records go into a table")
        }
        self.identifier = identifier
        self.schema = found.text(0, 1) ?? ""
        self.name = found.text(0, 2) ?? name
        isPartitioned = kind == "p"
        mayLeaveOutRows = found.isTrue(0, 4)
        dependsOnOrder = found.isTrue(0, 5)
        hasPolicies = found.isTrue(0, 6)
        checksRows = found.isTrue(0, 7)
        comment = found.text(0, 8)
        let columns = try PostgresTable.columns(of: identifier, connection)
        self.columns = columns
        indices = Dictionary(grouping: columns.indices) { ColumnName.folded(columns[$0].name) }
        uniqueKeys = try PostgresTable.uniqueKeys(of: identifier, connection)
    }

    private static func columns(of table: Int, _ connection: PostgresConnection) throws(PostgresError) -> [Column] {
        // A domain may be based on another domain. Values are written in the innermost type, with the modifier of the outermost
        // domain that has one.
        let rows = try connection.query(
            """
            WITH RECURSIVE base (number, type, modifier) AS (
                SELECT attnum, atttypid, atttypmod FROM pg_attribute WHERE attrelid = $1 AND attnum > 0 AND NOT attisdropped
                UNION ALL
                SELECT b.number, t.typbasetype, CASE WHEN b.modifier < 0 THEN t.typtypmod ELSE b.modifier END
                FROM base b JOIN pg_type t ON t.oid = b.type AND t.typtype = 'd')
            SELECT a.attname, CASE WHEN t.typcategory = 'A' AND t.typlen = -1
                    THEN '_' || (SELECT e.typname FROM pg_type e WHERE e.oid = t.typelem)
                    WHEN t.typnamespace = 'pg_catalog'::regnamespace THEN t.typname ELSE '' END, b.modifier,
                CASE WHEN t.typtype = 'e' THEN
                    (SELECT json_agg(e.enumlabel) FROM pg_enum e WHERE e.enumtypid = t.oid) END,
                format_type(a.atttypid, a.atttypmod), a.attgenerated = '' AND a.attidentity <> 'a',
                a.attnotnull, a.atthasdef OR a.attidentity <> '', (
                    SELECT quote_ident(n.nspname) || '.' || quote_ident(l.collname)
                    FROM pg_collation l JOIN pg_namespace n ON n.oid = l.collnamespace JOIN pg_type o ON o.oid = a.atttypid
                    WHERE l.oid = a.attcollation AND a.attcollation <> o.typcollation)
            FROM pg_attribute a JOIN base b ON b.number = a.attnum JOIN pg_type t ON t.oid = b.type AND t.typtype <> 'd'
            WHERE a.attrelid = $1 ORDER BY a.attnum
            """, ["\(table)"])
        return (0..<rows.count).map { row in
            let labels = rows.text(row, 3).map { texts(ofJSON: $0) }
            return Column(
                name: rows.text(row, 0) ?? "",
                type: PostgresType(name: rows.text(row, 1) ?? "", modifier: rows.integer(row, 2) ?? -1, labels: labels),
                definition: rows.text(row, 4) ?? "", collation: rows.text(row, 8), isWritable: rows.isTrue(row, 5),
                isNotNull: rows.isTrue(row, 6),
                hasDefault: rows.isTrue(row, 7))
        }
    }

    private static func uniqueKeys(of table: Int, _ connection: PostgresConnection) throws(PostgresError) -> [UniqueKey] {
        let rows = try connection.query(
            """
            SELECT i.indisprimary, (
                SELECT json_agg(a.attname ORDER BY k.turn) FROM unnest(i.indkey) WITH ORDINALITY k (number, turn)
                JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number WHERE k.turn <= i.indnkeyatts)
            FROM pg_index i WHERE i.indrelid = $1 AND i.indisunique AND i.indimmediate AND i.indisvalid
                AND i.indexprs IS NULL AND i.indpred IS NULL ORDER BY i.indisprimary DESC, i.indexrelid
            """, ["\(table)"])
        return (0..<rows.count).map { row in
            UniqueKey(columns: texts(ofJSON: rows.text(row, 1) ?? "[]"), isPrimary: rows.isTrue(row, 0))
        }
    }

    private static func texts(ofJSON json: String) -> [String] {
        (try? JSONValue(json: json))?.array?.compactMap(\.string) ?? []
    }
}
#endif
