#if CommandLine
import Foundation
import GRDB
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

/// Tables with a key, and tables that are there already.
@Suite struct KeyTests {
    private static let first = #"{"id":1,"a":"x","b":1}"# + "\n" + #"{"id":2,"a":"y","b":2}"#
    private static let second = #"{"id":2,"a":null,"c":true}"# + "\n" + #"{"id":3,"a":"z","b":3}"#

    private func twice(_ conflict: KeyConflict) throws -> (report: IngestReport, rows: [Row]) {
        let scratch = try Scratch()
        _ = try scratch.ingest(Self.first) { $0.primaryKey = ["id"] }
        let report = try scratch.ingest(Self.second) {
            $0.primaryKey = ["id"]
            $0.conflict = conflict
        }
        return (report, try scratch.rows("SELECT id, a, b, c FROM records ORDER BY id"))
    }

    @Test func upsertMergesARecordIntoItsRow() throws {
        let (report, rows) = try twice(.upsert)
        #expect(report.status == .success)
        #expect(
            rows == [
                ["id": 1, "a": "x", "b": 1, "c": nil], ["id": 2, "a": nil, "b": 2, "c": 1],
                ["id": 3, "a": "z", "b": 3, "c": nil],
            ])
        #expect(report.text.contains("1 added, 1 changed, 3 now in records"))
    }

    @Test func ignoreKeepsTheRow() throws {
        let (report, rows) = try twice(.ignore)
        #expect(report.status == .success)
        #expect(
            rows == [
                ["id": 1, "a": "x", "b": 1, "c": nil], ["id": 2, "a": "y", "b": 2, "c": nil],
                ["id": 3, "a": "z", "b": 3, "c": nil],
            ])
        #expect(report.text.contains("1 added, 1 there already, 3 now in records"))
    }

    @Test func replacePutsTheRecordInTheRowsPlace() throws {
        let (report, rows) = try twice(.replace)
        #expect(report.status == .success)
        #expect(
            rows == [
                ["id": 1, "a": "x", "b": 1, "c": nil], ["id": 2, "a": nil, "b": nil, "c": 1],
                ["id": 3, "a": "z", "b": 3, "c": nil],
            ])
    }

    @Test func aKeyThatIsThereIsRejectedWithoutAWordAboutIt() throws {
        let scratch = try Scratch()
        let report = try scratch.ingest(Self.first + "\n" + Self.first) { $0.primaryKey = ["id"] }
        #expect(report.stored == 2)
        #expect(report.rejected == 2)
        #expect(report.rejections[0].reason.contains("UNIQUE constraint failed: records.id"))
    }

    @Test func aKeyMayHaveSeveralColumnsAndBeNamedByPath() throws {
        let scratch = try Scratch()
        let feed = #"{"day":"mon","user":{"id":1},"n":1}"# + "\n" + #"{"day":"mon","user":{"id":2},"n":1}"# + "\n"
        let again = #"{"day":"mon","user":{"id":2},"n":5}"#
        for text in [feed, again] {
            _ = try scratch.ingest(text) {
                $0.primaryKey = ["day", "user.id"]
                $0.conflict = .upsert
            }
        }
        #expect(try scratch.rows("SELECT day, user_id, n FROM records ORDER BY user_id").map { $0["n"] as Int } == [1, 5])
        #expect(
            try scratch.value("SELECT sql FROM sqlite_master WHERE name = 'records'")
                == #"CREATE TABLE "records" ("day" TEXT, "user_id" INTEGER, "n" INTEGER, PRIMARY KEY ("day", "user_id"))"#)
        // The table's own key is taken where none is named.
        #expect(try scratch.ingest(again) { $0.conflict = .replace }.status == .success)
        #expect(try scratch.count() == 2)
    }

    @Test func aRecordWithoutItsKeyIsRejected() throws {
        let scratch = try Scratch()
        let report = try scratch.ingest(#"{"id":1,"a":1}"# + "\n" + #"{"a":2}"# + "\n" + #"{"id":null,"a":3}"#) {
            $0.primaryKey = ["id"]
            $0.conflict = .upsert
        }
        #expect(report.stored == 1)
        #expect(report.rejected == 2)
        #expect(report.rejections[0].reason.contains("the record has no value for id, which is the table's key"))
    }

    @Test func aTextInAnIntegerKeyIsRejectedAlone() throws {
        let scratch = try Scratch()
        let report = try scratch.ingest(#"{"id":1}"# + "\n" + #"{"id":"x"}"# + "\n" + #"{"id":2}"#) {
            $0.primaryKey = ["id"]
            $0.sample = 1
        }
        #expect(report.stored == 2)
        #expect(report.rejections[0].reason.contains("datatype mismatch"))
    }

    @Test func anUnusablePrimaryKeyIsAnErrorThatNamesIt() throws {
        let scratch = try Scratch()
        let misspelt = #expect(throws: IngestError.self) { try scratch.ingest(Self.first) { $0.primaryKey = ["idd"] } }
        #expect(misspelt?.commandLine == "--pk idd: there is no such column; did you mean id?")
        #expect(misspelt?.status.code == 64)
        let missing = #expect(throws: IngestError.self) { try scratch.ingest(Self.first) { $0.conflict = .upsert } }
        #expect(missing?.commandLine.hasPrefix("--upsert, --ignore and --replace need a key") == true)
        try scratch.execute("CREATE TABLE plain (id INTEGER, a TEXT, b INTEGER)")
        let unindexed = #expect(throws: IngestError.self) {
            try scratch.ingest(Self.first) {
                $0.table = "plain"
                $0.primaryKey = ["id"]
                $0.conflict = .upsert
            }
        }
        #expect(unindexed?.description == "the table plain has no primary key or unique index of id")
    }

    @Test func truncateKeepsTheIndexesAndDropDoesNot() throws {
        let scratch = try Scratch()
        _ = try scratch.ingest(Self.first)
        try scratch.execute("CREATE INDEX by_a ON records (a)")
        #expect(try scratch.ingest(#"{"id":9}"#) { $0.existing = .truncate }.stored == 1)
        #expect(try scratch.rows("SELECT id, a FROM records") == [["id": 9, "a": nil]])
        #expect(try scratch.value("SELECT count(*) FROM sqlite_master WHERE type = 'index'  AND name = 'by_a'") == 1)
        let report = try scratch.ingest(#"{"id":9}"#) { $0.existing = .drop }
        #expect(report.text.contains("1 added, 1 now in records"))
        #expect(try scratch.value("SELECT count(*) FROM sqlite_master WHERE type = 'index' AND name = 'by_a'") == 0)
    }

    @Test(arguments: [ExistingTable.drop, .truncate], ["CASCADE", "SET NULL"])
    func rowsThatRowsOfOtherTablesReferToAreNotRemoved(existing: ExistingTable, action: String) throws {
        let scratch = try Scratch()
        try scratch.execute(
            """
            CREATE TABLE records (id INTEGER PRIMARY KEY);
            CREATE TABLE other (x TEXT, ref INTEGER REFERENCES records (id) ON DELETE \(action));
            INSERT INTO records VALUES (1), (2);
            INSERT INTO other VALUES ('o', 1)
            """)
        let error = #expect(throws: IngestError.self) { try scratch.ingest(#"{"id":3}"#) { $0.existing = existing } }
        let option = existing == .drop ? "--drop" : "--truncate"
        #expect(
            error?.commandLine == "rows of the table other refer to rows of records, which \(option) would remove; "
                + "remove those of other first, or load into another --table")
        #expect(try scratch.value("SELECT ref FROM other") == 1)
        #expect(try scratch.count() == 2)
        try scratch.execute("DELETE FROM other")
        #expect(try scratch.ingest(#"{"id":3}"#) { $0.existing = existing }.stored == 1)
    }

    /// A table that joins records with others looks almost like a child table.
    @Test func theRowsOfAJoinTableAreNotRemoved() throws {
        let scratch = try Scratch()
        try scratch.execute(
            """
            CREATE TABLE records (id INTEGER PRIMARY KEY);
            CREATE TABLE records_tags (
                record INTEGER REFERENCES records (id) ON DELETE CASCADE, tag TEXT, PRIMARY KEY (record, tag));
            INSERT INTO records VALUES (1), (2);
            INSERT INTO records_tags VALUES (1, 'x')
            """)
        let error = #expect(throws: IngestError.self) { try scratch.ingest(#"{"id":3}"#) { $0.existing = .truncate } }
        #expect(error?.commandLine.hasPrefix("rows of the table records_tags refer to rows of records") == true)
        #expect(try scratch.value("SELECT count(*) FROM records_tags") == 1)
    }

    @Test func appendSaysHowManyThereAreNow() throws {
        let scratch = try Scratch()
        try scratch.execute(
            """
            CREATE TABLE records (a INTEGER);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200) INSERT INTO records SELECT i FROM n
            """)
        let report = try scratch.ingest(#"{"a":1}"#) { $0.existing = .append }
        #expect(report.text.contains("1 added, 1,201 now in records"))
    }

    @Test func aNewDatabaseHasLargePages() throws {
        let scratch = try Scratch()
        _ = try scratch.ingest(Self.first)
        #expect(try scratch.value("PRAGMA page_size") == 16_384)
        #expect(try scratch.value("PRAGMA journal_mode") == "delete")
    }

    /// SQLite takes `Name` and `name` for one column, so one of them gets a number. A later input may have the keys in another
    /// order, only one of them, or one of them late.
    @Test(arguments: [
        (#"{"name":3,"Name":4}"#, [4, 3]), (#"{"name":3}"#, [nil, 3]), (#"{"Name":4}"#, [4, nil]),
        (#"{"id":5}"# + "\n" + #"{"name":3}"#, [nil, 3]),
    ])
    func pathsKeepTheirColumnsInLaterInputs(text: String, stored: [Int?]) throws {
        let scratch = try Scratch()
        let first = try scratch.file("first.ndjson", #"{"Name":1,"name":2}"# + "\n")
        let later = try scratch.file("later.ndjson", text + "\n")
        _ = try scratch.ingest(file: first)
        _ = try scratch.ingest(file: later) {
            $0.existing = .append
            $0.sample = 1
        }
        #expect(try scratch.rows("SELECT Name, name_2 FROM records WHERE rowid = 1") == [["Name": 1, "name_2": 2]])
        #expect(
            try scratch.rows("SELECT Name, name_2 FROM records ORDER BY rowid DESC LIMIT 1") == [
                ["Name": stored[0], "name_2": stored[1]]
            ])
    }

    /// Each record is merged into the row of the one before it. They come after a sample that has none of their keys, or each in a feed
    /// of its own.
    @Test(
        arguments: [
            ([#"{"id":1,"v":9}"#, #"{"id":1,"v":null}"#], "v", [nil]),
            ([#"{"id":1,"a":{"b":1}}"#, #"{"id":1,"a":null}"#], "a_b", [nil]),
            ([#"{"id":1,"a":{"b":1,"c":{"d":2}}}"#, #"{"id":1,"a":{"c":null}}"#], "a_b || ifnull(a_c_d, 'null')", ["1null"]),
            ([#"{"id":1,"a":{"b":1}}"#, #"{"id":1,"a":5}"#], "ifnull(a_b, 'null') || a", ["null5"]),
            (
                [#"{"id":1,"a":{"b":1}}"#, #"{"id":1,"a":5}"#, #"{"id":1,"a":null}"#], "ifnull(a_b, 'null') || ifnull(a, 'null')",
                ["nullnull"]
            ),
            ([#"{"id":1,"a":{"b":1}}"#, #"{"id":1,"c":2}"#], "a_b || c", ["12"]),
            ([#"{"id":1,"a":{"b":1}}"#, #"{"id":1,"a":null,"a":{"b":2}}"#], "a_b", ["2"]),
        ], [1, 2, 3])
    func upsertLeavesNothingOfWhatTheRecordReplaces(
        feed: (records: [String], query: String, stored: [String?]), workers: Int
    ) throws {
        let query = "SELECT CAST(\(feed.query) AS TEXT) FROM records WHERE id = 1"
        let others = (2...1100).map { #"{"id":\#($0)}"# }
        // The number of workers is 3 for feeds of their own.
        let feeds = workers == 3 ? feed.records.map { [$0] } : [others + feed.records]
        let scratch = try Scratch()
        for (index, lines) in feeds.enumerated() {
            let file = try scratch.file("\(index).ndjson", lines.joined(separator: "\n") + "\n")
            let report = try scratch.ingest(file: file) {
                $0.existing = .append
                $0.primaryKey = ["id"]
                $0.conflict = .upsert
                $0.workers = min(workers, 2)
            }
            #expect(report.status == .success)
        }
        #expect(try scratch.rows(query).map { $0[0] as String? } == feed.stored)
    }
}
#endif
