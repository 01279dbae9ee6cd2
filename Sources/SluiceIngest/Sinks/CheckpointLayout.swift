// The table of checkpoints that a database has beside the rows: its name, its columns, and whether this version understands one that is
// there.

/// The layout of the table of checkpoints.
package enum CheckpointLayout {
    package static let table = "_sluice_checkpoints"
    /// The table of what tables remember, and its columns.
    package static let memoryTable = "_sluice_memory"
    package static let memoryColumns = ["table_name", "memory"]
    /// Both.
    package static let tables = [table, memoryTable]
    /// The number of the layout. A later version that changes the meaning of the columns counts it up.
    package static let number = 2
    /// The columns of the first layout, and those that the second one added.
    package static let firstColumns = [
        "table_name", "input", "byte_offset", "records", "rejected", "is_complete", "sequence", "checkpoint", "state",
    ]
    package static let addedColumns = ["run", "is_held", "layout"]

    /// What is wrong with an existing table of this name; nil if there is no such table, or if this version understands it.
    ///
    /// - Parameters:
    ///   - columns: The names of the table's columns; empty if there is no such table.
    ///   - oldest: The oldest layout that the sink has ever had.
    ///   - place: Where the table is, for the message: `feed.db`, or `the schema public`.
    ///   - kind: What kind of place that is: `database`.
    ///   - newest: Reads the highest number in the table's column `layout`.
    package static func fault<Failure: Error>(
        of columns: Set<String>, oldest: Int = 1, in place: String, _ kind: String, newest: () throws(Failure) -> Int?
    ) throws(Failure) -> String? {
        if columns.isEmpty || oldest == 1 && columns == Set(firstColumns) { return nil }
        guard columns.isSuperset(of: oldest == 1 ? firstColumns : firstColumns + addedColumns), columns.contains("layout") else {
            return "\(place) has a table \(table) that is no table of checkpoints"
        }
        let found = try newest() ?? number
        let unknown = columns.subtracting(firstColumns).subtracting(addedColumns).min()
        guard found > number || unknown != nil else { return nil }
        let what = found > number ? "layout \(found)" : "the column \(unknown ?? "")"
        return "the table \(table) of \(place) has \(what), which comes from a later version of sluice; "
            + "this version knows layout \(number) and older ones: use the later version, or another \(kind)"
    }
}
