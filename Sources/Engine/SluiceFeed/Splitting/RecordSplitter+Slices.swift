// Slices of a feed for workers.

internal import SluiceCore
internal import SluiceSystem

extension RecordSplitter {
    /// A slice that is cut record by record ends when its text has `sliceSize` bytes, or when it has `entryLimit` records.
    private static let sliceSize = 256 << 10
    private static let entryLimit = 4096

    /// The next slice, or nil after the last one. Errors are entries of the slice.
    ///
    /// A slice ends early if it would have to wait for more bytes. So records of a slow source do not wait for each other.
    ///
    /// - Parameter limit: How many records the slice has at most.
    package mutating func nextSlice(atMost limit: Int = .max) -> FeedSlice? {
        let before = position
        var slice = FeedSlice(start: before, end: before, format: format, maximumRecordSize: maximumRecordSize)
        if isBroken || hasEnded { return nil }
        do throws(JSONError) {
            guard try begins() else { return nil }
            slice.start = position
            // A block of lines may have as many records as bytes.
            if format != .lines || open != nil || walk != nil || header != nil || limit < buffer.size + Self.sliceSize {
                try fillEntries(of: &slice, limit: min(limit, Self.entryLimit))
            } else if try !fillLines(of: &slice) {
                try fillEntries(of: &slice, limit: 1)
            }
        } catch {
            var entries = slice.entries ?? []
            entries.append(
                .init(
                    kind: .failed(error), range: recordRange, start: position, end: position, mark: markWithTail,
                    envelopeCount: envelopeCount))
            slice.entries = entries
        }
        slice.end = position
        slice.format = format
        slice.origin = origin
        slice.wrapping = header?.wrapping
        if walk != nil { slice.pathFindings = pathFindings }
        // The last slice may have no records: it tells where the feed ends.
        if hasEnded {
            slice.endMark = markWithTail
            slice.envelopeCount = envelopeCount
        }
        return slice
    }

    private var envelopeCount: Int { walk?.envelope.count ?? 0 }

    /// Takes whole lines. Returns false if the next line is longer than `maximumRecordSize`, or if nothing is left.
    private mutating func fillLines(of slice: inout FeedSlice) throws(JSONError) -> Bool {
        var searched = 0
        while true {
            if let count = buffer.lastLineEnd(searched: searched) {
                unsafe slice.before = Array(buffer.given(before: position.offset, most: TailDigest.reach))
                slice.bytes = unsafe Array(buffer.takeLines(count))
                slice.textSize = slice.bytes.count
                return true
            }
            if buffer.isAtEnd {
                unsafe slice.before = Array(buffer.given(before: position.offset, most: TailDigest.reach))
                slice.bytes = unsafe Array(buffer.takeInLine(buffer.count))
                slice.textSize = slice.bytes.count
                return !slice.bytes.isEmpty
            }
            if buffer.count > maximumRecordSize { return false }
            let isFirstRead = searched == 0
            searched = buffer.count
            unsafe slice.before = Array(buffer.given(before: position.offset, most: TailDigest.reach))
            // Reading into an array copies the unread bytes. A line that comes in many pieces must not be copied for each of them.
            guard isFirstRead else {
                try fill()
                continue
            }
            guard let lines = try readLines() else { continue }
            slice.bytes = lines
            slice.textSize = lines.count
            return true
        }
    }

    /// Reads once from the source; returns the whole lines if they were read into an array of their own. The unread bytes have no line break.
    private mutating func readLines() throws(JSONError) -> [UInt8]? {
        guard var source, !buffer.isFenced, buffer.count < Self.sliceSize else {
            try fill()
            return nil
        }
        keepTail()
        self.source = nil
        defer { self.source = source }
        do throws(JSONError) {
            try beforeRead?()
            return try buffer.readLines(from: &source, most: Self.sliceSize, keeping: TailDigest.reach)
        } catch {
            isBroken = true
            throw error
        }
    }

    /// Takes record after record, each as an entry.
    private mutating func fillEntries(of slice: inout FeedSlice, limit: Int) throws(JSONError) {
        var entries: [FeedSlice.Entry] = []
        defer { slice.entries = entries }
        // A record may be longer; most slices end soon after this size.
        slice.bytes.reserveCapacity(limit == 1 ? 0 : min(Self.sliceSize + Self.sliceSize / 8, limit << 10))
        while slice.bytes.count < Self.sliceSize, entries.count < limit {
            do throws(JSONError) {
                guard let record = try advance() else {
                    if !needsBytes {
                        if !isBroken { markPosition() }
                        hasEnded = true
                    }
                    guard needsBytes, entries.isEmpty else { return }
                    try fill()
                    continue
                }
                var made: Record?
                if header != nil, let header {
                    made = try object(for: record, header)
                    // The first row has the names of the others.
                    if made == nil { continue }
                }
                let isInText = appendTextBefore(record, to: &slice)
                var bytes = unsafe slice.append(record.bytes)
                if isInText { slice.textSize = slice.bytes.count }
                var row: Range<Int>?
                if let made { (row, bytes) = (bytes, unsafe slice.append(made.bytes)) }
                entries.append(
                    .init(
                        kind: .record(bytes), row: row, range: recordRange, start: record.position, end: position,
                        mark: isInText ? mark : markWithTail, envelopeCount: envelopeCount, endsInRecord: endsInRecord))
            } catch {
                if isBroken { throw error }
                let bytes = unsafe slice.append(rejectedText(error) ?? UnsafeRawBufferPointer(start: nil, count: 0))
                entries.append(
                    .init(
                        kind: .rejected(error, bytes), range: recordRange, start: recordPosition, end: position,
                        mark: markWithTail, envelopeCount: envelopeCount, endsInRecord: endsInRecord))
            }
        }
    }

    /// Appends the text between a slice and a record, if it is short and in memory. The slice's text then has no gap, so the digest
    /// for a checkpoint can be made when a checkpoint is asked for, and not for each record.
    ///
    /// - Returns: Whether the slice's text, with the record appended, ends where the mark is.
    private func appendTextBefore(_ record: Record, to slice: inout FeedSlice) -> Bool {
        let gap = record.position.offset - slice.start.offset - slice.textSize
        guard slice.textSize == slice.bytes.count, (0...Self.mostText).contains(gap),
            unsafe mark.position.offset == record.position.offset + record.bytes.count
        else { return false }
        let text = unsafe buffer.given(before: record.position.offset, most: gap)
        guard text.count == gap else { return false }
        if slice.bytes.isEmpty { unsafe slice.before = Array(buffer.given(before: slice.start.offset, most: TailDigest.reach)) }
        unsafe slice.bytes.append(contentsOf: text)
        return true
    }

    /// How much text between two records a slice keeps.
    private static let mostText = 1024
}

extension FeedBuffer {
    /// The number of unread bytes up to and including the last line break; nil without a line break. The first `searched` bytes have
    /// none.
    func lastLineEnd(searched: Int) -> Int? {
        guard lineEnd(searched: searched) != nil else { return nil }
        return unsafe unread.lastLineBreak.map { $0 + 1 }
    }
}

extension UnsafeRawBufferPointer {
    /// The number of bytes before the first line break.
    var firstLineBreak: Int? {
        guard let base = baseAddress else { return nil }
        // Safe: the search never goes past `count`.
        guard let found = unsafe memchr(base, Int32(UInt8(ascii: "\n")), count) else { return nil }
        return unsafe UnsafeRawPointer(found) - base
    }
}
