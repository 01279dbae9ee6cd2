// The elements of arrays as rows of tables of their own. `ChildTableTests` has the same for SQLite.

#if PostgreSQL
import Foundation
import SluiceCore
import SluiceFeed
import SluiceIngest
@testable import SluicePostgres
import Testing

@Suite(.needsServer) struct PostgresChildTests {
    private static let orders = [
        #"{"id":1,"items":[{"sku":"a","tags":["x","y"]},{"sku":"b"}],"notes":["n"]}"#,
        #"{"id":2,"items":[]}"#,
        #"{"id":3,"items":null}"#,
        #"{"id":4,"items":[{"sku":"c","price":{"net":5}}]}"#,
    ]

    /// A feed, read into a table of a database of its own.
    private struct Fixture {
        let server: PostgresServer

        init() throws { server = try PostgresServer() }

        func run(_ lines: [String], _ change: (Ingest) -> Ingest = { $0 }) async throws -> IngestReport {
            let file = try FeedFile(lines)
            let ingest = Ingest([file.path], into: PostgresSink(server.url, table: "orders"))
            let report = try await change(ingest.primaryKey("id").children(.tables).format(.lines)).run()
            #expect(file.path.isEmpty == false)  // the file lives until here
            return report
        }
    }

    private func skus(_ fixture: Fixture) throws -> String? {
        try fixture.server.value(
            "SELECT string_agg(orders_id || ':' || position || ':' || sku, ' ' ORDER BY orders_id, position) FROM orders_items")
    }

    private func tags(_ fixture: Fixture) throws -> String? {
        try fixture.server.value(
            """
            SELECT string_agg(orders_id || ':' || items_position || ':' || position || ':' || value, ' '
                ORDER BY orders_id, items_position, position) FROM orders_items_tags
            """)
    }

    @Test(arguments: [1, 2]) func elementsAreRowsWithTheKeysOfTheirRecords(workers: Int) async throws {
        let fixture = try Fixture()
        let report = try await fixture.run(PostgresChildTests.orders) { $0.workers(workers).batch(2) }
        #expect(report.outcome == .complete)
        #expect(try skus(fixture) == "1:0:a 1:1:b 4:0:c")
        #expect(try tags(fixture) == "1:0:0:x 1:0:1:y")
        #expect(report.children.map(\.rows.added) == [3, 2, 1])
        try fixture.server.connection.run("DELETE FROM orders WHERE id = 1")
        #expect(try skus(fixture) == "4:0:c")
        #expect(try fixture.server.value("SELECT count(*) FROM orders_items_tags") == "0")
    }

