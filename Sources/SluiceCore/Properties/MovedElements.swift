// Elements that lie in memory of the arena become an array without being copied.

extension Array {
    /// An array of elements that are moved out of their memory.
    @inlinable
    init(moving elements: UnsafeMutablePointer<Element>, count: Int) {
        guard count > 0 else {
            // Otherwise the standard library would write a count into the one empty array that all threads share.
            self = []
            return
        }
        self = []
        // `init(unsafeUninitializedCapacity:initializingWith:)` is not specialised: it looks the metadata of the array's memory up,
        // which costs as much as the memory.
        reserveCapacity(count)
        unsafe append(contentsOf: MovedElements(start: elements, count: count))
    }

    /// The same where the element's type is known at run time alone.
    init(movingUnknown elements: UnsafeMutablePointer<Element>, count: Int) {
        guard count > 0 else {
            self = []
            return
        }
        unsafe self.init(unsafeUninitializedCapacity: count) { buffer, initialized in
            // Safe: an array of a capacity above 0 has memory.
            unsafe buffer.baseAddress.unsafelyUnwrapped.moveInitialize(from: elements, count: count)
            initialized = count
        }
    }
}

/// Elements that an array takes out of their memory, all at once.
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

    /// Nothing is left behind those that have been moved.
    @inlinable @inline(__always)
    mutating func next() -> Element? { nil }

    @inlinable @inline(__always)
    func _copyContents(initializing buffer: UnsafeMutableBufferPointer<Element>) -> (Self, Int) {
        // Safe: the array has made room for as many as there are.
        unsafe buffer.baseAddress.unsafelyUnwrapped.moveInitialize(from: start, count: count)
        return (self, count)
    }
}
