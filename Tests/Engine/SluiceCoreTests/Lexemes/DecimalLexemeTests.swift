import Foundation
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
        DecimalLexeme.of(left) { number in DecimalLexeme.of(right) { number.order(to: $0) } }
    }

    /// Whether the nearest double keeps the digits of a number.
    private static let kept = [
        "0": true, "-0.0": true, "1.10": true, "0.1": true, "0.30000000000000004": true, "0.10000000000000001": true,
        "-65.613616999999977": true, "0.1000000000000000055511151231257827": true, "1e23": true, "5e-324": true,
        "4.9406564584124654e-324": true, "2.2250738585072014e-308": true, "1.7976931348623157e308": true,
        "9007199254740992.0000000000000000000": true, "1.00000000000000000000e0": true, "0.00000000000000000012345": true,
        "1e-400": false, "3e-324": false, "12345678901234567890.5": false, "0.1234567890123456789012": false,
        "9007199254740993.0": false, "9.007199254740993": true, "9.0071992547409931": false,
        "2.2250738585072012e-308": false, "1.00000000000000000001": false, "2.47e-324": false,
    ]

    @Test func aDoubleKeepsTheDigitsThatItHasWhenItIsWrittenWithAsMany() throws {
        for (text, isKept) in Self.kept {
            let value = try #require(Double(text))
            // Where the text is one that a program may write for the double, the answer needs no table.
            let bytes = Array(text.utf8)
            let found = unsafe bytes.withUnsafeBufferPointer {
                unsafe DecimalLexeme($0.baseAddress.unsafelyUnwrapped, $0.count)?.isKept(by: value)
            }
            #expect(found == isKept, "\(text)")
        }
        var generator = SplitMix64(seed: 15)
        for _ in 0..<2000 {
            let value = Double(bitPattern: generator.next())
            guard value.isFinite else { continue }
            for text in ["\(value)", String(format: "%.17g", value), String(format: "%.30e", value)] {
                let bytes = Array(text.utf8)
                let found = unsafe bytes.withUnsafeBufferPointer {
                    unsafe DecimalLexeme($0.baseAddress.unsafelyUnwrapped, $0.count)?.isKept(by: value)
                }
                #expect(found == true, "\(text)")
            }
        }
    }

    @Test func numbersStandInTheOrderOfTheirExactValues() {
        for (index, row) in Self.ascending.enumerated() {
            for (otherIndex, otherRow) in Self.ascending.enumerated() {
                for number in row {
                    for other in otherRow {
                        #expect(order(number, other) == (index - otherIndex).signum(), "\(number) and \(other)")
                    }
                }
            }
        }
    }

    @Test(arguments: [
        ("0", 0, 0), ("-0e99999999999999999999", 9, 0), ("12.5", 1, 125), ("12.50e3", 0, 12500), ("-1e-3", 3, -1), ("007", 0, 7),
        ("12.5", 0, nil), ("1e-99999999999999999999", 9, nil), ("1e99999999999999999999", 0, nil),
    ])
    func anIntegerIsExactOrNil(_ text: String, _ places: Int, _ value: Int128?) {
        #expect(DecimalLexeme.of(text) { $0.integer(places: places) } == value)
    }

    @Test func anIntegerHasTheWholeRangeOf128Bits() {
        for value in [Int128.max, .min, .max - 1, .min + 1] {
            #expect(DecimalLexeme.of("\(value)") { $0.integer() } == value)
            #expect(DecimalLexeme.of("\(value)e-2") { $0.integer(places: 2) } == value)
            #expect(DecimalLexeme.of("\(value).75") { $0.integer(truncating: true) } == value)
        }
        for text in ["170141183460469231731687303715884105728", "-170141183460469231731687303715884105729", "1e39", "9e38"] {
            #expect(DecimalLexeme.of(text) { $0.integer(truncating: true) } == nil, "\(text)")
        }
        #expect(DecimalLexeme.of("-0.99") { $0.integer(truncating: true) } == 0)
        #expect(DecimalLexeme.of("0.0000000015") { $0.integer(places: 9, truncating: true) } == 1)
    }

    @Test func onlyALooseNumberHasAPlusOrASideWithoutDigits() throws {
        func read(_ text: String, _ isLoose: Bool) -> Int128? {
            unsafe Array(text.utf8).withUnsafeBufferPointer {
                unsafe DecimalLexeme($0.baseAddress.unsafelyUnwrapped, $0.count, isLoose: isLoose)?.integer(places: 1)
            }
        }
        for (text, value) in ["+1": 10, ".5": 5, "5.": 50, "-.5e1": -50, "+05.0": 50] as [String: Int128] {
            #expect(read(text, false) == nil, "\(text)")
            #expect(read(text, true) == value, "\(text)")
        }
        for text in [".", "+", "-.", "+-1", "++1", ".e1", "1e", "1e+", "1.5.", " 1", "1 "] {
            #expect(read(text, true) == nil, "\(text)")
        }
    }
}
