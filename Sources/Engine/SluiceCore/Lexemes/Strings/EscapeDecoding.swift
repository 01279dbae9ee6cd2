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
        var address = unsafe start
        while unsafe end - address >= 16 {
            reserve(16)
            let masks = unsafe cscan_string16(address)
            // All 16 bytes are copied, and those that are not plain are overwritten: that is shorter than to count first.
            // Safe: 16 bytes are left, and there is room for as many.
            unsafe copy16(address)
            let special = masks & 0xFFFF
            guard special != 0 else {
                high |= masks &>> 16
                unsafe address += 16
                count &+= 16
                continue
            }
            let index = special.trailingZeroBitCount
            // No special byte is above 127. So the mask leaves only the bits of the bytes before the first special one.
            high |= masks &>> 16 & (special &- 1)
            unsafe address += index
            count &+= index
            // Escapes often come in a row: line breaks, and text of another alphabet.
            repeat {
                guard unsafe address.pointee == UInt8(ascii: "\\") else {
                    if high != 0 { isASCII = false }
                    return unsafe address.pointee == UInt8(ascii: "\"") ? address + 1 : nil
                }
                guard let next = unsafe decodeEscape(address, end) else { return nil }
                unsafe address = unsafe next
            } while unsafe address < end && address.pointee == UInt8(ascii: "\\")
        }
        if high != 0 { isASCII = false }
        return unsafe decodeTail(from: address, end)
    }

    /// The same for the last bytes of the text, which follow those that have been decoded.
    private mutating func decodeTail(
        from start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8>? {
        var address = unsafe start
        while unsafe address < end {
            let byte = unsafe address.pointee
            switch byte {
            case UInt8(ascii: "\""):
                return unsafe address + 1
            case UInt8(ascii: "\\"):
                guard let next = unsafe decodeEscape(address, end) else { return nil }
                unsafe address = unsafe next
            case 0..<0x20:
                return nil
            default:
                if byte >= 0x80 { isASCII = false }
                append(byte)
                unsafe address += 1
            }
        }
        return nil
    }

    /// Decodes the escape whose backslash is at `address`. Returns the address after it; nil if it is not valid.
    @inline(__always)
    private mutating func decodeEscape(
        _ address: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8>? {
        guard unsafe end - address >= 2 else { return nil }
        if unsafe address[1] == UInt8(ascii: "u") { return unsafe decodeUnicodeEscapes(address, end) }
        guard let character = unsafe ScratchBytes.character(escapedBy: address[1]) else { return nil }
        append(character)
        return unsafe address + 2
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

    /// Decodes the `\uXXXX` at `address`, with its other half if it is one of two surrogates, and those that follow directly: a text of
    /// another alphabet is a long run of them. Returns the address after the last one; nil if one is not valid.
    private mutating func decodeUnicodeEscapes(
        _ first: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8>? {
        var address = unsafe first
        var size = count
        // The bits of all scalars: more than seven of them say that the text is not ASCII.
        var bits: UInt32 = 0
        repeat {
            guard let unit = unsafe ScratchBytes.escapedUnit(address, end) else { return nil }
            if capacity &- size < 4 {
                count = size
                grow(by: 4)
            }
            unsafe address += 6
            // Safe: there is room for four bytes, of which one to four are counted.
            let target = unsafe UnsafeMutableRawPointer(start + size)
            let scalar = UInt32(unit)
            bits |= scalar
            if scalar < 0x80 {
                unsafe target.storeBytes(of: UInt8(truncatingIfNeeded: scalar), as: UInt8.self)
                size &+= 1
            } else if scalar < 0x800 {
                let bytes = 0x80C0 | scalar &>> 6 | (scalar & 0x3F) &<< 8
                unsafe target.storeBytes(of: UInt16(truncatingIfNeeded: bytes).littleEndian, as: UInt16.self)
                size &+= 2
            } else if scalar & 0xF800 != 0xD800 {
                let bytes = 0x80_80E0 | scalar &>> 12 | (scalar &>> 6 & 0x3F) &<< 8 | (scalar & 0x3F) &<< 16
                unsafe target.storeBytes(of: bytes.littleEndian, as: UInt32.self)
                size &+= 3
            } else {
                guard scalar < 0xDC00, let low = unsafe ScratchBytes.escapedUnit(address, end), low & 0xFC00 == 0xDC00 else {
                    return nil
                }
                unsafe address += 6
                let pair = 0x10000 &+ ((scalar & 0x3FF) &<< 10 | UInt32(low & 0x3FF))
                let bytes =
                    0x8080_80F0 | pair &>> 18 | (pair &>> 12 & 0x3F) &<< 8 | (pair &>> 6 & 0x3F) &<< 16 | (pair & 0x3F) &<< 24
                unsafe target.storeBytes(of: bytes.littleEndian, as: UInt32.self)
                size &+= 4
            }
        } while unsafe end - address >= 6 && address[0] == UInt8(ascii: "\\") && address[1] == UInt8(ascii: "u")
        count = size
        if bits >= 0x80 { isASCII = false }
        return unsafe address
    }

    /// The code unit of the `\uXXXX` at an address; nil if the text there is no such escape.
    @inline(__always)
    static func escapedUnit(_ address: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UInt16? {
        guard unsafe end - address >= 6, unsafe address[0] == UInt8(ascii: "\\"), unsafe address[1] == UInt8(ascii: "u") else {
            return nil
        }
        // The four digits at once, the first in the lowest byte.
        let digits = unsafe UInt32(littleEndian: UnsafeRawPointer(address).loadUnaligned(fromByteOffset: 2, as: UInt32.self))
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
        unsafe start.grow(to: capacity, keeping: count)
    }
}
