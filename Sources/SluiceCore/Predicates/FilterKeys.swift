// The keys that a filter looks up, as a tree: a level has keys of one object, and a key has a level of its own if conditions test
// values inside its value.

internal import CScan

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

    /// What a text has that has a certain key: three bytes, the last of them at a distance from the first.
    struct Trace {
        let first, second, third: UInt8
        let distance: Int

        func isIn(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
            // Safe: the text has `count` bytes.
            guard let start = text.baseAddress else { return false }
            return unsafe cscan_contains_three(start, text.count, first, second, third, distance)
        }
    }

    private(set) var entries: [Entry] = []

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

    /// What a text has if it has a key of this level or of one below it, at any depth: quotes at the distance of the key's, or an escape
    /// with which the key may be written. Nil for keys that have other escapes, and for so many that the search would take longer than
    /// to look at each member.
    func traces() -> [Trace]? {
        var traces = [Trace(first: UInt8(ascii: "\\"), second: UInt8(ascii: "u"), third: UInt8(ascii: "0"), distance: 2)]
        var levels = [self]
        while let level = levels.popLast() {
            for entry in level.entries {
                if let inner = entry.inner { levels.append(inner) }
                let bytes = unsafe entry.bytes
                let isPlain = unsafe bytes.allSatisfy { $0 < 0x7F && !$0.needsEscape && $0 != UInt8(ascii: "/") }
                guard isPlain, traces.count < 5 else { return nil }
                let first = unsafe bytes.first ?? .quote
                traces.append(Trace(first: .quote, second: first, third: .quote, distance: bytes.count + 1))
            }
        }
        return traces
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
    func entry(ofElement place: Int) -> Int? {
        let digits = Array(String(place).utf8)
        return entries.firstIndex { unsafe $0.bytes.elementsEqual(digits) }
    }
}
