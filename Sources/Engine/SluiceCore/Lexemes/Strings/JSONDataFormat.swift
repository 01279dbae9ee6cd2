// How binary data is encoded in a JSON string.

/// The encoding of binary data in a JSON string.
public enum JSONDataFormat: Sendable, Hashable {
    /// Base64 (RFC 4648, section 4). This is the default.
    case base64
    /// The string's own UTF-8 bytes are the data.
    case utf8
}
