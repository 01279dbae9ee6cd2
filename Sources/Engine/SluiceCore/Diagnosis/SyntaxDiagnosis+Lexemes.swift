// Names lexemes that are wrong in themselves: numbers, strings, words and characters that JSON does not have.

extension SyntaxDiagnosis {
    /// Describes a number that is wrong.
    func number(_ fault: inout SyntaxFault) {
        let start = fault.index
        let first = byte(start)
        var index = start
        if first == UInt8(ascii: "+") || first == UInt8(ascii: "-") { index += 1 }
        guard let next = byte(index) else {
            fault.found = quoted(start)
            fault.isCut = !isWhole
            return
        }
        if Word.isStart(next) {
            // -Infinity, -NaN
            return word(&fault, from: index)
        }
        if first == UInt8(ascii: "+"), next.isDigit || next == UInt8(ascii: ".") {
            fault.found = "a number with a plus sign"
            fault.hint = "leave the sign out"
            return
        }
        if next == UInt8(ascii: ".") {
            guard let digit = byte(index + 1) else {
                fault.found = quoted(start)
                fault.isCut = !isWhole
                return
            }
            fault.found = digit.isDigit ? "a number without a digit before its point" : quoted(start)
            fault.hint = digit.isDigit ? "write 0 before the point" : ""
            return
        }
        guard next.isDigit else {
            fault.found = first == UInt8(ascii: "-") ? "a minus sign without a digit" : quoted(start)
            fault.expected = first == UInt8(ascii: "-") ? "a digit" : fault.expected
            fault.index = first == UInt8(ascii: "-") ? index : start
            return
        }
        missingDigit(&fault, from: index)
    }

    /// Describes a number that lacks a digit.
    private func missingDigit(_ fault: inout SyntaxFault, from start: Int) {
        var index = start
        while let digit = byte(index), digit.isDigit { index += 1 }
        var part = ""
        if byte(index) == UInt8(ascii: ".") {
            part = "after its point"
            index += 1
            while let digit = byte(index), digit.isDigit {
                part = ""
                index += 1
            }
        }
        if part.isEmpty, let exponent = byte(index), exponent | 0x20 == UInt8(ascii: "e") {
            part = "in its exponent"
            index += 1
            if byte(index) == UInt8(ascii: "+") || byte(index) == UInt8(ascii: "-") { index += 1 }
        }
        fault.index = min(index, count)
        fault.expected = "a digit"
        fault.found = part.isEmpty ? "a number that is not one of JSON" : "a number without a digit \(part)"
    }

    /// Describes a string that is wrong.
    func string(_ fault: inout SyntaxFault) {
        var index = fault.index + 1
        while let next = byte(index) {
            switch next {
            case UInt8(ascii: "\""):
                return
            case 0..<0x20:
                fault.index = index
                return control(next, &fault)
            case UInt8(ascii: "\\"):
                guard let length = escapeLength(at: index) else {
                    fault.index = index
                    return escape(&fault)
                }
                index += length
            default:
                index += 1
            }
        }
    }

