// Finds keys that appear twice in an object, for one object after the other.

/// A hash table of keys that is emptied without being cleared: a slot is occupied only if it has the current object's number.
@safe
struct KeySlots {
    private var slots: UnsafeMutablePointer<UInt64>?
    private var mask = 0
    private var object: UInt32 = 0

    /// Empties the table for the next object, with more than twice as many slots as it has keys.
    @inline(__always)
    mutating func begin(_ keys: Int) {
        if mask &>> 1 < keys || object == .max { grow(keys) }
        object &+= 1
    }

    @inline(never)
    private mutating func grow(_ keys: Int) {
        var size = 256
        while size &>> 1 <= keys { size *= 2 }
        size = max(size, mask &+ 1)
        unsafe slots?.deallocate()
        let grown = UnsafeMutablePointer<UInt64>.allocate(capacity: size)
        unsafe grown.initialize(repeating: 0, count: size)
        unsafe slots = unsafe grown
        mask = size &- 1
        object = 0
    }

    @inline(__always)
    func occupant(of slot: Int) -> Int? {
        // Safe: `begin` has made the table, and the mask is its size less one.
        let word = unsafe slots.unsafelyUnwrapped[slot & mask]
        return UInt32(truncatingIfNeeded: word &>> 32) == object ? Int(truncatingIfNeeded: word & 0xFFFF_FFFF) : nil
    }

    @inline(__always)
    func occupy(_ slot: Int, _ entry: Int) {
        // Safe: `begin` has made the table, and the mask is its size less one.
        unsafe slots.unsafelyUnwrapped[slot & mask] = UInt64(truncatingIfNeeded: entry) | UInt64(object) &<< 32
    }

    func deallocate() { unsafe slots?.deallocate() }
}
