// Turns records into rows of columns, for Arrow.

package import SluiceCore

/// Reads records into columns in one thread.
package struct ColumnRecords: ~Copyable, RecordWorker {
    /// What some records have become.
    package struct Output: Sendable {
        package let rows: ColumnRows
        package let unknownKeys: [(path: String, count: Int)]
        package let losses: CellLosses
    }

    private var rows: ColumnBatchReader
    /// Counts the keys that no column reads; nil if they are not to be reported.
    private var fields: RecordFields?
    /// How many rows are handed out at a time, and of how many bytes.
    private static let rowCount = 4_096
    private static let textSize = 4 << 20

    /// - Parameters:
    ///   - reportsUnknownKeys: Whether keys that no column reads are reported.
    ///   - hidesText: Whether errors must not show the text of a record. Where columns are sensitive, these hide it, and a wrong value
    ///     of another column is shown.
    package init(_ columns: [JSONColumn], reportsUnknownKeys: Bool, hidesText: Bool) {
        rows = ColumnBatchReader(
            columns: columns, options: JSONReader.Options(validation: .full), hidesText: hidesText && !columns.holdSensitive)
        fields = reportsUnknownKeys ? RecordFields(paths: columns.map(\.keys[0].components), hidesText: hidesText) : nil
    }

    package mutating func take(_ record: UnsafeRawBufferPointer, at offset: Int) -> JSONError? {
        if let error = unsafe rows.append(record) { return error }
        guard rows.hasUnknownValue else { return nil }
        do throws(JSONError) {
            try unsafe fields?.read(record)
            return nil
        } catch {
            return error
        }
    }

    package var isFull: Bool { rows.rowCount >= ColumnRecords.rowCount || rows.textSize >= ColumnRecords.textSize }

    package mutating func takeOutput() -> Output {
        Output(rows: rows.takeRows(), unknownKeys: fields?.takeUnknownKeys() ?? [], losses: rows.takeLosses())
    }
}
