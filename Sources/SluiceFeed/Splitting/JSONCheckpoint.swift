// Where a feed stood behind a record: small enough to be stored with each batch of records, and enough to go on with the next one.

public import SluiceCore

/// A place in a feed, behind a record: reading goes on from there with the very next record.
///
/// ```swift
/// let feed = try JSONFeed<Event>(path: "events.json", resumingFrom: saved)     // nil begins at the beginning
/// while let event = try feed.next() {
///     try store(event, and: feed.checkpoint)                                   // in one transaction
/// }
/// ```
///
/// It is `Codable`. A feed whose beginning has changed, or that has become shorter, is refused; one that has grown is taken up where it
/// ended.
public struct JSONCheckpoint: Codable, Sendable, Hashable {
    /// What this version of Sluice writes.
    public static let currentVersion = 1

    /// The version of the checkpoint's own layout.
    public private(set) var version = Self.currentVersion
    /// Bytes of the text before the next record, or before what separates it from the last one.
    public let offset: Int
    /// The line of that place, counted from 1.
    public let line: Int
    /// Its column in bytes, counted from 1.
    public let column: Int
    /// Records before that place, rejected ones included: the index of the next one.
    public let recordIndex: Int
    /// The layout of the feed.
    public let format: JSONFeedFormat
    /// Where the records stand in its documents.
    public let path: String
    /// Where the place lies in the document.
    let standing: Standing
    /// The header of a feed that has one.
    let header: Header?
    /// The size of the feed in bytes, where it was known.
    public let feedSize: Int?
    /// How many of the feed's first bytes `headHash` is made of.
    let headSize: Int
    let headHash: UInt64
    /// The fingerprint of the model that the records were read as (`JSONModelSchema.fingerprint`); nil if they are no models.
    public var schemaFingerprint: UInt64?
    /// Of a compressed feed: bytes of the file before the member that holds the place.
    public var memberOffset: Int?
    /// Of a compressed feed: bytes of text before that member.
    public var memberTextOffset: Int?

    /// The first row of a feed that has a header.
    struct Header: Codable, Sendable, Hashable {
        /// Its names; nil as long as it has not come.
        var names: [String]?
    }

    /// Where a place lies in a document.
    struct Standing: Codable, Sendable, Hashable {
        enum Place: String, Codable, Sendable {
            case outside, beforeArray, beforeFirst, beforeElement, afterElement, closed, afterRecord
        }

        var place = Place.outside
        /// Where the array at hand began, for errors.
        var arrayStart = SourcePosition.start.numbers
        /// Where the line began, or the text of a sequence, in which records stand at a path.
        var textStart: [Int]?
        /// The containers on the path that are open.
        var levels: [RecordWalk.Level] = []
        /// Whether the only document of the feed has begun.
        var hasDocument = false
        /// Whether documents have been read to their ends, and whether something stood at the path.
        var hasWholeDocument = false
        var hasMatched = false
        /// Whether the rest of a damaged document is to be passed over.
        var isRecovering = false
    }

    /// The place with its line and column.
    public var position: SourcePosition { SourcePosition(offset: offset, line: line, column: column) }

    /// Bytes of the text that the next record has before it at the least. A document that was given up may be wrong at the place itself.
    package var leastOffset: Int { standing.isRecovering ? offset + 1 : offset }

    /// An error of a checkpoint that belongs to something else.
    static func unusable(_ expected: String, _ found: String) -> JSONError {
        JSONError(.unusableCheckpoint, expected: expected, found: found, hint: "begin the feed anew")
    }
}

extension SourcePosition {
    /// Offset, line and column, to be stored.
    var numbers: [Int] { [offset, line, column] }

    init(numbers: [Int]) {
        self = numbers.count == 3 ? SourcePosition(offset: numbers[0], line: numbers[1], column: numbers[2]) : .start
    }
}
