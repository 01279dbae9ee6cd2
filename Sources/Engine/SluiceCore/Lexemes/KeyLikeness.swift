// Finds the existing key that was probably meant by a misspelled one.

/// Measures how similar two keys are.
package enum KeyLikeness {
    /// The most bytes of a key that is compared: the time grows with the product of both lengths.
    static let maximumLength = 64

    /// The candidate that was most probably meant by `key`; nil if no candidate is similar enough.
    package static func closest(to key: String, among candidates: [String]) -> String? {
        let wanted = plain(key)
        // The number of typing errors allowed is a third of the key's length: one in `name`, two in `created`.
        let limit = max(1, wanted.count / 3)
        let distances = candidates.map { (key: $0, distance: distance(wanted, plain($0), upTo: limit)) }
        guard let best = distances.min(by: { $0.distance < $1.distance }), best.distance <= limit else { return nil }
        // A key of one or two letters with one typing error matches too many other keys.
        return best.distance == 0 || wanted.count > 2 ? best.key : nil
    }

    /// A key in lower case and without separators between words.
    private static func plain(_ key: String) -> [UInt8] {
        key.lowercased().utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ") }
    }

    /// The number of letters to change, add, remove or swap with their neighbour to turn one key into the other. It may be any number
    /// above `limit` if it exceeds the limit.
    private static func distance(_ left: [UInt8], _ right: [UInt8], upTo limit: Int) -> Int {
        guard abs(left.count - right.count) <= limit, max(left.count, right.count) <= maximumLength else {
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
