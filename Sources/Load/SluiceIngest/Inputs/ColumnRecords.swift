// Turns records into rows of columns, for Arrow.

package import SluiceCore

/// Reads records into columns in one thread.
package struct ColumnRecords: ~Copyable, RecordWorker {
    /// What some records have become.
    package struct Output: Sendable {
        package let rows: ColumnRows
        package let unknownKeys: CountedKeys
        package let losses: CellLosses
    }

    private var rows: ColumnBatchReader
    /// Counts the keys that no column reads; nil if they are not to be reported.
    private var fields: RecordFields?
    /// How many rows are handed out at a time, and of how many bytes.
    private let size: (rows: Int, text: Int)

    /// - Parameters:
    ///   - size: How many rows are handed out at a time, and of how many bytes.
    ///   - reportsUnknownKeys: Whether keys that no column reads are reported.
    ///   - hidesText: Whether errors must not show the text of a record. Where columns are sensitive, these hide it, and a wrong value
    ///     of another column is shown.
    package init(
        _ columns: [JSONColumn], of size: (rows: Int, text: Int), reportsUnknownKeys: Bool, hidesText: Bool
    ) {
        self.size = size
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

    package var isFull: Bool { rows.rowCount >= size.rows || rows.textSize >= size.text }

    package mutating func takeOutput() -> Output {
        Output(rows: rows.takeRows(), unknownKeys: fields?.takeUnknownKeys() ?? ([], 0), losses: rows.takeLosses())
    }
}
