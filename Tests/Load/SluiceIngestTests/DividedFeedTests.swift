#if SQLite
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceIngest

/// Records that come in several commands: each value is stored as in one command, or counted, or its record is rejected.
@Suite struct DividedFeedTests {
    /// Reads each text as a pipe of its own; returns the last report.
    ///
    /// - Parameter isLossy: Whether something of the last one is lost, or nil if it does not matter.
    @discardableResult
    private func load(
        _ feeds: [String], _ loader: Loader, into table: String = "records", isLossy: Bool? = false,
        _ change: (inout IngestOptions) throws -> Void = { _ in }
    ) throws -> IngestReport {
        var last: IngestReport?
        for (index, text) in feeds.enumerated() {
            let report = try loader.load(text, into: table) {
                $0.existing = .append
                try change(&$0)
            }
            if index < feeds.count - 1 { #expect(report.isSuccess, "\(report)") }
            last = report
        }
        let report = try #require(last)
        if let isLossy { #expect(isLossy ? report.isLossy : report.isSuccess, "\(report)") }
        return report
    }

    private func upserts(_ options: inout IngestOptions) { (options.primaryKey, options.conflict) = (["id"], .upsert) }

    /// What becomes of the values of a column.
    private struct Fates: Sendable, CustomTestStringConvertible {
        /// In JSON.
        let values: [String]
        let sqlite: [StoredValue]
        /// In PostgreSQL; nil for a value whose record is rejected.
        let postgres: [StoredValue?]

        init(_ values: [String], _ sqlite: [StoredValue], _ postgres: [StoredValue?]? = nil) {
            (self.values, self.sqlite, self.postgres) = (values, sqlite, postgres ?? sqlite)
        }

        var testDescription: String { "\(values)" }

        func stored(_ sink: LoaderSink) -> [StoredValue?] { sink == .sqlite ? sqlite : postgres }
    }

    // MARK: What the findings say

    @Test(arguments: LoaderSink.databases) func aTruthValueInAColumnOfTextsIsAWord(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try load([#"{"id":1,"active":"x"}"#, #"{"id":2,"active":true}"#, #"{"id":3,"active":false}"#], loader)
        #expect(try loader.rows("active") == [["x"], ["true"], ["false"]])
        // In a user's column, too.
        try loader.execute("CREATE TABLE t (v TEXT)")
        try load([#"{"v":true}"#], loader, into: "t")
        #expect(try loader.rows("v", of: "t") == [["true"]])
    }

    /// Without a type, a column of SQLite takes each value. One of PostgreSQL gets the type of the first value.
    private static let afterNulls = [
        Fates(["true", "5", #""x""#], ["true", 5, "x"], [true, nil, nil]),
        Fates(["1E+308", #"" 1""#, "5"], [1e308, " 1", 5.0], [1e308, 1.0, 5.0]),
        Fates(
            ["5", #""7""#, "9007199254740993", "1.5", "true"], [5, "7", 9007199254740993, 1.5, "true"],
            [5, 7, 9007199254740993, nil, nil]),
        Fates([#""x""#, "5", "false"], ["x", "5", "false"]), Fates(["[1]", #""x""#, "5"], ["[1]", #""x""#, "5"]),
    ]

    @Test(arguments: LoaderSink.databases, afterNulls)
    private func aKeyThatWasAlwaysNullTakesEachValue(sink: LoaderSink, fates: Fates) throws {
        let loader = try Loader(sink)
        let nulls = [#"{"id":0,"v":null}"#, #"{"id":1,"v":null}"#]
        try load(nulls, loader)
        for (value, stored) in zip(fates.values, fates.stored(sink)) {
            let report = try load([#"{"id":2,"v":\#(value)}"#], loader, isLossy: nil)
            #expect(report.rejected == (stored == nil ? 1 : 0), "\(value)")
            // A text that becomes a number is counted.
            let isChanged = sink == .postgres && stored != nil && stored?.text == nil && value.hasPrefix("\"")
            #expect(report.digitLosses.count == (isChanged ? 1 : 0), "\(value)")
            #expect(report.isSuccess == (stored != nil && !isChanged), "\(value)")
        }
        #expect(try loader.query("SELECT v FROM records WHERE v IS NOT NULL").count == fates.stored(sink).count { $0 != nil })
        #expect(try loader.rows("v").filter { $0 != [nil] } == fates.stored(sink).compactMap { $0.map { [$0] } })
    }

    @Test(
        arguments: LoaderSink.databases,
        [
            Fates(["1", #"" 1""#, "2.5"], [1, " 1", 2.5], [1, 1, nil]), Fates(["1.5", "2"], [1.5, 2.0]),
            Fates(["true", "false"], ["true", "false"], [true, false]),
            Fates([#"{"b":[1]}"#, #""x""#], [#"{"b":[1]}"#, #""x""#]), Fates([#""x""#, "5"], ["x", "5"]),
            Fates(["1.5", "2", "true", #""a\nb""#], [1.5, 2.0, "true", "a\nb"], [1.5, 2.0, nil, nil]),
            Fates(["5", "null", "6"], [5, nil, 6]),
        ])
    private func aKeyThatIsNullInTheSampleGetsTheTypeOfItsFirstValue(sink: LoaderSink, fates: Fates) throws {
        let all = ["null", "null"] + fates.values
        let lines = all.enumerated().map { #"{"id":\#($0),"v":\#($1),"w":null}"# }
        let loader = try Loader(sink)
        let stored = fates.stored(sink).compactMap { $0 }
        for (workers, batch) in [(1, 1), (1, 100), (2, 1), (2, 100)] {
            let report = try loader.load(lines.joined(separator: "\n")) {
                ($0.existing, $0.sample, $0.workers, $0.batch) = (.drop, 1, workers, batch)
            }
            #expect(report.rejected == fates.stored(sink).count - stored.count)
            let isChanged = sink == .postgres && fates.values.contains(#"" 1""#)
            #expect(report.digitLosses.count == (isChanged ? 1 : 0))
            #expect(report.isSuccess == (report.rejected == 0 && !isChanged), "\(report)")
            #expect(try loader.rows("v", by: "id") == ([nil, nil] + stored).map { [$0] })
            #expect(try loader.query("SELECT w FROM records WHERE w IS NOT NULL").isEmpty)
            if sink == .postgres { #expect(try loader.value("SELECT pg_typeof(w)::text FROM records") == "text") }
        }
    }

    @Test(arguments: LoaderSink.databases) func aValueBesideObjectsInAColumnThatHadOnlyHadNullIsClearedByThem(sink: LoaderSink)
        throws
    {
        let loader = try Loader(sink)
        for line in [#"{"id":1,"a":null}"#, #"{"id":2,"a":{"b":1}}"#] { try load([line], loader, upserts) }
        try load([#"{"id":3,"a":null}"# + "\n" + #"{"id":4,"a":5}"#], loader) {
            upserts(&$0)
            $0.sample = 1
        }
        let stored = try loader.rows("a", by: "id")
        #expect(stored == [[nil], [nil], [nil], ["5"]] || stored == [[nil], [nil], [nil], [5]])
        try load([#"{"id":4,"a":{"b":2}}"#], loader, upserts)
        #expect(try loader.rows("a", "a_b", by: "id") == [[nil, nil], [nil, 1], [nil, nil], [nil, 2]])
    }

    @Test(arguments: LoaderSink.databases, [KeyConflict.upsert, .replace])
    func aTruthValueReplacesTheNumberOne(sink: LoaderSink, conflict: KeyConflict) throws {
        let loader = try Loader(sink)
        for lines in [
            #"{"id":1,"v":null}"#, #"{"id":1,"v":true}"#, #"{"id":2,"v":1}"#,
            #"{"id":1,"v":true}"# + "\n" + #"{"id":2,"v":true}"#,
        ] {
            // In PostgreSQL, the column is one of truth values by now, and 1 is counted.
            try load([lines], loader, isLossy: sink == .postgres && lines == #"{"id":2,"v":1}"#) {
                ($0.primaryKey, $0.conflict) = (["id"], conflict)
            }
        }
        #expect(try loader.rows("v", by: "id") == (sink == .sqlite ? [["true"], ["true"]] : [[true], [true]]))
    }

    @Test(arguments: LoaderSink.databases, [KeyContract.evolve, .discardValue])
    func aNumberAfterASampleOfNullsIsOneWhateverTheContract(sink: LoaderSink, contract: KeyContract) throws {
        let loader = try Loader(sink)
        let lines = [#"{"id":1,"v":null}"#, #"{"id":2,"v":5,"new":1}"#, #"{"id":3,"v":6,"new":2}"#]
        let report = try loader.load(lines.joined(separator: "\n")) { ($0.sample, $0.contract) = (1, contract) }
        #expect(try loader.rows("v") == [[nil], [5], [6]])
        if contract == .discardValue { #expect(report.unknownKeys.map(\.count) == [2]) }
    }

    @Test(arguments: LoaderSink.databases, ["1.0", "007", "1", " 5"])
    func aTextThatBecomesANumberIsCountedInALaterCommandToo(sink: LoaderSink, text: String) throws {
        let report = try load([#"{"v":1}"#, #"{"v":"\#(text)"}"#], Loader(sink), isLossy: true)
        #expect(report.digitLosses.map(\.example) == ["'\(text)'"])
        #expect(report.rejected == 0)
    }

    /// What a column of PostgreSQL does not take, one of SQLite keeps.
    @Test(
        arguments: LoaderSink.databases,
        [
            ("1", "true", "true"), ("1", #""x""#, "x"), ("1", "1.5", 1.5), ("true", "5", 5), ("true", #""x""#, "x"),
            ("true", "0.5", 0.5),
        ]
            as [(String, String, StoredValue)])
    func aValueThatTheColumnOfAnEarlierCommandDoesNotTakeIsRejectedOrKept(
        sink: LoaderSink, values: (first: String, second: String, stored: StoredValue)
    ) throws {
        let loader = try Loader(sink)
        try load([#"{"id":1,"v":\#(values.first)}"#], loader)
        let report = try load([#"{"id":2,"v":\#(values.second)}"#], loader, isLossy: sink == .postgres)
        #expect(report.rejected == (sink == .postgres ? 1 : 0) && report.digitLosses.isEmpty)
        #expect(try loader.rows("v").dropFirst() == (sink == .postgres ? [] : [[values.stored]]))
    }

    @Test(arguments: LoaderSink.databases, ["[1]", "{}", #"{"a":[]}"#])
    func aTextInAColumnOfJSONIsAStringOfJSON(sink: LoaderSink, first: String) throws {
        let loader = try Loader(sink)
        try load([#"{"v":\#(first)}"#, #"{"v":"[1]"}"#, #"{"v":"x"}"#, #"{"v":5}"#, #"{"v":true}"#, #"{"v":"5"}"#], loader)
        guard first != #"{"a":[]}"# else { return }
        #expect(try loader.rows("v").dropFirst() == [[#""[1]""#], [#""x""#], ["5"], ["true"], [#""5""#]])
    }

    @Test(arguments: LoaderSink.databases) func keysThatDifferByCaseKeepTheirColumnsBetweenPipes(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try load([#"{"id":1,"Id":"one"}"#, #"{"Id":"two","id":2}"#, #"{"Id":"three"}"#, #"{"a.b":4,"id":4}"#], loader)
        #expect(try loader.rows("id", "Id_2") == [[1, "one"], [2, "two"], [nil, "three"], [4, nil]])
    }

    @Test(arguments: LoaderSink.databases) func keysWithAPointKeepTheirColumnsBetweenPipes(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try load([#"{"a":{"b":1},"a_b":"one"}"#, #"{"a_b":"two","a":{"b":2}}"#, #"{"a_b":"three"}"#], loader)
        let columns = try loader.columns().map { name in try loader.rows(name).flatMap { $0 }.filter { $0 != nil } }
        #expect(columns.count == 2 && columns.contains([1, 2]) && columns.contains(["one", "two", "three"]))
    }

    @Test(arguments: LoaderSink.databases) func aKeyThatComesLateDoesNotTakeTheColumnOfOneInOtherCase(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let many = String(repeating: #"{"ID":"x"}"# + "\n", count: 1_000)
        try load([#"{"Id":1}"#, many + #"{"Id":2}"#], loader)
        #expect(try loader.rows("Id").filter { $0 != [nil] } == [[1], [2]])
        #expect(try loader.rows("ID_2").count { $0 == ["x"] } == 1_000)
    }

    @Test(arguments: LoaderSink.databases) func theColumnOfInputsKeepsItsName(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try load([#"{"id":1}"#, #"{"id":2,"filename":"f"}"#, #"{"id":3}"#], loader) { $0.addsFileName = true }
        #expect(try Set(loader.rows("filename")).count == 1)
        #expect(try loader.rows("filename_2") == [[nil], ["f"], [nil]])
    }

    @Test(arguments: LoaderSink.databases, ["1", "0", "1.0", "0.0", #""0""#])
    func aNumberInAColumnOfTruthValuesIsCounted(sink: LoaderSink, value: String) throws {
        let loader = try Loader(sink)
        let report = try load([#"{"v":true}"#, #"{"v":\#(value)}"#], loader, isLossy: true)
        #expect(report.digitLosses.map(\.count) == [1])
        #expect(try loader.rows("v") == [[true], [.bool(value.contains("1"))]])
    }

    @Test(arguments: LoaderSink.databases) func aNumberThatEqualsAStoredTruthValueIsCounted(sink: LoaderSink) throws {
        let report = try load([#"{"id":1,"v":true}"#, #"{"id":1,"v":1}"#], Loader(sink), isLossy: true, upserts)
        #expect(report.digitLosses.map(\.example) == ["1"])
    }

    /// A column of the user's may be meant for truth values.
    @Test(arguments: LoaderSink.databases) func aTruthValueInAUsersColumnOfIntegersIsCounted(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try loader.execute("CREATE TABLE t (v INTEGER)")
        let report = try load([#"{"v":true}"#], loader, into: "t", isLossy: true)
        #expect(report.digitLosses.map(\.example) == ["true"])
        #expect(try loader.rows("v", of: "t") == [[1]])
    }

    @Test func aStrictTableKeepsTheColumnsThatRunsHaveMadeForTruthValues() throws {
        let loader = try Loader(.sqlite)
        try loader.execute("CREATE TABLE records (id INTEGER) STRICT")
        try load([#"{"id":1,"v":true}"#, #"{"id":2,"v":false}"#], loader)
        let report = try load([#"{"id":3,"v":1}"#], loader, isLossy: true)
        #expect(report.digitLosses.map(\.column) == ["v"])
    }

    @Test(arguments: LoaderSink.databases, [#""[1]""#, #""x""#, "1", "1.5", "true"])
    func anArrayThatBecomesATextIsCounted(sink: LoaderSink, first: String) throws {
        let loader = try Loader(sink)
        let report = try load([#"{"v":\#(first)}"#, #"{"v":[1]}"#], loader, isLossy: true)
        #expect(report.typeDeviations.isEmpty)
        if sink == .postgres, !first.hasPrefix("\"") {
            #expect(report.rejected == 1 && report.digitLosses.isEmpty)
        } else {
            let example = sink == .sqlite ? "[1]" : "'[1]'"
            #expect(report.digitLosses == [DigitLoss(column: "v", example: example, isOfKind: sink == .sqlite)])
            #expect(try loader.rows("v").last == ["[1]"])
        }
    }

    @Test(arguments: LoaderSink.databases) func aValueBesideObjectsHasTheTypeOfItsColumn(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let feed = #"{"id":5,"v":{"a":1}}"# + "\n" + #"{"id":6,"v":7}"# + "\n" + #"{"id":7,"v":true}"#
        let report = try load([#"{"id":1,"v":5}"#, feed], loader, isLossy: sink == .postgres) { $0.sample = 1 }
        #expect(report.rejected == (sink == .postgres ? 1 : 0))
        #expect(try loader.rows("v") == [[5], [nil], [7]] + (sink == .postgres ? [] : [["true"]]))
        let second = #"{"id":5,"v":{"a":1}}"# + "\n" + #"{"id":6,"v":"[7]"}"#
        try load([#"{"id":1,"v":[5]}"#, second], loader, into: "json") { $0.sample = 1 }
        #expect(try loader.rows("v", of: "json") == [["[5]"], [nil], [#""[7]""#]])
    }

    @Test(arguments: LoaderSink.databases, ["9223372036854775807", #""x""#, #""5""#, "true", "[1]"])
    func aValueThatComesAfterObjectsIsJSON(sink: LoaderSink, value: String) throws {
        let loader = try Loader(sink)
        let lines = [#"{"id":1,"v":{"B":1}}"#, #"{"id":2,"v":\#(value)}"#]
        try load([lines.joined(separator: "\n")], loader) { $0.sample = 1 }
        #expect(try loader.rows("v") == [[nil], [.text(value)]])
        // In later commands, too, and with the rows that they change.
        try load([#"{"id":3,"v":\#(value)}"#], loader)
        #expect(try loader.rows("v").last == [.text(value)])
        try load(lines, loader, into: "other", upserts)
        #expect(try loader.rows("v", of: "other") == [[nil], [.text(value)]])
    }

    @Test(arguments: LoaderSink.databases) func aValueBesideTheRowsOfAnArrayIsJSON(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let second = [#""q""#, #"{"d":7}"#, #""[1]""#, "2", "true"]
        let lines = second.enumerated().map { #"{"id":\#($0 + 2),"w":\#($1)}"# }
        try load([#"{"id":1,"w":[-5]}"#, lines.joined(separator: "\n")], loader) { $0.children.storage = .tables }
        #expect(try loader.rows("w", by: "id").dropFirst() == second.map { [.text($0)] }[...])
    }

    @Test(arguments: LoaderSink.databases) func anArrayBesideObjectsInAColumnOfTextsIsCounted(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let second = [#"{"id":2,"v":{"d":1}}"#, #"{"id":3,"v":[1]}"#, #"{"id":4,"v":"y"}"#].joined(separator: "\n")
        let report = try load([#"{"id":1,"v":"x"}"#, second], loader, isLossy: true) { $0.sample = 1 }
        #expect(report.digitLosses.map(\.example) == [sink == .sqlite ? "[1]" : "'[1]'"])
        #expect(try loader.rows("v") == [["x"], [nil], ["[1]"], ["y"]])
    }

    @Test(arguments: LoaderSink.databases) func nullClearsAColumnBesideThoseOfAnObject(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let first = [#"{"n":1,"a":"x"}"#, #"{"n":2,"a":{"d":1}}"#, #"{"n":3,"a":{"d":1}}"#].joined(separator: "\n")
        try load([first, #"{"n":3,"a":{"d":10}}"#, #"{"n":2,"a":null}"#], loader) {
            ($0.primaryKey, $0.conflict) = (["n"], .upsert)
        }
        #expect(try loader.rows("n", "a", "a_d", by: "n").dropFirst() == [[2, nil, nil], [3, nil, 10]])
    }

    @Test(arguments: LoaderSink.databases) func bothSpellingsOfALetterAreColumnsOfTheirOwn(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let line = "{\"id\":1,\"e\u{301}\":12345678901234567890.5,\"\u{e9}\":9007199254740993.0}"
        let report = try load([line], loader, isLossy: true)
        #expect(report.digitLosses.map(\.count) == [1, 1])
        #expect(try loader.columns().count == 3)
    }

    @Test(arguments: LoaderSink.databases, ["", "\n" + #"{"id":2,"a":{"c":2}}"#])
    func anEmptyObjectKeepsTheColumnsOfItsKeys(sink: LoaderSink, others: String) throws {
        let loader = try Loader(sink)
        try load([#"{"id":1,"a":{"c":1}}"#, #"{"id":1,"a":{}}"# + others], loader, upserts)
        #expect(try loader.rows("id", "a_c", by: "id").first == [1, 1])
        #expect(try loader.columns() == ["id", "a_c"])
    }

    @Test(arguments: LoaderSink.databases) func aKeyInsideOfAnObjectIsOneWhateverStandsThere(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let feed = #"{"id":7}"# + "\n" + #"{"id":{"a":1},"v":2}"#
        for text in [#"{"id":{"a":1},"v":1}"#, feed] {
            try loader.load(text) { ($0.existing, $0.primaryKey, $0.conflict) = (.append, ["id.a"], .upsert) }
        }
        #expect(try loader.rows("id_a", "v") == [[1, 2]])
        let one = try loader.load(feed, into: "one") { $0.primaryKey = ["id.a"] }
        #expect(one.rejected == 1 && one.stored == 1)
    }

    // MARK: The memory

    /// The type of a column, in the words of SQLite.
    private func type(_ column: String, _ loader: Loader, of table: String = "records") throws -> StoredValue? {
        guard loader.sink == .postgres else {
            return try loader.value("SELECT type FROM pragma_table_info('\(table)') WHERE name = '\(column)'")
        }
        let type = try loader.value(
            """
            SELECT format_type(atttypid, NULL) FROM pg_attribute
            WHERE attrelid = '\(table)'::regclass AND attname = left('\(column)', 63)
            """)
        return type == "bigint" ? "INTEGER" : type == "boolean" ? "BOOLEAN" : type
    }

    @Test(arguments: LoaderSink.databases) func aTableThatIsDroppedForgets(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try load([#"{"v":true}"#, #"{"v":1}"#], loader, isLossy: true)
        #expect(try load([#"{"v":1}"#], loader) { $0.existing = .drop }.digitLosses.isEmpty)
        #expect(try type("v", loader) == "INTEGER")
        // By hand, too.
        try loader.execute("DROP TABLE records")
        try load([#"{"v":true}"#], loader)
        #expect(try type("v", loader) == "BOOLEAN")
        // A table that is emptied keeps its columns.
        try load([#"{"v":1}"#], loader, isLossy: true) { $0.existing = .truncate }
    }

    @Test(arguments: LoaderSink.databases) func aColumnThatTheUserHasRemovedIsForgotten(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try load([#"{"id":1,"v":true}"#], loader)
        try loader.execute("ALTER TABLE records DROP COLUMN v")
        try load([#"{"id":2,"v":1}"#], loader)
        #expect(try type("v", loader) == "INTEGER")
    }

    /// PostgreSQL would cut the names of this test.
    @Test func aLongNameThatTheUserHasRemovedIsForgottenToo() throws {
        let (name, loader) = (String(repeating: "k", count: 62), try Loader(.sqlite))
        try load([#"{"id":1,"\#(name)":1,"\#(name)xx":true}"#], loader)
        try loader.execute("ALTER TABLE records DROP COLUMN \(name)xx")
        try load([#"{"id":2,"\#(name)xx":1}"#], loader)
        #expect(try type("\(name)xx", loader) == "INTEGER")
        for (count, kind) in [("true", "BOOLEAN"), ("1", "INTEGER")] as [(String, StoredValue)] {
            let lines = #"{"id":3,"\#(name)":[{"v":\#(count)}]}"# + "\n" + #"{"id":4}"#
            try load([lines], loader, into: "t") { $0.children.storage = .tables }
            #expect(try type("v", loader, of: "t_\(name)") == kind)
            try loader.execute("DROP TABLE t_\(name)")
        }
    }

    @Test(arguments: LoaderSink.databases) func aChildTableIsKnownWhicheverColumnsTheUserRemoves(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        func setUp(_ options: inout IngestOptions) {
            upserts(&options)
            options.children.storage = .tables
        }
        let other = "\n" + #"{"id":9}"#
        try load([#"{"a":1,"b":2,"id":1,"t":[{"x":1,"y":2}],"u":[1]}"# + other], loader, setUp)
        for column in ["a", "b"] { try loader.execute("ALTER TABLE records DROP COLUMN \(column)") }
        try loader.execute("ALTER TABLE records_t DROP COLUMN y")
        try load([#"{"id":2,"t":[{"x":3}]}"# + other], loader, setUp)
        #expect(try !loader.columns(of: "records_t").contains("y"))
        try load([#"{"id":1,"t":null}"#], loader, setUp)
        #expect(try loader.rows("x", of: "records_t") == [[3]])
        // A table that the user has removed is not made again for records without the array.
        try loader.execute("DROP TABLE records_u")
        try load([#"{"id":3}"#], loader, setUp)
        #expect(
            try loader.query(
                sink == .sqlite
                    ? "SELECT 1 FROM sqlite_master WHERE name = 'records_u'"
                    : "SELECT 1 WHERE to_regclass('records_u') IS NOT NULL"
            ).isEmpty)
        try load([#"{"id":3,"u":[{"z":1}]}"# + other], loader, setUp)
        #expect(try loader.rows("z", of: "records_u") == [[1]])
    }

    @Test(arguments: LoaderSink.databases) func aRunThatFindsItsColumnMadeForAnotherKeyEndsWithAnError(sink: LoaderSink) throws {
        /// Lets another run store its records while the second line is read.
        struct Meanwhile: BufferSource {
            var parts: [[UInt8]]
            let run: () throws -> Void

            mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(JSONError) -> Int {
                guard !parts.isEmpty else { return 0 }
                if parts.count == 1 { #expect(throws: Never.self) { try run() } }
                let part = parts.removeFirst()
                unsafe buffer.copyBytes(from: part)
                return part.count
            }
        }
        let loader = try Loader(sink)
        let source = Meanwhile(parts: [Array(#"{"id":1,"Id":"one"}"#.utf8) + [10], Array(#"{"id":2}"#.utf8) + [10]]) {
            try loader.load(#"{"Id":"b","id":5}"#) { $0.existing = .append }
        }
        let report = try loader.load(source) { ($0.existing, $0.sample, $0.workers) = (.append, 1, 1) }
        guard case .failed(let reason) = report.outcome else { return #expect(Bool(false), "\(report)") }
        #expect(reason.description.contains("another run has just made the column id for Id"), "\(reason)")
        #expect(try loader.rows("Id", "id_2") == [["b", 5]])
        #expect(try loader.columns() == ["Id", "id_2"])
    }

    @Test(arguments: LoaderSink.databases) func aLaterRunSaysWhichValuesTheTableComputesItself(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let kind = sink == .sqlite ? "VIRTUAL" : "STORED"
        try loader.execute(
            "CREATE TABLE records (id INTEGER PRIMARY KEY, v INTEGER, w INTEGER GENERATED ALWAYS AS (v * 2) \(kind))")
        let file = try loader.scratch.file("a.ndjson", #"{"id":1,"v":1,"w":5}"#)
        for run in 1...2 {
            let report = try loader.load(file: file) { $0.existing = .append }
            #expect(report.isLossy)
            let notes = ["1 value of columns that the table does not take left out by earlier runs"]
            #expect(report.notes == (run == 1 ? [] : notes))
        }
    }

    @Test(arguments: LoaderSink.databases) func aColumnWhoseNameHasTwoNumbersIsFoundByItsPath(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let first = [#"{"a_b":2}"#, #"{"A_B":1,"a":{"b":"x"}}"#]
        try load(first + [#"{"A_B":3,"a_b":4,"a":{"b":"y"}}"#, #"{"id":1}"# + "\n" + #"{"a":{"b":"z"},"id":2}"#], loader) {
            $0.sample = 1
        }
        #expect(try loader.columns() == ["a_b", "A_B_2", "a_b_2_2", "id"])
        #expect(
            try loader.rows("a_b", "A_B_2", "a_b_2_2", "id") == [
                [2, nil, nil, nil], [nil, 1, "x", nil], [4, 3, "y", nil], [nil, nil, nil, 1], [nil, nil, "z", 2],
            ])
    }

    @Test(arguments: LoaderSink.databases) func aKeyThatHasTheNameOfTheRecordsNumbersTakesNoColumnOfAnotherKey(sink: LoaderSink)
        throws
    {
        let tables: (inout IngestOptions) -> Void = { $0.children.storage = .tables }
        let (one, two) = (#"{"record_id_2":6,"t":[{"a":1}]}"#, #"{"record_id":5,"t":[{"a":1}]}"#)
        let loader = try Loader(sink)
        try load([one + "\n" + one, two + "\n" + two, one + "\n" + two], loader, tables)
        #expect(try Set(loader.rows("record_id_2", "record_id_3")) == [[6, nil], [nil, 5]])
        // In one command, and for columns that the options name.
        for (index, columns) in [[], ["record_id:integer", "record_id_2:integer"]].enumerated() {
            let table = "t\(index)"
            for text in [two + "\n" + one, one + "\n" + two] {
                let report = try loader.load(text, columns: columns, into: table) {
                    tables(&$0)
                    $0.existing = .append
                }
                #expect(report.isSuccess, "\(report)")
            }
            let columns = try loader.columns(of: table).filter { $0.hasPrefix("record_id_") }.sorted()
            let rows = try loader.rows(columns, of: table)
            #expect(columns.count == 2 && rows.allSatisfy { $0.contains(nil) }, "\(columns) \(rows)")
            #expect(
                columns.indices.allSatisfy { index in Set(rows.map { $0[index] }.filter { $0 != nil }).count == 1 }, "\(rows)")
        }
    }

    @Test(arguments: LoaderSink.databases) func aTableFromBeforeHasTheColumnsOfItsCheckpoints(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try loader.load(file: loader.scratch.file("a.ndjson", #"{"id":1,"Id":"one","v":[1]}"#))
        try loader.execute("DROP TABLE _sluice_memory")
        try load([#"{"Id":"two","id":2,"v":"[1]"}"#], loader)
        #expect(try loader.rows("id", "Id_2", "v").last == [2, "two", #""[1]""#])
    }

    @Test(arguments: LoaderSink.databases) func aMemoryOfALaterVersionIsRefused(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try load([#"{"id":1}"#], loader)
        try loader.execute(#"UPDATE _sluice_memory SET memory = '{"version":2}'"#)
        #expect(throws: IngestError.self) { try load([#"{"id":1}"#], loader) }
    }

    @Test(arguments: LoaderSink.databases) func columnsOfChildTablesAreRememberedFromPipes(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let second = #"{"id":2,"t":[{"V":2,"v":false}]}"# + "\n" + #"{"id":9}"#
        try load([#"{"id":1,"t":[{"v":true,"V":1}]}"# + "\n" + #"{"id":8}"#, second], loader) {
            ($0.primaryKey, $0.children.storage) = (["id"], .tables)
        }
        #expect(try loader.rows("v", "V_2", of: "records_t") == [[true, 1], [false, 2]])
        let report = try load([#"{"id":3,"t":[{"v":1}]}"# + "\n" + #"{"id":10}"#], loader, isLossy: true) {
            ($0.primaryKey, $0.children.storage) = (["id"], .tables)
        }
        #expect(report.digitLosses.map(\.column) == ["records_t.v"])
    }

    // MARK: All pairs of kinds

    private static let values = [
        "null", "true", "0", "1", "9007199254740993", "18446744073709551616", "1.5", "1.0", #""x""#, #""1""#, #""007""#,
        #""true""#,
        #""[1]""#, "[1]",
    ]

    /// A value as one who reads the database takes it: a text that is JSON is that JSON.
    private static func read(_ value: StoredValue) -> JSONValue {
        switch value {
        case .null: .null
        case .bool(let flag): .bool(flag)
        case .integer(let number): .number(JSONNumber(number))
        case .real(let number): JSONNumber(number).map { .number($0) } ?? .null
        case .text(let text): (try? JSONValue(json: text)) ?? .string(text)
        }
    }

    private static func areSame(_ left: JSONValue, _ right: JSONValue) -> Bool {
        if case .number(let left) = left, case .number(let right) = right {
            return left.description == right.description || Double(left.description) == Double(right.description)
        }
        return left == right
    }

    /// In PostgreSQL, each load has a session of its own: a seventh of the pairs is loaded there.
    @Test(arguments: LoaderSink.databases, values) func everyValueIsStoredAsInOneCommandOrCounted(sink: LoaderSink, first: String)
        throws
    {
        let start = Self.values.firstIndex(of: first) ?? 0
        for (number, second) in Self.values.enumerated() where sink == .sqlite || (start + number).isMultiple(of: 7) {
            let conflict = number % 4 == 0 ? KeyConflict.upsert : .reject
            let third = ["[2]", #""y""#, "2"][number % 3]
            let lines = [first, second, third].enumerated().map { #"{"id":\#($0),"v":\#($1)}"# }
            let loader = try Loader(sink)
            func setUp(_ options: inout IngestOptions) {
                (options.existing, options.primaryKey, options.conflict, options.sample) = (.append, ["id"], conflict, -1)
            }
            try loader.load(lines.joined(separator: "\n"), into: "one", setUp)
            var isLossy = false
            for line in lines { isLossy = try loader.load(line, into: "divided", setUp).isLossy || isLossy }
            func rows(_ table: String) throws -> [StoredValue: JSONValue] {
                Dictionary(try loader.rows("id", "v", of: table).map { ($0[0], Self.read($0[1])) }) { $1 }
            }
            let (wanted, found) = (try rows("one"), try rows("divided"))
            let isSame = wanted.allSatisfy { id, value in found[id].map { Self.areSame($0, value) } ?? false }
            #expect(isSame || isLossy, "\(lines): \(wanted) \(found)")
            #expect(wanted.count == 3)
        }
    }
}
#endif
