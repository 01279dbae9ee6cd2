// Keeps rejected records in their table, and takes back those that are stored after all.

#if PostgreSQL
internal import SluiceCore
internal import SluiceIngest

extension PostgresTransaction {
    private static let rejectColumns: [(name: String, type: SluiceCore.Column.ColumnType)] = [
        ("file", .text), ("line", .integer), ("line_byte_position", .integer), ("byte_position", .integer),
        ("column_name", .text),
        ("error_type", .text), ("json_line", .text), ("error_message", .text),
    ]

    func reject(_ records: [RejectedRecord], into table: String) throws {
        try PostgresTable.checkNames(table, tableNames)
        let path = try connection.identifier(session.schema) + "." + connection.identifier(table)
        if try PostgresTable(table, schema: session.schema, connection) == nil {
            try connection.lockUntilCommit("\(session.schema).\(table)")
            try connection.run(
                """
                CREATE TABLE IF NOT EXISTS \(path) (
                    file text, line bigint, line_byte_position bigint, byte_position bigint, column_name text, error_type text,
                    json_line text, error_message text)
                """)
        }
        guard !records.isEmpty, let found = try PostgresTable(table, schema: session.schema, connection) else { return }
        let columns = PostgresTransaction.rejectColumns.map { RowStore.Column(name: $0.name, type: $0.type) }
        try add(records.count, to: found, columns) { row in
            let record = records[row]
            /// A missing text is null.
            func text(_ text: String) throws -> OwnValue { .text(text.isEmpty ? nil : try connection.storable(text: text)) }
            return try [
                .text(connection.storable(name: record.file)), .integer(record.record.line), .integer(record.record.offset),
                .integer(record.place.offset),
                text(record.column), .text(record.kind), text(record.text), text(record.reason),
            ]
        }
    }

    func removeRejections(_ records: CutOffRecords, from table: String) throws -> Int {
        guard try PostgresTable(table, schema: session.schema, connection) != nil, !records.records.isEmpty else { return 0 }
        let path = try connection.identifier(session.schema) + "." + connection.identifier(table)
        let columns = RejectedRecord.columns.map { "t." + $0 }.joined(separator: ", ")
        let rows = try connection.query(
            """
            SELECT t.ctid, \(columns) FROM \(path) t
            WHERE t.file = $1 AND (t.line_byte_position, t.error_type) IN (
                SELECT o.position, o.kind FROM unnest($2::bigint[], $3::text[]) AS o (position, kind))
            ORDER BY t.ctid
            """,
            [
                .text(try connection.storable(name: records.file)), PostgresParameter(records.records.map { "\($0.offset)" }),
                PostgresParameter(records.records.map(\.kind)),
            ])
        var search = CutOffSearch(records)
        var places: [String] = []
        for row in 0..<rows.count {
            let found = RejectedRecord(
                file: connection.original(name: rows.text(row, 1) ?? ""),
                record: SourcePosition(offset: rows.integer(row, 3) ?? 0, line: rows.integer(row, 2) ?? 1, column: 1),
                place: SourcePosition(offset: rows.integer(row, 4) ?? 0, line: 1, column: 1), column: rows.text(row, 5) ?? "",
                kind: rows.text(row, 6) ?? "", text: rows.text(row, 7) ?? "", reason: rows.text(row, 8) ?? "")
            if search.take(found) { places.append(rows.text(row, 0) ?? "") }
        }
        guard !places.isEmpty else { return 0 }
        return try connection.query(
            "WITH gone AS (DELETE FROM \(path) WHERE ctid = ANY($1::text[]::tid[]) RETURNING 1) SELECT count(*) FROM gone",
            [PostgresParameter(places)]
        ).integer(0, 0) ?? 0
    }

    func settle(_ rejections: [Replay.Rejection], in table: String) throws -> Int {
        guard try PostgresTable(table, schema: session.schema, connection) != nil else { return 0 }
        let path = try connection.identifier(session.schema) + "." + connection.identifier(table)
        var (places, texts): ([String], [String]) = ([], [])
        for rejection in rejections {
            // Only rejections with a text are read again.
            guard case .row(let place, let text?) = rejection.place else { continue }
            places.append(place)
            texts.append(text)
        }
        guard places.count == rejections.count else { return 0 }
        // Another row may take the place of a removed one, so the rest is compared, too.
        let removed = try connection.query(
            """
            WITH gone AS (
                DELETE FROM \(path) t
                USING unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[]) AS o (place, line, file, position, kind)
                WHERE t.ctid = o.place::tid AND t.json_line = o.line AND coalesce(t.file, '') = o.file
                    AND coalesce(t.line_byte_position, 0) = o.position AND coalesce(t.error_type, '') = o.kind
                RETURNING 1)
            SELECT count(*) FROM gone
            """,
            [
                PostgresParameter(places), PostgresParameter(texts),
                PostgresParameter(try rejections.map { try connection.storable(name: $0.file) }),
                PostgresParameter(rejections.map { "\($0.offset)" }), PostgresParameter(rejections.map(\.kind)),
            ])
        return removed.integer(0, 0) ?? 0
    }

    func pendingRejects(to file: String) throws -> [PendingRejects] { try session.checkpoints.pendingRejects(to: file) }

    func setPendingRejects(_ pending: PendingRejects?, of owner: String, to file: String) throws {
        try session.checkpoints.setPendingRejects(pending, of: owner, to: file)
    }
}
#endif
