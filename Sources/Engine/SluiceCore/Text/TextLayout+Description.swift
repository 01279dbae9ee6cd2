// Turns the text of a model into lines for people: YYModel's layout, without its addresses.

extension TextLayout {
    /// Bytes that never occur in JSON text: strings escape them, and they are not white space. The text that is described has them.
    enum Mark {
        /// Begins a model: a string with its name follows, and then an object.
        static let model: UInt8 = 1
        /// A property that is nil.
        static let absent: UInt8 = 2
        /// A sensitive value.
        static let masked: UInt8 = 3
        /// An object inside itself, which is already being written.
        static let cycle: UInt8 = 4
        /// A value without a JSON form: a string that describes it follows.
        static let unwritable: UInt8 = 5
        /// Stands on both sides of a text that pretty printing leaves as it is.
        static let verbatim: UInt8 = 6
    }

    /// The text with its marks on several lines, or on one for a summary.
    static func described(_ text: [UInt8], isSummary: Bool) -> String {
        unsafe text.withUnsafeBytes { text in
            var layout = DescriptionLayout(unsafe TokenCursor(text), isSummary: isSummary)
            layout.value()
            return String(decoding: layout.output, as: UTF8.self)
        }
    }
}

/// Lays out the tokens of a value for people.
private struct DescriptionLayout {
    /// The longest text of one value, in characters; longer texts are cut.
    static let limit = 100

    private var tokens: TokenCursor
    private let isSummary: Bool
    private var depth = 0
    private(set) var output: [UInt8] = []

    init(_ tokens: TokenCursor, isSummary: Bool) {
        self.tokens = tokens
        self.isSummary = isSummary
    }

    mutating func value() {
        if let token = tokens.next() { value(token) }
    }

    private mutating func value(_ token: TokenCursor.Token) {
        switch token.first {
        case TextLayout.Mark.model: model()
        case UInt8(ascii: "{"): members(isModel: false)
        case UInt8(ascii: "["): elements()
        case UInt8(ascii: "\""):
            if !isSummary { put("\"") }
            let isCut = unsafe putCut(content(of: token))
            if !isSummary { put("\"") }
            if isCut { put("...") }
        case TextLayout.Mark.absent: put("<nil>")
        case TextLayout.Mark.masked: put("<redacted>")
        case TextLayout.Mark.cycle: put("<…>")
        case TextLayout.Mark.unwritable:
            put("<")
            if let text = tokens.next(), unsafe putCut(content(of: text)) { put("...") }
            put(">")
        default:
            if unsafe token.bytes.elementsEqual("null".utf8) { return put("<null>") }
            if unsafe putCut(token.bytes) { put("...") }
        }
    }

    /// The bytes of a string between its quotes, with its escapes.
    private func content(of token: TokenCursor.Token) -> UnsafeBufferPointer<UInt8> {
        unsafe UnsafeBufferPointer(rebasing: token.bytes.dropFirst().dropLast())
    }

    private mutating func model() {
        if let name = tokens.next(), !isSummary {
            put("<")
            unsafe output.append(contentsOf: content(of: name))
            put("> ")
        }
        // The opening bracket.
        _ = tokens.next()
        members(isModel: true)
    }

    private mutating func members(isModel: Bool) {
        // The outermost model of a summary has no braces.
        let isBare = isSummary && isModel && depth == 0
        list(open: isBare ? "" : "{", close: isBare ? "" : "}", end: UInt8(ascii: "}")) { layout, key in
            unsafe layout.output.append(contentsOf: layout.content(of: key))
            layout.put(" = ")
            // The colon.
            _ = layout.tokens.next()
            layout.value()
        }
    }

    private mutating func elements() {
        list(open: "[", close: "]", end: UInt8(ascii: "]")) { $0.value($1) }
    }

    /// Items between brackets, each on its own line unless this is a summary.
    private mutating func list(
        open: String, close: String, end: UInt8, item: (inout DescriptionLayout, TokenCursor.Token) -> Void
    ) {
        depth += 1
        put(open)
        var isEmpty = true
        while let token = tokens.next(), token.first != end {
            if token.first == UInt8(ascii: ",") { continue }
            if !isEmpty { put(isSummary ? ", " : ";") }
            if !isSummary { breakLine() }
            item(&self, token)
            isEmpty = false
        }
        depth -= 1
        if !isEmpty, !isSummary { breakLine() }
        put(close)
    }

    private mutating func breakLine() {
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 4))
    }

    /// Appends the text of a value, cut at the limit but never inside an escape. Returns whether it was cut.
    private mutating func putCut(_ content: UnsafeBufferPointer<UInt8>) -> Bool {
        guard content.count > Self.limit else {
            unsafe output.append(contentsOf: content)
            return false
        }
        let characters = unsafe String(decoding: content, as: UTF8.self)
        guard let cut = characters.index(characters.startIndex, offsetBy: Self.limit, limitedBy: characters.endIndex),
            cut < characters.endIndex
        else {
            unsafe output.append(contentsOf: content)
            return false
        }
        var index = 0
        let end = characters.utf8.distance(from: characters.startIndex, to: cut)
        while index < end {
            var length = 1
            if unsafe content[index] == UInt8(ascii: "\\") {
                length = unsafe index + 1 < content.count && content[index + 1] == UInt8(ascii: "u") ? 6 : 2
            }
            if index + length > end { break }
            index += length
        }
        unsafe output.append(contentsOf: content[..<index])
        return true
    }

    private mutating func put(_ text: String) { output += text.utf8 }
}
