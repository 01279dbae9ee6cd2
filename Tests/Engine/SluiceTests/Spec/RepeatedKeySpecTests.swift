// A key that an object has twice: one rule, whatever becomes of the object.
#if Macros && SQLite

import Foundation
import GRDB
import Sluice
import SluiceCodable
import SluiceIngest
import SluiceSQLite
import Testing

@testable import SluiceCore
@testable import SluiceTestSupport

@Suite struct RepeatedKeySpecTests {
    @JSONModel
    struct Point: Equatable {
        var a: Int
    }

    @JSONModel
    struct Deep: Equatable {
        @JSONKey("o.a") var a: Int
    }

    @JSONModel
    struct Sides: Equatable {
        @JSONKey("o.a") var a: Int?
        @JSONKey("o.b") var b: Int?
    }

    @JSONModel
    struct Either: Equatable {
        @JSONKey("a", "b") var a: Int
    }

    @JSONModel
    struct Shared: Equatable {
        @JSONKey("a") var tree: JSONValue
        @JSONKey("a.b") var b: Int?
    }

    @JSONModel(unknownKeys: .collect(into: "rest"))
    struct Collector: Equatable {
        var rest: JSONObject
    }

    @JSONModel(unknownKeys: .collect(into: "rest"))
    struct Gatherer: Equatable {
        var rest: [String: JSONValue]
    }

    @JSONModel
    struct Texted: Equatable {
        @JSONString var text: Point
    }

    @JSONModel
    struct Seen: Equatable, JSONWillRead {
        var a = 0
        static func willRead(_ object: inout JSONObject) -> Bool {
            object["a"] = object["a"]?.int.map { .number(JSONNumber($0 * 10)) } ?? .null
            return true
        }
    }

    @JSONModel
    struct Inlining: Equatable {
        @JSONInline var point: Point
    }

    @JSONModel(tag: .key("t"))
    enum Tagged: Equatable {
        case x(Point)
        case y(Point)
    }

    @JSONModel(tag: .key("t", content: "c.d"))
    enum Adjacent: Equatable {
        case x(Point)
        case y(Point)
    }

    @JSONModel(tag: .external)
    enum External: Equatable {
        case x(Point)
        case y(Point)
        case z
    }

    @JSONModel(tag: .presence)
    enum Present: Equatable {
        @JSONKey("a") case x(Point)
        @JSONKey("b") case y(Collector)
    }

    @JSONModel(tag: .function { $0.tag("t") })
    enum Chosen: Equatable {
        case x(Point)
        case y(Point)
    }

    @JSONModel(tag: .untagged)
    enum Tried: Equatable {
        case x(Point)
        case y([String: Int])
    }

    @JSONModel
    enum Size: String, JSONKeyBindable {
        case small, large
    }

    /// What becomes of an object, and an object with a repeated key.
    // Safe: what it calls uses nothing but its arguments.
    struct Consumer: CustomTestStringConvertible, @unchecked Sendable {
        let testDescription: String
        let text: String
        /// What the object becomes if the last value of the key counts, or the first one.
        let last: String
        let first: String
        /// The path of the error if the rule is `error`; nil if the key may be repeated, because nothing takes it.
        let path: String?
        /// How many values the report counts: those of keys that were another text.
        var counted = 0
        let read: (String, JSONReader.Options) throws -> (value: String, counted: Int, disagreements: [String])

        init<Value: JSONBindable & Equatable>(
            _ name: String, _ type: Value.Type, _ text: String, last: String, first: String, path: String?, counted: Int = 0,
            words: @escaping (Value) -> String
        ) {
            (testDescription, self.text, self.last, self.first, self.path) = (name, text, last, first, path)
            self.counted = counted
            read = { text, options in
                let reading = readings(of: type, text, options: options)
                guard let value = reading.value else { throw try #require(reading.error) }
                return (words(value), reading.report.droppedCount, reading.disagreements)
            }
        }

        init(
            _ name: String, _ text: String, last: String, first: String, path: String?,
            read: @escaping (String, JSONReader.Options) throws -> String
        ) {
            (testDescription, self.text, self.last, self.first, self.path) = (name, text, last, first, path)
            self.read = { (try read($0, $1), 0, []) }
        }
    }

    private static let decomposed = "e\\u0301"
    private static let composed = "\\u00e9"
    private static let uuid = "12345678-9abc-def0-1234-56789abcdef0"

