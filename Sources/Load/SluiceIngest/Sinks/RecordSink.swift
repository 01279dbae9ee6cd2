// Where rows go. A database or a file needs these few methods so that an ingest can store rows in it.
//
//     sink.connect(run)              one connection for each run
//       contents()                   what the target holds: columns, key, notes
//       transaction { … }            once for each batch; what throws leaves nothing behind
//         prepare(table)             makes, empties or widens the table
//         store(batch)               rows as cells; says which of them were refused
//         setNote(text, name)        what a later run must know, with the rows or not at all
//       sync(), close()              the end of the run
//
// A sink needs `connect`, `transaction`, `prepare` and `store`; the other methods have defaults. A database of this package has more:
// TableSink.swift.

/// A target that rows can be stored in, such as a table of a database.
///
/// A sink only describes the target. The work is done by its connections. The article "A sink of your own" writes one.
public protocol RecordSink: Sendable {
    /// Where the table is, in messages: the path of a database or of a file, or a server. It must not contain a password.
    var destination: String { get }
    /// The name of the table; empty for a target without tables.
    var table: String { get }
    /// The files that are written: none of them can be an input, or take rejected records.
    var files: [String] { get }
    /// How many bytes of records make one transaction at most; 2 MiB by default. A larger limit helps where each commit waits for
    /// a disk.
    var batchSize: Int { get }
    /// What the sink can do besides storing rows; by default, it takes late columns.
    var abilities: SinkAbilities { get }

    /// Opens the target for one run. Nothing is changed yet.
    ///
    /// - Throws: ``IngestError``.
    func connect(_ run: SinkRun) throws -> any SinkConnection
}

/// An open target. One thread uses it at a time. All methods throw ``IngestError`` if the target cannot be used.
public protocol SinkConnection: AnyObject {
    /// What the target holds now, all of it as of one moment, or the checkpoints as of an earlier one: another run may be writing.
    /// Rows must not be counted for it.
    func contents() throws -> SinkContents

    /// How many rows the table has; nil if that is unknown or takes too long.
    func rowCount() -> Int?

    /// Runs a body in a transaction. When the body returns, everything is committed together. When it throws, everything is
    /// rolled back, and the sink forgets which tables the run has prepared. A sink may roll back and run the body again, as after a
    /// deadlock; then it forgets only what the body has prepared.
    func transaction(_ body: (any SinkTransaction) throws -> Void) throws

    /// Waits until everything that was committed is on the disk.
    func sync() throws

    /// Ends the work, after the last transaction.
    ///
    /// - Parameter isComplete: Whether the run has committed everything. A sink that writes to a temporary file can now give it
    ///   its final name. Otherwise it leaves the old output as it was.
    func close(isComplete: Bool) throws
}

/// An open transaction, in which a batch is stored.
public protocol SinkTransaction: AnyObject {
    /// What the target holds now, with everything that other runs have committed so far.
    func contents() throws -> SinkContents

    /// Makes, empties or widens the table. It is called in the first transaction of a run, in the next one after a rollback, and
    /// whenever there are new columns.
    ///
    /// - Returns: The names of the columns that were added to a table that already existed.
    func prepare(_ table: SinkTable) throws -> [String]

    /// Stores rows. A row that the target refuses, such as one that breaks a constraint, does not keep the others from being stored.
    ///
    /// - Throws: ``IngestError`` if the target cannot go on.
    func store(_ batch: RowBatch) throws -> StoredBatch

    /// Keeps a text under a name, in place of the one that has the name; nil removes that one. Notes say how far inputs have been read,
    /// and more that a later run must know. A sink stores them in the transaction of the rows, and need not understand them. In the same
    /// transaction, ``contents()`` already has them. Only one transaction of all runs may be open then.
    ///
    /// It is only called if ``SinkContents/notes`` is not nil, and then also in transactions that store no rows. ``SinkContents/hasTable``
    /// must be true as long as the rows of earlier runs are there: without a table, notes are out of date. ``prepare(_:)`` keeps the
    /// notes, also where it drops or empties the table. Errors of a transaction's body are thrown on as they are, because an ingest
    /// knows by them that another run has the input.
    func setNote(_ text: String?, named name: String) throws
}

// MARK: Defaults

extension RecordSink {
    /// The target in messages: `the table events of feed.db`.
    package var name: String { table.isEmpty ? destination : "the table \(table) of \(destination)" }

    /// The error of a run that must not add rows to a table which another run has just made.
    package var madeMeanwhile: IngestError {
        .database("\(destination) has a table \(table) already, which another run has just made; choose \(option: .append)")
    }

    public var table: String { "" }
    public var files: [String] { [] }
    public var batchSize: Int { 2 << 20 }
    public var abilities: SinkAbilities { [.lateColumns] }
}

extension SinkConnection {
    public func contents() throws -> SinkContents { SinkContents() }
    public func rowCount() -> Int? { nil }
    public func sync() throws {}
    public func close(isComplete: Bool) throws {}
}

extension SinkTransaction {
    public func contents() throws -> SinkContents { SinkContents() }
    public func setNote(_ text: String?, named name: String) throws {}
}
