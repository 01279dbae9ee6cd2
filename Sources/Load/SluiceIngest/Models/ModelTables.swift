// The tables for the arrays of a model.

package import SluiceCore

extension TableLayout {
    /// Adds the tables for the arrays of a model that declares them, and those of their elements.
    ///
    /// - Parameters:
    ///   - model: The model whose columns the layout has.
    ///   - table: The name of its table.
    ///   - key: The indices of its key.
    package mutating func addTables(of model: ModelColumns, to table: String, key: [Int], names: TableNames) {
        for array in model.tables {
            var child = ChildTable(
                path: array.column.keys[0].components, kind: .array, parent: table, self, key: key, names: names,
                named: array.name)
            for column in array.elements.columns {
                // The columns of the key come first, so one of the same name has a number.
                child.layout.append(IngestColumn(column.with { $0.name = child.layout.freeName(like: column.name) }))
            }
            child.layout.addTables(of: array.elements, to: child.name, key: Array(0..<child.keyCount), names: names)
            append(child)
        }
    }
}
