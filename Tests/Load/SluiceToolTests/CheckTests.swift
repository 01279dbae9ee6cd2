#if CommandLine
import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceFeed
@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

struct CheckTests {
    private func check(
        _ bytes: [UInt8], chunk: Int = .max, interruption: Interruption = Interruption(),
        _ change: (inout Check.Options) -> Void = { _ in }
    ) -> CheckReport {
        var options = Check.Options()
        change(&options)
        var progress = ProgressLine(isShown: false)
        return Check(options, interruption: interruption)
            .run(BytesSource(bytes, chunkSize: chunk), name: "feed", progress: &progress)
    }

    private func check(_ text: String, _ change: (inout Check.Options) -> Void = { _ in }) -> CheckReport {
        check(Array(text.utf8), change)
    }

    @Test(arguments: [EventFeed.Layout.ndjson, .array])
    func aGeneratedFeedIsValid(layout: EventFeed.Layout) throws {
        let feed = try generated(2_000, layout: layout)
        let report = check(feed, chunk: 4_099)
        #expect(report.status == .success)
        #expect((report.records, report.wrong, report.bytes) == (2_000, 0, feed.count))
        #expect(report.text().hasPrefix("feed: valid: 2,000 records"))
    }

    @Test func whatIsWrongIsCountedAndTheRestIsRead() {
        let feed = "{\"a\":1}\n{\"a\":nul}\n{\"b\":[1,2}\n\"\\ud800\"\n[\"\u{1}\"]\n{\"a\":2}\n"
        for chunk in 1...(feed.utf8.count + 1) {
            let report = check(Array(feed.utf8), chunk: chunk)
            #expect((report.records, report.wrong) == (2, 4))
            #expect(report.errors.map(\.position.line) == [2, 3, 4, 5])
            #expect(report.errors.map(\.kind) == [.syntax, .syntax, .invalidUnicode, .syntax])
        }
    }

    /// What no model reads is looked at, too.
    @Test func everyByteIsLookedAt() {
        #expect(check("{\"a\":{\"b\":[01]}}").wrong == 1)
        #expect(check([UInt8]("{\"a\":{\"b\":\"".utf8) + [0xFF] + [UInt8]("\"}}".utf8)).wrong == 1)
        #expect(check("{\"a\":{\"b\":tru}}\n{}\n").wrong == 1)
    }

    @Test func keysThatStandTwiceAreWrongOnlyIfAskedFor() {
        let feed = #"{"a":1,"b":{"c":1,"c":2}}"# + "\n" + #"{"a":1}"#
        #expect(check(feed).wrong == 0)
        let report = check(feed) { $0.isStrict = true }
        #expect((report.records, report.wrong) == (1, 1))
        #expect(report.errors.first?.kind == .duplicateKey)
    }

    @Test func aCheckStopsAtTooManyErrors() {
        let report = check(String(repeating: "{]\n", count: 10)) { $0.maximumErrors = 3 }
        #expect((report.wrong, report.isStopped) == (4, true))
        #expect(check(String(repeating: "{]\n", count: 10)).errors.count == 5)
    }

    private static let feeds = [
        "", " \n", "{}", "{\"a\":1}\n{\"a\":nul}\nx\n{\"a\":2}\n \n", "[1,2,nul,{\"a\":1,}] ", "[1,2", "[1,2] 3", "[1,,2]",
        "{\"i\":[1,2,x]}\n{\"i\":[3],}\n{\"i\":[4]}\n", "{\"a\":1} {\"a\":\n2} 7 }",
        "{\"long\":\"xxxxxxxxxxxxxxxxxxxxxxxxxxx\"}\n1\n",
        "\u{1E}{\"a\":1}\n\u{1E}nul\n\u{1E}2\n", "{\"a\":1}\n{\"a\":",
    ]

    @Test(arguments: feeds, [nil, "i" as JSONRecordPath?])
    func workersReportTheSameOfAnyFeed(text: String, path: JSONRecordPath?) {
        for maximumErrors in [nil, 0, 1] {
            let reports = [1, 2, 7].map { workers in
                var report = check(text) {
                    $0.workers = workers
                    $0.feed.path = path
                    $0.maximumErrors = maximumErrors
                    $0.maximumRecordSize = 24
                }
                report.nanoseconds = 0
                return report.text() + " \(report.format) \(report.status)"
            }
            #expect(reports[1] == reports[0], "at most \(maximumErrors ?? -1) errors")
            #expect(reports[2] == reports[0], "at most \(maximumErrors ?? -1) errors")
        }
    }

