// Whether this version understands a table of checkpoints that is there.

internal import SluiceIngest

/// The layout of the table of checkpoints.
package enum LedgerLayout {
    /// The number of the layout. A later version that changes the meaning of the columns counts it up.
    package static let number = 2
    /// The columns of the first layout, and those that the second one added.
    private static let firstColumns = [
        "table_name", "input", "byte_offset", "records", "rejected", "is_complete", "sequence", "checkpoint", "state",
    ]
    private static let addedColumns = ["run", "is_held", "layout"]

    /// What is wrong with an existing table of this name; nil if there is no such table, or if this version understands it.
    ///
    /// - Parameters:
    ///   - columns: The names of the table's columns; empty if there is no such table.
    ///   - newest: Reads the highest number in the table's column `layout`.
    static func fault(of columns: Set<String>, _ dialect: any LedgerDialect, newest: () throws -> Int?) throws -> String? {
        let (table, destination) = (OwnTables.checkpoints, dialect.destination)
        if columns.isEmpty || dialect.oldestLayout == 1 && columns == Set(firstColumns) { return nil }
        guard columns.isSuperset(of: dialect.oldestLayout == 1 ? firstColumns : firstColumns + addedColumns),
            columns.contains("layout")
        else { return "\(destination) has a table \(table) that is no table of checkpoints" }
        let found = try newest() ?? number
        let unknown = columns.subtracting(firstColumns).subtracting(addedColumns).min()
        guard found > number || unknown != nil else { return nil }
        let what = found > number ? "layout \(found)" : "the column \(unknown ?? "")"
        return "the table \(table) of \(destination) has \(what), which comes from a later version of sluice; "
            + "this version knows layout \(number) and older ones: use the later version, or another \(dialect.kind)"
    }
}
