// The statements that merge rows into a table by their keys. The rows are in a temporary table. Each has its number, its values,
// a mask that says which columns its record has, and the `round` in which it is merged.
//
//     INSERT INTO events AS t (id, name) SELECT c0, c1 FROM staging WHERE number >= $1 AND number < $2 AND round = $3
//     ON CONFLICT (id) DO UPDATE SET (name) = ROW(excluded.name) WHERE ROW(t.name)::record *<> ROW(excluded.name)::record
//
// In one statement, each key comes once. If keys are repeated in a batch, their rows are combined first
// (RowMerge+Repetitions.swift). If that would not have the same result as the rows one by one, they are merged in rounds, with
// each key at most once in a round. If rows with different keys depend on each other too, the batch is divided before each
// repeated key.
// `*<>` compares the bytes. So a change of case counts as a change, whatever the collation of the column is, and types without an
// equality operator, such as json, can be compared.
// https://www.postgresql.org/docs/current/functions-comparisons.html#COMPOSITE-TYPE-COMPARISON

#if PostgreSQL
internal import SluiceIngest

/// Merges rows from a temporary table into a table.
struct RowMerge {
    let table: PostgresTable
    let fields: [CopyField]
    /// The indices of the key's columns among the fields.
    let key: [Int]
    /// What happens to a row whose key the table has. Where rows are only added, they are merged if they cannot be copied straight into
    /// the table: it has row-level security, which does not allow COPY, or changes are recorded.
    let rule: KeyConflict
    /// Whether changes are recorded.
    let tracksChanges: Bool
    /// The name of the temporary table.
    let staging: String
    let connection: PostgresConnection
    /// Whether to find out which rows were left out because the table has their keys.
    var namesKept: Bool
    /// The name of the table, and those of the fields' columns, as SQL has them.
    let path: String
    let names: [String]

    init(
        _ table: PostgresTable, _ fields: [CopyField], key: [Int], _ rule: KeyConflict, tracksChanges: Bool, staging: String,
        _ connection: PostgresConnection, namesKept: Bool
    ) throws(PostgresError) {
        (self.table, self.fields, self.key, self.rule) = (table, fields, key, rule)
        (self.staging, self.connection, self.namesKept) = ("pg_temp.\(staging)", connection, namesKept)
        // A row is found again by its key.
        self.tracksChanges = tracksChanges && !key.isEmpty
        path = try connection.path(of: table.name, in: table.schema)
        names = try connection.identifiers(fields.map(\.name))
    }

    // MARK: The temporary table

    /// Makes the temporary table, if it is missing. If changes are recorded, others cannot change rows of the table until the
    /// transaction ends.
    func makeStaging() throws(PostgresError) {
        let columns = fields.enumerated().map { "c\($0) \($1.declaration), " }.joined()
        let locks = tracksChanges && (rule == .upsert || rule == .replace)
        let lock = locks ? "LOCK TABLE \(path) IN SHARE ROW EXCLUSIVE MODE; " : ""
        // If an earlier batch of the same transaction has left rows, they are deleted.
        try connection.run(
            """
            \(lock)CREATE TEMPORARY TABLE IF NOT EXISTS \(staging) (number int, \(columns)\
            mask bit(\(CopyRows.maskSize(of: fields.count))), round int DEFAULT 1) ON COMMIT DELETE ROWS; DELETE FROM \(staging)
            """)
    }

    /// The statement that fills it.
    func copyStatement(_ format: CopyFormat) -> String {
        let columns = fields.indices.map { "c\($0)" }
        return "COPY \(staging) (number, \(columns.joined(separator: ", ")), mask) FROM STDIN \(format.options)"
    }

    /// The columns of the key in the temporary table.
    var keyColumns: String { key.map { "c\($0)" }.joined(separator: ", ") }

    /// The condition that a row of the table has the key of a record.
    func isSameKey(_ row: String, _ record: String) -> String {
        key.map { "\(row).\(names[$0]) = \(record).c\($0)" }.joined(separator: " AND ")
    }

    static let bounds = "s.number >= $1::int AND s.number < $2::int AND s.round = $3::int"

    // MARK: Merging

