// Bytes of a source are gathered here until there are enough of them, so that neither the size of the source's own pieces nor
// their number matters to the parser.

/// Memory for a part of a source's text.
@safe
struct SourceBuffer {
    /// The size of a chunk in bytes, unless a token is longer.
    static let chunkSize = 256 << 10

    /// The most bytes of memory that are kept for the next source, as many as a reader gathers by default. Using new memory costs a
    /// page fault for each page.
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

    /// The buffer, to be kept for the next source; nil if it is of unusual size, and its memory has been freed.
    func kept() -> SourceBuffer? {
        if unsafe memory.count <= SourceBuffer.keptSize { return self }
        deallocate()
        return nil
    }

    /// The bytes that the source gave last.
    var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    /// Replaces the bytes by the next ones: at least `wanted` of them, unless the source ends first.
    mutating func fill(from source: inout some ByteSource, atLeast wanted: Int) throws(JSONError) {
        count = 0
        while count < max(wanted, 1) {
            if unsafe count == memory.count { unsafe grow(to: min(memory.count * 2, max(wanted, memory.count + 1))) }
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count...])
            let given = try unsafe source.read(into: room)
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
