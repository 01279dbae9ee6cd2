// Bytes that come through a pipe while signals interrupt the thread that reads them.

import Foundation
import Synchronization

/// Counts the signals that arrived.
private let signals = Atomic<Int>(0)

/// Writes `bytes` in pieces into a pipe whose other end `body` reads in a thread of its own; that thread gets signals before each
/// piece, when it most likely waits for bytes, so that its calls end with EINTR. Returns what `body` gave, and how many signals its
/// thread has handled.
package func interrupted<Result: Sendable>(
    _ bytes: [UInt8], pieceSize: Int, _ body: @escaping @Sendable (_ descriptor: Int32) -> Result
) -> (result: Result?, signals: Int) {
    // Without SA_RESTART: calls of the system are not taken up again by themselves.
    var action = sigaction()
    #if canImport(Darwin)
    unsafe action.__sigaction_u.__sa_handler = { _ in signals.add(1, ordering: .relaxed) }
    #else
    unsafe action.__sigaction_handler.sa_handler = { _ in signals.add(1, ordering: .relaxed) }
    #endif
    _ = unsafe sigaction(SIGUSR2, &action, nil)
    let before = signals.load(ordering: .relaxed)

    let pipe = Pipe()
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    let outcome = Mutex<Result?>(nil)
    let reader = Mutex<pthread_t?>(nil)
    let isStarted = DispatchSemaphore(value: 0)
    let isDone = DispatchSemaphore(value: 0)
    withExtendedLifetime(pipe) {
        Thread {
            // Threads of dispatch block signals, and those that they start inherit that.
            var accepted = sigset_t()
            unsafe sigemptyset(&accepted)
            unsafe sigaddset(&accepted, SIGUSR2)
            unsafe pthread_sigmask(Int32(SIG_UNBLOCK), &accepted, nil)
            reader.withLock { $0 = pthread_self() }
            isStarted.signal()
            let result = body(descriptor)
            // From here on no signal is sent to this thread, which is about to end.
            reader.withLock { $0 = nil }
            outcome.withLock { $0 = result }
            isDone.signal()
        }.start()
        isStarted.wait()
        for start in stride(from: 0, to: bytes.count, by: pieceSize) {
            for _ in 0..<2 {
                usleep(500)
                reader.withLock { thread in
                    if let thread { _ = pthread_kill(thread, SIGUSR2) }
                }
            }
            pipe.fileHandleForWriting.write(Data(bytes[start..<min(start + pieceSize, bytes.count)]))
        }
        try? pipe.fileHandleForWriting.close()
        isDone.wait()
    }
    return (outcome.withLock { $0 }, signals.load(ordering: .relaxed) - before)
}
