// A model is the schema of a table: what is stored, and what is rejected.
#if Macros && SQLite

import Foundation
import GRDB
import Sluice
import SluiceIngest
import SluiceSQLite
import Testing

@testable import SluiceTestSupport

@Suite struct ModelIngestTests {
    enum Level: String, JSONScalarBindable { case low, high }
    enum Rank: Int, JSONScalarBindable { case first = 1, second }

    @JSONModel
    struct Actor: Equatable {
        var login: String
        @JSONColumn("nick") @JSONKey("names.nick") var nickname: String?
    }

    @JSONModel(keys: .snakeCase)
    struct Event: Equatable {
        @JSONKey("id", "ID") var id: Int
        var kind: Level
        var rank: Rank?
        var createdAt: Date
        @JSONDate(.unix) var seenAt: Date?
        var actor: Actor
        var owner: Actor?
        var tags: [String] = []
        var extra: [String: JSONValue]?
        @JSONKey("payload.size") var size: Double?
        @JSONColumn("big", .text) var large: UInt64 = 7
        @JSONColumn(.json) var actors: [Actor] = []
        @JSONIgnored var note = "kept"
        var url: URL?
        var price: Decimal?
        @JSONJoin("|") var labels: String?
        @JSONNull(.empty) var text = "initial"
        @JSONString var inner: Actor?
        @JSONCodable var codes: [Int: String]?
        var flag: Bool?
        var single: Float?
    }

    private static let good = [
        #"{"id":1,"kind":"low","created_at":"2014-01-20T12:24:48+02:00","actor":{"login":"a"}}"#,
        #"{"ID":"2","kind":"high","rank":2,"created_at":"Mon, 20 Jan 2014 12:24:48 GMT","seen_at":1390220688.5,"actor":{"login":7,"names":{"nick":"n\u00e9\n"}},"owner":{"login":"o"},"tags":["x","y"],"extra":{"k":[1,null]},"payload":{"size":1.5},"large":18446744073709551615,"actors":[{"login":"p","more":1}],"note":"no","url":"https://a.b/c?d=\"e\"","price":12345678901234567890.12,"labels":["a",1],"text":null,"inner":"{\"login\":\"i\"}","codes":{"1":"x"},"flag":"true","single":0.1,"unknown":1}"#,
        #"{"actor":{"login":"late"},"created_at":"2014-01-20","kind":"low","id":3,"id":4,"owner":null,"rank":null,"text":"","size":1}"#,
    ]

    private static let bad = [
        #"{"id":1,"kind":"low","created_at":"2014-01-20T12:24:48Z"}"#,
        #"{"id":1.5,"kind":"low","created_at":"2014-01-20T12:24:48Z","actor":{"login":"a"}}"#,
        #"{"id":1,"kind":"middle","created_at":"2014-01-20T12:24:48Z","actor":{"login":"a"}}"#,
        #"{"id":1,"kind":"low","created_at":"yesterday","actor":{"login":"a"}}"#,
        #"{"id":1,"kind":"low","created_at":"2014-01-20T12:24:48Z","actor":{"login":null}}"#,
        #"{"id":1,"kind":"low","created_at":"2014-01-20T12:24:48Z","actor":[]}"#,
        #"{"id":1,"kind":"low","created_at":"2014-01-20T12:24:48Z","actor":{"login":"a"},"tags":["x",{}]}"#,
        #"{"id":1,"kind":"low","created_at":"2014-01-20T12:24:48Z","actor":{"login":"a"},"actors":[{"login":"a"},{}]}"#,
        #"{"id":1,"kind":"low","created_at":"2014-01-20T12:24:48Z","actor":{"login":"a"},"owner":{"Login":"a"}}"#,
        #"{"id":null,"ID":null,"kind":"low","created_at":"2014-01-20T12:24:48Z","actor":{"login":"a"}}"#,
        #"{"id":1,"kind":"low","created_at":"2014-01-20T12:24:48Z","actor":{"login":"\ud800"}}"#,
        #"{"id":1,"kind":"low","created_at":"2014-01-20T12:24:48Z","actor":{"login":"a"},"inner":"{\"login\":[]}"}"#,
        #"{"id":1,"kind":"low","created_at":"2014-01-20T12:24:48Z","actor":{"login":"a"},"flag":"maybe"}"#,
        #"{"id":1,"kind":"low","created_at":"2014-01-20T12:24:48Z","actor":{"login":"a"},"codes":{"x":"y"}}"#,
        #"{"id":1,"kind":"low","created_at":"2014-01-20T12:24:48Z","actor":{"login":"a"}} 7"#,
        #"{"id":1,"kind":"low""#, "[1]", "null", "7", "{", "{}",
    ]

