// The keys that a subschema names, and the strings of an `enum`: found by their bytes.

internal import SluiceCore

/// A key of a schema.
@safe
struct SchemaKey {
    /// The key's bytes, which live as long as the program.
    let bytes: UnsafePointer<UInt8>
    let count: Int
    /// The subschema of values of the key: that of `properties`, or else of `additionalProperties`; -1 if there is none.
    var node: Int32
    /// Whether `properties` has the key.
    var isProperty: Bool
    /// The bit of the key in the mask of required keys; 0 for keys that may be absent, and where keys are more than 64.
    var bit: UInt64
}

/// The keys of one object, in the order of the schema, with an index.
@safe
struct SchemaKeys {
    private let keys: UnsafeMutablePointer<SchemaKey>
    let count: Int
    /// The numbers of the keys, or -1, in a hash table with open addressing, at most half of which is used.
    private let slots: UnsafeMutablePointer<Int32>
    private let mask: Int
    /// How many keys of the program come before these.
    let base: Int

    /// No keys.
    static func none(in memory: SchemaMemory) -> SchemaKeys { SchemaKeys([], base: 0, in: memory) }

    /// - Parameters:
    ///   - texts: The keys, each of them once.
    ///   - base: How many keys of the program come before these.
    init(_ texts: [[UInt8]], base: Int, in memory: SchemaMemory) {
        var size = 4
        while size < texts.count * 2 { size *= 2 }
        let keys = unsafe memory.allocate(SchemaKey.self, max(texts.count, 1))
        let slots = unsafe memory.allocate(Int32.self, size)
        unsafe slots.initialize(repeating: -1, count: size)
        for (number, text) in texts.enumerated() {
            let bytes = unsafe memory.allocate(UInt8.self, max(text.count, 1))
            unsafe bytes.initialize(from: text, count: text.count)
            // Safe: there is memory for this many keys, and half of the slots are free.
            unsafe (keys + number).initialize(
                to: SchemaKey(bytes: bytes, count: text.count, node: -1, isProperty: false, bit: 0))
            var slot = unsafe KeyHash.full(bytes, text.count, KeyHash.seed) & (size - 1)
            while unsafe slots[slot] >= 0 { slot = (slot + 1) & (size - 1) }
            unsafe slots[slot] = Int32(number)
        }
        unsafe self.keys = unsafe keys
        unsafe self.slots = unsafe slots
        mask = size - 1
        count = texts.count
        self.base = base
    }

    subscript(_ number: Int) -> SchemaKey {
        @inline(__always) get {
            assert(number >= 0 && number < count)
            // Safe: numbers come from `find`, or are below the count.
            return unsafe keys[number]
        }
        nonmutating set { unsafe keys[number] = newValue }
    }

    /// Whether the key with a number is this text.
    @inline(__always)
    func isKey(_ number: Int, _ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        let key = unsafe keys[number]
        return unsafe key.count == count && equalBytes(key.bytes, bytes, count)
    }

    /// The number of a key; -1 if it is not among these.
    func find(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
        var slot = unsafe KeyHash.full(bytes, count, KeyHash.seed) & mask
        // Safe: positions are masked to the number of slots, of which half are free.
        while unsafe slots[slot] >= 0 {
            let number = unsafe Int(slots[slot])
            if unsafe isKey(number, bytes, count) { return number }
            slot = (slot &+ 1) & mask
        }
        return -1
    }

    /// The key with a number, as text.
    func text(_ number: Int) -> String {
        let key = self[number]
        return unsafe String(decoding: UnsafeBufferPointer(start: key.bytes, count: key.count), as: UTF8.self)
    }
}

/// Memory that is freed with the program.
@safe
final class SchemaMemory {
    private var blocks: [() -> Void] = []

    func allocate<Value: BitwiseCopyable>(_ type: Value.Type, _ count: Int) -> UnsafeMutablePointer<Value> {
        let memory = UnsafeMutablePointer<Value>.allocate(capacity: count)
        // Safe: only `deinit` frees it.
        blocks.append { unsafe memory.deallocate() }
        return unsafe memory
    }

    deinit {
        for free in blocks { free() }
    }
}
