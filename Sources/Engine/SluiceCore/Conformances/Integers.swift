// The integers. `Int` and `UInt` have the kinds of `Int64` and `UInt64`.

extension FixedWidthInteger where Self: JSONScalarBindable {
    /// The value of a number that is an integer within the type's range; nil for all other scalars.
    public init?(jsonScalar scalar: JSONScalar) {
        guard let value = scalar.integer(as: Self.self) else { return nil }
        self = value
    }

    /// Writes the digits.
    @inlinable
    public func write(to writer: inout JSONWriter) throws(JSONError) { writer.write(self) }
}

extension Int: JSONScalarBindable {}
extension Int8: JSONScalarBindable {}
extension Int16: JSONScalarBindable {}
extension Int32: JSONScalarBindable {}
extension Int64: JSONScalarBindable {}
extension Int128: JSONScalarBindable {}
extension UInt: JSONScalarBindable {}
extension UInt8: JSONScalarBindable {}
extension UInt16: JSONScalarBindable {}
extension UInt32: JSONScalarBindable {}
extension UInt64: JSONScalarBindable {}
extension UInt128: JSONScalarBindable {}
