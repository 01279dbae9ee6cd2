// The control characters that yajl takes for white space.

internal import CScan

/// The two control characters that yajl takes for white space and JSON does not (YAJL.md, P10).
enum InvalidWhiteSpace {
    /// The index of the first vertical tab or form feed. In text that yajl accepts, no string can hold one unescaped.
    static func first(in bytes: UnsafeRawBufferPointer) -> Int? {
        // Safe: the scan stays inside the buffer.
        guard let start = bytes.baseAddress,
            unsafe cscan_contains_control_blank(start.assumingMemoryBound(to: UInt8.self), bytes.count)
        else { return nil }
        return unsafe bytes.firstIndex { $0 == 0x0B || $0 == 0x0C }
    }
}
