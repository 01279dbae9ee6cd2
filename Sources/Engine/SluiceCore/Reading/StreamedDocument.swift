// A document whose text the caller hands over piece by piece, each with its position: yajl reads the pieces like the chunks of a source.
// A feed passes the envelope around its records in this way, and reads the records between the pieces by other means.

/// Reads one document after the other, from pieces of text.
///
/// ```swift
/// var document = StreamedDocument(options: options)
/// if let failure = document.begin() ?? document.read(piece, at: position) ?? document.finish(at: end) { throw failure }
/// ```
///
/// After an error the document is over, and another may begin.
@safe
package struct StreamedDocument: ~Copyable {
    private var reader: JSONReader
    /// The parser of the open document; nil while no document is open.
    private var parser: YajlEvents?
    /// The parser of the last document, kept for the next one.
    private var spare: YajlEvents?
    /// Whether the text is only checked, and bound to nothing.
    private var isUnbound = false

    package init(options: JSONReader.Options) { reader = JSONReader(options: options.withoutContract) }

    /// Whether a document has begun, has not ended, and has had no error so far.
    package var isOpen: Bool { parser != nil }

    /// How many bytes the next piece should have at least, so that a long token that comes in small pieces takes linear time.
    package var leastPiece: Int { parser.map { reader.leastChunk(after: $0) } ?? 1 }

    /// What was left out of the document.
    package var report: JSONReadReport { reader.report }

    /// Whether errors must not show the text.
    package var hidesText: Bool {
        get { reader.hidesText }
        set { reader.hidesText = newValue }
    }

    /// Begins a document whose text is only checked, and bound to nothing.
    package mutating func begin() -> JSONError? {
        isUnbound = true
        return unsafe begin(ReaderRows.ignored, at: UnsafeMutableRawPointer(mutating: NoBytes.address))
    }

    /// Begins a document whose value is stored at `root`: memory that holds a nil `Value?`, and must not move until the document ends.
    package mutating func begin<Value: JSONReadable>(_ type: Value.Type, at root: UnsafeMutableRawPointer) -> JSONError? {
        isUnbound = false
        return unsafe begin(reader.row(for: type), at: root)
    }

    private mutating func begin(_ row: RowHandle, at root: UnsafeMutableRawPointer) -> JSONError? {
        cancel()
        unsafe reader.binder.state.begin(row, at: root)
        let parser = spare ?? YajlEvents(binder: reader.binder)
        spare = nil
        parser.begin()
        reader.budget?.begin(at: 0)
        self.parser = parser
        return nil
    }

    /// Reads the next piece. Returns the error, or nil.
    ///
    /// - Parameters:
    ///   - position: The position of the piece, for errors.
    ///   - more: Returns a few more bytes of the text, for an error message; none at the end of the text.
    package mutating func read(
        _ piece: UnsafeRawBufferPointer, at position: SourcePosition, more: () -> [UInt8] = { [] }
    ) -> JSONError? {
        guard let parser, unsafe !piece.isEmpty else { return nil }
        unsafe reader.binder.state.beginChunk(piece, at: position)
        return reader.readChunk(parser, more).map { fail($0) }
    }

    /// Ends the document. Returns the error, or nil if the value has been stored.
    package mutating func finish(at position: SourcePosition) -> JSONError? {
        guard let parser else { return nil }
        unsafe reader.binder.state.beginChunk(UnsafeRawBufferPointer(start: nil, count: 0), at: position)
        if let failure = isUnbound ? finishUnbound(parser) : reader.finish(parser) { return fail(failure) }
        spare = parser
        self.parser = nil
        return nil
    }

    /// The binder does not know where an unbound document ends: yajl's status counts. But yajl accepts an unterminated string after
    /// the last document (P29).
    private func finishUnbound(_ parser: YajlEvents) -> JSONError? {
        if let failure = reader.failure(in: parser, at: parser.complete(), JSONReader.noMore) { return failure }
        return parser.hasNoEvent ? reader.endOfInput(parser) : nil
    }

    /// Abandons the open document, if there is one.
    package mutating func cancel() {
        guard parser != nil else { return }
        parser = nil
        reader.binder.state.unwind()
    }

    private mutating func fail(_ failure: JSONError) -> JSONError {
        cancel()
        return failure
    }
}
