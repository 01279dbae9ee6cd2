// The memory that a COPY's data grows in, with integers as the network has them: the most significant byte first.

#if PostgreSQL
/// A buffer that grows at its end.
@safe
struct CopyBuffer: ~Copyable {
    private var memory: UnsafeMutableRawPointer
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int = 1 << 16) {
        self.capacity = max(capacity, 64)
        unsafe memory = .allocate(byteCount: self.capacity, alignment: 16)
    }

    deinit { unsafe memory.deallocate() }

    /// The bytes so far; valid until the next change.
    // Safe: the first `count` bytes were written.
    var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: memory, count: count) }

    mutating func removeAll() { count = 0 }

    /// Takes back what was appended after this many bytes.
    mutating func truncate(to count: Int) {
        assert(count >= 0)
        self.count = min(count, self.count)
    }

    @inline(__always)
    private mutating func reserve(_ size: Int) {
        if capacity &- count < size { grow(size) }
    }

    @inline(never)
    private mutating func grow(_ size: Int) {
        // A COPY of a batch stays far below the range of Int.
        let larger = max(capacity * 2, count + size)
        let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
        unsafe moved.copyMemory(from: memory, byteCount: count)
        unsafe memory.deallocate()
        unsafe memory = unsafe moved
        capacity = larger
    }

    @inline(__always)
    mutating func append<Value: FixedWidthInteger>(_ value: Value) {
        let size = MemoryLayout<Value>.size
        reserve(size)
        assert(count >= 0 && count + size <= capacity)
        // Safe: there is room for the value.
        unsafe (memory + count).storeBytes(of: value.bigEndian, as: Value.self)
        count &+= size
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count)
        assert(count >= 0 && count + bytes.count <= capacity)
        // Safe: there is room for the bytes.
        unsafe (memory + count).copyMemory(from: start, byteCount: bytes.count)
        count &+= bytes.count
    }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { unsafe append(UnsafeRawBufferPointer($0)) }
    }

    /// Writes an integer over four bytes that were appended before.
    mutating func set(_ value: Int32, at offset: Int) {
        assert(offset >= 0 && offset + 4 <= count)
        // Safe: the four bytes are among those that were written.
        unsafe (memory + offset).storeBytes(of: value.bigEndian, as: Int32.self)
    }
}
#endif
