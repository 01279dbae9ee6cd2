// Bytes of a source are gathered here until there are enough of them, so that neither the size of the source's own pieces nor
// their number matters to the parser.

/// Memory for a part of a source's text.
@safe
struct SourceBuffer {
    /// What a chunk holds, unless a token is longer.
    static let chunkSize = 256 << 10

    /// The most that is kept for the next source: what a document of the usual limit needs. Fresh memory costs a fault a page.
    static let keptSize = 4 << 20

    private var memory: UnsafeMutableRawBufferPointer
    private var count = 0
    /// Whether the source has ended.
    private(set) var isAtEnd = false

    init() { unsafe memory = .allocate(byteCount: SourceBuffer.chunkSize, alignment: 64) }

    func deallocate() { unsafe memory.deallocate() }

    /// Starts with another source.
    mutating func begin() {
        count = 0
        isAtEnd = false
    }

    /// The buffer for the next source, or nil, after its memory was given back, if it is of unusual size.
    func kept() -> SourceBuffer? {
        if unsafe memory.count <= SourceBuffer.keptSize { return self }
        deallocate()
        return nil
    }

    /// What the source gave last.
    var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    /// Replaces the bytes by the next ones, of which there are at least `wanted` unless the source ends before.
    mutating func fill(from source: inout some ByteSource, atLeast wanted: Int) throws(JSONError) {
        count = 0
        while count < max(wanted, 1) {
            if unsafe count == memory.count { unsafe grow(to: min(memory.count * 2, max(wanted, memory.count + 1))) }
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count...])
            let given = try unsafe source.readChecked(into: room)
            if given == 0 {
                isAtEnd = true
                return
            }
            count += given
        }
    }

    private mutating func grow(to size: Int) {
        let grown = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
        unsafe grown.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<count]))
        unsafe memory.deallocate()
        unsafe memory = unsafe grown
    }
}
