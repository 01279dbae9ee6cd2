// Reads what a database keeps beside the rows, without a run: rejected records, to store those that somebody has repaired, how far inputs have
// been read, and the place that a row comes from.

#if PostgreSQL
package import SluiceIngest
internal import SluiceSQL

extension PostgresSink: RejectionSource {
    package func rejections(in table: String) throws -> [Replay.Rejection] {
        try reading { session in
            guard try PostgresTable(table, schema: session.schema, session.connection) != nil else {
                throw PostgresError.impossible("there is no table \(table) in the schema \(session.schema)")
            }
            return try session.ledger().rejections(in: table)
        }
    }
}

extension PostgresSink: DatabaseSink {
    package var system: String { "postgresql" }
    // A reader holds a lock of its session, wherever it runs.
    package var knowsHolders: Bool { true }

    package func checkpoints() throws -> [SinkCheckpoint] { try reading { try $0.ledger().allCheckpoints() } }
}

extension PostgresSink: OriginSource {
    package func origin(ofKey key: [String]) throws -> RecordOrigin { try reading { try $0.ledger().origin(ofKey: key) } }
}

extension PostgresSink {
    /// Runs a body with a session that only looks.
    private func reading<Result>(_ body: (PostgresSinkConnection) throws -> Result) throws -> Result {
        let identity = RunIdentity.new()
        defer { identity.end() }
        let session = try PostgresSinkConnection(self, SinkRun(identity: identity))
        let found = try session.persistent { try body(session) }
        try session.close(isComplete: true)
        return found
    }
}
#endif
