// Which paths of the records a table has columns for, before a run looks at its first records.

internal import SluiceCore

/// The columns that a table has before a run.
package struct KnownColumns: Sendable {
    private var columns: [[[UInt8]]: IngestColumn] = [:]
    private var arrays: Set<[[UInt8]]> = []
    /// The paths of the objects whose keys have columns.
    private var objects: Set<[[UInt8]]> = []
    /// Whether a column that has only had null gets the type of its first values.
    private var retypes = false

    package init() {}

    /// - Parameters:
    ///   - layout: What earlier runs have stored there.
    ///   - retypes: Whether a column that has only had null takes values of all types.
    package init(_ layout: TableLayout, retypes: Bool) {
        self.retypes = retypes
        for column in layout.columns {
            guard let path = column.path.map(ColumnName.bytes), columns[path] == nil else { continue }
            columns[path] = column
            for count in path.indices.dropFirst() { objects.insert(Array(path[..<count])) }
        }
        arrays = Set(layout.children.map { ColumnName.bytes($0.path) })
    }

    /// Whether an earlier run has stored the values at a path in a column: others than null.
    func contains(_ path: [String]) -> Bool {
        guard !hasTable(at: path), let column = columns[ColumnName.bytes(path)] else { return false }
        return column.read != nil && !column.isUndecided
    }

    /// Whether the elements of an array are rows of a child table.
    func hasTable(at path: [String]) -> Bool { arrays.contains(ColumnName.bytes(path)) }

    /// Whether earlier runs have stored the values of keys of the objects at a path.
    func hasColumns(inside path: [String]) -> Bool { !objects.isEmpty && objects.contains(ColumnName.bytes(path)) }

    /// The type with which to read values at a path: that of the table's column. A column of dates was declared, and one that the user has
    /// made has the type of its values.
    func type(at path: [String], of values: ColumnType) -> ColumnType {
        guard !columns.isEmpty, let column = columns[ColumnName.bytes(path)], !column.isForeign, !column.type.isOfDates else {
            return values
        }
        guard column.isUndecided else { return column.type }
        // A column of texts holds the text of a scalar, or any JSON.
        return retypes || values == .json ? values : .text
    }
}
