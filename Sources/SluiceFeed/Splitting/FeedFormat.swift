// How records stand one behind the other.

internal import SluiceCore

/// The layout of a feed.
public enum JSONFeedFormat: String, Sendable, Hashable, Codable, CaseIterable {
    /// Found from the first bytes, at the latest from 256 KiB of them.
    case automatic
    /// One value a line (NDJSON, JSON Lines); blank lines are passed over.
    case lines
    /// The elements of one top-level array.
    case array
    /// Values one behind the other, with or without white space between them.
    case concatenated
    /// One value and nothing else: a document that is one record, or that holds records at a path.
    case object
    /// Values that each have the byte 0x1E (record separator) before them and a line break behind them (RFC 7464).
    case sequence

    /// Decides by the first bytes: an array unless more follows behind its line; one value a line unless the first value does
    /// not end with its line. What cannot be a value across lines is a damaged line.
    static func detect(_ bytes: UnsafeRawBufferPointer) -> JSONFeedFormat {
        unsafe detect(bytes, isComplete: true) ?? .lines
    }

    /// The same, or nil if more bytes could change the answer: whatever follows, an answer stays as it is.
    ///
    /// - Parameters:
    ///   - isComplete: Whether an answer must be given.
    ///   - hasPath: Whether records stand inside documents: one that is longer than what has been read is read on in pieces then.
    static func detect(_ bytes: UnsafeRawBufferPointer, isComplete: Bool, hasPath: Bool = false) -> JSONFeedFormat? {
        guard let start = unsafe bytes.firstIndex(where: { !JSONWhiteSpace.contains($0) }) else {
            return isComplete ? .lines : nil
        }
        if unsafe bytes[start] == RecordSplitter.recordSeparator { return .sequence }
        if unsafe !startsValue(bytes[start]) { return .lines }
        let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
        let isArray = unsafe text[0] == UInt8(ascii: "[")
        var scanner = ContainerScanner()
        let firstLine = unsafe text.firstIndex(of: UInt8(ascii: "\n")).map {
            unsafe UnsafeRawBufferPointer(rebasing: text[..<$0])
        }
        if let end = unsafe scanner.end(in: firstLine ?? text) {
            return unsafe layout(behind: end, in: text, isArray: isArray, isComplete: isComplete)
        }
        guard let firstLine = unsafe firstLine else {
            // The first value is longer than what was read, and has no line break.
            return isComplete ? isArray ? .array : hasPath ? .concatenated : .lines : nil
        }
        // A number or literal ends with its line.
        if scanner.isInScalar { return .lines }
        if scanner.isInsideString { return .lines }
        guard let next = unsafe text[firstLine.count...].first(where: { !JSONWhiteSpace.contains($0) }) else {
            return isComplete ? isArray ? .array : .concatenated : nil
        }
        if unsafe breaksOff(firstLine, before: next) { return .lines }
        return isArray ? .array : .concatenated
    }

    /// The layout where the first value has ended inside the first line.
    private static func layout(
        behind end: Int, in text: UnsafeRawBufferPointer, isArray: Bool, isComplete: Bool
    ) -> JSONFeedFormat? {
        let rest = unsafe text[end...]
        let next = unsafe rest.firstIndex { !JSONWhiteSpace.contains($0) }
        let hasLineBreak = unsafe rest[..<(next ?? text.count)].contains(UInt8(ascii: "\n"))
        // An array that has a line of its own may be all there is; any other value with a line of its own is one of many.
        if next == nil, !isComplete, isArray || !hasLineBreak { return nil }
        if next == nil { return isArray ? .array : .lines }
        return hasLineBreak ? .lines : .concatenated
    }

    /// Whether a first line ends in the middle of a value in a way that no JSON goes on from: then the line is a damaged record,
    /// and the next one starts another (YAJL.md, P31).
    private static func breaksOff(_ line: UnsafeRawBufferPointer, before next: UInt8) -> Bool {
        guard let last = unsafe line.last(where: { !JSONWhiteSpace.contains($0) }) else { return false }
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
