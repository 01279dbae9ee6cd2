#if CommandLine && os(Linux)
import Foundation
import GRDB
import SluiceTestSupport
import Testing

@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

/// The built tool, waiting for input when a signal arrives. The signal is SIGTERM: a shell that runs the tests in the background has
/// made SIGINT ignored, which the tool respects.
@Suite(.enabled(if: Shell.isPresent)) struct SignalTests {
    /// Waits until a process handles SIGTERM itself.
    private func awaitHandler(of process: Int32) throws {
        for _ in 0..<30_000 {
            let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            let mask = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }?.split(separator: "\t").last
            if let mask, let bits = UInt64(mask, radix: 16), bits & 1 << UInt64(SIGTERM - 1) != 0 { return }
            usleep(1_000)
        }
    }

    @Test func anIdleFifoCanBeLeft() throws {
        let scratch = try Scratch()
        let fifo = try Fifo(scratch)
        fifo.write("{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n{\"a\":4")
        let tool = try scratch.start("exec sluice check feed")
        fifo.awaitReader()
        kill(tool.id, SIGTERM)
        let result = try tool.result()
        #expect(result.status == 143)
        #expect(result.errors == "")
        #expect(result.output.hasPrefix("feed: stopped by SIGTERM\nfeed: valid: "))
    }

    @Test(arguments: ["check", "infer --as swift", "convert --to csv", "ingest -o out.db", "ingest --column a:integer -o out.db"])
    func aFifoThatHasNoWriterCanBeLeft(command: String) throws {
        let scratch = try Scratch()
        try #require(unsafe mkfifo(scratch.path("feed"), 0o600) == 0)
        let tool = try scratch.start("exec sluice \(command) feed")
        try awaitHandler(of: tool.id)
        kill(tool.id, SIGTERM)
        let result = try tool.result()
        #expect(result.status == 143)
        #expect(result.errors == "")
    }

    @Test func aSignalThatIsIgnoredStaysIgnored() throws {
        let scratch = try Scratch()
        var fifo: Fifo? = try Fifo(scratch)
        fifo?.write("{\"a\":1}\n")
        let tool = try scratch.start("trap '' TERM; exec sluice ingest feed out.db")
        fifo?.awaitReader()
        kill(tool.id, SIGTERM)
        fifo?.write("{\"a\":2}\n")
        fifo?.awaitReader()
        fifo = nil
        #expect(try tool.result().status == 0)
        #expect(try scratch.count() == 2)
    }

    @Test func coloursAreForTerminalsWhoseUserWantsThem() throws {
        let scratch = try Scratch()
        for (prefix, isColoured) in [("", true), ("NO_COLOR= ", true), ("NO_COLOR=1 ", false), ("TERM=dumb ", false)] {
            let terminal = try PseudoTerminal()
            for arguments in ["check gone.json", "ingest gone.json out.db"] {
                let command = "exec env \(prefix)sluice \(arguments) 2> \(terminal.path)"
                #expect(try scratch.shell(command).status == 3)
                let name = isColoured ? "\u{1B}[31msluice:\u{1B}[0m" : "sluice:"
                #expect(terminal.shown() == "\(name) input/output error: cannot open gone.json: No such file or directory\n")
            }
            let report = "echo '{\"a\":1}' | env \(prefix)sluice ingest --drop - out.db > \(terminal.path)"
            #expect(try scratch.shell(report).status == 0)
            let added = isColoured ? "\u{1B}[32m1 added\u{1B}[0m" : "1 added"
            #expect(terminal.shown().hasPrefix("\(added), 1 now in records (out.db)\n"))
        }
    }

    @Test func theProgressLineIsOnTerminalsAndWhereItIsAskedFor() throws {
        let scratch = try Scratch()
        let cases = [
            ("check", true), ("check --progress never", false), ("check -q", false), ("check --progress always -q", true),
            ("ingest -o out.db --column a:integer", true), ("ingest -o out.db --drop --progress never", false),
            ("ingest -o out.db --column a:integer --drop --progress always -q", true),
        ]
        for (options, isShown) in cases {
            let terminal = try PseudoTerminal(columns: 30)
            let fifo = try Fifo(scratch, "feed \(options)")
            let tool = try scratch.start("exec sluice \(options) 'feed \(options)' 2> \(terminal.path)")
            // From the first record on the tool's time runs; what comes later than a tenth of a second is shown.
            for _ in 0..<8 {
                for round in 0..<64 { fifo.write("{\"a\":\(round)}\n") }
                fifo.awaitReader()
                usleep(30_000)
            }
            kill(tool.id, SIGTERM)
            _ = try tool.result()
            let shown = terminal.shown()
            #expect(shown.contains("records") == isShown, "\(options): \(shown)")
            let lines = shown.split(separator: "\r").map { $0.replacing("\u{1B}[K", with: "") }
            // What follows the line is the report.
            #expect(lines.allSatisfy { $0.count < 30 || $0.contains("stopped") }, "\(lines)")
        }
    }

    @Test func aTerminalIsAskedForItsEndOnce() throws {
        let scratch = try Scratch()
        let terminal = try PseudoTerminal()
        let tool = try scratch.start("exec sluice ingest - out.db < \(terminal.path)")
        // A line, and Control-D at the start of the next.
        terminal.type("{\"a\":1}\n\u{4}")
        #expect(try tool.result().status == 0)
        #expect(try scratch.count() == 1)
    }

    /// The signal comes while a sample of two inputs waits for the second one.
    @Test(arguments: ["", "{\"b\":1}\n{\"b\":2}\n"])
    func aSignalDuringTheSampleStoresNothingThatCanBeReadAgain(piped: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", "{\"a\":1}\n{\"a\":2}\n")
        let fifo = try Fifo(scratch)
        let run = try scratch.start("exec sluice ingest -q a.ndjson feed -o out.db")
        usleep(200_000)
        fifo.write(piped)
        fifo.awaitReader()
        usleep(100_000)
        kill(run.id, SIGTERM)
        #expect(try run.result().status == 143)
        if piped.isEmpty {
            #expect(!FileManager.default.fileExists(atPath: scratch.path("out.db")))
        } else {
            // These records are gone from the pipe.
            #expect(try scratch.rows("SELECT b FROM records ORDER BY rowid").map { $0["b"] } == [1, 2])
        }
        #expect(try scratch.shell("sluice ingest -q a.ndjson out.db --append").status == 0)
        #expect(try scratch.value("SELECT group_concat(a) FROM records WHERE a IS NOT NULL") == "1,2")
    }
}
#endif
