// The paths of the values that a table has columns for, to find what a misspelt path means.

extension TableLayout {
    /// Whether a column or a child table reads the value at a path, values inside it, or a value around it.
    package func reads(_ path: [String]) -> Bool {
        readPaths.contains { ColumnName.path($0, startsWith: path) || ColumnName.path(path, startsWith: $0) }
    }

    /// The paths of the values that columns and child tables read, and of the objects around these values.
    package var valuePaths: [[String]] {
        var known: Set<[String]> = []
        return readPaths.flatMap { path in path.indices.map { Array(path[...$0]) } }.filter { known.insert($0).inserted }
    }

    private var readPaths: [[String]] { columns.compactMap(\.path) + children.map(\.path) }
}
