// A decimal has the exact value of a number's text, or none.

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import SluiceCore

extension DecimalLexeme {
    /// The decimal with exactly this value, or nil.
    var decimal: Decimal? {
        if significant.isEmpty { return .zero }
        // Decimal's exponent goes from -128 to 127. A larger exponent is possible by zeros after the digits.
        let exponent = point - significant.upperBound
        let zeros = max(0, exponent - 127)
        // 2^128 has 39 digits.
        guard significant.count + zeros <= 39, exponent >= -128 else { return nil }
        let digits = String(decoding: significant.map { digit($0) + UInt8(ascii: "0") }, as: UTF8.self)
        let text = "\(isNegative ? "-" : "")\(digits)\(String(repeating: "0", count: zeros))e\(exponent - zeros)"
        guard let value = Decimal(string: text) else { return nil }
        // Foundation silently rounds a number that does not fit.
        return DecimalLexeme.of(value.description) { $0.order(to: self) == 0 ? value : nil }
    }
}
