// From the bytes of a key to its row. Feeds repeat the order of their keys, so the row after the last match is tried first; a
// miss goes through a hash of the length and three bytes.

/// What a model says of keys that no property has.
enum UnknownKeyRule: UInt8 {
    /// Nothing: the reader's options hold.
    case asReader
    case ignore, report, reject
    /// A property takes them.
    case collect
}

/// The keys that may stand in one object, in the order of declaration, with an index.
@safe
struct KeyTable {
    /// The rows, followed by a sentinel that no key equals.
    let rows: RowHandle
    let count: Int
    /// Open addressing: 0 is free, else the row's number + 1.
    let slots: UnsafePointer<UInt16>
    let mask: Int
    /// Whether keys outside the index can be told by their length alone: bit n for length n, bit 63 for longer ones.
    let lengths: UInt64
    /// Whether a key is a number, which is also the place of an element in an array.
    let hasPlaces: Bool
    /// What the model says of keys that are not among these.
    let unknownKeys: UnknownKeyRule
    /// The row of the property that collects such keys.
    let collector: RowHandle?

    /// Length, first, middle and last byte: enough to keep a model's own keys apart, and cheap to reject others.
    @inline(__always)
    static func hash(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
        guard count > 0 else { return 0 }
        // Safe: all three positions are below `count`.
        let first = unsafe UInt32(bytes[0])
        let middle = unsafe UInt32(bytes[count &>> 1])
        let last = unsafe UInt32(bytes[count &- 1])
        let mixed = (first | middle &<< 8 | last &<< 16) ^ UInt32(truncatingIfNeeded: count) &<< 11
        return Int((mixed &* 0x9E37_79B1) &>> 12)
    }

    /// Makes the index of rows that are followed by room for a sentinel.
    static func make(
        rows: UnsafeMutablePointer<PropertyRow>, count: Int, unknownKeys: UnknownKeyRule = .asReader,
        collector: RowHandle? = nil
    ) -> KeyTableHandle {
        var size = 8
        while size < count * 4 { size *= 2 }
        let slots = UnsafeMutablePointer<UInt16>.allocate(capacity: size)
        unsafe slots.initialize(repeating: 0, count: size)
        var lengths: UInt64 = 0
        var hasPlaces = false
        for number in 0..<count {
            let row = unsafe rows[number]
            if row.keyCount > 0, unsafe row.keyBytes.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) { hasPlaces = true }
            lengths |= 1 << UInt64(min(row.keyCount, 63))
            var place = unsafe hash(row.key, row.keyCount) & (size - 1)
            while unsafe slots[place] != 0 { place = (place + 1) & (size - 1) }
            unsafe slots[place] = UInt16(truncatingIfNeeded: number + 1)
        }
        let level = UnsafeMutablePointer<KeyTable>.allocate(capacity: 1)
        unsafe level.initialize(
            to: KeyTable(
                rows: RowHandle(rows), count: count, slots: slots, mask: size - 1, lengths: lengths, hasPlaces: hasPlaces,
                unknownKeys: unknownKeys, collector: collector))
        return unsafe KeyTableHandle(level)
    }
}

extension PropertyRow {
    /// Memory for a key, in the form that `RowHandle.matches(_:)` wants.
    static func makeKey(_ bytes: [UInt8]) -> UnsafePointer<UInt8> {
        // A key that the text can only hold with escapes never stands there as it is: a quote would end it too early.
        let isPlain = !bytes.contains { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
        let pattern =
            [isPlain ? UInt8(ascii: "\"") : 0] + bytes + [UInt8(ascii: "\""), UInt8(ascii: ":")]
            + [UInt8](repeating: 0, count: 16)
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: pattern.count)
        unsafe memory.initialize(from: pattern, count: pattern.count)
        return unsafe UnsafePointer(memory + 1)
    }
}
