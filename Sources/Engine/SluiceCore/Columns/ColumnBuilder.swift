// The values of one column, appended cell by cell. A batch later hands out the same memory.
//
//     bits            one bit for each value
//     int64, double   eight bytes for each value
//     int32           four bytes for each value
//     wide            sixteen bytes for each value, the lower eight first
//     text            offsets into bytes, one more than there are values
//     list            offsets into the elements, a column of their own; one more than there are values
//     object          a column for each key
//
// As soon as one value is null, there is also a validity bit for each value: 1 unless it is null.

internal import SluiceSystem

/// A column that grows. A row is appended only after its whole record has been read, so rows are never removed. At the end
/// ``finish(at:)`` must be called.
@safe
struct ColumnBuilder {
    enum Layout: UInt8 {
        case bits, int64, double, text, list, object, int32, wide

        /// The bytes of one value, or of one offset.
        var width: Int {
            switch self {
            case .bits, .object: 0
            case .int32, .text, .list: 4
            case .int64, .double: 8
            case .wide: 16
            }
        }
    }

    /// The memory that the cells of a record point into.
    @safe
    struct Source {
        let cells: UnsafePointer<Cell>
        /// The record.
        let input: UnsafeRawPointer
        /// Text that is not part of the record.
        let text: UnsafePointer<UInt8>
        /// The cells of elements.
        let elements: UnsafeRawPointer
    }

    let layout: Layout
    /// The index of the column's cell in a row of cells.
    let cellIndex: Int
    /// How many cells one element of a list has.
    let elementCellCount: Int
    private(set) var count = 0
    private(set) var nullCount = 0
    private var capacity: Int
    private(set) var validity: BitMemory?
    /// Values, bits or offsets.
    private(set) var values: ColumnMemory
    private var bits: BitMemory
    private(set) var bytes: ColumnMemory
    private(set) var byteCount = 0
    private(set) var children: UnsafeMutableBufferPointer<ColumnBuilder>
    /// The count of elements of all lists. The elements' column may lack the last ones while they are null.
    private var elementCount = 0

    /// - Parameters:
    ///   - cellIndex: the index of the column's cell in a row of cells.
    ///   - capacity: the count of values that there is room for at first.
    init(_ type: ColumnType, cellIndex: Int, capacity: Int) {
        self.cellIndex = cellIndex
        self.capacity = max(capacity, 64)
        var elementCellCount = 0
        unsafe children = unsafe UnsafeMutableBufferPointer(start: nil, count: 0)
        switch type {
        case .bool: layout = .bits
        case .integer, .timestamp: layout = .int64
        case .real: layout = .double
        case .int32, .date: layout = .int32
        case .decimal: layout = .wide
        case .text, .json: layout = .text
        case .list(let element):
            layout = .list
            elementCellCount = element.cellCount
            unsafe children = Self.builders([element], cellIndex: 0, capacity: capacity)
        case .object(let columns):
            layout = .object
            unsafe children = Self.builders(columns.map(\.type), cellIndex: cellIndex + 1, capacity: capacity)
        }
        self.elementCellCount = elementCellCount
        values = ColumnMemory(capacity: (self.capacity + 1) * layout.width)
        bits = BitMemory(capacity: layout == .bits ? self.capacity : 0)
        bytes = ColumnMemory(capacity: layout == .text ? self.capacity * 8 : 0)
        if layout == .text || layout == .list { unsafe values.base.storeBytes(of: 0, as: Int32.self) }
    }

    /// Makes the builders of columns whose cells follow one another.
    static func builders(
        _ types: [ColumnType], cellIndex: Int, capacity: Int
    ) -> UnsafeMutableBufferPointer<ColumnBuilder> {
        let builders = UnsafeMutableBufferPointer<ColumnBuilder>.allocate(capacity: types.count)
        var index = cellIndex
        for (number, type) in types.enumerated() {
            // Safe: there is room for a builder for each type.
            unsafe builders.initializeElement(at: number, to: ColumnBuilder(type, cellIndex: index, capacity: capacity))
            index += type.cellCount
        }
        return unsafe builders
    }

    /// Frees all memory of some builders.
    static func deallocate(_ builders: UnsafeMutableBufferPointer<ColumnBuilder>) {
        for index in builders.indices { unsafe builders[index].deallocate() }
        unsafe builders.deallocate()
    }

