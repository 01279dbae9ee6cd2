// Where rows go. A database or a file needs these few methods so that an ingest can store rows in it.
//
//     sink.connect(run)              one connection for each run
//       contents()                   what the target holds: columns, key, checkpoints
//       columns(of: table)           the columns of another table
//       begin(claim)                 takes the inputs, so that no other run reads them at the same time
//       transaction { … }            once for each batch; what throws leaves nothing behind
//         prepare(table)             makes, empties or widens the table
//         store(batch)               rows as cells; says which of them were refused
//         write, reject, record      checkpoints, rejected records and changes, with the rows or not at all
//         remember                   what the table remembers of its columns
//         setSnapshot, settleMissing the rows that the inputs do not have
//       sync(), close()              the end of the run
//
// A sink without checkpoints needs `connect`, `transaction`, `prepare` and `store`; the other methods have defaults.

/// A target that rows can be stored in, such as a table of a database.
///
/// A sink only describes the target. The work is done by its connections. The article "A sink of your own" writes one.
public protocol RecordSink: Sendable {
    /// Where the table is, in messages: the path of a database or of a file, or a server. It must not contain a password.
    var place: String { get }
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

    /// The names of the columns of another table in the same place, such as one that changes go into; empty if there is none of that name.
    func columns(of table: String) throws -> [String]

    /// How many rows the table has; nil if that is unknown or takes too long.
    func rowCount() -> Int?

    /// Takes the inputs of a run, so that other runs do not read them into this table.
    ///
    /// A sink with checkpoints calls ``SinkClaim/check(_:)`` with the checkpoints that it finds, and then stores the run in each of
    /// them, in one transaction. A sink without checkpoints does nothing.
    ///
    /// - Returns: The versions of the inputs' checkpoints after that.
    func begin(_ claim: SinkClaim) throws -> [String: CheckpointVersion]

    /// Runs a body in a transaction. When the body returns, everything is committed together. When it throws, everything is
    /// rolled back, and the sink forgets which tables the body has prepared.
    func transaction(_ body: (any SinkTransaction) throws -> Void) throws

    /// Whether the sink holds lines that runs have not yet written to this file of rejected records or changes.
    func hasPendingRejects(to file: String) throws -> Bool

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

    /// Stores rows in a child table, after those that they belong to.
    ///
    /// - Parameters:
    ///   - batch: The rows. ``RowBatch/parent(of:)`` says which row of the parent's batch each belongs to; they lie in that order.
    ///   - table: The table's name, as ``prepare(_:)`` was told.
    ///   - ends: Only if the elements of a record replace earlier ones. For each such parent, it has a row with the parent's key,
    ///     and with the number of its elements in the position column. Rows from that position on are removed, and so are those at
    ///     earlier positions for which nothing is stored, as if the parents were stored one after the other. Nil if rows are only
    ///     added.
    func store(_ batch: RowBatch, inChild table: String, replacing ends: RowBatch?) throws -> StoredBatch

    // MARK: Checkpoints

    /// Forgets the checkpoints of the table's inputs, which are read anew. The checkpoints of inputs that this run holds stay,
    /// but say that nothing has been read.
    ///
    /// - Parameter includingOthers: Whether to forget also the checkpoints of inputs that this run does not hold.
    func forgetCheckpoints(of run: RunIdentity, includingOthers: Bool) throws

    /// Stores a checkpoint over the version that this run has read or written last.
    ///
    /// - Returns: The new version; nil if another run has written the checkpoint since.
    func write(_ checkpoint: StoredCheckpoint, of input: String, over version: CheckpointVersion) throws -> CheckpointVersion?

    /// Changes what the table remembers: a text that says what earlier runs have stored in its columns. The sink keeps the text beside
    /// the rows, and needs not understand it. No other run changes it between the call of the body and the end of the transaction.
    ///
    /// - Parameter change: Gets the stored text, or nil, and returns the new one.
    func remember(_ change: (String?) throws -> String) throws

    /// Notes that a run has ended, and gives back the inputs that it has claimed. A checkpoint without a committed batch can be
    /// deleted.
    func release(_ run: RunIdentity) throws

    // MARK: Rejected records

    /// Stores rejected records in a table of their own, which is made if it is missing.
    func reject(_ records: [RejectedRecord], into table: String) throws

