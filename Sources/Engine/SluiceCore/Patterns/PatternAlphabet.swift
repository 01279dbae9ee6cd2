// Code points that a pattern treats alike are one symbol, so a state of the automaton has a few transitions instead of a million. Text flows
// in as UTF-8; symbols come out. `^[a-f]+\d$` has three: `a` to `f`, digits, and all others.

/// The symbols of a pattern.
struct PatternAlphabet: Sendable {
    /// The most bits of the table of which symbol is in which set.
    private static let maximumBits = 1 << 27

    /// Where intervals of code points begin, from 0 on, and the symbol of each.
    private let starts: [UInt32]
    private let symbols: [UInt16]
    /// For each symbol, one bit for each set: whether the set has the symbol's code points.
    private let memberships: [UInt64]
    private let wordCount: Int

    /// The number of symbols. It is itself the number of the symbol for the end of a text.
    let count: Int
    var end: Int { count }

    /// Nil if there are too many symbols.
    init?(of program: PatternProgram) {
        // Each end of a range is where one set begins or ends.
        var changes: [(start: UInt32, set: Int)] = []
        for (number, set) in program.sets.enumerated() {
            for range in set.ranges {
                changes.append((range.lowerBound, number))
                if range.upperBound < ScalarSet.last { changes.append((range.upperBound + 1, number)) }
            }
        }
        changes = changes.sorted { $0.start < $1.start }

        let wordCount = max(1, (program.sets.count + 63) / 64)
        let limit = min(Int(UInt16.max), PatternAlphabet.maximumBits / (wordCount * 64))
        var starts: [UInt32] = []
        var symbols: [UInt16] = []
        var memberships: [UInt64] = []
        var known: [[UInt64]: UInt16] = [:]
        var current = [UInt64](repeating: 0, count: wordCount)
        var index = 0
        var start: UInt32 = 0
        while true {
            while index < changes.count, changes[index].start == start {
                current[changes[index].set / 64] ^= 1 << UInt64(changes[index].set % 64)
                index += 1
            }
            let symbol = known[current] ?? UInt16(truncatingIfNeeded: known.count)
            if Int(symbol) == known.count {
                guard known.count < limit else { return nil }
                known[current] = symbol
                memberships += current
            }
            starts.append(start)
            symbols.append(symbol)
            guard index < changes.count else { break }
            start = changes[index].start
        }
        (self.starts, self.symbols, self.memberships, self.wordCount) = (starts, symbols, memberships, wordCount)
        count = known.count
    }

    /// Whether the code points of a symbol are in a set; the end of a text is in none.
    func contains(_ symbol: Int, in set: Int32) -> Bool {
        symbol < count && memberships[symbol * wordCount + Int(set) / 64] >> UInt64(set % 64) & 1 != 0
    }

    /// A part of the code points that has one symbol.
    struct Interval {
        let start: UInt32
        let end: UInt32
        let symbol: Int

        @inline(__always)
        func contains(_ scalar: UInt32) -> Bool { scalar >= start && scalar <= end }
    }

    func interval(of scalar: UInt32) -> Interval {
        var (low, high) = (0, starts.count)
        // The first start is 0, so `low` always begins at or before the scalar.
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= scalar { low = middle } else { high = middle }
        }
        let end = low + 1 < starts.count ? starts[low + 1] - 1 : ScalarSet.last
        return Interval(start: starts[low], end: end, symbol: Int(symbols[low]))
    }

    /// Decodes the code point at an index, which is inside of the text, and moves the index after it. Of bytes that are not UTF-8, as many
    /// as might begin a code point are one U+FFFD (Unicode, section 3.9, "maximal subparts").
    static func nextScalar(in text: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> UInt32 {
        assert(index < text.count)
        // Safe: the caller has compared the first index with the count, and the loop compares the others.
        let lead = unsafe text[index]
        index &+= 1
        if lead < 0x80 { return UInt32(lead) }
        var low: UInt8 = 0x80
        var high: UInt8 = 0xBF
        var value: UInt32
        var following: Int
        switch lead {
        case 0xC2...0xDF: (following, value) = (1, UInt32(lead & 0x1F))
        case 0xE0...0xEF:
            (following, value) = (2, UInt32(lead & 0x0F))
            if lead == 0xE0 { low = 0xA0 }
            if lead == 0xED { high = 0x9F }
        case 0xF0...0xF4:
            (following, value) = (3, UInt32(lead & 0x07))
            if lead == 0xF0 { low = 0x90 }
            if lead == 0xF4 { high = 0x8F }
        default: return 0xFFFD
        }
        while following > 0 {
            guard index < text.count else { return 0xFFFD }
            let byte = unsafe text[index]
            guard byte >= low, byte <= high else { return 0xFFFD }
            value = value << 6 | UInt32(byte & 0x3F)
            index &+= 1
            following &-= 1
            (low, high) = (0x80, 0xBF)
        }
        return value
    }
}
