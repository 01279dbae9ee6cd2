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
    /// Whether the last call has filled its output, so that the library may have more text.
    private var mayHaveText = false

    /// Returns nil if there is not enough memory.
    ///
    /// - Parameter count: How many frames come before the data.
    init?(behindFrames count: Int) {
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
        var step = unsafe DecodingStep(outcome: .goesOn, consumed: source.pos, produced: target.pos)
        mayHaveText = unsafe target.pos == target.size
        if ZSTD_isError(result) != 0 {
            step.outcome = .hasFailed(fault(result))
        } else if result == 0 {
            isInFrame = false
            frameCount += 1
            wanted = Self.headerStart
            step.outcome = .isAtEnd
        } else {
            isInFrame = true
            wanted = result
        }
        return step
    }

    private func fault(_ result: Int) -> CompressionFault {
        switch ZSTD_getErrorCode(result) {
        case ZSTD_error_checksum_wrong: .wrongChecksum
        case ZSTD_error_prefix_unknown: frameCount == 0 ? .notCompressed : .trailingBytes
        case ZSTD_error_memory_allocation: .noMemory
        default: .damaged(unsafe String(cString: ZSTD_getErrorName(result)))
        }
    }
}
#endif
