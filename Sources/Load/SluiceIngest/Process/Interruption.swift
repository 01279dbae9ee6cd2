// Remembers a signal, which may arrive at any moment, until it is noticed: between two records, or while waiting for input.

internal import Foundation
internal import Synchronization

/// Remembers the last signal that asked the process to end.
package final class Interruption: Sendable {
    /// The signals of this process, after ``watch()`` was called.
    package static let process = Interruption()

    private let signal = Atomic<Int32>(0)
    /// Becomes readable when a signal arrives. So a signal that comes just before a wait still ends the wait.
    private let wakeInput: Int32
    private let wakeOutput: Int32

    package init() {
        var ends: [Int32] = [-1, -1]
        // Without a pipe (if no descriptors are left), a signal is still noticed between two records.
        if unsafe pipe(&ends) != 0 { ends = [-1, -1] }
        (wakeInput, wakeOutput) = (ends[0], ends[1])
    }

    deinit {
        close(wakeInput)
        close(wakeOutput)
    }

    /// The signal, or 0.
    package var received: Int32 { signal.load(ordering: .relaxed) }

    /// Called by the signal handler; does only what is allowed in one.
    package func raise(_ number: Int32) {
        signal.store(number, ordering: .relaxed)
        var byte: UInt8 = 0
        _ = unsafe write(wakeOutput, &byte, 1)
    }

    /// From now on, SIGINT and SIGTERM are remembered; a second signal of the same kind ends the process as usual. A signal that
    /// was ignored when the process started stays ignored: `nohup` and shells do that for commands in the background.
    package static func watch() {
        // Created here, because a signal handler must not be the first to use a static property.
        _ = process
        for number in [SIGINT, SIGTERM] {
            var action = sigaction()
            if unsafe sigaction(number, nil, &action) == 0, isIgnored(action) { continue }
            action = sigaction()
            #if canImport(Darwin)
            unsafe action.__sigaction_u.__sa_handler = { Interruption.process.raise($0) }
            #else
            unsafe action.__sigaction_handler.sa_handler = { Interruption.process.raise($0) }
            #endif
            action.sa_flags = Int32(truncatingIfNeeded: SA_RESETHAND)
            _ = unsafe sigaction(number, &action, nil)
        }
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        // Handlers cannot be compared with `==`, so their addresses are.
        #if canImport(Darwin)
        let handler = unsafe action.__sigaction_u.__sa_handler
        #else
        let handler = unsafe action.__sigaction_handler.sa_handler
        #endif
        return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Waits until a descriptor can be read; false if a signal came first, or if the time is over.
    ///
    /// - Parameter milliseconds: The most milliseconds to wait; -1 for no limit.
    package func waits(for descriptor: Int32, atMost milliseconds: Int = -1) -> Bool {
        while received == 0 {
            var entries = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeInput, events: Int16(POLLIN), revents: 0),
            ]
            let count = unsafe poll(&entries, nfds_t(entries.count), Int32(clamping: milliseconds))
            guard count >= 0 else {
                // If poll cannot wait for the descriptor, `read` will report the error.
                if errno == EINTR { continue }
                return true
            }
            if count == 0 { return false }
            if entries[0].revents != 0 { return received == 0 }
        }
        return false
    }
}
