// How other programs space and escape the same JSON: a text is spaced anew, its values stay.

internal import Sluice

/// A style of text.
enum TextLayout: String, CaseIterable {
    case compact
    case twoSpaces = "two spaces a level"
    case fourSpaces = "four spaces a level"
    case tabs
    case lineFeeds = "CRLF"
    case blankBeforeColon = "a blank before the colon"
    case breakBeforeColon = "a break before the colon"
    case escaped = "every foreign letter escaped"

    /// The text in this style, from a compact one.
    func applied(to text: [UInt8]) -> [UInt8] {
        switch self {
        case .compact: text
        case .twoSpaces: spaced(text, newline: "\n", indent: "  ", colon: ": ")
        case .fourSpaces: spaced(text, newline: "\n", indent: "    ", colon: ": ")
        case .tabs: spaced(text, newline: "\n", indent: "\t", colon: ": ")
        case .lineFeeds: spaced(text, newline: "\r\n", indent: "  ", colon: ": ")
        case .blankBeforeColon: spaced(text, newline: " ", indent: "", colon: " : ")
        case .breakBeforeColon: spaced(text, newline: "\n", indent: "", colon: "\n:")
        case .escaped: escaped(text)
        }
    }

    private func spaced(_ text: [UInt8], newline: String, indent: String, colon: String) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count * 2)
        var depth = 0
        var isInString = false
        var index = 0
        func breakLine() {
            result += newline.utf8
            for _ in 0..<depth { result += indent.utf8 }
        }
        while index < text.count {
            let byte = text[index]
            index += 1
            if isInString {
                result.append(byte)
                if byte == UInt8(ascii: "\\") {
                    result.append(text[index])
                    index += 1
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                result.append(byte)
                // An empty container stays as it is: what closes it has the next code but one.
                if index < text.count, text[index] == byte + 2 {
                    result.append(text[index])
                    index += 1
                } else {
                    depth += 1
                    breakLine()
                }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                breakLine()
                result.append(byte)
            case UInt8(ascii: ","):
                result.append(byte)
                breakLine()
            case UInt8(ascii: ":"): result += colon.utf8
            default:
                isInString = byte == UInt8(ascii: "\"")
                result.append(byte)
            }
        }
        return result
    }

    private func escaped(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        for unit in String(decoding: text, as: UTF8.self).utf16 {
            if unit < 0x80 {
                result.append(UInt8(unit))
            } else {
                let digits = String(unit, radix: 16)
                result += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
            }
        }
        return result
    }
}
