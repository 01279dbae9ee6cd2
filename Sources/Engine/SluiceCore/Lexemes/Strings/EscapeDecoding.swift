// Decodes the escapes of a JSON string (RFC 8259, section 7). Stricter than yajl, which accepts unpaired surrogates.

internal import CScan

extension ScratchBytes {
    /// Decodes the string whose text starts at `start` (after the opening quote) into these bytes, replacing their content.
    ///
    /// - Returns: The address after the closing quote; nil if the string is not valid or has no end.
    mutating func decodeString(from start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        count = 0
        isASCII = true
        var high: UInt32 = 0
        var place = unsafe start
        while unsafe end - place >= 16 {
            reserve(16)
            let masks = unsafe cscan_string16(place)
            // All 16 bytes are copied, and those that are not plain are overwritten: that is shorter than to count first.
            // Safe: 16 bytes are left, and there is room for as many.
            unsafe copy16(place)
            let special = masks & 0xFFFF
            guard special != 0 else {
                high |= masks &>> 16
                unsafe place += 16
                count &+= 16
                continue
            }
            let index = special.trailingZeroBitCount
            high |= masks &>> 16 & ((1 &<< UInt32(truncatingIfNeeded: index)) &- 1)
            unsafe place += index
            count &+= index
            // Escapes often come in a row: line breaks, and text of another alphabet.
            repeat {
                guard unsafe place.pointee == UInt8(ascii: "\\") else {
                    if high != 0 { isASCII = false }
                    return unsafe place.pointee == UInt8(ascii: "\"") ? place + 1 : nil
                }
                guard let next = unsafe decodeEscape(place, end) else { return nil }
                unsafe place = unsafe next
            } while unsafe place < end && place.pointee == UInt8(ascii: "\\")
        }
        if high != 0 { isASCII = false }
        return unsafe decodeTail(from: place, end)
    }

