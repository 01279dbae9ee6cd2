// A feed's bytes go in, and the bytes of one record after the other come out. The splitter is a state machine: it returns a record, asks
// for more bytes, or reports the end of the feed. If it has a source, it reads the bytes itself; otherwise they are pushed.

package import SluiceCore

/// Cuts a feed into records.
///
/// ```swift
/// var splitter = RecordSplitter(source: source)                  // pull: nil is the end
/// while let record = try splitter.next() { … }
///
/// var splitter = RecordSplitter()                                // push: nil is the end unless `needsBytes` says otherwise
/// splitter.append(bytes)
/// while let record = try splitter.next() { … }
/// splitter.finish()
/// while let record = try splitter.next() { … }
/// ```
@safe
package struct RecordSplitter: ~Copyable {
    /// One record: its bytes, valid until the next call, and the position in the feed where it starts.
    @safe
    package struct Record {
        package let bytes: UnsafeRawBufferPointer
        package let position: SourcePosition
    }

    /// A record whose end has not come yet.
    struct OpenRecord {
        var position: SourcePosition
        /// How many unread bytes have been searched: the record does not end in them.
        var searched = 0
        /// How many bytes of the record were skipped without being kept, because it is too long.
        var discarded = 0
        /// Whether all skipped bytes are white space.
        var isBlank = true
        var scanner = ContainerScanner()
        /// Where the unread bytes end that are not white space.
        var end = TextEnd()
        /// Finds line breaks at which the value must be cut.
        var cut = LineResynchronizer()
    }

    /// Where the bytes come from; nil if they are pushed.
    var source: (any ByteSource)?
    var buffer: FeedBuffer
    var format: JSONFeedFormat
    let maximumRecordSize: Int
    private let detectionSize: Int

    var hasStarted = false
    /// The number of unread bytes when the layout was last looked for and not found.
    private var undecided = 0
    var open: OpenRecord? { didSet { hasOpen = open != nil } }
    /// Whether there is such a record: to compare it with nil copies it.
    private(set) var hasOpen = false
    /// The offsets in the feed where the next values end, if those are already known to be damaged; the nearest one is last.
    var cutsAhead: [Int] = []
    /// The position inside the current document. Its position is one in the array of records: before or in it, or after its end.
    var standing = JSONCheckpoint.Standing(place: .beforeArray)
    /// Follows a path to the records; nil if the feed's values are the records.
    let walk: EnvelopeParser?
    /// Whether the feed ends with an error if all documents lack the path.
    var requiresPath = false
    /// How many bytes after the position of the damage are no longer in the buffer.
    var lostBytes = 0
    /// How many bytes after the last line, or the last text of a sequence, were skipped: its line break or white space.
    var lineBreakSize = 0
    /// Whether reading was resumed inside a line, or inside a text of a sequence, so that the next bytes are its rest.
    var resumesInLine = false
    /// The position where the line began, if reading was resumed inside it.
    var resumedText: SourcePosition?
    /// The number and hash of the feed's first bytes, from the checkpoint: set if reading was resumed after them.
    var resumedHead: (size: Int, hash: UInt64)?
    /// The splitter's state right after the last record.
    var mark = Mark()

    /// Whether the feed is over because of an error: the source failed, or the layout is damaged.
    package internal(set) var isBroken = false
    /// Whether the last slice has been cut.
    var hasEnded = false
    /// Whether the feed ended inside the record that was returned or rejected last, or inside the document that was rejected last: its
    /// brackets or its string are open, a number may go on, or no line break has come that ends a damaged line. The rest may still be added
    /// to the feed.
    package internal(set) var endsInRecord = false
    /// Whether the last line, or the last text of a sequence, was ended by the end of the feed only.
    var isLastTextOpen = false
    /// Whether the last call of `next` returned nil because more bytes must be pushed, or `finish` must be called.
    package private(set) var needsBytes = false
    /// The position where the last record, returned or rejected, begins; `recordSize` is its length in bytes.
    package internal(set) var recordPosition = SourcePosition.start
    var recordSize = 0
    /// The byte range in the feed of the record that was returned or rejected last.
    package var recordRange: Range<Int> { recordPosition.offset..<(recordPosition.offset + recordSize) }
    /// The bytes of the record, or of the line with a damaged document, that was rejected last, as far as they are still in memory.
    /// Valid until the next call.
    package internal(set) var rejectedBytes = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    /// The rejected bytes for an error that ``next(waits:)`` has thrown; nil if the record was too long, so that a part is missing.
    package func rejectedText(_ error: JSONError) -> UnsafeRawBufferPointer? {
        unsafe error.kind == .sizeLimit ? nil : rejectedBytes
    }
    /// Called with each piece of a record that is too long to be kept, except the last piece, which is in ``rejectedBytes``.
    package var passedOver: ((UnsafeRawBufferPointer) -> Void)?
    /// Turns rows into objects with the names of the header; nil if records have their own keys.
    var header: RowObjects?
    /// Whether rows are returned as they are, because the header has been read and the caller asks for the object of each row that it
    /// does not read itself.
    var givesRows = false
    /// The number of records that were returned or rejected, counted from the beginning of the feed.
    package internal(set) var recordCount = 0

    /// The position in the feed of the next unread byte.
    package var position: SourcePosition { buffer.position }
    /// The size of the buffer in bytes: room for one read, or for the longest record.
    package var bufferSize: Int { buffer.size }
    /// The layout, once it is known.
    package var detectedFormat: JSONFeedFormat { format }

    /// - Parameters:
    ///   - source: Where the bytes come from; nil if they are pushed.
    ///   - format: The layout of the feed.
    ///   - path: The path to the records; nil, or the empty path, if the feed's values are the records.
    ///   - isPathOptional: Whether documents may lack the path.
    ///   - hasHeader: Whether the first record is an array of names, and the others are arrays of values: each is returned as an object.
    ///   - wrapping: How records become objects with the key that they stand under; nil if they do not.
    ///   - readSize: The size of one read in bytes; also the number of bytes after which the layout must be chosen.
    ///   - maximumRecordSize: The limit for one record in bytes.
    ///   - envelopeReading: How the envelope is read, if records are at a path.
    package init(
        source: (any ByteSource)? = nil, format: JSONFeedFormat = .automatic, at path: JSONRecordPath? = nil,
        isPathOptional: Bool = false, hasHeader: Bool = false, wrapping: RecordWrapping? = nil, readSize: Int = 256 << 10,
        maximumRecordSize: Int = 64 << 20,
        envelopeReading: JSONReader.Options = .init()
    ) {
        header = wrapping.map { RowObjects($0) } ?? (hasHeader ? RowObjects() : nil)
        walk = path.flatMap { $0.isEmpty ? nil : EnvelopeParser(path: $0, isOptional: isPathOptional, options: envelopeReading) }
        self.source = source
        self.format = format
        self.maximumRecordSize = maximumRecordSize
        buffer = FeedBuffer(size: readSize)
        detectionSize = max(readSize, 16)
    }

    /// Called before each read of the source, which may have to wait; an error ends the feed.
    package var beforeRead: (() throws(JSONError) -> Void)?

    /// Whether the bytes are pushed.
    package var isPushed: Bool { source == nil }

    /// Whether errors must not show the text, because records may hold sensitive values.
    package private(set) var hidesText = false

    /// Makes all errors hide the text.
    package mutating func hideText() {
        hidesText = true
        walk?.envelope.hideText()
    }

    // MARK: Bytes in

    /// Appends the next bytes of the feed. The bytes of the record returned last become invalid.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        keepTail()
        unsafe buffer.append(bytes)
    }

    /// Notes that no more bytes are pushed.
    package mutating func finish() { buffer.finish() }

    /// Reads once from the source, if there is one.
    package mutating func fill() throws(JSONError) {
        guard var source else { return }
        keepTail()
        self.source = nil
        defer { self.source = source }
        do throws(JSONError) {
            try beforeRead?()
            try buffer.fill(from: &source)
        } catch {
            isBroken = true
            throw error
        }
    }

    // MARK: Reading ahead

    /// The thread that reads the source, if there is one.
    package private(set) var readAhead: ReadAhead?

    /// Lets a thread of its own read the source from now on.
    package mutating func startReadingAhead(keeping owner: AnyObject?) throws(JSONError) {
        guard let source, readAhead == nil else { return }
        readAhead = try ReadAhead(source, keeping: owner)
        self.source = readAhead
    }

    /// Whether a read would not block.
    private var isReady: Bool { readAhead?.isReady ?? false }

    /// Finds the layout, unless it is already known, and reads as many bytes as that needs.
    ///
    /// - Returns: false if more bytes must be pushed first.
    mutating func begins() throws(JSONError) -> Bool {
        while !hasStarted, !begin() {
            if source == nil { return false }
            try fill()
        }
        return true
    }

    /// Sets the position of the source's first byte, which is not at the start of the input, and comes after a record. The layout must be
    /// known.
    package mutating func start(at position: SourcePosition) {
        buffer.start(at: position)
        hasStarted = true
    }

    // MARK: Records out

    /// The next record, or nil: at the end, or when more bytes are needed (see ``needsBytes``).
    ///
    /// - Parameter waits: Whether a read may block. If not, bytes are read only from a source that is read ahead and has some ready.
    /// - Throws: `JSONError` for a record or document that is rejected: the next call continues after it. If ``isBroken`` is then true,
    ///   the feed is over.
    @inline(__always)
    package mutating func next(waits: Bool = true) throws(JSONError) -> Record? {
        // Most feeds have lines, and most lines lie in the buffer as a whole.
        if format == .lines, hasStarted, !isBroken, walk == nil, header == nil || givesRows {
            needsBytes = false
            unsafe rejectedBytes = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
            if let line = try nextWholeLine() { return line }
        }
        return try nextOther(waits: waits)
    }

    @inline(never)
    private mutating func nextOther(waits: Bool) throws(JSONError) -> Record? {
        while true {
            if let record = try advance() {
                // Compared with nil and not unwrapped, because most feeds have none, and unwrapping would retain it.
                guard !givesRows, header != nil, let header else { return record }
                if let object = try object(for: record, header) { return object }
                continue
            }
            guard needsBytes else {
                if !isBroken { markPosition() }
                return nil
            }
            guard source != nil, waits || isReady else { return nil }
            try fill()
        }
    }

    /// The next record in the bytes that the buffer has.
    mutating func advance() throws(JSONError) -> Record? {
        needsBytes = false
        // The bytes rejected before may have been moved or overwritten since.
        unsafe rejectedBytes = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        if isBroken { return nil }
        if !hasStarted, !begin() { return wait() }
        if walk != nil, let walk { return try nextRecord(along: walk) }
        switch format {
        case .lines, .automatic: return try nextLine()
        case .array: return try nextElement()
        case .concatenated: return try nextValue()
        case .object: return try nextDocument()
        case .sequence: return try nextText()
        }
    }

    /// Whether more bytes may come.
    var canWait: Bool { !buffer.isAtEnd }

    /// Asks for more bytes, and returns nil.
    mutating func wait() -> Record? {
        needsBytes = true
        return nil
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Skips a byte order mark and finds the layout. Returns false if that needs more bytes.
    private mutating func begin() -> Bool {
        let hasMark = unsafe buffer.unread.starts(with: Self.byteOrderMark)
        if !hasMark, canWait, unsafe Self.byteOrderMark.starts(with: buffer.unread) { return false }
        if format == .automatic {
            let isComplete = buffer.count >= detectionSize || buffer.isAtEnd
            // The layout is looked for again when another line has come, or when there are twice as many bytes: so it is looked for
            // only a few times, even if the bytes come in small pieces.
            let isWorthALook = buffer.count >= undecided * 2 || undecided < 4096 && buffer.lineEnd(searched: undecided) != nil
            guard isComplete || isWorthALook else { return false }
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer.unread[(hasMark ? 3 : 0)...])
            guard
                let found = unsafe JSONFeedFormat.detect(
                    bytes, isComplete: isComplete, hasPath: walk != nil, hasHeader: header?.wrapping == nil && header != nil)
            else {
                undecided = buffer.count
                return false
            }
            format = found
        }
        if hasMark { _ = unsafe buffer.takeInLine(3) }
        hasStarted = true
        return true
    }

    /// The next line that is not blank, if the buffer has all of it.
    @inline(__always)
    private mutating func nextWholeLine() throws(JSONError) -> Record? {
        while !hasOpen, let count = buffer.lineEnd(searched: 0) {
            let position = buffer.position
            let bytes = unsafe takeLine(count)
            if unsafe !Self.isBlank(bytes) || resumesInLine { return try unsafe record(bytes, after: 0, at: position) }
        }
        return nil
    }

    /// Whether the bytes are all white space.
    @inline(__always)
    static func isBlank(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // For most lines the first byte is enough: it is not white space.
        unsafe bytes.isEmpty || bytes[0] <= UInt8(ascii: " ") && bytes.allSatisfy(JSONWhiteSpace.contains)
    }

    /// Takes a line and its line break out of the buffer; returns the line.
    @inline(__always)
    private mutating func takeLine(_ count: Int) -> UnsafeRawBufferPointer {
        let bytes = unsafe buffer.takeLine(count)
        lineBreakSize = 1
        return unsafe bytes
    }

    mutating func nextLine() throws(JSONError) -> Record? {
        if let line = try nextWholeLine() { return line }
        while true {
            guard let count = buffer.lineEnd(searched: open?.searched ?? 0) else {
                if canWait { return waitForLineEnd() }
                return try lastLine()
            }
            let position = open?.position ?? buffer.position
            let discarded = open?.discarded ?? 0
            let isBlank = open?.isBlank ?? true
            open = nil
            let bytes = unsafe takeLine(count)
            if unsafe isBlank && Self.isBlank(bytes), !resumesInLine { continue }
            return try unsafe record(bytes, after: discarded, isBlank: isBlank, at: position)
        }
    }

    /// The record after the last line break of the feed.
    private mutating func lastLine() throws(JSONError) -> Record? {
        let line = open ?? OpenRecord(position: buffer.position)
        open = nil
        let bytes = unsafe buffer.takeInLine(buffer.count)
        lineBreakSize = 0
        if unsafe line.isBlank && Self.isBlank(bytes), !resumesInLine { return nil }
        unsafe noteOpenEnd(of: bytes, size: line.discarded + bytes.count)
        return try unsafe record(bytes, after: line.discarded, isBlank: line.isBlank, at: line.position)
    }

    /// Notes that a line, or a text of a sequence, is ended by the end of the feed only.
    ///
    /// - Parameter size: The size of the record in it.
    mutating func noteOpenEnd(of text: UnsafeRawBufferPointer, size: Int) {
        isLastTextOpen = true
        // If the text is a document, its records decide. If it is too long, its brackets are not examined.
        endsInRecord = unsafe size > maximumRecordSize || walk == nil && ContainerScanner.isOpen(text)
    }

    private mutating func waitForLineEnd() -> Record? {
        var line = open ?? OpenRecord(position: buffer.position)
        line.searched = buffer.count
        if buffer.count > maximumRecordSize {
            line.discarded += buffer.count
            line.searched = 0
            let bytes = unsafe buffer.takeInLine(buffer.count)
            let text = unsafe line.isBlank ? bytes.withoutLeadingBlanks : bytes
            if unsafe !text.isEmpty { line.isBlank = false }
            if !line.isBlank { unsafe passedOver?(text) }
        }
        open = line
        return wait()
    }

    /// Counts a record that has been taken out of the buffer, and returns it.
    ///
    /// - Parameters:
    ///   - discarded: How many of its first bytes were skipped before.
    ///   - isBlank: Whether these were white space only. White space in front of a line that is too long is not kept while the line
    ///     comes in pieces, so the rejected bytes never begin with it.
    /// - Throws: `JSONError` of kind `sizeLimit` if it is too long.
    @inline(__always)
    mutating func record(
        _ bytes: UnsafeRawBufferPointer, after discarded: Int, isBlank: Bool = false, at position: SourcePosition
    ) throws(JSONError) -> Record {
        let count = discarded + bytes.count
        recordPosition = position
        recordSize = count
        recordCount += 1
        markPosition()
        // What was skipped cannot be given out, even if the record without the white space at its end is short enough.
        if count > maximumRecordSize || discarded > 0 {
            unsafe rejectedBytes = unsafe discarded == 0 || isBlank ? bytes.withoutLeadingBlanks : bytes
            throw Self.oversized(count, position, limit: maximumRecordSize)
        }
        return unsafe Record(bytes: bytes, position: position)
    }

    @inline(never)
    static func oversized(_ count: Int, _ position: SourcePosition, limit: Int) -> JSONError {
        JSONError(
            .sizeLimit, position: position, expected: "a record of at most \(limit) bytes (maximumRecordSize)",
            found: "one of \(count) bytes")
    }
}
