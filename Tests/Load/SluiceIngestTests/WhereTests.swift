#if SQLite
import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceFeed
@testable import SluiceIngest

/// Records that a condition chooses.
@Suite struct WhereTests {
    // MARK: Conditions

    private static let records = [
        #"{"id":1,"type":"Push","actor":{"login":"ann"},"size":3,"ok":true,"tags":["a"]}"#,
        #"{"id":2,"type":"Watch","actor":{"login":"bob"},"size":4.5,"ok":false}"#,
        #"{"id":3,"type":"it's","actor":null,"size":"big","tags":null}"#,
        #"{"id":9007199254740993,"type":5,"size":null}"#,
    ]

    private func matches(_ text: String, columns: [String] = []) throws -> [Int] {
        var filter = try WhereClause(text, columns: columns.map { try ColumnOption($0).column }).predicate.makeFilter()
        return Self.records.indices.filter { index in
            var record = Self.records[index]
            return record.withUTF8 { unsafe filter.matches(UnsafeRawBufferPointer($0)) }
        }.map { $0 + 1 }
    }

    @Test(
        arguments: [
            ("id = 1", [1]), ("id == 1", [1]), ("id!=1", [2, 3, 4]), ("id <> 1", [2, 3, 4]), ("id < 2", [1]),
            ("id <= 2", [1, 2]),
            ("id > 9007199254740992", [4]), ("id >= 9007199254740993", [4]), ("id = -1", []), ("size > 3", [2]),
            ("size >= 3", [1, 2]), ("size = 4.5", [2]), ("size < 1e2", [1, 2]), ("type = 'Push'", [1]), ("type = 'it''s'", [3]),
            ("type in ('Push', 'Watch')", [1, 2]), ("type not in ('Push', 'Watch')", [3, 4]), ("type IN ('it''s')", [3]),
            ("id in (1, 3, 4.5)", [1, 3]), ("ok = true", [1]), ("ok != true", [2]), ("exists actor.login", [1, 2]),
            ("exists(tags)", [1]), ("not exists tags", [2, 3, 4]), ("actor.login = 'bob'", [2]), ("tags[0] = 'a'", [1]),
            ("\"type\" = 'Push'", [1]), ("\"actor.login\" = 'ann'", []), ("type = 'Push' and size > 3", []),
            ("type = 'Push' or size > 3", [1, 2]),
            ("id = 1 or id = 2 and size > 100", [1]), ("(id = 1 or id = 2) and size > 4", [2]),
            ("not (id = 1 or id = 2)", [3, 4]), ("NOT id = 1 AND NOT id = 2", [3, 4]), ("  id\n=\t1  ", [1]),
        ])
    func aConditionChoosesRecords(text: String, numbers: [Int]) throws {
        #expect(try matches(text) == numbers, "\(text)")
    }

    @Test(
        arguments: [
            ("type <= 'a'", [1, 2]), ("type = '5'", []), ("type != 'Push'", [2, 3, 4]), ("type in ('5')", []), ("ok = 1", []),
            ("ok < 2", []), ("ok != 1", [1, 2]), ("size < 'c'", [3]), ("tags < 'z'", []), ("tags != 'z'", [1]),
            ("exists tags", [1]),
        ])
    func aValueOfAnotherTypeIsUnequalAndNeitherLessNorGreater(text: String, numbers: [Int]) throws {
        #expect(try matches(text) == numbers, "\(text)")
    }

    private static let numbers = [
        "12345678901234567891", "18446744073709551615", "-9223372036854775809", "9007199254740993", "10000000000000000000",
        "1e19",
        "0.1", "0.1000000000000000055", "1.0", "-0", "100000000000000000000000000000000000000000",
    ]

