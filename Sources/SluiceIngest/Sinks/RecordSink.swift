// Where rows go: the few methods that a database or a file needs so that an ingest can store rows in it.
//
//     sink.connect(run)              one connection for each run
//       contents()                   what the target holds: columns, key, checkpoints
//       begin(claim)                 takes the inputs, so that no other run reads them at the same time
//       transaction { … }            once for each batch; what throws leaves nothing behind
//         prepare(table)             makes, empties or widens the table
//         store(batch)               rows as cells; says which of them were refused
//         write, reject              checkpoints and rejected records, with the rows or not at all
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
    /// How many bytes of records make one transaction at most; 2 MiB by default. More pays where each commit waits for a disk.
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
    /// What the target holds now. Rows must not be counted for it.
    func contents() throws -> SinkContents

    /// How many rows the table has; nil if that is unknown or takes too long.
    func rowCount() -> Int?

    /// Takes the inputs of a run, so that other runs do not read them into this table.
    ///
    /// A sink with checkpoints calls ``SinkClaim/check(_:)`` with the checkpoints that it finds, and then stores the run in each of
    /// them, in one transaction. A sink without checkpoints does nothing.
    ///
    /// - Returns: The versions of the inputs' checkpoints after that.
    func begin(_ claim: SinkClaim) throws -> [String: CheckpointVersion]

    /// Runs a body in a transaction. When the body returns, everything is committed as one; when it throws, nothing is, and the sink
    /// forgets what the body has prepared.
    func transaction(_ body: (any SinkTransaction) throws -> Void) throws

    /// Whether runs owe a file of rejected records something.
    func hasPendingRejects(to file: String) throws -> Bool

    /// Waits until everything that was committed is on the disk.
    func sync() throws

    /// Ends the work, after the last transaction.
    ///
    /// - Parameter isComplete: Whether all that the run was to do is committed. A sink that writes its output aside can put it in its
    ///   place now; otherwise it leaves the old output as it was.
    func close(isComplete: Bool) throws
}

/// An open transaction, in which a batch is stored.
public protocol SinkTransaction: AnyObject {
    /// What the target holds now, with everything that other runs have committed so far.
    func contents() throws -> SinkContents

    /// Makes, empties or widens the table. It is called in the first transaction of a run, in the next one after a rollback, and
    /// whenever there are new columns.
    ///
    /// - Returns: The names of the columns that a table has got which was there already.
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
    ///   - ends: If the rows of a parent replace those that it has had: for each such parent a row with its key, and in the column of
    ///     the position the count of its rows. Rows of the table from that position on are removed, as if the parents were stored
    ///     one after the other. Nil if rows are only added.
    func store(_ batch: RowBatch, inChild table: String, replacing ends: RowBatch?) throws -> StoredBatch

    // MARK: Checkpoints

    /// Forgets the checkpoints of the table's inputs: they are read anew. Those that the run holds stay, as if nothing had been read.
    ///
    /// - Parameter includingOthers: Whether to forget also those that it does not hold.
    func forgetCheckpoints(of run: RunIdentity, includingOthers: Bool) throws

    /// Stores a checkpoint over the version that this run has read or written last.
    ///
    /// - Returns: The new version; nil if the stored one was another, because another run has written it.
    func write(_ checkpoint: StoredCheckpoint, of input: String, over version: CheckpointVersion) throws -> CheckpointVersion?

    /// Says that a run has ended: it gives back the inputs that it has taken. Checkpoints without a batch have no further use.
    func release(_ run: RunIdentity) throws

    // MARK: Rejected records

    /// Stores rejected records in a table of their own, which is made if it is missing.
    func reject(_ records: [RejectedRecord], into table: String) throws

    /// Removes rejections from such a table: their records are read again.
    func removeRejections(_ records: CutOffRecords, from table: String) throws

    /// What this and earlier runs owe a file of rejected records.
    func pendingRejects(to file: String) throws -> [PendingRejects]

    /// Stores what a run owes a file of rejected records, in place of what it owed before; nil if it owes nothing more.
    ///
    /// - Parameter owner: The ``PendingRejects/owner`` of both.
    func setPendingRejects(_ pending: PendingRejects?, of owner: String, to file: String) throws
}

// MARK: Sinks without checkpoints

extension RecordSink {
    /// The target in messages: `the table events of feed.db`.
    package var name: String { table.isEmpty ? place : "the table \(table) of \(place)" }

    public var table: String { "" }
    public var files: [String] { [] }
    public var batchSize: Int { 2 << 20 }
    public var abilities: SinkAbilities { [.lateColumns] }
}

extension SinkConnection {
    public func contents() throws -> SinkContents { SinkContents() }
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
    public func release(_ run: RunIdentity) throws {}
    public func reject(_ records: [RejectedRecord], into table: String) throws {
        throw IngestError.usage("the output has no tables for rejected records; name a file, such as rejects.ndjson")
    }
    public func removeRejections(_ records: CutOffRecords, from table: String) throws {}
    public func pendingRejects(to file: String) throws -> [PendingRejects] { [] }
    public func setPendingRejects(_ pending: PendingRejects?, of owner: String, to file: String) throws {}
}
