// Notes the keys of open objects that no property binds, for the error that lists missing keys: it can then name a likely typing
// error. Documents in memory are read without this; if one fails, it is read again with it.

/// Some keys of the objects that are open.
///
/// A key is noted at most of the events of a document, so each has a place of one size, in memory of its own.
@safe
struct UnknownKeys {
    private struct Note {
        /// How many frames lie below that of the object.
        let level: Int32
        /// How many keys are noted of the same object, this one included.
        let ordinal: Int32
        /// The length of the key, whose bytes follow.
        let length: Int
    }

    /// The most keys noted of one object, and the most bytes of a key that is noted.
    static let limit = 32
    static let maximumLength = 64
    private static let stride = MemoryLayout<Note>.stride + maximumLength

    private var memory: UnsafeMutableRawPointer
    private var capacity = 64
    private var count = 0

    init() { unsafe memory = .allocate(byteCount: 64 * UnknownKeys.stride, alignment: 16) }

    func deallocate() { unsafe memory.deallocate() }

    @inline(__always)
    private func note(_ index: Int) -> Note {
        // Safe: callers pass an index below the count, and a note begins at each multiple of the stride.
        unsafe memory.load(fromByteOffset: index &* UnknownKeys.stride, as: Note.self)
    }

    /// Notes a key of the object at a level.
    ///
    /// - Parameters:
    ///   - isFirst: Whether what is noted at that level, or further in, is of objects that are closed.
    ///   - hasRoom: Whether ``maximumLength`` bytes can be read where the key begins.
    mutating func note(_ key: UnsafeBufferPointer<UInt8>, at level: Int, isFirst: Bool, hasRoom: Bool) {
        var ordinal: Int32 = 0
        while count > 0 {
            let last = note(count &- 1)
            guard last.level > level || isFirst && last.level == level else {
                if last.level == level { ordinal = last.ordinal }
                break
            }
            count &-= 1
        }
        guard key.count <= UnknownKeys.maximumLength, ordinal < UnknownKeys.limit else { return }
        if count == capacity { grow() }
        // Safe: there is room for one more note, and for a key of this length behind it.
        let place = unsafe memory + count &* UnknownKeys.stride
        unsafe place.storeBytes(
            of: Note(level: Int32(truncatingIfNeeded: level), ordinal: ordinal &+ 1, length: key.count), as: Note.self)
        if let bytes = key.baseAddress {
            let copy = unsafe place + MemoryLayout<Note>.stride
            // A copy of constant size needs no function call.
            if hasRoom {
                unsafe copy.copyMemory(from: bytes, byteCount: UnknownKeys.maximumLength)
            } else {
                unsafe copy.copyMemory(from: bytes, byteCount: key.count)
            }
        }
        count &+= 1
    }

    @inline(never)
    private mutating func grow() {
        let grown = UnsafeMutableRawPointer.allocate(byteCount: 2 * capacity * UnknownKeys.stride, alignment: 16)
        unsafe grown.copyMemory(from: memory, byteCount: count * UnknownKeys.stride)
        unsafe memory.deallocate()
        unsafe memory = unsafe grown
        capacity *= 2
    }

    /// The keys of the object at a level, in their order.
    func keys(at level: Int) -> [String] {
        (0..<count).filter { note($0).level == level }.map { index in
            // Safe: as above.
            let bytes = unsafe memory + (index * UnknownKeys.stride + MemoryLayout<Note>.stride)
            return unsafe String(decoding: UnsafeRawBufferPointer(start: bytes, count: note(index).length), as: UTF8.self)
        }
    }
}