    /// The result of one statement.
    struct Tally {
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
        let statement = try statement(present)
        let bounds = ["\(rows.lowerBound)", "\(rows.upperBound)", "\(round)"]
        if asksForRows { return try mergeAndAsk(statement, present, bounds, of: rows.count) }
        // A role that may add rows need not be one that may read them.
        if rule == .reject { return Tally(added: try connection.query(statement, bounds).affectedCount) }
        let counts = try connection.query(
            """
            WITH written AS (\(statement) RETURNING \(isNew) AS is_new)
            SELECT count(*) FILTER (WHERE is_new), count(*) FILTER (WHERE NOT is_new),
                (SELECT count(*) FROM \(staging) s WHERE \(RowMerge.bounds)) FROM written
            """, bounds)
        let (added, changed, all) = (counts.integer(0, 0) ?? 0, counts.integer(0, 1) ?? 0, counts.integer(0, 2) ?? 0)
        return Tally(added: added, changed: changed, unchanged: all - added - changed)
    }

    /// Whether a row `t` that the statement has written is a new one; false if a look has to show it.
    var isNew: String {
        if rule == .reject || rule == .ignore { return "true" }
        // A row that existed before has the lock of this transaction in `xmax`, which a partitioned table does not show.
        return table.isPartitioned ? "false" : "t.xmax = 0"
    }

    /// Whether to find out what has become of each row. A partition may have triggers of its own.
    private var asksForRows: Bool { tracksChanges || rule != .reject && (mayLeaveOutRows || namesKept) }

    var mayLeaveOutRows: Bool { table.isPartitioned || table.mayLeaveOutRows }

    /// The statement without RETURNING.
    private func statement(_ present: [Int]?) throws(PostgresError) -> String {
        // Sorted by key, two runs take the locks in the same order and do not deadlock. But if rows depend on other rows, they
        // must be stored in the order of the records.
        let order = table.dependsOnOrder || rule == .reject ? "s.number" : key.map { "s.c\($0)" }.joined(separator: ", ")
        let insertion = """
            INSERT INTO \(path) AS t (\(names.joined(separator: ", "))) \
            SELECT \(fields.indices.map { "s.c\($0)" }.joined(separator: ", ")) FROM \(staging) s \
            WHERE \(RowMerge.bounds)\(try differing(present)) ORDER BY \(order)
            """
        if rule == .reject { return insertion }
        let conflict = insertion + " ON CONFLICT (\(key.map { names[$0] }.joined(separator: ", "))) DO "
        let changes = try changes(present, of: "t", to: "excluded")
        let compared = changes.filter { !$0.isOfPlace }
        guard !compared.isEmpty else { return conflict + "NOTHING" }
        func list(_ changes: [Change]) -> String { changes.map(\.new).joined(separator: ", ") }
        // `excluded` has no mask, so it is looked up by the key.
        let isExcluded = key.map { "s.c\($0) = excluded.\(names[$0])" }.joined(separator: " AND ")
        let source = rule == .upsert && present == nil ? " FROM \(staging) s WHERE \(isExcluded) AND \(RowMerge.bounds)" : ""
        return conflict + """
            UPDATE SET (\(changes.map(\.name).joined(separator: ", "))) = \
            \(source.isEmpty ? "ROW(\(list(changes)))" : "(SELECT \(list(changes))\(source))") \
            WHERE ROW(\(compared.map(\.old).joined(separator: ", ")))::record *<> \
            \(source.isEmpty ? "ROW(\(list(compared)))::record" : "(SELECT ROW(\(list(compared)))::record\(source))")
            """
    }

    /// A column that a merge may change in a row of the table: its name and its value in the row, and the value that it gets.
    struct Change {
        let name, old, new: String
        /// Whether it is of the place of the record: a row in which only that differs is the same.
        var isOfPlace = false
    }

