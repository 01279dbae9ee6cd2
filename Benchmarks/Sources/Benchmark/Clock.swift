// Time that this thread spends at work. On a quiet machine that is the time that passes; on a busy one it leaves out what the
// scheduler gives to others, which says nothing about a lane.

internal import Foundation

enum Clock {
    /// Nanoseconds since some moment in the past.
    static var now: UInt64 { read(CLOCK_MONOTONIC) }

    /// Nanoseconds of this thread that `body` takes, in the program and in the system.
    @inline(__always)
    static func measure<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) -> UInt64 {
        let start = read(CLOCK_THREAD_CPUTIME_ID)
        try body()
        return max(1, read(CLOCK_THREAD_CPUTIME_ID) &- start)
    }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}