    /// The same for the last bytes of the text, which follow those that have been decoded.
    private mutating func decodeTail(
        from start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8>? {
        var place = unsafe start
        while unsafe place < end {
            let byte = unsafe place.pointee
            switch byte {
            case UInt8(ascii: "\""):
                return unsafe place + 1
            case UInt8(ascii: "\\"):
                guard let next = unsafe decodeEscape(place, end) else { return nil }
                unsafe place = unsafe next
            case 0..<0x20:
                return nil
            default:
                if byte >= 0x80 { isASCII = false }
                append(byte)
                unsafe place += 1
            }
        }
        return nil
    }

    /// Decodes the escape whose backslash is at `place`. Returns the address after it; nil if it is not valid.
    @inline(__always)
    private mutating func decodeEscape(
        _ place: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8>? {
        guard unsafe end - place >= 2 else { return nil }
        if unsafe place[1] == UInt8(ascii: "u") { return unsafe decodeUnicodeEscape(place, end) }
        guard let character = unsafe ScratchBytes.character(escapedBy: place[1]) else { return nil }
        append(character)
        return unsafe place + 2
    }

    /// The character that a backslash and a letter stand for, or nil.
    @inline(__always)
    static func character(escapedBy byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    /// Decodes the `\uXXXX` at `place`; for a high surrogate also the low one after it. Returns the address after both.
    private mutating func decodeUnicodeEscape(
        _ place: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8>? {
        guard let unit = unsafe ScratchBytes.escapedUnit(place, end) else { return nil }
        var scalar = UInt32(unit)
        var next = unsafe place + 6
        if unit & 0xF800 == 0xD800 {
            guard unit < 0xDC00, let low = unsafe ScratchBytes.escapedUnit(place + 6, end), low & 0xFC00 == 0xDC00 else {
                return nil
            }
            scalar = 0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(low & 0x3FF))
            unsafe next += 6
        }
        if scalar >= 0x80 { isASCII = false }
        switch scalar {
        case 0..<0x80:
            append(UInt8(scalar))
        case 0x80..<0x800:
            append(0xC0 | UInt8(scalar >> 6))
            append(0x80 | UInt8(scalar & 0x3F))
        case 0x800..<0x10000:
            append(0xE0 | UInt8(scalar >> 12))
            append(0x80 | UInt8(scalar >> 6 & 0x3F))
            append(0x80 | UInt8(scalar & 0x3F))
        default:
            append(0xF0 | UInt8(scalar >> 18))
            append(0x80 | UInt8(scalar >> 12 & 0x3F))
            append(0x80 | UInt8(scalar >> 6 & 0x3F))
            append(0x80 | UInt8(scalar & 0x3F))
        }
        return unsafe next
    }

    /// The code unit of the `\uXXXX` at an address; nil if the text there is no such escape.
    @inline(__always)
    static func escapedUnit(_ place: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UInt16? {
        guard unsafe end - place >= 6, unsafe place[0] == UInt8(ascii: "\\"), unsafe place[1] == UInt8(ascii: "u") else {
            return nil
        }
        // The four digits at once, the first in the lowest byte.
        let digits = unsafe UInt32(littleEndian: UnsafeRawPointer(place).loadUnaligned(fromByteOffset: 2, as: UInt32.self))
        // 1 in each byte that may be a letter: `A` is 0x41, and `a` is 0x61.
        let letters = digits &>> 6 & 0x0101_0101
        let values = (digits & 0x0F0F_0F0F) &+ letters &* 9
        // The upper half of a digit is 3, and that of a letter is 4 or 6.
        guard (digits | letters &<< 5) & 0xF0F0_F0F0 == 0x3030_3030 &+ letters &* 0x30,
            // A letter stands for 10 to 15, and anything else for less than 10.
            values & 0x1010_1010 == 0, (values &+ 0x0606_0606) & 0x1010_1010 == letters &<< 4
        else { return nil }
        let pairs = values.byteSwapped | values.byteSwapped &>> 4
        return UInt16(truncatingIfNeeded: pairs &>> 8 & 0xFF00 | pairs & 0xFF)
    }
}

extension UInt8 {
    /// Whether a JSON string can hold the byte only as an escape (RFC 8259, section 7).
    @inline(__always)
    var needsEscape: Bool { self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\") }
}

/// A byte buffer that grows as needed and keeps its memory for the next use.
@safe
struct ScratchBytes {
    private(set) var start: UnsafeMutablePointer<UInt8>
    var count = 0
    /// Whether all bytes that ``decodeString(from:end:)`` has made are ASCII.
    private(set) var isASCII = true
    /// Never less than ``SmallString`` reads.
    private var capacity = 1024

    init() { unsafe start = .allocate(capacity: capacity) }

    func deallocate() { unsafe start.deallocate() }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        if count == capacity { grow(by: 1) }
        unsafe start[count] = byte
        count &+= 1
    }

    /// Makes room for more bytes.
    @inline(__always)
    private mutating func reserve(_ size: Int) {
        if capacity &- count < size { grow(by: size) }
    }

    /// Copies 16 bytes after those that are counted, where there must be room.
    @inline(__always)
    private func copy16(_ bytes: UnsafePointer<UInt8>) {
        let block = unsafe UnsafeRawPointer(bytes).loadUnaligned(as: SIMD16<UInt8>.self)
        unsafe UnsafeMutableRawPointer(start + count).storeBytes(of: block, as: SIMD16<UInt8>.self)
    }

    /// Shrinks the buffer to its initial capacity, and empties it, if its capacity is above the limit.
    mutating func trim(above limit: Int) {
        guard capacity > limit else { return }
        unsafe start.deallocate()
        capacity = 1024
        unsafe start = .allocate(capacity: capacity)
        count = 0
    }

    @inline(never)
    private mutating func grow(by size: Int) {
        capacity = max(capacity * 2, count + size)
        let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        unsafe grown.update(from: start, count: count)
        unsafe start.deallocate()
        unsafe start = unsafe grown
    }
}
