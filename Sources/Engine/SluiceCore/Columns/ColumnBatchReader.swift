// Reads records one by one into batches of columns. A record that cannot be read leaves no trace in a batch.

/// Reads records into columns.
///
/// ```swift
/// var reader = ColumnBatchReader(columns: columns)
/// for record in records { if let error = reader.append(record) { … } }
/// let batch = reader.takeBatch()
/// ```
@safe
package struct ColumnBatchReader: ~Copyable {
    package let columns: [JSONColumn]
    private var reader: JSONReader
    private let plan: RowPlan
    private let cells: UnsafeMutableBufferPointer<Cell>
    private var builders: UnsafeMutableBufferPointer<ColumnBuilder>
    /// The count of rows that a new batch has room for.
    private var expectedRows: Int
    /// The count of records in the current batch.
    package private(set) var rowCount = 0
    /// The bytes of these records' text. No column has more bytes of text, so 32-bit offsets suffice.
    package private(set) var textSize = 0
    /// What the values of the rows have lost; a rejected record has no row.
    private var losses = CellLosses()

    /// The limit for the bytes of text of one batch's records.
    package static let maximumTextSize = Int(Int32.max)

    /// - Parameters:
    ///   - expectedRows: the count of rows that a batch has room for at first.
    ///   - hidesText: whether errors must not show the text of a record, whatever the columns say.
    package init(
        columns: [JSONColumn], options: JSONReader.Options = .strict, expectedRows: Int = 1024, hidesText: Bool = false
    ) {
        self.columns = columns
        self.expectedRows = expectedRows
        // Options that convert values to a model's types, or leave values out, do not apply: a column's type alone decides.
        var options = options
        (options.conversions, options.nulls, options.mismatch, options.elements) = (.strict, nil, nil, nil)
        reader = JSONReader(options: options)
        reader.hidesText = hidesText
        plan = RowPlan(columns, isCounted: true)
        unsafe cells = .allocate(capacity: plan.cellCount)
        unsafe cells.initialize(repeating: Cell())
        unsafe builders = ColumnBuilder.builders(columns.map(\.type), cellIndex: 1, capacity: expectedRows)
    }

    deinit {
        unsafe cells.deallocate()
        unsafe ColumnBuilder.deallocate(builders)
    }

    /// Whether the batch has no room for a record of `size` bytes, which must then wait for the next batch.
    package func isFull(for size: Int) -> Bool { textSize > Self.maximumTextSize - size }

    /// Reads a record into the next row; returns the error, or nil. The caller has checked ``isFull(for:)``.
    package mutating func append(_ record: UnsafeRawBufferPointer) -> JSONError? {
        guard !isFull(for: record.count) else {
            return JSONError(.sizeLimit, expected: "at most \(Self.maximumTextSize) bytes in a batch", found: "more")
        }
        // Safe: there is at least one cell, that of the record.
        let base = unsafe cells.baseAddress.unsafelyUnwrapped
        if let error = unsafe reader.runRow(plan.row, at: base, record) { return error }
        let memory = unsafe reader.cellMemory
        let source = unsafe ColumnBuilder.Source(cells: base, input: memory.input, text: memory.text, elements: memory.elements)
        for index in unsafe builders.indices { unsafe builders[index].append(source, at: rowCount) }
        rowCount &+= 1
        textSize &+= record.count
        losses.add(reader.losses)
        return nil
    }

    /// Returns what the values of the rows so far have lost, and forgets it.
    package mutating func takeLosses() -> CellLosses {
        defer { losses = CellLosses() }
        return losses
    }

    /// Whether the record appended last has a value that no column reads.
    package var hasUnknownValue: Bool { reader.hasUnknownValue }

    /// Appends rows of a batch with the same columns. The caller has checked that there are not too many. If most of the expected rows come
    /// at once, their memory is taken over, and the batch has no rows any more.
    package mutating func append(_ rows: Range<Int>, of batch: borrowing ColumnRows) {
        if rowCount == 0, rows.count == batch.rowCount, rows.count >= expectedRows / 2 {
            unsafe ColumnBuilder.deallocate(builders)
            unsafe builders = batch.takeBuilders()
        } else {
            finishRows()
            for index in unsafe builders.indices { unsafe builders[index].append(rows, of: batch.builders[index]) }
        }
        rowCount += rows.count
        textSize += batch.textSize
    }

    /// Returns the records so far as a batch, and starts an empty one.
    package mutating func takeBatch() -> JSONColumnBatch {
        let rows = rowCount
        return unsafe JSONColumnBatch(columns, rowCount: rows, taking: takeBuilders())
    }

    /// Returns the records so far as rows that can be appended to a batch, and starts an empty batch.
    package mutating func takeRows() -> ColumnRows {
        let (rows, size) = (rowCount, textSize)
        return unsafe ColumnRows(rowCount: rows, textSize: size, taking: takeBuilders())
    }

    private mutating func finishRows() {
        for index in unsafe builders.indices { unsafe builders[index].finish(at: rowCount) }
    }

    private mutating func takeBuilders() -> UnsafeMutableBufferPointer<ColumnBuilder> {
        finishRows()
        let taken = unsafe builders
        expectedRows = max(rowCount, 64)
        unsafe builders = ColumnBuilder.builders(columns.map(\.type), cellIndex: 1, capacity: expectedRows)
        rowCount = 0
        textSize = 0
        return unsafe taken
    }
}

/// The rows of some records, to be passed from one thread to another.
@safe
package final class ColumnRows: @unchecked Sendable {
    // Safe: the builders are not changed any more, until the one thread that gets the rows takes them over.
    package let rowCount: Int
    package let textSize: Int
    fileprivate var builders: UnsafeMutableBufferPointer<ColumnBuilder>

    init(rowCount: Int, textSize: Int, taking builders: UnsafeMutableBufferPointer<ColumnBuilder>) {
        self.rowCount = rowCount
        self.textSize = textSize
        unsafe self.builders = unsafe builders
    }

    deinit { unsafe ColumnBuilder.deallocate(builders) }

    fileprivate func takeBuilders() -> UnsafeMutableBufferPointer<ColumnBuilder> {
        let taken = unsafe builders
        unsafe builders = unsafe UnsafeMutableBufferPointer(start: nil, count: 0)
        return unsafe taken
    }
}
