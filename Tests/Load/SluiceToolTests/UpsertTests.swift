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

    @Test(arguments: [KeyConflict.upsert, .replace]) func anObjectInAColumnOfTextsIsATextInChanges(conflict: KeyConflict)
        throws
    {
        let scratch = try Scratch()
        let first = ["null", "x", "null", "y", "7"].enumerated().map { #"{"id":\#($0),"e":"\#($1)"}"# }
        let second = [
            #"{"id":0,"e":null}"#, #"{"id":1,"e":"x"}"#, #"{"id":2,"e":{}}"#, #"{"id":3,"e":"null"}"#, #"{"id":4,"e":7}"#,
        ]
        try ingest([first.joined(separator: "\n"), second.joined(separator: "\n")], in: scratch, status: 2) {
            ($0.conflict, $0.changes) = (conflict, .table("ch"))
        }
        let rows = try scratch.rows("SELECT key, patch, nulls FROM ch WHERE operation = 'changed' ORDER BY number")
        #expect(
            rows == [
                ["key": #"{"id":0}"#, "patch": #"{"e":null}"#, "nulls": #"["/e"]"#],
                ["key": #"{"id":2}"#, "patch": #"{"e":"{}"}"#, "nulls": nil],
                ["key": #"{"id":3}"#, "patch": #"{"e":"null"}"#, "nulls": nil],
            ])
        #expect(
            try scratch.value("SELECT group_concat(coalesce(e, '-'), ' ') FROM (SELECT e FROM records ORDER BY id)")
                == "- x {} null 7")
    }

    // MARK: Rejected elements

    /// The elements of the record 1, and the parts of these.
    private func elements(_ scratch: Scratch) throws -> [String?] {
        [
            try scratch.value("SELECT group_concat(position || ':' || n, ' ') FROM (SELECT * FROM records_t ORDER BY position)"),
            try scratch.value(
                "SELECT group_concat(t_position || ':' || value, ' ') FROM (SELECT * FROM records_t_s ORDER BY t_position, position)"
            ),
        ]
    }

    private func rejectElements(_ setup: inout IngestSetup) {
        setup.children.storage = .tables
        setup.children.rejects = .element
        setup.types = ["t.n:integer"].compactMap { try? TypeOption($0) }
    }

    private static let three = #"{"id":1,"t":[{"n":1,"s":["a"]},{"n":2,"s":["b","b2"]},{"n":3,"s":["c"]}]}"#

    @Test(arguments: [KeyConflict.upsert, .replace]) func aRejectedElementLeavesNothingOfTheEarlierOneInItsPlace(
        conflict: KeyConflict
    ) throws {
        let scratch = try Scratch()
        let second = #"{"id":1,"t":[{"n":10,"s":["A"]},{"n":"bad","s":["B"]},{"n":30,"s":["C"]}]}"#
        try ingest([Self.three, second], in: scratch, status: 2) {
            rejectElements(&$0)
            ($0.conflict, $0.changes) = (conflict, .table("ch"))
        }
        #expect(try elements(scratch) == ["0:10 2:30", "0:A 2:C"])
        let removed = try scratch.rows("SELECT table_name, key FROM ch WHERE operation = 'removed' ORDER BY number")
        #expect(
            removed == [
                ["table_name": "records_t", "key": #"{"records_id":1,"position":1}"#],
                ["table_name": "records_t_s", "key": #"{"records_id":1,"t_position":1,"position":0}"#],
                ["table_name": "records_t_s", "key": #"{"records_id":1,"t_position":1,"position":1}"#],
            ])
        // The mended record puts its element there.
        let mended = try scratch.ingest(file: scratch.file("m.ndjson", second.replacing(#""bad""#, with: "20"))) {
            rejectElements(&$0)
            ($0.existing, $0.primaryKey, $0.conflict) = (.append, ["id"], conflict)
        }
        #expect(mended.status == .success, "\(mended.text)")
        #expect(try elements(scratch) == ["0:10 1:20 2:30", "0:A 1:B 2:C"])
    }

    @Test(arguments: [1, 100]) func aRefusedElementLeavesNothingOfTheEarlierOneInItsPlace(batch: Int) throws {
        let scratch = try Scratch()
        try scratch.execute(
            """
            CREATE TABLE records (id INTEGER PRIMARY KEY);
            CREATE TABLE records_t (
                records_id INTEGER, position INTEGER, n INTEGER CHECK (n <> 0), PRIMARY KEY (records_id, position),
                FOREIGN KEY (records_id) REFERENCES records (id) ON DELETE CASCADE)
            """)
        let other = #"{"id":2,"t":[{"n":7,"s":["x"]}]}"#
        let second = #"{"id":1,"t":[{"n":0,"s":["A"]},{"n":20,"s":["B"]},{"n":0,"s":["C"]}]}"# + "\n" + other
        try ingest([Self.three + "\n" + other, second], in: scratch, status: 2) {
            rejectElements(&$0)
            $0.batch = batch
        }
        #expect(
            try scratch.value("SELECT group_concat(records_id || ':' || position || ':' || n, ' ') FROM records_t")
                == "1:1:20 2:0:7")
        #expect(try scratch.value("SELECT group_concat(value, ' ') FROM records_t_s") == "B x")
    }

    @Test func anElementThatAContractLeavesOutLeavesNothingOfTheEarlierOne() throws {
        let scratch = try Scratch()
        let second = #"{"id":1,"t":[{"n":10},{"n":20,"new":1},{"n":30}]}"#
        try ingest([Self.three], in: scratch) { $0.children.storage = .tables }
        let report = try scratch.ingest(file: scratch.file("m.ndjson", Self.three + "\n" + second)) {
            $0.children.storage = .tables
            ($0.existing, $0.primaryKey, $0.conflict) = (.append, ["id"], .upsert)
            ($0.sample, $0.contract) = (1, .discardRow)
        }
        #expect(report.rejected == 0, "\(report.text)")
        #expect(try elements(scratch)[0] == "0:10 2:30")
    }
}
#endif
