// Memory that grows with what is put into it.

extension UnsafeMutablePointer {
    /// Moves the first values to new memory with more room, and frees the old memory.
    package mutating func grow(to capacity: Int, keeping count: Int) {
        assert(count >= 0 && count <= capacity)
        let grown = UnsafeMutablePointer.allocate(capacity: capacity)
        unsafe grown.moveInitialize(from: self, count: count)
        unsafe deallocate()
        unsafe self = unsafe grown
    }
}
