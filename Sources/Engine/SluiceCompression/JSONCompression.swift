// The first bytes of an input show whether it is compressed, and how.

/// How an input is compressed.
///
/// ```swift
/// let feed = try JSONFeed<Book>(path: "books.ndjson.gz")                                            // found by itself
/// let other = try JSONFeed<Book>(path: "books.bin", options: .init(compression: .gzip))
/// ```
public enum JSONCompression: String, Sendable, Hashable, CaseIterable {
    /// Found by the first bytes: no JSON text begins like gzip or zstd data.
    case automatic
    /// Not compressed.
    case none
    /// gzip: one member, or several one after the other (RFC 1952).
    case gzip
    /// Zstandard: one frame, or several one after the other (RFC 8878).
    case zstd
}

extension JSONCompression {
    /// The compression that the first bytes of an input show; nil if more bytes are needed to decide.
    package static func detect(_ bytes: [UInt8], isWhole: Bool) -> JSONCompression? {
        var mayFollow = false
        for (magic, compression) in magics {
            if bytes.starts(with: magic) { return compression }
            if magic.starts(with: bytes) { mayFollow = true }
        }
        return mayFollow && !isWhole ? nil : JSONCompression.none
    }

    /// The bytes that compressed data begin with. zstd data may also begin with a skippable frame, which has 16 possible beginnings.
    private static let magics: [([UInt8], JSONCompression)] =
        [([0x1F, 0x8B], .gzip), ([0x28, 0xB5, 0x2F, 0xFD], .zstd)] + (0x50...0x5F).map { ([$0, 0x2A, 0x4D, 0x18], .zstd) }
}
