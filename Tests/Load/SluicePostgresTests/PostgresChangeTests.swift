// Equal rows, changes and missing rows. `ChangeTests` has the same for SQLite.

#if PostgreSQL
import Foundation
import SluiceCore
import SluiceFeed
import SluiceIngest
@testable import SluicePostgres
import Testing

@Suite(.needsServer) struct PostgresChangeTests {
    private static let three = [
        #"{"id":1,"a":"x","n":1.5,"j":[1]}"#, #"{"id":2,"a":"y","n":2,"j":[]}"#, #"{"id":3,"a":null,"n":3.25,"j":[{"k":null}]}"#,
    ]

    /// A feed, read into a table of a database of its own.
    private struct Fixture {
        let server: PostgresServer

        init(_ sql: String = "") throws {
            server = try PostgresServer()
            if !sql.isEmpty { try server.connection.run(sql) }
        }

        func run(_ lines: [String], url: String? = nil, _ change: (Ingest) -> Ingest = { $0 }) async throws -> IngestReport {
            let file = try FeedFile(lines)
            let ingest = Ingest([file.path], into: PostgresSink(url ?? server.url, table: "t")).primaryKey("id").conflict(.upsert)
                .format(
                    .lines)
            let report = try await change(ingest).run()
            #expect(file.path.isEmpty == false)  // the file lives until here
            return report
        }

        func changes() throws -> [String] {
            let rows = try server.connection.query("SELECT table_name, operation, key, patch, nulls FROM changed ORDER BY number")
            return (0..<rows.count).map { row in (0..<5).map { rows.text(row, $0) ?? "-" }.joined(separator: "|") }
        }
    }

