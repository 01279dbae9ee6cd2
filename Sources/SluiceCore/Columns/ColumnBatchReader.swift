// Records go in, one after the other; batches of columns come out. A record that cannot be read leaves nothing behind.

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
    private let row: RowHandle
    private let cells: UnsafeMutableBufferPointer<Cell>
    private var builders: UnsafeMutableBufferPointer<ColumnBuilder>
    /// Rows for which a new batch has room.
    private var expectedRows: Int
    /// Records of the batch at hand.
    package private(set) var rowCount = 0
    /// Bytes of their text: no column has more, whose offsets are of 32 bits.
    private var textSize = 0

    /// Text of the records of one batch, at the most.
    package static let maximumTextSize = Int(Int32.max)

    /// - Parameter expectedRows: rows for which there is room at first.
    package init(columns: [JSONColumn], options: JSONReader.Options = .strict, expectedRows: Int = 1024) {
        self.columns = columns
        self.expectedRows = expectedRows
        // What converts values to a model's types, or leaves them out, does not hold here: a column takes what it takes.
        var options = options
        (options.conversions, options.nulls, options.mismatch, options.elements) = (.strict, nil, nil, nil)
        reader = JSONReader(options: options)
        row = CellTreeCompiler.row(for: columns)
        unsafe cells = .allocate(capacity: columns.reduce(1) { $0 + $1.type.cellCount })
        unsafe cells.initialize(repeating: Cell())
        unsafe builders = ColumnBuilder.builders(columns.map(\.type), cellIndex: 1, capacity: expectedRows)
    }

    deinit {
        unsafe cells.deallocate()
        unsafe ColumnBuilder.deallocate(builders)
    }

    /// Whether a record of that many bytes has to wait for the next batch.
    package func isFull(for size: Int) -> Bool { textSize > Self.maximumTextSize - size }

    /// Reads a record into the next row; the error, or nil. The caller has asked whether the batch is full.
    package mutating func append(_ record: UnsafeRawBufferPointer) -> JSONError? {
        guard !isFull(for: record.count) else {
            return JSONError(.sizeLimit, expected: "at most \(Self.maximumTextSize) bytes in a batch", found: "more")
        }
        // Safe: there is at least the cell of the record.
        let base = unsafe cells.baseAddress.unsafelyUnwrapped
        if let error = unsafe reader.run(row, at: base, record) { return error }
        let memory = unsafe reader.cellMemory
        let source = unsafe ColumnBuilder.Source(cells: base, text: memory.text, elements: memory.elements)
        for index in unsafe builders.indices { unsafe builders[index].append(source, at: rowCount) }
        rowCount &+= 1
        textSize &+= record.count
        return nil
    }

    /// Whether the record appended last has a value that no column takes.
    package var hasUnboundValue: Bool { reader.hasUnboundValue }

    /// Appends rows of a batch with the same columns. The caller has asked whether they are too many.
    package mutating func append(_ rows: Range<Int>, of batch: borrowing ColumnRows) {
        finishRows()
        for index in unsafe builders.indices { unsafe builders[index].append(rows, of: batch.builders[index]) }
        rowCount += rows.count
        textSize += batch.textSize
    }

    /// The records so far as a batch; the next one starts with none.
    package mutating func takeBatch() -> JSONColumnBatch {
        let rows = rowCount
        return unsafe JSONColumnBatch(columns, rowCount: rows, taking: takeBuilders())
    }

    /// The records so far as rows to be appended to a batch.
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

/// The rows of some records, on their way from one thread to another.
@safe
package final class ColumnRows: @unchecked Sendable {
    // Safe: nothing changes the builders once they are here.
    package let rowCount: Int
    package let textSize: Int
    let builders: UnsafeMutableBufferPointer<ColumnBuilder>

    init(rowCount: Int, textSize: Int, taking builders: UnsafeMutableBufferPointer<ColumnBuilder>) {
        self.rowCount = rowCount
        self.textSize = textSize
        unsafe self.builders = unsafe builders
    }

    deinit { unsafe ColumnBuilder.deallocate(builders) }
}
