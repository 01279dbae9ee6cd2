// The layout of a feed: how its records follow each other, and how it is found from the first bytes.

internal import SluiceCore

/// The layout of a feed.
public enum JSONFeedFormat: String, Sendable, Hashable, Codable, CaseIterable {
    /// Chosen by the first bytes of the feed, 256 KiB at most.
    case automatic
    /// One value per line (NDJSON, JSON Lines); blank lines are skipped.
    case lines
    /// The elements of one top-level array.
    case array
    /// Values one after the other, with or without white space between them.
    case concatenated
    /// A single value: a document that is itself one record, or that has records at a path.
    case object
    /// Values, each with the byte 0x1E (record separator) before it and a line break after it (RFC 7464).
    case sequence

    /// Chooses the layout by the first value. An array means `array` if it continues after its line, or if nothing follows it. Otherwise
    /// the value means `lines` if it ends on its line and nothing else is on that line, and `concatenated` if not. A first line that no
    /// JSON can continue is a damaged record of `lines`.
    static func detect(_ bytes: UnsafeRawBufferPointer) -> JSONFeedFormat {
        unsafe detect(bytes, isComplete: true) ?? .lines
    }

    /// Chooses the layout as above. Returns nil if more bytes could change the choice; a layout that is returned is final.
    ///
    /// - Parameters:
    ///   - isComplete: Whether a layout must be chosen: no more bytes come, or enough have come.
    ///   - hasHeader: Whether records are rows, that is, arrays: so an array of something else is a row, not the feed's array.
    ///   - hasPath: Whether records are at a path in documents. A document longer than `bytes` is then read on in pieces.
    static func detect(_ bytes: UnsafeRawBufferPointer, isComplete: Bool, hasPath: Bool = false, hasHeader: Bool = false)
        -> JSONFeedFormat?
    {
        guard let start = unsafe bytes.firstIndex(where: { !JSONWhiteSpace.contains($0) }) else {
            return isComplete ? .lines : nil
        }
        if unsafe bytes[start] == RecordSplitter.recordSeparator { return .sequence }
        if unsafe ValueKind(firstByte: bytes[start]) == nil { return .lines }
        let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
        let isArray = unsafe text[0] == UInt8(ascii: "[")
        var scanner = ContainerScanner()
        let firstLine = unsafe text.firstIndex(of: UInt8(ascii: "\n")).map {
            unsafe UnsafeRawBufferPointer(rebasing: text[..<$0])
        }
        if let end = unsafe scanner.end(in: firstLine ?? text) {
            return unsafe layout(
                after: end, in: text, isArray: isArray && !(hasHeader && isRow(text)), isComplete: isComplete)
        }
        guard let firstLine = unsafe firstLine else {
            // The first value is longer than the bytes read so far, and these have no line break.
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
        after end: Int, in text: UnsafeRawBufferPointer, isArray: Bool, isComplete: Bool
    ) -> JSONFeedFormat? {
        let rest = unsafe text[end...]
        let next = unsafe rest.firstIndex { !JSONWhiteSpace.contains($0) }
        let hasLineBreak = unsafe rest[..<(next ?? text.count)].contains(UInt8(ascii: "\n"))
        // An array alone on its line may be the whole feed; any other value alone on its line is one of many.
        if next == nil, !isComplete, isArray || !hasLineBreak { return nil }
        if next == nil { return isArray ? .array : .lines }
        return hasLineBreak ? .lines : .concatenated
    }

    /// Whether an array's first element is not an array.
    private static func isRow(_ text: UnsafeRawBufferPointer) -> Bool {
        unsafe text.dropFirst().first { !JSONWhiteSpace.contains($0) } != UInt8(ascii: "[")
    }

    /// Whether no JSON can continue the unfinished first line with the byte `next`. Then the line is a damaged record, and the next line
    /// begins another record (YAJL.md, P31).
    private static func breaksOff(_ line: UnsafeRawBufferPointer, before next: UInt8) -> Bool {
        guard let last = unsafe line.last(where: { !JSONWhiteSpace.contains($0) }) else { return false }
        let goesOn =
            last == UInt8(ascii: "{") || last == UInt8(ascii: "[") || last == UInt8(ascii: ",") || last == UInt8(ascii: ":")
        let isGoneOnWith =
            next == UInt8(ascii: ",") || next == UInt8(ascii: ":") || next == UInt8(ascii: "]") || next == UInt8(ascii: "}")
        return !goesOn && !isGoneOnWith
    }
}
