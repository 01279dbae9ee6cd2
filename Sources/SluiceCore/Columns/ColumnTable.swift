// A property table whose properties are columns that are known only at run time. Each value becomes a cell. Unescaped text of the input
// is not even copied.

internal import Synchronization

/// One value of a record, in a form that a database statement accepts.
@safe
package struct Cell {
    enum Tag: UInt8 {
        case null, integer, real, inputText, ownText
        /// A list, whose elements are in the reader's memory.
        case list
        /// An object: the cells of its columns follow.
        case object
    }

    var tag = Tag.null
    /// Whether the value does not have the type of its tolerant column.
    var isOffType = false
    /// Whether the record has the column's key, with a value or with null.
    var isPresent = true
    /// An integer, the bits of a double, an address in the input, or an offset in the reader's memory.
    private var payload: UInt64 = 0
    /// The bytes of a text, the elements of a list, or the cells of an object, its own included.
    var count = 0

    var integer: Int64 {
        get { Int64(bitPattern: payload) }
        set { payload = UInt64(bitPattern: newValue) }
    }

    var real: Double {
        get { Double(bitPattern: payload) }
        set { payload = newValue.bitPattern }
    }

    /// The address of a text in the input.
    var start: UnsafePointer<UInt8>? {
        get { unsafe UnsafePointer(bitPattern: UInt(truncatingIfNeeded: payload)) }
        set { payload = UInt64(UInt(bitPattern: newValue)) }
    }

    /// The offset of a text or of elements in the reader's memory.
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

    /// Reads one record. Its cells are valid until the next call, and only while the bytes are.
    package mutating func read(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
        if let failure = unsafe reader.run(row, at: UnsafeMutableRawPointer(cells), bytes) { throw failure }
    }

    /// Reads a text that is the value of one column; false if it does not fit.
    mutating func readValue(ofColumn index: Int, _ text: UnsafeRawBufferPointer) -> Bool {
        // Safe: a record's binding has a layout with a row for each column, and each column has a cell.
        guard let layout = row.binding.model else { return false }
        unsafe cells[index] = Cell()
        return unsafe reader.run(layout.firstRows + index, at: UnsafeMutableRawPointer(cells + index), text) == nil
    }

    /// The value of a column in the record read last.
    package func value(at index: Int) -> CellValue {
        // Safe: each column has a cell.
        let cell = unsafe cells[index]
        switch cell.tag {
        // Columns of a table never have a list or an object.
        case .null, .list, .object: return .null
        case .integer: return .integer(cell.integer)
        case .real: return .real(cell.real)
        case .inputText: return unsafe .text(UnsafeBufferPointer(start: cell.start, count: cell.count))
        case .ownText: return unsafe .text(reader.cellText(at: cell.offset, count: cell.count))
        }
    }

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
    package var hasUnboundValue: Bool { reader.hasUnboundValue }

    /// Counts the unknown keys of the record read last, which is at a position in the input, if the options ask for a report.
    package mutating func acceptUnknownKeys(at position: SourcePosition) {
        unknownKeyCount += reader.unknownKeyCount
        reader.acceptUnknownKeys(at: position)
    }

    /// Returns the unknown keys counted so far, and forgets them. `count` is how often there were any; of very many names, the later ones
    /// are only counted.
    package mutating func takeUnknownKeys() -> (named: [JSONUnknownKey], count: Int) {
        defer { unknownKeyCount = 0 }
        return (reader.takeUnknownKeys(), unknownKeyCount)
    }

    /// The row of a record with these columns. Tables are never freed, so equal lists of columns share one.
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
                    presence: .optional, policy: JSONPropertyPolicy(isSensitive: column.isSensitive)),
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

/// The type that all bindings of a record name. It copies finished records: cells are plain bytes, so nothing is made or destroyed.
enum CellRecord: JSONBindable {
    static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.scalar(self, expectation: "a record")
    }

    static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        // Safe: the destination is the column reader's own memory, which has a cell for each slot.
        unsafe destination.address.assumingMemoryBound(to: Cell.self)
            .update(from: contents.base.assumingMemoryBound(to: Cell.self), count: contents.count)
    }

    func _write(to writer: inout JSONWriter) throws(JSONError) {}
}
