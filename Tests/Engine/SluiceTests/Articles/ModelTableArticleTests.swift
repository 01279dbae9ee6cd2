// The code of the part "A model as the schema" of the article "The loader", and of what "Nested feeds" says of models.
#if Macros && SQLite

import Foundation
import GRDB
import Sluice
import SluiceIngest
import SluiceSQLite
import Testing

@testable import SluiceTestSupport

@Suite struct ModelTableArticleTests {
    @JSONModel
    struct Actor {
        var login: String
    }

    @JSONModel
    struct Place {
        var city: String
        var lines: [String] = []
    }

    @JSONModel(keys: .snakeCase)
    struct Event {
        var id: Int
        var createdAt: Date
        var actor: Actor
        @JSONColumn("labels") var tags: [String] = []
        @JSONColumn(.json) var place: Place?
    }

    @Test func aModelAsTheSchema() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString).ndjson")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(
            """
            {"id":1,"created_at":"2014-01-20T12:24:48Z","actor":{"login":"a"},"tags":["x"],"place":{"city":"Rome"}}
            {"id":"2","created_at":"2014-01-20T12:24:48Z","actor":{"login":"b"}}
            {"id":3,"created_at":"2014-01-20T12:24:48Z"}

            """.utf8
        ).write(to: file)
        let feed = file.path
        let queue = try DatabaseQueue()
        do {
            let sink = SQLiteSink(queue, table: "events")
            try await Ingest([feed], as: Event.self, into: sink)
                .primaryKey("id").conflict(.upsert)
                .run()
        }
        let rows = try queue.read { try Row.fetchAll($0, sql: "SELECT * FROM events") }
        #expect(rows.first?.columnNames.joined(separator: " ") == "id created_at actor_login labels place")
        #expect(rows.map { $0["id"] as Int } == [1, 2])
        #expect(rows[0]["place"] == #"{"city":"Rome","lines":[]}"#)
        do {
            let sink = SQLiteSink(queue, table: "strict")
            let events = try JSONFeed<Event>(path: feed, options: .init(reading: .strict))
            try await events.ingest(into: sink) { $0.rejects(.table("bad")) }
        }
        #expect(try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM bad") } == 2)
    }
}

@Suite struct NestedModelArticleTests {
    @JSONModel
    struct Tag {
        var name: String
    }

    @JSONModel
    struct Item {
        var sku: String
        var gift = false
    }

    @JSONModel
    struct Order {
        var id: Int
        @JSONColumn(.table) var items: [Item]  // orders_items
        @JSONColumn("labels", .table) var tags: [Tag] = []  // orders_labels
    }

    @Test func arraysOfAModelAreTables() async throws {
        let scratch = try Scratch()
        let path = try scratch.file(
            "orders.ndjson", #"{"id":1,"items":[{"sku":"a"},{"sku":"b","gift":true}],"tags":[{"name":"new"}]}"#)
        let pool = try DatabaseQueue()
        let report = try await Ingest([path], as: Order.self, into: SQLiteSink(pool, table: "orders"))
            .primaryKey("id").conflict(.upsert).run()
        #expect(report.children.map(\.table) == ["orders_items", "orders_labels"])
        let skus = try await pool.read { try String.fetchAll($0, sql: "SELECT sku FROM orders_items WHERE orders_id = 1") }
        #expect(skus == ["a", "b"])
    }
}
#endif
