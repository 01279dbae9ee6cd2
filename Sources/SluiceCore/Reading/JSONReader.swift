// Bytes come in, a value goes out. The reader owns the parser and the binder, and feeds the one into the other.

internal import CYajl

/// Reads JSON into models and other bindable values; made once and used for many documents.
///
/// A reader keeps its parser and its memory between documents, which is most of the cost of a small one. After an error it is
/// as good as new. It is not `Sendable`: use one per task.
///
/// ```swift
/// var reader = JSONReader()
/// for line in lines {
///     let book = try reader.read(Book.self, from: line)      // String, [UInt8], UnsafeRawBufferPointer, RawSpan
/// }
/// ```
@safe
public struct JSONReader: ~Copyable {
    /// How documents are read.
    public let options: Options
    let binder: UnsafeMutablePointer<Binder>
    /// yajl's parser, kept for the next document; nil before the first that it reads and after an error.
    private var yajl: YajlEvents?
    /// Looks at the text before it is read; nil where the options set no budget.
    var budget: BudgetScanner?
    /// The binding of the type read last: the registry is asked only when the type changes.
    private var rootType: ObjectIdentifier?
    private var rootRow: UnsafePointer<PropertyRow>

    /// A reader without memory of its own yet.
    public init(options: Options = Options()) {
        self.options = options
        unsafe binder = .allocate(capacity: 1)
        unsafe binder.initialize(to: Binder(options: options))
        unsafe binder.pointee.validatesEverything = options.validation == .full
        unsafe binder.pointee.countsUnknownKeys = options.validation == .full || options.unknownKeys != .ignore
        unsafe binder.pointee.countsProperties = options.countsProperties
        unsafe rootRow = unsafe ReaderRows.none
        budget = unsafe BudgetScanner(options, binder)
    }

    deinit {
        unsafe binder.pointee.deallocate()
        unsafe binder.deinitialize(count: 1)
        unsafe binder.deallocate()
    }

    /// What the document read last held that was left out of the value; after an error, what had been left out until then.
    ///
    /// ```swift
    /// var reader = JSONReader()
    /// let tags = try reader.read([Int].self, from: #"[1, "x", 2]"#)     // [1, 2]
    /// reader.report.droppedCount                                        // 1
    /// reader.report.issues.first?.path                                  // "[1]"
    /// ```
    public var report: JSONReadReport {
        var report = unsafe binder.pointee.report
        if report.unknownKeyCount > 0 { report.unknownKeys = unsafe binder.pointee.unknownKeyCounts.ofDocument }
        if options.countsProperties { report.properties = propertyCounts.list }
        return report
    }

    // MARK: Whole documents

    /// Reads one value from bytes that lie in memory as a whole.
    ///
    /// - Throws: ``JSONError``; nothing of the value is left then, and the reader can be used again.
    @inlinable
    public mutating func read<Value: JSONReadable>(
        _ type: Value.Type, from bytes: UnsafeRawBufferPointer
    ) throws(JSONError) -> Value {
        // Specialised in the caller's module: otherwise the value would be copied out through its metadata.
        var result: Value?
        let failure = unsafe withUnsafeMutablePointer(to: &result) { root in
            unsafe run(type, at: UnsafeMutableRawPointer(root), bytes)
        }
        if let failure { throw failure }
        guard let result else { throw JSONReader.nothing }
        return result
    }

    /// Reads one value from an array of bytes.
    @inlinable
    public mutating func read<Value: JSONReadable>(_ type: Value.Type, from bytes: [UInt8]) throws(JSONError) -> Value {
        var result: Value?
        let failure = unsafe withUnsafeMutablePointer(to: &result) { root in
            unsafe bytes.withUnsafeBytes { unsafe run(type, at: UnsafeMutableRawPointer(root), $0) }
        }
        if let failure { throw failure }
        guard let result else { throw JSONReader.nothing }
        return result
    }

    /// Reads one value from a string.
    @inlinable
    public mutating func read<Value: JSONReadable>(_ type: Value.Type, from text: String) throws(JSONError) -> Value {
        var text = text
        var result: Value?
        let failure = unsafe withUnsafeMutablePointer(to: &result) { root in
            text.withUTF8 { unsafe run(type, at: UnsafeMutableRawPointer(root), UnsafeRawBufferPointer($0)) }
        }
        if let failure { throw failure }
        guard let result else { throw JSONReader.nothing }
        return result
    }

