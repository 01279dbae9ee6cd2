// Bytes of a feed come in, from a source or pushed, and wait here until they are given out or passed over. The memory holds no more
// than the longest record and what one read or push brings, so it does not depend on the length of the feed.

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif
internal import SluiceCore

/// The part of a feed that lies in memory.
@safe
struct FeedBuffer: ~Copyable {
    /// Bytes that are enough to say what stands at a damaged place, and to show it.
    static let diagnosedSize = 64

    private var memory: UnsafeMutableRawBufferPointer
    /// The bytes not yet given out are `memory[start..<end]`; the first of them is at `position`.
    private var start = 0
    private var end = 0
    private var hasEnded = false
    /// Bytes behind a fence, of which the first ones separate what is fenced from what follows.
    private var hidden = 0
    private var separator = 0
    private(set) var isFenced = false
    private var positionBehindFence = SourcePosition.start
    private var fenceStart = 0
    private(set) var fencePosition = SourcePosition.start
    /// The place of the first unread byte.
    private(set) var position = SourcePosition.start
    /// The first bytes of the feed, for its fingerprint.
    private(set) var head: [UInt8] = []
    static let headSize = 1024

    init(size: Int) { unsafe memory = .allocate(byteCount: max(size, 16), alignment: 64) }

    deinit { unsafe memory.deallocate() }

    /// Whether nothing comes behind the unread bytes.
    var isAtEnd: Bool { hasEnded || isFenced }

    /// The bytes that the memory holds.
    var size: Int { unsafe memory.count }

    /// How many bytes have come that are not given out.
    @inline(__always) var count: Int { end - start }

