// When the memory of a large array is full, its elements stay where they are: they are laid aside, and the next ones go to a new
// piece of memory. Each element is moved only once, into the array, and each piece is freed as soon as its elements have left it.

extension Binder {
    /// An array with at least this many bytes of elements is large: moving them all would cost more than another piece of memory.
    static let largeArray = 256 << 10
    private static let pieceSize = 1 << 20

    /// Lays the elements of the frame aside; the next ones go to new memory.
    mutating func layAside() {
        let count = document.frame.countInMemory
        unsafe frames.laidAside.append(
            _ElementBlock(
                base: document.frame.base, count: count, level: document.stackCount, isOwned: document.frame.laidAsideCount > 0))
        document.frame.laidAsideCount &+= count
        let size = max(Binder.pieceSize / document.frame.stride, 1) * document.frame.stride
        // Safe: the binding says how its elements are aligned.
        let piece = UnsafeMutableRawPointer.allocate(
            byteCount: size, alignment: max(document.frame.binding.elementAlignment, 16))
        unsafe document.frame.address = unsafe piece
        unsafe document.frame.limit = unsafe piece + size
        unsafe document.frame.base = unsafe piece
        unsafe document.frame.block = unsafe piece
    }

    /// Makes the array of a frame that has just been closed.
    @inline(never)
    mutating func completeLargeArray(_ finished: Frame) {
        var contents = finished.contents
        let blocks = takeLaidAside()
        let address = destination
        unsafe blocks.withUnsafeBufferPointer { blocks in
            unsafe contents.earlier = unsafe blocks
            finished.binding.elementType._completeArray(contents, at: address)
        }
        // Safe: the elements have been moved out.
        unsafe finished.base.deallocate()
    }

    /// Destroys the elements that were set aside for a frame that has just been popped. The frame's own elements are already
    /// destroyed.
    mutating func destroyLaidAside(of open: Frame) {
        for block in takeLaidAside() {
            unsafe open.binding.assembly._destroy(
                _Contents(base: block.base, count: block.count, stride: open.stride, bound: open.noBits))
            block.free()
        }
        unsafe open.base.deallocate()
    }

    /// Removes and returns the elements that were set aside for the frame that has just been popped.
    private mutating func takeLaidAside() -> [_ElementBlock] {
        let level = document.stackCount + 1
        let first = frames.laidAside.firstIndex { $0.level >= level } ?? frames.laidAside.count
        let blocks = Array(frames.laidAside[first...])
        frames.laidAside.removeSubrange(first...)
        return blocks
    }
}
