// A property table whose properties are columns that are known only at run time. Each value becomes a cell; text that stands in
// the input unescaped is not even copied.

internal import Synchronization

/// One value of a record, in a form that a database statement takes.
@safe
package struct Cell {
    enum Tag: UInt8 {
        case null, integer, real, inputText, ownText
        /// Elements in the reader.
        case list
        /// An object: its columns' cells follow.
        case object
    }

    var tag = Tag.null
    /// Whether the value is not of its tolerant column's type.
    var isOffType = false
    /// Whether the record has the column's key, be it with null.
    var isPresent = true
    /// An integer, the bits of a double, an address, or a place in the reader.
    private var payload: UInt64 = 0
    /// Bytes of text, elements of a list, or cells of an object with its own.
    var count = 0

    var integer: Int64 {
        get { Int64(bitPattern: payload) }
        set { payload = UInt64(bitPattern: newValue) }
    }

    var real: Double {
        get { Double(bitPattern: payload) }
        set { payload = newValue.bitPattern }
    }

    /// Where text in the input begins.
    var start: UnsafePointer<UInt8>? {
        get { unsafe UnsafePointer(bitPattern: UInt(truncatingIfNeeded: payload)) }
        set { payload = UInt64(UInt(bitPattern: newValue)) }
    }

    /// Where text or elements in the reader begin.
    var offset: Int {
        get { Int(truncatingIfNeeded: payload) }
        set { payload = UInt64(truncatingIfNeeded: newValue) }
    }
}

/// The value of a cell, valid until the next record is read.
@safe
package enum CellValue {
    case null
    case integer(Int64)
    case real(Double)
    case text(UnsafeBufferPointer<UInt8>)
}

/// Reads records into cells.
@safe
package struct ColumnReader: ~Copyable {
    package let columns: [Column]
    private var reader: JSONReader
    private let row: RowHandle
    private let cells: UnsafeMutablePointer<Cell>
    private var unknownKeyCount = 0

    package init(columns: [Column], options: JSONReader.Options = .strict) {
        self.columns = columns
        reader = JSONReader(options: options)
        let count = max(columns.count, 1)
        unsafe cells = .allocate(capacity: count)
        unsafe cells.initialize(repeating: Cell(), count: count)
        for index in columns.indices { unsafe cells[index].isPresent = false }
        row = unsafe ColumnReader.row(for: columns, template: cells)
    }

    deinit { unsafe cells.deallocate() }

    /// Reads one record. Its cells are valid until the next call, and only as long as the bytes are.
    package mutating func read(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
        if let failure = unsafe reader.run(row, at: UnsafeMutableRawPointer(cells), bytes) { throw failure }
    }

    /// Reads the value of one column, which stands alone; false if it does not fit.
    mutating func readValue(ofColumn index: Int, _ text: UnsafeRawBufferPointer) -> Bool {
        // Safe: a record's binding has a layout, with a row for each column, and there is a cell for each.
        guard let layout = row.binding.model else { return false }
        unsafe cells[index] = Cell()
        return unsafe reader.run(layout.firstRows + index, at: UnsafeMutableRawPointer(cells + index), text) == nil
    }

    /// The value of a column in the record read last.
    package func value(at index: Int) -> CellValue {
        // Safe: there is a cell for each column.
        let cell = unsafe cells[index]
        switch cell.tag {
        // Columns of a table have no cells of the last two kinds.
        case .null, .list, .object: return .null
        case .integer: return .integer(cell.integer)
        case .real: return .real(cell.real)
        case .inputText: return unsafe .text(UnsafeBufferPointer(start: cell.start, count: cell.count))
        case .ownText: return unsafe .text(reader.cellText(at: cell.offset, count: cell.count))
        }
    }

    /// Whether a column of the record read last was tolerant of a value that is not of its type.
    package func isOffType(at index: Int) -> Bool {
        // Safe: there is a cell for each column.
        unsafe cells[index].isOffType
    }

    /// The first column from an index on whose key the record read last has, be it with null; nil behind the last one. Of many
    /// columns a record often has few.
    package func nextColumn(from index: Int) -> Int? {
        var index = index
        while index < columns.count {
            // Safe: there is a cell for each column.
            if unsafe cells[index].isPresent { return index }
            index &+= 1
        }
        return nil
    }

    /// Whether the record read last holds a value that no column reads: that of an unknown key, or one that is no object where
    /// columns read an object's keys. Values inside such a value, and inside one that a column takes as JSON, count for nothing.
    package var hasUnboundValue: Bool { reader.hasUnboundValue }

    /// Counts the unknown keys of the record read last, which stands at a place, if the options ask for a report.
    package mutating func acceptUnknownKeys(at position: SourcePosition) {
        unknownKeyCount += reader.unknownKeyCount
        reader.acceptUnknownKeys(at: position)
    }

    /// The unknown keys that were counted, which are forgotten then, and how often there were any: of very many names, the later ones
    /// are only counted.
    package mutating func takeUnknownKeys() -> (named: [JSONUnknownKey], count: Int) {
        defer { unknownKeyCount = 0 }
        return (reader.takeUnknownKeys(), unknownKeyCount)
    }

    /// The row of a record with these columns. Tables live as long as the process, so equal lists of columns share one.
    static func row(for columns: [Column], template: UnsafeMutablePointer<Cell>) -> RowHandle {
        tables.withLock { tables in
            if let known = tables[columns] { return known }
            let made = unsafe compile(columns, template)
            tables[columns] = made
            return made
        }
    }

    private static let tables = Mutex<[[Column]: RowHandle]>([:])

    private static func compile(_ columns: [Column], _ template: UnsafeMutablePointer<Cell>) -> RowHandle {
        var table = TableCompiler(modelName: "record")
        for (index, column) in columns.enumerated() {
            table.add(
                JSONProperty(
                    name: column.name, typeName: "\(column.type)", keys: column.keys, direction: .reading,
                    presence: .optional),
                offset: index * MemoryLayout<Cell>.stride, binding: ColumnReader.binding(column))
        }
        let binding = unsafe _BindingCompiler.allocate(
            Binding(kind: .model, type: CellRecord.self, expectation: "an object"))
        unsafe binding.pointee.model = unsafe table.finish(
            binding: BindingHandle(binding), draft: UnsafeRawPointer(template),
            draftSize: columns.count * MemoryLayout<Cell>.stride,
            draftAlignment: MemoryLayout<Cell>.alignment
        ).layout
        return unsafe _BindingCompiler.elementRow(_Binding(BindingHandle(binding)))
    }

    private static func binding(_ column: Column) -> _Binding {
        let expectation =
            switch column.type {
            case .integer: "an integer"
            case .real: "a number"
            case .text: "a string, number or boolean"
            case .bool: "a boolean"
            case .date: "a date"
            case .json: "a value"
            }
        var binding = Binding(
            kind: column.type == .json ? .rawCell : .cell, type: CellRecord.self, expectation: expectation)
        binding.cellType = CellType(column.type)
        binding.isTolerant = column.isTolerant
        return _Binding(_BindingCompiler.immortal(binding))
    }
}

/// What a finished record is copied through: cells are plain bytes, so nothing is made or destroyed.
enum CellRecord: JSONBindable {
    static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.scalar(self, expectation: "a record")
    }

    static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        // Safe: the destination is the column reader's own cells, of which there are as many as slots.
        unsafe destination.address.assumingMemoryBound(to: Cell.self)
            .update(from: contents.base.assumingMemoryBound(to: Cell.self), count: contents.count)
    }

    func _write(to writer: inout JSONWriter) throws(JSONError) {}
}
