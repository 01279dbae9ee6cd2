// A document comes chunk by chunk from a source, or lies in memory as one chunk. yajl parses each chunk, and the memory needed does
// not grow with the document.

extension JSONReader {
    /// Reads one value from a source, chunk by chunk, in memory that does not depend on the source's size. If the options have a schema, the
    /// document is gathered first, because it is checked as a whole.
    ///
    /// ```swift
    /// var source = FileDescriptorSource(descriptor: 0)
    /// let archive = try reader.read(Archive.self, from: &source)
    /// ```
    ///
    /// - Throws: ``JSONError``; also what the source throws.
    @inlinable
    public mutating func read<Value: JSONReadable>(
        _ type: Value.Type, from source: inout some ByteSource
    ) throws(JSONError) -> Value {
        var result: Value?
        let failure = unsafe withUnsafeMutablePointer(to: &result) { root in
            unsafe run(type, at: UnsafeMutableRawPointer(root), from: &source)
        }
        if let failure { throw failure }
        guard let value = result.take() else { throw JSONReader.nothing }
        return value
    }

    /// Reads a document from a source into memory that holds a nil `Value?`. Returns the error, or nil.
    @usableFromInline
    mutating func run<Value: JSONReadable>(
        _ type: Value.Type, at root: UnsafeMutableRawPointer, from source: inout some ByteSource
    ) -> JSONError? {
        let failure: JSONError?
        do throws(JSONError) {
            failure = try unsafe run(row(for: type), at: root, from: &source)
        } catch {
            failure = error
        }
        if failure != nil {
            binder.state.unwind()
            unsafe JSONReader.forget(type, at: root)
        }
        return failure
    }

    /// Gathers the document, or its beginning, and reads it.
    private mutating func run(
        _ row: RowHandle, at root: UnsafeMutableRawPointer, from source: inout some ByteSource
    ) throws(JSONError) -> JSONError? {
        var buffer = sourceBuffer ?? SourceBuffer()
        sourceBuffer = nil
        defer { sourceBuffer = buffer.kept() }
        buffer.begin()
        let limit = options.contract?.contract.maximumSize
        let gathered = limit.map { min($0, options.maximumDocumentSize ?? .max, .max - 1) + 1 } ?? options.gathersUpTo
        // A byte order mark may itself be split, and it takes four bytes to tell the encoding.
        try buffer.fill(from: &source, atLeast: max(gathered, 4))
        if buffer.isAtEnd { return unsafe run(row, at: root, buffer.bytes) }
        if let limit, gathered > limit {
            throw JSONError(.sizeLimit, expected: "a document of at most \(limit) bytes", found: "a longer one")
        }
        return try unsafe runChunks(row, at: root, from: &source, &buffer)
    }

    private mutating func runChunks(
        _ row: RowHandle, at root: UnsafeMutableRawPointer, from source: inout some ByteSource,
        _ buffer: inout SourceBuffer
    ) throws(JSONError) -> JSONError? {
        let parser = unsafe beginYajl(row, at: root, buffer.bytes)
        budget?.begin(at: binder.state.document.chunk.position.offset)
        while true {
            if let failure = readChunk(parser, { Self.lookahead(in: &source) }) { return failure }
            let end = unsafe binder.state.document.chunk.position(of: binder.state.document.chunk.end)
            if buffer.isAtEnd {
                let failure = finish(parser, at: end)
                if failure == nil { keep(parser, after: end.offset) }
                return failure
            }
            try buffer.fill(
                from: &source, atLeast: leastChunk(after: parser, options.gathersUpTo > 0 ? SourceBuffer.chunkSize : 1))
            unsafe binder.state.beginChunk(buffer.bytes, at: end)
        }
    }

    /// How many bytes the next chunk should have at least.
    ///
    /// yajl scans a token that spans chunks again from its start with each chunk (P14): chunks that grow with the token keep that linear.
    ///
    /// - Parameter count: How many bytes it should have if no token is open; at least 1.
    func leastChunk(after parser: YajlEvents, _ count: Int = 1) -> Int {
        let allowed = max(options.maximumTokenSize - parser.openTokenSize, 0)
        return min(max(parser.openTokenSize, count) - 1, allowed) + 1
    }

