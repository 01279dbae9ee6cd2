#if CommandLine && os(Linux)
import Foundation
import GRDB
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceIngest
@testable import SluiceSQLite

/// What runs that were killed leave behind, and what the next ones make of it.
@Suite(.enabled(if: Shell.isPresent)) struct LeftoverTests {
    // MARK: Databases

    /// A database with two rejected records, one of them mended.
    private func rejects() throws -> Scratch {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", "{\"id\":1}\n{\"id\":2,\"v\":nul}\n{\"id\":3,}\n")
        #expect(try scratch.shell("sluice ingest --rejects bad in.ndjson out.db").status == 2)
        try scratch.execute("UPDATE bad SET json_line = '{\"id\":2}' WHERE line = 2")
        return scratch
    }

    @Test func aReplayOfATableTakesBackTheTransactionOfAKilledRun() throws {
        let (scratch, copy) = (try rejects(), try Scratch())
        try DatabaseQueue(path: scratch.path("out.db")).writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA cache_size = 1; BEGIN IMMEDIATE; DELETE FROM bad")
            try db.execute(
                sql: """
                    CREATE TABLE big AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
                    SELECT i, randomblob(500) AS b FROM n
                    """)
            // Another process that opened these would find the journal of a process that is gone.
            for name in ["out.db", "out.db-journal"] {
                try FileManager.default.copyItem(atPath: scratch.path(name), toPath: copy.path(name))
            }
            try db.execute(sql: "ROLLBACK")
        }
        let run = try copy.shell("sluice replay bad out.db")
        #expect(run.status == 2 && run.output.contains("1 added"), "\(run)")
        #expect(try copy.count() == 2)
        #expect(try copy.count("bad") == 1)
    }

    @Test func aReplayWaitsForAnotherProgramBeforeItReadsTheRejects() throws {
        let scratch = try rejects()
        let queue = try DatabaseQueue(path: scratch.path("out.db"))
        var run: Shell.Running?
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "BEGIN EXCLUSIVE")
            run = try scratch.start("exec sluice replay bad out.db")
            usleep(700_000)
            try db.execute(sql: "COMMIT")
        }
        let result = try #require(try run?.result())
        #expect(result.status == 2 && result.output.contains("1 added"), "\(result)")
    }

    @Test func aReplayMakesNoDatabase() throws {
        let scratch = try Scratch()
        let run = try scratch.shell("sluice replay bad out.db; ls")
        #expect(run.output.isEmpty && run.errors.contains("out.db"), "\(run)")
    }

    @Test func theNoteOfAJournalModeGoesWithTheNextRunThatHasNothingToDo() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", "{\"id\":1}\n")
        #expect(try scratch.shell("sluice ingest in.ndjson out.db").status == 0)
        // As a run leaves it that is killed after it has restored the mode, while it writes that the note is done with.
        try scratch.execute(
            """
            INSERT INTO \(OwnTables.checkpoints) (table_name, input, byte_offset, records, rejected, is_complete, sequence, checkpoint, state)
            VALUES ('', 'journal', 0, 0, 0, 0, 0, '', 'delete')
            """)
        _ = try scratch.file("out.db-journal", "")
        let run = try scratch.shell("sluice ingest --append in.ndjson out.db")
        #expect(run.status == 0 && run.output.contains("nothing to do"), "\(run)")
        #expect(try scratch.value("SELECT count(*) FROM \(OwnTables.checkpoints) WHERE input = 'journal'") == 0)
        #expect(!FileManager.default.fileExists(atPath: scratch.path("out.db-journal")))
    }

    // MARK: Files

    private func files(_ scratch: Scratch, _ beginning: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).filter { $0.hasPrefix(beginning) }.sorted()
    }

    /// Starts a conversion of a pipe that stays open, and waits until it has written something.
    private func running(_ command: String, _ scratch: Scratch) throws -> Shell.Running {
        let line = #"{"id":1,"text":"\#(String(repeating: "x", count: 200))"}\n{"id":2,}\n"#
        let feed = "i=0; while [ $i -lt 3000 ]; do printf '\(line)'; i=$((i+1)); done; sleep 30"
        let run = try scratch.start("mkfifo in; (\(feed)) > in & echo $! > feed.pid; exec sluice \(command) < in")
        for _ in 0..<500 {
            if try files(scratch, "out.csv.").count > 0 { break }
            usleep(20_000)
        }
        return run
    }

    private func endFeed(_ scratch: Scratch) throws { _ = try scratch.shell("kill $(cat feed.pid)") }

    @Test func theTemporaryFileOfAKilledConversionGoesWithTheNextOne() throws {
        let scratch = try Scratch()
        let killed = try running("convert --to csv --batch 100 - -o out.csv --rejects bad.ndjson", scratch)
        #expect(try files(scratch, "out.csv.").count == 1)
        try killed.kill(after: 0.1)
        try endFeed(scratch)
        #expect(try files(scratch, "out.csv.").count == 1)
        // Files that look like it, but are not.
        _ = try scratch.file("out.csv.backup", "")
        _ = try scratch.file("out.csv.0123456789abcdef", "")
        _ = try scratch.file("b.ndjson", "{\"id\":1}\n{\"id\":2,}\n")
        #expect(try scratch.shell("sluice convert --to csv b.ndjson -o out.csv --rejects bad.ndjson").status == 2)
        #expect(try files(scratch, "out.csv") == ["out.csv", "out.csv.0123456789abcdef", "out.csv.backup"])
        // The killed run has left no lines either: its output is gone, and the next one reads all again.
        let lines = try String(contentsOfFile: scratch.path("bad.ndjson"), encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 1)
    }

    @Test func aConversionThatStillRunsKeepsItsTemporaryFile() throws {
        let scratch = try Scratch()
        let run = try running("convert --to csv --batch 100 - -o out.csv", scratch)
        _ = try scratch.file("b.ndjson", "{\"id\":1}\n")
        #expect(try scratch.shell("sluice convert --to csv b.ndjson -o out.csv").status == 0)
        #expect(try scratch.shell("sluice query b.ndjson 'SELECT 1' -o out.csv").status == 0)
        #expect(try files(scratch, "out.csv.").count == 1)
        try run.kill(after: 0)
        try endFeed(scratch)
    }

    @Test func aConversionThatRejectsTooMuchStillWritesItsRejects() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", "{\"id\":1}\n{\"id\":2,}\n{\"id\":3,}\n{\"id\":4,}\n")
        #expect(try scratch.shell("sluice convert --to csv in.ndjson -o out.csv --rejects bad.ndjson --max-errors 2").status == 4)
        #expect(!(try String(contentsOfFile: scratch.path("bad.ndjson"), encoding: .utf8).isEmpty))
    }

    @Test func aLimitOfTheFileSizeIsAnErrorWithAMessage() throws {
        let scratch = try Scratch()
        let run = try scratch.shell(
            "sluice generate --records 2000 in.ndjson && ulimit -f 16 && sluice convert in.ndjson -o out.ndjson")
        #expect(run.status == 3 && run.errors.contains("out.ndjson"), "\(run)")
    }

    // MARK: Passwords

    @Test(arguments: [
        "POSTGRESQL://u:PW93x@127.0.0.1:1/db", "Postgres://u:PW93x@127.0.0.1:1/db", "mysql://u:PW93x@127.0.0.1/db",
        "https://u:PW93x@127.0.0.1/x.db", "host=127.0.0.1 password=PW93x", "postgresql//u:PW93x@h/db",
        "dbname=x user=u password='PW93x y'",
    ])
    func noAddressIsShownWithItsPassword(address: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", "{\"id\":1}\n")
        for words in [
            ["ingest", "in.ndjson", "-o", address], ["ingest", "in.ndjson", address], ["ingest", "in.ndjson", address, "more"],
            ["replay", "bad", address], ["convert", "in.ndjson", "-o", address],
            ["query", "in.ndjson", "SELECT 1", "-o", address],
            ["check", address], ["ingest", "--table", "t", address, "-o", "out.db"], [address],
        ] {
            let run = try scratch.sluice(words)
            #expect(run.status != 0 && !(run.output + run.errors).contains("PW93x"), "\(words): \(run)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).filter { $0 != "out.db" }
        #expect(names == ["in.ndjson"])
    }

    @Test func aQueryCallsNoFunctionThatTellsAnAddressOfTheProcess() throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", "{\"id\":1}\n")
        for function in ["fts3_tokenizer('simple')", "FTS3_Tokenizer('porter')", "load_extension('x')"] {
            let run = try scratch.sluice(["query", "a.ndjson", "SELECT \(function) FROM a"])
            #expect(run.status == 64 && run.output.isEmpty, "\(run)")
        }
    }
}
#endif
