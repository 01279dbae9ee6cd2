// What a database keeps beside the rows.

#if SQLite
import Foundation
import GRDB
import SluiceIngest
import SluiceSQLite
import SluiceTestSupport
import Testing

private struct NoProgress: ProgressDisplay {
    func isDue(_ nanoseconds: UInt64) -> Bool { false }
    mutating func show(_ progress: IngestProgress) {}
    mutating func clear() {}
}

@Suite struct LedgerTests {
    /// Databases that earlier versions have made stay as they are. If a definition changes, `LedgerLayout.number` goes up.
    @Test func theTablesOfTheLedgerAreThoseOfLayout2() async throws {
        let scratch = try Scratch()
        let queue = try DatabaseQueue()
        let feed = try scratch.file("in.ndjson", "{\"id\":1,\"a\":\"x\"}\nbad\n")
        let ingest = Ingest([feed], into: SQLiteSink(queue, table: "t")).primaryKey("id").conflict(.upsert).missing(.mark)
        // Because of the rejected record, the noted keys stay.
        _ = try await ingest.rejects(.table("bad")).changes(.table("changed")).run()
        let found = try await queue.read { db in
            try Row.fetchAll(db, sql: "SELECT name, sql FROM sqlite_master WHERE name NOT IN ('t') AND sql IS NOT NULL").map {
                row in
                (row["sql"] as String).split { $0.isWhitespace || $0 == "\"" }.joined(separator: " ").replacing("( ", with: "(")
            }.sorted()
        }
        #expect(
            found == [
                "CREATE TABLE _sluice_checkpoints (table_name TEXT NOT NULL, input TEXT NOT NULL, byte_offset INTEGER NOT NULL, "
                    + "records INTEGER NOT NULL, rejected INTEGER NOT NULL, is_complete INTEGER NOT NULL, sequence INTEGER NOT NULL, "
                    + "checkpoint TEXT NOT NULL, state TEXT NOT NULL, is_held INTEGER NOT NULL DEFAULT 0, "
                    + "layout INTEGER NOT NULL DEFAULT 2, run TEXT NOT NULL DEFAULT '', PRIMARY KEY (table_name, input))",
                "CREATE TABLE _sluice_keys_t (id INTEGER, PRIMARY KEY (id )) WITHOUT ROWID",
                "CREATE TABLE _sluice_memory (table_name TEXT PRIMARY KEY COLLATE NOCASE, memory TEXT NOT NULL) WITHOUT ROWID",
                "CREATE TABLE bad (file TEXT, line INTEGER, line_byte_position INTEGER, byte_position INTEGER, column_name TEXT, "
                    + "error_type TEXT, json_line TEXT, error_message TEXT)",
                "CREATE TABLE changed (number INTEGER PRIMARY KEY, table_name TEXT NOT NULL, key TEXT NOT NULL, "
                    + "operation TEXT NOT NULL, changed_at TEXT NOT NULL, file TEXT, line INTEGER, byte_position INTEGER, "
                    + "patch TEXT NOT NULL, nulls TEXT, hidden TEXT)",
            ])
    }

    /// The next run goes on where the killed one has ended. Nothing is lost or there twice.
    @Test func whatAKilledRunOfLayout2HasLeftIsTakenUp() async throws {
        let scratch = try Scratch()
        let queue = try DatabaseQueue()
        func ingest(_ path: String, _ table: String) -> Ingest {
            Ingest([path], into: SQLiteSink(queue, table: table)).primaryKey("id").conflict(.upsert).changes(.table("changed"))
        }
        // Makes the tables beside the rows.
        _ = try await ingest(try scratch.file("other.ndjson", "{\"id\":9}\n"), "other").run()
        let feed = try scratch.file("in.ndjson", LedgerTests.feed)
        let rejects = try scratch.file("bad.ndjson", "")
        let sql = try LedgerTests.layout2(input: feed, rejects: rejects)
        try await queue.write { try $0.execute(sql: sql) }
        let report = try await ingest(feed, "t").rejects(.file(path: rejects)).run()
        #expect(report.outcome == .complete && report.rows == RowCounts(added: 1, changed: 1) && report.rejectedBefore == 1)
        try await queue.read { db in
            #expect(
                try String.fetchAll(db, sql: "SELECT id || a || ifnull(late, '') FROM t ORDER BY id") == ["1w", "2y", "3z1.5"])
            let operations = try String.fetchAll(db, sql: "SELECT operation FROM changed WHERE table_name = 't' ORDER BY number")
            #expect(operations == ["added", "added", "added", "changed"])
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM _sluice_checkpoints WHERE table_name = '' OR is_held") == 0)
        }
        #expect(try String(contentsOfFile: rejects, encoding: .utf8).split(separator: "\n").count == 1)
    }

    @Test func rejectionsLeaveATableWhoseColumnsHaveOtherTypes() async throws {
        let scratch = try Scratch()
        let queue = try DatabaseQueue()
        try await queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE bad (file, line TEXT, line_byte_position TEXT, byte_position, column_name, error_type BLOB,
                        json_line NUMERIC, error_message)
                    """)
        }
        let feed = try scratch.file("in.ndjson", "{\"id\":1}\n{\"id\":two}\n")
        let sink = SQLiteSink(queue, table: "t")
        #expect(try await Ingest([feed], into: sink).rejects(.table("bad")).run().rejected == 1)
        try await queue.write { try $0.execute(sql: "UPDATE bad SET json_line = '{\"id\":2}'") }
        let replay = Replay(try sink.rejections(in: "bad"))
        var options = IngestOptions()
        options.read(replay, from: .table("bad"))
        let report = try IngestJob(options, into: sink).run(replay.inputs, progress: NoProgress())
        #expect(report.rows.added == 1 && report.rejected == 0)
        #expect(try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM bad") } == 0)
    }

    private static let feed = """
        {"id":1,"a":"x"}
        bad
        {"id":2,"a":"y"}
        {"id":3,"a":"z","late":1.5}
        {"id":1,"a":"w"}

        """

    private static func layout2(input: String, rejects: String) throws -> String {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Fixtures/ledger/layout2.sql")
        func path(_ path: String) -> String { URL(filePath: path).resolvingSymlinksInPath().path }
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("--") }.joined(
            separator: "\n"
        )
        .replacing("INPUT", with: path(input)).replacing("REJECTS", with: path(rejects))
    }
}
#endif
