// A sink whose ledger can be read without a run, by those who only want to know how far inputs have been read.

/// A table of a database with a ledger.
package protocol DatabaseSink: RecordSink {
    /// OpenTelemetry's name for the kind of database: `sqlite`, `postgresql`.
    var system: String { get }
    /// Whether a checkpoint that is held shows that its run goes on, on whatever machine that may be.
    var knowsHolders: Bool { get }

    /// The checkpoints of the inputs of all tables, table by table.
    ///
    /// - Throws: ``IngestError`` if there is no such database, or if this version does not understand what it has.
    func checkpoints() throws -> [SinkCheckpoint]
}
