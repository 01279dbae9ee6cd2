// What an ingest does with a table that already exists, and with rows that do.

#if CommandLine
/// What happens if the table already exists.
enum ExistingTable: Hashable, Sendable {
    /// The ingest is refused, unless it resumes an earlier run or merges records by their keys.
    case refuse
    /// Rows are added to the table, and missing columns too.
    case append
    /// The table's rows are deleted, in the transaction of the first new batch; its indexes and triggers stay.
    case truncate
    /// The table is dropped, in the transaction of the first new batch.
    case drop
}

/// What happens to a record whose key is already in a row of the table.
enum KeyConflict: Hashable, Sendable {
    /// The record is rejected.
    case reject
    /// The record's values are written into the row; columns that the record has no key for keep their values.
    case upsert
    /// The row stays as it is, and the record is left out.
    case ignore
    /// The record replaces the row.
    case replace
}
#endif