    @Test func aValueWhoseFormDiffersFromThatOfEarlierRunsIsStoredOnce() async throws {
        let fixture = try Fixture()
        let days = [
            [#"{"id":1,"a":{},"b":{"d":[1,2],"e":1},"items":[{"c":{}}]}"#],
            [
                #"{"id":1,"a":{"x":1},"b":{"d":[3],"e":2},"items":[{"c":{"x":1}},{"c":{"x":2}}]}"#, #"{"id":2,"b":5}"#,
                #"{"id":3,"a":{"x":null}}"#,
            ],
            [#"{"id":1,"a":{"x":4},"b":null}"#, #"{"id":3,"a":5}"#, #"{"id":4,"a":"five"}"#],
        ]
        for day in days {
            let report = try await fixture.run(day) { $0.existing(.append).conflict(.upsert).sample(1) }
            #expect(report.isWhole, "\(report)")
        }
        // A column of JSON keeps the types of JSON.
        #expect(
            try fixture.server.value("SELECT string_agg(id || ':' || a::text, ' ' ORDER BY id) FROM orders") == #"3:5 4:"five""#)
        #expect(try fixture.server.value("SELECT string_agg(id || ':' || a_x, ' ' ORDER BY id) FROM orders") == "1:4")
        #expect(try fixture.server.value("SELECT count(*) FROM orders WHERE id = 1 AND b_e IS NULL") == "1")
        #expect(try fixture.server.value("SELECT count(*) FROM orders_b_d") == "0")
        #expect(
            try fixture.server.value("SELECT string_agg(coalesce(c::text, '-') || c_x, ' ' ORDER BY position) FROM orders_items")
                == "-1 -2")
    }

    private static let longName = String(repeating: "long_name_", count: 7)

    @Test func childTablesNeedDifferentNamesOf63Bytes() async throws {
        let fixture = try Fixture()
        let lines = [#"{"id":1}"#, #"{"id":2,"\#(Self.longName)a":[1],"\#(Self.longName)b":[2,3]}"#]
        await #expect(throws: IngestError.self) { _ = try await fixture.run(lines) }
        #expect(try fixture.server.value("SELECT to_regclass('orders') IS NULL") == "t")
        // After the sample, the batch of the first such record is not stored.
        let late = try await fixture.run(lines) { $0.sample(1).batch(1) }
        guard case .failed(let reason) = late.outcome else { return #expect(Bool(false), "it is stored") }
        #expect(reason.description.contains("would have one name: PostgreSQL cuts names after 63 bytes"))
        #expect(try fixture.server.value("SELECT string_agg(id::text, ' ') FROM orders") == "1")
    }

    @Test func keysOfElementsThatTheServerCutsAlikeAreAnErrorInALaterCommandToo() async throws {
        let fixture = try Fixture()
        let name = String(repeating: "k", count: 63)
        func load(_ id: Int, _ key: String) async throws {
            _ = try await fixture.run([#"{"id":\#(id),"items":[{"\#(key)":\#(id),"in":[{"\#(key)":\#(id)}]}]}"#]) {
                $0.existing(.append)
            }
        }
        try await load(1, name + "a")
        await #expect(throws: IngestError.self) { try await load(2, name + "b") }
        await #expect(throws: IngestError.self) { try await load(2, name) }
        try await load(3, name + "a")
        for table in ["orders_items", "orders_items_in"] {
            #expect(try fixture.server.value("SELECT string_agg(\(name)::text, ' ' ORDER BY \(name)) FROM \(table)") == "1 3")
        }
    }

    @Test func aColumnOfElementsThatHasOnlyHadNullGetsTheTypeOfItsFirstValues() async throws {
        let fixture = try Fixture()
        _ = try await fixture.run([#"{"id":1,"items":[{"a":null,"b":"x"}]}"#])
        let report = try await fixture.run([#"{"id":2,"items":[{"a":5,"b":"y"}]}"#]) { $0.existing(.append) }
        #expect(report.isWhole)
        #expect(try fixture.server.value("SELECT pg_typeof(a)::text FROM orders_items WHERE orders_id = 2") == "bigint")
        #expect(try fixture.server.value("SELECT string_agg(b, '' ORDER BY orders_id) FROM orders_items") == "xy")
    }

    @Test func aTableOfRejectedRecordsNeedsANameOfItsOwn() async throws {
        let fixture = try Fixture()
        let child = "orders_\(Self.longName)"
        let lines = [#"{"id":1,"\#(Self.longName)":[1]}"#, "no JSON"]
        let report = try await fixture.run(lines) { $0.rejects(.table(child + "x")) }
        guard case .failed(let reason) = report.outcome else { return #expect(Bool(false), "it is stored") }
        #expect(reason.description.contains("would have one name"))
    }

    @Test func arraysThatComeAfterTheSampleGetTablesToo() async throws {
        let fixture = try Fixture()
        _ = try await fixture.run([#"{"id":0}"#] + PostgresChildTests.orders) { $0.sample(1).batch(2) }
        #expect(try skus(fixture) == "1:0:a 1:1:b 4:0:c")
        #expect(try tags(fixture) == "1:0:0:x 1:0:1:y")
    }

    @Test func aMergedRecordExchangesItsElements() async throws {
        let fixture = try Fixture()
        _ = try await fixture.run(PostgresChildTests.orders)
        let changes = [
            #"{"id":1,"items":[{"sku":"q"},{"sku":"r"},{"sku":"s"}]}"#, #"{"id":1,"items":[{"sku":"a2"}]}"#,
            #"{"id":2,"notes":["m"]}"#, #"{"id":5,"items":[{"sku":"e"}]}"#, #"{"id":5,"items":[{"sku":"f"},{"sku":"g"}]}"#,
        ]
        let report = try await fixture.run(changes) { $0.conflict(.upsert) }
        #expect(try skus(fixture) == "1:0:a2 4:0:c 5:0:f 5:1:g")
        #expect(try tags(fixture) == nil)
        #expect(try #require(report.children.first { $0.table == "orders_items" }).rows.removed == 1)
        _ = try await fixture.run([#"{"id":4}"#]) { $0.conflict(.replace) }
        #expect(try skus(fixture) == "1:0:a2 5:0:f 5:1:g")
        _ = try await fixture.run([#"{"id":5,"items":[]}"#, #"{"id":6,"items":[{"sku":"h"}]}"#]) { $0.conflict(.ignore) }
        #expect(try skus(fixture) == "1:0:a2 5:0:f 5:1:g 6:0:h")
    }

    /// `"1"` and `1` are one key in a column of integers.
    @Test(arguments: [1, 2, 100], [KeyConflict.upsert, .replace])
    func keysAreComparedAsTheTableStoresThem(batch: Int, conflict: KeyConflict) async throws {
        let lines = [
            #"{"id":0}"#,
            #"{"id":1,"items":[{"sku":"a","tags":["x"]},{"sku":"b","tags":["y","z"]},{"sku":"c"}]}"#,
            #"{"id":"1","items":[{"sku":"d","tags":["w","v"]},{"sku":"e","tags":["s"]}]}"#,
            #"{"id":1.0,"items":[{"sku":"f","tags":["r"]}]}"#,
        ]
        let fixture = try Fixture()
        let report = try await fixture.run(lines) { $0.conflict(conflict).sample(1).batch(batch) }
        #expect(report.rejected == 0)
        #expect(try skus(fixture) == "1:0:f")
        #expect(try tags(fixture) == "1:0:0:r")
    }

    /// The row has the elements of the first record, wherever in the batch the others are.
    @Test(arguments: [1, 2, 100]) func anIgnoredRecordKeepsTheElementsThatItsRowHas(batch: Int) async throws {
        let fixture = try Fixture()
        let report = try await fixture.run([
            #"{"id":1,"items":[{"sku":"a"},{"sku":"b"}]}"#, #"{"id":1,"items":[{"sku":"c"}]}"#, #"{"id":2}"#,
            #"{"id":1,"items":[{"sku":"d"},{"sku":"e"},{"sku":"f"}]}"#, #"{"id":2,"items":[{"sku":"g"}]}"#,
        ]) { $0.conflict(.ignore).batch(batch) }
        #expect(report.rejected == 0 && report.rows == RowCounts(added: 2, kept: 3))
        #expect(try skus(fixture) == "1:0:a 1:1:b")
    }

    /// To this column, `abc` and `ABC` are one key.
    @Test(arguments: [1, 100], [KeyConflict.upsert, .replace])
    func keysAreComparedByTheCollationOfTheParent(batch: Int, conflict: KeyConflict) async throws {
        let fixture = try Fixture()
        try fixture.server.connection.run(
            """
            CREATE COLLATION capitals (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
            CREATE TABLE orders (id text COLLATE capitals PRIMARY KEY)
            """)
        for lines in [
            [#"{"id":"abc","items":[{"sku":"a"},{"sku":"b"},{"sku":"c"}]}"#],
            [#"{"id":"ABC","items":[{"sku":"d"}]}"#, #"{"id":"aBC","items":[{"sku":"e"},{"sku":"f"}]}"#],
        ] {
            let report = try await fixture.run(lines) { $0.conflict(conflict).batch(batch) }
            #expect(report.rejected == 0)
        }
        let found = try fixture.server.value("SELECT string_agg(position || sku, ' ' ORDER BY position) FROM orders_items")
        #expect(found == "0e 1f")
        #expect(try fixture.server.value("SELECT count(DISTINCT orders_id) FROM orders_items") == "1")
    }

    @Test func keysHaveTheTypesOfTheParent() async throws {
        let fixture = try Fixture()
        try fixture.server.connection.run(
            "CREATE TABLE orders (id uuid PRIMARY KEY); INSERT INTO orders VALUES ('00000000-0000-0000-0000-000000000001')")
        let id = "00000000-0000-0000-0000-00000000000"
        _ = try await fixture.run([
            "{\"id\":\"\(id)1\",\"items\":[{\"sku\":\"a\"}]}", "{\"id\":\"\(id)2\",\"items\":[{\"sku\":\"b\"}]}",
        ]) {
            $0.conflict(.upsert)
        }
        #expect(try fixture.server.value("SELECT string_agg(sku, ' ' ORDER BY orders_id) FROM orders_items") == "a b")
        let type = try fixture.server.value(
            "SELECT data_type FROM information_schema.columns WHERE table_name = 'orders_items' AND column_name = 'orders_id' AND table_schema = current_schema()"
        )
        #expect(type == "uuid")
    }

    @Test func aKeyWithTheCharacterNULNamesATableToo() async throws {
        let fixture = try Fixture()
        let report = try await fixture.run([#"{"id":1,"a\u0000b":[1]}"#])
        #expect(report.children.map(\.table) == ["orders_a_b"])
        #expect(try fixture.server.value("SELECT value FROM orders_a_b") == "1")
    }

    @Test func anElementThatIsNotStoredLeavesNothingOfTheEarlierOne() async throws {
        let fixture = try Fixture()
        try fixture.server.connection.run(
            """
            CREATE TABLE orders (id bigint PRIMARY KEY);
            CREATE TABLE orders_items (
                orders_id bigint REFERENCES orders (id) ON DELETE CASCADE, position bigint, sku text CHECK (sku <> 'b'),
                PRIMARY KEY (orders_id, position))
            """)
        let other = #"{"id":2,"items":[{"sku":"o","tags":["p"]}]}"#
        for (line, rejected) in [
            (#"{"id":1,"items":[{"sku":"x","tags":["t"]},{"sku":"y","tags":["u","v"]},{"sku":"z","tags":["w"]}]}"#, 0),
            (#"{"id":1,"items":[{"sku":"a","tags":["T"]},{"sku":"b","tags":["U"]},{"sku":"c","tags":["W"]}]}"#, 1),
        ] {
            let report = try await fixture.run([line, other]) {
                $0.children(.tables, rejects: .element).existing(.append).conflict(.upsert).changes(.table("changed"))
            }
            #expect(report.rejectedElements == rejected)
        }
        #expect(try skus(fixture) == "1:0:a 1:2:c 2:0:o")
        #expect(try tags(fixture) == "1:0:0:T 1:2:0:W 2:0:0:p")
        let removed = try fixture.server.value(
            """
            SELECT string_agg(table_name || ' ' || count, ', ' ORDER BY table_name) FROM (
                SELECT table_name, count(*) FROM changed WHERE operation = 'removed' GROUP BY table_name) c
            """)
        #expect(removed == "orders_items 1, orders_items_tags 2")
    }

    @Test func droppingATableDropsTheChildTablesOfWhichTheNewFeedHasNothing() async throws {
        let fixture = try Fixture()
        _ = try await fixture.run(PostgresChildTests.orders)
        let report = try await fixture.run([#"{"id":1,"items":[{"u":2}]}"#]) { $0.existing(.drop) }
        #expect(report.outcome == .complete)
        let tables =
            "SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class WHERE relkind = 'r' AND relname LIKE 'orders%' "
            + "AND relnamespace = current_schema()::regnamespace"
        #expect(try fixture.server.value(tables) == "orders orders_items")
        #expect(try await fixture.run([#"{"id":1,"u":2}"#]) { $0.existing(.drop) }.outcome == .complete)
        #expect(try fixture.server.value(tables) == "orders")
    }

    @Test func aRefusedElementRejectsItsRecordOrOnlyItself() async throws {
        for rejects in ChildRejects.allCases {
            let fixture = try Fixture()
            try fixture.server.connection.run(
                """
                CREATE TABLE orders (id bigint PRIMARY KEY);
                CREATE TABLE orders_items (
                    orders_id bigint REFERENCES orders (id) ON DELETE CASCADE, position bigint, sku text CHECK (sku <> 'b'),
                    PRIMARY KEY (orders_id, position))
                """)
            let lines = [#"{"id":1,"items":[{"sku":"a"},{"sku":"b"},{"sku":"c"}]}"#, #"{"id":2,"items":[{"sku":"d"}]}"#]
            let report = try await fixture.run(lines) {
                $0.children(.tables, rejects: rejects).existing(.append).rejects(.table("bad"))
            }
            #expect(report.outcome == .complete)
            #expect(try skus(fixture) == (rejects == .record ? "2:0:d" : "1:0:a 1:2:c 2:0:d"))
            #expect(try fixture.server.value("SELECT byte_position FROM bad") == "29")
        }
    }
}
#endif
