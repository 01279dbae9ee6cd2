// The text of a number goes in, and its digits and exponent come out: they decide whether a decimal can hold it exactly.

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A number as `±digits · 10^exponent`, without zeros at either end of the digits: so equal numbers compare equal, even if their
/// texts differ.
struct DecimalLexeme: Equatable {
    private var isNegative = false
    private var digits: [UInt8] = []
    private var exponent = 0

    /// Parses the text of a JSON number; nil if its exponent is beyond ±2^30.
    init?(_ text: String) {
        var hasPoint = false
        var bytes = text.utf8[...]
        while let byte = bytes.popFirst() {
            switch byte {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "."): hasPoint = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                // Zero is zero whatever its exponent.
                if !digits.isEmpty {
                    // Not compared by `abs`, which overflows for the least integer.
                    guard let written = Int(Substring(bytes)), (-1 << 30...1 << 30).contains(written) else { return nil }
                    exponent += written
                }
                bytes = bytes.suffix(0)
            default:
                if hasPoint { exponent -= 1 }
                if !digits.isEmpty || byte != UInt8(ascii: "0") { digits.append(byte) }
            }
        }
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            exponent += 1
        }
        if digits.isEmpty { (isNegative, exponent) = (false, 0) }
    }

    /// The decimal with exactly this value, or nil.
    var decimal: Decimal? {
        if digits.isEmpty { return .zero }
        // Decimal's exponent goes from -128 to 127. A larger exponent is possible by zeros after the digits.
        let zeros = max(0, exponent - 127)
        // 2^128 has 39 digits.
        guard digits.count + zeros <= 39, exponent >= -128 else { return nil }
        let text = (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self) + String(repeating: "0", count: zeros)
        guard let value = Decimal(string: "\(text)e\(exponent - zeros)") else { return nil }
        // Foundation silently rounds a number that does not fit.
        return DecimalLexeme(value.description) == self ? value : nil
    }
}
