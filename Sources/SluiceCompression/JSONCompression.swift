// The first bytes of an input say whether it is compressed, and how.

/// How an input is compressed.
///
/// ```swift
/// let feed = try JSONFeed<Book>(path: "books.ndjson.gz")                                            // found by itself
/// let other = try JSONFeed<Book>(path: "books.bin", options: .init(compression: .gzip))
/// ```
public enum JSONCompression: String, Sendable, Hashable, CaseIterable {
    /// Found from the first bytes: no JSON text begins as gzip's or zstd's data do.
    case automatic
    /// Not at all.
    case none
    /// gzip, one member or several one behind the other (RFC 1952).
    case gzip
    /// Zstandard, one frame or several one behind the other (RFC 8878).
    case zstd
}

extension JSONCompression {
    /// What the first bytes of an input say; nil while they do not suffice.
    package static func detect(_ bytes: [UInt8], isWhole: Bool) -> JSONCompression? {
        var mayFollow = false
        for (magic, compression) in magics {
            if bytes.starts(with: magic) { return compression }
            if magic.starts(with: bytes) { mayFollow = true }
        }
        return mayFollow && !isWhole ? nil : JSONCompression.none
    }

    /// What compressed data begin with. A skippable frame of zstd may stand before the others.
    private static let magics: [([UInt8], JSONCompression)] =
        [([0x1F, 0x8B], .gzip), ([0x28, 0xB5, 0x2F, 0xFD], .zstd)] + (0x50...0x5F).map { ([$0, 0x2A, 0x4D, 0x18], .zstd) }
}
