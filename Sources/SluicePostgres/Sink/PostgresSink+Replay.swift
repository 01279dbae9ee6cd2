// Reads a table of rejected records, to store the records that somebody has repaired.

#if PostgreSQL
package import SluiceIngest

extension PostgresSink: RejectionSource {
    package func rejections(in table: String) throws -> [Replay.Rejection] {
        let identity = RunIdentity.new()
        defer { identity.end() }
        let session = try PostgresSinkConnection(self, SinkRun(identity: identity))
        let found = try session.persistent { try session.rejections(in: table) }
        try session.close(isComplete: true)
        return found
    }
}

extension PostgresSinkConnection {
    fileprivate func rejections(in table: String) throws -> [Replay.Rejection] {
        guard try PostgresTable(table, schema: schema, connection) != nil else {
            throw PostgresError.impossible("there is no table \(table) in the schema \(schema)")
        }
        let path = try connection.identifier(schema) + "." + connection.identifier(table)
        // An update moves a row, so the order of the rows in the table is not that of the feed.
        let rows = try connection.query(
            """
            SELECT file, line, line_byte_position, error_type, json_line, ctid FROM \(path)
            ORDER BY file, line_byte_position, ctid
            """)
        return (0..<rows.count).map { row in
            Replay.Rejection(
                file: connection.original(name: rows.text(row, 0) ?? ""), line: rows.integer(row, 1) ?? 1,
                offset: rows.integer(row, 2) ?? 0,
                kind: rows.text(row, 3) ?? "", text: rows.text(row, 4),
                at: .row(rows.text(row, 5) ?? "", text: rows.text(row, 4)))
        }
    }
}
#endif
