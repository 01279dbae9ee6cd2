#if CommandLine
import Foundation
import GRDB
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceFeed
@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

/// A run is taken up where it ended: each record is there exactly once.
@Suite struct ResumeTests {
    private func ingest(
        _ inputs: [String], into scratch: Scratch, interruption: Interruption = Interruption(),
        _ change: (inout IngestSetup) throws -> Void = { _ in }
    ) throws -> IngestReport {
        var options = IngestSetup(database: scratch.path("out.db"))
        try change(&options)
        let progress = ProgressLine(isShown: false)
        return try options.ingest(interruption).run(inputs: inputs, progress: progress)
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

    @Test func rejectionsOfEarlierRunsKeepTheExitCodeFromBeingZero() throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", "{\"a\":1}\nx\n{\"a\":2}\n")
        #expect(try ingest([file], into: scratch).status == .rejected)
        let again = try ingest([file], into: scratch)
        #expect(again.outcome == .nothingToDo)
        #expect(again.status == .rejected)
        #expect(again.text.hasPrefix("nothing to do: all records but 1, rejected by earlier runs, of the input are in "))
        try append("{\"a\":3}\n", to: file)
        let grown = try ingest([file], into: scratch)
        #expect(grown.stored == 1)
        #expect(grown.rejected == 0)
        #expect(grown.status == .rejected)
        #expect(grown.text.hasSuffix("\n1 record rejected by earlier runs\n"))
        #expect(grown.json.contains(#""rejected":0,"rejected_before":1,"#))
        try Data("{\"a\":1}\n".utf8).write(to: URL(fileURLWithPath: file))
        #expect(try ingest([file], into: scratch) { ($0.existing, $0.restarts) = (.truncate, true) }.status == .success)
    }

