// Escapes for other languages: SQL, JSON Pointer, Prometheus.

extension String {
    /// The text with escapes in place of some ASCII characters.
    ///
    /// Swift's own `replacing` compares whole characters. There `"` with a combining mark after it is a character of its own, and so is a
    /// carriage return with a line feed: whoever writes the text could close a quoted name with them.
    ///
    /// - Parameter escapes: The characters, each with its escape.
    package func escaping(_ escapes: [(character: Unicode.Scalar, escape: String)]) -> String {
        // Most texts have none of them.
        guard utf8.contains(where: { byte in escapes.contains { $0.character == Unicode.Scalar(byte) } }) else { return self }
        return replacingScalars { scalar in escapes.first { $0.character == scalar }?.escape }
    }
}
