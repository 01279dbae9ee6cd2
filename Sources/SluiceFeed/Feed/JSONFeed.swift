// A feed goes in, records come out one by one, typed.

public import SluiceCompression
public import SluiceCore

/// Reads records from a file, a descriptor, standard input or bytes, one by one, in memory that does not depend on the length
/// of the feed. Bytes that arrive elsewhere are pushed: see ``JSONFeed/init(options:)``.
///
/// ```swift
/// let feed = try JSONFeed<Book>(path: "books.ndjson")
/// while let book = try feed.next() {
///     print(book.name)
/// }
/// for try await book in try JSONFeed<Book>(path: "books.json").records { print(book.name) }
/// ```
///
/// A record that cannot be read is thrown by ``next()`` as a `JSONError` with its place in the feed; the next call goes on
/// behind it. With `invalidRecords: .skip` such records are passed over and counted in ``rejectedCount``. A feed is not `Sendable`: use it
/// from one task.
public final class JSONFeed<Record: JSONReadable> {
    // Safe: both are changed only in `readNext`, which lets no second caller in. The checks at run time that this replaces were
    // most of what a small record cost in this class.
    @exclusivity(unchecked) var splitter: RecordSplitter
    @exclusivity(unchecked) var reader: JSONReader
    /// Reads the records that are wanted; nil if all are.
    @exclusivity(unchecked) private var choice: RecordChoice?
    private let hasChoice: Bool
    /// What became of the properties of the records; stays empty unless `options.reading` asks for it.
    var propertyCounts = PropertyCounts()
    let countsProperties: Bool
    /// Whether a record is being read: a source or a conversion may know the feed that it works for, and call it.
    private var isReading = false
    /// Whether the next record may be waited for.
    private var waits = true
    /// The record that a task is about to be given.
    private var prepared: Record?
    /// Records that workers have read, once they do.
    var parallel: ParallelRecords<Record>?
    /// Where the columns stand that workers have read, once they do.
    var columnsPlace: ColumnsPlace?
    let options: Options
    /// Keeps a file open that the feed opened itself.
    private let file: OpenFile?

    /// What became of the records so far.
    var counts = RecordCounts()
    /// Whether all records have been given out.
    var hasEnded = false
    /// The first rejected records, as many as ``Options/keptReasons`` says: where they stand, and why they were rejected.
    public internal(set) var rejectedRecords: [JSONRejectedRecord] = []
    /// The record that was rejected last.
    public internal(set) var lastRejected: JSONRejectedRecord?
    /// What was left out of the records, but for unknown keys that this feed's own reader has counted.
    var dropped = JSONReadReport()
    /// What could not be written to the quarantine.
    var quarantineFailure: JSONError?
    /// How many records stand before the first that this feed reads.
    var firstIndex = 0
    /// The fingerprint of the records' type, if they are models.
    let fingerprint = (Record.self as? any JSONModel.Type)?.schema.fingerprint
    /// The size of the input in bytes, where it is known: of a compressed file, of the file as it is.
    public let totalBytes: Int?
    /// The source as it is, and how it is compressed; nil where bytes are pushed.
    private let input: DecompressingSource?
    /// Bytes that are pushed, until they are known not to be compressed.
    @exclusivity(unchecked) private var pushed: PushedInput

    /// Bytes of the feed's text that have been given out as records, or passed over.
    public var consumedBytes: Int { unsafe parallel?.position.offset ?? columnsPlace?.end.offset ?? splitter.position.offset }
    /// Bytes of the input that have been used, compared with ``totalBytes``: of a compressed file, bytes of the file as it is.
    public var consumedInputBytes: Int {
        if compression == .none { return consumedBytes }
        return unsafe input?.inputOffset ?? pushed.inputOffset
    }
    /// How the input is compressed; `automatic` until its first bytes are known.
    public var compression: JSONCompression { unsafe input?.compression ?? pushed.compression }
    /// The last place at or before ``consumedBytes`` where decompression can start.
    package var compressionBoundary: CompressionBoundary { boundary(before: consumedBytes) }

