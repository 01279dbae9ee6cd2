// Describes the error in text that is not JSON. It gets the text after the last good token, and the kind of that token. It
// returns the position of the first wrong byte, and words that lead to the remedy.
//
// yajl says only how far it had read, which depends on the kind of error and on the chunk size (YAJL.md, P28). It has no name for HTML
// or a trailing comma. So the text is examined once more. None of this runs for valid JSON.

/// The first byte that is wrong, and words for it.
package struct SyntaxFault: Equatable {
    /// Where it is, counted from the start of the text; -1 is the byte before that.
    package var index: Int
    package var expected = ""
    package var found = ""
    package var hint = ""
    /// Whether more text could give better words: the wrong part goes on up to the end of the text.
    package var isCut = false
    /// Whether the words quote a word of the text.
    package var isQuoting = false

    /// The same without words of the text, which may be a sensitive value.
    package var withoutText: SyntaxFault {
        guard isQuoting else { return self }
        var result = self
        (result.found, result.hint) = ("text without quotes", "text stands in double quotes")
        return result
    }
}

/// Examines text that the parser has refused.
@safe
package struct SyntaxDiagnosis {
    /// The last event before the error.
    package enum Event {
        /// Nothing, or an opening bracket.
        case opening
        case key
        /// A scalar, or a closing bracket.
        case value
        /// The end of the whole value, after which only white space may follow.
        case end
    }

    /// The innermost container that is open.
    package enum Container {
        case none, object, array
    }

    /// The text after the last good token.
    let text: UnsafeRawBufferPointer
    /// The byte before the text, where there is one.
    let before: UInt8?
    let event: Event
    /// Whether the comma or colon after the last token has come already.
    let hasSeparator: Bool
    let container: Container
    /// Whether nothing has come before the text.
    let isStart: Bool
    /// Whether the input ends where the text ends.
    let isWhole: Bool

    package init(
        text: UnsafeRawBufferPointer, before: UInt8?, event: Event, hasSeparator: Bool, container: Container, isStart: Bool,
        isWhole: Bool
    ) {
        unsafe self.text = unsafe text
        self.before = before
        self.event = event
        self.hasSeparator = hasSeparator
        self.container = container
        self.isStart = isStart
        self.isWhole = isWhole
    }

    /// Finds what is wrong.
    package func fault() -> SyntaxFault {
        var index = skipBlanks(from: 0)
        if index == 0, !hasSeparator, let fault = continuation() { return fault }
        var hasSeparator = hasSeparator
        if !hasSeparator, let separator, byte(index) == separator {
            hasSeparator = true
            index = skipBlanks(from: index + 1)
        }
        guard index < count else { return SyntaxFault(index: count) }
        if isStart, let name = unsafe ForeignText.format(of: text, from: index) {
            return SyntaxFault(index: index, expected: "JSON", found: name.found, hint: name.hint)
        }
        switch event {
        case .end: return trailing(at: index)
        case .key: return hasSeparator ? value(at: index, expected: "a value") : missingColon(at: index)
        case .value where !hasSeparator: return missingComma(at: index)
        case .value: return container == .object ? key(at: index) : value(at: index, expected: "a value")
        case .opening:
            switch container {
            case .object: return key(at: index)
            case .array: return value(at: index, expected: "a value or ']'")
            case .none: return value(at: index, expected: "a value")
            }
        }
    }

    private var separator: UInt8? {
        switch event {
        case .opening, .end: nil
        case .key: UInt8(ascii: ":")
        case .value: UInt8(ascii: ",")
        }
    }

    /// The bracket that closes the container.
    private var closing: UInt8? {
        switch container {
        case .none: nil
        case .object: UInt8(ascii: "}")
        case .array: UInt8(ascii: "]")
        }
    }

    // MARK: What is expected

    private func value(at index: Int, expected: String) -> SyntaxFault {
        var fault = SyntaxFault(index: index, expected: expected)
        switch byte(index) {
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            closingBracket(&fault)
        case UInt8(ascii: ","):
            comma(&fault)
        case UInt8(ascii: "\""):
            string(&fault)
        case let byte? where byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "."):
            number(&fault)
        case let byte? where Word.isStart(byte):
            word(&fault)
        default:
            symbol(&fault)
        }
        return fault
    }

    private func key(at index: Int) -> SyntaxFault {
        var fault = SyntaxFault(index: index, expected: event == .opening ? "a key or '}'" : "a key")
        switch byte(index) {
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            closingBracket(&fault)
        case UInt8(ascii: ","):
            comma(&fault)
        case UInt8(ascii: "\""):
            string(&fault)
        case UInt8(ascii: ":"):
            fault.found = "':'"
            fault.hint = "the key before it is missing"
        case let byte? where Word.isPart(byte):
            let word = unsafe Word(text, from: index)
            fault.found = "the key \(word.text) without quotes"
            fault.hint = "keys stand in double quotes: \"\(word.text)\""
            fault.isCut = word.isCut && !isWhole
            fault.isQuoting = true
        default:
            symbol(&fault)
        }
        return fault
    }

    private func missingColon(at index: Int) -> SyntaxFault {
        var fault = SyntaxFault(index: index, expected: "':'")
        switch byte(index) {
        case UInt8(ascii: ","), UInt8(ascii: "}"):
            fault.found = "\(quoted(index)) after a key"
            fault.hint = "each key of an object has a value"
        case UInt8(ascii: "="):
            fault.found = "'='"
            fault.hint = "a colon stands between key and value"
        default:
            token(&fault, isMissing: "colon")
        }
        return fault
    }

    private func missingComma(at index: Int) -> SyntaxFault {
        var fault = SyntaxFault(index: index, expected: container == .object ? "',' or '}'" : "',' or ']'")
        switch byte(index) {
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            closingBracket(&fault)
        case UInt8(ascii: ":"):
            fault.found = "':'"
            fault.hint = container == .array ? "keys stand in an object: { } instead of [ ]" : ""
        case UInt8(ascii: ";"):
            fault.found = "';'"
            fault.hint = "values are separated by commas"
        default:
            token(&fault, isMissing: "comma")
        }
        return fault
    }

    private func trailing(at index: Int) -> SyntaxFault {
        var fault = SyntaxFault(index: index, expected: "the end of the input")
        switch byte(index) {
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            fault.found = quoted(index)
            fault.hint = "one bracket more is closed than was opened"
        case UInt8(ascii: ","):
            fault.found = "','"
            fault.hint = "values separated by commas stand in an array: [ ] around them"
        case UInt8(ascii: ":"):
            fault.found = "':'"
            fault.hint = "keys and values stand in an object: { } around them"
        case UInt8(ascii: ";"):
            fault.found = "';'"
        case 0:
            fault.found = "a zero byte"
            fault.hint = "the buffer is longer than the text in it"
        default:
            token(&fault, isMissing: nil)
        }
        return fault
    }

    // MARK: What is found

    /// The fault of text that follows a number directly, as in `01`, `0x1` or `1_000`, or nil.
    private func continuation() -> SyntaxFault? {
        guard event == .value || event == .end, let before, let next = byte(0) else { return nil }
        guard before.isDigit else { return nil }
        let expected = event == .end ? "the end of the input" : container == .object ? "',' or '}'" : "',' or ']'"
        if next.isDigit {
            // A number that ends before another digit is 0.
            return SyntaxFault(
                index: -1, expected: "a number without a leading zero", found: "a leading zero",
                hint: "leave the zero out, or put the digits in double quotes")
        }
        switch next {
        case UInt8(ascii: "x"), UInt8(ascii: "X"):
            guard before == UInt8(ascii: "0") else { break }
            return SyntaxFault(
                index: -1, expected: "a decimal number", found: "a hexadecimal number", hint: "write it in decimal digits")
        case UInt8(ascii: "_"):
            return SyntaxFault(
                index: 0, expected: expected, found: "'_' in a number", hint: "the digits of a number stand without separators")
        case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"):
            return SyntaxFault(
                index: 0, expected: expected, found: "\(quoted(0)) inside a number",
                hint: "dates, versions and the like stand in double quotes")
        default: break
        }
        guard Word.isStart(next) else { return nil }
        let word = unsafe Word(text, from: 0)
        return SyntaxFault(
            index: 0, expected: expected, found: "\"\(word.text)\" directly after a number",
            hint: "what is not a number stands in double quotes", isCut: word.isCut && !isWhole, isQuoting: true)
    }

    private func closingBracket(_ fault: inout SyntaxFault) {
        fault.found = quoted(fault.index)
        if let closing, byte(fault.index) != closing {
            fault.hint =
                "the \(container == .object ? "object" : "array") that is open is closed by '\(Character(Unicode.Scalar(closing)))'"
        } else if container == .none {
            fault.hint = "no bracket is open"
        } else if event == .key {
            fault.hint = "each key of an object has a value"
        } else if event == .value {
            fault.found += " after a trailing comma"
            fault.hint = "remove the comma before \(quoted(fault.index))"
        }
    }

    private func comma(_ fault: inout SyntaxFault) {
        switch event {
        case .value:
            fault.found = "a second comma"
            fault.hint = "remove one of the two commas"
        case .key:
            fault.found = "','"
            fault.hint = "each key of an object has a value"
        case .opening, .end:
            fault.found = "','"
            fault.hint =
                container == .none
                ? "no comma stands between records; rows of separated values (CSV) are not JSON"
                : "no comma stands before the first element"
        }
    }

    /// Describes a token that is valid in itself, but comes where a separator is missing, or after the end.
    private func token(_ fault: inout SyntaxFault, isMissing separator: String?) {
        guard let first = byte(fault.index) else { return }
        switch first {
        case UInt8(ascii: "\""): fault.found = "a string"
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): fault.found = "a number"
        case UInt8(ascii: "{"): fault.found = "an object"
        case UInt8(ascii: "["): fault.found = "an array"
        case _ where Word.isStart(first):
            let word = unsafe Word(text, from: fault.index)
            fault.found = "the word \"\(word.text)\""
            fault.isCut = word.isCut && !isWhole
            fault.isQuoting = true
        default: return symbol(&fault)
        }
        if fault.index == 0, before == UInt8(ascii: "\"") {
            fault.hint = "a quote inside a string is written \\\""
        } else if let separator {
            fault.hint = "a \(separator) is missing before it"
        } else if !isStart {
            fault.hint = "values one after the other are a feed, not one document"
        }
    }

    // MARK: Bytes

    var count: Int { unsafe text.count }

    func byte(_ index: Int) -> UInt8? {
        // Safe: only indices inside the text are read.
        index >= 0 && index < count ? unsafe text[index] : nil
    }

    /// The ASCII character at an index, in quotes.
    func quoted(_ index: Int) -> String {
        byte(index).map { "'\(Character(Unicode.Scalar($0)))'" } ?? ""
    }

    private func skipBlanks(from start: Int) -> Int {
        unsafe firstNonBlank(in: text, from: start) ?? count
    }
}

extension UInt8 {
    /// Whether it is an ASCII digit.
    var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }
}
