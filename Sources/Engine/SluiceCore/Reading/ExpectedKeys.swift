// The objects of a feed mostly have the same keys in the same order, those that no property has among them. So a reader remembers, for
// each key of a table, which two keys followed it last.
//
//     {"id":1,"extra":2,"name":"x"}      id → name becomes id → extra → name
//     {"id":2,"extra":3,"name":"y"}      three comparisons
//     {"id":3,"name":"z"}                id → name, or else extra
//
// A key that comes as expected costs one comparison. It is not looked up, and an unbound one is not proven to be text again, because
// equal bytes have been.

/// The keys of all objects that a reader has read, in the orders in which they are expected.
@safe
struct ExpectedKeys {
    /// A hash table with open addressing: its size is a power of two, and at most half of the slots are used. The number of a key
    /// table is its hash. These numbers are consecutive, so there are few collisions.
    private var slots: UnsafeMutablePointer<KeyLevelHandle?>
    private var mask = 15
    private var count = 0

    init() {
        unsafe slots = .allocate(capacity: mask + 1)
        unsafe slots.initialize(repeating: nil, count: mask + 1)
    }

    func deallocate() {
        for index in 0...mask { unsafe slots[index]?.free() }
        unsafe slots.deallocate()
    }

    // MARK: Levels

    /// What is remembered of the objects with a table.
    @inline(__always)
    mutating func level(of table: KeyTableHandle) -> KeyLevelHandle {
        // Safe: the index is masked to the number of slots.
        if let level = unsafe slots[index(of: table)], level.table == table { return level }
        return findLevel(of: table)
    }

    @inline(__always)
    private func index(of table: KeyTableHandle) -> Int { table.number & mask }

    @inline(never)
    private mutating func findLevel(of table: KeyTableHandle) -> KeyLevelHandle {
        var slot = index(of: table)
        // Safe: positions are masked to the number of slots, of which half are free.
        while let level = unsafe slots[slot] {
            if level.table == table { return level }
            slot = (slot + 1) & mask
        }
        if count * 2 > mask {
            grow()
            return findLevel(of: table)
        }
        count += 1
        let level = KeyLevelHandle(of: table)
        unsafe slots[slot] = level
        return level
    }

    private mutating func grow() {
        let (old, size) = unsafe (slots, mask + 1)
        mask = size * 2 - 1
        unsafe slots = .allocate(capacity: mask + 1)
        unsafe slots.initialize(repeating: nil, count: mask + 1)
        for number in 0..<size {
            guard let level = unsafe old[number] else { continue }
            var slot = index(of: level.table)
            while unsafe slots[slot] != nil { slot = (slot + 1) & mask }
            unsafe slots[slot] = level
        }
        unsafe old.deallocate()
    }
}

/// What a reader remembers of the objects with one key table.
@safe
struct KeyLevel {
    let table: KeyTableHandle
    /// A position before the first key, then one for each row of the table.
    let keys: UnsafeMutablePointer<ExpectedKey>
    /// The keys that no property has; nil before the first.
    fileprivate var unbound: UnboundKeys?
}

/// The address of a level.
///
/// Safe: it lives as long as the reader's ``ExpectedKeys``, or as the process for ``empty``, and is only used by the reader's own thread.
@safe
struct KeyLevelHandle: @unchecked Sendable {
    private let address: UnsafeMutablePointer<KeyLevel>

    /// The level of objects that have no keys. It is never changed.
    static let empty = KeyLevelHandle(of: ReaderRows.emptyLevel)

    /// Expects the keys of a table in the order of its rows.
    fileprivate init(of table: KeyTableHandle) {
        let count = table.count
        let keys = UnsafeMutablePointer<ExpectedKey>.allocate(capacity: count + 1)
        let none = ExpectedKeyHandle.none
        for index in 0...count {
            // Safe: there is memory for one more key. A row's pattern lives as long as the process.
            let row = index == 0 ? none.row : table.row(at: index - 1)
            let next = unsafe index < count ? ExpectedKeyHandle(keys + (index + 1)) : none
            unsafe (keys + index).initialize(
                to: ExpectedKey(
                    pattern: index == 0 ? none.pattern : row.key - 1, count: index == 0 ? none.count : row.keyCount, row: row,
                    next: next, other: none))
        }
        unsafe address = .allocate(capacity: 1)
        unsafe address.initialize(to: KeyLevel(table: table, keys: keys))
    }

