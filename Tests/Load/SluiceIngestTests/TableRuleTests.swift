#if SQLite
import SluiceCore
import SluiceIngest
import SluiceTestSupport
import Testing

/// Tables whose own rules drop, replace or refuse rows. A row only counts as stored if it is in the table.
@Suite struct TableRuleTests {
    private func feed(_ numbers: [Int]) -> String { numbers.map { "{\"id\":\($0),\"a\":\"\($0)\"}\n" }.joined() }

    // MARK: Rules of SQLite

    @Test(arguments: ["IGNORE", "REPLACE", "ROLLBACK", "FAIL", "ABORT"], ["UNIQUE", "PRIMARY KEY"])
    func aRowThatATablesOwnConflictClauseWouldDropIsRejected(clause: String, constraint: String) throws {
        let loader = try Loader(.sqlite)
        try loader.execute("CREATE TABLE records (id INTEGER \(constraint) ON CONFLICT \(clause), a TEXT)")
        let report = try loader.load(feed([1, 2, 1, 3])) { $0.existing = .append }
        #expect(report.isLossy)
        #expect((report.stored, report.rejected) == (3, 1))
        #expect(report.rejections[0].reason.contains("UNIQUE constraint failed: records.id"))
        #expect(try loader.rows("id") == [[1], [2], [3]])
    }

    @Test(arguments: ["NOT NULL ON CONFLICT IGNORE", "NOT NULL ON CONFLICT REPLACE DEFAULT 7"])
    func soIsARowThatAnotherConstraintWouldDropOrChange(constraint: String) throws {
        let loader = try Loader(.sqlite)
        try loader.execute("CREATE TABLE records (id INTEGER, a TEXT \(constraint))")
        let report = try loader.load("{\"id\":1,\"a\":\"1\"}\n{\"id\":2}\n") { $0.existing = .append }
        #expect((report.stored, report.rejected) == (1, 1))
        #expect(try loader.rows("id") == [[1]])
    }

    @Test func theConflictClausesInsideTriggersAreObeyed() throws {
        let loader = try Loader(.sqlite)
        try loader.execute(
            """
            CREATE TABLE names (a TEXT UNIQUE); INSERT INTO names VALUES ('2');
            CREATE TABLE records (id INTEGER, a TEXT);
            CREATE TRIGGER names AFTER INSERT ON records BEGIN INSERT OR IGNORE INTO names VALUES (NEW.a); END
            """)
        #expect(try loader.load(feed([1, 2, 2])) { $0.existing = .append }.isSuccess)
        #expect(try loader.count() == 3)
        #expect(try loader.count("names") == 2)
    }

    @Test func aRowIsTheSameOnlyIfEachByteIs() throws {
        let loader = try Loader(.sqlite)
        try loader.execute(
            """
            CREATE TABLE records (id TEXT PRIMARY KEY COLLATE NOCASE, a TEXT COLLATE NOCASE, b TEXT COLLATE RTRIM, n INTEGER);
            INSERT INTO records VALUES ('k', 'x', 'y', 5), ('l', 'x', 'y', 5), ('m', 'x', 'y', 5), ('n', 'x', NULL, 5)
            """)
        let report = try loader.load(
            #"{"id":"k","a":"X"}"# + "\n" + #"{"id":"l","b":"y "}"# + "\n" + #"{"id":"m","a":"x","b":"y","n":"5"}"# + "\n"
                + #"{"id":"n","b":""}"#
        ) { $0.conflict = .upsert }
        #expect(report.rows == .init(changed: 3, same: 1))
        #expect(try loader.rows("a", "b", "n") == [["X", "y", 5], ["x", "y ", 5], ["x", "y", 5], ["x", "", 5]])
    }

