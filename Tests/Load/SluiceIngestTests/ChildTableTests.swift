// The elements of arrays as rows of tables of their own. `Scripts/net children` compares random feeds with Python, and kills the tool.

#if SQLite
import Foundation
import GRDB
import SluiceCore
import SluiceFeed
import SluiceIngest
import SluiceSQLite
import SluiceTestSupport
import Testing

@Suite struct ChildTableTests {
    private static let orders = """
        {"id":1,"items":[{"sku":"a","tags":["x","y"]},{"sku":"b"}],"notes":["n"]}
        {"id":2,"items":[]}
        {"id":3,"items":null}
        {"id":4,"items":[{"sku":"c","price":{"net":5}}]}

        """

    /// A folder with a feed, and the database that it is read into.
    private struct Fixture {
        let scratch: Scratch
        let queue: DatabaseQueue

        init() throws {
            scratch = try Scratch()
            queue = try DatabaseQueue()
        }

        func ingest(_ text: String, _ name: String = "in.ndjson") throws -> Ingest {
            Ingest([try scratch.file(name, text)], into: SQLiteSink(queue, table: "orders")).primaryKey("id").children(.tables)
                .format(
                    .lines)
        }

        /// The rows of a table, each as its values joined by commas.
        func rows(_ table: String) throws -> [String] {
            try queue.read { db in
                #expect(try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").isEmpty)
                let order = try 1...min(3, db.columns(in: table).count)
                let sql = "SELECT * FROM \(table) ORDER BY \(order.map { "\($0)" }.joined(separator: ", "))"
                return try Row.fetchAll(db, sql: sql).map { row in
                    row.databaseValues.map { $0.isNull ? "-" : "\($0.storage.value ?? "")" }.joined(separator: ",")
                }
            }
        }
    }

    @Test(arguments: [1, 2]) func elementsAreRowsWithTheKeysOfTheirRecords(workers: Int) async throws {
        let fixture = try Fixture()
        let report = try await fixture.ingest(ChildTableTests.orders).workers(workers).run()
        #expect(report.outcome == .complete)
        #expect(try fixture.rows("orders") == ["1", "2", "3", "4"])
        #expect(try fixture.rows("orders_items") == ["1,0,a,-", "1,1,b,-", "4,0,c,5"])
        #expect(try fixture.rows("orders_items_tags") == ["1,0,0,x", "1,0,1,y"])
        #expect(try fixture.rows("orders_notes") == ["1,0,n"])
        #expect(report.children.map(\.table) == ["orders_items", "orders_items_tags", "orders_notes"])
        #expect(report.children.map(\.rows.added) == [3, 2, 1])
        let columns = try await fixture.queue.read { try $0.primaryKey("orders_items_tags").columns }
        #expect(columns == ["orders_id", "items_position", "position"])
    }

    @Test(arguments: [1, 2]) func theNameOfTheFileMayBePartOfTheKey(workers: Int) async throws {
        let fixture = try Fixture()
        let ingest = try fixture.ingest(ChildTableTests.orders).fileNameColumn().primaryKey("filename", "id").workers(workers)
        let report = try await ingest.run()
        #expect(report.outcome == .complete)
        let name = fixture.scratch.path("in.ndjson")
        #expect(try fixture.rows("orders_items") == ["\(name),1,0,a,-", "\(name),1,1,b,-", "\(name),4,0,c,5"])
        #expect(try fixture.rows("orders_items_tags") == ["\(name),1,0,0,x", "\(name),1,0,1,y"])
    }

    @Test(arguments: [1, 2]) func arraysThatComeAfterTheSampleGetTablesToo(workers: Int) async throws {
        let fixture = try Fixture()
        let text = "{\"id\":0}\n" + ChildTableTests.orders
        _ = try await fixture.ingest(text).sample(1).batch(2).workers(workers).run()
        #expect(try fixture.rows("orders_items") == ["1,0,a,-", "1,1,b,-", "4,0,c,5"])
        #expect(try fixture.rows("orders_items_tags") == ["1,0,0,x", "1,0,1,y"])
    }

