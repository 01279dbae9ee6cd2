// A number with its fraction cut off, and its value in an integer type.

/// A number without its fraction, of any size.
struct TruncatedInteger {
    /// The lowest 128 bits, in two's complement.
    private(set) var bits: UInt128 = 0
    private(set) var isNegative = false
    /// Whether a fraction other than 0 has been cut off.
    private(set) var hasFraction = false
    /// Whether the magnitude has more than 128 bits.
    private var isLong = false

    init(_ value: Int64) {
        bits = UInt128(truncatingIfNeeded: value)
        isNegative = value < 0
    }

    /// Parses the text of a number; nil for text that is not a number.
    init?(_ start: UnsafePointer<UInt8>, _ count: Int) {
        guard let lexeme = unsafe DecimalLexeme(start, count) else { return nil }
        isNegative = lexeme.isNegative
        if lexeme.significant.isEmpty { return }
        // Leading zeros count for nothing.
        let first = lexeme.significant.lowerBound
        let end = max(lexeme.point, first)
        hasFraction = end < lexeme.significant.upperBound
        var magnitude: UInt128 = 0
        // 10^128 is divisible by 2^128: more than 128 zeros after the digits leave the low 128 bits unchanged.
        for index in first..<min(end, lexeme.digitCount + 128) {
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt128(lexeme.digit(index)))
            if overflow || carry { isLong = true }
            magnitude = sum
        }
        bits = isNegative ? 0 &- magnitude : magnitude
    }

    /// The value in an integer type; nil if the type cannot hold it.
    func exactly<Value: FixedWidthInteger>(_ type: Value.Type) -> Value? {
        if isLong { return nil }
        guard isNegative, bits != 0 else { return Value(exactly: bits) }
        let value = Int128(truncatingIfNeeded: bits)
        return value < 0 ? Value(exactly: value) : nil
    }

    /// Replaces a value that fits neither `Int64` nor `UInt64` by the nearest `Int64`.
    mutating func limitTo64Bits() {
        guard exactly(Int64.self) == nil, exactly(UInt64.self) == nil else { return }
        self = TruncatedInteger(isNegative ? .min : .max)
    }
}
