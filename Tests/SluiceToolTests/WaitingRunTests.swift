#if CommandLine && os(Linux)
import Foundation
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
}
#endif
