// What a value is, as far as one byte tells.

/// The kinds of JSON values.
package enum ValueKind {
    case object, array, string, number, bool, null

    /// The kind of the values that begin with a byte; nil if none does.
    @inline(__always)
    package init?(firstByte byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"): self = .object
        case UInt8(ascii: "["): self = .array
        case UInt8(ascii: "\""): self = .string
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): self = .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .bool
        case UInt8(ascii: "n"): self = .null
        default: return nil
        }
    }
}
