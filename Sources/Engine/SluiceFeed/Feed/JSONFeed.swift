// A feed goes in, records come out one by one, typed.

public import SluiceCompression
public import SluiceCore

/// Reads records from a file, a descriptor, standard input or bytes, one by one. Memory does not grow with the length of the feed.
/// Bytes that arrive elsewhere are pushed into a ``JSONFeedParser``.
///
/// ```swift
/// let feed = try JSONFeed<Book>(path: "books.ndjson")
/// while let book = try feed.next() {
///     print(book.name)
/// }
/// for try await book in try JSONFeed<Book>(path: "books.json").records { print(book.name) }
/// ```
///
/// For a record that cannot be read, ``next()`` throws a `JSONError` with its position in the feed; the next call continues after that
/// record. With `invalidRecords: .skip` such records are skipped and counted in ``rejectedCount``. A feed is not `Sendable`: use it
/// from one task.
public final class JSONFeed<Record: JSONReadable> {
    // Safe: both are changed only in `readNext`, which lets no second caller in. The run-time checks that this avoids were most of
    // the time that this class spent on a small record.
    @exclusivity(unchecked) var splitter: RecordSplitter
    @exclusivity(unchecked) var reader: JSONReader
    /// The state of the splitter's buffer in which the reader's batch lies.
    private var batchNumber = -1
    /// Reads only the records that match the predicate; nil if there is no predicate.
    @exclusivity(unchecked) private var choice: RecordChoice?
    private let hasChoice: Bool
    /// Counts per property of the records read so far; stays empty unless `options.reading` asks for them.
    var propertyCounts = PropertyCounts()
    let countsProperties: Bool
    /// Whether a record is being read. A source or a conversion may hold this feed and call it meanwhile; such a call traps.
    private var isReading = false
    /// Whether reading may block until the next record is there; false while a task reads.
    private var waits = true
    /// Records that workers have read; nil without workers.
    var parallel: ParallelRecords<Record>?
    /// The position up to which columns from workers have been used; nil unless workers read columns.
    var columnsPosition: ColumnsPosition?
    package let options: Options
    /// The file that the feed opened itself; it stays open as long as the feed lives.
    private let file: OpenFile?
    /// The path of the file that the feed reads from its start; nil if it reads something else.
    package internal(set) var path: String?

    /// How many records have been returned, skipped and rejected so far.
    var counts = RecordCounts()
    /// Whether all records have been returned.
    var hasEnded = false
    /// The first rejected records, at most ``Options/keptReasons``: where each one is, and why it was rejected.
    public internal(set) var rejectedRecords: [JSONRejectedRecord] = []
    /// The record that was rejected last.
    package internal(set) var lastRejected: JSONRejectedRecord?
    /// What was left out of accepted records, except for unknown keys that this feed's own reader counts.
    var dropped = JSONReadReport()
    /// Where the bytes of rejected records go; nil without a file of rejects.
    var rejectsLine: JSONRejects.Line?
    /// The error of a piece of a record that could not be written to the file of rejects.
    var rejectsFailure: JSONError?
    /// The columns of the header, once they are asked for; none if rows must be read as objects.
    private var columns: NamedColumns??
    /// The index of the first record that this feed reads: 0, or the record index of the checkpoint that it started from.
    var firstIndex = 0
    /// The fingerprint of the records' type, if they are models.
    let fingerprint = (Record.self as? any JSONModel.Type)?.schema.fingerprint
    /// The size of the input in bytes, if it is known; for a compressed file, its compressed size.
    public let totalBytes: Int?
    /// The source, decompressed if needed; nil if bytes are pushed.
    private let input: DecompressingSource?
    /// Takes pushed bytes, and decompresses them if needed.
    @exclusivity(unchecked) private var pushed: PushedInput
    /// The record that ``prepareWithoutWaiting()`` has read for a task. It comes last: the offset of what comes after a value of a
    /// generic type is looked up at each use.
    private var prepared: Record?

    /// Whether this is the feed of a ``JSONFeedParser``.
    var isPushed: Bool { input == nil }

    /// How many bytes of the feed's text have been returned as records or skipped.
    package var consumedBytes: Int { unsafe parallel?.position.offset ?? columnsPosition?.end.offset ?? splitter.position.offset }
    /// How many bytes of the input have been used, to compare with ``totalBytes``; for a compressed file, compressed bytes.
    public var consumedInputBytes: Int {
        if compression == .none { return consumedBytes }
        return unsafe input?.inputOffset ?? pushed.inputOffset
    }
    /// How the input is compressed; `automatic` until its first bytes have been read.
    public var compression: JSONCompression { unsafe input?.compression ?? pushed.compression }
    /// The last position at or before ``consumedBytes`` where decompression can start.
    package var compressionBoundary: CompressionBoundary { member(before: consumedBytes).boundary }

