// The bytes that may be between two tokens.

/// The bytes between tokens.
enum TokenSeparators {
    /// Whether a byte stands between tokens: white space, what yajl takes for it, or a separator.
    static func isBetweenTokens(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (9...13).contains(byte) || isSeparator(byte)
    }

    /// A byte that separates tokens and is not white space.
    static func isSeparator(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") }
}