    private static let models: [Consumer] = [
        Consumer("a model", Point.self, #"{"a":1,"a":2}"#, last: "2", first: "1", path: "a") { "\($0.a)" },
        Consumer("an element", [Point].self, #"[{"a":0},{"a":1,"a":2}]"#, last: "2", first: "1", path: "[1].a") { "\($0[1].a)" },
        Consumer("a key path", Deep.self, #"{"o":{"a":1,"a":2}}"#, last: "2", first: "1", path: "o.a") { "\($0.a)" },
        Consumer("two objects of a path", Deep.self, #"{"o":{"a":1},"o":{"a":2}}"#, last: "2", first: "1", path: "o") {
            "\($0.a)"
        },
        Consumer("two parts of a path", Sides.self, #"{"o":{"a":1},"o":{"b":2}}"#, last: "1 2", first: "1 2", path: "o") {
            "\($0.a ?? 0) \($0.b ?? 0)"
        },
        Consumer("another key", Either.self, #"{"b":1,"b":2}"#, last: "2", first: "1", path: "b") { "\($0.a)" },
        Consumer("a shared key", Shared.self, #"{"a":{"b":1},"a":{"b":2}}"#, last: "2", first: "1", path: "a") { "\($0.b ?? 0)" },
        Consumer("collected members", Collector.self, #"{"k":1,"k":2}"#, last: "2", first: "1", path: "k") {
            $0.rest["k"]?.description ?? ""
        },
        Consumer("a dictionary of collected members", Gatherer.self, #"{"k":1,"k":2}"#, last: "2", first: "1", path: "k") {
            $0.rest["k"]?.description ?? ""
        },
        Consumer("unknown keys", Point.self, #"{"a":1,"k":1,"k":2}"#, last: "1", first: "1", path: nil) { "\($0.a)" },
        Consumer("the JSON of a string", Texted.self, #"{"text":"{\"a\":1,\"a\":2}"}"#, last: "2", first: "1", path: "text.a") {
            "\($0.text.a)"
        },
        Consumer("what a hook sees", Seen.self, #"{"a":1,"a":2}"#, last: "20", first: "10", path: "a") { "\($0.a)" },
        Consumer("an inlined model", Inlining.self, #"{"a":1,"a":2}"#, last: "2", first: "1", path: "a") {
            "\($0.point.a)"
        },
        Consumer(
            "JSON as it stands", [RawJSON].self, #"[{"a":1,"a":2}]"#, last: #"{"a":1,"a":2}"#, first: #"{"a":1,"a":2}"#, path: nil
        ) {
            $0[0].text
        },
    ]

    private static let variants: [Consumer] = [
        Consumer("a tag", Tagged.self, #"{"t":"x","a":1,"t":"y"}"#, last: "y(1)", first: "x(1)", path: "t", words: words),
        Consumer(
            "a tag beside its content", Adjacent.self, #"{"t":"x","c":{"d":{"a":1}},"t":"y"}"#, last: "y(1)", first: "x(1)",
            path: "t", words: words),
        Consumer(
            "the content of a tag", Adjacent.self, #"{"t":"x","c":{"d":{"a":1},"d":{"a":2}}}"#, last: "x(2)", first: "x(1)",
            path: "c.d", words: words),
        Consumer(
            "the way to the content of a tag", Adjacent.self, #"{"c":{"d":{"a":1}},"t":"x","c":{"d":{"a":2}}}"#, last: "x(2)",
            first: "x(1)", path: "c", words: words),
        Consumer(
            "an external tag", External.self, #"{"x":{"a":1},"x":{"a":2}}"#, last: "x(2)", first: "x(1)", path: "x", words: words),
        Consumer("a key that is present", Present.self, #"{"a":1,"a":2}"#, last: "x(2)", first: "x(1)", path: "a", words: words),
        Consumer(
            "a function's choice", Chosen.self, #"{"t":"x","a":1,"t":"y"}"#, last: "y(1)", first: "x(1)", path: "t", words: words),
        Consumer("a value that is tried", Tried.self, #"{"a":1,"a":2}"#, last: "x(2)", first: "x(1)", path: "a", words: words),
    ]

    private static let dictionaries: [Consumer] = [
        Consumer("a dictionary", [String: Int].self, #"{"k":1,"k":2}"#, last: "2", first: "1", path: "k") { "\($0["k"] ?? 0)" },
        Consumer(
            "a dictionary of models", [String: Point].self, #"{"k":{"a":1},"j":{"a":3},"k":{"a":2}}"#, last: "2", first: "1",
            path: "k"
        ) {
            "\($0["k"]?.a ?? 0)"
        },
        Consumer("keys with escapes", [String: Int].self, #"{"k":1,"\u006b":2}"#, last: "2", first: "1", path: "k") {
            "\($0["k"] ?? 0)"
        },
        Consumer("integers as keys", [Int: Int].self, #"{"7":1,"8":3,"7":2}"#, last: "2", first: "1", path: "7") {
            "\($0[7] ?? 0)"
        },
        Consumer("an enum as key", [Size: Int].self, #"{"small":1,"small":2}"#, last: "2", first: "1", path: "small") {
            "\($0[.small] ?? 0)"
        },
        Consumer(
            "a UUID as key", [UUID: Int].self, #"{"\#(uuid)":1,"\#(uuid)":2}"#, last: "2", first: "1", path: uuid,
            words: only),
        Consumer(
            "two spellings of a UUID", [UUID: Int].self, #"{"\#(uuid)":1,"\#(uuid.uppercased())":2}"#, last: "2", first: "1",
            path: uuid.uppercased(), counted: 1, words: only),
        Consumer(
            "strings that look alike", [String: Int].self, #"{"k":5,"\#(decomposed)":1,"\#(composed)":2}"#, last: "2", first: "1",
            path: "é", counted: 1
        ) {
            "\($0["\u{e9}"] ?? 0)"
        },
        Consumer(
            "strings that look alike, one of them ASCII", [String: [Int]].self, "{\"K\":[1],\"\u{212A}\":[2]}", last: "[2]",
            first: "[1]", path: "\u{212A}", counted: 1, words: only),
        Consumer("a tree", JSONValue.self, #"{"k":1,"k":2}"#, last: "2", first: "1", path: "k") { $0["k"]?.description ?? "" },
        Consumer("an object", JSONObject.self, #"{"o":{"k":1,"k":2}}"#, last: "2", first: "1", path: "o.k") {
            $0["o"]?["k"]?.description ?? ""
        },
    ]

    private static let others: [Consumer] = [
        Consumer("an update", #"{"a":1,"a":2}"#, last: "2", first: "1", path: "a") { text, options in
            var point = Point(a: 0)
            try point.update(json: text, options: options)
            return "\(point.a)"
        },
        Consumer("members that an update collects", #"{"k":1,"k":2}"#, last: "2", first: "1", path: "k") { text, options in
            var collector = Collector(rest: [:])
            try collector.update(json: text, options: options)
            return collector.rest["k"]?.description ?? ""
        },
        Consumer("a record of a feed", #"{"a":1,"a":2}"#, last: "2", first: "1", path: "a") { text, options in
            let feed = JSONFeed<Point>(bytes: Array(text.utf8), options: .init(reading: options))
            return try feed.next().map { "\($0.a)" } ?? ""
        },
        Consumer("a condition on a property", #"{"a":1,"a":2}"#, last: "2", first: "1", path: "a") { text, options in
            try matching(text, options) { number in (\Point.a == number).makeFilter(options: options) }
        },
        Consumer("a condition on a column", #"{"a":1,"a":2}"#, last: "2", first: "1", path: "a") { text, options in
            let column = JSONColumn(name: "a", type: .integer, keys: ["a"])
            return try matching(text, options) { number in
                try RecordPredicate(column, .equal, .integer(Int64(number))).makeFilter(options: options)
            }
        },
        Consumer("a row", #"{"a":1,"a":2}"#, last: "2", first: "1", path: "a") { text, options in
            let reader = ColumnReader(columns: [JSONColumn(name: "a", type: .integer, keys: ["a"])], options: options)
            if let error = failure(of: reader, text) { throw error }
            guard case .integer(let value) = reader.value(at: 0) else { return "" }
            return "\(value)"
        },
    ]

    private static func words(_ value: some Any) -> String {
        let words = "\(value)"
        return "\(words.prefix { $0 != "(" })(\(words.filter(\.isNumber)))"
    }

    private static func only(_ value: [some Hashable: some Any]) -> String { value.values.map { "\($0)" }.joined(separator: " ") }

    /// The error of reading a record.
    private static func failure(of reader: ColumnReader, _ text: String) -> JSONError? {
        unsafe Array(text.utf8).withUnsafeBytes { bytes in
            do throws(JSONError) {
                try unsafe reader.read(bytes)
                return nil
            } catch {
                return error
            }
        }
    }

    /// The numbers, of 1 and 2, with which a filter lets a record pass.
    private static func matching(
        _ text: String, _ options: JSONReader.Options, _ filter: (Int) throws -> RecordFilter
    ) throws -> String {
        var found: [String] = []
        for number in 1...2 {
            var filter = try filter(number)
            let verdict = unsafe Array(text.utf8).withUnsafeBytes { unsafe filter.verdict(on: $0) }
            // The record is bound, and that is an error.
            if verdict == .unclear { _ = try Point(json: text, options: options) }
            if verdict == .matches { found.append("\(number)") }
        }
        return found.joined(separator: " ")
    }

    @Test(arguments: models + variants + dictionaries + others)
    func whateverBecomesOfAnObjectFollowsTheRuleForRepeatedKeys(_ consumer: Consumer) throws {
        for base in [JSONReader.Options.strict, .lenient, .tolerant, .strict.throughYajl] {
            for rule in [JSONReader.Options.DuplicateKeys.last, .first, .error, .errorEverywhere] {
                var options = base
                options.duplicateKeys = rule
                let expected = rule == .last ? consumer.last : rule == .first ? consumer.first : nil
                do {
                    let reading = try consumer.read(consumer.text, options)
                    #expect(reading.value == expected ?? consumer.last, "\(rule)")
                    #expect(rule == .last || rule == .first || rule == .error && consumer.path == nil, "\(rule) \(reading.value)")
                    // Of members that are kept in a tree, none is lost.
                    #expect(reading.counted == consumer.counted, "\(rule)")
                    #expect(reading.disagreements == [], "\(rule)")
                } catch let error as JSONError {
                    #expect(error.kind == .duplicateKey, "\(rule) \(error)")
                    #expect(expected == nil, "\(rule) \(error)")
                    if rule == .error { #expect(error.path == consumer.path) }
                }
            }
        }
    }

    @Test func anArchiveKeepsTheMembersOfATree() throws {
        let object = try JSONObject(json: #"{"k":1,"k":2}"#)
        #expect(try JSONObject(archive: object.archive()) == object)
        #expect(object.members.map(\.value.description) == ["1", "2"])
        #expect(try JSONObject(json: #"{"k":1,"j":3,"k":2}"#, options: .init(duplicateKeys: .first)) == ["k": 1, "j": 3])
    }

    @Test func rowsAndChildTablesTakeTheLastValue() async throws {
        let scratch = try Scratch()
        let path = try scratch.file(
            "f.ndjson", #"{"id":0,"id":1,"items":[{"n":1}],"items":[{"n":2},{"n":3}]}"# + "\n")
        let queue = try DatabaseQueue()
        _ = try await Ingest([path], into: SQLiteSink(queue, table: "t")).children(.tables).run()
        #expect(try await queue.read { try Int.fetchAll($0, sql: "SELECT id FROM t") } == [1])
        #expect(try await queue.read { try Int.fetchAll($0, sql: "SELECT n FROM t_items ORDER BY n") } == [2, 3])
    }

    @Test func decodersTakeTheFirstValueAsFoundationDoes() throws {
        struct Plain: Decodable { var a: Int }
        let text = Data(#"{"a":1,"a":2}"#.utf8)
        for decoder in [JSONDecoder(), SluiceJSONDecoder()] {
            #expect(try decoder.decode(Plain.self, from: text).a == 1)
            #expect(try decoder.decode([String: Int].self, from: text) == ["a": 1])
            let alike = Data("{\"\(Self.decomposed)\":1,\"\(Self.composed)\":2}".utf8)
            #expect(try decoder.decode([String: Int].self, from: alike) == ["é": 1])
        }
        #expect(try SluiceJSONDecoder().decode(JSONValue.self, from: text) == ["a": 1])
    }

    @Test func aValueThatGaveWayToAnotherSpellingOfItsKeyIsReported() throws {
        let text = "{\"x\":{\"k\":5,\"\(Self.decomposed)\":1,\"\(Self.composed)\":2}}"
        for rule in [JSONReader.Options.DuplicateKeys.last, .first] {
            let reading = readings(of: [String: [String: Int]].self, text, options: .init(duplicateKeys: rule))
            #expect(reading.report.droppedCount == 1)
            let issue = try #require(reading.report.issues.first)
            #expect(issue.kind == .duplicateKey)
            #expect(issue.path == "x.é")
            #expect(issue.summary.contains("another spelling of a key"))
            #expect(reading.disagreements == [])
        }
        // What is left out has replaced nothing.
        let bad = "{\"\(Self.decomposed)\":1,\"\(Self.composed)\":\"x\"}"
        let reading = readings(of: [String: Int].self, bad, options: .tolerant)
        #expect(reading.value == ["é": 1])
        #expect(reading.report.issues.map(\.kind) == [.typeMismatch])
        #expect(reading.disagreements == [])
    }

    @Test func manyKeysThatLookAlikeAreFoundInLinearTime() throws {
        let members = (0..<20_000).map { "\"é\($0)\":\($0)" }.joined(separator: ",")
        let (value, report) = try [String: Int].reading(json: "{\(members)}")
        #expect(value.count == 20_000)
        #expect(report.isEmpty)
        #expect(try [String: Int](json: "{\(members)}", options: .init(duplicateKeys: .error)).count == 20_000)
    }
}
#endif
