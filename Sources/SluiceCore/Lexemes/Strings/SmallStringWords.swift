// Short strings are taken out of a `String` without a copy in memory.

internal import CScan

/// A string of at most 15 bytes, as the standard library holds it on 64-bit platforms: in two words, the last byte of which has the
/// count. Taken from there, its bytes need not go through memory first.
@safe
struct SmallStringWords {
    private let first: UInt64
    private let second: UInt64

    @inline(__always)
    init(_ value: borrowing String) {
        // Safe: `isKnown` has compared sizes; a writer that does not know the form asks for nothing below.
        let words = unsafe unsafeBitCast(value, to: (UInt64, UInt64).self)
        first = words.0.littleEndian
        second = words.1.littleEndian
    }

    /// Whether strings have the form that is taken for granted here.
    static let isKnown: Bool = {
        guard MemoryLayout<String>.size == 16, MemoryLayout<Int>.size == 8, 1.littleEndian == 1 else { return false }
        return ["", "a", "abcdefgh", "abcdefghijklmno", "é"].allSatisfy { text in
            let small = SmallStringWords(text)
            guard small.isSmall, small.count == text.utf8.count else { return false }
            return text.utf8.enumerated().allSatisfy { index, byte in
                UInt8(truncatingIfNeeded: (index < 8 ? small.first : small.second) >> UInt64(index % 8 * 8)) == byte
            }
        } && !SmallStringWords(String(repeating: "a", count: 16)).isSmall
    }()

    @inline(__always)
    var isSmall: Bool { second & (1 &<< 61) != 0 }

    @inline(__always)
    var count: Int { Int(truncatingIfNeeded: second &>> 56) & 15 }

    @inline(__always)
    var needsEscape: Bool { cscan_needs_escape(first, second, count) }

    /// Stores 16 bytes, the first of which are the string.
    @inline(__always)
    func store(to end: UnsafeMutablePointer<UInt8>) {
        unsafe UnsafeMutableRawPointer(end).storeBytes(of: first, as: UInt64.self)
        unsafe UnsafeMutableRawPointer(end + 8).storeBytes(of: second, as: UInt64.self)
    }
}
