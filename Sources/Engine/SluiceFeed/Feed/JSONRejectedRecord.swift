// A record that could not be read: where it is, and why it was rejected.

public import SluiceCore

/// A record of a feed that was rejected.
///
/// ```swift
/// for record in feed.rejectedRecords {
///     print(record.line, record.range, record.error.path, record.error.expected, record.error.found)
/// }
/// ```
public struct JSONRejectedRecord: Sendable, Equatable {
    /// The record's byte range, counted from the start of the feed's text. The range of a line ends before its line break.
    public let range: Range<Int>
    /// The position where the record begins.
    package let position: SourcePosition
    /// The record's index in the feed, counted from 0; rejected records count, too.
    package let index: Int
    /// The reason, with its position in the feed and its path within the record.
    public let error: JSONError

    /// The line in which the record begins, counted from 1.
    public var line: Int { position.line }
}