    /// Reads one value from a span of bytes.
    @inlinable
    public mutating func read<Value: JSONReadable>(_ type: Value.Type, from bytes: RawSpan) throws(JSONError) -> Value {
        try unsafe bytes.withUnsafeBytes { buffer throws(JSONError) in try unsafe read(type, from: buffer) }
    }

    /// Binds a document to memory that holds a nil `Value?`; the error, or nil.
    @usableFromInline
    package mutating func run<Value: JSONReadable>(
        _ type: Value.Type, at root: UnsafeMutableRawPointer, _ bytes: UnsafeRawBufferPointer
    ) -> JSONError? {
        unsafe run(row(for: type), at: root, bytes)
    }

    /// No error and no value: the binder has a bug if this is ever thrown.
    @usableFromInline static var nothing: JSONError { JSONError(.unexpectedEnd, expected: "a value", found: "none") }

    /// Binds a document to the place of a row; the error, or nil.
    mutating func run(
        _ row: UnsafePointer<PropertyRow>, at root: UnsafeMutableRawPointer, _ input: UnsafeRawBufferPointer
    ) -> JSONError? {
        if let failure = YajlSelfTest.failure { return failure }
        if options.parser == .automatic {
            unsafe binder.pointee.begin(row, at: root)
            unsafe beginChunk(input, isFirst: true)
            if isWithinBudget() {
                switch scan() {
                case .read: return nil
                case .misfit(let error): return error
                case .doubtful: break
                }
            }
            unsafe binder.pointee.unwind()
        }
        return unsafe runYajl(row, at: root, input)
    }

    /// Whether the text at hand uses up no budget.
    @inline(__always)
    private mutating func isWithinBudget() -> Bool {
        guard budget != nil else { return true }
        let chunk = unsafe binder.pointee.chunk
        budget?.begin(at: chunk.position.offset)
        return unsafe budget?.scan(chunk.bytes) == nil
    }

    /// What the scanner found out about a text.
    private enum Scan {
        case read
        case misfit(JSONError)
        /// yajl must read it.
        case doubtful
    }

    /// Reads the chunk with the scanner.
    @inline(__always)
    private func scan() -> Scan {
        let text = unsafe binder.pointee.chunk.bytes
        guard unsafe !text.isEmpty else { return .doubtful }
        if unsafe DocumentScanner(binder, text).read() { return .read }
        // A value that does not fit is the first thing wrong with the text, unless the scanner has passed over some of it. Where keys
        // are missing, the error names those that no property has, which are noted only in yajl's way.
        guard let misfit = unsafe binder.pointee.error, unsafe !binder.pointee.hasUncheckedText, misfit.kind != .missingKeys
        else {
            return .doubtful
        }
        unsafe binder.pointee.unwind()
        return .misfit(misfit)
    }

    /// The same for a document that goes into the model that `root` holds.
    mutating func runUpdate(
        _ row: UnsafePointer<PropertyRow>, at root: UnsafeMutableRawPointer, _ input: UnsafeRawBufferPointer,
        _ assigned: inout [AssignedProperty]
    ) -> JSONError? {
        unsafe binder.pointee.isUpdating = true
        defer {
            unsafe binder.pointee.isUpdating = false
            unsafe binder.pointee.objectUpdates = nil
        }
        let failure = unsafe run(row, at: root, input)
        assigned = unsafe binder.pointee.assigned
        if failure == nil { unsafe binder.pointee.objectUpdates?.adopt() }
        return failure
    }

    /// Reads a document through yajl, which finds out what is wrong with it.
    @inline(never)
    private mutating func runYajl(
        _ row: UnsafePointer<PropertyRow>, at root: UnsafeMutableRawPointer, _ input: UnsafeRawBufferPointer
    ) -> JSONError? {
        unsafe binder.pointee.begin(row, at: root)
        guard let parser = unsafe yajl ?? YajlEvents(binder: unsafe binder) else {
            return JSONError(.incompatibleParser, found: "yajl has no memory for a parser")
        }
        yajl = nil
        parser.begin()
        unsafe beginChunk(input, isFirst: true)
        unsafe budget?.begin(at: binder.pointee.chunk.position.offset)
        let failure = parseChunk(parser, Self.noMore) ?? finish(parser)
        if failure == nil {
            yajl = parser
        } else {
            unsafe binder.pointee.unwind()
        }
        return failure
    }

