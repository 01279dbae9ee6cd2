#if CommandLine && os(Linux)
import Foundation
import GRDB
import SluiceTestSupport
import Testing

@testable import SluiceTool

/// `sluice ingest --follow`: the built tool, with signals.
@Suite(.enabled(if: Shell.isPresent)) struct FollowCommandTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func start(_ options: String = "") throws -> Shell.Running {
        try scratch.start("exec sluice ingest --follow --every 0.05s logs -o out.db \(options)")
    }

    /// The signals in a mask of a process.
    private func signals(_ name: String, of process: Int32) throws -> UInt64 {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let mask = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }?.split(separator: "\t").last
        return mask.flatMap { UInt64($0, radix: 16) } ?? 0
    }

    /// Waits until a process handles SIGTERM itself.
    private func awaitHandler(of process: Int32) throws {
        let deadline = Date(timeIntervalSinceNow: 60)
        while Date() < deadline {
            if try signals("SigCgt", of: process) & 1 << UInt64(SIGTERM - 1) != 0 { return }
            usleep(1_000)
        }
    }

    @Test(arguments: [SIGTERM, SIGINT]) func aSignalEndsTheRunWith0AndTheSameCommandGoesOn(signal: Int32) throws {
        try scratch.makeFolder("logs")
        try scratch.append(logLines(1...3))
        let first = try start()
        try scratch.wait(for: 1...3)
        try scratch.append(logLines(4...4))
        try scratch.wait(for: 1...4)
        // A shell that runs the tests in the background has made SIGINT ignored, which the tool respects.
        let isIgnored = try signals("SigIgn", of: first.id) & 1 << UInt64(signal - 1) != 0
        kill(first.id, isIgnored ? SIGTERM : signal)
        let result = try first.result()
        #expect(result.status == 0 && result.errors == "", "\(result)")
        #expect(result.output.contains("4 added"), "\(result)")
        // What comes while nobody follows is read by the next run.
        try scratch.append(logLines(5...5))
        try scratch.rotate(then: logLines(6...6))
        let second = try start()
        try scratch.wait(for: 1...6)
        try scratch.append(logLines(7...7))
        try scratch.wait(for: 1...7)
        kill(second.id, SIGTERM)
        let again = try second.result()
        #expect(again.status == 0 && again.output.contains("3 added"), "\(again)")
        // So does a run that follows nothing.
        try scratch.append(logLines(8...8))
        #expect(try scratch.shell("sluice ingest -q --rotated logs -o out.db").status == 0)
        #expect(try scratch.ids() == Array(1...8))
    }

    @Test func aFolderThatIsNotThereYetIsWaitedFor() throws {
        let run = try start()
        try awaitHandler(of: run.id)
        #expect(run.isRunning)
        try scratch.makeFolder("logs")
        try scratch.append(logLines(1...2))
        try scratch.wait(for: 1...2)
        kill(run.id, SIGTERM)
        let result = try run.result()
        #expect(result.status == 0, "\(result)")
    }

    @Test func aRunThatHasSeenNothingEndsWith0Too() throws {
        let run = try start()
        try awaitHandler(of: run.id)
        kill(run.id, SIGTERM)
        let result = try run.result()
        #expect(result.status == 0 && result.errors == "", "\(result)")
    }

    @Test func aFileThatCannotBeReadDoesNotStopTheOthersAndEndsWith2() throws {
        try scratch.makeFolder("logs")
        try damagedGzip.write(to: URL(fileURLWithPath: scratch.path("logs/bad.ndjson.1.gz")))
        #expect(try scratch.shell("touch -d '1 hour ago' logs/bad.ndjson.1.gz").status == 0)
        try scratch.append(logLines(1...3))
        let run = try start()
        try scratch.wait(for: 1...3)
        try scratch.append(logLines(4...4))
        try scratch.wait(for: 1...4)
        kill(run.id, SIGTERM)
        let result = try run.result()
        #expect(result.status == 2 && result.output.contains("logs/bad.ndjson.1.gz"), "\(result)")
    }

    @Test func damagedRecordsGoToTheRejectsAndEndWith2() throws {
        try scratch.makeFolder("logs")
        try scratch.append(logLines(1...1))
        let run = try start("--rejects bad")
        try scratch.wait(for: 1...1)
        try scratch.append("x\n" + logLines(2...2))
        try scratch.wait(for: 1...2)
        kill(run.id, SIGTERM)
        #expect(try run.result().status == 2)
        #expect(try scratch.value("SELECT group_concat(json_line) FROM bad") == "x")
    }

    /// SIGKILL at any moment, and the same command again.
    @Test(arguments: ["renamed", "copied"]) func aKilledRunIsGoneOnFromWithoutALossOrADouble(way: String) throws {
        try scratch.makeFolder("logs")
        try scratch.append(logLines(1...1))
        var last = 1
        for round in 0..<8 {
            let run = try scratch.start("exec sluice ingest -q --follow --every 0.01s --batch 2 logs -o out.db")
            for step in 0..<10 {
                try scratch.append(logLines(last + 1...last + 2))
                last += 2
                if step % 4 == round % 4 {
                    if way == "renamed" {
                        try scratch.rotate(then: logLines(last + 1...last + 1))
                    } else {
                        let text = try String(contentsOfFile: scratch.path("logs/app.ndjson"), encoding: .utf8)
                        _ = try scratch.file("logs/app.ndjson.\(100 * (round + 1) + step)", text)
                        let handle = try #require(FileHandle(forUpdatingAtPath: scratch.path("logs/app.ndjson")))
                        try handle.truncate(atOffset: 0)
                        try handle.write(contentsOf: Data(logLines(last + 1...last + 1).utf8))
                        try handle.close()
                    }
                    last += 1
                }
                // It is killed while it stores what was written at some step.
                if step == 2 + round {
                    let deadline = Date(timeIntervalSinceNow: 60)
                    while ((try? scratch.count()) ?? 0) < last - 4 - round, Date() < deadline { usleep(1_000) }
                    kill(run.id, SIGKILL)
                }
            }
            #expect(try run.result().status == 128 + SIGKILL)
        }
        let end = try scratch.shell("sluice ingest -q --rotated logs -o out.db")
        #expect(end.status == 0, "\(end)")
        #expect(try scratch.ids() == Array(1...last))
        #expect(try scratch.value("PRAGMA integrity_check") == "ok")
    }

    /// Two runs in two processes, which know the log by two names.
    @Test func aSecondRunOfTheSameLogStoresNothingTwice() throws {
        try scratch.makeFolder("logs")
        try FileManager.default.createSymbolicLink(atPath: scratch.path("link"), withDestinationPath: scratch.path("logs"))
        try scratch.append(logLines(1...3))
        let runs = try ["logs", "link"].map { try scratch.start("exec sluice ingest -q --follow --every 0.02s \($0) -o out.db") }
        var last = 3
        for round in 0..<12 {
            try scratch.wait(for: 1...last)
            try scratch.append(logLines(last + 1...last + 2))
            last += 2
            if round % 4 == 3 {
                try scratch.rotate(then: logLines(last + 1...last + 1))
                last += 1
            }
        }
        try scratch.wait(for: 1...last)
        for run in runs {
            #expect(run.isRunning)
            kill(run.id, SIGTERM)
            let result = try run.result()
            #expect(result.status == 0, "\(result)")
        }
        #expect(try scratch.ids() == Array(1...last))
    }
}
#endif
