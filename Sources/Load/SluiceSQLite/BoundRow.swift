// Tracks which parameters of a statement are bound, so that values left over from the row before become null.

#if SQLite
/// Which parameters of a statement have a value in the current row. SQLite keeps bound values from row to row, so values left
/// over from the row before must be replaced by null. Only these are replaced, because a record often has few of many columns.
@safe
struct BoundRow: ~Copyable {
    // Safe: both arrays have a bit for each column, 64 in a word.
    private let words: UnsafeMutablePointer<UInt64>
    private let earlierWords: UnsafeMutablePointer<UInt64>
    private let wordCount: Int
    /// Which columns the record has, even with null: 32 bits in each mask; empty unless rows are merged.
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

    /// Begins a row. No column has a value yet.
    mutating func begin() {
        for index in 0..<wordCount {
            // Values of a row that was not ended are still bound.
            unsafe earlierWords[index] |= words[index]
            unsafe words[index] = 0
        }
        for index in masks.indices { masks[index] = 0 }
    }

    @inline(__always)
    mutating func noteValue(_ index: Int) {
        assert(index >> 6 < wordCount)
        unsafe words[index &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: index & 63)
    }

    @inline(__always)
    mutating func notePresence(_ index: Int) { if !masks.isEmpty { masks[index >> 5] |= 1 << Int64(index & 31) } }

    func hasValue(_ index: Int) -> Bool {
        assert(index >> 6 < wordCount)
        return unsafe words[index &>> 6] & 1 &<< UInt64(truncatingIfNeeded: index & 63) != 0
    }

    /// Ends a row: calls `bindNull` for each column that the row before had a value for and this row has not.
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
