// A decimal number as `numeric` has it: groups of four digits to the base 10,000, counted from the point, however many there are.
//
//     12345.678e3      digits 12345678, 8 of them in front of the point; groups 1234 5678, weight 1

#if PostgreSQL
internal import SluiceCore

extension DecimalLexeme {
    /// Reads a text as the server does; nil if it is not a decimal number.
    init?(_ text: UnsafeRawBufferPointer) {
        guard let start = text.baseAddress else { return nil }
        unsafe self.init(start.assumingMemoryBound(to: UInt8.self), text.count, isLoose: true)
    }

    /// How many digits are after the point when the exponent is applied.
    var scale: Int { max(0, digitCount - point) }

    /// The number of digits in front of the point, without zeros at the front; 0 for a number below 1.
    var integerSize: Int { significant.isEmpty ? 0 : max(0, point - significant.lowerBound) }

    /// The weight of the first group of four digits: 0 if it is right in front of the point.
    var weight: Int { significant.isEmpty ? 0 : DecimalLexeme.group(point - 1 - significant.lowerBound) }

    /// The groups of four digits, from the first to the last one that is not 0.
    var groups: Range<Int> {
        significant.isEmpty ? 0..<0 : 0..<(weight - DecimalLexeme.group(point - significant.upperBound) + 1)
    }

    /// The value of a group, below 10,000.
    func group(at index: Int) -> Int {
        let last = point - 1 - 4 * (weight - index)
        return (last - 3...last).reduce(0) { $0 * 10 + Int(digit($1)) }
    }

    /// The group that a digit belongs to, from the power of ten that it stands for.
    private static func group(_ power: Int) -> Int { power >> 2 }

    /// Whether `numeric` can hold the number: https://www.postgresql.org/docs/current/datatype-numeric.html
    var fitsNumeric: Bool { weight <= 32_767 && scale <= 16_383 }
}
#endif
