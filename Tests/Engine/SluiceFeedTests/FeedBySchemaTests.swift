// Feeds whose records must fit a schema.

import SluiceCore
import SluiceFeed
import SluiceSchema
import SluiceTestSupport
import Testing

@Suite struct FeedBySchemaTests {
    private let schema = #"{"properties": {"id": {"minimum": 1}}, "required": ["name"]}"#
    private let feed = """
        {"id": 1, "name": "a"}
        {"id": 0, "name": "b"}
        {"id": 3}
        {"id": 4, "name": 5}
        {"id": 5, "name": "e"
        {"id": 6, "name": "f"}
        """

    private func options(_ change: (inout JSONFeed<Row>.Options) -> Void = { _ in }) throws -> JSONFeed<Row>.Options {
        var options = JSONFeed<Row>.Options(invalidRecords: .skip, schema: try JSONSchema(json: schema))
        options.reading.conversions = .strict
        change(&options)
        return options
    }

    /// The records of a feed, and its rejections.
    private func outcome(_ feed: JSONFeed<Row>) throws -> (ids: [Int], rejected: [String]) {
        var ids: [Int] = []
        while let row = try feed.next() { ids.append(row.id) }
        return (
            ids,
            feed.rejectedRecords.map { record in
                "\(record.error.kind) \(record.error.keys) \(record.error.path) \(record.error.line):\(record.error.column)"
            }
        )
    }

    private let rejected = [
        #"constraint ["minimum"] id 2:8"#, #"constraint ["required"]  3:1"#, "typeMismatch [] name 4:19", "syntax [] name 6:1",
    ]

    @Test(arguments: [1, 7, 1_000]) func aRecordThatDoesNotFitIsRejected(chunk: Int) throws {
        let source = BytesSource(Array(feed.utf8), chunkSize: chunk)
        let found = try outcome(JSONFeed<Row>(source: source, options: options { $0.format = .lines }))
        #expect(found.ids == [1, 6])
        #expect(Array(found.rejected.prefix(3)) == Array(rejected.prefix(3)), "\(found.rejected)")
    }

    @Test func workersRejectTheSame() throws {
        let records = (1...5_000).map { #"{"id": \#($0 % 7), "name": "n"}"# + "\n" }.joined()
        let one = try outcome(JSONFeed<Row>(bytes: Array(records.utf8), options: options()))
        let many = JSONFeed<Row>(bytes: Array(records.utf8), options: try options())
        let parallel = try many.parallel(workers: 2)
        var ids: [Int] = []
        while let row = try parallel.next() { ids.append(row.id) }
        #expect(ids == one.ids && ids == (1...5_000).map { $0 % 7 }.filter { $0 > 0 })
        #expect(many.rejectedCount == 714)
    }

    /// The document around the records is no record, and a record that is not wanted is not checked.
    @Test func onlyWantedRecordsAreChecked() throws {
        let text = #"{"page": 1, "items": [{"id": 1, "name": "a"}, {"id": 0, "name": "x"}, {"id": 2}]}"#
        let found = try outcome(JSONFeed<Row>(bytes: Array(text.utf8), options: options { $0.at = "items" }))
        #expect(found.ids == [1])
        #expect(found.rejected == [#"constraint ["minimum"] id 1:54"#, #"constraint ["required"]  1:71"#])
        let wanted = try options {
            $0.at = "items"
            $0.predicate = \.id > 1
        }
        let others = try outcome(JSONFeed<Row>(bytes: Array(text.utf8), options: wanted))
        #expect(others.ids == [] && others.rejected == [#"constraint ["required"]  1:71"#], "\(others)")
    }

    @Test func aRowUnderAHeaderIsCheckedAsAnObject() throws {
        let text = #"[["id", "name"], [1, "a"], [0, "b"], [3, "c"]]"#
        let found = try outcome(JSONFeed<Row>(bytes: Array(text.utf8), options: options { $0.hasHeader = true }))
        #expect(found.ids == [1, 3] && found.rejected.count == 1)
        #expect(found.rejected.first?.hasPrefix(#"constraint ["minimum"]"#) == true, "\(found.rejected)")
    }

    @Test func pushedRecordsAreChecked() throws {
        let parser = JSONFeedParser<Row>(options: try options { $0.format = .lines })
        var ids: [Int] = []
        for byte in feed.utf8 {
            parser.append([byte])
            while let row = try parser.next() { ids.append(row.id) }
        }
        parser.finish()
        while let row = try parser.next() { ids.append(row.id) }
        #expect(ids == [1, 6])
    }

    /// Columns are read by other code than models.
    @Test func columnsAreOfRecordsThatFit() throws {
        let feed = JSONFeed<Row>(bytes: Array(feed.utf8), options: try options { $0.format = .lines })
        var rows = 0
        let batches = try feed.columnBatches(of: 100, columns: [JSONColumn("id", .integer)])
        while let batch = try batches.next() { rows += batch.rowCount }
        #expect(rows == 3)
    }
}