    /// The last place at or before a place in the text where decompression can start.
    func boundary(before offset: Int) -> CompressionBoundary {
        unsafe input?.boundary(before: offset) ?? pushed.boundary(before: offset)
    }
    /// Where the record stands in the feed that ``next()`` gave out or rejected last, in bytes from the feed's start. Of a line, the
    /// line break is no part.
    public var recordRange: Range<Int> { unsafe parallel?.range ?? columnsPlace?.range ?? splitter.recordRange }
    /// The layout of the feed, known after the first record.
    public var format: JSONFeedFormat { unsafe parallel?.format ?? columnsPlace?.format ?? splitter.detectedFormat }

    /// Bytes of memory that hold records to come.
    package var bufferSize: Int { unsafe splitter.bufferSize }

    /// Reads from a source.
    public convenience init(source: any ByteSource, totalBytes: Int? = nil, options: Options = Options()) {
        self.init(file: nil, source: source, totalBytes: totalBytes, options: options)
    }

    /// - Parameters:
    ///   - file: What must stay open as long as the source is read.
    ///   - place: Where the source starts in the input, if that is behind its beginning.
    ///   - boundary: Where a compressed source starts.
    init(
        file: OpenFile?, source: any ByteSource, totalBytes: Int? = nil, options: Options,
        startingAt place: SourcePosition? = nil,
        behind boundary: CompressionBoundary = .start
    ) {
        let input = DecompressingSource(source, compression: options.compression, startingAt: boundary)
        self.input = input
        unsafe pushed = PushedInput(.none)
        unsafe splitter = options.splitter(input)
        if let place { unsafe splitter.start(at: place) }
        unsafe reader = JSONReader(options: options.reading)
        self.options = options
        unsafe choice = RecordChoice(options.predicate, options.reading)
        hasChoice = options.predicate != nil
        countsProperties = options.reading.countsProperties
        self.file = file
        self.totalBytes = totalBytes ?? file?.size
        keepPassedOver()
    }

    /// Reads bytes that are pushed: for bytes that come from a callback, a delegate or an event loop.
    ///
    /// ```swift
    /// let feed = JSONFeed<Book>()
    /// for piece in pieces {                                   // of any size
    ///     feed.append(piece)
    ///     while let book = try feed.next() { print(book.name) }
    /// }
    /// feed.finish()
    /// while let book = try feed.next() { print(book.name) }   // a last line that has no line break
    /// ```
    ///
    /// ``next()`` returns nil when it needs more bytes, and at the end, where ``isFinished`` is true. Records, places and errors are
    /// those that the same bytes give from a file, however they are cut.
    public init(options: Options = Options()) {
        input = nil
        unsafe pushed = PushedInput(options.compression)
        unsafe splitter = options.splitter(nil)
        unsafe reader = JSONReader(options: options.reading)
        self.options = options
        unsafe choice = RecordChoice(options.predicate, options.reading)
        hasChoice = options.predicate != nil
        countsProperties = options.reading.countsProperties
        totalBytes = nil
        file = nil
        keepPassedOver()
    }

