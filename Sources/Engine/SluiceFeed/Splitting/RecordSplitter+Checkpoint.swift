// A splitter makes checkpoints, and continues from one.

package import SluiceCore

extension RecordSplitter {
    // MARK: Marks

    @inline(__always)
    mutating func markPosition() {
        if mark.position.offset != buffer.position.offset { mark.tail = nil }
        mark.position = buffer.position
        mark.recordCount = recordCount
        if format != .lines || walk != nil { markStanding() }
    }

    /// The mark with the digest of the text before it.
    var markWithTail: Mark {
        var mark = mark
        if mark.tail == nil { mark.tail = buffer.tail(before: mark.position.offset) }
        return mark
    }

    /// The digest of a certain number of bytes before the mark; nil if that text is no longer in memory.
    func tail(of count: Int) -> TailDigest? {
        buffer.tail(before: mark.position.offset, most: count).flatMap { $0.size == count ? $0 : nil }
    }

    /// Keeps the digest of the text before the mark, because that text may leave the memory.
    mutating func keepTail() {
        if mark.tail == nil { mark.tail = buffer.tail(before: mark.position.offset) }
    }

    @inline(never)
    private mutating func markStanding() {
        guard let walk else {
            // Not copied as a whole, because that would retain its arrays for each record.
            mark.standing.hasDocument = standing.hasDocument
            mark.standing.place = format == .array ? standing.place : .outside
            if mark.standing.arrayStart != standing.arrayStart { mark.standing.arrayStart = standing.arrayStart }
            return
        }
        let isInArray = walk.state == .records
        standing.note(PathFindings(isFound: walk.hasMatched, absentCount: walk.absentCount, error: nil))
        standing.levels = walk.isOpen ? walk.levels : []
        standing.textStart = walk.isOpen && buffer.isFenced ? (resumedText ?? buffer.fencePosition).numbers : nil
        // Outside of an array, the position of the last array does not belong to the state, because a resumed feed may not know it.
        if !isInArray, standing.arrayStart.first != 0 { standing.arrayStart = SourcePosition.start.numbers }
        mark.standing = standing
        if !isInArray { mark.standing.place = walk.isOpen ? .afterRecord : .outside }
        // Also after a record that is rejected before it gets its key: the next ones may be elements of the same array.
        if header?.wrapping != nil { mark.key = walk.anyKey }
    }

    /// The position after the record that was returned or rejected last; at the end of the feed, its end.
    ///
    /// - Parameter totalBytes: The size of the feed, if it is known.
    package func checkpoint(totalBytes: Int? = nil) -> JSONCheckpoint {
        origin.checkpoint(markWithTail, format: format, totalBytes: totalBytes)
    }

    /// The values that all checkpoints of this feed share.
    var origin: FeedOrigin {
        FeedOrigin(
            path: walk?.path.description ?? "",
            header: header.map { JSONCheckpoint.Header(names: $0.wrapping == nil ? $0.names : [""]) }, head: buffer.head,
            resumed: resumedHead)
    }

    /// The 64-bit variant 1a of the hash of Fowler, Noll and Vo (RFC 9923).
    static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    // MARK: Continuing

