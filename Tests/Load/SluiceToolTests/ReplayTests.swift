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

    @Test(arguments: ["bad", "bad.ndjson"]) func aReplaySaysWhatItHasStoredAndWhatStays(target: String) throws {
        let scratch = try scratch(target)
        let again = "sluice ingest --rejects \(target) in.ndjson out.db"
        #expect(try scratch.shell(again).output.contains("all records but 2, rejected by earlier runs"))
        try mend(target, scratch, "nul}", "2}")
        let first = try scratch.shell("sluice replay \(target) out.db")
        #expect(first.status == 2 && first.output.contains("line 4, column 17, byte "), "\(first)")
        #expect(try scratch.shell(again).output.contains("all records but 1, rejected by earlier runs"))
        try mend(target, scratch, "4,}", "4}")
        let left = try scratch.shell("sluice replay \(target) out.db --contract discard-row --column id:integer")
        #expect(left.status == 2 && left.output.contains("note: 1 rejection stays, because its record was left out"), "\(left)")
        #expect(try scratch.shell("sluice replay \(target) out.db").status == 0)
        #expect(try scratch.value("SELECT group_concat(v) FROM (SELECT v FROM records ORDER BY id)") == "1,2,3,4")
        #expect(try rejects(target, scratch).isEmpty)
        let last = try scratch.shell(again)
        #expect(last.status == 0 && last.output.contains("nothing to do: all records of the input"), "\(last)")
    }

    @Test func whatCannotBeReplayedIsSaid() throws {
        let scratch = try Scratch()
        let record = "{\"id\":1,\"t\":[{\"n\":1},{\"n\":\"x\"}]}\n{\"id\":nul}\n{\"id\":777"
        _ = try scratch.file("in.ndjson", record)
        let options = "--pk id --children tables --type t.n:integer --child-rejects element"
        #expect(try scratch.shell("sluice ingest in.ndjson out.db --rejects bad \(options)").status == 2)
        try scratch.execute("UPDATE bad SET json_line = NULL WHERE json_line LIKE '%nul%'")
        let result = try scratch.shell("sluice replay bad out.db")
        #expect(result.status == 2)
        #expect(result.errors.contains("rejections without a text, which stay: 1"))
        #expect(result.errors.contains("because they are no records: 1"), "\(result)")
        #expect(result.errors.contains("unfinished records, which stay"), "\(result)")
        try mend("bad", scratch, "777", "777}")
        _ = try scratch.shell(#"printf '}\n' >> in.ndjson"#)
        let grown = try scratch.shell("sluice ingest in.ndjson out.db --rejects bad \(options)")
        #expect(grown.output.contains("is out of date, and was not found in bad"), "\(grown)")
        #expect(try scratch.shell("sluice replay bad out.db --key-column name").status == 64)
        try scratch.execute("CREATE TABLE people (name, street, town, zip, phone, mail, notes, photo)")
        _ = try scratch.file("other.ndjson", "{\"id\":5}\n")
        let people = try scratch.shell("sluice ingest --append other.ndjson out.db --rejects people")
        #expect(people.status == 3)
        #expect(people.errors.contains("has a table people already that is no table of rejected records"), "\(people)")
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

    @Test(arguments: ["bad", "bad.ndjson"]) func onlyTheRejectionsOfStoredRecordsLeave(target: String) throws {
        let scratch = try Scratch()
        for folder in ["d1", "d2"] {
            let value = folder == "d1" ? "one" : "two"
            _ = try scratch.shell(
                "mkdir \(folder); printf '{\"id\":0}\\n{\"id\":\(value)}\\n{\"id\":9}\\n' > \(folder)/part.ndjson")
            let rejectsName = target == "bad" ? "bad" : "../bad.ndjson"
            let run = "cd \(folder) && sluice ingest part.ndjson ../out.db --rejects \(rejectsName) --append"
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
        let rejectsName = target == "bad" ? "bad" : "../bad.ndjson"
        let load = "sluice ingest part.ndjson ../out.db --rejects \(rejectsName) --append"
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

}
#endif
