// Prepares pieces of the input for the messages of errors.

/// Text of the input in the form in which errors show it.
package enum ErrorWords {
    /// The beginning of a text, on one line: at most `limit` bytes, and `…` if there are more.
    package static func beginning(of text: UnsafeRawBufferPointer, limit: Int = 40) -> String {
        var end = min(text.count, limit)
        // The cut must not be inside a character, whose bytes after the first are 0b10xxxxxx: at most three of them.
        while end < text.count, end > limit - 3, unsafe text[end] & 0xC0 == 0x80 { end -= 1 }
        return unsafe String(decoding: text[..<end], as: UTF8.self).printable + (end < text.count ? "…" : "")
    }

    /// `a, b or c`.
    package static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }

    /// The escape of a control character: `\n`, `\u0001`.
    static func escape(of scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": #"\n"#
        case "\r": #"\r"#
        case "\t": #"\t"#
        case "\u{8}": #"\b"#
        case "\u{C}": #"\f"#
        default: #"\u"# + hexadecimal(scalar.value, digits: 4)
        }
    }

    /// A number in hexadecimal digits and capitals, with at least that many digits.
    static func hexadecimal(_ value: some BinaryInteger, digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}
