// Reads the number, boolean or null that a string spells.

/// The text of a string that a person, or another program, has written in place of a number, boolean or null.
@safe
package struct LenientText {
    private let start: UnsafePointer<UInt8>
    let count: Int

    package init(_ start: UnsafePointer<UInt8>, _ count: Int) {
        unsafe self.start = unsafe start
        self.count = count
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private var bytes: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(start: start, count: count) }

    /// The text without the white space around it.
    var trimmed: LenientText {
        guard let first = unsafe bytes.firstIndex(where: { !LenientText.isBlank($0) }),
            let last = unsafe bytes.lastIndex(where: { !LenientText.isBlank($0) })
        else { return unsafe LenientText(start, 0) }
        return unsafe LenientText(start + first, last - first + 1)
    }

    /// Words as numbers, one letter a byte after a 1, without which a text with leading null characters would be the same number. No
    /// word in these lists has more than seven letters.
    private enum Words {
        static let nulls = ["null", "nil", "(null)", "<null>"].map(number)
        static let truths = ["true", "yes"].map(number)
        static let untruths = ["false", "no"].map(number)
        static let shortTruths = ["y", "t", "on", "1"].map(number)
        static let shortUntruths = ["n", "f", "off", "0"].map(number)

        private static func number(_ word: String) -> UInt64 { word.utf8.reduce(1) { $0 << 8 | UInt64($1) } }
    }

    /// The whole text in lower case, as a number in the form of `Words`; 0 if it has more than seven bytes.
    private var word: UInt64 {
        guard count <= 7 else { return 0 }
        return unsafe bytes.reduce(1) { word, byte in
            let isCapital = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
            return word << 8 | UInt64(isCapital ? byte | 0x20 : byte)
        }
    }

    /// Whether the text is one of the words for null.
    var isNull: Bool { Words.nulls.contains(word) }

    /// The boolean that the text spells as a full word: `true`, `yes`, `false` or `no`.
    package var truth: Bool? { Words.truths.contains(word) ? true : Words.untruths.contains(word) ? false : nil }

    /// The boolean that the text spells as a short word: `y`, `t`, `on`, `1`, `n`, `f`, `off` or `0`.
    package var extendedTruth: Bool? {
        Words.shortTruths.contains(word) ? true : Words.shortUntruths.contains(word) ? false : nil
    }

    /// Passes the whole text to `body` as a JSON number; nil if it is not a number. A plus sign and leading zeros are removed,
    /// and the zero before the point may be missing.
    func withNumber<Result>(_ body: (UnsafePointer<UInt8>, Int) -> Result) -> Result? {
        // Most texts are JSON numbers already and need no copy.
        if unsafe NumberParsing.lexemeEnd(start, start + count) == start + count { return unsafe body(start, count) }
        var digits = unsafe Array(bytes)
        if digits.first == UInt8(ascii: "+") {
            digits.removeFirst()
            guard let next = digits.first, next != UInt8(ascii: "-"), next != UInt8(ascii: "+") else { return nil }
        }
        let sign = digits.first == UInt8(ascii: "-") ? 1 : 0
        let isDigit: (UInt8) -> Bool = { $0 &- UInt8(ascii: "0") < 10 }
        let zeros = digits[sign...].prefix { $0 == UInt8(ascii: "0") }.count
        let isInFront = digits.count > sign + zeros && isDigit(digits[sign + zeros])
        // Keep one zero before a point or exponent, or at the end.
        digits.removeSubrange(sign..<(sign + (isInFront ? zeros : max(zeros - 1, 0))))
        if digits.count > sign, digits[sign] == UInt8(ascii: ".") { digits.insert(UInt8(ascii: "0"), at: sign) }
        return unsafe digits.withUnsafeBufferPointer { buffer -> Result? in
            guard let first = buffer.baseAddress else { return nil }
            let end = unsafe first + buffer.count
            guard unsafe NumberParsing.lexemeEnd(first, end) == end else { return nil }
            return unsafe body(first, buffer.count)
        }
    }

    /// A number as YYModel reads it.
    enum YYNumber {
        case integer(Int64)
        case fraction(Double)
    }

    /// The number that `YYNSNumberCreateFromID` gives for a string: a word of its table, or the longest prefix that is a number
    /// (`atof` if the text has a point, `atoll` otherwise). Nil for its words for null, and for a number that is not finite.
    var yyNumber: YYNumber? {
        switch unsafe String(decoding: bytes.prefix(8), as: UTF8.self) {
        case _ where count > 6: break
        case "TRUE", "True", "true", "YES", "Yes", "yes": return .integer(1)
        case "FALSE", "False", "false", "NO", "No", "no": return .integer(0)
        case "NIL", "Nil", "nil", "NULL", "Null", "null", "(NULL)", "(Null)", "(null)", "<NULL>", "<Null>", "<null>": return nil
        default: break
        }
        let body = unsafe Array(bytes.drop { LenientText.isBlank($0) })
        if unsafe bytes.contains(UInt8(ascii: ".")) {
            // The longest prefix that is a number. Only 400 bytes are tried: longer numbers do not occur in practice.
            var prefix = String(decoding: body.prefix(400), as: UTF8.self).prefix { $0.isASCII }
            while !prefix.isEmpty {
                if let value = Double(prefix) { return value.isFinite ? .fraction(value) : nil }
                prefix = prefix.dropLast()
            }
            return .fraction(0)
        }
        var value: Int64 = 0
        var isNegative = false
        for (index, character) in body.enumerated() {
            if index == 0, character == UInt8(ascii: "-") || character == UInt8(ascii: "+") {
                isNegative = character == UInt8(ascii: "-")
                continue
            }
            let digit = character &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) =
                isNegative ? product.subtractingReportingOverflow(Int64(digit)) : product.addingReportingOverflow(Int64(digit))
            if overflow || carry { return .integer(isNegative ? .min : .max) }
            value = sum
        }
        return .integer(value)
    }
}
