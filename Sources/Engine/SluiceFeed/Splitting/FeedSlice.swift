// A feed is cut into slices of whole records, which workers read independently. A feed of lines is cut at the last line break of the
// bytes read so far; other feeds are cut record by record, by brackets and quotes.

package import SluiceCore

/// Consecutive records of a feed.
@safe
package struct FeedSlice: Sendable {
    /// A record of a slice that was cut record by record, or the error that the cutter met instead.
    struct Entry: Sendable {
        enum Kind: Sendable {
            /// The record's bytes in the slice.
            case record(Range<Int>)
            /// A record that the cutter rejects; the range of its text in the slice is empty if the text was not kept.
            case rejected(JSONError, Range<Int>)
            /// An error that ends the feed.
            case failed(JSONError)
        }

        var kind: Kind
        /// The text in the slice of the row that the record was made of; nil if the record is in the feed as it is.
        var row: Range<Int>?
        /// The record's byte range in the feed.
        var range: Range<Int>
        /// The position where the record starts.
        var start: SourcePosition
        /// The position after the record: the feed has been used up to here.
        var end: SourcePosition
        /// The cutter's state after the record.
        var mark: Mark
        /// How many envelopes ended before the record, counted from the beginning of the feed.
        var envelopeCount = 0
        /// Whether the feed ended inside the record, or inside the rejected document.
        var endsInRecord = false
    }

    /// The text of the records, and small pieces of text between them.
    package var bytes: [UInt8] = []
    /// The first bytes of `bytes` are the text of the feed from `start` on, without a gap: this many.
    var textSize = 0
    /// The text just before the slice, as much as a checkpoint's digest covers.
    var before: [UInt8] = []
    /// The position in the feed where the slice starts.
    package var start: SourcePosition
    /// The position after the slice.
    package var end: SourcePosition
    /// The records; nil if they are the lines of `bytes`.
    var entries: [Entry]?
    /// The layout of the feed.
    package var format: JSONFeedFormat
    let maximumRecordSize: Int
    /// How records become objects that are not rows under a header; nil if they do not.
    var wrapping: RecordWrapping?
    /// The values that all checkpoints of the feed share.
    var origin = FeedOrigin()
    /// The cutter's state at the end of the feed, set in the last slice; nil in the others.
    var endMark: Mark?
    /// What the feed's documents up to here have at the path of the records; nil without a path.
    package var pathFindings: PathFindings?
    /// How many envelopes the whole feed has; set in the last slice.
    var envelopeCount = 0

    /// Adds bytes of the feed, or made of them. Returns their position.
    mutating func append(_ text: UnsafeRawBufferPointer) -> Range<Int> {
        let start = bytes.count
        unsafe bytes.append(contentsOf: text)
        return start..<bytes.count
    }

    /// The range of the text of the row that a record was made of; nil if the record is in the feed as it is.
    ///
    /// - Parameter entry: See ``FeedSliceReader/entryIndex``.
    package func row(ofEntry entry: Int?) -> Range<Int>? { entry.flatMap { entries?[$0].row } }

    /// An error of a record, with its position in the feed.
    ///
    /// - Parameter entry: See ``FeedSliceReader/entryIndex``.
    package func located(_ error: JSONError, ofEntry entry: Int?, at position: SourcePosition) -> JSONError {
        guard let entry = entry.flatMap({ entries?[$0] }), let row = entry.row else { return error.shifted(by: position) }
        let objects = RowObjects(wrapping)
        if wrapping == nil { objects.names = origin.header?.names }
        objects.key = entry.mark.key ?? []
        _ = unsafe bytes.withUnsafeBytes { unsafe objects.makeObject(of: UnsafeRawBufferPointer(rebasing: $0[row])) }
        return objects.located(error, in: position)
    }

    /// The text of the slice as far as it has no gap, for digests.
    var text: SliceText { SliceText(start: start.offset, before: before, bytes: bytes, size: textSize) }
}

