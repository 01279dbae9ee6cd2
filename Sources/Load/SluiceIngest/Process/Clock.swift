// Time for measuring, read in the cheapest way that the platform has.

internal import Foundation

/// A clock that only goes forward.
package enum Clock {
    /// Nanoseconds since some moment in the past. A call takes 28 ns on Linux x86-64, so two calls per record cost one per cent
    /// of an ingest (5.3 µs a record).
    @inline(__always)
    package static var nanoseconds: UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}
