#if SQLite
import SluiceCore
import SluiceFeed
import SluiceTestSupport
import Testing

@testable import SluiceIngest

/// A key that no column reads is never left out without a word.
@Suite struct UnknownKeyTests {
    private static let feed = [
        #"{"id":1,"actor":{"id":10,"login":"a"}}"#, #"{"id":2,"actor":{"id":11,"login":"b"}}"#,
        #"{"id":3,"actor":{"id":12,"login":"c","site":{"admin":true,"tags":[ 1, 2 ]}},"org":{"name":"x","n":1.5}}"#,
        #"{"id":4,"actor":"gone","note":"late"}"#, #"{"id":5,"actor":null,"note":null,"empty":{}}"#,
        #"{"id":6,"actor":[7],"org":3,"note":"again"}"#,
    ].joined(separator: "\n")

    @Test(arguments: LoaderSink.databases, [1, 2, 1_000])
    func everyKeyGetsItsColumn(sink: LoaderSink, batch: Int) throws {
        let loader = try Loader(sink)
        let report = try loader.load(Self.feed) { ($0.sample, $0.batch) = (2, batch) }
        #expect(report.isSuccess)
        #expect(report.stored == 6)
        #expect(
            report.lateColumns.map(\.path)
                == ["actor.site.admin", "actor.site.tags", "org.name", "org.n", "actor", "note", "empty", "org"])
        #expect(report.lateColumns[0].position == "line 3")
        let names = [
            "id", "actor_id", "actor_login", "actor_site_admin", "actor_site_tags", "org_name", "org_n", "actor", "note", "empty",
            "org",
        ]
        #expect(try loader.columns() == names)
        #expect(
            try loader.rows(names) == [
                [1, 10, "a", nil, nil, nil, nil, nil, nil, nil, nil], [2, 11, "b", nil, nil, nil, nil, nil, nil, nil, nil],
                [3, 12, "c", true, "[1,2]", "x", 1.5, nil, nil, nil, nil],
                [4, nil, nil, nil, nil, nil, nil, #""gone""#, "late", nil, nil],
                [5, nil, nil, nil, nil, nil, nil, nil, nil, "{}", nil],
                [6, nil, nil, nil, nil, nil, nil, "[7]", "again", nil, "3"],
            ])
    }

    @Test(arguments: LoaderSink.databases) func manyUnknownKeysAreReadAsTheyAreWithoutASample(sink: LoaderSink) throws {
        var lines = [#"{"id":0}"#]
        for index in 1..<300 {
            lines.append(#"{"id":\#(index),"k\#(index % 70)":\#(index),"deep":{"d\#(index % 40)":"v\#(index)"}}"#)
        }
        let loader = try Loader(sink)
        #expect(try loader.load(lines.joined(separator: "\n"), into: "late") { $0.sample = 1 }.isSuccess)
        try loader.load(lines.joined(separator: "\n"), into: "at_once")
        let names = try loader.columns(of: "late").sorted()
        #expect(try names == loader.columns(of: "at_once").sorted() && names.count == 111)
        #expect(try loader.rows(names, of: "late", by: "id") == loader.rows(names, of: "at_once", by: "id"))
    }

    @Test(arguments: LoaderSink.all) func reportCountsAndNamesTheKeys(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let report = try loader.load(Self.feed) { ($0.sample, $0.contract) = (2, .report) }
        #expect(report.isLossy)
        #expect(report.stored == 6)
        #expect(report.unknownKeys.map(\.path) == ["actor.site", "org", "actor", "note", "empty"])
        #expect(report.unknownKeys.map(\.count) == [1, 2, 2, 2, 1])
        #expect(try loader.columns() == ["id", "actor_id", "actor_login"])
    }

    @Test(arguments: LoaderSink.all, [1, 2]) func keysThatDeclaredColumnsDoNotReadAreCounted(sink: LoaderSink, workers: Int)
        throws
    {
        let lines = (1...500).map { #"{"id":\#($0),"actor":{"login":"a","site":"s"},"late":[\#($0)]}"# }
        let feed = (lines + [#"{"id":501,"actor":7}"#, #"{"id":502,"actor":[]}"#, #"{"id":"x","actor":{"site":1}"#]).joined(
            separator: "\n")
        func report(limit: Int? = nil) throws -> IngestReport {
            try Loader(sink).load(feed) {
                $0.columns = [
                    JSONColumn(name: "id", type: .integer, keys: ["id"]),
                    JSONColumn(name: "login", type: .text, keys: ["actor.login"]),
                ]
                ($0.workers, $0.limit) = (workers, limit)
            }
        }
        let whole = try report()
        #expect(whole.stored == 502)
        #expect(whole.rejected == 1)
        #expect(whole.unknownKeys.map(\.path) == ["actor.site", "late", "actor"])
        #expect(whole.unknownKeys.map(\.count) == [500, 500, 2])
        #expect(whole.unknownKeys.map(\.position) == ["line 1", "line 1", "line 501"])
        #expect(whole.unknownValues == 1002)
        // Workers read on beyond the limit; what they counted there does not count.
        let limited = try report(limit: 100)
        #expect(limited.stored == 100)
        #expect(limited.unknownKeys.map(\.count) == [100, 100])
        #expect(limited.unknownValues == 200)
    }

    /// Here each record is read again by the thread that stores it, because it removes the rows of an earlier run's table.
    @Test(arguments: LoaderSink.databases, [(1, nil), (2, nil), (1, 60), (2, 60)] as [(Int, Int?)])
    func keysOfRecordsThatAreReadAgainCountOnce(sink: LoaderSink, run: (workers: Int, limit: Int?)) throws {
        let loader = try Loader(sink)
        try loader.load(#"{"id":1,"b":{"t":[1]}}"#) { ($0.primaryKey, $0.children.storage) = (["id"], .tables) }
        #expect(try loader.count("records_b_t") == 1)
        let lines = (1...100).map { #"{"id":\#($0),"b":{"e":2},"x":3}"# }
        let report = try loader.load(lines.joined(separator: "\n"), columns: ["id:integer", "b:json"]) {
            ($0.existing, $0.primaryKey, $0.conflict) = (.append, ["id"], .upsert)
            $0.children.storage = .tables
            ($0.workers, $0.limit) = run
        }
        #expect(report.unknownKeys.map(\.path) == ["x"])
        #expect(report.unknownKeys.map(\.count) == [run.limit ?? 100])
        #expect(try loader.query("SELECT id FROM records WHERE b = '{\"e\":2}'").count == run.limit ?? 100)
        #expect(try loader.count("records_b_t") == 0)
    }

    @Test(arguments: LoaderSink.databases, [(1, nil), (2, nil), (1, 60), (2, 60)] as [(Int, Int?)])
    func keysOfRecordsWithAStrayValueForATableCountOnce(sink: LoaderSink, run: (workers: Int, limit: Int?)) throws {
        let lines = (0..<100).map { #"{"id":\#($0),"t":\#($0 % 3 == 1 ? "7" : "[1]")\#($0 == 0 ? "" : ",\"x\":1")}"# }
        let report = try Loader(sink).load(lines.joined(separator: "\n")) {
            ($0.primaryKey, $0.sample, $0.contract) = (["id"], 1, .discardValue)
            $0.children.storage = .tables
            ($0.workers, $0.limit) = run
        }
        #expect(report.unknownKeys.map(\.path) == ["x"])
        #expect(report.unknownKeys.map(\.count) == [(run.limit ?? 100) - 1])
    }

    @Test(arguments: LoaderSink.all) func freezeNamesTheKeyAndKeepsWhatCameBefore(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let report = try loader.load(Self.feed) { ($0.sample, $0.contract) = (2, .freeze) }
        guard case .frozen(let reason) = report.outcome else { return #expect(Bool(false), "\(report)") }
        #expect(
            reason.description == "the key 'actor.site' has no column (line 3), and contract(.freeze) allows no other",
            "\(reason)")
        #expect(report.stored == 2)
        // A file takes its name only when the run is complete.
        if sink.isDatabase { #expect(try loader.rows("id") == [[1], [2]]) }
    }

    @Test(arguments: LoaderSink.all) func discardRowLeavesTheRecordOut(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let report = try loader.load(Self.feed) { ($0.sample, $0.contract) = (2, .discardRow) }
        #expect(report.isSuccess)
        #expect(report.stored == 2)
        #expect(report.discarded == 4)
        #expect(try loader.rows("id") == [[1], [2]])
    }

    @Test(arguments: LoaderSink.all) func discardValueLeavesTheValueOut(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let report = try loader.load(Self.feed) { ($0.sample, $0.contract) = (2, .discardValue) }
        #expect(report.isSuccess)
        #expect(report.stored == 6)
        #expect(try loader.columns() == ["id", "actor_id", "actor_login"])
    }

    @Test(arguments: LoaderSink.all, [KeyContract.report, .discardValue])
    func overflowTakesWhatNoColumnTakes(sink: LoaderSink, contract: KeyContract) throws {
        let loader = try Loader(sink)
        let report = try loader.load(Self.feed) { ($0.sample, $0.contract, $0.overflow) = (2, contract, "rest") }
        #expect(report.isSuccess)
        let rest = [
            #"{"actor":{"site":{"admin":true,"tags":[1,2]}},"org":{"name":"x","n":1.5}}"#, #"{"actor":"gone","note":"late"}"#,
            #"{"empty":{}}"#, #"{"actor":[7],"org":3,"note":"again"}"#,
        ]
        #expect(try loader.rows("rest") == [[nil], [nil]] + rest.map { [try loader.json($0)] })
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

    @Test(arguments: LoaderSink.databases) func declaredColumnsMayEvolveToo(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        #expect(try loader.load(Self.feed, columns: ["id:integer"]) { $0.contract = .evolve }.isSuccess)
        #expect(try loader.rows("id", "actor_login", by: "id").first == [1, "a"])
        #expect(try loader.load(Self.feed, columns: ["id:integer"], into: "others").isSuccess)
        #expect(try loader.columns(of: "others") == ["id"])
    }

    @Test(arguments: LoaderSink.databases) func anExistingTableKeepsItsColumnsWhereTheContractSaysSo(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try loader.execute("CREATE TABLE records (a INTEGER)")
        let report = try loader.load(#"{"a":1,"b":2}"#) { ($0.existing, $0.contract) = (.append, .report) }
        #expect(report.isLossy)
        #expect(report.unknownKeys.map(\.path) == ["b"])
        #expect(throws: IngestError.self) {
            try loader.load(#"{"c":1}"#) { ($0.existing, $0.contract) = (.append, .freeze) }
        }
    }

    @Test(arguments: LoaderSink.databases) func moreKeysThanATableHasColumnsGoToTheOverflowOrAreNamed(sink: LoaderSink) throws {
        let limit = sink == .sqlite ? 2_000 : 1_600
        let feed = (0..<(limit + 100)).map { "{\"k\($0)\":1}" }.joined(separator: "\n")
        let loader = try Loader(sink)
        let report = try loader.load(feed) { $0.sample = 10 }
        #expect(report.isLossy)
        #expect(report.stored == limit + 100)
        #expect(report.unknownValues == 100)
        #expect(report.unknownKeys.count == 100)
        #expect(try loader.load(feed, into: "other") { ($0.sample, $0.overflow) = (10, "rest") }.isSuccess)
        #expect(try loader.rows("rest", of: "other").count { $0 != [nil] } == 101)
    }

    // MARK: Dictionaries

    @Test(arguments: LoaderSink.databases) func anObjectWithVeryManyKeysOfOneShapeIsJSON(sink: LoaderSink) throws {
        let members = (0..<300).map { #""user\#($0)":{"score":\#($0)}"# }.joined(separator: ",")
        let loader = try Loader(sink)
        let report = try loader.load(#"{"id":1,"scores":{\#(members)}}"#)
        #expect(report.columns.map(\.name) == ["id", "scores"])
        #expect(report.columns.map(\.type) == [.integer, .json])
        let wide = try loader.load(#"{"id":1,"scores":{\#(members)}}"#, into: "wide") { $0.flattening.mapThreshold = 300 }
        #expect(wide.columns.count == 301)
    }

    @Test(arguments: LoaderSink.databases) func aDictionaryThatGrowsLateStopsMakingColumns(sink: LoaderSink) throws {
        let feed = (0..<60).map { #"{"id":\#($0),"tags":{"t\#($0)":1}}"# }.joined(separator: "\n")
        let loader = try Loader(sink)
        let report = try loader.load(feed) { ($0.sample, $0.flattening.mapThreshold, $0.overflow) = (2, 20, "rest") }
        #expect(report.isSuccess)
        #expect(report.columns.count < 25)
        #expect(try loader.rows("id", "rest").last == [59, #"{"tags":{"t59":1}}"#])
    }

    // MARK: Misspelt columns

    @Test(
        arguments: LoaderSink.all,
        [("who:text=actor.logn", "actor.login"), ("who:text=login", "actor.login"), ("who:text=Actor.Login", "actor.login")])
    func aDeclaredColumnThatNeverBoundIsNamed(sink: LoaderSink, path: (column: String, meant: String)) throws {
        let report = try Loader(sink).load(Self.feed, columns: ["id:integer", path.column])
        #expect(report.isLossy)
        #expect(report.unseenPaths.map(\.meant) == [path.meant])
    }

    @Test(arguments: LoaderSink.all) func aDeclaredColumnThatIsLikeNoKeyIsNamedToo(sink: LoaderSink) throws {
        let report = try Loader(sink).load(Self.feed, columns: ["id:integer", "x:text=nothing.like.it"])
        #expect(report.isSuccess)
        #expect(report.unseenPaths.map(\.meant) == [nil])
    }

    // MARK: A later run

    @Test(arguments: LoaderSink.databases) func aLaterRunSaysWhatEarlierOnesHaveLeftOut(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let note = ["1 value of keys without a column left out by earlier runs"]
        let file = try loader.scratch.file("a.ndjson", #"{"id":1}"# + "\n" + #"{"id":2,"late":5}"#)
        for run in 1...2 {
            let report = try loader.load(file: file) { ($0.sample, $0.contract) = (1, .report) }
            #expect(report.isLossy)
            #expect(report.outcome == (run == 1 ? .complete : .nothingToDo))
            #expect(report.notes == (run == 1 ? [] : note))
        }
        // A run that finds more records ends with the same exit code, and says why.
        _ = try loader.scratch.file("a.ndjson", #"{"id":1}"# + "\n" + #"{"id":2,"late":5}"# + "\n" + #"{"id":3}"#)
        let report = try loader.load(file: file) { $0.contract = .report }
        #expect(report.isLossy)
        #expect(report.rows.added == 1)
        #expect(report.notes == note)
    }

    /// The table refuses the third record, and that is one error too many. The records after it were read in vain.
    @Test(arguments: LoaderSink.databases, [1, 2]) func whatIsReadInVainIsNotLeftOut(sink: LoaderSink, workers: Int) throws {
        let loader = try Loader(sink)
        let lines = [1, 2, 1, 4, 5].enumerated().map { #"{"id":\#($1)\#($0 == 0 ? "" : ",\"k\($0)\":1,\"x\":2")}"# + "\n" }
        let file = try loader.scratch.file("a.ndjson", lines.joined())
        for limit in [0, nil] {
            let report = try loader.load(file: file) {
                ($0.sample, $0.contract, $0.primaryKey) = (1, .report, ["id"])
                ($0.workers, $0.maximumErrors) = (workers, limit)
            }
            #expect(report.outcome == (limit == 0 ? .tooManyErrors : .complete))
            #expect(report.unknownKeys.map(\.path) == (limit == 0 ? ["k1", "x", "k2"] : ["k3", "x", "k4"]))
            #expect(report.unknownKeys.map(\.count) == [1, 2, 1])
            #expect(report.unknownValues == 4)
            if limit == nil { #expect(report.notes.contains("4 values of keys without a column left out by earlier runs")) }
        }
    }

    @Test(arguments: LoaderSink.databases) func recordsThatAreReadInVainAreNotDiscarded(sink: LoaderSink) throws {
        let lines = [#"{"id":1}"#, #"{"id":2,"x":2}"#, #"{"id":1}"#, #"{"id":4,"x":2}"#, #"{"id":5}"#]
        let report = try Loader(sink).load(lines.joined(separator: "\n")) {
            ($0.sample, $0.contract, $0.primaryKey, $0.maximumErrors) = (1, .discardRow, ["id"], 0)
        }
        #expect(report.outcome == .tooManyErrors)
        #expect(report.stored == 1 && report.discarded == 1)
    }

    @Test(arguments: LoaderSink.databases) func whatIsLeftOutOnPurposeIsNotSaidAgain(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let file = try loader.scratch.file("a.ndjson", #"{"id":1}"# + "\n" + #"{"id":2,"late":5}"#)
        for _ in 1...2 {
            let report = try loader.load(file: file) { ($0.sample, $0.contract) = (1, .discardValue) }
            #expect(report.isSuccess)
            #expect(report.notes.isEmpty)
        }
    }
}
#endif
