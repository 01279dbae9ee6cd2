// Hints for scalars that a type does not accept. They are made only together with the error.

extension JSONScalar {
    /// A hint on how the property can declare this scalar's date format, for date types that did not accept the scalar.
    package var dateHint: String? {
        switch kind {
        case .number:
            guard let value = double, value == value.rounded(.towardZero) else { return nil }
            // These limits tell the units apart for moments from 1973 to the year 5138.
            let fits = JSONDateFormat.epochs.first { value.magnitude < 1e11 * Double($0.epoch?.perSecond ?? 0) }
            guard let format = fits ?? JSONDateFormat.epochs.last, let unit = format.epoch?.unit else { return nil }
            return "mark the property @JSONDate(.\(format.text)) if the number counts \(unit) since 1970"
        case .string:
            if case .format(let pattern)? = dateFormat { return "the property's pattern is \"\(pattern)\"" }
            return "a date without @JSONDate looks like 2014-01-20T12:24:48Z; other forms need @JSONDate"
        case .null, .boolean:
            return nil
        }
    }

    /// Whether it is a number within the range of `Double` that is not an integer.
    var hasFraction: Bool {
        guard let value = double else { return false }
        return value != value.rounded(.towardZero)
    }
}

extension PropertyKind {
    /// The range of numbers that a kind accepts, as text: "0…255"; nil for kinds that are not numbers.
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
