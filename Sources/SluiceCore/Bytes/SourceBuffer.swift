// Bytes of a source are gathered here until there are enough of them, so that neither the size of the source's own pieces nor
// their number matters to the parser.

/// Memory for a part of a source's text.
@safe
struct SourceBuffer {
    /// What a chunk holds, unless a token is longer.
    static let chunkSize = 256 << 10

    private var memory: UnsafeMutableRawBufferPointer
    private var count = 0
    /// Whether the source has ended.
    private(set) var isAtEnd = false

    init() { unsafe memory = .allocate(byteCount: SourceBuffer.chunkSize, alignment: 64) }

    func deallocate() { unsafe memory.deallocate() }

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
