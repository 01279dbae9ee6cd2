// What stands around the records goes through yajl, which checks it, and once more for the envelope's model, if there is one. A model
// that the envelope does not fit is no concern of the records.

internal import SluiceCore

/// Reads the envelopes of one document after the other, piece by piece.
struct EnvelopeReader: ~Copyable {
    /// What the envelope is read into.
    var target: (any EnvelopeTarget)?
    /// The envelope as text that is only checked.
    private var document: StreamedDocument
    /// The envelope on its way to the model.
    private var boundDocument: StreamedDocument
    private var isBound = false
    /// Envelopes that have been read, or do not fit their model.
    private(set) var count = 0
    /// Whether the document cannot be read on.
    var isDamaged = false

    init(options: JSONReader.Options) {
        document = StreamedDocument(options: options)
        boundDocument = StreamedDocument(options: options)
    }

    mutating func begin() throws(JSONError) {
        isDamaged = false
        isBound = target != nil
        if let failure = target?.begin(&boundDocument) { endModel(failure) }
        if let failure = document.begin() { throw failure }
    }

    /// Gives the document up.
    mutating func cancel() {
        document.cancel()
        boundDocument.cancel()
    }

    /// Part of the document has not been seen: it is only checked.
    mutating func leaveUnbound() { isBound = false }

    /// Goes on inside a document that was not read from its beginning.
    ///
    /// - Parameter text: The shortest text that leads there.
    mutating func goOn(behind text: String, at position: SourcePosition) throws(JSONError) {
        try note(document.begin())
        try note(unsafe Array(text.utf8).withUnsafeBytes { unsafe document.read($0, at: position) })
    }

    /// Reads the next piece of the document.
    ///
    /// - Parameter lookahead: What follows, for the words of an error.
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

    /// No more of the document comes.
    mutating func finish(at position: SourcePosition) throws(JSONError) {
        if isBound { endModel(boundDocument.finish(at: position)) }
        try note(document.finish(at: position))
    }

    /// The envelope has been read, or does not fit its model.
    private mutating func endModel(_ failure: JSONError?) {
        target?.finish(failure)
        count += 1
        isBound = false
    }

    /// Takes note of what is wrong with the document.
    private mutating func note(_ failure: JSONError?) throws(JSONError) {
        guard let failure else { return }
        isDamaged = true
        if isBound { endModel(failure) }
        throw failure
    }
}
