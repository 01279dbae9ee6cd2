// Equal rows, changes, and rows that a complete snapshot does not have. Histories of complete snapshots compare
// random feeds with Python, and kill the tool.

#if SQLite
import Foundation
import GRDB
import SluiceCore
import SluiceFeed
import SluiceIngest
import SluiceSQLite
import SluiceTestSupport
import Synchronization
import Testing

/// A source that counts how often it is read.
private final class UnreadSource: BufferSource, Sendable {
    let reads = Atomic<Int>(0)

    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(JSONError) -> Int {
        reads.add(1, ordering: .relaxed)
        return 0
    }
}

/// The text of a new row gives the same change as its values do.
@Suite struct RowTextChangeTests {
    @Test(arguments: [
        #"{"id":7,"v":"a \"b\" null","w":true}"#, #"{"id":7,"v":null}"#, #"{"id":7,"v":{"a":[null]}}"#,
        #"{"id":7,"v":[[1,null]]}"#,
        #"{"id":7,"v":["n",{"a":"null"}]}"#, #"{"id":7,"v":{}}"#, #"{"id":7,"v":[]}"#, #"{"id": 7, "v": 1}"#, #"{"id":7,"v":1} "#,
        #" {"id":7}"#,
        #"{"id":"é,\"\\","v":-1.50}"#, #"{"v":1,"id":7}"#, #"{"id":1e2}"#, #"{"v":1}"#, "{}", #"{"id":7,"v":"#, #"{"id":7"#,
        #"{"ID":7,"v":1}"#, #"{"id":7,"id":8}"#,
    ])
    func theTextOfANewRowIsTheChangeThatItsValuesAre(_ text: String) throws {
        let values = (try? JSONValue(json: text))?.object ?? JSONObject()
        let (fast, slow) = (ChangeRecorder(table: "t", key: ["id"]), ChangeRecorder(table: "t", key: ["id"]))
        for recorder in [fast, slow] { recorder.add(row: 0, before: nil as JSONObject?, after: ["id": 1, "v": "x"]) }
        fast.add(row: 1, before: nil as String?, after: text)
        slow.add(row: 1, before: nil as JSONObject?, after: values)
        let entries = [fast, slow].map { $0.entries[1] }
        #expect(entries[0].key == entries[1].key)
        #expect(try JSONValue(json: entries[0].patch) == JSONValue(json: entries[1].patch))
        #expect(entries[0].nulls == entries[1].nulls && entries[0].operation == .added)
    }
}

@Suite struct ChangeTests {
    /// A folder with feeds, and the database that they are read into.
    private struct Fixture {
        let scratch: Scratch
        let queue: DatabaseQueue

        init(_ sql: String = "") throws {
            scratch = try Scratch()
            queue = try DatabaseQueue()
            try queue.write { try $0.execute(sql: sql) }
        }

        func ingest(_ lines: [String], _ name: String = UUID().uuidString) throws -> Ingest {
            let path = try scratch.file("\(name).ndjson", lines.map { $0 + "\n" }.joined())
            return Ingest([path], into: SQLiteSink(queue, table: "t")).primaryKey("id").conflict(.upsert).format(.lines)
        }

        /// The rows of a statement, each as its values joined by bars.
        func rows(_ sql: String) throws -> [String] {
            try queue.read { db in
                try Row.fetchAll(db, sql: sql).map { row in
                    row.databaseValues.map { $0.isNull ? "-" : "\($0.storage.value ?? "")" }.joined(separator: "|")
                }
            }
        }

        func changes() throws -> [String] {
            try rows("SELECT table_name, operation, key, patch, nulls FROM changed ORDER BY number")
        }
    }

    // MARK: Merge patches

