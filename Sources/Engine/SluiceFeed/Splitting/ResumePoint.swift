// The point after a record: little enough to be kept for each record, and enough to make a checkpoint when one is wanted.

package import SluiceCore

/// Tracks the point after each record of a feed, from which another feed can go on.
///
/// ```swift
/// var point = splitter.resumePoint
/// while let slice = splitter.nextSlice() {
///     point.enter(slice)
///     …                                                            // for each record of the slice:
///     point.pass(records.entryIndex, end: records.end)
///     if isBatchFull { save(point.checkpoint(totalBytes: size)) }
/// }
/// ```
package struct ResumePoint: Sendable {
    private(set) var mark: Mark
    private(set) var origin: FeedOrigin
    /// The layout of the feed, once it is known.
    package private(set) var format: JSONFeedFormat
    /// The text of the slice that is being used.
    private var text: SliceText?
    /// Its records; nil if they are lines.
    private var entries: [FeedSlice.Entry]?

    init(_ mark: Mark, _ origin: FeedOrigin, _ format: JSONFeedFormat) {
        self.mark = mark
        self.origin = origin
        self.format = format
    }

    /// The beginning of a feed.
    package init() { self.init(Mark(), FeedOrigin(), .automatic) }

    /// The position after the last record.
    package var position: SourcePosition { mark.position }
    /// The number of records before this position, rejected ones included.
    package var recordCount: Int { mark.recordCount }

    /// Notes that the records passed next are those of this slice.
    package mutating func enter(_ slice: FeedSlice) {
        format = slice.format
        origin = slice.origin
        mark.tail = tail(of: mark)
        (text, entries) = (slice.text, slice.entries)
    }

    /// The digest of a certain number of bytes before the position; nil if that text is no longer in memory.
    package func tail(of count: Int) -> TailDigest? {
        text?.tail(before: mark.position.offset, most: count).flatMap { $0.size == count ? $0 : nil }
    }

    private func tail(of mark: Mark) -> TailDigest? { mark.tail ?? text?.tail(before: mark.position.offset) }

    /// Moves on after a record of a slice that was returned or rejected.
    ///
    /// - Parameters:
    ///   - entry: See ``FeedSliceReader/entryIndex``.
    ///   - end: The position after the record.
    ///   - passed: How many records to count: this one, and those just before it that were not passed one by one.
    package mutating func pass(_ entry: Int?, end: SourcePosition, count passed: Int = 1) {
        // The cutter does not count lines that it cuts off as one block.
        let count = mark.recordCount + passed
        if let entry, let entries {
            mark = entries[entry].mark
        } else {
            mark.position = end
            mark.tail = nil
        }
        mark.recordCount = count
    }

    /// Moves on to the end of the feed, after its last slice.
    ///
    /// - Parameter known: The cutter's state at the end.
    mutating func end(at known: Mark) {
        let count = mark.recordCount
        mark = known
        mark.recordCount = count
    }

    /// Notes what the documents of the whole feed have at the path of the records; the position stays after the last record.
    package mutating func noteEnd(_ found: PathFindings) {
        mark.standing.hasMatched = found.isFound
        mark.standing.absentAtEnd = found.absentCount == 0 ? nil : found.absentCount
    }

    /// Moves on to an error that ends the feed.
    ///
    /// - Parameter known: The cutter's state at the error. Here the cutter has counted all records.
    mutating func fail(at known: Mark) { mark = known }

    /// The checkpoint of this point.
    ///
    /// - Parameter totalBytes: The size of the feed, if it is known.
    package func checkpoint(totalBytes: Int?) -> JSONCheckpoint {
        var known = mark
        known.tail = tail(of: mark)
        return origin.checkpoint(known, format: format, totalBytes: totalBytes)
    }
}

extension RecordSplitter {
    /// The point after the record that was returned or rejected last.
    package var resumePoint: ResumePoint { ResumePoint(markWithTail, origin, format) }
}
