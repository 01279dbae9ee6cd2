// The text of a value goes in, and the same tokens with other white space between them come out: none, or Foundation's layout of pretty
// text. The layout for people is in TextLayout+Description.swift.

/// Lays out JSON text anew. The text is not checked.
package enum TextLayout {
    // MARK: Compact

    /// The index of the first white space that does not stand inside a string; nil if there is none.
    static func firstBlank(in text: UnsafeRawBufferPointer) -> Int? {
        var tokens = unsafe TokenCursor(text)
        let start = unsafe tokens.place
        var end = unsafe start
        while let token = tokens.next() {
            if unsafe token.start != end { break }
            unsafe end = unsafe token.end
        }
        let count = unsafe end - start
        return count < text.count ? count : nil
    }

    /// Appends a text to bytes without the white space between its tokens. All other bytes stay as they are.
    package static func appendCompact(_ text: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        var tokens = unsafe TokenCursor(text)
        // Tokens without white space between them are copied in one go.
        var run = unsafe tokens.place
        var end = unsafe run
        while let token = tokens.next() {
            if unsafe token.start != end {
                unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: run, count: end - run))
                unsafe run = unsafe token.start
            }
            unsafe end = unsafe token.end
        }
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: run, count: end - run))
    }

    // MARK: Pretty

    /// The pretty form of a text in Foundation's layout: two spaces per level, a space on both sides of a colon, and an empty line between
    /// the brackets of an empty container.
    static func pretty(_ text: [UInt8]) -> [UInt8] {
        var lines: [UInt8] = []
        lines.reserveCapacity(text.count * 2)
        var depth = 0
        var isBehindBracket = false
        func breakLine() {
            lines.append(UInt8(ascii: "\n"))
            lines.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
        }
        unsafe text.withUnsafeBytes { text in
            var tokens = unsafe TokenCursor(text)
            while let token = tokens.next() {
                let closes = token.first == UInt8(ascii: "}") || token.first == UInt8(ascii: "]")
                if isBehindBracket { if closes { lines.append(UInt8(ascii: "\n")) } else { breakLine() } }
                isBehindBracket = false
                switch token.first {
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    lines.append(token.first)
                    depth += 1
                    isBehindBracket = true
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    depth -= 1
                    breakLine()
                    lines.append(token.first)
                case UInt8(ascii: ","):
                    lines.append(token.first)
                    breakLine()
                case UInt8(ascii: ":"):
                    lines.append(contentsOf: " : ".utf8)
                default:
                    unsafe lines.append(contentsOf: token.bytes)
                }
            }
        }
        return lines
    }
}
