// The statements that merge rows into a table by their keys. The rows lie in a temporary table, in which each has its number, its values, and
// a mask that says which columns its record has; `round` counts the rows of one key.
//
//     INSERT INTO events AS t (id, name) SELECT c0, c1 FROM staging WHERE number >= $1 AND number < $2 AND round = $3
//     ON CONFLICT (id) DO UPDATE SET name = excluded.name WHERE ROW(t.name)::record *<> ROW(excluded.name)::record
//
// In a statement, each key comes once. If some come again in a batch, their rows are combined first (RowMerge+Repetitions.swift). Where that
// is not the same as the rows one by one, they are merged in rounds, each of which has a key at most once; and where rows with different keys
// depend on each other too, the batch is divided where a key comes again.
// `*<>` compares the bytes: a name in other capitals is another name, whatever the column's collation says, and types without an equality,
// such as json, can be compared, too. https://www.postgresql.org/docs/current/functions-comparisons.html#COMPOSITE-TYPE-COMPARISON

#if PostgreSQL
/// What happens to a row whose key the table has.
enum MergeRule: Hashable, Sendable {
    /// Nothing: rows are only added. A table with row-level security takes no COPY.
    case add
    /// The columns that the record has are changed.
    case upsert
    /// The row stays as it is.
    case ignore
    /// All columns are changed; those that no record has get their defaults.
    case replace
}

/// Merges rows from a temporary table into a table.
struct RowMerge {
    let table: PostgresTable
    let fields: [CopyField]
    /// The places of the key's columns among the fields.
    let key: [Int]
    let rule: MergeRule
    /// The name of the temporary table.
    let staging: String
    let connection: PostgresConnection
    /// Whether to find out which rows were left out, because the table has their keys.
    var namesKept = false

    // MARK: The temporary table

    /// The types of the fields' columns, as SQL spells them.
    var definitions: [String] {
        let types = Dictionary(table.columns.map { ($0.name, $0.definition) }, uniquingKeysWith: { first, _ in first })
        return fields.map { types[$0.name] ?? "text" }
    }

    /// Makes the temporary table, if it is missing.
    func makeStaging() throws(PostgresError) {
        let columns = definitions.enumerated().map { "c\($0.offset) \($0.element)" }
        // A batch whose transaction goes on leaves its rows.
        try connection.run(
            """
            CREATE TEMPORARY TABLE IF NOT EXISTS \(staging) (number int, \(columns.joined(separator: ", ")), \
            mask bit(\(CopyRows.maskSize(of: fields.count))), round int DEFAULT 1) ON COMMIT DELETE ROWS; DELETE FROM \(staging)
            """)
    }

    /// The statement that fills it.
    func copyStatement(_ format: CopyFormat) -> String {
        let columns = fields.indices.map { "c\($0)" }
        return "COPY \(staging) (number, \(columns.joined(separator: ", ")), mask) FROM STDIN \(format.options)"
    }

    // MARK: Merging

    /// Adds rows to the table.
    ///
    /// - Returns: How many.
    func add(_ rows: Range<Int>) throws(PostgresError) -> Int {
        let bounds = [PostgresParameter(rows.lowerBound), PostgresParameter(rows.upperBound), PostgresParameter(1)]
        return try connection.query(try insertion(), bounds).affectedCount
    }

    private func insertion() throws(PostgresError) -> String {
        // In the order of the keys, no two runs wait for each other; but what depends on other rows has to come in the order of the records.
        let order = table.dependsOnOrder || key.isEmpty ? "s.number" : key.map { "s.c\($0)" }.joined(separator: ", ")
        return """
            INSERT INTO \(try path()) AS t (\(try names().joined(separator: ", "))) \
            SELECT \(fields.indices.map { "s.c\($0)" }.joined(separator: ", ")) FROM \(staging) s \
            WHERE \(RowMerge.bounds) ORDER BY \(order)
            """
    }

