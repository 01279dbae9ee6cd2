// A lock that threads can wait at, and threads: the two things that feeds need of the operating system.

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif
internal import SluiceCore

/// A lock with a condition to wait for.
// Safe: both objects are made before and destroyed after all use, and POSIX lets any thread use them.
@safe
package final class Monitor: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init() {
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe condition.initialize(to: pthread_cond_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(condition, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Runs `body` while no other thread does.
    package func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body()
    }

    /// Gives up the lock until ``wakeAll()`` is called; for use inside of ``withLock(_:)``. It may also return without a reason.
    package func wait() { unsafe pthread_cond_wait(condition, mutex) }

    /// Lets all who wait go on.
    package func wakeAll() { unsafe pthread_cond_broadcast(condition) }
}

/// Threads that end by themselves.
package enum DetachedThread {
    /// Models may be nested as deep in a thread as on the main thread of Linux.
    private static let stackSize = 8 << 20

    /// Runs `body` in a thread of its own; false where the system has no more threads.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        unsafe pthread_attr_init(attributes)
        defer {
            unsafe pthread_attr_destroy(attributes)
            unsafe attributes.deallocate()
        }
        unsafe pthread_attr_setstacksize(attributes, stackSize)
        unsafe pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
        let work = unsafe Unmanaged.passRetained(Work(body)).toOpaque()
        let thread = UnsafeMutablePointer<ThreadName>.allocate(capacity: 1)
        defer { unsafe thread.deallocate() }
        let code = unsafe pthread_create(thread, attributes, runThread, work)
        // Safe: no thread has taken what was retained for it.
        if code != 0 { unsafe Unmanaged<Work>.fromOpaque(work).release() }
        return code == 0
    }
}

extension DetachedThread {
    /// Lets other threads run.
    package static func pause() { sched_yield() }
}

/// What a thread is to do.
private final class Work {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

#if canImport(Glibc)
private typealias ThreadName = pthread_t
#else
private typealias ThreadName = pthread_t?
#endif

#if canImport(Darwin)
private typealias ThreadArgument = UnsafeMutableRawPointer
#else
private typealias ThreadArgument = UnsafeMutableRawPointer?
#endif

private func runThread(_ argument: ThreadArgument) -> UnsafeMutableRawPointer? {
    let optional: UnsafeMutableRawPointer? = unsafe argument
    guard let argument = unsafe optional else { return nil }
    // Safe: the argument was retained for this call.
    unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
    return nil
}
