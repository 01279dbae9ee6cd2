// POSIX threads that start together: what they do to each other is seen by ThreadSanitizer, which knows no tasks.

import Glibc

/// Runs `body` in several threads at once, and waits for all.
func inThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let barrier = UnsafeMutablePointer<pthread_barrier_t>.allocate(capacity: 1)
    pthread_barrier_init(barrier, nil, UInt32(count))
    var threads = [pthread_t](repeating: 0, count: count)
    for index in 0..<count {
        let work = Unmanaged.passRetained(
            Work {
                pthread_barrier_wait(barrier)
                body(index)
            })
        pthread_create(
            &threads[index], nil,
            { argument in
                Unmanaged<Work>.fromOpaque(argument!).takeRetainedValue().body()
                return nil
            }, work.toOpaque())
    }
    for thread in threads { pthread_join(thread, nil) }
    pthread_barrier_destroy(barrier)
    barrier.deallocate()
}

private final class Work {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
}
