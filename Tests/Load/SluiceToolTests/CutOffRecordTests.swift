#if CommandLine
import Foundation
import GRDB
import SluiceCompression
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceFeed
@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

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

    private func ingest(_ name: String, _ feed: Feed, workers: Int, _ scratch: Scratch) throws {
        let report = try scratch.ingest(file: scratch.path(name + ".json")) {
            $0.database = scratch.path(name + ".db")
            $0.feed = FeedReading(format: feed.format, path: feed.path, hasHeader: feed.hasHeader)
            $0.feed.filter = feed.condition.flatMap { try? WhereClause($0, columns: []) }
            $0.columns = (try? ColumnOption.columns([ColumnOption("a:integer"), ColumnOption("s:text")])) ?? []
            if let size = feed.largestRecord { $0.maximumRecordSize = size }
            ($0.rejects, $0.workers) = ("bad", workers)
        }
        #expect(report.outcome == .complete || report.outcome == .nothingToDo, "\(report.text)")
    }

    /// The rows and rejections that an input has left.
    private func result(_ name: String, _ feed: Feed, _ scratch: Scratch) throws -> [String] {
        // Of a document that a run has continued inside, the rejection shows the rest.
        let text = feed.path == nil ? ", json_line" : ""
        let rejections = "SELECT line, line_byte_position, byte_position, column_name, error_type\(text) FROM bad"
        return try ["SELECT * FROM records", rejections].flatMap { sql in
            try scratch.rows(sql, in: name + ".db").map { "\($0)" }.sorted()
        }
    }

    private func append(_ bytes: some Sequence<UInt8>, to name: String, _ scratch: Scratch) throws {
        let path = scratch.path(name + ".json")
        if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(fileURLWithPath: path)) }
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    @Test(arguments: feeds)
    func anInputThatWasCutAtAnyByteGivesTheRowsAndRejectionsOfTheWholeOne(feed: Feed) throws {
        let scratch = try Scratch()
        let bytes = feed.bytes
        try append(bytes, to: "whole", scratch)
        try ingest("whole", feed, workers: 1, scratch)
        let expected = try result("whole", feed, scratch)
        for count in 1..<bytes.count {
            let name = "cut\(count)"
            try append(bytes[..<count], to: name, scratch)
            try ingest(name, feed, workers: 1 + count % 2, scratch)
            try append(bytes[count...], to: name, scratch)
            try ingest(name, feed, workers: 1 + count / 2 % 2, scratch)
            let found = try result(name, feed, scratch)
            let (missing, surplus) = (expected.filter { !found.contains($0) }, found.filter { !expected.contains($0) })
            let text = String(decoding: bytes[..<count].suffix(12), as: UTF8.self)
            #expect(found == expected, "cut after \(text): missing \(missing), too many \(surplus)")
        }
    }

    @Test(arguments: feeds)
    func anInputThatGrowsByteByByteGivesTheRowsAndRejectionsOfTheWholeOne(feed: Feed) throws {
        let scratch = try Scratch()
        try append(feed.bytes, to: "whole", scratch)
        try ingest("whole", feed, workers: 1, scratch)
        for (index, byte) in feed.bytes.enumerated() {
            try append([byte], to: "grown", scratch)
            try ingest("grown", feed, workers: 1 + index % 2, scratch)
        }
        let (found, expected) = try (result("grown", feed, scratch), result("whole", feed, scratch))
        let (missing, surplus) = (expected.filter { !found.contains($0) }, found.filter { !expected.contains($0) })
        #expect(found == expected, "missing \(missing), too many \(surplus)")
        let sql = "SELECT records, rejected FROM _sluice_checkpoints WHERE table_name <> ''"
        let counts = try ["whole", "grown"].map { name in try scratch.rows(sql, in: name + ".db").map { "\($0)" } }
        #expect(counts[0] == counts[1])
    }

    /// Found by runs that race: a run with a limit removed the rejection, and did not come to the input.
    @Test(arguments: ["bad", "bad.ndjson"], [1, 2])
    func aRunThatEndsBeforeAnInputKeepsTheRejectionOfItsLastRecord(target: String, workers: Int) throws {
        let scratch = try Scratch()
        func run(_ options: String = "") throws -> Int {
            let inputs = "first.json second.json -o out.db --append --rejects \(target)"
            let run = try scratch.shell("sluice ingest -q \(inputs) --workers \(workers) \(options)")
            #expect([0, 2].contains(run.status), "\(run.errors)")
            guard target != "bad" else { return try scratch.count("bad") }
            let lines = try String(contentsOfFile: scratch.path(target), encoding: .utf8).split(separator: "\n")
            return lines.count { !$0.allSatisfy(\.isWhitespace) }
        }
        try append(Array("{\"a\":1}\n".utf8), to: "first", scratch)
        try append(Array("{\"a\":2}\n{\"a\":".utf8), to: "second", scratch)
        #expect(try run() == 1)
        try append(Array("{\"a\":4}\n{\"a\":5}\n".utf8), to: "first", scratch)
        #expect(try run("--limit 1") == 1)
        #expect(try run("--limit 1") == 1)
        try append(Array("3}\n".utf8), to: "second", scratch)
        #expect(try run() == 0)
        #expect(try scratch.value("SELECT count(*) || ' ' || total(a) FROM records") == "5 15.0")
    }

    // MARK: Runs that do not name the rejects

    /// The lines of a file of rejects, or the rows of a table.
    private func rejections(_ target: String, _ scratch: Scratch) throws -> Int {
        guard target != "bad" else { return try scratch.count("bad") }
        let lines = try String(contentsOfFile: scratch.path(target), encoding: .utf8).split(separator: "\n")
        return lines.count { !$0.allSatisfy(\.isWhitespace) }
    }

    @Test(.enabled(if: Shell.isPresent), arguments: ["bad", "bad.ndjson"], [String?.none, "other", "other.ndjson"])
    func aRunThatDoesNotNameTheRejectsSaysThatARejectionIsOutOfDate(target: String, other: String?) throws {
        let scratch = try Scratch()
        try append(Array("{\"a\":1}\n{\"a\":".utf8), to: "in", scratch)
        #expect(try scratch.shell("sluice ingest in.json out.db --rejects \(target)").status == 2)
        try append(Array("2}\n".utf8), to: "in", scratch)
        let run = try scratch.shell("sluice ingest in.json out.db \(other.map { "--rejects \($0)" } ?? "")")
        #expect(run.status == 0, "\(run)")
        let note = "note: 1 record in which an input had ended was read again; the earlier rejection is out of date, and was not "
        #expect(run.output.contains(note + (other.map { "found in \($0)" } ?? "removed")), "\(run)")
        #expect(try rejections(target, scratch) == 1)
        #expect(try scratch.count() == 2)
    }

    @Test(.enabled(if: Shell.isPresent), arguments: ["bad", "bad.ndjson"])
    func aRunWithoutRejectsLeavesTheRejectionToALaterRun(target: String) throws {
        let scratch = try Scratch()
        try append(Array("{\"a\":1}\n{\"a\":".utf8), to: "in", scratch)
        for options in ["--rejects \(target)", "", "--rejects \(target)", ""] {
            let run = try scratch.shell("sluice ingest in.json out.db \(options)")
            #expect(run.status == 2)
            // The rejection is still right.
            #expect(!run.output.contains("out of date"), "\(run)")
            #expect(try rejections(target, scratch) == 1)
        }
        try append(Array("2}\n".utf8), to: "in", scratch)
        let last = try scratch.shell("sluice ingest in.json out.db --rejects \(target)")
        #expect(last.status == 0 && !last.output.contains("out of date"), "\(last)")
        #expect(try rejections(target, scratch) == 0)
    }
}
#endif
