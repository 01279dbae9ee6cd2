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

    @Test func aWholeValueKeepsItsText() throws {
        let scratch = try Scratch()
        _ = try scratch.ingest(FlatteningTests.record + "\n") { $0.flattening = Flattening(whole: [["actor"]]) }
        #expect(try scratch.value("SELECT actor FROM records") == #"{"name":"ann","home":{"city":"Bonn","geo":{"lat":1}}}"#)
    }

    @Test(arguments: [1, 2]) func keysThatComeLateAreFlattenedAsFarAsEarlyOnes(workers: Int) throws {
        let scratch = try Scratch()
        _ = try scratch.ingest(#"{"id":1}"# + "\n" + FlatteningTests.record + "\n") {
            ($0.sample, $0.workers, $0.flattening) = (1, workers, Flattening(depth: 2))
        }
        #expect(
            try Array(#require(scratch.rows("SELECT * FROM records").first).columnNames) == [
                "id", "actor_name", "actor_home", "tags",
            ])
        let whole = try Scratch()
        _ = try whole.ingest(#"{"id":1}"# + "\n" + FlatteningTests.record + "\n" + #"{"id":3,"actor":"ann"}"#) {
            ($0.sample, $0.workers, $0.flattening) = (1, workers, Flattening(whole: [["actor"]]))
        }
        #expect(try whole.rows("SELECT actor FROM records WHERE id = 3") == [["actor": "\"ann\""]])
        #expect(try Array(#require(whole.rows("SELECT * FROM records").first).columnNames) == ["id", "actor", "tags"])
    }

    @Test func elementsOfArraysAreFlattenedAsFarAsTheirPathsSay() throws {
        let scratch = try Scratch()
        let text = #"{"id":1,"items":[{"a":{"b":1},"c":{"d":2}}],"a":{"b":3}}"#
        _ = try scratch.ingest(text) {
            $0.feed.format = .lines
            ($0.children.storage, $0.flattening) = (.tables, Flattening(whole: [["items", "a"]]))
        }
        #expect(try scratch.rows("SELECT a, c_d FROM records_items") == [["a": #"{"b":1}"#, "c_d": 2]])
        #expect(try scratch.rows("SELECT a_b FROM records") == [["a_b": 3]])
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

    @Test func aRunThatGoesOnInALongMapKnowsTheKey() throws {
        let scratch = try Scratch()
        let records = (0..<100).map { #"{"id":\#($0)}"# }.joined(separator: ",")
        let path = try scratch.file("map.json", #"{"a":[\#(records)],"b":[\#(records)]}"#)
        for limit in [150, nil] {
            _ = try scratch.ingest(file: path) {
                $0.feed.path = "*"
                $0.feed.wrapping = RecordWrapping(keyColumn: "event", valueColumn: "value")
                $0.limit = limit
            }
        }
        #expect(try scratch.value("SELECT count(*) FROM records WHERE event = 'a'") == 100)
        #expect(try scratch.value("SELECT count(*) FROM records WHERE event = 'b'") == 100)
    }

    /// The key of the records before is no key of the oversized one, which is rejected before it becomes an object.
    @Test(arguments: [1, 2]) func aRunThatGoesOnAfterAnOversizedRecordOfAMapKnowsTheKey(oversized: Int) throws {
        for workers in [1, 2] {
            let scratch = try Scratch()
            let long = #"{"id":\#(oversized),"x":"\#(String(repeating: "x", count: 200))"}"#
            let records = (1...3).map { $0 == oversized ? long : #"{"id":\#($0)}"# }.joined(separator: ",")
            let path = try scratch.file("map.json", #"{"a":[{"id":0}],"b":[\#(records)]}"#)
            for limit in [oversized + 1, nil] {
                let report = try scratch.ingest(file: path) {
                    $0.feed.path = "*"
                    $0.feed.wrapping = RecordWrapping(keyColumn: "event", valueColumn: "value")
                    ($0.feed.format, $0.limit, $0.workers, $0.maximumRecordSize) = (.object, limit, workers, 100)
                }
                #expect(report.resumed.count == (limit == nil ? 1 : 0))
            }
            let rows = try scratch.rows("SELECT event, id FROM records ORDER BY id")
            #expect(rows == [["event": "a", "id": 0]] + (1...3).filter { $0 != oversized }.map { ["event": "b", "id": $0] })
        }
    }

    @Test(arguments: Array(1...5)) func aRunThatGoesOnInAMapKnowsTheKey(limit: Int) throws {
        let scratch = try Scratch()
        let path = try scratch.file("map.json", FlatteningTests.map)
        func run(_ limit: Int?) throws {
            _ = try scratch.ingest(file: path) {
                $0.feed.path = "events.*"
                $0.feed.wrapping = RecordWrapping(keyColumn: "event", valueColumn: "value")
                $0.limit = limit
                $0.batch = 1
            }
        }
        try run(limit)
        try run(nil)
        #expect(try scratch.value("SELECT group_concat(event, ' ') FROM records") == "e\"1 e2 e3 e3 e4")
    }

    @Test func aRecordThatHasTheNameOfTheKeyColumnIsRejected() throws {
        let scratch = try Scratch()
        let report = try scratch.ingest(#"{"a":{"id":1},"b":{"id":2,"key":5},"c":{"id":3}}"#) {
            $0.feed.path = "*"
            $0.feed.wrapping = RecordWrapping(keyColumn: "key")
            $0.rejects = "bad"
        }
        #expect(report.rejected == 1)
        #expect(report.rejections.first?.reason.contains("no key 'key' in a record") == true)
        #expect(try scratch.value("SELECT json_line FROM bad") == #"{"id":2,"key":5}"#)
        #expect(try scratch.rows("SELECT key, id FROM records") == [["key": "a", "id": 1], ["key": "c", "id": 3]])
    }

    @Test func anErrorInAMemberHasItsPlaceInTheFeed() throws {
        let scratch = try Scratch()
        let text = #"{"a":{"id":1},"b":  {"id":"x"}}"#
        let report = try scratch.ingest(text, columns: ["k:text", "id:integer"]) {
            $0.feed.path = "*"
            $0.feed.wrapping = RecordWrapping(keyColumn: "k")
        }
        let place = try #require(text.utf8.firstRange(of: Array("\"x\"".utf8)))
        let column = text.utf8.distance(from: text.startIndex, to: place.lowerBound) + 1
        #expect(report.rejections.first?.reason.contains("column \(column)") == true, "\(report.rejections)")
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
