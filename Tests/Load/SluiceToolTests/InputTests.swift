#if CommandLine
import Foundation
import GRDB
import SluiceTestSupport
import Testing

@testable import SluiceCompression
@testable import SluiceCore
@testable import SluiceFeed
@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

/// Which inputs there are, and where their records are.
@Suite struct InputTests {
    private func ingest(
        _ inputs: [String], into scratch: Scratch, _ change: (inout IngestSetup) -> Void = { _ in }
    ) throws -> IngestReport {
        var options = IngestSetup(database: scratch.path("out.db"))
        change(&options)
        let progress = ProgressLine(isShown: false)
        return try options.ingest().run(inputs: inputs, progress: progress)
    }

    @Test func filesFoldersAndPatternsAreInputs() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path("logs/deep"), withIntermediateDirectories: true)
        _ = try scratch.file("logs/b.jsonl", #"{"n":2}"#)
        _ = try scratch.file("logs/a.ndjson", #"{"n":1}"#)
        _ = try scratch.file("logs/deep/c.json", #"[{"n":3}]"#)
        _ = try scratch.file("logs/readme.txt", "no JSON")
        _ = try scratch.file("logs/.hidden.json", #"{"n":9}"#)
        _ = try scratch.file("x1.ndjson", #"{"n":4}"#)
        _ = try scratch.file("x2.ndjson", #"{"n":5}"#)
        let report = try ingest([scratch.path("logs"), scratch.path("x?.ndjson"), scratch.path("x1.ndjson")], into: scratch) {
            $0.addsFileName = true
        }
        #expect(report.status == .success)
        #expect(report.inputs == 5)
        let rows = try scratch.rows("SELECT n, filename FROM records ORDER BY rowid")
        #expect(rows.map { $0["n"] as Int } == [1, 2, 3, 4, 5])
        #expect(rows[2]["filename"] == scratch.path("logs/deep/c.json"))
    }

    #if os(Linux)
    /// To Swift, both names are one string.
    @Test func filesWhoseNamesDifferInUnicodeFormAreTwoInputs() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path("logs"), withIntermediateDirectories: true)
        let names = ["logs/caf\u{E9}.ndjson", "logs/cafe\u{301}.ndjson", "logs/cafe%CC%81.ndjson"]
        for (index, name) in names.enumerated() { _ = try scratch.file(name, "{\"n\":\(index)}\n") }
        #expect(try ingest([scratch.path("logs")], into: scratch).stored == 3)
        #expect(try ingest([scratch.path("logs/*")], into: scratch) { $0.conflict = .reject }.outcome == .nothingToDo)
        for name in names { #expect(try ingest([scratch.path(name)], into: scratch).outcome == .nothingToDo) }
        #expect(try scratch.value("SELECT group_concat(n) FROM (SELECT n FROM records ORDER BY n)") == "0,1,2")
    }

    @Test func whatCannotBeReadInAFolderIsNamed() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path("logs/deep"), withIntermediateDirectories: true)
        _ = try scratch.file("logs/a.ndjson", "{\"n\":1}\n")
        let bytes = Array(scratch.path("logs/deep/b").utf8) + [0xE9] + Array(".ndjson".utf8) + [0]
        let descriptor = unsafe bytes.withUnsafeBytes {
            unsafe open($0.baseAddress!.assumingMemoryBound(to: CChar.self), O_CREAT | O_WRONLY, 0o600)
        }
        close(descriptor)
        let unnamed = #expect(throws: IngestError.self) { try ingest([scratch.path("logs")], into: scratch) }
        #expect(unnamed?.description.contains("logs/deep has a file whose name is not UTF-8: b\u{FFFD}.ndjson") == true)
        try FileManager.default.removeItem(atPath: scratch.path("logs/deep"))
        try FileManager.default.createSymbolicLink(atPath: scratch.path("logs/c.json"), withDestinationPath: "gone")
        let dangling = #expect(throws: IngestError.self) { try ingest([scratch.path("logs")], into: scratch) }
        #expect(dangling?.description.hasSuffix("logs/c.json is a link to a file that is not there") == true)
    }
    #endif

    @Test func anInputThatMeansNoFileIsNamed() throws {
        let scratch = try Scratch()
        let pattern = #expect(throws: IngestError.self) { try ingest([scratch.path("*.none")], into: scratch) }
        #expect(pattern?.description == "no file matches \(scratch.path("*.none"))")
        let folder = #expect(throws: IngestError.self) { try ingest([scratch.folder.path], into: scratch) }
        #expect(folder?.description.hasPrefix("the folder \(scratch.folder.path) has no file that ends in .json") == true)
        let second = #expect(throws: JSONError.self) {
            try ingest([try scratch.file("a.ndjson", #"{"a":1}"#), scratch.path("gone")], into: scratch)
        }
        #expect(second?.summary.contains("No such file") == true)
        #expect(!FileManager.default.fileExists(atPath: scratch.path("out.db")))
    }

    @Test(.enabled(if: Shell.isPresent)) func whatAFolderHasBesidesIsNamed() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path("in/deep"), withIntermediateDirectories: true)
        _ = try scratch.file("in/a.ndjson", "{\"id\":1}\n")
        for name in ["RC_2023-01", "app.json.1", "c.json-seq", "deep/part-00000", ".hidden"] {
            _ = try scratch.file("in/\(name)", "{\"id\":2}\n")
        }
        let note =
            "the folder in has 4 other files, not read: in/RC_2023-01, in/app.json.1, in/c.json-seq and others; "
            + "a pattern such as 'in/*' reads files of any name"
        let ingest = try scratch.shell("sluice ingest in in/out.db")
        #expect(ingest.status == 0 && ingest.output.hasPrefix("note: \(note)\n"), "\(ingest)")
        // The database is no file that somebody has forgotten.
        #expect(try scratch.shell("sluice ingest in in/out.db --drop").output.hasPrefix("note: \(note)\n"))
        for command in ["convert in", "convert --to arrow -o out.arrows in", "query in 'SELECT * FROM \"in\"'"] {
            let result = try scratch.shell("sluice \(command)")
            // The database is none of their outputs.
            #expect(result.status == 0 && result.errors.contains("5 other files, not read: in/RC_2023-01"), "\(result)")
        }
        #expect(try scratch.shell("sluice convert 'in/c*'").output == "{\"id\":2}\n")
        try FileManager.default.removeItem(atPath: scratch.path("in/a.ndjson"))
        let none = try scratch.shell("sluice convert in")
        #expect(
            none.status == 3
                && none.errors.contains("has no file that ends in .json, .jsonl, .ndjson, .geojson; the folder in has 5"))
    }

    @Test func aFileThatWasLoadedUnderAnotherNameIsNamed() throws {
        let scratch = try Scratch()
        for (old, new, text) in [
            ("a.ndjson", "a-2.ndjson", "{\"a\":1}\n{\"a\":2}\n"),
            ("b.ndjson", "b-2.ndjson", (0..<900).map { "{\"b\":\($0)}\n" }.joined()),
        ] {
            let table = String(old.prefix(1))
            #expect(try scratch.ingest(file: try scratch.file(old, text)) { $0.table = table }.notes.isEmpty)
            // It was renamed, and has grown.
            try FileManager.default.moveItem(atPath: scratch.path(old), toPath: scratch.path(new))
            _ = try scratch.file(new, text + "{\"\(table)\":3}\n")
            let report = try scratch.ingest(file: scratch.path(new)) {
                $0.table = table
                $0.existing = .append
            }
            #expect(
                report.notes.count == 1 && report.notes.first?.contains("\(new) begins with the text of ") == true,
                "\(report.notes)")
            #expect(report.notes.first?.contains("\(old), of which") == true)
            // Another text, and records that change the rows of their keys.
            let other = try scratch.file("\(table)-3.ndjson", text.replacing("1", with: "7"))
            #expect(
                try scratch.ingest(file: other) {
                    $0.table = table
                    $0.existing = .append
                }.notes.isEmpty)
        }
    }

    // MARK: Damaged beginnings

    private static let damagedLines = (0..<1_500).map { "{\"n\":\($0),,}\n" }.joined()

    @Test(.enabled(if: Shell.isPresent), arguments: ["a.ndjson", "-"], ["", "--drop", "--append", "--workers 2"])
    func theSampleGoesOnToGoodRecords(_ input: String, _ option: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", Self.damagedLines + "{\"id\":1,\"name\":\"x\"}\n{\"id\":2,\"late\":true}\n")
        if !option.isEmpty { try scratch.execute("CREATE TABLE records (id INTEGER, name TEXT, late)") }
        let result = try scratch.shell(
            "sluice ingest \(input) out.db --rejects bad \(option.hasPrefix("--w") ? "--append " : "")\(option) < a.ndjson")
        #expect(result.status == 2, "\(result)")
        #expect(try scratch.count() == 2 && scratch.count("bad") == 1_500)
        #expect(
            try scratch.rows("SELECT id, name FROM records ORDER BY id") == [["id": 1, "name": "x"], ["id": 2, "name": nil]])
    }

    @Test(.enabled(if: Shell.isPresent)) func theSampleGoesOnAfterALineThatIsTooLong() throws {
        let scratch = try Scratch()
        let make =
            "{ printf '{\"x\":\"'; head -c 70000000 /dev/zero | tr '\\0' x; printf '\"}\\n{\"id\":1}\\n{\"id\":2,\"b\":1}\\n'; }"
        for command in ["\(make) > a.ndjson && sluice ingest a.ndjson out.db", "\(make) | sluice ingest - out.db --drop"] {
            let result = try scratch.shell(command)
            #expect(result.status == 2 && result.output.contains("2 added"), "\(result)")
            #expect(try scratch.rows("SELECT * FROM records") == [["id": 1, "b": nil], ["id": 2, "b": 1]])
        }
    }

    @Test func aFileNameColumnGetsOutOfTheWay() throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", #"{"filename":"theirs"}"#)
        _ = try ingest([file], into: scratch) { $0.addsFileName = true }
        #expect(try scratch.rows("SELECT * FROM records") == [["filename": "theirs", "filename_2": file]])
    }

    @Test func aRejectedRecordIsNamedWithItsInput() throws {
        let scratch = try Scratch()
        let files = [try scratch.file("a.ndjson", #"{"a":1}"# + "\n"), try scratch.file("b.ndjson", #"{"a":2}"# + "\n{\n")]
        let report = try ingest(files, into: scratch)
        #expect(report.stored == 2)
        #expect(report.rejections.count == 1)
        #expect(report.rejections[0].reason.hasPrefix("\(files[1]): "))
    }

    @Test func limitEndsTheWork() throws {
        let scratch = try Scratch()
        let files = try (0..<3).map { try scratch.file("\($0).ndjson", "{\"a\":1}\n{\"a\":2}\n") }
        let report = try ingest(files, into: scratch) { $0.limit = 3 }
        #expect(report.status == .success)
        #expect(try scratch.count() == 3)
        // The same command again asks for the same records.
        #expect(try ingest(files, into: scratch) { $0.limit = 3 }.stored == 0)
        #expect(try scratch.count() == 3)
    }

    @Test func aDryRunWritesNothing() throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", #"{"a":1}"# + "\n{\n" + #"{"a":2,"late":1}"#)
        let report = try ingest([file], into: scratch) {
            $0.isDryRun = true
            $0.sample = 1
        }
        #expect(report.text.contains("dry run, nothing was written: 2 records would go into"))
        #expect(report.text.contains("columns for keys that came late: late (line 3)"))
        #expect(report.status.code == 2)
        #expect(!FileManager.default.fileExists(atPath: scratch.path("out.db")))
    }

    // MARK: Compression

    #if Compression
    @Test(arguments: [CompressionFormat.gzip, .zstd])
    func compressedInputsAreReadAndTakenUp(format: CompressionFormat) throws {
        let scratch = try Scratch()
        func compressed(_ text: String) throws -> Data {
            var sink = try CompressingSink(to: [UInt8](), format: format)
            try unsafe Array(text.utf8).withUnsafeBytes { try unsafe sink.write($0) }
            try sink.finish()
            return Data(sink.sink)
        }
        let path = scratch.path("a.ndjson.gz")
        let lines = (1...500).map { "{\"a\":\($0)}\n" }
        try compressed(lines.joined()).write(to: URL(fileURLWithPath: path))
        #expect(try ingest([path], into: scratch) { $0.limit = 200 }.stored == 200)
        #expect(try ingest([path], into: scratch).stored == 300)
        #expect(try ingest([path], into: scratch).outcome == .nothingToDo)
        try (compressed(lines.joined()) + compressed("{\"a\":501}\n")).write(to: URL(fileURLWithPath: path))
        let grown = try ingest([path], into: scratch)
        #expect(grown.stored == 1)
        #expect(grown.bytes == 10)
        #expect(try scratch.value("SELECT count(*) || ' ' || sum(a) FROM records") == "501 125751")
        #expect(throws: (any Error).self) {
            try ingest([path], into: scratch) {
                $0.feed.compression = .none
                $0.table = "t"
            }
        }
    }

    @Test func anInputThatCannotBeReadUpToItsPlaceKeepsItsCheckpoint() throws {
        let scratch = try Scratch()
        // Of level 0: blocks of text as it is, each after its length and the complement of that.
        var sink = try CompressingSink(to: [UInt8](), format: .gzip, level: 0)
        let lines = (0..<20_000).map { "{\"a\":\($0)}\n" }.joined()
        try unsafe Array(lines.utf8).withUnsafeBytes { try unsafe sink.write($0) }
        try sink.finish()
        let path = scratch.path("a.ndjson.gz")
        let whole = sink.sink
        try Data(whole).write(to: URL(fileURLWithPath: path))
        #expect(try ingest([path], into: scratch) { $0.limit = 19_000 }.stored == 19_000)
        var damaged = whole
        var block = 10
        for _ in 0..<2 { block += 5 + Int(damaged[block + 1]) + Int(damaged[block + 2]) << 8 }
        damaged[block + 3] ^= 0xFF
        try Data(damaged).write(to: URL(fileURLWithPath: path))
        let report = try ingest([path], into: scratch)
        #expect(report.status.code == 3)
        #expect(report.stored == 0)
        #expect(report.records == 0)
        try Data(whole).write(to: URL(fileURLWithPath: path))
        #expect(try ingest([path], into: scratch).stored == 1_000)
        #expect(try scratch.value("SELECT count(*) || ' ' || count(DISTINCT a) FROM records") == "20000 20000")
    }
    #endif

    // MARK: Envelopes

    @Test func anEnvelopeSaysWhereItsRecordsMayBe() throws {
        let scratch = try Scratch()
        let statuses = Array(repeating: #"{"id":1}"#, count: 100).joined(separator: ",")
        let text = #"{"statuses":[\#(statuses)],"search_metadata":{"count":100,"hits":[{"x":1}]}}"#
        let error = #expect(throws: IngestError.self) { try scratch.ingest(text) }
        #expect(error?.status.code == 64)
        #expect(
            error?.commandLine.hasPrefix(
                "one object; records may be at 'statuses' (100), 'search_metadata.hits' (1): choose --at, ") == true)
        #expect(error?.commandLine.hasSuffix("or --at '' or --format ndjson for the object itself") == true)
        // If the user names the layout, the object is one record.
        for format in [JSONFeedFormat.lines, .concatenated, .object] {
            let named = try Scratch()
            #expect(try named.ingest(text) { $0.feed.format = format }.stored == 1)
        }
        #expect(try scratch.ingest(text) { $0.feed.path = "" }.stored == 1)
        #expect(
            try scratch.ingest(text) {
                $0.feed.path = "statuses"
                $0.table = "t"
            }.stored == 100)
        #expect(try scratch.value("SELECT sum(id) FROM t") == 100)
    }

    @Test func twoRecordsWithArraysOfObjectsAreTwoRecords() throws {
        let scratch = try Scratch()
        #expect(try scratch.ingest(#"{"a":[{"b":1}]}"# + "\n" + #"{"a":[{"b":1}]}"#).stored == 2)
        #expect(try scratch.ingest(#"[{"a":[{"b":1}]}]"#) { $0.table = "t" }.stored == 1)
    }

    // MARK: Samples

    @Test func theSampleMayBeEverything() throws {
        let scratch = try Scratch()
        let feed = (0..<3_000).map { "{\"k\($0 / 1_000)\":1}" }.joined(separator: "\n")
        let report = try scratch.ingest(feed) { $0.sample = -1 }
        #expect(report.origin == .inferred(records: 3_000))
        #expect(report.lateColumns.isEmpty)
        let file = try Scratch()
        let other = try file.ingest(file: try file.file("a.ndjson", feed)) { $0.sample = -1 }
        #expect(other.origin == .inferred(records: 3_000))
        #expect(try file.count() == 3_000)
    }

    @Test func columnsComeFromTheFirstRecordsOfAllInputs() throws {
        let scratch = try Scratch()
        let files = try (0..<3).map { try scratch.file("\($0).ndjson", "{\"k\($0)\":1}\n") }
        let report = try ingest(files, into: scratch)
        #expect(report.columns.map(\.name) == ["k0", "k1", "k2"])
        #expect(report.lateColumns.isEmpty)
    }

    @Test func theTypeOfAColumnMayBeChosen() throws {
        let scratch = try Scratch()
        let report = try scratch.ingest(#"{"zip":1,"at":"2025-03-01T12:00:00+02:00","user":{"id":7}}"# + "\n" + #"{"at":"soon"}"#)
        {
            $0.types = ["zip:text", "at:timestamp", "USER_ID:real"].compactMap { try? TypeOption($0) }
        }
        #expect(report.rejected == 1)
        #expect(
            try scratch.rows("SELECT zip, at, user_id FROM records") == [
                ["zip": "1", "at": "2025-03-01T10:00:00Z", "user_id": 7.0]
            ])
    }

    // MARK: Rejected records

    private static let damaged = "{\"a\":1}\n{\"a\":\n{\"a\":\"é\"}\n{\"a\":3}\n[4]\n"

    @Test func rejectedRecordsGoToATable() throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", Self.damaged)
        let report = try scratch.ingest(file: file) {
            $0.columns = (try? [ColumnOption("a:integer").column]) ?? []
            $0.rejects = "bad"
            $0.batch = 1
        }
        #expect(report.stored == 2)
        #expect(report.rejected == 3)
        let rows = try scratch.rows("SELECT * FROM bad ORDER BY byte_position")
        #expect(
            Array(rows[0].columnNames) == [
                "file", "line", "line_byte_position", "byte_position", "column_name", "error_type", "json_line", "error_message",
            ])
        #expect(rows.map { $0["file"] as String } == [file, file, file])
        #expect(rows.map { $0["line"] as Int } == [2, 3, 5])
        #expect(rows.map { $0["line_byte_position"] as Int } == [8, 14, 33])
        #expect(rows.map { $0["error_type"] as String } == ["unexpectedEnd", "typeMismatch", "typeMismatch"])
        #expect(rows[1]["column_name"] == "a")
        #expect(rows[1]["json_line"] == "{\"a\":\"é\"}")
        #expect(report.text.contains("3 records rejected; all are in bad:"))
    }

    @Test func rejectedRecordsGoToAFile() throws {
        let scratch = try Scratch()
        try scratch.execute("CREATE TABLE records (a INTEGER UNIQUE)")
        let file = try scratch.file("a.ndjson", Self.damaged + "{\"a\":3}\n")
        _ = try scratch.file("bad.ndjson", "{\"line\":\"of another run\"}\n")
        _ = try scratch.ingest(file: file) {
            $0.rejects = scratch.path("bad.ndjson")
            $0.existing = .append
        }
        let lines = try String(contentsOfFile: scratch.path("bad.ndjson"), encoding: .utf8).split(separator: "\n")
        #expect(lines.first == "{\"line\":\"of another run\"}")
        let values = try lines.dropFirst().map { try JSONValue(json: String($0)) }
        #expect(values.map { $0["line"]?.int } == [2, 5, 6])
        #expect(values.map { $0["error_type"]?.string } == ["unexpectedEnd", "typeMismatch", "constraint"])
        #expect(values[2]["json_line"] == "{\"a\":3}")
    }

    @Test func tooLargeAShareOfRejectedRecordsStopsTheWork() throws {
        let good = String(repeating: "{\"a\":1}\n", count: 200)
        let bad = String(repeating: "x\n", count: 100)
        let scratch = try Scratch()
        let report = try scratch.ingest(good + bad + good) { $0.maximumErrorRatio = 0.25 }
        #expect(report.status.code == 4)
        #expect(report.rejected == 67)
        #expect(
            try scratch.ingest(good + bad) {
                $0.maximumErrorRatio = 0.5
                $0.table = "t"
            }.status.code == 2)
        #expect(
            try scratch.ingest("{\"a\":1}\nx\n") {
                $0.maximumErrorRatio = 0.4
                $0.table = "u"
            }.status.code == 4)
    }

    // MARK: The report

    @Test func theReportMayBeJSON() throws {
        let scratch = try Scratch()
        let report = try scratch.ingest("{\"a\":1}\n{\"b\":\"x\"}\nx\n") { $0.sample = 1 }
        let json = try JSONValue(json: report.json)
        #expect(json["outcome"] == "complete")
        #expect(json["exit_code"]?.int == 2)
        #expect(json["added"]?.int == 2)
        #expect(json["rows"]?.int == 2)
        #expect(json["rejected"]?.int == 1)
        #expect(json["late_columns"]?.array?.first?["path"] == "b")
        #expect(json["rejections"]?.array?.first?["line"]?.int == 3)
    }

    // MARK: Paths

    @Test func anArrayIndexMayBePartOfAPath() throws {
        let scratch = try Scratch()
        _ = try scratch.ingest(#"{"tags":["x",{"n":5}]}"#, columns: ["first:text=tags[0]", "n:integer=tags[1].n"])
        #expect(try scratch.rows("SELECT * FROM records") == [["first": "x", "n": 5]])
    }

    @Test(arguments: ["a:text=b..c", "a:text=.b", "a:text=b.", "a:text=b.[0]."])
    func anEmptyKeyInAPathIsRefused(text: String) {
        let error = #expect(throws: IngestError.self) { try ColumnOption(text) }
        #expect(error?.description.contains("expected a key") == true)
    }
}
#endif