    private static func value(_ random: inout SystemRandomNumberGenerator, _ depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
        case 0: .null
        case 1: .bool(.random(using: &random))
        case 2: .number(JSONNumber(Int.random(in: 0..<3, using: &random)))
        case 3: .string(["", "a", "e\u{301}", "\u{e9}"].randomElement(using: &random) ?? "")
        case 4: .array((0..<Int.random(in: 0..<3, using: &random)).map { _ in value(&random, depth - 1) })
        default: .object(object(&random, depth - 1))
        }
    }

    private static func object(_ random: inout SystemRandomNumberGenerator, _ depth: Int) -> JSONObject {
        var object = JSONObject()
        for key in ["a", "b/c", "~d", "e"] where Bool.random(using: &random) { object[key] = value(&random, depth) }
        return object
    }

    /// RFC 7396, section 2.
    private static func merge(_ target: JSONValue?, _ patch: JSONValue) -> JSONValue {
        guard case .object(let patch) = patch else { return patch }
        var object = target?.object ?? JSONObject()
        for (key, value) in patch.members {
            // There are two kinds of nil: this one removes the member.
            object[key] = value == .null ? JSONValue?.none : .some(merge(object[key], value))
        }
        return .object(object)
    }

    /// A value whose objects have their members in the order of the keys: a patch says nothing about order.
    private static func sorted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let object):
            .object(JSONObject(object.members.sorted { $0.key < $1.key }.map { (key: $0.key, value: sorted($0.value)) }))
        case .array(let elements): .array(elements.map(sorted))
        default: value
        }
    }

    private static func putNull(_ value: JSONValue, _ path: ArraySlice<String>) -> JSONValue {
        guard let key = path.first, var object = value.object else { return .null }
        object[key] = putNull(object[key] ?? .null, path.dropFirst())
        return .object(object)
    }

    @Test func aPatchWithItsNullsLeadsFromOneObjectToTheOther() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<5_000 {
            let (before, after) = (ChangeTests.object(&random, 4), ChangeTests.object(&random, 4))
            // The columns of a row are there, even if they are null.
            let difference = MergePatch(from: ["row": .object(before)], to: ["row": .object(after)])
            var result = ChangeTests.merge(.object(["row": .object(before)]), .object(difference.patch))
            for pointer in difference.nulls {
                let path = pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
                    String($0).replacing("~1", with: "/").replacing("~0", with: "~")
                }
                result = ChangeTests.putNull(result, path[...])
            }
            let wanted = JSONValue.object(["row": .object(after)])
            #expect(
                ChangeTests.sorted(result) == ChangeTests.sorted(wanted),
                "\(before) to \(after): \(difference.patch), \(difference.nulls)")
        }
    }

    @Test func aMergePatchTellsNullFromRemovedAndReplacesArrays() throws {
        let before: JSONObject = ["a": 1, "j": ["x": 1, "y": 2, "l": [1, ["k": nil]]], "gone": "g"]
        let after: JSONObject = ["a": 1, "j": ["x": nil, "l": [1]], "new": ["n": nil]]
        let difference = MergePatch(from: before, to: after)
        #expect(
            try JSONValue.object(difference.patch).jsonString()
                == #"{"j":{"x":null,"l":[1],"y":null},"new":{"n":null},"gone":null}"#)
        #expect(difference.nulls == ["/gone", "/j/x", "/new/n"])
    }

    // MARK: Equal rows

    private static let three = [
        #"{"id":1,"a":"x","n":1.5,"j":[1]}"#, #"{"id":2,"a":"y","n":2,"j":null}"#, #"{"id":3,"a":null,"n":3,"j":[]}"#,
    ]

    @Test(arguments: [KeyConflict.upsert, .replace]) func equalRowsAreTheSame(conflict: KeyConflict) async throws {
        let fixture = try Fixture()
        _ = try await fixture.ingest(ChangeTests.three).run()
        let report = try await fixture.ingest(ChangeTests.three, "second").conflict(conflict).run()
        #expect(report.rows == RowCounts(same: 3))
        // A row that somebody else has changed is written again.
        try await fixture.queue.write { try $0.execute(sql: "UPDATE t SET a = 'mine' WHERE id = 2") }
        let third = try await fixture.ingest(ChangeTests.three, "third").conflict(conflict).run()
        #expect(third.rows == RowCounts(changed: 1, same: 2))
        #expect(try fixture.rows("SELECT a FROM t") == ["x", "y", "-"])
    }

    /// A record whose row is equal is not stored. The same load without that comparison, which a trigger prevents, gives the same.
    @Test(arguments: [KeyConflict.upsert, .replace]) func comparingBeforeStoringChangesNothing(conflict: KeyConflict) async throws
    {
        let types = [
            "INTEGER", "REAL", "NUMERIC", "TEXT", "BLOB", "", "TEXT COLLATE NOCASE", "INTEGER DEFAULT 5", "TEXT DEFAULT 'd'",
            "BOOLEAN",
            "TEXT CHECK (c1 <> 'abc')",
        ]
        let values = [
            "null", "0", "1", "-1", "1.0", "1.5", "9007199254740993", "9223372036854775808", "1e15", "1e300", "-0.0", "true",
            "false",
            "\"\"", "\"1\"", "\"01\"", "\"1.0\"", "\"1.5\"", "\"abc\"", "\"ABC\"", "\"true\"", "[1]", "{\"a\": 1}",
            "\"a\\u0000b\"",
        ]
        for _ in 0..<60 {
            let key = ["INTEGER", "TEXT", "TEXT COLLATE NOCASE", "REAL", ""].randomElement()!
            let columns = (0..<4).map { "c\($0) \(types.randomElement()!.replacing("c1", with: "c\($0)"))" }
            let generated = Bool.random() ? ", g TEXT AS (c0 || 'g')" : ""
            let sql = "CREATE TABLE t (id \(key) PRIMARY KEY, \(columns.joined(separator: ", "))\(generated))"
            func record() -> String {
                let id = key.hasPrefix("TEXT") ? "\"\(["a", "A", "b", "B", "c"].randomElement()!)\"" : "\(Int.random(in: 0..<9))"
                let members = (0..<4).filter { _ in Int.random(in: 0..<4) > 0 }.map { "\"c\($0)\":\(values.randomElement()!)" }
                return "{\(([#""id":\#(id)"#] + members).joined(separator: ","))}"
            }
            let first = (0..<20).map { _ in record() }
            let second = (first + (0..<5).map { _ in record() }).shuffled()
            var results: [[String]] = []
            for trigger in ["", ";CREATE TRIGGER off AFTER DELETE ON t BEGIN SELECT 1; END"] {
                let fixture = try Fixture(sql + trigger)
                var result: [String] = []
                for (name, lines) in [("first", first), ("second", second), ("third", second)] {
                    let report = try await fixture.ingest(lines, name).conflict(conflict).existing(.append).run()
                    result.append("\(report.rows) \(report.rejected) \(report.typeDeviations) \(report.digitLosses)")
                }
                results.append(
                    try result + fixture.rows("SELECT *, typeof(c0), typeof(c1), typeof(c2), typeof(c3) FROM t ORDER BY id"))
            }
            #expect(results[0] == results[1], "\(sql) \(first) \(second)")
        }
    }

    @Test func unchangedRowsWriteNoPage() async throws {
        let scratch = try Scratch()
        let path = scratch.path("pages.db")
        let pool = try DatabasePool(path: path)
        let input = try scratch.records("in.ndjson", 1...20_000)
        let ingest = Ingest([input], into: SQLiteSink(pool, table: "t")).primaryKey("id").conflict(.upsert)
        _ = try await ingest.run()
        try await pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        let report = try await ingest.restarting().run()
        #expect(report.rows == RowCounts(same: 20_000))
        let size = try Data(contentsOf: URL(fileURLWithPath: path + "-wal")).count
        // The row of the input's checkpoint is written when the run claims it, with each batch, and at the end.
        #expect(size < 12 * 4_200, "\(size) bytes")
    }

    @Test(arguments: [
        "CREATE TABLE t (id TEXT PRIMARY KEY COLLATE NOCASE, a TEXT)",
        "CREATE TABLE t (id TEXT, a TEXT, PRIMARY KEY (id COLLATE NOCASE))",
        "CREATE TABLE t (id TEXT PRIMARY KEY COLLATE NOCASE, a TEXT) WITHOUT ROWID",
        "CREATE TABLE t (id TEXT PRIMARY KEY COLLATE NOCASE, a TEXT, twice TEXT AS (a || a))",
        "CREATE TABLE t (id TEXT NOT NULL COLLATE NOCASE UNIQUE, a TEXT, b TEXT DEFAULT 'd')",
    ])
    func aKeyIsFoundAsItsIndexComparesIt(sql: String) async throws {
        let fixture = try Fixture(sql)
        _ = try await fixture.ingest([#"{"id":"A","a":"x"}"#, #"{"id":"B","a":"y"}"#]).run()
        let report = try await fixture.ingest([#"{"id":"b","a":"y"}"#, #"{"id":"a","a":"x"}"#, #"{"id":"b","a":"Y"}"#], "2").run()
        #expect(report.rows == RowCounts(changed: 1, same: 2))
        #expect(try fixture.rows("SELECT id, a FROM t ORDER BY id") == ["A|x", "B|Y"])
    }

    @Test func rulesOfATableSeeRecordsThatLackColumns() async throws {
        let fixture = try Fixture("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL, n INTEGER)")
        _ = try await fixture.ingest([#"{"id":1,"a":"x","n":1}"#]).run()
        let report = try await fixture.ingest([#"{"id":1,"a":"x","n":1}"#, #"{"id":1,"n":1}"#, #"{"id":1,"n":2}"#], "2").run()
        #expect(report.rows == RowCounts(same: 1))
        #expect(report.rejected == 2)
    }

    @Test func aTriggerSeesEachRecord() async throws {
        let fixture = try Fixture(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); CREATE TABLE log (id);
            CREATE TRIGGER seen BEFORE INSERT ON t BEGIN INSERT INTO log VALUES (new.id); END;
            """)
        _ = try await fixture.ingest([#"{"id":1,"a":"x"}"#]).run()
        let report = try await fixture.ingest([#"{"id":1,"a":"x"}"#, #"{"id":1,"a":"x"}"#], "2").run()
        #expect(report.rows == RowCounts(same: 2))
        #expect(try fixture.rows("SELECT count(*) FROM log") == ["3"])
    }

    /// The next row of the table has all values of the record, which has no key.
    @Test func aRecordWithoutAKeyIsNotTheNextRow() async throws {
        let fixture = try Fixture()
        _ = try await fixture.ingest((1...5).map { #"{"id":\#($0),"a":"x"}"# }).run()
        let lines = [#"{"id":1,"a":"x"}"#, #"{"id":2,"a":"x"}"#, #"{"a":"x"}"#, #"{"id":null,"a":"x"}"#, #"{"id":4,"a":"x"}"#]
        let report = try await fixture.ingest(lines, "2").run()
        #expect(report.rows == RowCounts(same: 3))
        #expect(report.rejected == 2)
    }

    // MARK: Changes

    @Test(arguments: [1, 2, 100]) func changesSayWhatIsDifferent(batch: Int) async throws {
        let fixture = try Fixture()
        _ = try await fixture.ingest(ChangeTests.three, "first").changes(.table("changed")).batch(batch).run()
        let lines = [
            #"{"id":1,"a":"x","n":1.5,"j":[1,null]}"#, #"{"id":2,"a":null,"n":2}"#, #"{"id":3,"n":3,"j":[]}"#,
            #"{"id":2,"late":true}"#,
        ]
        let report = try await fixture.ingest(lines, "second").changes(.table("changed")).batch(batch).run()
        #expect(report.rows == RowCounts(changed: 3, same: 1))
        let added = try fixture.changes().prefix(3).map { $0.replacing("2.0", with: "2").replacing("3.0", with: "3") }
        #expect(
            added == [
                #"t|added|{"id":1}|{"id":1,"a":"x","n":1.5,"j":[1]}|-"#, #"t|added|{"id":2}|{"id":2,"a":"y","n":2}|-"#,
                #"t|added|{"id":3}|{"id":3,"n":3,"j":[]}|-"#,
            ])
        #expect(
            try fixture.changes().dropFirst(3) == [
                #"t|changed|{"id":1}|{"j":[1,null]}|-"#, #"t|changed|{"id":2}|{"a":null}|["/a"]"#,
                #"t|changed|{"id":2}|{"late":true}|-"#,
            ])
        let positions = try fixture.rows("SELECT line, byte_position FROM changed ORDER BY number DESC LIMIT 1")
        #expect(positions == ["4|\(lines.prefix(3).map { $0.utf8.count + 1 }.reduce(0, +))"])
        #expect(try fixture.rows("SELECT DISTINCT file LIKE '%second.ndjson' FROM changed WHERE operation = 'changed'") == ["1"])
    }

    @Test func refusedAndKeptRowsAreNoChanges() async throws {
        let fixture = try Fixture("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT CHECK (a <> 'bad'))")
        _ = try await fixture.ingest([#"{"id":1,"a":"x"}"#]).run()
        let lines = [#"{"id":1,"a":"y"}"#, #"{"id":2,"a":"bad"}"#, #"{"id":3,"a":"z"}"#]
        let report = try await fixture.ingest(lines, "2").conflict(.ignore).changes(.table("changed")).run()
        #expect(report.rows == RowCounts(added: 1, kept: 1))
        #expect(try fixture.changes() == [#"t|added|{"id":3}|{"id":3,"a":"z"}|-"#])
    }

    @Test func changesOfChildTablesStandByThemselves() async throws {
        let fixture = try Fixture()
        let first = [#"{"id":1,"items":[{"s":"a","p":[1,2]},{"s":"b","p":[3]}]}"#, #"{"id":2,"items":[{"s":"c","p":[]}]}"#]
        _ = try await fixture.ingest(first).children(.tables).changes(.table("changed")).run()
        try await fixture.queue.write { try $0.execute(sql: "DELETE FROM changed") }
        let second = [#"{"id":1,"items":[{"s":"A","p":[1,2]}]}"#, #"{"id":3,"items":[]}"#]
        let report = try await fixture.ingest(second, "2").children(.tables).changes(.table("changed")).missing(.delete).run()
        #expect(report.rows == RowCounts(added: 1, same: 1, removed: 1))
        let items = report.children.first { $0.table == "t_items" }
        let parts = report.children.first { $0.table == "t_items_p" }
        #expect(items?.rows == RowCounts(changed: 1, removed: 2))
        #expect(parts?.rows == RowCounts(same: 2, removed: 1))
        #expect(
            try fixture.changes() == [
                #"t|added|{"id":3}|{"id":3}|-"#,
                #"t_items|changed|{"t_id":1,"position":0}|{"s":"A"}|-"#,
                #"t_items|removed|{"t_id":1,"position":1}|null|-"#,
                #"t_items_p|removed|{"t_id":1,"items_position":1,"position":0}|null|-"#,
                #"t|removed|{"id":2}|null|-"#,
                #"t_items|removed|{"t_id":2,"position":0}|null|-"#,
            ])
        #expect(try fixture.rows("SELECT line FROM changed ORDER BY number") == ["2", "1", "1", "1", "-", "-"])
    }

    @Test func sensitiveColumnsAreNamedAndNotShown() async throws {
        let fixture = try Fixture()
        let lines = [#"{"id":1,"secret":"s3cr3t","j":{"deep":{"pin":"4711"},"b":1},"more":[{"token":"t0k"}]}"#, #"{"id":2}"#]
        _ = try await fixture.ingest(lines).sensitive("secret", "j.deep", "more").changes(.table("changed")).run()
        #expect(
            try fixture.rows("SELECT patch, hidden FROM changed") == [
                #"{"id":1,"j_b":1}|["/secret","/j_deep_pin","/more"]"#, #"{"id":2}|-"#,
            ])
        await #expect(throws: IngestError.self) {
            try await fixture.ingest(lines, "2").sensitive("id").changes(.table("changed")).run()
        }
    }

    @Test func changesNeedAKeyAndAPlaceOfTheirOwn() async throws {
        let fixture = try Fixture("CREATE TABLE other (id INTEGER); CREATE TABLE free (x)")
        func refuses(_ change: (Ingest) -> Ingest) async throws {
            let ingest = try change(fixture.ingest(ChangeTests.three))
            await #expect(throws: IngestError.self) { try await ingest.run() }
        }
        try await refuses { $0.changes(.table("t")) }
        try await refuses { $0.changes(.table("other")) }
        try await refuses { $0.changes(.table("bad")).rejects(.table("bad")) }
        try await refuses { $0.changes(.table("changed")).existing(.truncate) }
        try await refuses {
            $0.changes(.file(path: fixture.scratch.path("x.ndjson"))).rejects(.file(path: fixture.scratch.path("./x.ndjson")))
        }
        let keyless = Ingest([try fixture.scratch.file("k.ndjson", "{\"a\":1}\n")], into: SQLiteSink(fixture.queue, table: "t"))
        await #expect(throws: IngestError.self) { try await keyless.changes(.table("changed")).run() }
        let lines = Ingest(
            [try fixture.scratch.file("l.ndjson", "{\"a\":1}\n")], into: FileSink(path: fixture.scratch.path("o.ndjson"), .ndjson)
        )
        await #expect(throws: IngestError.self) { try await lines.changes(.file(path: fixture.scratch.path("c.ndjson"))).run() }
        #expect(try await fixture.queue.read { try !$0.tableExists("t") })
        #expect(try fixture.rows("SELECT * FROM other").isEmpty)
    }

    /// Nothing is read for a table that cannot take changes, and the database stays as it is.
    @Test func aTableOfChangesWithOtherColumnsIsRefusedBeforeAnythingIsRead() async throws {
        let fixture = try Fixture("CREATE TABLE other (id INTEGER, patch TEXT)")
        for isDryRun in [false, true] {
            let source = UnreadSource()
            let ingest = Ingest(source, into: SQLiteSink(fixture.queue, table: "t")).primaryKey("id").changes(.table("other"))
            do {
                _ = try await (isDryRun ? ingest.dryRun() : ingest).run()
                Issue.record("a table with other columns takes changes")
            } catch let error as IngestError {
                #expect("\(error)".contains("a table other already that is no table of changes"))
                guard case .database = error else { throw error }
            }
            #expect(source.reads.load(ordering: .relaxed) == 0)
            #expect(try fixture.rows("SELECT name FROM sqlite_master ORDER BY name") == ["other"])
        }
    }

    // MARK: Missing rows

    private func numbered(_ ids: ClosedRange<Int>) -> [String] { ids.map { #"{"id":\#($0),"a":"n\#($0)"}"# } }

    @Test func rowsThatASnapshotLacksAreRemoved() async throws {
        let fixture = try Fixture()
        _ = try await fixture.ingest(numbered(1...10), "1").missing(.delete).run()
        let report = try await fixture.ingest(numbered(4...12), "2").missing(.delete).batch(3).changes(.table("changed")).run()
        #expect(report.rows == RowCounts(added: 2, same: 7, removed: 3))
        #expect(report.missing?.count == 3)
        #expect(try fixture.rows("SELECT group_concat(id) FROM (SELECT id FROM t ORDER BY id)") == ["4,5,6,7,8,9,10,11,12"])
        #expect(try fixture.rows("SELECT operation, count(*) FROM changed GROUP BY 1") == ["added|2", "removed|3"])
        #expect(
            try fixture.rows("SELECT name FROM sqlite_master WHERE name LIKE '\\_sluice%' ESCAPE '\\' AND type = 'table'") == [
                "_sluice_checkpoints", "_sluice_memory",
            ])
        #expect(try await fixture.ingest(numbered(4...12), "2").missing(.delete).run().outcome == .nothingToDo)
    }

    @Test func aMarkComesAndGoes() async throws {
        let fixture = try Fixture()
        _ = try await fixture.ingest(numbered(1...3), "1").run()
        let report = try await fixture.ingest(numbered(2...3), "2").missing(.mark).changes(.table("changed")).run()
        #expect(report.missing?.count == 1)
        #expect(try fixture.rows("SELECT id FROM t WHERE _missing_since IS NOT NULL") == ["1"])
        let back = try await fixture.ingest(numbered(1...2), "3").missing(.mark).changes(.table("changed")).run()
        #expect(back.missing?.returned == 1 && back.missing?.count == 1)
        #expect(try fixture.rows("SELECT id FROM t WHERE _missing_since IS NOT NULL") == ["3"])
        #expect(
            try fixture.rows("SELECT key, json_type(patch, '$._missing_since'), nulls FROM changed ORDER BY number") == [
                #"{"id":1}|text|-"#, #"{"id":1}|null|["/_missing_since"]"#, #"{"id":3}|text|-"#,
            ])
    }

    @Test func noRowIsMissingUnlessAllInputsAreWhole() async throws {
        let fixture = try Fixture()
        _ = try await fixture.ingest(numbered(1...5), "1").run()
        func stays(_ lines: [String], _ name: String) async throws {
            let report = try await fixture.ingest(lines, name).missing(.delete).run()
            #expect(report.missing?.refusal != nil, "\(name)")
            #expect(!report.isWhole)
            #expect(try fixture.rows("SELECT count(*) FROM t") == ["5"], "\(name)")
        }
        try await stays(numbered(2...3) + ["{"], "wrong")
        try await stays([], "empty")
        // The next run, which has nothing else to do, reports it again.
        try await stays(numbered(2...3) + ["{"], "wrong")
        for change: (Ingest) -> Ingest in [{ $0.limit(1) }, { $0.contract(.discardRow) }, { $0.conflict(.reject) }] {
            let ingest = try change(fixture.ingest(numbered(1...2), "limit").missing(.delete))
            await #expect(throws: IngestError.self) { try await ingest.run() }
        }
        // The keys that an earlier run has read were not noted.
        _ = try await fixture.ingest(numbered(2...3), "plain").run()
        await #expect(throws: IngestError.self) { try await fixture.ingest(numbered(2...3), "plain").missing(.delete).run() }
        let report = try await fixture.ingest(numbered(2...3), "plain").missing(.delete).restarting().run()
        #expect(report.rows.removed == 3)
    }

    @Test func aRunWithoutMissingInTheMiddleOfALoadIsNoticed() async throws {
        let fixture = try Fixture()
        let lines = [#"{"id":1}"#, #"{"id":2}"#, #"{"id":3}"#, #"{"id":4,"new":1}"#, #"{"id":5}"#]
        let load = try fixture.ingest(lines, "load").missing(.delete)
        let stopped = try await load.contract(.freeze).sample(2).run()
        #expect(stopped.outcome != .complete)
        #expect(stopped.rows.added == 3)
        // Inputs of other runs do not matter: their rows may be missing ones.
        _ = try await fixture.ingest([#"{"id":9}"#]).run()
        _ = try await fixture.ingest(lines, "load").run()
        await #expect(throws: IngestError.self) { try await load.run() }
        #expect(try fixture.rows("SELECT count(*) FROM t") == ["6"])
        let report = try await load.restarting().run()
        #expect(report.rows == RowCounts(same: 5, removed: 1))
    }

    @Test func aTriggerThatChangesKeysRemovesNoRow() async throws {
        let fixture = try Fixture(
            """
            CREATE TABLE t (id TEXT PRIMARY KEY, v);
            CREATE TRIGGER lower AFTER INSERT ON t BEGIN UPDATE t SET id = lower(id) WHERE id = new.id; END
            """)
        let lines = [#"{"id":"A","v":1}"#, #"{"id":"B","v":2}"#]
        for missing in [MissingRows.delete, .mark] {
            let report = try await fixture.ingest(lines).missing(missing).run()
            #expect(report.missing?.refusal != nil)
            #expect(!report.isWhole)
            #expect(try fixture.rows("SELECT id, v FROM t ORDER BY id") == ["a|1", "b|2"])
        }
    }

    @Test func missingRowsNeedTheWholeKeyInTheRecords() async throws {
        let fixture = try Fixture("CREATE TABLE t (id INTEGER, tenant TEXT NOT NULL DEFAULT 'x', PRIMARY KEY (id, tenant))")
        let ingest = try fixture.ingest(numbered(1...2)).primaryKey("id", "tenant").missing(.delete)
        await #expect(throws: IngestError.self) { try await ingest.run() }
        #expect(try fixture.rows("SELECT count(*) FROM t") == ["0"])
    }

    @Test func missingRowsThatHaveChildRowsNeedTheChildTables() async throws {
        let fixture = try Fixture()
        let lines = [#"{"id":1,"items":[{"n":1}]}"#, #"{"id":2,"items":[{"n":2},{"n":3}]}"#]
        _ = try await fixture.ingest(lines, "1").children(.tables).run()
        let load = try fixture.ingest([#"{"id":1}"#], "2").missing(.delete).changes(.table("changed"))
        let error = await #expect(throws: IngestError.self) { try await load.run() }
        #expect(error?.description.contains("t_items") == true)
        #expect(try fixture.rows("SELECT count(*) FROM t_items") == ["3"])
        let whole = try fixture.ingest([lines[0]], "3").children(.tables).missing(.delete).changes(.table("changed"))
        #expect(try await whole.run().rows.removed == 1)
        #expect(try fixture.rows("SELECT table_name, count(*) FROM changed GROUP BY 1") == ["t|1", "t_items|2"])
    }

    @Test func keysOfAStrictTableAreNotedAsTheyAre() async throws {
        let fixture = try Fixture("CREATE TABLE t (id ANY PRIMARY KEY, v ANY) STRICT")
        _ = try await fixture.ingest([#"{"id":"1","v":1}"#, #"{"id":"01","v":1}"#]).run()
        let report = try await fixture.ingest([#"{"id":"01","v":1}"#]).missing(.delete).run()
        #expect(report.rows == RowCounts(same: 1, removed: 1))
        #expect(try fixture.rows("SELECT id FROM t") == ["01"])
    }

    @Test func aValueOfTheRecordsNamedAsTheMarksIsKept() async throws {
        let fixture = try Fixture()
        let lines = [#"{"id":1,"_missing_since":"boo"}"#]
        _ = try await fixture.ingest(lines, "1").missing(.mark).run()
        #expect(try fixture.rows("SELECT _missing_since_2 FROM t") == ["boo"])
        // A key that comes after the sample, and a run without marks.
        _ = try await fixture.ingest([#"{"id":1}"#, #"{"id":2,"_missing_since":"late"}"#], "2").sample(1).missing(.mark).run()
        _ = try await fixture.ingest([#"{"id":3}"#], "3").missing(.mark).run()
        _ = try await fixture.ingest([#"{"id":1,"_missing_since":"again"}"#], "4").run()
        let rows = try fixture.rows("SELECT id, _missing_since_2, _missing_since IS NULL FROM t ORDER BY id")
        #expect(rows == ["1|again|0", "2|late|0", "3|-|1"])
        // A table whose records have had the column.
        let other = try Fixture()
        _ = try await other.ingest(lines, "1").run()
        let load = try other.ingest([#"{"id":1}"#], "2").missing(.delete)
        await #expect(throws: IngestError.self) { try await load.run() }
        #expect(try other.rows("SELECT _missing_since FROM t") == ["boo"])
    }

    @Test(arguments: [1, 3, 5]) func aRunThatStopsRemovesNothing(limit: Int) async throws {
        let fixture = try Fixture()
        _ = try await fixture.ingest(numbered(1...12), "1").run()
        // The run ends at the record that exceeds the limit. The keys that it has noted stay.
        let wrong = Array(numbered(3...12)[..<limit]) + ["{"] + Array(numbered(3...12)[limit...])
        let stopped = try await fixture.ingest(wrong, "2").missing(.delete).batch(2).maximumErrors(0).run()
        #expect(stopped.outcome == .tooManyErrors)
        #expect(try fixture.rows("SELECT count(*) FROM t") == ["12"])
        #expect(try fixture.rows("SELECT count(*) > 0 FROM _sluice_keys_t") == ["1"])
        let report = try await fixture.ingest(numbered(3...12), "2").missing(.delete).batch(2).restarting().run()
        #expect(report.rows.removed == 2)
        #expect(try fixture.rows("SELECT min(id), count(*) FROM t") == ["3|10"])
    }

    @Test func aKeyOfSeveralColumnsIsMissingAsAWhole() async throws {
        let fixture = try Fixture()
        let first = [#"{"id":1,"p":"a"}"#, #"{"id":1,"p":"b"}"#, #"{"id":2,"p":"a"}"#]
        _ = try await fixture.ingest(first).primaryKey("id", "p").run()
        let report = try await fixture.ingest([first[1]], "2").primaryKey("id", "p").missing(.delete).changes(.table("changed"))
            .run()
        #expect(report.rows == RowCounts(same: 1, removed: 2))
        #expect(try fixture.changes() == [#"t|removed|{"id":1,"p":"a"}|null|-"#, #"t|removed|{"id":2,"p":"a"}|null|-"#])
    }
}
#endif
