// A short text is copied to memory with spaces after it. The scanner reads 16 bytes at a time, and without the spaces it would
// read the last bytes of a text one by one: a large part of 60 bytes. White space after a document does not belong to it, so the
// scanner needs no special case.

/// Memory for one short text and the spaces after it.
@safe
struct PaddedText {
    /// The longest text that is copied, in bytes: reading the end of a longer one takes a small part of the time.
    static let capacity = 256
    /// The number of spaces: a number at the end of the text is read as elsewhere, with words of 8 bytes up to 40 bytes after its start.
    static let padding = 48

    private let memory: UnsafeMutableRawPointer

    init() { unsafe memory = .allocate(byteCount: PaddedText.capacity + PaddedText.padding, alignment: 64) }

    func deallocate() { unsafe memory.deallocate() }

    /// The same text, with ``padding`` spaces after it; valid until the next call. Nil for a text that is too long.
    @inline(__always)
    func copy(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard text.count <= PaddedText.capacity, let start = text.baseAddress else { return nil }
        unsafe memory.copyMemory(from: start, byteCount: text.count)
        let end = unsafe memory + text.count
        let spaces = SIMD16<UInt8>(repeating: UInt8(ascii: " "))
        // Safe: the memory has this many bytes after the longest text.
        unsafe end.storeBytes(of: spaces, as: SIMD16<UInt8>.self)
        unsafe (end + 16).storeBytes(of: spaces, as: SIMD16<UInt8>.self)
        unsafe (end + 32).storeBytes(of: spaces, as: SIMD16<UInt8>.self)
        return unsafe UnsafeRawBufferPointer(start: memory, count: text.count)
    }
}
