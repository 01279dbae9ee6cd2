#if CommandLine && os(Linux)
import Foundation
import GRDB
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceFeed
@testable import SluiceIngest
@testable import SluiceTool

/// How far objects become columns, and records without keys of their own.
@Suite struct FlatteningTests {
    static let record = #"{"id":1,"actor":{"name":"ann","home":{"city":"Bonn","geo":{"lat":1}}},"tags":["x"]}"#

    @Test(
        .enabled(if: Shell.isPresent),
        arguments: [
            ("", "id actor_name actor_home_city actor_home_geo_lat tags"), ("--depth 1", "id actor tags"),
            ("--no-flatten", "id actor tags"),
            ("--depth 2", "id actor_name actor_home tags"), ("--depth 3", "id actor_name actor_home_city actor_home_geo tags"),
            ("--json actor.home", "id actor_name actor_home tags"), ("--json actor --json id", "id actor tags"),
        ])
    func depthSaysWhichObjectsBecomeColumns(options: String, names: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", FlatteningTests.record + "\n")
        let names = names.split(separator: " ").map(String.init)
        let csv = try scratch.shell("sluice convert --to csv \(options) in.ndjson")
        #expect(csv.output.hasPrefix(names.joined(separator: ",") + "\r\n"), "\(csv)")
        #expect(try scratch.shell("sluice ingest \(options) in.ndjson out.db").status == 0)
        let row = try #require(try scratch.rows("SELECT * FROM records").first)
        #expect(Array(row.columnNames) == names)
        let infer = try scratch.shell("sluice infer \(options) in.ndjson")
        #expect(infer.output.split(separator: "\n").map { $0.prefix { $0 != ":" } } == names.map { $0[...] }, "\(infer)")
        let sql = try scratch.shell("sluice infer --as sql \(options) in.ndjson").output
        #expect(names.allSatisfy { sql.contains("\"\($0)\"") })
        #expect(try scratch.shell("sluice convert --to arrow \(options) -o a.arrow in.ndjson").status == 0)
    }

    @Test(
        .enabled(if: Shell.isPresent),
        arguments: [
            "ingest --depth 0 in.ndjson out.db", "ingest --depth 9 in.ndjson out.db", "infer --as swift --depth 2 in.ndjson",
            "ingest --depth 2 --no-flatten in.ndjson out.db", "ingest --json 'a[' in.ndjson out.db",
            "convert --to csv --columns id --depth 1 in.ndjson", "ingest --column id:integer --json a in.ndjson out.db",
            "ingest --key-column k in.ndjson out.db", "ingest --key-column k --at a in.ndjson out.db",
            "ingest --header --value-column v in.ndjson out.db",
            "ingest --key-column value --value-column value --at '*' in.ndjson out.db",
        ])
    func optionsThatContradictEachOtherAreRefused(command: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", FlatteningTests.record + "\n")
        #expect(try scratch.shell("sluice \(command)").status == 64)
    }

    // MARK: Maps of records

    static let map = #"{"n":2,"events":{"e\"1":{"id":1},"e2": {},"e3":[{"id":3},{"id":4}],"e4":"x"}}"#

    @Test(.enabled(if: Shell.isPresent), arguments: [1, 2]) func theKeyOfARecordBecomesAColumn(workers: Int) throws {
        let scratch = try Scratch()
        _ = try scratch.file("map.json", FlatteningTests.map)
        let options = "--workers \(workers) --at 'events.*' --key-column event"
        let result = try scratch.shell("sluice convert \(options) map.json")
        #expect(
            result.output == #"{"event":"e\"1","id":1}"# + "\n" + #"{"event":"e2"}"# + "\n" + #"{"event":"e3","id":3}"# + "\n"
                + #"{"event":"e3","id":4}"# + "\n" + #"{"event":"e4","value":"x"}"# + "\n", "\(result)")
        #expect(try scratch.shell("sluice ingest \(options) map.json out.db").status == 0)
        #expect(
            try scratch.rows("SELECT * FROM records") == [
                ["event": "e\"1", "id": 1, "value": nil], ["event": "e2", "id": nil, "value": nil],
                ["event": "e3", "id": 3, "value": nil], ["event": "e3", "id": 4, "value": nil],
                ["event": "e4", "id": nil, "value": "x"],
            ])
        #expect(try scratch.shell("sluice infer \(options) map.json").output == "event:text\nid:integer\nvalue:text\n")
    }

    @Test(.enabled(if: Shell.isPresent)) func aFeedOfValuesMakesOneColumn() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", "1\n2\n")
        let hint = try scratch.shell("sluice ingest in.ndjson out.db")
        #expect(hint.status == 2)
        #expect(hint.errors.contains("all are plain values; with --value-column value they make one column"), "\(hint)")
        #expect(try scratch.shell("sluice ingest --value-column value in.ndjson out.db").status == 0)
        #expect(try scratch.rows("SELECT value FROM records") == [["value": 1], ["value": 2]])
    }

    @Test(.enabled(if: Shell.isPresent)) func aMapOfRecordsIsAnsweredByTheOptionForIt() throws {
        let scratch = try Scratch()
        let members = (1...30).map { "\"e\($0)\":{\"id\":\($0),\"name\":\"x\"}" }.joined(separator: ",")
        _ = try scratch.file("map.json", "{\"events\":{\(members)}}")
        let hint = try scratch.shell("sluice ingest --at events map.json out.db")
        #expect(hint.status == 64)
        #expect(
            hint.errors
                == "sluice: one object; its 30 members look like records: choose --at 'events.*' and --key-column key, "
                + "or --format object for the object itself\n")
        #expect(try scratch.shell("sluice ingest --at 'events.*' --key-column key map.json out.db").status == 0)
        #expect(try scratch.count() == 30)
        #expect(try scratch.shell("sluice ingest --format object --at events map.json one.db").status == 0)
        #expect(try scratch.count(in: "one.db") == 1)
    }
}
#endif
