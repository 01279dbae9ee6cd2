// Columns that are declared as dates: which values they take, and what is stored.

#if SQLite
import SluiceCore
import SluiceFeed
import SluiceTestSupport
import Testing

@testable import SluiceIngest

@Suite struct DateColumnTests {
    /// A type, a value, and what is stored for it; nil if its record is rejected.
    private static let values: [(type: String, json: String, stored: String?)] = [
        ("date", #""2024-01-02""#, "2024-01-02"), ("date", #""2024-01-02T00:00:00Z""#, "2024-01-02"),
        ("date", #""2024-01-02T10:00:00Z""#, nil), ("date", #""2024-01-02T00:00:00+02:00""#, nil), ("date", #""soon""#, nil),
        ("date", #""2024-12-31T23:59:60Z""#, nil), ("date", #""2024-12-31T18:59:60-05:00""#, nil),
        ("date", #""2024-12-31T24:00:00Z""#, "2025-01-01"), ("timestamp", #""2024-12-31T23:59:60Z""#, "2025-01-01T00:00:00Z"),
        ("date(dd.MM.yyyy HH.mm.ss)", #""31.12.2024 23.59.60""#, nil),
        ("date(dd.MM.yyyy HH.mm.ss)", #""31.12.2024 00.00.00""#, "2024-12-31"),
        ("date", "1704153600", nil), ("date", "true", nil), ("date", #""-000001-12-31""#, "-000001-12-31"), ("date", "[]", nil),
        ("timestamp", #""2024-01-02""#, "2024-01-02T00:00:00Z"),
        ("timestamp", #""2024-01-02T12:00:00.5+02:00""#, "2024-01-02T10:00:00.500Z"), ("timestamp", "1704153600", nil),
        ("unix", "1704189600", "2024-01-02T10:00:00Z"), ("unix", "1704189600.25", "2024-01-02T10:00:00.250Z"),
        ("unix", #""1704189600""#, "2024-01-02T10:00:00Z"), ("unix", "-1", "1969-12-31T23:59:59Z"), ("unix", "true", nil),
        ("unix", #""2024-01-02""#, nil), ("unix", "1e30", nil), ("unix", "{}", nil),
        ("unix-ms", "1704189600250", "2024-01-02T10:00:00.250Z"), ("unix-ms", #""x""#, nil),
        ("date(dd.MM.yyyy)", #""02.01.2024""#, "2024-01-02"), ("date(dd.MM.yyyy)", #""2024-01-02""#, nil),
        ("date(dd.MM.yyyy)", #""31.02.2024""#, nil), ("date(yyyyMMdd)", "20240102", "2024-01-02"),
        ("date(dd.MM.yyyy HH:mm)", #""02.01.2024 10:00""#, nil),
        ("timestamp(dd.MM.yyyy HH:mm)", #""02.01.2024 10:00""#, "2024-01-02T10:00:00Z"),
        ("timestamp(d MMM yyyy, h:mm a Z)", #""2 Jan 2024, 11:00 AM +0100""#, "2024-01-02T10:00:00Z"),
    ]

    @Test(arguments: LoaderSink.all, values)
    func aDateIsStoredOrItsRecordRejected(sink: LoaderSink, value: (type: String, json: String, stored: String?)) throws {
        let line = #"{"id":1,"at":\#(value.json)}"#
        // Cut at every byte, which makes no difference to a sink.
        for chunk in sink == .sqlite ? Array(1...(line.utf8.count + 1)) : [.max] {
            let loader = try Loader(sink)
            let report = try loader.load(line, columns: ["id:integer", "at:\(value.type)"], chunk: chunk)
            #expect(report.rejected == (value.stored == nil ? 1 : 0), "\(chunk)")
            #expect(try loader.rows("id", "at") == (value.stored.map { [[1, .text($0)]] } ?? []))
            guard value.stored == nil else { continue }
            let rejection = try #require(report.rejections.first)
            #expect(rejection.position.offset == 13, "\(rejection.reason)")
        }
    }

    /// A declared column, and an inferred one whose type is declared.
    @Test(arguments: LoaderSink.all, values)
    func allSinksHoldTheSameText(sink: LoaderSink, value: (type: String, json: String, stored: String?)) throws {
        let loader = try Loader(sink)
        let line = #"{"at":\#(value.json)}"# + "\n"
        try loader.load(line, columns: ["at:\(value.type)"], into: "declared")
        try loader.load(line, into: "inferred") { $0.types = [try TypeOption("at:\(value.type)")] }
        for table in ["declared", "inferred"] {
            #expect(try loader.rows("at", of: table) == (value.stored.map { [[.text($0)]] } ?? []), "\(table)")
        }
    }

    @Test(arguments: LoaderSink.all) func whatDoesNotFitIsAnsweredByTheTypeThatTakesIt(sink: LoaderSink) throws {
        for (type, json, words) in [
            (
                "date", #""2024-01-02T10:00:00Z""#,
                #"expected a date without a time or null, found the string "2024-01-02T10:00:00Z"; a time of day needs a column of type timestamp"#
            ),
            (
                "timestamp", "1704153600",
                "expected a date or null, found the number 1704153600; numbers are dates in a column of type unix or unix-ms"
            ),
            (
                "date(dd.MM.yyyy)", #""2.1.2024""#,
                #"expected a date without a time in the form dd.MM.yyyy or null, found the string "2.1.2024""#
            ),
            ("unix", #""now""#, #"expected the seconds since 1970 or null, found the string "now""#),
        ] {
            let report = try Loader(sink).load(#"{"at":\#(json)}"#, columns: ["at:\(type)"])
            #expect(report.rejections.first?.reason.contains(words) == true, "\(report.rejections.first?.reason ?? "")")
        }
    }

    @Test(arguments: LoaderSink.databases) func aResumedRunReadsDatesInTheSameForm(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        func load(_ records: Int, _ pattern: String) throws -> IngestReport {
            let lines = (1...records).map { #"{"at":"0\#($0 + 1).01.2024","n":\#($0)}"# + "\n" }
            return try loader.load(file: loader.scratch.file("in.ndjson", lines.joined())) {
                $0.types = try ["at:date(\(pattern))", "n:unix"].map { try TypeOption($0) }
            }
        }
        #expect(try load(1, "dd.MM.yyyy").isSuccess)
        #expect(try load(2, "dd.MM.yyyy").isSuccess)
        #expect(
            try loader.rows("at", "n", by: "at") == [
                ["2024-01-02", "1970-01-01T00:00:01Z"], ["2024-01-03", "1970-01-01T00:00:02Z"],
            ])
        // With another form, the rows of before would have been read otherwise.
        let error = #expect(throws: IngestError.self) { try load(2, "MM.dd.yyyy") }
        guard case .usage(let message)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(message.description.contains("an earlier run has read these inputs with other columns"))
    }

    @Test func aColumnIsStoredWithTheFormOfItsDates() {
        for type in ColumnType.ofTables {
            let column = IngestColumn(
                JSONColumn(name: "c", type: type, keys: ["c"], dates: type.isOfDates ? .format("yyyy") : nil))
            #expect(IngestColumn(json: column.json) == column)
        }
    }

    @Test(arguments: LoaderSink.databases + [.ndjson]) func lateColumnsHaveDeclaredDates(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let report = try loader.load(#"{"id":1}"# + "\n" + #"{"id":2,"late":1}"# + "\n") {
            ($0.sample, $0.types) = (1, [try TypeOption("late:unix")])
        }
        #expect(report.isSuccess)
        #expect(try loader.rows("id", "late") == [[1, nil], [2, "1970-01-01T00:00:01Z"]])
    }

    @Test(arguments: LoaderSink.databases) func childTablesHaveDeclaredDates(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let report = try loader.load(#"{"id":2,"items":[{"due":"02.01.2024"}]}"# + "\n") {
            ($0.feed.format, $0.primaryKey, $0.children.storage) = (.lines, ["id"], .tables)
            $0.types = [try TypeOption("items.due:date(dd.MM.yyyy)")]
        }
        #expect(report.isSuccess && report.rows.added == 1)
        #expect(try loader.rows("due", of: "records_items") == [["2024-01-02"]])
    }
}
#endif
