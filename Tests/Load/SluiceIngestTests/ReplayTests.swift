#if SQLite
import Foundation
import SluiceCore
import SluiceFeed
import SluiceTestSupport
import Testing

@testable import SluiceIngest

/// Rejected records that were mended and are read again.
@Suite struct ReplayTests {
    /// A table or a file of rejects.
    private struct Rejects {
        let loader: Loader
        let target: RejectsTarget

        /// - Parameter name: A name with a dot is a file.
        init(_ name: String, _ loader: Loader) {
            self.loader = loader
            target = name.contains(".") ? .file(path: loader.scratch.path(name)) : .table(name)
        }

        /// The texts of the rejected records.
        func texts() throws -> [StoredValue] {
            guard let path = target.path else { return try loader.rows("json_line", of: target.name).map { $0[0] } }
            // A line that was removed in front of others has become blanks.
            let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").filter { $0.contains("{") }
            return try lines.map { try JSONValue(json: String($0))["json_line"]?.string.map { .text($0) } ?? .null }
        }

        func mend(_ wrong: String, _ right: String) throws {
            guard let path = target.path else {
                return try loader.execute("UPDATE \(target.name) SET json_line = replace(json_line, '\(wrong)', '\(right)')")
            }
            let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
            let mended = lines.map { $0.replacing(wrong, with: right, maxReplacements: 1) }.joined(separator: "\n")
            // As an editor saves: another file gets its name.
            try Data(mended.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        }

        /// Loads a text as the file `in.ndjson`.
        @discardableResult
        func load(
            _ text: String, columns: [String] = [], isLossy: Bool = true,
            _ change: (inout IngestOptions) throws -> Void = { _ in }
        ) throws -> IngestReport {
            let report = try loader.load(file: loader.scratch.file("in.ndjson", text), columns: columns) {
                $0.rejects = target
                try change(&$0)
            }
            #expect(isLossy ? report.isLossy : report.isSuccess, "\(report)")
            return report
        }

        /// Replays the rejects. The report is nil if there is nothing to read.
        ///
        /// - Parameter isDone: Whether each record is stored. The tool ends with the exit code 0 or 2.
        @discardableResult
        func replay(
            columns: [String] = [], isDone: Bool = true, _ change: (inout IngestOptions) throws -> Void = { _ in }
        ) throws -> (report: IngestReport?, replay: Replay) {
            let sink = loader.target()
            let replay = Replay(
                try target.path.map { try Replay.rejections(inFile: $0, sink) }
                    ?? (sink as? any RejectionSource)?.rejections(in: target.name) ?? [])
            var report: IngestReport?
            var left = replay.withoutText + replay.parts + replay.unfinished
            if replay.count > 0 {
                let job = try loader.job(columns, "records", Interruption()) {
                    try change(&$0)
                    $0.read(replay, from: target)
                }
                do {
                    report = try job.run(replay.inputs, progress: SilentProgress())
                } catch IngestError.noColumns {
                    // None of them is JSON.
                    left += 1
                }
            }
            left += report?.discarded ?? 0
            #expect((left == 0 && report?.isSuccess ?? true) == isDone, "\(String(describing: report)) \(left)")
            return (report, replay)
        }
    }

    private static let feed = "{\"id\":1,\"v\":1}\n{\"id\":2,\"v\":nul}\n{\"id\":3,\"v\":3}\n  {\"id\":4,\"v\":4,}\n"

    /// Rejects with two of the records.
    private func rejects(_ name: String, _ sink: LoaderSink) throws -> Rejects {
        let rejects = Rejects(name, try Loader(sink))
        try rejects.load(ReplayTests.feed)
        #expect(try rejects.loader.count() == 2)
        return rejects
    }

    private static let names = ["bad", "bad.ndjson"]

    @Test(arguments: LoaderSink.databases, names) func mendedRecordsAreStoredAndLeaveTheRejects(sink: LoaderSink, name: String)
        throws
    {
        let rejects = try rejects(name, sink)
        try rejects.mend("nul}", "2}")
        let first = try rejects.replay(isDone: false).report
        #expect(try rejects.loader.rows("id", "v", by: "id") == [[1, 1], [2, 2], [3, 3]])
        #expect(try rejects.texts().count == 1)
        // The record that is still damaged keeps its position in its feed.
        #expect(first?.rejections.first?.reason.contains("line 4, column 17, byte ") == true, "\(String(describing: first))")
        try rejects.mend("4,}", "4}")
        try rejects.replay()
        #expect(try rejects.loader.rows("id", "v", by: "id") == [[1, 1], [2, 2], [3, 3], [4, 4]])
        #expect(try rejects.texts().isEmpty)
        // Nothing is left, and nothing is stored twice.
        try rejects.replay()
        #expect(try rejects.loader.count() == 4)
    }

    @Test(arguments: LoaderSink.databases, names) func recordsThatWereReplayedAreNoLongerRejected(sink: LoaderSink, name: String)
        throws
    {
        let rejects = try rejects(name, sink)
        func again(_ before: Int) throws {
            let report = try rejects.load(ReplayTests.feed, isLossy: before > 0)
            #expect(report.outcome == .nothingToDo && report.rejectedBefore == before)
        }
        try again(2)
        try rejects.mend("nul}", "2}")
        try rejects.replay(isDone: false)
        try again(1)
        try rejects.mend("4,}", "4}")
        try rejects.replay()
        try again(0)
        // Read anew, they are rejected again.
        let file = rejects.loader.scratch.path("in.ndjson")
        #expect(try rejects.loader.load(file: file) { $0.existing = .drop }.rejected == 2)
        #expect(try rejects.loader.load(file: file).rejectedBefore == 2)
    }

    @Test(arguments: LoaderSink.databases) func theFeedGoesOnWhereItWasBeforeTheReplay(sink: LoaderSink) throws {
        let rejects = try rejects("bad.ndjson", sink)
        try rejects.mend("nul}", "2}")
        try rejects.replay(isDone: false)
        #expect(try rejects.load(ReplayTests.feed + "{\"id\":5,\"v\":5}\n").rows == RowCounts(added: 1))
        #expect(try rejects.loader.rows("id", by: "id") == [[1], [2], [3], [5]])
    }

    @Test(arguments: LoaderSink.databases) func linesThatAnotherProgramHasWrittenAnewAreFoundAgain(sink: LoaderSink) throws {
        let rejects = try rejects("bad.ndjson", sink)
        let path = rejects.target.name
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
            var value = try #require(try JSONValue(json: String(line)).object)
            value["json_line"] = .string(
                (value["json_line"]?.string ?? "").replacing("nul}", with: "2}").replacing("4,}", with: "4}"))
            return try "  " + JSONValue.object(value).jsonString().replacing("\":", with: "\" : ")
        }
        // And without the last line break.
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: path))
        try rejects.replay()
        #expect(try rejects.loader.count() == 4)
        #expect(try rejects.texts().isEmpty)
    }

    @Test(arguments: LoaderSink.databases) func aRecordThatTheTableHasRefusedIsStoredOnceTheTableTakesIt(sink: LoaderSink) throws
    {
        let rejects = Rejects("bad", try Loader(sink))
        try rejects.loader.execute("CREATE TABLE records (id INTEGER PRIMARY KEY, v INTEGER CHECK (v < 3))")
        try rejects.load("{\"id\":1,\"v\":1}\n{\"id\":2,\"v\":9}\n") { $0.existing = .append }
        try rejects.replay(isDone: false)
        #expect(try rejects.texts().count == 1)
        try rejects.loader.execute("DROP TABLE records; CREATE TABLE records (id INTEGER PRIMARY KEY, v INTEGER)")
        try rejects.replay()
        #expect(try rejects.loader.rows("id", "v") == [[2, 9]])
        #expect(try rejects.texts().isEmpty)
    }

    @Test(arguments: LoaderSink.databases, names) func aDryRunChangesNothing(sink: LoaderSink, name: String) throws {
        let rejects = try rejects(name, sink)
        try rejects.mend("nul}", "2}")
        try rejects.replay(isDone: false) { $0.isDryRun = true }
        #expect(try rejects.loader.count() == 2)
        #expect(try rejects.texts().count == 2)
    }

    @Test(arguments: LoaderSink.databases) func rejectionsWithoutATextStay(sink: LoaderSink) throws {
        let rejects = try rejects("bad", sink)
        try rejects.loader.execute("UPDATE bad SET json_line = NULL WHERE json_line LIKE '%4,%'")
        try rejects.mend("nul}", "2}")
        #expect(try rejects.replay(isDone: false).replay.withoutText == 1)
        #expect(try rejects.texts() == [nil])
        #expect(try rejects.loader.count() == 3)
    }

    // MARK: Rejections that look alike

    /// Rejections of a feed that is read every day have the same name, position and kind.
    @Test(arguments: LoaderSink.databases, names) func rejectionsAtTheSamePositionAreRecordsOfTheirOwn(
        sink: LoaderSink, name: String
    ) throws {
        let rejects = Rejects(name, try Loader(sink))
        for (first, second) in [("ann", "bob"), ("cyd", "dan"), ("ann", "eve")] {
            let feed = #"{"id":1,"name":"\#(first)}"# + "\n" + #"{"id":2,"name":"\#(second)"}"# + "\n"
            try rejects.load(feed) { ($0.existing, $0.restarts) = (.append, true) }
        }
        #expect(try rejects.texts() == [#"{"id":1,"name":"ann}"#, #"{"id":1,"name":"cyd}"#, #"{"id":1,"name":"ann}"#])
        // In a file, the quote is one inside of a string.
        for name in ["ann", "cyd"] { try rejects.mend("\(name)}", name + (rejects.target.path == nil ? "\"}" : "\\\"}")) }
        try rejects.replay()
        // Two of the rejections are equal: they are two records.
        #expect(try rejects.loader.query("SELECT name FROM records WHERE id = 1 ORDER BY name") == [["ann"], ["ann"], ["cyd"]])
        #expect(try rejects.loader.count() == 6)
        #expect(try rejects.texts().isEmpty)
    }

    /// The file is read again with new content.
    @Test(arguments: LoaderSink.databases, names) func onlyTheMendedOfTwoRejectionsThatLookAlikeLeave(
        sink: LoaderSink, name: String
    ) throws {
        let rejects = Rejects(name, try Loader(sink))
        for value in ["one", "two", "two"] {
            try rejects.load("{\"id\":1,\"v\":\(value)}\n{\"id\":2,\"v\":2}\n") { ($0.existing, $0.restarts) = (.append, true) }
        }
        try rejects.mend("two}", "3}")
        let report = try rejects.replay(isDone: false).report
        #expect(report?.rows.added == 2 && report?.rejected == 1)
        #expect(try rejects.texts() == [#"{"id":1,"v":one}"#])
    }

    // MARK: Unfinished records

    /// The last text of the rejects ends inside a record, but it is not the end of an input that may grow.
    @Test(arguments: LoaderSink.databases, names) func aLastTextThatIsNotClosedIsRejectedOnce(sink: LoaderSink, name: String)
        throws
    {
        for isPipe in [true, false] {
            let rejects = Rejects(name, try Loader(sink))
            let text = "{\"id\":1}\n{\"id\":nul}\n{\"id\":777" + (isPipe ? "" : "\n")
            if isPipe {
                #expect(try rejects.loader.load(text) { $0.rejects = rejects.target }.isLossy)
            } else {
                try rejects.load(text)
            }
            try rejects.mend("nul}", "5}")
            for _ in 0..<3 {
                try rejects.replay(isDone: false)
                #expect(try rejects.texts() == [#"{"id":777"#])
            }
            try rejects.mend("777", "777}")
            try rejects.replay()
            #expect(try rejects.texts().isEmpty)
            #expect(try rejects.loader.rows("id", by: "id") == [[1], [5], [777]])
        }
    }

    @Test(arguments: LoaderSink.databases, names) func aRecordThatItsInputEndsInIsStoredByAnIngestOnly(
        sink: LoaderSink, name: String
    ) throws {
        for isMended in [true, false] {
            let rejects = Rejects(name, try Loader(sink))
            let text = "{\"id\":1}\n{\"id\":nul}\n{\"id\":777"
            try rejects.load(text)
            try rejects.mend("nul}", "5}")
            if isMended { try rejects.mend("777", "777}") }
            let left: StoredValue = isMended ? #"{"id":777}"# : #"{"id":777"#
            for _ in 0..<2 {
                #expect(try rejects.replay(isDone: false).replay.unfinished == 1)
                #expect(try rejects.texts() == [left])
            }
            let grown = try rejects.load(text + "}\n{\"id\":888}\n", isLossy: false)
            #expect(grown.rows.added == 2, "\(grown)")
            // A text that was changed is not removed, but it is not stored either.
            let note = "is out of date, and was not found in \(rejects.target.name)"
            #expect(grown.notes.contains { $0.contains(note) } == isMended, "\(grown.notes)")
            #expect(try rejects.texts() == (isMended ? [left] : []))
            try rejects.replay(isDone: !isMended)
            #expect(try rejects.loader.rows("id", by: "id") == [[1], [5], [777], [888]])
        }
    }

    @Test(arguments: LoaderSink.databases) func anUnfinishedRecordIsStoredIfItsKindNoLongerSaysSo(sink: LoaderSink) throws {
        let rejects = Rejects("bad", try Loader(sink))
        try rejects.load("{\"id\":1}\n{\"id\":777")
        try rejects.mend("777", "777}")
        #expect(try rejects.loader.rows("error_type", of: "bad") == [["unexpectedEnd (unfinished)"]])
        try rejects.loader.execute("UPDATE bad SET error_type = replace(error_type, ' (unfinished)', '')")
        try rejects.replay()
        #expect(try rejects.loader.count() == 2)
        #expect(try rejects.texts().isEmpty)
    }

    // MARK: Records that are left out

    @Test(arguments: LoaderSink.databases, names) func aRecordThatAContractLeavesOutKeepsItsRejection(
        sink: LoaderSink, name: String
    ) throws {
        for batch in [10_000, 1] {
            let rejects = Rejects(name, try Loader(sink))
            let columns = ["id:integer", "v:integer"]
            try rejects.load(
                "{\"id\":1,\"v\":1}\n{\"id\":2,\"w\":1,}\n{\"id\":3,\"v\":3,}\n{\"id\":4,\"w\":4,}\n", columns: columns)
            try rejects.mend(",}", "}")
            for run in 0..<2 {
                let report = try rejects.replay(columns: columns, isDone: false) {
                    ($0.contract, $0.batch) = (.discardRow, batch)
                }.report
                #expect(
                    report?.notes.contains("2 rejections stay, because their records were left out") == true,
                    "\(run): \(String(describing: report))")
                #expect(try rejects.texts() == [#"{"id":2,"w":1}"#, #"{"id":4,"w":4}"#])
                #expect(try rejects.loader.rows("id", by: "id") == [[1], [3]])
            }
            try rejects.replay()
            #expect(try rejects.texts().isEmpty)
            #expect(try rejects.loader.rows("id", "w", by: "id") == [[1, nil], [2, 1], [3, nil], [4, 4]])
        }
    }

    @Test(arguments: LoaderSink.databases, names) func aRecordThatAConditionPassesOverKeepsItsRejection(
        sink: LoaderSink, name: String
    ) throws {
        let rejects = Rejects(name, try Loader(sink))
        try rejects.load("{\"id\":1}\n{\"id\":2,}\n{\"id\":3,}\n{\"id\":4,}\n")
        try rejects.mend(",}", "}")
        let report = try rejects.replay { $0.feed.filter = try WhereClause("id = 3", columns: []) }.report
        #expect(report?.rows.added == 1 && report?.passedOver == 2)
        #expect(report?.notes.contains("2 rejections stay, because their records were left out") == true)
        #expect(try rejects.texts() == [#"{"id":2}"#, #"{"id":4}"#])
    }

    @Test(arguments: LoaderSink.databases, names)
    func aRecordWhoseKeyIsInTheTableCountsAsDoneIfItIsIgnored(sink: LoaderSink, name: String) throws {
        let rejects = Rejects(name, try Loader(sink))
        try rejects.load("{\"id\":1,\"v\":1}\n{\"id\":1,\"v\":2,}\n{\"id\":3,\"v\":3,}\n") { $0.primaryKey = ["id"] }
        try rejects.mend(",}", "}")
        try rejects.replay { ($0.primaryKey, $0.conflict) = (["id"], .ignore) }
        #expect(try rejects.loader.rows("id", "v", by: "id") == [[1, 1], [3, 3]])
        #expect(try rejects.texts().isEmpty)
    }

    @Test(arguments: LoaderSink.databases, ["ch", "ch.ndjson"])
    func theChangesHaveTheRowsOfAReplayAtTheirPositionsInTheFeed(sink: LoaderSink, changes: String) throws {
        let rejects = Rejects("bad", try Loader(sink))
        let path = rejects.loader.scratch.path(changes)
        func setUp(_ options: inout IngestOptions) {
            (options.primaryKey, options.conflict) = (["id"], .upsert)
            options.changes = changes == "ch" ? .table(changes) : .file(path: path)
        }
        try rejects.load("{\"id\":1,\"v\":1}\n{\"id\":2,\"v\":2,}\n{\"id\":1,\"v\":3,}\n", setUp)
        try rejects.mend(",}", "}")
        try rejects.replay {
            setUp(&$0)
            $0.isDryRun = true
        }
        try rejects.replay(setUp)
        let found: [[StoredValue]]
        if changes == "ch" {
            found = try rejects.loader.rows("operation", "key", "file", "line", "byte_position", of: "ch", by: "number")
        } else {
            found = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
                let change = try JSONValue(json: String(line))
                return [
                    .text(change["operation"]?.string ?? ""), .text(try change["key"]?.jsonString() ?? ""),
                    .text(change["file"]?.string ?? ""), .integer(Int64(change["line"]?.int ?? 0)),
                    .integer(Int64(change["byte_position"]?.int ?? -1)),
                ]
            }
        }
        let file = StoredValue.text(rejects.loader.scratch.path("in.ndjson"))
        #expect(
            found == [
                ["added", #"{"id":1}"#, file, 1, 0], ["added", #"{"id":2}"#, file, 2, 15],
                ["changed", #"{"id":1}"#, file, 3, 31],
            ])
        #expect(try rejects.texts().isEmpty)
    }

    // MARK: Texts that are no mended records

    @Test(arguments: LoaderSink.databases, names) func aRecordThatIsNotUTF8IsNotStoredBeforeItIsMended(
        sink: LoaderSink, name: String
    ) throws {
        let rejects = Rejects(name, try Loader(sink))
        let path = rejects.loader.scratch.path("in.ndjson")
        let bytes = Array(#"{"id":1,"t":"caf"#.utf8) + [0xE9] + Array("\"}\n{\"id\":2,\"t\":\"ok\"}\n".utf8)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        #expect(try rejects.loader.load(file: path) { $0.rejects = rejects.target }.isLossy)
        #expect(try rejects.texts() == [#"{"id":1,"t":"caf\xE9"}"#])
        for columns in [[], ["id:integer"]] {
            try rejects.replay(columns: columns, isDone: false)
            #expect(try rejects.loader.count() == 1)
            #expect(try rejects.texts().count == 1)
        }
        try rejects.mend(rejects.target.path == nil ? #"\xE9"# : #"\\xE9"#, "é")
        try rejects.replay()
        #expect(try rejects.loader.rows("t", by: "id") == [["café"], ["ok"]])
    }

    @Test(arguments: LoaderSink.databases, names) func aRejectedElementBecomesNoRecord(sink: LoaderSink, name: String) throws {
        let rejects = Rejects(name, try Loader(sink))
        func setUp(_ options: inout IngestOptions) throws {
            (options.primaryKey, options.children.storage, options.children.rejects) = (["id"], .tables, .element)
            options.types = [try TypeOption("items.n:integer")]
        }
        try rejects.load("{\"id\":1,\"items\":[{\"n\":1},{\"n\":\"x\"}]}\n") {
            $0.feed.format = .lines
            try setUp(&$0)
        }
        #expect(try rejects.texts() == [#"{"n":"x"}"#])
        for change in [{ _ in }, setUp] as [(inout IngestOptions) throws -> Void] {
            #expect(try rejects.replay(isDone: false, change).replay.parts == 1)
            #expect(try rejects.loader.count() == 1)
            #expect(try rejects.texts().count == 1)
        }
    }

    @Test(arguments: LoaderSink.databases, [1, 2]) func aRejectedDocumentBecomesNoRecord(sink: LoaderSink, workers: Int) throws {
        let rejects = Rejects("bad", try Loader(sink))
        try rejects.load("{\"data\":[{\"a\":1} 7]}\n{\"data\":[{\"a\":2},{\"a\":}]}\n") {
            ($0.feed.path, $0.feed.format, $0.workers) = ("data", .lines, workers)
        }
        #expect(try rejects.loader.rows("error_type", of: "bad", by: "line") == [["syntax (document)"], ["syntax"]])
        try rejects.mend(":}", ":3}")
        try rejects.mend("} 7", "}")
        try rejects.replay(isDone: false)
        #expect(try rejects.loader.rows("a", by: "a") == [[1], [2], [3]])
        #expect(try rejects.texts().count == 1)
    }

    @Test(arguments: LoaderSink.databases) func aRecordWithoutItsKeyIsNotStored(sink: LoaderSink) throws {
        let rejects = Rejects("bad", try Loader(sink))
        try rejects.load(#"{"ann":{"age":5},"bob":{"age":"six"}}"#) {
            ($0.feed.path, $0.feed.format) = ("*", .object)
            ($0.feed.wrapping, $0.types) = (RecordWrapping(keyColumn: "name"), [try TypeOption("age:integer")])
        }
        #expect(try rejects.loader.rows("error_type", "json_line", of: "bad") == [["typeMismatch (value)", #"{"age":"six"}"#]])
        try rejects.mend(#""six""#, "6")
        #expect(try rejects.replay(isDone: false).replay.parts == 1)
        #expect(try rejects.loader.count() == 1)
        try rejects.loader.execute(
            #"UPDATE bad SET json_line = replace(json_line, '{', '{"name":"bob",'), error_type = 'typeMismatch'"#)
        try rejects.replay()
        #expect(try rejects.loader.rows("name", "age", by: "age") == [["ann", 5], ["bob", 6]])
    }

    @Test(arguments: LoaderSink.databases) func valuesBecomeObjectsInAReplayToo(sink: LoaderSink) throws {
        let rejects = Rejects("bad", try Loader(sink))
        try rejects.load(#"[1, 2, "three"]"#) {
            ($0.feed.format, $0.feed.wrapping) = (.array, RecordWrapping(keyColumn: nil, valueColumn: "v"))
            $0.types = [try TypeOption("v:integer")]
        }
        try rejects.loader.execute("UPDATE bad SET json_line = '3'")
        try rejects.replay { $0.feed.wrapping = RecordWrapping(keyColumn: nil, valueColumn: "v") }
        #expect(try rejects.loader.rows("v") == [[1], [2], [3]])
    }

    // MARK: The table of rejects

    @Test(arguments: LoaderSink.databases) func rejectsAreNotPutIntoATableOfTheUser(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try loader.execute(
            "CREATE TABLE people (name TEXT, street TEXT, town TEXT, zip TEXT, phone TEXT, mail TEXT, notes TEXT, photo TEXT)")
        let file = try loader.scratch.file("in.ndjson", "{\"id\":1,\"items\":[{\"n\":1}]}\n{\"id\":\n")
        let error = #expect(throws: IngestError.self) { try loader.load(file: file) { $0.rejects = .table("people") } }
        #expect(
            error?.description.contains("has a table people already that is no table of rejected records") == true,
            "\(String(describing: error))")
        #expect(try loader.count("people") == 0)
        let own = #expect(throws: IngestError.self) {
            try loader.load(file: file) { ($0.children.storage, $0.rejects) = (.tables, .table("records")) }
        }
        #expect(own?.description.contains("needs a table of its own") == true)
        let tables =
            sink == .sqlite
            ? "SELECT name FROM sqlite_master WHERE name LIKE 'records%'"
            : "SELECT relname FROM pg_class WHERE relnamespace = current_schema::regnamespace AND relname LIKE 'records%'"
        #expect(try loader.query(tables).isEmpty)
        // A table of elements gets another name.
        let other = try loader.load(file: file) { ($0.children.storage, $0.rejects) = (.tables, .table("Records_Items")) }
        #expect(other.isLossy)
        #expect(try loader.count("\"Records_Items\"") == 1)
        #expect(try loader.rows("n", of: "records_items_2") == [[1]])
    }

    @Test(arguments: LoaderSink.databases) func rejectsGoIntoTheirColumnsWhateverTheirOrder(sink: LoaderSink) throws {
        let rejects = Rejects("bad", try Loader(sink))
        try rejects.loader.execute(
            """
            CREATE TABLE bad (note TEXT, json_line TEXT, error_message TEXT, error_type TEXT, column_name TEXT, byte_position BIGINT,
                line_byte_position BIGINT, line BIGINT, file TEXT)
            """)
        try rejects.load("{\"id\":1}\n{\"id\":\n")
        #expect(
            try rejects.loader.rows("file", "line", "error_type", "json_line", of: "bad")
                == [[.text(rejects.loader.scratch.path("in.ndjson")), 2, "unexpectedEnd", #"{"id":"#]])
    }
}
#endif