/// Reads the records of a slice one after the other.
@safe
package struct FeedSliceReader {
    /// A record, or the error in its place.
    package enum Step {
        /// A record that lies in ``FeedSliceReader/text``.
        case record
        /// A record that is rejected, for example because it is too long.
        case rejected(JSONError)
        /// An error that ends the feed.
        case failed(JSONError)
    }

    private let slice: FeedSlice
    private let bytes: UnsafeRawBufferPointer
    private var index = 0
    /// The byte range in the feed of the last step's record.
    package private(set) var range = 0..<0
    /// The bytes of the record, valid while the slice lives; empty for one whose text was not kept.
    package private(set) var text: UnsafeRawBufferPointer
    /// The position where the record starts.
    package private(set) var recordStart = SourcePosition.start
    /// The position after the record: the feed has been used up to here.
    package private(set) var end: SourcePosition
    /// The index of the record's entry in the slice; nil in a slice of lines.
    package private(set) var entryIndex: Int?
    /// An error of the last step's record, with its position in the feed.
    package func located(_ error: JSONError) -> JSONError { slice.located(error, ofEntry: entryIndex, at: recordStart) }
    /// Whether the feed ended inside the last step's record, or inside the rejected document; see ``RecordSplitter/endsInRecord``.
    package private(set) var endsInRecord = false

    /// - Parameter bytes: The slice's own bytes. The caller keeps them in place while this reader is used.
    package init(_ slice: FeedSlice, _ bytes: UnsafeRawBufferPointer) {
        self.slice = slice
        unsafe (self.bytes, text) = unsafe (bytes, UnsafeRawBufferPointer(rebasing: bytes[..<0]))
        end = slice.start
    }

    /// The next record, or nil at the end of the slice.
    package mutating func next() -> Step? {
        guard let entries = slice.entries else { return nextLine() }
        guard index < entries.count else {
            end = slice.end
            return nil
        }
        entryIndex = index
        range = entries[index].range
        recordStart = entries[index].start
        end = entries[index].end
        endsInRecord = entries[index].endsInRecord
        index += 1
        switch entries[index - 1].kind {
        case .record(let range):
            unsafe text = UnsafeRawBufferPointer(rebasing: bytes[range])
            return .record
        case .rejected(let error, let range):
            unsafe text = UnsafeRawBufferPointer(rebasing: bytes[range])
            return .rejected(error)
        case .failed(let error): return .failed(error)
        }
    }

    private mutating func nextLine() -> Step? {
        while unsafe index < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[index...])
            let lineBreak = unsafe rest.firstLineBreak
            let line = unsafe UnsafeRawBufferPointer(rebasing: rest[..<(lineBreak ?? rest.count)])
            recordStart = end
            end.offset += line.count
            index += line.count
            if lineBreak == nil {
                end.column += line.count
            } else {
                index += 1
                end.offset += 1
                end.line += 1
                end.column = 1
            }
            if unsafe RecordSplitter.isBlank(line) { continue }
            range = recordStart.offset..<(recordStart.offset + line.count)
            unsafe text = unsafe line
            // Only the last line of a feed has no line break.
            if lineBreak == nil {
                endsInRecord = unsafe line.count > slice.maximumRecordSize || ContainerScanner.isOpen(line)
            }
            if line.count > slice.maximumRecordSize {
                unsafe text = UnsafeRawBufferPointer(rebasing: bytes[..<0])
                return .rejected(RecordSplitter.oversized(line.count, recordStart, limit: slice.maximumRecordSize))
            }
            return .record
        }
        return nil
    }
}

/// The text of a slice, and the bytes before it.
struct SliceText: Sendable {
    /// Where the text starts in the feed.
    let start: Int
    let before: [UInt8]
    let bytes: [UInt8]
    /// How many of the bytes are the feed's text, without a gap.
    let size: Int

    /// The digest of at most `count` bytes before a position in the slice or just before it; nil if none of them is here.
    func tail(before offset: Int, most count: Int = TailDigest.reach) -> TailDigest? {
        let end = offset - start
        guard end > -before.count, end <= size else { return nil }
        let own = bytes[max(end - count, 0)..<max(end, 0)]
        let last = before.dropLast(max(-end, 0)).suffix(count - own.count) + own
        return last.isEmpty ? nil : TailDigest(of: Array(last))
    }
}