    @Test(
        arguments: [
            ("a = 12345678901234567890", []), ("a = 12345678901234567891", [1]), ("a = 18446744073709551616", []),
            ("a = 18446744073709551615", [2]), ("a = -9223372036854775808", []), ("a = -9223372036854775809", [3]),
            ("a < -9223372036854775808", [3]), ("a in (12345678901234567890, 18446744073709551616)", []),
            ("a in (12345678901234567891, 18446744073709551615)", [1, 2]), ("a = 9007199254740993.0", [4]),
            ("a = 9007199254740992.0", []), ("a = 10000000000000000000", [5, 6]), ("a = 1e19", [5, 6]), ("a = +10.0e18", [5, 6]),
            ("a > 18446744073709551614", [2, 11]), ("a > 18446744073709551615", [11]), ("a = 0.1", [7]),
            ("a = 0.1000000000000000055", [8]), ("a > 0.1 and a < 0.2", [8]), ("a = 1", [9]), ("a = 0", [10]), ("a = 0e5", [10]),
            ("a > 0 and a <= 1.00", [7, 8, 9]), ("a = 1e41", [11]), ("a != 1e41", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
            ("a <= 12345678901234567890 and a >= 1e19", [5, 6]),
        ])
    func numbersAreComparedByTheirExactValues(text: String, lines: [Int]) throws {
        let declared: [[SluiceCore.JSONColumn]] = [
            [], [JSONColumn(name: "a", type: .real, keys: ["a"])],
            [JSONColumn(name: "a", type: .integer, keys: ["a"], isTolerant: true)],
        ]
        for columns in declared {
            var filter = try WhereClause(text, columns: columns).predicate.makeFilter()
            let found = Self.numbers.indices.filter { index in
                var record = "{\"a\" : \(Self.numbers[index]) }"
                return record.withUTF8 { unsafe filter.matches(UnsafeRawBufferPointer($0)) }
            }
            #expect(found.map { $0 + 1 } == lines, "\(text)")
        }
    }

    @Test func aDeclaredColumnIsMeantByItsName() throws {
        #expect(try matches("who = 'ann'", columns: ["who:text=actor.login"]) == [1])
        let error = #expect(throws: WhereError.self) { try matches("id = 'x'", columns: ["id:integer"]) }
        #expect(error?.expected == "a number to compare 'id' with")
        #expect(error?.offset == 5)
    }

    @Test(
        arguments: [
            ("", 0, "a path such as actor.login", "the end"), ("id", 2, "=, !=, <, <=, >, >= or in", "the end"),
            ("id =", 4, "a number, a text in single quotes, true or false", "the end"),
            ("type = Push", 7, "a number, a text in single quotes, true or false", "'Push'"),
            ("type = \"Push\"", 7, "a number, a text in single quotes, true or false", "\"Push\""),
            ("type = null", 7, "a number, a text in single quotes, true or false", "'null'"),
            ("id = 1 id", 7, "'and', 'or' or the end", "'id'"), ("id = 1)", 6, "'and', 'or' or the end", "')'"),
            ("(id = 1", 7, "')'", "the end"), ("id in 1", 6, "'('", "1"), ("id in (1", 8, "',' or ')'", "the end"),
            ("id in ()", 7, "a number, a text in single quotes, true or false", "')'"),
            ("id not = 1", 7, "'in' after 'not'", "'='"),
            ("and = 1", 0, "a path such as actor.login", "'and'"), ("'id' = 1", 0, "a path such as actor.login", "the text 'id'"),
            ("id = 'x", 5, "' at the end of what it begins", "the end"), ("id ~ 1", 3, "a path, a value or a sign", "'~'"),
            ("id = 1x", 5, "a number", "1x"), ("a..b = 1", 2, "a key", "'.'"),
            ("exists", 6, "a path such as actor.login", "the end"), ("exists (id", 10, "')'", "the end"),
        ])
    func whatIsNoConditionIsNamedWithItsPosition(text: String, offset: Int, expected: String, found: String) {
        let error = #expect(throws: WhereError.self) { try WhereClause(text) }
        #expect(error?.offset == offset)
        #expect(error?.expected == expected)
        #expect(error?.found == found)
    }

    @Test func conditionsInsideEachOtherHaveALimit() {
        #expect(throws: Never.self) {
            try WhereClause(String(repeating: "(", count: 90) + "a = 1" + String(repeating: ")", count: 90))
        }
        for text in [String(repeating: "(", count: 100_000), String(repeating: "not ", count: 100_000)] {
            let error = #expect(throws: WhereError.self) { try WhereClause(text) }
            #expect(error?.expected == "at most 100 conditions inside each other")
        }
    }

