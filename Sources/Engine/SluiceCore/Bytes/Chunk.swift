// Where tokens lie. The source of events sets the position of each event's token; errors and captures use it.

/// Where the token of an event lies.
///
/// If a token began in an earlier chunk, its start lies before the current one: it is used to count bytes, and never read.
@safe
struct TokenRange {
    var start: UnsafePointer<UInt8>
    var end: UnsafePointer<UInt8>

    init(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) {
        unsafe self.start = unsafe start
        unsafe self.end = unsafe end
    }
}

/// The part of a document that lies in memory now: all of it, one chunk, or a captured value that is read again.
@safe
struct Chunk {
    var start: UnsafePointer<UInt8>
    var end: UnsafePointer<UInt8>
    /// The position of the first byte in the document.
    var position = SourcePosition.start
    /// Whether a hook has made the text. Then its bytes have no positions of their own, and all of them count as being at
    /// `position`.
    var isMade = false
    /// Whether the bytes are a copy that is freed before the document ends.
    var isCopy = false

    init(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) {
        unsafe self.start = unsafe start
        unsafe self.end = unsafe end
    }

    init(_ bytes: UnsafeRawBufferPointer, at position: SourcePosition = .start, isMade: Bool = false, isCopy: Bool = false) {
        // Safe: an empty buffer without an address gets an address that is never read.
        unsafe start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? NoBytes.address
        unsafe end = unsafe start + bytes.count
        self.position = position
        self.isMade = isMade
        self.isCopy = isCopy
    }

    /// No text.
    static var none: Chunk { unsafe Chunk(NoBytes.address, NoBytes.address) }

    var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: start, count: end - start) }

    /// The first byte; nil if there is none.
    var first: UInt8? { unsafe start < end ? start.pointee : nil }

    @inline(__always)
    func contains(_ address: UnsafePointer<UInt8>) -> Bool { unsafe address >= start && address < end }

    /// The offset in the document of a position in the chunk.
    func offset(of address: UnsafePointer<UInt8>) -> Int { unsafe position.offset + (address - start) }

    /// The position in the document of a position in the chunk.
    func position(of address: UnsafePointer<UInt8>) -> SourcePosition {
        if isMade { return position }
        let index = unsafe min(max(address, start), end) - start
        var result = unsafe position.advanced(over: UnsafeRawBufferPointer(rebasing: bytes[..<index]))
        // A position before the chunk lies in a token that began in an earlier one, and tokens hold no line breaks.
        let before = unsafe min(address - start, 0)
        result.offset += before
        result.column += before
        assert(result.offset >= 0 && result.column >= 1, "an address lies in the text")
        return result
    }

    /// The line around a position, with a caret under it.
    func excerpt(at address: UnsafePointer<UInt8>) -> SourceExcerpt? {
        unsafe SourceExcerpt(of: bytes, at: min(max(address, start), end) - start)
    }
}