    private func deallocate() {
        validity?.deallocate()
        values.deallocate()
        bits.deallocate()
        bytes.deallocate()
        unsafe Self.deallocate(children)
    }

    /// The bits of a boolean column.
    var truths: BitMemory { bits }

    /// The offsets of a text or list column, one more than there are values.
    var offsets: UnsafePointer<Int32> { unsafe UnsafePointer(values.base.assumingMemoryBound(to: Int32.self)) }

    // MARK: Cells

    /// Appends the value of one row. A null is not stored until the next value comes, or the rows end: most records have values for only
    /// a few of many columns.
    ///
    /// - Parameter row: the count of rows before this one; the last of them may be nulls that are not stored yet.
    @inline(__always)
    mutating func append(_ source: Source, at row: Int) {
        // Safe: each row has the cells of each column.
        let cell = unsafe source.cells + cellIndex
        guard unsafe cell.pointee.tag != .null else { return }
        if count < row { appendNulls(row &- count) }
        if count == capacity { grow(to: count + 1) }
        validity?.append(true, at: count)
        switch layout {
        case .int64: unsafe put(cell.pointee.integer)
        case .double: unsafe put(cell.pointee.real)
        case .bits: unsafe bits.append(cell.pointee.integer != 0, at: count)
        case .text: unsafe appendText(cell, source)
        // The binder has taken only what fits.
        case .int32: unsafe put(Int32(truncatingIfNeeded: cell.pointee.integer))
        case .wide: unsafe put(WideInteger(cell.pointee.integer))
        case .list: unsafe appendElements(cell, source)
        case .object:
            for index in unsafe children.indices { unsafe children[index].appendChild(source, at: count) }
        }
        count &+= 1
    }

    /// `append` for a column inside this one: not inlined, because it is recursive.
    @inline(never)
    private mutating func appendChild(_ source: Source, at row: Int) { append(source, at: row) }

    /// Stores the nulls at the end of the first `row` rows, here and in all columns inside.
    mutating func finish(at row: Int) {
        if count < row { appendNulls(row - count) }
        let childCount = layout == .list ? elementCount : count
        for index in unsafe children.indices { unsafe children[index].finish(at: childCount) }
    }

    @inline(__always)
    private func put<Value: BitwiseCopyable>(_ value: Value) {
        // Safe: there is room for `capacity` values, and fewer have been stored.
        unsafe values.base.assumingMemoryBound(to: Value.self)[count] = value
    }

    @inline(__always)
    private mutating func appendText(_ cell: UnsafePointer<Cell>, _ source: Source) {
        let length = unsafe cell.pointee.count
        let end = byteCount &+ length
        if end > bytes.capacity { bytes.grow(to: end, keeping: byteCount) }
        // Safe: the text is at this offset in the record, or in the reader's memory.
        let memory = unsafe cell.pointee.tag == .inputText ? source.input : UnsafeRawPointer(source.text)
        unsafe memcpy(bytes.base + byteCount, memory + cell.pointee.offset, length)
        byteCount = end
        putOffset(end)
    }

    private mutating func appendElements(_ cell: UnsafePointer<Cell>, _ source: Source) {
        let number = unsafe cell.pointee.count
        let stride = elementCellCount * MemoryLayout<Cell>.stride
        // Safe: the binder has stored `number` elements there, of `elementCellCount` cells each.
        var address = unsafe source.elements + cell.pointee.offset
        for _ in 0..<number {
            let cells = unsafe address.assumingMemoryBound(to: Cell.self)
            let element = unsafe Source(cells: cells, input: source.input, text: source.text, elements: source.elements)
            unsafe children[0].appendChild(element, at: elementCount)
            elementCount &+= 1
            unsafe address += stride
        }
        putOffset(elementCount)
    }

    @inline(__always)
    private func putOffset(_ end: Int) {
        // Safe: there is room for one more offset than values. The text of a batch is limited to 2 GiB, so the offset fits.
        unsafe values.base.assumingMemoryBound(to: Int32.self)[count &+ 1] = Int32(truncatingIfNeeded: end)
    }

