// Removes the rows of child tables whose elements are gone.

#if PostgreSQL
internal import SluiceCore
internal import SluiceIngest

extension PostgresTransaction {
    /// For each row of `ends`, the positions before its own that have no row.
    static func gaps(in batch: RowBatch, _ ends: RowBatch, _ wanted: SinkTable, refused: Set<Int>) -> [[Int64]] {
        let column = wanted.parent?.columns.count ?? 0
        var gaps: [[Int64]] = []
        var next = 0
        ends.forEachRow { row, end in
            let start = next
            var count: Int64 = 0
            next = batch.forEachRow(from: next, ofParentsTo: ends.parent(of: row)) { index, _ in
                if !refused.contains(index) { count += 1 }
            }
            let elements = end.integer(at: column) ?? 0
            gaps.append(
                count < elements ? batch.gaps(in: start..<next, column: column, count: elements, refused: refused) : [])
        }
        return gaps
    }

    /// Removes the rows of each parent from a position on, and those of the tables below. Returns how many, by the tables' names.
    ///
    /// - Parameter gaps: For each parent, further positions whose rows are removed.
    func remove(after ends: RowBatch, _ gaps: [[Int64]], _ wanted: SinkTable) throws -> [String: Int] {
        let count = wanted.parent?.columns.count ?? 0
        // The columns of the key, the position, and the number of the record.
        var columns: [[String]] = Array(repeating: [], count: count + 2)
        ends.forEachRow { row, cells in
            var values = Array(repeating: "", count: count + 1) + ["\(ends.parent(of: row))"]
            for cell in cells.cellIndices where cells.column(cell) <= count {
                switch cells.value(cell) {
                case .null: break
                case .integer(let value): values[cells.column(cell)] = "\(value)"
                case .real(let value): values[cells.column(cell)] = "\(value)"
                case .text(let bytes): unsafe values[cells.column(cell)] = String(decoding: bytes, as: UTF8.self)
                }
            }
            for (index, value) in values.enumerated() { columns[index].append(value) }
        }
        guard !columns[0].isEmpty, let table = try PostgresTable(wanted.name, schema: session.schema, connection)
        else { return [:] }
        let types = wanted.key.prefix(count + 1).map { table.column(named: $0)?.declaration ?? "text" }
        let keys = (0..<count).map { "e.k\($0)::\(types[$0])" }
        let list = (0...count).map { "k\($0)" }.joined(separator: ", ")
        let arrays = (1...(count + 3)).map { "$\($0)::text[]" }.joined(separator: ", ")
        let positions = (0..<count).map { "\(keys[$0]) AS p\($0)" }.joined(separator: ", ")
        // Of several records with the same key, the last one counts.
        let source = """
            SELECT DISTINCT ON (\(keys.joined(separator: ", "))) \(positions), e.k\(count)::bigint AS position, e.number::bigint, e.gaps
            FROM unnest(\(arrays)) AS e (\(list), number, gaps) ORDER BY \(keys.joined(separator: ", ")), e.number::bigint DESC
            """
        let parameters =
            (columns + [gaps.map { "{\($0.map { "\($0)" }.joined(separator: ","))}" }]).map(\.asParameter)
        var removed: [String: Int] = [:]
        func removeRows(at source: String, _ comparison: String) throws {
            for other in tables(below: wanted.name) + [wanted] {
                let names = try firstColumns(of: other, count + 1)
                let isSame = (0..<count).map { "t.\(names[$0]) = l.p\($0)" } + ["t.\(names[count]) \(comparison) l.position"]
                let returned = try other.changes == nil ? "" : " RETURNING l.number, \(keyObject(of: other))"
                let rows = try connection.query(
                    """
                    DELETE FROM \(path(of: other)) t USING (\(source)) l
                    WHERE \(isSame.joined(separator: " AND "))\(returned)
                    """, parameters)
                removed[other.name, default: 0] += rows.affectedCount
                guard let changes = other.changes, let replaced = wanted.changes else { continue }
                for row in 0..<rows.count {
                    guard let key = rows.text(row, 1).flatMap({ JSONObject(text: $0) }) else { continue }
                    changes.remove(key, after: rows.integer(row, 0) ?? 0, in: replaced)
                }
            }
        }
        try removeRows(at: source, ">=")
        if gaps.contains(where: { !$0.isEmpty }) {
            let keys = (0..<count).map { "e.p\($0), " }.joined()
            try removeRows(at: "SELECT \(keys)e.number, unnest(e.gaps::bigint[]) AS position FROM (\(source)) e", "=")
        }
        return removed
    }

    /// The child tables below a table, the deepest first.
    func tables(below parent: String) -> [SinkTable] {
        session.children.values.below(parent)
    }

    /// The names of a child table's first columns, as SQL has them.
    func firstColumns(of table: SinkTable, _ count: Int) throws(PostgresError) -> [String] {
        try connection.identifiers(table.columns.prefix(count).map { PostgresTable.clipped($0.name) })
    }

    /// The key of a row `t` as a JSON object.
    func keyObject(of table: SinkTable) throws(PostgresError) -> String {
        try keyObject(table.key.map(PostgresTable.clipped))
    }

    func keyObject(_ names: [String]) throws(PostgresError) -> String {
        let members = try names.map { name throws(PostgresError) in
            "\(try connection.literal(name)), \(try connection.json("t.\(connection.identifier(name))"))"
        }
        return "jsonb_build_object(\(members.joined(separator: ", ")))"
    }
}
#endif
