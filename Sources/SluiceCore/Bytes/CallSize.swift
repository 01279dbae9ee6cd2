// The most bytes that one call of the operating system reads or writes.

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