    // MARK: Loading

    /// A slice for each record that does not match would cost about ten allocations each.
    @Test(.enabled(if: AllocationCounter.isAvailable)) func recordsThatDoNotMatchCostNoMoreWithALimit() throws {
        let feed = (1...3_000).map { #"{"id":\#($0)}"# + "\n" }.joined()
        func allocations(limit: Int?) throws -> Int {
            let loader = try Loader(.sqlite)
            return try AllocationCounter.count {
                let report = try loader.load(feed, columns: ["id:integer"]) {
                    $0.feed.filter = try WhereClause("id = 3000")
                    ($0.limit, $0.workers) = (limit, 1)
                }
                #expect(report.stored == 1 && report.passedOver == 2_999)
            }
        }
        let whole = try allocations(limit: nil)
        let limited = try allocations(limit: 1)
        #expect(limited < whole + 1_000, "\(limited) and \(whole)")
    }

    /// Of the records after the last wanted one, nothing is counted.
    @Test(arguments: LoaderSink.all, [JSONFeedFormat.lines, .array])
    func aRunWithALimitStopsAtTheLastRecordThatMatches(sink: LoaderSink, format: JSONFeedFormat) throws {
        let records = (1...100).map { #"{"id":\#($0),"k":\#($0 % 10 == 0 ? 1 : 0)\#($0 == 1 ? "" : ",\"x\":1")}"# }
        let text = format == .lines ? records.joined(separator: "\n") : "[" + records.joined(separator: ",") + "]"
        for workers in [1, 2] {
            let loader = try Loader(sink)
            func setUp(_ options: inout IngestOptions) throws {
                (options.feed.filter, options.feed.format) = (try WhereClause("k = 1"), format)
                (options.limit, options.workers) = (3, workers)
            }
            let report = try loader.load(text, columns: ["id:integer"], setUp)
            #expect(try loader.rows("id") == [[10], [20], [30]])
            #expect(report.passedOver == 27)
            #expect(report.unknownKeys.map(\.count) == [3, 3])
            let inferred = try loader.load(text, into: "inferred", setUp)
            #expect(inferred.stored == 3 && inferred.passedOver == 27)
            #expect(try loader.columns(of: "inferred") == ["id", "k", "x"])
            #expect(try loader.rows("id", "k", "x", of: "inferred") == [[10, 1, 1], [20, 1, 1], [30, 1, 1]])
        }
    }

    @Test(arguments: LoaderSink.databases, [1, 2]) func onlyRecordsThatMatchAreStored(sink: LoaderSink, workers: Int) throws {
        let loader = try Loader(sink)
        let lines = (0..<3_000).map { "{\"a\":\($0),\"k\":\"\($0 % 3 == 0 ? "x" : "y")\"\($0 == 1_501 ? ",\"late\":1" : "")}" }
        let file = try loader.scratch.file(
            "a.ndjson", lines.joined(separator: "\n") + "\n{\"k\":\n{\"k\":\"x\",\"a\":3000,\"b\":1}\n")
        for limit in [10, 500, nil] {
            let report = try loader.load(file: file) {
                $0.feed.filter = try WhereClause("k = 'x'")
                ($0.limit, $0.sample, $0.workers, $0.batch) = (limit, 5, workers, 100)
            }
            #expect(report.rejected == (limit == nil ? 1 : 0))
        }
        // The key that came late is one of a record that does not match.
        #expect(try loader.columns() == ["a", "k", "b"])
        #expect(try loader.rows("a", "k") == stride(from: 0, through: 3_000, by: 3).map { [.integer($0), "x"] })
        #expect(try loader.load(file: file) { $0.feed.filter = try WhereClause("k = 'x'") }.outcome == .nothingToDo)
        #expect(throws: IngestError.self) { try loader.load(file: file) { $0.feed.filter = try WhereClause("k = 'y'") } }
    }

    @Test(arguments: LoaderSink.databases) func columnsAreThoseOfTheFirstRecordThatMatchesHoweverLateItComes(sink: LoaderSink)
        throws
    {
        let loader = try Loader(sink)
        let text = String(repeating: "{\"a\":1,\"b\":\"\(String(repeating: "x", count: 90))\"}\n", count: 5_000) + "{\"c\":1}\n"
        let file = try loader.scratch.file("a.ndjson", text)
        let report = try loader.load(file: file) {
            ($0.feed.filter, $0.maximumSampleSize) = (try WhereClause("exists c"), 1_000)
        }
        #expect(report.columns.map(\.name) == ["c"])
        #expect(report.stored == 1)
        #expect(report.passedOver == 5_000)
        let none = try loader.load(file: file, into: "none") { $0.feed.filter = try WhereClause("exists d") }
        #expect(none.stored == 0 && none.passedOver == 5_001 && none.columns.isEmpty)
        #expect(throws: (any Error).self) { try loader.count("none") }
        // A pipe is kept in memory up to a limit.
        let error = #expect(throws: IngestError.self) {
            try loader.load(text, into: "pipe") {
                $0.feed.filter = try WhereClause("exists c")
                ($0.maximumSampleSize, $0.maximumRecordSize) = (1_000, 1_000)
            }
        }
        #expect(
            error?.description.contains("cannot be read again; declare the columns with columns(_:)") == true,
            "\(String(describing: error))")
    }

    // MARK: Limits

    @Test func aPathOfThousandsOfKeysIsAnErrorAndNoCrash() throws {
        let long = Array(repeating: "a", count: 6_000).joined(separator: ".")
        let error = #expect(throws: WhereError.self) { try WhereClause("\(long) = 1") }
        #expect(error?.expected == "at most 512 keys" && error?.found == "6000")
        #expect(throws: IngestError.self) { try ColumnOption("x:integer=\(long)") }
        #expect(throws: JSONError.self) { try JSONRecordPath(long) }
        #expect(throws: JSONError.self) { try JSONRecordPath("/" + long.replacing(".", with: "/")) }
        let deepest = Array(repeating: "a", count: 500).joined(separator: ".")
        let record = String(repeating: "{\"a\":", count: 500) + "1" + String(repeating: "}", count: 500)
        var filter = try WhereClause("\(deepest) = 1").predicate.makeFilter()
        #expect(unsafe Array(record.utf8).withUnsafeBytes { unsafe filter.matches($0) })
        let column = try ColumnOption("x:integer=\(deepest)").column
        let reader = ColumnReader(columns: [column])
        try unsafe Array(record.utf8).withUnsafeBytes { try unsafe reader.read($0) }
        #expect(reader.cell(at: 0).isPresent)
    }

    @Test(arguments: ["and", "or"]) func thousandsOfConditionsAreAnErrorAndHundredsAreFast(word: String) throws {
        func text(_ count: Int) -> String { (0..<count).map { "id != \($0 + 5)" }.joined(separator: " \(word) ") }
        let error = #expect(throws: WhereError.self) { try WhereClause(text(5_000)) }
        #expect(error?.expected == "at most 1,000 conditions")
        #expect(try matches(text(1_000)) == [1, 2, 3, 4])
    }

    @Test func aListMayHaveThousandsOfValues() throws {
        let numbers = (2...20_000).map(String.init).joined(separator: ", ")
        #expect(try WhereClause("id in (\(numbers))").predicate.conditionCount == 1)
        #expect(try matches("id in (\(numbers))") == [2, 3])
        #expect(try matches("id in (\(numbers), 'x', 1.0, true)") == [1, 2, 3])
    }

    @Test func aChainOfConditionsInCodeIsOneList() {
        let long = (0..<20_000).reduce(FilterExpression.condition(0)) { $0.or(.condition($1)) }
        #expect(long.evaluate { FilterTruth($0 == 19_999) } == .yes)
        #expect(long.and(long).evaluate { _ in .no } == .no)
    }
}
#endif
