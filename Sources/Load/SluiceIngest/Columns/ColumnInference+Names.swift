// Gives the inferred columns names that SQLite can tell apart.

package import SluiceCore

extension ColumnInference {
    /// The columns, in the order in which their keys first appeared; none if no record had a key.
    ///
    /// - Parameter isWanted: The columns to choose first, if there are too many and another column takes the rest; nil without such a
    ///   column.
    /// - Throws: ``IngestError/usage(_:)`` if there are too many even without flattening.
    package func columns(
        limit: Int = maximumColumns, depth: Int = maximumDepth, leavingRestBesides isWanted: ((Leaf) -> Bool)? = nil
    ) throws(IngestError) -> [JSONColumn] {
        if let leaves = leaves(limit: limit, depth: depth) { return named(leaves) }
        guard let isWanted, let all = leaves(limit: .max, depth: 1) else {
            throw .usage(
                "the records have \(keyCount.grouped) keys, and a table has no more than \(limit.grouped) columns; choose some with "
                    + "\(option: .column), or let a column take the values of the others with \(option: .overflow("rest"))")
        }
        let order = all.indices.filter { isWanted(all[$0]) } + all.indices.filter { !isWanted(all[$0]) }
        return named(order.prefix(limit).sorted().map { all[$0] })
    }

    /// Why there are no columns, if the records show it: they are rows under a row of names, or values without keys.
    package var rowsHint: IngestMessage {
        if areScalars { return ": all are plain values; with \(option: .valueColumn("value")) they make one column" }
        return looksLikeRows ? ": all are arrays, the first of texts; with \(option: .header) these are the names of columns" : ""
    }

    /// Gives every column a name of its own. Shorter paths choose first; a later column whose name is taken gets a number.
    ///
    /// - Parameter layout: Columns that have their names already.
    package func named(_ leaves: [Leaf], besides layout: TableLayout = TableLayout()) -> [JSONColumn] {
        var taken = layout
        var columns: [JSONColumn?] = Array(repeating: nil, count: leaves.count)
        let order = leaves.indices.sorted { (leaves[$0].path.count, $0) < (leaves[$1].path.count, $1) }
        for index in order {
            let leaf = leaves[index]
            let column = JSONColumn(
                name: taken.freeName(like: leaf.path.joined(separator: "_")), type: leaf.type, keys: [leaf.keyPath],
                isTolerant: true)
            taken.append(IngestColumn(column))
            columns[index] = column
        }
        return columns.compactMap(\.self)
    }
}
