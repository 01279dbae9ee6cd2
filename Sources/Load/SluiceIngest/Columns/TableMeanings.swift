// Finds the meanings of the values in the columns of tables, also in child tables: dates, times, addresses, choices.

package import SluiceCore

/// The meanings of columns, by the names of table and column.
package struct TableMeanings {
    private var meanings: [String: [String: ValueForms.Meaning]] = [:]
    private let sensitive: SensitivePaths

    /// - Parameters:
    ///   - layout: The columns of the records' table, and its child tables.
    ///   - name: The name of that table.
    ///   - inference: What was seen of the records.
    ///   - sensitive: The paths of values whose meanings are not shown.
    package init(_ layout: TableLayout, name: String, _ inference: ColumnInference, hiding sensitive: SensitivePaths) {
        self.sensitive = sensitive
        add(layout, name, inference, at: RecordShapes.root)
    }

    package subscript(table: String, column: String) -> ValueForms.Meaning? { meanings[table]?[column] }

    private mutating func add(_ layout: TableLayout, _ name: String, _ inference: ColumnInference, at shape: Int) {
        for column in layout.columns {
            guard let path = column.path, sensitive.path(above: layout.home + path) == nil,
                let (shape, key) = find(path, layout, inference, shape)
            else { continue }
            meanings[name, default: [:]][column.name] = inference.shapes.meaning(of: shape, under: key)
        }
        for child in layout.children {
            guard let (shape, _) = find(child.path, layout, inference, shape) else { continue }
            switch child.kind {
            case .array:
                if let elements = inference.shapes.elements(of: shape) { add(child.layout, child.name, inference, at: elements) }
            case .map: add(child.layout, child.name, inference.inference(ofMembersOf: shape), at: RecordShapes.root)
            }
        }
    }

    /// The shape of the values at a path, and the key that they have.
    private func find(
        _ path: [String], _ layout: TableLayout, _ inference: ColumnInference, _ shape: Int
    ) -> (shape: Int, key: String)? {
        if let found = inference.shape(at: path, of: shape) { return (found, path.last ?? "") }
        // An element that is not an object is a value itself, under the key of its array.
        return path == [ChildTable.valueKey] && !layout.home.isEmpty ? (shape, layout.home.last ?? "") : nil
    }
}
