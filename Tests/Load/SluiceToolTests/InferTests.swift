#if CommandLine
import Foundation
import GRDB
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

struct InferTests {
    private func infer(_ text: String, _ form: Infer.Form, name: String = "Record", sample: Int? = nil) throws -> String {
        var infer = Infer(Infer.Options(sample: sample, form: form, name: name))
        try infer.observe(BytesSource(Array(text.utf8)))
        return try infer.text()
    }

    private static let feed = #"{"id":1,"actor":{"login":"ann"},"score":1}"# + "\n" + #"{"id":2,"score":1.5,"tags":["a"]}"# + "\n"

    @Test func columnsAreThoseThatIngestTakes() throws {
        let text = try infer(Self.feed, .columns)
        #expect(text == "id:integer\nactor_login:text=actor.login\nscore:real\ntags:json\n")
        for line in text.split(separator: "\n") { _ = try ColumnOption(String(line)) }
    }

    @Test func sqlMakesTheTable() throws {
        let text = try infer(Self.feed, .sql, name: "my \"events\"")
        #expect(text.hasPrefix("CREATE TABLE \"my \"\"events\"\"\" (\n    \"id\" INTEGER,\n"))
        let scratch = try Scratch()
        try scratch.execute(text)
        #expect(
            try scratch.rows("SELECT name FROM pragma_table_info('my \"events\"')").map { $0["name"] as String }
                == ["id", "actor_login", "score", "tags"])
    }

    /// The tables are those that an ingest makes.
    @Test(arguments: [[], ["id"]]) func arraysHaveTablesOfTheirOwn(key: [String]) throws {
        let feed = #"{"id":1,"items":[{"sku":"a","parts":[1,2]}],"m":[[1]],"s":{"t":["x"]}}"# + "\n" + #"{"id":2}"# + "\n"
        var options = Infer.Options(form: .sql, name: "orders", key: key)
        options.children.storage = .tables
        var infer = Infer(options)
        try infer.observe(BytesSource(Array(feed.utf8)))
        let scratch = try Scratch()
        try scratch.execute(try infer.text())
        var ingest = IngestOptions()
        ingest.children.storage = .tables
        ingest.primaryKey = key
        let made = scratch.path("made.db")
        let job = IngestJob(ingest, into: SQLiteSink(path: made, table: "orders"))
        _ = try job.run(BytesSource(Array(feed.utf8)), progress: ProgressLine(isShown: false))
        func columns(_ queue: DatabaseQueue) throws -> [Row] {
            try queue.read {
                try Row.fetchAll(
                    $0,
                    sql: """
                        SELECT m.name AS t, c.name, c.type, c.pk FROM sqlite_master m, pragma_table_info(m.name) c
                        WHERE m.name LIKE 'orders%' AND m.type = 'table' ORDER BY 1, c.cid
                        """)
            }
        }
        let described = try columns(DatabaseQueue(path: scratch.path("out.db")))
        #expect(
            Set(described.map { $0["t"] as String }) == [
                "orders", "orders_items", "orders_items_parts", "orders_m", "orders_m_value", "orders_s_t",
            ])
        #expect(try columns(DatabaseQueue(path: made)) == described)
    }

    @Test func theDialectOfPostgreSQLHasItsTypes() throws {
        var infer = Infer(Infer.Options(form: .sql, name: "events", key: ["id"], dialect: .postgres))
        try infer.observe(BytesSource(Array(Self.feed.utf8)))
        #expect(
            try infer.text() == """
                CREATE TABLE "events" (
                    "id" bigint,
                    "actor_login" text,
                    "score" double precision,
                    "tags" jsonb,
                    PRIMARY KEY ("id")
                );

                """)
    }

    @Test func aSchemaSaysWhatIsAlwaysThere() throws {
        let schema = try JSONValue(json: infer(Self.feed, .jsonSchema))
        #expect(schema["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
        #expect(schema["type"]?.string == "object")
        #expect(schema["required"]?.array?.compactMap(\.string) == ["id", "score"])
        #expect(schema["properties"]?["score"]?["type"]?.string == "number")
        #expect(schema["properties"]?["actor"]?["properties"]?["login"]?["type"]?.string == "string")
        #expect(schema["properties"]?["tags"]?["items"]?["type"]?.string == "string")
        let mixed = try JSONValue(json: infer("{\"a\":1}\n{\"a\":null}\n{\"a\":\"x\"}", .jsonSchema))
        #expect(mixed["properties"]?["a"]?["type"]?.array?.compactMap(\.string) == ["string", "integer", "null"])
        let map = "{" + (0..<300).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"
        #expect(try JSONValue(json: infer(map, .jsonSchema))["additionalProperties"]?["type"]?.string == "integer")
    }

    @Test func aKeyThatStandsTwiceInARecordIsNotAlwaysThere() throws {
        for feed in ["{\"a\":1,\"a\":2}\n{}\n", "{\"o\":[{\"a\":1,\"a\":2},{}]}\n"] {
            let schema = try JSONValue(json: infer(feed, .jsonSchema))
            #expect((schema["properties"]?["o"]?["items"] ?? schema)["required"] == nil, "\(schema)")
            let model = try infer(feed, .swift)
            #expect(model.contains("var a: Int?\n"), "\(model)")
        }
        #expect(try infer("{\"a\":1,\"a\":2}\n{\"a\":3}\n", .swift).contains("var a: Int\n"))
    }

    /// The model in SluiceTests is compiled there, and reads the records.
    @Test func theSwiftModelIsTheOneThatIsCompiledInSluiceTests() throws {
        let records = try String(
            contentsOf: TestTables.folder.appendingPathComponent("Fixtures/inferred.ndjson"), encoding: .utf8)
        let file = TestTables.folder.appendingPathComponent("Engine/SluiceTests/Models/InferredRecord.swift")
        let compiled =
            try String(contentsOf: file, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.hasPrefix("#") && !$0.hasPrefix("//") }.joined(separator: "\n")
            .trimmingCharacters(in: .newlines) + "\n"
        #expect(try infer(records, .swift, name: "InferredRecord") == compiled)
    }

    @Test func recordsThatAreNoObjectsHaveATypeToo() throws {
        #expect(try infer("1\n2\n", .swift) == "import Sluice\n\ntypealias Record = Int\n")
        #expect(try infer("[1]\n[null]\n", .swift).hasSuffix("typealias Record = [Int?]\n"))
        #expect(try infer("{\"a\":1}\n2\n", .swift).hasSuffix("typealias Record = JSONValue\n"))
        #expect(
            try infer("[{\"a\":1}]\n[]\n", .swift).hasSuffix(
                "typealias Record = [RecordElement]\n\n@JSONModel\nstruct RecordElement {\n    var a: Int\n}\n"))
    }

    @Test(arguments: [
        ("created_at", "createdAt"), ("ID", "id"), ("HTMLText", "htmlText"), ("_id", "_id"), ("2x", "_2x"), ("a-b c", "aBC"),
        ("", "value"), ("é", "é"), ("🚀", "value"), ("self", "selfValue"), ("Name", "name"), ("UTF8", "utf8"),
    ])
    func keysBecomeNames(key: String, name: String) {
        var taken: Set<String> = []
        #expect(SwiftName.property(for: key, taken: &taken) == name)
        #expect(SwiftName.property(for: key, taken: &taken) == name + "2")
    }

    @Test(arguments: [
        ("statuses", "status"), ("entries", "entry"), ("items", "item"), ("addresses", "address"), ("houses", "house"),
        ("responses", "response"), ("boxes", "box"), ("bus", "bus"), ("glass", "glass"), ("data", "data"),
    ])
    func collectionsNameTheirElements(key: String, name: String) {
        #expect(SwiftName.singular(of: key) == name)
    }

    @Test func onlyTheSampleIsLookedAt() throws {
        #expect(try infer(Self.feed, .columns, sample: 1) == "id:integer\nactor_login:text=actor.login\nscore:integer\n")
    }
}

