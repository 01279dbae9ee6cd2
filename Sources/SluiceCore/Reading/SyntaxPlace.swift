// Where exactly the text stops being JSON. yajl only says how far it had read, by a different rule for each kind of error and
// differently for other chunk sizes (YAJL.md, P28); so the place is found again from the end of the last good token.

/// Finds the first byte that is wrong.
enum SyntaxPlace {
    /// What came last before the error.
    enum Event {
        /// Nothing, or an opening bracket.
        case opening
        case key
        /// A scalar, or a closing bracket.
        case value
    }

    /// The index in `text`, which begins behind the last good token, of the byte that is wrong.
    static func index(in text: UnsafeRawBufferPointer, after event: Event, hasSeparator: Bool) -> Int {
        var index = unsafe skipBlanks(text, from: 0)
        if !hasSeparator, index < text.count {
            let separator: UInt8? =
                switch event {
                case .opening: nil
                case .key: UInt8(ascii: ":")
                case .value: UInt8(ascii: ",")
                }
            if unsafe text[index] == separator { index = unsafe skipBlanks(text, from: index + 1) }
        }
        guard index < text.count else { return text.count }
        return unsafe text[index] == UInt8(ascii: "\"") ? firstBadByte(ofString: text, from: index) : index
    }

    /// Whether a byte stands between tokens: white space, what yajl takes for it, or a separator.
    static func isBetweenTokens(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (9...13).contains(byte) || isSeparator(byte)
    }

    /// A byte that separates tokens and is not white space.
    static func isSeparator(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") }

    private static func skipBlanks(_ text: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index < text.count, unsafe text[index] == UInt8(ascii: " ") || (9...13).contains(text[index]) { index += 1 }
        return index
    }

    /// The control character or escape in a string that JSON does not allow; the string's start if there is none.
    private static func firstBadByte(ofString text: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start + 1
        while index < text.count {
            switch unsafe text[index] {
            case UInt8(ascii: "\""):
                return start
            case 0..<0x20:
                return index
            case UInt8(ascii: "\\"):
                guard index + 1 < text.count else { return start }
                switch unsafe text[index + 1] {
                case UInt8(ascii: "u"):
                    if unsafe UnicodeValidation.escapedUnit(text, at: index) == nil { return index }
                    index += 6
                case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
                    UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
                    index += 2
                default:
                    return index
                }
            default:
                index += 1
            }
        }
        return start
    }
}

extension YajlEvents {
    /// The place of a syntax error that the parser has just reported, and the line around it.
    func syntaxPlace() -> (position: SourcePosition, excerpt: SourceExcerpt?) { unsafe context.pointee.syntaxPlace() }
}

extension YajlEvents.Context {
    fileprivate func syntaxPlace() -> (position: SourcePosition, excerpt: SourceExcerpt?) {
        let chunk = unsafe binder.pointee.chunk
        if head.isEmpty {
            let lastEnd = unsafe binder.pointee.token.end
            let rest = unsafe UnsafeRawBufferPointer(start: lastEnd, count: chunk.end - lastEnd)
            let index = unsafe SyntaxPlace.index(in: rest, after: lastEvent, hasSeparator: hasSeparator)
            return unsafe (chunk.position(of: lastEnd + index), chunk.excerpt(at: lastEnd + index))
        }
        return unsafe (head.bytes + chunk.bytes).withUnsafeBytes { text in
            let index = unsafe SyntaxPlace.index(in: text, after: .opening, hasSeparator: true)
            let before = unsafe UnsafeRawBufferPointer(rebasing: text[..<min(index, text.count)])
            return unsafe (head.position.advanced(over: before), SourceExcerpt(of: text, at: index))
        }
    }
}
