// What a sink of a database can do besides storing rows: child tables, and a ledger beside the rows.

/// An open database. Other sinks have no child tables, and keep notes (NoteLedger.swift) or nothing.
///
/// The requirements have names of their own: the extensions below would satisfy one of their name, and would then call themselves.
package protocol TableConnection: SinkConnection {
    /// The names of the columns of another table of the database, such as one that changes go into; empty if no table has that name.
    func columnNames(of table: String) throws -> [String]

    /// ``SinkConnection/contents()``, with as much of the checkpoints as is asked for.
    func contents(_ reading: CheckpointReading) throws -> SinkContents

    /// The present checkpoints of inputs of which ``contents(_:)`` has read the versions. Those that are gone are left out.
    func checkpoints(of entries: [SinkCheckpoint]) throws -> [SinkCheckpoint]

    /// Takes the inputs of a run, so that other runs do not read them into this table: it calls ``SinkClaim/check(_:)`` with the
    /// checkpoints that it finds, and then stores the run in each of them, in one transaction.
    ///
    /// - Returns: The versions of the inputs' checkpoints after that.
    func takeInputs(_ claim: SinkClaim) throws -> [String: CheckpointVersion]
}

extension TableConnection {
    package func contents(_ reading: CheckpointReading) throws -> SinkContents { try contents() }
    package func checkpoints(of entries: [SinkCheckpoint]) throws -> [SinkCheckpoint] { entries }
}

/// An open transaction of a database.
package protocol TableTransaction: SinkTransaction {
    /// Stores rows in a child table, after those that they belong to.
    ///
    /// - Parameters:
    ///   - batch: The rows. ``RowBatch/parent(of:)`` says which row of the parent's batch each belongs to; they lie in that order.
    ///   - table: The table's name, as ``SinkTransaction/prepare(_:)`` was told.
    ///   - ends: Only if the elements of a record replace earlier ones. For each such parent, it has a row with the parent's key,
    ///     and with the number of its elements in the position column. Rows from that position on are removed, and so are those at
    ///     earlier positions for which nothing is stored, as if the parents were stored one after the other. Nil if rows are only
    ///     added.
    func storeRows(_ batch: RowBatch, inChild table: String, replacing ends: RowBatch?) throws -> StoredBatch

    /// What the database keeps beside the rows.
    var tableLedger: any SinkLedger { get }
}

extension SinkConnection {
    /// The columns of another table; empty if the sink has no tables.
    package func columns(of table: String) throws -> [String] {
        try (self as? any TableConnection)?.columnNames(of: table) ?? []
    }

    /// Takes the inputs of a run, if the sink has checkpoints.
    package func begin(_ claim: SinkClaim) throws -> [String: CheckpointVersion] {
        if let connection = self as? any TableConnection { return try connection.takeInputs(claim) }
        guard try contents().notes != nil, !claim.inputs.isEmpty else { return [:] }
        var versions: [String: CheckpointVersion] = [:]
        try transaction { versions = try NoteLedger(transaction: $0).claim(claim) }
        return versions
    }
}

extension SinkTransaction {
    package func store(_ batch: RowBatch, inChild table: String, replacing ends: RowBatch?) throws -> StoredBatch {
        guard let transaction = self as? any TableTransaction else { throw IngestError.usage("the output has no child tables") }
        return try transaction.storeRows(batch, inChild: table, replacing: ends)
    }

    /// What the sink keeps beside the rows.
    package var ledger: any SinkLedger { (self as? any TableTransaction)?.tableLedger ?? NoteLedger(transaction: self) }
}
