// What a database keeps beside the rows.

#if PostgreSQL
import Foundation
import SluiceIngest
import Testing

@testable import SluicePostgres

private struct NoProgress: ProgressDisplay {
    func isDue(_ nanoseconds: UInt64) -> Bool { false }
    mutating func show(_ progress: IngestProgress) {}
    mutating func clear() {}
}

@Suite(.needsServer) struct PostgresLedgerTests {
    /// Loads records with these keys, and one that is rejected.
    private func load(_ keys: ClosedRange<Int>, _ url: String) throws -> IngestReport {
        var options = IngestOptions()
        (options.existing, options.conflict, options.primaryKey) = (.append, .upsert, ["id"])
        (options.rejects, options.changes) = (.table("bad"), .table("changed"))
        let feed = try FeedFile(keys.map { #"{"id":\#($0)}"# } + ["x"])
        return try IngestJob(options, into: PostgresSink(url, table: "t")).run(input: feed.path, progress: NoProgress())
    }

    /// Databases that earlier versions have made stay as they are. If a definition changes, `LedgerLayout.number` goes up.
    @Test func theTablesOfTheLedgerAreThoseOfLayout2() throws {
        let server = try PostgresServer()
        _ = try load(1...2, server.url)
        let columns = try server.rows(
            """
            SELECT c.relname || ': ' || string_agg(a.attname || ' ' || format_type(a.atttypid, NULL)
                || CASE WHEN a.attnotnull THEN '!' ELSE '' END || a.attidentity::text || coalesce(' ' || pg_get_expr(d.adbin, d.adrelid), ''),
                ', ' ORDER BY a.attnum) || coalesce(' ' || (SELECT pg_get_constraintdef(k.oid) FROM pg_constraint k
                WHERE k.conrelid = c.oid AND k.contype = 'p'), '')
            FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
                LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
            WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> 't'
            GROUP BY c.oid, c.relname ORDER BY c.relname
            """)
        #expect(
            columns == [
                [
                    "_sluice_checkpoints: table_name text!, input text!, byte_offset bigint! 0, records bigint! 0, rejected bigint! 0, "
                        + "is_complete boolean! false, sequence bigint! 0, checkpoint text! ''::text, state text! ''::text, "
                        + "run text! ''::text, is_held boolean! false, layout integer! 2 PRIMARY KEY (table_name, input)"
                ], ["_sluice_memory: table_name text!, memory text! PRIMARY KEY (table_name)"],
                [
                    "bad: file text, line bigint, line_byte_position bigint, byte_position bigint, column_name text, error_type text, "
                        + "json_line text, error_message text"
                ],
                [
                    "changed: number bigint!a, table_name text!, key jsonb!, operation text!, changed_at timestamp with time zone!, "
                        + "file text, line bigint, byte_position bigint, patch jsonb!, nulls jsonb, hidden jsonb PRIMARY KEY (number)"
                ],
            ])
    }

    @Test func aRoleThatCannotMakeTablesUsesThoseThatAreThere() throws {
        let server = try PostgresServer()
        _ = try load(1...2, server.url)
        let role = "r\(server.schema)"
        try server.connection.run(
            """
            CREATE ROLE \(role); GRANT USAGE ON SCHEMA \(server.schema) TO \(role);
            GRANT ALL ON ALL TABLES IN SCHEMA \(server.schema) TO \(role)
            """)
        let report = try load(3...4, server.url + "%20-crole%3D\(role)")
        #expect(report.outcome == .complete && report.rows.added == 2 && report.rejected == 1, "\(report.outcome)")
        #expect(try server.value("SELECT count(*) FROM bad") == "2")
        #expect(try server.value("SELECT count(*) FROM changed") == "4")
        #expect(try server.value("SELECT count(*) FROM _sluice_checkpoints WHERE is_complete AND NOT is_held") == "2")
    }

    /// The next run goes on where the killed one has ended. Nothing is lost or there twice.
    @Test func whatAKilledRunOfLayout2HasLeftIsTakenUp() throws {
        let server = try PostgresServer()
        _ = try load(1...1, server.url)
        try server.connection.run("ALTER TABLE t RENAME TO other; DELETE FROM _sluice_memory; DELETE FROM changed")
        let feed = try FeedFile([
            #"{"id":1,"a":"x"}"#, "bad", #"{"id":2,"a":"y"}"#, #"{"id":3,"a":"z","late":1.5}"#, #"{"id":1,"a":"w"}"#,
        ])
        let rejects = try FeedFile([])
        func path(_ path: String) -> String { URL(filePath: path).resolvingSymlinksInPath().path }
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Fixtures/ledger/layout2.sql")
        let sql = try String(contentsOf: file, encoding: .utf8)
        let statements = sql.split(separator: "\n").filter { !$0.hasPrefix("--") }.joined(separator: "\n")
        try server.connection.run(
            statements.replacing("INPUT", with: path(feed.path)).replacing("REJECTS", with: path(rejects.path)))
        var options = IngestOptions()
        (options.existing, options.conflict, options.primaryKey) = (.append, .upsert, ["id"])
        (options.rejects, options.changes) = (.file(path: rejects.path), .table("changed"))
        let report = try IngestJob(options, into: PostgresSink(server.url, table: "t")).run(
            input: feed.path, progress: NoProgress())
        #expect(report.outcome == .complete && report.rows == RowCounts(added: 1, changed: 1) && report.rejectedBefore == 1)
        #expect(
            try server.value("SELECT string_agg(id || a || coalesce(late::text, ''), ' ' ORDER BY id) FROM t") == "1w 2y 3z1.5")
        #expect(try server.value("SELECT string_agg(operation, ' ' ORDER BY number) FROM changed") == "added added added changed")
        #expect(try server.value("SELECT count(*) FROM _sluice_checkpoints WHERE table_name = '' OR is_held") == "0")
        #expect(try String(contentsOfFile: rejects.path, encoding: .utf8).split(separator: "\n").count == 1)
    }
}
#endif
