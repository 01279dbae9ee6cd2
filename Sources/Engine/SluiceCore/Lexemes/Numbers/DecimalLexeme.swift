// Splits a number lexeme into digits, point and exponent, for all code that reads numbers exactly.
//
//     -0120.50e3    digits 012050, 4 of them before the point, the exponent 3; significant are those at 1..<5: 1205

/// A checked number lexeme and the places of its parts. It points into the lexeme, so it must not outlive the caller's access to it.
@safe
package struct DecimalLexeme {
    package let isNegative: Bool
    package let integerDigits: Int
    /// The count of all digits before the exponent, on both sides of the point.
    package let digitCount: Int
    /// The exponent as written; `readExponent` limits its size.
    package let exponent: Int
    /// The digits from the first to the last one that is not 0; empty if the number is 0.
    package let significant: Range<Int>
    private let digits: UnsafePointer<UInt8>

    /// - Parameter isLoose: Whether the sign may be a plus, and whether one side of the point may have no digit: `+1`, `.5`, `5.`.
    package init?(_ bytes: UnsafePointer<UInt8>, _ count: Int, isLoose: Bool = false) {
        var index = 0
        isNegative = unsafe count > 0 && bytes[0] == .minus
        if isNegative { index = 1 }
        if isLoose, count > 0, unsafe bytes[0] == .plus { index = 1 }
        let digits = unsafe bytes + index
        unsafe self.digits = unsafe digits
        let start = index
        while index < count, unsafe bytes[index] &- .digitZero <= 9 { index &+= 1 }
        let integerDigits = index &- start
        guard integerDigits > 0 || isLoose else { return nil }
        var digitCount = integerDigits
        if index < count, unsafe bytes[index] == .point {
            index &+= 1
            let fraction = index
            while index < count, unsafe bytes[index] &- .digitZero <= 9 { index &+= 1 }
            guard index > fraction || isLoose else { return nil }
            digitCount &+= index &- fraction
        }
        guard digitCount > 0, let exponent = unsafe NumberParsing.readExponent(bytes + index, count &- index) else { return nil }
        self.integerDigits = integerDigits
        self.digitCount = digitCount
        self.exponent = exponent
        // Safe: both loops stay among the digits that have been counted, and the point is after the integer digits.
        var end = digitCount
        while end > 0, unsafe digits[end <= integerDigits ? end &- 1 : end] == .digitZero { end &-= 1 }
        var first = 0
        while first < end, unsafe digits[first < integerDigits ? first : first &+ 1] == .digitZero { first &+= 1 }
        significant = unsafe Range(uncheckedBounds: (first, end))
    }

    /// Calls a closure with the parts of a text; nil if it is not a number.
    @discardableResult
    package static func of<Result>(_ text: consuming String, _ body: (DecimalLexeme) -> Result?) -> Result? {
        text.withUTF8 { bytes in
            guard let start = bytes.baseAddress, let number = unsafe DecimalLexeme(start, bytes.count) else { return nil }
            return body(number)
        }
    }

    /// The value of the digit at an index that does not count the point; 0 in front of the first digit and after the last one.
    @inline(__always)
    package func digit(_ index: Int) -> UInt8 {
        // A negative index is beyond all counts.
        UInt(bitPattern: index) < UInt(bitPattern: digitCount) ? known(index) : 0
    }

    /// The value of the digit at an index below `digitCount`.
    @inline(__always)
    func known(_ index: Int) -> UInt8 {
        assert(index >= 0 && index < digitCount)
        // Safe: init has seen this many digits, and the point after the integer digits.
        return unsafe digits[index < integerDigits ? index : index &+ 1] &- .digitZero
    }

    /// The number of digits before the point when the exponent is applied; below 0 if zeros follow the point.
    ///
    /// Safe: digit counts are below 2^62 and the exponents stay below 2^59, so this sum, and one with a digit's index, cannot wrap.
    @inline(__always)
    package var point: Int { integerDigits &+ exponent }

    /// Compares the exact values of two numbers. Below 0 if this one is less, 0 if they are equal, above 0 if it is greater.
    ///
    /// The work is one pass over the digits, however large the exponents are.
    package func order(to other: DecimalLexeme) -> Int {
        if significant.isEmpty { return other.significant.isEmpty ? 0 : other.isNegative ? 1 : -1 }
        guard !other.significant.isEmpty, isNegative == other.isNegative else { return isNegative ? -1 : 1 }
        let (first, otherFirst) = (significant.lowerBound, other.significant.lowerBound)
        let size = point &- first
        let otherSize = other.point &- otherFirst
        var order = size == otherSize ? 0 : size < otherSize ? -1 : 1
        var index = 0
        while order == 0, index < max(significant.count, other.significant.count) {
            let (digit, otherDigit) = (digit(first &+ index), other.digit(otherFirst &+ index))
            if digit != otherDigit { order = digit < otherDigit ? -1 : 1 }
            index &+= 1
        }
        return isNegative ? -order : order
    }

    /// Whether the number is an integer, however it is written: `1.0` and `1e2` are.
    package var isInteger: Bool { point >= significant.upperBound || significant.isEmpty }

    /// The most significant digits of a divisor.
    package static let greatestDivisor = 37

    /// Whether the number is a divisor times an integer. No number is a multiple of 0 or of a divisor with too many digits, but 0 is one of all.
    ///
    /// The work is one pass over the digits, however large the exponents are.
    package func isMultiple(of divisor: DecimalLexeme) -> Bool {
        if significant.isEmpty { return true }
        // The numbers are the integers of their significant digits, times powers of ten. The last digit of each is not 0, so the number with the
        // smaller power is no multiple of the other.
        let zeros = (point &- significant.upperBound) &- (divisor.point &- divisor.significant.upperBound)
        guard 1...DecimalLexeme.greatestDivisor ~= divisor.significant.count, zeros >= 0 else { return false }
        var modulus: UInt128 = 0
        for index in divisor.significant { modulus = modulus &* 10 &+ UInt128(divisor.known(index)) }
        // Safe: a remainder is below 10^37, and ten times that, and a digit, below 2^128.
        var rest: UInt128 = 0
        for index in significant { rest = (rest &* 10 &+ UInt128(known(index))) % modulus }
        // A divisor below 2^123 has at most 122 factors of 2 or 5, so more zeros change nothing.
        for _ in 0..<min(zeros, 122) where rest != 0 { rest = rest &* 10 % modulus }
        return rest == 0
    }

    /// The value times 10^places.
    ///
    /// The work is at most 39 digits, however large the exponent is.
    ///
    /// - Parameter truncating: Whether a fraction is cut off.
    /// - Returns: Nil if a fraction would be lost, or if the integer is out of range.
    package func integer(places: Int = 0, truncating: Bool = false) -> Int128? {
        let (first, end) = (significant.lowerBound, point &+ places)
        if significant.isEmpty { return 0 }
        guard truncating || end >= significant.upperBound else { return nil }
        guard end > first else { return 0 }
        // Safe: 19 digits are below 2^64, and 38 below 2^127. At least one of them is significant; after these there are zeros.
        let word = min(end, first &+ 19)
        let last = min(word, significant.upperBound)
        var low: UInt64 = 0
        for index in first..<last { low = low &* 10 &+ UInt64(known(index)) }
        low &*= PowersOfTen.small(word &- last)
        if word == end { return isNegative ? 0 &- Int128(low) : Int128(low) }
        guard end &- first <= 39 else { return nil }
        var magnitude = UInt128(low)
        for index in word..<end {
            guard let next = NumberParsing.appending(digit(index), to: magnitude) else { return nil }
            magnitude = next
        }
        return NumberParsing.signed(magnitude, isNegative)
    }

    /// The integer that stands for a decimal with a scale: 12.5 is 1250 with a scale of 2.
    ///
    /// No digit is rounded: a number that does not fit has no value, and neither has one with a 0 in front, which JSON does not have.
    ///
    /// - Parameters:
    ///   - precision: How many digits there may be, 18 at the most.
    ///   - scale: How many of them are after the point.
    func decimal(precision: Int, scale: Int) -> Int64? {
        guard integerDigits == 1 || digit(0) != 0, let value = integer(places: scale) else { return nil }
        return value.magnitude < UInt128(PowersOfTen.small(min(max(precision, 0), 18))) ? Int64(exactly: value) : nil
    }
}
