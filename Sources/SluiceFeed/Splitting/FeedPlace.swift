// Where a feed stands behind a record: little enough to be noted with each record, and enough to make a checkpoint when one is wanted.

package import SluiceCore

/// Where a splitter stood behind a record.
package struct Mark: Sendable {
    var position = SourcePosition.start
    var recordCount = 0
    var standing = JSONCheckpoint.Standing()
}

/// What the checkpoints of one feed have in common.
struct FeedOrigin: Sendable {
    var path = ""
    var header: JSONCheckpoint.Header?
    /// The first bytes of the feed.
    var head: [UInt8] = []
    /// Their number and hash, where the feed was taken up behind them.
    var resumed: (size: Int, hash: UInt64)?

    /// Whether nothing is to be learned about the feed's beginning any more.
    var isKnown: Bool { (resumed != nil || head.count == FeedBuffer.headSize) && (header == nil || header?.names != nil) }

    func checkpoint(_ mark: Mark, format: JSONFeedFormat, totalBytes: Int?) -> JSONCheckpoint {
        let known = head.prefix(mark.position.offset)
        let fingerprint = resumed ?? (known.count, RecordSplitter.hash(known))
        return JSONCheckpoint(
            offset: mark.position.offset, line: mark.position.line, column: mark.position.column, recordIndex: mark.recordCount,
            format: format, path: path, standing: mark.standing, header: header, feedSize: totalBytes,
            headSize: fingerprint.size, headHash: fingerprint.hash)
    }
}

/// Follows a feed from record to record.
///
/// ```swift
/// var place = splitter.place
/// while let record = try splitter.next() {
///     place.pass(behind: splitter)
///     if isBatchFull { save(place.checkpoint(totalBytes: size)) }
/// }
/// ```
package struct FeedPlace: Sendable {
    private(set) var mark: Mark
    private var markBefore: Mark
    private(set) var origin: FeedOrigin
    /// The layout of the feed, once it is known.
    package private(set) var format: JSONFeedFormat

    init(_ mark: Mark, _ origin: FeedOrigin, _ format: JSONFeedFormat) {
        self.mark = mark
        markBefore = mark
        self.origin = origin
        self.format = format
    }

    /// The beginning of a feed.
    package init() { self.init(Mark(), FeedOrigin(), .automatic) }

    /// The place behind the last record.
    package var position: SourcePosition { mark.position }
    /// Records before this place, rejected ones included.
    package var recordCount: Int { mark.recordCount }

    /// A splitter has given out or rejected a record.
    package mutating func pass(behind splitter: borrowing RecordSplitter) {
        markBefore = mark
        mark = splitter.mark
        guard !origin.isKnown || format == .automatic else { return }
        origin = splitter.origin
        format = splitter.detectedFormat
    }

    /// The records that are passed next are those of a slice.
    package mutating func enter(_ slice: FeedSlice) { enter(slice.format, slice.origin) }

    mutating func enter(_ format: JSONFeedFormat, _ origin: FeedOrigin) {
        self.format = format
        self.origin = origin
    }

    /// A slice has given out or rejected a record.
    ///
    /// - Parameters:
    ///   - known: Where the slice's cutter stood behind the record; nil in a slice of lines.
    ///   - end: The place behind the record.
    ///   - passed: How many records have been passed, of which this is the last.
    package mutating func pass(_ known: Mark?, end: SourcePosition, count passed: Int = 1) {
        markBefore = mark
        // Lines that are cut off together are not counted by the cutter.
        let count = mark.recordCount + passed
        if let known { mark = known } else { mark.position = end }
        mark.recordCount = count
    }

    /// The last slice has been read.
    ///
    /// - Parameter known: Where its cutter stood.
    mutating func end(at known: Mark) {
        let count = mark.recordCount
        mark = known
        mark.recordCount = count
    }

    /// The feed ends with an error.
    ///
    /// - Parameter known: Where the cutter stood, which counts all records.
    mutating func fail(at known: Mark) { mark = known }

    /// Takes back the last pass: its record is to be read again. Not to be called twice for one record.
    package mutating func stepBack() { mark = markBefore }

    /// The checkpoint of this place.
    ///
    /// - Parameter totalBytes: The size of the feed, if it is known.
    package func checkpoint(totalBytes: Int?) -> JSONCheckpoint {
        origin.checkpoint(mark, format: format, totalBytes: totalBytes)
    }
}

extension RecordSplitter {
    /// The place behind the record that was given out or rejected last.
    package var place: FeedPlace { FeedPlace(mark, origin, format) }
}
