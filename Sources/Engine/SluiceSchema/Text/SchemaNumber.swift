// Numbers of a schema: exact, whatever their size.

internal import SluiceCore

/// A number of a schema: its text, and what is known about it.
struct SchemaNumber: Sendable {
    /// The most digits of a divisor: remainders are calculated in 128 bits.
    static let greatestDivisor = 37

    let text: [UInt8]
    /// The nearest double; infinite for a number that is too large.
    let double: Double
    let isNegative: Bool
    let isInteger: Bool
    /// The digits from the first to the last one that is not 0, if they are few; they and ``exponent`` are the magnitude.
    private let coefficient: UInt128?
    private let exponent: Int

    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return nil }
        // Safe: these are the bytes of the buffer.
        let first = unsafe start.assumingMemoryBound(to: UInt8.self)
        guard let lexeme = unsafe DecimalLexeme(first, bytes.count) else { return nil }
        text = unsafe Array(bytes)
        double = unsafe Double(String(decoding: bytes, as: UTF8.self)) ?? (lexeme.isNegative ? -.infinity : .infinity)
        isNegative = lexeme.isNegative && !lexeme.significant.isEmpty
        isInteger = lexeme.isInteger
        exponent = lexeme.point - lexeme.significant.upperBound
        if lexeme.significant.count <= SchemaNumber.greatestDivisor {
            coefficient = lexeme.significant.reduce(UInt128(0)) { $0 * 10 + UInt128(lexeme.digit($1)) }
        } else {
            coefficient = nil
        }
    }

    /// The number as text.
    var words: String { String(decoding: text, as: UTF8.self) }
    var isZero: Bool { coefficient == 0 }
    var hasTooManyDigits: Bool { coefficient == nil }

    /// The number as a count, which a schema may also write as `2.0`; nil for others. What is too large is the greatest count.
    var count: Int? {
        guard isInteger, !isNegative else { return nil }
        guard let coefficient, exponent <= 18 else { return .max }
        var value = coefficient
        for _ in 0..<max(exponent, 0) {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            if overflow { return .max }
            value = product
        }
        return value > UInt128(Int.max) ? .max : Int(value)
    }

    /// The integer, if it is one of 64 bits.
    var int64: Int64? {
        guard isInteger, let coefficient, exponent <= 18 else { return nil }
        var value = coefficient
        for _ in 0..<max(exponent, 0) {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            value = product
        }
        guard let magnitude = Int128(exactly: value) else { return nil }
        return Int64(exactly: isNegative ? 0 - magnitude : magnitude)
    }

    /// Compares a number with this one, exactly: below 0 if it is less, above 0 if it is greater.
    func order(of number: DecimalLexeme) -> Int {
        unsafe text.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress, let own = unsafe DecimalLexeme(start, bytes.count) else { return 0 }
            return number.order(to: own)
        }
    }

    /// Whether a number is a multiple of this one. The work is one pass over its digits, however large its exponent is.
    func divides(_ number: DecimalLexeme) -> Bool {
        if number.significant.isEmpty { return true }
        guard let divisor = coefficient, divisor > 0 else { return false }
        // Both are coefficients times a power of ten. The last digit of the number's coefficient is not 0: if the number is finer than the
        // divisor, the quotient would need a coefficient that ends with 0.
        let shift = number.point - number.significant.upperBound - exponent
        var remainder: UInt128 = 0
        // Safe: a remainder is below 10^37, and ten times that, and a digit, below 2^128.
        for index in number.significant { remainder = (remainder &* 10 &+ UInt128(number.digit(index))) % divisor }
        if shift < 0 { return false }
        return SchemaNumber.product(remainder, SchemaNumber.powerOfTen(shift, modulo: divisor), modulo: divisor) == 0
    }

    private static func powerOfTen(_ exponent: Int, modulo divisor: UInt128) -> UInt128 {
        var (power, base, rest) = (1 % divisor, 10 % divisor, exponent)
        while rest > 0 {
            if rest & 1 == 1 { power = product(power, base, modulo: divisor) }
            base = product(base, base, modulo: divisor)
            rest >>= 1
        }
        return power
    }

    /// The product of two numbers below the divisor, by doubling. Safe: the divisor is below 2^123, so no sum wraps.
    private static func product(_ left: UInt128, _ right: UInt128, modulo divisor: UInt128) -> UInt128 {
        var (sum, addend, rest): (UInt128, UInt128, UInt128) = (0, left, right)
        while rest > 0 {
            if rest & 1 == 1 { sum = (sum &+ addend) % divisor }
            addend = (addend &+ addend) % divisor
            rest >>= 1
        }
        return sum
    }
}

extension DecimalLexeme {
    /// Whether the number is an integer, however it is written: `1.0` and `1e2` are.
    var isInteger: Bool { significant.isEmpty || point >= significant.upperBound }
}
