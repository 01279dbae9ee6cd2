// Turns compact JSON into pretty text in Foundation's layout: two spaces per level, a space on both sides of a colon, and an empty line
// between the brackets of an empty container.

enum PrettyText {
    /// The pretty form of a compact text, which this library has written, so it is valid.
    static func of(_ text: [UInt8]) -> [UInt8] {
        var lines: [UInt8] = []
        lines.reserveCapacity(text.count * 2)
        var depth = 0
        var index = 0
        func breakLine() {
            lines.append(UInt8(ascii: "\n"))
            lines.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
        }
        while index < text.count {
            let byte = text[index]
            index += 1
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                lines.append(byte)
                depth += 1
                let isEmpty = index < text.count && (text[index] == UInt8(ascii: "}") || text[index] == UInt8(ascii: "]"))
                if isEmpty { lines.append(UInt8(ascii: "\n")) } else { breakLine() }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                breakLine()
                lines.append(byte)
            case UInt8(ascii: ","):
                lines.append(byte)
                breakLine()
            case UInt8(ascii: ":"):
                lines.append(contentsOf: " : ".utf8)
            case UInt8(ascii: "\""):
                let end = stringEnd(text, index)
                lines.append(contentsOf: text[index - 1..<end])
                index = end
            default:
                lines.append(byte)
            }
        }
        return lines
    }

    /// The index after the closing quote of a string whose content begins at `first`.
    private static func stringEnd(_ text: [UInt8], _ first: Int) -> Int {
        var index = first
        while index < text.count, text[index] != UInt8(ascii: "\"") { index += text[index] == UInt8(ascii: "\\") ? 2 : 1 }
        return min(index + 1, text.count)
    }
}
