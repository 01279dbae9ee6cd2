#if SQLite
import Foundation
import SluiceCore
import SluiceIngest
import SluiceTestSupport
import Testing

/// Values whose form differs from the one that they had in earlier runs: an object where a number was, an array where an object was.
/// Each value is stored in one place, and nothing is left of what it replaces.
@Suite struct EarlierShapeTests {
    private func setUp(_ options: inout IngestOptions) {
        (options.existing, options.primaryKey, options.conflict) = (.append, ["id"], .upsert)
        options.children.storage = .tables
    }

    /// Reads each text as a file of its own, into tables for the arrays.
    private func load(_ feeds: [String], _ loader: Loader, _ change: (inout IngestOptions) -> Void = { _ in }) throws {
        for (index, text) in feeds.enumerated() {
            let report = try loader.load(file: loader.scratch.file("\(index).ndjson", text)) {
                setUp(&$0)
                change(&$0)
            }
            #expect(report.isSuccess, "\(report)")
        }
    }

    // MARK: In child tables

    @Test(arguments: LoaderSink.databases, [KeyConflict.upsert, .replace])
    func anElementsObjectLeavesTheColumnThatAnEmptyOneHadMade(sink: LoaderSink, conflict: KeyConflict) throws {
        let loader = try Loader(sink)
        try load([#"{"id":1,"o":[{"b":{}}]}"#, #"{"id":1,"o":[{"b":{"x":2}}]}"#], loader) { $0.conflict = conflict }
        #expect(try loader.rows("b", "b_x", of: "records_o") == [[nil, 2]])
    }

    @Test(arguments: LoaderSink.databases) func anElementsObjectThatIsNowJSONIsInNoOtherColumn(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let feeds = [#"{"id":1,"c":[{"b":{"e":1}}]}"#, #"{"id":1,"c":[{"b":{"e":2}},{"b":5}]}"#]
        try load(feeds, loader)
        #expect(try loader.rows("b", "b_e", of: "records_c", by: "position") == [[#"{"e":2}"#, nil], ["5", nil]])
        // The next run reads only objects there, and splits them again.
        try load(feeds + [#"{"id":1,"c":[{"b":{"e":3}}]}"#], loader)
        #expect(try loader.rows("b", "b_e", of: "records_c") == [[nil, 3]])
    }

    @Test(arguments: LoaderSink.databases) func anArrayThatHasATableIsInNoColumn(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try load([#"{"id":1,"c":[{"d":[1,2]}]}"#, #"{"id":1,"c":[{"d":[3,4]},{"d":5}]}"#], loader)
        #expect(try loader.rows("d", of: "records_c", by: "position") == [[nil], ["5"]])
        #expect(try loader.rows("value", of: "records_c_d", by: "c_position, position") == [[3], [4]])
    }

    // MARK: In the records' table

    @Test(arguments: LoaderSink.databases) func anObjectThatIsNowJSONClearsTheColumnsAndTablesInsideOfIt(sink: LoaderSink) throws
    {
        let loader = try Loader(sink)
        let second = #"{"id":1,"b":{"d":[3],"e":4}}"# + "\n" + #"{"id":2,"b":5}"#
        try load([#"{"id":1,"b":{"d":[1,2],"e":1}}"#, second], loader)
        #expect(try loader.rows("id", "b", "b_e", by: "id") == [[1, #"{"d":[3],"e":4}"#, nil], [2, "5", nil]])
        #expect(try loader.count("records_b_d") == 0)
    }

    @Test(arguments: LoaderSink.databases) func anObjectIsJSONOrHasColumnsWithoutChildTablesToo(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let feeds = [#"{"id":1,"b":{"e":1}}"#, #"{"id":1,"b":{"e":2}}"# + "\n" + #"{"id":3,"b":5}"#]
        try load(feeds, loader) { $0.children.storage = .json }
        #expect(try loader.rows("id", "b", "b_e", by: "id").first == [1, #"{"e":2}"#, nil])
        try load(feeds + [#"{"id":1,"b":{"e":7}}"#], loader) { $0.children.storage = .json }
        #expect(try loader.rows("id", "b", "b_e", by: "id").first == [1, nil, 7])
    }

    @Test(arguments: LoaderSink.databases) func aPathThatIsKeptWholeClearsTheColumnsInsideOfIt(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try load([#"{"id":1,"a":{"b":{"c":5}}}"#], loader)
        try loader.load(file: loader.scratch.file("whole.ndjson", #"{"id":1,"a":{"b":{"c":6}}}"#)) {
            ($0.existing, $0.primaryKey, $0.conflict, $0.flattening.depth) = (.append, ["id"], .upsert, 1)
        }
        #expect(try loader.rows("a", "a_b_c") == [[#"{"b":{"c":6}}"#, nil]])
    }

    @Test(arguments: LoaderSink.databases, [#"null"#, "5", "[7]"])
    func whatReplacesAnObjectRemovesTheRowsInsideOfIt(sink: LoaderSink, value: String) throws {
        let loader = try Loader(sink)
        let others = #"{"id":2,"m":{"k":[8],"x":1}}"#
        try load([#"{"id":1,"m":{"k":[1,2],"x":1}}"# + "\n" + others, #"{"id":1,"m":\#(value)}"#], loader)
        #expect(try loader.rows("id", "m_x", by: "id") == [[1, nil], [2, 1]])
        #expect(try loader.rows("value", of: "records_m_k") == [[8]])
    }

    @Test(arguments: LoaderSink.databases) func recordsWithoutTheKeyKeepTheRows(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try load([#"{"id":1,"m":{"k":[1,2]}}"#, #"{"id":1,"n":1}"#, #"{"id":1,"m":{"x":3}}"#], loader)
        #expect(try loader.rows("value", of: "records_m_k", by: "position") == [[1], [2]])
    }

    @Test(arguments: LoaderSink.databases) func recordsThatHaveOnlyArraysAreStored(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let text = #"{"items":[{"a":1},{"a":2}]}"# + "\n" + #"{"items":[{"a":3}]}"#
        let report = try loader.load(file: loader.scratch.file("a.ndjson", text)) { $0.children.storage = .tables }
        #expect(report.isSuccess && report.rows.added == 2)
        #expect(try loader.count() == 2)
        #expect(try loader.rows("a", of: "records_items") == [[1], [2], [3]])
    }

    @Test(arguments: LoaderSink.databases, [ChildStorage.json, .tables])
    func anObjectOfNothingButNullIsNoLoss(sink: LoaderSink, storage: ChildStorage) throws {
        let loader = try Loader(sink)
        let text = #"{"id":0,"a":8,"b":{"e":null}}"# + "\n" + #"{"id":1,"c":{"d":{"e":null}}}"#
        let report = try loader.load(file: loader.scratch.file("a.ndjson", text)) {
            ($0.sample, $0.children.storage) = (1, storage)
        }
        #expect(report.isSuccess, "\(report)")
    }

    // MARK: Random feeds

    /// Three runs of records whose values have random forms: each value of the last record with a key that was not rejected is in the tables
    /// once, and nothing else is. SQLite rejects none of them.
    @Test(arguments: LoaderSink.databases, 0..<16) func eachValueIsStoredOnce(sink: LoaderSink, seed: Int) throws {
        guard sink == .sqlite || seed < 4 else { return }
        for conflict in [KeyConflict.upsert, .replace, .reject] { try storesEachValueOnce(Loader(sink), conflict, seed) }
    }

    private func storesEachValueOnce(_ loader: Loader, _ conflict: KeyConflict, _ seed: Int) throws {
        var forms = RandomForms(seed: UInt64(seed), hasAllKeys: conflict == .upsert)
        var expected: [Int: [String]] = [:]
        for day in 0..<3 {
            var lines: [String] = []
            var leaves: [(id: Int, leaves: [String])] = []
            for number in 1...3 {
                let id = conflict == .reject ? day * 10 + number : number
                let (a, b) = (forms.value(depth: 3), forms.value(depth: 2))
                let record: JSONValue = ["id": .number(JSONNumber(id)), "a": a, "b": b]
                lines.append(try record.jsonString())
                leaves.append((id, (RandomForms.leaves(of: a) + RandomForms.leaves(of: b)).sorted()))
            }
            let report = try loader.load(file: loader.scratch.file("\(day).ndjson", lines.joined(separator: "\n"))) {
                setUp(&$0)
                $0.conflict = conflict
            }
            // An object or an array that comes into a column of texts of an earlier run is stored as its text, and counted.
            try #require(report.unknownKeys.isEmpty && report.rejected == report.rejections.count, "\(lines) \(report)")
            try #require(report.rejected == 0 || loader.sink == .postgres, "\(lines) \(report)")
            #expect(report.isLossy == (!report.digitLosses.isEmpty || report.rejected > 0), "\(lines) \(report)")
            let rejected = Set(report.rejections.map(\.position.line))
            for (index, record) in leaves.enumerated() where !rejected.contains(index + 1) { expected[record.id] = record.leaves }
            for (id, leaves) in expected {
                #expect(try Self.leaves(in: loader, ofRecord: id) == leaves, "record \(id) after \(lines): \(report.rejections)")
            }
        }
    }

    /// All values in the rows of a record and of its child tables, apart from keys and positions.
    private static func leaves(in loader: Loader, ofRecord id: Int) throws -> [String] {
        let tables =
            loader.sink == .sqlite
            ? "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'records%'"
            : "SELECT relname::text FROM pg_class WHERE relnamespace = current_schema::regnamespace AND relkind = 'r' AND relname LIKE 'records%'"
        var leaves: [String] = []
        for table in try loader.query(tables).compactMap({ $0[0].text }) {
            let key = table == "records" ? "id" : "records_id"
            let names = try loader.columns(of: table)
            for row in try loader.query("SELECT * FROM \(table) WHERE \(key) = \(id)") {
                for (name, value) in zip(names, row) where name != key && name != "position" && !name.hasSuffix("_position") {
                    switch value {
                    case .null: break
                    case .bool(let flag): leaves.append("\(flag)")
                    case .integer(let number): leaves.append("\(number)")
                    case .real(let number): leaves.append("\(number)")
                    case .text(let text):
                        let isJSON = text.hasPrefix("{") || text.hasPrefix("[")
                        leaves += isJSON ? RandomForms.leaves(of: try JSONValue(json: text)) : [text]
                    }
                }
            }
        }
        return leaves.sorted()
    }
}

/// Values of random forms, in which each number occurs once.
private struct RandomForms {
    private var random: SluiceTestSupport.SplitMix64
    private let hasAllKeys: Bool
    private var last = 100

    /// - Parameter hasAllKeys: Whether each object has the same keys, so that an upsert replaces all of it.
    init(seed: UInt64, hasAllKeys: Bool) {
        random = SluiceTestSupport.SplitMix64(seed: seed)
        self.hasAllKeys = hasAllKeys
    }

    mutating func value(depth: Int) -> JSONValue {
        let choice = depth == 0 ? 0 : Int.random(in: 0..<20, using: &random)
        switch choice {
        case 0..<6:
            last += 1
            return .number(JSONNumber(last))
        case 6, 7: return .null
        case 8 where !hasAllKeys: return [:]
        case 8, 9: return []
        case 10..<15:
            let hasOne = !hasAllKeys && Bool.random(using: &random)
            return hasOne ? ["x": value(depth: depth - 1)] : ["x": value(depth: depth - 1), "y": value(depth: depth - 1)]
        default: return .array((0..<Int.random(in: 1...2, using: &random)).map { _ in value(depth: depth - 1) })
        }
    }

    /// The numbers in a value, as text.
    static func leaves(of value: JSONValue) -> [String] {
        switch value {
        case .object(let object): object.members.flatMap { leaves(of: $0.value) }
        case .array(let elements): elements.flatMap(leaves)
        case .number(let number): [number.description]
        default: []
        }
    }
}
#endif
