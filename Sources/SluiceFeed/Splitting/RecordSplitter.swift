// A feed's bytes become one record's bytes after the other. The splitter is a machine that is told bytes: it gives a record, asks for
// more bytes, or says that the feed is over. Where it has a source it fills itself; otherwise the bytes are pushed.

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
    /// One record: its bytes, valid until the next call, and where it starts in the feed.
    @safe
    package struct Record {
        package let bytes: UnsafeRawBufferPointer
        package let position: SourcePosition
    }

    /// A record whose end has not come yet.
    struct OpenRecord {
        var place: SourcePosition
        /// Unread bytes that are known to hold no end of the record.
        var searched = 0
        /// Bytes that were passed over without being kept, because the record is too long.
        var discarded = 0
        /// Whether all bytes that were passed over are white space.
        var isBlank = true
        var scanner = ContainerScanner()
        /// Looks for a line break at which the value must be cut.
        var cut = LineCut()
    }

    enum ArrayState { case beforeBracket, beforeFirst, beforeElement, afterElement, closed }

    /// Where the bytes come from; nil where they are pushed.
    var source: (any ByteSource)?
    var buffer: FeedBuffer
    var format: JSONFeedFormat
    let maximumRecordSize: Int
    private let detectionSize: Int

    var hasStarted = false
    /// Unread bytes from which the layout could not be told.
    private var undecided = 0
    var open: OpenRecord?
    /// Where values end that are known to be damaged, the next one last.
    var cutsAhead: [Int] = []
    /// Where the array's elements stand: before the first, before a comma, or behind the closing bracket.
    var arrayState = ArrayState.beforeBracket
    /// Where the array began, for errors.
    var arrayStart = SourcePosition.start
    /// Follows a path to the records; nil where they are the feed's own values.
    let walk: RecordWalk?
    /// Whether the only document of the feed has been read.
    var hasDocument = false
    /// Whether the rest of a damaged document is passed over.
    var isRecovering = false
    /// Bytes behind the place where that begins that are no longer there.
    var lostBytes = 0
    /// Bytes behind the last line that were passed over with it.
    var lineBreakSize = 0
    /// Whether what comes next is the rest of a line.
    var resumesInLine = false
    /// Where the line began in which the feed was taken up.
    var resumedText: SourcePosition?
    /// The number and hash of the feed's first bytes, where it was taken up behind them.
    var resumedHead: (size: Int, hash: UInt64)?
    /// Where the splitter stood behind the last record.
    var mark = Mark()

    /// Whether nothing more comes after an error: the source gave one, or the layout is damaged.
    package internal(set) var isBroken = false
    /// Whether the last slice has been cut.
    var hasEnded = false
    /// Whether the feed ended inside the document, or text of a sequence, that was rejected last: the rest of it may come yet.
    package internal(set) var endsInDocument = false
    /// Whether the last call of `next` gave nothing because more bytes must be pushed, or `finish` be called.
    package private(set) var needsBytes = false
    /// Where the record begins that was given out last, or rejected for its length, and how many bytes it has.
    package internal(set) var recordPosition = SourcePosition.start
    var recordSize = 0
    /// Where the record stands in the feed that was given out last, or rejected.
    package var recordRange: Range<Int> { recordPosition.offset..<(recordPosition.offset + recordSize) }
    /// The bytes of what was rejected last, as far as they are still there: a record that is too long, or a line whose document is
    /// damaged. Valid until the next call.
    package internal(set) var rejectedBytes = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    /// The same of an error that ``next(waits:)`` has thrown, if the whole text is there: nil of a record that is too long.
    package func rejectedText(_ error: JSONError) -> UnsafeRawBufferPointer? {
        unsafe error.kind == .sizeLimit ? nil : rejectedBytes
    }
    /// Gets the bytes of a record that is too long to be kept, piece by piece; the last piece is in ``rejectedBytes``.
    package var passedOver: ((UnsafeRawBufferPointer) -> Void)?
    /// The names under which the values of the rows stand; nil where records have keys of their own.
    var header: HeaderRows?
    /// Records that were given out, or rejected for their length.
    package internal(set) var recordCount = 0

    /// The place of the next byte that is not given out.
    package var position: SourcePosition { buffer.position }
    /// The bytes that the buffer holds: those of one read, or of the longest record.
    package var bufferSize: Int { buffer.size }
    /// The layout, once it is known.
    package var detectedFormat: JSONFeedFormat { format }

    /// - Parameters:
    ///   - source: Where the bytes come from; nil if they are pushed.
    ///   - path: Where the records stand; nil, or the empty path, if they are the feed's own values.
    ///   - hasHeader: Whether records are arrays under a first row of names: each is given as an object.
    ///   - readSize: The bytes of one read, and those from which the layout is told at the latest.
    ///   - envelopeReading: How what stands around records at a path is read.
    package init(
        source: (any ByteSource)? = nil, format: JSONFeedFormat = .automatic, at path: JSONRecordPath? = nil,
        hasHeader: Bool = false, readSize: Int = 256 << 10, maximumRecordSize: Int = 64 << 20,
        envelopeReading: JSONReader.Options = .init()
    ) {
        header = hasHeader ? HeaderRows() : nil
        walk = path.flatMap { $0.isEmpty ? nil : RecordWalk(path: $0, options: envelopeReading) }
        self.source = source
        self.format = format
        self.maximumRecordSize = maximumRecordSize
        buffer = FeedBuffer(size: readSize)
        detectionSize = max(readSize, 16)
    }

    /// Whether the bytes are pushed.
    package var isPushed: Bool { source == nil }

    // MARK: Bytes in

    /// Takes the next bytes of the feed; those of the record given out last are no longer valid then.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) { unsafe buffer.append(bytes) }

    /// No more bytes are pushed.
    package mutating func finish() { buffer.finish() }

    mutating func fill() throws(JSONError) {
        guard var source else { return }
        self.source = nil
        defer { self.source = source }
        do throws(JSONError) {
            try buffer.fill(from: &source)
        } catch {
            isBroken = true
            throw error
        }
    }

    // MARK: Reading ahead

    /// The thread that reads the source, if one does.
    package private(set) var readAhead: ReadAhead?

    /// Lets a thread read the source from now on.
    package mutating func startReadingAhead(keeping owner: AnyObject?) throws(JSONError) {
        guard let source, readAhead == nil else { return }
        readAhead = try ReadAhead(source, keeping: owner)
        self.source = readAhead
    }

    /// Whether a read would not block.
    private var isReady: Bool { readAhead?.isReady ?? false }

    /// Finds the layout, or takes a place behind the start of the input as the start of the records.
    ///
    /// - Returns: false if there are not enough bytes for that.
    mutating func begins() throws(JSONError) -> Bool {
        while !hasStarted, !begin() {
            if source == nil { return false }
            try fill()
        }
        return true
    }

    /// Takes the source's first byte as one that stands at a place behind the start of the input, and follows a record. The layout
    /// must be known.
    package mutating func start(at place: SourcePosition) {
        buffer.start(at: place)
        hasStarted = true
    }

    // MARK: Records out

    /// The next record, or nil at the end, or if ``needsBytes`` says so.
    ///
    /// - Parameter waits: Whether a read may block; only a source that is read ahead knows when one would not.
    /// - Throws: `JSONError`. After one of kind `sizeLimit` the feed goes on behind that record; after any other it is over.
    package mutating func next(waits: Bool = true) throws(JSONError) -> Record? {
        while true {
            if let record = try advance() {
                guard let header else { return record }
                if let object = try object(for: record, header) { return object }
                continue
            }
            guard needsBytes else {
                if !isBroken { markPlace() }
                return nil
            }
            guard source != nil, waits || isReady else { return nil }
            try fill()
        }
    }

    /// The next record from the bytes that are there.
    mutating func advance() throws(JSONError) -> Record? {
        needsBytes = false
        // What was rejected before may have moved since.
        unsafe rejectedBytes = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        if isBroken { return nil }
        if !hasStarted, !begin() { return wait() }
        if let walk { return try nextRecord(along: walk) }
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

    /// Asks for more bytes.
    mutating func wait() -> Record? {
        needsBytes = true
        return nil
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Passes over a byte order mark and finds the layout; false if that needs more bytes.
    private mutating func begin() -> Bool {
        let hasMark = unsafe buffer.unread.starts(with: Self.byteOrderMark)
        if !hasMark, canWait, unsafe Self.byteOrderMark.starts(with: buffer.unread) { return false }
        if format == .automatic {
            let isComplete = buffer.count >= detectionSize || buffer.isAtEnd
            // The layout is looked for again when there is a line more, or twice as much: so pieces of any size cost no more than a
            // few looks.
            let isWorthALook = buffer.count >= undecided * 2 || buffer.lineEnd(searched: undecided) != nil && undecided < 4096
            guard isComplete || isWorthALook else { return false }
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer.unread[(hasMark ? 3 : 0)...])
            guard let found = unsafe JSONFeedFormat.detect(bytes, isComplete: isComplete, hasPath: walk != nil) else {
                undecided = buffer.count
                return false
            }
            format = found
        }
        if hasMark { _ = unsafe buffer.takeInLine(3) }
        hasStarted = true
        return true
    }

    mutating func nextLine() throws(JSONError) -> Record? {
        while true {
            guard let count = buffer.lineEnd(searched: open?.searched ?? 0) else {
                if canWait { return waitForLineEnd() }
                return try lastLine()
            }
            let place = open?.place ?? buffer.position
            let discarded = open?.discarded ?? 0
            let isBlank = open?.isBlank ?? true
            open = nil
            let bytes = unsafe buffer.takeInLine(count)
            buffer.skipLineBreak()
            lineBreakSize = 1
            if unsafe isBlank && bytes.allSatisfy(JSONWhiteSpace.contains), !resumesInLine { continue }
            return try unsafe record(bytes, behind: discarded, at: place)
        }
    }

    /// What stands behind the last line break.
    private mutating func lastLine() throws(JSONError) -> Record? {
        let line = open ?? OpenRecord(place: buffer.position)
        open = nil
        let bytes = unsafe buffer.takeInLine(buffer.count)
        lineBreakSize = 0
        if unsafe line.isBlank && bytes.allSatisfy(JSONWhiteSpace.contains), !resumesInLine { return nil }
        return try unsafe record(bytes, behind: line.discarded, at: line.place)
    }

    private mutating func waitForLineEnd() -> Record? {
        var line = open ?? OpenRecord(place: buffer.position)
        line.searched = buffer.count
        if buffer.count > maximumRecordSize {
            line.discarded += buffer.count
            line.searched = 0
            let bytes = unsafe buffer.takeInLine(buffer.count)
            if unsafe !bytes.allSatisfy(JSONWhiteSpace.contains) { line.isBlank = false }
            if !line.isBlank { unsafe passedOver?(bytes) }
        }
        open = line
        return wait()
    }

    /// A record that has been taken out of the buffer.
    ///
    /// - Parameter discarded: How many of its bytes were passed over before.
    /// - Throws: `JSONError` of kind `sizeLimit` if it is too long.
    @inline(__always)
    mutating func record(
        _ bytes: UnsafeRawBufferPointer, behind discarded: Int, at place: SourcePosition
    ) throws(JSONError) -> Record {
        let count = discarded + bytes.count
        recordPosition = place
        recordSize = count
        recordCount += 1
        markPlace()
        if count > maximumRecordSize {
            unsafe rejectedBytes = unsafe bytes
            throw Self.oversized(count, place, limit: maximumRecordSize)
        }
        return unsafe Record(bytes: bytes, position: place)
    }

    @inline(never)
    static func oversized(_ count: Int, _ place: SourcePosition, limit: Int) -> JSONError {
        JSONError(
            .sizeLimit, position: place, expected: "a record of at most \(limit) bytes (maximumRecordSize)",
            found: "one of \(count) bytes")
    }
}
