// What a sink keeps beside the rows, in their transaction: how far inputs have been read, rejected records, lines that are owed to files, and
// changes. A database has tables for all of it (target SluiceSQL).

/// What a sink keeps beside its rows, in their transaction. The methods that a sink leaves out keep nothing.
package protocol SinkLedger {
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

    /// Forgets how far an input has been read, unless another run has written it since this one has read the version.
    func forget(_ input: String, over version: CheckpointVersion) throws

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

    /// Stores the places of rows in a table of their own, which is made if it is missing, and removes those that are not known any more.
    ///
    /// - Throws: ``IngestError`` if there is a table of that name with other columns.
    func keepPlaces(_ places: [RowPlace], in table: PlaceTable) throws

    /// Removes all places of a table's rows, and their table.
    func forgetPlaces(in table: PlaceTable) throws

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

extension SinkLedger {
    package func forgetCheckpoints(of run: RunIdentity, includingOthers: Bool) throws {}
    package func write(
        _ checkpoint: StoredCheckpoint, of input: String, over version: CheckpointVersion
    ) throws -> CheckpointVersion? { version }
    package func forget(_ input: String, over version: CheckpointVersion) throws {}
    package func remember(_ change: (String?) throws -> String) throws {}
    package func release(_ run: RunIdentity) throws {}
    package func reject(_ records: [RejectedRecord], into table: String) throws {
        throw IngestError.usage("the output has no tables for rejected records; name a file, such as rejects.ndjson")
    }
    package func removeRejections(_ records: CutOffRecords, from table: String) throws -> Int { 0 }
    package func pendingRejects(to file: String) throws -> [PendingRejects] { [] }
    package func setPendingRejects(_ pending: PendingRejects?, of owner: String, to file: String) throws {}
    package func record(_ changes: [RecordedChange], into table: String) throws {
        throw IngestError.usage("the output has no tables of changes; name a file, such as changes.ndjson")
    }
    package func keepPlaces(_ places: [RowPlace], in table: PlaceTable) throws {
        throw IngestError.usage("the output has no tables for the places of records")
    }
    package func forgetPlaces(in table: PlaceTable) throws {}
    package func setSnapshot(_ snapshot: SinkSnapshot, over earlier: SinkSnapshot?, begins: Bool) throws -> Bool {
        throw IngestError.usage("the output does not find missing rows")
    }
    package func settleMissing(_ change: MissingChange, most: Int) throws -> StoredBatch { StoredBatch() }
}
