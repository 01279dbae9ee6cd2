#if SQLite
import SluiceCore
import SluiceIngest
import SluiceTestSupport
import Testing

/// Tables with a key, and tables that are there already.
@Suite struct KeyTests {
    private static let first = #"{"id":1,"a":"x","b":1}"# + "\n" + #"{"id":2,"a":"y","b":2}"#
    private static let second = #"{"id":2,"a":null,"c":true}"# + "\n" + #"{"id":3,"a":"z","b":3}"#

    /// What becomes of the row that both feeds have.
    @Test(
        arguments: LoaderSink.databases,
        [
            (KeyConflict.upsert, [2, nil, 2, true], RowCounts(added: 1, changed: 1)),
            (.ignore, [2, "y", 2, nil], RowCounts(added: 1, kept: 1)),
            (.replace, [2, nil, nil, true], RowCounts(added: 1, changed: 1)),
        ] as [(KeyConflict, [StoredValue], RowCounts)])
    func aRecordMeetsTheRowOfItsKey(sink: LoaderSink, rule: (conflict: KeyConflict, row: [StoredValue], counts: RowCounts)) throws
    {
        let loader = try Loader(sink)
        try loader.load(Self.first) { $0.primaryKey = ["id"] }
        let report = try loader.load(Self.second) { ($0.primaryKey, $0.conflict) = (["id"], rule.conflict) }
        #expect(report.isSuccess)
        #expect(try loader.rows("id", "a", "b", "c", by: "id") == [[1, "x", 1, nil], rule.row, [3, "z", 3, nil]])
        #expect(report.rows == rule.counts && report.totalRows == 3)
    }

    /// Defaults stand for what no record has. Records of one feed meet each other, too.
    @Test(arguments: LoaderSink.databases, [KeyConflict.upsert, .ignore, .replace])
    func recordsOfOneFeedMeetEachOther(sink: LoaderSink, rule: KeyConflict) throws {
        let loader = try Loader(sink)
        try loader.execute(
            """
            CREATE TABLE records (id INTEGER PRIMARY KEY, a INTEGER, b TEXT DEFAULT 'z');
            INSERT INTO records VALUES (1, 1, 'x'), (2, 2, 'y')
            """)
        let lines = [
            #"{"id":1,"a":5}"#, #"{"id":2,"a":2,"b":"y"}"#, #"{"id":3,"a":3}"#, #"{"id":3,"b":"w"}"#, #"{"id":3,"b":"w"}"#,
            #"{"a":9}"#,
        ]
        let report = try loader.load(lines.joined(separator: "\n")) { ($0.conflict, $0.primaryKey) = (rule, ["id"]) }
        let rows = try loader.rows("id", "a", "b", by: "id")
        #expect(report.rejected == 1)
        switch rule {
        case .upsert:
            #expect(rows == [[1, 5, "x"], [2, 2, "y"], [3, 3, "w"]])
            #expect(report.rows == RowCounts(added: 1, changed: 2, same: 2))
        case .ignore:
            #expect(rows == [[1, 1, "x"], [2, 2, "y"], [3, 3, nil]])
            #expect(report.rows == RowCounts(added: 1, kept: 4))
        default:
            #expect(rows == [[1, 5, nil], [2, 2, "y"], [3, nil, "w"]])
            #expect(report.rows == RowCounts(added: 1, changed: 2, same: 2))
        }
    }

    @Test(arguments: LoaderSink.databases) func aKeyThatIsThereIsRejectedWithoutAWordAboutIt(sink: LoaderSink) throws {
        let report = try Loader(sink).load(Self.first + "\n" + Self.first) { $0.primaryKey = ["id"] }
        #expect(report.stored == 2)
        #expect(report.rejected == 2)
        let reason = sink == .sqlite ? "UNIQUE constraint failed: records.id" : "violates unique constraint \"records_pkey\""
        #expect(report.rejections[0].reason.contains(reason), "\(report.rejections)")
    }

