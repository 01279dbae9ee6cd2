// Finds the row of a key's bytes, by a hash of the length and three bytes. Readers look up only keys that they do not expect: see
// ``ExpectedKeys``.

internal import Synchronization

/// A model's rule for keys without a property.
enum UnknownKeyRule: UInt8 {
    /// The model has no rule: the reader's options apply.
    case asReader
    case ignore, report, reject
    /// A property collects them.
    case collect
}

/// The keys of one object, in the order of declaration, with an index.
@safe
struct KeyTable {
    /// The rows, followed by a sentinel that no key equals.
    let rows: RowHandle
    /// The table's number, which is how many tables were made before it. By this number, a reader finds what it remembers of the
    /// table.
    let number: Int
    let count: Int
    private static let made = Atomic(0)
    /// The most rows that one table can have: the slots are numbers of 16 bits.
    static let greatestCount = Int(UInt16.max)

    /// Open addressing: 0 is free, else the row's number + 1.
    let slots: UnsafePointer<UInt16>
    let mask: Int
    /// The lengths of the keys, to reject others early: bit n for length n, bit 63 for 63 and more.
    let lengths: UInt64
    /// Whether some key is a number, and so may also be the index of an array's element.
    let hasPlaces: Bool
    /// The model's rule for keys that are not among these.
    let unknownKeys: UnknownKeyRule
    /// The row of the property that collects such keys.
    let collector: RowHandle?

    /// A hash of the length and the first, middle and last byte: enough to tell a model's own keys apart, and cheap to reject others.
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

    /// Makes the index of at most ``greatestCount`` rows; with more, the model is invalid and nothing is looked up. Behind the rows there
    /// must be a sentinel.
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
        for number in 0..<min(count, greatestCount) {
            let row = unsafe rows[number]
            if row.keyCount > 0, unsafe row.keyBytes.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) { hasPlaces = true }
            lengths |= 1 << UInt64(min(row.keyCount, 63))
            var place = unsafe hash(row.key, row.keyCount) & (size - 1)
            while unsafe slots[place] != 0 { place = (place + 1) & (size - 1) }
            unsafe slots[place] = UInt16(number + 1)
        }
        let level = UnsafeMutablePointer<KeyTable>.allocate(capacity: 1)
        unsafe level.initialize(
            to: KeyTable(
                rows: RowHandle(rows), number: made.wrappingAdd(1, ordering: .relaxed).oldValue, count: count, slots: slots,
                mask: size - 1, lengths: lengths, hasPlaces: hasPlaces,
                unknownKeys: unknownKeys, collector: collector))
        return unsafe KeyTableHandle(level)
    }
}

extension PropertyRow {
    /// Memory for a key, in the form that ``ExpectedKeyHandle/matches(_:)`` needs.
    static func makeKey(_ bytes: [UInt8]) -> UnsafePointer<UInt8> {
        // A key that JSON can only write with escapes never appears unescaped. Without its opening quote the pattern matches no text.
        let isPlain = !bytes.contains { $0.needsEscape }
        let pattern =
            [isPlain ? UInt8.quote : 0] + bytes + [.quote, UInt8(ascii: ":")]
            + [UInt8](repeating: 0, count: 16)
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: pattern.count)
        unsafe memory.initialize(from: pattern, count: pattern.count)
        return unsafe UnsafePointer(memory + 1)
    }
}
