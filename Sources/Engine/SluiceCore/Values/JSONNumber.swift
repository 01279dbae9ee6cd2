// A number in JSON's own form: its text, exact whatever its size.

/// A JSON number as it is written: exact, whatever its size.
///
/// Numbers are equal when their text is: `1.0` and `1` are two numbers here. Compare ``double`` where the value counts.
public struct JSONNumber: Sendable, Hashable, CustomStringConvertible {
    /// The text, such as `12.50` or `1e400`.
    package let lexeme: String

    /// Makes a number from bytes that are known to be one.
    init(validated bytes: UnsafePointer<UInt8>, _ count: Int) {
        lexeme = unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// Makes a number from a string that is known to be one.
    init(validated lexeme: String) { self.lexeme = lexeme }

    /// Makes a number from its JSON text; nil if the text is not a JSON number.
    package init?(lexeme: String) {
        guard case .number(let number)? = try? JSONValue(json: lexeme), number.lexeme == lexeme else { return nil }
        self = number
    }

    /// An integer.
    public init(_ value: some FixedWidthInteger) { lexeme = value.description }

    /// A finite double, in its shortest text; nil for infinities and NaN, which JSON does not have.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        lexeme = unsafe String(unsafeUninitializedCapacity: NumberFormatting.maximumLength) { buffer in
            // Safe: a buffer of a capacity above 0 has an address.
            unsafe NumberFormatting.write(value, to: buffer.baseAddress.unsafelyUnwrapped)
        }
    }

    /// The text.
    public var description: String { lexeme }
}
