// The text of one value is kept: to be stored as it stands, or to be read again when the value has ended.

/// The container whose text is being captured, and the parsers that read captured text. A scalar needs no capture: its text is its
/// token.
@safe
struct CaptureState {
    /// Where the text begins in the chunk; nil while nothing is captured.
    private(set) var start: UnsafePointer<UInt8>?
    /// The part of the text that came with earlier chunks.
    private(set) var carried = CarriedText()
    /// The last string that the scanner decoded.
    var decoded = ScratchBytes()
    /// The captured object of a model with inlined properties, between its end and the moment when it is opened again.
    var inlining: UnsafeBufferPointer<UInt8>?
    /// The object that is read for an inlined property.
    var inlined = InlinedObject.none
    /// Parsers for captured values, kept for the next ones.
    var spareParsers: [YajlEvents] = []
    /// The reader for JSON inside strings; nil before its first use, and while it is in use.
    var textReader: TextReader?

    @inline(__always)
    var isActive: Bool { unsafe start != nil }

    /// Begins to capture a value whose first token lies in this chunk.
    mutating func begin(at address: UnsafePointer<UInt8>) { unsafe start = unsafe address }

    /// Ends the capture; returns the part of the text that came with earlier chunks.
    @discardableResult
    mutating func end() -> CarriedText {
        unsafe start = nil
        guard !carried.isEmpty else { return carried }
        defer { carried = CarriedText() }
        return carried
    }

    /// Copies the chunk's part of the text, because the chunk's memory is used again.
    mutating func carry(from chunk: Chunk) {
        guard let start = unsafe start else { return }
        unsafe carried.append(start, to: chunk.end, of: chunk)
    }

    /// Goes on in the next chunk.
    mutating func goOn(in chunk: Chunk) {
        if isActive { unsafe start = unsafe chunk.start }
    }
}

/// Bytes of earlier chunks that belong to a token or value that has not ended, and where they begin in the document.
struct CarriedText {
    private(set) var bytes: [UInt8] = []
    private(set) var position = SourcePosition.start

    @inline(__always)
    var isEmpty: Bool { bytes.isEmpty }

    /// Adds a part of a chunk; the first part sets where the text begins.
    mutating func append(_ start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>, of chunk: Chunk) {
        if bytes.isEmpty { position = unsafe chunk.position(of: start) }
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: end - start))
    }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}
