// Finds the tokens of a text that is laid out anew.

/// The tokens of a text, one after the other, without the white space between them. Their order is not checked.
@safe
struct TokenCursor {
    typealias Address = TextCursor.Address

    /// A bracket, a comma, a colon, a string with its quotes, a number or a literal; each other byte counts as one of these. Or a
    /// text between two marks.
    @safe
    struct Token {
        let start: Address
        let end: Address

        @inline(__always)
        var first: UInt8 { unsafe start.pointee }

        @inline(__always)
        var bytes: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(start: start, count: end - start) }
    }

    private let text: TextCursor
    /// The position after the last token; at first that of the text.
    private var address: Address

    init(_ text: UnsafeRawBufferPointer) {
        // Safe: an empty text gets a valid address, from which no byte is read.
        unsafe address = unsafe text.baseAddress.map { unsafe $0.assumingMemoryBound(to: UInt8.self) } ?? NoBytes.address
        self.text = unsafe TextCursor(end: address + text.count)
    }

    /// The next token; nil at the end of the text. A string without an end goes up to there.
    @inline(__always)
    mutating func next() -> Token? {
        guard let start = unsafe text.skipAllBlanks(address) else { return nil }
        switch unsafe start.pointee {
        case UInt8(ascii: "\""):
            unsafe address = unsafe text.string(at: start)?.end ?? text.end
        case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","), UInt8(ascii: ":"):
            unsafe address = unsafe start + 1
        case TextLayout.Mark.verbatim:
            unsafe address = unsafe start + 1
            while unsafe address < text.end, unsafe address.pointee != TextLayout.Mark.verbatim { unsafe address += 1 }
            if unsafe address < text.end { unsafe address += 1 }
        default:
            unsafe address = unsafe text.scalarEnd(start)
        }
        return unsafe Token(start: start, end: address)
    }
}
