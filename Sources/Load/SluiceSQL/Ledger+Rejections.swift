// Tables of rejected records. A user may have made one, with other types and more columns.

internal import SluiceCore
package import SluiceIngest

extension Ledger {
    private static let rejectColumns = RejectedRecord.columns.map { name in
        SQLColumn(name, ["line", "line_byte_position", "byte_position"].contains(name) ? .integer : .text)
    }

    package func reject(_ records: [RejectedRecord], into table: String) throws {
        try connection.checkName(of: table)
        try make(table, Ledger.rejectColumns)
        guard !records.isEmpty else { return }
        func text(_ text: String) -> SQLParameter { text.isEmpty ? .null : .text(text) }
        try connection.insert(
            records.map { record in
                [
                    .name(record.file), .integer(record.record.line), .integer(record.record.offset),
                    .integer(record.position.offset),
                    text(record.column), .text(record.kind), text(record.text), text(record.reason),
                ]
            }, into: table, Ledger.rejectColumns)
    }

    package func removeRejections(_ cutOff: CutOffRecords, from table: String) throws -> Int {
        let offsets = cutOff.records.map(\.offset)
        guard let first = offsets.min(), let last = offsets.max(), try !columns(of: table).isEmpty else { return 0 }
        let rows = try connection.run(
            """
            SELECT \(dialect.rowIdentity), \(RejectedRecord.columns.joined(separator: ", ")) FROM \(connection.path(of: table))
            WHERE file = $1 AND line_byte_position >= $2 AND line_byte_position <= $3 ORDER BY \(dialect.rowIdentity)
            """, [.name(cutOff.file), .integer(first), .integer(last)])
        var search = CutOffSearch(cutOff)
        let found = rows.values.filter { row in
            search.take(
                RejectedRecord(
                    file: connection.original(name: row.text(1)),
                    record: SourcePosition(offset: row.integer(3), line: row[2].flatMap { Int($0) } ?? 1, column: 1),
                    position: SourcePosition(offset: row.integer(4), line: 1, column: 1), column: row.text(5), kind: row.text(6),
                    text: row.text(7), reason: row.text(8)))
        }
        return try delete(found.map { ($0.text(0), []) }, from: table)
    }

    package func settle(_ rejections: [Replay.Rejection], in table: String) throws -> Int {
        guard try !columns(of: table).isEmpty else { return 0 }
        return try delete(
            rejections.compactMap { rejection in
                guard case .row(let identity, let text) = rejection.source else { return nil }
                let offset = "\(rejection.offset)"
                return (identity, [.text(text ?? ""), .name(rejection.file), .text(offset), .text(rejection.kind)])
            }, from: table)
    }

    /// Deletes rows.
    ///
    /// - Parameter rows: The identity of each row, and what it must still have: another row may have got that of a removed one.
    /// - Returns: How many rows were deleted.
    private func delete(_ rows: [(identity: String, values: [SQLParameter])], from table: String) throws -> Int {
        // The columns may have any type. A missing value counts as an empty text or 0.
        let columns = [("json_line", "''"), ("file", "''"), ("line_byte_position", "'0'"), ("error_type", "''")]
        return try stride(from: 0, to: rows.count, by: 100).reduce(0) { deleted, start in
            var parameters: [SQLParameter] = []
            let conditions = rows[start..<min(start + 100, rows.count)].map { row in
                parameters.append(.text(row.identity))
                let isSame = zip(columns, row.values).map { column, value in
                    parameters.append(value)
                    return " AND coalesce(CAST(\(column.0) AS TEXT), \(column.1)) = $\(parameters.count)"
                }
                return "\(dialect.rowIdentity) = $\(parameters.count - isSame.count)\(isSame.joined())"
            }
            let sql = try "DELETE FROM \(connection.path(of: table)) WHERE \(conditions.joined(separator: " OR "))"
            return try deleted + connection.run(sql, parameters).affected
        }
    }

    /// The rejections in a table.
    package func rejections(in table: String) throws -> [Replay.Rejection] {
        let rows = try connection.run(
            """
            SELECT file, line, line_byte_position, error_type, json_line, \(dialect.rowIdentity) FROM \(connection.path(of: table))
            ORDER BY \(dialect.rejectionOrder)
            """, [])
        return rows.values.map { row in
            Replay.Rejection(
                file: connection.original(name: row.text(0)), line: row[1].flatMap { Int($0) } ?? 1, offset: row.integer(2),
                kind: row.text(3), text: row[4], at: .row(row.text(5), text: row[4]))
        }
    }
}
