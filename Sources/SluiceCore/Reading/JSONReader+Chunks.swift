// A document comes chunk by chunk from a source, or lies in memory as a single one: yajl parses each, and memory does not grow with
// the document.

extension JSONReader {
    /// Reads one value from a source, chunk by chunk, in memory that does not depend on the source's size.
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
        guard let result else { throw JSONReader.nothing }
        return result
    }

    /// Binds what a source gives to memory that holds a nil `Value?`; the error, or nil.
    @usableFromInline
    mutating func run<Value: JSONReadable>(
        _ type: Value.Type, at root: UnsafeMutableRawPointer, from source: inout some ByteSource
    ) -> JSONError? {
        if let failure = YajlSelfTest.failure { return failure }
        let failure: JSONError?
        do throws(JSONError) {
            failure = try unsafe run(row(for: type), at: root, from: &source)
        } catch {
            failure = error
        }
        if failure != nil { unsafe binder.pointee.unwind() }
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
        // A byte order mark may itself be split, and four bytes tell the encoding.
        try buffer.fill(from: &source, atLeast: max(options.gathersUpTo, 4))
        if buffer.isAtEnd { return unsafe run(row, at: root, buffer.bytes) }
        return try unsafe runChunks(row, at: root, from: &source, &buffer)
    }

    private mutating func runChunks(
        _ row: RowHandle, at root: UnsafeMutableRawPointer, from source: inout some ByteSource,
        _ buffer: inout SourceBuffer
    ) throws(JSONError) -> JSONError? {
        let parser: YajlEvents
        switch unsafe beginYajl(row, at: root) {
        case .success(let ready): parser = ready
        case .failure(let failure): return failure
        }
        unsafe beginChunk(buffer.bytes, isFirst: true)
        unsafe budget?.begin(at: binder.pointee.chunk.position.offset)
        while true {
            if let failure = readChunk(parser, { Self.lookahead(in: &source) }) { return failure }
            let end = unsafe binder.pointee.chunk.position(of: binder.pointee.chunk.end)
            if buffer.isAtEnd {
                let failure = finish(parser, at: end)
                if failure == nil { keep(parser, behind: end.offset) }
                return failure
            }
            // yajl scans a token that spans chunks again from its start with each chunk (P14): chunks that grow with the token keep
            // that linear.
            let wanted = max(parser.openTokenSize, options.gathersUpTo > 0 ? SourceBuffer.chunkSize : 1)
            let allowed = max(options.maximumTokenSize - parser.openTokenSize, 0)
            try buffer.fill(from: &source, atLeast: min(wanted, allowed + 1))
            unsafe binder.pointee.beginChunk(buffer.bytes, at: end)
        }
    }

    /// Begins a chunk; a byte order mark before the first one is not read, but counts in offsets.
    func beginChunk(_ bytes: UnsafeRawBufferPointer, isFirst: Bool) {
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

    /// Parses the chunk at hand and keeps what the next one goes on with; what is wrong with it, if anything.
    ///
    /// - Parameter more: Gives a few more bytes of the input, for the words of an error; none at its end.
    mutating func readChunk(_ parser: YajlEvents, _ more: () -> [UInt8]) -> JSONError? {
        if let failure = parseChunk(parser, more) { return failure }
        parser.endChunk()
        let chunk = unsafe binder.pointee.chunk
        unsafe binder.pointee.capture.carry(from: chunk)
        guard budget == nil, parser.openTokenSize > options.maximumTokenSize else { return nil }
        return unsafe JSONError(
            .sizeLimit, path: binder.pointee.path(), position: chunk.position(of: chunk.end),
            expected: BudgetScanner.tokenExpectation(options), found: "a longer one")
    }

    /// No chunk follows the one that ends at a place; what is wrong with that, if anything.
    func finish(_ parser: YajlEvents, at end: SourcePosition) -> JSONError? {
        unsafe binder.pointee.beginChunk(UnsafeRawBufferPointer(start: nil, count: 0), at: end)
        return finish(parser)
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
}
