// Foreign keys that SQLite checks at the end of a transaction.

#if SQLite
import Foundation
import GRDB
import SluiceFeed
import SluiceIngest
import SluiceSQLite
import SluiceTestSupport
import Testing

@Suite struct DeferredKeyTests {
    private static let tables = """
        CREATE TABLE p (id INTEGER PRIMARY KEY);
        INSERT INTO p VALUES (1), (2);
        CREATE TABLE t (
            id INTEGER PRIMARY KEY, p INTEGER REFERENCES p (id) DEFERRABLE INITIALLY DEFERRED,
            up INTEGER REFERENCES t (id) DEFERRABLE INITIALLY DEFERRED)
        """

    private static func load(_ lines: [String], _ change: (Ingest) -> Ingest = { $0 }) async throws -> (IngestReport, [String]) {
        let scratch = try Scratch()
        let queue = try DatabaseQueue()
        try await queue.write { try $0.execute(sql: tables) }
        let path = try scratch.file("in.ndjson", lines.map { $0 + "\n" }.joined())
        let ingest = Ingest([path], into: SQLiteSink(queue, table: "t")).primaryKey("id").conflict(.upsert).format(.lines)
        let report = try await change(ingest).run()
        let rows = try await queue.read { db in
            #expect(try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").isEmpty)
            return try String.fetchAll(db, sql: "SELECT id || '|' || ifnull(p, '-') || '|' || ifnull(up, '-') FROM t ORDER BY id")
        }
        return (report, rows)
    }

    @Test func aRowThatRefersToNothingIsRejected() async throws {
        let lines = [#"{"id":1,"p":1}"#, #"{"id":2,"p":99}"#, #"{"id":3,"p":2}"#]
        let (report, rows) = try await DeferredKeyTests.load(lines)
        #expect(report.outcome == .complete)
        #expect(report.rejected == 1)
        #expect(report.rejections.first?.reason.contains("line 2") == true)
        #expect(rows == ["1|1|-", "3|2|-"])
        #expect(report.rows == RowCounts(added: 2))
    }

    @Test func rowsMayReferToRowsAfterThem() async throws {
        let lines = [
            #"{"id":1,"up":2}"#, #"{"id":2,"up":3}"#, #"{"id":3,"up":1}"#, #"{"id":4,"up":5}"#, #"{"id":5,"p":99}"#,
            #"{"id":6,"up":7}"#, #"{"id":7,"p":1}"#,
        ]
        let (report, rows) = try await DeferredKeyTests.load(Array(lines[..<3]))
        #expect(report.rejected == 0)
        #expect(rows == ["1|-|2", "2|-|3", "3|-|1"])
        let (second, others) = try await DeferredKeyTests.load(Array(lines[3...]))
        #expect(second.rejected == 2)
        #expect(others == ["6|-|7", "7|1|-"])
    }

    @Test func ofRecordsWithOneKeyTheLastOneCounts() async throws {
        let lines = [#"{"id":1,"up":2}"#, #"{"id":1,"up":1}"#, #"{"id":2,"p":1}"#, #"{"id":3,"p":99}"#]
        let (report, rows) = try await DeferredKeyTests.load(lines) { $0.changes(.table("changed")) }
        #expect(report.rejected == 1)
        #expect(rows == ["1|-|1", "2|1|-"])
    }
}
#endif
