#if SQLite
import SluiceCore
import SluiceFeed
import SluiceIngest
import SluiceTestSupport
import Testing

/// How far objects become columns, and records without keys of their own. What the options of the tool mean is tested there.
@Suite struct FlatteningTests {
    private static let record = #"{"id":1,"actor":{"name":"ann","home":{"city":"Bonn","geo":{"lat":1}}},"tags":["x"]}"#

    @Test(
        arguments: LoaderSink.all,
        [
            (Flattening(), "id actor_name actor_home_city actor_home_geo_lat tags"), (Flattening(depth: 1), "id actor tags"),
            (Flattening(depth: 2), "id actor_name actor_home tags"),
            (Flattening(depth: 3), "id actor_name actor_home_city actor_home_geo tags"),
            (Flattening(whole: [["actor", "home"]]), "id actor_name actor_home tags"),
            (Flattening(whole: [["actor"], ["id"]]), "id actor tags"),
        ] as [(Flattening, String)])
    func depthSaysWhichObjectsBecomeColumns(sink: LoaderSink, rule: (flattening: Flattening, names: String)) throws {
        let loader = try Loader(sink)
        // A file of NDJSON has columns if an option asks for them.
        try loader.load(Self.record + "\n") { ($0.flattening, $0.contract) = (rule.flattening, .report) }
        #expect(try loader.columns() == rule.names.split(separator: " ").map(String.init))
    }

    @Test(arguments: LoaderSink.all) func aWholeValueKeepsItsText(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try loader.load(Self.record + "\n") { $0.flattening = Flattening(whole: [["actor"]]) }
        #expect(try loader.rows("actor") == [[loader.json(#"{"name":"ann","home":{"city":"Bonn","geo":{"lat":1}}}"#)]])
    }

    @Test(arguments: LoaderSink.databases, [1, 2]) func keysThatComeLateAreFlattenedAsFarAsEarlyOnes(
        sink: LoaderSink, workers: Int
    ) throws {
        let loader = try Loader(sink)
        try loader.load(#"{"id":1}"# + "\n" + Self.record + "\n") {
            ($0.sample, $0.workers, $0.flattening) = (1, workers, Flattening(depth: 2))
        }
        #expect(try loader.columns() == ["id", "actor_name", "actor_home", "tags"])
        try loader.load(#"{"id":1}"# + "\n" + Self.record + "\n" + #"{"id":3,"actor":"ann"}"#, into: "whole") {
            ($0.sample, $0.workers, $0.flattening) = (1, workers, Flattening(whole: [["actor"]]))
        }
        #expect(try loader.rows("id", "actor", of: "whole").last == [3, "\"ann\""])
        #expect(try loader.columns(of: "whole") == ["id", "actor", "tags"])
    }

    @Test(arguments: LoaderSink.databases) func elementsOfArraysAreFlattenedAsFarAsTheirPathsSay(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try loader.load(#"{"id":1,"items":[{"a":{"b":1},"c":{"d":2}}],"a":{"b":3}}"#) {
            $0.feed.format = .lines
            ($0.children.storage, $0.flattening) = (.tables, Flattening(whole: [["items", "a"]]))
        }
        #expect(try loader.rows("a", "c_d", of: "records_items") == [[#"{"b":1}"#, 2]])
        #expect(try loader.rows("a_b") == [[3]])
    }

    // MARK: Maps of records

    private static let map = #"{"n":2,"events":{"e\"1":{"id":1},"e2": {},"e3":[{"id":3},{"id":4}],"e4":"x"}}"#
    private static let wrapping = RecordWrapping(keyColumn: "event", valueColumn: "value")

