#if SQLite
import Foundation
import SluiceCore
import SluiceFeed
import SluiceTestSupport
import Testing

@testable import SluiceIngest

/// A run is taken up where it ended: each record is there exactly once.
@Suite struct ResumeTests {
    private func values(_ loader: Loader, _ column: String = "a", of table: String = "records") throws -> [StoredValue] {
        try loader.rows(column, of: table).map { $0[0] }
    }

    @Test(arguments: LoaderSink.databases) func aRunThatIsCompleteSaysSoAndDoesNothing(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let file = try loader.scratch.file("a.ndjson", "{\"a\":1}\n{\"a\":2}\n")
        #expect(try loader.load(file: file).stored == 2)
        let again = try loader.load(file: file)
        #expect(again.isSuccess)
        #expect(again.stored == 0)
        #expect(again.outcome == .nothingToDo && again.totalRows == 2)
        #expect(try loader.load(file: file) { $0.existing = .append }.outcome == .nothingToDo)
        #expect(try values(loader) == [1, 2])
    }

    @Test(arguments: LoaderSink.databases, ["state = '{'", "checkpoint = 'x'"])
    func aCheckpointThatCannotBeReadIsNamedAndTheFileIsNotReadAgain(sink: LoaderSink, damage: String) throws {
        let loader = try Loader(sink)
        let file = try loader.scratch.file("a.ndjson", "{\"a\":1}\n{\"a\":2}\n")
        try loader.load(file: file)
        try loader.execute("UPDATE \(OwnTables.checkpoints) SET \(damage)")
        let error = #expect(throws: IngestError.self) { try loader.load(file: file) { $0.existing = .append } }
        #expect(error.map { "\($0)".contains("is damaged, or comes from another version of sluice") } == true)
        #expect(try values(loader) == [1, 2])
    }

    @Test(arguments: LoaderSink.databases) func aLoadOfASnapshotThatCannotBeReadIsNamedAndNoRowIsRemoved(sink: LoaderSink) throws
    {
        let loader = try Loader(sink)
        let file = try loader.scratch.file("a.ndjson", "{\"a\":1}\n{\"a\":2}\n")
        func load(_ file: String) throws {
            try loader.load(file: file) {
                ($0.missing, $0.primaryKey, $0.conflict, $0.existing) = (.delete, ["a"], .upsert, .append)
            }
        }
        try load(file)
        try loader.execute("UPDATE \(OwnTables.checkpoints) SET state = '{' WHERE input LIKE 'snapshot:%'")
        let error = #expect(throws: IngestError.self) { try load(loader.scratch.file("b.ndjson", "{\"a\":3}\n")) }
        #expect(error.map { "\($0)".contains("is damaged, or comes from another version of sluice") } == true)
        #expect(try values(loader) == [1, 2])
    }

    @Test(arguments: LoaderSink.databases) func rejectionsOfEarlierRunsKeepTheExitCodeFromBeingZero(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let file = try loader.scratch.file("a.ndjson", "{\"a\":1}\nx\n{\"a\":2}\n")
        #expect(try loader.load(file: file).isLossy)
        let again = try loader.load(file: file)
        #expect(again.outcome == .nothingToDo)
        #expect(again.isLossy)
        #expect(again.rejected == 0 && again.rejectedBefore == 1)
        try loader.scratch.append("{\"a\":3}\n", to: file)
        let grown = try loader.load(file: file)
        #expect(grown.stored == 1)
        #expect(grown.rejected == 0)
        #expect(grown.isLossy)
        #expect(grown.rejectedBefore == 1)
        try Data("{\"a\":1}\n".utf8).write(to: URL(fileURLWithPath: file))
        #expect(try loader.load(file: file) { ($0.existing, $0.restarts) = (.truncate, true) }.isSuccess)
    }

