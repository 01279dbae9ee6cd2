// Converts a JSON number to Swift's types, by the same rules as a scalar of the text.

extension JSONNumber {
    /// The value as an `Int`; nil if it is not an integer or is out of range.
    public var int: Int? { integer(as: Int.self) }

    /// The value as an integer type; nil if it is not an integer or is out of the type's range.
    public func integer<Value: FixedWidthInteger>(as type: Value.Type) -> Value? {
        withScalar { $0.integer(as: type) }
    }

    /// The nearest double; nil if the value is beyond the range of finite doubles.
    public var double: Double? { withScalar { $0.double } }

    private func withScalar<Result>(_ body: (JSONScalar) -> Result) -> Result {
        var text = lexeme
        return text.withUTF8 { bytes in
            // Safe: a number's text is never empty.
            unsafe body(JSONScalar(kind: .number, start: bytes.baseAddress.unsafelyUnwrapped, count: bytes.count))
        }
    }
}

extension JSONNumber: JSONScalarBindable {
    /// The number with its text as written; nil for other scalars.
    public init?(jsonScalar scalar: JSONScalar) {
        guard let number = scalar.numberText.flatMap({ JSONNumber(lexeme: $0) }) else { return nil }
        self = number
    }

    /// Writes the number with its own text.
    public func write(to writer: inout JSONWriter) throws(JSONError) { writer.writeNumber(self) }

    /// "a number".
    public static var jsonExpectation: String { "a number" }
}

extension JSONNumber: KnownScalar {
    package static var form: ScalarForm { .number }
    package var exactNumber: String? { lexeme }
}
