// The digits of a decimal number, and where its point is. `numeric` gets exactly these digits, however many there are.
//
//     12345.678e3      digits 12345678, 8 of them in front of the point
//     numeric          groups of four digits to the base 10,000, counted from the point: 1234 5678, weight 1

#if PostgreSQL
/// A decimal number in text: `-12`, `1.50`, `6.02e+23`.
@safe
struct DecimalText {
    let isNegative: Bool
    /// The text from the first digit to the last one, perhaps with a point.
    private let digits: UnsafeRawBufferPointer
    /// The index of the point in the text, which is the number of digits in front of it.
    private let integerDigits: Int
    /// How many digits there are.
    let digitCount: Int
    /// How many digits are before the point when the exponent is applied; below 0 if zeros follow the point.
    let point: Int
    /// How many digits are after the point when the exponent is applied.
    let scale: Int
    /// The indices of the first and the last digit that is not 0; nil if the number is 0.
    let significant: ClosedRange<Int>?

    /// No number of PostgreSQL has an exponent beyond this.
    private static let largestExponent = 1_000_000

    /// Reads a text; nil if it is not a decimal number, or has an exponent that is too large for any use.
    init?(_ text: UnsafeRawBufferPointer) {
        var index = 0
        let count = text.count
        var isNegative = false
        if index < count, unsafe text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
            isNegative = unsafe text[index] == UInt8(ascii: "-")
            index += 1
        }
        let start = index
        while index < count, unsafe DecimalText.isDigit(text[index]) { index += 1 }
        integerDigits = index - start
        var fraction = 0
        var end = index
        if index < count, unsafe text[index] == UInt8(ascii: ".") {
            index += 1
            let first = index
            while index < count, unsafe DecimalText.isDigit(text[index]) { index += 1 }
            fraction = index - first
            end = index
        }
        guard integerDigits + fraction > 0 else { return nil }
        var exponent = 0
        if index < count, unsafe text[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            var isBelow = false
            if index < count, unsafe text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
                isBelow = unsafe text[index] == UInt8(ascii: "-")
                index += 1
            }
            let first = index
            while index < count, unsafe DecimalText.isDigit(text[index]) {
                exponent = unsafe min(exponent * 10 + Int(text[index] & 15), DecimalText.largestExponent)
                index += 1
            }
            guard index > first else { return nil }
            if isBelow { exponent = -exponent }
        }
        guard index == count else { return nil }
        self.isNegative = isNegative
        unsafe digits = unsafe UnsafeRawBufferPointer(rebasing: text[start..<end])
        digitCount = integerDigits + fraction
        point = integerDigits + exponent
        scale = max(0, fraction - exponent)
        var lower = 0
        var upper = digitCount - 1
        let (whole, all) = unsafe (integerDigits, digits)
        func isZero(_ index: Int) -> Bool { unsafe all[index < whole ? index : index + 1] == UInt8(ascii: "0") }
        while lower <= upper, isZero(lower) { lower += 1 }
        while upper > lower, isZero(upper) { upper -= 1 }
        significant = lower <= upper ? lower...upper : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }

    /// Whether another text has the same value.
    func hasValue(of other: DecimalText) -> Bool {
        guard let significant, let theirs = other.significant else { return significant == nil && other.significant == nil }
        return isNegative == other.isNegative && significant.count == theirs.count
            && point - significant.lowerBound == other.point - theirs.lowerBound
            && zip(significant, theirs).allSatisfy { digit($0) == other.digit($1) }
    }

    /// The value of a digit; 0 in front of the first and behind the last one.
    func digit(_ index: Int) -> Int {
        guard index >= 0, index < digitCount else { return 0 }
        // Safe: the text has these digits, and the point behind the integer digits.
        return unsafe Int(digits[index < integerDigits ? index : index + 1] & 15)
    }

    /// The number of digits in front of the point, without zeros at the front; 0 for a number below 1.
    var integerSize: Int { significant.map { max(0, point - $0.lowerBound) } ?? 0 }

    /// The weight of the first group of four digits: 0 if it is right in front of the point.
    var weight: Int { significant.map { DecimalText.group(point - 1 - $0.lowerBound) } ?? 0 }

    /// The groups of four digits, from the first to the last one that is not 0.
    var groups: Range<Int> {
        guard let significant else { return 0..<0 }
        return 0..<(weight - DecimalText.group(point - 1 - significant.upperBound) + 1)
    }

    /// The value of a group, below 10,000.
    func group(at index: Int) -> Int {
        let last = point - 1 - 4 * (weight - index)
        return ((digit(last - 3) * 10 + digit(last - 2)) * 10 + digit(last - 1)) * 10 + digit(last)
    }

    /// The group that a digit belongs to, from the power of ten that it stands for.
    private static func group(_ power: Int) -> Int { power >= 0 ? power / 4 : (power - 3) / 4 }

    /// Whether `numeric` can hold the number: https://www.postgresql.org/docs/current/datatype-numeric.html
    var fitsNumeric: Bool { weight <= 32_767 && scale <= 16_383 }

    /// The number as an integer; nil if it is not one, or beyond 64 bits.
    var integer: Int64? {
        guard let significant else { return 0 }
        guard point > significant.upperBound, point - significant.lowerBound <= 19 else { return nil }
        var value: Int64 = 0
        for index in significant.lowerBound..<point {
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let digit = Int64(digit(index))
            let (sum, isBeyond) = product.addingReportingOverflow(isNegative ? -digit : digit)
            if isTooLarge || isBeyond { return nil }
            value = sum
        }
        return value
    }
}
#endif
