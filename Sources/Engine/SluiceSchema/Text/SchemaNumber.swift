// Numbers of a schema: exact, whatever their size.

internal import SluiceCore

/// A number of a schema: its text, and what is known about it.
struct SchemaNumber: Sendable {
    let text: [UInt8]
    /// The nearest double; infinite for a number that is too large.
    let double: Double
    let isNegative: Bool
    let isInteger: Bool
    let isZero: Bool
    /// Whether it has more digits than a divisor may have.
    let hasTooManyDigits: Bool
    /// The integer, if it is one of 128 bits.
    private let integer: Int128?

    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return nil }
        // Safe: these are the bytes of the buffer.
        let first = unsafe start.assumingMemoryBound(to: UInt8.self)
        guard let lexeme = unsafe DecimalLexeme(first, bytes.count) else { return nil }
        text = unsafe Array(bytes)
        double = unsafe Double(String(decoding: bytes, as: UTF8.self)) ?? (lexeme.isNegative ? -.infinity : .infinity)
        isZero = lexeme.significant.isEmpty
        isNegative = lexeme.isNegative && !isZero
        isInteger = lexeme.isInteger
        hasTooManyDigits = lexeme.significant.count > DecimalLexeme.greatestDivisor
        integer = lexeme.integer()
    }

    /// The number as text.
    var words: String { String(decoding: text, as: UTF8.self) }

    /// The number as a count, which a schema may also write as `2.0`; nil for others. What is too large is the greatest count.
    var count: Int? { isInteger && !isNegative ? integer.map { Int(clamping: $0) } ?? .max : nil }

    /// The integer, if it is one of 64 bits.
    var int64: Int64? { integer.flatMap { Int64(exactly: $0) } }

    /// Compares a number with this one, exactly: below 0 if it is less, above 0 if it is greater.
    func order(of number: DecimalLexeme) -> Int { withLexeme { number.order(to: $0) } ?? 0 }

    /// Whether a number is a multiple of this one.
    func divides(_ number: DecimalLexeme) -> Bool { withLexeme { number.isMultiple(of: $0) } ?? false }

    private func withLexeme<Result>(_ body: (DecimalLexeme) -> Result) -> Result? {
        unsafe text.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress, let own = unsafe DecimalLexeme(start, bytes.count) else { return nil }
            return body(own)
        }
    }
}
