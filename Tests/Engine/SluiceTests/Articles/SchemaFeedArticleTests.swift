// The code of the article "Contracts".

#if SQLite
import Sluice
import SluiceIngest
import SluiceSQLite
import SluiceSchema
import Testing

@testable import SluiceTestSupport

@Suite struct SchemaFeedArticleTests {
    @JSONModel
    struct Event {
        var id: Int
    }

    private var text: String { "{\"id\":1}\n{\"id\":0}\n{\"id\":3}\n" }

    @Test func recordsThatDoNotFitAreNotStored() async throws {
        let scratch = try Scratch()
        let feed = try scratch.file("events.ndjson", text)
        let schemaPath = try scratch.file("event.schema.json", #"{"properties": {"id": {"minimum": 1}}}"#)
        let (database, rejects) = (scratch.path("events.db"), scratch.path("bad.ndjson"))
        var printed = ""
        func print(_ items: Any...) { printed += items.map { "\($0)" }.joined(separator: " ") }

        let schema = try JSONSchema(path: schemaPath)
        let report = try await Ingest([feed], into: SQLiteSink(path: database))
            .schema(schema)
            .rejects(.file(path: rejects))
            .run()
        print(report.rows.added, report.rejected)

        #expect(printed == "2 1")
    }

    @Test func recordsThatDoNotFitAreNotRead() throws {
        let bytes = Array(text.utf8)
        var ids: [Int] = []
        var printed: [[String]] = []
        func print(_ item: [String]) { printed.append(item) }

        let contract = try JSONSchema(
            json: #"{"properties": {"id": {"minimum": 1}}}"#)
        let events = JSONFeed<Event>(
            bytes: bytes,
            options: .init(invalidRecords: .skip, schema: contract))
        while let event = try events.next() { ids.append(event.id) }
        for record in events.rejectedRecords { print(record.error.keys) }

        #expect(ids == [1, 3] && printed == [["minimum"]])
        let options = JSONReader.Options(schema: contract)
        #expect(throws: JSONError.self) { try Event(json: #"{"id": 0}"#, options: options) }
    }
}
#endif
