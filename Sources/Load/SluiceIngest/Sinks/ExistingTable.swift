// What an ingest does with a table that already exists.

/// What happens if the table already exists.
public enum ExistingTable: Hashable, Sendable {
    /// The ingest is refused, unless it resumes an earlier run or merges records by their keys.
    case refuse
    /// Rows are added to the table, and missing columns too.
    case append
    /// The table's rows are deleted, in the transaction of the first new batch; its indexes and triggers stay.
    case truncate
    /// The table is dropped, in the transaction of the first new batch.
    case drop

    /// Whether the table's rows are deleted.
    package var emptiesTable: Bool { self == .drop || self == .truncate }

    /// Whether rows may be added to a table that exists.
    package func allowsRows(merged conflict: KeyConflict) -> Bool { self != .refuse || conflict != .reject }
}
