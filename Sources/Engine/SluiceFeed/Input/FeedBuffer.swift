// Bytes of a feed come in, from a source or pushed, and stay here until they are given out or skipped. The memory holds at most
// the longest record and the bytes of one read or push, so it does not depend on the length of the feed.

internal import SluiceCore
internal import SluiceSystem

/// The part of a feed that is in memory.
@safe
struct FeedBuffer: ~Copyable {
    /// Enough bytes to describe and to show a damaged position.
    static let diagnosedSize = 64

    private var memory: UnsafeMutableRawBufferPointer
    /// The bytes not yet given out are `memory[start..<end]`; the first of them is at `position`.
    private var start = 0
    private var end = 0
    private var hasEnded = false
    /// The number of bytes after the fence, which are hidden. The first `separator` of them separate the fenced text from the next.
    private var hidden = 0
    private var separator = 0
    private(set) var isFenced = false
    private var positionAfterFence = SourcePosition.start
    private var fenceStart = 0
    private(set) var fencePosition = SourcePosition.start
    /// The position in the feed of the first unread byte.
    private(set) var position = SourcePosition.start
    /// The first bytes of the feed, for its fingerprint.
    private(set) var head: [UInt8] = []
    static let headSize = 1024
    /// Counts the changes of the bytes in memory.
    private(set) var changeCount = 0

    init(size: Int) { unsafe memory = .allocate(byteCount: max(size, 16), alignment: 16) }

    deinit { unsafe memory.deallocate() }

    /// Whether nothing follows the unread bytes.
    var isAtEnd: Bool { hasEnded || isFenced }

    /// The size of the memory in bytes.
    var size: Int { unsafe memory.count }

    /// The number of unread bytes: those that have come and were not given out.
    @inline(__always) var count: Int { end - start }

