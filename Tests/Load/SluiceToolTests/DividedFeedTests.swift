#if CommandLine
import GRDB
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceIngest
@testable import SluiceTool

/// Records that come in several commands: each value is stored as in one command, or counted, or its record is rejected.
@Suite struct DividedFeedTests {
    /// Reads each text as a pipe of its own; returns the last report.
    @discardableResult
    private func ingest(
        _ feeds: [String], in scratch: Scratch, status: Int32? = 0, _ change: (inout IngestSetup) -> Void = { _ in }
    ) throws -> IngestReport {
        var last: IngestReport?
        for (index, text) in feeds.enumerated() {
            let report = try scratch.ingest(text) {
                $0.existing = .append
                change(&$0)
            }
            if index < feeds.count - 1 { #expect(report.status.code == 0, "\(report.text)") }
            last = report
        }
        let report = try #require(last)
        if let status { #expect(report.status.code == status, "\(report.text)") }
        return report
    }

    private func stored(_ column: String, _ scratch: Scratch) throws -> [String?] {
        try scratch.rows(
            "SELECT CASE WHEN \(column) IS NULL THEN NULL ELSE typeof(\(column)) || ' ' || \(column) END AS v FROM records"
        )
        .map { $0["v"] }
    }

    // MARK: What the findings say

    @Test func aTruthValueInAColumnOfTextsIsAWord() throws {
        let scratch = try Scratch()
        try ingest([#"{"id":1,"active":"x"}"#, #"{"id":2,"active":true}"#, #"{"id":3,"active":false}"#], in: scratch)
        #expect(try stored("active", scratch) == ["text x", "text true", "text false"])
        // In a user's column, too.
        try scratch.execute("CREATE TABLE t (v TEXT)")
        try ingest([#"{"v":true}"#], in: scratch) { $0.table = "t" }
        #expect(try scratch.value("SELECT v FROM t") == "true")
    }

    @Test func aKeyThatWasAlwaysNullTakesEachValue() throws {
        for (values, wanted) in [
            (["true", "5", #""x""#], ["text true", "integer 5", "text x"]),
            (["1E+308", #"" 1""#, "5"], ["real 1.0e+308", "text  1", "real 5.0"]),
            (
                ["5", #""7""#, "9007199254740993", "1.5", "true"],
                ["integer 5", "text 7", "integer 9007199254740993", "real 1.5", "text true"]
            ),
            ([#""x""#, "5", "false"], ["text x", "text 5", "text false"]),
            (["[1]", #""x""#, "5"], ["text [1]", #"text "x""#, "text 5"]),
        ] {
            let scratch = try Scratch()
            let lines = (["null", "null"] + values).enumerated().map { #"{"id":\#($0),"v":\#($1)}"# }
            try ingest(lines, in: scratch)
            #expect(try stored("v", scratch).dropFirst(2).map { $0 ?? "" } == wanted)
        }
    }

    @Test(arguments: [1, 2]) func aKeyThatIsNullInTheSampleGetsTheTypeOfItsFirstValue(workers: Int) throws {
        for (values, wanted) in [
            (["1", #"" 1""#, "2.5"], ["integer 1", "text  1", "real 2.5"]),
            (["1.5", "2"], ["real 1.5", "real 2.0"]),
            (["true", "false"], ["text true", "text false"]),
            ([#"{"b":[1]}"#, #""x""#], [#"text {"b":[1]}"#, #"text "x""#]),
            ([#""x""#, "5"], ["text x", "text 5"]),
        ] {
            let scratch = try Scratch()
            let all = ["null", "null"] + values
            let lines = all.enumerated().map { #"{"id":\#($0),"v":\#($1),"w":null}"# }
            for batch in [1, 100] {
                let report = try scratch.ingest(lines.joined(separator: "\n")) {
                    ($0.existing, $0.sample, $0.workers, $0.batch) = (.drop, 1, workers, batch)
                }
                #expect(report.status.code == 0, "\(report.text)")
                #expect(try stored("v", scratch).dropFirst(2).map { $0 ?? "" } == wanted)
                #expect(try stored("w", scratch).allSatisfy { $0 == nil })
            }
        }
    }

    @Test func aValueBesideObjectsInAColumnThatHadOnlyHadNullIsClearedByThem() throws {
        let scratch = try Scratch()
        func upsert(_ line: String) throws {
            try ingest([line], in: scratch) { ($0.primaryKey, $0.conflict) = (["id"], .upsert) }
        }
        for line in [#"{"id":1,"a":null}"#, #"{"id":2,"a":{"b":1}}"#] { try upsert(line) }
        try ingest([#"{"id":3,"a":null}"# + "\n" + #"{"id":4,"a":5}"#], in: scratch) {
            ($0.primaryKey, $0.conflict, $0.sample) = (["id"], .upsert, 1)
        }
        #expect(try stored("a", scratch) == [nil, nil, nil, "text 5"] || stored("a", scratch) == [nil, nil, nil, "integer 5"])
        try upsert(#"{"id":4,"a":{"b":2}}"#)
        #expect(try stored("a", scratch) == [nil, nil, nil, nil])
    }

    @Test(arguments: [KeyConflict.upsert, .replace]) func aTruthValueReplacesTheNumberOne(_ conflict: KeyConflict) throws {
        let scratch = try Scratch()
        for lines in [
            #"{"id":1,"v":null}"#, #"{"id":1,"v":true}"#, #"{"id":2,"v":1}"#,
            #"{"id":1,"v":true}"# + "\n" + #"{"id":2,"v":true}"#,
        ] {
            try ingest([lines], in: scratch) { ($0.primaryKey, $0.conflict) = (["id"], conflict) }
        }
        #expect(try stored("v", scratch) == ["text true", "text true"])
    }

    @Test(arguments: [KeyContract.evolve, .discardValue]) func aNumberAfterASampleOfNullsIsOneWhateverTheContract(
        _ contract: KeyContract
    ) throws {
        let scratch = try Scratch()
        let lines = [#"{"id":1,"v":null}"#, #"{"id":2,"v":5,"new":1}"#, #"{"id":3,"v":6,"new":2}"#]
        let report = try scratch.ingest(lines.joined(separator: "\n")) { ($0.sample, $0.contract) = (1, contract) }
        #expect(try stored("v", scratch) == [nil, "integer 5", "integer 6"])
        if contract == .discardValue { #expect(report.unknownKeys.map(\.count) == [2]) }
    }

    @Test(arguments: ["1.0", "007", "1", " 5"]) func aTextThatBecomesANumberIsCountedInALaterCommandToo(_ text: String) throws {
        let scratch = try Scratch()
        let report = try ingest([#"{"v":1}"#, #"{"v":"\#(text)"}"#], in: scratch, status: 2)
        #expect(report.digitLosses.map(\.example) == ["'\(text)'"])
    }

    @Test(arguments: ["[1]", "{}", #"{"a":[]}"#]) func aTextInAColumnOfJSONIsAStringOfJSON(_ first: String) throws {
        let scratch = try Scratch()
        try ingest([#"{"v":\#(first)}"#, #"{"v":"[1]"}"#, #"{"v":"x"}"#, #"{"v":5}"#, #"{"v":true}"#], in: scratch)
        guard first != #"{"a":[]}"# else { return }
        #expect(try stored("v", scratch).dropFirst() == [#"text "[1]""#, #"text "x""#, "text 5", "text true"])
    }

    @Test func keysThatDifferByCaseKeepTheirColumnsBetweenPipes() throws {
        let scratch = try Scratch()
        try ingest([#"{"id":1,"Id":"one"}"#, #"{"Id":"two","id":2}"#, #"{"Id":"three"}"#, #"{"a.b":4,"id":4}"#], in: scratch)
        #expect(
            try scratch.rows("SELECT id, Id_2 FROM records")
                == [["id": 1, "Id_2": "one"], ["id": 2, "Id_2": "two"], ["id": nil, "Id_2": "three"], ["id": 4, "Id_2": nil]])
    }

    @Test func keysWithAPointKeepTheirColumnsBetweenPipes() throws {
        let scratch = try Scratch()
        try ingest([#"{"a":{"b":1},"a_b":"one"}"#, #"{"a_b":"two","a":{"b":2}}"#, #"{"a_b":"three"}"#], in: scratch)
        let names: [String] = try scratch.rows("SELECT name FROM pragma_table_info('records')").map { $0["name"] }
        let values = try names.map { try scratch.value("SELECT group_concat(\($0)) FROM records") as String? ?? "" }
        #expect(values.sorted() == ["1,2", "one,two,three"])
    }

    @Test func aKeyThatComesLateDoesNotTakeTheColumnOfOneInOtherCase() throws {
        let scratch = try Scratch()
        let many = String(repeating: #"{"ID":"x"}"# + "\n", count: 1_000)
        try ingest([#"{"Id":1}"#, many + #"{"Id":2}"#], in: scratch)
        #expect(try scratch.value("SELECT group_concat(Id) FROM records") == "1,2")
        #expect(try scratch.value("SELECT count(ID_2) FROM records") == 1_000)
    }

    @Test func theColumnOfInputsKeepsItsName() throws {
        let scratch = try Scratch()
        try ingest([#"{"id":1}"#, #"{"id":2,"filename":"f"}"#, #"{"id":3}"#], in: scratch) { $0.addsFileName = true }
        #expect(try scratch.value("SELECT count(DISTINCT filename) FROM records") == 1)
        #expect(try scratch.value("SELECT group_concat(filename_2) FROM records") == "f")
    }

    @Test func aNumberInAColumnOfTruthValuesIsCounted() throws {
        for value in ["1", "0", "1.0", #""0""#] {
            let scratch = try Scratch()
            let report = try ingest([#"{"v":true}"#, #"{"v":\#(value)}"#], in: scratch, status: 2)
            #expect(report.digitLosses.map(\.count) == [1])
        }
        let scratch = try Scratch()
        try ingest([#"{"v":true}"#, #"{"v":5}"#, #"{"v":0.5}"#, #"{"v":"x"}"#], in: scratch)
        #expect(try stored("v", scratch) == ["integer 1", "integer 5", "real 0.5", "text x"])
    }

    @Test func aNumberThatEqualsAStoredTruthValueIsCounted() throws {
        let scratch = try Scratch()
        let report = try ingest([#"{"id":1,"v":true}"#, #"{"id":1,"v":1}"#], in: scratch, status: 2) {
            ($0.primaryKey, $0.conflict) = (["id"], .upsert)
        }
        #expect(report.digitLosses.map(\.example) == ["1"])
    }

    @Test func aTruthValueInAColumnOfIntegersIsAWordOrCounted() throws {
        let scratch = try Scratch()
        try ingest([#"{"v":1}"#, #"{"v":true}"#], in: scratch)
        #expect(try stored("v", scratch) == ["integer 1", "text true"])
        // A column of the user's may be meant for them.
        try scratch.execute("CREATE TABLE t (v INTEGER)")
        let report = try ingest([#"{"v":true}"#], in: scratch, status: 2) { $0.table = "t" }
        #expect(report.digitLosses.map(\.example) == ["true"])
        #expect(try scratch.value("SELECT typeof(v) || v FROM t") == "integer1")
    }

    @Test func aStrictTableKeepsTheColumnsThatRunsHaveMadeForTruthValues() throws {
        let scratch = try Scratch()
        try scratch.execute("CREATE TABLE records (id INTEGER) STRICT")
        try ingest([#"{"id":1,"v":true}"#, #"{"id":2,"v":false}"#], in: scratch)
        let report = try ingest([#"{"id":3,"v":1}"#], in: scratch, status: 2)
        #expect(report.digitLosses.map(\.column) == ["v"])
    }

    @Test(arguments: [#""[1]""#, #""x""#, "1", "true"]) func anArrayThatBecomesATextIsCounted(_ first: String) throws {
        let scratch = try Scratch()
        let report = try ingest([#"{"v":\#(first)}"#, #"{"v":[1]}"#], in: scratch, status: 2)
        #expect(report.digitLosses == [DigitLoss(column: "v", example: "[1]", isOfKind: true)])
        #expect(report.text.contains("v: the database changed 1 value to fit the column's type, the first is [1]"))
        #expect(report.typeDeviations.isEmpty)
        #expect(try stored("v", scratch).last == "text [1]")
    }

    @Test func aValueBesideObjectsHasTheTypeOfItsColumn() throws {
        let scratch = try Scratch()
        let feed = #"{"id":5,"v":{"a":1}}"# + "\n" + #"{"id":6,"v":7}"# + "\n" + #"{"id":7,"v":true}"#
        try ingest([#"{"id":1,"v":5}"#, feed], in: scratch) { $0.sample = 1 }
        #expect(try stored("v", scratch) == ["integer 5", nil, "integer 7", "text true"])
        let json = try Scratch()
        try ingest([#"{"id":1,"v":[5]}"#, #"{"id":5,"v":{"a":1}}"# + "\n" + #"{"id":6,"v":"[7]"}"#], in: json) { $0.sample = 1 }
        #expect(try stored("v", json) == ["text [5]", nil, #"text "[7]""#])
    }

    @Test(arguments: ["9223372036854775807", #""x""#, #""5""#, "true", "[1]"])
    func aValueThatComesAfterObjectsIsJSON(_ value: String) throws {
        let scratch = try Scratch()
        let lines = [#"{"id":1,"v":{"B":1}}"#, #"{"id":2,"v":\#(value)}"#]
        try ingest([lines.joined(separator: "\n")], in: scratch) { $0.sample = 1 }
        #expect(try stored("v", scratch) == [nil, "text \(value)"])
        // In later commands, too, and with the rows that they change.
        try ingest([#"{"id":3,"v":\#(value)}"#], in: scratch)
        #expect(try stored("v", scratch).last == "text \(value)")
        let other = try Scratch()
        try ingest(lines, in: other) { ($0.primaryKey, $0.conflict) = (["id"], .upsert) }
        #expect(try stored("v", other) == [nil, "text \(value)"])
    }

    @Test func aValueBesideTheRowsOfAnArrayIsJSON() throws {
        let scratch = try Scratch()
        let second = [#"{"id":2,"w":"q"}"#, #"{"id":3,"w":{"d":7}}"#, #"{"id":4,"w":"[1]"}"#].joined(separator: "\n")
        try ingest([#"{"id":1,"w":[-5]}"#, second], in: scratch) { $0.children.storage = .tables }
        #expect(
            try scratch.rows("SELECT w FROM records WHERE id > 1 ORDER BY id") == [
                ["w": #""q""#], ["w": #"{"d":7}"#], ["w": #""[1]""#],
            ])
    }

    @Test func anArrayBesideObjectsInAColumnOfTextsIsCounted() throws {
        let scratch = try Scratch()
        let second = [#"{"id":2,"v":{"d":1}}"#, #"{"id":3,"v":[1]}"#, #"{"id":4,"v":"y"}"#].joined(separator: "\n")
        let report = try ingest([#"{"id":1,"v":"x"}"#, second], in: scratch, status: 2) { $0.sample = 1 }
        #expect(report.digitLosses.map(\.example) == ["[1]"])
        #expect(try stored("v", scratch) == ["text x", nil, "text [1]", "text y"])
        #expect(report.text.contains("the first is [1]; --json v keeps them in a new table"))
        #expect(!report.text.contains("--type"))
    }

    @Test(arguments: [
        ([#"{"id":1,"tags":[{"x":"s"}]}"#, #"{"id":4,"tags":[{"x":"a"},{"x":{"q":1}}]}"#], ["--children", "tables"], "tags.x"),
        ([#"{"id":1,"o":{"x":"s"}}"#, #"{"id":2,"o":{"x":[1]}}"#], ["--sensitive", "o.x"], "o.x"),
    ]) func theRemedyForAnArrayNamesItsPath(feeds: [String], options: [String], path: String) throws {
        let scratch = try Scratch()
        for (index, feed) in feeds.enumerated() { _ = try scratch.file("\(index).ndjson", feed + "\n") }
        let words = ["-o", "out.db"] + options
        #expect(try scratch.sluice(["ingest", "0.ndjson"] + words).status == 0)
        let run = try scratch.sluice(["ingest", "--append", "1.ndjson"] + words)
        #expect(run.status == 2 && run.output.contains("; --json \(path) keeps them in a new table"), "\(run)")
        let remedied = ["ingest", "0.ndjson", "1.ndjson", "-o", "new.db", "--json", path] + options
        #expect(try scratch.sluice(remedied).status == 0)
    }

    @Test func nullClearsAColumnBesideThoseOfAnObject() throws {
        let scratch = try Scratch()
        let first = [#"{"n":1,"a":"x"}"#, #"{"n":2,"a":{"d":1}}"#, #"{"n":3,"a":{"d":1}}"#].joined(separator: "\n")
        try ingest([first, #"{"n":3,"a":{"d":10}}"#, #"{"n":2,"a":null}"#], in: scratch) {
            ($0.primaryKey, $0.conflict) = (["n"], .upsert)
        }
        #expect(
            try scratch.rows("SELECT n, a, a_d FROM records WHERE n > 1") == [
                ["n": 2, "a": nil, "a_d": nil], ["n": 3, "a": nil, "a_d": 10],
            ])
    }

    @Test func bothSpellingsOfALetterAreColumnsOfTheirOwn() throws {
        let scratch = try Scratch()
        let report = try ingest(
            ["{\"id\":1,\"e\u{301}\":12345678901234567890.5,\"\u{e9}\":9007199254740993.0}"], in: scratch, status: 2)
        #expect(report.digitLosses.map(\.count) == [1, 1])
    }

    @Test func anEmptyObjectKeepsTheColumnsOfItsKeys() throws {
        for others in ["", "\n" + #"{"id":2,"a":{"c":2}}"#] {
            let scratch = try Scratch()
            try ingest([#"{"id":1,"a":{"c":1}}"#, #"{"id":1,"a":{}}"# + others], in: scratch) {
                ($0.primaryKey, $0.conflict) = (["id"], .upsert)
            }
            #expect(try scratch.value("SELECT a_c FROM records WHERE id = 1") == 1)
            #expect(try scratch.value("SELECT count(*) FROM pragma_table_info('records') WHERE name = 'a'") == 0)
        }
    }

    @Test func aKeyInsideOfAnObjectIsOneWhateverStandsInItsPlace() throws {
        let scratch = try Scratch()
        let feed = #"{"id":7}"# + "\n" + #"{"id":{"a":1},"v":2}"#
        for text in [#"{"id":{"a":1},"v":1}"#, feed] {
            _ = try scratch.ingest(text) { ($0.existing, $0.primaryKey, $0.conflict) = (.append, ["id.a"], .upsert) }
        }
        #expect(try scratch.rows("SELECT id_a, v FROM records") == [["id_a": 1, "v": 2]])
        let one = try scratch.ingest(feed) { ($0.table, $0.primaryKey) = ("one", ["id.a"]) }
        #expect(one.rejected == 1 && one.stored == 1)
    }

    // MARK: The memory

    @Test func aTableThatIsDroppedForgets() throws {
        let scratch = try Scratch()
        try ingest([#"{"v":true}"#, #"{"v":1}"#], in: scratch, status: 2)
        #expect(try ingest([#"{"v":1}"#], in: scratch) { $0.existing = .drop }.digitLosses.isEmpty)
        #expect(try scratch.value("SELECT type FROM pragma_table_info('records')") == "INTEGER")
        // By hand, too.
        try scratch.execute("DROP TABLE records")
        try ingest([#"{"v":true}"#], in: scratch)
        #expect(try scratch.value("SELECT type FROM pragma_table_info('records')") == "BOOLEAN")
        // A table that is emptied keeps its columns.
        try ingest([#"{"v":1}"#], in: scratch, status: 2) { $0.existing = .truncate }
    }

    @Test func aColumnThatTheUserHasRemovedIsForgotten() throws {
        let scratch = try Scratch()
        try ingest([#"{"id":1,"v":true}"#], in: scratch)
        try scratch.execute("ALTER TABLE records DROP COLUMN v")
        try ingest([#"{"id":2,"v":1}"#], in: scratch)
        #expect(try scratch.value("SELECT type FROM pragma_table_info('records') WHERE name = 'v'") == "INTEGER")
    }

    @Test func aLongNameThatTheUserHasRemovedIsForgottenToo() throws {
        let (name, scratch) = (String(repeating: "k", count: 62), try Scratch())
        try ingest([#"{"id":1,"\#(name)":1,"\#(name)xx":true}"#], in: scratch)
        try scratch.execute("ALTER TABLE records DROP COLUMN \(name)xx")
        try ingest([#"{"id":2,"\#(name)xx":1}"#], in: scratch)
        #expect(try scratch.value("SELECT type FROM pragma_table_info('records') WHERE name = '\(name)xx'") == "INTEGER")
        for (count, kind) in [("true", "BOOLEAN"), ("1", "INTEGER")] {
            let lines = #"{"id":3,"\#(name)":[{"v":\#(count)}]}"# + "\n" + #"{"id":4}"#
            try ingest([lines], in: scratch) { ($0.table, $0.children.storage) = ("t", .tables) }
            #expect(try scratch.value("SELECT type FROM pragma_table_info('t_\(name)') WHERE name = 'v'") == kind)
            try scratch.execute("DROP TABLE t_\(name)")
        }
    }

    @Test func aChildTableIsKnownWhicheverColumnsTheUserRemoves() throws {
        let scratch = try Scratch()
        func setUp(_ setup: inout IngestSetup) {
            (setup.primaryKey, setup.conflict, setup.children.storage) = (["id"], .upsert, .tables)
        }
        let other = "\n" + #"{"id":9}"#
        try ingest([#"{"a":1,"b":2,"id":1,"t":[{"x":1,"y":2}],"u":[1]}"# + other], in: scratch, setUp)
        for column in ["a", "b"] { try scratch.execute("ALTER TABLE records DROP COLUMN \(column)") }
        try scratch.execute("ALTER TABLE records_t DROP COLUMN y")
        try ingest([#"{"id":2,"t":[{"x":3}]}"# + other], in: scratch, setUp)
        #expect(try scratch.value("SELECT count(*) FROM pragma_table_info('records_t') WHERE name = 'y'") == 0)
        try ingest([#"{"id":1,"t":null}"#], in: scratch, setUp)
        #expect(try scratch.rows("SELECT x FROM records_t") == [["x": 3]])
        // A table that the user has removed is not made again for records without the array.
        try scratch.execute("DROP TABLE records_u")
        try ingest([#"{"id":3}"#], in: scratch, setUp)
        #expect(try scratch.value("SELECT count(*) FROM sqlite_master WHERE name = 'records_u'") == 0)
        try ingest([#"{"id":3,"u":[{"z":1}]}"# + other], in: scratch, setUp)
        #expect(try scratch.value("SELECT z FROM records_u") == 1)
    }

    @Test func aRunThatFindsItsColumnMadeForAnotherKeyEndsWithAnError() throws {
        /// Lets another run store its records while the second line is read.
        struct Meanwhile: ByteSource {
            var parts: [[UInt8]]
            let run: @Sendable () throws -> Void

            mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(JSONError) -> Int {
                guard !parts.isEmpty else { return 0 }
                if parts.count == 1 { #expect(throws: Never.self) { try run() } }
                let part = parts.removeFirst()
                unsafe buffer.copyBytes(from: part)
                return part.count
            }
        }
        let scratch = try Scratch()
        let path = scratch.path("out.db")
        let source = Meanwhile(parts: [Array(#"{"id":1,"Id":"one"}"#.utf8) + [10], Array(#"{"id":2}"#.utf8) + [10]]) {
            var other = IngestSetup(database: path)
            other.existing = .append
            _ = try other.ingest().run(BytesSource(Array(#"{"Id":"b","id":5}"#.utf8)), progress: ProgressLine(isShown: false))
        }
        let report = try scratch.ingest(source) { ($0.existing, $0.sample, $0.workers) = (.append, 1, 1) }
        #expect(report.status.code == 3 && report.text.contains("another run has just made the column id for Id"))
        #expect(try scratch.rows("SELECT * FROM records") == [["Id": "b", "id_2": 5]])
    }

    @Test func aLaterRunSaysWhichValuesTheTableComputesItself() throws {
        let scratch = try Scratch()
        try scratch.execute("CREATE TABLE records (id INTEGER PRIMARY KEY, v INTEGER, w INTEGER GENERATED ALWAYS AS (v * 2))")
        let file = try scratch.file("a.ndjson", #"{"id":1,"v":1,"w":5}"#)
        for run in 1...2 {
            let report = try scratch.ingest(file: file) { $0.existing = .append }
            #expect(report.status.code == 2)
            let note = "note: 1 value of columns that the table does not take left out by earlier runs\n"
            #expect(report.text.contains(note) == (run == 2), "\(report.text)")
        }
    }

    @Test func aColumnWhoseNameHasTwoNumbersIsFoundByItsPath() throws {
        let scratch = try Scratch()
        let first = [#"{"a_b":2}"#, #"{"A_B":1,"a":{"b":"x"}}"#]
        try ingest(first + [#"{"A_B":3,"a_b":4,"a":{"b":"y"}}"#, #"{"id":1}"# + "\n" + #"{"a":{"b":"z"},"id":2}"#], in: scratch) {
            $0.sample = 1
        }
        #expect(
            try scratch.rows("SELECT * FROM records")
                == [
                    ["a_b": 2, "A_B_2": nil, "a_b_2_2": nil, "id": nil], ["a_b": nil, "A_B_2": 1, "a_b_2_2": "x", "id": nil],
                    ["a_b": 4, "A_B_2": 3, "a_b_2_2": "y", "id": nil], ["a_b": nil, "A_B_2": nil, "a_b_2_2": nil, "id": 1],
                    ["a_b": nil, "A_B_2": nil, "a_b_2_2": "z", "id": 2],
                ])
    }

    @Test func aKeyThatHasTheNameOfTheRecordsNumbersTakesNoColumnOfAnotherKey() throws {
        let tables: (inout IngestSetup) -> Void = { $0.children.storage = .tables }
        let (one, two) = (#"{"record_id_2":6,"t":[{"a":1}]}"#, #"{"record_id":5,"t":[{"a":1}]}"#)
        let scratch = try Scratch()
        try ingest([one + "\n" + one, two + "\n" + two, one + "\n" + two], in: scratch, tables)
        #expect(
            try scratch.rows("SELECT DISTINCT record_id_2, record_id_3 FROM records ORDER BY record_id_3")
                == [["record_id_2": 6, "record_id_3": nil], ["record_id_2": nil, "record_id_3": 5]])
        // In one command, and for columns that the options name.
        for columns in [[], ["record_id:integer", "record_id_2:integer"]] {
            let scratch = try Scratch()
            for text in [two + "\n" + one, one + "\n" + two] {
                let report = try scratch.ingest(text, columns: columns) { setup in
                    tables(&setup)
                    setup.existing = .append
                }
                #expect(report.status.code == 0, "\(report.text)")
            }
            let columns = try scratch.rows("SELECT * FROM records")[0].columnNames.filter { $0.hasPrefix("record_id_") }.sorted()
            let rows = try scratch.rows("SELECT \(columns.joined(separator: ", ")) FROM records").map { row in
                columns.map { row[$0] as Int? ?? 0 }
            }
            #expect(columns.count == 2 && rows.allSatisfy { $0.contains(0) }, "\(columns) \(rows)")
            #expect(columns.indices.allSatisfy { index in Set(rows.map { $0[index] }.filter { $0 > 0 }).count == 1 }, "\(rows)")
        }
    }

    @Test func aTableFromBeforeHasTheColumnsOfItsCheckpoints() throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", #"{"id":1,"Id":"one","v":[1]}"#)
        _ = try scratch.ingest(file: file)
        try scratch.execute("DROP TABLE _sluice_memory")
        try ingest([#"{"Id":"two","id":2,"v":"[1]"}"#], in: scratch)
        #expect(try scratch.value("SELECT id || Id_2 || v FROM records WHERE id = 2") == #"2two"[1]""#)
    }

    @Test func aMemoryOfALaterVersionIsRefused() throws {
        let scratch = try Scratch()
        try ingest([#"{"id":1}"#], in: scratch)
        try scratch.execute(#"UPDATE _sluice_memory SET memory = '{"version":2}'"#)
        #expect(throws: IngestError.self) { try ingest([#"{"id":1}"#], in: scratch) }
    }

    @Test func columnsOfChildTablesAreRememberedFromPipes() throws {
        let scratch = try Scratch()
        let second = #"{"id":2,"t":[{"V":2,"v":false}]}"# + "\n" + #"{"id":9}"#
        try ingest([#"{"id":1,"t":[{"v":true,"V":1}]}"# + "\n" + #"{"id":8}"#, second], in: scratch) {
            ($0.primaryKey, $0.children.storage) = (["id"], .tables)
        }
        #expect(try scratch.rows("SELECT v, V_2 FROM records_t") == [["v": true, "V_2": 1], ["v": false, "V_2": 2]])
        let report = try ingest([#"{"id":3,"t":[{"v":1}]}"# + "\n" + #"{"id":10}"#], in: scratch, status: 2) {
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
    private static func read(_ row: Row, _ types: [String: String]) -> JSONValue {
        let value: DatabaseValue = row["v"]
        switch value.storage {
        case .null: return .null
        case .int64(let number) where types["v"] == "BOOLEAN" && (0...1).contains(number): return .bool(number == 1)
        case .int64(let number): return .number(JSONNumber(number))
        case .double(let number): return JSONNumber(number).map { .number($0) } ?? .null
        case .string(let text): return (try? JSONValue(json: text)) ?? .string(text)
        case .blob: return .string("blob")
        }
    }

    private static func areSame(_ left: JSONValue, _ right: JSONValue) -> Bool {
        if case .number(let left) = left, case .number(let right) = right {
            return left.description == right.description || Double(left.description) == Double(right.description)
        }
        return left == right
    }

    @Test(arguments: values) func everyValueIsStoredAsInOneCommandOrCounted(first: String) throws {
        for (number, second) in Self.values.enumerated() {
            let conflict = number % 4 == 0 ? KeyConflict.upsert : .reject
            for third in [["[2]", #""y""#, "2"][number % 3]] {
                let lines = [first, second, third].enumerated().map { #"{"id":\#($0),"v":\#($1)}"# }
                let (one, divided) = (try Scratch(), try Scratch())
                func setUp(_ setup: inout IngestSetup) {
                    (setup.existing, setup.primaryKey, setup.conflict, setup.sample) = (.append, ["id"], conflict, -1)
                }
                _ = try one.ingest(lines.joined(separator: "\n"), setUp)
                var codes: [Int32] = []
                for line in lines { codes.append(try divided.ingest(line, setUp).status.code) }
                func rows(_ scratch: Scratch) throws -> [Int: JSONValue] {
                    let types = try scratch.rows("SELECT name, type FROM pragma_table_info('records')")
                    let map = Dictionary(types.map { ($0["name"] as String, $0["type"] as String) }) { $1 }
                    return Dictionary(
                        try scratch.rows("SELECT id, v FROM records").map { ($0["id"] as Int, Self.read($0, map)) }
                    ) { $1 }
                }
                let (wanted, found) = (try rows(one), try rows(divided))
                let isSame = wanted.allSatisfy { id, value in found[id].map { Self.areSame($0, value) } ?? false }
                #expect(isSame || codes.contains(2), "\(lines): \(wanted) \(found) \(codes)")
            }
        }
    }
}
#endif
