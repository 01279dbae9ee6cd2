// Splits a number lexeme into digits, point and exponent, for all code that reads numbers exactly.

/// A checked number lexeme and the places of its parts. It points into the lexeme, so it must not outlive the caller's access to it.
@safe
struct DecimalLexeme {
    let isNegative: Bool
    let integerDigits: Int
    /// The count of all digits before the exponent, on both sides of the point.
    let digitCount: Int
    /// The exponent as written; `readExponent` limits its size.
    let exponent: Int
    private let digits: UnsafePointer<UInt8>

    init?(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        var index = 0
        isNegative = unsafe count > 0 && bytes[0] == .minus
        if isNegative { index = 1 }
        unsafe digits = unsafe bytes + index
        let start = index
        while index < count, unsafe bytes[index] &- .digitZero <= 9 { index &+= 1 }
        integerDigits = index &- start
        guard integerDigits > 0 else { return nil }
        var fractionDigits = 0
        if index < count, unsafe bytes[index] == .point {
            index &+= 1
            let fraction = index
            while index < count, unsafe bytes[index] &- .digitZero <= 9 { index &+= 1 }
            fractionDigits = index &- fraction
            guard fractionDigits > 0 else { return nil }
        }
        digitCount = integerDigits &+ fractionDigits
        guard let exponent = unsafe NumberParsing.readExponent(bytes + index, count &- index) else { return nil }
        self.exponent = exponent
    }

    /// The value of the digit at an index that does not count the point. `index` is below `digitCount`.
    @inline(__always)
    func digit(_ index: Int) -> UInt8 {
        assert(index < digitCount)
        // Safe: init has seen this many digits, and the point behind the integer digits.
        return unsafe digits[index < integerDigits ? index : index &+ 1] &- .digitZero
    }

    /// Compares the exact values of two numbers. Below 0 if this one is less, 0 if they are equal, above 0 if it is greater.
    ///
    /// The work is one pass over the digits, however large the exponents are.
    func order(to other: DecimalLexeme) -> Int {
        guard let first = firstDigit else { return other.firstDigit == nil ? 0 : other.isNegative ? 1 : -1 }
        guard let otherFirst = other.firstDigit, isNegative == other.isNegative else { return isNegative ? -1 : 1 }
        // Safe: digit counts are below 2^62 and the exponents stay below 2^59, so these sums cannot wrap.
        let size = integerDigits &+ exponent &- first
        let otherSize = other.integerDigits &+ other.exponent &- otherFirst
        var order = size == otherSize ? 0 : size < otherSize ? -1 : 1
        var index = 0
        while order == 0, first &+ index < digitCount || otherFirst &+ index < other.digitCount {
            // Behind its last digit, a number has zeros.
            let digit = first &+ index < digitCount ? self.digit(first &+ index) : 0
            let otherDigit = otherFirst &+ index < other.digitCount ? other.digit(otherFirst &+ index) : 0
            if digit != otherDigit { order = digit < otherDigit ? -1 : 1 }
            index &+= 1
        }
        return isNegative ? -order : order
    }

    /// The index of the first digit that is not 0; nil if the number is 0.
    var firstDigit: Int? { (0..<digitCount).first { digit($0) != 0 } }
}
