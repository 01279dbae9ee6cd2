// Raw deflate data (without a wrapper) become text: with ISA-L if it is installed, otherwise with zlib. Both consume whole bytes, and
// the CRC-32 of the text is known at the end.

#if Compression
internal import CISAL
internal import CZlib

/// Inflates data, one stream after the other.
@safe
final class Inflater {
    /// Which library to use; `automatic` is ISA-L if it is installed, otherwise zlib.
    enum Library: CaseIterable { case automatic, zlib }

    // Safe: exactly one of the two is set, and this object owns it.
    private let isal: OpaquePointer?
    private let zlib: UnsafeMutablePointer<z_stream>?
    private var crc: UInt32 = 0

    /// Returns nil if there is not enough memory.
    init?(_ library: Library) {
        let isal = library == .automatic ? unsafe cisal_make() : nil
        unsafe self.isal = unsafe isal
        guard unsafe isal == nil else {
            unsafe zlib = nil
            return
        }
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        unsafe zlib = unsafe stream
        guard unsafe czlib_inflate_init_raw(stream) == Z_OK else { return nil }
    }

    deinit {
        unsafe cisal_free(isal)
        if let zlib = unsafe zlib {
            unsafe inflateEnd(zlib)
            unsafe zlib.deallocate()
        }
    }

    /// Makes the inflater ready for the next stream.
    func reset() {
        crc = 0
        if let isal = unsafe isal { unsafe cisal_reset(isal) }
        if let zlib = unsafe zlib { unsafe inflateReset(zlib) }
    }

    /// Inflates until the input is used up, the output is full, or the stream ends.
    func step(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep {
        if let isal = unsafe isal { return unsafe step(isal, input, output) }
        if let zlib = unsafe zlib { return unsafe step(zlib, input, output) }
        return DecodingStep(outcome: .hasFailed(.noMemory), consumed: 0)
    }

    private func step(
        _ isal: OpaquePointer, _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
    ) -> DecodingStep {
        var consumed = 0
        var produced = 0
        // Safe: both pointers come with the number of bytes that they point to.
        let status = unsafe cisal_inflate(
            isal, input.baseAddress?.assumingMemoryBound(to: UInt8.self), input.count, &consumed,
            output.baseAddress?.assumingMemoryBound(to: UInt8.self), output.count, &produced)
        let outcome: DecodingStep.Outcome =
            status == CISAL_END ? .isAtEnd : status == CISAL_GOES_ON ? .goesOn : .hasFailed(.damaged(""))
        return DecodingStep(outcome: outcome, consumed: consumed, produced: produced)
    }

    private func step(
        _ zlib: UnsafeMutablePointer<z_stream>, _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
    ) -> DecodingStep {
        let inputCount = min(input.count, 1 << 30)
        let outputCount = min(output.count, 1 << 30)
        // Safe: zlib only reads its input, and both pointers come with the number of bytes that they point to.
        let start = unsafe input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe zlib.pointee.next_in = UnsafeMutablePointer(mutating: start)
        unsafe zlib.pointee.avail_in = UInt32(inputCount)
        let target = unsafe output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe zlib.pointee.next_out = target
        unsafe zlib.pointee.avail_out = UInt32(outputCount)
        let status = unsafe inflate(zlib, Z_NO_FLUSH)
        let consumed = unsafe inputCount - Int(zlib.pointee.avail_in)
        let produced = unsafe outputCount - Int(zlib.pointee.avail_out)
        crc = unsafe UInt32(truncatingIfNeeded: crc32(uLong(crc), target, uInt(produced)))
        let outcome: DecodingStep.Outcome =
            switch status {
            case Z_STREAM_END: .isAtEnd
            // Z_BUF_ERROR: there was no input or no room; the next call brings some.
            case Z_OK, Z_BUF_ERROR: .goesOn
            default: .hasFailed(.damaged(""))
            }
        return DecodingStep(outcome: outcome, consumed: consumed, produced: produced)
    }

    /// The CRC-32 of the stream's text; valid at the end of the stream.
    var checksum: UInt32 {
        if let isal = unsafe isal { return unsafe cisal_checksum(isal) }
        return crc
    }

    /// The bytes after the stream that were already consumed, at most 8; valid at the end of the stream.
    var rest: [UInt8] {
        guard let isal = unsafe isal else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: 8) { buffer, count in
            count = unsafe cisal_rest(isal, buffer.baseAddress)
        }
    }
}
#endif
