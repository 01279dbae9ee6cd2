// The statements that merge rows into a table by their keys. The rows are in a temporary table. Each has its number, its values,
// a mask that says which columns its record has, and the `round` in which it is merged.
//
//     INSERT INTO events AS t (id, name) SELECT c0, c1 FROM staging WHERE number >= $1 AND number < $2 AND round = $3
//     ON CONFLICT (id) DO UPDATE SET name = excluded.name WHERE ROW(t.name)::record *<> ROW(excluded.name)::record
//
// In one statement, each key comes once. If keys are repeated in a batch, their rows are combined first
// (RowMerge+Repetitions.swift). If that would not have the same result as the rows one by one, they are merged in rounds, with
// each key at most once in a round. If rows with different keys depend on each other too, the batch is divided before each
// repeated key.
// `*<>` compares the bytes. So a change of case counts as a change, whatever the collation of the column is, and types without an
// equality operator, such as json, can be compared.
// https://www.postgresql.org/docs/current/functions-comparisons.html#COMPOSITE-TYPE-COMPARISON

#if PostgreSQL
/// What happens to a row whose key the table has.
enum MergeRule: Hashable, Sendable {
    /// Rows are only added. This is used where rows cannot be copied straight into the table: it has row-level security, which
    /// does not allow COPY, or changes are recorded.
    case add
    /// The columns that the record has are changed.
    case upsert
    /// The row stays as it is.
    case ignore
    /// All columns are changed. Columns that no record has get their defaults.
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
    /// Whether to find out which rows were left out because the table has their keys.
    var namesKept = false
    /// The indices of the key's columns among the fields, by which changed rows are found again; empty if changes are not
    /// recorded.
    var tracked: [Int] = []
    var tracksChanges: Bool { !tracked.isEmpty }

    // MARK: The temporary table

    /// The types and collations of the fields' columns, as SQL spells them.
    var definitions: [String] {
        let types = Dictionary(table.columns.map { ($0.name.bytes, $0.declaration) }, uniquingKeysWith: { first, _ in first })
        return fields.map { types[$0.name.bytes] ?? "text" }
    }