    /// How many bytes the escape at an index has; nil for one that JSON does not have.
    private func escapeLength(at index: Int) -> Int? {
        switch byte(index + 1) {
        case UInt8(ascii: "u"):
            unsafe UnicodeValidation.escapedUnit(text, at: index) == nil ? nil : 6
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), nil:
            2
        default:
            nil
        }
    }

    private func control(_ control: UInt8, _ fault: inout SyntaxFault) {
        let escape = ErrorWords.escape(of: Unicode.Scalar(control))
        fault.expected = ""
        switch control {
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
            fault.found = "a line break inside a string"
            fault.hint = "write it as \(escape), or close the string before it"
        case UInt8(ascii: "\t"):
            fault.found = "a tab inside a string"
            fault.hint = "write it as \(escape)"
        default:
            fault.found = "the control character 0x\(ErrorWords.hexadecimal(control, digits: 2)) inside a string"
            fault.hint = "write it as \(escape)"
        }
    }

    private func escape(_ fault: inout SyntaxFault) {
        fault.expected = #"an escape of JSON: \" \\ \/ \b \f \n \r \t \u0000"#
        guard let letter = byte(fault.index + 1) else { return }
        switch letter {
        case UInt8(ascii: "u"):
            fault.expected = #"\u and four hexadecimal digits"#
            fault.found = #"\u without them"#
        case UInt8(ascii: "'"):
            fault.found = #"\'"#
            fault.hint = "an apostrophe needs no escape"
        case UInt8(ascii: "x"):
            fault.found = #"\x"#
            fault.hint = #"write \u00 before the two digits"#
        case 0x21..<0x7F:
            fault.found = "\\" + String(Character(Unicode.Scalar(letter)))
            fault.hint = #"a backslash itself is written \\"#
        default:
            fault.found = "a backslash before something else"
            fault.hint = #"a backslash itself is written \\"#
        }
    }

    // MARK: Words

    /// Describes a word that is not `true`, `false` or `null`, or is only the beginning of one of them.
    func word(_ fault: inout SyntaxFault, from start: Int? = nil) {
        let word = unsafe Word(text, from: start ?? fault.index)
        let sign = start == nil ? "" : String(Character(Unicode.Scalar(byte(fault.index) ?? 0)))
        fault.found = sign + word.text
        fault.isCut = word.isCut && !isWhole
        if let hint = Word.hints[word.text] {
            fault.hint = hint
            return
        }
        fault.found = "the word \"\(sign + word.text)\""
        fault.isQuoting = true
        if isStart, container == .none, let next = byte(word.end), let name = ForeignText.layout(afterWord: next) {
            fault.expected = "JSON"
            fault.found = name.found
            fault.hint = name.hint
            fault.isQuoting = false
        } else if Word.isNearlyLiteral(word.text) {
            fault.hint = "the words of JSON are true, false and null"
        } else {
            fault.hint = "text stands in double quotes"
        }
    }

    // MARK: Characters

    /// Describes a character that no token of JSON starts with.
    func symbol(_ fault: inout SyntaxFault) {
        guard let first = byte(fault.index) else { return }
        fault.found = quoted(fault.index)
        switch first {
        case UInt8(ascii: "/"):
            guard let next = byte(fault.index + 1) else { return fault.isCut = !isWhole }
            if next == UInt8(ascii: "/") || next == UInt8(ascii: "*") { comment(&fault) }
        case UInt8(ascii: "#"):
            comment(&fault)
        case UInt8(ascii: "<"):
            markup(&fault)
        case UInt8(ascii: "'"), UInt8(ascii: "`"):
            fault.found = first == UInt8(ascii: "'") ? "a single quote" : "a backquote"
            fault.hint = "strings and keys stand in double quotes"
        case UInt8(ascii: "\\"):
            fault.found = "a backslash outside a string"
            fault.hint = "the text may be escaped once too often"
        case UInt8(ascii: ")") where isStart:
            fault.hint = "some servers put )]}' before JSON; leave that line out"
        case UInt8(ascii: "="), UInt8(ascii: "("), UInt8(ascii: ")"):
            break
        case 0:
            fault.found = "a zero byte"
        case 0..<0x20, 0x7F:
            fault.found = "the control character 0x\(ErrorWords.hexadecimal(first, digits: 2))"
        case 0x80...:
            character(&fault)
        default:
            break
        }
    }

    private func comment(_ fault: inout SyntaxFault) {
        fault.found = "a comment"
        fault.hint = "JSON has no comments; remove it"
    }

    private func markup(_ fault: inout SyntaxFault) {
        let rest = unsafe Array(text[fault.index...].prefix(ForeignText.markupLength))
        fault.isCut = rest.count < ForeignText.markupLength && !isWhole
        let name = ForeignText.markup(String(decoding: rest, as: UTF8.self).lowercased())
        fault.found = name
        fault.hint = isStart ? "the server may have answered with a page, perhaps an error page" : ""
    }

    /// Describes a character that is not ASCII.
    private func character(_ fault: inout SyntaxFault) {
        let rest = unsafe Array(text[fault.index...].prefix(4))
        var bytes = rest.makeIterator()
        var decoder = UTF8()
        guard case .scalarValue(let scalar) = decoder.decode(&bytes) else {
            fault.isCut = rest.count < 4 && !isWhole
            fault.found = "the byte 0x\(ErrorWords.hexadecimal(byte(fault.index) ?? 0, digits: 2))"
            fault.hint = isStart ? "the input is not text" : ""
            return
        }
        let code = "U+" + ErrorWords.hexadecimal(scalar.value, digits: 4)
        fault.found = "'\(scalar)' (\(code))"
        switch scalar {
        case "\u{201C}", "\u{201D}", "\u{201E}", "\u{2018}", "\u{2019}", "\u{AB}", "\u{BB}":
            fault.found = "the typographic quote \(scalar)"
            fault.hint = "strings and keys stand in plain double quotes"
        case "\u{FEFF}":
            fault.found = "a byte order mark (U+FEFF)"
            fault.hint = "it may stand at the very start only"
        case _ where scalar.properties.isWhitespace || scalar.properties.generalCategory == .format:
            fault.found = "the invisible character \(code)"
            fault.hint = "JSON's white space is space, tab, line feed and carriage return"
        default:
            break
        }
    }
}

