#if CommandLine && os(Linux)
import Foundation
import GRDB
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

/// Rejected records that were mended and are read again.
@Suite(.enabled(if: Shell.isPresent)) struct ReplayTests {
    private static let feed = "{\"id\":1,\"v\":1}\n{\"id\":2,\"v\":nul}\n{\"id\":3,\"v\":3}\n  {\"id\":4,\"v\":4,}\n"

    private func scratch(_ target: String) throws -> Scratch {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", ReplayTests.feed)
        #expect(try scratch.shell("sluice ingest --rejects \(target) in.ndjson out.db").status == 2)
        #expect(try scratch.count() == 2)
        return scratch
    }

    private func rejects(_ target: String, _ scratch: Scratch) throws -> [String] {
        if target == "bad" { return try scratch.rows("SELECT json_line FROM bad").map { $0[0] } }
        let text = try String(contentsOfFile: scratch.path(target), encoding: .utf8)
        // A line that was removed in front of others has become blanks.
        let lines = text.split(separator: "\n").filter { $0.contains("{") }
        return try lines.compactMap { try JSONValue(json: String($0))["json_line"]?.string }
    }

    private func mend(_ target: String, _ scratch: Scratch, _ wrong: String, _ right: String) throws {
        if target == "bad" {
            try scratch.execute("UPDATE bad SET json_line = replace(json_line, '\(wrong)', '\(right)')")
        } else {
            _ = try scratch.shell("sed -i 's/\(wrong)/\(right)/' \(target)")
        }
    }

    @Test(arguments: ["bad", "bad.ndjson"]) func mendedRecordsAreStoredAndLeaveTheRejects(target: String) throws {
        let scratch = try scratch(target)
        try mend(target, scratch, "nul}", "2}")
        let first = try scratch.shell("sluice replay \(target) out.db")
        #expect(first.status == 2, "\(first)")
        #expect(try scratch.rows("SELECT id, v FROM records ORDER BY id").map { $0[1] as Int } == [1, 2, 3])
        #expect(try rejects(target, scratch).count == 1)
        // The record that is still damaged keeps its place in its feed.
        #expect(first.output.contains("line 4, column 17, byte "), "\(first)")
        try mend(target, scratch, "4,}", "4}")
        #expect(try scratch.shell("sluice replay \(target) out.db").status == 0)
        #expect(try scratch.value("SELECT group_concat(v) FROM (SELECT v FROM records ORDER BY id)") == "1,2,3,4")
        #expect(try rejects(target, scratch).isEmpty)
        // Nothing is left, and nothing is stored twice.
        #expect(try scratch.shell("sluice replay \(target) out.db").status == 0)
        #expect(try scratch.count() == 4)
    }

    @Test(arguments: ["bad", "bad.ndjson"]) func recordsThatWereReplayedAreNoLongerRejected(target: String) throws {
        let scratch = try scratch(target)
        let again = "sluice ingest --rejects \(target) in.ndjson out.db"
        #expect(try scratch.shell(again).output.contains("all records but 2, rejected by earlier runs"))
        try mend(target, scratch, "nul}", "2}")
        _ = try scratch.shell("sluice replay \(target) out.db")
        #expect(try scratch.shell(again).output.contains("all records but 1, rejected by earlier runs"))
        try mend(target, scratch, "4,}", "4}")
        _ = try scratch.shell("sluice replay \(target) out.db")
        let last = try scratch.shell(again)
        #expect(last.status == 0 && last.output.contains("nothing to do: all records of the input"), "\(last)")
        // Read anew, they are rejected again.
        let anew = try scratch.shell("sluice ingest --drop in.ndjson out.db")
        #expect(anew.status == 2 && anew.output.contains("2 records rejected"))
        #expect(
            try scratch.shell("sluice ingest in.ndjson out.db").output.contains("all records but 2, rejected by earlier runs"))
    }

    @Test func aReplayCountsForNoOtherInputOfTheSameName() throws {
        let scratch = try Scratch()
        _ = try scratch.shell(
            "mkdir a b; printf '{\"id\":1}\\n{\"id\":2,}\\n' > a/in.ndjson; printf '{\"id\":3}\\n{\"id\":4,}\\n' > b/in.ndjson")
        let load = "sluice ingest --append --rejects bad in.ndjson ../out.db"
        #expect(try scratch.shell("cd a && \(load)").status == 2)
        #expect(try scratch.shell("cd b && \(load)").status == 2)
        try scratch.execute("UPDATE bad SET json_line = '{\"id\":2}' WHERE json_line LIKE '%2%'")
        _ = try scratch.shell("sluice replay bad out.db")
        #expect(try scratch.count() == 3)
        #expect(try scratch.shell("cd b && \(load)").status == 2)
    }

    @Test func theFeedGoesOnWhereItWasBeforeTheReplay() throws {
        let scratch = try scratch("bad.ndjson")
        try mend("bad.ndjson", scratch, "nul}", "2}")
        _ = try scratch.shell("sluice replay bad.ndjson out.db")
        _ = try scratch.shell("echo '{\"id\":5,\"v\":5}' >> in.ndjson")
        #expect(try scratch.shell("sluice ingest --rejects bad.ndjson in.ndjson out.db").output.contains("1 added"))
        #expect(try scratch.value("SELECT group_concat(id) FROM (SELECT id FROM records ORDER BY id)") == "1,2,3,5")
    }

    @Test func linesThatAnotherProgramHasWrittenAnewAreFoundAgain() throws {
        let scratch = try scratch("bad.ndjson")
        let path = scratch.path("bad.ndjson")
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
            var value = try #require(try JSONValue(json: String(line)).object)
            value["json_line"] = .string(
                (value["json_line"]?.string ?? "").replacing("nul}", with: "2}").replacing("4,}", with: "4}"))
            return try "  " + JSONValue.object(value).jsonString().replacing("\":", with: "\" : ")
        }
        // And without the last line break.
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: path))
        let result = try scratch.shell("sluice replay bad.ndjson out.db")
        #expect(result.status == 0, "\(result)")
        #expect(try scratch.count() == 4)
        #expect(try rejects("bad.ndjson", scratch).isEmpty)
    }

    @Test func aRecordThatTheTableHasRefusedIsStoredOnceTheTableTakesIt() throws {
        let scratch = try Scratch()
        try scratch.execute("CREATE TABLE records (id INTEGER PRIMARY KEY, v CHECK (v < 3))")
        _ = try scratch.file("in.ndjson", "{\"id\":1,\"v\":1}\n{\"id\":2,\"v\":9}\n")
        #expect(try scratch.shell("sluice ingest --append --rejects bad in.ndjson out.db").status == 2)
        #expect(try scratch.shell("sluice replay bad out.db").status == 2)
        #expect(try scratch.count("bad") == 1)
        try scratch.execute("DROP TABLE records; CREATE TABLE records (id INTEGER PRIMARY KEY, v)")
        #expect(try scratch.shell("sluice replay bad out.db").status == 0)
        #expect(try scratch.rows("SELECT id, v FROM records") == [["id": 2, "v": 9]])
        #expect(try scratch.count("bad") == 0)
    }

    @Test func aDryRunChangesNothing() throws {
        let scratch = try scratch("bad.ndjson")
        try mend("bad.ndjson", scratch, "nul}", "2}")
        _ = try scratch.shell("sluice replay --dry-run bad.ndjson out.db")
        #expect(try scratch.count() == 2)
        #expect(try rejects("bad.ndjson", scratch).count == 2)
    }

    @Test func rejectionsWithoutATextStay() throws {
        let scratch = try scratch("bad")
        try scratch.execute("UPDATE bad SET json_line = NULL WHERE json_line LIKE '%4,%'")
        try mend("bad", scratch, "nul}", "2}")
        let result = try scratch.shell("sluice replay bad out.db")
        #expect(result.status == 2)
        #expect(result.errors.contains("rejections without a text, which stay: 1"))
        #expect(try scratch.count("bad") == 1)
        #expect(try scratch.count() == 3)
    }

    @Test(arguments: [
        "replay bad", "replay missing out.db", "replay missing.ndjson out.db", "replay --at a bad out.db",
        "replay --rejects x bad out.db",
        "replay records out.db", "replay --where 'a = 1' bad out.db", "replay --upsert --ignore bad out.db",
    ])
    func aWrongCommandLineIsRefused(command: String) throws {
        let scratch = try scratch("bad")
        let result = try scratch.shell("sluice \(command)")
        #expect([3, 64].contains(result.status), "\(result)")
        #expect(try scratch.count() == 2)
        #expect(try scratch.count("bad") == 2)
    }

    @Test func thereIsNothingToReplay() throws {
        let scratch = try Scratch()
        _ = try scratch.file("bad.ndjson", "")
        let result = try scratch.shell("sluice replay bad.ndjson out.db")
        #expect(result.status == 0)
        #expect(result.output == "bad.ndjson holds no rejected records\n", "\(result)")
        #expect(!FileManager.default.fileExists(atPath: scratch.path("out.db")))
    }

    /// Each replay starts with the rejections that it finds, and ends with an error when another replay was faster.
    @Test(arguments: ["bad", "bad.ndjson"]) func replaysAtOnceStoreEachRecordOnce(target: String) throws {
        let scratch = try Scratch()
        let count = 2_000
        _ = try scratch.file("in.ndjson", "{\"id\":0}\n" + (1...count).map { "{\"id\":\($0),}\n" }.joined())
        #expect(try scratch.shell("sluice ingest --rejects \(target) in.ndjson out.db").status == 2)
        try mend(target, scratch, ",}", "}")
        let runs = try (0..<3).map { _ in try scratch.start("exec sluice replay --batch 40 \(target) out.db") }
        let results = try runs.map { try $0.result() }
        #expect(results.contains { $0.status == 0 })
        for result in results where result.status != 0 {
            #expect(result.status == 3)
            #expect(result.output.contains("were changed by others meanwhile; run this again"), "\(result)")
        }
        #expect(try scratch.count() == count + 1)
        #expect(try scratch.value("SELECT count(DISTINCT id) FROM records") == count + 1)
        #expect(try rejects(target, scratch).isEmpty)
    }

    /// Kills replays at any moment, and lets the last one end.
    @Test(arguments: ["bad", "bad.ndjson"]) func aReplayThatIsKilledStoresEachRecordOnce(target: String) throws {
        let scratch = try Scratch()
        let count = 3_000
        _ = try scratch.file("in.ndjson", "{\"id\":0}\n" + (1...count).map { "{\"id\":\($0),}\n" }.joined())
        #expect(try scratch.shell("sluice ingest --rejects \(target) in.ndjson out.db").status == 2)
        try mend(target, scratch, ",}", "}")
        for milliseconds in [60, 150, 300, 500, 900, 1_500] {
            let run = try scratch.start("exec sluice replay --batch 40 \(target) out.db")
            try run.kill(after: Double(milliseconds) / 1_000)
        }
        let last = try scratch.shell("sluice replay --batch 500 \(target) out.db")
        #expect(last.status == 0, "\(last)")
        #expect(try scratch.count() == count + 1)
        #expect(try scratch.value("SELECT count(DISTINCT id) FROM records") == count + 1)
        #expect(try rejects(target, scratch).isEmpty)
    }

    // MARK: Rejections that look alike

    /// Rejections of a pipe that is read every day have the same name, place and kind.
    @Test(arguments: ["bad", "bad.ndjson"]) func rejectionsAtTheSamePlaceAreRecordsOfTheirOwn(target: String) throws {
        let scratch = try Scratch()
        for (option, names) in [("", ("ann", "bob")), ("--append", ("cyd", "dan")), ("--append", ("ann", "eve"))] {
            let feed = #"{"id":1,"name":"\#(names.0)}\n{"id":2,"name":"\#(names.1)"}\n"#
            #expect(
                try scratch.shell("printf '\(feed)' | sluice ingest - out.db --rejects \(target) \(option)").status == 2)
        }
        if target == "bad" {
            try scratch.execute(#"UPDATE bad SET json_line = replace(json_line, '}', '"}')"#)
        } else {
            _ = try scratch.shell(#"sed -i 's/}","error_message/\\"}","error_message/' bad.ndjson"#)
        }
        let result = try scratch.shell("sluice replay \(target) out.db")
        #expect(result.status == 0, "\(result)")
        // Two of the rejections are equal: they are two records.
        let names = "SELECT group_concat(name) FROM (SELECT name FROM records WHERE id = 1 ORDER BY name)"
        #expect(try scratch.value(names) == "ann,ann,cyd")
        #expect(try scratch.count() == 6)
        #expect(try rejects(target, scratch).isEmpty)
    }

    @Test(arguments: ["bad", "bad.ndjson"]) func onlyTheRejectionsOfStoredRecordsLeave(target: String) throws {
        let scratch = try Scratch()
        for folder in ["d1", "d2"] {
            let value = folder == "d1" ? "one" : "two"
            _ = try scratch.shell(
                "mkdir \(folder); printf '{\"id\":0}\\n{\"id\":\(value)}\\n{\"id\":9}\\n' > \(folder)/part.ndjson")
            let place = target == "bad" ? "bad" : "../bad.ndjson"
            let run = "cd \(folder) && sluice ingest part.ndjson ../out.db --rejects \(place) --append"
            #expect(try scratch.shell(run).status == 2)
        }
        try mend(target, scratch, "two}", "2}")
        #expect(try scratch.shell("sluice replay \(target) out.db").status == 2)
        #expect(try scratch.value("SELECT group_concat(id) FROM (SELECT id FROM records ORDER BY id)") == "0,0,2,9,9")
        #expect(try rejects(target, scratch) == [#"{"id":one}"#])
    }

    /// The files have the same name where they were loaded, and each is cut off in its second record.
    @Test(arguments: ["bad", "bad.ndjson"]) func aGrowingFileTakesBackItsOwnRejectionOnly(target: String) throws {
        let scratch = try Scratch()
        let place = target == "bad" ? "bad" : "../bad.ndjson"
        let load = "sluice ingest part.ndjson ../out.db --rejects \(place) --append"
        _ = try scratch.shell(#"mkdir d1 d2; printf '{"id":1}\n{"id":' > d1/part.ndjson"#)
        _ = try scratch.shell(#"printf '{"id":4}\n{"id":\n{"id":6}\n' > d2/part.ndjson"#)
        for folder in ["d1", "d2"] { #expect(try scratch.shell("cd \(folder) && \(load)").status == 2) }
        #expect(try rejects(target, scratch).count == 2)
        #expect(try scratch.shell("echo '2}' >> d1/part.ndjson; cd d1 && \(load)").status == 0)
        #expect(try scratch.value("SELECT group_concat(id) FROM (SELECT id FROM records ORDER BY id)") == "1,2,4,6")
        #expect(try rejects(target, scratch) == [#"{"id":"#])
    }

    /// The file cannot say whose its lines are. Nothing disappears: all of them are stored where they are replayed.
    @Test func aFileOfTwoDatabasesLosesNothing() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", "{\"id\":1}\n{\"id\":\n")
        for database in ["a.db", "b.db"] {
            #expect(try scratch.shell("sluice ingest in.ndjson \(database) --rejects bad.ndjson").status == 2)
        }
        _ = try scratch.shell(#"sed -i 's/"{\\"id\\":"/"{\\"id\\":2}"/' bad.ndjson"#)
        #expect(try scratch.shell("sluice replay bad.ndjson a.db").status == 0)
        #expect(try scratch.shell("sqlite3 a.db 'SELECT group_concat(id) FROM records'").output == "1,2,2\n")
    }

    // MARK: Unfinished records

    /// The last text of the rejects ends inside a record, but it is not the end of an input that may grow.
    @Test(arguments: ["bad", "bad.ndjson"], [true, false]) func aLastTextThatIsNotClosedIsRejectedOnce(
        target: String, isPipe: Bool
    ) throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", "{\"id\":1}\n{\"id\":nul}\n{\"id\":777" + (isPipe ? "" : "\n"))
        let ingest = isPipe ? "cat in.ndjson | sluice ingest - out.db" : "sluice ingest in.ndjson out.db"
        #expect(try scratch.shell("\(ingest) --rejects \(target)").status == 2)
        try mend(target, scratch, "nul}", "5}")
        for _ in 0..<3 {
            let result = try scratch.shell("sluice replay \(target) out.db")
            #expect(result.status == 2, "\(result)")
            #expect(try rejects(target, scratch) == [#"{"id":777"#])
        }
        try mend(target, scratch, "777", "777}")
        #expect(try scratch.shell("sluice replay \(target) out.db").status == 0)
        #expect(try rejects(target, scratch).isEmpty)
        #expect(try scratch.value("SELECT group_concat(id) FROM (SELECT id FROM records ORDER BY id)") == "1,5,777")
    }

    @Test(arguments: ["bad", "bad.ndjson"], [true, false]) func aRecordThatItsInputEndsInIsStoredByAnIngestOnly(
        target: String, isMended: Bool
    ) throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", "{\"id\":1}\n{\"id\":nul}\n{\"id\":777")
        #expect(try scratch.shell("sluice ingest in.ndjson out.db --rejects \(target)").status == 2)
        try mend(target, scratch, "nul}", "5}")
        if isMended { try mend(target, scratch, "777", "777}") }
        let left = isMended ? #"{"id":777}"# : #"{"id":777"#
        for _ in 0..<2 {
            let result = try scratch.shell("sluice replay \(target) out.db")
            #expect(result.status == 2, "\(result)")
            #expect(result.errors.contains("unfinished records, which stay"), "\(result)")
            #expect(try rejects(target, scratch) == [left])
        }
        _ = try scratch.shell(#"printf '}\n{"id":888}\n' >> in.ndjson"#)
        let grown = try scratch.shell("sluice ingest in.ndjson out.db --rejects \(target)")
        #expect(grown.output.contains("2 added"), "\(grown)")
        // A text that was changed is not removed, but it is not stored either.
        #expect(grown.output.contains("is out of date, and was not found in \(target)") == isMended, "\(grown)")
        #expect(try rejects(target, scratch) == (isMended ? [left] : []))
        #expect(try scratch.shell("sluice replay \(target) out.db").status == (isMended ? 2 : 0))
        #expect(try scratch.value("SELECT group_concat(id) FROM (SELECT id FROM records ORDER BY id)") == "1,5,777,888")
    }

    @Test func anUnfinishedRecordIsStoredIfItsKindNoLongerSaysSo() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", "{\"id\":1}\n{\"id\":777")
        #expect(try scratch.shell("sluice ingest in.ndjson out.db --rejects bad").status == 2)
        try mend("bad", scratch, "777", "777}")
        #expect(try scratch.value("SELECT error_type FROM bad") == "unexpectedEnd (unfinished)")
        try scratch.execute("UPDATE bad SET error_type = replace(error_type, ' (unfinished)', '')")
        #expect(try scratch.shell("sluice replay bad out.db").status == 0)
        #expect(try scratch.count() == 2)
        #expect(try scratch.count("bad") == 0)
    }

    // MARK: Records that are left out

    @Test(arguments: ["bad", "bad.ndjson"], ["", "--batch 1"]) func aRecordThatAContractLeavesOutKeepsItsRejection(
        target: String, options: String
    ) throws {
        let scratch = try Scratch()
        let columns = "--column id:integer --column v:integer"
        _ = try scratch.file("in.ndjson", "{\"id\":1,\"v\":1}\n{\"id\":2,\"w\":1,}\n{\"id\":3,\"v\":3,}\n{\"id\":4,\"w\":4,}\n")
        #expect(try scratch.shell("sluice ingest in.ndjson out.db --rejects \(target) \(columns)").status == 2)
        try mend(target, scratch, ",}", "}")
        for run in 0..<2 {
            let result = try scratch.shell("sluice replay \(target) out.db --contract discard-row \(columns) \(options)")
            #expect(result.status == 2, "\(result)")
            #expect(result.output.contains("note: 2 rejections stay, because their records were left out"), "\(run): \(result)")
            #expect(try rejects(target, scratch) == [#"{"id":2,"w":1}"#, #"{"id":4,"w":4}"#])
            #expect(try scratch.value("SELECT group_concat(id) FROM (SELECT id FROM records ORDER BY id)") == "1,3")
        }
        #expect(try scratch.shell("sluice replay \(target) out.db").status == 0)
        #expect(try rejects(target, scratch).isEmpty)
        #expect(try scratch.value("SELECT total(w) FROM records") == 5.0)
    }

    @Test func aRecordThatAConditionPassesOverKeepsItsRejection() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", "{\"id\":1}\n{\"id\":2,}\n{\"id\":3,}\n{\"id\":4,}\n")
        #expect(try scratch.shell("sluice ingest in.ndjson out.db --rejects bad").status == 2)
        try mend("bad", scratch, ",}", "}")
        let sink = SQLiteSink(path: scratch.path("out.db"))
        let replay = Replay(try sink.rejections(in: "bad"))
        var options = IngestOptions()
        options.read(replay, from: .table("bad"))
        options.feed.filter = try WhereClause("id = 3", columns: [])
        let report = try IngestJob(options, into: sink).run(replay.inputs, progress: ProgressLine(isShown: false))
        #expect(report.rows.added == 1 && report.passedOver == 2)
        #expect(report.notes.contains("2 rejections stay, because their records were left out"))
        #expect(try rejects("bad", scratch) == [#"{"id":2}"#, #"{"id":4}"#])
    }

    @Test func aRecordWhoseKeyIsInTheTableCountsAsDoneIfItIsIgnored() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", "{\"id\":1,\"v\":1}\n{\"id\":1,\"v\":2,}\n{\"id\":3,\"v\":3,}\n")
        #expect(try scratch.shell("sluice ingest in.ndjson out.db --pk id --rejects bad").status == 2)
        try mend("bad", scratch, ",}", "}")
        #expect(try scratch.shell("sluice replay bad out.db --pk id --ignore").status == 0)
        #expect(try scratch.value("SELECT group_concat(v) FROM (SELECT v FROM records ORDER BY id)") == "1,3")
        #expect(try scratch.count("bad") == 0)
    }

    @Test(arguments: ["ch", "ch.ndjson"]) func theChangesHaveTheRowsOfAReplayAtTheirPlacesInTheFeed(changes: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", "{\"id\":1,\"v\":1}\n{\"id\":2,\"v\":2,}\n{\"id\":1,\"v\":3,}\n")
        let options = "--pk id --upsert --changes \(changes)"
        #expect(try scratch.shell("sluice ingest in.ndjson out.db --rejects bad \(options)").status == 2)
        try mend("bad", scratch, ",}", "}")
        let dry = try scratch.shell("sluice replay bad out.db --dry-run \(options)")
        #expect(dry.status == 0, "\(dry)")
        let result = try scratch.shell("sluice replay bad out.db \(options)")
        #expect(result.status == 0, "\(result)")
        let text: String
        if changes == "ch" {
            text = try scratch.rows("SELECT operation, key, file, line, byte_position FROM ch ORDER BY number").map { row in
                row.databaseValues.map { "\($0.storage.value ?? "")" }.joined(separator: " ")
            }.joined(separator: "\n")
        } else {
            let lines = try String(contentsOfFile: scratch.path(changes), encoding: .utf8).split(separator: "\n")
            text = try lines.map { line in
                let change = try JSONValue(json: String(line))
                let place = "\(change["line"]?.int ?? 0) \(change["byte_position"]?.int ?? -1)"
                let key = "{\"id\":\(change["key"]?["id"]?.int ?? 0)}"
                return "\(change["operation"]?.string ?? "") \(key) \(change["file"]?.string ?? "") \(place)"
            }.joined(separator: "\n")
        }
        #expect(
            text == """
                added {"id":1} in.ndjson 1 0
                added {"id":2} in.ndjson 2 15
                changed {"id":1} in.ndjson 3 31
                """)
        #expect(try scratch.count("bad") == 0)
    }

    // MARK: Texts that are no mended records

    @Test(arguments: ["bad", "bad.ndjson"]) func aRecordThatIsNotUTF8IsNotStoredBeforeItIsMended(target: String) throws {
        let scratch = try Scratch()
        _ = try scratch.shell(#"printf '{"id":1,"t":"caf\351"}\n{"id":2,"t":"ok"}\n' > in.ndjson"#)
        #expect(try scratch.shell("sluice ingest in.ndjson out.db --rejects \(target)").status == 2)
        #expect(try rejects(target, scratch) == [#"{"id":1,"t":"caf\xE9"}"#])
        for options in ["", "--column id:integer"] {
            #expect(try scratch.shell("sluice replay \(target) out.db \(options)").status == 2)
            #expect(try scratch.count() == 1)
            #expect(try rejects(target, scratch).count == 1)
        }
        if target == "bad" {
            try scratch.execute(#"UPDATE bad SET json_line = replace(json_line, '\xE9', 'é')"#)
        } else {
            _ = try scratch.shell(#"sed -i 's/\\\\xE9/é/g' bad.ndjson"#)
        }
        #expect(try scratch.shell("sluice replay \(target) out.db").status == 0)
        #expect(try scratch.value("SELECT group_concat(t) FROM (SELECT t FROM records ORDER BY id)") == "café,ok")
    }

    @Test(arguments: ["bad", "bad.ndjson"]) func aRejectedElementBecomesNoRecord(target: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", "{\"id\":1,\"items\":[{\"n\":1},{\"n\":\"x\"}]}\n")
        let options = "--children tables --type items.n:integer --pk id --child-rejects element"
        #expect(try scratch.shell("sluice ingest in.ndjson out.db --rejects \(target) \(options)").status == 2)
        #expect(try rejects(target, scratch) == [#"{"n":"x"}"#])
        for options in ["", options] {
            let result = try scratch.shell("sluice replay \(target) out.db \(options)")
            #expect(result.status == 2)
            #expect(result.errors.contains("because they are no records: 1"), "\(result)")
            #expect(try scratch.count() == 1)
            #expect(try rejects(target, scratch).count == 1)
        }
    }

    @Test(arguments: ["1", "2"]) func aRejectedDocumentBecomesNoRecord(workers: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", "{\"data\":[{\"a\":1} 7]}\n{\"data\":[{\"a\":2},{\"a\":}]}\n")
        let run = "sluice ingest --at data --format ndjson --workers \(workers) --rejects bad in.ndjson out.db"
        #expect(try scratch.shell(run).status == 2)
        let kinds = try scratch.rows("SELECT error_type FROM bad ORDER BY line").map { $0[0] as String }
        #expect(kinds == ["syntax (document)", "syntax"])
        try scratch.execute("UPDATE bad SET json_line = replace(replace(json_line, ':}', ':3}'), '} 7', '}')")
        #expect(try scratch.shell("sluice replay bad out.db").status == 2)
        #expect(try scratch.value("SELECT group_concat(a) FROM (SELECT a FROM records ORDER BY a)") == "1,2,3")
        #expect(try scratch.count("bad") == 1)
    }

    @Test func aRecordWithoutItsKeyIsNotStored() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.json", #"{"ann":{"age":5},"bob":{"age":"six"}}"#)
        let run = "sluice ingest --at '*' --key-column name --type age:integer in.json out.db --rejects bad"
        #expect(try scratch.shell(run).status == 2)
        #expect(try scratch.value("SELECT error_type || json_line FROM bad") == #"typeMismatch (value){"age":"six"}"#)
        try scratch.execute("UPDATE bad SET json_line = replace(json_line, '\"six\"', '6')")
        #expect(try scratch.shell("sluice replay bad out.db").status == 2)
        #expect(try scratch.shell("sluice replay bad out.db --key-column name").status == 64)
        #expect(try scratch.count() == 1)
        try scratch.execute(
            #"UPDATE bad SET json_line = replace(json_line, '{', '{"name":"bob",'), error_type = 'typeMismatch'"#)
        #expect(try scratch.shell("sluice replay bad out.db").status == 0)
        #expect(try scratch.value("SELECT name || age FROM records WHERE age > 5") == "bob6")
    }

    @Test func valuesBecomeObjectsInAReplayToo() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.json", "[1, 2, \"three\"]")
        let run = "sluice ingest --format array --value-column v --type v:integer in.json out.db --rejects bad"
        #expect(try scratch.shell(run).status == 2)
        try scratch.execute("UPDATE bad SET json_line = '3'")
        let result = try scratch.shell("sluice replay bad out.db --value-column v")
        #expect(result.status == 0, "\(result)")
        #expect(try scratch.value("SELECT group_concat(v) FROM records") == "1,2,3")
    }

    // MARK: The table of rejects

    @Test func rejectsAreNotPutIntoATableOfTheUser() throws {
        let scratch = try Scratch()
        try scratch.execute("CREATE TABLE people (name, street, town, zip, phone, mail, notes, photo)")
        _ = try scratch.file("in.ndjson", "{\"id\":1,\"items\":[{\"n\":1}]}\n{\"id\":\n")
        let result = try scratch.shell("sluice ingest in.ndjson out.db --rejects people")
        #expect(result.status == 3)
        #expect(result.errors.contains("has a table people already that is no table of rejected records"), "\(result)")
        #expect(try scratch.count("people") == 0)
        let own = try scratch.shell("sluice ingest in.ndjson out.db --children tables --rejects records")
        #expect(own.errors.contains("needs a table of its own"), "\(own)")
        #expect(try scratch.value("SELECT count(*) FROM sqlite_master WHERE name LIKE 'records%'") == 0)
        // A table of elements gets another name.
        let other = try scratch.shell("sluice ingest in.ndjson out.db --children tables --rejects Records_Items")
        #expect(other.status == 2, "\(other)")
        #expect(try scratch.count("Records_Items") == 1)
        #expect(try scratch.value("SELECT group_concat(n) FROM records_items_2") == "1")
    }

    @Test func rejectsGoIntoTheirColumnsWhateverTheirOrder() throws {
        let scratch = try Scratch()
        try scratch.execute(
            """
            CREATE TABLE bad (note, json_line, error_message, error_type, column_name, byte_position, line_byte_position, line, file)
            """)
        _ = try scratch.file("in.ndjson", "{\"id\":1}\n{\"id\":\n")
        #expect(try scratch.shell("sluice ingest in.ndjson out.db --rejects bad").status == 2)
        #expect(try scratch.value("SELECT file || line || error_type || json_line FROM bad") == #"in.ndjson2unexpectedEnd{"id":"#)
    }
}
#endif