    fileprivate func free() {
        unsafe address.pointee.unbound?.deallocate()
        unsafe address.pointee.keys.deallocate()
        unsafe address.deallocate()
    }

    var table: KeyTableHandle { @inline(__always) get { unsafe address.pointee.table } }

    /// The position before the first key.
    var start: ExpectedKeyHandle { @inline(__always) get { unsafe ExpectedKeyHandle(address.pointee.keys) } }

    /// A key that is known; nil if it is not.
    @inline(__always)
    func find(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> ExpectedKeyHandle? {
        guard let row = unsafe table.row(forKey: bytes, count) else { return unsafe address.pointee.unbound?.find(bytes, count) }
        let index = unsafe row.address - table.rows.address
        assert(index >= 0 && index < table.count)
        // Safe: the row is one of the table, and its key is at the next index.
        return unsafe ExpectedKeyHandle(address.pointee.keys + (index + 1))
    }

    /// Remembers a key that no property has, and that has been proven to be text. Returns nil if the key is not remembered: it is
    /// too long, needs escapes, or finds no room.
    func addUnbound(_ bytes: UnsafePointer<UInt8>, _ count: Int, row: RowHandle) -> ExpectedKeyHandle? {
        guard count <= UnboundKeys.longest, table.count > 0,
            unsafe !UnsafeBufferPointer(start: bytes, count: count).contains(where: \.needsEscape)
        else { return nil }
        if unsafe address.pointee.unbound == nil { unsafe address.pointee.unbound = UnboundKeys() }
        return unsafe address.pointee.unbound?.add(bytes, count, row)
    }
}

/// Up to 256 keys that no property of a table has, found by their bytes.
@safe
private struct UnboundKeys {
    /// The most bytes of a key that is remembered.
    static let longest = 64
    private static let setCount = 64
    private static let setSize = 4
    /// If there is no room, only every eighth new key replaces another one: keys that never come again must not cost much.
    private static let replacement = 8

    /// `setSize` positions for each value of the hash.
    private let keys: UnsafeMutablePointer<ExpectedKeyHandle?>
    /// How many keys have found no room.
    private var overflow = 0
    private let seed = KeyHash.seed

    init() {
        unsafe keys = .allocate(capacity: UnboundKeys.setCount * UnboundKeys.setSize)
        unsafe keys.initialize(repeating: nil, count: UnboundKeys.setCount * UnboundKeys.setSize)
    }

    func deallocate() {
        for index in 0..<(UnboundKeys.setCount * UnboundKeys.setSize) { unsafe keys[index]?.free() }
        unsafe keys.deallocate()
    }

    private func set(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> UnsafeMutablePointer<ExpectedKeyHandle?> {
        unsafe keys + (KeyHash.full(bytes, count, seed) & (UnboundKeys.setCount - 1)) * UnboundKeys.setSize
    }

    func find(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> ExpectedKeyHandle? {
        let set = unsafe set(bytes, count)
        for index in 0..<UnboundKeys.setSize {
            // Safe: a set has this many positions.
            guard let key = unsafe set[index] else { return nil }
            if unsafe key.equals(bytes, count) { return key }
        }
        return nil
    }

    mutating func add(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ row: RowHandle) -> ExpectedKeyHandle? {
        assert(count <= UnboundKeys.longest)
        let set = unsafe set(bytes, count)
        for index in 0..<UnboundKeys.setSize where unsafe set[index] == nil {
            let key = unsafe ExpectedKeyHandle(unboundKeyOf: bytes, count, row, room: UnboundKeys.longest)
            unsafe set[index] = key
            return key
        }
        overflow &+= 1
        guard overflow % UnboundKeys.replacement == 0 else { return nil }
        // This position may hold the last key of an open object. That object then expects what followed the old key, and may have to
        // look its next key up.
        let key = unsafe set[overflow / UnboundKeys.replacement % UnboundKeys.setSize]
        unsafe key?.replace(by: bytes, count)
        return key
    }
}