/// A word without quotes.
struct Word {
    let text: String
    /// The index after it.
    let end: Int
    /// Whether the word may go on after the text.
    let isCut: Bool

    /// How many bytes of a longer word are shown.
    private static let limit = 24

    init(_ bytes: UnsafeRawBufferPointer, from start: Int) {
        var end = start
        // Safe: each byte is looked at only below the count.
        while end < bytes.count, end - start < Word.limit, unsafe Word.isPart(bytes[end]) { end += 1 }
        self.end = end
        isCut = end == bytes.count
        let isLonger = unsafe end < bytes.count && Word.isPart(bytes[end])
        text = unsafe String(decoding: bytes[start..<end], as: UTF8.self) + (isLonger ? "…" : "")
    }

    /// Whether a word starts with the byte.
    static func isStart(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "$")
    }

    static func isPart(_ byte: UInt8) -> Bool { isStart(byte) || byte.isDigit || byte == UInt8(ascii: "-") }

    /// Hints for words of other languages: what JSON writes instead.
    static let hints: [String: String] = [
        "True": "JSON writes true", "TRUE": "JSON writes true", "False": "JSON writes false", "FALSE": "JSON writes false",
        "None": "JSON writes null", "nil": "JSON writes null", "Nil": "JSON writes null", "NULL": "JSON writes null",
        "Null": "JSON writes null", "undefined": "JSON has no undefined; leave the key out, or write null",
        "NaN": notANumber, "nan": notANumber, "Infinity": infinity, "infinity": infinity, "inf": infinity, "Inf": infinity,
    ]

    private static let notANumber = "JSON has no NaN; write null, or the string \"NaN\" for conversions with nonFiniteStrings"
    private static let infinity =
        "JSON has no infinity; write null, or the string \"Infinity\" for conversions with nonFiniteStrings"

    /// Whether a word is a literal of JSON in other capitals, or cut off, or with one more character at its end.
    static func isNearlyLiteral(_ word: String) -> Bool {
        ["true", "false", "null"].contains { literal in
            let word = word.lowercased()
            return word == literal || literal.hasPrefix(word) || word.dropLast() == literal
        }
    }
}

/// Formats that are taken for JSON by mistake.
enum ForeignText {
    /// How many bytes it takes to tell HTML from other markup.
    static let markupLength = 14

    /// The name of a format that the first bytes show, and a hint; nil for all others.
    static func format(of text: UnsafeRawBufferPointer, from start: Int) -> (found: String, hint: String)? {
        let unpack = "unpack it first"
        let formats: [(magic: [UInt8], found: String, hint: String)] = [
            ([0x1F, 0x8B], "data compressed with gzip", unpack),
            ([0x28, 0xB5, 0x2F, 0xFD], "data compressed with zstd", unpack),
            ([0xFD, 0x37, 0x7A, 0x58], "data compressed with xz", unpack),
            (Array("BZh".utf8), "data compressed with bzip2", unpack),
            ([0x50, 0x4B, 0x03, 0x04], "a ZIP archive", unpack),
            (Array("%PDF".utf8), "a PDF document", ""),
            (Array("bpli".utf8), "a binary property list", ""),
            ([0x89, 0x50, 0x4E, 0x47], "a PNG image", ""),
        ]
        let rest = unsafe UnsafeRawBufferPointer(rebasing: text[start...])
        guard let format = formats.first(where: { unsafe rest.starts(with: $0.magic) }) else { return nil }
        return (format.found, format.hint)
    }

    /// The kind of text that begins with a word and this byte after it, and a hint.
    static func layout(afterWord next: UInt8) -> (found: String, hint: String)? {
        switch next {
        case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"):
            ("text like CSV", "rows of separated values are not JSON")
        case UInt8(ascii: "("): ("a call around the JSON (JSONP)", "leave the call out, and read what stands in its parentheses")
        case UInt8(ascii: "="): ("text like a form or a settings file", "pairs with '=' are not JSON")
        case UInt8(ascii: ":"): ("a key without quotes and braces", "an object stands in { }, and its keys in double quotes")
        default: nil
        }
    }

    /// The kind of markup that a text with a `<` at its start is; the text is in lower case.
    static func markup(_ text: String) -> String {
        if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") { return "HTML" }
        if text.hasPrefix("<?xml") { return "XML" }
        return "'<', as in HTML or XML"
    }
}
