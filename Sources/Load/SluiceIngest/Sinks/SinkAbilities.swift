// What a sink can do besides storing rows: an ingest that asks for more is refused before it reads anything.

/// What a sink can do besides storing rows.
///
/// ```swift
/// struct LineFile: RecordSink {
///     var abilities: SinkAbilities { [.lateColumns] }
/// }
/// ```
public struct SinkAbilities: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// It takes columns that come after the first rows. For other sinks, whole files are looked at to find all columns.
    public static let lateColumns = SinkAbilities(rawValue: 1)
    /// Its rows have keys: all cases of ``KeyConflict`` work.
    public static let keys = SinkAbilities(rawValue: 2)
    /// It has tables for rejected records.
    package static let rejectionTables = SinkAbilities(rawValue: 4)
    /// It adds rows to those that are there; others replace the old output by a new one.
    public static let appending = SinkAbilities(rawValue: 8)

    /// It has child tables, for the elements of arrays.
    package static let childTables = SinkAbilities(rawValue: 16)

    /// It tells ``SinkTable/changes`` of each row that it adds, changes or removes, and has tables of changes.
    package static let changes = SinkAbilities(rawValue: 32)

    /// It notes which keys the inputs have, and finds the rows that they lack: all cases of ``MissingRows`` work.
    package static let missingRows = SinkAbilities(rawValue: 64)

    /// All that there is: what the table of a database can do.
    package static let all: SinkAbilities = [
        .lateColumns, .keys, .rejectionTables, .appending, .childTables, .changes, .missingRows,
    ]
}