    /// The unread bytes; valid until more come.
    var unread: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(rebasing: memory[start..<end]) }

    /// All bytes in memory, given out or not; valid as long as ``changeCount`` stays the same.
    var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(rebasing: memory[..<end]) }

    /// The unread byte at an index, counted from the first unread one.
    subscript(index: Int) -> UInt8 { unsafe memory[start + index] }

    // MARK: Bytes in

    /// Reads more bytes after the unread ones. The memory of bytes already given out is used again; it grows only if it is full of
    /// unread bytes.
    mutating func fill(from source: inout any ByteSource) throws(JSONError) {
        if unsafe end == memory.count { makeRoom(for: 1) }
        let count = try unsafe source.read(into: UnsafeMutableRawBufferPointer(rebasing: memory[end...]))
        if count == 0 { hasEnded = true } else { changeCount &+= 1 }
        if head.count < Self.headSize { unsafe keepHead(UnsafeRawBufferPointer(rebasing: memory[end..<(end + count)])) }
        end += count
    }

    /// Reads once from the source, and gives out all whole lines that are unread then, in the array that they were read into: large pieces are
    /// not copied. Returns nil if the bytes are few or have no line break; they are then unread. No unread byte may be a line break, and
    /// there is no fence.
    ///
    /// - Parameters:
    ///   - most: How many bytes are read at most.
    ///   - kept: How many of the bytes given out stay in memory.
    mutating func readLines(from source: inout any ByteSource, most: Int, keeping kept: Int) throws(JSONError) -> [UInt8]? {
        let (before, room) = (count, unsafe min(memory.count, most))
        var failure: JSONError?
        var bytes = unsafe [UInt8](unsafeUninitializedCapacity: before + room) { (space, used) in
            let space = UnsafeMutableRawBufferPointer(space)
            unsafe space.copyMemory(from: unread)
            used = before
            do throws(JSONError) {
                used += try unsafe source.read(into: UnsafeMutableRawBufferPointer(rebasing: space[before...]))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        if bytes.count == before {
            hasEnded = true
            return nil
        }
        let isGiven = unsafe bytes.withUnsafeBytes { bytes in
            let read = unsafe UnsafeRawBufferPointer(rebasing: bytes[before...])
            // An array of few bytes would waste memory, and the bytes that stay in memory also need room.
            guard read.count >= room / 2, let last = unsafe read.lastLineBreak, before + last >= kept,
                unsafe kept + read.count - last <= memory.count
            else {
                unsafe append(read)
                return false
            }
            changeCount &+= 1
            if head.count < Self.headSize { unsafe keepHead(read) }
            let given = unsafe UnsafeRawBufferPointer(rebasing: bytes[...(before + last)])
            position = unsafe position.advanced(over: given)
            let left = unsafe UnsafeRawBufferPointer(rebasing: bytes[(given.count - kept)...])
            unsafe memory.copyMemory(from: left)
            (start, end) = (kept, left.count)
            return true
        }
        guard isGiven else { return nil }
        bytes.removeLast(count)
        return bytes
    }

    /// Copies bytes to the end of the memory.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        changeCount &+= 1
        if unsafe memory.count - end - hidden < bytes.count { makeRoom(for: bytes.count) }
        unsafe UnsafeMutableRawBufferPointer(rebasing: memory[(end + hidden)...]).copyMemory(from: bytes)
        if head.count < Self.headSize { unsafe keepHead(bytes) }
        if isFenced { hidden += bytes.count } else { end += bytes.count }
    }

    /// Sets the position of the source's first byte.
    mutating func start(at position: SourcePosition) { self.position = position }

    /// Forgets all bytes in memory: the next ones come from another position.
    mutating func clear() {
        changeCount &+= 1
        start = 0
        end = 0
    }

    /// Notes that no more bytes come.
    mutating func finish() { hasEnded = true }

    @inline(never)
    private mutating func keepHead(_ bytes: UnsafeRawBufferPointer) {
        unsafe head += bytes.prefix(Self.headSize - head.count)
    }

    /// Sets the position of the first unread byte.
    mutating func begin(at position: SourcePosition) { self.position = position }

    @inline(never)
    private mutating func makeRoom(for wanted: Int) {
        changeCount &+= 1
        // All fenced bytes are kept, also those already given out; and if there is room, those that a checkpoint's digest covers.
        let fenced = isFenced ? start - fenceStart : 0
        let tail = min(start - fenced, TailDigest.reach)
        let least = end - start + hidden + fenced
        let given = unsafe memory.count - least - tail >= wanted ? fenced + tail : fenced
        start -= given
        let kept = end - start + hidden
        if start > 0, unsafe memory.count - kept >= wanted {
            // Safe: both ranges lie in the memory, and the move allows them to overlap.
            unsafe memory.baseAddress.unsafelyUnwrapped.copyMemory(
                from: UnsafeRawPointer(memory.baseAddress.unsafelyUnwrapped + start), byteCount: kept)
        } else {
            let size = unsafe max(memory.count * 2, kept + wanted)
            let grown = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
            unsafe grown.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[start..<(start + kept)]))
            unsafe memory.deallocate()
            unsafe memory = unsafe grown
        }
        fenceStart = given - fenced
        start = given
        end = kept - hidden
    }

    // MARK: Bytes out

    /// The number of unread bytes before the next line break; nil if no line break has come. The first `searched` bytes have none.
    func lineEnd(searched: Int) -> Int? { first(UInt8(ascii: "\n"), searched: searched) }

    /// The number of unread bytes before the next `byte`; nil if it has not come. The first `searched` bytes do not contain it.
    func first(_ byte: UInt8, searched: Int) -> Int? {
        guard start + searched < end, let base = unsafe memory.baseAddress else { return nil }
        // Safe: the range searched lies inside what has been read.
        guard let found = unsafe memchr(base + start + searched, Int32(byte), end - start - searched) else { return nil }
        return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base + start)
    }

    /// Skips bytes, and counts their lines.
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

    /// Gives out a line of `count` bytes without its line break, which must have come.
    @inline(__always)
    mutating func takeLine(_ count: Int) -> UnsafeRawBufferPointer {
        let bytes = unsafe passOver(count)
        start += 1
        position.offset += count + 1
        position.line += 1
        position.column = 1
        return unsafe bytes
    }

    /// Gives out bytes of several lines.
    mutating func takeLines(_ count: Int) -> UnsafeRawBufferPointer {
        let bytes = unsafe passOver(count)
        // There may be many short lines: line breaks are counted by SIMD, not found one by one.
        position = unsafe position.advanced(over: bytes)
        return unsafe bytes
    }

    /// Skips white space. Returns the next byte, which stays unread; nil if no other byte has come.
    mutating func nextNonBlank() -> UInt8? {
        var index = start
        while index < end, unsafe JSONWhiteSpace.contains(memory[index]) { index += 1 }
        skip(index - start)
        return start < end ? unsafe memory[start] : nil
    }

    /// Goes back to an earlier position: the bytes after it that are still in memory become unread again.
    ///
    /// - Returns: How many bytes after the position are no longer in memory: skip them with ``passOverLost(_:)``.
    mutating func rewind(to position: SourcePosition) -> Int {
        let count = self.position.offset - position.offset
        guard count > 0 else { return 0 }
        let kept = min(count, start)
        start -= kept
        self.position = position
        return count - kept
    }

    /// Moves the position forward over bytes, all of one line, that are no longer in memory.
    mutating func passOverLost(_ count: Int) {
        position.offset += count
        position.column += count
    }

    // MARK: Bytes given out

    /// The bytes before a position that are still in memory, at most `count`; empty if the position is further back. The position must not be
    /// after the first unread byte.
    func given(before offset: Int, most count: Int) -> UnsafeRawBufferPointer {
        let end = start - (position.offset - offset)
        guard end > 0, end <= start else { return unsafe UnsafeRawBufferPointer(rebasing: memory[..<0]) }
        return unsafe UnsafeRawBufferPointer(rebasing: memory[(end - min(end, count))..<end])
    }

    /// The digest of at most `count` bytes before a position; nil if none of them is in memory.
    func tail(before offset: Int, most count: Int = TailDigest.reach) -> TailDigest? {
        let bytes = unsafe given(before: offset, most: count)
        return unsafe bytes.isEmpty ? nil : TailDigest(of: bytes)
    }

    // MARK: Fences

    /// Makes the bytes given out last unread again, as if the feed ended after them; ``unfence()`` brings the following bytes back.
    ///
    /// - Parameters:
    ///   - count: How many bytes become unread again.
    ///   - separator: How many bytes were skipped between them and the bytes that are unread now.
    ///   - position: The position of the first of them.
    mutating func fence(_ count: Int, separator: Int, at position: SourcePosition) {
        positionAfterFence = self.position
        self.position = position
        start -= count + separator
        hidden = end - start - count
        end = start + count
        self.separator = separator
        isFenced = true
        fenceStart = start
        fencePosition = position
    }

    /// All fenced bytes, whether they have been given out or not.
    var fenced: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(rebasing: memory[fenceStart..<end]) }

    /// Continues after the fenced bytes and their separator, even if some of them are unread.
    mutating func unfence() {
        start = end + separator
        end += hidden
        hidden = 0
        isFenced = false
        position = positionAfterFence
    }

    @inline(__always)
    private mutating func passOver(_ count: Int) -> UnsafeRawBufferPointer {
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: memory[start..<(start + count)])
        start += count
        return unsafe bytes
    }
}

extension SourcePosition {
    /// The position after `bytes`. Line breaks are found with `memchr`, which is fast where lines are long.
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

extension UnsafeRawBufferPointer {
    /// The number of bytes before the last line break.
    var lastLineBreak: Int? {
        var index = count
        while index > 0 {
            index &-= 1
            if unsafe self[index] == UInt8(ascii: "\n") { return index }
        }
        return nil
    }
}
