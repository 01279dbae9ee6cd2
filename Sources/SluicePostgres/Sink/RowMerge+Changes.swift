// Reads the rows before and after a merge, to record changes. Before that, the table is locked against other writers. So the rows
// that a statement sees at its beginning are those that it changes.

#if PostgreSQL
internal import SluiceCore

extension RowMerge {
    /// A row that was added or changed.
    struct WrittenRow: Hashable {
        /// Its number; nil if a trigger has given it another key.
        let row: Int?
        /// Its text as JSON before; nil if it was added.
        let before: String?
        let after: String
    }

    /// Keeps others from changing rows until the transaction ends.
    func lockForChanges() throws(PostgresError) {
        guard tracksChanges, rule == .upsert || rule == .replace else { return }
        try connection.run("LOCK TABLE \(try path()) IN SHARE ROW EXCLUSIVE MODE")
    }

    /// Runs a statement that adds or changes rows, and reads each row before and after. All parts of one statement see the table
    /// as it was before the statement.
    ///
    /// A name alone would be a column if the table has one of that name, so a whole row is `t.*`.
    func tracking(_ statement: String, _ bounds: [PostgresParameter]) throws(PostgresError) -> Tally {
        let names = try names()
        let returned = tracked.map { "t.\(names[$0]) AS k\($0)" }.joined(separator: ", ")
        let isWritten = tracked.map { "w.k\($0) = s.c\($0)" }.joined(separator: " AND ")
        let wasThere = tracked.map { "o.\(names[$0]) = w.k\($0)" }.joined(separator: " AND ")
        // The table may be small when the statement is planned, so that no index is used to look up a row. So a new row is not looked up.
        let (isNew, mark) =
            switch rule {
            case .add, .ignore: ("true", "")
            case .upsert, .replace: table.isPartitioned ? ("false", "") : ("w.is_new", ", t.xmax = 0 AS is_new")
            }
        let rows = try connection.query(
            """
            WITH written AS (\(statement) RETURNING \(returned)\(mark), \(try image(of: "t")) AS image)
            SELECT s.number, CASE WHEN NOT \(isNew) THEN (SELECT \(try image(of: "o")) FROM \(try path()) o WHERE \(wasThere)) END, w.image
            FROM written w LEFT JOIN \(staging) s ON \(isWritten) AND \(RowMerge.bounds) ORDER BY s.number
            """, bounds)
        var tally = Tally()
        for row in 0..<rows.count {
            let before = rows.text(row, 1)
            if before == nil { tally.added += 1 } else { tally.changed += 1 }
            tally.written.append(WrittenRow(row: rows.integer(row, 0), before: before, after: rows.text(row, 2) ?? "{}"))
        }
        return tally
    }

    /// An expression for a row as JSON. `json` takes half the server's time that `jsonb` takes, but keeps the text of values of `json`.
    private func image(of row: String) throws(PostgresError) -> String {
        let isPlain = table.columns.allSatisfy { column in
            switch column.type {
            case .json, .array, .other: false
            default: true
            }
        }
        return isPlain && connection.isInUTC ? "row_to_json(\(row).*)" : try connection.json("\(row).*")
    }

    /// The same for a merge, in which some rows may stay as they are.
    ///
    /// - Parameter count: The most rows that there are.
    func trackingAll(
        _ statement: String, written: [Int], _ bounds: [PostgresParameter], of count: Int
    ) throws(PostgresError) -> Tally {
        var tally = try tracking(statement, bounds)
        if tally.added + tally.changed == count { return tally }
        let all = try connection.query("SELECT count(*) FROM \(staging) s WHERE \(RowMerge.bounds)", bounds).integer(0, 0) ?? 0
        tally.unchanged = all - tally.added - tally.changed
        // A trigger may have given rows other keys. Then the rows are not found by their old keys.
        let isHidden = tally.written.contains { $0.row == nil }
        guard tally.unchanged > 0, namesKept || table.mayLeaveOutRows, !isHidden else { return tally }
        let names = try names()
        let wasThere = tracked.map { "o.\(names[$0]) = s.c\($0)" }.joined(separator: " AND ")
        let numbers = PostgresParameter(tally.written.compactMap { $0.row.map { "\($0)" } })
        let rows = try connection.query(
            """
            SELECT s.number, CASE WHEN o.\(names[tracked[0]]) IS NULL THEN 'no row' WHEN \(try isDifferent(written)) THEN 'no change' END
            FROM \(staging) s LEFT JOIN \(try path()) o ON \(wasThere)
            WHERE \(RowMerge.bounds) AND NOT EXISTS (SELECT FROM unnest($4::int[]) AS w (number) WHERE w.number = s.number)
            ORDER BY s.number
            """, bounds + [numbers])
        for row in 0..<rows.count {
            let number = rows.integer(row, 0) ?? 0
            switch rows.text(row, 1) {
            case "no row": tally.ignoredRows.append(number)
            case "no change": tally.ignoredChanges.append(number)
            default: tally.keptRows.append(number)
            }
        }
        tally.unchanged = tally.keptRows.count
        if !namesKept { tally.keptRows = [] }
        return tally
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