    @Test(arguments: LoaderSink.databases) func aKeyMayHaveSeveralColumnsAndBeNamedByPath(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let feed = #"{"day":"mon","user":{"id":1},"n":1}"# + "\n" + #"{"day":"mon","user":{"id":2},"n":1}"# + "\n"
        let again = #"{"day":"mon","user":{"id":2},"n":5}"#
        for text in [feed, again] {
            try loader.load(text) { ($0.primaryKey, $0.conflict) = (["day", "user.id"], .upsert) }
        }
        #expect(try loader.rows("day", "user_id", "n", by: "user_id") == [["mon", 1, 1], ["mon", 2, 5]])
        if sink == .sqlite {
            #expect(
                try loader.value("SELECT sql FROM sqlite_master WHERE name = 'records'")
                    == #"CREATE TABLE "records" ("day" TEXT, "user_id" INTEGER, "n" INTEGER, PRIMARY KEY ("day", "user_id"))"#)
        } else {
            #expect(
                try loader.value("SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'records'::regclass")
                    == "PRIMARY KEY (day, user_id)")
            #expect(try loader.columns() == ["day", "user_id", "n"])
        }
        // The table's own key is taken where none is named.
        #expect(try loader.load(again) { $0.conflict = .replace }.isSuccess)
        #expect(try loader.count() == 2)
    }

    @Test(arguments: LoaderSink.databases) func aRecordWithoutItsKeyIsRejected(sink: LoaderSink) throws {
        let report = try Loader(sink).load(#"{"id":1,"a":1}"# + "\n" + #"{"a":2}"# + "\n" + #"{"id":null,"a":3}"#) {
            ($0.primaryKey, $0.conflict) = (["id"], .upsert)
        }
        #expect(report.stored == 1)
        #expect(report.rejected == 2)
        let reason =
            sink == .sqlite
            ? "the record has no value for id, which is the table's key"
            : "id: expected a value, because it is the key, found none"
        #expect(report.rejections[0].reason.contains(reason), "\(report.rejections)")
    }

    @Test(arguments: LoaderSink.databases) func aTextInAnIntegerKeyIsRejectedAlone(sink: LoaderSink) throws {
        let report = try Loader(sink).load(#"{"id":1}"# + "\n" + #"{"id":"x"}"# + "\n" + #"{"id":2}"#) {
            ($0.primaryKey, $0.sample) = (["id"], 1)
        }
        #expect(report.stored == 2)
        let reason = sink == .sqlite ? "datatype mismatch" : "id: expected bigint, found 'x'"
        #expect(report.rejections[0].reason.contains(reason), "\(report.rejections)")
    }

    @Test(arguments: LoaderSink.databases) func anUnusablePrimaryKeyIsAnErrorThatNamesIt(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let misspelt = #expect(throws: IngestError.self) { try loader.load(Self.first) { $0.primaryKey = ["idd"] } }
        #expect(misspelt == .usage("\(option: .key("idd")): there is no such column; did you mean id?"))
        let missing = #expect(throws: IngestError.self) { try loader.load(Self.first) { $0.conflict = .upsert } }
        #expect(missing?.description.hasPrefix("conflict(.upsert), conflict(.ignore) and conflict(.replace) need a key") == true)
        try loader.execute("CREATE TABLE plain (id INTEGER, a TEXT, b INTEGER)")
        let unindexed = #expect(throws: IngestError.self) {
            try loader.load(Self.first, into: "plain") { ($0.primaryKey, $0.conflict) = (["id"], .upsert) }
        }
        #expect(unindexed?.description == "the table plain has no primary key or unique index of id")
    }

    @Test(arguments: LoaderSink.databases) func truncateKeepsTheIndexesAndDropDoesNot(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try loader.load(Self.first)
        try loader.execute("CREATE INDEX by_a ON records (a)")
        let indexes =
            sink == .sqlite
            ? "SELECT count(*) FROM sqlite_master WHERE type = 'index' AND name = 'by_a'"
            : "SELECT count(*) FROM pg_indexes WHERE schemaname = current_schema AND indexname = 'by_a'"
        #expect(try loader.load(#"{"id":9}"#) { $0.existing = .truncate }.stored == 1)
        #expect(try loader.rows("id", "a") == [[9, nil]])
        #expect(try loader.value(indexes) == 1)
        let report = try loader.load(#"{"id":9}"#) { $0.existing = .drop }
        #expect(report.rows.added == 1 && report.totalRows == 1)
        #expect(try loader.value(indexes) == 0)
        #expect(try loader.columns() == ["id"])
    }

    @Test(
        arguments: LoaderSink.databases,
        [(ExistingTable.drop, "CASCADE"), (.truncate, "CASCADE"), (.drop, "SET NULL"), (.truncate, "SET NULL")])
    func rowsThatRowsOfOtherTablesReferToAreNotRemoved(sink: LoaderSink, rule: (existing: ExistingTable, action: String)) throws {
        let loader = try Loader(sink)
        try loader.execute(
            """
            CREATE TABLE records (id INTEGER PRIMARY KEY);
            CREATE TABLE other (x TEXT, ref INTEGER REFERENCES records (id) ON DELETE \(rule.action));
            INSERT INTO records VALUES (1), (2);
            INSERT INTO other VALUES ('o', 1)
            """)
        let error = #expect(throws: IngestError.self) { try loader.load(#"{"id":3}"#) { $0.existing = rule.existing } }
        switch (sink, rule.existing) {
        case (.sqlite, let existing):
            #expect(
                error?.description
                    == "rows of the table other refer to rows of records, which existing(.\(existing)) would remove; "
                    + "remove those of other first, or load into another table")
        case (_, .drop):
            // The server refuses to drop a table to which another one has a foreign key.
            #expect(error?.description.contains("other") == true, "\(String(describing: error))")
        default:
            #expect(
                error?.description
                    == "rows of the table other refer to rows of records, which would be removed; remove those of other first")
        }
        #expect(try loader.value("SELECT ref FROM other") == 1)
        #expect(try loader.count() == 2)
        try loader.execute(sink == .postgres && rule.existing == .drop ? "DROP TABLE other" : "DELETE FROM other")
        #expect(try loader.load(#"{"id":3}"#) { $0.existing = rule.existing }.stored == 1)
        #expect(try loader.rows("id") == [[3]])
    }

    /// A table that joins records with others looks almost like a child table.
    @Test(arguments: LoaderSink.databases) func theRowsOfAJoinTableAreNotRemoved(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try loader.execute(
            """
            CREATE TABLE records (id INTEGER PRIMARY KEY);
            CREATE TABLE records_tags (
                record INTEGER REFERENCES records (id) ON DELETE CASCADE, tag TEXT, PRIMARY KEY (record, tag));
            INSERT INTO records VALUES (1), (2);
            INSERT INTO records_tags VALUES (1, 'x')
            """)
        let error = #expect(throws: IngestError.self) { try loader.load(#"{"id":3}"#) { $0.existing = .truncate } }
        #expect(error?.description.hasPrefix("rows of the table records_tags refer to rows of records") == true)
        #expect(try loader.count("records_tags") == 1)
    }

    @Test(arguments: LoaderSink.databases) func appendSaysHowManyThereAreNow(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try loader.execute(
            """
            CREATE TABLE records (a INTEGER);
            INSERT INTO records WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200) SELECT i FROM n
            """)
        let report = try loader.load(#"{"a":1}"#) { $0.existing = .append }
        #expect(report.rows.added == 1 && report.totalRows == 1_201)
    }

    @Test func aNewDatabaseHasLargePages() throws {
        let loader = try Loader(.sqlite)
        try loader.load(Self.first)
        #expect(try loader.value("PRAGMA page_size") == 16_384)
        #expect(try loader.value("PRAGMA journal_mode") == "delete")
    }

    /// SQLite takes `Name` and `name` for one column, so one of them gets a number in all sinks. A later input may have the keys in another
    /// order, only one of them, or one of them late.
    @Test(
        arguments: LoaderSink.databases,
        [
            (#"{"name":3,"Name":4}"#, [4, 3]), (#"{"name":3}"#, [nil, 3]), (#"{"Name":4}"#, [4, nil]),
            (#"{"id":5}"# + "\n" + #"{"name":3}"#, [nil, 3]),
        ] as [(String, [StoredValue])])
    func pathsKeepTheirColumnsInLaterInputs(sink: LoaderSink, later: (text: String, stored: [StoredValue])) throws {
        let loader = try Loader(sink)
        try loader.load(file: loader.scratch.file("first.ndjson", #"{"Name":1,"name":2}"# + "\n"))
        try loader.load(file: loader.scratch.file("later.ndjson", later.text + "\n")) { ($0.existing, $0.sample) = (.append, 1) }
        let rows = try loader.rows("Name", "name_2")
        #expect(rows.first == [1, 2])
        #expect(rows.last == later.stored)
    }

    /// Each record is merged into the row of the one before it. They come after a sample that has none of their keys, or each in a feed
    /// of its own.
    @Test(
        arguments: LoaderSink.databases,
        [
            ([#"{"id":1,"v":9}"#, #"{"id":1,"v":null}"#], ["v": nil]),
            ([#"{"id":1,"a":{"b":1}}"#, #"{"id":1,"a":null}"#], ["a_b": nil]),
            ([#"{"id":1,"a":{"b":1,"c":{"d":2}}}"#, #"{"id":1,"a":{"c":null}}"#], ["a_b": 1, "a_c_d": nil]),
            ([#"{"id":1,"a":{"b":1}}"#, #"{"id":1,"a":5}"#], ["a_b": nil, "a": "5"]),
            ([#"{"id":1,"a":{"b":1}}"#, #"{"id":1,"a":5}"#, #"{"id":1,"a":null}"#], ["a_b": nil, "a": nil]),
            ([#"{"id":1,"a":{"b":1}}"#, #"{"id":1,"c":2}"#], ["a_b": 1, "c": 2]),
            ([#"{"id":1,"a":{"b":1}}"#, #"{"id":1,"a":null,"a":{"b":2}}"#], ["a_b": 2]),
        ] as [([String], [String: StoredValue])])
    func upsertLeavesNothingOfWhatTheRecordReplaces(
        sink: LoaderSink, feed: (records: [String], stored: [String: StoredValue])
    ) throws {
        let others = (2...1100).map { #"{"id":\#($0)}"# }
        for (workers, feeds) in [(1, [others + feed.records]), (2, [others + feed.records]), (2, feed.records.map { [$0] })] {
            let loader = try Loader(sink)
            for (index, lines) in feeds.enumerated() {
                let file = try loader.scratch.file("\(index).ndjson", lines.joined(separator: "\n") + "\n")
                let report = try loader.load(file: file) {
                    ($0.existing, $0.primaryKey, $0.conflict, $0.workers) = (.append, ["id"], .upsert, workers)
                }
                #expect(report.isSuccess)
            }
            for (name, value) in feed.stored {
                #expect(try loader.query("SELECT \(name) FROM records WHERE id = 1") == [[value]], "\(name), \(workers) workers")
            }
        }
    }
}
#endif
