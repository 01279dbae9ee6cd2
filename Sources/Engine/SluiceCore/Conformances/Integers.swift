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

extension Int: JSONScalarBindable, JSONKeyBindable {}
extension Int8: JSONScalarBindable, JSONKeyBindable {}
extension Int16: JSONScalarBindable, JSONKeyBindable {}
extension Int32: JSONScalarBindable, JSONKeyBindable {}
extension Int64: JSONScalarBindable, JSONKeyBindable {}
extension Int128: JSONScalarBindable {}
extension UInt: JSONScalarBindable, JSONKeyBindable {}
extension UInt8: JSONScalarBindable, JSONKeyBindable {}
extension UInt16: JSONScalarBindable, JSONKeyBindable {}
extension UInt32: JSONScalarBindable, JSONKeyBindable {}
extension UInt64: JSONScalarBindable, JSONKeyBindable {}
extension UInt128: JSONScalarBindable {}
