// A number of a condition, and how values of records compare with it: by exact value, whatever the size and the spelling of either.

/// A number that values are compared with. It is a class, because conditions are copied for each record.
final class ComparedNumber: Sendable {
    private let digits: [UInt8]
    /// The value, if it is an integer of 64 bits.
    private let integer: Int64?
    /// The nearest double, or infinity.
    private let nearest: Double

    init(_ number: JSONNumber) {
        digits = Array(number.lexeme.utf8)
        integer = number.integer(as: Int64.self)
        nearest = number.double ?? (number.lexeme.hasPrefix("-") ? -.infinity : .infinity)
    }

    /// Compares a value with the number. Below 0 if the value is less, 0 if they are equal, above 0 if it is greater; nil if the value is
    /// not a number.
    ///
    /// - Parameter text: The value as it is written in the record.
    func order(of value: RawCellValue, _ text: UnsafeRawBufferPointer) -> Int? {
        let other: Double
        switch value {
        case .integer(let value):
            if let integer { return Self.order(value, integer) }
            other = Double(value)
        case .real(let value): other = value
        // A column of numbers keeps an integer that no double holds as its digits.
        case .text(let digits):
            guard let start = digits.baseAddress, let value = unsafe NumberParsing.double(start, digits.count) else { return nil }
            other = value
        case .null: return nil
        }
        // Rounding never changes the order of two numbers. So the digits decide only if both have the same nearest double.
        if other != nearest { return Self.order(other, nearest) }
        return unsafe orderOfDigits(text)
    }

    @inline(__always)
    static func order<Value: Comparable>(_ left: Value, _ right: Value) -> Int { left == right ? 0 : left < right ? -1 : 1 }

    /// Compares a value with the number digit by digit. A text that is not a number, which only a conversion accepts, is equal.
    @inline(never)
    private func orderOfDigits(_ text: UnsafeRawBufferPointer) -> Int {
        unsafe text.withMemoryRebound(to: UInt8.self) { text in
            unsafe digits.withUnsafeBufferPointer { digits in
                guard let start = text.baseAddress, let ownStart = digits.baseAddress,
                    let value = unsafe DecimalLexeme(start, text.count), let own = unsafe DecimalLexeme(ownStart, digits.count)
                else { return 0 }
                return value.order(to: own)
            }
        }
    }
}
