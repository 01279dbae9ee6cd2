// Reads what a database keeps beside the rows: a table of rejected records, to store the records that somebody has repaired, and the place that
// a row comes from.

#if PostgreSQL
package import SluiceIngest
internal import SluiceSQL

extension PostgresSink: RejectionSource {
    package func rejections(in table: String) throws -> [Replay.Rejection] {
        try read { session in
            guard try PostgresTable(table, schema: session.schema, session.connection) != nil else {
                throw PostgresError.impossible("there is no table \(table) in the schema \(session.schema)")
            }
            return try session.ledger().rejections(in: table)
        }
    }
}

extension PostgresSink: OriginSource {
    package func origin(ofKey key: [String]) throws -> RecordOrigin { try read { try $0.ledger().origin(ofKey: key) } }
}

extension PostgresSink {
    /// Runs a body with a session that only looks.
    private func read<Result>(_ body: (PostgresSinkConnection) throws -> Result) throws -> Result {
        let identity = RunIdentity.new()
        defer { identity.end() }
        let session = try PostgresSinkConnection(self, SinkRun(identity: identity))
        let found = try session.persistent { try body(session) }
        try session.close(isComplete: true)
        return found
    }
}
#endif
