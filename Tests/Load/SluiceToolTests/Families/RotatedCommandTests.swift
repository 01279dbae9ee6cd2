#if CommandLine && os(Linux)
import Foundation
import GRDB
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceTool

/// `sluice ingest --rotated`, as a user types it. What it decides is tested in SluiceIngestTests.
@Suite(.enabled(if: Shell.isPresent)) struct RotatedCommandTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.makeFolder("logs")
    }

    @Test(arguments: ["logs", "logs/", "logs/app.ndjson", "'logs/*'", "\"$PWD/logs\""])
    func theSameCommandReadsARotatedLogOn(argument: String) throws {
        let command = "sluice ingest --rotated \(argument) -o out.db"
        try scratch.append(logLines(1...3))
        let first = try scratch.shell(command)
        #expect(first.status == 0 && first.output.hasPrefix("3 added, 3 now in records"), "\(first)")
        try scratch.append(logLines(4...4))
        try scratch.rotate(then: logLines(5...5))
        #if Compression
        #expect(try scratch.shell("gzip logs/app.ndjson.1").status == 0)
        #endif
        let second = try scratch.shell(command)
        #expect(second.status == 0 && second.output.contains("2 added, 5 now in records"), "\(second)")
        let third = try scratch.shell(command)
        #expect(third.status == 0 && third.output.hasPrefix("nothing to do"), "\(third)")
        // What it says of other options is about inputs that these are not.
        #expect(!third.output.contains("--restart"), "\(third)")
        #expect(try scratch.ids() == Array(1...5))
    }

    @Test func severalFilesOfOneLogAreOneLog() throws {
        for number in 1...9 { try scratch.append(logLines(number...number), to: "logs/app.ndjson.\(number)") }
        try scratch.append(logLines(10...10))
        let command = "sluice ingest -q --rotated logs/app.ndjson logs/app.ndjson.? -o out.db"
        #expect(try scratch.shell(command).status == 0)
        #expect(try scratch.ids() == Array(1...10))
        try scratch.rotate(then: logLines(11...11))
        #expect(try scratch.shell(command).status == 0)
        #expect(try scratch.ids() == Array(1...11))
    }

    @Test func aFolderToWhichFilesAreMovedImpliesTheOption() throws {
        try scratch.makeFolder("archive")
        let command = "sluice ingest -q --rotated-to archive logs/app.ndjson -o out.db"
        try scratch.append(logLines(1...2))
        #expect(try scratch.shell(command).status == 0)
        try scratch.append(logLines(3...3))
        try scratch.move("logs/app.ndjson", to: "archive/app.ndjson-20261130")
        try scratch.append(logLines(4...4))
        #expect(try scratch.shell(command).status == 0)
        #expect(try scratch.ids() == Array(1...4))
    }

    // MARK: Exit codes

    @Test(arguments: ["", "--report json", "-q"]) func whatIsLostEndsWith2AndIsNamedOnce(options: String) throws {
        let command = "sluice ingest --rotated \(options) logs -o out.db"
        try scratch.append(logLines(1...2) + "{\"id\":3")
        #expect(try scratch.shell(command).status == 0)
        try scratch.append(logLines(4...4), to: "new.ndjson")
        try #require(unsafe rename(scratch.path("new.ndjson"), scratch.path("logs/app.ndjson")) == 0)
        let runs = try (1...4).map { _ in try scratch.shell(command) }
        #expect(runs.map(\.status).sorted() == [0, 0, 0, 2], "\(runs)")
        for run in runs {
            let said = run.output + run.errors
            #expect(said.contains("7 bytes") == (run.status == 2), "\(run)")
            guard options.hasPrefix("--report") else { continue }
            let report = try JSONObject(json: run.output)
            #expect(report["not_read"]?.array?.count == (run.status == 2 ? 1 : 0), "\(run)")
            #expect(report["exit_code"]?.int == Int(run.status))
        }
        #expect(try scratch.ids() == [1, 2, 4])
    }

    @Test func aFileThatCannotBeReadEndsWith2AfterTheOthersHaveBeenRead() throws {
        try damagedGzip.write(to: URL(fileURLWithPath: scratch.path("logs/bad.ndjson.1.gz")))
        #expect(try scratch.shell("touch -d '1 hour ago' logs/bad.ndjson.1.gz").status == 0)
        try scratch.append(logLines(1...3))
        let run = try scratch.shell("sluice ingest --rotated logs -o out.db --rejects bad")
        #expect(run.status == 2 && run.output.contains("logs/bad.ndjson.1.gz"), "\(run)")
        #expect(try scratch.ids() == Array(1...3))
        #expect(try scratch.count("bad") == 0)
    }

    @Test func aRejectedRecordNamesItsFileAndItsLine() throws {
        try scratch.append(logLines(1...1))
        #expect(try scratch.shell("sluice ingest -q --rotated logs -o out.db").status == 0)
        try scratch.append("x\n")
        try scratch.rotate(then: logLines(2...2) + "y\n")
        let run = try scratch.shell("sluice ingest --rotated logs -o out.db --rejects bad.ndjson")
        #expect(run.status == 2, "\(run)")
        let text = try String(contentsOfFile: scratch.path("bad.ndjson"), encoding: .utf8)
        let found = try text.split(separator: "\n").map { line -> String in
            let record = try JSONObject(json: String(line))
            let words = ["file", "json_line"].map { record[$0]?.string ?? "" }
            return (words + ["line", "line_byte_position"].map { "\(record[$0]?.int ?? -1)" }).joined(separator: " ")
        }
        let offset = logLines(1...1).utf8.count
        #expect(found.sorted() == ["logs/app.ndjson y 2 \(offset)", "logs/app.ndjson.1 x 2 \(offset)"])
    }

    @Test func withoutTheOptionTheMessageIsTheOldOne() throws {
        try scratch.append(logLines(1...3))
        #expect(try scratch.shell("sluice ingest -q logs/app.ndjson out.db").status == 0)
        try scratch.rotate(then: logLines(4...9))
        let run = try scratch.shell("sluice ingest logs/app.ndjson out.db")
        #expect(run.status == 3, "\(run)")
        #expect(run.errors.contains("logs/app.ndjson is not the input of which 3 records were read into the table"), "\(run)")
        // The file of another name is named if its text is known.
        let other = try scratch.shell("sluice ingest logs/app.ndjson.1 out.db --append")
        #expect(other.status == 0 && other.output.contains("note: logs/app.ndjson.1 begins with the text of "), "\(other)")
    }

    // MARK: Refused options

    /// A run that is not refused would not end: it is stopped after a while.
    @Test(
        arguments: ["--rotated", "--follow", "--rotated-to archive"],
        [
            ("--range 0:10", "range"), ("--limit 1", "limit"), ("--header", "header"), ("--restart", "restart"),
            ("--pk id --upsert --missing delete", "missing"), ("--pk id --upsert --missing mark", "missing"),
            ("--format array", "lines"), ("--format seq", "lines"),
        ])
    func whatNeedsAWholeInputIsRefusedWithTheReason(mode: String, refused: (options: String, reason: String)) throws {
        try scratch.append(logLines(1...3))
        let run = try scratch.shell("timeout 60 sluice ingest \(mode) \(refused.options) logs -o out.db")
        #expect(run.status == 64, "\(run)")
        #expect(run.errors.lowercased().contains(refused.reason), "\(run)")
        #expect(run.output == "" && !FileManager.default.fileExists(atPath: scratch.path("out.db")))
    }

    @Test(arguments: ["--rotated", "--follow", "--rotated-to archive"])
    func standardInputIsRefusedWithTheReason(mode: String) throws {
        for inputs in ["-", "logs -"] {
            let run = try scratch.shell("echo '{\"id\":1}' | timeout 60 sluice ingest \(mode) \(inputs) -o out.db")
            #expect(run.status == 64 && run.errors.contains("cannot be read again"), "\(run)")
        }
    }

    @Test(arguments: [
        "--poll 1s", "--rotated --poll 1s", "--rotated --every 0s", "--follow --every 0s", "--follow --poll 0s",
        "--rotated --settle x", "--rotated --settle 5d", "--rotated --settle=-1s", "--follow --every 25h", "--rotated-to ''",
    ])
    func aTimeOrFolderThatIsNoneIsRefused(options: String) throws {
        try scratch.append(logLines(1...3))
        let run = try scratch.shell("timeout 60 sluice ingest \(options) logs -o out.db")
        #expect(run.status == 64, "\(run)")
        #expect(!FileManager.default.fileExists(atPath: scratch.path("out.db")))
    }

    @Test(arguments: ["0", "0s", "0.5s", "90", "90s", "5m", "2h"]) func aTimeMayHaveAUnit(time: String) throws {
        try scratch.append(logLines(1...3))
        let run = try scratch.shell("sluice ingest -q --rotated --settle \(time) logs -o out.db")
        #expect(run.status == 0, "\(run)")
        #expect(try scratch.ids() == Array(1...3))
    }
}
#endif