    @Test func aStrictTableGetsColumnsForUnknownKeys() throws {
        let loader = try Loader(.sqlite)
        try loader.execute("CREATE TABLE records (id INTEGER) STRICT")
        let feed =
            #"{"id":1}"# + "\n" + #"{"id":2,"flag":true,"list":[1],"n":1.5,"t":"x","i":7,"o":null}"# + "\n"
            + #"{"id":3,"flag":"no"}"#
        let report = try loader.load(feed) { ($0.existing, $0.sample) = (.append, 1) }
        #expect(report.rejections.map(\.position.line) == [3])
        #expect(report.rejections.first?.reason.contains("cannot store TEXT value in INTEGER column records.flag") == true)
        #expect(
            try loader.rows("id", "flag", "list", "n", "t", "i") == [[1, nil, nil, nil, nil, nil], [2, 1, "[1]", 1.5, "x", 7]])
    }

    // MARK: Triggers

    /// Makes a trigger that runs a statement of both databases, or leaves out the row if there is none.
    private func trigger(_ event: String, when condition: String = "NEW.id > 0", does statement: String? = nil, _ loader: Loader)
        throws
    {
        if loader.sink == .sqlite {
            try loader.execute(
                "CREATE TRIGGER odd \(event) ON records WHEN \(condition) BEGIN \(statement ?? "SELECT RAISE(IGNORE)"); END")
        } else {
            try loader.execute(
                """
                CREATE FUNCTION odd() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN \(statement.map { "\($0);" } ?? "") RETURN \(statement == nil ? "NULL" : "NEW"); END $$;
                CREATE TRIGGER odd \(event) ON records FOR EACH ROW WHEN (\(condition)) EXECUTE FUNCTION odd()
                """)
        }
    }

    @Test(arguments: LoaderSink.databases, [KeyConflict.reject, .ignore, .upsert, .replace])
    func aRowThatATriggerIgnoresIsRejected(sink: LoaderSink, conflict: KeyConflict) throws {
        let loader = try Loader(sink)
        try loader.execute("CREATE TABLE records (id INTEGER PRIMARY KEY, a TEXT)")
        try trigger("BEFORE INSERT", when: "NEW.id = 2", loader)
        let report = try loader.load(feed([1, 2, 3])) { ($0.existing, $0.conflict) = (.append, conflict) }
        #expect(report.isLossy)
        #expect((report.stored, report.rejected) == (2, 1))
        #expect(report.rejections[0].reason.contains("a trigger of the table has ignored the record"), "\(report.rejections)")
        #expect(try loader.rows("id") == [[1], [3]])
    }

    @Test(arguments: LoaderSink.databases) func aChangeThatATriggerIgnoresIsRejected(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try loader.execute(
            "CREATE TABLE records (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO records VALUES (1, 'x'), (2, 'y'), (3, '3')")
        try trigger("BEFORE UPDATE", when: "NEW.id = 2", loader)
        let report = try loader.load(feed([1, 2, 3, 4])) { $0.conflict = .upsert }
        #expect(report.rows == .init(added: 1, changed: 1, same: 1))
        #expect(report.rejected == 1)
        #expect(
            report.rejections[0].reason.contains("a trigger of the table has ignored the change to its row"),
            "\(report.rejections)")
        #expect(try loader.rows("id", "a", by: "id") == [[1, "1"], [2, "y"], [3, "3"], [4, "4"]])
    }

    // MARK: Rows that are the same

    @Test(arguments: LoaderSink.databases, [KeyConflict.upsert, .replace])
    func aRowThatIsTheSameIsNotWrittenAgain(sink: LoaderSink, conflict: KeyConflict) throws {
        let loader = try Loader(sink)
        let old = #"{"id":1,"a":"x","b":1}"# + "\n" + #"{"id":2,"a":"y","b":null}"# + "\n" + #"{"id":3,"a":"z","b":3}"#
        try loader.load(old) { $0.primaryKey = ["id"] }
        try loader.execute("CREATE TABLE changes (id INTEGER)")
        try trigger("AFTER UPDATE", does: "INSERT INTO changes VALUES (NEW.id)", loader)
        let new =
            #"{"id":1,"a":"x","b":1}"# + "\n" + #"{"id":2,"a":"y"}"# + "\n" + #"{"id":3,"a":"Z","b":3}"# + "\n"
            + #"{"id":4,"a":"w","b":4}"#
        let report = try loader.load(new) { $0.conflict = conflict }
        #expect(report.rows == .init(added: 1, changed: 1, same: 2))
        #expect(report.totalRows == 4)
        #expect(try loader.rows("id", of: "changes") == [[3]])
        let again = try loader.load(new) { $0.conflict = conflict }
        #expect(again.rows == .init(same: 4))
        #expect(again.isSuccess)
    }

    @Test(arguments: LoaderSink.databases) func aTableOfManyColumnsIsMergedToo(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        // A row of PostgreSQL has to fit into a page of 8 KB.
        let keys = (0..<(sink == .sqlite ? 1_900 : 900)).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        for (value, counts) in [(1, RowCounts(added: 1)), (1, .init(same: 1)), (2, .init(changed: 1))] {
            let report = try loader.load("{\"id\":1,\(keys),\"last\":\(value)}") {
                ($0.primaryKey, $0.conflict, $0.flattening.mapThreshold) = (["id"], .upsert, 10_000)
            }
            #expect(report.rows == counts)
        }
        #expect(try loader.rows("id", "k0", "last") == [[1, 0, 2]])
    }
}
#endif
