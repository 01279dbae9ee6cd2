// Properties of type `Substring` are slices of a copy of the text: one allocation for all that lie in the same piece of a document, or of a
// feed's batch, instead of one for each.

/// The piece of the text that has been copied last.
@safe
struct SharedText {
    /// How many bytes a piece has at most, unless one string is longer. A slice keeps its whole piece alive.
    static let pieceSize = 64 << 10

    /// The copy; empty if there is none, or if the piece is not valid Unicode.
    private var text = ""
    /// The addresses of the bytes that it is a copy of. They are compared, and not read: a batch may be read through copies of its records.
    private var lower: UInt = 0
    private var upper: UInt = 0
    /// The addresses of the batch: its bytes stay as they are until the next one begins. Empty if no batch is open.
    private var batch: Range<UInt> = 0..<0
    /// Whether the piece lies in the batch.
    private var isOfBatch = false
    private let flags = SubstringWords.flags

    /// Begins a text whose documents share pieces.
    mutating func beginBatch(_ bytes: UnsafeRawBufferPointer) {
        close()
        let start = UInt(bitPattern: bytes.baseAddress)
        batch = start..<(start + UInt(bitPattern: bytes.count))
    }

    /// Forgets a piece that does not lie in a batch: its bytes may not stay as they are.
    @inline(__always)
    mutating func endDocument() {
        if upper != 0, !isOfBatch { close() }
    }

    @inline(never)
    private mutating func close() {
        text = ""
        lower = 0
        upper = 0
    }

    /// A string of its own, whose text has `count` bytes, as a substring.
    @inline(__always)
    func whole(_ text: String, _ count: Int) -> Substring {
        guard let flags else { return Substring(text) }
        return SubstringWords.make(text, 0, count, flags: flags)
    }

    /// The text of a string without escapes, as a slice; nil if it is not valid Unicode.
    ///
    /// - Parameters:
    ///   - end: Where the document's bytes end.
    ///   - shift: How far after them the same bytes lie in the batch.
    @inline(__always)
    mutating func slice(
        _ bytes: UnsafePointer<UInt8>, _ count: Int, before end: UnsafePointer<UInt8>, shift: UInt
    ) -> Substring? {
        let address = UInt(bitPattern: bytes) &+ shift
        if address &- lower >= upper &- lower || upper &- address < UInt(bitPattern: count) {
            unsafe copyPiece(from: bytes, count, end, address)
        }
        guard !text.isEmpty else { return unsafe String.validated(bytes, count).map { Substring($0) } }
        let offset = Int(bitPattern: address &- lower)
        guard let flags else { return SubstringWords.slice(of: text, offset, offset &+ count) }
        return SubstringWords.make(text, offset, offset &+ count, flags: flags)
    }

    /// Copies the text from a string on.
    @inline(never)
    private mutating func copyPiece(from bytes: UnsafePointer<UInt8>, _ count: Int, _ end: UnsafePointer<UInt8>, _ address: UInt)
    {
        lower = address
        var start = unsafe bytes
        var left = unsafe end - bytes
        isOfBatch = batch.contains(lower)
        if isOfBatch, let inBatch = unsafe UnsafePointer<UInt8>(bitPattern: lower) {
            // The document may be a copy of a part of the batch, and more of the batch follows after it.
            unsafe start = unsafe inBatch
            left = Int(bitPattern: batch.upperBound &- lower)
        }
        var size = max(count, min(left, Self.pieceSize))
        // A piece ends where a character ends: of the last one, all bytes or none belong to it, also where the batch itself cuts it.
        // Safe: `size` bytes are readable, and `count` of them are the string.
        var last = size &- 1
        while last > count, size &- last < 4, unsafe start[last] & 0xC0 == 0x80 { last -= 1 }
        let lead = unsafe start[last]
        let width = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1
        if last > count, last &+ width > size { size = last }
        upper = lower &+ UInt(bitPattern: size)
        // Where the piece is damaged, though perhaps not these strings, each string gets memory of its own.
        text = unsafe String.validated(start, size) ?? ""
    }
}