    /// Makes the temporary table, if it is missing.
    func makeStaging() throws(PostgresError) {
        let columns = definitions.enumerated().map { "c\($0.offset) \($0.element)" }
        // If an earlier batch of the same transaction has left rows, they are deleted.
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
    func add(_ rows: Range<Int>) throws(PostgresError) -> Tally {
        let bounds = [PostgresParameter(rows.lowerBound), PostgresParameter(rows.upperBound), PostgresParameter(1)]
        if tracksChanges { return try tracking(try insertion(), bounds) }
        return Tally(added: try connection.query(try insertion(), bounds).affectedCount)
    }

    /// - Parameter condition: A further condition for the rows that are inserted.
    private func insertion(_ condition: String = "") throws(PostgresError) -> String {
        // Sorted by key, two runs take the locks in the same order and do not deadlock. But if rows depend on other rows, they
        // must be stored in the order of the records.
        let order = table.dependsOnOrder || key.isEmpty ? "s.number" : key.map { "s.c\($0)" }.joined(separator: ", ")
        return """
            INSERT INTO \(try path()) AS t (\(try names().joined(separator: ", "))) \
            SELECT \(fields.indices.map { "s.c\($0)" }.joined(separator: ", ")) FROM \(staging) s \
            WHERE \(RowMerge.bounds)\(condition) ORDER BY \(order)
            """
    }

    /// The condition that leaves out rows that are already in the table with the same values. ON CONFLICT would lock each of
    /// them, and a lock writes to the table.
    ///
    /// It is a subquery for each row, so that the index of the key is used, whatever number of rows the planner expects. It is
    /// empty if storing such a row could have other effects, such as a refusal.
    private func differing(present: [Int]?) throws(PostgresError) -> String {
        let writable = table.columns.filter { $0.isWritable && !isKey($0) }
        let mayRefuse = table.checksRows || writable.contains(where: \.isRequired)
        guard !table.mayLeaveOutRows, !mayRefuse || (present ?? []).count == writable.count + key.count else { return "" }
        let names = try names()
        let others = fields.indices.filter { !key.contains($0) }
        var isSame: String
        if rule == .upsert, present == nil {
            isSame = others.map { "(get_bit(s.mask, \($0)) = 0 OR ROW(o.\(names[$0]))::record *= ROW(s.c\($0))::record)" }
                .joined(separator: " AND ")
        } else {
            var pairs = others.filter { rule == .replace || present?.contains($0) == true }.map { ("o.\(names[$0])", "s.c\($0)") }
            if rule == .replace {
                let missing = writable.filter { column in !fields.contains { $0.name.bytes == column.name.bytes } }
                if missing.contains(where: \.hasDefault) { return "" }
                pairs += try missing.map { column throws(PostgresError) in
                    ("o.\(try connection.identifier(column.name))", "NULL::\(column.definition)")
                }
            }
            let (old, new) = (pairs.map(\.0).joined(separator: ", "), pairs.map(\.1).joined(separator: ", "))
            isSame = pairs.isEmpty ? "" : "ROW(\(old))::record *= ROW(\(new))::record"
        }
        if isSame.isEmpty { isSame = "true" }
        let hasKey = key.map { "o.\(names[$0]) = s.c\($0)" }.joined(separator: " AND ")
        return " AND (SELECT \(isSame) FROM \(try path()) o WHERE \(hasKey)) IS NOT TRUE"
    }

    private func isKey(_ column: PostgresTable.Column) -> Bool { key.contains { fields[$0].name.bytes == column.name.bytes } }

    /// The result of one statement.
    struct Tally: Hashable {
        var added = 0
        var changed = 0
        /// Rows that the table already had and that stayed unchanged.
        var unchanged = 0
        /// Rows that a trigger has left out, as new rows and as changes.
        var ignoredRows: [Int] = []
        var ignoredChanges: [Int] = []
        /// Rows that the table already had; only if they are asked for.
        var keptRows: [Int] = []
        /// The rows that were written; only if changes are recorded.
        var written: [WrittenRow] = []
    }

    /// Merges the rows of one round into the table.
    ///
    /// - Parameter present: The fields that every row has, if all rows have the same fields; otherwise nil.
    func merge(_ rows: Range<Int>, round: Int, present: [Int]?) throws(PostgresError) -> Tally {
        let (statement, written) = try statement(present: present)
        let bounds = [PostgresParameter(rows.lowerBound), PostgresParameter(rows.upperBound), PostgresParameter(round)]
        if tracksChanges { return try trackingAll(statement, written: written, bounds, of: rows.count) }
        guard asksForRows else {
            // `xmax` is 0 for a new row. A row that existed before has the lock of this transaction there.
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

    /// Runs the statement, and finds out the result for each row. All parts of one statement see the table as it was before the
    /// statement.
    private func verdicts(_ statement: String, written: [Int]?, _ bounds: [PostgresParameter]) throws(PostgresError) -> Tally {
        let names = try names()
        let returned = key.map { "t.\(names[$0]) AS k\($0)" }.joined(separator: ", ")
        let isWritten = key.map { "w.k\($0) = s.c\($0)" }.joined(separator: " AND ")
        let wasThere = key.map { "o.\(names[$0]) = s.c\($0)" }.joined(separator: " AND ")
        let first = key.first ?? 0
        let isDifferent = try isDifferent(written)
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
        // A trigger may have given rows other keys. Then the rows are not found by their old keys.
        let hidden = (rows.integer(0, 3) ?? 0) - tally.added - tally.changed
        if hidden > 0 {
            tally.added += tally.ignoredRows.count
            tally.changed += tally.ignoredChanges.count
            (tally.ignoredRows, tally.ignoredChanges) = ([], [])
        }
        return tally
    }

    /// Whether a row of the table (`o`) has other values than its record (`s`). A column that the record lacks counts as equal.
    func isDifferent(_ written: [Int]?) throws(PostgresError) -> String {
        let names = try names()
        let differences = (written ?? []).map { place in
            let differs = "ROW(o.\(names[place]))::record *<> ROW(s.c\(place))::record"
            return rule == .upsert ? "get_bit(s.mask, \(place)) = 1 AND \(differs)" : differs
        }
        return differences.isEmpty ? "false" : differences.map { "(\($0))" }.joined(separator: " OR ")
    }

    func names() throws(PostgresError) -> [String] {
        try fields.map { field throws(PostgresError) in try connection.identifier(field.name) }
    }

    func path() throws(PostgresError) -> String {
        try connection.identifier(table.schema) + "." + connection.identifier(table.name)
    }

    /// The statement without RETURNING, and the fields that it changes in an existing row.
    private func statement(present: [Int]?) throws(PostgresError) -> (String, [Int]) {
        let names = try names()
        let condition = rule == .upsert || rule == .replace ? try differing(present: present) : ""
        let insertion = try insertion(condition) + " ON CONFLICT (\(key.map { names[$0] }.joined(separator: ", "))) DO "
        let others = fields.indices.filter { !key.contains($0) }
        switch rule {
        case .ignore, .add: return (insertion + "NOTHING", [])
        case .replace:
            let keyNames = key.map { fields[$0].name }.byteSet
            let changed = try table.columns.filter { $0.isWritable && !keyNames.contains($0.name.bytes) }.map {
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

    /// Whether the result for each row is asked for. Then what was written is joined with the rows.
    private var asksForRows: Bool {
        tracksChanges || rule != .add && (table.isPartitioned || table.mayLeaveOutRows || namesKept)
    }

    /// Prepares statements that need more than one look at the temporary table.
    ///
    /// - Parameter looksUpMasks: Whether masks are looked up by the key.
    func prepareJoins(looksUpMasks: Bool) throws(PostgresError) {
        if looksUpMasks { return try indexKeys() }
        // Without statistics, the planner expects one row within the bounds, and compares each row with each.
        if asksForRows { try connection.run("ANALYZE \(staging) (number, round)") }
    }

    /// Makes an index of the keys, because masks are looked up by the key.
    private func indexKeys() throws(PostgresError) {
        let columns = key.map { "c\($0)" }.joined(separator: ", ")
        try connection.run("CREATE INDEX IF NOT EXISTS sluice_keys ON \(staging) (\(columns), round); ANALYZE \(staging)")
    }

    /// Makes an index of rounds and numbers, so that small ranges and small rounds are found fast.
    func indexNumbers() throws(PostgresError) {
        try connection.run("CREATE INDEX IF NOT EXISTS sluice_numbers ON \(staging) (round, number); ANALYZE \(staging)")
    }
}
#endif
