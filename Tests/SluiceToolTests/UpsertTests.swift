#if CommandLine
import GRDB
import SluiceTestSupport
import Testing

@testable import SluiceIngest
@testable import SluiceTool

/// Records that are merged into rows which earlier runs have stored from other files.
@Suite struct UpsertTests {
    /// Reads each text as a file of its own.
    private func ingest(
        _ feeds: [String], in scratch: Scratch, status: Int32 = 0, _ change: (inout IngestSetup) -> Void = { _ in }
    ) throws {
        for (index, text) in feeds.enumerated() {
            let file = try scratch.file("\(index).ndjson", text)
            let report = try scratch.ingest(file: file) {
                $0.existing = .append
                $0.primaryKey = ["id"]
                $0.conflict = .upsert
                change(&$0)
            }
            #expect(report.status.code == (index == feeds.count - 1 ? status : 0), "\(report.text)")
        }
    }

    @Test func anObjectLeavesNothingOfAnEarlierNumber() throws {
        let scratch = try Scratch()
        try ingest([#"{"id":1,"a":5}"#, #"{"id":1,"a":{"b":1}}"#], in: scratch)
        #expect(try scratch.rows("SELECT a_b, a FROM records") == [["a_b": 1, "a": nil]])
    }

    @Test func aRunThatGoesOnReadsObjectsAsTheRunBeforeItDid() throws {
        let scratch = try Scratch()
        let second = #"{"id":1,"a":{"c":1}}"# + "\n" + #"{"id":2,"a":5}"# + "\n"
        try ingest([#"{"id":9,"a":{"b":1}}"#, second], in: scratch)
        try ingest([#"{"id":9,"a":{"b":1}}"#, second + #"{"id":3,"a":{"c":2}}"#], in: scratch)
        #expect(try scratch.value("SELECT a FROM records WHERE id = 3") == #"{"c":2}"# as String?)
        #expect(try scratch.value("SELECT count(*) FROM pragma_table_info('records') WHERE name = 'a_c'") == 0)
    }

    @Test func anElementIsKeptBesideAChildTable() throws {
        let scratch = try Scratch()
        try ingest([#"{"id":1,"tags":["x"],"new":1}"#, #"{"id":2,"tags":["y","z"],"late":2}"#], in: scratch) {
            $0.columns = (try? ["id:integer", "first:text=tags[0]"].map { try ColumnOption($0).column }) ?? []
            try? $0.children.choose("tags", .tables)
        }
        #expect(try scratch.value("SELECT group_concat(first) FROM records") == "x,y")
        #expect(try scratch.value("SELECT count(*) FROM records_tags") == 3)
    }

    @Test func aTypeOfTheOptionsIsThatOfAColumnThatTheSampleLacks() throws {
        let scratch = try Scratch()
        let second = #"{"id":2}"# + "\n" + #"{"id":1,"d":"01.02.2025"}"# + "\n" + #"{"id":3,"d":"junk"}"#
        try ingest([#"{"id":1,"d":"31.12.2024"}"#, second], in: scratch, status: 2) {
            $0.sample = 1
            $0.types = ["d:date(dd.MM.yyyy)"].compactMap { try? TypeOption($0) }
        }
        #expect(try scratch.value("SELECT group_concat(d) FROM records") == "2025-02-01")
        #expect(try scratch.value("SELECT count(*) FROM records") == 2)
    }

    @Test func nullClearsBothFormsThatOneFeedHasHad() throws {
        let scratch = try Scratch()
        let first = #"{"id":7}"# + "\n" + #"{"id":1,"a":{"b":1}}"# + "\n" + #"{"id":1,"a":5}"#
        try ingest([first, #"{"id":1,"a":null}"#], in: scratch) { $0.sample = 1 }
        #expect(try scratch.value("SELECT count(*) FROM records WHERE id = 1 AND a_b IS NULL AND a IS NULL") == 1)
        try ingest([first, #"{"id":1,"a":null}"#, #"{"id":1,"a":6}"#], in: scratch) { $0.sample = 1 }
        #expect(try scratch.value("SELECT a FROM records WHERE id = 1") == "6")
    }

    @Test func nullAddsNoColumnBesideOneOfTheSameName() throws {
        let scratch = try Scratch()
        let second = #"{"id":2}"# + "\n" + #"{"id":3,"a_b":null}"#
        try ingest([#"{"id":1,"a":{"b":1}}"#, second], in: scratch) { $0.sample = 1 }
        #expect(try scratch.value("SELECT group_concat(name) FROM pragma_table_info('records')") == "id,a_b")
    }

    // MARK: Changes

    @Test(arguments: [KeyConflict.upsert, .replace]) func aTextInAColumnThatIsJSONNowIsAValueInChanges(conflict: KeyConflict)
        throws
    {
        let scratch = try Scratch()
        let first = ["null", "x", "null", "y", "7"].enumerated().map { #"{"id":\#($0),"e":"\#($1)"}"# }
        let second = [
            #"{"id":0,"e":null}"#, #"{"id":1,"e":"x"}"#, #"{"id":2,"e":{}}"#, #"{"id":3,"e":"null"}"#, #"{"id":4,"e":7}"#,
        ]
        try ingest([first.joined(separator: "\n"), second.joined(separator: "\n")], in: scratch) {
            ($0.conflict, $0.changes) = (conflict, .table("ch"))
        }
        let rows = try scratch.rows("SELECT key, patch, nulls FROM ch WHERE operation = 'changed' ORDER BY number")
        #expect(
            rows == [
                ["key": #"{"id":0}"#, "patch": #"{"e":null}"#, "nulls": #"["/e"]"#],
                ["key": #"{"id":1}"#, "patch": #"{"e":"x"}"#, "nulls": nil],
                ["key": #"{"id":2}"#, "patch": #"{"e":{}}"#, "nulls": nil],
                ["key": #"{"id":3}"#, "patch": #"{"e":"null"}"#, "nulls": nil],
            ])
        #expect(
            try scratch.value("SELECT group_concat(coalesce(e, '-'), ' ') FROM (SELECT e FROM records ORDER BY id)")
                == #"- "x" {} "null" 7"#)
    }
}
#endif
