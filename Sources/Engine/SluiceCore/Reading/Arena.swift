// Memory for open containers: drafts and elements that are not yet a value of the user's. Containers close in the reverse order of
// their opening, so a stack that only moves a pointer is enough for all of them.

/// A stack of memory in segments.
@safe
struct Arena {
    /// A height of the stack to go back to.
    @safe
    struct Mark {
        let top: UnsafeMutableRawPointer
        let segment: Int
    }

    private var top: UnsafeMutableRawPointer
    private var end: UnsafeMutableRawPointer
    private var segment = 0
    private var segments: [UnsafeMutableRawBufferPointer]

    init() {
        let first = unsafe Arena.makeSegment(size: 64 << 10)
        unsafe segments = unsafe [first]
        // Safe: a buffer that was just allocated with a size above 0 has an address.
        unsafe top = unsafe first.baseAddress.unsafelyUnwrapped
        unsafe end = unsafe top + first.count
    }

    func deallocate() {
        for index in unsafe segments.indices { unsafe segments[index].deallocate() }
    }

    var mark: Mark { unsafe Mark(top: top, segment: segment) }

    /// Bytes that are not initialised, at a multiple of `alignment` (a power of two).
    @inline(__always)
    mutating func allocate(_ size: Int, alignment: Int) -> UnsafeMutableRawPointer {
        assert(size >= 0 && alignment.nonzeroBitCount == 1)
        let start = unsafe top.alignedUp(toMultipleOf: alignment)
        if unsafe end - start >= size {
            unsafe top = unsafe start + size
            return unsafe start
        }
        return unsafe allocateInNextSegment(size, alignment: alignment)
    }

    /// Bytes left free after elements that grow in place: without them, each child of their container would need the next segment.
    private static let headroom = 4096

    /// Makes the last allocation, which ends at `limit`, longer by `size` bytes; false if its segment has no room.
    mutating func extend(_ limit: UnsafeMutableRawPointer, by size: Int) -> Bool {
        guard unsafe top == limit, unsafe end - top >= size &+ Arena.headroom else { return false }
        unsafe top += size
        return true
    }

    /// Doubles the memory of elements that are the last allocation.
    @inline(never)
    mutating func grow<Element>(_ base: UnsafeMutablePointer<Element>, _ count: Int) -> UnsafeMutablePointer<Element> {
        let size = count &* MemoryLayout<Element>.stride
        assert(size >= 0)
        let start = UnsafeMutableRawPointer(base)
        if unsafe extend(start + size, by: size) { return unsafe base }
        let moved = unsafe allocate(size &* 2, alignment: 16).assumingMemoryBound(to: Element.self)
        unsafe moved.moveInitialize(from: base, count: count)
        return unsafe moved
    }

    /// Gives back all that was allocated since the mark was taken.
    @inline(__always)
    mutating func release(to mark: Mark) {
        assert(isAllocated(mark))
        unsafe top = unsafe mark.top
        if segment != mark.segment { returnToSegment(mark.segment) }
    }

    /// Whether all that lies below a mark is allocated still.
    private func isAllocated(_ mark: Mark) -> Bool {
        guard mark.segment >= 0, mark.segment <= segment, let start = unsafe segments[mark.segment].baseAddress else {
            return false
        }
        let limit = unsafe mark.segment == segment ? top : start + segments[mark.segment].count
        return unsafe mark.top >= start && mark.top <= limit
    }

    @inline(never)
    private mutating func allocateInNextSegment(_ size: Int, alignment: Int) -> UnsafeMutableRawPointer {
        let needed = size + alignment
        // A later segment is kept from earlier documents, unless it is too small for this one.
        while unsafe segment + 1 < segments.count, unsafe segments[segment + 1].count < needed {
            unsafe segments.remove(at: segment + 1).deallocate()
        }
        if unsafe segment + 1 == segments.count {
            unsafe segments.append(Arena.makeSegment(size: max(segments[segment].count * 2, needed)))
        }
        segment += 1
        enterSegment()
        let start = unsafe top.alignedUp(toMultipleOf: alignment)
        unsafe top = unsafe start + size
        return unsafe start
    }

    @inline(never)
    private mutating func returnToSegment(_ number: Int) {
        let height = unsafe top
        segment = number
        enterSegment()
        unsafe top = unsafe height
    }

    private mutating func enterSegment() {
        // Safe: segments are never empty.
        unsafe top = unsafe segments[segment].baseAddress.unsafelyUnwrapped
        unsafe end = unsafe top + segments[segment].count
    }

    /// Between documents: merges several segments into one, so that the next document's elements can grow in place, and frees the
    /// segments of a document of unusual size.
    @inline(__always)
    mutating func settle(above limit: Int) {
        if unsafe segments.count > 1 { merge(above: limit) }
    }

    @inline(never)
    private mutating func merge(above limit: Int) {
        trim(above: limit)
        let size = unsafe segments.reduce(0) { $0 + $1.count }
        guard unsafe segments.count > 1, size <= limit else { return }
        deallocate()
        unsafe segments.removeAll(keepingCapacity: true)
        unsafe segments.append(Arena.makeSegment(size: size))
        segment = 0
        enterSegment()
    }

    private mutating func trim(above limit: Int) {
        while unsafe segment + 1 < segments.count, let last = unsafe segments.last, last.count > limit {
            unsafe last.deallocate()
            unsafe segments.removeLast()
        }
    }

    private static func makeSegment(size: Int) -> UnsafeMutableRawBufferPointer {
        .allocate(byteCount: size, alignment: 16)
    }
}