    /// Begins a chunk; a byte order mark before the first one is not read, but counts in offsets.
    private func beginChunk(_ bytes: UnsafeRawBufferPointer, isFirst: Bool) {
        guard isFirst, unsafe bytes.starts(with: [0xEF, 0xBB, 0xBF]) else {
            return unsafe binder.pointee.beginChunk(bytes, at: .start)
        }
        unsafe binder.pointee.beginChunk(
            UnsafeRawBufferPointer(rebasing: bytes[3...]), at: SourcePosition(offset: 3, line: 1, column: 4))
    }

    /// Parses the chunk, as far as the budgets reach; what is wrong with it, if anything.
    ///
    /// - Parameter more: Gives a few more bytes of the input, for the words of an error; none at its end.
    mutating func parseChunk(_ parser: YajlEvents, _ more: () -> [UInt8]) -> JSONError? {
        let chunk = unsafe binder.pointee.chunk
        let breach = unsafe budget?.scan(chunk.bytes)
        // An error that stands before the place where a budget is used up comes first.
        if let breach { unsafe binder.pointee.chunk.end = unsafe chunk.start + breach.index }
        let status = unsafe parser.parse(binder.pointee.chunk.bytes)
        if let failure = failure(in: parser, at: status, breach == nil ? more : Self.noMore) { return failure }
        guard let breach else { return nil }
        let place = unsafe chunk.start + breach.index
        return unsafe JSONError(
            breach.kind, path: breach.isOfContainer ? binder.pointee.pathOfContainer() : binder.pointee.path(),
            position: chunk.position(of: place), expected: breach.expected, found: breach.found, keys: breach.keys,
            excerpt: chunk.excerpt(at: place))
    }

    /// No more text comes; what is wrong with that, if anything.
    func finish(_ parser: YajlEvents) -> JSONError? {
        let status = parser.complete()
        // All text has been searched for control characters with its chunk.
        if let failure = failure(in: parser, at: status, isSearched: true, Self.noMore) { return failure }
        return unsafe binder.pointee.rootEnd == nil ? endOfInput(parser) : nil
    }

    /// There is nothing behind a document in memory.
    static let noMore: @Sendable () -> [UInt8] = { [] }

    /// A few bytes behind the chunk; none at the end, or where the source gives an error.
    private static func lookahead(in source: inout some ByteSource) -> [UInt8] {
        unsafe withUnsafeTemporaryAllocation(byteCount: 32, alignment: 16) { buffer in
            let count = unsafe (try? source.readChecked(into: buffer)) ?? 0
            return unsafe Array(buffer.prefix(count))
        }
    }

    /// What is wrong after a chunk, if anything; a document that has not ended yet is not.
    func failure(
        in parser: YajlEvents, at status: YajlStatus, isSearched: Bool = false, _ more: () -> [UInt8]
    ) -> JSONError? {
        let chunk = unsafe binder.pointee.chunk
        if !isSearched,
            let blank = unsafe controlBlank(in: chunk, before: status == .ok ? chunk.end : parser.reached)
        {
            return blank
        }
        if let end = unsafe binder.pointee.rootEnd {
            // Whatever follows is one error, be it JSON or not: yajl accepts even an unterminated string there (P29).
            let tail = max(0, end - chunk.position.offset)
            guard unsafe firstNonBlank(in: chunk.bytes, from: tail) != nil else { return nil }
            return encodingError(in: chunk) ?? diagnosed(.trailingContent, "more", parser, more)
        }
        if let error = unsafe binder.pointee.error { return error }
        return status == .ok ? nil : syntaxError(parser, more)
    }

