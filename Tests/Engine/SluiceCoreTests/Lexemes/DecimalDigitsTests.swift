import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct DecimalDigitsTests {
    private func value(_ text: String, _ precision: Int, _ scale: Int) -> Int64? {
        DecimalLexeme.of(text) { $0.decimal(precision: precision, scale: scale) }
    }

    @Test(arguments: [
        ("0", 1, 0, 0), ("-0", 1, 0, 0), ("12.5", 4, 2, 1250), ("-12.50", 4, 2, -1250), ("12.500", 4, 2, 1250),
        ("1.25e1", 4, 2, 1250), ("1250e-2", 4, 2, 1250), ("125000E-4", 4, 2, 1250), ("0.00", 2, 2, 0),
        ("0e99999999999999999999", 1, 0, 0),
        ("0.99", 2, 2, 99), ("999999999999999999", 18, 0, 999_999_999_999_999_999), ("1e17", 18, 0, 100_000_000_000_000_000),
        ("0.000000000000000001", 18, 18, 1), ("100000000000000000000e-20", 1, 0, 1), ("0.00000e5", 3, 1, 0),
    ])
    func aNumberBecomesTheIntegerOfItsDigits(_ text: String, _ precision: Int, _ scale: Int, _ digits: Int64) {
        #expect(value(text, precision, scale) == digits)
    }

    @Test(arguments: [
        ("10", 1, 0), ("0.5", 3, 0), ("12.505", 5, 2), ("100", 4, 2), ("1e18", 18, 0), ("1e99999999999999999999", 18, 0),
        ("1e-99999999999999999999", 18, 18), ("1000000000000000000", 18, 0), ("99999999999999999999999999999999", 18, 0),
        ("", 5, 2), ("-", 5, 2), ("+1", 5, 2), ("01", 5, 2), ("1.", 5, 2), (".5", 5, 2), ("1e", 5, 2), ("1e+", 5, 2),
        (" 1", 5, 2),
        ("1 ", 5, 2), ("1,5", 5, 2), ("0x1", 5, 2), ("NaN", 5, 2),
    ])
    func aTextWhoseDigitsDoNotFitHasNoValue(_ text: String, _ precision: Int, _ scale: Int) {
        #expect(value(text, precision, scale) == nil)
    }
}
