// A source of compressed bytes becomes a source of text.

public import SluiceCore

/// Reads the text of a compressed source; if the source is not compressed, its own bytes.
///
/// ```swift
/// let source = DecompressingSource(FileDescriptorSource(descriptor: STDIN_FILENO, name: "standard input"))
/// let books = try [Book](json: source)
/// ```
///
/// If the data are damaged, cut off or followed by other bytes, reading throws an error that says so, after all text before that position
/// has been read. A wrong checksum is found only at the end of the data: all text has been read by then, and the error comes instead
/// of the end.
///
/// A copy of this source shares its state: it continues where the other one stopped.
public struct DecompressingSource: ByteSource {
    private let state: State

    /// The name of the source in errors: that of the source it reads from.
    public let name: String

    /// Decompresses a source.
    ///
    /// - Parameters:
    ///   - source: The compressed bytes.
    ///   - compression: How they are compressed.
    public init(_ source: any ByteSource, compression: JSONCompression = .automatic) {
        self.init(source, Decompressor(compression, name: source.name))
    }

    /// - Parameters:
    ///   - boundary: The position where `source` starts: the beginning of the input, or of a later member or frame.
    ///   - tail: The digest of the compressed bytes before `boundary`, if it is known.
    package init(
        _ source: any ByteSource, compression: JSONCompression = .automatic, startingAt boundary: CompressionBoundary,
        after tail: TailDigest? = nil
    ) {
        self.init(source, Decompressor(compression, name: source.name, startingAt: boundary, after: tail))
    }

    package init(_ source: any ByteSource, _ decompressor: Decompressor) {
        name = source.name
        state = State(source, decompressor)
    }

    /// Appends the next bytes of text to `output`; none at the end.
    ///
    /// - Throws: The error of the source; `JSONError` of kind `inputOutput` if its bytes cannot be decompressed.
    public mutating func read(into output: inout OutputRawSpan) throws(JSONError) {
        try unsafe output.append { buffer throws(JSONError) in try unsafe state.read(into: buffer) }
    }

    /// How the source is compressed; `automatic` until its first bytes have been read.
    package var compression: JSONCompression { state.look { $0.compression } }

    /// How many bytes of the compressed input have been used.
    package var inputOffset: Int { state.look { $0.inputOffset } }

    /// The last position, at or before byte `textOffset` of the text, where decompression can start: the beginning of the source, or of
    /// one of its members or frames.
    ///
    /// And the digest of the compressed bytes before it; nil at the beginning of the input, and if it is not known.
    package func member(before textOffset: Int) -> (boundary: CompressionBoundary, tail: TailDigest?) {
        state.look { $0.member(before: textOffset) }
    }

    @safe
    private final class State {
        private var source: any ByteSource
        private var decompressor: Decompressor
        /// One thread may read while another one asks for the offsets.
        private let lock = Lock()
        /// The bytes read and not yet decompressed are `input[start..<end]`. The memory is allocated when it is first needed.
        private var input = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
        private var start = 0
        private var end = 0
        private var isAtEnd = false

        init(_ source: any ByteSource, _ decompressor: Decompressor) {
            self.source = source
            self.decompressor = decompressor
        }

        deinit { unsafe input.deallocate() }

        func look<Result>(_ body: (Decompressor) -> Result) -> Result { lock.withLock { body(decompressor) } }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws(JSONError) -> Int {
            if unsafe buffer.isEmpty { return 0 }
            while true {
                if start == end, !isAtEnd {
                    if decompressor.isPlain {
                        let count = try unsafe source.read(into: buffer)
                        lock.withLock { decompressor.passOver(count) }
                        return count
                    }
                    if unsafe input.isEmpty { unsafe input = .allocate(byteCount: 128 << 10, alignment: 16) }
                    start = 0
                    end = 0
                    end = try unsafe source.read(into: input)
                    isAtEnd = end == 0
                }
                // Safe: `end` is the count of an `OutputRawSpan`, which has checked it against the buffer.
                let bytes = unsafe UnsafeRawBufferPointer(rebasing: input[start..<end])
                let step = try lock.withLock { () throws(JSONError) in
                    try unsafe decompressor.step(bytes, isWhole: isAtEnd, into: buffer)
                }
                start += step.consumed
                if step.produced > 0 { return step.produced }
                if isAtEnd, start == end { return 0 }
            }
        }
    }
}
