// A feed's state after a record: small enough to be stored with each batch of records, and enough to continue with the next record.

package import SluiceCompression
package import SluiceCore

/// A position in a feed after a record: reading can continue from it with the very next record.
///
/// ```swift
/// let feed = try JSONFeed<Event>(path: "events.json", resumingFrom: saved)     // nil begins at the beginning
/// while let event = try feed.next() {
///     try store(event, and: feed.checkpoint)                                   // in one transaction
/// }
/// ```
///
/// Store it with any encoder: it is `Codable`. A feed that has become shorter, or whose text has changed at its beginning or just before
/// the position, is refused. If the feed has grown, reading continues where it ended.
public struct JSONCheckpoint: Codable, Sendable, Hashable {
    /// The version of the checkpoint format that this version of Sluice writes.
    package static let currentVersion = 1

    /// The version of this checkpoint's own format.
    package private(set) var version = Self.currentVersion
    /// The byte offset in the feed's (decompressed) text, before the next record or the separator in front of it.
    public let offset: Int
    /// The line at that offset, counted from 1.
    package let line: Int
    /// The column at that offset in bytes, counted from 1.
    package let column: Int
    /// The number of records before that offset, rejected ones included; also the index of the next record.
    package let recordIndex: Int
    /// The layout of the feed.
    package let format: JSONFeedFormat
    /// The path to the records in the feed's documents; empty if the feed's values are the records.
    package let path: String
    /// The position inside the current document.
    let standing: Standing
    /// The header row; nil if the feed was read without one.
    let header: Header?
    /// The size of the input in bytes when the checkpoint was made, if it was known.
    package let feedSize: Int?
    /// The number of bytes at the feed's beginning that `headHash` covers.
    let headSize: Int
    let headHash: UInt64
    /// The digest of the text just before `offset`; nil if that text was no longer in memory, and in checkpoints of earlier versions.
    package let tail: TailDigest?
    /// The fingerprint of the records' model (`JSONModelSchema.fingerprint`); nil if their type is not a model.
    package var schemaFingerprint: UInt64?
    /// In a compressed feed, the offset in the file of the compressed member that holds the position.
    package var memberOffset: Int?
    /// In a compressed feed, the offset in the text at which that member begins.
    package var memberTextOffset: Int?
    /// The digest of the compressed bytes just before that member; nil in checkpoints of earlier versions.
    var memberTail: TailDigest?
    /// The digest of the text between the beginning of that member and the position, if it is less than ``tail`` covers.
    var memberText: TailDigest?

    /// The first row of a feed that has a header.
    struct Header: Codable, Sendable, Hashable {
        /// The names in it; nil if it has not been read yet.
        var names: [String]?
    }

    /// A position inside a document.
    struct Standing: Codable, Sendable, Hashable {
        enum Place: String, Codable, Sendable {
            case outside, beforeArray, beforeFirst, beforeElement, afterElement, closed, afterRecord
        }

        var place = Place.outside
        /// Where the current array began, for errors.
        var arrayStart = SourcePosition.start.numbers
        /// Where the current line (or text of a sequence) began, if it is a document with records at a path.
        var textStart: [Int]?
        /// The containers on the path that are open.
        var levels: [EnvelopeParser.Level] = []
        /// Whether the only document of the feed has begun.
        var hasDocument = false
        /// Whether a document has been read to its end. Only earlier versions use it.
        var hasWholeDocument = false
        /// Whether a document has the path to the records, and how many lack it; nil for none.
        var hasMatched = false
        var absentCount: Int?
        /// How many documents of the whole feed lack it, if it has been read to its end: the last ones may come after the position.
        var absentAtEnd: Int?
        /// Whether the rest of a damaged document must be skipped.
        var isRecovering = false

        /// Notes what the documents have at the path to the records.
        mutating func note(_ found: PathFindings) {
            (hasMatched, hasWholeDocument) = (found.isFound, found.isFound || found.absentCount > 0)
            absentCount = found.absentCount == 0 ? nil : found.absentCount
        }
    }

    /// What the documents before the position have at the path to the records.
    package var pathFindings: PathFindings {
        PathFindings(isFound: standing.hasMatched, absentCount: standing.absentAtEnd ?? standing.absentCount ?? 0, error: nil)
    }

    /// How many bytes at the beginning of a feed identify it.
    package static var headSize: Int { FeedBuffer.headSize }

    /// The hash of the feed's first bytes, and how many it covers; nil if the bytes before the position cannot be compared.
    package var head: (size: Int, hash: UInt64)? { tail == nil || headSize == 0 ? nil : (headSize, headHash) }

    /// The hash of the first bytes of a feed.
    package static func hash(ofHead bytes: some Sequence<UInt8>) -> UInt64 { RecordSplitter.hash(bytes) }

    /// The position with its line and column.
    package var position: SourcePosition { SourcePosition(offset: offset, line: line, column: column) }

    /// Notes the member of a compressed feed from which reading can continue.
    ///
    /// - Parameters:
    ///   - member: The last position before a text offset where decompression can start, and the digest of the compressed bytes before it.
    ///   - text: The digest of a certain number of bytes before the position; nil if they are no longer in memory.
    package mutating func note(
        member: (Int) -> (boundary: CompressionBoundary, tail: TailDigest?), text: (Int) -> TailDigest?
    ) {
        var last = member(offset)
        let count = offset - last.boundary.textOffset
        if tail != nil, 0 < count, count < TailDigest.reach {
            memberText = text(count)
            // An earlier member gives enough text to compare.
            if memberText == nil { last = member(max(offset - TailDigest.reach, 0)) }
        }
        memberOffset = last.boundary.inputOffset
        memberTextOffset = last.boundary.textOffset
        memberTail = last.tail
    }

    /// The position after the rest of a line whose beginning was taken as a record.
    ///
    /// - Parameters:
    ///   - offset: The offset after the line break.
    ///   - breaks: How many line breaks lie between the position and that offset.
    package func passing(lineEndingAt offset: Int, breaks: Int) -> JSONCheckpoint {
        JSONCheckpoint(
            offset: offset, line: line &+ breaks, column: 1, recordIndex: recordIndex, format: format, path: path,
            standing: standing,
            header: header, feedSize: nil, headSize: headSize, headHash: headHash, tail: nil)
    }

    /// The position in the same feed, read by its lines; nil inside a document, and for records at a path.
    package var asLines: JSONCheckpoint? {
        guard path.isEmpty, header == nil, [.automatic, .concatenated, .lines].contains(format) else { return nil }
        var lines = JSONCheckpoint(
            offset: offset, line: line, column: column, recordIndex: recordIndex, format: .lines, path: "", standing: Standing(),
            header: nil, feedSize: nil, headSize: headSize, headHash: headHash, tail: tail)
        lines.memberText = memberText
        return lines
    }

    /// The error for a checkpoint that does not fit the feed or how it is read.
    static func unusable(_ expected: String, _ found: String) -> JSONError {
        JSONError(.unusableCheckpoint, expected: expected, found: found, hint: "begin the feed anew")
    }
}

extension SourcePosition {
    /// Offset, line and column, for storage.
    var numbers: [Int] { [offset, line, column] }

    init(numbers: [Int]) {
        self = numbers.count == 3 ? SourcePosition(offset: numbers[0], line: numbers[1], column: numbers[2]) : .start
    }
}
