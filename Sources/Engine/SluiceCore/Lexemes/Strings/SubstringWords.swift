// A `Substring` is two indices and the string that they belong to. Here we make one directly from these words: the standard library's
// calls cost more than twice as much.

/// Substrings of a string whose text is UTF-8.
///
/// This is the layout on 64-bit platforms: two indices, each with its offset above 16 bits of flags, and then the string
/// (StringIndex.swift and Substring.swift of the standard library). The layout is part of the ABI where the standard library belongs to
/// the system. Everywhere else ``flags`` checks it.
enum SubstringWords {
    private typealias Layout = (lower: UInt64, upper: UInt64, base: String)
    private typealias Words = (UInt64, UInt64, UInt64, UInt64)

    /// The flags of the indices that the standard library makes for UTF-8 text; nil if substrings have another layout here.
    static let flags: UInt64? = {
        guard MemoryLayout<Substring>.size == 32, MemoryLayout<Substring?>.size == 32, MemoryLayout<Layout>.size == 32,
            MemoryLayout<UInt>.size == 8
        else { return nil }
        let texts = ["a text that needs memory of its own: é, ü, 漢字 ", "plain text that needs memory of its own: "]
        var found: UInt64?
        for text in texts.map({ $0 + String($0.utf8.count) }) {
            for (lower, upper) in [(3, 9), (1, 36), (17, 17)] {
                let words = words(of: slice(of: text, lower, upper))
                let flags = words.0 & 0xFFFF
                let expected = unsafe withUnsafeBytes(of: layout(text, lower, upper, flags: flags)) {
                    unsafe $0.loadUnaligned(as: Words.self)
                }
                guard words == expected, flags == found ?? flags else { return nil }
                found = flags
            }
        }
        return found
    }()

    private static func words(of text: Substring) -> Words {
        // Safe: it has 32 bytes, which are compared, and not used as a string.
        unsafe withUnsafeBytes(of: text) { unsafe $0.loadUnaligned(as: Words.self) }
    }

    /// The substring between two offsets of a string's UTF-8 text.
    static func slice(of base: String, _ lower: Int, _ upper: Int) -> Substring {
        let utf8 = base.utf8
        let start = utf8.index(utf8.startIndex, offsetBy: lower)
        return Substring(utf8[start..<utf8.index(start, offsetBy: upper - lower)])
    }

    /// The same, made from its words. At the offsets characters begin, or the text ends.
    ///
    /// - Parameter flags: ``flags``, which must not be nil.
    @inline(__always)
    static func make(_ base: String, _ lower: Int, _ upper: Int, flags: UInt64) -> Substring {
        // Safe: `flags` has checked that substrings have this layout.
        unsafe unsafeBitCast(layout(base, lower, upper, flags: flags), to: Substring.self)
    }

    @inline(__always)
    private static func layout(_ base: String, _ lower: Int, _ upper: Int, flags: UInt64) -> Layout {
        (UInt64(truncatingIfNeeded: lower) &<< 16 | flags, UInt64(truncatingIfNeeded: upper) &<< 16 | flags, base)
    }
}
