#if CommandLine && os(Linux)
import Foundation
import GRDB
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

/// A run that waits for a slow pipe lets other runs write to the database.
@Suite(.enabled(if: Shell.isPresent)) struct WaitingRunTests {
    @Test(arguments: ["{\"a\":1}\n", "{\"a\":1}\n{\"a\":", "{\"a\":"], ["--workers 1", "--workers 2"])
    func anotherRunFinishesWhileThisOneWaitsForAPipe(beginning: String, workers: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("b.ndjson", "{\"b\":1}\nx\n{\"b\":2}\n")
        let fifo = try Fifo(scratch)
        let first = try scratch.start("exec sluice ingest -q feed out.db --column a:integer --rejects bad.ndjson \(workers)")
        fifo.write(beginning)
        fifo.awaitReader()
        let second = try scratch.shell("sluice ingest -q b.ndjson out.db --table others --rejects bad.ndjson")
        #expect(second.status == 2, "\(second)")
        #expect(try scratch.count("others") == 2)
        fifo.write(beginning.hasSuffix("\n") ? "nul\n{\"a\":2}\n" : "2}\nnul\n")
        fifo.awaitReader()
        fifo.end()
        let result = try first.result()
        #expect(result.status == 2, "\(result)")
        let expected = beginning.hasPrefix("{\"a\":1}") ? "1,2" : "2"
        #expect(try scratch.value("SELECT group_concat(a) FROM records") == expected)
        let rejections = try String(contentsOfFile: scratch.path("bad.ndjson"), encoding: .utf8).split(separator: "\n")
        #expect(rejections.count == 2)
    }

    @Test func aDatabaseThatIsDeletedDuringARunIsAnError() throws {
        let scratch = try Scratch()
        let fifo = try Fifo(scratch)
        let run = try scratch.start("exec sluice ingest -q feed out.db --column a:integer --batch 1")
        fifo.write("{\"a\":1}\n")
        fifo.awaitReader()
        while ((try? scratch.count()) ?? 0) < 1 { usleep(10_000) }
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: scratch.path("out.db" + end)) }
        fifo.write("{\"a\":2}\n")
        fifo.end()
        let result = try run.result()
        #expect(result.status == 3, "\(result)")
        #expect(result.errors.contains("out.db was moved or deleted while records were stored"), "\(result)")
    }

    /// The table refuses a row only when the run stores what it has, because nothing comes from the pipe. Then it must end.
    @Test(arguments: ["{\"id\":1}\n{\"id\":1}\n", "{\"id\":1}\n{\"id\":1}\n{\"id\":"], ["--workers 1", "--workers 2"])
    func aRunWithTooManyErrorsDoesNotWaitForItsPipe(beginning: String, workers: String) throws {
        let scratch = try Scratch()
        let fifo = try Fifo(scratch)
        let run = try scratch.start("exec sluice ingest -q feed out.db --column id:integer --pk id --max-errors 0 \(workers)")
        fifo.write(beginning)
        let limit = Date(timeIntervalSinceNow: 30)
        while run.isRunning, Date() < limit { usleep(10_000) }
        #expect(!run.isRunning)
        fifo.end()
        #expect(try run.result().status == 4)
        #expect(try scratch.count() == 1)
    }

    @Test(arguments: ["--workers 1", "--workers 2"])
    func aRunThatEndsWhileItWaitsForItsFirstRecordLeavesNoTable(workers: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("b.ndjson", "{\"b\":1}\n")
        let fifo = try Fifo(scratch)
        let first = try scratch.start("exec sluice ingest -q feed out.db --column a:integer \(workers)")
        fifo.write("{\"a\":")
        fifo.awaitReader()
        #expect(try scratch.shell("sluice ingest -q b.ndjson out.db --table others").status == 0)
        kill(first.id, SIGTERM)
        #expect(try first.result().status == 143)
        #expect(try scratch.value("SELECT count(*) FROM sqlite_master WHERE name = 'records'") == 0)
    }

    @Test(arguments: ["--workers 1", "--workers 2"])
    func aRunThatWaitsStillHoldsTheInputsThatItHasRead(workers: String) throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", "{\"a\":1}\n{\"a\":2}\n")
        let fifo = try Fifo(scratch)
        let first = try scratch.start("exec sluice ingest -q a.ndjson feed -o out.db --append --column a:integer \(workers)")
        fifo.write("{\"a\":3}\n")
        fifo.awaitReader()
        let handle = try #require(FileHandle(forWritingAtPath: file))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("{\"a\":4}\n".utf8))
        try handle.close()
        let other = try scratch.shell("sluice ingest a.ndjson out.db --append --column a:integer")
        #expect(other.status == 3)
        #expect(other.errors.contains(" is reading a.ndjson into the table records "), "\(other)")
        fifo.end()
        #expect(try first.result().status == 0)
        #expect(try scratch.shell("sluice ingest -q a.ndjson out.db --append --column a:integer").status == 0)
        #expect(try scratch.value("SELECT group_concat(a) FROM records") == "1,2,3,4")
    }

    /// A third run was killed in the middle of a transaction. A connection that only looks cannot take it back, so it looks again.
    @Test func aRunThatWaitsDoesNotMindTheTransactionOfAKilledOne() async throws {
        let scratch = try Scratch()
        try WaitingRunTests.makeUnfinishedTransaction(scratch)
        let (this, holder) = (RunIdentity.new(), RunIdentity.new())
        defer {
            this.end()
            holder.end()
        }
        let sink = SQLiteSink(path: scratch.path("out.db"))
        #expect(throws: IngestError.locked("cannot open \(scratch.path("out.db")): \(WaitingRunTests.unfinished)")) {
            try sink.connect(SinkRun(identity: this, isDryRun: true)).contents()
        }
        let entry = SinkCheckpoint(
            input: "in", version: CheckpointVersion(table: "records", run: holder.text), checkpoint: nil, isHeld: true)
        let other = OtherRun("in", entry, isRunning: true)
        async let hasEnded = IngestJob(IngestOptions(), into: sink).wait(for: other, seenFrom: this)
        try await Task.sleep(for: .milliseconds(100))
        try scratch.execute("CREATE TABLE more (x)")
        #expect(try await hasEnded)
        #expect(try scratch.value("SELECT min(length(x)) || ' ' || max(length(x)) FROM t") == "500 500")
    }

    private static let unfinished = "a process that was killed has left a transaction, which the next one that writes takes back"

    /// Makes a database as a process leaves it that is killed in the middle of a transaction.
    private static func makeUnfinishedTransaction(_ scratch: Scratch) throws {
        try DatabaseQueue(path: scratch.path("work.db")).writeWithoutTransaction { db in
            // Pages that do not fit are written before the commit.
            try db.execute(sql: "PRAGMA cache_size = 5; CREATE TABLE t (x)")
            for _ in 0..<200 { try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [String(repeating: "a", count: 500)]) }
            try db.inTransaction {
                try db.execute(sql: "UPDATE t SET x = x || 'b'")
                for end in ["", "-journal"] {
                    try FileManager.default.copyItem(atPath: scratch.path("work.db\(end)"), toPath: scratch.path("out.db\(end)"))
                }
                return .rollback
            }
        }
    }
}
#endif
