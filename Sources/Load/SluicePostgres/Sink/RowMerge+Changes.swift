// Finds out what a merge has done to each row, and reads the rows before and after it to record changes. For changes, the table is locked
// against other writers before. So the rows that a statement sees at its beginning are those that it changes.

#if PostgreSQL
internal import SluiceCore
internal import SluiceIngest

extension RowMerge {
    /// A row that was added or changed.
    struct WrittenRow: Hashable {
        /// Its number; nil if a trigger has given it another key.
        let row: Int?
        /// Its text as JSON before; nil if it was added.
        let before: String?
        let after: String
    }

    /// Runs a statement that adds or changes rows, and finds out which. All parts of one statement see the table as it was before the
    /// statement.
    ///
    /// - Parameter count: The most rows that there are.
    func mergeAndAsk(
        _ statement: String, _ present: [Int]?, _ bounds: [String?], of count: Int
    ) throws(PostgresError) -> Tally {
        let returned = key.map { "t.\(names[$0]) AS k\($0)" }.joined(separator: ", ")
        let isWritten = key.map { "w.k\($0) = s.c\($0)" }.joined(separator: " AND ")
        let wasThere = key.map { "o.\(names[$0]) = w.k\($0)" }.joined(separator: " AND ")
        // The table may be small when the statement is planned, so that no index is used to look up a row. So a new row is not looked up.
        let found = try connection.query(
            """
            WITH written AS (\(statement) RETURNING \(returned), \(isNew) AS is_new, \(try image(of: "t")) AS image)
            SELECT s.number, CASE WHEN NOT w.is_new THEN (SELECT \(try image(of: "o")) FROM \(path) o WHERE \(wasThere)) END, w.image
            FROM written w LEFT JOIN \(staging) s ON \(isWritten) AND \(RowMerge.bounds) ORDER BY s.number
            """, bounds)
        var tally = Tally()
        tally.written = (0..<found.count).map { row in
            WrittenRow(row: found.integer(row, 0), before: found.text(row, 1), after: found.text(row, 2) ?? "{}")
        }
        tally.changed = tally.written.count { $0.before != nil }
        tally.added = tally.written.count - tally.changed
        if tally.written.count < count { try askForOthers(present, bounds, &tally) }
        if !tracksChanges { tally.written = [] }
        return tally
    }

    /// An expression for a row as JSON. `json` takes half the server's time that `jsonb` takes, but keeps the text of values of `json`.
    ///
    /// A name alone would be a column if the table has one of that name, so a whole row is `t.*`.
    private func image(of row: String) throws(PostgresError) -> String {
        guard tracksChanges else { return "'{}'" }
        let isPlain = table.columns.allSatisfy { column in
            switch column.type {
            case .json, .array, .other: false
            default: true
            }
        }
        return isPlain && connection.isInUTC ? "row_to_json(\(row).*)" : try connection.json("\(row).*")
    }

    /// Finds out what has become of the rows that were not written.
    private func askForOthers(_ present: [Int]?, _ bounds: [String?], _ tally: inout Tally) throws(PostgresError) {
        let all = try connection.query("SELECT count(*) FROM \(staging) s WHERE \(RowMerge.bounds)", bounds).integer(0, 0) ?? 0
        tally.unchanged = all - tally.written.count
        // A trigger may have given rows other keys. Then the rows are not found by their old keys.
        let isHidden = tally.written.contains { $0.row == nil }
        guard rule != .reject, tally.unchanged > 0, namesKept || mayLeaveOutRows && !isHidden else { return }
        // A trigger may have filled a column that no record has.
        let changes = fieldChanges(present, of: "o", to: "s").filter { !$0.isOfPlace }
        let isDifferent = changes.isEmpty ? "false" : RowMerge.comparison(changes, "*<>")
        let numbers = tally.written.compactMap { $0.row.map { "\($0)" } }.asParameter
        let rows = try connection.query(
            """
            SELECT s.number, CASE WHEN o.\(names[key.first ?? 0]) IS NULL THEN 'no row' WHEN \(isDifferent) THEN 'no change' END
            FROM \(staging) s LEFT JOIN \(path) o ON \(isSameKey("o", "s"))
            WHERE \(RowMerge.bounds) AND NOT EXISTS (SELECT FROM unnest($4::int[]) AS w (number) WHERE w.number = s.number)
            ORDER BY s.number
            """, bounds + [numbers])
        for row in 0..<rows.count {
            let number = rows.integer(row, 0) ?? 0
            switch rows.text(row, 1) {
            case nil: tally.keptRows.append(number)
            case _ where isHidden: break
            case "no row": tally.ignoredRows.append(number)
            default: tally.ignoredChanges.append(number)
            }
        }
        if !isHidden { tally.unchanged = tally.keptRows.count }
        if !namesKept { tally.keptRows = [] }
    }
}

extension PostgresConnection {
    /// An expression for a value as `jsonb`, with moments in UTC whatever the session's time zone is.
    func json(_ value: String) throws(PostgresError) -> String {
        if isInUTC { return "to_jsonb(\(value))" }
        if try query("SELECT to_regproc('pg_temp.sluice_json') IS NULL").isTrue(0, 0) {
            // The setting holds inside the function alone: defaults and triggers of the table see the user's time zone.
            try run(
                """
                CREATE FUNCTION pg_temp.sluice_json(anyelement) RETURNS jsonb LANGUAGE sql STABLE SET TimeZone = 'UTC'
                AS 'SELECT to_jsonb($1)'
                """)
        }
        return "pg_temp.sluice_json(\(value))"
    }
}

extension JSONObject {
    /// - Returns: nil if the text is not a JSON object.
    init?(text: String) {
        guard let object = (try? JSONValue(json: text))?.object else { return nil }
        self = object
    }
}
#endif
