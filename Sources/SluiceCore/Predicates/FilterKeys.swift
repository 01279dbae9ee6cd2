// The keys that a filter looks up, as a tree: one level for the keys of an object, and one below each key whose value is looked
// into.

/// The keys of one level.
@safe
final class FilterKeys {
    /// A key, and what is to be done with the value behind it.
    @safe
    struct Entry {
        fileprivate let bytes: UnsafeMutableBufferPointer<UInt8>
        /// The conditions on this key's value; `rank` says which of a condition's alternative keys this is.
        fileprivate(set) var conditions: [(number: Int, rank: Int)] = []
        /// The keys to look up inside the value, if conditions reach further into it.
        fileprivate(set) var inner: FilterKeys?
    }

    private(set) var entries: [Entry] = []

    init() {}

    deinit {
        for entry in entries { unsafe entry.bytes.deallocate() }
    }

    /// Adds the way to a condition's value.
    func insert(_ path: ArraySlice<String>, number: Int, rank: Int) {
        guard let key = path.first else { return }
        let index = index(ofKey: key)
        if path.count == 1 { return entries[index].conditions.append((number, rank)) }
        let inner = entries[index].inner ?? FilterKeys()
        entries[index].inner = inner
        inner.insert(path.dropFirst(), number: number, rank: rank)
    }

    private func index(ofKey key: String) -> Int {
        let utf8 = Array(key.utf8)
        if let known = entries.firstIndex(where: { unsafe $0.bytes.elementsEqual(utf8) }) {
            return known
        }
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: utf8.count)
        _ = unsafe bytes.initialize(from: utf8)
        entries.append(unsafe Entry(bytes: bytes))
        return entries.count - 1
    }

    /// The entry of a key as it stands in the text, without its quotes; nil if the filter has no such key.
    func entry(_ key: UnsafePointer<UInt8>, _ count: Int) -> Int? {
        for index in entries.indices {
            let bytes = unsafe entries[index].bytes
            guard bytes.count == count else { continue }
            // Safe: both have as many bytes; an empty key has no address to be read.
            if count == 0 { return index }
            if let own = bytes.baseAddress, unsafe equalBytes(own, key, count) { return index }
        }
        return nil
    }

    /// The entry of an element's place in an array.
    func entry(ofElement place: Int) -> Int? {
        let digits = Array(String(place).utf8)
        return entries.firstIndex { unsafe $0.bytes.elementsEqual(digits) }
    }
}
