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
}
