#if CommandLine
import Foundation
import GRDB
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceFeed
@testable import SluiceTool

/// A run is taken up where it ended: each record is there exactly once.
@Suite struct ResumeTests {
    private func ingest(
        _ inputs: [String], into scratch: Scratch, interruption: Interruption = Interruption(),
        _ change: (inout Ingest.Options) -> Void = { _ in }
    ) throws -> IngestReport {
        var options = Ingest.Options(database: scratch.path("out.db"))
        change(&options)
        var progress = ProgressLine(isShown: false)
        return try Ingest(options, interruption: interruption).run(inputs: inputs, progress: &progress)
    }

    private func append(_ text: String, to path: String) throws {
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    private func values(_ scratch: Scratch, _ column: String = "a") throws -> [Int] {
        try scratch.rows("SELECT \(column) AS v FROM records ORDER BY rowid").map { $0["v"] }
    }

    @Test func aRunThatIsCompleteSaysSoAndDoesNothing() throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", "{\"a\":1}\n{\"a\":2}\n")
        #expect(try ingest([file], into: scratch).stored == 2)
        let again = try ingest([file], into: scratch)
        #expect(again.status == .success)
        #expect(again.stored == 0)
        #expect(again.text.hasPrefix("nothing to do: all records of the input are in "))
        #expect(again.text.contains("which has 2 rows"))
        #expect(try ingest([file], into: scratch) { $0.existing = .append }.outcome == .nothingToDo)
        #expect(try values(scratch) == [1, 2])
    }

