// Any JSON as the bytes that it had in the text: for passing values on without parsing them.

/// A JSON value, unparsed: its bytes as they are in the text, without the white space around them.
///
/// The bytes have been checked to be JSON and UTF-8. Writing puts them out again as they are.
///
/// ```swift
/// let raw = try RawJSON(json: #"{"a": [1,  2]}"#)
/// raw.text                                  // {"a": [1,  2]}
/// let list = try [String: [Int]](json: raw.text)
/// ```
public struct RawJSON: Sendable, Hashable, CustomStringConvertible {
    /// The JSON text.
    public let text: String

    /// A raw value of bytes that the parser has accepted.
    init(validated bytes: UnsafeBufferPointer<UInt8>) {
        text = unsafe String(decoding: bytes, as: UTF8.self)
    }

    /// The JSON text.
    public var description: String { text }
}
