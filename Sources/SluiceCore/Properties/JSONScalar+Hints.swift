// What may help with a scalar that a type does not take: built with the error, and never before.

extension JSONScalar {
    /// How a property says that its dates have the form of this scalar, which was not taken for a date: for types that are dates.
    public var dateHint: String? {
        switch kind {
        case .number:
            guard let value = double, value == value.rounded(.towardZero) else { return nil }
            // Between these lie the moments from 1973 on: seconds up to the year 5138, and so on.
            return switch value.magnitude {
            case ..<1e11: "mark the property @JSONDate(.unix) if the number counts seconds since 1970"
            case ..<1e14: "mark the property @JSONDate(.milliseconds) if the number counts milliseconds since 1970"
            default: "mark the property @JSONDate(.microseconds) if the number counts microseconds since 1970"
            }
        case .string:
            if case .format(let pattern)? = dateFormat { return "the property's pattern is \"\(pattern)\"" }
            return "without a word on its form a date is one such as 2014-01-20T12:24:48Z; others need @JSONDate"
        case .null, .boolean:
            return nil
        }
    }

    /// Whether it is a number of moderate size that is no integer.
    var hasFraction: Bool {
        guard let value = double else { return false }
        return value != value.rounded(.towardZero)
    }
}

extension PropertyKind {
    /// The numbers that a kind takes, in words: "0…255"; nil for kinds that are not numbers.
    var range: String? {
        switch self {
        case .int8: PropertyKind.range(of: Int8.self)
        case .int16: PropertyKind.range(of: Int16.self)
        case .int32: PropertyKind.range(of: Int32.self)
        case .int64: PropertyKind.range(of: Int64.self)
        case .int128: PropertyKind.range(of: Int128.self)
        case .uint8: PropertyKind.range(of: UInt8.self)
        case .uint16: PropertyKind.range(of: UInt16.self)
        case .uint32: PropertyKind.range(of: UInt32.self)
        case .uint64: PropertyKind.range(of: UInt64.self)
        case .uint128: PropertyKind.range(of: UInt128.self)
        case .float: "±\(Float.greatestFiniteMagnitude)"
        case .double: "±\(Double.greatestFiniteMagnitude)"
        default: nil
        }
    }

    private static func range<Value: FixedWidthInteger>(of type: Value.Type) -> String { "\(Value.min)…\(Value.max)" }
}
