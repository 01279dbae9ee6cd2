// Growing memory of a column, in the layout that Arrow requires: it starts at a multiple of 64 bytes.

/// Memory that grows. Its last owner deallocates it.
@safe
struct ColumnMemory {
    /// The start, aligned to 64 bytes.
    private(set) var base: UnsafeMutableRawPointer
    /// The size in bytes, a multiple of 64.
    private(set) var capacity: Int

    static let alignment = 64

    init(capacity: Int) {
        self.capacity = roundedUp(max(capacity, 1), to: Self.alignment)
        unsafe base = .allocate(byteCount: self.capacity, alignment: Self.alignment)
    }

    /// Makes room for `size` bytes or more, at least doubling the memory. The first `used` bytes are kept.
    @inline(never)
    mutating func grow(to size: Int, keeping used: Int) {
        assert(used >= 0 && used <= capacity)
        var grown = ColumnMemory(capacity: max(size, capacity * 2))
        unsafe grown.base.copyMemory(from: base, byteCount: used)
        swap(&self, &grown)
        grown.deallocate()
    }

    func deallocate() { unsafe base.deallocate() }
}

/// A sequence of bits, the first in the lowest bit of its byte. Bits are appended; those after the last one in its byte are 0.
@safe
struct BitMemory {
    private(set) var memory: ColumnMemory

    init(capacity: Int) { memory = ColumnMemory(capacity: (capacity + 7) / 8) }

    var bytes: UnsafePointer<UInt8> { unsafe UnsafePointer(memory.base.assumingMemoryBound(to: UInt8.self)) }

    /// Makes room for `count` bits.
    mutating func reserve(_ count: Int, keeping used: Int) {
        let size = (count + 7) / 8
        if size > memory.capacity { memory.grow(to: size, keeping: (used + 7) / 8) }
    }

    /// Appends a bit after the first `count`; there must be room for it.
    @inline(__always)
    func append(_ bit: Bool, at count: Int) {
        assert(count >= 0 && count &>> 3 < memory.capacity)
        // Safe: the caller has made room.
        let byte = unsafe memory.base.assumingMemoryBound(to: UInt8.self) + (count &>> 3)
        let value: UInt8 = bit ? 1 &<< UInt8(truncatingIfNeeded: count & 7) : 0
        unsafe byte.pointee = unsafe count & 7 == 0 ? value : byte.pointee | value
    }

    /// Appends ones after the first `count` bits; there must be room for them.
    func appendOnes(_ number: Int, at count: Int) { append(true, number, at: count) }

    /// Appends zeros after the first `count` bits; there must be room for them.
    func appendZeros(_ number: Int, at count: Int) { append(false, number, at: count) }

    private func append(_ bit: Bool, _ number: Int, at count: Int) {
        assert(count >= 0 && number >= 0 && (count + number + 7) / 8 <= memory.capacity)
        var index = count
        while index < count + number {
            if index & 7 == 0, index + 8 <= count + number {
                // Safe: the caller has made room.
                unsafe memory.base.storeBytes(of: bit ? 0xFF : 0, toByteOffset: index >> 3, as: UInt8.self)
                index += 8
            } else {
                append(bit, at: index)
                index += 1
            }
        }
    }

    /// Whether the bit at an index is one.
    func isSet(_ index: Int) -> Bool {
        assert(index >= 0 && index >> 3 < memory.capacity)
        // Safe: the caller passes the index of an existing bit.
        return unsafe bytes[index >> 3] & (1 << UInt8(index & 7)) != 0
    }

    func deallocate() { memory.deallocate() }
}
