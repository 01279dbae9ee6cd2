// How many allocations a piece of work makes: for tests that prove that a path makes none.

internal import CAllocationCounter

/// Counts allocations of the current thread.
package enum AllocationCounter {
    /// Whether this platform and build can count: glibc without a sanitizer.
    package static var isAvailable: Bool { allocation_counter_is_available() }

    /// Whether a sanitizer watches this process: then it has an allocator of its own, and stack frames are larger.
    package static var isUnderSanitizer: Bool { allocation_counter_is_under_sanitizer() }

    /// The allocations that `body` makes on this thread.
    package static func count<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) -> Int {
        let before = allocation_counter_value()
        try body()
        return Int(allocation_counter_value() - before)
    }
}
