#if CommandLine && os(Linux)
import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceIngest
@testable import SluiceTool

/// The options `--metrics` and `--report-every`, and `sluice status`.
@Suite(.enabled(if: Shell.isPresent)) struct WatchTests {
    private func scratch() throws -> Scratch {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", (1...6).map { "{\"id\":\($0)}\n" }.joined() + "bad\n")
        return scratch
    }

    private func text(_ name: String, _ scratch: Scratch) throws -> String {
        try String(contentsOfFile: scratch.path(name), encoding: .utf8)
    }

    private func files(_ scratch: Scratch) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).sorted()
    }

    // MARK: --metrics

    /// Checks a text against the grammar of Prometheus, and returns its samples.
    private func samples(_ text: String) throws -> [String: Double] {
        var samples: [String: Double] = [:]
        var (metric, ended) = ("", Set<String>())
        #expect(text.hasSuffix("\n"))
        for line in text.split(separator: "\n") {
            if let match = line.wholeMatch(of: /# (HELP|TYPE) ([a-z_]+) (.+)/) {
                let name = String(match.2)
                if match.1 == "HELP" {
                    #expect(ended.insert(name).inserted, "the series of \(name) do not stand together")
                    metric = name
                }
                #expect(name == metric && (match.1 == "HELP" || match.3 == (name.hasSuffix("_total") ? "counter" : "gauge")))
                continue
            }
            let match = try #require(
                line.wholeMatch(of: /([a-z_]+)\{(([a-z]+="([^"\\\n]|\\\\|\\"|\\n)*",?)+)\} ([0-9.e+-]+)/), "\(line)")
            #expect(match.1 == metric)
            let key = "\(match.1){\(match.2)}"
            #expect(samples[key] == nil, "\(key) is there twice")
            let value = try #require(Double(match.5))
            samples[key] = value
        }
        return samples
    }

    @Test func theFileHasTheFiguresOfTheRun() throws {
        let scratch = try scratch()
        let run = try scratch.sluice(["ingest", "in.ndjson", "out.db", "--batch", "2", "--metrics", "m.prom"])
        #expect(run.status == 2)
        let found = try samples(try text("m.prom", scratch))
        let labels = #"{database="out.db",table="records""#
        #expect(found["sluice_records_total\(labels)}"] == 7)
        #expect(found["sluice_rows_total\(labels),result=\"added\"}"] == 6)
        #expect(found["sluice_rejections_total\(labels),kind=\"syntax\"}"] == 1)
        #expect(try #require(found["sluice_last_commit_timestamp_seconds\(labels)}"]) > 1e9)
        // Others can read it, and nothing else is left.
        let mode = try FileManager.default.attributesOfItem(atPath: scratch.path("m.prom"))[.posixPermissions] as? Int
        #expect(try #require(mode) & 0o444 == 0o444)
        #expect(try files(scratch) == ["in.ndjson", "m.prom", "out.db"])
    }

    @Test func labelsAreEscaped() throws {
        let scratch = try Scratch()
        let name = "a\\b\"c\nd.ndjson"
        _ = try scratch.file(name, "{\"id\":1}\n")
        _ = try scratch.sluice(["ingest", name, "-o", "out.db", "--metrics", "m.prom"])
        let found = try samples(try text("m.prom", scratch))
        let key = #"sluice_input_behind_bytes{database="out.db",table="records",input="a\\b\"c\nd.ndjson"}"#
        #expect(found[key] == 0, "\(found.keys.sorted())")
    }

    /// To Swift, both are one character.
    @Test func aLineBreakAndAQuoteAreEscapedWhateverIsBesideThem() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", "{\"a\\r\\nb\":1,\"c\\\"\\u0301\":2}\n")
        _ = try scratch.sluice(["ingest", "in.ndjson", "-o", "out.db", "--metrics", "m.prom"])
        let text = try text("m.prom", scratch)
        #expect(
            text.utf8.split(separator: UInt8(ascii: "\n")).allSatisfy {
                $0.starts(with: "#".utf8) || $0.starts(with: "sluice_".utf8)
            })
        #expect(text.utf8.contains("column=\"a\r\\nb\"}".utf8) && text.utf8.contains("column=\"c\\\"\u{301}\"}".utf8))
    }

    @Test func aFileThatCannotBeMadeIsAnErrorBeforeAnythingIsRead() throws {
        let scratch = try scratch()
        let run = try scratch.sluice(["ingest", "in.ndjson", "out.db", "--metrics", "no/m.prom"])
        #expect(run.status == 3 && run.errors.contains("no/m.prom"), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: scratch.path("out.db")))
    }

    @Test(arguments: ["in.ndjson", "out.db", "out.db-wal", "bad.ndjson"])
    func aFileThatIsSomethingElseIsRefused(name: String) throws {
        let scratch = try scratch()
        try scratch.execute("CREATE TABLE t (x)")
        let before = try text("in.ndjson", scratch)
        let run = try scratch.sluice(
            ["ingest", "in.ndjson", "-o", "out.db", "--rejects", "bad.ndjson", "--metrics", name])
        #expect(run.status == 64 && run.errors.contains("--metrics \(name)"), "\(run.errors)")
        #expect(try text("in.ndjson", scratch) == before)
    }

    /// The folder goes away while the run goes on.
    @Test func aFailureIsToldOnceAndChangesNoExitCode() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path("folder"), withIntermediateDirectories: true)
        let fifo = try Fifo(scratch)
        fifo.write("{\"id\":1}\n{\"id\":2}\n")
        let tool = try scratch.start(
            "exec sluice ingest --sample-size 1 --batch 1 feed -o out.db --metrics folder/m.prom")
        fifo.awaitReader()
        // What was read is committed, because the pipe has nothing to read.
        let deadline = Date(timeIntervalSinceNow: 60)
        while !FileManager.default.fileExists(atPath: scratch.path("folder/m.prom")), Date() < deadline { usleep(2_000) }
        try FileManager.default.removeItem(atPath: scratch.path("folder"))
        fifo.write("{\"id\":3}\n{\"id\":4}\n{\"id\":5}\n")
        fifo.end()
        let run = try tool.result()
        #expect(run.status == 0)
        #expect(run.errors.components(separatedBy: "--metrics: ").count == 2, "\(run.errors)")
        #expect(run.errors.contains("the run goes on, and tries again after each batch"))
        #expect(try scratch.count() == 5)
    }

    @Test func aDryRunWritesNoMetrics() throws {
        let scratch = try scratch()
        _ = try scratch.sluice(["ingest", "in.ndjson", "out.db", "--dry-run", "--metrics", "m.prom"])
        #expect(try files(scratch) == ["in.ndjson"])
    }

    // MARK: --report-every

    @Test func aLineComesBeforeTheReport() throws {
        let scratch = try scratch()
        let run = try scratch.sluice(
            ["ingest", "in.ndjson", "out.db", "--batch", "2", "--report", "json", "--report-every", "0.000001"])
        #expect(run.status == 2)
        let lines = try run.output.split(separator: "\n").map { try JSONObject(json: String($0)) }
        let last = try #require(lines.last)
        #expect(last["outcome"]?.string == "complete" && lines.dropLast().allSatisfy { $0["outcome"]?.string == "running" })
        #expect(lines.dropLast().map { $0["added"]?.int } == [2, 4, 6, 6])
        // What both have, has the same type, and counts the same.
        let line = lines[lines.count - 2]
        let keys = "database table inputs records added changed same kept removed rejected passed_over bytes"
        for key in keys.split(separator: " ").map(String.init) {
            #expect(try line[key]?.jsonString() == last[key]?.jsonString(), "\(key)")
        }
        #expect(try line["rejections"]?.jsonString() == #"{"syntax":1}"#)
        #expect(line["behind"]?.int == 0 && line["commits"]?.int == 4 && line["refused"]?.int == 0)
    }

    /// The lines are of all passes over a log, and the report is the last one.
    @Test func aLogThatIsFollowedHasLinesOfAllPasses() throws {
        let scratch = try Scratch()
        let file = try scratch.file("app.ndjson", "{\"id\":1}\n")
        let tool = try scratch.start(
            "exec sluice ingest --follow --every 0.01s app.ndjson -o out.db --metrics m.prom --report json --report-every 0.000001"
        )
        let deadline = Date(timeIntervalSinceNow: 60)
        for id in 2...4 {
            while ((try? scratch.count()) ?? 0) < id - 1, Date() < deadline { usleep(2_000) }
            let handle = try #require(FileHandle(forWritingAtPath: file))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data("{\"id\":\(id)}\n".utf8))
            try handle.close()
        }
        while ((try? scratch.count()) ?? 0) < 4, Date() < deadline { usleep(2_000) }
        kill(tool.id, SIGTERM)
        let run = try tool.result()
        #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
        let lines = try run.output.split(separator: "\n").map { try JSONObject(json: String($0)) }
        #expect(
            lines.last?["outcome"]?.string == "complete" && lines.dropLast().allSatisfy { $0["outcome"]?.string == "running" })
        let added = lines.compactMap { $0["added"]?.int }
        #expect(added == added.sorted() && added.first == 1 && added.last == 4 && Set(added).count > 2, "\(added)")
        let found = try samples(try text("m.prom", scratch))
        #expect(found[#"sluice_records_total{database="out.db",table="records"}"#] == 4)
        #expect(found[#"sluice_input_behind_bytes{database="out.db",table="records",input="app.ndjson"}"#] == 0)
    }

    @Test func noLineComesBeforeItsTime() throws {
        let scratch = try scratch()
        let run = try scratch.sluice(
            ["ingest", "in.ndjson", "out.db", "--batch", "1", "--report", "json", "--report-every", "3600"])
        #expect(run.output.split(separator: "\n").count == 1)
    }

    @Test func theOptionsAreChecked() throws {
        let scratch = try scratch()
        for (words, message) in [
            (["--report-every", "1"], "--report-every needs --report json."),
            (["--report", "json", "--report-every", "0"], "--report-every is a number of seconds above 0"),
            (["--report", "json", "--report-every", "1e99"], "--report-every is a number of seconds above 0"),
            (["--report", "json", "--report-every", "nan"], "--report-every is a number of seconds above 0"),
            (["--metrics", "-"], "--metrics needs a file"),
        ] {
            let run = try scratch.sluice(["ingest", "in.ndjson", "out.db"] + words)
            #expect(run.status == 64 && run.errors.contains(message), "\(run.errors)")
        }
        let quiet = try scratch.sluice(
            ["ingest", "in.ndjson", "out.db", "-q", "--report", "json", "--report-every", "0.000001"])
        #expect(quiet.output.isEmpty)
    }

    // MARK: status

    private static let columns = [
        "table", "input", "state", "complete", "behind", "file", "bytes", "line", "records", "rejected", "last", "host",
        "process",
        "began",
    ]

    @Test func theStatusHasTypesInJSON() throws {
        let scratch = try scratch()
        _ = try scratch.sluice(["ingest", "in.ndjson", "out.db"])
        let run = try scratch.sluice(["status", "out.db"])
        #expect(run.status == 0 && run.errors.isEmpty)
        let row = try JSONObject(json: run.output)
        #expect(row.members.map(\.key) == WatchTests.columns)
        #expect(row["complete"] == true && row["behind"]?.int == 0 && row["records"]?.int == 7 && row["line"]?.int == 8)
        #expect(row["last"]?.string?.hasSuffix("Z") == true && row["began"]?.string?.hasSuffix("Z") == true)
        #expect(row["input"]?.string?.hasSuffix("/in.ndjson") == true && row["state"]?.string == "ended")
        // It changes nothing, and leaves nothing beside the database.
        #expect(try files(scratch) == ["in.ndjson", "out.db"])
    }

    @Test func theStatusOfADatabaseOfAnotherProgramIsEmpty() throws {
        let scratch = try Scratch()
        try scratch.execute("CREATE TABLE t (x)")
        let run = try scratch.sluice(["status", "--to", "table", "out.db"])
        #expect(run.status == 0 && run.output.hasSuffix("0 rows\n"), "\(run.output)")
        #expect(run.errors == "sluice: no input was read into out.db\n")
    }

    @Test func whatHasNoStatusIsAnError() throws {
        let scratch = try scratch()
        for (words, status, message) in [
            (["no.db"], Int32(3), "there is no file no.db"), (["in.ndjson"], 3, "not a database"),
            (["out.db", "t", "more"], 64, "more"), (["mysql://host/name"], 64, "mysql://... is no output"),
        ] {
            let run = try scratch.sluice(["status"] + words)
            #expect(run.status == status && run.errors.contains(message), "\(words): \(run.status) \(run.errors)")
        }
        #expect(try files(scratch) == ["in.ndjson"])
        _ = try scratch.sluice(["ingest", "in.ndjson", "out.db"])
        try FileManager.default.moveItem(atPath: scratch.path("out.db"), toPath: scratch.path("out"))
        let run = try scratch.sluice(["status", "out", "-o", "out"])
        #expect(run.status == 64 && run.errors.contains("out is an input too"), "\(run.errors)")
    }

    /// A run that was killed has released nothing, and its last transaction may have to be taken back first.
    @Test func theStatusAfterAKillIsThatOfTheLastCommit() throws {
        let scratch = try Scratch()
        _ = try scratch.shell("sluice generate --records 100000 --seed 1 in.ndjson")
        let tool = try scratch.start("exec sluice ingest -q --batch 1000 in.ndjson out.db")
        let deadline = Date(timeIntervalSinceNow: 60)
        func state() throws -> JSONObject? {
            let run = try scratch.sluice(["status", "out.db"])
            return run.status == 0 ? try? JSONObject(json: run.output) : nil
        }
        var seen: JSONObject?
        while (seen?["records"]?.int ?? 0) == 0, Date() < deadline { seen = try state() }
        #expect(seen?["state"]?.string == "running" && seen?["process"]?.int == Int(tool.id))
        try tool.kill(after: 0)
        let after = try #require(try state())
        #expect(after["state"]?.string == "ended" && after["complete"] == false)
        #expect(try #require(after["records"]?.int) >= seen?["records"]?.int ?? 0)
        #expect(try after["records"]?.int == scratch.count() && after["behind"]?.int ?? 0 > 0)
    }
}
#endif
