// A record that could not be read: where it is, and why it was rejected.

public import SluiceCore

/// A record of a feed that was rejected.
///
/// ```swift
/// for record in feed.rejectedRecords {
///     print(record.line, record.range, record.error.path, record.error.expected, record.error.found)
/// }
/// ```
public struct JSONRejectedRecord: Sendable, Hashable {
    /// The record's byte range, counted from the start of the feed's text. The range of a line ends before its line break.
    public let range: Range<Int>
    /// The place where the record begins.
    public let position: SourcePosition
    /// The record's index in the feed, counted from 0; rejected records count, too.
    public let index: Int
    /// The reason, with its place in the feed and its path within the record.
    public let error: JSONError

    /// The line in which the record begins, counted from 1.
    public var line: Int { position.line }

    /// Compares all properties.
    public static func == (left: JSONRejectedRecord, right: JSONRejectedRecord) -> Bool {
        left.range == right.range && left.position == right.position && left.index == right.index && left.error == right.error
    }

    /// Hashes the range and the index.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(range)
        hasher.combine(index)
    }
}
