// How records stand one behind the other.

internal import SluiceCore

/// The layout of a feed.
public enum JSONFeedFormat: Sendable, Hashable {
    /// Found from the first bytes.
    case automatic
    /// One value a line (NDJSON, JSON Lines); blank lines are passed over.
    case lines
    /// The elements of one top-level array.
    case array
    /// Values one behind the other, with or without white space between them.
    case concatenated

    /// Decides by the first bytes: an array unless more follows behind its line; one value a line unless the first value does
    /// not end with its line.
    static func detect(_ bytes: UnsafeRawBufferPointer) -> JSONFeedFormat {
        guard let start = unsafe bytes.firstIndex(where: { !isBlank($0) }) else { return .lines }
        let isArray = unsafe bytes[start] == UInt8(ascii: "[")
        var scanner = ValueScanner()
        guard let length = unsafe scanner.end(in: UnsafeRawBufferPointer(rebasing: bytes[start...])) else {
            // The first value is longer than what was read; a line break inside says that lines do not separate values.
            if isArray { return .array }
            return unsafe bytes[start...].contains(UInt8(ascii: "\n")) ? .concatenated : .lines
        }
        let end = start + length
        let hasLineBreakInside = unsafe bytes[start..<end].contains(UInt8(ascii: "\n"))
        guard let next = unsafe bytes[end...].firstIndex(where: { !isBlank($0) }) else {
            return isArray ? .array : hasLineBreakInside ? .concatenated : .lines
        }
        let isOnNextLine = unsafe bytes[end..<next].contains(UInt8(ascii: "\n"))
        return isOnNextLine && !hasLineBreakInside ? .lines : isArray && hasLineBreakInside ? .array : .concatenated
    }
}

@inline(__always)
func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\t")
}
