// The one definition of JSON's white space (RFC 8259, section 2).

/// JSON's white space: space, tab, line feed and carriage return.
package enum JSONWhiteSpace {
    /// Whether a byte is white space.
    @inline(__always)
    package static func contains(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\t")
    }
}

/// The index of the first byte at or after `start` that is not JSON white space.
func firstNonBlank(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var index = start
    while index < bytes.count, unsafe JSONWhiteSpace.contains(bytes[index]) { index += 1 }
    return index < bytes.count ? index : nil
}

extension UnsafeRawBufferPointer {
    /// The bytes from the first one on that is not JSON white space.
    package var withoutLeadingBlanks: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: self[(firstNonBlank(in: self, from: 0) ?? count)...])
    }
}