    /// What came of the rows of one statement.
    struct Tally: Hashable {
        var added = 0
        var changed = 0
        /// Rows that the table had already, and that stayed as they were.
        var unchanged = 0
        /// Rows that a trigger has left out: as new ones, and as changes.
        var ignoredRows: [Int] = []
        var ignoredChanges: [Int] = []
        /// Rows that the table had already; only if they are asked for.
        var keptRows: [Int] = []
    }

    /// Merges the rows of one round into the table.
    ///
    /// - Parameter present: The fields that all rows have and no others; nil if the masks differ.
    func merge(_ rows: Range<Int>, round: Int, present: [Int]?) throws(PostgresError) -> Tally {
        let (statement, written) = try statement(present: present)
        let bounds = [PostgresParameter(rows.lowerBound), PostgresParameter(rows.upperBound), PostgresParameter(round)]
        guard table.isPartitioned || table.mayLeaveOutRows || namesKept else {
            // A row that was there carries the lock of this transaction, and a new one none.
            let counts = try connection.query(
                """
                WITH written AS (\(statement) RETURNING t.xmax = 0 AS is_new)
                SELECT count(*) FILTER (WHERE is_new), count(*) FILTER (WHERE NOT is_new),
                    (SELECT count(*) FROM \(staging) s WHERE \(RowMerge.bounds)) FROM written
                """, bounds)
            let (added, changed, all) = (counts.integer(0, 0) ?? 0, counts.integer(0, 1) ?? 0, counts.integer(0, 2) ?? 0)
            return Tally(added: added, changed: changed, unchanged: all - added - changed)
        }
        return try verdicts(statement, written: written, bounds)
    }

    static let bounds = "s.number >= $1::int AND s.number < $2::int AND s.round = $3::int"

    /// Runs the statement, and asks for each row what became of it. All parts of a statement see the table as it was before.
    private func verdicts(_ statement: String, written: [Int]?, _ bounds: [PostgresParameter]) throws(PostgresError) -> Tally {
        let names = try names()
        let returned = key.map { "t.\(names[$0]) AS k\($0)" }.joined(separator: ", ")
        let isWritten = key.map { "w.k\($0) = s.c\($0)" }.joined(separator: " AND ")
        let wasThere = key.map { "o.\(names[$0]) = s.c\($0)" }.joined(separator: " AND ")
        let first = key.first ?? 0
        // A column that the record does not have does not differ.
        let differences = (written ?? []).map { place in
            let differs = "ROW(o.\(names[place]))::record *<> ROW(s.c\(place))::record"
            return rule == .upsert ? "get_bit(s.mask, \(place)) = 1 AND \(differs)" : differs
        }
        let isDifferent = differences.isEmpty ? "false" : differences.map { "(\($0))" }.joined(separator: " OR ")
        let rows = try connection.query(
            """
            WITH written AS (\(statement) RETURNING \(returned)), verdicts AS (
                SELECT s.number, CASE
                    WHEN w.k\(first) IS NOT NULL AND o.\(names[first]) IS NULL THEN 'added'
                    WHEN w.k\(first) IS NOT NULL THEN 'changed'
                    WHEN o.\(names[first]) IS NULL THEN 'no row'
                    WHEN \(isDifferent) THEN 'no change' ELSE 'unchanged' END AS verdict
                FROM \(staging) s LEFT JOIN written w ON \(isWritten) LEFT JOIN \(try path()) o ON \(wasThere)
                WHERE \(RowMerge.bounds))
            SELECT verdict, count(*), json_agg(number ORDER BY number) FILTER (WHERE verdict LIKE 'no %'\(namesKept ? " OR verdict = 'unchanged'" : "")),
                (SELECT count(*) FROM written) FROM verdicts GROUP BY verdict
            """, bounds)
        var tally = Tally()
        var total = 0
        for row in 0..<rows.count {
            let count = rows.integer(row, 1) ?? 0
            total += count
            let numbers = (rows.text(row, 2) ?? "").split { !$0.isNumber }.compactMap { Int($0) }
            switch rows.text(row, 0) {
            case "added": tally.added = count
            case "changed": tally.changed = count
            case "no row": tally.ignoredRows = numbers
            case "no change": tally.ignoredChanges = numbers
            default: (tally.unchanged, tally.keptRows) = (count, numbers)
            }
        }
        // A trigger may have given rows other keys, so that they are not found by the ones they had.
        let hidden = (rows.integer(0, 3) ?? 0) - tally.added - tally.changed
        if hidden > 0 {
            tally.added += tally.ignoredRows.count
            tally.changed += tally.ignoredChanges.count
            (tally.ignoredRows, tally.ignoredChanges) = ([], [])
        }
        return tally
    }