    /// Continues after the record at which a checkpoint was made. Call it before the first record is read.
    ///
    /// A ``SeekableSource`` moves to the position; any other source is read from its beginning up to it. Pushed bytes must begin at the
    /// checkpoint's offset; whether they are from the same feed is not checked.
    ///
    /// - Parameters:
    ///   - totalBytes: The size of the feed now, if it is known.
    ///   - base: The offset in the text of the source's first byte: for a compressed feed, the checkpoint's `memberTextOffset`. If it is
    ///     not 0, the beginning of the feed is not checked.
    /// - Throws: `JSONError` of kind `unusableCheckpoint` if the checkpoint is from another feed or does not fit how this one is read;
    ///   of kind `inputOutput` if the source cannot be read.
    package mutating func resume(
        from checkpoint: JSONCheckpoint, totalBytes: Int? = nil, sourceBeginsAt base: Int = 0
    ) throws(JSONError) {
        try check(checkpoint, totalBytes)
        if base == 0 { try compareHead(with: checkpoint) }
        if source != nil {
            let isWhole = try skip(to: checkpoint, base)
            try compareText(before: checkpoint, isWhole: isWhole)
            try checkThatLastRecordHasEnded(checkpoint)
        }
        buffer.begin(at: checkpoint.position)
        mark = Mark(
            position: checkpoint.position, recordCount: checkpoint.recordIndex, standing: checkpoint.standing,
            key: header?.wrapping == nil ? nil : checkpoint.header?.names?.first.map { Array($0.utf8) }, tail: checkpoint.tail)
        recordCount = checkpoint.recordIndex
        recordPosition = checkpoint.position
        if source == nil || base > 0 { resumedHead = (checkpoint.headSize, checkpoint.headHash) }
        if header?.wrapping == nil { header?.names = checkpoint.header?.names }
        // At the very beginning nothing has been read yet: the layout is found and a byte order mark skipped as usual.
        guard checkpoint.offset > 0 || checkpoint.recordIndex > 0 else { return }
        format = checkpoint.format
        hasStarted = true
        standing = checkpoint.standing
        let place = standing.place
        if place == .outside || place == .afterRecord { standing.place = .beforeArray }
        guard let walk else { return }
        walk.hasMatched = standing.hasMatched
        walk.absentCount = standing.absentCount ?? 0
        guard place != .outside else { return }
        walk.resume(
            standing.levels, isInArray: place != .afterRecord,
            anyKey: header?.wrapping == nil ? nil : checkpoint.header?.names?.first)
        resumesInLine = format == .lines || format == .sequence
        // A stored checkpoint may have been changed, so its numbers are not trusted.
        if resumesInLine, let start = standing.textStart.map({ SourcePosition(numbers: $0) }),
            0...checkpoint.offset ~= start.offset
        {
            resumedText = start
        }
    }

    /// Compares the feed with that of a checkpoint as ``resume(from:totalBytes:sourceBeginsAt:)`` does: its beginning, its size, and how
    /// it is read. Call it before the first record is read; the source must start at the beginning of the feed.
    ///
    /// - Throws: `JSONError` of kind `unusableCheckpoint` if the feed is another one; of kind `inputOutput` if the source cannot be read.
    package mutating func compare(with checkpoint: JSONCheckpoint, totalBytes: Int?) throws(JSONError) {
        try check(checkpoint, totalBytes)
        try compareHead(with: checkpoint)
    }

    private func check(_ checkpoint: JSONCheckpoint, _ totalBytes: Int?) throws(JSONError) {
        guard checkpoint.version == JSONCheckpoint.currentVersion else {
            throw JSONCheckpoint.unusable(
                "a checkpoint of version \(JSONCheckpoint.currentVersion)", "version \(checkpoint.version)")
        }
        guard checkpoint.offset >= 0, checkpoint.line > 0, checkpoint.column > 0, checkpoint.recordIndex >= 0,
            0...checkpoint.offset ~= checkpoint.headSize, 0...checkpoint.offset ~= checkpoint.tail?.size ?? 0,
            checkpoint.tail?.size ?? 0 <= TailDigest.reach, 0...TailDigest.reach ~= checkpoint.memberText?.size ?? 0
        else {
            throw JSONCheckpoint.unusable("a position in the feed", "byte \(checkpoint.offset)")
        }
        let path = walk?.path.description ?? ""
        guard checkpoint.path == path, checkpoint.standing.levels.count <= (walk?.path.components.count ?? 0) else {
            throw JSONCheckpoint.unusable("a checkpoint of the records at '\(path)'", "one of those at '\(checkpoint.path)'")
        }
        guard format == .automatic || format == checkpoint.format || checkpoint.format == .automatic else {
            throw JSONCheckpoint.unusable("a checkpoint of the layout '\(format)'", "one of '\(checkpoint.format)'")
        }
        guard (header == nil) == (checkpoint.header == nil) || checkpoint.offset == 0 else {
            throw JSONCheckpoint.unusable("a checkpoint of a feed \(header == nil ? "without" : "with") a header", "another one")
        }
        // In a compressed feed, `totalBytes` is the compressed size, so it is not compared with an offset in the text. Packed anew, the
        // same text may take less.
        if checkpoint.offset == 0 || checkpoint.memberOffset != nil && checkpoint.tail != nil { return }
        let least = max(checkpoint.memberOffset == nil ? checkpoint.offset : 0, checkpoint.feedSize ?? 0)
        if let totalBytes, totalBytes < least {
            throw JSONCheckpoint.unusable("a feed of at least \(least) bytes", "one of \(totalBytes) bytes")
        }
    }

