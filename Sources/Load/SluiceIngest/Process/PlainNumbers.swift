// Formats numbers for people, in the same way in every locale.

extension Int {
    /// `1234567` as `1,234,567`.
    package var grouped: String {
        var text = ""
        for (index, digit) in String(magnitude).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return (self < 0 ? "-" : "") + String(text.reversed())
    }
}

extension Double {
    /// The number rounded to a fixed number of digits after the decimal point.
    package func fixed(_ decimals: Int) -> String {
        var unit = 1.0
        for _ in 0..<decimals { unit *= 10 }
        guard isFinite, magnitude < 1e15 / unit else { return description }
        let value = Int((magnitude * unit).rounded())
        let sign = self < 0 && value > 0 ? "-" : ""
        guard decimals > 0 else { return sign + value.grouped }
        let fraction = String(value % Int(unit))
        return "\(sign)\((value / Int(unit)).grouped).\(String(repeating: "0", count: decimals - fraction.count))\(fraction)"
    }
}

/// A number of bytes in a suitable unit: `54 bytes`, `1.2 kB`, `20.5 MB`, `3.1 GB`.
package func dataSize(_ bytes: Int) -> String {
    switch bytes {
    case 1: "1 byte"
    case ..<1_000: "\(bytes) bytes"
    case ..<1_000_000: (Double(bytes) / 1e3).fixed(1) + " kB"
    case ..<1_000_000_000: megabytes(bytes)
    default: (Double(bytes) / 1e9).fixed(1) + " GB"
    }
}

/// A number with its noun: `1 record`, `1,000 records`.
package func counted(_ count: Int, _ noun: String) -> String { "\(count.grouped) \(noun)\(count == 1 ? "" : "s")" }

/// A number of bytes in megabytes of 10⁶ bytes, as disks and networks count them.
package func megabytes(_ bytes: Int) -> String { (Double(bytes) / 1e6).fixed(1) + " MB" }