    /// Reads a file.
    ///
    /// - Throws: `JSONError` of kind `inputOutput` if it cannot be opened.
    public convenience init(path: String, options: Options = Options()) throws(JSONError) {
        let file = try OpenFile(path: path)
        self.init(file: file, source: file.source, options: options)
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

    /// Reads standard input.
    public static func standardInput(options: Options = Options()) -> JSONFeed {
        JSONFeed(source: FileDescriptorSource(descriptor: 0, name: "standard input"), options: options)
    }

    // MARK: Bytes that are pushed

    /// Takes the next bytes of a feed made with ``init(options:)``. They are copied; take out the records before the next piece, and
    /// memory stays at one piece and one record.
    public func append(_ bytes: UnsafeRawBufferPointer) {
        precondition(!isReading, "a feed is given bytes while it reads a record")
        unsafe precondition(splitter.isPushed, "a feed with a source of its own takes no bytes")
        unsafe pushed.append(bytes, to: &splitter)
    }

    /// Takes the next bytes of a feed made with ``init(options:)``, such as `[UInt8]`, `ArraySlice<UInt8>`, `Data` or the UTF-8 view
    /// of a string.
    public func append(_ bytes: some Sequence<UInt8>) {
        let isDone: Void? = bytes.withContiguousStorageIfAvailable { unsafe append(UnsafeRawBufferPointer($0)) }
        if isDone == nil { append(Array(bytes)) }
    }

    /// Says that no more bytes come: what is left is the last record, or one that breaks off.
    public func finish() {
        precondition(!isReading, "a feed is ended while it reads a record")
        unsafe pushed.finish(&splitter)
    }

    // MARK: Envelopes

    /// Reads what stands around the records into a model, too; for feeds with ``Options/at``. Ask for it before the first record, and
    /// before ``parallel(workers:)``: what has begun already is not read.
    public func envelope<Model: JSONReadable>(as type: Model.Type) -> JSONEnvelope<Model> {
        let envelope = JSONEnvelope<Model>()
        unsafe splitter.walk?.envelope.target = envelope
        return envelope
    }

    // MARK: Records

    /// The next record, or nil at the end; of a feed that is pushed, also nil when more bytes are needed (see ``isFinished``).
    ///
    /// - Throws: `JSONError`: for a record that cannot be read, after which the next call goes on behind it; or for a feed that
    ///   cannot be read on, after which the next call returns nil.
    @inlinable
    public func next() throws(JSONError) -> Record? {
        // Specialised in the caller's module: here, the record would be copied out through its metadata.
        var record: Record?
        var failure: JSONError?
        let isThere = unsafe withUnsafeMutablePointer(to: &record) { place in
            unsafe readNext(into: UnsafeMutableRawPointer(place), &failure)
        }
        if let failure { throw failure }
        return isThere ? record : nil
    }

    /// Reads the next record into memory that holds a nil `Record?`; false at the end, or with an error.
    @usableFromInline
    func readNext(into place: UnsafeMutableRawPointer, _ failure: inout JSONError?) -> Bool {
        do throws(JSONError) {
            return try unsafe readNext(into: place)
        } catch {
            failure = error
            return false
        }
    }

    private func readNext(into place: UnsafeMutableRawPointer) throws(JSONError) -> Bool {
        precondition(!isReading, "a feed is asked for a record while it reads one")
        isReading = true
        defer { isReading = false }
        if try isOver() { return false }
        if let parallel { return try unsafe readNext(of: parallel, into: place) }
        return try unsafe readRecord { bytes throws(JSONError) in try unsafe read(bytes, into: place) }
    }

    /// Gives the bytes of the next record that can be read to `read`, which returns false if the record does not match; false at the
    /// end.
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
                // What the operating system refuses, or an array that is damaged between its elements, is no bad record that one
                // could pass over: the feed ends here, and that must not go unnoticed.
                if unsafe splitter.isBroken || hasEnded { throw error }
                try unsafe reject(error, at: splitter.recordPosition, given)
            }
        }
    }

    /// Reads a record; false if it does not match.
    @inline(__always)
    private func read(_ bytes: UnsafeRawBufferPointer, into place: UnsafeMutableRawPointer) throws(JSONError) -> Bool {
        if hasChoice { return try unsafe choose(bytes, into: place) }
        if let error = unsafe reader.run(Record.self, at: place, bytes) { throw located(error) }
        return true
    }

    @inline(never)
    private func choose(_ bytes: UnsafeRawBufferPointer, into place: UnsafeMutableRawPointer) throws(JSONError) -> Bool {
        switch unsafe choice?.read(Record.self, at: place, bytes, &reader) {
        case .unmatched: return false
        case .failed(let error): throw located(error)
        case .matched, nil: return true
        }
    }

    /// An error of the record at hand, seen from the beginning of the feed.
    private func located(_ error: JSONError) -> JSONError {
        if countsProperties { unsafe propertyCounts.add(reader.propertyCounts, isRejected: true) }
        return unsafe splitter.located(error)
    }

    /// The next record that a worker has read.
    private func readNext(
        of parallel: ParallelRecords<Record>, into place: UnsafeMutableRawPointer
    ) throws(JSONError) -> Bool {
        while let outcome = parallel.next(waits: waits) {
            if let counts = outcome.propertyCounts { propertyCounts.add(counts, isRejected: !outcome.isAccepted) }
            switch outcome.kind {
            case .accepted:
                unsafe parallel.take(into: place)
                counts.accepted += 1
                if let report = outcome.report { noteDropped(report) }
                return true
            case .unmatched(let count): counts.unmatched += count
            case .rejected(let error):
                try unsafe reject(error, at: outcome.start, UnsafeRawBufferPointer(start: nil, count: 0))
            case .failed(let error): throw error
            }
        }
        return try end(parallel.isOver)
    }

    /// Gives the bytes of the next record that matches to `read`, which returns what is wrong with it; false at the end.
    package func readRecord(into read: (UnsafeRawBufferPointer) -> JSONError?) throws(JSONError) -> Bool {
        precondition(!isReading, "a feed is asked for a record while it reads one")
        isReading = true
        defer { isReading = false }
        if try isOver() { return false }
        return try unsafe readRecord { bytes throws(JSONError) in
            if hasChoice {
                var record: Record?
                let matches = try unsafe withUnsafeMutablePointer(to: &record) { place throws(JSONError) in
                    try unsafe choose(bytes, into: UnsafeMutableRawPointer(place))
                }
                if !matches { return false }
            }
            if let error = unsafe read(bytes) { throw unsafe splitter.located(error) }
            return true
        }
    }

    /// Whether no more records are to be given out.
    func isOver() throws(JSONError) -> Bool {
        if hasEnded { return true }
        guard let limit = options.limit, counts.accepted >= limit else { return false }
        _ = try end(true)
        return true
    }

    /// No record is there now, or ever; false.
    func end(_ isOver: Bool) throws(JSONError) -> Bool {
        hasEnded = isOver
        if isOver { try checkLimits(isAtEnd: true) }
        return false
    }

    // MARK: Threads

    /// Reads the next record if it is there; otherwise false, and the feed may not be finished.
    ///
    /// The record waits in the feed, because Swift 6.3's optimiser ends with an internal error where a task's loop holds it.
    func prepareWithoutWaiting() throws(JSONError) -> Bool {
        if parallel == nil { unsafe try splitter.startReadingAhead(keeping: file) }
        waits = false
        defer { waits = true }
        prepared = try next()
        return prepared != nil
    }

    /// The record that was read last.
    func takePrepared() -> Record? {
        defer { prepared = nil }
        return prepared
    }

    /// What a task awaits until the next record may be there; nil if there is nothing to wait for.
    var readiness: (@Sendable () async -> Void)? {
        if hasEnded { return nil }
        return unsafe parallel?.readiness ?? splitter.readAhead?.readiness
    }

    /// Hands the rest of the feed to workers.
    @usableFromInline
    func start(workers: Int, _ collect: @escaping @Sendable (SliceWorker) -> [Record]) throws(JSONError) {
        guard parallel == nil, isCuttable else { return }
        let state = unsafe ParallelRecords<Record>(behind: splitter)
        guard let cutter = makeCutter() else { return }
        let options = options
        state.workers = try OrderedWorkers(count: workers, cutter: cutter) {
            let worker = SliceWorker(options.reading, RecordChoice(options.predicate, options.reading))
            return { slice in worker.read(slice, collect) }
        }
        parallel = state
    }

    /// Whether workers can cut the feed: rows are read under their names, and rejected bytes are written down, where it is cut.
    private var isCuttable: Bool { unsafe !splitter.isPushed && !options.hasHeader && !options.writesRejectedBytes }

    /// Hands the rest of the feed to workers that cut it; nil where the feed must be read in one thread.
    func makeCutter() -> SliceCutter? {
        guard isCuttable else { return nil }
        var cut = RecordSplitter(readSize: 0)
        unsafe swap(&cut, &splitter)
        return SliceCutter(cut, keeping: file)
    }
}

@available(*, unavailable, message: "a feed belongs to one task; make one for each")
extension JSONFeed: @unchecked Sendable {}
