// A Swift string becomes a JSON string: quotes around it, and escapes for the three kinds of bytes that must have one (RFC 8259,
// section 7). Swift strings are valid Unicode by construction, so nothing else is checked.

internal import CScan

extension JSONWriter {
    /// Writes a string with its quotes.
    @inline(__always)
    mutating func writeString(_ value: String) {
        let isDone: Void? = unsafe value.utf8.withContiguousStorageIfAvailable { unsafe writeString($0) }
        if isDone == nil { writeForeignString(value) }
    }

    /// A string that is not stored as UTF-8, as those that come from Objective-C may be.
    @inline(never)
    private mutating func writeForeignString(_ value: String) {
        var copy = value
        copy.withUTF8 { unsafe writeString($0) }
    }

    /// Writes the bytes of a string, which are UTF-8, with its quotes.
    @inline(__always)
    mutating func writeString(_ bytes: UnsafeBufferPointer<UInt8>) {
        if escapesMore { return unsafe writeEscaped(bytes) }
        let total = bytes.count
        // Room for the text without escapes and the quotes; each escape asks for its own.
        reserve(total &+ 2)
        unsafe start[count] = UInt8(ascii: "\"")
        count &+= 1
        if let source = bytes.baseAddress {
            var index = 0
            // Safe: each block ends at or before `total`, and the room reserved covers it.
            while total &- index >= 16 {
                let special = unsafe cscan_string16(source + index) & 0xFFFF
                unsafe copyBlock(source + index)
                guard special == 0 else {
                    count &+= special.trailingZeroBitCount
                    return unsafe escapeRest(source, index &+ special.trailingZeroBitCount, total)
                }
                count &+= 16
                index &+= 16
            }
            if index < total {
                guard unsafe copyPlainTail(source, index, total) else { return unsafe escapeRest(source, index, total) }
            }
        }
        unsafe start[count] = UInt8(ascii: "\"")
        count &+= 1
    }

    /// Copies the last bytes of a string, fewer than 16, if none needs an escape; else nothing has happened.
    @inline(__always)
    private mutating func copyPlainTail(_ source: UnsafePointer<UInt8>, _ index: Int, _ total: Int) -> Bool {
        let left = total &- index
        let target = unsafe start + count
        if total >= 16 {
            // The last 16 bytes: those that stand already are written once more.
            let block = unsafe source + (total &- 16)
            guard unsafe cscan_string16(block) & 0xFFFF == 0 else { return false }
            let bytes = unsafe UnsafeRawPointer(block).loadUnaligned(as: SIMD16<UInt8>.self)
            unsafe UnsafeMutableRawPointer(target + (left &- 16)).storeBytes(of: bytes, as: SIMD16<UInt8>.self)
        } else if left >= 8 {
            // Two words, which may overlap.
            let first = unsafe UnsafeRawPointer(source).loadUnaligned(as: UInt64.self)
            let last = unsafe UnsafeRawPointer(source + (total &- 8)).loadUnaligned(as: UInt64.self)
            guard (JSONWriter.escapeMarks(first) | JSONWriter.escapeMarks(last)) == 0 else { return false }
            unsafe UnsafeMutableRawPointer(target).storeBytes(of: first, as: UInt64.self)
            unsafe UnsafeMutableRawPointer(target + (left &- 8)).storeBytes(of: last, as: UInt64.self)
        } else {
            for offset in 0..<left {
                let byte = unsafe source[offset]
                if JSONWriter.needsEscape(byte) { return false }
                unsafe target[offset] = byte
            }
        }
        count &+= left
        return true
    }

    /// Marks in a word of eight bytes: not zero exactly if one of them needs an escape.
    @inline(__always)
    private static func escapeMarks(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops = ones &<< 7
        // A byte below n borrows from its top bit when n is subtracted; bytes above 127 are excluded by `~word`.
        let control = (word &- ones &* 0x20) & ~word
        let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
        return (control | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash) & tops
    }

    /// Copies 16 bytes behind the end, without moving it.
    @inline(__always)
    private func copyBlock(_ source: UnsafePointer<UInt8>) {
        let block = unsafe UnsafeRawPointer(source).loadUnaligned(as: SIMD16<UInt8>.self)
        unsafe UnsafeMutableRawPointer(start + count).storeBytes(of: block, as: SIMD16<UInt8>.self)
    }

