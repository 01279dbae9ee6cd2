// The options of an ingest, as a server sets them.

#if SQLite
import Foundation
import GRDB
import SluiceCore
import SluiceFeed
import SluiceIngest
import SluiceSQLite
import SluiceTestSupport
import Testing

@Suite struct OptionTests {
    private let scratch: Scratch
    private let queue: DatabaseQueue
    private var sink: SQLiteSink { SQLiteSink(queue, table: "events") }

    init() throws { (scratch, queue) = (try Scratch(), try DatabaseQueue()) }

    /// Another sink stores a checkpoint as this text.
    @Test func aCheckpointIsTheSameAfterItsText() throws {
        let feed = JSONFeed<JSONValue>(bytes: Array("{\"a\":1}\n{\"a\":2}\n".utf8))
        _ = try feed.next()
        var checkpoint = StoredCheckpoint(feed: feed.checkpoint)
        checkpoint.rejected = 3
        checkpoint.passedOver = 4
        checkpoint.isComplete = true
        checkpoint.recordInput = 5
        checkpoint.time = "2026-11-25T16:03:05.123Z"
        checkpoint.signature = "a \"b\" ä"
        checkpoint.cutOff.file = "in.ndjson"
        let text = checkpoint.text
        #expect(!text.contains("\n"))
        let restored = try #require(StoredCheckpoint(text: text))
        #expect(restored == checkpoint)
        #expect(restored.recordCount == 1)
        #expect(restored.offset == 7 || restored.offset == 8)
        for damaged in ["", "7", "{}", String(text.dropLast()), #"{"feed":"x","state":{}}"#, #"{"state":{}}"#] {
            #expect(StoredCheckpoint(text: damaged) == nil, "\(damaged)")
        }
    }

    private func ingest(_ text: String, _ name: String = "in.ndjson") throws -> Ingest {
        Ingest([try scratch.file(name, text)], into: sink)
    }

    private func rows(_ sql: String = "SELECT * FROM events ORDER BY id") throws -> [String] {
        try queue.read { db in
            try Row.fetchAll(db, sql: sql).map { row in
                row.map { "\($0.0)=\($0.1.isNull ? "null" : String(describing: $0.1.storage.value ?? ""))" }.joined(
                    separator: " ")
            }
        }
    }