    /// A folder of one test, gone with it.
    final class Folder {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)")
        init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(at: url) }

        func file(_ name: String, _ text: String) throws -> String {
            let file = url.appendingPathComponent(name)
            try Data(text.utf8).write(to: file)
            return file.path
        }
    }

    /// The records of a feed, and the errors of those that are refused.
    private func read<Model: JSONModel>(
        _ type: Model.Type, _ path: String, _ reading: JSONReader.Options = .init()
    ) throws -> (models: [Model], errors: [JSONError]) {
        let feed = try JSONFeed<Model>(path: path, options: .init(reading: reading))
        var models: [Model] = []
        var errors: [JSONError] = []
        while true {
            do throws(JSONError) {
                guard let model = try feed.next() else { return (models, errors) }
                models.append(model)
            } catch {
                errors.append(error)
                if errors.count > 1_000 { return (models, errors) }
            }
        }
    }

    // MARK: Values

    @Test(arguments: [1, 2]) func aTableHoldsWhatTheModelsHold(workers: Int) async throws {
        let folder = try Folder()
        let path = try folder.file("in.ndjson", Self.good.joined(separator: "\n"))
        let models = try read(Event.self, path).models
        let queue = try DatabaseQueue()
        let report = try await Ingest([path], as: Event.self, into: SQLiteSink(queue, table: "events")).workers(workers).run()
        #expect(report.rows.added == 3)
        #expect(report.rejected == 0)
        #expect(Set(report.unknownKeys.map(\.path)).isSuperset(of: ["note", "size", "unknown"]))
        let rows = try queue.read { try Row.fetchAll($0, sql: "SELECT * FROM events") }
        #expect(
            rows[0].columnNames.joined(separator: " ")
                == "id kind rank created_at seen_at actor_login actor_nick owner_login owner_nick tags extra payload_size big actors url price labels text inner codes flag single"
        )
        for (row, event) in zip(rows, models) {
            #expect(row["id"] == event.id)
            #expect(row["kind"] == event.kind.rawValue)
            #expect(row["rank"] == event.rank?.rawValue)
            #expect(row["actor_login"] == event.actor.login)
            #expect(row["actor_nick"] == event.actor.nickname)
            #expect(row["owner_login"] == event.owner?.login)
            #expect(row["payload_size"] == event.size)
            #expect(row["url"] == event.url?.absoluteString)
            #expect(row["labels"] == event.labels)
            #expect(row["flag"] == event.flag)
            #expect(row["single"] == event.single.map(Double.init))
        }
        #expect(rows[0]["created_at"] == "2014-01-20T10:24:48Z")
        #expect(rows[1]["created_at"] == "2014-01-20T12:24:48Z")
        #expect(rows[1]["seen_at"] == "2014-01-20T12:24:48.500Z")
        #expect(rows[1]["tags"] == #"["x","y"]"#)
        #expect(rows[1]["extra"] == #"{"k":[1,null]}"#)
        #expect(rows[1]["big"] == "18446744073709551615")
        #expect(rows[1]["actors"] == #"[{"login":"p"}]"#)
        #expect(rows[1]["price"] == "12345678901234567890.12")
        #expect(rows[1]["labels"] == "a|1")
        #expect(rows[1]["inner"] == #"{"login":"i"}"# || rows[1]["inner"] == #""{\"login\":\"i\"}""#)
        #expect(rows[1]["codes"] == #"{"1":"x"}"#)
        // Null is the empty text for this property, and a key that is absent is null, whatever the property begins with.
        #expect(rows.map { $0["text"] as String? } == [nil, "", ""])
        #expect(rows.map { $0["big"] as String? } == [nil, "18446744073709551615", nil])
        #expect(rows[2]["id"] == 4)
        #expect(rows[2]["owner_login"] == nil)
    }

    // MARK: Verdicts

    @Test(arguments: [1, 2], [JSONReader.Options.Parser.automatic, .yajl])
    func aRecordThatTheModelRefusesIsRejectedForTheSameReason(workers: Int, parser: JSONReader.Options.Parser) async throws {
        let folder = try Folder()
        let path = try folder.file("in.ndjson", (Self.good + Self.bad + Self.good).joined(separator: "\n") + "\n")
        var reading = JSONReader.Options()
        reading.parser = parser
        let (models, errors) = try read(Event.self, path, reading)
        #expect(errors.count == Self.bad.count)
        let queue = try DatabaseQueue()
        let report = try await Ingest([path], as: Event.self, reading: reading, into: SQLiteSink(queue, table: "events"))
            .workers(workers).rejects(.table("bad")).run()
        #expect(report.rows.added == models.count)
        let rejected = try queue.read { try Row.fetchAll($0, sql: "SELECT * FROM bad") }
        #expect(rejected.count == errors.count)
        for (row, error) in zip(rejected, errors) {
            #expect(row["error_message"] == error.description)
            #expect(row["column_name"] ?? "" == error.path)
            #expect(row["error_type"] == "\(error.kind)")
            #expect(row["byte_position"] == error.offset)
        }
    }

    @Test func aRecordIsJudgedTheSameWhereverItIsCut() async throws {
        let folder = try Folder()
        let text = Self.good[0]
        let path = try folder.file("in.ndjson", (0..<text.utf8.count).map { String(text.prefix($0)) }.joined(separator: "\n"))
        let (models, errors) = try read(Event.self, path)
        let queue = try DatabaseQueue()
        let report = try await Ingest([path], as: Event.self, into: SQLiteSink(queue, table: "events")).rejects(.table("bad"))
            .run()
        #expect(report.rows.added == models.count)
        let reasons = try await queue.read { try String.fetchAll($0, sql: "SELECT error_message FROM bad") }
        #expect(reasons == errors.map(\.description))
    }

    @JSONModel(unknownKeys: .reject)
    struct Closed { var id: Int }

    @JSONModel(unknownKeys: .collect(into: "rest"))
    struct Open {
        var id: Int
        var rest: JSONObject
    }

    @Test func unknownKeysAreWhatTheModelSays() async throws {
        let folder = try Folder()
        let path = try folder.file("in.ndjson", "{\"id\":1}\n{\"id\":2,\"x\":[1]}\n")
        let queue = try DatabaseQueue()
        let closed = try await Ingest([path], as: Closed.self, into: SQLiteSink(queue, table: "closed")).run()
        #expect((closed.rows.added, closed.rejected) == (1, 1))
        #expect(closed.rejections.first?.reason == "\(try #require(try read(Closed.self, path).errors.first))")
        try await Ingest([path], as: Open.self, into: SQLiteSink(queue, table: "open")).run()
        #expect(try await queue.read { try String?.fetchAll($0, sql: "SELECT rest FROM open") } == [nil, #"{"x":[1]}"#])
        await #expect(throws: IngestError.self) {
            try await Ingest([path], as: Open.self, into: SQLiteSink(queue, table: "other")).contract(.freeze).run()
        }
    }

    // MARK: Other models

    @JSONModel
    final class Reference {
        var id: Int
        var name: String?
        init(id: Int, name: String?) { (self.id, self.name) = (id, name) }
    }

    @JSONModel
    struct Box<Content: JSONBindable> {
        var content: Content
        var others: [Content] = []
    }

    @JSONModel
    struct Node {
        var name: String
        var child: [Node]?
    }

    @JSONModel
    struct Checked: JSONDidRead {
        var score: Int
        mutating func didRead(_ context: JSONReadContext) -> Bool { score > 50 }
    }

    @JSONModel
    struct Game {
        var id: Int
        var best: Checked?
    }

    @JSONModel(tag: .key("type"))
    enum Shape {
        case person(Actor)
    }

    @JSONModel
    struct Drawing {
        var shape: Shape
    }

    @JSONModel
    struct Twice {
        @JSONKey("a.b") var first: Int?
        @JSONKey("a_b") var second: Int?
    }

    private func rows<Model: JSONModel>(_ type: Model.Type, _ text: String) async throws -> [String] {
        let folder = try Folder()
        let path = try folder.file("in.ndjson", text)
        let queue = try DatabaseQueue()
        let report = try await Ingest([path], as: type, into: SQLiteSink(queue, table: "t")).run()
        let rows = try queue.read { try Row.fetchAll($0, sql: "SELECT * FROM t") }
        var texts: [String] = []
        for row in rows {
            let cells: [String] = row.map { name, value in
                let number: String? = Int.fromDatabaseValue(value).map { "\($0)" }
                return "\(name)=\(String.fromDatabaseValue(value) ?? number ?? "null")"
            }
            texts.append(cells.joined(separator: " "))
        }
        return texts + report.rejections.map(\.reason)
    }

    @Test func classesAndGenericsAndTreesAndVariants() async throws {
        #expect(try await rows(Reference.self, #"{"id":1,"name":"x"}"#) == ["id=1 name=x"])
        #expect(
            try await rows(Box<Reference>.self, #"{"content":{"id":1},"others":[{"id":2}]}"#)
                == [#"content_id=1 content_name=null others=[{"id":2}]"#])
        #expect(
            try await rows(Node.self, #"{"name":"a","child":[{"name":"b"}]}"#) == [#"name=a child=[{"name":"b"}]"#])
        #expect(
            try await rows(Drawing.self, #"{"shape":{"login":"x","type":"person"}}"#) == [#"shape={"type":"person","login":"x"}"#]
        )
        // A hook of a model inside still decides.
        let game = try await rows(Game.self, "{\"id\":1,\"best\":{\"score\":70}}\n{\"id\":2,\"best\":{\"score\":30}}")
        #expect(game == [#"id=1 best={"score":70}"#, "id=2 best=null"])
    }

    @Test func whatCannotBeATableIsAnErrorThatNamesIt() async throws {
        func problem<Model: JSONModel>(_ type: Model.Type) async throws -> String {
            do {
                _ = try await rows(type, "{}")
                return "none"
            } catch let error as IngestError {
                return error.description
            }
        }
        #expect(try await problem(Checked.self).hasPrefix("the columns of Checked: Checked has a hook that runs"))
        #expect(try await problem(Twice.self).contains("the properties 'first' and 'second' both have the column 'a_b'"))
    }

    @Test func onlyTheModelSaysWhichArraysHaveTables() async throws {
        let folder = try Folder()
        let path = try folder.file("in.ndjson", #"{"id":1,"name":"a"}"#)
        await #expect(
            throws: IngestError.usage(
                "the model says which of its arrays have tables of their own, by @JSONColumn(.table): children(_:) and child(_:_:) are for columns without a model"
            )
        ) {
            let sink = try SQLiteSink(DatabaseQueue(), table: "t")
            return try await Ingest([path], as: Reference.self, into: sink).primaryKey("id").children(.tables).run()
        }
    }

    @Test(arguments: FileSink.Form.allCases) func filesGetOnlyTheRecordsThatTheModelAccepts(_ form: FileSink.Form) async throws {
        let folder = try Folder()
        let path = try folder.file("in.ndjson", #"{"id":1,"name":"a"}"# + "\n" + #"{"id":"x","name":"b"}"# + "\n")
        let sink = try FileSink(path: folder.file("out", ""), form)
        let report = try await Ingest([path], as: Reference.self, into: sink).run()
        #expect((report.rows.added, report.rejected) == (1, 1))
    }

    // MARK: Runs

    @JSONModel
    struct Ticket {
        var id: Int
        var owner: Actor?
    }

    @Test func nullForAModelClearsItsColumns() async throws {
        let folder = try Folder()
        let queue = try DatabaseQueue()
        let texts = [#"{"id":1,"owner":{"login":"ada","names":{"nick":"a"}}}"#, #"{"id":1}"#, #"{"id":1,"owner":null}"#]
        for (number, text) in texts.enumerated() {
            let path = try folder.file("\(number).ndjson", text)
            _ = try await Ingest([path], as: Ticket.self, into: SQLiteSink(queue, table: "t")).primaryKey("id").conflict(.upsert)
                .run()
            let owner = try await queue.read { try String.fetchOne($0, sql: "SELECT owner_login || owner_nick FROM t") }
            #expect(owner == (number < 2 ? "adaa" : nil))
        }
    }

    /// Records that lead the path of a property elsewhere, or have the property under another key.
    private static let updates: [(text: String, size: Int?, items: Int)] = [
        (#"{"id":1,"payload":null}"#, nil, 2), (#"{"id":1,"payload":5}"#, nil, 2), (#"{"id":1,"payload":{}}"#, 7, 2),
        (#"{"id":1}"#, 7, 2), (#"{"id":1,"payload":{"size":null}}"#, nil, 2), (#"{"id":1,"payload":null,"size":8}"#, 8, 2),
        (#"{"id":1,"size":8,"payload":[]}"#, 8, 2), (#"{"id":1,"box":null}"#, 7, 0),
        (#"{"id":1,"box":{"items":[{"n":9}]}}"#, 7, 1),
        (#"{"id":1,"box":{}}"#, 7, 2), (#"{"id":1,"box":null,"items":[{"n":4}]}"#, 7, 1),
    ]

    @Test(arguments: updates, [1, 2])
    func aPathThatLeadsElsewhereLeavesNothingOfTheModelsRow(_ update: (text: String, size: Int?, items: Int), workers: Int)
        async throws
    {
        let folder = try Folder()
        let queue = try DatabaseQueue()
        let first = #"{"id":1,"payload":{"size":7},"box":{"items":[{"n":1},{"n":2}]}}"#
        for (number, text) in [first, update.text].enumerated() {
            let path = try folder.file("\(number).ndjson", text)
            let ingest = Ingest([path], as: Parcel.self, into: SQLiteSink(queue, table: "t")).primaryKey("id").conflict(.upsert)
            _ = try await ingest.workers(workers).run()
        }
        let (size, items) = try await queue.read {
            (try Int.fetchOne($0, sql: "SELECT size FROM t"), try Int.fetchOne($0, sql: "SELECT count(*) FROM t_box_items"))
        }
        #expect(size == update.size)
        #expect(items == update.items)
    }

    @JSONModel
    struct Parcel {
        var id: Int
        @JSONColumn("size") @JSONKey("payload.size", "size") var size: Int?
        @JSONColumn(.table) @JSONKey("box.items", "items") var items: [Item]?
    }

    @JSONModel
    struct Item {
        var n: Int
    }

    @Test func anIngestOfModelsGoesOnAndUpdates() async throws {
        let folder = try Folder()
        let path = try folder.file("in.ndjson", (1...100).map { #"{"id":\#($0),"name":"n\#($0)"}"# + "\n" }.joined())
        let queue = try DatabaseQueue()
        let ingest = Ingest([path], as: Reference.self, into: SQLiteSink(queue, table: "t")).primaryKey("id").conflict(.upsert)
        #expect(try await ingest.limit(40).run().rows.added == 40)
        #expect(try await ingest.run().rows.added == 60)
        #expect(try await ingest.run().outcome == .nothingToDo)
        // Another model is another table.
        await #expect(throws: IngestError.self) {
            try await Ingest([path], as: Closed.self, into: SQLiteSink(queue, table: "t")).primaryKey("id").conflict(.upsert)
                .run()
        }
        // So are the same columns without the model.
        await #expect(throws: IngestError.self) {
            try await Ingest([path], into: SQLiteSink(queue, table: "t")).primaryKey("id").conflict(.upsert)
                .columns([.column("id", .integer), .column("name", .text)]).run()
        }
        let other = try folder.file("other.ndjson", #"{"id":7,"name":"new"}"#)
        let report = try await Ingest([other], as: Reference.self, into: SQLiteSink(queue, table: "t")).primaryKey("id").conflict(
            .upsert
        )
        .run()
        #expect(report.rows.changed == 1)
        #expect(try await queue.read { try String.fetchOne($0, sql: "SELECT name FROM t WHERE id = 7") } == "new")
    }

    @JSONModel
    struct Account {
        var id: Int
        @JSONSensitive var secret: String
    }

    @Test func sensitiveValuesAreNotShown() async throws {
        let folder = try Folder()
        let path = try folder.file("in.ndjson", #"{"id":1,"secret":["hunter2"]}"# + "\n" + #"{"id":2,"secret":"hunter2""# + "\n")
        let queue = try DatabaseQueue()
        let report = try await Ingest([path], as: Account.self, into: SQLiteSink(queue, table: "t")).run()
        #expect(report.rejected == 2)
        #expect(report.rejections.allSatisfy { !$0.reason.contains("hunter2") })
        #expect(report.rejections.map(\.reason) == (try read(Account.self, path).errors.map(\.description)))
    }

    @Test func aFeedOfModelsIsIngestedAsItsOptionsSay() async throws {
        let folder = try Folder()
        let path = try folder.file("in.json", #"{"data":{"items":[{"id":1},{"id":"2","name":"x"},{"id":[]}]}}"#)
        let queue = try DatabaseQueue()
        let report = try await JSONFeed<Reference>(path: path, options: .init(at: "data.items"))
            .ingest(into: SQLiteSink(queue, table: "t")) { $0.primaryKey("id").conflict(.upsert) }
        #expect((report.rows.added, report.rejected) == (2, 1))
        let strict = try await JSONFeed<Reference>(path: path, options: .init(at: "data.items", reading: .strict))
            .ingest(into: SQLiteSink(queue, table: "strict"))
        #expect((strict.rows.added, strict.rejected) == (1, 2))
        let start = try await JSONFeed<Reference>(path: path, options: .init(at: "data.items"), resumingFrom: nil)
            .ingest(into: SQLiteSink(queue, table: "start"))
        #expect((start.rows.added, start.rejected) == (2, 1))
        await #expect(throws: IngestError.self) {
            let feed = try JSONFeed<Reference>(path: path, options: .init(at: "data.items"))
            _ = try feed.next()
            try await feed.ingest(into: SQLiteSink(queue, table: "other"))
        }
        await #expect(throws: IngestError.self) {
            try await JSONFeed<Reference>(bytes: Array("{}".utf8)).ingest(into: SQLiteSink(queue, table: "other"))
        }
    }
}
#endif
