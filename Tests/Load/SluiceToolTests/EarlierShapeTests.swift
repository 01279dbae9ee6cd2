#if CommandLine
import Foundation
import GRDB
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceIngest
@testable import SluiceTool

/// Values whose form differs from the one that they had in earlier runs: an object where a number was, an array where an object was.
/// Each value is stored in one place, and nothing is left of what it replaces.
@Suite struct EarlierShapeTests {
    /// Reads each text as a file of its own, into tables for the arrays.
    private func ingest(
        _ feeds: [String], in scratch: Scratch, _ conflict: KeyConflict = .upsert,
        _ change: (inout IngestSetup) -> Void = { _ in }
    ) throws {
        for (index, text) in feeds.enumerated() {
            let file = try scratch.file("\(index).ndjson", text)
            let report = try scratch.ingest(file: file) {
                $0.existing = .append
                $0.primaryKey = ["id"]
                $0.conflict = conflict
                $0.children.storage = .tables
                change(&$0)
            }
            #expect(report.status.code == 0, "\(report.text)")
        }
    }

    // MARK: In child tables

    @Test(arguments: [KeyConflict.upsert, .replace])
    func anElementsObjectLeavesTheColumnThatAnEmptyOneHadMade(_ conflict: KeyConflict) throws {
        let scratch = try Scratch()
        try ingest([#"{"id":1,"o":[{"b":{}}]}"#, #"{"id":1,"o":[{"b":{"x":2}}]}"#], in: scratch, conflict)
        #expect(try scratch.rows("SELECT b, b_x FROM records_o") == [["b": nil, "b_x": 2]])
    }

    @Test func anElementsObjectThatIsNowJSONIsInNoOtherColumn() throws {
        let scratch = try Scratch()
        let feeds = [#"{"id":1,"c":[{"b":{"e":1}}]}"#, #"{"id":1,"c":[{"b":{"e":2}},{"b":5}]}"#]
        try ingest(feeds, in: scratch)
        #expect(
            try scratch.rows("SELECT b, b_e FROM records_c ORDER BY position")
                == [["b": #"{"e":2}"#, "b_e": nil], ["b": "5", "b_e": nil]])
        // The next run reads only objects there, and splits them again.
        try ingest(feeds + [#"{"id":1,"c":[{"b":{"e":3}}]}"#], in: scratch)
        #expect(try scratch.rows("SELECT b, b_e FROM records_c") == [["b": nil, "b_e": 3]])
    }

    @Test func anArrayThatHasATableIsInNoColumn() throws {
        let scratch = try Scratch()
        try ingest([#"{"id":1,"c":[{"d":[1,2]}]}"#, #"{"id":1,"c":[{"d":[3,4]},{"d":5}]}"#], in: scratch)
        #expect(try scratch.rows("SELECT d FROM records_c ORDER BY position") == [["d": nil], ["d": "5"]])
        #expect(try scratch.value("SELECT group_concat(value) FROM records_c_d") == "3,4")
    }

    // MARK: In the records' table

    @Test func anObjectThatIsNowJSONClearsTheColumnsAndTablesInsideOfIt() throws {
        let scratch = try Scratch()
        let second = #"{"id":1,"b":{"d":[3],"e":4}}"# + "\n" + #"{"id":2,"b":5}"#
        try ingest([#"{"id":1,"b":{"d":[1,2],"e":1}}"#, second], in: scratch)
        #expect(
            try scratch.rows("SELECT id, b, b_e FROM records ORDER BY id")
                == [["id": 1, "b": #"{"d":[3],"e":4}"#, "b_e": nil], ["id": 2, "b": "5", "b_e": nil]])
        #expect(try scratch.value("SELECT count(*) FROM records_b_d") == 0)
    }

    @Test func anObjectIsJSONOrHasColumnsWithoutChildTablesToo() throws {
        let scratch = try Scratch()
        let feeds = [#"{"id":1,"b":{"e":1}}"#, #"{"id":1,"b":{"e":2}}"# + "\n" + #"{"id":3,"b":5}"#]
        try ingest(feeds, in: scratch) { $0.children.storage = .json }
        #expect(try scratch.rows("SELECT b, b_e FROM records WHERE id = 1") == [["b": #"{"e":2}"#, "b_e": nil]])
        try ingest(feeds + [#"{"id":1,"b":{"e":7}}"#], in: scratch) { $0.children.storage = .json }
        #expect(try scratch.rows("SELECT b, b_e FROM records WHERE id = 1") == [["b": nil, "b_e": 7]])
    }

    @Test func aPathThatIsKeptWholeClearsTheColumnsInsideOfIt() throws {
        let scratch = try Scratch()
        try ingest([#"{"id":1,"a":{"b":{"c":5}}}"#], in: scratch)
        let file = try scratch.file("whole.ndjson", #"{"id":1,"a":{"b":{"c":6}}}"#)
        _ = try scratch.ingest(file: file) {
            $0.existing = .append
            $0.primaryKey = ["id"]
            $0.conflict = .upsert
            $0.flattening.depth = 1
        }
        #expect(try scratch.rows("SELECT a, a_b_c FROM records") == [["a": #"{"b":{"c":6}}"#, "a_b_c": nil]])
    }

    @Test(arguments: [#"null"#, "5", "[7]"])
    func whatReplacesAnObjectRemovesTheRowsInsideOfIt(_ value: String) throws {
        let scratch = try Scratch()
        let others = #"{"id":2,"m":{"k":[8],"x":1}}"#
        try ingest([#"{"id":1,"m":{"k":[1,2],"x":1}}"# + "\n" + others, #"{"id":1,"m":\#(value)}"#], in: scratch)
        #expect(try scratch.value("SELECT m_x FROM records WHERE id = 1") as Int? == nil)
        #expect(try scratch.value("SELECT group_concat(value) FROM records_m_k") == "8")
    }

    @Test func recordsWithoutTheKeyKeepTheRows() throws {
        let scratch = try Scratch()
        try ingest([#"{"id":1,"m":{"k":[1,2]}}"#, #"{"id":1,"n":1}"#, #"{"id":1,"m":{"x":3}}"#], in: scratch)
        #expect(try scratch.value("SELECT group_concat(value) FROM records_m_k") == "1,2")
    }

    @Test func recordsThatHaveOnlyArraysAreStored() throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", #"{"items":[{"a":1},{"a":2}]}"# + "\n" + #"{"items":[{"a":3}]}"#)
        let report = try scratch.ingest(file: file) { $0.children.storage = .tables }
        #expect(report.status.code == 0)
        #expect(report.text.contains("2 added"))
        #expect(try scratch.value("SELECT count(*) FROM records") == 2)
        #expect(try scratch.value("SELECT group_concat(a) FROM records_items") == "1,2,3")
    }

    @Test(arguments: [ChildStorage.json, .tables])
    func anObjectOfNothingButNullIsNoLoss(_ storage: ChildStorage) throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", #"{"id":0,"a":8,"b":{"e":null}}"# + "\n" + #"{"id":1,"c":{"d":{"e":null}}}"#)
        let report = try scratch.ingest(file: file) {
            $0.sample = 1
            $0.children.storage = storage
        }
        #expect(report.status.code == 0, "\(report.text)")
    }

    // MARK: Random feeds

    /// Three runs of records whose values have random forms: each value of the last record with a key is in the tables once, and nothing
    /// else is.
    @Test(arguments: [KeyConflict.upsert, .replace, .reject], 0..<16)
    func eachValueIsStoredOnce(_ conflict: KeyConflict, _ seed: Int) throws {
        let scratch = try Scratch()
        var forms = RandomForms(seed: UInt64(seed), hasAllKeys: conflict == .upsert)
        var expected: [Int: [String]] = [:]
        for day in 0..<3 {
            var lines: [String] = []
            for number in 1...3 {
                let id = conflict == .reject ? day * 10 + number : number
                let (a, b) = (forms.value(depth: 3), forms.value(depth: 2))
                let record: JSONValue = ["id": .number(JSONNumber(id)), "a": a, "b": b]
                lines.append(try record.jsonString())
                expected[id] = (RandomForms.leaves(of: a) + RandomForms.leaves(of: b)).sorted()
            }
            let file = try scratch.file("\(day).ndjson", lines.joined(separator: "\n"))
            let report = try scratch.ingest(file: file) {
                $0.existing = .append
                $0.primaryKey = ["id"]
                $0.conflict = conflict
                $0.children.storage = .tables
            }
            // An object or an array that comes into a column of texts of an earlier run is stored as its text, and counted.
            try #require(report.rejected == 0 && report.unknownKeys.isEmpty, "\(lines) \(report.text)")
            #expect((report.status.code == 2) == !report.digitLosses.isEmpty, "\(lines) \(report.text)")
            for (id, leaves) in expected {
                #expect(try Self.leaves(in: scratch, ofRecord: id) == leaves, "record \(id) after \(lines)")
            }
        }
    }

    /// All values in the rows of a record and of its child tables, apart from keys and positions.
    private static func leaves(in scratch: Scratch, ofRecord id: Int) throws -> [String] {
        let tables: [String] = try scratch.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'records%'")
            .map { String($0["name"]) }
        var leaves: [String] = []
        for table in tables {
            let key = table == "records" ? "id" : "records_id"
            for row in try scratch.rows("SELECT * FROM \(table) WHERE \(key) = \(id)") {
                for (name, value) in row where name != key && name != "position" && !name.hasSuffix("_position") && !value.isNull
                {
                    let text = String(describing: value.storage.value ?? "")
                    let isJSON = text.hasPrefix("{") || text.hasPrefix("[")
                    leaves += isJSON ? RandomForms.leaves(of: try JSONValue(json: text)) : [text]
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
