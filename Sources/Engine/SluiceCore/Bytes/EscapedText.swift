// Escapes for other languages: SQL, JSON Pointer, Prometheus.

extension String {
    /// The text with some ASCII characters replaced, byte by byte.
    ///
    /// Swift's own `replacing` compares whole characters. There `"` with a combining mark after it is a character of its own, and so is a
    /// carriage return with a line feed: whoever writes the text could close a quoted name with them.
    ///
    /// - Parameter escapes: What stands in place of a byte.
    package func escaping(_ escapes: [(character: Unicode.Scalar, escape: String)]) -> String {
        let escapes = escapes.map { (byte: UInt8(truncatingIfNeeded: $0.character.value), escape: $0.escape) }
        // Most texts have none of them.
        guard utf8.contains(where: { byte in escapes.contains { $0.byte == byte } }) else { return self }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count + 8)
        for byte in utf8 {
            if let found = escapes.first(where: { $0.byte == byte }) { bytes += found.escape.utf8 } else { bytes.append(byte) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
