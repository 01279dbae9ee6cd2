// Finds the key that was probably meant by one that does not exist.

/// How much alike two keys are.
package enum KeyLikeness {
    /// The key among `candidates` that is most probably meant; nil if none is like it.
    package static func closest(to key: String, among candidates: [String]) -> String? {
        let wanted = plain(key)
        // As many slips as a third of the key's length: one in `name`, two in `created`.
        let limit = max(1, wanted.count / 3)
        let distances = candidates.map { (key: $0, distance: distance(wanted, plain($0), upTo: limit)) }
        guard let best = distances.min(by: { $0.distance < $1.distance }), best.distance <= limit else { return nil }
        // In a key of one or two letters, one slip matches too many other keys.
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
