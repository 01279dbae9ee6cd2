// The two bytes that strings consist of besides their text. What walks over JSON text is listed in CONTRIBUTING; all other code that
// writes a string, or looks at a byte of one, names them so.

extension UInt8 {
    /// The quote that begins and ends a string.
    @inlinable package static var quote: UInt8 {
        @inline(__always) get { UInt8(ascii: "\"") }
    }

    /// The backslash that begins an escape.
    @inlinable package static var backslash: UInt8 {
        @inline(__always) get { UInt8(ascii: "\\") }
    }
}
