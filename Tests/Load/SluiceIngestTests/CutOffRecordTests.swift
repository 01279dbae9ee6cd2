#if SQLite
import Foundation
import SluiceCore
import SluiceFeed
import SluiceIngest
import SluiceTestSupport
import Testing

/// A record that the input ends in is read again when its rest is there, whatever is wrong with it.
@Suite struct CutOffRecordTests {
    /// A feed with wrong records, and how it is read.
    struct Feed: CustomTestStringConvertible, Sendable {
        let name: String
        let text: String
        var format = JSONFeedFormat.automatic
        var path: JSONRecordPath?
        var hasHeader = false
        var condition: String?
        var largestRecord: Int?

        var testDescription: String { name }

        /// The bytes of the text; `?` stands for a byte that is not UTF-8.
        var bytes: [UInt8] { text.utf8.map { $0 == UInt8(ascii: "?") ? 0xFF : $0 } }
    }

    // In lines, no text stands after a record that is whole: without a line break, the record counts as ended, and is stored.
    static let feeds = [
        Feed(
            name: "lines",
            text: """
                {"a":1}\r
                {"s":nul,"a":2}
                {"a":3,"s":"\\ud800"}
                {"s":[1,2}
                {"a":"x","s":"\u{1}y"}
                12
                {"s":"?"}
                {"a":6}

                """),
        Feed(
            name: "an array",
            text: #"[{"a":1},{"s":"x\#u{1}?"},{"a":3,"\ud800":1},"# + "\n" + #"{"a":"x","s":[1,]} , 12,{"a":4}]"# + "\n"),
        Feed(
            name: "an array in an object",
            text: #"{"m":[-2e1],"d":{"i":[{"a":1},{"s":"\ud800x"},"# + "\n"
                + #"{"a":"x","s":[{},]},{"a":4}],"k":"\ud83d\ude00"},"z":-1.5}"# + "\n",
            path: "d.i"),
        Feed(
            name: "documents on lines",
            text: #"{"i":[{"a":1},{"s":nul}],"z":-1.5}"# + "\n" + #"{"i":[{"a":3}],"z":[nul],"y":1}"# + "\n" + #"{"i":[{"a":4}]}"#
                + "\n",
            format: .lines, path: "i"),
        Feed(
            name: "documents one after the other",
            text: #"{"i":[{"a":1},{"s":nul}],"z":-1.5}"# + "\n" + #"{"i":[{"a":3}],"z":[nul],"y":1}"# + "\n" + #"{"i":[{"a":4}]}"#
                + "\n",
            format: .concatenated, path: "i"),
        Feed(
            name: "one after the other", text: #"{"a":1}{"s":nul} {"s":"\ud800"}12 {"a":"x","s":"y"}{"a":4}"# + "\n",
            format: .concatenated),
        Feed(
            name: "a sequence",
            text: "\u{1E}{\"a\":1}\n\u{1E}{\"s\":\nnul}\n\u{1E}{\"a\":3,\n\"s\":\"\\ud800\"}\n\u{1E}nul\n\u{1E}{\"a\":4}\n",
            format: .sequence),
        Feed(
            name: "documents of a sequence",
            text: "\u{1E}{\"i\":[{\"a\":1},\n{\"a\":nul}\n],\"z\":\n1}\n\u{1E}{\"i\":[{\"a\":3}],\n\"z\":nul,\n\"y\":[]}\n",
            format: .sequence, path: "i"),
        Feed(
            name: "rows under a header", text: "[\"a\",\"s\"]\n[1,\"x\"]\n[2,nul]\n[3,\"\\ud800\"]\n[4,5,6]\n[7,[\"y\"]]\n",
            format: .lines, hasHeader: true),
        Feed(
            name: "an array of rows under a header", text: #"[["a","s"],[1,"x"],[2,nul],[3,"\ud800"],[4,5,6],[7,["y"]]]"#,
            format: .array, hasHeader: true),
        Feed(
            name: "a condition", text: #"[{"a":1},{"a":2,"s":"\ud800"},{"s":nul,"a":3},{"a":4,"s":"\ud800"},{"a":5}]"#,
            condition: "a > 2"),
        Feed(
            name: "a limit of the size of lines", text: "{\"a\":1}\n{\"a\":2,\"s\":\"long\"}\n{\"s\":nul,\"t\":[]}\n{\"a\":4}\n",
            format: .lines, largestRecord: 12),
        Feed(
            name: "a limit of the size of elements", text: #"[{"a":1},{"a":2,"s":"long"},{"s":nul,"t":[]},{"a":4}]"#,
            largestRecord: 12),
    ]

    /// Reads the file of a feed, and its first bytes up to this number.
    private func load(_ count: Int, of feed: Feed, workers: Int, _ loader: Loader) throws {
        let path = loader.scratch.path("in.json")
        try Data(feed.bytes[..<count]).write(to: URL(fileURLWithPath: path))
        let report = try loader.load(file: path, columns: ["a:integer", "s:text"]) {
            $0.feed = FeedReading(format: feed.format, path: feed.path, hasHeader: feed.hasHeader)
            $0.feed.filter = try feed.condition.map { try WhereClause($0, columns: []) }
            if let size = feed.largestRecord { $0.maximumRecordSize = size }
            ($0.rejects, $0.workers) = (.table("bad"), workers)
        }
        #expect(report.outcome == .complete || report.outcome == .nothingToDo, "\(report)")
    }

    /// The rows and rejections that a feed has left.
    private func result(_ feed: Feed, _ loader: Loader) throws -> [[StoredValue]] {
        // Of a document that a run has continued inside, the rejection shows the rest.
        let text = feed.path == nil ? ["json_line"] : []
        let names = ["line", "line_byte_position", "byte_position", "column_name", "error_type"] + text
        return try loader.rows("a", "s", by: "a, s") + loader.rows(names, of: "bad", by: "byte_position, error_type")
    }

    /// What the whole feed gives.
    private func whole(_ feed: Feed, _ sink: LoaderSink) throws -> (rows: [[StoredValue]], checkpoint: [[StoredValue]]) {
        let loader = try Loader(sink)
        try load(feed.bytes.count, of: feed, workers: 1, loader)
        return (try result(feed, loader), try checkpoint(loader))
    }

    private func checkpoint(_ loader: Loader) throws -> [[StoredValue]] {
        try loader.query("SELECT records, rejected FROM _sluice_checkpoints WHERE table_name <> ''")
    }

    @Test func aSourceThatAppendsIsReadToItsEndAndTheBytesOfAFailedReadAreLost() throws {
        let bytes = Array((0..<40).map { "{\"id\":\($0)}\n" }.joined().utf8)
        for chunk in [1, 7, 1000] {
            let report = try Loader(.sqlite).load(AppendingSource(bytes, chunkSize: chunk))
            #expect((report.stored, report.rejected) == (40, 0))
        }
        for call in 1...5 {
            let loader = try Loader(.sqlite)
            let report = try loader.load(AppendingSource(bytes, chunkSize: 90, failingAt: call), columns: ["id:integer"])
            #expect("\(report)".contains("cannot read the faulty disk"), "\(report)")
            let stored = call == 1 ? [] : try loader.rows("id", by: "id")
            #expect(stored == (0..<report.stored).map { [.integer(Int64($0))] } && report.stored < 40)
        }
    }

    /// In PostgreSQL, each load has a session of its own: it gets some of the cuts.
    @Test(arguments: LoaderSink.databases, feeds)
    func anInputThatWasCutAtAnyByteGivesTheRowsAndRejectionsOfTheWholeOne(sink: LoaderSink, feed: Feed) throws {
        let expected = try whole(feed, sink).rows
        for count in stride(from: 1, to: feed.bytes.count, by: sink == .sqlite ? 1 : 31) {
            let loader = try Loader(sink)
            try load(count, of: feed, workers: 1 + count % 2, loader)
            try load(feed.bytes.count, of: feed, workers: 1 + count / 2 % 2, loader)
            let found = try result(feed, loader)
            let (missing, surplus) = (expected.filter { !found.contains($0) }, found.filter { !expected.contains($0) })
            #expect(found == expected, "cut after \(count) bytes: missing \(missing), too many \(surplus)")
        }
    }

    @Test(arguments: LoaderSink.databases, feeds)
    func anInputThatGrowsByteByByteGivesTheRowsAndRejectionsOfTheWholeOne(sink: LoaderSink, feed: Feed) throws {
        let (loader, expected) = (try Loader(sink), try whole(feed, sink))
        let step = sink == .sqlite ? 1 : 19
        for count in stride(from: 1, to: feed.bytes.count, by: step) { try load(count, of: feed, workers: 1 + count % 2, loader) }
        try load(feed.bytes.count, of: feed, workers: 1, loader)
        let found = try result(feed, loader)
        let (missing, surplus) = (expected.rows.filter { !found.contains($0) }, found.filter { !expected.rows.contains($0) })
        #expect(found == expected.rows, "missing \(missing), too many \(surplus)")
        #expect(try checkpoint(loader) == expected.checkpoint)
    }

    // MARK: Runs that do not name the rejects

    /// How many rejections a table or a file of rejects has.
    private func count(_ rejects: RejectsTarget, _ loader: Loader) throws -> Int {
        guard let path = rejects.path else { return try loader.count(rejects.name) }
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        return lines.count { !$0.allSatisfy(\.isWhitespace) }
    }

    private func target(_ name: String, _ loader: Loader) -> RejectsTarget {
        name.contains(".") ? .file(path: loader.scratch.path(name)) : .table(name)
    }

    /// Found by runs that race: a run with a limit removed the rejection, and did not come to the input.
    @Test(arguments: LoaderSink.databases, ["bad", "bad.ndjson"])
    func aRunThatEndsBeforeAnInputKeepsTheRejectionOfItsLastRecord(sink: LoaderSink, name: String) throws {
        for workers in [1, 2] {
            let loader = try Loader(sink)
            let rejects = target(name, loader)
            let files = ["first.json", "second.json"].map { loader.scratch.path($0) }
            func run(_ first: String, _ second: String, limit: Int? = nil) throws -> Int {
                for (path, text) in zip(files, [first, second]) { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
                let report = try loader.load(files: files) {
                    ($0.existing, $0.rejects, $0.workers, $0.limit) = (.append, rejects, workers, limit)
                }
                #expect(report.isSuccess || report.isLossy, "\(report)")
                return try count(rejects, loader)
            }
            #expect(try run("{\"a\":1}\n", "{\"a\":2}\n{\"a\":") == 1)
            let first = "{\"a\":1}\n{\"a\":4}\n{\"a\":5}\n"
            for _ in 1...2 { #expect(try run(first, "{\"a\":2}\n{\"a\":", limit: 1) == 1) }
            #expect(try run(first, "{\"a\":2}\n{\"a\":3}\n") == 0)
            #expect(try loader.rows("a", by: "a") == [[1], [2], [3], [4], [5]])
        }
    }

    @Test(arguments: LoaderSink.databases, ["bad", "bad.ndjson"])
    func aRunThatDoesNotNameTheRejectsSaysThatARejectionIsOutOfDate(sink: LoaderSink, name: String) throws {
        for other in [nil, "other", "other.ndjson"] {
            let loader = try Loader(sink)
            let (rejects, others) = (target(name, loader), other.map { target($0, loader) })
            let file = try loader.scratch.file("in.json", "{\"a\":1}\n{\"a\":")
            #expect(try loader.load(file: file) { $0.rejects = rejects }.isLossy)
            try loader.scratch.append("2}\n", to: file)
            let report = try loader.load(file: file) { $0.rejects = others }
            #expect(report.isSuccess, "\(report)")
            let note = "1 record in which an input had ended was read again; the earlier rejection is out of date, and was not "
            let end = others.map { "found in \($0.name)" } ?? "removed"
            #expect(report.notes.count == 1 && report.notes[0].hasPrefix(note + end), "\(report.notes)")
            #expect(try count(rejects, loader) == 1)
            #expect(try loader.count() == 2)
        }
    }

    @Test(arguments: LoaderSink.databases, ["bad", "bad.ndjson"])
    func aRunWithoutRejectsLeavesTheRejectionToALaterRun(sink: LoaderSink, name: String) throws {
        let loader = try Loader(sink)
        let rejects = target(name, loader)
        let file = try loader.scratch.file("in.json", "{\"a\":1}\n{\"a\":")
        for named in [rejects, nil, rejects, nil] {
            let report = try loader.load(file: file) { $0.rejects = named }
            // The rejection is still right.
            #expect(report.isLossy && !report.notes.contains { $0.contains("out of date") }, "\(report.notes)")
            #expect(try count(rejects, loader) == 1)
        }
        try loader.scratch.append("2}\n", to: file)
        let last = try loader.load(file: file) { $0.rejects = rejects }
        #expect(last.isSuccess && last.notes.isEmpty, "\(last.notes)")
        #expect(try count(rejects, loader) == 0)
    }
}
#endif
