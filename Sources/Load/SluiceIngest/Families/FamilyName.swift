// What the names of a rotated log have in common: `app.log`, `app.log.1`, `app.log-20261130.gz` and `app-20261130.log` are one family.

/// The name of a file without what rotation adds to it.
package struct FamilyName: Hashable, Sendable {
    /// The name without `.N`, `-DATE`, `.gz` and `.zst`. It is its own stem.
    package let stem: String

    /// What stands in the identity of an input between the path of its log and the number of its text. The identity of a file has no lone
    /// `%`.
    static let mark = "%#"

    package init(stem: String) { self.stem = stem }

    /// - Parameter name: The name of a file, without its folder.
    package init(ofFile name: String) {
        var rest = name
        while let shorter = FamilyName.shortened(rest) { rest = shorter }
        stem = rest
    }

    private static let compressions = [".gz", ".zst"]

    /// The name without one thing that rotation adds; nil if there is none.
    private static func shortened(_ name: String) -> String? {
        for ending in compressions where name.hasSuffix(ending) && name.count > ending.count {
            return String(name.dropLast(ending.count))
        }
        let bytes = Array(name.utf8)
        if let count = numberCount(at: bytes[...]) ?? dateCount(at: bytes[...]) {
            return String(decoding: bytes.dropLast(count), as: UTF8.self)
        }
        // logrotate's `extension` puts number or date before the ending, and logback a number after the date.
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let number = numberCount(at: bytes[..<dot]) ?? 0
        let date = dateCount(at: bytes[..<(dot - number)]) ?? 0
        // Several numbers in a row are no count, but a version or an address.
        guard date > 0 || number > 0 && numberCount(at: bytes[..<(dot - number)]) == nil else { return nil }
        return String(decoding: bytes[..<(dot - number - date)] + bytes[dot...], as: UTF8.self)
    }

    /// How many bytes a number takes at the end of a name, with the dot before it; nil if there is none, or nothing else.
    private static func numberCount(at name: ArraySlice<UInt8>) -> Int? {
        let digits = name.reversed().prefix { isDigit($0) }.count
        // A number of more digits is no count of rotations.
        guard 1...6 ~= digits, name.count > digits + 1, name[name.endIndex - digits - 1] == UInt8(ascii: ".") else { return nil }
        return digits + 1
    }

    /// The forms of dates, with 0 for a digit; the longer ones first, because a date may end as a shorter one does.
    private static let dates: [[UInt8]] = {
        let times = ["-00-00-00", "T00-00-00", "T00:00:00", "-000000", "T000000", "_000000", "-0000", "T0000", "-00", "T00", ""]
        let days = ["0000-00-00", "00000000"]
        return times.flatMap { time in days.map { Array("\($0)\(time)".utf8) } } + [Array("0000000000".utf8)]
    }()

    /// How many bytes a date takes at the end of a name, with what separates it; nil if there is none, or nothing else.
    private static func dateCount(at name: ArraySlice<UInt8>) -> Int? {
        for form in dates where name.count > form.count + 1 && matches(name.suffix(form.count), form) {
            let separator = name[name.endIndex - form.count - 1]
            if [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_")].contains(separator) { return form.count + 1 }
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
