// The text of a value goes in, and the same tokens with other white space between them come out: none, or that of pretty text. The layout
// for people is in TextLayout+Description.swift.

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

    /// How text is laid out on lines.
    struct Style: Sendable {
        /// Spaces for each level.
        let indent: Int
        let colon: StaticString
        /// Whether there is an empty line between the brackets of an empty container.
        let breaksEmpty: Bool

        static let foundation = Style(indent: 2, colon: " : ", breaksEmpty: true)
    }

    /// Calls a closure with a text that is laid out on lines; with the text itself if there is no style.
    static func with<Result>(
        _ style: Style?, _ text: UnsafeRawBufferPointer, depth: Int = 0,
        _ body: (UnsafeRawBufferPointer) throws(JSONError) -> Result
    ) throws(JSONError) -> Result {
        guard let style else { return try unsafe body(text) }
        return try unsafe pretty(text, style, depth: depth).withUnsafeBufferPointer { (lines) throws(JSONError) in
            try unsafe body(UnsafeRawBufferPointer(lines))
        }
    }

    /// A text laid out on lines. What is between two marks stays as it is.
    ///
    /// - Parameter depth: How many containers are open around the text.
    static func pretty(_ text: UnsafeRawBufferPointer, _ style: Style, depth: Int = 0) -> [UInt8] {
        var lines: [UInt8] = []
        lines.reserveCapacity(text.count * 2)
        var depth = depth
        var isAfterBracket = false
        func breakLine() {
            lines.append(UInt8(ascii: "\n"))
            lines.append(contentsOf: repeatElement(UInt8(ascii: " "), count: style.indent * depth))
        }
        var tokens = unsafe TokenCursor(text)
        while let token = tokens.next() {
            let closes = token.first == UInt8(ascii: "}") || token.first == UInt8(ascii: "]")
            if closes {
                depth -= 1
                if isAfterBracket, style.breaksEmpty { lines.append(UInt8(ascii: "\n")) }
                if !isAfterBracket || style.breaksEmpty { breakLine() }
            } else if isAfterBracket {
                breakLine()
            }
            isAfterBracket = token.first == UInt8(ascii: "{") || token.first == UInt8(ascii: "[")
            if isAfterBracket { depth += 1 }
            switch token.first {
            case UInt8(ascii: ":"):
                unsafe lines.append(
                    contentsOf: UnsafeBufferPointer(start: style.colon.utf8Start, count: style.colon.utf8CodeUnitCount))
            case Mark.verbatim: unsafe lines.append(contentsOf: token.bytes.dropFirst().dropLast())
            default: unsafe lines.append(contentsOf: token.bytes)
            }
            if token.first == UInt8(ascii: ",") { breakLine() }
        }
        return lines
    }
}
