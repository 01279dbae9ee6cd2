// What one class of a pattern accepts, as ranges of code points. `[a-z_]` flows in as ranges in any order; ranges in order come out.

/// A set of code points. Surrogates may be in it, although no text in UTF-8 has them: a pattern may name them.
struct ScalarSet: Hashable, Sendable {
    typealias Range = ClosedRange<UInt32>

    static let last: UInt32 = 0x10FFFF
    static let any = ScalarSet([0...last])
    /// `\d`
    static let digits = ScalarSet([0x30...0x39])
    /// `\w`
    static let word = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    /// `\s`: ECMA-262's WhiteSpace and LineTerminator.
    static let space = ScalarSet([
        0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
        0x205F...0x205F,
        0x3000...0x3000, 0xFEFF...0xFEFF,
    ])
    /// `.`: all but the line terminators.
    static let notLineTerminator = ScalarSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029]).inverted

    /// In order; no two of them overlap or touch.
    let ranges: [Range]

    /// The union of ranges in any order.
    init(_ ranges: [Range]) {
        var joined: [Range] = []
        joined.reserveCapacity(ranges.count)
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            // Safe: no bound is above `last`.
            if let before = joined.last, range.lowerBound <= before.upperBound &+ 1 {
                joined[joined.count - 1] = before.lowerBound...max(before.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        self.ranges = joined
    }

    init(_ scalar: UInt32) { ranges = [scalar...scalar] }

    /// All code points that are not in this set.
    var inverted: ScalarSet {
        var gaps: [Range] = []
        var next: UInt32 = 0
        for range in ranges {
            if range.lowerBound > next { gaps.append(next...(range.lowerBound - 1)) }
            next = range.upperBound + 1
        }
        if next <= ScalarSet.last { gaps.append(next...ScalarSet.last) }
        return ScalarSet(gaps)
    }

    func contains(_ scalar: UInt32) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < scalar { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].lowerBound <= scalar
    }
}
