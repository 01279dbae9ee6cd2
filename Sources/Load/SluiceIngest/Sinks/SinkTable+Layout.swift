// Describes the tables of a layout for a sink.

internal import SluiceCore

extension TableLayout {
    /// The descriptions for new tables: the table of the records, and after it the tables of their arrays.
    package func tables(name: String, key: [String]) -> [SinkTable] {
        let key = columns.first?.source == .recordNumber ? [columns[0].name] : key
        let table = SinkTable(name: name, columns: columns, key: key, existing: .refuse, conflict: .reject)
        return [table] + childTables(of: name)
    }

    private func childTables(of parent: String) -> [SinkTable] {
        children.flatMap { child in
            let names = child.layout.columns.prefix(child.parentKey.count).map(\.name)
            let link = SinkParent(table: parent, key: child.parentKey.map { columns[$0].name }, columns: names)
            let table = SinkTable(
                name: child.name, columns: child.layout.columns, key: child.key, existing: .refuse, conflict: .reject,
                parent: link)
            return [table] + child.layout.childTables(of: child.name)
        }
    }
}
