// Tables that an application has made, with all that SQLite allows.

#if SQLite
import Foundation
import GRDB
import SluiceIngest
import SluiceSQLite
import SluiceTestSupport
import Testing

@Suite struct TableTests {
    /// Ingests records with `id` from 1 to 3 and `name` into a table, and returns its rows.
    private func rows(_ schema: String, _ sql: String, _ text: String = lines(1...3), conflict: KeyConflict = .reject)
        async throws
        -> (rows: [String], report: IngestReport)
    {
        let scratch = try Scratch()
        let pool = try DatabasePool(path: scratch.path("app.db"))
        try await pool.write { try $0.execute(sql: schema) }
        let report = try await Ingest([try scratch.file("in.ndjson", text)], into: SQLiteSink(pool, table: "t")).existing(.append)
            .conflict(conflict).run()
        return (try await pool.read { try String.fetchAll($0, sql: sql) }, report)
    }

    @Test func generatedColumnsAreComputed() async throws {
        for kind in ["VIRTUAL", "STORED"] {
            for conflict in [KeyConflict.reject, .upsert, .ignore, .replace] {
                let (found, report) = try await rows(
                    "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, loud TEXT GENERATED ALWAYS AS (upper(name)) \(kind))",
                    "SELECT id || loud FROM t ORDER BY id", conflict: conflict)
                #expect(found == ["1N1", "2N2", "3N3"], "\(kind) \(conflict)")
                #expect(report.addedColumns.isEmpty)
            }
        }
    }

    @Test func triggersRun() async throws {
        let (found, report) = try await rows(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE log (line TEXT);
            CREATE TRIGGER logs AFTER INSERT ON t BEGIN INSERT INTO log VALUES ('got ' || new.name); END;
            CREATE TRIGGER refuses BEFORE INSERT ON t WHEN new.id = 2 BEGIN SELECT raise(ABORT, 'not two'); END
            """, "SELECT line FROM log ORDER BY rowid")
        #expect(found == ["got n1", "got n3"])
        #expect(report.rejections.map { $0.reason.contains("not two") } == [true])
    }

    @Test func aStrictTableRefusesWhatDoesNotFit() async throws {
        let (found, report) = try await rows(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT) STRICT",
            "SELECT id || name || coalesce(late, '-') FROM t ORDER BY id",
            lines(1...2) + "{\"id\":\"x\",\"name\":\"y\"}\n{\"id\":4,\"name\":\"n4\",\"late\":true}\n")
        #expect(found == ["1n1-", "2n2-", "4n41"])
        #expect(report.rejected == 1)
        #expect(report.addedColumns == ["late"])
    }

    @Test func aTableWithoutRowidTakesItsKey() async throws {
        for conflict in [KeyConflict.upsert, .ignore, .replace] {
            let (found, report) = try await rows(
                "CREATE TABLE t (name TEXT, id INTEGER, PRIMARY KEY (name, id)) WITHOUT ROWID",
                "SELECT name || id FROM t ORDER BY 1",
                lines(1...3) + lines(2...4) + "{\"id\":5}\n", conflict: conflict)
            #expect(found == ["n11", "n22", "n33", "n44"], "\(conflict)")
            #expect(report.rejected == 1)
            #expect(report.rows.added == 4)
        }
    }
}
#endif
