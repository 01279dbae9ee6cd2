// The text of a number goes in, and its digits come out as an integer with a fixed number of them behind the point: 12.5 is 1250 with two.
// No digit is rounded: a number that does not fit has no value.

enum DecimalDigits {
    /// - Parameters:
    ///   - text: A number as JSON writes it.
    ///   - precision: How many digits there may be, 18 at the most.
    ///   - scale: How many of them are behind the point.
    /// - Returns: The value times 10 to the power of `scale`; nil if the text is not a number, or if digits do not fit.
    static func value(of text: UnsafeBufferPointer<UInt8>, precision: Int, scale: Int) -> Int64? {
        guard let number = unsafe Number(text) else { return nil }
        // The place of the point in the digits of the result.
        var whole = number.digits
        var zeros = 0
        let shift = number.exponent - number.fraction + scale
        if shift < 0 { whole = max(number.digits + shift, 0) } else { zeros = shift }
        // The first number with as many digits as there may be: one digit more, and it has too many. So nothing goes beyond 64 bits.
        let tenth = power(precision - 1)
        var value: Int64 = 0
        var place = 0
        for index in number.mantissa where unsafe text[index] >= UInt8(ascii: "0") {
            let digit = unsafe Int64(text[index] & 15)
            if place >= whole {
                // What would be cut off has to be zero.
                if digit != 0 { return nil }
            } else {
                guard value < tenth else { return nil }
                value = value * 10 + digit
            }
            place += 1
        }
        while zeros > 0, value > 0 {
            guard value < tenth else { return nil }
            value *= 10
            zeros -= 1
        }
        return number.isNegative ? -value : value
    }

    /// 10 to a power from 0 to 17.
    private static func power(_ exponent: Int) -> Int64 {
        var power: Int64 = 1
        for _ in 0..<min(max(exponent, 0), 17) { power *= 10 }
        return power
    }

    /// The parts of a number's text.
    private struct Number {
        var isNegative = false
        /// The bytes with the digits, and the point among them.
        var mantissa: Range<Int>
        /// How many digits there are, and how many of them are behind the point.
        var digits = 0
        var fraction = 0
        /// The exponent; far beyond what can fit, it is no longer exact.
        var exponent = 0

        /// - Returns: nil for a text that JSON does not take for a number.
        init?(_ text: UnsafeBufferPointer<UInt8>) {
            var index = 0
            func byte() -> UInt8? { index < text.count ? unsafe text[index] : nil }
            func isDigit() -> Bool { byte().map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false }
            if byte() == UInt8(ascii: "-") {
                isNegative = true
                index += 1
            }
            let start = index
            mantissa = start..<start
            while isDigit() {
                digits += 1
                index += 1
            }
            // No digit, or one too many in front, as in 012.
            guard digits == 1 || digits > 1, unsafe digits == 1 || text[start] != UInt8(ascii: "0") else { return nil }
            if byte() == UInt8(ascii: ".") {
                index += 1
                while isDigit() {
                    fraction += 1
                    index += 1
                }
                guard fraction > 0 else { return nil }
                digits += fraction
            }
            mantissa = start..<index
            if byte() == UInt8(ascii: "e") || byte() == UInt8(ascii: "E") {
                index += 1
                let isNegative = byte() == UInt8(ascii: "-")
                if isNegative || byte() == UInt8(ascii: "+") { index += 1 }
                guard isDigit() else { return nil }
                while isDigit() {
                    if let byte = byte() { exponent = min(exponent * 10 + Int(byte & 15), 1 << 40) }
                    index += 1
                }
                if isNegative { exponent = -exponent }
            }
            guard index == text.count else { return nil }
        }
    }
}
