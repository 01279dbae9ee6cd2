// What a model with inlined models, variants beside a payload and arrays with tables of their own stores and refuses.
#if Macros && SQLite

import Foundation
import GRDB
import Sluice
import SluiceIngest
import SluiceSQLite
import Testing

@testable import SluiceTestSupport

@Suite struct ModelTableTests {
    @JSONModel
    struct Page: Equatable {
        var total: Int
        var next: String?
    }

    @JSONModel
    struct Names: Equatable {
        var first: String
        @JSONInline var home: Home?
    }

    @JSONModel
    struct Charge: Equatable {
        var amount: Int
        @JSONSensitive var card: String?
    }

    @JSONModel(tag: .key("type", content: "data.object"))
    enum Payload: Equatable {
        @JSONKey("charge.paid") case paid(Charge)
        case ping
    }

    @JSONModel
    struct Part: Equatable { var n: Int }

    @JSONModel(keys: .snakeCase)
    struct Line: Equatable {
        @JSONKey("sku", "SKU") var sku: String
        var position: Int?
        var madeAt: Date?
        var count = 1
        @JSONColumn(.table) var parts: [Part] = []
        var page: Page?
        @JSONColumn(.integer) var weight: UInt64?
        @JSONSensitive var serial: String?
    }

    @JSONModel(keys: .snakeCase)
    struct Order: Equatable {
        @JSONKey("id", "ID") var id: Int
        @JSONInline var page: Page
        @JSONInline var names: Names?
        @JSONInline var payload: Payload
        @JSONColumn(.table) var lines: [Line]
        @JSONKey("more.remarks") @JSONColumn("notes", .table) var remarks: [Part]?
        var createdAt: Date
        @JSONSensitive var secret: String?
        var tags: Set<String> = []
        @JSONMismatch(.keep) var level = 5
    }

    // MARK: Inlined models and variants

    @JSONModel
    struct Listing: Equatable {
        var id: Int
        @JSONInline var page: Page
        var kind: String?
        @JSONColumn("who") @JSONInline var names: Owner?
        @JSONColumn(.json) @JSONInline var rest: Rest?
    }

    @JSONModel
    struct Owner: Equatable {
        var login: String
        @JSONInline var home: Home?
    }

    @JSONModel
    struct Home: Equatable { @JSONKey("home.city") var city: String }

    @JSONModel
    struct Rest: Equatable {
        var a: Int
        var b: [Int] = []
    }

    private func table<Model: JSONModel>(
        _ type: Model.Type, _ lines: [String], workers: Int = 1, reading: JSONReader.Options = .init(),
        _ options: (Ingest) -> Ingest = { $0 }
    ) async throws -> (rows: [String], report: IngestReport) {
        let scratch = try Scratch()
        let path = try scratch.file("in.ndjson", lines.joined(separator: "\n"))
        let queue = try DatabaseQueue()
        let ingest = Ingest([path], as: type, reading: reading, into: SQLiteSink(queue, table: "t")).workers(workers)
        let report = try await options(ingest).run()
        return (try await queue.read { try rows("t", $0) }, report)
    }

    /// The rows of a table, as its values joined by bars.
    private func rows(_ table: String, _ db: Database) throws -> [String] {
        try Row.fetchAll(db, sql: "SELECT * FROM \(table.quotedDatabaseIdentifier)").map { row in
            row.databaseValues.map { $0.isNull ? "-" : "\($0.storage.value ?? "")" }.joined(separator: "|")
        }
    }

    @Test(arguments: [1, 2], [JSONReader.Options.Parser.automatic, .yajl])
    func thePropertiesOfAnInlinedModelAreColumnsAtItsPosition(workers: Int, parser: JSONReader.Options.Parser) async throws {
        var reading = JSONReader.Options()
        reading.parser = parser
        let (rows, report) = try await table(
            Listing.self,
            [
                #"{"next":"n\u00e4chst","id":1,"total":"2","kind":"k","login":"x","home":{"city":"Rome"},"a":1,"b":[2]}"#,
                #"{"id":2,"total":3}"#, #"{"id":3}"#, #"{"id":4,"total":{}}"#,
            ], workers: workers, reading: reading)
        #expect(report.columns.map(\.name) == ["id", "total", "next", "kind", "who_login", "who_home_city", "rest"])
        #expect(rows == [#"1|2|nächst|k|x|Rome|{"a":1,"b":[2]}"#, "2|3|-|-|-|-|-"])
        #expect(report.rejected == 2)
        #expect(report.unknownKeys.isEmpty)
    }

