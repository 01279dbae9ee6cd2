// Reads a table of rejected records, to store the records that somebody has repaired.

#if PostgreSQL
package import SluiceIngest
internal import SluiceSQL

extension PostgresSink: RejectionSource {
    package func rejections(in table: String) throws -> [Replay.Rejection] {
        let identity = RunIdentity.new()
        defer { identity.end() }
        let session = try PostgresSinkConnection(self, SinkRun(identity: identity))
        let found = try session.persistent {
            guard try PostgresTable(table, schema: session.schema, session.connection) != nil else {
                throw PostgresError.impossible("there is no table \(table) in the schema \(session.schema)")
            }
            return try session.ledger().rejections(in: table)
        }
        try session.close(isComplete: true)
        return found
    }
}
#endif
