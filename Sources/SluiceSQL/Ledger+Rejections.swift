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
                    .integer(record.place.offset),
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
                    place: SourcePosition(offset: row.integer(4), line: 1, column: 1), column: row.text(5), kind: row.text(6),
                    text: row.text(7), reason: row.text(8)))
        }
        return try connection.delete(found.map { $0.text(0) }, with: found.map { _ in [] }, of: [], from: table)
    }

    package func settle(_ rejections: [Replay.Rejection], in table: String) throws -> Int {
        guard try !columns(of: table).isEmpty else { return 0 }
        var identities: [String] = []
        // Another row may have taken the place of a removed one, so the rest is compared, too.
        let rows: [[SQLParameter]] = rejections.compactMap { rejection in
            guard case .row(let identity, let text) = rejection.place else { return nil }
            identities.append(identity)
            return [.text(text ?? ""), .name(rejection.file), .integer(rejection.offset), .text(rejection.kind)]
        }
        let columns = ["json_line", "file", "line_byte_position", "error_type"]
        return try connection.delete(
            identities, with: rows, of: columns.compactMap { name in Ledger.rejectColumns.first { $0.name == name } }, from: table
        )
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
