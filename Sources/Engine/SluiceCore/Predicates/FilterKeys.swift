// The keys that a filter looks up, as a tree: a level has keys of one object, and a key has a level of its own if conditions test
// values inside its value.

/// The keys of one level.
@safe
final class FilterKeys {
    /// A key, the conditions on its value, and the keys to look up inside the value.
    @safe
    struct Entry {
        fileprivate let bytes: UnsafeMutableBufferPointer<UInt8>
        /// The conditions on this key's value; `rank` says which of a condition's alternative keys this is.
        fileprivate(set) var conditions: [(number: Int, rank: Int)] = []
        /// The keys to look up inside the value, if conditions reach further into it.
        fileprivate(set) var inner: FilterKeys?
        /// The number of the entry among those of all levels.
        let number: Int
    }

    // Unchecked: entries are only added while a filter is made.
    @safe @exclusivity(unchecked) private(set) var entries: [Entry] = []

    init() {}

    deinit {
        for entry in entries { unsafe entry.bytes.deallocate() }
    }

    /// Adds the key path of a condition's value.
    ///
    /// - Parameter count: The number of entries of all levels.
    func insert(_ path: ArraySlice<String>, number: Int, rank: Int, count: inout Int) {
        guard let key = path.first else { return }
        let index = index(ofKey: key, &count)
        if path.count == 1 { return entries[index].conditions.append((number, rank)) }
        let inner = entries[index].inner ?? FilterKeys()
        entries[index].inner = inner
        inner.insert(path.dropFirst(), number: number, rank: rank, count: &count)
    }

    private func index(ofKey key: String, _ count: inout Int) -> Int {
        let utf8 = Array(key.utf8)
        if let known = entries.firstIndex(where: { unsafe $0.bytes.elementsEqual(utf8) }) {
            return known
        }
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: utf8.count)
        _ = unsafe bytes.initialize(from: utf8)
        entries.append(unsafe Entry(bytes: bytes, number: count))
        count += 1
        return entries.count - 1
    }

    /// The index of the entry for a key, given its bytes without quotes; nil if the filter does not look up this key.
    func entry(_ key: UnsafePointer<UInt8>, _ count: Int) -> Int? {
        for index in entries.indices {
            let bytes = unsafe entries[index].bytes
            guard bytes.count == count else { continue }
            // Safe: both keys have `count` bytes. Empty keys are equal, and are not read.
            if count == 0 { return index }
            if let own = bytes.baseAddress, unsafe equalBytes(own, key, count) { return index }
        }
        return nil
    }

    /// The index of the entry for an element of an array, whose index is its key, or nil.
    func entry(ofElement index: Int) -> Int? {
        let digits = Array(String(index).utf8)
        return entries.firstIndex { unsafe $0.bytes.elementsEqual(digits) }
    }
}
