// Text goes in, compressed bytes come out.

#if Compression
internal import CZlib
internal import CZstd
internal import SluiceCore

/// Compresses one text into one gzip member or one zstd frame with a checksum.
@safe
final class Compressor {
    // Safe: exactly one of the two is set, and this object owns it.
    private let zlib: UnsafeMutablePointer<z_stream>?
    private let zstd: OpaquePointer?
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 64)
    private(set) var isFinished = false
    /// The error of the first call that failed: after it, a part of the data is missing.
    private var failure: JSONError?

    /// Returns nil if the library refuses the level or cannot get memory.
    init?(_ format: CompressionFormat, level: Int?) {
        switch format {
        case .gzip:
            unsafe zstd = nil
            let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
            unsafe stream.initialize(to: z_stream())
            unsafe zlib = unsafe stream
            guard let level = Int32(exactly: level ?? 6), unsafe czlib_deflate_init_gzip(stream, level) == Z_OK else {
                return nil
            }
        case .zstd:
            unsafe zlib = nil
            unsafe zstd = ZSTD_createCCtx()
            guard let zstd = unsafe zstd, let level = Int32(exactly: level ?? 3),
                unsafe ZSTD_isError(ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, level)) == 0,
                unsafe ZSTD_isError(ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1)) == 0
            else { return nil }
        }
    }

    deinit {
        if let zlib = unsafe zlib {
            unsafe deflateEnd(zlib)
            unsafe zlib.deallocate()
        }
        unsafe ZSTD_freeCCtx(zstd)
        unsafe output.deallocate()
    }

    /// Compresses bytes, and passes the result to `body` piece by piece. After an error of `body`, every call throws that error.
    func append(
        _ bytes: UnsafeRawBufferPointer, isLast: Bool, _ body: (UnsafeRawBufferPointer) throws(JSONError) -> Void
    ) throws(JSONError) {
        if let failure { throw failure }
        do throws(JSONError) {
            var rest = unsafe bytes
            var isDone = false
            while !isDone {
                let step = unsafe step(rest, isLast)
                unsafe rest = UnsafeRawBufferPointer(rebasing: rest[step.consumed...])
                if step.produced > 0 { try unsafe body(UnsafeRawBufferPointer(rebasing: output[..<step.produced])) }
                isDone = step.isDone
            }
            isFinished = isLast
        } catch {
            failure = error
            throw error
        }
    }

    private func step(_ input: UnsafeRawBufferPointer, _ isLast: Bool) -> (consumed: Int, produced: Int, isDone: Bool) {
        if let zlib = unsafe zlib {
            let count = min(input.count, 1 << 30)
            // Safe: zlib only reads its input, and both pointers come with the number of bytes that they point to.
            let start = unsafe input.baseAddress?.assumingMemoryBound(to: UInt8.self)
            unsafe zlib.pointee.next_in = UnsafeMutablePointer(mutating: start)
            unsafe zlib.pointee.avail_in = UInt32(count)
            unsafe zlib.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
            unsafe zlib.pointee.avail_out = UInt32(output.count)
            let isAll = count == input.count
            let status = unsafe deflate(zlib, isLast && isAll ? Z_FINISH : Z_NO_FLUSH)
            let left = unsafe Int(zlib.pointee.avail_in)
            let room = unsafe Int(zlib.pointee.avail_out)
            let isDone = isLast ? status == Z_STREAM_END : isAll && left == 0 && room > 0
            return unsafe (count - left, output.count - room, isDone)
        }
        var source = unsafe ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let left = unsafe ZSTD_compressStream2(zstd, &target, &source, isLast ? ZSTD_e_end : ZSTD_e_continue)
        let isAll = unsafe source.pos == input.count
        return unsafe (source.pos, target.pos, isLast ? left == 0 : isAll)
    }
}
#endif