    @Test(arguments: LoaderSink.databases) func aCutOffRecordThatHasBecomeWholeCountsAsRejectedNoLonger(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let file = try loader.scratch.file("a.ndjson", "{\"a\":1}\n{\"a\":")
        #expect(try loader.load(file: file).isLossy)
        try loader.scratch.append("2}\n", to: file)
        let whole = try loader.load(file: file)
        #expect(whole.isSuccess, "\(whole)")
        #expect(try loader.load(file: file).isSuccess)
        #expect(try values(loader) == [1, 2])
    }

    @Test(
        arguments: LoaderSink.databases, [("{\"a\":1}\nx\n", "{\"a\":", "2}\n"), ("[{\"a\":1},{\"a\":nul},", "{\"a\":", "2}]")])
    func aCutOffRecordTakesNoOtherRejectionWithIt(sink: LoaderSink, parts: (String, String, String)) throws {
        for workers in [1, 2] { try takesNoOtherRejection(Loader(sink), parts, workers: workers) }
    }

    private func takesNoOtherRejection(_ loader: Loader, _ parts: (String, String, String), workers: Int) throws {
        let file = try loader.scratch.file("a.json", parts.0 + parts.1)
        for _ in 1...2 { #expect(try loader.load(file: file) { $0.workers = workers }.isLossy) }
        try loader.scratch.append(parts.2, to: file)
        let whole = try loader.load(file: file) { $0.workers = workers }
        #expect(whole.rejectedBefore == 1)
        #expect(whole.isLossy, "\(whole)")
        #expect(try loader.rows("rejected", of: "_sluice_checkpoints") == [[1]])
        #expect(try values(loader) == [1, 2])
    }

    @Test(
        arguments: LoaderSink.databases,
        [
            ("{\"a\":1}\n{\"a\":", "2}\n{\"a\":3}\n", nil), ("[{\"a\":1},{\"a\":", "2},{\"a\":3}]", nil),
            ("{\"d\":[{\"a\":1},{\"a\":", "2},{\"a\":3}]}", "d" as JSONRecordPath?),
        ])
    func aCutOffRecordIsReadAgainThoughTheRunStopsAtIt(sink: LoaderSink, parts: (String, String, JSONRecordPath?)) throws {
        for (stop, workers) in [("limit", 1), ("limit", 2), ("errors", 1), ("errors", 2), ("errors 1", 1), ("errors 1", 2)] {
            let loader = try Loader(sink)
            let file = try loader.scratch.file("a.json", parts.0)
            func load(stops: Bool) throws -> IngestReport {
                try loader.load(file: file) {
                    ($0.workers, $0.rejects, $0.feed.path) = (workers, .table("bad"), parts.2)
                    if stops { ($0.limit, $0.maximumErrors) = stop == "limit" ? (2, nil) : (nil, stop == "errors" ? 0 : 1) }
                }
            }
            _ = try load(stops: true)
            try loader.scratch.append(parts.1, to: file)
            let whole = try load(stops: false)
            #expect(whole.isSuccess, "\(whole)")
            #expect(try values(loader) == [1, 2, 3], "\(stop)")
            #expect(try loader.count("bad") == 0)
        }
    }

    @Test(arguments: LoaderSink.databases, ["\n", ""])
    func anInputThatHasGrownIsTakenUpWhereItEnded(sink: LoaderSink, lineEnd: String) throws {
        let loader = try Loader(sink)
        let file = try loader.scratch.file("a.ndjson", "{\"a\":1}\n{\"a\":2}" + lineEnd)
        #expect(try loader.load(file: file).stored == 2)
        try loader.scratch.append((lineEnd.isEmpty ? "\n" : "") + "{\"a\":3}\nx\n{\"a\":4,\"late\":1}\n", to: file)
        let report = try loader.load(file: file)
        #expect(report.stored == 2)
        #expect(report.resumed.map(\.records) == [2])
        #expect(report.rejections.map(\.position.line) == [4])
        #expect(report.rejections.map(\.position.offset).allSatisfy { (24..<26).contains($0) })
        #expect(try values(loader) == [1, 2, 3, 4])
    }

    /// The file says 23 now, and the table has 2.
    @Test(arguments: LoaderSink.databases, ["3\n4\n", ".5\n", "e1"])
    func anInputWhoseLastNumberHasGrownIsRefused(sink: LoaderSink, more: String) throws {
        for format in [JSONFeedFormat.lines, .concatenated] {
            let loader = try Loader(sink)
            let file = try loader.scratch.file("a.ndjson", "1\n2")
            func run() throws -> IngestReport {
                try loader.load(file: file) {
                    $0.feed.format = format
                    $0.feed.wrapping = RecordWrapping(keyColumn: nil, valueColumn: "a")
                }
            }
            #expect(try run().stored == 2)
            try loader.scratch.append(more, to: file)
            let report = try run()
            #expect("\(report.outcome)".contains("expected the end of the record before byte 3, found more of it"), "\(report)")
            guard case .failed = report.outcome else { return #expect(Bool(false), "\(report)") }
            #expect(try values(loader) == [1, 2])
        }
    }

    @Test(arguments: LoaderSink.databases) func aRecordThatTheInputEndedInIsReadWhenItIsWhole(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let file = try loader.scratch.file("a.ndjson", "{\"a\":1}\n{\"a\":")
        let first = try loader.load(file: file) { $0.rejects = .table("bad") }
        #expect(first.rejected == 1)
        #expect(try loader.load(file: file) { $0.rejects = .table("bad") }.rejected == 1)
        #expect(try loader.count("bad") == 1)
        try loader.scratch.append("2}\n", to: file)
        #expect(try loader.load(file: file) { $0.rejects = .table("bad") }.isSuccess)
        #expect(try values(loader) == [1, 2])
        #expect(try loader.count("bad") == 0)
    }

    @Test(arguments: LoaderSink.databases) func anArrayThatHasGrownIsTakenUpWhereItEnded(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let file = try loader.scratch.file("a.json", "[\n{\"a\":1},\n{\"a\":2}\n]\n")
        #expect(try loader.load(file: file).stored == 2)
        #expect(try loader.load(file: file).outcome == .nothingToDo)
        try Data("[\n{\"a\":1},\n{\"a\":2},\n{\"a\":3},{\"a\":\"x\"}]".utf8).write(to: URL(fileURLWithPath: file))
        let report = try loader.load(file: file)
        // A `bigint` takes no text.
        let isKept = sink == .sqlite
        #expect(report.stored == (isKept ? 2 : 1) && report.rejected == (isKept ? 0 : 1))
        #expect(try values(loader) == [1, 2, 3] + (isKept ? ["x"] : []))
    }

    @Test(arguments: LoaderSink.databases) func aPositionAfterTheCheckpointIsCountedFromTheStart(sink: LoaderSink) throws {
        for layout in [JSONFeedFormat.array, .lines, .concatenated] {
            let loader = try Loader(sink)
            let separator = layout == .array ? ",\n" : "\n"
            let records = ["{\"a\":1}", "{\"a\":2}", "{\"a\":3}", "{\"a\":x}", "{\"a\":4}"]
            let text = layout == .array ? "[" + records.joined(separator: separator) + "]" : records.joined(separator: separator)
            let file = try loader.scratch.file("a.json", text)
            let whole = try loader.load(file: file, into: "whole") { $0.feed.format = layout }
            try loader.load(file: file) {
                $0.feed.format = layout
                $0.limit = 2
            }
            let rest = try loader.load(file: file) { $0.feed.format = layout }
            #expect(rest.rejections.map(\.position) == whole.rejections.map(\.position), "\(layout)")
            #expect(rest.rejections.count == 1, "\(layout)")
            #expect(try values(loader) == [1, 2, 3, 4], "\(layout)")
        }
    }

    @Test(arguments: LoaderSink.databases) func recordsAtAPathAreTakenUpWhereTheyEnded(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let file = try loader.scratch.file("a.json", #"{"meta":1,"d":{"i":[{"a":1},{"a":2},{"a":3},{"a":4}]},"end":true}"#)
        for limit in [1, 3, 4, nil] {
            try loader.load(file: file) {
                $0.feed.path = "d.i"
                $0.limit = limit
            }
        }
        #expect(try values(loader) == [1, 2, 3, 4])
        #expect(try loader.load(file: file) { $0.feed.path = "d.i" }.outcome == .nothingToDo)
        #expect(throws: IngestError.self) { try loader.load(file: file) { $0.feed.path = "d" } }
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

    /// Cut at every byte. In PostgreSQL, each load has a session of its own: it gets some of the cuts.
    @Test(arguments: LoaderSink.databases, containers)
    func aContainerThatTheInputEndedInIsReadOnWhenItHasGrown(sink: LoaderSink, feed: (text: String, path: JSONRecordPath?)) throws
    {
        let bytes = Array(feed.text.utf8)
        let loader = try Loader(sink)
        for count in stride(from: 1, to: bytes.count, by: sink == .sqlite ? 1 : 29) {
            let file = loader.scratch.path("a\(count).json")
            func run() throws -> IngestReport {
                try loader.load(file: file, columns: ["a:integer"], into: "t\(count)") {
                    ($0.feed.path, $0.workers, $0.rejects) = (feed.path, 1 + count % 2, .table("bad\(count)"))
                }
            }
            try Data(bytes[..<count]).write(to: URL(fileURLWithPath: file))
            _ = try run()
            try Data(bytes).write(to: URL(fileURLWithPath: file))
            #expect(try run().isSuccess, "\(count) bytes")
            #expect(try values(loader, of: "t\(count)") == [1, 2, 3, 4], "\(count) bytes")
            #expect(try loader.count("bad\(count)") == 0, "\(count) bytes")
        }
    }

    @Test(arguments: LoaderSink.databases, [1, 2])
    func whatIsWrongBetweenDocumentsIsKeptWhenARunIsTakenUpAfterIt(sink: LoaderSink, workers: Int) throws {
        let loader = try Loader(sink)
        let text = "{\"i\":[{\"a\":1},\n{\"a\":2}]}\nbad\n{\"i\":[{\"a\":3}]}\n"
        let file = try loader.scratch.file("a.json", text)
        for limit in [1, 2, 3, 4, nil] {
            try loader.load(file: file) {
                $0.feed.path = "i"
                $0.workers = workers
                $0.rejects = .table("bad")
                $0.limit = limit
            }
        }
        #expect(try values(loader) == [1, 2, 3])
        #expect(try loader.count("bad") == 1)
    }

    @Test(arguments: LoaderSink.databases) func theRejectedRecordsOfAnotherTableAreKeptWhenARunIsTakenUp(sink: LoaderSink) throws
    {
        let loader = try Loader(sink)
        let file = try loader.scratch.file("a.ndjson", "{\"a\":1}\nbad\n{\"a\":2}\nworse\n{\"a\":3}\n")
        for (table, limit) in [("one", nil), ("two", 1), ("two", nil)] as [(String, Int?)] {
            try loader.load(file: file, into: table) { ($0.rejects, $0.limit) = (.table("bad"), limit) }
        }
        #expect(try loader.count("bad") == 4)
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

    @Test(arguments: LoaderSink.databases, feeds)
    func anInputIsTakenUpAfterAnyRecord(
        sink: LoaderSink, feed: (text: String, format: JSONFeedFormat, path: JSONRecordPath?, hasHeader: Bool)
    ) throws {
        for workers in sink == .sqlite ? [1, 2] : [1] { try isTakenUp(Loader(sink), feed, workers: workers) }
    }

    private func isTakenUp(
        _ loader: Loader, _ feed: (text: String, format: JSONFeedFormat, path: JSONRecordPath?, hasHeader: Bool), workers: Int
    ) throws {
        let file = try loader.scratch.file("a.json", feed.text)
        func run(_ table: String, limit: Int?) throws -> IngestReport {
            try loader.load(file: file, into: table) {
                $0.feed = FeedReading(format: feed.format, path: feed.path, hasHeader: feed.hasHeader)
                ($0.rejects, $0.sample, $0.workers, $0.limit) = (.table(table + "_bad"), 2, workers, limit)
            }
        }
        func rows(_ table: String) throws -> [[[StoredValue]]] {
            try [table, table + "_bad"].map { table in
                let names = try loader.columns(of: table).sorted()
                return try [names.map { .text($0) }] + loader.rows(names, of: table)
            }
        }
        let whole = try run("whole", limit: nil)
        let expected = try rows("whole")
        #expect(whole.records >= 3)
        for limit in stride(from: 1, to: whole.records, by: loader.sink == .sqlite ? 1 : 3) {
            _ = try run("t\(limit)", limit: limit)
            let rest = try run("t\(limit)", limit: nil)
            #expect(rest.records == whole.records - limit)
            #expect(rest.resumed.map(\.records) == [limit])
            #expect(try rows("t\(limit)") == expected, "after \(limit)")
            #expect(try run("t\(limit)", limit: nil).outcome == .nothingToDo)
        }
    }

    @Test(arguments: LoaderSink.databases, [nil, "d.i" as JSONRecordPath?])
    func whatIsAfterTheCheckpointIsNotReadAgain(sink: LoaderSink, path: JSONRecordPath?) throws {
        let loader = try Loader(sink)
        let records = (0..<40_000).map { #"{"a":\#($0),"text":"\#(String(repeating: "x", count: 50))"}"# }
        let text = path == nil ? records.joined(separator: "\n") : #"{"d":{"i":["# + records.joined(separator: ",") + "]}}"
        let file = try loader.scratch.file("a.json", text)
        for limit in [39_000, nil] {
            let report = try loader.load(file: file) {
                $0.feed.path = path
                $0.limit = limit
            }
            if limit == nil { #expect(report.bytes < 100_000) }
        }
        #expect(try values(loader) == (0..<40_000).map { .integer($0) })
    }

    @Test(arguments: LoaderSink.databases) func anInputWithAnotherBeginningIsRefused(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let file = try loader.scratch.file("a.ndjson", "{\"a\":1}\n{\"a\":2}\n")
        try loader.load(file: file)
        _ = try loader.scratch.file("a.ndjson", "{\"a\":7}\n{\"a\":8}\n{\"a\":9}\n")
        let error = #expect(throws: IngestError.self) { try loader.load(file: file) }
        #expect(
            error?.description.hasSuffix(
                "is not the input of which 2 records were read into the table: expected the feed of the checkpoint, found one that "
                    + "begins differently; restarting() reads it from its start, as another input") == true,
            "\(String(describing: error))")
        _ = try loader.scratch.file("a.ndjson", "{}\n")
        #expect(throws: IngestError.self) { try loader.load(file: file) }
        _ = try loader.scratch.file("a.ndjson", "{\"a\":7}\n{\"a\":8}\n{\"a\":9}\n")
        #expect(throws: IngestError.self) { try loader.load(file: file) { $0.restarts = true } }
        let report = try loader.load(file: file) {
            $0.restarts = true
            $0.existing = .append
        }
        #expect(report.stored == 3)
        #expect(try values(loader) == [1, 2, 7, 8, 9])
        #expect(try loader.load(file: file).outcome == .nothingToDo)
    }

    @Test(arguments: LoaderSink.databases) func dropAndTruncateForgetTheCheckpoints(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let files = [try loader.scratch.file("a.ndjson", "{\"a\":1}\n"), try loader.scratch.file("b.ndjson", "{\"a\":2}\n")]
        try loader.load(files: files)
        for existing in [ExistingTable.drop, .truncate] {
            #expect(try loader.load(file: files[1]) { $0.existing = existing }.stored == 1)
            #expect(try values(loader) == [2])
            #expect(try loader.load(files: files).stored == 1)
            #expect(try values(loader) == [2, 1])
        }
        try loader.execute("DROP TABLE records")
        #expect(try loader.load(files: files).stored == 2)
    }

    @Test(arguments: LoaderSink.databases) func aRunWithOtherColumnsIsNotTakenUp(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let file = try loader.scratch.file("a.ndjson", "{\"a\":1}\n{\"a\":2}\n")
        try loader.load(file: file) { $0.limit = 1 }
        let error = #expect(throws: IngestError.self) {
            try loader.load(file: file) { $0.columns = (try? [ColumnOption("b:integer=a").column]) ?? [] }
        }
        #expect(
            error?.description.contains("with other columns, another at(_:) or another filter(_:); restarting() forgets it")
                == true,
            "\(String(describing: error))")
    }

    @Test(arguments: LoaderSink.databases) func theColumnsOfTheFirstRunHold(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let file = try loader.scratch.file(
            "a.ndjson", "{\"a\":1,\"o\":{\"x\":1}}\n{\"late\":{\"y\":2}}\n{\"b\":1.5,\"o\":\"odd\"}\n{\"late\":3}\n")
        try loader.load(file: file) {
            $0.sample = 1
            $0.limit = 3
        }
        let report = try loader.load(file: file)
        #expect(report.origin == .resumed)
        let names = ["a", "o_x", "late_y", "b", "o", "late"]
        #expect(try loader.columns() == names)
        #expect(try loader.rows(names)[3] == [nil, nil, nil, nil, nil, "3"])
    }

    @Test(arguments: LoaderSink.databases) func aFileOfRejectedRecordsHoldsEachOnce(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let file = try loader.scratch.file("a.ndjson", "{\"a\":1}\nx\n{\"a\":2}\ny\n{\"a\":3}\n")
        let bad = loader.scratch.path("bad.ndjson")
        try loader.load(file: file) {
            $0.limit = 3
            $0.rejects = .file(path: bad)
        }
        try loader.load(file: file) { $0.rejects = .file(path: bad) }
        let lines = try String(contentsOfFile: bad, encoding: .utf8).split(separator: "\n")
        #expect(try lines.map { try JSONValue(json: String($0))["json_line"]?.string } == ["x", "y"])
    }

    // MARK: Signals

    @Test(arguments: LoaderSink.databases, [ExistingTable.refuse, .truncate, .drop])
    func aSignalBeforeTheFirstRecordLeavesEverythingAsItWas(sink: LoaderSink, existing: ExistingTable) throws {
        let loader = try Loader(sink)
        let file = try loader.scratch.file("a.ndjson", "{\"a\":1}\n{\"a\":2}\n")
        let isNew = existing == .refuse
        if !isNew { #expect(try loader.load("{\"a\":7}").stored == 1) }
        let interruption = Interruption()
        interruption.raise(SIGINT)
        let report = try loader.load(file: file, columns: ["a:integer"], interruption: interruption) { $0.existing = existing }
        #expect(report.outcome == .interrupted(SIGINT))
        if isNew { #expect(throws: (any Error).self) { try values(loader) } } else { #expect(try values(loader) == [7]) }
        // The same command goes on.
        #expect(try loader.load(file: file, columns: ["a:integer"]) { $0.existing = existing }.stored == 2)
        #expect(try values(loader) == [1, 2])
    }

    @Test(arguments: LoaderSink.databases) func anInputThatCannotBeReadAtAllLeavesNoTableEither(sink: LoaderSink) throws {
        struct Unreadable: BufferSource {
            func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(JSONError) -> Int {
                throw JSONError.inputOutput("read", "the disk", EIO)
            }
        }
        let loader = try Loader(sink)
        let file = try loader.scratch.file("a.ndjson", "{\"a\":1}\n")
        guard case .failed = try loader.load(Unreadable(), columns: ["a:integer"]).outcome else { return #expect(Bool(false)) }
        #expect(try loader.load(file: file, columns: ["a:integer"]).stored == 1)
    }

    @Test(arguments: LoaderSink.databases) func whatWasReadBeforeASignalWhileColumnsWereSoughtIsStored(sink: LoaderSink) throws {
        let loader = try Loader(sink)
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
        let report = try loader.load(source, interruption: interruption) { $0.feed.format = .lines }
        #expect(report.outcome == .interrupted(SIGINT))
        #expect(report.stored == 2)
        #expect(try values(loader) == [1, 2])
    }
}
#endif