    func names() throws(PostgresError) -> [String] {
        try fields.map { field throws(PostgresError) in try connection.identifier(field.name) }
    }

    func path() throws(PostgresError) -> String {
        try connection.identifier(table.schema) + "." + connection.identifier(table.name)
    }

    /// The statement without its RETURNING, and the fields that it changes in a row that is there.
    private func statement(present: [Int]?) throws(PostgresError) -> (String, [Int]) {
        let names = try names()
        let insertion = try insertion() + " ON CONFLICT (\(key.map { names[$0] }.joined(separator: ", "))) DO "
        let others = fields.indices.filter { !key.contains($0) }
        switch rule {
        case .ignore, .add: return (insertion + "NOTHING", [])
        case .replace:
            let keyNames = Set(key.map { fields[$0].name })
            let changed = try table.columns.filter { $0.isWritable && !keyNames.contains($0.name) }.map {
                column throws(PostgresError) in
                try connection.identifier(column.name)
            }
            return (insertion + RowMerge.update(changed.map { ($0, "excluded.\($0)") }), others)
        case .upsert:
            if let present {
                let changed = others.filter { present.contains($0) }
                return (insertion + RowMerge.update(changed.map { (names[$0], "excluded.\(names[$0])") }), changed)
            }
            guard !others.isEmpty else { return (insertion + "NOTHING", []) }
            // `excluded` has no mask, so it is looked up by the key.
            let values = others.map { "CASE WHEN get_bit(s.mask, \($0)) = 1 THEN excluded.\(names[$0]) ELSE t.\(names[$0]) END" }
            let source =
                "FROM \(staging) s WHERE \(key.map { "s.c\($0) = excluded.\(names[$0])" }.joined(separator: " AND ")) AND \(RowMerge.bounds)"
            let list = others.map { names[$0] }.joined(separator: ", ")
            let old = others.map { "t.\(names[$0])" }.joined(separator: ", ")
            return (
                insertion + """
                    UPDATE SET (\(list)) = (SELECT \(values.joined(separator: ", ")) \(source)) \
                    WHERE ROW(\(old))::record *<> (SELECT ROW(\(values.joined(separator: ", ")))::record \(source))
                    """, others
            )
        }
    }

    private static func update(_ changes: [(name: String, value: String)]) -> String {
        if changes.isEmpty { return "NOTHING" }
        let old = changes.map { "t.\($0.name)" }.joined(separator: ", ")
        return "UPDATE SET \(changes.map { "\($0.name) = \($0.value)" }.joined(separator: ", ")) "
            + "WHERE ROW(\(old))::record *<> ROW(\(changes.map(\.value).joined(separator: ", ")))::record"
    }

    /// Lets the lookups of masks find their rows fast, which go by the key.
    func indexKeys() throws(PostgresError) {
        let columns = key.map { "c\($0)" }.joined(separator: ", ")
        try connection.run("CREATE INDEX IF NOT EXISTS sluice_keys ON \(staging) (\(columns), round); ANALYZE \(staging)")
    }

    /// Lets small ranges and rounds of few rows be found fast.
    func indexNumbers() throws(PostgresError) {
        try connection.run("CREATE INDEX IF NOT EXISTS sluice_numbers ON \(staging) (round, number); ANALYZE \(staging)")
    }
}
#endif
