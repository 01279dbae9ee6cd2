// yajl's answers, in our own words. Its messages are matched here once and never shown as they are: their verbose form contains
// raw bytes of the input, cut anywhere.

internal import CYajl

/// How a call to the parser ended.
enum YajlStatus {
    case ok
    /// A callback returned 0: the reason is parked in the context.
    case cancelled
    case failed
}

/// Why yajl rejected the text.
enum YajlSyntaxError {
    case prematureEnd
    case other(String)

    /// `text` is yajl's short message, such as "lexical error: invalid char in json text.\n".
    init(_ text: String) {
        let body = text.drop { $0 != ":" }.dropFirst().drop { $0 == " " }
        let trimmed = String(body.prefix { $0 != "\n" && $0 != "." })
        switch trimmed {
        case "premature EOF": self = .prematureEnd
        case "unallowed token at this point in JSON text": self = .other("a token that is not allowed here")
        case "invalid char in json text": self = .other("a character that no JSON token starts with")
        case "invalid string in json text": self = .other("a word that is not true, false or null")
        case "invalid bytes in UTF8 string": self = .other("bytes that are not UTF-8")
        case "inside a string, '\\' occurs before a character which it may not":
            self = .other("an escape that JSON does not have")
        case "invalid character inside string": self = .other("a control character inside a string")
        case "invalid (non-hex) character occurs after '\\u' inside string":
            self = .other("a \\u escape without four hexadecimal digits")
        case "malformed number, a digit is required after the decimal point":
            self = .other("a number without a digit after the decimal point")
        case "malformed number, a digit is required after the exponent":
            self = .other("a number without a digit in its exponent")
        case "malformed number, a digit is required after the minus sign":
            self = .other("a minus sign without a digit")
        case "invalid object key (must be a string)": self = .other("an object key that is not a string")
        case "object key and value must be separated by a colon (':')": self = .other("a key without a colon")
        case "after array element, I expect ',' or ']'": self = .other("neither ',' nor ']' after an element")
        case "after key and value, inside map, I expect ',' or '}'": self = .other("neither ',' nor '}' after a value")
        default: self = .other(trimmed.isEmpty ? "text that is not JSON" : trimmed)
        }
    }
}