    /// The first chunk of a document. A byte order mark is not read, but counts in offsets.
    @inline(__always)
    func firstChunk(_ bytes: UnsafeRawBufferPointer) -> Chunk {
        guard unsafe bytes.hasByteOrderMark else { return unsafe Chunk(bytes) }
        return unsafe Chunk(UnsafeRawBufferPointer(rebasing: bytes[3...]), at: SourcePosition(offset: 3, line: 1, column: 4))
    }

    /// Parses the chunk up to the position where a budget is used up. Returns the error, or nil.
    ///
    /// - Parameter more: Returns a few more bytes of the input, for an error message; none at the end of the input.
    mutating func parseChunk(_ parser: YajlEvents, _ more: () -> [UInt8]) -> JSONError? {
        let chunk = binder.state.document.chunk
        let exceeded = unsafe budget?.scan(chunk.bytes)
        // An error before the position where a budget is used up is reported first.
        if let exceeded { unsafe binder.state.document.chunk.end = unsafe chunk.start + exceeded.index }
        let status = unsafe parser.parse(binder.state.document.chunk.bytes)
        if let failure = failure(in: parser, at: status, exceeded == nil ? more : Self.noMore) { return failure }
        guard let exceeded else { return nil }
        let address = unsafe chunk.start + exceeded.index
        return unsafe JSONError(
            exceeded.kind, path: exceeded.isOfContainer ? binder.state.pathOfContainer() : binder.state.path(),
            position: chunk.position(of: address), expected: exceeded.expected, found: exceeded.found,
            keys: binder.state.hidesKeys ? [] : exceeded.keys,
            excerpt: binder.state.mayHoldSensitive ? nil : chunk.excerpt(at: address),
            hidesText: binder.state.mayHoldSensitive)
    }

    /// Parses the current chunk and saves what the next one needs. Returns the error, or nil.
    ///
    /// - Parameter more: Returns a few more bytes of the input, for an error message; none at the end of the input.
    mutating func readChunk(_ parser: YajlEvents, _ more: () -> [UInt8]) -> JSONError? {
        if let failure = parseChunk(parser, more) { return failure }
        parser.endChunk()
        let chunk = binder.state.document.chunk
        binder.state.capture.carry(from: chunk)
        guard budget == nil, parser.openTokenSize > options.maximumTokenSize else { return nil }
        return unsafe JSONError(
            .sizeLimit, path: binder.state.path(), position: chunk.position(of: chunk.end),
            expected: BudgetScanner.tokenExpectation(options), found: "a longer one")
    }

    /// Ends a document whose last chunk ended at a position. Returns the error, or nil.
    func finish(_ parser: YajlEvents, at end: SourcePosition) -> JSONError? {
        unsafe binder.state.beginChunk(UnsafeRawBufferPointer(start: nil, count: 0), at: end)
        return finish(parser)
    }

    /// Ends the document. Returns the error, or nil.
    func finish(_ parser: YajlEvents) -> JSONError? {
        let status = parser.complete()
        // Each chunk has already been searched for control characters.
        if let failure = failure(in: parser, at: status, isSearched: true, Self.noMore) { return failure }
        return binder.state.document.rootEnd == nil ? endOfInput(parser) : nil
    }

    /// The bytes that follow a document in memory: none.
    static let noMore: @Sendable () -> [UInt8] = { [] }

    /// A few bytes that follow the chunk; none at the end of the source, or if it throws.
    private static func lookahead(in source: inout some ByteSource) -> [UInt8] {
        unsafe withUnsafeTemporaryAllocation(byteCount: 32, alignment: 16) { buffer in
            let count = unsafe (try? source.read(into: buffer)) ?? 0
            return unsafe Array(buffer.prefix(count))
        }
    }
}
