// Keeps the buffer that values are rendered into for the next writing call on the same thread. Making it for each document cost more than
// writing a small one, and returned the buffer of a large one to the system each time.

internal import SluiceSystem

/// Memory for writing that a thread keeps until it ends.
@safe
struct BufferPool {
    /// A larger buffer is freed, not kept.
    static let greatestKept = 4 << 20
    private static let firstCapacity = 4096
    /// A text of this size is worth being written into an array, so that it is not copied.
    static let largeTextSize = 16 << 10

    private var buffer: UnsafeMutablePointer<UInt8>?
    private var capacity = 0
    /// The sizes of the last two texts that the thread returned as arrays; 0 for a small one.
    private var largeTexts = (before: 0, last: 0)

    /// The size that the next text probably has, if both were large; else 0.
    var expectedTextCount: Int { largeTexts.before > 0 ? largeTexts.last : 0 }

    mutating func noteText(ofSize count: Int) {
        largeTexts = (largeTexts.last, count >= BufferPool.largeTextSize ? count : 0)
    }

    /// A buffer for a writer, and its capacity.
    static func takeBuffer(
        ofAtLeast least: Int = firstCapacity, from pool: UnsafeMutablePointer<BufferPool>? = unsafe ofThread
    ) -> (start: UnsafeMutablePointer<UInt8>, capacity: Int) {
        // Safe: the memory is this thread's own.
        if let pool = unsafe pool, let buffer = unsafe pool.pointee.buffer {
            unsafe pool.pointee.buffer = nil
            if unsafe pool.pointee.capacity >= least { return unsafe (buffer, pool.pointee.capacity) }
            unsafe SluiceSystem.free(buffer)
        }
        let capacity = max(least, firstCapacity)
        return unsafe (resize(nil, to: capacity), capacity)
    }

    /// Keeps a buffer that a writer no longer needs, or frees it.
    static func keep(
        _ buffer: UnsafeMutablePointer<UInt8>, capacity: Int, in pool: UnsafeMutablePointer<BufferPool>? = unsafe ofThread
    ) {
        guard capacity <= greatestKept, let pool = unsafe pool, unsafe pool.pointee.buffer == nil else {
            return unsafe SluiceSystem.free(buffer)
        }
        unsafe pool.pointee.buffer = unsafe buffer
        unsafe pool.pointee.capacity = capacity
    }

    /// A buffer with a greater capacity and the same bytes: the system moves large ones without copying them.
    static func resize(_ buffer: UnsafeMutablePointer<UInt8>?, to capacity: Int) -> UnsafeMutablePointer<UInt8> {
        guard let memory = unsafe realloc(buffer, capacity) else { preconditionFailure("there is no memory left for writing") }
        return unsafe memory.assumingMemoryBound(to: UInt8.self)
    }

    /// The `pthread` key under which each thread stores its memory; nil if the system has no key left, and then nothing is kept.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        // The system calls the closure when a thread that has memory ends.
        guard unsafe pthread_key_create(&key, { unsafe BufferPool.free($0) }) == 0 else { return nil }
        return key
    }()

    /// The pool of this thread.
    static var ofThread: UnsafeMutablePointer<BufferPool>? {
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
        unsafe SluiceSystem.free(memory.pointee.buffer)
        unsafe memory.deinitialize(count: 1)
        unsafe memory.deallocate()
    }
}
