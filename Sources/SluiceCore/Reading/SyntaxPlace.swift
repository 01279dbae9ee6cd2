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
        /// The end of the whole value, behind which only white space is right.
        case end
    }

    /// The index in `text`, which begins behind the last good token, of the byte that is wrong.
    static func index(in text: UnsafeRawBufferPointer, after event: Event, hasSeparator: Bool) -> Int {
        var index = unsafe skipBlanks(text, from: 0)
        if !hasSeparator, index < text.count {
            let separator: UInt8? =
                switch event {
                case .opening, .end: nil
                case .key: UInt8(ascii: ":")
                case .value: UInt8(ascii: ",")
                }
            if unsafe text[index] == separator { index = unsafe skipBlanks(text, from: index + 1) }
        }
        guard index < text.count else { return text.count }
        guard event != .end else { return index }
        return unsafe text[index] == UInt8(ascii: "\"") ? firstBadByte(ofString: text, from: index) : index
    }

    /// A byte that separates tokens and is no white space.
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

extension ReaderState {
    /// The place of a syntax error that the parser has just reported, and the line around it.
    func syntaxPlace() -> (position: SourcePosition, excerpt: SourceExcerpt?) {
        let chunk = unsafe UnsafeRawBufferPointer(start: chunkStart, count: chunkEnd - chunkStart)
        if tokenHead.isEmpty {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: chunk[(lastEnd - chunkStart)...])
            let event = rootEnd == nil ? lastEvent : .end
            let index = unsafe SyntaxPlace.index(in: rest, after: event, hasSeparator: hasSeparator)
            return unsafe position(of: lastEnd + index)
        }
        return unsafe (tokenHead + chunk).withUnsafeBytes { text in
            let event = rootEnd == nil ? SyntaxPlace.Event.opening : .end
            let index = unsafe SyntaxPlace.index(in: text, after: event, hasSeparator: true)
            let before = unsafe UnsafeRawBufferPointer(rebasing: text[..<min(index, text.count)])
            return unsafe (tokenHeadPosition.advanced(over: before), SourceExcerpt(of: text, at: index))
        }
    }
}
