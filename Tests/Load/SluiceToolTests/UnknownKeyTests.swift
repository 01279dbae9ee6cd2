#if CommandLine
import Foundation
import GRDB
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

/// A key that no column reads is never left out without a word.
@Suite struct UnknownKeyTests {
    private static let feed = [
        #"{"id":1,"actor":{"id":10,"login":"a"}}"#, #"{"id":2,"actor":{"id":11,"login":"b"}}"#,
        #"{"id":3,"actor":{"id":12,"login":"c","site":{"admin":true,"tags":[ 1, 2 ]}},"org":{"name":"x","n":1.5}}"#,
        #"{"id":4,"actor":"gone","note":"late"}"#, #"{"id":5,"actor":null,"note":null,"empty":{}}"#,
        #"{"id":6,"actor":[7],"org":3,"note":"again"}"#,
    ].joined(separator: "\n")

    @Test(arguments: [1, 2, 1_000])
    func everyKeyGetsItsColumn(batch: Int) throws {
        let scratch = try Scratch()
        let report = try scratch.ingest(Self.feed) {
            $0.sample = 2
            $0.batch = batch
        }
        #expect(report.status == .success)
        #expect(report.stored == 6)
        #expect(
            report.lateColumns.map(\.path)
                == ["actor.site.admin", "actor.site.tags", "org.name", "org.n", "actor", "note", "empty", "org"])
        #expect(report.lateColumns[0].place == "line 3")
        let rows = try scratch.rows("SELECT * FROM records ORDER BY id")
        let names = [
            "id", "actor_id", "actor_login", "actor_site_admin", "actor_site_tags", "org_name", "org_n", "actor", "note", "empty",
            "org",
        ]
        #expect(Array(rows[0].columnNames) == names)
        #expect(rows[2]["actor_site_tags"] == "[1,2]")
        #expect(rows[2]["actor_site_admin"] == 1)
        #expect(rows[2]["org_n"] == 1.5)
        func texts(_ row: Row) -> [String?] { ["actor", "note", "empty", "org"].map { row[$0] } }
        #expect(texts(rows[3]) == [#""gone""#, "late", nil, nil])
        #expect(texts(rows[4]) == [nil, nil, "{}", nil])
        #expect(texts(rows[5]) == ["[7]", "again", nil, "3"])
        #expect((1..<7).allSatisfy { rows[3][$0] as DatabaseValue == .null })
        #expect(report.text.contains("columns for keys that came late: actor.site.admin (line 3)"))
    }

    @Test(arguments: [2, 7])
    func workersGiveTheSameRowsAndTheSameReport(workers: Int) throws {
        var lines = String(decoding: try generated(3_000), as: UTF8.self).split(separator: "\n").map(String.init)
        for index in stride(from: 100, to: lines.count, by: 97) { lines[index] = #"{"id":1,"# + "\"x\":[,}" }
        for index in stride(from: 50, to: lines.count, by: 131) {
            lines[index] = String(lines[index].dropLast()) + #","k\#(index)":"\u00e9"}"#
        }
        for array in [false, true] {
            let intact = lines.filter { !$0.contains("[,") }
            let text = array ? "[" + intact.joined(separator: ",\n") + "]" : lines.joined(separator: "\n")
            var all: [(report: IngestReport, rows: [[DatabaseValue]], names: [String])] = []
            for count in [1, workers] {
                let scratch = try Scratch()
                let report = try scratch.ingest(text, chunk: 70_000) {
                    $0.sample = 30
                    $0.batch = 500
                    $0.workers = count
                    $0.rejects = "bad"
                }
                let rows = try scratch.rows("SELECT * FROM records ORDER BY rowid")
                all.append((report, rows.map { Array($0.databaseValues) }, Array(rows[0].columnNames)))
            }
            #expect(all[0].rows.count > 2_900)
            #expect(all[0].names == all[1].names)
            #expect(all[0].rows == all[1].rows)
            #expect(all[0].report.rejections == all[1].report.rejections)
            #expect(all[0].report.rejected == all[1].report.rejected)
            #expect(all[0].report.lateColumns == all[1].report.lateColumns)
            #expect(all[0].report.status == all[1].report.status)
        }
    }

    @Test func manyUnknownKeysAreReadAsTheyAreWithoutASample() throws {
        var lines = [#"{"id":0}"#]
        for index in 1..<300 {
            lines.append(#"{"id":\#(index),"k\#(index % 70)":\#(index),"deep":{"d\#(index % 40)":"v\#(index)"}}"#)
        }
        let late = try Scratch()
        let report = try late.ingest(lines.joined(separator: "\n")) { $0.sample = 1 }
        #expect(report.status == .success)
        let all = try Scratch()
        _ = try all.ingest(lines.joined(separator: "\n"))
        func rows(_ scratch: Scratch) throws -> [[String: DatabaseValue]] {
            try scratch.rows("SELECT * FROM records ORDER BY id").map { row in
                Dictionary(uniqueKeysWithValues: row.map { ($0, $1) })
            }
        }
        #expect(try rows(late) == rows(all))
    }

    @Test func reportCountsAndNamesTheKeys() throws {
        let scratch = try Scratch()
        let report = try scratch.ingest(Self.feed) {
            $0.sample = 2
            $0.contract = .report
        }
        #expect(report.status.code == 2)
        #expect(report.stored == 6)
        #expect(report.unknownKeys.map(\.path) == ["actor.site", "org", "actor", "note", "empty"])
        #expect(report.unknownKeys.map(\.count) == [1, 2, 2, 2, 1])
        #expect(report.text.contains("8 values of keys without a column are left out: actor.site (1, first at line 3), org (2"))
        #expect(try scratch.rows("SELECT * FROM records")[0].count == 3)
    }

    @Test(arguments: [1, 2]) func keysThatDeclaredColumnsDoNotReadAreCounted(_ workers: Int) throws {
        let lines = (1...500).map { #"{"id":\#($0),"actor":{"login":"a","site":"s"},"late":[\#($0)]}"# }
        let feed = (lines + [#"{"id":501,"actor":7}"#, #"{"id":502,"actor":[]}"#, #"{"id":"x","actor":{"site":1}"#]).joined(
            separator: "\n")
        func report(limit: Int? = nil) throws -> IngestReport {
            try Scratch().ingest(feed) {
                $0.columns = [
                    JSONColumn(name: "id", type: .integer, keys: ["id"]),
                    JSONColumn(name: "login", type: .text, keys: ["actor.login"]),
                ]
                $0.workers = workers
                $0.limit = limit
            }
        }
        let whole = try report()
        #expect(whole.stored == 502)
        #expect(whole.rejected == 1)
        #expect(whole.unknownKeys.map(\.path) == ["actor.site", "late", "actor"])
        #expect(whole.unknownKeys.map(\.count) == [500, 500, 2])
        #expect(whole.unknownKeys.map(\.place) == ["line 1", "line 1", "line 501"])
        #expect(whole.unknownValues == 1002)
        // Workers read on beyond the limit; what they counted there does not count.
        let limited = try report(limit: 100)
        #expect(limited.stored == 100)
        #expect(limited.unknownKeys.map(\.count) == [100, 100])
        #expect(limited.unknownValues == 200)
    }

    /// Here each record is read again by the thread that stores it, because it removes the rows of an earlier run's table.
    @Test(arguments: [1, 2], [nil, 60]) func keysOfRecordsThatAreReadAgainCountOnce(_ workers: Int, _ limit: Int?) throws {
        let scratch = try Scratch()
        _ = try scratch.ingest(#"{"id":1,"b":{"t":[1]}}"#) { ($0.primaryKey, $0.children.storage) = (["id"], .tables) }
        #expect(try scratch.count("records_b_t") == 1)
        let lines = (1...100).map { #"{"id":\#($0),"b":{"e":2},"x":3}"# }
        let report = try scratch.ingest(lines.joined(separator: "\n"), columns: ["id:integer", "b:json"]) {
            ($0.existing, $0.primaryKey, $0.conflict) = (.append, ["id"], .upsert)
            $0.children.storage = .tables
            ($0.workers, $0.limit) = (workers, limit)
        }
        #expect(report.unknownKeys.map(\.path) == ["x"])
        #expect(report.unknownKeys.map(\.count) == [limit ?? 100])
        #expect(try scratch.value("SELECT count(*) FROM records WHERE b = '{\"e\":2}'") == limit ?? 100)
        #expect(try scratch.count("records_b_t") == 0)
    }

    @Test(arguments: [1, 2], [nil, 60]) func keysOfRecordsWithAStrayValueForATableCountOnce(_ workers: Int, _ limit: Int?) throws
    {
        let lines = (0..<100).map { #"{"id":\#($0),"t":\#($0 % 3 == 1 ? "7" : "[1]")\#($0 == 0 ? "" : ",\"x\":1")}"# }
        let report = try Scratch().ingest(lines.joined(separator: "\n")) {
            ($0.primaryKey, $0.sample, $0.contract) = (["id"], 1, .discardValue)
            $0.children.storage = .tables
            ($0.workers, $0.limit) = (workers, limit)
        }
        #expect(report.unknownKeys.map(\.path) == ["x"])
        #expect(report.unknownKeys.map(\.count) == [(limit ?? 100) - 1])
    }

    @Test func freezeNamesTheKeyAndKeepsWhatCameBefore() throws {
        let scratch = try Scratch()
        let report = try scratch.ingest(Self.feed) {
            $0.sample = 2
            $0.contract = .freeze
        }
        #expect(report.status.code == 5)
        #expect(report.stored == 2)
        #expect(report.text.contains("stopped: the key 'actor.site' has no column (line 3)"))
    }

    @Test func discardRowLeavesTheRecordOut() throws {
        let scratch = try Scratch()
        let report = try scratch.ingest(Self.feed) {
            $0.sample = 2
            $0.contract = .discardRow
        }
        #expect(report.status == .success)
        #expect(report.stored == 2)
        #expect(report.discarded == 4)
        #expect(report.text.contains("4 records with keys without a column left out"))
    }

    @Test func discardValueLeavesTheValueOut() throws {
        let scratch = try Scratch()
        let report = try scratch.ingest(Self.feed) {
            $0.sample = 2
            $0.contract = .discardValue
        }
        #expect(report.status == .success)
        #expect(report.stored == 6)
        #expect(try scratch.value("SELECT count(*) FROM pragma_table_info('records')") == 3)
    }

    @Test(arguments: [KeyContract.report, .discardValue])
    func overflowTakesWhatNoColumnTakes(contract: KeyContract) throws {
        let scratch = try Scratch()
        let report = try scratch.ingest(Self.feed) {
            $0.sample = 2
            $0.contract = contract
            $0.overflow = "rest"
        }
        #expect(report.status == .success)
        let rest = try scratch.rows("SELECT rest FROM records ORDER BY id").map { $0["rest"] as String? }
        #expect(
            rest == [
                nil, nil, #"{"actor":{"site":{"admin":true,"tags":[1,2]}},"org":{"name":"x","n":1.5}}"#,
                #"{"actor":"gone","note":"late"}"#, #"{"empty":{}}"#, #"{"actor":[7],"org":3,"note":"again"}"#,
            ])
    }

    @Test("E12: values that no column takes are gathered in the order of their keys")
    func gatheredValuesKeepTheirOrder() throws {
        let gathered = GatheredObject()
        gathered.add(1, at: ["a", "b", "c"])
        gathered.add("x", at: ["d"])
        for number in 0..<5000 { gathered.add(JSONValue(integerLiteral: number), at: ["a", "many", "k\(number)"]) }
        gathered.add(2, at: ["a", "b", "c"])
        gathered.add([3], at: ["d"])
        gathered.add(true, at: ["e", "f"])
        let object = gathered.object
        #expect(object.keys == ["a", "d", "d", "e"])
        #expect(object["a"]?["b"] == .object(JSONObject([("c", 1), ("c", 2)])))
        #expect(object["a"]?["many"]?.object?.count == 5000)
        #expect(object["d"] == [3] && object["e"] == ["f": true])
    }

    @Test func declaredColumnsMayEvolveToo() throws {
        let scratch = try Scratch()
        let report = try scratch.ingest(Self.feed, columns: ["id:integer"]) { $0.contract = .evolve }
        #expect(report.status == .success)
        #expect(try scratch.value("SELECT actor_login FROM records WHERE id = 1") == "a")
        #expect(try scratch.ingest(Self.feed, columns: ["id:integer"]) { $0.table = "others" }.status == .success)
        #expect(try scratch.value("SELECT count(*) FROM pragma_table_info('others')") == 1)
    }

    @Test func anExistingTableKeepsItsColumnsWhereTheContractSaysSo() throws {
        let scratch = try Scratch()
        try scratch.execute("CREATE TABLE records (a INTEGER)")
        let report = try scratch.ingest(#"{"a":1,"b":2}"#) {
            $0.existing = .append
            $0.contract = .report
        }
        #expect(report.status.code == 2)
        #expect(report.unknownKeys.map(\.path) == ["b"])
        #expect(throws: IngestError.self) {
            try scratch.ingest(#"{"c":1}"#) {
                $0.existing = .append
                $0.contract = .freeze
            }
        }
    }

    @Test func moreKeysThanATableHasColumnsGoToTheOverflowOrAreNamed() throws {
        let feed = (0..<2_100).map { "{\"k\($0)\":1}" }.joined(separator: "\n")
        let scratch = try Scratch()
        let report = try scratch.ingest(feed) { $0.sample = 10 }
        #expect(report.status.code == 2)
        #expect(report.stored == 2_100)
        #expect(report.unknownValues == 100)
        #expect(report.unknownKeys.count == 100)
        let other = try Scratch()
        #expect(
            try other.ingest(feed) {
                $0.sample = 10
                $0.overflow = "rest"
            }.status == .success)
        #expect(try other.value("SELECT count(*) FROM records WHERE rest IS NOT NULL") == 101)
    }

    // MARK: Dictionaries

    @Test func anObjectWithVeryManyKeysOfOneShapeIsJSON() throws {
        let members = (0..<300).map { #""user\#($0)":{"score":\#($0)}"# }.joined(separator: ",")
        let scratch = try Scratch()
        let report = try scratch.ingest(#"{"id":1,"scores":{\#(members)}}"#)
        #expect(report.columns.map(\.name) == ["id", "scores"])
        #expect(report.columns.map(\.type) == [.integer, .json])
        let wide = try Scratch()
        #expect(try wide.ingest(#"{"id":1,"scores":{\#(members)}}"#) { $0.flattening.mapThreshold = 300 }.columns.count == 301)
    }

    @Test func aDictionaryThatGrowsLateStopsMakingColumns() throws {
        let feed = (0..<60).map { #"{"id":\#($0),"tags":{"t\#($0)":1}}"# }.joined(separator: "\n")
        let scratch = try Scratch()
        let report = try scratch.ingest(feed) {
            $0.sample = 2
            $0.flattening.mapThreshold = 20
            $0.overflow = "rest"
        }
        #expect(report.status == .success)
        #expect(report.columns.count < 25)
        #expect(try scratch.value("SELECT json_extract(rest, '$.tags.t59') FROM records WHERE id = 59") == 1)
    }

    // MARK: Misspelt columns

    @Test(arguments: [
        ("who:text=actor.logn", "actor.login"), ("who:text=login", "actor.login"), ("who:text=Actor.Login", "actor.login"),
    ])
    func aDeclaredColumnThatNeverBoundIsNamed(column: String, meant: String) throws {
        let scratch = try Scratch()
        let report = try scratch.ingest(Self.feed, columns: ["id:integer", column])
        #expect(report.status.code == 2)
        #expect(report.unseenPaths.map(\.meant) == [meant])
        #expect(report.text.contains("which who reads; did you mean \(meant)?"))
    }

    @Test func aDeclaredColumnThatIsLikeNoKeyIsNamedToo() throws {
        let scratch = try Scratch()
        let report = try scratch.ingest(Self.feed, columns: ["id:integer", "x:text=nothing.like.it"])
        #expect(report.status == .success)
        #expect(report.text.contains("no record has nothing.like.it, which x reads\n"))
    }

    // MARK: Digits

    @Test(
        arguments: [
            "12345678901234567890", "9223372036854775809", "-9223372036854775809", "123456789012345678901234567890",
        ], ["1", "1.5"]) func lateIntegersBeyond64BitsAreReportedWithTheirDigits(digits: String, first: String) throws
    {
        let scratch = try Scratch()
        let report = try scratch.ingest(#"{"a":\#(first)}"# + "\n" + #"{"a":\#(digits)}"#) { $0.sample = 1 }
        #expect(report.status.code == 2)
        #expect(report.digitLosses == [DigitLoss(column: "a", count: 1, example: "'\(digits)'")])
        #expect(report.typeDeviations.isEmpty)
    }

    @Test func anIntegerBeyond64BitsThatADoubleHoldsIsKept() throws {
        let scratch = try Scratch()
        let report = try scratch.ingest(#"{"a":1}"# + "\n" + #"{"a":9223372036854775808}"#) { $0.sample = 1 }
        #expect(report.status == .success)
        #expect(report.typeDeviations.map(\.count) == [1])
        #expect(try scratch.value("SELECT typeof(a) = 'real' AND a = 9223372036854775808.0 FROM records WHERE rowid = 2") == 1)
    }

    @Test func aConditionComparesIntegersBeyond64Bits() throws {
        let scratch = try Scratch()
        let report = try scratch.ingest(#"{"a":1}"# + "\n" + #"{"a":12345678901234567890}"#) {
            $0.feed.filter = try! WhereClause("a > 5")
        }
        #expect(report.stored == 1)
    }

    @Test func lateValuesOfChildTablesAreReported() throws {
        let scratch = try Scratch()
        let feed = [#"{"id":1,"t":[1]}"#, #"{"id":2,"t":[9223372036854775809,"x"]}"#].joined(separator: "\n")
        let report = try scratch.ingest(feed) {
            $0.sample = 1
            $0.primaryKey = ["id"]
            $0.children.storage = .tables
        }
        #expect(report.status.code == 2)
        #expect(report.digitLosses.map(\.column) == ["records_t.value"] && report.digitLosses.map(\.count) == [1])
        #expect(report.digitLosses.map(\.example) == ["'9223372036854775809'"])
        #expect(report.typeDeviations.map(\.column) == ["records_t.value"])
        #expect(report.typeDeviations.map(\.count) == [1])
    }

    /// A feed of two values, in a column of the records or of a child table.
    private func late(_ first: String, _ late: String, inChild: Bool, _ scratch: Scratch) throws -> IngestReport {
        let lines = [first, late].enumerated().map { id, value in #"{"id":\#(id),"a":\#(inChild ? "[\(value)]" : value)}"# }
        return try scratch.ingest(lines.joined(separator: "\n")) {
            $0.sample = 1
            $0.primaryKey = ["id"]
            $0.children.storage = .tables
        }
    }

    @Test(
        arguments: [
            ["1.5", "123456789012345678"], ["1.5", "9007199254740993"], ["1.5", "-0.0"], ["1", "1.0"],
            ["1", "1e+16"], ["1", "9007199254740993.0"], ["true", "1.0"], ["1.5", "2.5"], ["1.5", "5.0"], ["1.5", "5"],
            ["1.5", "1e+20"], ["1", "7"], ["1", "0.5"], ["true", "0"],
        ], [false, true]) func aLateTextThatBecomesANumberIsReported(values: [String], inChild: Bool) throws
    {
        let scratch = try Scratch()
        let report = try late(values[0], "\"\(values[1])\"", inChild: inChild, scratch)
        #expect(report.status.code == 2)
        #expect(report.digitLosses.map(\.column) == [inChild ? "records_a.value" : "a"])
        #expect(report.digitLosses.map(\.count) == [1])
        #expect(report.digitLosses.map(\.example) == ["'\(values[1])'"])
        #expect(report.typeDeviations.isEmpty)
    }

    @Test(
        arguments: [
            ["1.5", "nan"], ["1", "x"], ["1", "0x10"], ["true", "true"],
        ], [false, true]) func aLateTextThatIsNoNumberIsKept(values: [String], inChild: Bool) throws
    {
        let scratch = try Scratch()
        let report = try late(values[0], "\"\(values[1])\"", inChild: inChild, scratch)
        #expect(report.status == .success)
        #expect(report.digitLosses.isEmpty)
        #expect(report.typeDeviations.map(\.count) == [1])
    }

    @Test func textsThatTheUserHasMadeANumberColumnForOnlyNeedItsValue() throws {
        let scratch = try Scratch()
        try scratch.execute("CREATE TABLE records (i INTEGER, r REAL)")
        let texts = [("5", "5"), ("5.0", "5.0"), ("9007199254740993", "9007199254740992"), ("7", "9007199254740993")]
        let feed = texts.map { #"{"i":"\#($0)","r":"\#($1)"}"# }
        let report = try scratch.ingest(feed.joined(separator: "\n")) { $0.existing = .append }
        #expect(report.digitLosses == [DigitLoss(column: "r", count: 1, example: "'9007199254740993'")])
        #expect(report.typeDeviations.isEmpty)
        #expect(try scratch.value("SELECT group_concat(i) FROM records") == "5,5,9007199254740993,7")
    }

    @Test func aLateNumberThatAColumnOfTextsShortensIsReported() throws {
        let scratch = try Scratch()
        try scratch.execute("CREATE TABLE records (a TEXT)")
        let report = try scratch.ingest(#"{"a":1}"# + "\n" + #"{"a":0.1234567890123456}"#) {
            ($0.sample, $0.existing) = (1, .append)
        }
        #expect(report.digitLosses == [DigitLoss(column: "a", count: 1, example: "0.1234567890123456")])
    }

    @Test func aColumnOfTheTypeANYInAStrictTableKeepsAllDigits() throws {
        let scratch = try Scratch()
        try scratch.execute("CREATE TABLE records (a ANY) STRICT")
        let report = try scratch.ingest(#"{"a":1}"# + "\n" + #"{"a":12345678901234567890}"# + "\n" + #"{"a":"007"}"#) {
            $0.sample = 1
            $0.existing = .append
        }
        #expect(report.status == .success)
        #expect(report.digitLosses.isEmpty)
        #expect(
            try scratch.value("SELECT group_concat(a || typeof(a)) FROM records") == "1integer,12345678901234567890text,007text")
    }

    // MARK: A later run

    @Test func aLaterRunSaysWhatEarlierOnesHaveLeftOut() throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", #"{"id":1}"# + "\n" + #"{"id":2,"late":5}"#)
        for run in 1...2 {
            let report = try scratch.ingest(file: file) {
                $0.sample = 1
                $0.contract = .report
            }
            #expect(report.status.code == 2)
            #expect(report.text.contains("nothing to do") == (run == 2))
            #expect(report.text.contains("note: 1 value of keys without a column left out by earlier runs\n") == (run == 2))
        }
        // A run that finds more records ends with the same exit code, and says why.
        _ = try scratch.file("a.ndjson", #"{"id":1}"# + "\n" + #"{"id":2,"late":5}"# + "\n" + #"{"id":3}"#)
        let report = try scratch.ingest(file: file) { $0.contract = .report }
        #expect(report.status.code == 2)
        #expect(report.text.contains("1 added"))
        #expect(report.text.contains("note: 1 value of keys without a column left out by earlier runs\n"), "\(report.text)")
    }

    /// The table refuses the third record, and that is one error too many. The records after it were read in vain.
    @Test(arguments: [1, 2]) func whatIsReadInVainIsNotLeftOut(workers: Int) throws {
        let scratch = try Scratch()
        let lines = [1, 2, 1, 4, 5].enumerated().map { #"{"id":\#($1)\#($0 == 0 ? "" : ",\"k\($0)\":1,\"x\":2")}"# + "\n" }
        let file = try scratch.file("a.ndjson", lines.joined())
        for limit in [0, nil] {
            let report = try scratch.ingest(file: file) {
                ($0.sample, $0.contract, $0.primaryKey) = (1, .report, ["id"])
                ($0.workers, $0.maximumErrors) = (workers, limit)
            }
            #expect(report.outcome == (limit == 0 ? .tooManyErrors : .complete))
            #expect(report.unknownKeys.map(\.path) == (limit == 0 ? ["k1", "x", "k2"] : ["k3", "x", "k4"]))
            #expect(report.unknownKeys.map(\.count) == [1, 2, 1])
            #expect(report.unknownValues == 4)
            if limit == nil {
                #expect(
                    report.text.contains("note: 4 values of keys without a column left out by earlier runs\n"), "\(report.text)")
            }
        }
    }

    @Test func recordsThatAreReadInVainAreNotDiscarded() throws {
        let scratch = try Scratch()
        let lines = [#"{"id":1}"#, #"{"id":2,"x":2}"#, #"{"id":1}"#, #"{"id":4,"x":2}"#, #"{"id":5}"#]
        let report = try scratch.ingest(lines.joined(separator: "\n")) {
            ($0.sample, $0.contract, $0.primaryKey, $0.maximumErrors) = (1, .discardRow, ["id"], 0)
        }
        #expect(report.outcome == .tooManyErrors)
        #expect(report.stored == 1 && report.discarded == 1)
    }

    @Test func aLaterRunSaysThatEarlierOnesHaveChangedDigits() throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", #"{"zip":1}"# + "\n" + #"{"zip":"00123"}"#)
        for run in 1...2 {
            let report = try scratch.ingest(file: file) { $0.sample = 1 }
            #expect(report.status.code == 2)
            #expect(report.text.contains("note: 1 value changed to fit a column's type by earlier runs\n") == (run == 2))
        }
    }

    @Test func whatIsLeftOutOnPurposeIsNotSaidAgain() throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", #"{"id":1}"# + "\n" + #"{"id":2,"late":5}"#)
        for _ in 1...2 {
            let report = try scratch.ingest(file: file) {
                $0.sample = 1
                $0.contract = .discardValue
            }
            #expect(report.status == .success)
            #expect(report.notes.isEmpty)
        }
    }

    @Test func digitsThatSQLiteChangesAreReported() throws {
        let scratch = try Scratch()
        let report = try scratch.ingest(#"{"zip":1}"# + "\n" + #"{"zip":"00123"}"# + "\n" + #"{"zip":"12"}"#) { $0.sample = 1 }
        #expect(report.status.code == 2)
        #expect(report.digitLosses == [DigitLoss(column: "zip", count: 2, example: "'00123'")])
        #expect(
            report.text.contains("zip: the database made other digits of 2 values to fit the column's type, the first is '00123'")
        )
        let text = try Scratch()
        let kept = try text.ingest(#"{"zip":1}"# + "\n" + #"{"zip":"00123"}"#) {
            $0.sample = 1
            $0.types = [try! TypeOption("zip:text")]
        }
        #expect(kept.status == .success)
        #expect(try text.value("SELECT zip FROM records WHERE rowid = 2") == "00123")
    }

    @Test func anIntegerThatAColumnOfDoublesChangesIsReported() throws {
        let scratch = try Scratch()
        let report = try scratch.ingest(#"{"r":1.5}"# + "\n" + #"{"r":9007199254740993}"#) { $0.sample = 1 }
        #expect(report.digitLosses.map(\.example) == ["9007199254740993"])
        // Where it is seen in time, the column is text.
        #expect(try scratch.ingest(#"{"r":1.5}"# + "\n" + #"{"r":9007199254740993}"#) { $0.table = "t" }.status == .success)
        #expect(try scratch.value("SELECT r FROM t WHERE rowid = 2") == "9007199254740993")
    }

    @Test(arguments: [1, 2]) func anIntegerThatADeclaredRealChangesIsReported(workers: Int) throws {
        let numbers = ["9007199254740993", "9007199254740992", "12345678901234567891", "-9007199254740993.0", "1e300"]
        let scratch = try Scratch()
        let report = try scratch.ingest(numbers.map { #"{"k":\#($0)}"# + "\n" }.joined()) {
            $0.types = [try! TypeOption("k:real")]
            $0.workers = workers
        }
        #expect(report.digitLosses == [DigitLoss(column: "k", count: 3, example: "9007199254740993")])
        #expect(report.typeDeviations.isEmpty)
        #expect(report.status.code == 2)
        #expect(try scratch.value("SELECT count(*) FROM records WHERE typeof(k) = 'real'") == numbers.count)
    }

    @Test(arguments: [true, false]) func numbersWithMoreDigitsThanADoubleAreReported(isDeclared: Bool) throws {
        let kept = ["1.10", "0.30000000000000004", "-65.613616999999977", "0.0", "5e-324", "1e23"]
        let changed = ["1e-400", "12345678901234567890.5", "0.1234567890123456789012", "-3e-324"]
        let scratch = try Scratch()
        let report = try scratch.ingest(([kept[1]] + changed + kept).map { #"{"k":\#($0)}"# + "\n" }.joined()) {
            if isDeclared { $0.types = [try! TypeOption("k:real")] }
            $0.sample = 1
        }
        #expect(report.digitLosses == [DigitLoss(column: "k", count: 4, example: "'1e-400'")])
        #expect(report.typeDeviations.isEmpty && report.rejected == 0)
        #expect(report.status.code == 2)
        #expect(try scratch.value("SELECT count(*) FROM records WHERE typeof(k) = 'real'") == 11)
        #expect(try scratch.value("SELECT k FROM records WHERE rowid = 3") == 12345678901234567890.5)
    }

    @Test func valuesThatAreNotStoredLoseNoDigits() throws {
        let lines = [
            #"{"id":1,"k":9007199254740993}"#, #"{"id":1,"k":9007199254740995}"#, #"{"id":2,"k":9007199254740997,"t":"x"}"#,
        ]
        for conflict in [KeyConflict.reject, .ignore] {
            let scratch = try Scratch()
            try scratch.execute("CREATE TABLE records (id INTEGER PRIMARY KEY, k REAL, t TEXT CHECK (t IS NULL))")
            let report = try scratch.ingest(lines.joined(separator: "\n")) {
                $0.existing = .append
                $0.conflict = conflict
                $0.primaryKey = ["id"]
            }
            #expect(report.rows.added == 1)
            #expect(report.digitLosses == [DigitLoss(column: "k", count: 1, example: "9007199254740993")])
            #expect(report.typeDeviations.isEmpty)
        }
    }

    @Test func valuesOfGeneratedColumnsAreLeftOutAndCounted() throws {
        let lines = [
            #"{"id":1,"a":2,"twice":5}"#, #"{"id":2,"a":3,"twice":null}"#, #"{"id":1,"a":2}"#, #"{"id":3,"a":"x","twice":7}"#,
        ]
        for conflict in [KeyConflict.upsert, .replace, .reject] {
            let scratch = try Scratch()
            try scratch.execute(
                "CREATE TABLE records (id INTEGER PRIMARY KEY, twice AS (a * 2) STORED, a INTEGER CHECK (typeof(a) = 'integer'))")
            func load() throws -> IngestReport {
                try scratch.ingest(lines.joined(separator: "\n")) {
                    $0.existing = .append
                    $0.conflict = conflict
                    $0.primaryKey = ["id"]
                }
            }
            let report = try load()
            #expect(report.rows.added == 2 && report.rejected == (conflict == .reject ? 2 : 1))
            #expect(report.generatedValues.map(\.column) == ["twice"] && report.generatedValues.map(\.count) == [1])
            #expect(report.status.code == 2)
            #expect(report.text.contains("twice: the table generates its values, so 1 value of the records is left out"))
            #expect(report.json.contains(#""left_out":[{"path":"twice","count":1,"first":""}]"#))
            #expect(try scratch.value("SELECT group_concat(twice) FROM records") == "4,6")
        }
    }
}
#endif