    @Test func aCutOffRecordThatHasBecomeWholeCountsAsRejectedNoLonger() throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", "{\"a\":1}\n{\"a\":")
        #expect(try ingest([file], into: scratch).status == .rejected)
        try append("2}\n", to: file)
        let whole = try ingest([file], into: scratch)
        #expect(whole.status == .success, "\(whole.text)")
        #expect(try ingest([file], into: scratch).status == .success)
        #expect(try values(scratch) == [1, 2])
    }

    @Test(arguments: [("{\"a\":1}\nx\n", "{\"a\":", "2}\n"), ("[{\"a\":1},{\"a\":nul},", "{\"a\":", "2}]")], [1, 2])
    func aCutOffRecordTakesNoOtherRejectionWithIt(parts: (String, String, String), workers: Int) throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.json", parts.0 + parts.1)
        for _ in 1...2 { #expect(try ingest([file], into: scratch) { $0.workers = workers }.status == .rejected) }
        try append(parts.2, to: file)
        let whole = try ingest([file], into: scratch) { $0.workers = workers }
        #expect(whole.rejectedBefore == 1)
        #expect(whole.status == .rejected, "\(whole.text)")
        #expect(try scratch.rows("SELECT rejected AS v FROM _sluice_checkpoints").map { $0["v"] as Int } == [1])
        #expect(try values(scratch) == [1, 2])
    }

    @Test(
        arguments: [
            ("{\"a\":1}\n{\"a\":", "2}\n{\"a\":3}\n", nil), ("[{\"a\":1},{\"a\":", "2},{\"a\":3}]", nil),
            ("{\"d\":[{\"a\":1},{\"a\":", "2},{\"a\":3}]}", "d" as JSONRecordPath?),
        ], [1, 2])
    func aCutOffRecordIsReadAgainThoughTheRunStopsAtIt(parts: (String, String, JSONRecordPath?), workers: Int) throws {
        for stop in ["limit", "errors", "errors 1"] {
            let scratch = try Scratch()
            let file = try scratch.file("a.json", parts.0)
            func ingest(stops: Bool) throws -> IngestReport {
                try self.ingest([file], into: scratch) {
                    ($0.workers, $0.rejects, $0.feed.path) = (workers, "bad", parts.2)
                    if stops { ($0.limit, $0.maximumErrors) = stop == "limit" ? (2, nil) : (nil, stop == "errors" ? 0 : 1) }
                }
            }
            _ = try ingest(stops: true)
            try append(parts.1, to: file)
            let whole = try ingest(stops: false)
            #expect(whole.status == .success, "\(whole.text)")
            #expect(try values(scratch) == [1, 2, 3], "\(stop)")
            #expect(try scratch.rows("SELECT * FROM bad").isEmpty)
        }
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

    /// The file says 23 now, and the table has 2.
    @Test(arguments: ["3\n4\n", ".5\n", "e1"]) func anInputWhoseLastNumberHasGrownIsRefused(more: String) throws {
        for format in [JSONFeedFormat.lines, .concatenated] {
            let scratch = try Scratch()
            let file = try scratch.file("a.ndjson", "1\n2")
            func run() throws -> IngestReport {
                try ingest([file], into: scratch) {
                    $0.feed.format = format
                    $0.feed.wrapping = RecordWrapping(keyColumn: nil, valueColumn: "a")
                }
            }
            #expect(try run().stored == 2)
            try append(more, to: file)
            let report = try run()
            #expect("\(report.outcome)".contains("expected the end of the record before byte 3, found more of it"), "\(report)")
            #expect(report.status == .inputOutput)
            #expect(try values(scratch) == [1, 2])
        }
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

    @Test func aPlaceAfterTheCheckpointIsCountedFromTheStart() throws {
        for layout in [JSONFeedFormat.array, .lines, .concatenated] {
            let scratch = try Scratch()
            let separator = layout == .array ? ",\n" : "\n"
            let records = ["{\"a\":1}", "{\"a\":2}", "{\"a\":3}", "{\"a\":x}", "{\"a\":4}"]
            let text = layout == .array ? "[" + records.joined(separator: separator) + "]" : records.joined(separator: separator)
            let file = try scratch.file("a.json", text)
            let whole = try ingest([file], into: scratch) {
                $0.feed.format = layout
                $0.table = "whole"
            }
            _ = try ingest([file], into: scratch) {
                $0.feed.format = layout
                $0.limit = 2
            }
            let rest = try ingest([file], into: scratch) { $0.feed.format = layout }
            #expect(rest.rejections.map(\.position) == whole.rejections.map(\.position), "\(layout)")
            #expect(rest.rejections.count == 1, "\(layout)")
            #expect(try values(scratch) == [1, 2, 3, 4], "\(layout)")
        }
    }

    @Test func recordsAtAPathAreTakenUpWhereTheyEnded() throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.json", #"{"meta":1,"d":{"i":[{"a":1},{"a":2},{"a":3},{"a":4}]},"end":true}"#)
        for limit in [1, 3, 4, nil] {
            _ = try ingest([file], into: scratch) {
                $0.feed.path = "d.i"
                $0.limit = limit
            }
        }
        #expect(try values(scratch) == [1, 2, 3, 4])
        #expect(try ingest([file], into: scratch) { $0.feed.path = "d.i" }.outcome == .nothingToDo)
        #expect(throws: IngestError.self) { try ingest([file], into: scratch) { $0.feed.path = "d" } }
    }

    /// Feeds of containers that hold records of the numbers from 1 to 4.
    private static let containers: [(text: String, path: JSONRecordPath?)] = [
        ("[{\"a\":1},\n{\"a\":2}, {\"a\":3},\n{\"a\":4}]\n", nil),
        ("\u{1E}{\"a\":1}\n\u{1E}{\"a\":2}\n\u{1E}{\"a\":3}\n\u{1E}{\"a\":4}\n", nil),
        ("{\"i\":[{\"a\":1},{\"a\":2}],\"z\":[1]}\n{\"i\":[{\"a\":3},{\"a\":4}]}\n", "i"),
        ("{\n\"i\":[{\"a\":1},\n{\"a\":2}\n],\"z\":[\n1]}\n{\n\"i\":[{\"a\":3},\n {\"a\":4} ]}\n", "i"),
        ("{ \"i\":[\n{\"a\":1},{\"a\":2}\n,{\"a\":3},{\"a\":4}],\"z\":{\"y\":0}}\n", "i"),
        ("\u{1E}{\"i\":[{\"a\":1},{\"a\":2}]}\n\u{1E}{\"i\":[{\"a\":3},{\"a\":4}]}\n", "i"),
    ]

    @Test(arguments: containers)
    func aContainerThatTheInputEndedInIsReadOnWhenItHasGrown(_ feed: (text: String, path: JSONRecordPath?)) throws {
        let bytes = Array(feed.text.utf8)
        let scratch = try Scratch()
        for count in 1..<bytes.count {
            let file = scratch.path("a\(count).json")
            func run() throws -> IngestReport {
                try ingest([file], into: scratch) {
                    $0.feed.path = feed.path
                    $0.columns = try ColumnOption.columns([ColumnOption("a:integer")])
                    $0.workers = 1 + count % 2
                    $0.table = "t\(count)"
                    $0.rejects = "bad\(count)"
                }
            }
            try Data(bytes[..<count]).write(to: URL(fileURLWithPath: file))
            _ = try run()
            try Data(bytes).write(to: URL(fileURLWithPath: file))
            #expect(try run().status == .success, "\(count) bytes")
            let rows = try scratch.rows("SELECT a FROM t\(count) ORDER BY rowid").map { $0["a"] as Int }
            #expect(rows == [1, 2, 3, 4], "\(count) bytes")
            #expect(try scratch.count("bad\(count)") == 0, "\(count) bytes")
        }
    }

    @Test(arguments: [1, 2]) func whatIsWrongBetweenDocumentsIsKeptWhenARunIsTakenUpAfterIt(workers: Int) throws {
        let scratch = try Scratch()
        let text = "{\"i\":[{\"a\":1},\n{\"a\":2}]}\nbad\n{\"i\":[{\"a\":3}]}\n"
        let file = try scratch.file("a.json", text)
        for limit in [1, 2, 3, 4, nil] {
            _ = try ingest([file], into: scratch) {
                $0.feed.path = "i"
                $0.workers = workers
                $0.rejects = "bad"
                $0.limit = limit
            }
        }
        #expect(try values(scratch) == [1, 2, 3])
        #expect(try scratch.count("bad") == 1)
    }

    @Test func theRejectedRecordsOfAnotherTableAreKeptWhenARunIsTakenUp() throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", "{\"a\":1}\nbad\n{\"a\":2}\nworse\n{\"a\":3}\n")
        for (table, limit) in [("one", nil), ("two", 1), ("two", nil)] as [(String, Int?)] {
            _ = try ingest([file], into: scratch) {
                $0.table = table
                $0.rejects = "bad"
                $0.limit = limit
            }
        }
        #expect(try scratch.count("bad") == 4)
    }

    /// Feeds of every layout, with damage, late keys, and blanks between records.
    private static let feeds: [(String, JSONFeedFormat, JSONRecordPath?, Bool)] = [
        ("{\"a\":1}\n\n{\"a\":2}\r\nx\n{\"a\":4,\"b\":[5]}\n  {\"a\":5}", .automatic, nil, false),
        ("[{\"a\":1} ,\n{\"a\":2},7,{\"b\":3}, {\"a\":{\"c\":1}}]\n", .automatic, nil, false),
        ("{\"a\":1}{\"a\":2}\n{\n\"b\":3}{\"a\":4}", .concatenated, nil, false),
        ("\u{1E}{\"a\":1}\n\u{1E}{\"a\":\n2}\n\u{1E}nul\n\u{1E}{\"a\":4}\n", .sequence, nil, false),
        ("{\"i\":[{\"a\":1},{\"a\":2}],\"x\":0}\n{\"i\":[3,{\"a\":4}]}\n{\"i\":{\"a\":5}}\n", .lines, "i", false),
        ("{\"x\":[{\"i\":[{\"a\":1},{\"a\":2}]},{\"i\":[]},{\"i\":[{\"b\":3}, {\"a\":4}]}],\"y\":{}}", .object, "x.*.i", false),
        ("[\"a\",\"b\"]\n[1]\n[2,\"x\"]\n[1,2,3]\n{\"a\":4}\n[5,[6]]\n", .automatic, nil, true),
        ("[[\"a\",\"b\"],[1,2], [3],\n[4,true]]", .automatic, nil, true),
    ]

    @Test(arguments: feeds, [1, 2])
    func anInputIsTakenUpAfterAnyRecord(
        _ feed: (text: String, format: JSONFeedFormat, path: JSONRecordPath?, hasHeader: Bool), workers: Int
    ) throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.json", feed.text)
        func run(_ table: String, limit: Int?) throws -> IngestReport {
            try ingest([file], into: scratch) {
                $0.feed = FeedReading(format: feed.format, path: feed.path, hasHeader: feed.hasHeader)
                $0.table = table
                $0.rejects = table + "_bad"
                $0.sample = 2
                $0.workers = workers
                $0.limit = limit
            }
        }
        func rows(_ table: String) throws -> [String] {
            try ["", "_bad"].flatMap { suffix in
                try scratch.rows("SELECT * FROM \(table)\(suffix) ORDER BY rowid").map {
                    zip($0.columnNames, $0.databaseValues).map { "\($0)=\($1)" }.sorted().joined(separator: " ")
                }
            }
        }
        let whole = try run("whole", limit: nil)
        let expected = try rows("whole")
        #expect(whole.records >= 3)
        for limit in 1..<whole.records {
            _ = try run("t\(limit)", limit: limit)
            let rest = try run("t\(limit)", limit: nil)
            #expect(rest.records == whole.records - limit)
            #expect(rest.resumed.map(\.records) == [limit])
            #expect(try rows("t\(limit)") == expected, "after \(limit)")
            #expect(try run("t\(limit)", limit: nil).outcome == .nothingToDo)
        }
    }

    @Test(arguments: [nil, "d.i" as JSONRecordPath?])
    func whatIsAfterTheCheckpointIsNotReadAgain(path: JSONRecordPath?) throws {
        let scratch = try Scratch()
        let records = (0..<40_000).map { #"{"a":\#($0),"text":"\#(String(repeating: "x", count: 50))"}"# }
        let text = path == nil ? records.joined(separator: "\n") : #"{"d":{"i":["# + records.joined(separator: ",") + "]}}"
        let file = try scratch.file("a.json", text)
        for limit in [39_000, nil] {
            let report = try ingest([file], into: scratch) {
                $0.feed.path = path
                $0.limit = limit
            }
            if limit == nil { #expect(report.bytes < 100_000) }
        }
        #expect(try scratch.value("SELECT count(*) || ' ' || sum(a) FROM records") == "40000 799980000")
    }

    @Test func anInputWithAnotherBeginningIsRefused() throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", "{\"a\":1}\n{\"a\":2}\n")
        _ = try ingest([file], into: scratch)
        _ = try scratch.file("a.ndjson", "{\"a\":7}\n{\"a\":8}\n{\"a\":9}\n")
        let error = #expect(throws: IngestError.self) { try ingest([file], into: scratch) }
        #expect(
            error?.commandLine.hasSuffix(
                "is not the input of which 2 records were read into the table: expected the feed of the checkpoint, found one that "
                    + "begins differently; --restart reads it from its start, as another input") == true)
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
        #expect(error?.commandLine.contains("with other columns, another --at or another --where; --restart forgets it") == true)
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
        _ = try ingest([file], into: scratch) { $0.rejects = bad }
        let lines = try String(contentsOfFile: bad, encoding: .utf8).split(separator: "\n")
        #expect(try lines.map { try JSONValue(json: String($0))["json_line"]?.string } == ["x", "y"])
    }

    // MARK: Signals

    @Test(arguments: [ExistingTable.refuse, .truncate, .drop])
    func aSignalBeforeTheFirstRecordLeavesEverythingAsItWas(existing: ExistingTable) throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", "{\"a\":1}\n{\"a\":2}\n")
        let isNew = existing == .refuse
        if !isNew { #expect(try scratch.ingest("{\"a\":7}").stored == 1) }
        let interruption = Interruption()
        interruption.raise(SIGINT)
        let report = try ingest([file], into: scratch, interruption: interruption) {
            $0.existing = existing
            $0.columns = try ColumnOption.columns([ColumnOption("a:integer")])
        }
        #expect(report.status.code == 130)
        if !isNew { #expect(try values(scratch) == [7]) }
        #expect(try scratch.value("SELECT count(*) FROM sqlite_master WHERE name = 'records'") == (isNew ? 0 : 1))
        // The same command goes on.
        #expect(
            try ingest([file], into: scratch) {
                $0.existing = existing
                $0.columns = try ColumnOption.columns([ColumnOption("a:integer")])
            }.stored == 2)
        #expect(try values(scratch) == [1, 2])
    }

    @Test func anInputThatCannotBeReadAtAllLeavesNoTableEither() throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", "{\"a\":1}\n")
        let source = Ambush([], after: -1) { () throws(JSONError) in throw JSONError.inputOutput("read", "the disk", EIO) }
        let columns = try ColumnOption.columns([ColumnOption("a:integer")])
        #expect(try scratch.ingest(source) { $0.columns = columns }.status.code == 3)
        #expect(try ingest([file], into: scratch) { $0.columns = columns }.stored == 1)
    }

    #if os(Linux)
    /// The signal comes while a sample of two inputs waits for the second one.
    @Test(.enabled(if: Shell.isPresent), arguments: ["", "{\"b\":1}\n{\"b\":2}\n"])
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
            #expect(try values(scratch, "b") == [1, 2])
        }
        #expect(try scratch.shell("sluice ingest -q a.ndjson out.db --append").status == 0)
        #expect(try scratch.value("SELECT group_concat(a) FROM records WHERE a IS NOT NULL") == "1,2")
    }
    #endif

    @Test func whatWasReadBeforeASignalWhileColumnsWereSoughtIsStored() throws {
        let scratch = try Scratch()
        let pipe = Pipe()
        let interruption = Interruption()
        pipe.fileHandleForWriting.write(Data("{\"a\":1}\n{\"a\":2}\n{\"a\":".utf8))
        let source = InterruptibleSource(
            descriptor: pipe.fileHandleForReading.fileDescriptor, name: "the pipe", interruption: interruption)
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        let signal = Thread {
            // When all of it has been read.
            var pipe = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            while unsafe poll(&pipe, 1, 0) > 0 { usleep(1_000) }
            interruption.raise(SIGINT)
        }
        signal.start()
        let report = try scratch.ingest(source, interruption: interruption) { $0.feed.format = .lines }
        #expect(report.outcome == .interrupted(SIGINT))
        #expect(report.stored == 2)
        #expect(try values(scratch) == [1, 2])
    }
}
#endif
