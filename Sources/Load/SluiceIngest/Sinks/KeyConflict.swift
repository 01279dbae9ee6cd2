// What an ingest does with a row that already exists.

/// What happens to a record whose key is already in a row of the table.
public enum KeyConflict: Hashable, Sendable {
    /// The record is rejected.
    case reject
    /// The record's values are written into the row; columns that the record has no key for keep their values.
    case upsert
    /// The row stays as it is, and the record is left out.
    case ignore
    /// The record replaces the row.
    case replace
}
