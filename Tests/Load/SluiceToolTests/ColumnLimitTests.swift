#if CommandLine && os(Linux)
import Foundation
import GRDB
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceIngest

/// Records with more keys than a table has columns.
@Suite(.enabled(if: Shell.isPresent)) struct ColumnLimitTests {
    /// A record with that many keys, the first of which is `id`.
    private func record(_ id: Int, _ count: Int, key: String = "k") -> String {
        #"{"id":\#(id),"# + (1..<count).map { #""\#(key)\#($0)":\#($0)"# }.joined(separator: ",") + #","last":"x\#(id)"}"#
    }

    @Test func lateKeysBeyondTheColumnsNameTheLimitAndAllOfThemAreListed() throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", record(1, 1_900) + "\n" + record(2, 600, key: "late") + "\n")
        let run = try scratch.sluice(["ingest", "a.ndjson", "-o", "out.db", "--sample-size", "1", "--report", "json"])
        #expect(run.status == 2)
        let report = try JSONValue(json: run.output)
        #expect(report["left_out"]?.array?.count == 500)
        let text = try scratch.sluice(["ingest", "a.ndjson", "-o", "text.db", "--sample-size", "1"])
        #expect(
            text.output.contains("a table has no more than 2,000 columns; --overflow NAME lets one of them take the other values")
        )
        let rest = try scratch.sluice(["ingest", "a.ndjson", "-o", "rest.db", "--sample-size", "1", "--overflow", "rest"])
        #expect(rest.status == 0, "\(rest)")
    }

    @Test(arguments: ["1", "[1]"]) func lateKeysThatMakeAnObjectADictionaryNameTheLimit(value: String) throws {
        let scratch = try Scratch()
        let lines = [#"{"id":0,"m":{"x":1}}"#] + (1...300).map { #"{"id":\#($0),"m":{"k\#($0)":\#(value)}}"# }
        _ = try scratch.file("a.ndjson", lines.joined(separator: "\n"))
        let words = ["ingest", "a.ndjson", "-o", "out.db", "--sample-size", "1", "--children", "tables"]
        let run = try scratch.sluice(words)
        #expect(run.status == 2 && run.output.contains("values of keys without a column are left out"))
        let text =
            "late keys of m have no column beyond 200 keys; --map-threshold N takes more, and --json m keeps the object as JSON"
        #expect(run.output.contains(text) && run.output.components(separatedBy: "late keys of").count == 2)
        for option in [["--map-threshold", "400"], ["--json", "m"]] {
            #expect(try scratch.sluice(words + ["--drop"] + option).status == 0)
        }
    }

    @Test func withoutAColumnForTheRestTheErrorSaysWhatHelps() throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", record(1, 2_500) + "\n")
        let run = try scratch.sluice(["ingest", "a.ndjson", "-o", "out.db"])
        #expect(
            run.errors
                == "sluice: the records have 2,501 keys, and a table has no more than 2,000 columns; choose some with --column, "
                + "or let a column take the values of the others with --overflow rest\n")
    }

    @Test func aTypeOfAPathInsideJSONNamesTheColumn() throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", #"{"d":{"$date":{"n":1}}}"# + "\n")
        let run = try scratch.sluice(["ingest", "a.ndjson", "-o", "out.db", "--json", "d", "--type", "d.$date.n:unix"])
        #expect(run.output.contains("d.$date.n, whose type --type sets, is inside the column d, which holds JSON"), "\(run)")
        #expect(!run.output.contains("no record has"))
    }
}
#endif
