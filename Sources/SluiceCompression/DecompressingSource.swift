// A source of compressed bytes becomes one of text.

public import SluiceCore

/// Gives the text of a source that is compressed, or the source's own bytes if it is not.
///
/// ```swift
/// let source = DecompressingSource(FileDescriptorSource(descriptor: STDIN_FILENO, name: "standard input"))
/// let books = try [Book](json: source)
/// ```
///
/// Data that are damaged, cut off or followed by something else are an error that says so, after the text before it has been given.
/// A text whose checksum is wrong has been given when that is found: the error comes where the end would be.
///
/// A copy of this source shares its state: it goes on where the other one stopped.
public struct DecompressingSource: ByteSource {
    private let state: State

    /// What errors call the source: as the one that it reads from.
    public let name: String

    /// - Parameters:
    ///   - source: The bytes as they stand in the file.
    ///   - compression: How they are compressed.
    ///   - boundary: Where `source` starts, if that is the start of a later member or frame.
    public init(
        _ source: any ByteSource, compression: JSONCompression = .automatic, startingAt boundary: CompressionBoundary = .start
    ) {
        self.init(
            source, Decompressor(compression, name: source.name, startingAt: boundary))
    }

    package init(_ source: any ByteSource, _ decompressor: Decompressor) {
        name = source.name
        state = State(source, decompressor)
    }

    /// Gives the next bytes of text.
    public mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(JSONError) -> Int {
        try unsafe state.read(into: buffer)
    }

    /// How the source is compressed; `automatic` until its first bytes have been read.
    public var compression: JSONCompression { state.look { $0.compression } }

    /// Bytes that have been taken from the source and used.
    public var inputOffset: Int { state.look { $0.inputOffset } }

    /// The last place at or before a place in the text where decompression can start: the beginning of the source, or of one of
    /// its members or frames.
    public func boundary(before textOffset: Int) -> CompressionBoundary {
        state.look { $0.boundary(before: textOffset) }
    }

    @safe
    private final class State {
        private var source: any ByteSource
        private var decompressor: Decompressor
        /// A thread may read while another one looks how far it is.
        private let monitor = Monitor()
        /// What has been read and not yet decompressed is `input[start..<end]`. It is allocated when it is needed.
        private var input = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
        private var start = 0
        private var end = 0
        private var isAtEnd = false

        init(_ source: any ByteSource, _ decompressor: Decompressor) {
            self.source = source
            self.decompressor = decompressor
        }

        deinit { unsafe input.deallocate() }

        func look<Result>(_ body: (Decompressor) -> Result) -> Result { monitor.withLock { body(decompressor) } }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws(JSONError) -> Int {
            if unsafe buffer.isEmpty { return 0 }
            while true {
                if start == end, !isAtEnd {
                    if decompressor.isPlain {
                        let count = try unsafe source.readChecked(into: buffer)
                        monitor.withLock { decompressor.passOver(count) }
                        return count
                    }
                    if unsafe input.isEmpty { unsafe input = .allocate(byteCount: 128 << 10, alignment: 64) }
                    start = 0
                    end = 0
                    end = try unsafe source.readChecked(into: input)
                    isAtEnd = end == 0
                }
                // Safe: the source has filled the buffer up to `end`.
                let bytes = unsafe UnsafeRawBufferPointer(rebasing: input[start..<end])
                let step = try monitor.withLock { () throws(JSONError) in
                    try unsafe decompressor.step(bytes, isWhole: isAtEnd, into: buffer)
                }
                start += step.consumed
                if step.produced > 0 { return step.produced }
                if isAtEnd, start == end { return 0 }
            }
        }
    }
}