@Suite(.enabled(if: Shell.isPresent)) struct InferCommandTests {
    @Test func aDescriptionGoesToStandardOutput() throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", "{\"id\":1}\n")
        _ = try scratch.file("b.json", "{\"page\":{\"items\":[{\"id\":2,\"name\":\"x\"}]}}")
        #expect(
            try scratch.shell("sluice infer a.ndjson && sluice infer --at page.items --as sql --name items b.json")
                == .init(
                    status: 0, output: "id:integer\nCREATE TABLE \"items\" (\n    \"id\" INTEGER,\n    \"name\" TEXT\n);\n",
                    errors: ""))
        let damaged = try scratch.shell("printf '{\"id\":1}\\n{]\\n' | sluice infer -")
        #expect(damaged.status == 2)
        #expect(damaged.output == "id:integer\n")
        #expect(damaged.errors.hasPrefix("sluice: 1 record could not be read; the first: invalid JSON (line 2, column 2"))
        #expect(try scratch.shell("echo 1 | sluice infer -").status == 2)
        #expect(try scratch.shell("sluice infer gone.json").status == 3)
        if Shell.hasFullDevice {
            #expect(try scratch.shell("sluice infer a.ndjson > /dev/full").status == 3)
        }
        #expect(try scratch.shell("sluice infer --as perl a.ndjson").status == 64)
    }

    @Test func columnsOfOneRunAreTheOptionsOfAnother() throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", "{\"id\":1,\"actor\":{\"login\":\"ann\"}}\n")
        let command = "sluice ingest a.ndjson out.db $(sluice infer a.ndjson | sed 's/^/--column /')"
        #expect(try scratch.shell(command).status == 0)
        #expect(try scratch.value("SELECT id || actor_login FROM records") == "1ann")
    }
}
#endif
