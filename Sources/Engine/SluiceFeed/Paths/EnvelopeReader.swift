// The text around the records goes through yajl, which checks it, and a second time for the envelope's model, if there is one. If the
// envelope does not fit its model, that does not affect the records.

internal import SluiceCore

/// Reads the envelopes of one document after the other, piece by piece.
struct EnvelopeReader: ~Copyable {
    /// The envelope's model; nil if no model was asked for.
    var target: (any EnvelopeTarget)?
    /// Checks the envelope's text.
    private var document: StreamedDocument
    /// Reads the envelope into the model.
    private var boundDocument: StreamedDocument
    private var isBound = false
    /// How many envelopes have ended: they have been read, or do not fit their model.
    private(set) var count = 0
    /// Whether the document is damaged and cannot be read any further.
    var isDamaged = false

    init(options: JSONReader.Options) {
        document = StreamedDocument(options: options)
        boundDocument = StreamedDocument(options: options)
    }

    /// Whether errors must not show the text.
    mutating func hideText() {
        document.hidesText = true
        boundDocument.hidesText = true
    }

    mutating func begin() throws(JSONError) {
        isDamaged = false
        isBound = target != nil
        if let failure = target?.begin(&boundDocument) { endModel(failure) }
        if let failure = document.begin() { throw failure }
    }

    /// How many bytes the next piece should have at least, so that a long token that comes in small pieces takes linear time.
    var leastPiece: Int { document.leastPiece }

    /// Gives up the document.
    mutating func cancel() {
        document.cancel()
        boundDocument.cancel()
    }

    /// Only checks the document from now on, because its beginning was not read.
    mutating func leaveUnbound() { isBound = false }

    /// Continues inside a document whose beginning was not read.
    ///
    /// - Parameter text: The shortest text that brings a parser to that position.
    mutating func goOn(after text: String, at position: SourcePosition) throws(JSONError) {
        try note(document.begin())
        try note(unsafe Array(text.utf8).withUnsafeBytes { unsafe document.read($0, at: position) })
    }

    /// Reads the next piece of the document.
    ///
    /// - Parameter lookahead: The bytes that follow, so that an error can name them.
    mutating func read(
        _ bytes: UnsafeRawBufferPointer, at position: SourcePosition,
        before lookahead: UnsafeRawBufferPointer = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    ) throws(JSONError) {
        var isGiven = false
        func more() -> [UInt8] {
            defer { isGiven = true }
            return unsafe isGiven ? [] : Array(lookahead)
        }
        if isBound, let failure = unsafe boundDocument.read(bytes, at: position, more: more) { endModel(failure) }
        isGiven = false
        try note(unsafe document.read(bytes, at: position, more: more))
    }

    /// Ends the document.
    mutating func finish(at position: SourcePosition) throws(JSONError) {
        if isBound { endModel(boundDocument.finish(at: position)) }
        try note(document.finish(at: position))
    }

    /// Ends the model's envelope, which has been read or does not fit.
    private mutating func endModel(_ failure: JSONError?) {
        target?.finish(failure)
        count += 1
        isBound = false
    }

    /// Marks the document as damaged if there is an error, and throws that.
    private mutating func note(_ failure: JSONError?) throws(JSONError) {
        guard let failure else { return }
        isDamaged = true
        if isBound { endModel(failure) }
        throw failure
    }
}
