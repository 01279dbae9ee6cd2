// zstd frames go in one after the other, and their text comes out.

#if Compression
internal import CZstd

/// Decodes Zstandard data (RFC 8878). A frame may ask for a window of at most 128 MiB, zstd's default limit.
@safe
final class ZstdDecoder {
    private let stream: OpaquePointer
    private var isInFrame = false
    private var frameCount: Int
    /// How many bytes the library wants next: up to the end of a header, a block or a checksum. It gets no more than that. When a
    /// call fails, the library does not say how much text it has written; with calls of this size, all text is written before the
    /// checksum is compared.
    private var wanted = ZstdDecoder.headerStart
    /// The first bytes of a frame, which show how long its header is.
    private static let headerStart = 5
    /// The first bytes of the frame, for the size of its window.
    private var head: [UInt8] = []
    /// Whether the last call has filled its output, so that the library may have more text.
    private var mayHaveText = false

    /// Returns nil if there is not enough memory.
    ///
    /// - Parameter count: How many frames come before the data.
    init?(afterFrames count: Int) {
        guard let stream = unsafe ZSTD_createDCtx() else { return nil }
        unsafe self.stream = unsafe stream
        frameCount = count
    }

    deinit { unsafe ZSTD_freeDCtx(stream) }

    /// Whether the input may end here.
    var isBetweenMembers: Bool { !isInFrame && frameCount > 0 }

    /// Decodes until the input is used up, the output is full, or a frame ends.
    func step(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep {
        if unsafe input.isEmpty, !isInFrame { return DecodingStep(outcome: .goesOn, consumed: 0) }
        if mayHaveText {
            let rest = unsafe step(input, count: 0, into: output)
            if rest.produced > 0 { return rest }
        }
        return unsafe step(input, count: min(input.count, wanted), into: output)
    }

    /// Hands the library the first bytes of the input; none, to get only the text that it has still to put out.
    private func step(
        _ input: UnsafeRawBufferPointer, count: Int, into output: UnsafeMutableRawBufferPointer
    ) -> DecodingStep {
        // Safe: the count is at most the input's, the output comes with its true size, and zstd keeps neither after the call.
        var source = unsafe ZSTD_inBuffer(src: input.baseAddress, size: count, pos: 0)
        var target = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let result = unsafe ZSTD_decompressStream(stream, &target, &source)
        if head.count < Self.longestHeader { unsafe head += input.prefix(min(count, Self.longestHeader - head.count)) }
        var step = unsafe DecodingStep(outcome: .goesOn, consumed: source.pos, produced: target.pos)
        mayHaveText = unsafe target.pos == target.size
        if ZSTD_isError(result) != 0 {
            step.outcome = .hasFailed(fault(result))
        } else if result == 0 {
            isInFrame = false
            frameCount += 1
            wanted = Self.headerStart
            head = []
            step.outcome = .isAtEnd
        } else {
            isInFrame = true
            wanted = result
        }
        return step
    }

    /// The most bytes that the header of a frame has (RFC 8878, 3.1.1).
    private static let longestHeader = 18

    /// The size of the frame's window: that of the window descriptor, or of the whole text if the frame is a single segment.
    private var windowSize: Int {
        guard head.count > 5 else { return 0 }
        let (flags, descriptor) = (head[4], head[5])
        if flags & 0x20 == 0 {
            let base = 1 << (10 + Int(descriptor >> 3))
            return base + base / 8 * Int(descriptor & 7)
        }
        let start = 5 + [0, 1, 2, 4][Int(flags & 3)]
        let size = head.dropFirst(start).prefix(1 << Int(flags >> 6)).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(clamping: size)
    }

    private func fault(_ result: Int) -> CompressionFault {
        switch ZSTD_getErrorCode(result) {
        case ZSTD_error_checksum_wrong: .wrongChecksum
        case ZSTD_error_prefix_unknown: frameCount == 0 ? .notCompressed : .trailingBytes
        case ZSTD_error_memory_allocation: .noMemory
        case ZSTD_error_frameParameter_windowTooLarge: .window(windowSize)
        default: .damaged(unsafe String(cString: ZSTD_getErrorName(result)))
        }
    }
}
#endif
