// The value of a column until it is read out: sixteen plain bytes, so nothing has to be created or destroyed.
//
//     payload                                                                 count       column  tag  flags
//     an integer, the bits of a double, or the offset of a text or elements   their number
//
// A cell holds no address: a text of the input has its offset in the record. So cells can be kept and moved to another thread.

/// One value of a record, in a form that a database statement accepts.
@frozen
@usableFromInline
@safe
package struct Cell: BitwiseCopyable {
    @frozen
    @usableFromInline
    package enum Tag: UInt8 {
        case null, integer, real, inputText, ownText
        /// A list, whose elements are in the reader's memory.
        case list
        /// An object: the cells of its columns follow.
        case object
    }

    /// An integer, the bits of a double, or an offset.
    @usableFromInline package var payload: UInt64 = 0
    /// The lower half of ``count``.
    @usableFromInline var shortCount: UInt32 = 0
    /// The index of the cell's column, if the cells are not in the order of the columns.
    @usableFromInline package var column: Int16 = 0
    @usableFromInline package var tag = Tag.null
    /// `isOffType`, `isPresent`, `isContainer` and `isWord`; then the upper four bits of ``count``.
    @usableFromInline var flags: UInt8 = 0

    package init() {}

    /// The cell of a column whose key the record does not have.
    static var absent: Cell {
        var cell = Cell()
        cell.isPresent = false
        return cell
    }

    /// Whether the value does not have the type of its tolerant column.
    @inlinable package var isOffType: Bool {
        get { flags & 1 != 0 }
        set { flags = flags & ~1 | (newValue ? 1 : 0) }
    }

    /// Whether the record has the column's key, with a value or with null.
    @inlinable package var isPresent: Bool {
        get { flags & 2 == 0 }
        set { flags = flags & ~2 | (newValue ? 0 : 2) }
    }

    /// Whether the value is the text of an array or an object, in a column of another type.
    @inlinable package var isContainer: Bool {
        get { flags & 4 != 0 }
        set { flags = flags & ~4 | (newValue ? 4 : 0) }
    }

    /// Whether a text was made of a truth value.
    @inlinable package var isWord: Bool {
        get { flags & 8 != 0 }
        set { flags = flags & ~8 | (newValue ? 8 : 0) }
    }

    @inlinable package var integer: Int64 {
        get { Int64(bitPattern: payload) }
        set { payload = UInt64(bitPattern: newValue) }
    }

    @inlinable package var real: Double {
        get { Double(bitPattern: payload) }
        set { payload = newValue.bitPattern }
    }

    /// The bytes of a text, the elements of a list, or the cells of an object, its own included: up to 64 GiB, more than a record has.
    @inlinable package var count: Int {
        get { Int(shortCount) | Int(flags & 0xF0) &<< 28 }
        set {
            assert(newValue >= 0 && newValue < 1 << 36)
            shortCount = UInt32(truncatingIfNeeded: newValue)
            flags = flags & 0xF | UInt8(truncatingIfNeeded: newValue >> 28) & 0xF0
        }
    }

    /// The offset of a text in the record or in the text of those who keep the cell, or of elements in their memory.
    @inlinable package var offset: Int {
        get { Int(truncatingIfNeeded: payload) }
        set { payload = UInt64(truncatingIfNeeded: newValue) }
    }
}

/// The value of a cell, as the sink of a load gets it.
public enum CellValue: ~Escapable {
    case null
    case integer(Int64)
    case real(Double)
    /// A text, in UTF-8, or the JSON of a column of JSON.
    case text(RawSpan)
}

/// The value of a cell, valid until the next record is read.
@frozen
@usableFromInline
@safe
package enum RawCellValue {
    case null
    case integer(Int64)
    case real(Double)
    case text(UnsafeBufferPointer<UInt8>)
}

extension RawCellValue {
    /// Passes the value on, with the bytes of a text for as long as `body` runs.
    @inlinable
    package func withValue<Result>(_ body: (CellValue) throws -> Result) rethrows -> Result {
        switch self {
        case .null: return try body(.null)
        case .integer(let value): return try body(.integer(value))
        case .real(let value): return try body(.real(value))
        case .text(let bytes):
            // Safe: the span does not leave the closure, and the caller has the memory.
            let span = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(bytes))
            return try body(.text(span))
        }
    }
}

extension Cell {
    /// The value of a cell whose texts lie in an input, and in the memory of those who keep the cell.
    @inlinable package func value(input: UnsafeRawBufferPointer, own: UnsafeRawBufferPointer) -> RawCellValue {
        switch tag {
        case .null, .list, .object: .null
        case .integer: .integer(integer)
        case .real: .real(real)
        case .inputText: unsafe .text(part(of: input))
        case .ownText: unsafe .text(part(of: own))
        }
    }

    @inlinable package func part(of bytes: UnsafeRawBufferPointer) -> UnsafeBufferPointer<UInt8> {
        // Safe: the offset and the count were noted for these bytes.
        assert(offset >= 0 && count <= bytes.count - offset)
        let start = unsafe bytes.baseAddress.map { unsafe ($0 + offset).assumingMemoryBound(to: UInt8.self) }
        return unsafe UnsafeBufferPointer(start: start, count: count)
    }
}
