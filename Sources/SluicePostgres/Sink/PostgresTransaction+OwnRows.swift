// Stores rows that are no records: rejected records and changes, in tables of their own. They take the COPY of all other rows.

#if PostgreSQL
internal import SluiceCore

/// A value of such a row; nil is null.
enum OwnValue {
    case text(String?)
    case integer(Int?)
}

extension PostgresTransaction {
    /// Adds rows to a table.
    ///
    /// - Parameter values: The values of a row, in the order of the columns.
    func add(
        _ count: Int, to table: PostgresTable, _ columns: [RowStore.Column], _ values: (Int) throws -> [OwnValue]
    ) throws {
        let store = try RowStore(table, columns: columns, key: [], rule: nil, staging: "_sluice_own", connection)
        var bytes: [UInt8] = []
        var ranges: [Range<Int>?] = []
        for row in 0..<count {
            let values = try values(row)
            bytes.removeAll(keepingCapacity: true)
            ranges.removeAll(keepingCapacity: true)
            for value in values {
                guard case .text(let text?) = value else {
                    ranges.append(nil)
                    continue
                }
                let start = bytes.count
                // The character U+0000 is not a text of PostgreSQL.
                if text.utf8.contains(0) { bytes += text.replacing("\0", with: "\u{FFFD}").utf8 } else { bytes += text.utf8 }
                ranges.append(start..<bytes.count)
            }
            unsafe bytes.withUnsafeBufferPointer { bytes in
                // Safe: the texts stay in place until the row is appended, which copies them.
                store.append(row, cellCount: values.count, column: { $0 }) { index in
                    if case .integer(let number?) = values[index] { return (.integer(Int64(number)), false) }
                    return (ranges[index].map { unsafe .text(UnsafeBufferPointer(rebasing: bytes[$0])) } ?? .null, false)
                }
            }
        }
        if let refused = try store.store().refused.first {
            throw PostgresError.impossible("the table \(table.name) does not take a row of its kind: \(refused.reason)")
        }
    }
}
#endif
