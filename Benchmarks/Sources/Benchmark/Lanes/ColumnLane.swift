// Records of a feed become columns; no model is made. Afterwards each value is compared with that of the model.

internal import Foundation
internal import Sluice

extension SluiceLanes {
    /// Reads records out of bytes in memory into batches of columns, one for each property.
    static func columns<Record: JSONModel & Equatable>(
        _ document: Document, _ type: Record.Type, expected: @escaping () throws -> [Record]
    ) -> Lane {
        func batches() throws -> JSONColumnBatches<Record> {
            try JSONFeed<Record>(bytes: document.array).columnBatches(of: 8192)
        }
        return .inProcess(.sluiceColumns) { count in
            for _ in 0..<count {
                let batches = try batches()
                while let batch = try batches.next() { _ = consume batch }
            }
        } check: {
            let batches = try batches()
            var records = try expected()[...]
            while let batch = try batches.next() {
                let columns = batch.columns
                for row in 0..<batch.rowCount {
                    guard let record = records.popFirst() else { return "more records than the other lanes" }
                    let tree = try JSONValue(json: try record.jsonBytes())
                    for column in columns where try !column.holds(column.value(in: tree), at: row) {
                        return "another value of \(column.column.name) than the other lanes'"
                    }
                }
            }
            return records.isEmpty ? nil : "fewer records than the other lanes"
        }
    }
}

extension JSONColumnValues {
    /// The value of this column in an object; nil for null.
    fileprivate func value(in object: JSONValue) -> JSONValue? {
        var value = object
        for key in column.keys[0].components {
            guard case .object(let members) = value, let member = members[key], !member.isNull else { return nil }
            value = member
        }
        return value
    }

    /// Whether a value is the one that the column has in a row.
    fileprivate func holds(_ value: JSONValue?, at row: Int) throws -> Bool {
        guard let value else { return isNull(at: row) }
        switch column.type {
        case .bool: return bool(at: row) == value.bool
        case .integer: return int64(at: row) == value.int.map(Int64.init)
        case .real: return double(at: row) == value.double
        case .text: return string(at: row) == value.string
        case .json: return try string(at: row).map { try JSONValue(json: $0) } == value
        case .timestamp: return int64(at: row) != nil
        // No lane has such columns: a value of one is never the right one.
        case .int32, .date, .decimal: return false
        case .list:
            guard case .array(let items) = value, let range = elementRange(at: row), let elements,
                items.count == range.count
            else { return false }
            return try zip(items, range).allSatisfy { try elements.holds($0.isNull ? nil : $0, at: $1) }
        case .object:
            return try !isNull(at: row) && members.allSatisfy { try $0.holds($0.value(in: value), at: row) }
        }
    }
}
