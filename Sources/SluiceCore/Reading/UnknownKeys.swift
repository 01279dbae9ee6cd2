// Keys that no property has, noted while an object is read, for the error that says which keys it lacks: a slip of the pen is then
// named. Documents in memory are read without this; the one that fails is read again.

/// Some keys of the objects that are open.
struct UnknownKeys {
    private struct Entry {
        /// How many frames lie below that of the object.
        let level: Int
        let end: Int
        /// How many keys are noted of the same object, this one included.
        let count: Int
    }

    /// Of one object no more keys are noted, and no longer ones.
    static let limit = 32
    static let maximumLength = 64

    private var entries: [Entry] = []
    private var bytes: [UInt8] = []

    /// Notes a key of the object at a level.
    ///
    /// - Parameter isFirst: Whether what is noted at that level, or further in, is of objects that are closed.
    mutating func note(_ key: UnsafeBufferPointer<UInt8>, at level: Int, isFirst: Bool) {
        while let last = entries.last, last.level > level || isFirst && last.level == level {
            entries.removeLast()
            bytes.removeSubrange((entries.last?.end ?? 0)...)
        }
        let last = entries.last
        let count = last?.level == level ? last?.count ?? 0 : 0
        guard key.count <= UnknownKeys.maximumLength, count < UnknownKeys.limit else { return }
        unsafe bytes.append(contentsOf: key)
        entries.append(Entry(level: level, end: bytes.count, count: count + 1))
    }

    /// The keys of the object at a level, in their order.
    func keys(at level: Int) -> [String] {
        var start = 0
        var keys: [String] = []
        for entry in entries {
            if entry.level == level { keys.append(String(decoding: bytes[start..<entry.end], as: UTF8.self)) }
            start = entry.end
        }
        return keys
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
