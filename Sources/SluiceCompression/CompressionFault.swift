// A step through compressed data, and what can be wrong with them; the decompressor knows their name and puts it into words.

/// A fault of compressed data.
enum CompressionFault {
    /// The input does not begin as such data do.
    case notCompressed
    /// The data are damaged; with what the library says about it, if anything.
    case damaged(String)
    /// The text differs from the one that was compressed.
    case wrongChecksum
    /// Behind the data stands something else.
    case trailingBytes
    /// The data end too early.
    case truncated
    /// The library that would read it was left out.
    case traitIsOff
    /// The library gets no memory.
    case noMemory
}

/// What a step through compressed data came to.
struct DecodingStep {
    enum Outcome {
        case goesOn
        /// A member or frame ends here.
        case isAtEnd
        case hasFailed(CompressionFault)
    }

    var outcome: Outcome
    /// Bytes of the input that were used.
    var consumed: Int
    /// Bytes of the output that were filled.
    var produced = 0
}