    /// The control character that yajl took for white space, unless it stands behind where yajl stopped.
    private func controlBlank(in chunk: Chunk, before end: UnsafePointer<UInt8>) -> JSONError? {
        guard let index = unsafe InvalidWhiteSpace.first(in: chunk.bytes) else { return nil }
        let place = unsafe chunk.start + index
        guard unsafe place < end else { return nil }
        // How far the document was read behind that character depends on the way of reading, and so does what was left out.
        unsafe binder.pointee.report = JSONReadReport()
        // No path: what was bound last may lie before or behind it.
        return unsafe JSONError(
            .syntax, position: chunk.position(of: place), expected: "JSON white space", found: "a vertical tab or form feed",
            excerpt: chunk.excerpt(at: place))
    }

    private func syntaxError(_ parser: YajlEvents, _ more: () -> [UInt8]) -> JSONError {
        let chunk = unsafe binder.pointee.chunk
        // At the end yajl is fed a blank: whatever that does not fit, it is the end that is unexpected.
        guard !parser.isCompleting, case .other(let found) = parser.syntaxError() else { return endOfInput(parser) }
        return encodingError(in: chunk) ?? diagnosed(.syntax, found, parser, more)
    }

    /// What is wrong behind the last good token.
    ///
    /// - Parameter reason: What there is to say about what has no name.
    private func diagnosed(
        _ kind: JSONError.Kind, _ reason: String, _ parser: YajlEvents, _ more: () -> [UInt8]
    ) -> JSONError {
        var lookahead: [UInt8] = []
        var isWhole = false
        var place = parser.syntaxFault(lookahead: lookahead, isWhole: isWhole)
        while place.fault.isCut, !isWhole {
            let next = more()
            lookahead += next
            isWhole = next.isEmpty
            place = parser.syntaxFault(lookahead: lookahead, isWhole: isWhole)
        }
        return unsafe JSONError(
            kind, path: binder.pointee.path(), position: place.position, expected: place.fault.expected,
            found: place.fault.found.isEmpty ? reason : place.fault.found, hint: place.fault.hint, excerpt: place.excerpt)
    }

    /// Text in another encoding than UTF-8 is named as such: its first chunk tells.
    private func encodingError(in chunk: Chunk) -> JSONError? {
        guard chunk.position.offset <= 3, let encoding = unsafe foreignEncoding(of: chunk.bytes) else { return nil }
        return unsafe JSONError(
            .unsupportedEncoding, path: binder.pointee.path(), position: chunk.position, expected: "UTF-8", found: encoding,
            hint: "convert the text to UTF-8 first", excerpt: chunk.excerpt(at: chunk.start))
    }

    private func endOfInput(_ parser: YajlEvents) -> JSONError {
        let chunk = unsafe binder.pointee.chunk
        let missing = parser.truncation()
        let blank = parser.hasNoText ? "an empty input" : "only white space"
        return unsafe JSONError(
            .unexpectedEnd, path: binder.pointee.path(), position: chunk.position(of: chunk.end), expected: missing.expected,
            found: missing.opening == nil && missing.expected == "a value" ? blank : "", hint: missing.hint,
            hintPlace: missing.opening, excerpt: SourceExcerpt(endOf: chunk.bytes))
    }

    // MARK: Documents in chunks

    /// Reads one value from a source, chunk by chunk, in memory that does not depend on the source's size.
    ///
    /// ```swift
    /// var source = FileDescriptorSource(descriptor: 0)
    /// let archive = try reader.read(Archive.self, from: &source)
    /// ```
    ///
    /// - Throws: ``JSONError``; also what the source throws.
    public mutating func read<Value: JSONReadable>(
        _ type: Value.Type, from source: inout some ByteSource
    ) throws(JSONError) -> Value {
        if let failure = YajlSelfTest.failure { throw failure }
        var result: Value?
        let row = unsafe row(for: type)
        var failure: JSONError?
        unsafe withUnsafeMutablePointer(to: &result) { root in
            do throws(JSONError) {
                failure = try unsafe run(row, at: UnsafeMutableRawPointer(root), from: &source)
            } catch {
                failure = error
            }
        }
        if let failure {
            unsafe binder.pointee.unwind()
            throw failure
        }
        guard let result else { throw JSONReader.nothing }
        return result
    }