    /// The last position at or before byte `offset` of the text where decompression can start, and the digest of the compressed bytes
    /// before it.
    func member(before offset: Int) -> (boundary: CompressionBoundary, tail: TailDigest?) {
        unsafe input?.member(before: offset) ?? pushed.member(before: offset)
    }
    /// The byte range in the feed's text of the record that ``next()`` returned or rejected last. The range of a line ends before its
    /// line break.
    public var recordRange: Range<Int> { unsafe parallel?.range ?? columnsPosition?.range ?? splitter.recordRange }
    /// The layout of the feed, known after the first record.
    public var format: JSONFeedFormat { unsafe parallel?.format ?? columnsPosition?.format ?? splitter.detectedFormat }

    /// The size in bytes of the buffer that holds the text of coming records.
    package var bufferSize: Int { unsafe splitter.bufferSize }

    /// Reads from a source.
    ///
    /// - Parameters:
    ///   - source: Where the bytes come from.
    ///   - totalBytes: The size of the input in bytes, if it is known: the feed shows it as ``totalBytes``.
    ///   - options: How the feed is read.
    public convenience init(source: any ByteSource, totalBytes: Int? = nil, options: Options = Options()) {
        self.init(file: nil, source: source, totalBytes: totalBytes, options: options)
    }

    /// - Parameters:
    ///   - file: The file to keep open as long as the source is read.
    ///   - position: The position of the source's first byte in the feed, if that is not the feed's start.
    ///   - start: The position of the source's first byte in the file, if reading continues from a checkpoint.
    convenience init(
        file: OpenFile?, source: any ByteSource, totalBytes: Int? = nil, options: Options,
        startingAt position: SourcePosition? = nil,
        from start: FileStart? = nil
    ) {
        self.init(
            start?.text(of: source) ?? DecompressingSource(source, compression: options.compression), PushedInput(.none),
            file: file, totalBytes: totalBytes ?? file?.size, options)
        if let position { unsafe splitter.start(at: position) }
    }

    private init(
        _ input: DecompressingSource?, _ pushed: PushedInput, file: OpenFile?, totalBytes: Int?, _ options: Options
    ) {
        self.input = input
        unsafe self.pushed = pushed
        unsafe splitter = options.splitter(input)
        unsafe reader = options.reader()
        self.options = options
        unsafe choice = RecordChoice(options.predicate, options.reading)
        hasChoice = options.predicate != nil
        countsProperties = options.reading.countsProperties
        self.file = file
        self.totalBytes = totalBytes
        keepPassedOver()
    }

    /// Reads bytes that are pushed: the feed of a ``JSONFeedParser``.
    convenience init(pushed options: Options) {
        self.init(nil, PushedInput(options.compression), file: nil, totalBytes: nil, options)
    }

    /// Reads from a descriptor that the caller keeps open and closes.
    public convenience init(descriptor: Int32, options: Options = Options()) {
        self.init(
            source: FileDescriptorSource(descriptor: descriptor), totalBytes: OpenFile.size(of: descriptor), options: options)
    }

    /// Reads bytes in memory.
    public convenience init(bytes: [UInt8], options: Options = Options()) {
        self.init(source: BytesSource(bytes), totalBytes: bytes.count, options: options)
    }

    // MARK: Bytes that are pushed

    /// Appends the next bytes.
    func append(_ bytes: UnsafeRawBufferPointer) {
        precondition(!isReading, "a feed is given bytes while it reads a record")
        unsafe pushed.append(bytes, to: &splitter)
    }

    /// Ends the bytes: no more follow.
    func finish() {
        precondition(!isReading, "a feed is ended while it reads a record")
        unsafe pushed.finish(&splitter)
    }

    // MARK: Envelopes

    /// Reads the members around the records into a model, too; for feeds with ``Options/at``. Call it before the first ``next()`` and
    /// before ``parallel(workers:)``: a document that has already begun is not read into the model.
    public func envelope<Model: JSONReadable>(as type: Model.Type) -> JSONEnvelope<Model> {
        let envelope = JSONEnvelope<Model>()
        unsafe splitter.walk?.envelope.target = envelope
        return envelope
    }

    // MARK: Records

