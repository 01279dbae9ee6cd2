// Reads a table of rejected records, to store the records that somebody has repaired.

#if SQLite
internal import Foundation
internal import GRDB
package import SluiceIngest

extension SQLiteSink: RejectionSource {
    package func rejections(in table: String) throws(IngestError) -> [Replay.Rejection] {
        do {
            switch location {
            case .open(let writer): return try writer.read { try SQLiteSink.rejections(in: table, $0) }
            case .file(let path):
                guard FileManager.default.fileExists(atPath: path) else { throw IngestError.database("there is no file \(path)") }
                // This connection waits for other runs as any other does, and it may write: a run that was killed may have left a
                // transaction, and SQLite takes it back before the first read.
                let identity = RunIdentity.new()
                defer { identity.end() }
                let run = SinkRun(identity: identity, isInterrupted: { Interruption.process.received != 0 })
                return try RecordDatabase(path: path, table: self.table, run).read { try SQLiteSink.rejections(in: table, $0) }
            }
        } catch {
            throw RecordDatabase.failure("cannot read the rejects \(table) of \(place)", error)
        }
    }

    private static func rejections(in table: String, _ db: Database) throws -> [Replay.Rejection] {
        let sql = "SELECT file, line, line_byte_position, error_type, json_line, rowid FROM \(table.quotedForSQL) ORDER BY rowid"
        return try Row.fetchAll(db, sql: sql).map { row in
            let (text, id): (String?, Int64) = (row[4], row[5])
            return Replay.Rejection(
                file: row[0] ?? "", line: row[1] ?? 1, offset: row[2] ?? 0, kind: row[3] ?? "", text: text,
                at: .row("\(id)", text: text))
        }
    }
}
#endif