    @Test(arguments: ["\u{FEFF}{\"a\":1}\n", "\u{FEFF}[1,2]", "\u{FEFF}", "{}\n{}"])
    func everyByteCountsHoweverManyWorkersThereAre(text: String) {
        for workers in [1, 2] { #expect(check(text) { $0.workers = workers }.bytes == text.utf8.count) }
    }

    @Test func workersGiveTheSameReport() throws {
        var lines = try generated(3_000).split(separator: UInt8(ascii: "\n")).map { Array($0) }
        for index in stride(from: 10, to: lines.count, by: 97) { lines[index][lines[index].count / 2] = 0 }
        let feed = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
        let one = check(feed) { $0.keptErrors = 100 }
        #expect(one.wrong > 20)
        for workers in [2, 3] {
            let report = check(feed) {
                $0.workers = workers
                $0.keptErrors = 100
            }
            #expect((report.records, report.wrong, report.bytes) == (one.records, one.wrong, one.bytes))
            #expect(report.errors.map(\.description) == one.errors.map(\.description))
        }
    }

    @Test func aDamagedArrayEndsTheFeed() {
        let report = check("[{\"a\":1},,{\"a\":2}]")
        #expect(report.records == 1)
        #expect(report.wrong >= 1)
        #expect(report.status == .invalid)
    }

    @Test func aSignalEndsTheCheckAfterAWholeRecord() throws {
        let interruption = Interruption()
        interruption.raise(SIGTERM)
        let report = check(try generated(100), interruption: interruption)
        #expect(report.status.code == 143)
        #expect(report.wrong == 0)
    }

    /// A file that holds one document longer than any record.
    @Test func aLongDocumentIsReadInPieces() throws {
        let scratch = try Scratch()
        let long = "{\"a\":[" + String(repeating: "{\"b\":\"cdefghijkl\"},", count: 20_000) + "1]"
        var progress = ProgressLine(isShown: false)
        var options = Check.Options()
        options.maximumRecordSize = 10_000
        let checker = Check(options)
        let whole = try checker.run(input: scratch.file("whole.json", long + "}"), progress: &progress)
        #expect((whole.records, whole.wrong) == (1, 0))
        let cut = try checker.run(input: scratch.file("cut.json", long), progress: &progress)
        #expect((cut.records, cut.wrong, cut.errors.first?.kind) == (0, 1, .unexpectedEnd))
        // A long first line is no document of its own.
        let lines = try checker.run(input: scratch.file("lines.ndjson", long + "}\n{\"a\":1}\n"), progress: &progress)
        #expect((lines.records, lines.wrong, lines.errors.first?.kind) == (1, 1, .sizeLimit))
    }
}

@Suite(.enabled(if: Shell.isPresent)) struct CheckCommandTests {
    @Test func eachInputHasItsVerdict() throws {
        let scratch = try Scratch()
        _ = try scratch.file("good.ndjson", "{\"id\":1}\n{\"id\":2}\n")
        _ = try scratch.file("bad.ndjson", "{\"id\":1}\n{\"id\":nul}\n{\"id\":3}\n")
        _ = try scratch.file("one.json", "{\n  \"id\": 1\n}\n")
        let good = try scratch.shell("sluice check good.ndjson one.json")
        #expect(
            good
                == .init(
                    status: 0, output: "good.ndjson: valid: 2 records, 18 bytes\none.json: valid: 1 record, 14 bytes\n",
                    errors: ""))
        let bad = try scratch.shell("sluice check bad.ndjson good.ndjson")
        #expect(bad.status == 1)
        #expect(
            bad.output.hasPrefix("bad.ndjson: 1 wrong, 2 valid records, 29 bytes:\n  invalid JSON (line 2, column 7, byte 15)"))
        #expect(bad.output.hasSuffix("\ngood.ndjson: valid: 2 records, 18 bytes\n"))
        #expect(try scratch.shell("sluice check -q good.ndjson bad.ndjson") == .init(status: 1, output: "", errors: ""))
    }

    @Test func recordsAtAPathAreCounted() throws {
        let scratch = try Scratch()
        _ = try scratch.file("page.json", #"{"next":null,"data":{"items":[{"a":1},{"a":2}]}}"#)
        let found = try scratch.shell("sluice check --at data.items page.json")
        #expect(found == .init(status: 0, output: "page.json: valid: 2 records, 48 bytes\n", errors: ""))
        #expect(try scratch.shell("sluice check --at data..items page.json").status == 64)
    }

    #if Compression
    @Test func compressedFeedsAreRead() throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", "{\"id\":1}\n{\"id\":2}\n")
        let result = try scratch.shell("gzip -k a.ndjson && sluice check a.ndjson.gz && sluice convert --to tsv a.ndjson.gz")
        #expect(result == .init(status: 0, output: "a.ndjson.gz: valid: 2 records, 18 bytes\nid\n1\n2\n", errors: ""))
        #expect(try scratch.shell("sluice check --compression none -q a.ndjson.gz").status == 1)
    }
    #endif

    @Test func standardInputIsReadAndAMissingFileIsNamed() throws {
        let scratch = try Scratch()
        let piped = try scratch.shell("printf '[1,2,3]' | sluice check -")
        #expect(piped == .init(status: 0, output: "standard input: valid: 3 records in an array, 7 bytes\n", errors: ""))
        let missing = try scratch.shell("printf '[1]' | sluice check gone.json -")
        #expect(missing.status == 3)
        #expect(missing.errors == "sluice: input/output error: cannot open gone.json: No such file or directory\n")
        #expect(missing.output == "standard input: valid: 1 record in an array, 3 bytes\n")
        #expect(try scratch.shell("sluice check - <&-").status == 3)
        if Shell.hasFullDevice {
            #expect(try scratch.shell("printf '[1]' | sluice check - >/dev/full").status == 3)
        }
        #expect(try scratch.shell("printf '[1]' | sluice check - >&-").status == 3)
        #expect(try scratch.shell("sluice check").status == 64)
    }
}
#endif
