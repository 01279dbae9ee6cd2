// Whether a double keeps the digits of a number.
//
//     12345678901234567890.5    with 21 digits, the double is 12345678901234567168.0: not kept
//     -65.613616999999977       with 17 digits, the double is the same number: kept
//     1e-400                    the double is 0: not kept

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

extension DecimalLexeme {
    /// Whether a double, written with as many digits as this number has, is this number.
    ///
    /// - Parameter value: The double that is nearest to this number.
    func isKept(by value: Double) -> Bool {
        let (first, count) = (significant.lowerBound, significant.count)
        if count == 0 { return true }
        // The doubles have numbers of 15 digits apart, down to where they have fewer bits.
        if count <= 15, value.magnitude >= .leastNormalMagnitude { return true }
        if isShortest(of: value) { return true }
        // No double has more digits: https://www.exploringbinary.com/maximum-number-of-decimal-digits-in-binary-floating-point-numbers/
        guard count <= 767 else { return false }
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: count + 16) { buffer in
            // Safe: it writes at most as many bytes as the buffer has: a sign, the digits, a point and an exponent.
            let length = unsafe withVaList([Int32(truncatingIfNeeded: count - 1), value]) { arguments in
                unsafe Int(vsnprintf(buffer.baseAddress, buffer.count, "%.*e", arguments))
            }
            guard length > 0, length < buffer.count else { return false }
            // The point has the form of the program's locale.
            let text = unsafe buffer[..<length].map { UInt8(bitPattern: $0) }
            guard let mark = text.firstIndex(of: UInt8(ascii: "e")) else { return false }
            let digits = text[..<mark].filter { $0 &- UInt8(ascii: "0") <= 9 }
            let power = Int(String(decoding: text[(mark + 1)...], as: UTF8.self))
            return digits.count == count && power == point - first - 1
                && digits.indices.allSatisfy { digits[$0] & 15 == digit(first + $0) }
        }
    }

    /// Whether this is the number with the fewest digits that a double is read from.
    private func isShortest(of value: Double) -> Bool {
        guard value.isFinite else { return false }
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: NumberFormatting.maximumLength) { buffer in
            // Safe: the buffer has the capacity that a number needs.
            guard let start = buffer.baseAddress else { return false }
            let length = unsafe NumberFormatting.write(value, to: start)
            return unsafe DecimalLexeme(start, length).map { order(to: $0) == 0 } ?? false
        }
    }
}
