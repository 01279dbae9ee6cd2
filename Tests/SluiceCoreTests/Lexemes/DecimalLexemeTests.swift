import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct DecimalLexemeTests {
    /// Numbers in ascending order; those of one row are equal.
    private static let ascending = [
        ["-1e400", "-10e399"], ["-18446744073709551616"], ["-18446744073709551615.5"], ["-1.5", "-15e-1", "-1.50"],
        ["-1e-400"], ["0", "-0", "0.000", "-0e9", "0e99999999999999999999"], ["1e-400", "0.1e-399"],
        ["0.1", "0.10", "1e-1", "00.1"], ["0.1000000000000000055"], ["1", "1.0", "0.01e2", "100e-2"], ["9.99"], ["10"],
        ["9007199254740992"], ["9007199254740993", "9007199254740993.000"], ["10000000000000000000", "1e19", "0.1E+20"],
        ["12345678901234567890"], ["12345678901234567890.000000000000000001"], ["12345678901234567891"], ["1e400"],
        ["1e99999999"],
    ]

    private func order(_ left: String, _ right: String) -> Int? {
        unsafe Array(left.utf8).withUnsafeBufferPointer { left -> Int? in
            unsafe Array(right.utf8).withUnsafeBufferPointer { right -> Int? in
                guard let start = left.baseAddress, let otherStart = right.baseAddress,
                    let number = unsafe DecimalLexeme(start, left.count),
                    let other = unsafe DecimalLexeme(otherStart, right.count)
                else { return nil }
                return number.order(to: other)
            }
        }
    }

    @Test func numbersStandInTheOrderOfTheirExactValues() {
        for (place, row) in Self.ascending.enumerated() {
            for (otherPlace, otherRow) in Self.ascending.enumerated() {
                for number in row {
                    for other in otherRow {
                        #expect(order(number, other) == (place - otherPlace).signum(), "\(number) and \(other)")
                    }
                }
            }
        }
    }
}
