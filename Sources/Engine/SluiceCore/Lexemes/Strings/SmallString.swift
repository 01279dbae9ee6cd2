// Swift stores a string of up to 15 bytes in the `String` value itself. Here we make such a string directly from two words: a call
// into the standard library would cost as much as scanning a hundred bytes.

/// Strings of at most 15 ASCII characters.
///
/// This is the layout on 64-bit platforms: the text is in the first 15 bytes, followed by zeros, and the last byte holds the count
/// and two flags (StringObject.swift of the standard library). The layout is part of the ABI where the standard library belongs to
/// the system. Everywhere else ``isKnown`` checks it.
enum SmallString {
    static let capacity = 15

    /// Whether strings made here have the same bytes as those that the standard library makes.
    static let isKnown: Bool = {
        guard MemoryLayout<String?>.size == 16, MemoryLayout<UInt>.size == 8 else { return false }
        let text = Array("abcdefghijklmnop".utf8)
        return (0...capacity).allSatisfy { count in
            let expected: String? = String(decoding: text.prefix(count), as: UTF8.self)
            return unsafe text.withUnsafeBufferPointer { text in
                // Safe: both are 16 bytes, and bytes are compared, not strings.
                let words = unsafe words(text.baseAddress.unsafelyUnwrapped, count)
                return unsafe withUnsafeBytes(of: expected) { expected in
                    unsafe withUnsafeBytes(of: words) { unsafe $0.elementsEqual(expected) }
                }
            }
        }
    }()

    /// Stores a string of at most 15 ASCII characters as a `String` or `String?` in uninitialised memory. 16 bytes must be readable
    /// at `bytes`, and ``isKnown`` must be true.
    @inline(__always)
    static func store(_ bytes: UnsafePointer<UInt8>, _ count: Int, at address: UnsafeMutableRawPointer) {
        // Safe: `isKnown` has checked that strings have this layout. It owns no memory, and nil has a layout that no string has.
        unsafe address.storeBytes(of: words(bytes, count), as: (UInt64, UInt64).self)
    }

    /// Makes the same string as a value, under the same conditions.
    @inline(__always)
    static func make(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> String {
        // Safe: as in `store`.
        unsafe unsafeBitCast(words(bytes, count), to: String.self)
    }

    @inline(__always)
    private static func words(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> (UInt64, UInt64) {
        let text = unsafe UnsafeRawPointer(bytes)
        let low = unsafe UInt64(littleEndian: text.loadUnaligned(as: UInt64.self))
        let high = unsafe UInt64(littleEndian: text.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        let mark = (0xE0 | UInt64(truncatingIfNeeded: count)) &<< 56
        // `&<<` by 64 shifts by 0. So each case shifts only the word that the text ends in, by 56 at most.
        if count < 8 {
            let kept = (1 &<< UInt64(truncatingIfNeeded: 8 &* count)) &- 1
            return ((low & kept).littleEndian, mark.littleEndian)
        }
        let kept = (1 &<< UInt64(truncatingIfNeeded: 8 &* (count &- 8))) &- 1
        return (low.littleEndian, (high & kept | mark).littleEndian)
    }
}
