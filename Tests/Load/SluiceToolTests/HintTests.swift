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

/// What errors and reports say about records that are not as the command line has them.
@Suite struct HintTests {
    // MARK: Rows under names

    @Test(
        .enabled(if: Shell.isPresent),
        arguments: [
            "ingest rows.ndjson x.db", "infer rows.ndjson", "convert --to csv rows.ndjson", "convert --to arrow rows.ndjson",
        ])
    func rowsUnderNamesAskForHeader(command: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("rows.ndjson", "[\"a\",\"b\"]\n[1,2]\n")
        let result = try scratch.shell("sluice \(command)")
        #expect(result.status == 2)
        #expect(result.errors.contains("all are arrays, the first of texts; with --header these are the names of columns"))
    }

    @Test(arguments: ["[1,2]\n[3]\n", "[\"a\"]\n5\n", "[]\n[1]\n", "1\n", "[\"a\"]\n{}\n"])
    func otherRecordsDoNotAskForHeader(text: String) throws {
        var inference = ColumnInference()
        for line in text.split(separator: "\n") { inference.observe(try JSONValue(json: String(line))) }
        #expect(!inference.looksLikeRows)
    }

    @Test func aNameThatStandsTwiceInAHeaderIsNumbered() throws {
        let scratch = try Scratch()
        let report = try scratch.ingest("[\"a\",\"a\",\"a_2\",\"a\"]\n[1,2,3,4]\n") { $0.feed.hasHeader = true }
        #expect(report.status == .success)
        #expect(report.columns.map(\.name) == ["a", "a_3", "a_2", "a_4"])
        #expect(try scratch.rows("SELECT * FROM records") == [["a": 1, "a_3": 2, "a_2": 3, "a_4": 4]])
    }

    // MARK: One object with arrays

