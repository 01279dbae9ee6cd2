// Decodes the escapes of a JSON string (RFC 8259, section 7). Stricter than yajl, which accepts unpaired surrogates.

internal import CScan

extension ScratchBytes {
    /// Decodes the string whose text starts at `start` (behind the opening quote) into these bytes, replacing their content.
    ///
    /// - Returns: The address behind the closing quote; nil if the string is not valid or has no end.
    mutating func decodeString(
        from start: UnsafePointer<UInt8>, firstEscape: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8>? {
        count = 0
        unsafe append(start, firstEscape - start)
        var place = unsafe firstEscape
        while unsafe place < end {
            let byte = unsafe place.pointee
            switch byte {
            case UInt8(ascii: "\""):
                return unsafe place + 1
            case UInt8(ascii: "\\"):
                guard unsafe end - place >= 2 else { return nil }
                if unsafe place[1] == UInt8(ascii: "u") {
                    guard let next = unsafe decodeUnicodeEscape(place, end) else { return nil }
                    unsafe place = unsafe next
                } else {
                    guard let character = unsafe ScratchBytes.character(escapedBy: place[1]) else { return nil }
                    append(character)
                    unsafe place += 2
                }
            case 0..<0x20:
                return nil
            default:
                // Copies everything up to the next quote, backslash or control character in one go.
                let run = unsafe place
                while unsafe end - place >= 16 {
                    let special = unsafe cscan_string16(place) & 0xFFFF
                    unsafe place += special == 0 ? 16 : special.trailingZeroBitCount
                    if special != 0 { break }
                }
                while unsafe place < end && place.pointee != UInt8(ascii: "\"") && place.pointee != UInt8(ascii: "\\")
                    && place.pointee >= 0x20
                {
                    unsafe place += 1
                }
                unsafe append(run, place - run)
            }
        }
        return nil
    }

    /// The character that a backslash and a letter stand for; nil if there is none.
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

    /// Decodes the `\uXXXX` at `place`; for a high surrogate also the low one behind it. Returns the address behind both.
    private mutating func decodeUnicodeEscape(
        _ place: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8>? {
        let text = unsafe UnsafeRawBufferPointer(start: place, count: min(end - place, 12))
        guard let unit = unsafe UnicodeValidation.escapedUnit(text, at: 0) else { return nil }
        var scalar = UInt32(unit)
        var next = unsafe place + 6
        if unit & 0xF800 == 0xD800 {
            guard unit < 0xDC00, let low = unsafe UnicodeValidation.escapedUnit(text, at: 6), low & 0xFC00 == 0xDC00 else {
                return nil
            }
            scalar = 0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(low & 0x3FF))
            unsafe next += 6
        }
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
    private var capacity = 1024

    init() { unsafe start = .allocate(capacity: capacity) }

    func deallocate() { unsafe start.deallocate() }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        if count == capacity { grow(by: 1) }
        unsafe start[count] = byte
        count &+= 1
    }

    mutating func append(_ bytes: UnsafePointer<UInt8>, _ size: Int) {
        if capacity &- count < size { grow(by: size) }
        // Safe: the line above has made room.
        unsafe (start + count).update(from: bytes, count: size)
        count &+= size
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
