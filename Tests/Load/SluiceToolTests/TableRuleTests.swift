#if CommandLine
import Foundation
import GRDB
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

/// Tables whose own rules drop, replace or refuse rows. A row only counts as stored if it is in the table.
@Suite struct TableRuleTests {
    private func feed(_ numbers: [Int]) -> String { numbers.map { "{\"id\":\($0),\"a\":\"\($0)\"}\n" }.joined() }

    private func ids(_ scratch: Scratch) throws -> [Int] {
        try scratch.rows("SELECT id FROM records ORDER BY rowid").map { $0["id"] }
    }

    @Test(arguments: ["IGNORE", "REPLACE", "ROLLBACK", "FAIL", "ABORT"], ["UNIQUE", "PRIMARY KEY"])
    func aRowThatATablesOwnConflictClauseWouldDropIsRejected(clause: String, constraint: String) throws {
        let scratch = try Scratch()
        try scratch.execute("CREATE TABLE records (id INTEGER \(constraint) ON CONFLICT \(clause), a TEXT)")
        let report = try scratch.ingest(feed([1, 2, 1, 3])) { $0.existing = .append }
        #expect(report.status == .rejected)
        #expect((report.stored, report.rejected) == (3, 1))
        #expect(report.rejections[0].reason.contains("UNIQUE constraint failed: records.id"))
        #expect(try ids(scratch) == [1, 2, 3])
    }

    @Test(arguments: ["NOT NULL ON CONFLICT IGNORE", "NOT NULL ON CONFLICT REPLACE DEFAULT 7"])
    func soIsARowThatAnotherConstraintWouldDropOrChange(constraint: String) throws {
        let scratch = try Scratch()
        try scratch.execute("CREATE TABLE records (id INTEGER, a TEXT \(constraint))")
        let report = try scratch.ingest("{\"id\":1,\"a\":\"1\"}\n{\"id\":2}\n") { $0.existing = .append }
        #expect((report.stored, report.rejected) == (1, 1))
        #expect(try ids(scratch) == [1])
    }

    @Test(arguments: [KeyConflict.reject, .ignore, .upsert, .replace])
    func aRowThatATriggerIgnoresIsRejected(conflict: KeyConflict) throws {
        let scratch = try Scratch()
        try scratch.execute(
            """
            CREATE TABLE records (id INTEGER PRIMARY KEY, a TEXT);
            CREATE TRIGGER odd BEFORE INSERT ON records WHEN NEW.id = 2 BEGIN SELECT RAISE(IGNORE); END
            """)
        let report = try scratch.ingest(feed([1, 2, 3])) { ($0.existing, $0.conflict) = (.append, conflict) }
        #expect(report.status == .rejected)
        #expect((report.stored, report.rejected) == (2, 1))
        #expect(report.rejections[0].reason.contains("a trigger of the table has ignored the record"))
        #expect(try ids(scratch) == [1, 3])
    }

    @Test func aChangeThatATriggerIgnoresIsRejected() throws {
        let scratch = try Scratch()
        try scratch.execute(
            """
            CREATE TABLE records (id INTEGER PRIMARY KEY, a TEXT);
            INSERT INTO records VALUES (1, 'x'), (2, 'y'), (3, '3');
            CREATE TRIGGER odd BEFORE UPDATE ON records WHEN NEW.id = 2 BEGIN SELECT RAISE(IGNORE); END
            """)
        let report = try scratch.ingest(feed([1, 2, 3, 4])) { $0.conflict = .upsert }
        #expect(report.rows == .init(added: 1, changed: 1, same: 1))
        #expect(report.rejected == 1)
        #expect(report.rejections[0].reason.contains("a trigger of the table has ignored the change to its row"))
    }

    @Test func theConflictClausesInsideTriggersAreObeyed() throws {
        let scratch = try Scratch()
        try scratch.execute(
            """
            CREATE TABLE names (a TEXT UNIQUE); INSERT INTO names VALUES ('2');
            CREATE TABLE records (id INTEGER, a TEXT);
            CREATE TRIGGER names AFTER INSERT ON records BEGIN INSERT OR IGNORE INTO names VALUES (NEW.a); END
            """)
        #expect(try scratch.ingest(feed([1, 2, 2])) { $0.existing = .append }.status == .success)
        #expect(try scratch.count() == 3)
        #expect(try scratch.count("names") == 2)
    }