    /// Compares the beginning of the source. Pushed bytes are not compared, because they begin at the checkpoint's position.
    private mutating func compareHead(with checkpoint: JSONCheckpoint) throws(JSONError) {
        guard source != nil else { return }
        let wanted = min(checkpoint.headSize, FeedBuffer.headSize)
        while buffer.head.count < wanted, !buffer.isAtEnd { try fill() }
        if wanted > 0, buffer.head.count < wanted || Self.hash(buffer.head.prefix(wanted)) != checkpoint.headHash {
            throw JSONCheckpoint.unusable("the feed of the checkpoint", "one that begins differently")
        }
    }

    /// Compares the text before the checkpoint's position, which has been passed over, with that of the checkpoint.
    ///
    /// - Parameter isWhole: Whether all text from the beginning of the feed was passed over, so that its lines have been counted.
    private func compareText(before checkpoint: JSONCheckpoint, isWhole: Bool) throws(JSONError) {
        // If a compressed member begins shortly before the position, fewer bytes are in memory than the digest covers. The checkpoint
        // then has a digest of the member's text alone, and the compressed bytes before the member have already been compared.
        let text = unsafe buffer.given(before: buffer.position.offset, most: TailDigest.reach)
        let isSame = unsafe checkpoint.tail?.matches(text) ?? checkpoint.memberText?.matches(text) ?? true
        guard isSame, !isWhole || buffer.position == checkpoint.position else {
            throw JSONCheckpoint.unusable("the text of the checkpoint before byte \(checkpoint.offset)", "another text")
        }
    }

    /// Checks that a number or word at which the feed ended has not become longer. If `3` was appended to `2`, the feed has the
    /// record 23 now, and no longer the record 2 that was read.
    private mutating func checkThatLastRecordHasEnded(_ checkpoint: JSONCheckpoint) throws(JSONError) {
        guard checkpoint.offset == checkpoint.feedSize,
            let last = unsafe buffer.given(before: buffer.position.offset, most: 1).first,
            RecordSplitter.isInScalar(last)
        else { return }
        while buffer.count == 0, !buffer.isAtEnd { try fill() }
        guard buffer.count > 0, RecordSplitter.isInScalar(buffer[0]) else { return }
        throw JSONCheckpoint.unusable("the end of the record before byte \(checkpoint.offset)", "more of it")
    }

    /// Whether a byte may be part of a number, or of `true`, `false` or `null`.
    private static func isInScalar(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// Moves to the checkpoint's position. Returns whether all text before it was passed over.
    private mutating func skip(to checkpoint: JSONCheckpoint, _ base: Int) throws(JSONError) -> Bool {
        var passed = base
        if base == 0 {
            // Reading begins before the position, because the text there is compared.
            let start = max(checkpoint.offset - TailDigest.reach, 0)
            if try seek(to: start) { passed = start }
        }
        let isWhole = passed == 0 && buffer.position == .start
        while true {
            let count = min(buffer.count, checkpoint.offset - passed)
            if count > 0 { buffer.skip(count) }
            passed += count
            if passed >= checkpoint.offset { return isWhole }
            guard !buffer.isAtEnd else {
                throw JSONCheckpoint.unusable("a feed of at least \(checkpoint.offset) bytes", "one of \(passed) bytes")
            }
            try fill()
        }
    }

    private mutating func seek(to offset: Int) throws(JSONError) -> Bool {
        guard var seekable = source as? any SeekableSource else { return false }
        defer { source = seekable }
        guard try seekable.seek(to: offset) else { return false }
        buffer.clear()
        return true
    }
}
