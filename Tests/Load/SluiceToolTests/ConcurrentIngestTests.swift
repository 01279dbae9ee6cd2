#if CommandLine && os(Linux)
import Foundation
import GRDB
import SluiceSQL
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

/// If two runs read one input, one of them stores its records, and the other one ends with a message.
@Suite(.enabled(if: Shell.isPresent)) struct ConcurrentIngestTests {
    private static let checkpoints = "_sluice_checkpoints"

    private func feed(_ numbers: Range<Int>) -> String { numbers.map { "{\"a\":\($0)}\n" }.joined() }

    private func append(_ text: String, to name: String, in scratch: Scratch) throws {
        let handle = try #require(FileHandle(forWritingAtPath: scratch.path(name)))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    private func sum(_ scratch: Scratch) throws -> String? {
        try scratch.value("SELECT count(*) || ' ' || total(a) FROM records")
    }

    /// Waits until a run holds an input.
    private func awaitHold(_ scratch: Scratch) {
        for _ in 0..<10_000 {
            let sql = "SELECT count(*) FROM \(Self.checkpoints) WHERE is_held"
            if let count: Int = try? scratch.value(sql), count > 0 { return }
            usleep(2_000)
        }
    }

    /// Starts a run that has read `a.ndjson` and waits for more from a FIFO. Meanwhile `a.ndjson` has got one more record.
    private func startHolder(_ scratch: Scratch, _ options: String = "") throws -> (run: Shell.Running, fifo: Fifo) {
        _ = try scratch.file("a.ndjson", feed(0..<50))
        let fifo = try Fifo(scratch)
        let run = try scratch.start("exec sluice ingest -q a.ndjson feed -o out.db --append --column a:integer \(options)")
        awaitHold(scratch)
        fifo.write("{\"a\":100}\n")
        fifo.awaitReader()
        try append(feed(50..<51), to: "a.ndjson", in: scratch)
        return (run, fifo)
    }

    private func end(_ holder: (run: Shell.Running, fifo: Fifo)) throws -> Int32 {
        holder.fifo.end()
        return try holder.run.result().status
    }

    @Test func theSecondRunOfAnInputEndsBeforeItReads() throws {
        let scratch = try Scratch()
        let holder = try startHolder(scratch)
        let second = try scratch.shell("sluice ingest a.ndjson out.db --append --column a:integer")
        #expect(second.status == 3)
        let expected =
            "^sluice: another run \\(process \(holder.run.id), started at 20[0-9T:-]+Z\\) is reading a.ndjson into the table records of "
            + "out.db; --wait waits until it has ended\n$"
        #expect(second.errors.firstMatch(of: try Regex(expected)) != nil, "\(second.errors)")
        // An input that no other run reads can be taken.
        _ = try scratch.file("b.ndjson", feed(0..<3))
        #expect(try scratch.shell("sluice ingest -q b.ndjson other.db").status == 0)
        #expect(try end(holder) == 0)
        #expect(try sum(scratch) == "51 1325.0")
        #expect(try scratch.shell("sluice ingest -q a.ndjson out.db --column a:integer").status == 0)
        #expect(try sum(scratch) == "52 1375.0")
    }

    @Test func aRunThatLeavesTheLogForgetsNothingThatAnotherOneHasCommitted() throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", feed(0..<50))
        #expect(try scratch.shell("sluice ingest -q a.ndjson out.db").status == 0)
        do {
            // A run right before its last step: it has pages of the table of checkpoints in its cache.
            let database = try RecordDatabase(SQLiteSink(path: scratch.path("out.db")), SinkRun(identity: .new()))
            try database.write { try Ledger($0, of: "records", in: "").keepJournal("delete") }
            database.useLog()
            #expect(try database.read { try Ledger($0, of: "records", in: "").journal() } == "delete")
            try append(feed(50..<53), to: "a.ndjson", in: scratch)
            #expect(try scratch.shell("sluice ingest -q a.ndjson out.db").status == 0)
            database.leaveLog(for: "delete", after: .new())
        }
        #expect(try scratch.value("PRAGMA journal_mode") == "delete")
        #expect(try scratch.value("SELECT records FROM \(Self.checkpoints) WHERE table_name = 'records'") == 53)
        #expect(try scratch.value("SELECT count(*) FROM \(Self.checkpoints) WHERE table_name = ''") == 0)
        #expect(try scratch.shell("sluice ingest -q a.ndjson out.db").status == 0)
        #expect(try sum(scratch) == "53 1378.0")
    }

    @Test(arguments: ["--restart --append", "--drop", "--truncate"])
    func noRunStartsAnewWhatAnotherOneIsReading(options: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("b.ndjson", feed(200..<203))
        #expect(try scratch.shell("sluice ingest -q b.ndjson out.db --column a:integer").status == 0)
        let holder = try startHolder(scratch)
        for input in options == "--restart --append" ? ["a.ndjson"] : ["a.ndjson", "b.ndjson"] {
            let other = try scratch.shell("sluice ingest -q \(input) out.db --column a:integer \(options)")
            #expect(other.status == 3)
            #expect(other.errors.contains("a.ndjson into the table records"), "\(other.errors)")
            #expect(try scratch.value("SELECT count(*) FROM records WHERE a >= 200") == 3)
        }
        #expect(try end(holder) == 0)
        #expect(try sum(scratch) == "54 1928.0")
    }

    @Test func aRunThatWaitsGoesOnWhereTheOtherOneEnds() throws {
        let scratch = try Scratch()
        let holder = try startHolder(scratch)
        let second = try scratch.start("exec sluice ingest a.ndjson out.db --column a:integer --wait")
        usleep(200_000)
        try append(feed(51..<60), to: "a.ndjson", in: scratch)
        #expect(try end(holder) == 0)
        let result = try second.result()
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("a.ndjson: taken up after record 50\n10 added, 61 now in records"), "\(result)")
        #expect(try sum(scratch) == "61 1870.0")
        #expect(try scratch.value("PRAGMA journal_mode") == "delete")
    }

    /// Two complete snapshots from different inputs: the second one waits until the first has removed what it lacks.
    @Test func aRunThatWaitsLoadsItsSnapshotAfterThatOfAnotherRun() throws {
        let scratch = try Scratch()
        let fifo = try Fifo(scratch)
        _ = try scratch.file("b.ndjson", "{\"id\":2}\n{\"id\":3}\n")
        let options = "out.db --column id:integer --pk id --upsert --missing delete"
        let first = try scratch.start("exec sluice ingest -q feed \(options) --batch 1")
        fifo.write("{\"id\":1}\n{\"id\":2}\n")
        fifo.awaitReader()
        while ((try? scratch.count()) ?? 0) < 1 { usleep(10_000) }
        let refused = try scratch.shell("sluice ingest b.ndjson \(options)")
        #expect(refused.status == 3 && refused.errors.contains("is loading other inputs into the table records of"), "\(refused)")
        #expect(refused.errors.contains("--wait waits until it has ended"))
        let second = try scratch.start("exec sluice ingest -q b.ndjson \(options) --wait")
        usleep(200_000)
        fifo.write("{\"id\":4}\n")
        fifo.awaitReader()
        fifo.end()
        #expect(try first.result().status == 0)
        let result = try second.result()
        #expect(result.status == 0, "\(result)")
        #expect(try scratch.value("SELECT group_concat(id) FROM (SELECT id FROM records ORDER BY id)") == "2,3")
    }

    /// If both runs waited for the other one to end, both would give up at the same time, and the write-ahead log would stay on.
    @Test func ofTwoRunsThatEndTogetherTheOneThatWroteLastLeavesTheLog() throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", feed(0..<3))
        #expect(try scratch.shell("sluice ingest -q a.ndjson out.db").status == 0)
        let database = try RecordDatabase(SQLiteSink(path: scratch.path("out.db")), SinkRun(identity: .new()))
        // Two runs of this process that are still running.
        let (first, second) = (RunIdentity.new(), RunIdentity.new())
        var gone = first
        gone.id = "gone"
        gone.birth -= 1
        func write(_ run: RunIdentity, _ input: String, _ sequence: Int, isHeld: Bool) throws {
            try database.write { db in
                _ = try Ledger(db, of: "records", in: "").take(input, for: run.text, from: nil)
                try db.execute(
                    sql: "UPDATE \(Self.checkpoints) SET sequence = ?, is_held = ? WHERE input = ?",
                    arguments: [sequence, isHeld, input])
            }
        }
        func isLast(_ run: RunIdentity) throws -> Bool { try database.read { try Ledger($0, of: "records", in: "").isLast(run) } }
        try write(first, "x", 100, isHeld: false)
        #expect(try isLast(first))
        try write(second, "y", 101, isHeld: false)
        #expect(try isLast(second) && !isLast(first))
        // A run whose process has ended does nothing more.
        try write(gone, "z", 102, isHeld: true)
        #expect(try isLast(second) && !isLast(first))
        // A run that still reads will leave the log at its end.
        try write(first, "w", 0, isHeld: true)
        #expect(try !isLast(second))
    }

    @Test func aSignalEndsTheWaitForAnotherRun() throws {
        let scratch = try Scratch()
        let holder = try startHolder(scratch)
        let second = try scratch.start("exec sluice ingest a.ndjson out.db --column a:integer --wait")
        usleep(200_000)
        kill(second.id, SIGTERM)
        #expect(try second.result().status == 143)
        // A signal also ends the wait for a locked database.
        _ = try scratch.file("b.ndjson", feed(0..<3))
        var configuration = Configuration()
        configuration.busyMode = .timeout(60)
        let database = try DatabaseQueue(path: scratch.path("out.db"), configuration: configuration)
        try database.inTransaction(.immediate) { _ in
            let third = try scratch.start("exec sluice ingest b.ndjson out.db --column a:integer --append")
            usleep(400_000)
            kill(third.id, SIGTERM)
            #expect(try third.result().status == 143)
            return .rollback
        }
        #expect(try end(holder) == 0)
        #expect(try sum(scratch) == "51 1325.0")
    }

    @Test func aKilledRunHoldsNothing() throws {
        let scratch = try Scratch()
        let holder = try startHolder(scratch)
        kill(holder.run.id, SIGKILL)
        _ = try holder.run.result()
        #expect(try scratch.shell("sluice ingest -q a.ndjson out.db --column a:integer").status == 0)
        // Whether the record of the FIFO was stored depends on when the run was killed.
        #expect(try scratch.value("SELECT count(*) || ' ' || total(a) FROM records WHERE a < 100") == "51 1275.0")
        #expect(try scratch.value("SELECT sum(is_held) FROM \(Self.checkpoints)") == 0)
        #expect(try scratch.value("PRAGMA journal_mode") == "delete")
    }

    /// Such a run has no input to claim. It is killed in the middle, and the next run restores the journal mode.
    @Test func aKilledRunThatReadsAPipeLeavesTheJournalModeToTheNextRun() throws {
        let scratch = try Scratch()
        let fifo = try Fifo(scratch)
        let run = try scratch.start("exec sluice ingest -q feed -o out.db --column a:integer --batch 1")
        fifo.write(feed(0..<2))
        for _ in 0..<1_000 {
            if let count: Int = try? scratch.value("SELECT count(*) FROM records"), count == 2 { break }
            usleep(10_000)
        }
        kill(run.id, SIGKILL)
        _ = try run.result()
        #expect(try scratch.value("PRAGMA journal_mode") == "wal")
        #expect(try scratch.shell("echo '{\"a\":2}' | sluice ingest -q - out.db --append").status == 0)
        #expect(try scratch.value("PRAGMA journal_mode") == "delete")
        #expect(try sum(scratch) == "3 3.0")
        // Pipes have no checkpoints.
        #expect(try scratch.value("SELECT count(*) FROM sqlite_master WHERE name = '\(Self.checkpoints)'") == 0)
    }

    // MARK: Without the hold

    /// The first run is stopped after it has read the checkpoints. It has not claimed anything yet, so the second run can finish.
    /// The first run cannot start again, because the sample of the FIFO cannot be read again.
    @Test(arguments: ["", "--wait"]) func aRunThatWasOvertakenLoses(options: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", feed(0..<50))
        let fifo = try Fifo(scratch)
        let first = try scratch.start("exec sluice ingest -q a.ndjson feed -o out.db --append \(options)")
        fifo.write("{\"a\":100}\n")
        fifo.awaitReader()
        kill(first.id, SIGSTOP)
        #expect(try scratch.shell("sluice ingest -q a.ndjson out.db").status == 0)
        kill(first.id, SIGCONT)
        fifo.end()
        let result = try first.result()
        #expect(result.status == 3)
        #expect(result.errors.contains(") has read a.ndjson into the table records of out.db since this run began"), "\(result)")
        #expect(try sum(scratch) == "50 1225.0")
    }

    /// The checkpoint changes while the batch is written, as if another run had overtaken this one.
    @Test(arguments: ["sequence = sequence + 1", "byte_offset = byte_offset + 8", "run = 'another'"])
    func aBatchIsRolledBackIfTheCheckpointIsNotTheOneThatItContinuesFrom(change: String) throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", feed(0..<50))
        try scratch.execute("CREATE TABLE records (a INTEGER)")
        #expect(try scratch.ingest(file: file) { ($0.existing, $0.limit, $0.batch) = (.append, 20, 5) }.stored == 20)
        try scratch.execute(
            """
            CREATE TRIGGER overtaken AFTER INSERT ON records WHEN NEW.a = 33
            BEGIN UPDATE \(Self.checkpoints) SET \(change) WHERE input LIKE '%a.ndjson'; END
            """)
        let report = try scratch.ingest(file: file) { ($0.existing, $0.batch) = (.append, 5) }
        #expect(report.status.code == 3)
        #expect(report.text.contains("has read \(file) into the table records"), "\(report.text)")
        #expect(report.stored == 10)
        #expect(try sum(scratch) == "30 435.0")
        // The trigger is gone, and the same command resumes.
        try scratch.execute("DROP TRIGGER overtaken")
        #expect(try scratch.ingest(file: file) { $0.existing = .append }.stored == 20)
        #expect(try sum(scratch) == "50 1225.0")
    }

    // MARK: Holds whose run has ended

    /// Ingests ten records, and leaves the checkpoint's row as if the run still held it.
    private func leaveHold(_ scratch: Scratch, _ change: (inout RunIdentity) -> Void) throws -> String {
        let file = try scratch.file("a.ndjson", feed(0..<50))
        _ = try scratch.ingest(file: file) { $0.limit = 10 }
        var run = RunIdentity.new()
        change(&run)
        try DatabaseQueue(path: scratch.path("out.db")).write {
            try $0.execute(sql: "UPDATE \(Self.checkpoints) SET is_held = 1, run = ?", arguments: [run.text])
        }
        return file
    }

    @Test func aHoldOfAProcessThatGoesOnIsKept() throws {
        let scratch = try Scratch()
        let file = try leaveHold(scratch) { _ in }
        let error = #expect(throws: IngestError.self) { try scratch.ingest(file: file) }
        #expect(error?.status.code == 3)
        #expect(error?.description.contains("process \(getpid()), started at ") == true)
        #expect(try scratch.ingest(file: file) { $0.isDryRun = true }.records == 40)
        #expect(try scratch.count() == 10)
    }

    @Test(arguments: 0..<4) func aHoldOfAProcessThatHasEndedIsTakenOver(index: Int) throws {
        let scratch = try Scratch()
        let file = try leaveHold(scratch) { run in
            switch index {
            case 0: run.process = Int(Int32.max)
            case 1: run.birth -= 1
            case 2: run.boot = "another"
            default: run = RunIdentity(id: "", host: run.host, space: "", boot: "", process: 1, birth: 0, started: "")
            }
        }
        let report = try scratch.ingest(file: file)
        #expect(report.stored == 40)
        #expect(report.notes == [])
    }

    @Test func aHoldOfAnUnknownMachineIsANote() throws {
        for index in 0..<2 {
            let scratch = try Scratch()
            let file = try leaveHold(scratch) { run in
                if index == 0 { run.host = "elsewhere" } else { run.space = "pid:[1]" }
            }
            let report = try scratch.ingest(file: file)
            #expect(report.status == .success)
            #expect(report.stored == 40)
            #expect(report.notes.count == 1)
            #expect(report.text.hasPrefix("note: a run on "))
        }
    }

    // MARK: Layouts of the table of checkpoints

    @Test func theFirstLayoutIsBroughtUpToDate() throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", feed(0..<50) + "x\n")
        let bad = scratch.path("bad.ndjson")
        _ = try scratch.ingest(file: file) { $0.limit = 10 }
        for column in ["run", "is_held", "layout"] {
            try scratch.execute("ALTER TABLE \(Self.checkpoints) DROP COLUMN \(column)")
        }
        try scratch.execute(
            """
            INSERT INTO \(Self.checkpoints)
            VALUES ('', 'rejects:\(IngestInput.identity(ofFile: bad))', 0, 0, 0, 0, 0, '', '{"owed":1}\n')
            """)
        #expect(try scratch.ingest(file: file) { $0.isDryRun = true }.records == 41)
        let report = try scratch.ingest(file: file) { $0.rejects = bad }
        #expect(report.stored == 40)
        #expect(report.resumed.map(\.records) == [10])
        #expect(try sum(scratch) == "50 1225.0")
        #expect(try String(contentsOfFile: bad, encoding: .utf8).hasPrefix("{\"owed\":1}\n{\"file\":"))
        #expect(try scratch.value("SELECT max(layout) FROM \(Self.checkpoints)") == 2)
        #expect(try scratch.count(Self.checkpoints) == 1)
    }

    @Test(arguments: [
        ("UPDATE _sluice_checkpoints SET layout = 3", "has layout 3, which comes from a later version of sluice"),
        ("ALTER TABLE _sluice_checkpoints ADD COLUMN future", "has the column future, which comes from a later version"),
        ("DROP TABLE _sluice_checkpoints; CREATE TABLE _sluice_checkpoints (a)", "that is no table of checkpoints"),
    ])
    func aLaterLayoutIsRefusedByName(change: String, message: String) throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", feed(0..<50))
        _ = try scratch.ingest(file: file) { $0.limit = 10 }
        try scratch.execute(change)
        for isDryRun in [false, true] {
            let error = #expect(throws: IngestError.self) { try scratch.ingest(file: file) { $0.isDryRun = isDryRun } }
            #expect(error?.status.code == 3)
            #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
        }
        #expect(try scratch.count() == 10)
    }

    @Test func aFileWithSeveralNamesIsReadOnceInOneCommand() throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", feed(0..<50))
        _ = try scratch.shell("ln a.ndjson hard.ndjson; ln -s a.ndjson link.ndjson; mkdir logs; ln a.ndjson logs/b.ndjson")
        let command = "sluice ingest -q a.ndjson ./a.ndjson hard.ndjson link.ndjson \"$PWD/a.ndjson\" logs -o out.db"
        #expect(try scratch.shell(command).status == 0)
        #expect(try sum(scratch) == "50 1225.0")
        #expect(try scratch.shell("sluice ingest -q link.ndjson out.db").status == 0)
        #expect(try sum(scratch) == "50 1225.0")
    }

    @Test func capitalsInTheTablesNameMakeNoOtherInput() throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", feed(0..<50))
        _ = try scratch.ingest(file: file) { $0.limit = 10 }
        #expect(try scratch.ingest(file: file) { ($0.table, $0.existing) = ("Records", .append) }.stored == 40)
        #expect(try sum(scratch) == "50 1225.0")
    }
}
#endif
