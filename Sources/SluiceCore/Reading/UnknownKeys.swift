// Keys that no property has, noted while an object is read, for the error that says which keys it lacks: a slip of the pen is then
// named. Documents in memory are read without this; the one that fails is read again.

/// Some keys of the objects that are open.
///
/// A key is noted at most of the events of a document, so each has a place of one size, in memory of its own.
@safe
struct UnknownKeys {
    private struct Note {
        /// How many frames lie below that of the object.
        let level: Int32
        /// How many keys are noted of the same object, this one included.
        let ordinal: Int32
        /// The length of the key, whose bytes follow.
        let length: Int
    }

    /// Of one object no more keys are noted, and no longer ones.
    static let limit = 32
    static let maximumLength = 64
    private static let stride = MemoryLayout<Note>.stride + maximumLength

    private var memory: UnsafeMutableRawPointer
    private var capacity = 64
    private var count = 0

    init() { unsafe memory = .allocate(byteCount: 64 * UnknownKeys.stride, alignment: 16) }

    func deallocate() { unsafe memory.deallocate() }

    @inline(__always)
    private func note(_ index: Int) -> Note {
        // Safe: callers pass an index below the count, and a note begins at each multiple of the stride.
        unsafe memory.load(fromByteOffset: index &* UnknownKeys.stride, as: Note.self)
    }

    /// Notes a key of the object at a level.
    ///
    /// - Parameter isFirst: Whether what is noted at that level, or further in, is of objects that are closed.
    mutating func note(_ key: UnsafeBufferPointer<UInt8>, at level: Int, isFirst: Bool) {
        var ordinal: Int32 = 0
        while count > 0 {
            let last = note(count &- 1)
            guard last.level > level || isFirst && last.level == level else {
                if last.level == level { ordinal = last.ordinal }
                break
            }
            count &-= 1
        }
        guard key.count <= UnknownKeys.maximumLength, ordinal < UnknownKeys.limit else { return }
        if count == capacity { grow() }
        // Safe: there is room for one more note, and for a key of this length behind it.
        let place = unsafe memory + count &* UnknownKeys.stride
        unsafe place.storeBytes(
            of: Note(level: Int32(truncatingIfNeeded: level), ordinal: ordinal &+ 1, length: key.count), as: Note.self)
        if let bytes = key.baseAddress {
            unsafe (place + MemoryLayout<Note>.stride).copyMemory(from: bytes, byteCount: key.count)
        }
        count &+= 1
    }

    @inline(never)
    private mutating func grow() {
        let grown = UnsafeMutableRawPointer.allocate(byteCount: 2 * capacity * UnknownKeys.stride, alignment: 16)
        unsafe grown.copyMemory(from: memory, byteCount: count * UnknownKeys.stride)
        unsafe memory.deallocate()
        unsafe memory = unsafe grown
        capacity *= 2
    }

    /// The keys of the object at a level, in their order.
    func keys(at level: Int) -> [String] {
        (0..<count).filter { note($0).level == level }.map { index in
            // Safe: as above.
            let bytes = unsafe memory + (index * UnknownKeys.stride + MemoryLayout<Note>.stride)
            return unsafe String(decoding: UnsafeRawBufferPointer(start: bytes, count: note(index).length), as: UTF8.self)
        }
    }
}

/// How much alike two keys are.
package enum KeyLikeness {
    /// The key among `candidates` that is most probably meant; nil if none is like it.
    package static func closest(to key: String, among candidates: [String]) -> String? {
        let wanted = plain(key)
        // As many slips as a third of the key's length: one in `name`, two in `created`.
        let limit = max(1, wanted.count / 3)
        let distances = candidates.map { (key: $0, distance: distance(wanted, plain($0), upTo: limit)) }
        guard let best = distances.min(by: { $0.distance < $1.distance }), best.distance <= limit else { return nil }
        // Of two letters, one slip makes any other.
        return best.distance == 0 || wanted.count > 2 ? best.key : nil
    }

    /// A key without what is only spelling: capitals and what joins words.
    private static func plain(_ key: String) -> [UInt8] {
        key.lowercased().utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ") }
    }

    /// Letters to change, add, leave out or swap with their neighbour, from one to the other; more than `limit` is not counted out.
    private static func distance(_ left: [UInt8], _ right: [UInt8], upTo limit: Int) -> Int {
        guard abs(left.count - right.count) <= limit, max(left.count, right.count) <= UnknownKeys.maximumLength else {
            return limit + 1
        }
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var cost = min(last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}

extension Binder {
    /// Notes a key of the model at hand that no property has.
    @inline(never)
    mutating func noteUnknownKey(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        guard frame.kind == .model else { return }
        unsafe unknownKeys.note(UnsafeBufferPointer(start: bytes, count: count), at: stackCount, isFirst: !frame.hasUnknownKeys)
        frame.hasUnknownKeys = true
    }

    /// What may help with keys that a model needs and its object lacks.
    ///
    /// - Parameter missing: For each property, its keys.
    func hint(forMissing missing: [[JSONKeyPath]], of finished: Frame, in table: PropertyTable) -> String {
        let unknown = finished.hasUnknownKeys ? unknownKeys.keys(at: stackCount + 1) : []
        // More is more than one reads, and takes time.
        let meant = missing.prefix(8).compactMap { keys in
            keys.lazy.compactMap { KeyLikeness.closest(to: $0.components[0], among: unknown) }.first
        }
        func list(_ keys: some Sequence<String>) -> String { keys.map { "'\(ErrorWords.oneLine($0))'" }.joined(separator: ", ") }
        if !meant.isEmpty { return "found unknown \(list(meant))" }
        let bound = finished.contents.bound
        guard !unknown.isEmpty, !table.properties.indices.contains(where: { bound.contains($0) }) else { return "" }
        return "the object has none of its keys, but \(list(unknown.prefix(4)))\(unknown.count > 4 ? " and others" : "")"
    }
}
