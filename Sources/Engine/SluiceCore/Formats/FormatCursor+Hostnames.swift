// Host names: labels of RFC 1123. A label that begins with `xn--` has the name of another script, encoded.

extension FormatCursor {
    private static let label = ASCIISet.alphanumeric.union("-")

    /// A name that reaches to the end of the text.
    mutating func takeHostname() -> Bool {
        let start = index
        repeat {
            let label = self
            var last: UInt8?
            while let byte = peek, take(FormatCursor.label) { last = byte }
            let length = index - label.index
            guard length > 0, length <= 63, label.peek != UInt8(ascii: "-"), last != UInt8(ascii: "-"), label.isLabelValid else {
                return false
            }
        } while take(".")
        return index - start <= 253 && isAtEnd
    }

    /// Whether the label that begins here is not encoded, or is the code of a valid one. It has at most 63 bytes.
    private var isLabelValid: Bool {
        var cursor = self
        guard cursor.take("x") || cursor.take("X"), cursor.take("n") || cursor.take("N"), cursor.take("-"), cursor.take("-")
        else {
            return true
        }
        var code: [UInt8] = []
        // Upper case is the same name.
        while let byte = cursor.peek, cursor.take(FormatCursor.label) { code.append(byte >= 0x41 ? byte | 0x20 : byte) }
        return Punycode.decode(code).map(InternationalLabel.isValid) ?? false
    }
}
