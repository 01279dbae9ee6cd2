// A Swift string becomes a JSON string: quotes around it, and escapes for the three kinds of bytes that must have one (RFC 8259,
// section 7). Swift strings are valid Unicode by construction, so nothing else is checked.

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

    @inline(__always)
    private mutating func writeString(_ bytes: UnsafeBufferPointer<UInt8>) {
        let total = bytes.count
        // Room for the text without escapes, the quotes, and one block that is stored whole although only a part is meant.
        reserve(total &+ 2 &+ 16)
        unsafe start[count] = UInt8(ascii: "\"")
        count &+= 1
        if let source = bytes.baseAddress {
            let raw = unsafe UnsafeRawPointer(source)
            var index = 0
            // Safe: each block ends at or before `total`, and the room reserved covers it.
            while total &- index >= 16 {
                let block = unsafe raw.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
                unsafe UnsafeMutableRawPointer(start + (count &+ index)).storeBytes(of: block, as: SIMD16<UInt8>.self)
                if JSONWriter.needsEscape(block) { break }
                index &+= 16
            }
            while index < total {
                let byte = unsafe source[index]
                if JSONWriter.needsEscape(byte) {
                    count &+= index
                    unsafe escapeRest(UnsafeBufferPointer(rebasing: bytes[index...]))
                    return
                }
                unsafe start[count &+ index] = byte
                index &+= 1
            }
            count &+= total
        }
        unsafe start[count] = UInt8(ascii: "\"")
        count &+= 1
    }

    /// The rest of a string from its first escape on, and the closing quote.
    @inline(never)
    private mutating func escapeRest(_ bytes: UnsafeBufferPointer<UInt8>) {
        for index in bytes.indices {
            // The longest escape, the closing quote.
            reserve(7 &+ bytes.count &- index)
            let byte = unsafe bytes[index]
            guard JSONWriter.needsEscape(byte) else {
                unsafe start[count] = byte
                count &+= 1
                continue
            }
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
        append(UInt8(ascii: "\""))
    }

    @inline(__always)
    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    @inline(__always)
    private static func needsEscape(_ block: SIMD16<UInt8>) -> Bool {
        let escaped = (block .< 0x20) .| (block .== UInt8(ascii: "\"")) .| (block .== UInt8(ascii: "\\"))
        return any(escaped)
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") &+ digit : UInt8(ascii: "a") &- 10 &+ digit
    }
}
