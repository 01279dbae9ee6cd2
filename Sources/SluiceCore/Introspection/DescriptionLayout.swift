// Turns the text of a `ModelRendering` into lines for people: YYModel's layout, without its addresses.

/// Lays out the text of a value for people.
struct DescriptionLayout {
    /// The longest text of one value, in characters; longer texts are cut.
    static let limit = 100

    private let text: [UInt8]
    private var index = 0
    private let isSummary: Bool
    private var depth = 0
    private var output: [UInt8] = []

    private init(_ text: [UInt8], isSummary: Bool) {
        self.text = text
        self.isSummary = isSummary
    }

    /// Lays out the text on several lines, or on one for a summary.
    static func lay(out text: [UInt8], isSummary: Bool) -> String {
        var layout = DescriptionLayout(text, isSummary: isSummary)
        layout.value()
        return String(decoding: layout.output, as: UTF8.self)
    }

    private var next: UInt8 { index < text.count ? text[index] : 0 }

    private mutating func value() {
        skipBlanks()
        switch next {
        case ModelRendering.Mark.model: model()
        case UInt8(ascii: "{"): members(isModel: false)
        case UInt8(ascii: "["): elements()
        case UInt8(ascii: "\""):
            let content = string()
            let quoted = !isSummary
            if quoted { put("\"") }
            let isCut = putCut(content)
            if quoted { put("\"") }
            if isCut { put("...") }
        case ModelRendering.Mark.absent: mark("nil")
        case ModelRendering.Mark.masked: mark("redacted")
        case ModelRendering.Mark.cycle: mark("…")
        case ModelRendering.Mark.unwritable:
            index += 1
            put("<")
            let content = string()
            if putCut(content) { put("...") }
            put(">")
        default: word()
        }
    }

    private mutating func mark(_ text: String) {
        index += 1
        put("<\(text)>")
    }

    /// A number, a boolean or null.
    private mutating func word() {
        let start = index
        while index < text.count, !Self.endsWord(text[index]) { index += 1 }
        // There is no word here: skip a byte, so that the next call makes progress.
        if index == start { index += 1 }
        let content = text[start..<min(index, text.count)]
        if content.elementsEqual("null".utf8) { return put("<null>") }
        if putCut(content) { put("...") }
    }

    private static func endsWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): true
        default: byte <= UInt8(ascii: " ")
        }
    }

    /// The bytes of a string between its quotes, with its escapes.
    private mutating func string() -> ArraySlice<UInt8> {
        index += 1
        let start = index
        while index < text.count, text[index] != UInt8(ascii: "\"") {
            index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        let end = min(index, text.count)
        index = end + 1
        return text[start..<end]
    }

    private mutating func model() {
        index += 1
        let name = string()
        if !isSummary {
            put("<")
            output += name
            put("> ")
        }
        members(isModel: true)
    }

    private mutating func members(isModel: Bool) {
        // The outermost model of a summary has no braces.
        let isBare = isSummary && isModel && depth == 0
        list(open: isBare ? "" : "{", close: isBare ? "" : "}", end: UInt8(ascii: "}")) { layout in
            layout.output += layout.string()
            layout.put(" = ")
            layout.skipBlanks()
            layout.index += 1
            layout.value()
        }
    }

    private mutating func elements() {
        list(open: "[", close: "]", end: UInt8(ascii: "]")) { $0.value() }
    }

    /// Items between brackets, each on its own line unless this is a summary.
    private mutating func list(open: String, close: String, end: UInt8, item: (inout DescriptionLayout) -> Void) {
        index += 1
        depth += 1
        put(open)
        var isEmpty = true
        while true {
            skipBlanks()
            if index >= text.count || next == end { break }
            if next == UInt8(ascii: ",") {
                index += 1
                continue
            }
            if !isEmpty { put(isSummary ? ", " : ";") }
            if !isSummary { breakLine() }
            item(&self)
            isEmpty = false
        }
        index += 1
        depth -= 1
        if !isEmpty, !isSummary { breakLine() }
        put(close)
    }

    private mutating func breakLine() {
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 4))
    }

    private mutating func skipBlanks() {
        while index < text.count, text[index] == 0x20 || (text[index] >= 0x09 && text[index] <= 0x0D) { index += 1 }
    }

    /// Appends the text of a value, cut at the limit but never inside an escape. Returns whether it was cut.
    private mutating func putCut(_ content: ArraySlice<UInt8>) -> Bool {
        guard content.count > Self.limit else {
            output += content
            return false
        }
        let characters = String(decoding: content, as: UTF8.self)
        guard let cut = characters.index(characters.startIndex, offsetBy: Self.limit, limitedBy: characters.endIndex),
            cut < characters.endIndex
        else {
            output += content
            return false
        }
        var place = content.startIndex
        let end = place + characters.utf8.distance(from: characters.startIndex, to: cut)
        while place < end {
            var length = 1
            if content[place] == UInt8(ascii: "\\") {
                length = place + 1 < content.endIndex && content[place + 1] == UInt8(ascii: "u") ? 6 : 2
            }
            if place + length > end { break }
            place += length
        }
        output += content[..<place]
        return true
    }

    private mutating func put(_ text: String) { output += text.utf8 }
}
