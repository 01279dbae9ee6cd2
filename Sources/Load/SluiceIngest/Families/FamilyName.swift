// What the names of a rotated log have in common: `app.log`, `app.log.1`, `app.log-20261130.gz` and `app-20261130.log` are one family.

/// The name of a file without what rotation adds to it.
package struct FamilyName: Hashable, Sendable {
    /// The name without `.N`, `-DATE`, `.gz` and `.zst`.
    package let stem: String

    /// - Parameter name: The name of a file, without its folder.
    package init(ofFile name: String) {
        var rest = Substring(name)
        var isShorter = true
        while isShorter {
            isShorter = false
            for ending in FamilyName.compressions where rest.hasSuffix(ending) && rest.count > ending.count {
                rest.removeLast(ending.count)
                isShorter = true
            }
            if let shorter = FamilyName.withoutSuffix(rest) {
                rest = shorter
                isShorter = true
            }
        }
        // logrotate's `extension` puts the number or date before the ending.
        if let dot = rest.lastIndex(of: "."), let shorter = FamilyName.withoutSuffix(rest[..<dot]) {
            stem = String(shorter) + rest[dot...]
        } else {
            stem = String(rest)
        }
    }

    private static let compressions = [".gz", ".zst"]

    /// The forms of dates, with 0 for a digit; the longer ones first, because a date may end as a shorter one does.
    private static let dates: [[UInt8]] = {
        let times = ["-00-00-00", "T00-00-00", "T00:00:00", "-000000", "T000000", "_000000", "-0000", "T0000", "-00", "T00", ""]
        let days = ["0000-00-00", "00000000"]
        return times.flatMap { time in days.map { Array("\($0)\(time)".utf8) } } + [Array("0000000000".utf8)]
    }()

    /// The name without a number or date at its end; nil if it has none, or nothing else.
    private static func withoutSuffix(_ name: Substring) -> Substring? {
        let bytes = Array(name.utf8)
        let digits = bytes.reversed().prefix { isDigit($0) }.count
        // A number of more digits is no count of rotations.
        if 1...6 ~= digits, bytes.count > digits + 1, bytes[bytes.count - digits - 1] == UInt8(ascii: ".") {
            return Substring(decoding: bytes.dropLast(digits + 1), as: UTF8.self)
        }
        for form in dates where bytes.count > form.count + 1 && matches(bytes.suffix(form.count), form) {
            guard [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_")].contains(bytes[bytes.count - form.count - 1]) else {
                continue
            }
            return Substring(decoding: bytes.dropLast(form.count + 1), as: UTF8.self)
        }
        return nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    private static func matches(_ text: ArraySlice<UInt8>, _ form: [UInt8]) -> Bool {
        guard zip(text, form).allSatisfy({ $1 == UInt8(ascii: "0") ? isDigit($0) : $0 == $1 }) else { return false }
        let digits = text.filter(isDigit).map { Int($0 - UInt8(ascii: "0")) }
        // Seconds since 1970.
        guard form.count != 10 || form.contains(UInt8(ascii: "-")) else { return 1...2 ~= digits[0] }
        return 1...12 ~= digits[4] * 10 + digits[5] && 1...31 ~= digits[6] * 10 + digits[7]
    }
}