    /// The next record, or nil at the end.
    ///
    /// - Throws: `JSONError` for a record that cannot be read: the next call continues after it. Or `JSONError` for a feed that cannot be
    ///   read any further: the next call returns nil.
    @inlinable
    public func next() throws(JSONError) -> Record? {
        // Inlined, so that the caller's module specialises it: compiled here, it would copy each record out through its metadata.
        var record: Record?
        var failure: JSONError?
        var other: UnsafeMutableRawPointer?
        let isThere = unsafe withUnsafeMutablePointer(to: &record) { address in
            unsafe readNext(into: UnsafeMutableRawPointer(address), &other, &failure)
        }
        if let failure { throw failure }
        if let other = unsafe other {
            // Safe: the feed keeps the worker's memory until its next call. The record is moved out of it here, once.
            return withExtendedLifetime(self) { unsafe other.assumingMemoryBound(to: Record?.self).move() }
        }
        return isThere ? record : nil
    }

    /// Reads the next record into memory that holds a nil `Record?`, or sets `other` to the address of the `Record?` that a worker has made,
    /// to be moved from there. Returns false at the end, and if `failure` has been set.
    @usableFromInline
    func readNext(
        into address: UnsafeMutableRawPointer, _ other: inout UnsafeMutableRawPointer?, _ failure: inout JSONError?
    ) -> Bool {
        do throws(JSONError) {
            return try unsafe readNext(into: address, &other)
        } catch {
            failure = error
            return false
        }
    }

    @inline(__always)
    private func readNext(
        into address: UnsafeMutableRawPointer, _ other: inout UnsafeMutableRawPointer?
    ) throws(JSONError) -> Bool {
        precondition(!isReading, "a feed is asked for a record while it reads one")
        isReading = true
        defer { isReading = false }
        if try isOver() { return false }
        if parallel != nil, let parallel {
            unsafe other = try unsafe takeNext(of: parallel)
            return unsafe other != nil
        }
        if unsafe splitter.header != nil { unsafe splitter.givesRows = unsafe splitter.header?.hasNames == true && !hasChoice }
        return try unsafe readRecord { bytes throws(JSONError) in try unsafe read(bytes, into: address) }
    }

    /// Passes record after record to `read` until one is accepted; returns false at the end. `read` returns false if the record does
    /// not match, and throws if it cannot be read.
    @inline(__always)
    private func readRecord(_ read: (UnsafeRawBufferPointer) throws(JSONError) -> Bool) throws(JSONError) -> Bool {
        while true {
            var given = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
            do throws(JSONError) {
                guard let record = try unsafe splitter.next(waits: waits) else {
                    if unsafe splitter.needsBytes, try unsafe pushed.feed(&splitter) { continue }
                    return try end(unsafe !splitter.needsBytes)
                }
                unsafe given = unsafe record.bytes
                guard try unsafe read(record.bytes) else {
                    counts.unmatched += 1
                    continue
                }
                counts.accepted += 1
                if countsProperties { unsafe propertyCounts.add(reader.propertyCounts, isRejected: false) }
                if unsafe reader.hasReport { noteDropped(at: record.position) }
                return true
            } catch {
                // A read error, or damage between an array's elements, cannot be skipped like a bad record. The feed ends here,
                // and the caller must get the reason.
                if unsafe splitter.isBroken || hasEnded {
                    rejectsLine?.cutOff()
                    throw error
                }
                try unsafe reject(error, at: splitter.recordPosition, given)
            }
        }
    }

    /// Reads a record; false if it does not match.
    @inline(__always)
    private func read(_ bytes: UnsafeRawBufferPointer, into address: UnsafeMutableRawPointer) throws(JSONError) -> Bool {
        if unsafe splitter.buffer.changeCount != batchNumber { beginBatch() }
        if hasChoice { return try unsafe choose(bytes, into: address) }
        if unsafe splitter.givesRows { return try unsafe readRow(bytes, into: address) }
        if let error = unsafe reader.run(Record.self, at: address, bytes) { throw located(error) }
        return true
    }

    /// Reads a row under the header: by the positions of its values if they make a record, else as an object.
    @inline(never)
    private func readRow(_ bytes: UnsafeRawBufferPointer, into address: UnsafeMutableRawPointer) throws(JSONError) -> Bool {
        // Rows are given only if there is a header.
        guard let header = unsafe splitter.header else { return false }
        unsafe header.row = unsafe bytes
        if columns == nil { columns = unsafe .some(reader.columns(header.names ?? [], of: Record.self)) }
        if let columns = columns ?? nil, unsafe reader.run(Record.self, at: address, row: bytes, columns) { return true }
        let position = unsafe splitter.recordPosition
        let object = try unsafe splitter.objectText(ofRow: bytes, at: position, header)
        if let error = unsafe reader.run(Record.self, at: address, object) { throw located(error) }
        return true
    }

    /// Lets the records that lie in memory share the text of their substrings.
    @inline(never)
    private func beginBatch() {
        batchNumber = unsafe splitter.buffer.changeCount
        unsafe reader.beginBatch(splitter.buffer.bytes)
    }

