// Facts about bytes that need no parser.

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

/// The index of the first byte at or after `start` that is not JSON white space.
func firstNonBlank(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var index = start
    while index < bytes.count, unsafe JSONWhiteSpace.contains(bytes[index]) { index += 1 }
    return index < bytes.count ? index : nil
}

/// The encoding that the first bytes show, if it is one of those that are not UTF-8: JSON starts with an ASCII character, so
/// zeros among the first four bytes tell (RFC 4627, section 3).
func foreignEncoding(of bytes: UnsafeRawBufferPointer) -> String? {
    if unsafe bytes.starts(with: [0xFF, 0xFE]) { return "UTF-16 (little-endian)" }
    if unsafe bytes.starts(with: [0xFE, 0xFF]) { return "UTF-16 (big-endian)" }
    guard bytes.count >= 4 else { return nil }
    switch unsafe (bytes[0] == 0, bytes[1] == 0, bytes[2] == 0, bytes[3] == 0) {
    case (true, true, true, false): return "UTF-32 (big-endian)"
    case (false, true, true, true): return "UTF-32 (little-endian)"
    case (true, false, true, false): return "UTF-16 (big-endian)"
    case (false, true, false, true): return "UTF-16 (little-endian)"
    default: return nil
    }
}