    /// Removes rejections from such a table, at most one for each record: their records are read again.
    ///
    /// - Returns: How many rejections were removed.
    @discardableResult
    func removeRejections(_ records: CutOffRecords, from table: String) throws -> Int

    /// The lines that runs have not yet written to this file of rejected records or changes.
    func pendingRejects(to file: String) throws -> [PendingRejects]

    /// Stores the lines that a run must still write to a file. They replace the lines stored before; nil if there are none left.
    ///
    /// - Parameter owner: The ``PendingRejects/owner`` of both.
    func setPendingRejects(_ pending: PendingRejects?, of owner: String, to file: String) throws

    // MARK: Changes and missing rows

    /// Stores changes in a table of their own, which is made if it is missing. It has the columns of ``RecordedChange/columns``.
    ///
    /// - Throws: ``IngestError`` if there is a table of that name with other columns.
    func record(_ changes: [RecordedChange], into table: String) throws

    /// Sets the load that the next rows belong to. Their keys are noted in the same transaction. It is called in each
    /// transaction, before its rows.
    ///
    /// - Parameters:
    ///   - snapshot: The load. If ``SinkSnapshot/isDone``, the noted keys have no further use.
    ///   - earlier: The state of the load that the run expects in the sink.
    ///   - begins: Whether to forget the keys that were noted before.
    /// - Returns: Whether the sink had the state `earlier`. If not, nothing is changed.
    func setSnapshot(_ snapshot: SinkSnapshot, over earlier: SinkSnapshot?, begins: Bool) throws -> Bool

    /// Removes or marks rows whose keys were not noted, or clears the marks of rows whose keys were.
    ///
    /// - Parameter most: The largest number of rows to change.
    /// - Returns: The counts of removed and changed rows; both are 0 if none are left.
    func settleMissing(_ change: MissingChange, most: Int) throws -> StoredBatch
}

// MARK: Sinks without checkpoints

extension RecordSink {
    /// The target in messages: `the table events of feed.db`.
    package var name: String { table.isEmpty ? place : "the table \(table) of \(place)" }

    /// The error of a run that must not add rows to a table which another run has just made.
    package var madeMeanwhile: IngestError {
        .database("\(place) has a table \(table) already, which another run has just made; choose \(option: .append)")
    }

    public var table: String { "" }
    public var files: [String] { [] }
    public var batchSize: Int { 2 << 20 }
    public var abilities: SinkAbilities { [.lateColumns] }
}

extension SinkConnection {
    public func contents() throws -> SinkContents { SinkContents() }
    public func columns(of table: String) throws -> [String] { [] }
    public func rowCount() -> Int? { nil }
    public func begin(_ claim: SinkClaim) throws -> [String: CheckpointVersion] { [:] }
    public func hasPendingRejects(to file: String) throws -> Bool { false }
    public func sync() throws {}
    public func close(isComplete: Bool) throws {}
}

extension SinkTransaction {
    public func contents() throws -> SinkContents { SinkContents() }
    public func store(_ batch: RowBatch, inChild table: String, replacing ends: RowBatch?) throws -> StoredBatch {
        throw IngestError.usage("the output has no child tables")
    }
    public func forgetCheckpoints(of run: RunIdentity, includingOthers: Bool) throws {}
    public func write(
        _ checkpoint: StoredCheckpoint, of input: String, over version: CheckpointVersion
    ) throws -> CheckpointVersion? { version }
    public func remember(_ change: (String?) throws -> String) throws {}
    public func release(_ run: RunIdentity) throws {}
    public func reject(_ records: [RejectedRecord], into table: String) throws {
        throw IngestError.usage("the output has no tables for rejected records; name a file, such as rejects.ndjson")
    }
    public func removeRejections(_ records: CutOffRecords, from table: String) throws -> Int { 0 }
    public func pendingRejects(to file: String) throws -> [PendingRejects] { [] }
    public func setPendingRejects(_ pending: PendingRejects?, of owner: String, to file: String) throws {}
    public func record(_ changes: [RecordedChange], into table: String) throws {
        throw IngestError.usage("the output has no tables of changes; name a file, such as changes.ndjson")
    }
    public func setSnapshot(_ snapshot: SinkSnapshot, over earlier: SinkSnapshot?, begins: Bool) throws -> Bool {
        throw IngestError.usage("the output does not find missing rows")
    }
    public func settleMissing(_ change: MissingChange, most: Int) throws -> StoredBatch { StoredBatch() }
}
