#if CommandLine
import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceIngest
@testable import SluiceTool

/// What texts and numbers stand for, as `infer` finds out: dates, times, addresses, a few words.
@Suite struct MeaningTests {
    private func meaning(_ values: [String], key: String = "v") throws -> ValueForms.Meaning? {
        let shapes = RecordShapes(looksIntoArrays: false, looksAtValues: true)
        let tape = JSONTape()
        for value in values {
            let text = Array("{\"\(key)\":\(value)}".utf8)
            try unsafe text.withUnsafeBytes { unsafe try tape.scan($0) }
            shapes.observe(tape)
        }
        return try shapes.meaning(of: #require(shapes.member(of: RecordShapes.root, key)), under: key)
    }

    @Test(arguments: [
        ("2024-02-29", ValueForms.Meaning.date), ("2023-02-29", nil), ("2024-13-01", nil), ("2024-1-1", nil), ("20240101", nil),
        ("2024-01-31T23:59:59Z", .timestamp(isStrict: true)), ("2024-01-31T23:59:59.123+05:30", .timestamp(isStrict: true)),
        ("2024-01-31 23:59:59+01", .timestamp(isStrict: false)), ("2024-01-31T23:59Z", .timestamp(isStrict: false)),
        ("2024-01-02 03:04:05 UTC", .timestamp(isStrict: false)), ("2024-01-02 03:04:05 UTCx", nil),
        ("2024-01-02T03:04:05 UTC", nil), ("2024-01-02 03:04:05 +00", nil),
        ("2024-01-31T23:59:59", .localTimestamp), ("2024-01-31 23:59", .localTimestamp), ("2024-01-31T24:00:00Z", nil),
        ("2024-01-31T23:59:59.Z", nil), ("2024-01-31T", nil), ("2024-01-31x", nil), ("https://example.com/a?b=c#d", .url),
        ("http://x", .url), ("https://", nil), ("https:///a", nil), ("https://a b", nil), ("ftp://a", nil),
        ("see https://a", nil),
        ("", nil), ("a\\u002d", nil),
    ])
    func aTextIsWhatItsFormSays(text: String, meaning: ValueForms.Meaning?) throws {
        #expect(try self.meaning(["\"\(text)\""]) == meaning)
    }

    @Test func allTextsOfAPlaceHaveTheForm() throws {
        #expect(try meaning(["\"2024-01-01\"", "null", "\"2024-01-02\""]) == .date)
        #expect(try meaning(["\"2024-01-01\"", "\"2024-01-02T00:00:00Z\""]) == nil)
        #expect(try meaning(["\"2024-01-01T00:00:00Z\"", "\"2024-01-01T00:00Z\""]) == .timestamp(isStrict: false))
        #expect(try meaning(["\"2024-01-01\"", "5"]) == nil)
        #expect(try meaning(["\"2024-01-01\"", "\"\""]) == nil)
    }

    @Test(arguments: [
        ("created_at", "1700000000", ValueForms.Meaning.epoch(.unix)), ("createdAt", "1700000000", .epoch(.unix)),
        ("ts", "1700000000123", .epoch(.milliseconds)),
        ("created_ms", "1700000000123", .epoch(.milliseconds)), ("created_ms", "1700000000", nil), ("size", "1700000000", nil),
        ("format", "1700000000", nil), ("created_at", "17", nil), ("created_at", "0", nil), ("id", "1700000000123", nil),
        ("created_at", "1700000000.5", nil), ("at", "9223372036854775807", nil), ("ms", "1700000000123", nil),
        ("", "1700000000", nil),
    ])
    func aNumberIsATimeByItsKeyAndItsRangeTogether(key: String, number: String, meaning: ValueForms.Meaning?) throws {
        #expect(try self.meaning([number], key: key) == meaning)
    }

    @Test func aFewWordsThatComeAgainAreAChoice() throws {
        func texts(_ count: Int, _ words: [String]) -> [String] { (0..<count).map { "\"\(words[$0 % words.count])\"" } }
        #expect(try meaning(texts(30, ["open", "closed"])) == .words(["open", "closed"]))
        #expect(try meaning(texts(10, ["open", "closed"])) == nil)
        #expect(try meaning(texts(100, ["open"])) == nil)
        #expect(try meaning(texts(30, ["a", "b", "c", "d", "e", "f", "g"])) == nil)
        #expect(try meaning(texts(300, (0..<9).map { "w\($0)" })) == nil)
        #expect(try meaning(texts(100, ["open", "is closed"])) == nil)
    }

    private func infer(
        _ text: String, _ form: Infer.Form, _ dialect: SQLDialect = .sqlite, workers: Int = 1, sensitive: [String] = []
    ) throws
        -> String
    {
        var infer = Infer(
            Infer.Options(
                feed: FeedReading(sensitive: SensitivePaths(sensitive)), form: form, name: "Event", workers: workers,
                dialect: dialect))
        try infer.observe(BytesSource(Array(text.utf8)))
        return try infer.text()
    }

    static let feed = (0..<40).map { number in
        "{\"id\":\(number),\"day\":\"2024-01-\(10 + number % 20)\",\"made_at\":\"2024-01-01T00:00:\(10 + number)Z\","
            + "\"local\":\"2024-01-01 00:00\",\"seen_at\":\(1_700_000_000 + number),\"url\":\"https://example.com/\(number)\","
            + "\"state\":\"\(["open", "in-work"][number % 2])\",\"inner\":{\"ts_ms\":1700000000\(100 + number)},\"days\":[\"2024-01-01\"]}\n"
    }.joined()

    @Test(arguments: [1, 3]) func aSchemaSaysTheForms(workers: Int) throws {
        let schema = try JSONValue(json: infer(MeaningTests.feed, .jsonSchema, workers: workers))["properties"]
        #expect(schema?["day"]?["format"] == "date")
        #expect(schema?["made_at"]?["format"] == "date-time")
        #expect(schema?["local"]?["format"] == nil)
        #expect(schema?["url"]?["format"] == "uri")
        #expect(schema?["seen_at"]?["description"] == "Unix time in seconds")
        #expect(schema?["inner"]?["properties"]?["ts_ms"]?["description"] == "Unix time in milliseconds")
        #expect(schema?["state"]?["enum"] == ["open", "in-work"])
        #expect(schema?["days"]?["items"]?["format"] == "date")
        #expect(schema?["id"]?["description"] == nil)
    }

    @Test func SQLOfPostgreSQLHasTheTypesAndThatOfSQLiteKeepsTexts() throws {
        let postgres = try infer(MeaningTests.feed, .sql, .postgres)
        #expect(
            [
                "\"day\" date", "\"made_at\" timestamptz", "\"local\" timestamp,", "\"seen_at\" bigint", "\"url\" text",
                "\"state\" text",
            ]
            .allSatisfy(postgres.contains), "\(postgres)")
        let sqlite = try infer(MeaningTests.feed, .sql)
        #expect(["\"day\" TEXT", "\"made_at\" TEXT", "\"seen_at\" INTEGER"].allSatisfy(sqlite.contains), "\(sqlite)")
    }