    @inline(never)
    private func choose(_ bytes: UnsafeRawBufferPointer, into address: UnsafeMutableRawPointer) throws(JSONError) -> Bool {
        switch unsafe choice?.read(Record.self, at: address, bytes, &reader) {
        case .unmatched: return false
        case .failed(let error): throw located(error)
        case .matched, nil: return true
        }
    }

    /// An error of the current record, with its position counted from the beginning of the feed.
    private func located(_ error: JSONError) -> JSONError {
        if countsProperties { unsafe propertyCounts.add(reader.propertyCounts, isRejected: true) }
        return unsafe splitter.located(error)
    }

    /// The address of the next record that a worker has read; nil at the end.
    private func takeNext(of parallel: ParallelRecords<Record>) throws(JSONError) -> UnsafeMutableRawPointer? {
        while let outcome = parallel.next(waits: waits) {
            let details = outcome.details == nil ? nil : parallel.details(of: outcome)
            if let counts = details?.propertyCounts { propertyCounts.add(counts, isRejected: outcome.kind != .accepted) }
            switch outcome.kind {
            case .accepted:
                counts.accepted += 1
                if let report = details?.report { noteDropped(report) }
                return unsafe parallel.take()
            case .unmatched: counts.unmatched += outcome.recordCount
            case .rejected(let error):
                let error = parallel.error(error)
                try unsafe reject(error, at: outcome.start, UnsafeRawBufferPointer(start: nil, count: 0))
            case .failed(let error): throw parallel.error(error)
            }
        }
        _ = try end(parallel.isOver)
        return nil
    }

    /// Passes the bytes of each matching record to `read` until one is accepted; returns false at the end. `read` returns the error of
    /// a record that it cannot read.
    package func readRecord(into read: (UnsafeRawBufferPointer) -> JSONError?) throws(JSONError) -> Bool {
        precondition(!isReading, "a feed is asked for a record while it reads one")
        isReading = true
        defer { isReading = false }
        if try isOver() { return false }
        unsafe splitter.givesRows = false
        return try unsafe readRecord { bytes throws(JSONError) in
            if hasChoice {
                var record: Record?
                let matches = try unsafe withUnsafeMutablePointer(to: &record) { address throws(JSONError) in
                    try unsafe choose(bytes, into: UnsafeMutableRawPointer(address))
                }
                if !matches { return false }
            }
            if let error = unsafe read(bytes) { throw unsafe splitter.located(error) }
            return true
        }
    }

    /// Whether no more records may be returned: the feed has ended, or its limit is reached.
    @inline(__always)
    func isOver() throws(JSONError) -> Bool {
        if hasEnded { return true }
        guard let limit = options.limit, counts.accepted >= limit else { return false }
        _ = try end(true)
        return true
    }

    /// Ends a call without a record; if `isOver`, the feed has ended. Always returns false.
    func end(_ isOver: Bool) throws(JSONError) -> Bool {
        hasEnded = isOver
        if isOver { try checkLimits(isAtEnd: true) }
        return false
    }

    // MARK: Threads

    /// Reads the next record if that needs no waiting, for ``takePrepared()``. Returns false if no record is there yet, or at the end.
    ///
    /// The record is kept in the feed because Swift 6.3's optimiser stops with an internal error when a task's loop holds it.
    func prepareWithoutWaiting() throws(JSONError) -> Bool {
        if parallel == nil { unsafe try splitter.startReadingAhead(keeping: file) }
        waits = false
        defer { waits = true }
        prepared = try next()
        return prepared != nil
    }

    /// Removes and returns the record that ``prepareWithoutWaiting()`` has read.
    func takePrepared() -> Record? {
        defer { prepared = nil }
        return prepared
    }

    /// A function that a task awaits until the next record may be there; nil if there is nothing to wait for.
    var readiness: (@Sendable () async -> Void)? {
        if hasEnded { return nil }
        return unsafe parallel?.readiness ?? splitter.readAhead?.readiness
    }

    /// Whether workers can read the feed. They read no rows, and they do not pass on the bytes for a file of rejects.
    var isCuttable: Bool { !isPushed && !options.hasHeader && !options.writesRejectedBytes }

    /// Moves the rest of the feed into a cutter for workers; nil if the feed must be read in one thread.
    func makeCutter() -> SliceCutter? {
        guard isCuttable else { return nil }
        var cut = RecordSplitter(readSize: 0)
        unsafe swap(&cut, &splitter)
        return SliceCutter(cut, keeping: file)
    }
}

@available(*, unavailable, message: "a feed belongs to one task; make one for each")
extension JSONFeed: @unchecked Sendable {}