    // MARK: Rows that are the same

    @Test(arguments: [KeyConflict.upsert, .replace]) func aRowThatIsTheSameIsNotWrittenAgain(conflict: KeyConflict) throws {
        let scratch = try Scratch()
        let old = #"{"id":1,"a":"x","b":1}"# + "\n" + #"{"id":2,"a":"y","b":null}"# + "\n" + #"{"id":3,"a":"z","b":3}"#
        _ = try scratch.ingest(old) { $0.primaryKey = ["id"] }
        try scratch.execute(
            """
            CREATE TABLE changes (id INTEGER);
            CREATE TRIGGER log AFTER UPDATE ON records BEGIN INSERT INTO changes VALUES (NEW.id); END
            """)
        let new =
            #"{"id":1,"a":"x","b":1}"# + "\n" + #"{"id":2,"a":"y"}"# + "\n" + #"{"id":3,"a":"Z","b":3}"# + "\n"
            + #"{"id":4,"a":"w","b":4}"#
        let report = try scratch.ingest(new) { $0.conflict = conflict }
        #expect(report.rows == .init(added: 1, changed: 1, same: 2))
        #expect(report.text.hasPrefix("1 added, 1 changed, 2 the same, 4 now in records"))
        #expect(report.json.contains(#""added":1,"changed":1,"same":2,"kept":0"#))
        #expect(try scratch.rows("SELECT id FROM changes").map { $0["id"] as Int } == [3])
        let again = try scratch.ingest(new) { $0.conflict = conflict }
        #expect(again.rows == .init(same: 4))
        #expect(again.status == .success)
    }

    @Test func aRowIsTheSameOnlyIfEachByteIs() throws {
        let scratch = try Scratch()
        try scratch.execute(
            """
            CREATE TABLE records (id TEXT PRIMARY KEY COLLATE NOCASE, a TEXT COLLATE NOCASE, b TEXT COLLATE RTRIM, n INTEGER);
            INSERT INTO records VALUES ('k', 'x', 'y', 5), ('l', 'x', 'y', 5), ('m', 'x', 'y', 5), ('n', 'x', NULL, 5)
            """)
        let report = try scratch.ingest(
            #"{"id":"k","a":"X"}"# + "\n" + #"{"id":"l","b":"y "}"# + "\n" + #"{"id":"m","a":"x","b":"y","n":"5"}"# + "\n"
                + #"{"id":"n","b":""}"#
        ) { $0.conflict = .upsert }
        #expect(report.rows == .init(changed: 3, same: 1))
        #expect(try scratch.value("SELECT group_concat(a || '-' || b || '-' || n) FROM records") == "X-y-5,x-y -5,x-y-5,x--5")
    }

    @Test func aTableOfManyColumnsIsMergedToo() throws {
        let scratch = try Scratch()
        let keys = (0..<1_900).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        for (value, counts) in [(1, RowCounts(added: 1)), (1, .init(same: 1)), (2, .init(changed: 1))] {
            let report = try scratch.ingest("{\"id\":1,\(keys),\"last\":\(value)}") {
                ($0.primaryKey, $0.conflict, $0.flattening.mapThreshold) = (["id"], .upsert, 10_000)
            }
            #expect(report.rows == counts)
        }
    }

    // MARK: Strict tables

    @Test func aStrictTableGetsColumnsForUnknownKeys() throws {
        let scratch = try Scratch()
        try scratch.execute("CREATE TABLE records (id INTEGER) STRICT")
        let feed =
            #"{"id":1}"# + "\n" + #"{"id":2,"flag":true,"list":[1],"n":1.5,"t":"x","i":7,"o":null}"# + "\n"
            + #"{"id":3,"flag":"no"}"#
        let report = try scratch.ingest(feed) { ($0.existing, $0.sample) = (.append, 1) }
        #expect(report.rejections.map(\.position.line) == [3])
        #expect(report.rejections.first?.reason.contains("cannot store TEXT value in INTEGER column records.flag") == true)
        #expect(try ids(scratch) == [1, 2])
        #expect(try scratch.value("SELECT flag || list || n || t || i FROM records WHERE id = 2") == "1[1]1.5x7")
    }
}
#endif
