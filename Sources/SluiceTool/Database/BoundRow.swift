// Values are bound to a statement's parameters, and those of the row before that have none now become null.

#if CommandLine
/// Which parameters of a statement have a value in the row at hand. SQLite keeps what is bound from row to row: null must be bound over
/// the values of the row before, and over nothing else, for a record often has few of many columns.
@safe
struct BoundRow: ~Copyable {
    // Safe: there is a bit for each place in both, 64 in a word.
    private let words: UnsafeMutablePointer<UInt64>
    private let earlierWords: UnsafeMutablePointer<UInt64>
    private let wordCount: Int
    /// Which columns the record has, be it with null, 32 in each mask; empty unless rows are merged.
    private(set) var masks: [Int64]

    init(columnCount: Int, hasMasks: Bool) {
        wordCount = (columnCount + 63) / 64
        unsafe words = .allocate(capacity: wordCount)
        unsafe words.initialize(repeating: 0, count: wordCount)
        unsafe earlierWords = .allocate(capacity: wordCount)
        unsafe earlierWords.initialize(repeating: 0, count: wordCount)
        masks = Array(repeating: 0, count: hasMasks ? (columnCount + 31) / 32 : 0)
    }

    deinit {
        unsafe words.deallocate()
        unsafe earlierWords.deallocate()
    }

    /// Begins a row, in which no place has a value yet.
    mutating func begin() {
        for index in 0..<wordCount {
            // Those of a row that was not ended are still bound.
            unsafe earlierWords[index] |= words[index]
            unsafe words[index] = 0
        }
        for index in masks.indices { masks[index] = 0 }
    }

    @inline(__always)
    mutating func noteValue(_ place: Int) {
        assert(place >> 6 < wordCount)
        unsafe words[place &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: place & 63)
    }

    @inline(__always)
    mutating func notePresence(_ place: Int) { if !masks.isEmpty { masks[place >> 5] |= 1 << Int64(place & 31) } }

    func hasValue(_ place: Int) -> Bool {
        assert(place >> 6 < wordCount)
        return unsafe words[place &>> 6] & 1 &<< UInt64(truncatingIfNeeded: place & 63) != 0
    }

    /// All values of the row are there.
    mutating func end(bindNull: (Int) -> Void) {
        for index in 0..<wordCount {
            var stale = unsafe earlierWords[index] & ~words[index]
            unsafe earlierWords[index] = 0
            while stale != 0 {
                bindNull(index << 6 + stale.trailingZeroBitCount)
                stale &= stale &- 1
            }
        }
    }
}
#endif
