// The code of the articles "The loader", "A sink of your own", "Nested feeds", "What changed" and "Where rows come from".

#if SQLite
import Foundation
import GRDB
import SinkConformance
import SluiceCore
import SluiceFeed
import SluiceIngest
import SluiceSQLite
import Synchronization
import Testing

@testable import SluiceTestSupport

@Suite struct LoaderArticleTests {
    private let scratch: Scratch
    private let feed: String

    init() throws {
        scratch = try Scratch()
        feed = try scratch.file(
            "feed.ndjson",
            (1...200).map { "{\"id\":\($0),\"type\":\"\($0 % 2 == 0 ? "Push" : "Fork")\",\"actor\":{\"login\":\"u\($0)\"}}\n" }
                .joined())
    }

    @Test func anIngestFromAProgram() async throws {
        let database = scratch.path("app.db")
        let shown = Mutex<[Double]>([])
        @Sendable func show(_ fraction: Double) { shown.withLock { $0.append(fraction) } }
        var printed = ""
        func print(_ items: Any...) { printed += items.map { "\($0)" }.joined(separator: " ") }

        let pool = try DatabasePool(path: database)
        let sink = SQLiteSink(pool, table: "events")
        let report = try await Ingest([feed], into: sink)
            .primaryKey("id").conflict(.upsert).rejects(.table("bad"))
            .run { progress in show(progress.fraction ?? 0) }
        print(report.rows.added, report.rejected)

        #expect(printed == "200 0")
        #expect(shown.withLock { $0.last } == 1)
        let json = try JSONEncoder().encode(report)
        #expect(try JSONDecoder().decode(IngestReport.self, from: json).rows == report.rows)
    }

    /// The code of the article "What changed".
    @Test func changesFromAProgram() async throws {
        let path = try scratch.file("prices.ndjson", "{\"sku\":\"a\",\"price\":1}\n{\"sku\":\"b\",\"price\":2}\n")
        let pool = try DatabasePool(path: scratch.path("shop.db"))
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

        let sink = SQLiteSink(pool, table: "prices")
        let report = try await Ingest([path], into: sink)
            .primaryKey("sku").conflict(.upsert)
            .changes(.table("changes")).missing(.delete).run()
        let rows = report.rows
        print(rows.added, rows.changed, rows.same, rows.removed)
        if let refusal = report.missing?.refusal {
            print("no row was removed:", refusal)
        }

        #expect(printed == ["2 0 0 0"])
    }

    /// The code of the article "Where rows come from".
    @Test func placesOfRowsFromAProgram() async throws {
        let path = try scratch.file("orders.ndjson", "{\"id\":1}\n {\"id\": 2}\n{\"id\":\n")
        let pool = try DatabasePool(path: scratch.path("shop.db"))
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

        let sink = SQLiteSink(pool, table: "orders")
        try await Ingest([path], into: sink)
            .primaryKey("id").conflict(.upsert).provenance().run()
        let origin = try await pool.read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM orders WHERE id = 2")
                .map { row in
                    RecordOrigin(
                        input: row["_input"], line: row["_line"],
                        byte: row["_byte"], digest: row["_digest"])
                }
        }
        if let origin { print(origin.line, try origin.text()) }

        #expect(printed == [#"2 {"id": 2}"#])
        printed = []
        let report = try await Ingest([path], into: SQLiteSink(pool, table: "bads")).run()

        try await Ingest([path], into: SQLiteSink(pool, table: "goods"))
            .primaryKey("id")
            .provenance(
                .table("origins").named(
                    input: "file", line: "row", byte: "offset", digest: "hash")
            ).run()

        for rejection in report.rejections {
            print(rejection.reason, rejection.origin?.input ?? "")
        }

