import SluiceCompression
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceFeed

@Suite struct ColumnFeedTests {
    private static let columns = [
        JSONColumn("id", .integer), JSONColumn("who.name", .text), JSONColumn("tags", .list(of: .text)),
        JSONColumn("any", .json),
    ]
    private static let text = #"""
        {"id":1,"who":{"name":"a\u00e9b"},"tags":["x","y\n"],"any":{"k":[1, 2]}}
        {"id":"bad","who":{"name":"left out"},"tags":["left","out"]}
        {"id":2,"tags":[],"who":null}

        {"id":3,"tags":["ok",7],"who":{"name":"é"},"any":"😀"
        {"id":4,"tags":["ok",["deep"]],"who":{"name":"half"}}
        {"who":{"name":""},"tags":[null,"z"],"any":null}
        """#
    private static let rows = [
        "1|'aéb'|['x','y\n']|'{\"k\":[1,2]}'", "2|null|[]|null", "null|''|[null,'z']|null",
    ]

    private func options(_ reading: JSONReader.Options = .strict) -> JSONFeed<JSONValue>.Options {
        .init(invalidRecords: .skip, reading: reading)
    }

    @Test func recordsAreTheSameCutAtEveryByteAndThroughBothParsers() throws {
        let bytes = Array(Self.text.utf8)
        let whole = try ColumnTrace(JSONFeed<JSONValue>(bytes: bytes, options: options()), columns: Self.columns)
        #expect(whole.rows == Self.rows)
        #expect(whole.rejected.map(\.line) == [2, 5, 6])
        #expect(whole.rejected.map(\.error.path) == ["id", "any", "tags[1]"])
        for reading in [JSONReader.Options.strict, .strict.throughYajl] {
            for cut in 0...bytes.count {
                let feed = JSONFeed<JSONValue>(source: CutSource(bytes, cut: cut), options: options(reading))
                let trace = try ColumnTrace(feed, columns: Self.columns)
                #expect(trace == whole, "cut at \(cut)")
            }
        }
    }

    @Test func pushedRecordsAreTheSameCutAtEveryByte() throws {
        let bytes = Array(Self.text.utf8)
        for cut in 0...bytes.count {
            let parser = JSONFeedParser<JSONValue>(options: options())
            let batches = try parser.columnBatches(of: 4, columns: Self.columns)
            var rows: [String] = []
            for piece in [bytes[..<cut], bytes[cut...]] {
                parser.append(piece)
                while let batch = try batches.next() { rows += batch.rows }
                #expect(!parser.isFinished)
            }
            parser.finish()
            while let batch = try batches.next() { rows += batch.rows }
            #expect(rows == Self.rows, "cut at \(cut)")
            #expect(parser.rejectedRecords.map(\.line) == [2, 5, 6])
            #expect((parser.acceptedCount, parser.isFinished) == (3, true))
        }
    }

    @Test func aRecordThatBreaksOffAnywhereLeavesNoHalfRow() throws {
        let record = Array(#"{"id":1,"who":{"name":"a\u00e9b"},"tags":["x","y\n"],"any":{"k":[1, 2]}}"#.utf8)
        let next = Array("\n{\"id\":2}".utf8)
        for reading in [JSONReader.Options.strict, .strict.throughYajl] {
            for count in 1..<record.count {
                let feed = JSONFeed<JSONValue>(
                    bytes: Array(record[..<count]) + next, options: .init(format: .lines, invalidRecords: .skip, reading: reading)
                )
                let trace = try ColumnTrace(feed, columns: Self.columns)
                #expect(trace.rows == ["2|null|null|null"], "broken off at \(count)")
                #expect(trace.counts == [1, 0, 1])
            }
        }
    }

    @Test(arguments: [1, 2, 3, 7, 8, 9, 64]) func batchesHaveTheirSize(_ size: Int) throws {
        let lines = (0..<64).map { $0 % 5 == 3 ? "{\"id\":[]}" : "{\"id\":\($0),\"who\":{\"name\":\"\($0)\"}}" }
        let bytes = Array(lines.joined(separator: "\n").utf8)
        let expected = (0..<64).filter { $0 % 5 != 3 }
        for workers in 0...3 {
            for pieces in [64, 1000, 100_000] {
                let feed = JSONFeed<JSONValue>(source: BytesSource(bytes, chunkSize: pieces), options: options())
                let trace = try ColumnTrace(feed, of: size, columns: Self.columns, workers: workers)
                #expect(trace.rows == expected.map { "\($0)|'\($0)'|null|null" })
                #expect(trace.sizes.dropLast().allSatisfy { $0 == size })
                #expect(trace.sizes.reduce(0, +) == expected.count)
            }
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>) func workersGiveWhatOneThreadGives(_ seed: UInt64) throws {
        var source = RandomRecords(seed: seed)
        let columns = source.columns()
        let lines = try (0..<300).map { number in
            number % 17 == 5 ? "{\"c0\":" : try source.record(columns).jsonString()
        }
        let bytes = Array(lines.joined(separator: "\n").utf8)
        for limit in [nil, 0, 1, 40, 1000] {
            for errors in [nil, 3] {
                var options = options()
                options.limit = limit
                options.maximumErrors = errors
                let serial = try ColumnTrace(JSONFeed<JSONValue>(bytes: bytes, options: options), of: 32, columns: columns)
                for pieces in [500, 100_000] {
                    let feed = JSONFeed<JSONValue>(source: BytesSource(bytes, chunkSize: pieces), options: options)
                    #expect(try ColumnTrace(feed, of: 32, columns: columns, workers: 3) == serial)
                }
            }
        }
    }

    /// Workers read the text around the records long before the rows are given out.
    @Test(arguments: 0...3) func envelopeIsThereAfterTheLastBatch(_ workers: Int) throws {
        let text = #"{"items":[{"id":1},{"id":2},{"id":3}],"next":"p2"}"#
        let feed = JSONFeed<JSONValue>(bytes: Array(text.utf8), options: .init(at: "items"))
        let page = feed.envelope(as: JSONValue.self)
        let batches = try feed.columnBatches(of: 2, columns: [JSONColumn("id", .integer)], workers: workers)
        #expect(try batches.next()?.rowCount == 2)
        #expect(try page.value() == nil)
        #expect(try batches.next()?.rowCount == 1)
        #expect(try batches.next() == nil)
        #expect(try page.value()?["next"]?.string == "p2")
    }

    @Test func anErrorComesAfterTheRowsBeforeIt() throws {
        for workers in [0, 2] {
            let feed = JSONFeed<JSONValue>(bytes: Array("{\"id\":1}\n{\"id\":2}\n{\"id\":[]}\n{\"id\":4}".utf8))
            let batches = try feed.columnBatches(of: 10, columns: Self.columns, workers: workers)
            #expect(try batches.next()?.rows == ["1|null|null|null", "2|null|null|null"])
            let error = failure { () throws(JSONError) in try batches.next() }
            #expect(error?.position.line == 3)
            #expect(error?.position.offset == 24)
            #expect(feed.recordRange == 18..<27)
            #expect(try batches.next()?.rows == ["4|null|null|null"])
            #expect(try batches.next() == nil)
            #expect(feed.isFinished)
        }
    }

    @Test func recordsInsideADocumentBecomeRows() throws {
        let text = #"{"data":{"items":[{"id":1},{"id":2}]},"more":[{"id":3}]}"#
        for workers in [0, 2] {
            let feed = JSONFeed<JSONValue>(bytes: Array(text.utf8), options: .init(at: "data.items"))
            #expect(try ColumnTrace(feed, columns: [JSONColumn("id", .integer)], workers: workers).rows == ["1", "2"])
        }
    }

    @Test func modelsGiveTheirColumns() throws {
        #expect(
            Reader.schema.columns == [
                JSONColumn(name: "name", type: .text, isRequired: true), JSONColumn(name: "age", type: .integer),
                JSONColumn(name: "scores", type: .list(of: .real)),
                JSONColumn(name: "friends", type: .list(of: .json)), JSONColumn(name: "notes", type: .json),
                JSONColumn(name: "home", type: .object([JSONColumn(name: "city", type: .text, keys: ["city", "town"])])),
            ])
        let text = #"""
            {"name":"a","age":3,"scores":[1,2.5],"home":{"town":"x"},"notes":{"k":"v"},"friends":[{"name":"b"}]}
            {"age":4}
            {"name":"c","home":null}
            """#
        let feed = JSONFeed<Reader>(bytes: Array(text.utf8), options: .init(invalidRecords: .skip))
        let batches = try feed.columnBatches(of: 10)
        #expect(
            try batches.next()?.rows == [
                #"'a'|3|[1.0,2.5]|['{"name":"b"}']|'{"k":"v"}'|{'x'}"#, "'c'|null|null|null|null|null",
            ])
        #expect(feed.reasons.map(\.keys) == [["name"]])
    }

    @Test func onlyRecordsThatMatchBecomeRows() throws {
        let text = (0..<50).map { "{\"name\":\"\($0)\",\"age\":\($0)}" }.joined(separator: "\n")
        for workers in [0, 2] {
            let feed = JSONFeed<Reader>(bytes: Array(text.utf8), options: .init(where: \.name == "7" || \.name == "27"))
            let trace = try ColumnTrace(feed, columns: [JSONColumn("age", .integer)], workers: workers)
            #expect(trace.rows == ["7", "27"])
            #expect(trace.counts == [2, 48, 0])
        }
    }
}

/// A model written by hand, so that these tests need no macro.
struct Reader: JSONModel {
    var name: String

    struct JSONDraft: _JSONModelDraft {
        var name: String?
        var age: Int?
        var scores: [Double]?
        var friends: [Reader]?
        var home: Home?
        var notes: [String: String]?
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("name", \JSONDraft.name)
        model.property("age", \JSONDraft.age, presence: .defaulted)
        model.property("scores", \JSONDraft.scores, presence: .optional)
        model.property("friends", \JSONDraft.friends, presence: .optional)
        model.property("notes", \JSONDraft.notes, presence: .optional)
        model.property("home", \JSONDraft.home, presence: .optional)
    }

    static let _jsonTable = PropertyTable._compiled(for: Reader.self)

    static func _jsonKeyPath(_ slot: Int) -> AnyKeyPath? { slot == 0 ? \Reader.name : nil }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        name = try bound.required(draft.name.take(), 0)
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}

    struct Home: JSONModel {
        struct JSONDraft: _JSONModelDraft {
            var city: String?
        }

        static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
            model.property("city", \JSONDraft.city, keys: ["city", "town"], presence: .optional)
        }

        static let _jsonTable = PropertyTable._compiled(for: Home.self)

        init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {}

        func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
    }
}