    @inline(never)
    private mutating func appendNulls(_ number: Int) {
        if count + number > capacity { grow(to: count + number) }
        makeValidity()
        validity?.appendZeros(number, at: count)
        nullCount += number
        switch layout {
        // Safe: there is room, as made above.
        case .int64, .double, .int32, .wide: unsafe memset(values.base + count * layout.width, 0, number * layout.width)
        case .bits: bits.appendZeros(number, at: count)
        case .text, .list:
            let end = Int32(truncatingIfNeeded: layout == .text ? byteCount : elementCount)
            let offsets = unsafe values.base.assumingMemoryBound(to: Int32.self) + count + 1
            for index in 0..<number { unsafe offsets[index] = end }
        case .object: break
        }
        count += number
    }

    /// Makes the validity bits when the first null comes.
    private mutating func makeValidity() {
        guard validity == nil else { return }
        let made = BitMemory(capacity: capacity)
        made.appendOnes(count, at: 0)
        validity = made
    }

    @inline(never)
    private mutating func grow(to size: Int) {
        capacity = max(size, capacity * 2)
        validity?.reserve(capacity, keeping: count)
        switch layout {
        case .int64, .double, .int32, .wide: values.grow(to: capacity * layout.width, keeping: count * layout.width)
        case .bits: bits.reserve(capacity, keeping: count)
        case .text, .list: values.grow(to: (capacity + 1) * 4, keeping: (count + 1) * 4)
        case .object: break
        }
    }

    // MARK: Rows of another batch

    /// Appends rows of a column of the same type. Both columns are finished.
    mutating func append(_ rows: Range<Int>, of other: ColumnBuilder) {
        guard !rows.isEmpty else { return }
        if count + rows.count > capacity { grow(to: count + rows.count) }
        appendValidity(rows, of: other)
        switch layout {
        case .int64, .double, .int32, .wide:
            let width = layout.width
            // Safe: there is room, as made above, and the other column has these rows.
            unsafe (values.base + count * width).copyMemory(
                from: other.values.base + rows.lowerBound * width, byteCount: rows.count * width)
        case .bits:
            for (number, row) in rows.enumerated() { bits.append(other.bits.isSet(row), at: count + number) }
        case .text:
            let part = appendOffsets(rows, of: other, base: byteCount)
            if byteCount + part.count > bytes.capacity { bytes.grow(to: byteCount + part.count, keeping: byteCount) }
            unsafe (bytes.base + byteCount).copyMemory(from: other.bytes.base + part.lowerBound, byteCount: part.count)
            byteCount += part.count
        case .list:
            let part = appendOffsets(rows, of: other, base: elementCount)
            unsafe children[0].append(part, of: other.children[0])
            elementCount += part.count
        case .object:
            for index in unsafe children.indices { unsafe children[index].append(rows, of: other.children[index]) }
        }
        count += rows.count
    }

    private mutating func appendValidity(_ rows: Range<Int>, of other: ColumnBuilder) {
        guard let otherValidity = other.validity else {
            validity?.appendOnes(rows.count, at: count)
            return
        }
        makeValidity()
        for (number, row) in rows.enumerated() {
            let isThere = otherValidity.isSet(row)
            validity?.append(isThere, at: count + number)
            if !isThere { nullCount += 1 }
        }
    }

    /// Appends the end offsets of rows. Returns the range of bytes or elements that these rows have in the other column.
    private func appendOffsets(_ rows: Range<Int>, of other: ColumnBuilder, base: Int) -> Range<Int> {
        // Safe: both columns have one more offset than rows.
        let source = unsafe other.offsets
        let start = unsafe source[rows.lowerBound]
        let target = unsafe values.base.assumingMemoryBound(to: Int32.self) + count + 1
        let difference = Int32(truncatingIfNeeded: base) &- start
        for (number, row) in rows.enumerated() { unsafe target[number] = unsafe source[row + 1] &+ difference }
        return unsafe Int(start)..<Int(source[rows.upperBound])
    }
}

/// An integer of 128 bits as Arrow stores it on all machines that Swift runs on: the lower half first.
struct WideInteger: BitwiseCopyable {
    let low: Int64
    let high: Int64

    init(_ value: Int64) { (low, high) = (value, value >> 63) }
}
