// Which paths of the records a table has columns for, before a run looks at its first records.

internal import SluiceCore

/// The columns that a table has before a run.
package struct KnownColumns {
    private var types: [[String]: ColumnType] = [:]
    private var arrays: Set<[String]> = []

    package init() {}

    /// - Parameter layouts: What earlier runs have stored there.
    init(_ layouts: [TableLayout]) {
        for layout in layouts {
            for column in layout.columns { if let path = column.column?.keys[0].components { types[path] = column.type } }
            arrays.formUnion(layout.children.map(\.path))
        }
    }

    /// Whether an earlier run has stored the values at a path in a column.
    func contains(_ path: [String]) -> Bool { !arrays.contains(path) && types[path] != nil }

    /// Whether the elements of an array are rows of a child table.
    func hasTable(at path: [String]) -> Bool { arrays.contains(path) }

    /// A column with the type that an earlier run has given it.
    func typed(_ column: Column) -> Column {
        guard let type = types[column.keys[0].components] else { return column }
        return Column(name: column.name, type: type, keys: column.keys, isTolerant: column.isTolerant)
    }
}
