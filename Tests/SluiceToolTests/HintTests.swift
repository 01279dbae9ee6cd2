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
                + "or --at '' for the object itself\n")
        #expect(try scratch.shell("sluice ingest a.json b.json -o out.db").errors.hasPrefix("sluice: b.json: one object; "))
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
        #expect(!report.text.contains("were kept as they are"))
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
        var report = IngestReport(place: "a.db", table: "t")
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
}
#endif
