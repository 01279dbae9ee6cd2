// Finds the Unicode errors that yajl accepts: bytes that are not UTF-8, and escapes that are half a surrogate pair.

internal import CScan

internal import SluiceSystem

/// Checks of text that yajl has checked only superficially.
package enum UnicodeValidation {
    /// Whether all bytes are below 128.
    @inline(__always)
    static func isASCII(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        let raw = unsafe UnsafeRawPointer(bytes)
        // Safe: every load ends at or before `count`; the last one overlaps its predecessor.
        guard count >= 8 else {
            var seen: UInt8 = 0
            for index in 0..<count { unsafe seen |= bytes[index] }
            return seen < 0x80
        }
        var seen = unsafe raw.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        var index = 0
        while index &+ 8 <= count {
            unsafe seen |= raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            index &+= 8
        }
        return seen & 0x8080_8080_8080_8080 == 0
    }

    /// Whether the bytes are valid UTF-8 (Unicode 15, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF).
    @inline(__always)
    static func isUTF8(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        unsafe cscan_is_utf8(bytes, count)
    }

    /// Whether every escaped surrogate in raw text (escapes not decoded) has its other half.
    static func hasPairedSurrogates(_ raw: UnsafeRawBufferPointer) -> Bool {
        var index = unsafe firstBackslash(in: raw, from: 0)
        while index < raw.count {
            guard let length = unsafe escapeLength(in: raw, at: index) else { return false }
            index = unsafe firstBackslash(in: raw, from: index + length)
        }
        return true
    }

    /// The length in bytes of the escape at an index, of both halves for a surrogate pair; nil for a half without its other half.
    static func escapeLength(in raw: UnsafeRawBufferPointer, at index: Int) -> Int? {
        guard let unit = unsafe escapedUnit(raw, at: index) else { return 2 }
        guard unit & 0xF800 == 0xD800 else { return 6 }
        guard unit < 0xDC00, let low = unsafe escapedUnit(raw, at: index + 6), low & 0xFC00 == 0xDC00 else { return nil }
        return 12
    }

    /// Marks in a word of eight bytes: not 0 if one of them is a backslash. The lowest mark is that of the first backslash.
    @inline(__always)
    static func backslashMarks(in word: UInt64) -> UInt64 {
        // XOR turns a backslash into zero. The first zero byte, and none in front of it, borrows into its top bit.
        let zeros = word ^ 0x5C5C_5C5C_5C5C_5C5C
        return (zeros &- 0x0101_0101_0101_0101) & ~zeros & 0x8080_8080_8080_8080
    }

    /// Whether a byte is a backslash.
    package static func hasBackslash(in raw: UnsafeRawBufferPointer) -> Bool {
        unsafe firstBackslash(in: raw, from: 0) < raw.count
    }

    /// The index of the first backslash at or after `start`, or `raw.count`.
    package static func firstBackslash(in raw: UnsafeRawBufferPointer, from start: Int) -> Int {
        guard let base = raw.baseAddress, start < raw.count,
            let found = unsafe memchr(base + start, Int32(UInt8(ascii: "\\")), raw.count - start)
        else { return raw.count }
        return unsafe UnsafeRawPointer(found) - base
    }

    /// The code unit of the `\uXXXX` at an index; nil if the text there is no such escape.
    package static func escapedUnit(_ raw: UnsafeRawBufferPointer, at index: Int) -> UInt16? {
        guard raw.count - index >= 6, unsafe raw[index] == UInt8(ascii: "\\"), unsafe raw[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        var unit: UInt16 = 0
        for digit in (index + 2)..<(index + 6) {
            guard let value = unsafe hexadecimalDigit(raw[digit]) else { return nil }
            unit = unit << 4 | UInt16(value)
        }
        return unit
    }

    package static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
