// Reads what a database keeps beside the rows: a table of rejected records, to store the records that somebody has repaired, and the place that
// a row comes from.

#if SQLite
internal import Foundation
internal import GRDB
package import SluiceIngest
internal import SluiceSQL

extension SQLiteSink: RejectionSource {
    package func rejections(in table: String) throws(IngestError) -> [Replay.Rejection] {
        try read("the rejects \(table) of \(destination)") { try $0.rejections(in: table) }
    }
}

extension SQLiteSink: OriginSource {
    package func origin(ofKey key: [String]) throws(IngestError) -> RecordOrigin {
        try read("the table \(table) of \(destination)") { try $0.origin(ofKey: key) }
    }
}

extension SQLiteSink {
    /// Looks into the ledger of the table.
    ///
    /// - Parameter what: What is read, in messages.
    private func read<Result>(_ what: String, _ body: (Ledger) throws -> Result) throws(IngestError) -> Result {
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
                return try RecordDatabase(path: path, table: self.table, run).read { try body(Ledger($0, of: self)) }
            }
        } catch {
            throw RecordDatabase.failure("cannot read \(what)", error)
        }
    }
}
#endif