    /// The bytes that are not given out; valid until more come.
    var unread: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(rebasing: memory[start..<end]) }

    /// An unread byte.
    subscript(index: Int) -> UInt8 { unsafe memory[start + index] }

    // MARK: Bytes in

    /// Reads more, behind what is there; what has been given out makes room, and the memory grows only for a record that it cannot
    /// hold.
    mutating func fill(from source: inout any ByteSource) throws(JSONError) {
        if unsafe end == memory.count { makeRoom(for: 1) }
        let count = try unsafe source.readChecked(into: UnsafeMutableRawBufferPointer(rebasing: memory[end...]))
        if count == 0 { hasEnded = true }
        if head.count < Self.headSize { unsafe keepHead(UnsafeRawBufferPointer(rebasing: memory[end..<(end + count)])) }
        end += count
    }

    /// Copies bytes behind what is there.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if unsafe memory.count - end - hidden < bytes.count { makeRoom(for: bytes.count) }
        unsafe UnsafeMutableRawBufferPointer(rebasing: memory[(end + hidden)...]).copyMemory(from: bytes)
        if head.count < Self.headSize { unsafe keepHead(bytes) }
        if isFenced { hidden += bytes.count } else { end += bytes.count }
    }

    /// Says where the first byte stands.
    mutating func start(at place: SourcePosition) { position = place }

    /// No more bytes come.
    mutating func finish() { hasEnded = true }

    @inline(never)
    private mutating func keepHead(_ bytes: UnsafeRawBufferPointer) {
        unsafe head += bytes.prefix(Self.headSize - head.count)
    }

    /// Says where the first unread byte stands.
    mutating func begin(at place: SourcePosition) { position = place }

    @inline(never)
    private mutating func makeRoom(for wanted: Int) {
        // What is fenced is kept as a whole.
        let given = isFenced ? start - fenceStart : 0
        start -= given
        let unread = end - start + hidden
        if start > 0, unsafe memory.count - unread >= wanted {
            // Safe: both places lie in the memory, and the move allows them to overlap.
            unsafe memory.baseAddress.unsafelyUnwrapped.copyMemory(
                from: UnsafeRawPointer(memory.baseAddress.unsafelyUnwrapped + start), byteCount: unread)
        } else {
            let size = unsafe max(memory.count * 2, unread + wanted)
            let grown = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
            unsafe grown.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[start..<(start + unread)]))
            unsafe memory.deallocate()
            unsafe memory = unsafe grown
        }
        fenceStart = 0
        start = given
        end = unread - hidden
    }

    // MARK: Bytes out

    /// The number of bytes before the next line break, of which the first `searched` are known to be none; nil if none has come.
    func lineEnd(searched: Int) -> Int? { first(UInt8(ascii: "\n"), searched: searched) }

    /// The number of bytes before the next one of a value; the first `searched` are known not to have it.
    func first(_ byte: UInt8, searched: Int) -> Int? {
        guard start + searched < end, let base = unsafe memory.baseAddress else { return nil }
        // Safe: the range searched lies inside what has been read.
        guard let found = unsafe memchr(base + start + searched, Int32(byte), end - start - searched) else { return nil }
        return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base + start)
    }

    /// Passes over bytes, and counts their lines.
    mutating func skip(_ count: Int) { _ = unsafe take(count) }

    /// Gives out bytes, and counts their lines.
    mutating func take(_ count: Int) -> UnsafeRawBufferPointer {
        let bytes = unsafe passOver(count)
        position = unsafe position.advancedByLines(over: bytes)
        return unsafe bytes
    }

    /// Gives out bytes that have no line break in them.
    @inline(__always)
    mutating func takeInLine(_ count: Int) -> UnsafeRawBufferPointer {
        position.offset += count
        position.column += count
        return unsafe passOver(count)
    }

    /// Passes over one byte, which is a line break.
    mutating func skipLineBreak() {
        start += 1
        position = SourcePosition(offset: position.offset + 1, line: position.line + 1, column: 1)
    }

    /// Gives out bytes of several lines.
    mutating func takeLines(_ count: Int) -> UnsafeRawBufferPointer {
        let bytes = unsafe passOver(count)
        // Many short lines: counted by vectors, not found one by one.
        position = unsafe position.advanced(over: bytes)
        return unsafe bytes
    }

    /// Passes over white space; the next byte, left in place, or nil if none has come.
    mutating func nextNonBlank() -> UInt8? {
        var index = start
        while index < end, unsafe JSONWhiteSpace.contains(memory[index]) { index += 1 }
        skip(index - start)
        return start < end ? unsafe memory[start] : nil
    }

    /// Goes back to a place, and takes back the bytes behind it that were given out last and are still there.
    ///
    /// - Returns: How many bytes behind the place are not: ``passOverLost(_:)`` moves on behind them.
    mutating func rewind(to place: SourcePosition) -> Int {
        let count = position.offset - place.offset
        guard count > 0 else { return 0 }
        let kept = min(count, start)
        start -= kept
        position = place
        return count - kept
    }

    /// Moves on behind bytes of one line that are no longer there.
    mutating func passOverLost(_ count: Int) {
        position.offset += count
        position.column += count
    }

    // MARK: Fences

    /// Takes bytes back that were given out last, and lets them be all there is until ``unfence()``.
    ///
    /// - Parameters:
    ///   - count: How many of them are to be read again.
    ///   - separator: Bytes behind them that were passed over as well.
    mutating func fence(_ count: Int, separator: Int, at place: SourcePosition) {
        positionBehindFence = position
        position = place
        start -= count + separator
        hidden = end - start - count
        end = start + count
        self.separator = separator
        isFenced = true
        fenceStart = start
        fencePosition = place
    }

    /// All that is fenced, whether it has been given out or not.
    var fenced: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(rebasing: memory[fenceStart..<end]) }

    /// Goes on behind what was fenced, whatever is left of it.
    mutating func unfence() {
        start = end + separator
        end += hidden
        hidden = 0
        isFenced = false
        position = positionBehindFence
    }

    @inline(__always)
    private mutating func passOver(_ count: Int) -> UnsafeRawBufferPointer {
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: memory[start..<(start + count)])
        start += count
        return unsafe bytes
    }
}

extension SourcePosition {
    /// The place behind some bytes; lines are found with `memchr`, because feeds have few of them.
    func advancedByLines(over bytes: UnsafeRawBufferPointer) -> SourcePosition {
        var result = SourcePosition(offset: offset + bytes.count, line: line, column: column + bytes.count)
        guard let base = bytes.baseAddress else { return result }
        var index = 0
        // Safe: the search never goes past `bytes.count`.
        while index < bytes.count,
            let found = unsafe memchr(base + index, Int32(UInt8(ascii: "\n")), bytes.count - index)
        {
            index = unsafe UnsafeRawPointer(found) - base + 1
            result.line += 1
            result.column = bytes.count - index + 1
        }
        return result
    }
}
