// A number of JSON as one of Swift: by the same rules as a scalar of the text.

extension JSONNumber {
    /// The value as an `Int`, if it is an integer and fits.
    public var int: Int? { integer(as: Int.self) }

    /// The value as an integer of some width, if it is one and fits.
    public func integer<Value: FixedWidthInteger>(as type: Value.Type) -> Value? {
        withScalar { $0.integer(as: type) }
    }

    /// The nearest double; nil beyond the finite ones.
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
    /// The number as it is written.
    public init?(jsonScalar scalar: JSONScalar) {
        guard let number = scalar.numberText.flatMap({ JSONNumber(lexeme: $0) }) else { return nil }
        self = number
    }

    /// Writes the number as it is.
    public func write(to writer: inout JSONWriter) throws(JSONError) { writer.writeNumber(self) }

    /// "a number".
    public static var jsonExpectation: String { "a number" }
}
