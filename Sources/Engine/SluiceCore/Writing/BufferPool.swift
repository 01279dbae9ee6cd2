// Keeps the buffer that values are rendered into for the next writing call on the same thread. Making it for each document cost more than
// writing a small one, and returned the buffer of a large one to the system each time.

internal import SluiceSystem

/// Memory for writing that a thread keeps until it ends.
@safe
struct BufferPool {
    /// A larger buffer is freed, not kept.
    static let greatestKept = 4 << 20
    private static let firstCapacity = 4096

    private var buffer: UnsafeMutablePointer<UInt8>?
    private var capacity = 0

    /// A buffer for a writer, and its capacity.
    static func takeBuffer() -> (start: UnsafeMutablePointer<UInt8>, capacity: Int) {
        // Safe: the memory is this thread's own, and no reference to it is kept.
        if let memory = unsafe ofThread, let buffer = unsafe memory.pointee.buffer {
            unsafe memory.pointee.buffer = nil
            return unsafe (buffer, memory.pointee.capacity)
        }
        return (.allocate(capacity: firstCapacity), firstCapacity)
    }

    /// Keeps a buffer that a writer no longer needs, or frees it.
    static func keep(_ buffer: UnsafeMutablePointer<UInt8>, capacity: Int) {
        guard capacity <= greatestKept, let memory = unsafe ofThread, unsafe memory.pointee.buffer == nil else {
            return unsafe buffer.deallocate()
        }
        unsafe memory.pointee.buffer = unsafe buffer
        unsafe memory.pointee.capacity = capacity
    }

    /// The `pthread` key under which each thread stores its memory; nil if the system has no key left, and then nothing is kept.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        // The system calls the closure when a thread that has memory ends.
        guard unsafe pthread_key_create(&key, { unsafe BufferPool.free($0) }) == 0 else { return nil }
        return key
    }()

    private static var ofThread: UnsafeMutablePointer<BufferPool>? {
        guard let key else { return nil }
        guard let memory = unsafe pthread_getspecific(key) else { return unsafe make(key) }
        // Safe: nothing else is stored under this key.
        return unsafe memory.assumingMemoryBound(to: BufferPool.self)
    }

    @inline(never)
    private static func make(_ key: pthread_key_t) -> UnsafeMutablePointer<BufferPool>? {
        let memory = UnsafeMutablePointer<BufferPool>.allocate(capacity: 1)
        unsafe memory.initialize(to: BufferPool())
        if unsafe pthread_setspecific(key, memory) == 0 { return unsafe memory }
        unsafe memory.deinitialize(count: 1)
        unsafe memory.deallocate()
        return nil
    }

    private static func free(_ memory: UnsafeMutableRawPointer?) {
        guard let memory = unsafe memory?.assumingMemoryBound(to: BufferPool.self) else { return }
        // Safe: the thread is ending, so its memory is no longer in use.
        unsafe memory.pointee.buffer?.deallocate()
        unsafe memory.deinitialize(count: 1)
        unsafe memory.deallocate()
    }
}