    /// What a record may change in the row with its key.
    ///
    /// - Parameters:
    ///   - row: The row's name in the statement.
    ///   - record: The record's name. The name `excluded` stands for the record as triggers have left it, with its mask in `s`.
    func changes(_ present: [Int]?, of row: String, to record: String) throws(PostgresError) -> [Change] {
        let changes = fieldChanges(present, of: row, to: record)
        guard rule == .replace else { return changes }
        // A column that no record has becomes null, or gets its default.
        let isExcluded = record == "excluded"
        let missing = table.columns.filter { $0.isWritable && !isField($0) && (isExcluded || !$0.hasDefault) }
        return try changes
            + missing.map { column throws(PostgresError) in
                let name = try connection.identifier(column.name)
                return Change(
                    name: name, old: "\(row).\(name)", new: isExcluded ? "excluded.\(name)" : "NULL::\(column.definition)")
            }
    }

    /// The same for the columns of the records alone.
    func fieldChanges(_ present: [Int]?, of row: String, to record: String) -> [Change] {
        guard rule == .upsert || rule == .replace else { return [] }
        let isExcluded = record == "excluded"
        let others = fields.indices.filter { !key.contains($0) && (rule == .replace || present?.contains($0) ?? true) }
        return others.map { index in
            let (old, new) = ("\(row).\(names[index])", isExcluded ? "excluded.\(names[index])" : "\(record).c\(index)")
            let isOfPlace = fields[index].isOfPlace
            guard rule == .upsert, present == nil else {
                return Change(name: names[index], old: old, new: new, isOfPlace: isOfPlace)
            }
            // What the record does not have stays as it is.
            let mask = "get_bit(\(isExcluded ? "s" : record).mask, \(index)) = 1"
            return Change(
                name: names[index], old: old, new: "CASE WHEN \(mask) THEN \(new) ELSE \(old) END", isOfPlace: isOfPlace)
        }
    }

    func isField(_ column: PostgresTable.Column) -> Bool { fields.contains { $0.name.bytes == column.name.bytes } }

    /// Whether the values of a row and those that it would get are equal, or differ.
    static func comparison(_ changes: [Change], _ comparison: String) -> String {
        let (old, new) = (changes.map(\.old).joined(separator: ", "), changes.map(\.new).joined(separator: ", "))
        return "ROW(\(old))::record \(comparison) ROW(\(new))::record"
    }

    /// The condition that leaves out rows that are already in the table with the same values. ON CONFLICT would lock each of
    /// them, and a lock writes to the table.
    ///
    /// It is a subquery for each row, so that the index of the key is used, whatever number of rows the planner expects. It is
    /// empty if storing such a row could have other effects, such as a refusal.
    private func differing(_ present: [Int]?) throws(PostgresError) -> String {
        guard rule == .upsert || rule == .replace, !table.mayLeaveOutRows else { return "" }
        let writable = table.columns.filter(\.isWritable)
        if rule == .replace, writable.contains(where: { $0.hasDefault && !isField($0) }) { return "" }
        // A record that lacks columns could be refused.
        let keyNames = key.map { fields[$0].name }.byteSet
        let mayRefuse = table.checksRows || writable.contains { $0.isRequired && !keyNames.contains($0.name.bytes) }
        if mayRefuse, (present ?? []).count < writable.count { return "" }
        let changes = try changes(present, of: "o", to: "s").filter { !$0.isOfPlace }
        let isSame = changes.isEmpty ? "true" : RowMerge.comparison(changes, "*=")
        return " AND (SELECT \(isSame) FROM \(path) o WHERE \(isSameKey("o", "s"))) IS NOT TRUE"
    }

    // MARK: Indexes

    /// Prepares statements that need more than one look at the temporary table.
    ///
    /// - Parameter looksUpMasks: Whether masks are looked up by the key.
    func prepareJoins(looksUpMasks: Bool) throws(PostgresError) {
        if looksUpMasks {
            try connection.run("CREATE INDEX IF NOT EXISTS sluice_keys ON \(staging) (\(keyColumns), round); ANALYZE \(staging)")
        } else if asksForRows {
            // Without statistics, the planner expects one row within the bounds, and compares each row with each.
            try connection.run("ANALYZE \(staging) (number, round)")
        }
    }

    /// Makes an index of rounds and numbers, so that small ranges and small rounds are found fast.
    func indexNumbers() throws(PostgresError) {
        try connection.run("CREATE INDEX IF NOT EXISTS sluice_numbers ON \(staging) (round, number); ANALYZE \(staging)")
    }
}
#endif
