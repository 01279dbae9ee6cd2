// Recognises text that is not UTF-8.

/// The name of the encoding if the first bytes show UTF-16 or UTF-32, else nil. JSON starts with an ASCII character, so zeros among
/// the first four bytes tell (RFC 4627, section 3).
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
