// A lock with a condition that threads can wait for.

internal import SluiceSystem

/// A lock, with a condition that threads can wait for.
// Safe: both objects are made before all use and destroyed after it, and POSIX lets any thread use them.
@safe
package final class Lock: @unchecked Sendable {
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

    /// Runs `body` while this thread holds the lock.
    package func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body()
    }

    /// Releases the lock and waits until ``wakeAll()`` is called; for use inside of ``withLock(_:)``. It may also return without such a
    /// call, so check the condition again.
    package func wait() { unsafe pthread_cond_wait(condition, mutex) }

    /// Waits until `isTrue` returns true, but only some milliseconds; for use inside of ``withLock(_:)``. Returns whether it is true.
    package func wait(atMost milliseconds: Int, until isTrue: () -> Bool) -> Bool {
        var now = timeval()
        unsafe gettimeofday(&now, nil)
        var deadline = timespec()
        deadline.tv_sec = now.tv_sec + milliseconds / 1000
        deadline.tv_nsec = Int(now.tv_usec) * 1000 + milliseconds % 1000 * 1_000_000
        if deadline.tv_nsec >= 1_000_000_000 {
            deadline.tv_sec += 1
            deadline.tv_nsec -= 1_000_000_000
        }
        while !isTrue() {
            if unsafe pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT { return isTrue() }
        }
        return true
    }

    /// Wakes all waiting threads.
    package func wakeAll() { unsafe pthread_cond_broadcast(condition) }
}
