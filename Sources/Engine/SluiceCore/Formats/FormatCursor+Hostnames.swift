// Host names: labels of RFC 1123. A label that begins with `xn--` has the name of another script, encoded.

extension FormatCursor {
    private static let label = ASCIISet.alphanumeric.union("-")

    /// A name that reaches to the end of the text.
    mutating func takeHostname() -> Bool {
        let start = index
        repeat {
            let label = self
            let length = skip(FormatCursor.label)
            guard length > 0, length <= 63, label.peek != UInt8(ascii: "-"), label.byte(at: length - 1) != UInt8(ascii: "-"),
                !label.isEncodedLabel || label.hasInternationalLabel(length)
            else { return false }
        } while take(".")
        return index - start <= 253 && isAtEnd
    }

    private func byte(at distance: Int) -> UInt8? {
        var cursor = self
        cursor.move(distance)
        return cursor.peek
    }

    private var isEncodedLabel: Bool {
        var cursor = self
        return (cursor.take("x") || cursor.take("X")) && (cursor.take("n") || cursor.take("N")) && cursor.take("-")
            && cursor.take("-")
    }

    /// Whether the label here, which has so many bytes and begins with `xn--`, is the code of a valid one.
    private func hasInternationalLabel(_ length: Int) -> Bool {
        var cursor = self
        cursor.move(4)
        var code: [UInt8] = []
        while code.count < length - 4, let byte = cursor.peek {
            // Upper case is the same name. Safe: the letters are ASCII.
            code.append(byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte)
            cursor.move(1)
        }
        return Punycode.decode(code).map(InternationalLabel.isValid) ?? false
    }
}
