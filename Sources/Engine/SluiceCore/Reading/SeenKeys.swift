// The keys of all open objects, to find a key that appears twice in one of them. The bytes of all keys are in one buffer. When an
// object closes, its keys are the last ones, and are removed. So the buffer never becomes longer than the text.

/// A set of keys, each together with its object.
///
/// Hashes are seeded for each process, so an attacker cannot prepare a text whose keys collide. The keys of one chain are linked by their
/// numbers, newest first: the newest key of all is always the head of its chain.
struct SeenKeys {
    private struct Key {
        let hash: Int
        let depth: Int
        let start: Int
        let count: Int
        /// The number of the next older key of the chain, or -1.
        var older: Int
    }

    private var text: [UInt8] = []
    private var keys: [Key] = []
    /// For each chain, the number of its newest key, or -1. The number of chains is a power of two.
    private var chains = [Int](repeating: -1, count: 64)
    /// The key that is being read: where it begins, and whether it has an escape.
    private var start = 0
    private var hasEscape = false

    /// Forgets all keys.
    mutating func removeAll() {
        for key in keys { chains[key.hash & (chains.count - 1)] = -1 }
        keys.removeAll(keepingCapacity: true)
        text.removeAll(keepingCapacity: true)
        start = 0
        hasEscape = false
    }

    /// Adds a part of the key that is being read.
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) { unsafe text.append(contentsOf: bytes) }

    /// Adds a byte of an escape: the backslash, or the one after it.
    mutating func appendEscape(_ byte: UInt8) {
        hasEscape = true
        text.append(byte)
    }

    /// Ends the key that is being read. Returns its text if the object at this depth already has that key.
    mutating func repeatedKey(atDepth depth: Int, _ binder: BinderHandle) -> String? {
        if hasEscape { decode(binder) }
        hasEscape = false
        var hasher = Hasher()
        hasher.combine(depth)
        unsafe text.withUnsafeBytes { unsafe hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: $0[start...])) }
        let key = Key(hash: hasher.finalize(), depth: depth, start: start, count: text.count - start, older: -1)
        var older = chains[key.hash & (chains.count - 1)]
        while older >= 0 {
            let other = keys[older]
            if other.hash == key.hash, other.depth == depth,
                text[other.start..<(other.start + other.count)] == text[start...]
            {
                return String(decoding: text[start...], as: UTF8.self)
            }
            older = other.older
        }
        if keys.count >= chains.count { growChains() }
        insert(key)
        start = text.count
        return nil
    }

    /// Forgets the keys of the object that closes.
    mutating func removeKeys(atDepth depth: Int) {
        while let key = keys.last, key.depth == depth {
            chains[key.hash & (chains.count - 1)] = key.older
            start = key.start
            keys.removeLast()
        }
        text.removeSubrange(start...)
        hasEscape = false
    }

    private mutating func insert(_ key: Key) {
        var key = key
        let chain = key.hash & (chains.count - 1)
        key.older = chains[chain]
        chains[chain] = keys.count
        keys.append(key)
    }

    private mutating func growChains() {
        let old = keys
        chains = [Int](repeating: -1, count: chains.count * 2)
        keys.removeAll(keepingCapacity: true)
        for key in old { insert(key) }
    }

    /// Replaces the key that is being read by its decoded text. A key with invalid escapes is left as it is, because the parser
    /// refuses it anyway.
    private mutating func decode(_ binder: BinderHandle) {
        text.append(.quote)
        let isDecoded = unsafe text.withUnsafeBufferPointer { text in
            // Safe: the text has at least the quote that was just added.
            let base = unsafe text.baseAddress.unsafelyUnwrapped
            return unsafe binder.state.capture.decoded.decodeString(from: base + start, end: base + text.count) != nil
        }
        text.removeLast()
        guard isDecoded else { return }
        text.removeSubrange(start...)
        unsafe text.append(
            contentsOf: UnsafeBufferPointer(start: binder.state.capture.decoded.start, count: binder.state.capture.decoded.count))
    }
}
