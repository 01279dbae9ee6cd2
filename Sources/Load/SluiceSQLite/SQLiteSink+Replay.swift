// Reads a table of rejected records, to store the records that somebody has repaired.

#if SQLite
internal import Foundation
internal import GRDB
package import SluiceIngest
internal import SluiceSQL

extension SQLiteSink: RejectionSource {
    package func rejections(in table: String) throws(IngestError) -> [Replay.Rejection] {
        do {
            switch location {
            case .open(let writer): return try writer.read { try Ledger($0, of: self).rejections(in: table) }
            case .file(let path):
                guard FileManager.default.fileExists(atPath: path) else { throw IngestError.database("there is no file \(path)") }
                // This connection waits for other runs as any other does, and it may write: a run that was killed may have left a
                // transaction, and SQLite takes it back before the first read.
                let identity = RunIdentity.new()
                defer { identity.end() }
                let run = SinkRun(identity: identity, isInterrupted: { Interruption.process.received != 0 })
                return try RecordDatabase(path: path, table: self.table, run).read {
                    try Ledger($0, of: self).rejections(in: table)
                }
            }
        } catch {
            throw RecordDatabase.failure("cannot read the rejects \(table) of \(destination)", error)
        }
    }
}
#endif
