// The forms of binary data in a string.

/// The text of binary data.
public enum JSONDataFormat: Sendable, Hashable {
    /// Base64 (RFC 4648, section 4). This is the default.
    case base64
    /// The bytes of the string itself.
    case utf8
}
