// How the operating system is called: the most bytes that one call reads or writes, and calls that a signal has interrupted.

internal import SluiceSystem

/// Calls of the operating system.
package enum SystemCall {
    /// Repeats a call as long as signals interrupt it. Even `open` and `fsync` of a regular file may be, on a network's file system.
    package static func uninterrupted(_ call: () -> Int32) -> Int32 {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}

/// The size of one read or write.
package enum CallSize {
    /// The most bytes of one call. Darwin refuses 2 GiB and more (EINVAL), and Linux moves a little less than 2 GiB.
    package static let most = 1 << 30

    /// The beginning of `bytes` that goes into one call.
    package static func part(of bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: bytes[..<min(bytes.count, most)])
    }

    /// The beginning of `room` that one call fills.
    package static func part(of room: UnsafeMutableRawBufferPointer) -> UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(rebasing: room[..<min(room.count, most)])
    }
}
