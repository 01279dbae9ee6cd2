// Compact JSON, laid out in lines as Foundation does it: two blanks a level, a blank on both sides of a colon, and an empty line
// between the brackets of an empty container.

enum PrettyText {
    /// The same value in lines; the text has been written by this library.
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

    /// The index behind the quote of a string whose text begins at an index.
    private static func stringEnd(_ text: [UInt8], _ first: Int) -> Int {
        var index = first
        while index < text.count, text[index] != UInt8(ascii: "\"") { index += text[index] == UInt8(ascii: "\\") ? 2 : 1 }
        return min(index + 1, text.count)
    }
}