    @Test(arguments: ["\n", ""])
    func anInputThatHasGrownIsTakenUpWhereItEnded(lineEnd: String) throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", "{\"a\":1}\n{\"a\":2}" + lineEnd)
        #expect(try ingest([file], into: scratch).stored == 2)
        try append((lineEnd.isEmpty ? "\n" : "") + "{\"a\":3}\nx\n{\"a\":4,\"late\":1}\n", to: file)
        let report = try ingest([file], into: scratch)
        #expect(report.stored == 2)
        #expect(report.resumed.map(\.records) == [2])
        #expect(report.rejections.map(\.position.line) == [4])
        #expect(report.rejections.map(\.position.offset).allSatisfy { (24..<26).contains($0) })
        #expect(try values(scratch) == [1, 2, 3, 4])
    }

    @Test func aRecordThatTheInputEndedInIsReadWhenItIsWhole() throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", "{\"a\":1}\n{\"a\":")
        let first = try ingest([file], into: scratch) { $0.rejects = "bad" }
        #expect(first.rejected == 1)
        #expect(try ingest([file], into: scratch) { $0.rejects = "bad" }.rejected == 1)
        #expect(try scratch.count("bad") == 1)
        try append("2}\n", to: file)
        #expect(try ingest([file], into: scratch) { $0.rejects = "bad" }.status == .success)
        #expect(try values(scratch) == [1, 2])
        #expect(try scratch.count("bad") == 0)
    }

    @Test func anArrayThatHasGrownIsTakenUpWhereItEnded() throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.json", "[\n{\"a\":1},\n{\"a\":2}\n]\n")
        #expect(try ingest([file], into: scratch).stored == 2)
        #expect(try ingest([file], into: scratch).outcome == .nothingToDo)
        try Data("[\n{\"a\":1},\n{\"a\":2},\n{\"a\":3},{\"a\":\"x\"}]".utf8).write(to: URL(fileURLWithPath: file))
        let report = try ingest([file], into: scratch)
        #expect(report.stored == 2)
        let texts = try scratch.rows("SELECT a || '' AS t FROM records ORDER BY rowid").map { $0["t"] as String }
        #expect(texts == ["1", "2", "3", "x"])
    }

    @Test func aPlaceBehindTheCheckpointIsCountedFromTheStart() throws {
        for format in ["array", "lines", "concatenated"] {
            let scratch = try Scratch()
            let separator = format == "array" ? ",\n" : "\n"
            let records = ["{\"a\":1}", "{\"a\":2}", "{\"a\":3}", "{\"a\":x}", "{\"a\":4}"]
            let text = format == "array" ? "[" + records.joined(separator: separator) + "]" : records.joined(separator: separator)
            let file = try scratch.file("a.json", text)
            let layout = IngestLayout.named(format) ?? .automatic
            let whole = try ingest([file], into: scratch) {
                $0.format = layout
                $0.table = "whole"
            }
            _ = try ingest([file], into: scratch) {
                $0.format = layout
                $0.limit = 2
            }
            let rest = try ingest([file], into: scratch) { $0.format = layout }
            #expect(rest.rejections.map(\.position) == whole.rejections.map(\.position), "\(format)")
            #expect(rest.rejections.count == 1, "\(format)")
            #expect(try values(scratch) == [1, 2, 3, 4], "\(format)")
        }
    }

    @Test func recordsAtAPathAreTakenUpWhereTheyEnded() throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.json", #"{"meta":1,"d":{"i":[{"a":1},{"a":2},{"a":3},{"a":4}]},"end":true}"#)
        for limit in [1, 3, 4, nil] {
            _ = try ingest([file], into: scratch) {
                $0.at = "d.i"
                $0.limit = limit
            }
        }
        #expect(try values(scratch) == [1, 2, 3, 4])
        #expect(try ingest([file], into: scratch) { $0.at = "d.i" }.outcome == .nothingToDo)
        #expect(throws: IngestError.self) { try ingest([file], into: scratch) { $0.at = "d" } }
    }

    @Test func anInputWithAnotherBeginningIsRefused() throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", "{\"a\":1}\n{\"a\":2}\n")
        _ = try ingest([file], into: scratch)
        _ = try scratch.file("a.ndjson", "{\"a\":7}\n{\"a\":8}\n{\"a\":9}\n")
        let error = #expect(throws: IngestError.self) { try ingest([file], into: scratch) }
        #expect(error?.description.contains("its beginning has changed; --restart reads it from its start") == true)
        _ = try scratch.file("a.ndjson", "{}\n")
        #expect(throws: IngestError.self) { try ingest([file], into: scratch) }
        _ = try scratch.file("a.ndjson", "{\"a\":7}\n{\"a\":8}\n{\"a\":9}\n")
        #expect(throws: IngestError.self) { try ingest([file], into: scratch) { $0.restarts = true } }
        let report = try ingest([file], into: scratch) {
            $0.restarts = true
            $0.existing = .append
        }
        #expect(report.stored == 3)
        #expect(try values(scratch) == [1, 2, 7, 8, 9])
        #expect(try ingest([file], into: scratch).outcome == .nothingToDo)
    }

    @Test func dropAndTruncateForgetTheCheckpoints() throws {
        let scratch = try Scratch()
        let files = [try scratch.file("a.ndjson", "{\"a\":1}\n"), try scratch.file("b.ndjson", "{\"a\":2}\n")]
        _ = try ingest(files, into: scratch)
        for existing in [ExistingTable.drop, .truncate] {
            #expect(try ingest([files[1]], into: scratch) { $0.existing = existing }.stored == 1)
            #expect(try values(scratch) == [2])
            #expect(try ingest(files, into: scratch).stored == 1)
            #expect(try values(scratch) == [2, 1])
        }
        try scratch.execute("DROP TABLE records")
        #expect(try ingest(files, into: scratch).stored == 2)
    }

    @Test func aRunWithOtherColumnsIsNotTakenUp() throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", "{\"a\":1}\n{\"a\":2}\n")
        _ = try ingest([file], into: scratch) { $0.limit = 1 }
        let error = #expect(throws: IngestError.self) {
            try ingest([file], into: scratch) { $0.columns = (try? [ColumnOption("b:integer=a").column]) ?? [] }
        }
        #expect(error?.description.contains("with other columns or another --at; --restart forgets it") == true)
    }

    @Test func theColumnsOfTheFirstRunHold() throws {
        let scratch = try Scratch()
        let file = try scratch.file(
            "a.ndjson", "{\"a\":1,\"o\":{\"x\":1}}\n{\"late\":{\"y\":2}}\n{\"b\":1.5,\"o\":\"odd\"}\n{\"late\":3}\n")
        _ = try ingest([file], into: scratch) {
            $0.sample = 1
            $0.limit = 3
        }
        let report = try ingest([file], into: scratch)
        #expect(report.origin == .resumed)
        #expect(
            try scratch.rows("SELECT * FROM records")[3] == [
                "a": nil, "o_x": nil, "late_y": nil, "b": nil, "o": nil, "late": "3",
            ])
    }

    @Test func aFileOfRejectedRecordsHoldsEachOnce() throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", "{\"a\":1}\nx\n{\"a\":2}\ny\n{\"a\":3}\n")
        let bad = scratch.path("bad.ndjson")
        _ = try ingest([file], into: scratch) {
            $0.limit = 3
            $0.rejects = bad
        }
        // What a run that was killed has written behind its last transaction.
        try append("leftover\n", to: bad)
        _ = try ingest([file], into: scratch) { $0.rejects = bad }
        let lines = try String(contentsOfFile: bad, encoding: .utf8).split(separator: "\n")
        #expect(try lines.map { try JSONValue(json: String($0))["json_line"]?.string } == ["x", "y"])
    }

    @Test func whatWasReadBeforeASignalWhileColumnsWereSoughtIsStored() throws {
        let scratch = try Scratch()
        let pipe = Pipe()
        let interruption = Interruption()
        pipe.fileHandleForWriting.write(Data("{\"a\":1}\n{\"a\":2}\n{\"a\":".utf8))
        let source = InterruptibleSource(
            descriptor: pipe.fileHandleForReading.fileDescriptor, name: "the pipe", interruption: interruption)
        let signal = Thread {
            Thread.sleep(forTimeInterval: 0.3)
            interruption.raise(SIGINT)
        }
        signal.start()
        let report = try scratch.ingest(source, interruption: interruption) { $0.format = .lines }
        #expect(report.outcome == .interrupted(SIGINT))
        #expect(report.stored == 2)
        #expect(try values(scratch) == [1, 2])
    }
}
#endif
