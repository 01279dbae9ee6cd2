// A batch as text, and what the text must be, worked out from the records as trees.

import SluiceCore
import SluiceFeed
import SluiceTestSupport

extension JSONColumnBatch {
    /// A line for each row.
    var rows: [String] {
        let columns = columns
        return (0..<rowCount).map { row in columns.map { $0.text(at: row) }.joined(separator: "|") }
    }
}

/// A value that does not fit its column.
struct Misfit: Error {}

extension ColumnType {
    /// The text of a value.
    func text(of value: JSONValue?) throws -> String {
        guard let value, !value.isNull else { return "null" }
        switch (self, value) {
        case (.json, _): return "'\(try value.jsonString())'"
        case (.bool, .bool(let truth)): return "\(truth)"
        case (.integer, .bool(let truth)), (.int32, .bool(let truth)): return truth ? "1" : "0"
        case (.int32, .number(let number)):
            guard let integer = Int32(number.lexeme) else { throw Misfit() }
            return "\(integer)"
        case (.integer, .number(let number)):
            guard let integer = Int64(number.lexeme) else { throw Misfit() }
            return "\(integer)"
        case (.real, .number(let number)):
            guard let double = Double(number.lexeme), double.isFinite else { throw Misfit() }
            return "\(double)"
        case (.text, .string(let text)): return "'\(text)'"
        case (.text, .number(let number)): return "'\(number.lexeme)'"
        case (.text, .bool(let truth)): return "'\(truth)'"
        case (.list(let element), .array(let values)):
            return "[" + (try values.map { try element.text(of: $0) }).joined(separator: ",") + "]"
        case (.object(let columns), .object): return "{" + (try Self.texts(of: columns, in: value)).joined(separator: ",") + "}"
        default: throw Misfit()
        }
    }

    private static func texts(of columns: [JSONColumn], in record: JSONValue) throws -> [String] {
        try columns.map { column in
            let value = column.keys[0].components.reduce(Optional(record)) { $0?.object?[$1] }
            if column.isRequired, value?.isNull ?? true { throw Misfit() }
            return try column.type.text(of: value)
        }
    }

    /// The row of a record; nil if it is to be rejected.
    static func row(of columns: [JSONColumn], in record: JSONValue) -> String? {
        guard case .object = record else { return nil }
        return try? texts(of: columns, in: record).joined(separator: "|")
    }
}

/// All that is read of a feed: rows, the sizes of the batches, and the positions and reasons of what was rejected.
struct ColumnTrace: Equatable {
    var rows: [String] = []
    var sizes: [Int] = []
    var rejected: [JSONRejectedRecord] = []
    var counts: [Int] = []
    var failure: JSONError?

    init<Record>(
        _ feed: JSONFeed<Record>, of size: Int = 4, columns: [JSONColumn], workers: Int = 0
    ) throws {
        let batches = try feed.columnBatches(of: size, columns: columns, workers: workers)
        do throws(JSONError) {
            while let batch = try batches.next() {
                rows += batch.rows
                sizes.append(batch.rowCount)
            }
        } catch {
            failure = error
        }
        rejected = feed.rejectedRecords
        counts = [feed.acceptedCount, feed.unmatchedCount, feed.rejectedCount]
    }
}

/// Makes random columns and records.
struct RandomRecords {
    var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    private mutating func number(below limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

    mutating func columns() -> [JSONColumn] {
        (0..<(1 + number(below: 6))).map { JSONColumn(name: "c\($0)", type: type(depth: 2)) }
    }

    private mutating func type(depth: Int) -> ColumnType {
        switch number(below: depth > 0 ? 8 : 5) {
        case 0: .bool
        case 1: .integer
        case 2: .real
        case 3: .text
        case 4: .json
        case 5, 6: .list(of: type(depth: depth - 1))
        default: .object((0..<(1 + number(below: 3))).map { JSONColumn(name: "k\($0)", type: type(depth: depth - 1)) })
        }
    }

    mutating func record(_ columns: [JSONColumn]) -> JSONValue {
        if number(below: 40) == 0 { return 7 }
        return object(columns)
    }

    private mutating func object(_ columns: [JSONColumn]) -> JSONValue {
        var members: [JSONObject.Member] = []
        for column in columns where number(below: 6) > 0 { members.append((column.name, value(column.type))) }
        if number(below: 3) == 0 { members.append(("unknown", [1, ["a": nil]])) }
        members.shuffle(using: &random)
        return .object(JSONObject(members))
    }

    private mutating func value(_ type: ColumnType) -> JSONValue {
        switch number(below: 60) {
        case 0: return ["misfit": [1]]
        case 1: return ["misfit"]
        case 2: return "misfit"
        case 3: return .number(JSONNumber(lexeme: "1e400") ?? JSONNumber(0))
        case 4..<12: return nil
        default: break
        }
        switch type {
        case .bool: return .bool(random.next() & 1 == 0)
        case .integer, .int32, .timestamp, .date, .decimal:
            return .number(JSONNumber(Int(truncatingIfNeeded: random.next() >> (random.next() & 63))))
        case .real: return .number(JSONNumber(lexeme: "\(Double(number(below: 1000)) / 8)") ?? JSONNumber(0))
        case .text:
            return .string(["", "plain", "é", "a\"b\\c\n", "\u{1F600}", "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"][number(below: 6)])
        case .json: return [[], 1, "x", ["a": [true, nil]], ["b": "é\n"]][number(below: 5)]
        case .list(let element): return .array((0..<number(below: 4)).map { _ in value(element) })
        case .object(let columns): return object(columns)
        }
    }
}
