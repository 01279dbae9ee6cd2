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
    /// not end with its line. What cannot be a value across lines is a damaged line.
    static func detect(_ bytes: UnsafeRawBufferPointer) -> JSONFeedFormat {
        guard let start = unsafe bytes.firstIndex(where: { !JSONWhiteSpace.contains($0) }) else { return .lines }
        if unsafe !startsValue(bytes[start]) || breaksOffAtLine(UnsafeRawBufferPointer(rebasing: bytes[start...])) {
            return .lines
        }
        let isArray = unsafe bytes[start] == UInt8(ascii: "[")
        var scanner = ContainerScanner()
        guard let length = unsafe scanner.end(in: UnsafeRawBufferPointer(rebasing: bytes[start...])) else {
            // The first value is longer than what was read; a line break inside says that lines do not separate values.
            if isArray { return .array }
            return unsafe bytes[start...].contains(UInt8(ascii: "\n")) ? .concatenated : .lines
        }
        let end = start + length
        let hasLineBreakInside = unsafe bytes[start..<end].contains(UInt8(ascii: "\n"))
        guard let next = unsafe bytes[end...].firstIndex(where: { !JSONWhiteSpace.contains($0) }) else {
            return isArray ? .array : hasLineBreakInside ? .concatenated : .lines
        }
        let isOnNextLine = unsafe bytes[end..<next].contains(UInt8(ascii: "\n"))
        return isOnNextLine && !hasLineBreakInside ? .lines : isArray && hasLineBreakInside ? .array : .concatenated
    }

    /// Whether a first line ends in the middle of a value in a way that no JSON goes on from: then the line is a damaged record,
    /// and the next one starts another (YAJL.md, P31).
    private static func breaksOffAtLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let lineEnd = unsafe bytes.firstIndex(of: UInt8(ascii: "\n")) else { return false }
        var scanner = ContainerScanner()
        let line = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<lineEnd])
        if unsafe scanner.end(in: line) != nil || scanner.isInScalar { return false }
        if scanner.isInsideString { return true }
        guard let next = unsafe bytes[lineEnd...].first(where: { !JSONWhiteSpace.contains($0) }),
            let last = unsafe line.last(where: { !JSONWhiteSpace.contains($0) })
        else { return false }
        let goesOn =
            last == UInt8(ascii: "{") || last == UInt8(ascii: "[") || last == UInt8(ascii: ",") || last == UInt8(ascii: ":")
        let isGoneOnWith =
            next == UInt8(ascii: ",") || next == UInt8(ascii: ":") || next == UInt8(ascii: "]") || next == UInt8(ascii: "}")
        return !goesOn && !isGoneOnWith
    }

    private static func startsValue(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            true
        default: false
        }
    }
}
