// Notes the unknown keys of open objects (keys that no property binds). With them, the error that lists missing keys can suggest a likely
// typing error. Documents in memory are first read without this; if one fails, it is read again with it.

/// The unknown keys of the objects that are open, up to a limit.
///
/// Notes are frequent, so each one has a slot of fixed size in one block of memory.
@safe
struct UnknownKeyNotes {
    private struct Note {
        /// The number of frames below the object's frame.
        let level: Int32
        /// The position of this note among those of the same object, from 1.
        let ordinal: Int32
        /// The length in bytes of the key, whose bytes follow the note.
        let length: Int
    }

    /// The most keys noted per object.
    static let limit = 32
    /// The most bytes of a key; longer keys are not noted.
    static let maximumLength = KeyLikeness.maximumLength
    private static let stride = MemoryLayout<Note>.stride + maximumLength

    private var memory: UnsafeMutableRawPointer
    private var capacity = 64
    private var count = 0

    init() { unsafe memory = .allocate(byteCount: 64 * UnknownKeyNotes.stride, alignment: 16) }

    func deallocate() { unsafe memory.deallocate() }

    @inline(__always)
    private func note(_ index: Int) -> Note {
        // Safe: callers pass an index below the count, and a note begins at each multiple of the stride.
        unsafe memory.load(fromByteOffset: index &* UnknownKeyNotes.stride, as: Note.self)
    }

    /// Notes a key of the object at a level.
    ///
    /// - Parameters:
    ///   - isFirst: Whether this is the object's first note. Then earlier notes at the same level belong to a closed object, and are
    ///     removed. Deeper notes are always removed.
    ///   - hasRoom: Whether ``maximumLength`` bytes can be read from the beginning of the key.
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
        guard key.count <= UnknownKeyNotes.maximumLength, ordinal < UnknownKeyNotes.limit else { return }
        if count == capacity { grow() }
        // Safe: `grow` has made space for one more note, and a key of at most `maximumLength` bytes fits after it.
        let address = unsafe memory + count &* UnknownKeyNotes.stride
        unsafe address.storeBytes(
            of: Note(level: Int32(truncatingIfNeeded: level), ordinal: ordinal &+ 1, length: key.count), as: Note.self)
        if let bytes = key.baseAddress {
            let copy = unsafe address + MemoryLayout<Note>.stride
            // A copy of constant size is compiled without a function call.
            if hasRoom {
                unsafe copy.copyMemory(from: bytes, byteCount: UnknownKeyNotes.maximumLength)
            } else {
                unsafe copy.copyMemory(from: bytes, byteCount: key.count)
            }
        }
        count &+= 1
    }

    @inline(never)
    private mutating func grow() {
        let grown = UnsafeMutableRawPointer.allocate(byteCount: 2 * capacity * UnknownKeyNotes.stride, alignment: 16)
        unsafe grown.copyMemory(from: memory, byteCount: count * UnknownKeyNotes.stride)
        unsafe memory.deallocate()
        unsafe memory = unsafe grown
        capacity *= 2
    }

    /// The noted keys of the object at a level, in the order of the text.
    func keys(at level: Int) -> [String] {
        (0..<count).filter { note($0).level == level }.map { index in
            // Safe: the index is below the count, and the key's bytes follow its note.
            let bytes = unsafe memory + (index * UnknownKeyNotes.stride + MemoryLayout<Note>.stride)
            return unsafe String(decoding: UnsafeRawBufferPointer(start: bytes, count: note(index).length), as: UTF8.self)
        }
    }
}
