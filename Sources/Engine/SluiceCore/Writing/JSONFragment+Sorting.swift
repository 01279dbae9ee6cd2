// The members of an object in the order of their keys. Each is a piece of the text; the pieces are copied away and back in their order.

/// Memory for sorting the members of one object after the other.
@safe
struct SortingMemory {
    /// A key that is being sorted.
    struct Key {
        /// The first eight bytes, so that most keys are compared as numbers.
        let prefix: UInt64
        let member: Int
    }

    private(set) var keys: UnsafeMutablePointer<Key>?
    private var keyCapacity = 0
    private(set) var text: UnsafeMutablePointer<UInt8>?
    private var textCapacity = 0

    @inline(__always)
    mutating func reserve(keys count: Int, text size: Int) {
        if keyCapacity < count { growKeys(count) }
        if textCapacity < size { growText(size) }
    }

    @inline(never)
    private mutating func growKeys(_ count: Int) {
        unsafe keys?.deallocate()
        keyCapacity = max(64, 2 * count)
        unsafe keys = .allocate(capacity: keyCapacity)
    }

    @inline(never)
    private mutating func growText(_ size: Int) {
        unsafe text?.deallocate()
        textCapacity = max(1024, 2 * size)
        unsafe text = .allocate(capacity: textCapacity)
    }

    func deallocate() {
        unsafe keys?.deallocate()
        unsafe text?.deallocate()
    }
}

extension JSONFragment {
    /// Sorts the members of the innermost object, all of whose keys are different; false if that takes more: a key has escapes, or a value
    /// is a hole.
    func sort(_ first: Int) -> Bool {
        let count = unsafe members.count - first
        let start = unsafe members[first].start
        if let last = unsafe holes.last, last.offset >= start { return false }
        unsafe writer.reserve(16)
        unsafe sorting.reserve(keys: count, text: writer.count &- start &+ 16)
        // Safe: there is room for all keys.
        let keys = unsafe sorting.keys.unsafelyUnwrapped
        var isSorted = true
        for index in 0..<count {
            guard let prefix = unsafe prefix(of: members[first &+ index]) else { return false }
            var slot = index
            // Most objects are small. In a large one, the keys are sorted when all are there.
            if count <= 32 {
                while slot > 0, unsafe isLess(prefix, first &+ index, keys[slot &- 1]) {
                    unsafe keys[slot] = unsafe keys[slot &- 1]
                    slot &-= 1
                }
                if slot != index { isSorted = false }
            }
            unsafe keys[slot] = SortingMemory.Key(prefix: prefix, member: first &+ index)
        }
        if count > 32 {
            isSorted = false
            var all = unsafe UnsafeMutableBufferPointer(start: keys, count: count)
            unsafe all.sort { isLess($0.prefix, $0.member, $1) }
        }
        if !isSorted { unsafe permute(keys, count, from: start) }
        return true
    }

    /// The first eight bytes of a key, the first one highest, after a shorter key zeros; nil if the key has escapes.
    @inline(__always)
    private func prefix(of member: Member) -> UInt64? {
        // Safe: a key has two quotes and a colon, and room for eight bytes more than the text is reserved.
        let size = member.keySize &- 3
        let key = unsafe UnsafeRawPointer(writer.start + member.start + 1)
        if size == 0 { return 0 }
        if size < 8 {
            let word = unsafe UInt64(bigEndian: key.loadUnaligned(as: UInt64.self))
            let kept = word & ~(.max &>> UInt64(truncatingIfNeeded: 8 &* size))
            return UnicodeValidation.backslashMarks(in: kept) != 0 ? nil : kept
        }
        var offset = 0
        while offset < size {
            // The last word may overlap the one in front.
            let slot = min(offset, size &- 8)
            if UnicodeValidation.backslashMarks(in: unsafe key.loadUnaligned(fromByteOffset: slot, as: UInt64.self)) != 0 {
                return nil
            }
            offset &+= 8
        }
        return unsafe UInt64(bigEndian: key.loadUnaligned(as: UInt64.self))
    }

    @inline(__always)
    private func isLess(_ prefix: UInt64, _ member: Int, _ other: SortingMemory.Key) -> Bool {
        if prefix != other.prefix { return prefix < other.prefix }
        return unsafe key(of: members[member]).dropLast().lexicographicallyPrecedes(key(of: members[other.member]).dropLast())
    }

    /// Writes the members again in another order.
    private func permute(_ keys: UnsafePointer<SortingMemory.Key>, _ count: Int, from start: Int) {
        // Safe: there is room for the members in the copy, and for 16 bytes more in both texts.
        let copy = unsafe sorting.text.unsafelyUnwrapped
        unsafe copy.update(from: writer.start + start, count: writer.count &- start)
        var end = unsafe writer.start + start
        for index in 0..<count {
            // A member reaches, with its comma, to the next one.
            let next = unsafe keys[index].member &+ 1
            let piece = unsafe members[next &- 1].start &- start
            let size = unsafe (next < members.count ? members[next].start : writer.count) &- start &- piece
            if size > 64 {
                unsafe end.update(from: copy + piece, count: size)
            } else {
                // Copies whole blocks. The bytes that a block has too many are overwritten later, or lie after the text.
                var offset = 0
                repeat {
                    let block = unsafe UnsafeRawPointer(copy + piece).loadUnaligned(
                        fromByteOffset: offset, as: SIMD16<UInt8>.self)
                    unsafe UnsafeMutableRawPointer(end).storeBytes(of: block, toByteOffset: offset, as: SIMD16<UInt8>.self)
                    offset &+= 16
                } while offset < size
            }
            unsafe end += size
        }
    }
}
