// Finds the bytes of a `String` without a call into the standard library, and without retaining the string.

internal import CScan

/// A string as the standard library stores it on 64-bit platforms: two words (StringObject.swift of the standard library).
///
/// A string of at most 15 bytes is in the words themselves, and the last byte has the count. For a longer string the first word has
/// the count and the second the address of its storage. The layout is part of the ABI where the standard library belongs to the
/// system. Everywhere else ``isKnown`` checks it.
@safe
struct StringWords {
    private let first: UInt64
    private let second: UInt64

    @inline(__always)
    init(_ value: borrowing String) {
        // Safe: `isKnown` has compared the sizes; a writer calls no member below unless `isKnown` is true.
        let words = unsafe unsafeBitCast(value, to: (UInt64, UInt64).self)
        first = words.0.littleEndian
        second = words.1.littleEndian
    }

    /// The words of the string at an address. The caller keeps the string alive while it reads the bytes.
    @inline(__always)
    init(at address: UnsafeRawPointer) {
        // Safe: the caller passes the address of a string.
        let words = unsafe address.load(as: (UInt64, UInt64).self)
        first = words.0.littleEndian
        second = words.1.littleEndian
    }

    /// Whether strings have the layout that this type assumes.
    static let isKnown: Bool = {
        guard MemoryLayout<String>.size == 16, MemoryLayout<Int>.size == 8, 1.littleEndian == 1 else { return false }
        let long = [String(repeating: "a", count: 16), String(repeating: "é", count: 40), "a string that is a literal, not made"]
        return ["", "a", "abcdefgh", "abcdefghijklmno", "é"].allSatisfy { holdsSmall($0) } && long.allSatisfy { holdsLong($0) }
    }()

    private static func holdsSmall(_ text: String) -> Bool {
        let words = StringWords(text)
        guard words.isSmall, words.count == text.utf8.count else { return false }
        return text.utf8.enumerated().allSatisfy { index, byte in
            UInt8(truncatingIfNeeded: (index < 8 ? words.first : words.second) >> UInt64(index % 8 * 8)) == byte
        }
    }

    private static func holdsLong(_ text: String) -> Bool {
        let words = StringWords(text)
        let isHeld = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
            // Safe: only addresses and counts are compared.
            unsafe !words.isSmall
                && words.ownBytes.map { unsafe $0.baseAddress == bytes.baseAddress && $0.count == bytes.count } == true
        }
        return isHeld == true
    }

    /// Whether the string is small: its bytes are in the words.
    @inline(__always)
    var isSmall: Bool { second & (1 &<< 61) != 0 }

    /// The length of a small string.
    @inline(__always)
    var count: Int { Int(truncatingIfNeeded: second &>> 56) & 15 }

    /// Whether a small string has a byte that JSON must escape.
    @inline(__always)
    var needsEscape: Bool { cscan_needs_escape(first, second, count) }

    /// Whether a small string contains a slash.
    @inline(__always)
    var hasSlash: Bool { StringWords.slashMarks(first) | StringWords.slashMarks(second) != 0 }

    /// Not zero if one of eight bytes is a slash. The last byte of the second word is above 127, so it is never taken for one.
    @inline(__always)
    private static func slashMarks(_ word: UInt64) -> UInt64 {
        let others = word ^ 0x2F2F_2F2F_2F2F_2F2F
        return (others &- 0x0101_0101_0101_0101) & ~others & 0x8080_8080_8080_8080
    }

    /// Whether a small string's bytes equal those at an address. 16 bytes must be readable there.
    @inline(__always)
    func isText(at bytes: UnsafePointer<UInt8>) -> Bool {
        let raw = unsafe UnsafeRawPointer(bytes)
        let low = unsafe UInt64(littleEndian: raw.loadUnaligned(as: UInt64.self)) ^ first
        let count = count
        // The shift drops the bytes after the string. `&<<` by 64 would shift by 0, so the empty string is a case of its own.
        if count <= 8 { return count == 0 || low &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count) == 0 }
        let high = unsafe UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self)) ^ second
        return low | high &<< UInt64(truncatingIfNeeded: 128 &- 8 &* count) == 0
    }

    /// Stores the 16 bytes of the words. Only the first `count` of them are the small string's text.
    @inline(__always)
    func store(to end: UnsafeMutablePointer<UInt8>) {
        unsafe UnsafeMutableRawPointer(end).storeBytes(of: first, as: UInt64.self)
        unsafe UnsafeMutableRawPointer(end + 8).storeBytes(of: second, as: UInt64.self)
    }

    /// The UTF-8 bytes of a longer string whose text follows the header of its own storage object; nil for strings that are stored
    /// otherwise. They live as long as the string.
    @inline(__always)
    var ownBytes: UnsafeBufferPointer<UInt8>? {
        // Bits 60 to 62 of the second word: no UTF-8, small, bridged. Bit 60 of the first word: the bytes follow the header.
        guard second & (7 &<< 60) == 0, first & (1 &<< 60) != 0 else { return nil }
        let headSize: UInt = 32
        let address = unsafe UnsafePointer<UInt8>(bitPattern: UInt(second & 0x0FFF_FFFF_FFFF_FFFF) &+ headSize)
        return unsafe UnsafeBufferPointer(start: address, count: Int(truncatingIfNeeded: first & 0xFFFF_FFFF_FFFF))
    }
}