    @Test(arguments: [1, 2]) func aRecordMayHaveAThousandArraysAndMore(workers: Int) async throws {
        let fixture = try Fixture()
        let report = try await fixture.ingest(ChildTableTests.record(ofArrays: 1_500)).workers(workers).run()
        #expect(report.outcome == .complete && report.children.count == 1_500)
        #expect(try fixture.rows("orders_a0") == ["1,0,0"] && fixture.rows("orders_a1499") == ["1,0,1499"])
    }

    @Test func moreArraysThanHaveIndicesAreAnError() async throws {
        let fixture = try Fixture()
        let ingest = try fixture.ingest(ChildTableTests.record(ofArrays: 16_385))
        let error = await #expect(throws: IngestError.self) { try await ingest.run() }
        #expect(error?.description.contains("16,385 arrays with tables of their own, and 16,384 are the limit") == true)
    }

    private static func record(ofArrays count: Int) -> String {
        "{\"id\":1" + (0..<count).map { #","a\#($0)":[\#($0)]"# }.joined() + "}\n"
    }

    @Test func deletingARecordDeletesItsElements() async throws {
        let fixture = try Fixture()
        _ = try await fixture.ingest(ChildTableTests.orders).run()
        try await fixture.queue.write { try $0.execute(sql: "DELETE FROM orders WHERE id = 1") }
        #expect(try fixture.rows("orders_items") == ["4,0,c,5"])
        #expect(try fixture.rows("orders_items_tags").isEmpty)
    }

    @Test func aRecordWithoutAKeyGetsANumberThatDependsOnItsPositionAlone() async throws {
        let fixture = try Fixture()
        let input = try fixture.scratch.file("in.ndjson", ChildTableTests.orders)
        func numbers(_ ingest: (Ingest) -> Ingest) async throws -> [[Int64]] {
            let queue = try DatabaseQueue()
            let plain = Ingest([input], into: SQLiteSink(queue, table: "orders")).children(.tables)
            _ = try await ingest(plain).run()
            _ = try await plain.run()
            return try await queue.read { db in
                try ["orders", "orders_items", "orders_notes"].map {
                    try Int64.fetchAll(db, sql: "SELECT record_id FROM \($0) ORDER BY 1")
                }
            }
        }
        let whole = try await numbers { $0 }
        #expect(whole[0].count == 4)
        #expect(whole[0].map { $0 - whole[0][0] } == [0, 1, 2, 3])
        #expect(whole[1] == [whole[0][0], whole[0][0], whole[0][3]])
        for limit in 1...3 { #expect(try await numbers { $0.limit(limit) } == whole) }
        #expect(try await numbers { $0.workers(2).batch(1) } == whole)
    }

    @Test func recordsWithoutAKeyAreAddedToATableThatHasNumbers() async throws {
        let fixture = try Fixture()
        let (one, two) = (
            try fixture.scratch.file("1.ndjson", "{\"a\":1,\"t\":[1]}\n"),
            try fixture.scratch.file("2.ndjson", "{\"a\":2,\"t\":[2]}\n{\"a\":3}\n")
        )
        func ingest(_ input: String) -> Ingest {
            Ingest([input], into: SQLiteSink(fixture.queue, table: "orders")).children(.tables).format(.lines)
        }
        func sums() throws -> [String] {
            try fixture.queue.read { db in
                try ["count(DISTINCT record_id) FROM orders", "sum(a) FROM orders", "sum(value) FROM orders_t"].map {
                    try String(Int.fetchOne(db, sql: "SELECT " + $0) ?? 0)
                }
            }
        }
        _ = try await ingest(one).run()
        _ = try await ingest(two).existing(.append).run()
        #expect(try sums() == ["3", "6", "3"])
        for count in 1...2 {
            let again = try await ingest(one).existing(.append).restarting().run()
            #expect(again.rejected == 0)
            #expect(try sums() == ["\(3 + count)", "\(6 + count)", "\(3 + count)"])
        }
        // A source has no checkpoint.
        let source = Ingest(BytesSource(Array("{\"a\":7}".utf8)), into: SQLiteSink(fixture.queue, table: "orders"))
        _ = try await source.children(.tables).existing(.append).run()
        #expect(try sums() == ["6", "15", "5"])
        _ = try await ingest(two).existing(.truncate).restarting().run()
        #expect(try sums() == ["2", "5", "2"])
        _ = try await ingest(two).conflict(.upsert).restarting().run()
        #expect(try sums() == ["2", "5", "2"])
    }

    @Test func nullsOfTheWholeSampleReplaceTheValuesOfAColumn() async throws {
        let fixture = try Fixture()
        _ = try await fixture.ingest("{\"id\":1,\"a\":1,\"b\":{\"c\":2},\"t\":[{\"x\":5}]}\n").run()
        let nulls = "{\"id\":1,\"a\":null,\"b\":{\"c\":null},\"t\":[{\"x\":null}],\"new\":null}\n"
        let report = try await fixture.ingest(nulls, "2").conflict(.upsert).run()
        #expect(report.rows == RowCounts(changed: 1))
        #expect(try fixture.rows("orders") == ["1,-,-"])
        #expect(try fixture.rows("orders_t") == ["1,0,-"])
        _ = try await fixture.ingest("{\"id\":1,\"t\":null}\n", "3").conflict(.upsert).run()
        #expect(try fixture.rows("orders_t").isEmpty)
    }

    @Test(arguments: [7, 8, 9, 400]) func arraysInManyArraysStayJSON(depth: Int) async throws {
        let fixture = try Fixture()
        let array = String(repeating: "[", count: depth) + "7" + String(repeating: "]", count: depth)
        for (name, sample) in [("1", 1), ("2", 2)] {
            let text = sample == 1 ? "{\"id\":0}\n{\"id\":1,\"a\":\(array)}\n" : "{\"id\":2,\"a\":\(array)}\n"
            let report = try await fixture.ingest(text, name).conflict(.upsert).sample(1).run()
            #expect(report.outcome == .complete)
            #expect(report.rejected == 0)
        }
        let levels = min(depth, 8)
        let names = try await fixture.queue.read { db in
            try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'orders%'")
        }
        #expect(names.count == levels + 1)
        let last = "orders_a" + String(repeating: "_value", count: levels - 1)
        let inner = array.dropFirst(levels).dropLast(levels)
        let values = try await fixture.queue.read { try String.fetchAll($0, sql: "SELECT value FROM \(last)") }
        #expect(values == [String(inner), String(inner)])
    }

    @Test func anUpsertExchangesTheElementsOfItsRecordsOnly() async throws {
        let fixture = try Fixture()
        _ = try await fixture.ingest(ChildTableTests.orders).run()
        let changes = """
            {"id":1,"items":[{"sku":"a2"}]}
            {"id":2,"notes":["m","o"]}
            {"id":4,"items":[{"sku":"c","price":{"net":5}}]}
            {"id":5,"items":[{"sku":"e"}]}

            """
        let report = try await fixture.ingest(changes, "changes.ndjson").conflict(.upsert).run()
        #expect(try fixture.rows("orders_items") == ["1,0,a2,-", "4,0,c,5", "5,0,e,-"])
        #expect(try fixture.rows("orders_items_tags").isEmpty)
        #expect(try fixture.rows("orders_notes") == ["1,0,n", "2,0,m", "2,1,o"])
        let items = try #require(report.children.first { $0.table == "orders_items" }).rows
        #expect((items.added, items.changed, items.same, items.removed) == (1, 1, 1, 1))
    }

    @Test func aReplacedRecordLosesTheElementsThatItNoLongerHas() async throws {
        let fixture = try Fixture()
        _ = try await fixture.ingest(ChildTableTests.orders).run()
        _ = try await fixture.ingest("{\"id\":1}\n{\"id\":4,\"items\":[]}\n", "changes.ndjson").conflict(.replace).run()
        #expect(try fixture.rows("orders_items").isEmpty)
        #expect(try fixture.rows("orders_notes").isEmpty)
    }

    @Test func anIgnoredRecordKeepsTheElementsThatItsRowHas() async throws {
        let fixture = try Fixture()
        _ = try await fixture.ingest(ChildTableTests.orders).run()
        let again =
            "{\"id\":1,\"items\":[{\"sku\":\"z\"},{\"sku\":\"z\"},{\"sku\":\"z\"}]}\n{\"id\":7,\"items\":[{\"sku\":\"g\"}]}\n"
        _ = try await fixture.ingest(again, "again.ndjson").conflict(.ignore).run()
        #expect(try fixture.rows("orders_items") == ["1,0,a,-", "1,1,b,-", "4,0,c,5", "7,0,g,-"])
    }

    /// The last of several records with one key counts, wherever in the batch they are.
    @Test(arguments: [1, 2, 100]) func ofRecordsWithOneKeyTheLastOneHasTheElements(batch: Int) async throws {
        let fixture = try Fixture()
        let text = """
            {"id":1,"items":[{"sku":"a","tags":["x"]},{"sku":"b","tags":["y","z"]}]}
            {"id":1,"items":[{"sku":"c"}]}
            {"id":2,"items":[{"sku":"d"}]}
            {"id":2,"items":[{"sku":"e"},{"sku":"f","tags":["v"]}]}
            {"id":2}

            """
        _ = try await fixture.ingest(text).conflict(.upsert).batch(batch).run()
        #expect(try fixture.rows("orders_items") == ["1,0,c", "2,0,e", "2,1,f"])
        #expect(try fixture.rows("orders_items_tags") == ["2,1,0,v"])
    }

    /// `"1"` and `1` are one key in a column of integers.
    @Test(arguments: [1, 2, 100], [KeyConflict.upsert, .replace])
    func keysAreComparedAsTheTableStoresThem(batch: Int, conflict: KeyConflict) async throws {
        let fixture = try Fixture()
        let text = """
            {"id":0}
            {"id":1,"items":[{"sku":"a","tags":[["x"]]},{"sku":"b","tags":[["y"],["z","u"]]},{"sku":"c"}]}
            {"id":"1","items":[{"sku":"d","tags":[["w"],["v"]]},{"sku":"e","tags":[["s"]]}]}
            {"id":1.0,"items":[{"sku":"f","tags":[["r"]]}]}

            """
        let report = try await fixture.ingest(text).conflict(conflict).sample(1).batch(batch).run()
        #expect(report.rejected == 0)
        #expect(try fixture.rows("orders") == ["0", "1"])
        #expect(try fixture.rows("orders_items") == ["1,0,f"])
        #expect(try fixture.rows("orders_items_tags") == ["1,0,0"])
        #expect(try fixture.rows("orders_items_tags_value") == ["1,0,0,0,r"])
    }

    /// Two Unicode spellings of é are two keys of a record, and get two tables.
    @Test func keysThatDifferInUnicodeFormHaveTablesOfTheirOwn() async throws {
        for conflict in [KeyConflict.reject, .upsert] {
            let fixture = try Fixture()
            let text =
                #"{"id":1,"e\u0301":["ann","bob"],"\u00e9":["cyd"],"items":[{"e\u0301":1,"\u00e9":2},{"\u00e9":3}]}"# + "\n"
            let report = try await fixture.ingest(text).conflict(conflict).run()
            #expect(report.rejected == 0 && report.children.map(\.rows.added) == [2, 1, 2])
            #expect(report.children.map(\.table).suffix(1) == ["orders_items"])
            let values = try report.children.prefix(2).map { try fixture.rows($0.table) }
            #expect(values == [["1,0,ann", "1,1,bob"], ["1,0,cyd"]])
            #expect(try fixture.rows("orders_items").map { $0.split(separator: ",").count } == [4, 4])
        }
    }

    /// The table of the records was there before, and its key says which texts are one key.
    @Test(
        arguments: [
            ("INTEGER", ["1", #""01""#, "1.0", #""1""#]), ("NUMERIC", ["1.5", #""1.50""#, #""01.5""#]),
            ("TEXT COLLATE NOCASE", [#""abc""#, #""ABC""#, #""aBc""#]), ("TEXT COLLATE RTRIM", [#""abc""#, #""abc  ""#]),
        ], [KeyConflict.upsert, .replace])
    func keysAreComparedAsTheParentComparesThem(key: (type: String, values: [String]), conflict: KeyConflict) async throws {
        for batch in [1, 100] {
            let fixture = try Fixture()
            try await fixture.queue.write { try $0.execute(sql: "CREATE TABLE orders (id \(key.type) PRIMARY KEY)") }
            for (index, value) in key.values.enumerated() {
                let items = (0..<(4 - index)).map { #"{"sku":"\#(index)\#($0)","tags":["\#(index)"]}"# }.joined(separator: ",")
                let text = "{\"id\":\(value),\"items\":[\(items)]}\n"
                // Once in a batch with the others, and once alone.
                let both = "{\"id\":\(key.values[0]),\"items\":[\(items),\(items)]}\n" + text
                for text in [both, text] {
                    let ingest = try fixture.ingest(text, UUID().uuidString).conflict(conflict).batch(batch).existing(.append)
                    #expect(try await ingest.run().rejected == 0)
                    let skus = try fixture.rows("orders_items").compactMap { $0.split(separator: ",").last.map(String.init) }
                    #expect(skus == (0..<(4 - index)).map { "\(index)\($0)" })
                    #expect(try fixture.rows("orders_items_tags").count == 4 - index)
                    #expect(try fixture.rows("orders").count == 1)
                }
            }
        }
    }

    @Test(arguments: ["orders_id TEXT", "orders_id INTEGER COLLATE NOCASE", "orders_id"])
    func aTableThatComparesItsKeyInAnotherWayIsNoChildTable(column: String) async throws {
        let fixture = try Fixture()
        try await fixture.queue.write { db in
            try db.execute(sql: "CREATE TABLE orders (id INTEGER PRIMARY KEY)")
            try db.execute(
                sql: "CREATE TABLE orders_items (\(column), position INTEGER, sku TEXT, PRIMARY KEY (orders_id, position))")
        }
        do {
            _ = try await fixture.ingest(ChildTableTests.orders).existing(.append).run()
            Issue.record("the key is compared in two ways")
        } catch let error as IngestError {
            #expect("\(error)".contains("the column orders_id of the table orders_items is "), "\(error)")
            #expect("\(error)".contains("the column id of orders that it refers to is INTEGER"), "\(error)")
        }
        #expect(try fixture.rows("orders").isEmpty)
    }

    @Test(arguments: [1, 2]) func aRefusedElementRejectsItsRecordOrOnlyItself(workers: Int) async throws {
        for rejects in ChildRejects.allCases {
            let fixture = try Fixture()
            try await fixture.queue.write { db in
                try db.execute(
                    sql: """
                        CREATE TABLE orders (id INTEGER PRIMARY KEY);
                        CREATE TABLE orders_items (
                            orders_id INTEGER, position INTEGER, sku TEXT CHECK (sku <> 'b'), PRIMARY KEY (orders_id, position),
                            FOREIGN KEY (orders_id) REFERENCES orders (id) ON DELETE CASCADE);
                        """)
            }
            let text = """
                {"id":1,"items":[{"sku":"a"},{"sku":"b"},{"sku":"c"}]}
                {"id":2,"items":[{"sku":"d"}]}

                """
            let ingest = try fixture.ingest(text).children(.tables, rejects: rejects).existing(.append).workers(workers)
            let report = try await ingest.rejects(.table("bad")).run()
            #expect(report.outcome == .complete)
            let bad = try fixture.queue.read { try Row.fetchOne($0, sql: "SELECT * FROM bad") }
            let offset: Int? = bad?["byte_position"]
            #expect(offset == 29)
            switch rejects {
            case .record:
                #expect((report.rejected, report.rejectedElements) == (1, 0))
                #expect(try fixture.rows("orders") == ["2"])
                #expect(try fixture.rows("orders_items") == ["2,0,d"])
                #expect(bad?["json_line"] == #"{"id":1,"items":[{"sku":"a"},{"sku":"b"},{"sku":"c"}]}"#)
            case .element:
                #expect((report.rejected, report.rejectedElements) == (0, 1))
                #expect(try fixture.rows("orders") == ["1", "2"])
                #expect(try fixture.rows("orders_items") == ["1,0,a", "1,2,c", "2,0,d"])
                #expect(bad?["json_line"] == #"{"sku":"b"}"#)
            }
            #expect(!report.isWhole)
        }
    }

    @Test(arguments: [1, 2]) func anElementThatDoesNotFitNamesItsOwnPosition(workers: Int) async throws {
        for rejects in ChildRejects.allCases {
            let fixture = try Fixture()
            var options = IngestOptions()
            options.children.storage = .tables
            options.children.rejects = rejects
            options.primaryKey = ["id"]
            options.types = [try TypeOption("items.n:integer"), try TypeOption("orders_numbers.value:integer")]
            options.workers = workers
            options.feed.format = .lines
            let text = "{\"id\":1,\"items\":[{\"n\":1},{\"n\":\"two\"}]}\n{\"id\":2,\"items\":[{\"n\":3}]}\n"
            let input = try fixture.scratch.file("in.ndjson", text)
            let report = try IngestJob(options, into: SQLiteSink(fixture.queue, table: "orders")).run(
                input: input, progress: NoProgress())
            #expect(report.rejections.map(\.position.offset) == [30], "\(report.rejections)")
            #expect(report.rejections.first?.reason.contains("items[1].n") == true, "\(report.rejections)")
            #expect(try fixture.rows("orders_items") == (rejects == .record ? ["2,0,3"] : ["1,0,1", "2,0,3"]))
        }
    }

    @Test func aDeclaredTypeIsForLateColumnsOfChildTablesToo() throws {
        let fixture = try Fixture()
        var options = IngestOptions()
        (options.children.storage, options.primaryKey, options.sample) = (.tables, ["id"], 1)
        options.types = [try TypeOption("items.due:unix"), try TypeOption("items.nowhere:text")]
        options.feed.format = .lines
        let text = "{\"id\":1,\"items\":[{\"n\":1}]}\n{\"id\":2,\"items\":[{\"n\":3,\"due\":86400}]}\n"
        let input = try fixture.scratch.file("in.ndjson", text)
        let report = try IngestJob(options, into: SQLiteSink(fixture.queue, table: "orders")).run(
            input: input, progress: NoProgress())
        #expect(try fixture.rows("orders_items") == ["1,0,1,-", "2,0,3,1970-01-02T00:00:00Z"])
        #expect(report.unseenPaths.map(\.path) == [#""items.nowhere""#])
    }

    @Test(arguments: [KeyContract.freeze, .discardRow, .discardValue])
    func aDeclaredTypeIsForAColumnOfAChildTableWithEveryContract(_ contract: KeyContract) throws {
        let fixture = try Fixture()
        var options = IngestOptions()
        (options.children.storage, options.primaryKey, options.contract) = (.tables, ["id"], contract)
        options.types = [try TypeOption("items.n:text")]
        options.feed.format = .lines
        let input = try fixture.scratch.file("in.ndjson", "{\"id\":1,\"items\":[{\"n\":\"1\"}]}\n")
        _ = try IngestJob(options, into: SQLiteSink(fixture.queue, table: "orders")).run(input: input, progress: NoProgress())
        #expect(try fixture.rows("orders_items") == ["1,0,1"])
        options.types = [try TypeOption("items.m:text")]
        #expect(throws: IngestError.self) {
            try IngestJob(options, into: SQLiteSink(fixture.queue, table: "others")).run(input: input, progress: NoProgress())
        }
    }

    @Test func oneArrayCanBeATableAndAnotherJSON() async throws {
        let fixture = try Fixture()
        let input = try fixture.scratch.file("in.ndjson", ChildTableTests.orders)
        let plain = Ingest([input], into: SQLiteSink(fixture.queue, table: "orders")).primaryKey("id")
        _ = try await plain.child("items").run()
        #expect(try fixture.rows("orders") == [#"1,["n"]"#, "2,-", "3,-", "4,-"])
        #expect(try fixture.rows("orders_items") == [#"1,0,a,["x","y"],-"#, "1,1,b,-,-", "4,0,c,-,5"])
    }

    @Test func anObjectWhoseKeysAreDataIsATableWithItsKeys() async throws {
        let fixture = try Fixture()
        let text = #"{"id":1,"dogs":{"rex":{"age":3},"fido":{"age":4}}}"# + "\n" + #"{"id":2,"dogs":{}}"# + "\n"
        _ = try await fixture.ingest(text).child("dogs").run()
        #expect(try fixture.rows("orders_dogs") == ["1,0,rex,3", "1,1,fido,4"])
    }

    @Test(arguments: [1, 2]) func ofMembersWithTheSameKeyTheLastIsARow(workers: Int) async throws {
        let fixture = try Fixture()
        let text = #"{"id":1,"dogs":{"rex":{"age":1},"fido":{"age":4},"r\u0065x":{"age":3,"b":[2]}}}"# + "\n"
        let report = try await fixture.ingest(text).child("dogs").workers(workers).run()
        #expect(report.outcome == .complete)
        #expect(
            try fixture.queue.read { try Row.fetchAll($0, sql: "SELECT * FROM orders_dogs ORDER BY position") }.map {
                "\($0["position"] as Int) \($0["key"] as String) \($0["age"] as Int)"
            } == ["0 fido 4", "1 rex 3"])
    }

    @Test func otherValuesWhereOthersHaveAnArrayAreNotLost() async throws {
        let fixture = try Fixture()
        let report = try await fixture.ingest("{\"id\":1,\"t\":[1]}\n{\"id\":2,\"t\":\"x\"}\n{\"id\":3,\"t\":{\"a\":1}}\n")
            .sample(1).run()
        #expect(report.isWhole)
        #expect(try fixture.rows("orders") == ["1,-", #"2,"x""#, #"3,{"a":1}"#])
        #expect(try fixture.rows("orders_t") == ["1,0,1"])
    }

    @Test func aDryRunCountsWithoutATable() async throws {
        let fixture = try Fixture()
        let report = try await fixture.ingest(ChildTableTests.orders).dryRun().run()
        #expect(report.rows.added == 4)
        #expect(try await fixture.queue.read { try !$0.tableExists("orders_items") })
    }

    @Test func aSinkWithoutChildTablesRefusesThemBeforeItReads() async throws {
        let fixture = try Fixture()
        let input = try fixture.scratch.file("in.ndjson", ChildTableTests.orders)
        let output = fixture.scratch.path("out.ndjson")
        let ingest = Ingest([input], into: FileSink(path: output, .ndjson)).children(.tables)
        await #expect(throws: IngestError.self) { try await ingest.run() }
        #expect(!FileManager.default.fileExists(atPath: output))
    }

    @Test(arguments: [true, false]) func aValueOfAnotherKindLeavesNothingOfTheEarlierOne(isOneFeed: Bool) async throws {
        let fixture = try Fixture()
        let records = [#"{"id":1,"xs":[1]}"#, #"{"id":1,"xs":7}"#, #"{"id":1,"xs":[2,3]}"#, #"{"id":2}"#, #"{"id":1,"xs":null}"#]
        let feeds = isOneFeed ? [records.joined(separator: "\n")] : records
        for (number, text) in feeds.enumerated() {
            let ingest = try fixture.ingest(text + "\n", "\(number).ndjson").child("xs", .tables).conflict(.upsert)
            _ = try await ingest.existing(.append).run()
            guard !isOneFeed, number == 2 else { continue }
            #expect(try fixture.rows("orders") == ["1,-"])
            #expect(try fixture.rows("orders_xs") == ["1,0,2", "1,1,3"])
        }
        #expect(try fixture.rows("orders") == ["1,-", "2,-"])
        #expect(try fixture.rows("orders_xs") == [])
    }

    @Test func anArrayWithATableStaysThereBesideOtherValues() async throws {
        let fixture = try Fixture()
        _ = try await fixture.ingest("{\"id\":1,\"xs\":[1]}\n").run()
        let later = try fixture.ingest("{\"id\":2,\"xs\":[2]}\n{\"id\":3,\"xs\":\"w\"}\n", "later.ndjson")
        _ = try await later.existing(.append).run()
        #expect(try fixture.rows("orders") == ["1,-", "2,-", #"3,"w""#])
        #expect(try fixture.rows("orders_xs") == ["1,0,1", "2,0,2"])
    }

    @Test func aKeyWithTheCharacterNULNamesATableToo() async throws {
        let fixture = try Fixture()
        let text = #"{"id":1,"a\u0000b":[{"c\u0000":[1]}],"a_b":[2]}"# + "\n" + #"{"id":2,"\u0000":[3]}"# + "\n"
        let report = try await fixture.ingest(text).sample(1).contract(.evolve).run()
        #expect(report.outcome == .complete)
        #expect(report.children.map(\.table).sorted() == ["orders__", "orders_a_b", "orders_a_b_2", "orders_a_b_c_"])
        #expect(try fixture.rows("orders_a_b_c_") == ["1,0,0,1"])
        #expect(try fixture.rows("orders_a_b_2") == ["1,0,2"])
        #expect(try fixture.rows("orders__") == ["2,0,3"])
    }

    @Test func droppingATableDropsTheChildTablesOfWhichTheNewFeedHasNothing() async throws {
        let fixture = try Fixture()
        _ = try await fixture.ingest(ChildTableTests.orders).run()
        // A table of the user that has the name of a child table.
        try await fixture.queue.write { try $0.execute(sql: "DROP TABLE orders_notes; CREATE TABLE orders_notes (x)") }
        let report = try await fixture.ingest(#"{"id":1,"u":2}"#, "other.ndjson").existing(.drop).run()
        #expect(report.outcome == .complete)
        let tables = try await fixture.queue.read { db in
            try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'orders%' ORDER BY 1")
        }
        #expect(tables == ["orders", "orders_notes"])
    }

    @Test func droppingATableDropsItsChildTables() async throws {
        let fixture = try Fixture()
        _ = try await fixture.ingest(ChildTableTests.orders).run()
        let again = try fixture.ingest("{\"id\":9,\"items\":[{\"n\":1}]}\n{\"id\":7}\n", "again.ndjson")
        _ = try await again.existing(.drop).run()
        #expect(try fixture.rows("orders_items") == ["9,0,1"])
        _ = try await fixture.ingest("{\"id\":8,\"items\":[{\"n\":2}]}\n{\"id\":7}\n", "more.ndjson").existing(.truncate).run()
        #expect(try fixture.rows("orders_items") == ["8,0,2"])
    }
}

private struct NoProgress: ProgressDisplay {
    func isDue(_ nanoseconds: UInt64) -> Bool { false }
    mutating func show(_ progress: IngestProgress) {}
    mutating func clear() {}
    mutating func end(_ progress: IngestProgress) {}
}
#endif
