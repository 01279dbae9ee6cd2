// Threads of the operating system.

internal import SluiceSystem

/// Threads that end by themselves.
package enum DetachedThread {
    /// 8 MiB, the stack of Linux's main thread: so models may be nested as deep in these threads as there.
    private static let stackSize = 8 << 20

    /// Runs `body` in a thread of its own; returns false if the system cannot start one.
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
        // Safe: no thread was started, so nothing else releases the retained object.
        if code != 0 { unsafe Unmanaged<Work>.fromOpaque(work).release() }
        return code == 0
    }
}

extension DetachedThread {
    /// Lets other threads run.
    package static func pause() { sched_yield() }
}

/// The function that a thread runs.
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
