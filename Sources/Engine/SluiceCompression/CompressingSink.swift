// A sink for compressed bytes becomes a sink for text.

#if Compression
public import SluiceCore

/// The format that text is compressed with.
public enum CompressionFormat: String, Sendable, Hashable, CaseIterable {
    /// gzip (RFC 1952), made with zlib.
    case gzip
    /// Zstandard (RFC 8878), with a checksum.
    case zstd
}

/// Compresses the bytes written to it, and writes the result to another sink.
///
/// ```swift
/// var output = try CompressingSink(to: FileDescriptorSink(descriptor: STDOUT_FILENO), format: .zstd)
/// try books.write(to: &output)
/// try output.finish()
/// ```
///
/// Call ``finish()``: without it the data are cut off, and reading them throws an error. A copy of this sink shares its state.
public struct CompressingSink<Sink: ByteSink>: ByteSink {
    /// The sink that takes the compressed bytes. After ``finish()`` it has all of them.
    public private(set) var sink: Sink
    private let compressor: Compressor

    /// Compresses to a sink.
    ///
    /// - Parameters:
    ///   - sink: Takes the compressed bytes.
    ///   - format: The format that the text is compressed with.
    ///   - level: gzip's 0 to 9 or zstd's 1 to 22; by default 6 and 3.
    /// - Throws: `JSONError` of kind `inputOutput` if there is no such level, or no memory.
    public init(to sink: Sink, format: CompressionFormat, level: Int? = nil) throws(JSONError) {
        guard let compressor = Compressor(format, level: level) else {
            throw JSONError(.inputOutput, found: "cannot compress with \(format) at level \(level.map(String.init) ?? "default")")
        }
        self.sink = sink
        self.compressor = compressor
    }

    /// Compresses the next bytes.
    ///
    /// - Throws: `JSONError`: the error of the sink; of kind `notWritable` after ``finish()``.
    public mutating func write(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
        if compressor.isFinished {
            throw JSONError(.notWritable, expected: "no text", found: "some after the end of compressed data")
        }
        try unsafe compressor.append(bytes, isLast: false) { piece throws(JSONError) in try unsafe sink.write(piece) }
    }

    /// Ends the compressed data, and finishes the sink. A second call does nothing.
    ///
    /// - Throws: The error of the sink.
    public mutating func finish() throws(JSONError) {
        if compressor.isFinished { return }
        try unsafe compressor.append(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true) { piece throws(JSONError) in
            try unsafe sink.write(piece)
        }
        try sink.finish()
    }
}
#endif
