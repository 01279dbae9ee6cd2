// A document whose text the caller hands over piece by piece, each with its place: yajl reads the pieces as it reads the chunks of a
// source. A feed shows it the envelope around its records in this way; what stands between two pieces is read by somebody else.

/// Reads one document after the other, from pieces of text.
///
/// ```swift
/// var document = StreamedDocument(options: options)
/// if let failure = document.begin() ?? document.read(piece, at: place) ?? document.finish(at: end) { throw failure }
/// ```
///
/// After an error the document is over, and another may begin.
@safe
package struct StreamedDocument: ~Copyable {
    private var reader: JSONReader
    /// yajl, between the beginning of a document and its end or error.
    private var parser: YajlEvents?
    /// A parser that has read its document, for the next one.
    private var spare: YajlEvents?
    /// Whether the text is only checked.
    private var isUnbound = false

    package init(options: JSONReader.Options) { reader = JSONReader(options: options) }

    /// Whether a document has begun and, as far as was read, is right.
    package var isOpen: Bool { parser != nil }

    /// What was left out of the document.
    package var report: JSONReadReport { reader.report }

    /// Begins a document whose text is checked, and bound to nothing.
    package mutating func begin() -> JSONError? {
        isUnbound = true
        return unsafe begin(ReaderRows.ignored, at: UnsafeMutableRawPointer(mutating: NoBytes.address))
    }

    /// Begins a document whose value goes to memory that holds a nil `Value?`, and that stays where it is until the document ends.
    package mutating func begin<Value: JSONReadable>(_ type: Value.Type, at root: UnsafeMutableRawPointer) -> JSONError? {
        isUnbound = false
        return unsafe begin(reader.row(for: type), at: root)
    }

    private mutating func begin(_ row: RowHandle, at root: UnsafeMutableRawPointer) -> JSONError? {
        if let failure = YajlSelfTest.failure { return failure }
        cancel()
        unsafe reader.binder.pointee.begin(row, at: root)
        guard let parser = unsafe spare ?? YajlEvents(binder: reader.binder) else {
            return JSONError(.incompatibleParser, found: "yajl has no memory for a parser")
        }
        spare = nil
        parser.begin()
        reader.budget?.begin(at: 0)
        self.parser = parser
        return nil
    }

    /// Reads the next piece; what is wrong with it, if anything.
    ///
    /// - Parameters:
    ///   - position: The place of the piece, for errors.
    ///   - more: Gives a few more bytes of the text, for the words of an error; none at its end.
    package mutating func read(
        _ piece: UnsafeRawBufferPointer, at position: SourcePosition, more: () -> [UInt8] = { [] }
    ) -> JSONError? {
        guard let parser, unsafe !piece.isEmpty else { return nil }
        unsafe reader.binder.pointee.beginChunk(piece, at: position)
        return reader.readChunk(parser, more).map { fail($0) }
    }

    /// No more pieces come; what is wrong with that, if anything. Without an error, the value has been stored.
    package mutating func finish(at position: SourcePosition) -> JSONError? {
        guard let parser else { return nil }
        unsafe reader.binder.pointee.beginChunk(UnsafeRawBufferPointer(start: nil, count: 0), at: position)
        // What is bound to nothing has no end that the binder knows.
        let failure =
            isUnbound ? reader.failure(in: parser, at: parser.complete(), JSONReader.noMore) : reader.finish(parser)
        if let failure { return fail(failure) }
        spare = parser
        self.parser = nil
        return nil
    }

    /// Gives the document up.
    package mutating func cancel() {
        guard parser != nil else { return }
        parser = nil
        unsafe reader.binder.pointee.unwind()
    }

    private mutating func fail(_ failure: JSONError) -> JSONError {
        cancel()
        return failure
    }
}
