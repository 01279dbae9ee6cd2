// Reads records whose columns are known only at run time. Each value becomes a cell; unescaped text of the input is not even copied.

/// Reads records into cells.
@safe
package final class ColumnReader {
    package let columns: [JSONColumn]
    // Unchecked: what the reader calls does not come back to it. It is a class because methods that another module calls on a struct of
    // this size copy it first.
    @safe @exclusivity(unchecked) private var reader: JSONReader
    private let row: RowHandle
    /// What holds the row's memory; nil for columns of a model.
    private let plan: RowPlan?
    /// The cell of the object, and those of its columns.
    private let record: UnsafeMutablePointer<Cell>
    @safe @exclusivity(unchecked) private var unknownKeyCount = 0
    /// The model whose columns these are, and the memory of its records; nil for columns without a model.
    @safe @exclusivity(unchecked) private var model: ModelCellReader?
    /// That memory.
    private let values: UnsafeMutableRawPointer?

    package convenience init(columns: [JSONColumn], options: JSONReader.Options = .strict) {
        self.init(columns: columns, RowPlan(columns), options: options)
    }

    /// - Parameter plan: That of the columns.
    package init(columns: [JSONColumn], _ plan: RowPlan, options: JSONReader.Options = .strict) {
        self.columns = columns
        self.plan = plan
        unsafe values = nil
        reader = JSONReader(options: options)
        row = plan.row
        unsafe record = .allocate(capacity: plan.cellCount)
        unsafe record.initialize(repeating: .absent, count: plan.cellCount)
    }

    /// Reads the records of a model: those that it accepts. The options are those with which the model would be read. After the columns
    /// of its table come those for the texts of the arrays that have tables of their own.
    package init(_ model: ModelColumns, options: JSONReader.Options = JSONReader.Options()) {
        columns = model.columns + model.tables.map(\.column)
        reader = JSONReader(options: options)
        (row, plan) = (model.row, nil)
        unsafe record = .allocate(capacity: columns.count + 1)
        unsafe record.initialize(repeating: .absent, count: columns.count + 1)
        let cells = ModelCellReader(model)
        unsafe values = unsafe cells.memory
        self.model = consume cells
    }

    deinit { unsafe record.deallocate() }

    /// The cells of the columns.
    private var cells: UnsafeMutablePointer<Cell> { unsafe record + 1 }

    /// Reads one record. Its cells are valid until the next call, and only while the bytes are.
    package func read(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
        if let values = unsafe values {
            unsafe reader.beginCells(of: bytes)
            if let failure = unsafe reader.run(row, at: values, bytes) { throw failure }
            let cells = unsafe cells
            try unsafe model?.store(cells, &reader)
            return
        }
        if let failure = unsafe reader.runRow(row, at: UnsafeMutableRawPointer(record), bytes) { throw failure }
    }

    /// Reads a text that is the value of one column; nil if it does not fit.
    func readValue(ofColumn index: Int, _ text: UnsafeRawBufferPointer) -> RawCellValue? {
        // Safe: a record's binding has a layout with a row for each column, and each column has a cell.
        guard let layout = row.binding.model else { return nil }
        unsafe cells[index] = Cell()
        unsafe reader.beginCells(of: text)
        let failure = unsafe reader.run(layout.firstRows + index, at: UnsafeMutableRawPointer(cells + index), text)
        return failure == nil ? value(at: index) : nil
    }

    /// The cell of a column in the record read last. Its text, if it has one, is that of ``value(at:)``.
    package func cell(at index: Int) -> Cell {
        // Safe: each column has a cell.
        unsafe cells[index]
    }

    /// The value of a column in the record read last.
    package func value(at index: Int) -> RawCellValue {
        // Safe: each column has a cell.
        unsafe cells[index].value(input: reader.cellInput, own: reader.cellText)
    }

    /// Runs a body with the cells of the record read last, one for each column. The text of a cell lies in the record, or is that of
    /// ``ownText(of:)``.
    @inline(__always)
    package func withCells<Result>(_ body: (UnsafeBufferPointer<Cell>) -> Result) -> Result {
        // Safe: each column has a cell.
        unsafe body(UnsafeBufferPointer(start: cells, count: columns.count))
    }

    /// The text of a cell that lies in the record.
    package func inputText(of cell: Cell) -> UnsafeBufferPointer<UInt8> { unsafe cell.part(of: reader.cellInput) }

    /// The text of a cell that does not lie in the record.
    package func ownText(of cell: Cell) -> UnsafeBufferPointer<UInt8> { unsafe cell.part(of: reader.cellText) }

    /// Whether the column holds a value, in the record read last, that does not have its type. Only tolerant columns do.
    package func isOffType(at index: Int) -> Bool {
        // Safe: each column has a cell.
        unsafe cells[index].isOffType
    }

    /// The first column, from an index on, whose key is present in the record read last, with a value or with null; nil if there is
    /// none. With many columns, a record often has values for only a few.
    package func nextColumn(from index: Int) -> Int? {
        var index = index
        while index < columns.count {
            // Safe: each column has a cell.
            if unsafe cells[index].isPresent { return index }
            index &+= 1
        }
        return nil
    }

    /// Whether the record read last has a value that no column reads: the value of an unknown key, or a value that should be an object,
    /// because columns read its keys, but is not. Values nested in such a value, or in one that a column takes as JSON, do not count.
    package var hasUnknownValue: Bool { reader.hasUnknownValue }

    /// Whether the record read last has null, a scalar or an array where columns read an object's keys, or an array of which they read
    /// elements. The columns below have no cells then.
    package var hasGapOnPath: Bool { reader.hasGapOnPath }

    /// Counts the unknown keys of the record read last, which is at a position in the input, if the options ask for a report.
    package func acceptUnknownKeys(at position: SourcePosition) {
        unknownKeyCount += reader.unknownKeyCount
        reader.acceptUnknownKeys(at: position)
    }

    /// Returns the unknown keys counted so far, and forgets them. `count` is how often there were any; of very many names, the later ones
    /// are only counted.
    package func takeUnknownKeys() -> (named: [JSONUnknownKey], count: Int) {
        defer { unknownKeyCount = 0 }
        return (reader.takeUnknownKeys(), unknownKeyCount)
    }
}