    @Test func aModelHasDatesAddressesAndEnums() throws {
        #expect(
            try infer(MeaningTests.feed, .swift)
                == """
                import Foundation
                import Sluice

                @JSONModel(keys: .snakeCase)
                struct Event {
                    var id: Int
                    @JSONDate(.format("yyyy-MM-dd")) var day: Date
                    var madeAt: Date
                    var local: String
                    @JSONDate(.unix) var seenAt: Date
                    var url: URL
                    var state: State
                    var inner: Inner
                    var days: [String]

                    @JSONModel
                    enum State {
                        case open
                        @JSONKey("in-work") case inWork
                        case unknown(String)
                    }

                    @JSONModel(keys: .snakeCase)
                    struct Inner {
                        @JSONDate(.milliseconds) var tsMs: Date
                    }
                }

                """)
    }

    @Test func sensitiveValuesAreNotDescribed() throws {
        for form in [Infer.Form.jsonSchema, .swift] {
            let text = try infer(MeaningTests.feed, form, sensitive: ["state", "url", "day"])
            #expect(!text.contains("in-work") && !text.contains("inWork"))
        }
    }

    @Test(.enabled(if: Shell.isPresent)) func arrowHasDatesIfThatIsAskedFor() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", MeaningTests.feed)
        let plain = try scratch.shell("sluice convert -o a.arrow in.ndjson; grep -a -c UTC a.arrow")
        #expect(plain.output == "0\n")
        let dates = try scratch.shell("sluice convert --dates -o a.arrow in.ndjson; grep -a -c UTC a.arrow")
        #expect(dates.output != "0\n", "\(dates)")
        #expect(try scratch.shell("sluice convert --dates --to csv in.ndjson").status == 64)
    }

    @Test func whatIsInferredChangesNoStoredText() throws {
        let scratch = try Scratch()
        _ = try scratch.ingest(MeaningTests.feed)
        #expect(
            try scratch.value("SELECT local || day || made_at || seen_at FROM records WHERE id = 0")
                == "2024-01-01 00:002024-01-102024-01-01T00:00:10Z1700000000")
        #expect(try infer(MeaningTests.feed, .columns).contains("made_at:text\n"))
    }
}
#endif
