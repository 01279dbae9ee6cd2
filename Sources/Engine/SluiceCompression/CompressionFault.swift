// The result of a decoding step, and what can be wrong with compressed data. The decompressor words the error, because it knows the
// input's name.

/// A fault of compressed data.
enum CompressionFault {
    /// The input does not begin like data of this format.
    case notCompressed
    /// The data are damaged; with the library's message, which may be empty.
    case damaged(String)
    /// The text differs from the one that was compressed.
    case wrongChecksum
    /// Other bytes follow the data.
    case trailingBytes
    /// The data end too early.
    case truncated
    /// The package trait is off, so the library for this format is missing.
    case traitIsOff
    /// The data refer back further than is allowed: to so many bytes of text, a power of two in most cases.
    case window(Int)
    /// The library could not get memory.
    case noMemory
}

/// The result of one step through compressed data.
struct DecodingStep {
    enum Outcome {
        case goesOn
        /// A member or frame ends at this position.
        case isAtEnd
        case hasFailed(CompressionFault)
    }

    var outcome: Outcome
    /// Bytes of the input that were used.
    var consumed: Int
    /// Bytes of the output that were filled.
    var produced = 0
}
