// What an ingest does to a table, and to rows, that are there already.

#if CommandLine
/// What happens when the table is there already.
enum ExistingTable: Hashable, Sendable {
    /// Nothing is done to it.
    case refuse
    /// Rows are added to it, and the columns that it does not have.
    case append
    /// Its rows are deleted, together with the first batch that takes their place; its indexes and triggers stay.
    case truncate
    /// It is dropped, together with the first batch that takes its place.
    case drop
}

/// What happens to a record whose key a row of the table has.
enum KeyConflict: Hashable, Sendable {
    /// It is rejected.
    case reject
    /// Its values are put into that row; what the record does not have stays as it is.
    case upsert
    /// The row stays as it is.
    case ignore
    /// It takes the place of the row.
    case replace
}
#endif
