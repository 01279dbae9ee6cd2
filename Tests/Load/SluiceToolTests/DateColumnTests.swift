// Columns that are declared as dates: which values they take, and what is stored.

#if CommandLine
import GRDB
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceIngest
@testable import SluiceTool

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

    @Test(arguments: values)
    func aDateIsStoredOrItsRecordRejected(_ value: (type: String, json: String, stored: String?)) throws {
        let line = #"{"id":1,"at":\#(value.json)}"#
        // Cut at every byte.
        for chunk in 1...(line.utf8.count + 1) {
            let scratch = try Scratch()
            let report = try scratch.ingest(line, columns: ["id:integer", "at:\(value.type)"], chunk: chunk)
            #expect(report.rejected == (value.stored == nil ? 1 : 0), "\(chunk)")
            #expect(try scratch.value("SELECT at FROM records") == value.stored)
            guard value.stored == nil else { continue }
            let rejection = try #require(report.rejections.first)
            #expect(rejection.position.offset == 13, "\(rejection.reason)")
        }
    }

    @Test(arguments: values)
    func allFormsHoldTheSameText(_ value: (type: String, json: String, stored: String?)) throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", #"{"at":\#(value.json)}"# + "\n")
        let quoted = "'at:\(value.type)'"
        let csv = try scratch.shell("sluice convert --to csv --type \(quoted) in.ndjson | tail -n +2 | tr -d '\\r'").output
        #expect(csv == (value.stored.map { $0 + "\n" } ?? ""))
        let json = try scratch.shell("sluice convert --column \(quoted) in.ndjson").output
        #expect(json == (value.stored.map { #"{"at":"\#($0)"}"# + "\n" } ?? ""))
    }

    @Test func whatDoesNotFitIsAnsweredByTheTypeThatTakesIt() throws {
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
            let scratch = try Scratch()
            let report = try scratch.ingest(#"{"at":\#(json)}"#, columns: ["at:\(type)"])
            #expect(report.rejections.first?.reason.contains(words) == true, "\(report.rejections.first?.reason ?? "")")
        }
    }

    @Test func aResumedRunReadsDatesInTheSameForm() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", #"{"at":"02.01.2024","n":1}"# + "\n")
        let command = "sluice ingest --type 'at:date(dd.MM.yyyy)' --type n unix in.ndjson out.db"
        #expect(try scratch.shell(command).status == 0)
        _ = try scratch.file("in.ndjson", #"{"at":"02.01.2024","n":1}"# + "\n" + #"{"at":"03.01.2024","n":2}"# + "\n")
        #expect(try scratch.shell(command).status == 0)
        #expect(
            try scratch.rows("SELECT at, n FROM records ORDER BY at") == [
                ["at": "2024-01-02", "n": "1970-01-01T00:00:01Z"], ["at": "2024-01-03", "n": "1970-01-01T00:00:02Z"],
            ])
        // With another form, the rows of before would have been read otherwise.
        let other = try scratch.shell("sluice ingest --type 'at:date(MM.dd.yyyy)' --type n unix in.ndjson out.db")
        #expect(other.status == 64)
        #expect(other.errors.contains("an earlier run has read these inputs with other columns"))
    }

    @Test func aColumnIsStoredWithTheFormOfItsDates() {
        for type in ColumnType.ofTables {
            let column = IngestColumn(
                JSONColumn(name: "c", type: type, keys: ["c"], dates: type.isOfDates ? .format("yyyy") : nil))
            #expect(IngestColumn(json: column.json) == column)
        }
    }

    @Test func lateColumnsAndChildTablesHaveDeclaredDates() throws {
        let scratch = try Scratch()
        _ = try scratch.file("late.ndjson", #"{"id":1}"# + "\n" + #"{"id":2,"late":1}"# + "\n")
        #expect(try scratch.shell("sluice ingest --sample-size 1 --type late:unix late.ndjson out.db").status == 0)
        #expect(try scratch.value("SELECT late FROM records WHERE id = 2") == "1970-01-01T00:00:01Z")
        _ = try scratch.file("in.ndjson", #"{"id":2,"items":[{"due":"02.01.2024"}]}"# + "\n")
        let type = "'items.due:date(dd.MM.yyyy)'"
        #expect(
            try scratch.shell("sluice ingest --pk id --children tables --type \(type) in.ndjson child.db").output.contains(
                "1 added"))
        #expect(try scratch.value("SELECT due FROM records_items", in: "child.db") == "2024-01-02")
    }

    @Test func arrowHasDeclaredTypes() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", #"{"a":"2024-01-02","b":1,"c":1}"# + "\n" + #"{"a":"soon","b":2,"c":2}"# + "\n")
        let options = "--to arrow -o x.arrows --type a:date --type b:unix"
        let first = try scratch.shell("sluice convert \(options) in.ndjson")
        #expect(first.status == 2)
        #expect(first.errors.contains("expected a date without a time or null"))
        #expect(
            try scratch.shell("sluice convert --to arrow -o y.arrows --column a:date --column b:unix=c in.ndjson").status == 2)
        let wrong = try scratch.shell("sluice convert --to arrow -o x.arrows --type bb:unix in.ndjson")
        #expect(wrong.status == 64)
        #expect(wrong.errors.contains("there is no such column"))
    }

    @Test(arguments: [
        ("ingest --type score dat in.ndjson x.db", "did you mean date?"),
        ("convert --type at:unx in.ndjson", "did you mean unix?"),
    ])
    func aMisspeltTypeIsAnswered(_ command: String, _ words: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", #"{"score":1}"# + "\n")
        let run = try scratch.shell("sluice \(command)")
        #expect(run.status == 64)
        #expect(run.errors.contains(words), "\(run.errors)")
    }
}
#endif
