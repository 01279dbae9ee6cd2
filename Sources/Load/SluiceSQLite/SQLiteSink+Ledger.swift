// Reads what a database keeps beside the rows, without a run: rejected records, to store those that somebody has repaired, how far inputs have
// been read, and the place that a row comes from.

#if SQLite
internal import Foundation
internal import GRDB
package import SluiceIngest
internal import SluiceSQL

extension SQLiteSink: RejectionSource {
    package func rejections(in table: String) throws(IngestError) -> [Replay.Rejection] {
        try reading("the rejects \(table)") { try $0.rejections(in: table) }
    }
}

extension SQLiteSink: DatabaseSink {
    package var system: String { "sqlite" }
    package var knowsHolders: Bool { false }

    package func checkpoints() throws(IngestError) -> [SinkCheckpoint] {
        try reading("the checkpoints") { try $0.allCheckpoints() }
    }
}

extension SQLiteSink: OriginSource {
    package func origin(ofKey key: [String]) throws(IngestError) -> RecordOrigin {
        try reading("the table \(table)") { try $0.origin(ofKey: key) }
    }
}

extension SQLiteSink {
    /// Runs a body with the ledger.
    ///
    /// - Parameter what: What is read, in messages.
    private func reading<Result>(_ what: String, _ body: (Ledger) throws -> Result) throws(IngestError) -> Result {
        do {
            switch location {
            case .open(let writer): return try writer.read { try body(Ledger($0, of: self)) }
            case .file(let path):
                guard FileManager.default.fileExists(atPath: path) else { throw IngestError.database("there is no file \(path)") }
                // This connection waits for other runs as any other does, and it may write: a run that was killed may have left a
                // transaction, and SQLite takes it back before the first read.
                let identity = RunIdentity.new()
                defer { identity.end() }
                let run = SinkRun(identity: identity, isInterrupted: { Interruption.process.received != 0 })
                return try RecordDatabase(path: path, table: table, run).read { try body(Ledger($0, of: self)) }
            }
        } catch {
            throw RecordDatabase.failure("cannot read \(what) of \(destination)", error)
        }
    }
}
#endif