        #expect(printed.count == 1 && printed[0].hasSuffix("/orders.ndjson"))
        let places = try await pool.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM origins ORDER BY id").map { [$0["id"], $0["row"], $0["offset"]] as [Int] }
        }
        #expect(places == [[1, 1, 0], [2, 2, 9]])
    }

    /// The code of the article "Nested feeds".
    @Test func childTablesOfAProgram() async throws {
        let orders = [
            #"{"id":1,"items":[{"sku":"a","tags":["x","y"]},{"sku":"b"}],"notes":["n"]}"#, #"{"id":2,"items":[]}"#,
            #"{"id":3,"items":[{"sku":"c"}]}"#,
        ]
        let path = try scratch.file("orders.ndjson", orders.joined(separator: "\n"))
        let pool = try DatabasePool(path: scratch.path("shop.db"))
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

        let sink = SQLiteSink(pool, table: "orders")
        let report = try await Ingest([path], into: sink)
            .primaryKey("id").children(.tables).child("tags", .json).run()
        for child in report.children {
            print(child.table, child.rows.added)
        }

        #expect(printed == ["orders_items 3", "orders_items_tags 2", "orders_notes 1"])
    }

    @Test func declaredColumns() async throws {
        let queue = try DatabaseQueue()
        let sink = SQLiteSink(queue, table: "events")
        try await Ingest([feed], into: sink)
            .columns([
                .column("id", .integer),
                .column("login", .text, at: "actor.login"),
            ])
            .filter("type = 'Push'")
            .run()
        #expect(try await queue.read { try String.fetchOne($0, sql: "SELECT min(id) || login FROM events") } == "2u2")
    }

    @Test func datesOfOtherForms() async throws {
        let feed = scratch.path("dates.ndjson")
        let text = #"{"id":1,"actor":{"login":"ann"},"created":86400,"due":"29.02.2024"}"#
        try Data(text.utf8).write(to: URL(filePath: feed))
        let queue = try DatabaseQueue()
        let sink = SQLiteSink(queue, table: "events")
        try await Ingest([feed], into: sink)
            .columns([
                .column("id", .integer), .column("who", .text, at: "actor.login"),
                .column("created", .timestamp, dates: .unix),
                .column("due", .date, dates: .format("dd.MM.yyyy")),
            ])
            .run()
        let rows = try queue.read { try Row.fetchAll($0, sql: "SELECT * FROM events") }
        #expect(rows == [["id": 1, "who": "ann", "created": "1970-01-02T00:00:00Z", "due": "2024-02-29"]])
    }

    @Test func recordsUnderKeys() async throws {
        let users = scratch.path("users.json")
        let text = #"{"users":{"u1":{"name":"ann","address":{"city":"Bonn"}},"u2":{"name":"bob"}}}"#
        try Data(text.utf8).write(to: URL(filePath: users))
        let queue = try DatabaseQueue()
        let sink = SQLiteSink(queue, table: "users")
        try await Ingest([users], into: sink)
            .at("users.*").keyColumn("user").keepJSON(at: "address").depth(2)
            .run()
        let rows = try queue.read { try Row.fetchAll($0, sql: "SELECT * FROM users") }
        #expect(
            rows == [
                ["user": "u1", "name": "ann", "address": #"{"city":"Bonn"}"#], ["user": "u2", "name": "bob", "address": nil],
            ])
        try await Ingest(BytesSource(Array("1\n2\n".utf8)), into: SQLiteSink(queue, table: "numbers")).valueColumn("n").run()
        #expect(try await queue.read { try Int.fetchOne($0, sql: "SELECT sum(n) FROM numbers") } == 3)
    }

    @Test func aFile() async throws {
        let output = scratch.path("out.csv")
        let report = try await Ingest([feed], into: FileSink(path: output, .csv)).run()
        #expect(report.rows.added == 200)
        let text = try String(contentsOf: URL(filePath: output), encoding: .utf8)
        #expect(text.hasPrefix("id,type,actor_login\r\n1,Fork,u1\r\n"))
    }

    @Test func anErrorNamesAnOptionAsTheProgramHasIt() async throws {
        let ingest = Ingest([feed], into: SQLiteSink(try DatabaseQueue(), table: "events"))
        var printed = ""
        func print(_ error: IngestError) { printed += "\(error)" }

        do {
            try await ingest.primaryKey("nope").run()
        } catch let error as IngestError {
            print(error)
        }

        #expect(printed == #"primaryKey("nope"): there is no such column; the columns are id, type, actor_login"#)
    }

    /// A sink that says that it has keys.
    private struct KeyedFile: RecordSink {
        let destination = "memory"
        var abilities: SinkAbilities { [.lateColumns, .keys] }

        func connect(_ run: SinkRun) throws -> any SinkConnection { throw IngestError.output("\(destination) is full") }
    }

    @Test func aSinkSaysWhatItCanDo() async throws {
        await #expect(throws: IngestError.output("memory is full")) {
            try await Ingest([feed], into: KeyedFile()).primaryKey("id").run()
        }
        let error = await #expect(throws: IngestError.self) {
            try await Ingest([feed], into: KeyedFile()).rejects(.table("bad")).run()
        }
        #expect(error?.description == "memory has no tables for rejected records; name a file, such as rejects.ndjson")
    }

    @Test func aBody() async throws {
        let body = Array((1...10).map { "{\"id\":\($0)}\n" }.joined().utf8)
        let queue = try DatabaseQueue()
        let sink = SQLiteSink(queue, table: "events")
        try await Ingest(BytesSource(body), totalBytes: body.count, into: sink)
            .existing(.append).run()
        #expect(try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM events") } == 10)
    }

    @Test func threeRuns() async throws {
        var printed = ""
        func print(_ item: Any) { printed += "\(item)" }
        let ingest = Ingest([feed], into: SQLiteSink(try DatabaseQueue(), table: "events"))

        let first = try await ingest.limit(100).run()
        let second = try await ingest.run()  // goes on after record 100
        let third = try await ingest.run()
        print(third.outcome == .nothingToDo)

        #expect(printed == "true")
        #expect((first.rows.added, second.rows.added) == (100, 100))
    }

    @Test func cancellation() async throws {
        let queue = try DatabaseQueue()
        let ingest = Ingest([feed], into: SQLiteSink(queue, table: "events"))

        let task = Task { try await ingest.run() }
        task.cancel()
        if case .interrupted = try await task.value.outcome {
            try await ingest.run()
        }

        #expect(try await queue.read { try Int.fetchOne($0, sql: "SELECT count(DISTINCT id) FROM events") } == 200)
    }

    @Test func aFileOfLines() async throws {
        let output = scratch.path("out.ndjson")
        let sink = LineFile(destination: output)
        let report = try await Ingest([feed], into: sink).run()
        #expect(report.rows.added == 200)
        #expect(!report.isResumable)
        let first = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n").first
        #expect(first == #"{"id":1,"type":"Fork","actor_login":"u1"}"#)
        // Rejected records go to a file beside it.
        let bad = scratch.path("bad.ndjson")
        let broken = try scratch.file("broken.ndjson", "{\"id\":1}\n{\n{\"id\":2}\n")
        for _ in 0..<2 {
            let again = try await Ingest([broken], into: LineFile(destination: output)).rejects(.file(path: bad)).run()
            #expect(again.outcome == .complete)
            #expect(again.rejected == 1)
        }
        #expect(try String(contentsOfFile: bad, encoding: .utf8).split(separator: "\n").count == 2)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).sorted() == [
                "bad.ndjson", "broken.ndjson", "feed.ndjson", "out.ndjson",
            ])
    }

    @Test func theSinkIsShort() throws {
        let text = try String(
            contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "LineFile.swift"),
            encoding: .utf8)
        let code = text.split(separator: "\n").drop { !$0.hasPrefix("///") }.dropLast()
        #expect(code.count <= 60)
    }

    @Test func theKitChecksIt() async throws {
        let folder = scratch.folder.path
        @Sendable func value(_ json: JSONValue) throws -> SinkConformance.Value {
            switch json {
            case .null: .null
            case .bool(let flag): .bool(flag)
            case .number(let number): number.int.map { .integer(Int64($0)) } ?? .real(number.double ?? .nan)
            case .string(let text): .text(text)
            case .array, .object: .text(try json.jsonString())
            }
        }
        @Sendable func rows(in output: String) throws -> [SinkConformance.Row] {
            guard FileManager.default.fileExists(atPath: output) else { return [] }
            return try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n").map { line in
                try JSONObject(json: String(line)).members.reduce(into: [:]) { row, member in
                    row[member.key] = try value(member.value)
                }
            }
        }
        try await SinkConformance.check([.nulInText, .emptyText]) {
            let output = folder + "/\(UUID().uuidString).ndjson"
            return SinkConformance.Target(LineFile(destination: output)) {
                try rows(in: output)
            }
        }
    }
}
#endif