    @JSONModel
    struct Happening: Equatable {
        var id: String
        @JSONInline var payload: Payload
    }

    @Test(arguments: [1, 2]) func aVariantBesideItsPayloadIsOneColumnOfJSON(workers: Int) async throws {
        let (rows, report) = try await table(
            Happening.self,
            [
                #"{"id":"a","type":"charge.paid","data":{"object":{"amount":"7"}}}"#, #"{"type":"ping","id":"b"}"#,
                #"{"id":"c","type":"pong"}"#, #"{"id":"d","type":"charge.paid","data":{"object":{"card":["4711"]}}}"#,
            ], workers: workers)
        #expect(report.columns.map(\.name) == ["id", "payload"])
        #expect(
            rows == [#"a|{"type":"charge.paid","data":{"object":{"amount":7}}}"#, #"b|{"type":"ping"}"#])
        #expect(report.rejected == 2)
        #expect(report.rejections.allSatisfy { !$0.reason.contains("4711") })
    }

    // MARK: Tables of their own

    private static let orders = [
        #"{"id":1,"total":2,"type":"ping","lines":[{"sku":"a","parts":[{"n":1},{"n":"2"}],"position":9}, {"SKU":"b","count":3,"made_at":"2014-01-20T12:24:48+02:00","page":{"total":1,"next":"\n"}}],"more":{"remarks":[{"n":7}]},"created_at":"2014-01-20T12:24:48Z"}"#,
        #"{"created_at":"2014-01-20","lines":[],"ID":2,"total":1,"type":"charge.paid","data":{"object":{"amount":5}}}"#,
        #"{"created_at":"2014-01-20","lines": [ { "sku" : "c\u00e9" , "weight" : 5 } ] ,"ID":3,"total":1,"type":"ping","more":{"remarks":null}}"#,
    ]

    @Test(arguments: [1, 2], [JSONReader.Options.Parser.automatic, .yajl])
    func anArrayOfAModelIsATableWithTheColumnsOfTheModel(workers: Int, parser: JSONReader.Options.Parser) async throws {
        let scratch = try Scratch()
        let path = try scratch.file("in.ndjson", Self.orders.joined(separator: "\n"))
        let queue = try DatabaseQueue()
        var reading = JSONReader.Options()
        reading.parser = parser
        let report = try await Ingest([path], as: Order.self, reading: reading, into: SQLiteSink(queue, table: "orders"))
            .primaryKey("id").workers(workers).run()
        #expect(report.rejected == 0)
        #expect(report.outcome == .complete)
        #expect(report.unknownKeys.isEmpty)
        #expect(report.children.map(\.table) == ["orders_lines", "orders_lines_parts", "orders_notes"])
        try await queue.read { db in
            #expect(try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").isEmpty)
            #expect(
                try db.columns(in: "orders").map(\.name)
                    == ["id", "total", "next", "first", "home_city", "payload", "created_at", "secret", "tags", "level"])
            #expect(
                try db.columns(in: "orders_lines").map(\.name)
                    == [
                        "orders_id", "position", "sku", "position_2", "made_at", "count", "page_total", "page_next", "weight",
                        "serial",
                    ])
            #expect(
                try rows("orders_lines", db) == [
                    "1|0|a|9|-|-|-|-|-|-", "1|1|b|-|2014-01-20T10:24:48Z|3|1|\n|-|-", "3|0|cé|-|-|-|-|-|5|-",
                ])
            #expect(try rows("orders_lines_parts", db) == ["1|0|0|1", "1|0|1|2"])
            #expect(try rows("orders_notes", db) == ["1|0|7"])
            let required = try db.columns(in: "orders_lines").filter(\.isNotNull).map(\.name)
            #expect(required.contains("sku") && !required.contains("count") && !required.contains("page_total"))
        }
    }

    @Test func anUpsertExchangesTheElementsOfItsRecordsOnly() async throws {
        let scratch = try Scratch()
        let queue = try DatabaseQueue()
        func ingest(_ name: String, _ lines: [String]) async throws -> IngestReport {
            try await Ingest(
                [try scratch.file(name, lines.joined(separator: "\n"))], as: Basket.self, into: SQLiteSink(queue, table: "t")
            )
            .primaryKey("id").conflict(.upsert).run()
        }
        try await _ = ingest(
            "a.ndjson", [#"{"id":1,"lines":[{"sku":"a"},{"sku":"b"}]}"#, #"{"id":2,"lines":[{"sku":"c"}]}"#])
        let report = try await ingest(
            "b.ndjson", [#"{"id":1,"lines":[{"sku":"z"}]}"#, #"{"id":2}"#, #"{"id":3,"lines":[{"sku":"d"},{"sku":7}]}"#])
        #expect(try await queue.read { try rows("t_lines", $0) } == ["1|0|z", "2|0|c", "3|0|d", "3|1|7"])
        let lines = try #require(report.children.first).rows
        #expect((lines.added, lines.changed, lines.removed) == (2, 1, 1))
    }

    @Test func aRecordWithoutAKeyGetsANumber() async throws {
        let scratch = try Scratch()
        let queue = try DatabaseQueue()
        let path = try scratch.file("in.ndjson", #"{"id":1,"lines":[{"sku":"a"}]}"# + "\n" + #"{"id":1,"lines":[{"sku":"b"}]}"#)
        let ingest = Ingest([path], as: Basket.self, into: SQLiteSink(queue, table: "t"))
        #expect(try await ingest.limit(1).run().rows.added == 1)
        #expect(try await ingest.run().rows.added == 1)
        #expect(
            try await queue.read {
                try String.fetchAll($0, sql: "SELECT l.sku FROM t JOIN t_lines l USING (record_id) ORDER BY record_id")
            } == ["a", "b"])
    }

    @JSONModel
    struct Good: Equatable { var sku: String }

    @JSONModel
    struct Basket: Equatable {
        var id: Int
        @JSONColumn(.table) var lines: [Good]?
    }

    /// What the table refuses has the position of its element.
    @Test(arguments: [1, 2], [ChildRejects.record, .element])
    func anElementThatTheTableRefusesIsRejectedWithItsPosition(workers: Int, rejects: ChildRejects) async throws {
        let scratch = try Scratch()
        let queue = try DatabaseQueue()
        try await queue.write {
            try $0.execute(
                sql: """
                    CREATE TABLE t (id INTEGER PRIMARY KEY);
                    CREATE TABLE t_lines (t_id INTEGER REFERENCES t (id), position INTEGER, sku TEXT CHECK (sku <> 'x'),
                        PRIMARY KEY (t_id, position));
                    """)
        }
        let path = try scratch.file(
            "in.ndjson", #"{"id":1,"lines":[ {"sku":"a"}, {"sku":"x"}]}"# + "\n" + #"{"id":2,"lines":[{"sku":"b"}]}"#)
        let report = try await Ingest([path], as: Basket.self, into: SQLiteSink(queue, table: "t"))
            .primaryKey("id").existing(.append).workers(workers).children(.json, rejects: rejects).run()
        let stored = try await queue.read { try rows("t_lines", $0) }
        #expect(stored == (rejects == .record ? ["2|0|b"] : ["1|0|a", "2|0|b"]))
        #expect(report.rejections.first?.reason.contains("line 1, column 32, byte 31") == true, "\(report.rejections)")
    }

    // MARK: What cannot be a table

    @JSONModel struct Scalars { var id: Int; @JSONColumn(.table) var tags: [String] }
    @JSONModel struct Maps { var id: Int; @JSONColumn(.table) var lines: [String: Good] }
    @JSONModel struct Tree { var id: Int; @JSONColumn(.table) var children: [Tree] = [] }
    @JSONModel struct Tolerant { var id: Int; @JSONElements(.skipInvalid) @JSONColumn(.table) var lines: [Good] }
    @JSONModel struct Nameless { @JSONColumn("") var id: Int }
    @JSONModel struct Wrong { @JSONColumn(.bool) var id: Double }
    @JSONModel struct Clash { var id: Int; @JSONInline var page: Page; @JSONColumn("total") var sum: Int }

    private func problem<Model: JSONModel>(
        _ type: Model.Type, _ sink: (any RecordSink)? = nil, _ options: (Ingest) -> Ingest = { $0 }
    ) async throws -> String {
        let scratch = try Scratch()
        let path = try scratch.file("in.ndjson", "{}")
        let queue = try DatabaseQueue()
        func run(_ sink: some RecordSink) async throws -> String {
            do {
                _ = try await options(Ingest([path], as: type, into: sink)).run()
                return "none"
            } catch let error as IngestError {
                return error.description
            }
        }
        if let sink { return try await run(sink) }
        return try await run(SQLiteSink(queue, table: "t"))
    }

    @Test func whatHasNoTableIsAnErrorThatNamesIt() async throws {
        #expect(
            try await problem(Scalars.self).hasSuffix(
                "Scalars.tags is of type [String], which has no table of its own; only an array of a model has"))
        #expect(try await problem(Maps.self).contains("only an array of a model has"))
        #expect(try await problem(Tree.self).hasSuffix("Tree.children has no table of its own, because Tree is inside itself"))
        #expect(try await problem(Tolerant.self).hasSuffix("because elements that do not fit are left out of it"))
        #expect(try await problem(Nameless.self).hasSuffix("Nameless: the name of the column of 'id' is empty"))
        #expect(try await problem(Wrong.self).hasSuffix("which has no column of type bool; it can be real, text, json"))
        #expect(
            try await problem(Clash.self).hasSuffix(
                "the properties 'page.total' and 'sum' both have the column 'total'; name one of them with @JSONColumn"))
        #expect(try await problem(Basket.self) { $0.children(.tables) }.contains("by @JSONColumn(.table)"))
        #expect(try await problem(Basket.self) { $0.child("lines", .json) }.contains("by @JSONColumn(.table)"))
        #expect(try await problem(Basket.self) { $0.primaryKey("idd") }.contains("primaryKey(\"idd\"): there is no such column"))
        #expect(
            try await problem(Basket.self) { $0.sensitive("nothing") }.contains("sensitive(\"nothing\"): there is no such column")
        )
        let scratch = try Scratch()
        #expect(try await problem(Basket.self, FileSink(path: scratch.path("out.csv"), .csv)).contains("has no child tables"))
        let path = try scratch.file("in.ndjson", "{}")
        let queue = try DatabaseQueue()
        await #expect(throws: IngestError.self) {
            _ = try await Ingest([path], as: Basket.self, reading: .tolerant, into: SQLiteSink(queue, table: "t")).run()
        }
    }

    // MARK: Verdicts

    /// A record in which each key has a value that may fit, or not, or is missing.
    private func record(_ random: inout SplitMix64) -> String {
        func pick(_ good: [String], _ bad: [String], _ random: inout SplitMix64) -> String {
            random.below(12) == 0 ? random.pick(bad + good) : random.pick(good)
        }
        func object(_ members: [(String, String?)], _ random: inout SplitMix64) -> String {
            var members = members.compactMap { key, value in value.map { "\"\(key)\": \($0)" } }
            if random.below(3) == 0 { members.shuffle(using: &random) }
            if random.below(12) == 0, !members.isEmpty { members.remove(at: random.below(members.count)) }
            if random.below(12) == 0 { members.append(#""unknown":{"x":[1]}"#) }
            return "{" + members.joined(separator: random.below(2) == 0 ? "," : " , ") + "}"
        }
        let integers = ["1", "\"2\"", "-7", "9007199254740993"]
        let noIntegers = ["1.5", "[]", "null", "\"x\"", "99999999999999999999", "true"]
        let texts = ["\"a\"", #""é\n\u00e4""#, "\"\"", "7"]
        let noTexts = ["{}", "[1]", "null", #""\ud800""#]
        let dates = ["\"2014-01-20T12:24:48+02:00\"", "\"2014-01-20\"", "\"Mon, 20 Jan 2014 12:24:48 GMT\""]
        func part(_ random: inout SplitMix64) -> String { object([("n", pick(integers, noIntegers, &random))], &random) }
        func array(_ element: (inout SplitMix64) -> String, _ random: inout SplitMix64) -> String {
            if random.below(30) == 0 { return random.pick(["{}", "null", "1", "[null]", "[[]]", "[1]"]) }
            let elements = (0..<random.below(4)).map { _ in element(&random) }
            return "[" + elements.joined(separator: random.below(2) == 0 ? "," : ", ") + "]"
        }
        func line(_ random: inout SplitMix64) -> String {
            object(
                [
                    ("sku", pick(texts, noTexts, &random)),
                    ("position", random.below(2) == 0 ? nil : pick(integers, noIntegers, &random)),
                    ("made_at", random.below(2) == 0 ? nil : pick(dates, noTexts + texts, &random)),
                    ("count", random.below(2) == 0 ? nil : pick(integers, noIntegers, &random)),
                    ("parts", random.below(2) == 0 ? nil : array(part, &random)),
                    ("page", random.below(3) > 0 ? nil : object([("total", pick(integers, noIntegers, &random))], &random)),
                    ("serial", random.below(3) > 0 ? nil : pick(texts, noTexts, &random)),
                ], &random)
        }
        let isPaid = random.below(2) == 0
        let charge = object([("amount", pick(integers, noIntegers, &random)), ("card", pick(texts, noTexts, &random))], &random)
        return object(
            [
                (random.pick(["id", "ID"]), pick(integers, noIntegers, &random)),
                ("total", pick(integers, noIntegers, &random)),
                ("next", random.below(2) == 0 ? nil : pick(texts, noTexts, &random)),
                ("first", random.below(2) == 0 ? nil : pick(texts, noTexts, &random)),
                ("home", random.below(2) == 0 ? nil : object([("city", pick(texts, noTexts, &random))], &random)),
                ("type", isPaid ? "\"charge.paid\"" : pick(["\"ping\""], ["\"pong\"", "1"], &random)),
                ("data", isPaid ? object([("object", charge)], &random) : nil),
                ("lines", array(line, &random)),
                ("more", random.below(2) == 0 ? nil : object([("remarks", array(part, &random))], &random)),
                ("created_at", pick(dates, noTexts + texts, &random)),
                ("secret", random.below(2) == 0 ? nil : pick(texts, noTexts, &random)),
                ("tags", random.below(2) == 0 ? nil : array({ pick(texts, noTexts, &$0) }, &random)),
                ("level", random.below(2) == 0 ? nil : pick(integers, noIntegers, &random)),
            ], &random)
    }

    /// Reads a file as models, and ingests it, and compares what is accepted, and why the rest is refused.
    private func compare(_ lines: [[UInt8]], workers: Int, _ reading: JSONReader.Options) async throws -> (Int, Int) {
        let scratch = try Scratch()
        let path = scratch.path("in.ndjson")
        try Data(lines.joined(separator: [UInt8(ascii: "\n")])).write(to: URL(fileURLWithPath: path))
        let feed = try JSONFeed<Order>(path: path, options: .init(format: .lines, reading: reading))
        var (models, errors): ([Order], [JSONError]) = ([], [])
        while true {
            do throws(JSONError) {
                guard let model = try feed.next() else { break }
                models.append(model)
            } catch {
                errors.append(error)
            }
        }
        let queue = try DatabaseQueue()
        let report = try await Ingest([path], as: Order.self, reading: reading, into: SQLiteSink(queue, table: "t"))
            .format(.lines).workers(workers).rejects(.table("bad")).run()
        #expect(report.outcome == .complete)
        #expect(report.rows.added == models.count)
        #expect(report.rejected == errors.count)
        try await queue.read { [models, errors] db in
            let rejected = try Row.fetchAll(db, sql: "SELECT * FROM bad")
            for (row, error) in zip(rejected, errors) {
                #expect(row["error_message"] == error.description)
                #expect(row["column_name"] ?? "" == error.path)
                #expect(row["error_type"] == "\(error.kind)")
                #expect(row["byte_position"] == error.offset)
            }
            let rows = try Row.fetchAll(db, sql: "SELECT * FROM t ORDER BY record_id")
            let skus = try Row.fetchAll(db, sql: "SELECT record_id, sku FROM t_lines ORDER BY record_id, position")
            let parts = try Int.fetchAll(db, sql: "SELECT n FROM t_lines_parts ORDER BY record_id, lines_position, position")
            #expect(skus.map { $0["sku"] as String } == models.flatMap { $0.lines.map(\.sku) })
            #expect(parts == models.flatMap { $0.lines.flatMap { $0.parts.map(\.n) } })
            for (row, model) in zip(rows, models) {
                #expect(row["id"] == model.id)
                #expect(row["total"] == model.page.total)
                #expect(row["next"] == model.page.next)
                #expect(row["secret"] == model.secret)
                let payload = try JSONValue(json: model.payload.jsonString())
                #expect(try JSONValue(json: row["payload"] as String) == payload)
            }
        }
        return (models.count, errors.count)
    }

    @Test(arguments: [1, 2], [JSONReader.Options.Parser.automatic, .yajl])
    func anIngestRejectsExactlyWhatTheModelRefuses(workers: Int, parser: JSONReader.Options.Parser) async throws {
        var random = SplitMix64(seed: 4711)
        let lines = (0..<1_500).map { _ -> [UInt8] in
            let bytes = Array(record(&random).utf8)
            return random.below(6) == 0 ? random.damaged(bytes) : bytes
        }
        var reading = JSONReader.Options()
        reading.parser = parser
        let (accepted, refused) = try await compare(lines, workers: workers, reading)
        #expect(accepted > 200 && refused > 200, "\(accepted) accepted, \(refused) refused")
        reading = .strict
        reading.parser = parser
        _ = try await compare(lines, workers: workers, reading)
    }

    @Test(arguments: [JSONReader.Options.Parser.automatic, .yajl])
    func aRecordIsJudgedTheSameWhereverItIsCut(parser: JSONReader.Options.Parser) async throws {
        var reading = JSONReader.Options()
        reading.parser = parser
        let text = Array(Self.orders[0].utf8)
        _ = try await compare((0...text.count).map { Array(text[..<$0]) }, workers: 1, reading)
    }

    @Test(arguments: [JSONReader.Options.Parser.automatic, .yajl])
    func noSecretStandsInARejection(parser: JSONReader.Options.Parser) async throws {
        let scratch = try Scratch()
        let queue = try DatabaseQueue()
        let secrets = [
            #"{"id":1,"total":1,"type":"ping","lines":[],"created_at":"2014-01-20","secret":["hunter2"]}"#,
            #"{"id":1,"total":1,"type":"ping","lines":[],"created_at":"2014-01-20","secret":"hunter2""#,
            #"{"id":1,"total":1,"type":"ping","lines":[{"sku":"a","serial":{"x":"hunter2"}}],"created_at":"2014-01-20"}"#,
            #"{"id":1,"total":1,"type":"ping","lines":[{"sku":"a","serial":"hunter2"},{}],"created_at":"2014-01-20"}"#,
            #"{"id":1,"total":1,"type":"charge.paid","data":{"object":{"amount":1,"card":[["hunter2"]]}},"lines":[],"created_at":"2014-01-20"}"#,
            #"{"id":1,"total":1,"type":"ping","lines":[{"sku":"a","serial":"hunter2","weight":9223372036854775808}],"created_at":"2014-01-20"}"#,
        ]
        let path = try scratch.file("in.ndjson", secrets.joined(separator: "\n"))
        var reading = JSONReader.Options()
        reading.parser = parser
        let ingest = Ingest([path], as: Order.self, reading: reading, into: SQLiteSink(queue, table: "t")).rejects(.table("bad"))
        let report = try await ingest.run()
        #expect(report.rejected == secrets.count)
        let text = try await queue.read { db in
            try Row.fetchAll(db, sql: "SELECT error_message, column_name, error_type FROM bad").map { "\($0)" }.joined()
        }
        #expect(!text.contains("hunter2"))
        #expect(try !String(decoding: JSONEncoder().encode(report), as: UTF8.self).contains("hunter2"))
        #expect(!"\(report.rejections)".contains("hunter2"))
    }
}
#endif
