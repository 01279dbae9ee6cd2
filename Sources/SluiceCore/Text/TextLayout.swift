// The text of a value goes in, and the same tokens with other white space between them come out: none, or Foundation's layout of pretty
// text. The layout for people is in TextLayout+Description.swift.

internal import CScan

/// Lays out JSON text anew. The text is not checked.
package enum TextLayout {
    // MARK: Compact

    /// The index of the first white space that does not stand inside a string, or nil.
    static func firstBlank(in text: UnsafeRawBufferPointer) -> Int? {
        guard let base = text.baseAddress else { return nil }
        // Safe: the text has `count` bytes.
        let found = unsafe cscan_first_blank(base.assumingMemoryBound(to: UInt8.self), text.count)
        return found < text.count ? found : nil
    }

    /// Appends a text to bytes without the white space between its tokens. All other bytes stay as they are.
    package static func appendCompact(_ text: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        // Most records have no such white space, and are copied whole.
        guard let blank = unsafe firstBlank(in: text) else { return unsafe bytes.append(contentsOf: text) }
        unsafe bytes.append(contentsOf: text[..<blank])
        let rest = unsafe UnsafeRawBufferPointer(rebasing: text[blank...])
        guard let base = rest.baseAddress else { return }
        let room = rest.count + CSCAN_COMPACT_SLACK
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { copy in
            guard let start = copy.baseAddress else { return }
            // Safe: the copy has as much room as the scan asks for, and the scan says how much of it is written.
            let count = unsafe cscan_compact(start, base.assumingMemoryBound(to: UInt8.self), rest.count)
            unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
        }
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
