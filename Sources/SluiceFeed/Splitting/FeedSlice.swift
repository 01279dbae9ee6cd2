// A feed is cut into slices of whole records, which workers read on their own: of lines, at the last line break of what has been read;
// otherwise record by record, by brackets and quotes.

package import SluiceCore

/// Some records of a feed, one behind the other.
@safe
package struct FeedSlice: Sendable {
    /// A record of a slice that was cut record by record, or what the cutter met instead.
    struct Entry: Sendable {
        enum Kind: Sendable {
            /// The record's bytes in the slice.
            case record(Range<Int>)
            /// A record that the cutter refuses, with what is there of its text.
            case rejected(JSONError, Range<Int>)
            /// An error that ends the feed.
            case failed(JSONError)
        }

        var kind: Kind
        /// Where the record stands in the feed.
        var range: Range<Int>
        /// Where it starts.
        var start: SourcePosition
        /// The place behind it, as far as the feed is used then.
        var end: SourcePosition
        /// Where the cutter stood behind it.
        var mark: Mark
        /// Envelopes that ended before it, counted from the beginning of the feed.
        var envelopeCount = 0
        /// Whether the feed ended inside the document that is rejected.
        var endsInDocument = false
    }

    /// The text of the records.
    package var bytes: [UInt8] = []
    /// Where the slice starts in the feed.
    package var start: SourcePosition
    /// The place behind it.
    package var end: SourcePosition
    /// The records; nil if they are the lines of `bytes`.
    var entries: [Entry]?
    /// The layout of the feed.
    package var format: JSONFeedFormat
    let maximumRecordSize: Int
    /// What the checkpoints of the feed have in common.
    var origin = FeedOrigin()
    /// Where the cutter stood behind the last record of the feed; nil before its end.
    var endMark: Mark?
    /// Envelopes of the whole feed, known with its end.
    var envelopeCount = 0
}

/// Goes through the records of a slice.
@safe
package struct FeedSliceReader {
    /// A record, or what stands in its place.
    @safe
    package enum Step {
        /// A record: its bytes, valid while the slice lives, and where they start.
        case record(UnsafeRawBufferPointer, SourcePosition)
        /// A record that is refused, such as one that is too long, and what is there of its text.
        case rejected(JSONError, UnsafeRawBufferPointer)
        /// An error that ends the feed.
        case failed(JSONError)
    }

    private let slice: FeedSlice
    private let bytes: UnsafeRawBufferPointer
    private var index = 0
    private var position: SourcePosition
    /// Where the record of the last step stands in the feed.
    package private(set) var range = 0..<0
    /// Where it starts.
    package private(set) var recordStart = SourcePosition.start
    /// The place behind it, as far as the feed is used then.
    package var end: SourcePosition { position }
    /// Where the cutter stood behind it; nil in a slice of lines, where the place says all.
    package private(set) var mark: Mark?
    /// Envelopes that ended before it, counted from the beginning of the feed.
    private(set) var envelopeCount = 0
    /// Whether the feed ended inside the document that is rejected.
    package private(set) var endsInDocument = false

    /// - Parameter bytes: the slice's own, kept in place by the caller.
    package init(_ slice: FeedSlice, _ bytes: UnsafeRawBufferPointer) {
        self.slice = slice
        unsafe self.bytes = unsafe bytes
        position = slice.start
    }

    /// The next record, or nil at the end of the slice.
    package mutating func next() -> Step? {
        guard let entries = slice.entries else { return nextLine() }
        guard index < entries.count else {
            position = slice.end
            return nil
        }
        let entry = entries[index]
        index += 1
        range = entry.range
        recordStart = entry.start
        position = entry.end
        mark = entry.mark
        envelopeCount = entry.envelopeCount
        endsInDocument = entry.endsInDocument
        switch entry.kind {
        case .record(let place): return unsafe .record(UnsafeRawBufferPointer(rebasing: bytes[place]), entry.start)
        case .rejected(let error, let place): return unsafe .rejected(error, UnsafeRawBufferPointer(rebasing: bytes[place]))
        case .failed(let error): return .failed(error)
        }
    }

    private mutating func nextLine() -> Step? {
        while unsafe index < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[index...])
            let lineBreak = unsafe rest.firstLineBreak
            let line = unsafe UnsafeRawBufferPointer(rebasing: rest[..<(lineBreak ?? rest.count)])
            let start = position
            position.offset += line.count
            position.column += line.count
            index += line.count
            if lineBreak != nil {
                index += 1
                position = SourcePosition(offset: position.offset + 1, line: position.line + 1, column: 1)
            }
            if unsafe line.allSatisfy(JSONWhiteSpace.contains) { continue }
            range = start.offset..<(start.offset + line.count)
            recordStart = start
            if line.count > slice.maximumRecordSize {
                let error = RecordSplitter.oversized(line.count, start, limit: slice.maximumRecordSize)
                return unsafe .rejected(error, UnsafeRawBufferPointer(rebasing: bytes[..<0]))
            }
            return unsafe .record(line, start)
        }
        return nil
    }
}
