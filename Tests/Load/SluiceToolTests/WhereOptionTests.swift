#if CommandLine && os(Linux)
import Foundation
import GRDB
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceIngest
@testable import SluiceTool

/// Records that a condition of the command line chooses. What conditions mean is tested in SluiceIngestTests.
@Suite struct WhereOptionTests {
    private static let records = [
        #"{"id":1,"type":"Push","actor":{"login":"ann"},"size":3,"ok":true,"tags":["a"]}"#,
        #"{"id":2,"type":"Watch","actor":{"login":"bob"},"size":4.5,"ok":false}"#,
        #"{"id":3,"type":"it's","actor":null,"size":"big","tags":null}"#,
        #"{"id":9007199254740993,"type":5,"size":null}"#,
    ]

    @Test(.enabled(if: Shell.isPresent)) func theToolChoosesRecords() throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", Self.records.joined(separator: "\n") + "\n")
        #expect(try scratch.shell("sluice check --where 'id < 3' a.ndjson").output.hasPrefix("a.ndjson: valid: 2 records, "))
        #expect(
            try scratch.shell("sluice check --workers 2 --where 'id < 3' a.ndjson").output.hasPrefix(
                "a.ndjson: valid: 2 records, "))
        #expect(try scratch.shell("sluice convert --where 'id = 2' a.ndjson").output == Self.records[1] + "\n")
        #expect(
            try scratch.shell("sluice convert --limit 1 --where 'id > 1' --to json a.ndjson").output
                == "[\n\(Self.records[1])\n]\n")
        #expect(
            try scratch.shell("sluice convert --where \"type = 'Watch'\" --to tsv a.ndjson").output
                == "id\ttype\tactor_login\tsize\tok\n2\tWatch\tbob\t4.5\tfalse\n")
        let ingest = try scratch.shell("sluice ingest --where 'ok = true' a.ndjson out.db")
        #expect(ingest.status == 0)
        #expect(ingest.output.contains("3 records passed over, for which --where does not hold"))
        #expect(
            try scratch.shell("sluice ingest --column who:text=actor.login --where \"who = 'bob'\" a.ndjson who.db").status == 0)
        #expect(try scratch.value("SELECT who FROM records", in: "who.db") == "bob")
        let rows = try scratch.shell("printf '[\"a\",\"b\"]\\n[1,2]\\n[3,4]\\n' | sluice convert --header --where 'b = 4' -")
        #expect(rows.output == "{\"a\":3,\"b\":4}\n")
    }

    @Test(.enabled(if: Shell.isPresent), arguments: ["check a", "convert a", "ingest a a.db"])
    func aMalformedConditionIsWrongUse(command: String) throws {
        let result = try Scratch().shell("sluice \(command) --where \"type = Push\"")
        #expect(result.status == 64)
        #expect(
            result.errors.contains(
                "--where: expected a number, a text in single quotes, true or false, found 'Push' (column 8); texts stand in single "
                    + "quotes\n  type = Push\n         ^"), "\(result.errors)")
    }

    @Test func aReportSaysWhyRecordsArePassedOver() throws {
        let scratch = try Scratch()
        let text = "{\"a\":1}\n{\"c\":1}\n"
        let report = try scratch.ingest(text) { $0.feed.filter = try? WhereClause("exists c") }
        #expect(report.text.contains("1 record passed over, for which --where does not hold"), "\(report.text)")
        let none = try scratch.ingest(text) { ($0.feed.filter, $0.table) = (try? WhereClause("exists d"), "none") }
        #expect(none.text.hasPrefix("no record matches --where: no table was made"))
        let long = String(repeating: "{\"a\":1,\"b\":\"\(String(repeating: "x", count: 90))\"}\n", count: 5_000) + "{\"c\":1}\n"
        let error = #expect(throws: IngestError.self) {
            try scratch.ingest(long) {
                ($0.feed.filter, $0.table, $0.maximumSampleSize, $0.maximumRecordSize) = (
                    try? WhereClause("exists c"), "pipe", 1_000, 1_000
                )
            }
        }
        #expect(error?.commandLine.contains("cannot be read again; declare the columns with --column") == true)
    }
}
#endif
