// Finds the row of a key's bytes. Readers look up only keys that they do not expect: see ``ExpectedKeys``.
//
// The keys of most models differ in their length or in one of three bytes. For these, a multiplier is found with which no two keys have
// one slot, so a look-up is one comparison at most. All other tables use a seeded hash of all bytes.

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

    /// 0 is free, else the row's number + 1. Without a multiplier, a key that finds its slot taken has the next free one.
    let slots: UnsafePointer<UInt16>
    let mask: Int
    /// Makes the brief hash perfect: no two keys have one slot. 0 if no such number was found; the full hash is used then.
    let multiplier: UInt32
    /// The size of the index is this power of two.
    let bits: UInt32
    /// The lengths of the keys, to reject others early: bit n for length n, bit 63 for 63 and more.
    let lengths: UInt64
    /// Whether some key is a number, and so may also be the index of an array's element.
    let hasIndices: Bool
    /// The model's rule for keys that are not among these.
    let unknownKeys: UnknownKeyRule
    /// The row of the property that collects such keys.
    let collector: RowHandle?

    /// Makes the index of at most ``greatestCount`` rows; with more, the model is invalid and nothing is looked up. After the rows there
    /// must be a sentinel.
    static func make(
        rows: UnsafeMutablePointer<PropertyRow>, count: Int, unknownKeys: UnknownKeyRule = .asReader,
        collector: RowHandle? = nil, in memory: TableStorage = .forever
    ) -> KeyTableHandle {
        var lengths: UInt64 = 0
        var hasIndices = false
        for number in 0..<min(count, greatestCount) {
            let row = unsafe rows[number]
            if row.keyCount > 0, unsafe row.keyBytes.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) { hasIndices = true }
            lengths |= 1 << UInt64(min(row.keyCount, 63))
        }
        let index = unsafe Index(UnsafeBufferPointer(start: rows, count: min(count, greatestCount)), in: memory)
        let level = unsafe memory.make(
            KeyTable(
                rows: RowHandle(rows), number: made.wrappingAdd(1, ordering: .relaxed).oldValue, count: count,
                slots: index.slots, mask: index.size - 1, multiplier: index.multiplier,
                bits: UInt32(index.size.trailingZeroBitCount),
                lengths: lengths, hasIndices: hasIndices,
                unknownKeys: unknownKeys, collector: collector))
        return unsafe KeyTableHandle(level)
    }
}

/// The slots of a table while it is made.
@safe
private struct Index {
    let slots: UnsafeMutablePointer<UInt16>
    let size: Int
    let multiplier: UInt32

    /// The most keys for which a multiplier is looked for: with more, two of them soon have one slot.
    private static let greatestPerfectCount = 128
    private static let attempts = 64

    init(_ rows: UnsafeBufferPointer<PropertyRow>, in memory: TableStorage) {
        var size = 8
        while size < rows.count * 4 { size *= 2 }
        if unsafe Index.canBePerfect(rows), let found = unsafe Index.perfect(rows, size, in: memory) {
            self = found
            return
        }
        let slots = unsafe Index.slots(size, in: memory)
        for number in rows.indices {
            let row = unsafe rows[number]
            var slot = unsafe KeyHash.full(row.key, row.keyCount, KeyHash.seed) & (size - 1)
            // Safe: a quarter of the slots is taken at most, and the mask keeps the number below their count.
            while unsafe slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
            unsafe slots[slot] = UInt16(number + 1)
        }
        unsafe self.init(slots: slots, size: size, multiplier: 0)
    }

    private init(slots: UnsafeMutablePointer<UInt16>, size: Int, multiplier: UInt32) {
        unsafe self.slots = unsafe slots
        self.size = size
        self.multiplier = multiplier
    }

    private static func slots(_ size: Int, in memory: TableStorage) -> UnsafeMutablePointer<UInt16> {
        let slots = unsafe memory.allocate(UInt16.self, size)
        unsafe slots.initialize(repeating: 0, count: size)
        return unsafe slots
    }

    /// Whether the brief hash can tell the keys apart.
    private static func canBePerfect(_ rows: UnsafeBufferPointer<PropertyRow>) -> Bool {
        guard rows.count <= greatestPerfectCount else { return false }
        var tuples = Set<UInt32>()
        return unsafe rows.allSatisfy { row in
            // The hash of an empty key is 0, as that of a tuple of zeros.
            unsafe tuples.insert(row.keyCount == 0 ? 0 : KeyHash.tuple(row.key, row.keyCount)).inserted
        }
    }

    /// Looks for a multiplier with which each key has a slot of its own, in up to 32 slots for each key.
    private static func perfect(_ rows: UnsafeBufferPointer<PropertyRow>, _ size: Int, in memory: TableStorage) -> Index? {
        var size = size
        for _ in 0..<3 {
            var slots = [UInt16](repeating: 0, count: size)
            var multiplier: UInt32 = 0x9E37_79B1
            for _ in 0..<attempts {
                if unsafe fill(rows, in: &slots, multiplier) {
                    let kept = unsafe Index.slots(size, in: memory)
                    unsafe kept.update(from: slots, count: size)
                    return unsafe Index(slots: kept, size: size, multiplier: multiplier)
                }
                // A linear congruential generator of odd numbers.
                multiplier = (multiplier &* 1_664_525 &+ 1_013_904_222) | 1
            }
            size *= 2
        }
        return nil
    }

    /// Gives each row the slot of its brief hash; clears the slots and returns false if two rows have one.
    private static func fill(
        _ rows: UnsafeBufferPointer<PropertyRow>, in slots: inout [UInt16], _ multiplier: UInt32
    ) -> Bool {
        for number in rows.indices {
            let row = unsafe rows[number]
            let slot = unsafe KeyHash.brief(row.key, row.keyCount, multiplier, bits: UInt32(slots.count.trailingZeroBitCount))
            guard slots[slot] == 0 else {
                for index in slots.indices { slots[index] = 0 }
                return false
            }
            slots[slot] = UInt16(number + 1)
        }
        return true
    }
}

extension PropertyRow {
    /// Memory for a key, in the form that ``ExpectedKeyHandle/matches(_:)`` needs.
    static func makeKey(_ bytes: [UInt8], in memory: TableStorage) -> UnsafePointer<UInt8> {
        // A key that JSON can only write with escapes never appears unescaped. Without its opening quote the pattern matches no text.
        let isPlain = !bytes.contains { $0.needsEscape }
        let pattern =
            [isPlain ? UInt8.quote : 0] + bytes + [.quote, UInt8(ascii: ":")]
            + [UInt8](repeating: 0, count: 16)
        let key = unsafe memory.allocate(UInt8.self, pattern.count)
        unsafe key.initialize(from: pattern, count: pattern.count)
        return unsafe UnsafePointer(key + 1)
    }
}