    @Test(arguments: [KeyConflict.upsert, .replace]) func equalRowsAreNotEvenLocked(conflict: KeyConflict) async throws {
        let fixture = try Fixture()
        _ = try await fixture.run(PostgresChangeTests.three)
        let versions = "SELECT string_agg(ctid || ':' || xmin || ':' || xmax, ' ' ORDER BY id) FROM t"
        let before = try fixture.server.value(versions)
        let report = try await fixture.run(PostgresChangeTests.three) { $0.conflict(conflict) }
        #expect(report.rows == RowCounts(same: 3))
        #expect(try fixture.server.value(versions) == before)
        try fixture.server.connection.run("UPDATE t SET a = 'mine' WHERE id = 2")
        // Records of several shapes are compared with the columns that they have.
        let lines = [#"{"id":1,"a":"x"}"#, PostgresChangeTests.three[1], #"{"id":3}"#]
        let third = try await fixture.run(conflict == .upsert ? lines : PostgresChangeTests.three) { $0.conflict(conflict) }
        #expect(third.rows == RowCounts(changed: 1, same: 2))
        #expect(try fixture.server.value("SELECT a FROM t WHERE id = 2") == "y")
    }

    @Test func aTriggerThatMayChangeKeysIsRefused() async throws {
        let lines = [#"{"id":"A","v":1}"#, #"{"id":"B","v":2}"#]
        func fixture(_ body: String, _ time: String = "BEFORE INSERT") throws -> Fixture {
            try Fixture(
                """
                CREATE TABLE t (id text PRIMARY KEY, v bigint, at timestamptz);
                CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \(body) END $$;
                CREATE TRIGGER f \(time) ON t FOR EACH ROW EXECUTE FUNCTION f()
                """)
        }
        for body in ["new.id = lower(new.id); RETURN new;", "new := upper_all(new); RETURN new;", "RETURN other(new);"] {
            let fixture = try fixture(body)
            await #expect(throws: IngestError.self) { try await fixture.run(lines) { $0.missing(.delete) } }
        }
        let harmless = try fixture("NEW.at = now(); RETURN NEW;")
        _ = try await harmless.run([#"{"id":"C"}"#])
        let report = try await harmless.run(lines) { $0.missing(.delete) }
        #expect(report.rows == RowCounts(added: 2, removed: 1))
        // Such a trigger is found by what it does.
        let late = try fixture("UPDATE t SET id = lower(id) WHERE id = new.id; RETURN NULL;", "AFTER INSERT")
        let refused = try await late.run(lines) { $0.missing(.delete) }
        #expect(refused.missing?.refusal != nil)
        #expect(try late.server.value("SELECT string_agg(id, '' ORDER BY id) FROM t") == "ab")
    }

    @Test func keysAreNotedAsTheirColumnsStoreThem() async throws {
        let types = [("char(5)", [#""A ""#, #""B""#]), ("numeric(5,1)", ["1.04", "2"]), ("short", [#""a""#, #""b""#])]
        for (type, keys) in types {
            let domain = "CREATE DOMAIN short AS varchar(3);"
            let fixture = try Fixture("\(domain) CREATE TABLE t (id \(type) PRIMARY KEY, v bigint)")
            let lines = keys.map { #"{"id":\#($0),"v":1}"# }
            _ = try await fixture.run(lines)
            let report = try await fixture.run([lines[0]]) { $0.missing(.delete) }
            #expect(report.rows == RowCounts(same: 1, removed: 1), "\(type)")
        }
    }

    /// The names that our own statements give to tables, columns and rows.
    private static let ownNames = [
        "t", "o", "s", "w", "r", "k", "g", "l", "e", "u", "p", "old", "new", "number", "mask", "round", "verdict", "verdicts",
        "written",
        "image", "c0", "c1", "k0", "p0", "is_new", "excluded", "turn", "copies", "state", "states", "was_there", "is_last",
        "repeated",
        "combined", "changes", "updated", "is_change", "previous", "position", "mark", "record",
    ]

    @Test(arguments: [KeyConflict.upsert, .replace, .ignore]) func columnsMayHaveOurOwnNames(conflict: KeyConflict) async throws {
        func line(_ id: Int, _ value: String) -> String {
            #"{"id":\#(id),"# + PostgresChangeTests.ownNames.map { #""\#($0)":"\#(value)""# }.joined(separator: ",") + "}"
        }
        let fixture = try Fixture()
        _ = try await fixture.run([line(1, "a")]) { $0.conflict(conflict).changes(.table("changed")) }
        // A key that comes twice, and records of two shapes.
        let report = try await fixture.run([line(1, "b"), line(2, "c"), line(2, "d"), #"{"id":1,"t":"e"}"#]) {
            $0.conflict(conflict).changes(.table("changed"))
        }
        #expect(report.outcome == .complete)
        #expect(report.rejected == 0)
        let patches = try fixture.server.rows("SELECT operation, patch::text FROM changed ORDER BY number")
        let names = Set(PostgresChangeTests.ownNames)
        for (index, row) in patches.enumerated() {
            let patch = try #require(JSONObject(text: row[1] ?? ""))
            #expect(Set(patch.members.map(\.key)).isSubset(of: names.union(["id"])))
            #expect(row[0] == (index == 0 || patch["id"] != nil ? "added" : "changed"))
            if row[0] == "added" { #expect(patch.members.count == names.count + 1) }
        }
        #expect(patches.count == (conflict == .ignore ? 2 : 5))
        // The same without changes.
        let plain = try await fixture.run([line(1, "x"), line(1, "y"), line(3, "z"), #"{"id":3,"o":"q"}"#]) {
            $0.conflict(conflict)
        }
        #expect(plain.outcome == .complete)
        #expect(plain.rejected == 0)
        #expect(
            try fixture.server.value("SELECT string_agg(concat(t.t, t.o), ' ' ORDER BY id) FROM t t")
                == (conflict == .ignore ? "aa cc zz" : conflict == .upsert ? "yy dd zq" : "yy dd q"))
    }

    @Test func rulesOfATableSeeRecordsThatLackColumns() async throws {
        let fixture = try Fixture("CREATE TABLE t (id bigint PRIMARY KEY, a text NOT NULL, n bigint)")
        _ = try await fixture.run([#"{"id":1,"a":"x","n":1}"#])
        let report = try await fixture.run([#"{"id":1,"a":"x","n":1}"#, #"{"id":1,"n":1}"#, #"{"id":1,"n":2}"#])
        #expect(report.rows == RowCounts(same: 1))
        #expect(report.rejected == 2)
    }

    /// The tables that rows are stored in by other statements.
    enum TableKind {
        case plain, partitioned, hasTrigger, small, hasChildren
    }

    @Test(arguments: [
        (TableKind.plain, KeyConflict.upsert), (.plain, .replace), (.plain, .ignore), (.plain, .reject), (.partitioned, .upsert),
        (.hasTrigger, .replace), (.hasTrigger, .ignore), (.small, .upsert), (.hasChildren, .upsert), (.hasChildren, .ignore),
    ])
    func theServersTimeGrowsWithTheRowsAndNotFaster(kind: TableKind, conflict: KeyConflict) async throws {
        let isMerged = conflict == .upsert || conflict == .replace
        var times: [[Double]] = []
        for size in [1000, 8000] {
            let fixture = try Fixture(
                """
                CREATE TABLE t (id bigint PRIMARY KEY, a text) \(kind == .partitioned ? "PARTITION BY HASH (id)" : "");
                CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END'
                """)
            let sql =
                switch kind {
                case .plain, .hasChildren: ""
                case .partitioned:
                    (0..<4).map { "CREATE TABLE t\($0) PARTITION OF t FOR VALUES WITH (MODULUS 4, REMAINDER \($0));" }.joined()
                case .hasTrigger: "CREATE TRIGGER f BEFORE INSERT OR UPDATE ON t FOR EACH ROW EXECUTE FUNCTION f()"
                // The planner knows the table as one of a few rows.
                case .small: "INSERT INTO t SELECT -n, 'x' FROM generate_series(1, 100) n; ANALYZE t"
                }
            try fixture.server.connection.run(sql)
            var seconds: [Double] = []
            for value in isMerged ? ["a", "b"] : ["a"] {
                let lines = (0..<size).map { #"{"id":\#($0),"a":"\#(value)"\#(kind == .hasChildren ? #","n":[1]"# : "")}"# }
                let start = PostgresServer.logSize
                let report = try await fixture.run(lines, url: fixture.server.urlThatCountsTime) {
                    let ingest = $0.conflict(conflict).existing(.append).changes(.table("changed")).batch(size)
                    return kind == .hasChildren ? ingest.children(.tables) : ingest
                }
                #expect(report.rows.added + report.rows.changed == size)
                seconds.append(try fixture.server.seconds(since: start))
            }
            #expect(
                try fixture.server.value("SELECT count(*) FROM changed WHERE table_name = 't'") == "\(size * seconds.count)")
            times.append(seconds)
        }
        for (small, large) in zip(times[0], times[1]) {
            #expect(small > 0)
            // For 8 times the rows. A comparison of each row with each takes 64 times as long.
            #expect(large < small * 20)
        }
    }

    @Test(arguments: [1, 2, 100]) func changesSayWhatIsDifferent(batch: Int) async throws {
        let fixture = try Fixture()
        _ = try await fixture.run(PostgresChangeTests.three) { $0.changes(.table("changed")).batch(batch) }
        let lines = [
            #"{"id":1,"a":"x","n":1.5,"j":[1]}"#, #"{"id":2,"a":null,"n":2}"#, #"{"id":2,"late":true}"#, #"{"id":3,"a":"z"}"#,
        ]
        let report = try await fixture.run(lines) { $0.changes(.table("changed")).batch(batch) }
        #expect(report.rows == RowCounts(changed: 3, same: 1))
        #expect(
            try fixture.changes() == [
                #"t|added|{"id": 1}|{"a": "x", "j": [1], "n": 1.5, "id": 1}|-"#,
                #"t|added|{"id": 2}|{"a": "y", "j": [], "n": 2, "id": 2}|-"#,
                #"t|added|{"id": 3}|{"j": [{"k": null}], "n": 3.25, "id": 3}|-"#, #"t|changed|{"id": 2}|{"a": null}|["/a"]"#,
                #"t|changed|{"id": 2}|{"late": true}|-"#, #"t|changed|{"id": 3}|{"a": "z"}|-"#,
            ])
        #expect(try fixture.server.value("SELECT string_agg(line::text, ' ' ORDER BY number) FROM changed") == "1 2 3 2 3 4")
    }

    @Test func aNewRowIsItsOwnPatchWhateverItsTextsAre() async throws {
        let fixture = try Fixture()
        let texts = [#"x"#, #"\"},{\\"#, #"null"#, #"\\\""#, #"[{"#, #"a\nb é"#, #"\\"#]
        let lines = texts.enumerated().map { index, text in
            #"{"a \"k":"\#(text)","id":\#(index),"n":\#(index % 3 == 2 ? "null" : "1.5"),"j":{"b":["\#(text)",{"id":"]"}]}}"#
        }
        let report = try await fixture.run(lines) { $0.changes(.table("changed")).batch(100) }
        #expect(report.rows.added == texts.count)
        #expect(
            try fixture.server.value(
                "SELECT count(*) FROM t JOIN changed c ON c.key = jsonb_build_object('id', t.id) AND c.patch = jsonb_strip_nulls(to_jsonb(t.*))"
            )
                == "\(texts.count)")
    }

    @Test func aTableOfChangesWithOtherColumnsIsRefusedBeforeAnythingIsRead() async throws {
        for sql in ["CREATE TABLE other (id bigint, patch text)", "CREATE VIEW other AS SELECT 1 AS id"] {
            let fixture = try Fixture(sql)
            await #expect(throws: IngestError.self) {
                try await fixture.run(PostgresChangeTests.three) { $0.changes(.table("other")) }
            }
            #expect(try fixture.server.value("SELECT to_regclass('_sluice_checkpoints')") == nil)
            #expect(try fixture.server.value("SELECT to_regclass('t')") == nil)
        }
    }

    @Test func addedRowsAreChangesWhereNoneIsMerged() async throws {
        let fixture = try Fixture()
        let lines = [#"{"id":1,"a":"x"}"#, #"{"id":1,"a":"y"}"#, #"{"id":2,"a":"z"}"#]
        let report = try await fixture.run(lines) { $0.conflict(.reject).changes(.table("changed")) }
        #expect(report.rows == RowCounts(added: 2))
        #expect(report.rejected == 1)
        #expect(
            try fixture.changes() == [#"t|added|{"id": 1}|{"a": "x", "id": 1}|-"#, #"t|added|{"id": 2}|{"a": "z", "id": 2}|-"#])
        let kept = try await fixture.run([#"{"id":1,"a":"q"}"#, #"{"id":3,"a":"q"}"#]) {
            $0.conflict(.ignore).changes(.table("changed"))
        }
        #expect(kept.rows == RowCounts(added: 1, kept: 1))
        #expect(try fixture.changes().count == 3)
    }

    @Test func missingRowsTakeTheirElementsWithThem() async throws {
        let fixture = try Fixture()
        let first = [#"{"id":1,"items":[{"s":"a","p":[1,2]},{"s":"b","p":[3]}]}"#, #"{"id":2,"items":[{"s":"c","p":[4]}]}"#]
        func load(_ lines: [String]) async throws -> IngestReport {
            try await fixture.run(lines) { $0.children(.tables).changes(.table("changed")).missing(.delete) }
        }
        _ = try await load(first)
        try fixture.server.connection.run("DELETE FROM changed")
        let report = try await load([#"{"id":1,"items":[{"s":"A","p":[1,2]}]}"#, #"{"id":3,"items":[]}"#])
        #expect(report.rows == RowCounts(added: 1, same: 1, removed: 1))
        #expect(report.children.first { $0.table == "t_items" }?.rows == RowCounts(changed: 1, removed: 2))
        #expect(report.children.first { $0.table == "t_items_p" }?.rows == RowCounts(same: 2, removed: 2))
        #expect(
            try Set(fixture.changes()) == [
                #"t|added|{"id": 3}|{"id": 3}|-"#, #"t_items|changed|{"t_id": 1, "position": 0}|{"s": "A"}|-"#,
                #"t_items|removed|{"t_id": 1, "position": 1}|null|-"#,
                #"t_items_p|removed|{"t_id": 1, "position": 0, "items_position": 1}|null|-"#, #"t|removed|{"id": 2}|null|-"#,
                #"t_items|removed|{"t_id": 2, "position": 0}|null|-"#,
                #"t_items_p|removed|{"t_id": 2, "position": 0, "items_position": 0}|null|-"#,
            ])
        #expect(try fixture.server.value("SELECT to_regclass('_sluice_keys_t') IS NULL") == "t")
    }

    /// Settings of a role, of a database or of the URL that change how PostgreSQL reads or writes values, or how it plans.
    private static let hostileSettings = [
        ("extra_float_digits", "-15"), ("DateStyle", "SQL, DMY"), ("IntervalStyle", "sql_standard"), ("TimeZone", "Asia/Kolkata"),
        ("bytea_output", "escape"), ("standard_conforming_strings", "off"), ("array_nulls", "off"), ("xmloption", "document"),
        ("client_encoding", "LATIN1"), ("plan_cache_mode", "force_generic_plan"), ("client_min_messages", "debug1"),
        ("default_transaction_isolation", "serializable"), ("lock_timeout", "1"), ("quote_all_identifiers", "on"),
        ("synchronous_commit", "off"),
    ]

    @Test func settingsOfARoleOrAURLChangeNoValue() async throws {
        var results: [[[String?]]] = []
        for way in ["plain", "role", "url"] {
            let fixture = try Fixture(
                """
                CREATE TABLE t ("k\\'" text PRIMARY KEY, f float8, r real, fs float8[], at timestamptz, d date, days daterange,
                    i interval, b bytea, m money, words text[], x xml, zone text DEFAULT current_setting('TimeZone'))
                """)
            var url = fixture.server.url
            let settings = PostgresChangeTests.hostileSettings
            if way == "role" {
                let role = "hostile_" + fixture.server.schema
                try fixture.server.connection.run(
                    "CREATE ROLE \(role) LOGIN SUPERUSER; "
                        + settings.map { "ALTER ROLE \(role) SET \($0) = \($0 == "DateStyle" ? $1 : "'\($1)'");" }.joined())
                url = url.replacing("user=postgres", with: "user=" + role)
            } else if way == "url" {
                url += settings.map { "%20-c\($0)%3D\($1.replacing(", ", with: "%5C%2C%5C%20"))" }.joined()
            }
            func line(_ key: String, _ digit: Int) -> String {
                #"{"k\\'":"\#(key)","f":0.\#(digit)0000000000000004,"r":0.\#(digit)2345678,"fs":[0.\#(digit)0000000000000004],"#
                    + #""at":"2020-01-0\#(digit)T00:00:00.000001Z","d":"2020-01-0\#(digit)","days":"[01/0\#(digit)/2020,2020-12-31)","#
                    + #""i":"-1 2:03:0\#(digit)","b":"\\x00ff0\#(digit)","m":\#(digit).5,"words":["é",null,"\#(digit)"],"x":"<a/>\#(digit)"}"#
            }
            func load(_ lines: [String]) async throws {
                let report = try await fixture.run(lines, url: url) {
                    $0.primaryKey("k\\'").changes(.table("changed")).missing(.delete)
                }
                #expect(report.outcome == .complete && report.rejected == 0)
            }
            try await load([line("a", 1), line("b", 1)])
            try await load([line("a", 2)])
            // The user's own time zone is the one that defaults see.
            #expect(try fixture.server.value("SELECT zone FROM t") != "")
            #expect((try fixture.server.value("SELECT zone FROM t") == "Asia/Kolkata") == (way != "plain"))
            try fixture.server.connection.run("ALTER TABLE t DROP COLUMN zone")
            results.append(
                try fixture.server.rows("SELECT t::text FROM t")
                    + fixture.server.rows(
                        "SELECT operation, key::text, CASE WHEN operation = 'removed' THEN 'null' ELSE (patch - 'zone')::text END, nulls::text FROM changed ORDER BY number"
                    ))
        }
        #expect(results[0].count == 5)
        #expect(results[0].description.contains("0.20000000000000004"))
        #expect(results[0].description.contains("2020-01-02T00:00:00.000001+00:00"))
        #expect(results[1] == results[0])
        #expect(results[2] == results[0])
    }

    @Test func aMarkComesAndGoes() async throws {
        let fixture = try Fixture()
        _ = try await fixture.run(PostgresChangeTests.three)
        let report = try await fixture.run([PostgresChangeTests.three[1]]) { $0.missing(.mark).changes(.table("changed")) }
        #expect(report.missing?.count == 2)
        #expect(
            try fixture.server.value("SELECT string_agg(id::text, ' ' ORDER BY id) FROM t WHERE _missing_since IS NOT NULL")
                == "1 3")
        let back = try await fixture.run(PostgresChangeTests.three) { $0.missing(.mark).changes(.table("changed")) }
        #expect(back.missing?.returned == 2 && back.missing?.count == 0)
        #expect(try fixture.server.value("SELECT count(*) FROM t WHERE _missing_since IS NOT NULL") == "0")
        #expect(try fixture.server.value("SELECT count(*) FROM changed WHERE nulls = '[\"/_missing_since\"]'") == "2")
    }

    @Test func aTableOfChangesWithOtherColumnsIsRefused() async throws {
        let fixture = try Fixture("CREATE TABLE changed (x int)")
        await #expect(throws: IngestError.self) {
            try await fixture.run(PostgresChangeTests.three) { $0.changes(.table("changed")) }
        }
        #expect(try fixture.server.value("SELECT to_regclass('t') IS NULL") == "t")
    }
}
#endif
