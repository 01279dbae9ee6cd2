// A signal arrives at any moment and is noticed between two records, or while input is awaited.

#if CommandLine
internal import Foundation
internal import Synchronization

/// Remembers the first signal that asked the process to end.
final class Interruption: Sendable {
    /// The signals of this process, once ``watch()`` was called.
    static let process = Interruption()

    private let signal = Atomic<Int32>(0)
    /// Becomes readable when a signal arrives, so that one that comes just before a wait ends the wait all the same.
    private let wakeInput: Int32
    private let wakeOutput: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        // Without a pipe (no descriptors left) a signal is still noticed between two records.
        if unsafe pipe(&ends) != 0 { ends = [-1, -1] }
        (wakeInput, wakeOutput) = (ends[0], ends[1])
    }

    deinit {
        close(wakeInput)
        close(wakeOutput)
    }

    /// The signal, or 0.
    var received: Int32 { signal.load(ordering: .relaxed) }

    /// What the signal handler does: nothing that is not allowed there.
    func raise(_ number: Int32) {
        signal.store(number, ordering: .relaxed)
        var byte: UInt8 = 0
        _ = unsafe write(wakeOutput, &byte, 1)
    }

    /// From now on SIGINT and SIGTERM are remembered; a second one of the same kind ends the process as usual. One that the process
    /// was started with as ignored, as `nohup` and shells do for commands in the background, stays ignored.
    static func watch() {
        // Made here, because a handler must not be the first to make a static value.
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
        // A handler has no `==`: its address is compared.
        #if canImport(Darwin)
        let handler = unsafe action.__sigaction_u.__sa_handler
        #else
        let handler = unsafe action.__sigaction_handler.sa_handler
        #endif
        return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Waits until a descriptor can be read; false if a signal came first.
    func waits(for descriptor: Int32) -> Bool {
        while received == 0 {
            var entries = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeInput, events: Int16(POLLIN), revents: 0),
            ]
            guard unsafe poll(&entries, nfds_t(entries.count), -1) >= 0 else {
                // What poll cannot wait for, read will report.
                if errno == EINTR { continue }
                return true
            }
            if entries[0].revents != 0 { return received == 0 }
        }
        return false
    }
}
#endif