    @Test(.enabled(if: Shell.isPresent)) func theErrorOfAnEnvelopeNamesItsFileAndTheLargestArray() throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.json", "{\"id\":1}")
        _ = try scratch.file("b.json", "{\"labels\":[{\"a\":1}],\"jobs\":[{\"b\":1},{\"b\":2}]}")
        let alone = try scratch.shell("sluice ingest b.json out.db")
        #expect(
            alone.errors
                == "sluice: one object; records may be at 'jobs' (2), 'labels' (1): choose --at, such as --at 'jobs', "
                + "or --at '' or --format ndjson for the object itself\n")
        #expect(try scratch.shell("sluice ingest a.json b.json -o out.db").errors.hasPrefix("sluice: b.json: one object; "))
    }

    @Test(
        .enabled(if: Shell.isPresent),
        arguments: [
            "--format ndjson b.json", "--format concatenated b.json", "--format object b.json", "--at '' b.json",
            "--range 0: b.json",
            "b.ndjson", "b.jsonl", "b.NDJSON", "b.ndjson.gz",
        ])
    func oneRecordIsNoEnvelopeIfTheFormatIsGivenOrTheNameSaysLines(arguments: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("b.json", "{\"id\":1,\"items\":[{\"a\":1},{\"a\":2}]}\n")
        _ = try scratch.shell("for e in ndjson jsonl NDJSON; do cp b.json b.$e; done; gzip -k b.ndjson")
        let result = try scratch.shell("sluice ingest \(arguments) -o out.db")
        #expect(result.status == 0, "\(result)")
        #expect(try scratch.rows("SELECT id, items FROM records") == [["id": 1, "items": #"[{"a":1},{"a":2}]"#]])
        let columns = try scratch.shell("sluice convert --column id:integer \(arguments)")
        #expect(columns.output == "{\"id\":1}\n", "\(columns)")
    }

    @Test(.enabled(if: Shell.isPresent)) func oneRecordOfAPipeIsReadOnceItsFormatIsGiven() throws {
        let scratch = try Scratch()
        let record = #"{"id":1,"items":[{"a":1}]}"#
        let guessed = try scratch.shell("echo '\(record)' | sluice ingest - -o out.db")
        #expect(guessed.status == 64)
        #expect(guessed.errors.contains("--at 'items', or --at '' or --format ndjson for the object itself"))
        #expect(try scratch.shell("echo '\(record)' | sluice ingest --format ndjson - -o out.db").status == 0)
        #expect(try scratch.count() == 1)
        // A document of several lines is not NDJSON, whatever its file is called.
        _ = try scratch.file("page.ndjson", "{\n\"items\": [\n{\"a\":1}]}\n")
        #expect(try scratch.shell("sluice ingest page.ndjson -o page.db").status == 64)
    }

    @Test(.enabled(if: Shell.isPresent)) func aHeaderWithoutRowsIsALine() throws {
        let scratch = try Scratch()
        _ = try scratch.file("rows.ndjson", "[\"a\",\"b\"]\n")
        let check = try scratch.shell("sluice check --header rows.ndjson")
        #expect(check.status == 0, "\(check)")
        _ = try scratch.file("array.json", "[[\"a\",\"b\"],[1,2]]\n")
        #expect(try scratch.shell("sluice convert --header array.json").output == "{\"a\":1,\"b\":2}\n")
    }

    // MARK: What is no feed

    @Test(
        .enabled(if: Shell.isPresent),
        arguments: [
            ("https://example.com/a.json", "curl -fsSL 'https://example.com/a.json' | sluice ... -"),
            ("https://me:secret@example.com/a.json", "curl -fsSL 'https://...' | sluice ... -"),
            ("s3://bucket/a.json", "aws s3 cp 's3://bucket/a.json' - | sluice ... -"),
            ("postgresql://me:secret@host/db", "psql -XAtc 'SELECT to_jsonb(t) FROM my_table t' ADDRESS | sluice ... -"),
            ("feed.tar", "tar -xOf feed.tar | sluice ... -"), ("feed.tgz", "tar -xOf feed.tgz | sluice ... -"),
            ("data.db", "sqlite3 -json data.db 'SELECT * FROM my_table' | sluice ... -"),
        ])
    func anInputThatIsNoFeedIsAnsweredByWhatToDo(input: String, way: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("feed.ndjson", "{\"id\":1}\n")
        _ = try scratch.shell("tar -cf feed.tar feed.ndjson; tar -czf feed.tgz feed.ndjson")
        try scratch.execute("CREATE TABLE my_table (id)", in: "data.db")
        for command in ["ingest -o out.db", "check", "infer", "convert"] {
            let result = try scratch.shell("sluice \(command) '\(input)'")
            #expect(result.status == 64, "\(command): \(result)")
            #expect(result.errors.contains(way), "\(command): \(result)")
            #expect(!(result.errors + result.output).contains("secret"))
        }
    }

    @Test(
        .enabled(if: Shell.isPresent),
        arguments: [
            "ingest a.ndjson b.ndjson -o x.db", "infer a.ndjson b.ndjson", "convert a.ndjson b.ndjson",
            "convert --to csv a.ndjson b.ndjson", "convert --to arrow -o x a.ndjson b.ndjson",
        ])
    func anErrorOfSeveralInputsNamesItsFile(command: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", "{\"id\":1}\n")
        _ = try scratch.file("b.ndjson", "{\"id\":2}\n{\"id\":nul}\n")
        let result = try scratch.shell("sluice \(command)")
        #expect(result.status == 2)
        #expect((result.errors + result.output).contains("b.ndjson: invalid JSON"), "\(command): \(result)")
    }

    @Test func anErrorWithoutColumnsNamesItsFile() throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", "1\n")
        _ = try scratch.file("b.ndjson", "nul\n")
        let result = try scratch.shell("sluice ingest a.ndjson b.ndjson -o x.db")
        #expect(result.errors.contains("\nb.ndjson: unexpected end of input"))
    }

    // MARK: Values

    @Test func jsonColumnsHaveNoWhiteSpaceBetweenTokens() throws {
        let record = "{\n  \"id\": 1,\n  \"tags\": [\n    \"a b\",\n    { \"k\" : 1.50 }\n  ],\n  \"late\": \"x\"\n}\n"
        for workers in [1, 2] {
            let scratch = try Scratch()
            _ = try scratch.ingest(record + "{\"id\":2,\"late\": [ 1, 2 ]}") {
                $0.workers = workers; $0.sample = 1
            }
            #expect(try scratch.value("SELECT tags FROM records") == #"["a b",{"k":1.50}]"#)
            #expect(try scratch.value("SELECT late FROM records WHERE id = 2") == "[1,2]")
        }
    }

    @Test func aNumberBeyondTheDoublesMakesAColumnOfTexts() throws {
        let scratch = try Scratch()
        let report = try scratch.ingest("{\"v\":1.5}\n{\"v\":1e400}\n")
        #expect(report.status == .success)
        #expect(try scratch.rows("SELECT v FROM records") == [["v": "1.5"], ["v": "1e400"]])
    }

    @Test(arguments: ["1e400", "\"-1e999\"", String(repeating: "9", count: 500)])
    func aNumberBeyondTheDoublesThatComesLateIsRejected(number: String) throws {
        for first in ["1.5", "1"] {
            let scratch = try Scratch()
            let report = try scratch.ingest("{\"v\":\(first)}\n{\"v\":\(number)}\n") { $0.sample = 1 }
            #expect(report.status == .rejected)
            #expect(report.stored == 1)
            #expect(report.rejections.first?.reason.contains("v holds numbers, and ") == true)
            #expect(report.digitLosses.isEmpty && report.typeDeviations.isEmpty)
            #expect(try scratch.count() == 1)
        }
    }

    @Test func aValueThatLosesDigitsIsNotSaidToBeKept() throws {
        let scratch = try Scratch()
        let report = try scratch.ingest("{\"zip\":1}\n{\"zip\":\"00123\"}\n") { $0.sample = 1 }
        #expect(report.text.contains("other digits of 1 value"))
        #expect(!report.text.contains("of another type came later"))
    }

    // MARK: Reports

    @Test func aReportNamesTenKeysAndCountsTheOthers() throws {
        let scratch = try Scratch()
        let late = (0..<40).map { "\"k\($0)\":1" }.joined(separator: ",")
        let lost = try scratch.ingest("{\"id\":1}\n{\(late)}\n") {
            $0.sample = 1; $0.contract = .report
        }
        #expect(lost.text.contains("k9 (1, first at line 2) and 30 more; --report json names them\n"))
        #expect(lost.json.contains("\"k39\""))
        let columns = try scratch.ingest("{\"id\":1}\n{\(late)}\n") {
            $0.sample = 1; $0.table = "t"
        }
        #expect(columns.text.contains("k9 (line 2) and 30 more; --report json names them\n"))
    }

    @Test func aLongRunSaysItsTime() {
        var report = IngestReport(destination: "a.db", table: "t")
        report.bytes = 12_000_000
        for (nanoseconds, isSaid) in [(1_000_000_000 as UInt64, false), (6_000_000_000, true)] {
            report.nanoseconds = nanoseconds
            #expect(report.text.contains("12.0 MB in 6.00 s: 2.0 MB/s") == isSaid)
            #expect(report.text(isVerbose: true).contains(" MB/s"))
        }
    }

    @Test(.enabled(if: Shell.isPresent)) func anEmptyInputIsNoObject() throws {
        let scratch = try Scratch()
        _ = try scratch.file("empty.json", " \n")
        let check = try scratch.shell("sluice check --format object empty.json")
        #expect(check.status == 1)
        #expect(check.output.contains("expected a value, found only white space"))
        #expect(try scratch.shell("sluice check empty.json").status == 0)
    }

    @Test(
        .enabled(if: Shell.isPresent),
        arguments: [
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