    @Test(arguments: [
        (KeyConflict.reject, RowCounts(added: 2), ["id=1 a=one b=x", "id=2 a=two b=y"]),
        (.upsert, RowCounts(added: 2, changed: 1, same: 1), ["id=1 a=new b=x", "id=2 a=two b=y"]),
        (.ignore, RowCounts(added: 2, kept: 2), ["id=1 a=one b=x", "id=2 a=two b=y"]),
        (.replace, RowCounts(added: 2, changed: 1, same: 1), ["id=1 a=new b=null", "id=2 a=two b=y"]),
    ])
    func keysDecide(conflict: KeyConflict, counts: RowCounts, expected: [String]) async throws {
        let text = #"{"id":1,"a":"one","b":"x"}"# + "\n" + #"{"id":2,"a":"two","b":"y"}"# + "\n"
        let report = try await ingest(text + #"{"id":1,"a":"new"}"# + "\n" + #"{"id":2,"a":"two","b":"y"}"#)
            .primaryKey("id").conflict(conflict).run()
        #expect(report.rows == counts)
        #expect(report.rejected == (conflict == .reject ? 2 : 0))
        #expect(report.isMerged == (conflict == .upsert || conflict == .replace))
        #expect(try rows() == expected)
    }

    @Test func rejectedRecordsGoToATable() async throws {
        let report = try await ingest("{\"id\":1}\n{\"id\":\n{\"id\":2}\n").rejects(.table("bad")).run()
        #expect(report.rejectsTarget == "bad")
        #expect(try rows("SELECT line, json_line FROM bad") == ["line=2 json_line={\"id\":"])
        #expect(try rows() == ["id=1", "id=2"])
    }

    @Test func rejectedRecordsGoToAFile() async throws {
        let path = scratch.path("bad.ndjson")
        let report = try await ingest("{\"id\":1}\n{\"id\":\n{\"id\":2}\n").rejects(.file(path: path)).run()
        #expect(report.rejectsTarget == path)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.split(separator: "\n").count == 1)
        #expect(text.contains("\"line\":2"))
    }

    @Test func contractsDecideAboutUnknownKeys() async throws {
        let text = "{\"id\":1}\n{\"id\":2,\"more\":true}\n{\"id\":3}\n"
        let evolved = try await ingest(text).sample(1).existing(.drop).run()
        #expect(evolved.lateColumns.count == 1)
        #expect(try rows() == ["id=1 more=null", "id=2 more=1", "id=3 more=null"])
        let reported = try await ingest(text).sample(1).contract(.report).existing(.drop).run()
        #expect(reported.unknownValues == 1)
        #expect(try rows() == ["id=1", "id=2", "id=3"])
        let discarded = try await ingest(text).sample(1).contract(.discardRow).existing(.drop).run()
        #expect(discarded.discarded == 1)
        #expect(try rows() == ["id=1", "id=3"])
        let frozen = try await ingest(text).sample(1).contract(.freeze).existing(.drop).run()
        guard case .frozen = frozen.outcome else { return #expect(Bool(false), "\(frozen.outcome)") }
        let overflow = try await ingest(text).sample(1).contract(.report).overflow("rest").existing(.drop).run()
        #expect(overflow.hasOverflow)
        #expect(try rows() == ["id=1 rest=null", "id=2 rest={\"more\":true}", "id=3 rest=null"])
    }

    @Test func columnsAreDeclared() async throws {
        let text = #"{"id":7,"actor":{"login":"ann"},"x":1}"# + "\n" + #"{"id":"z","actor":{"login":"bob"}}"#
        let report = try await ingest(text)
            .columns([.column("id", .integer), .column("login", .text, at: "actor.login")]).run()
        #expect(report.origin == .declared)
        #expect(report.rejected == 1)
        #expect(try rows() == ["id=7 login=ann"])
    }

    @Test func recordsAreFilteredAndFoundByPath() async throws {
        let text = #"{"data":{"items":[{"id":1,"size":3},{"id":2,"size":9},{"id":3,"size":5}]}}"#
        let report = try await ingest(text, "in.json").at("data.items").filter("size > 4").fileNameColumn().run()
        #expect(report.passedOver == 1)
        let name = scratch.path("in.json")
        #expect(try rows() == ["id=2 size=9 filename=\(name)", "id=3 size=5 filename=\(name)"])
    }

    @Test func rowsWithTheNameOfTheirFileAreComparedAsOthersAre() async throws {
        let text = (0..<300).map { #"{"id":\#($0),"a":"x\#($0)"}"# }.joined(separator: "\n")
        let runs = [("a", RowCounts(added: 300)), ("a", RowCounts(same: 300)), ("b", RowCounts(changed: 300))]
        for (name, counts) in runs {
            let report = try await ingest(text, name).primaryKey("id").conflict(.upsert).fileNameColumn().format(.lines)
                .restarting().run()
            #expect(report.rows == counts)
        }
        #expect(try rows("SELECT DISTINCT filename FROM events") == ["filename=\(scratch.path("b"))"])
    }

    @Test func limitsOnErrorsEndTheRun() async throws {
        let text = "{\"id\":1}\n" + String(repeating: "{\"id\":\n", count: 5) + "{\"id\":2}\n"
        #expect(try await ingest(text).maximumErrors(3).run().outcome == .tooManyErrors)
        #expect(try await ingest(text).maximumErrorRatio(0.5).existing(.drop).run().outcome == .tooManyErrors)
    }

    @Test func aDryRunWritesNothing() async throws {
        let report = try await ingest(lines(1...5)).dryRun().run()
        #expect(report.isDryRun)
        #expect(report.rows.added == 5)
        #expect(try await queue.read { try String.fetchAll($0, sql: "SELECT name FROM sqlite_master") } == [])
    }

    @Test func aSourceIsReadToItsEnd() async throws {
        let text = Array(lines(1...500).utf8)
        let report = try await Ingest(BytesSource(text), totalBytes: text.count, into: sink).run()
        #expect(report.rows.added == 500)
        #expect(!report.isResumable)
    }

    @Test func sensitiveValuesStandInNoReport() async throws {
        let report = try await ingest(#"{"id":1,"token":1}"# + "\n" + #"{"id":2,"token":"secret"}"#)
            .columns([.column("id", .integer), .column("token", .integer)]).sensitive("token").run()
        #expect(report.rejected == 1)
        #expect(!String(decoding: try JSONEncoder().encode(report), as: UTF8.self).contains("secret"))
    }

    @Test func wrongOptionsAreErrors() async throws {
        let good = try ingest(lines(1...3))
        let missing = Ingest([scratch.path("no-such-file")], into: sink)
        await #expect(throws: (any Error).self) { try await missing.run() }
        let wrong: [(Ingest, String)] = [
            (good.sample(0), "sample"), (good.workers(65), "workers"), (good.maximumErrors(-1), "negative"),
            (good.limit(-1), "negative"), (good.maximumErrorRatio(2), "2"), (good.filter("size >"), "size"),
            (good.primaryKey("nope"), "nope"), (good.conflict(.upsert), "key"), (good.overflow("name"), "name"),
            (good.rejects(.file(path: scratch.path("in.ndjson"))), "input"),
            (good.contract(.evolve).columns([]).sensitive("nix"), "nix"),
            (good.columns([JSONColumn("name", .list(of: .text))]), "list"),
            (good.columns([JSONColumn(name: "name", type: .text, keys: ["name", "Name"])]), "2 keys"),
            (good.columns([JSONColumn(name: "name", type: .text, isSensitive: true)]), "sensitive(\"name\")"),
            (good.columns([JSONColumn(name: "name", type: .text, isRequired: true)]), "required"),
            (good.columns([JSONColumn("id", .decimal(precision: 4, scale: 2))]), "decimal(4,2)"),
        ]
        for (ingest, word) in wrong {
            do {
                try await ingest.run()
                #expect(Bool(false), "no error about \(word)")
            } catch {
                guard case IngestError.usage(let message) = error else { #expect(Bool(false), "\(error)"); continue }
                let text = message.description
                #expect(text.contains(word), "\(text)")
                // The options of a program are methods.
                #expect(!text.contains("--"), "\(text)")
            }
        }
        try await good.run()
        // The table exists, and its rows come from another input.
        let other = Ingest([try scratch.records("other.ndjson", 1...3)], into: sink)
        let error = await #expect(throws: IngestError.self) { try await other.run() }
        #expect(
            error?.description.hasSuffix(
                " has a table events already; choose existing(.append), existing(.truncate), existing(.drop), "
                    + "conflict(.upsert) with a primaryKey(_:), or another table") == true, "\(String(describing: error))")
        let none = Ingest([try scratch.file("words.ndjson", "one\ntwo\n")], into: SQLiteSink(queue, table: "words"))
        await #expect(throws: IngestError.self) { try await none.run() }
    }
}
#endif
