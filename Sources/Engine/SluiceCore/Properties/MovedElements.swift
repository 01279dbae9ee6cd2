// Turns elements in the arena's memory into an array without copying them.

extension Array {
    /// Makes an array by moving elements out of their memory.
    @inlinable
    init(moving elements: UnsafeMutablePointer<Element>, count: Int) {
        switch count {
        case 0:
            // For no elements, the append would write a count into the one empty array that all threads share.
            self = []
            return
        // A literal needs half of the instructions of what follows: its storage has no room to ask for.
        case 1:
            self = unsafe [elements.move()]
            return
        case 2:
            self = unsafe [elements.move(), (elements + 1).move()]
            return
        case 3:
            self = unsafe [elements.move(), (elements + 1).move(), (elements + 2).move()]
            return
        default:
            break
        }
        self = []
        // `init(unsafeUninitializedCapacity:initializingWith:)` is not specialised: it looks up the metadata of the array's storage, which
        // costs as much as allocating the storage.
        reserveCapacity(count)
        unsafe append(contentsOf: MovedElements(start: elements, count: count))
    }

    /// Makes an array by moving elements whose type is known only at run time.
    init(movingUnknown elements: UnsafeMutablePointer<Element>, count: Int) {
        guard count > 0 else {
            self = []
            return
        }
        unsafe self.init(unsafeUninitializedCapacity: count) { buffer, initialized in
            // Safe: an array with a capacity above 0 has storage.
            unsafe buffer.baseAddress.unsafelyUnwrapped.moveInitialize(from: elements, count: count)
            initialized = count
        }
    }
}

/// A sequence of elements that an array moves out of their memory, all at once.
@usableFromInline @frozen
@safe
struct MovedElements<Element>: Sequence, IteratorProtocol {
    @usableFromInline let start: UnsafeMutablePointer<Element>
    @usableFromInline let count: Int

    @inlinable @inline(__always)
    init(start: UnsafeMutablePointer<Element>, count: Int) {
        unsafe self.start = unsafe start
        self.count = count
    }

    @inlinable @inline(__always)
    var underestimatedCount: Int { count }

    @inlinable @inline(__always)
    func makeIterator() -> Self { self }

    /// Always nil: `_copyContents` has moved all elements already.
    @inlinable @inline(__always)
    mutating func next() -> Element? { nil }

    @inlinable @inline(__always)
    func _copyContents(initializing buffer: UnsafeMutableBufferPointer<Element>) -> (Self, Int) {
        // Safe: the array has reserved room for `count` elements.
        unsafe buffer.baseAddress.unsafelyUnwrapped.moveInitialize(from: start, count: count)
        return (self, count)
    }
}
