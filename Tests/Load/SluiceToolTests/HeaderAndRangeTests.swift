#if CommandLine && os(Linux)
import Foundation
import GRDB
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceFeed
@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

/// Rows under a header, and ranges of files.
@Suite struct HeaderAndRangeTests {
    // MARK: Headers

    private static let rows = "[\"id\",\"user name\"]\n[1,\"ann\"]\n[2]\n[3,\"cyd\",0]\n[4, nul]\n[5,\"eve\"]\n"

    @Test(arguments: [1, 2]) func rowsAreReadUnderTheirNames(workers: Int) throws {
        let scratch = try Scratch()
        let report = try scratch.ingest(Self.rows) {
            $0.feed.hasHeader = true
            $0.rejects = "bad"
            $0.workers = workers
        }
        #expect(report.stored == 3)
        #expect(report.rejected == 2)
        #expect(
            try scratch.rows("SELECT * FROM records") == [
                ["id": 1, "user name": "ann"], ["id": 2, "user name": nil], ["id": 5, "user name": "eve"],
            ])
        let bad = try scratch.rows("SELECT line, byte_position, json_line FROM bad")
        #expect(
            bad == [
                ["line": 4, "byte_position": 33, "json_line": "[3,\"cyd\",0]"],
                ["line": 5, "byte_position": 49, "json_line": "[4, nul]"],
            ])
        #expect(report.rejections[0].reason.contains("expected an array of at most 2 values"))
    }

    @Test func theFirstRowMustHoldNames() throws {
        let scratch = try Scratch()
        let error = #expect(throws: IngestError.self) {
            try scratch.ingest("{\"a\":1}\n[3,4]\n") { $0.feed.hasHeader = true }
        }
        #expect(error?.description.contains("expected a first row of names") == true)
    }

    @Test(.enabled(if: Shell.isPresent)) func theToolReadsRowsUnderTheirNames() throws {
        let scratch = try Scratch()
        _ = try scratch.file("rows.ndjson", "[\"id\",\"name\"]\n[1,\"ann\"]\n[2]\n")
        let convert = try scratch.shell("sluice convert --header rows.ndjson")
        #expect(convert.output == "{\"id\":1,\"name\":\"ann\"}\n{\"id\":2}\n")
        #expect(try scratch.shell("sluice convert --header --to tsv rows.ndjson").output == "id\tname\n1\tann\n2\t\n")
        #expect(try scratch.shell("sluice infer --header rows.ndjson").output == "id:integer\nname:text\n")
        #expect(try scratch.shell("sluice check --header rows.ndjson").output == "rows.ndjson: valid: 2 records, 28 bytes\n")
        #expect(try scratch.shell("echo '[1,2,3]' >> rows.ndjson; sluice check --header rows.ndjson").status == 1)
        let ingest = try scratch.shell("sluice ingest --header rows.ndjson out.db")
        #expect(ingest.status == 2)
        #expect(ingest.output.hasPrefix("2 added, 2 now in records"))
    }

    // MARK: Ranges

    private static let lines = "{\"a\":1}\n\n{\"a\":2}\r\n{\"a\":3,\"b\":1}\n  \n{\"a\":44}"

    private func ingest(
        _ file: String, _ range: Range<Int>, into scratch: Scratch, _ change: (inout IngestSetup) -> Void = { _ in }
    ) throws -> IngestReport {
        try scratch.ingest(file: file) {
            $0.columns = (try? ["a:integer", "b:integer"].map { try ColumnOption($0).column }) ?? []
            $0.feed.range = range
            $0.existing = .append
            change(&$0)
        }
    }

    @Test func anyTwoCutsGiveEachRecordOnce() throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", Self.lines)
        let size = Self.lines.utf8.count
        for cut in 0...size {
            for range in [cut..<Int.max, 0..<cut] { _ = try ingest(file, range, into: scratch) { $0.table = "t\(cut)" } }
            #expect(
                try scratch.value("SELECT group_concat(a) FROM (SELECT a FROM t\(cut) ORDER BY a)") == "1,2,3,44", "cut at \(cut)"
            )
        }
    }

    @Test(arguments: [1, 2]) func aRangeIsTakenUpWhereItEnded(workers: Int) throws {
        let scratch = try Scratch()
        let text = (0..<100).map { "{\"a\":\($0)}\n" }.joined()
        let file = try scratch.file("a.ndjson", text)
        // Three bytes before the line of 50: 10 lines of 8 bytes, and 40 of 9.
        let middle = 10 * 8 + 40 * 9 - 3
        for limit in [10, 30, nil] {
            for range in [0..<middle, middle..<Int.max] {
                _ = try ingest(file, range, into: scratch) {
                    $0.limit = limit
                    $0.workers = workers
                }
            }
        }
        #expect(try scratch.value("SELECT count(*) || ' ' || count(DISTINCT a) FROM records") == "100 100")
        #expect(try ingest(file, 0..<middle, into: scratch).outcome == .nothingToDo)
        // What is added to the file belongs to the last range alone.
        _ = try scratch.file("a.ndjson", text + "{\"a\":100}\n")
        #expect(try ingest(file, 0..<middle, into: scratch).records == 0)
        #expect(try ingest(file, middle..<Int.max, into: scratch).stored == 1)
        #expect(try scratch.value("SELECT count(*) || ' ' || count(DISTINCT a) FROM records") == "101 101")
        // Another range is another input, and so is the file as a whole.
        #expect(try ingest(file, 0..<9, into: scratch).stored == 2)
        #expect(throws: IngestError.self) {
            _ = try scratch.file("a.ndjson", text.replacing("0", with: "9") + "{\"a\":100}\n")
            return try ingest(file, 0..<middle, into: scratch)
        }
    }

    @Test func anEmptyRangeDoesNotSetACheckpoint() throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", "{\"a\":1}\n{\"a\":2")
        #expect(try ingest(file, 12..<Int.max, into: scratch).stored == 0)
        _ = try scratch.file("a.ndjson", "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n")
        #expect(try ingest(file, 12..<Int.max, into: scratch).stored == 1)
        #expect(try scratch.value("SELECT a FROM records") == 3)
    }

    @Test func columnsAreInferredFromTheRange() throws {
        let scratch = try Scratch()
        let report = try scratch.ingest(file: scratch.file("a.ndjson", "{\"a\":1}\n{\"b\":2}\n{\"c\":3}\n")) {
            $0.feed.range = 3..<10
        }
        #expect(report.columns.map(\.name) == ["b"])
        #expect(report.bytes == 8)
    }

    @Test(.enabled(if: Shell.isPresent)) func theToolReadsRanges() throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n")
        #expect(try scratch.shell("sluice check --range 3:9 a.ndjson").output == "a.ndjson: valid: 1 record, 8 bytes\n")
        #expect(try scratch.shell("sluice convert --range 9: a.ndjson").output == "{\"a\":3}\n")
        #expect(try scratch.shell("sluice convert --to tsv --range :9 a.ndjson").output == "a\n1\n2\n")
        #expect(try scratch.shell("sluice infer --range 9: a.ndjson").output == "a:integer\n")
        #expect(try scratch.shell("sluice ingest --range 9: a.ndjson out.db").output.hasPrefix("1 added"))
        #expect(try scratch.shell("sluice ingest --range :9 --append a.ndjson out.db").output.hasPrefix("2 added, 3 now"))
        #expect(try scratch.shell("sluice ingest --range :9 --append a.ndjson out.db").output.hasPrefix("nothing to do"))
    }

    @Test(
        .enabled(if: Shell.isPresent),
        arguments: [
            ("check --range 9 a.ndjson", "'9' is no range of bytes such as 0:1000, 1000:2000 or 2000:"),
            ("check --range 9:3 a.ndjson", "'9:3' is no range of bytes"),
            ("check --range a:3 a.ndjson", "'a:3' is no range of bytes"),
            ("convert --range 9: a.ndjson a.ndjson", "--range is a range of one file, and there are 2 inputs."),
            ("infer --range 9: --format array a.ndjson", "--range needs a feed of lines: --format array has no ranges."),
            (
                "ingest --range 9: --header a.ndjson out.db",
                "--range 9: begins after the row that --header takes the names from."
            ),
        ])
    func aRangeThatCannotBeIsWrongUse(command: String, message: String) throws {
        let result = try Scratch().shell("sluice \(command)")
        #expect(result.status == 64)
        #expect(result.errors.contains(message), "\(result.errors)")
    }

    @Test(.enabled(if: Shell.isPresent), arguments: ["check", "infer", "convert", "convert --to csv", "ingest -o out.db"])
    func whatHasNoRangesSaysSo(command: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", "{\"a\":1}\n{\"a\":2}\n")
        for (input, reason) in [("a.ndjson.gz", "it is compressed with gzip"), ("-", "it is not a regular file")] {
            let name = input == "-" ? "standard input" : input
            let result = try scratch.shell("gzip -fk a.ndjson; cat a.ndjson | sluice \(command) --range 3: \(input)")
            #expect(result.status == 3)
            #expect(result.errors == "sluice: input/output error: cannot read a range of \(name): \(reason)\n")
        }
        #if Compression
        #expect(try scratch.shell("sluice \(command) --range 0: a.ndjson.gz").status == 0)
        #endif
    }
}
#endif
