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

        func run(_ lines: [String], _ change: (Ingest) -> Ingest = { $0 }) async throws -> IngestReport {
            let file = try FeedFile(lines)
            let ingest = Ingest([file.path], into: PostgresSink(server.url, table: "t")).key("id").conflict(.upsert).format(
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
        let place = "SELECT string_agg(ctid || ':' || xmin || ':' || xmax, ' ' ORDER BY id) FROM t"
        let before = try fixture.server.value(place)
        let report = try await fixture.run(PostgresChangeTests.three) { $0.conflict(conflict) }
        #expect(report.rows == RowCounts(same: 3))
        #expect(try fixture.server.value(place) == before)
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
        "image", "c0", "c1", "k0", "p0", "is_new", "excluded", "place", "copies", "state", "states", "was_there", "is_last",
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