    /// Gathers the document, or its beginning, and reads it.
    private mutating func run(
        _ row: UnsafePointer<PropertyRow>, at root: UnsafeMutableRawPointer, from source: inout some ByteSource
    ) throws(JSONError) -> JSONError? {
        var buffer = SourceBuffer()
        defer { buffer.deallocate() }
        // A byte order mark may itself be split, and four bytes tell the encoding.
        try buffer.fill(from: &source, atLeast: max(options.gathersUpTo, 4))
        if buffer.isAtEnd { return unsafe run(row, at: root, buffer.bytes) }
        return try unsafe runChunks(row, at: root, from: &source, &buffer)
    }

    private mutating func runChunks(
        _ row: UnsafePointer<PropertyRow>, at root: UnsafeMutableRawPointer, from source: inout some ByteSource,
        _ buffer: inout SourceBuffer
    ) throws(JSONError) -> JSONError? {
        unsafe binder.pointee.begin(row, at: root)
        guard let parser = unsafe YajlEvents(binder: binder) else {
            return JSONError(.incompatibleParser, found: "yajl has no memory for a parser")
        }
        parser.begin()
        unsafe beginChunk(buffer.bytes, isFirst: true)
        unsafe budget?.begin(at: binder.pointee.chunk.position.offset)
        while true {
            if let failure = parseChunk(parser, { Self.lookahead(in: &source) }) { return failure }
            parser.endChunk()
            unsafe binder.pointee.capture.carry(from: binder.pointee.chunk)
            let next = unsafe binder.pointee.chunk.position(of: binder.pointee.chunk.end)
            if budget == nil, parser.openTokenSize > options.maximumTokenSize {
                return unsafe JSONError(
                    .sizeLimit, path: binder.pointee.path(), position: next,
                    expected: BudgetScanner.tokenExpectation(options), found: "a longer one")
            }
            if buffer.isAtEnd { break }
            // yajl scans a token that spans chunks again from its start with each chunk (P14): chunks that grow with the token keep
            // that linear.
            let wanted = max(parser.openTokenSize, options.gathersUpTo > 0 ? SourceBuffer.chunkSize : 1)
            let allowed = max(options.maximumTokenSize - parser.openTokenSize, 0)
            try buffer.fill(from: &source, atLeast: min(wanted, allowed + 1))
            unsafe binder.pointee.beginChunk(buffer.bytes, at: next)
        }
        let end = unsafe binder.pointee.chunk.position(of: binder.pointee.chunk.end)
        unsafe binder.pointee.beginChunk(UnsafeRawBufferPointer(start: nil, count: 0), at: end)
        return finish(parser)
    }

    /// Whether the last document held a value that nothing binds.
    var hasUnboundValue: Bool { unsafe binder.pointee.hasUnboundValue }

    /// Text that cells of the last record refer to.
    func cellText(at offset: Int, count: Int) -> UnsafeBufferPointer<UInt8> {
        // Safe: the buffer is not touched before the next document begins.
        unsafe binder.pointee.cellText.withUnsafeBufferPointer {
            unsafe UnsafeBufferPointer(rebasing: $0[offset..<(offset + count)])
        }
    }

    /// What cells of the last record refer to: text, and the cells of elements; valid until the next record.
    var cellMemory: (text: UnsafePointer<UInt8>, elements: UnsafeRawPointer) {
        // Safe: the buffers are not touched before the next document begins. Of an empty one, nothing is read.
        let text = unsafe binder.pointee.cellText.withUnsafeBufferPointer { $0.baseAddress }
        let elements = unsafe binder.pointee.cellElements.withUnsafeBufferPointer { $0.baseAddress }
        return unsafe (text ?? NoBytes.address, UnsafeRawPointer(elements ?? NoBytes.address))
    }

    // MARK: Roots

    mutating func row<Value: JSONReadable>(for type: Value.Type) -> UnsafePointer<PropertyRow> {
        if rootType != ObjectIdentifier(type) {
            unsafe rootRow = unsafe BindingRegistry.shared.rootRow(for: type)
            rootType = ObjectIdentifier(type)
        }
        return unsafe rootRow
    }
}

@available(*, unavailable, message: "a reader belongs to one task; make one for each")
extension JSONReader: @unchecked Sendable {}