    /// The rest of a string from `first` on, of which some byte needs an escape, and the closing quote.
    @inline(never)
    private mutating func escapeRest(_ source: UnsafePointer<UInt8>, _ first: Int, _ total: Int) {
        var index = first
        while index < total {
            // The longest escape, the text behind it, the closing quote.
            reserve(7 &+ total &- index)
            // The tail of a string begins here too, whose first byte may be plain.
            if unsafe JSONWriter.needsEscape(source[index]) {
                unsafe escape(source[index])
                index &+= 1
            }
            // Safe: as above.
            while total &- index >= 16 {
                let special = unsafe cscan_string16(source + index) & 0xFFFF
                unsafe copyBlock(source + index)
                let plain = special == 0 ? 16 : special.trailingZeroBitCount
                count &+= plain
                index &+= plain
                if special != 0 { break }
            }
            while index < total, unsafe !JSONWriter.needsEscape(source[index]) {
                unsafe start[count] = unsafe source[index]
                count &+= 1
                index &+= 1
            }
        }
        append(UInt8(ascii: "\""))
    }

    /// Writes a string with the escapes that the options ask for beyond JSON's own.
    @inline(never)
    private mutating func writeEscaped(_ bytes: UnsafeBufferPointer<UInt8>) {
        append(UInt8(ascii: "\""))
        var index = 0
        while index < bytes.count {
            // The longest escape is that of a character beyond the basic plane: two of six bytes.
            reserve(12)
            let byte = unsafe bytes[index]
            if byte == UInt8(ascii: "/"), options.escapesSlashes {
                append("\\/")
            } else if byte >= 0x80, options.escapesNonASCII {
                unsafe index += escapeCharacter(bytes, index)
                continue
            } else if JSONWriter.needsEscape(byte) {
                escape(byte)
            } else {
                append(byte)
            }
            index += 1
        }
        append(UInt8(ascii: "\""))
    }

    /// Writes the character outside ASCII that begins at `index`, and returns how many bytes it has.
    private mutating func escapeCharacter(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
        // Safe: a Swift string is valid UTF-8, so the bytes that the first one announces are there.
        let first = unsafe UInt32(bytes[index])
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        var code = first & (0xFF >> UInt32(length + 1))
        for next in index + 1..<index + length { unsafe code = code << 6 | UInt32(bytes[next] & 0x3F) }
        if code < 0x10000 {
            escape(unit: code)
        } else {
            escape(unit: 0xD800 + (code - 0x10000) >> 10)
            escape(unit: 0xDC00 + (code - 0x10000) & 0x3FF)
        }
        return length
    }

    private mutating func escape(unit: UInt32) {
        append("\\u")
        for shift: UInt32 in [12, 8, 4, 0] { append(JSONWriter.hexadecimal(UInt8(truncatingIfNeeded: unit >> shift & 15))) }
    }

    /// Writes a byte that must not stand as it is. Room for six bytes has been made.
    @inline(__always)
    private mutating func escape(_ byte: UInt8) {
        unsafe start[count] = UInt8(ascii: "\\")
        let short: UInt8? =
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
            case 0x08: UInt8(ascii: "b")
            case 0x09: UInt8(ascii: "t")
            case 0x0A: UInt8(ascii: "n")
            case 0x0C: UInt8(ascii: "f")
            case 0x0D: UInt8(ascii: "r")
            default: nil
            }
        if let short {
            unsafe start[count &+ 1] = short
            count &+= 2
        } else {
            unsafe start[count &+ 1] = UInt8(ascii: "u")
            unsafe start[count &+ 2] = UInt8(ascii: "0")
            unsafe start[count &+ 3] = UInt8(ascii: "0")
            unsafe start[count &+ 4] = JSONWriter.hexadecimal(byte &>> 4)
            unsafe start[count &+ 5] = JSONWriter.hexadecimal(byte & 15)
            count &+= 6
        }
    }

    @inline(__always)
    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") &+ digit : UInt8(ascii: "a") &- 10 &+ digit
    }
}