    @Test(arguments: LoaderSink.all, [1, 2]) func theKeyOfARecordBecomesAColumn(sink: LoaderSink, workers: Int) throws {
        let loader = try Loader(sink)
        try loader.load(Self.map) { ($0.feed.path, $0.feed.wrapping, $0.workers) = ("events.*", Self.wrapping, workers) }
        #expect(
            try loader.rows("event", "id", "value") == [
                ["e\"1", 1, nil], ["e2", nil, nil], ["e3", 3, nil], ["e3", 4, nil], ["e4", nil, "x"],
            ])
    }

    @Test(arguments: LoaderSink.databases) func aRunThatGoesOnInALongMapKnowsTheKey(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let records = (0..<100).map { #"{"id":\#($0)}"# }.joined(separator: ",")
        let path = try loader.scratch.file("map.json", #"{"a":[\#(records)],"b":[\#(records)]}"#)
        for limit in [150, nil] {
            try loader.load(file: path) { ($0.feed.path, $0.feed.wrapping, $0.limit) = ("*", Self.wrapping, limit) }
        }
        let rows = try loader.rows("event", "id")
        #expect(rows == ["a", "b"].flatMap { event in (0..<100).map { [event, .integer($0)] } })
    }

    /// The key of the records before is no key of the oversized one, which is rejected before it becomes an object.
    @Test(arguments: LoaderSink.databases, [1, 2])
    func aRunThatGoesOnAfterAnOversizedRecordOfAMapKnowsTheKey(sink: LoaderSink, oversized: Int) throws {
        for workers in [1, 2] {
            let loader = try Loader(sink)
            let long = #"{"id":\#(oversized),"x":"\#(String(repeating: "x", count: 200))"}"#
            let records = (1...3).map { $0 == oversized ? long : #"{"id":\#($0)}"# }.joined(separator: ",")
            let path = try loader.scratch.file("map.json", #"{"a":[{"id":0}],"b":[\#(records)]}"#)
            for limit in [oversized + 1, nil] {
                let report = try loader.load(file: path) {
                    ($0.feed.path, $0.feed.wrapping) = ("*", Self.wrapping)
                    ($0.feed.format, $0.limit, $0.workers, $0.maximumRecordSize) = (.object, limit, workers, 100)
                }
                #expect(report.resumed.count == (limit == nil ? 1 : 0))
            }
            let rows: [[StoredValue]] = [["a", 0]] + (1...3).filter { $0 != oversized }.map { ["b", .integer(Int64($0))] }
            #expect(try loader.rows("event", "id", by: "id") == rows)
        }
    }

    @Test(arguments: LoaderSink.databases, 1...5) func aRunThatGoesOnInAMapKnowsTheKey(sink: LoaderSink, limit: Int) throws {
        let loader = try Loader(sink)
        let path = try loader.scratch.file("map.json", Self.map)
        for limit in [limit, nil] {
            try loader.load(file: path) {
                ($0.feed.path, $0.feed.wrapping, $0.limit, $0.batch) = ("events.*", Self.wrapping, limit, 1)
            }
        }
        #expect(try loader.rows("event") == [["e\"1"], ["e2"], ["e3"], ["e3"], ["e4"]])
    }

    @Test(arguments: LoaderSink.databases) func aRecordThatHasTheNameOfTheKeyColumnIsRejected(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let report = try loader.load(#"{"a":{"id":1},"b":{"id":2,"key":5},"c":{"id":3}}"#) {
            ($0.feed.path, $0.feed.wrapping, $0.rejects) = ("*", RecordWrapping(keyColumn: "key"), .table("bad"))
        }
        #expect(report.rejected == 1)
        #expect(report.rejections.first?.reason.contains("no key 'key' in a record") == true)
        #expect(try loader.rows("json_line", of: "bad") == [[#"{"id":2,"key":5}"#]])
        #expect(try loader.rows("key", "id") == [["a", 1], ["c", 3]])
    }

    @Test(arguments: LoaderSink.all) func anErrorInAMemberHasItsPositionInTheFeed(sink: LoaderSink) throws {
        let text = #"{"a":{"id":1},"b":  {"id":"x"}}"#
        let report = try Loader(sink).load(text, columns: ["k:text", "id:integer"]) {
            ($0.feed.path, $0.feed.wrapping) = ("*", RecordWrapping(keyColumn: "k"))
        }
        let range = try #require(text.utf8.firstRange(of: Array("\"x\"".utf8)))
        let column = text.utf8.distance(from: text.startIndex, to: range.lowerBound) + 1
        #expect(report.rejections.first?.reason.contains("column \(column)") == true, "\(report.rejections)")
    }

    @Test(arguments: LoaderSink.all) func aFeedOfValuesMakesOneColumn(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try loader.load("1\n2\n") { $0.feed.wrapping = RecordWrapping(keyColumn: nil, valueColumn: "value") }
        #expect(try loader.rows("value") == [[1], [2]])
    }
}
#endif
