// Tables, vectors and strings go in, and a FlatBuffer comes out: the part of https://flatbuffers.dev/internals/ that Arrow's metadata
// needs.
//
// References only point forward, so a table is written before the objects that it refers to. Its vtable is written before it.

/// The value of a table's field.
indirect enum FlatValue {
    case bool(Bool)
    case uint8(UInt8)
    case int16(Int16)
    case int32(Int32)
    case int64(Int64)
    case string(String)
    /// A table: its fields in the order of their numbers; nil for a field with its default value.
    case table([FlatValue?])
    case tables([[FlatValue?]])
    /// Structs of two integers.
    case pairs([(Int64, Int64)])

    /// The field's size inside the table in bytes: 4, the size of a reference, if the value is outside of it.
    fileprivate var size: Int {
        switch self {
        case .bool, .uint8: 1
        case .int16: 2
        case .int64: 8
        case .int32, .string, .table, .tables, .pairs: 4
        }
    }
}

/// Writes the bytes of a FlatBuffer.
struct FlatTable {
    private var bytes: [UInt8] = []

    /// The bytes of a buffer whose root is a table with these fields. Their number is a multiple of 8.
    static func bytes(of fields: [FlatValue?]) -> [UInt8] {
        var layout = FlatTable()
        layout.put(0 as UInt32)
        layout.patch(0, with: layout.append(fields))
        layout.pad(to: 8)
        return layout.bytes
    }

    /// The bytes of an integer, the lowest first.
    static func bytes(of value: some FixedWidthInteger) -> [UInt8] {
        stride(from: 0, to: value.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private mutating func put(_ value: some FixedWidthInteger) { bytes += Self.bytes(of: value) }

    private mutating func pad(to alignment: Int, after more: Int = 0) {
        while !(bytes.count + more).isMultiple(of: alignment) { bytes.append(0) }
    }

    /// Makes the reference at an offset point to a later offset.
    private mutating func patch(_ offset: Int, with target: Int) {
        set(UInt32(target - offset), at: offset)
    }

    /// Appends a table, then the objects that it refers to, and returns the table's offset.
    private mutating func append(_ fields: [FlatValue?]) -> Int {
        // The first 4 bytes of a table are the distance back to its vtable.
        var end = 4
        let offsets = fields.map { field -> Int in
            guard let field else { return 0 }
            let offset = (end + field.size - 1) / field.size * field.size
            end = offset + field.size
            return offset
        }
        pad(to: 2)
        let vtable = bytes.count
        put(UInt16(4 + 2 * fields.count))
        put(UInt16(end))
        for offset in offsets { put(UInt16(offset)) }
        pad(to: 8)
        let table = bytes.count
        put(Int32(table - vtable))
        bytes.append(contentsOf: repeatElement(0, count: end - 4))
        for (field, offset) in zip(fields, offsets) {
            if let field { write(field, at: table + offset) }
        }
        return table
    }

    private mutating func write(_ field: FlatValue, at offset: Int) {
        switch field {
        case .bool(let value): set(value ? 1 as UInt8 : 0, at: offset)
        case .uint8(let value): set(value, at: offset)
        case .int16(let value): set(value, at: offset)
        case .int32(let value): set(value, at: offset)
        case .int64(let value): set(value, at: offset)
        case .string(let text):
            pad(to: 4)
            patch(offset, with: bytes.count)
            put(UInt32(text.utf8.count))
            bytes.append(contentsOf: text.utf8)
            bytes.append(0)
        case .table(let fields): patch(offset, with: append(fields))
        case .tables(let tables):
            pad(to: 4)
            let vector = bytes.count
            patch(offset, with: vector)
            put(UInt32(tables.count))
            bytes.append(contentsOf: repeatElement(0, count: 4 * tables.count))
            for (index, fields) in tables.enumerated() { patch(vector + 4 + 4 * index, with: append(fields)) }
        case .pairs(let pairs):
            // The integers are aligned to 8 bytes; the vector's count, 4 bytes, comes before them.
            pad(to: 8, after: 4)
            patch(offset, with: bytes.count)
            put(UInt32(pairs.count))
            for (first, second) in pairs {
                put(first)
                put(second)
            }
        }
    }

    private mutating func set(_ value: some FixedWidthInteger, at offset: Int) {
        let value = Self.bytes(of: value)
        bytes.replaceSubrange(offset..<(offset + value.count), with: value)
    }
}
