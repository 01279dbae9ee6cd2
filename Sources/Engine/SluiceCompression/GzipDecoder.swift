// gzip members go in one after the other, and their text comes out.

#if Compression
/// Decodes gzip data (RFC 1952).
final class GzipDecoder {
    private enum State {
        case header, body, trailer
        /// Zeros after the last member, with which a tape or block device fills its last block.
        case padding
    }

    private let inflater: Inflater
    private var state = State.header
    private var header = GzipHeader()
    /// The bytes read so far of the 8-byte trailer after a member's data.
    private var trailer: [UInt8] = []
    /// The size of this member's text in bytes, modulo 2^32 as in gzip's trailer.
    private var textCount: UInt32 = 0
    private var memberCount: Int

    /// Returns nil if there is not enough memory.
    ///
    /// - Parameter count: How many members come before the data.
    init?(_ library: Inflater.Library, afterMembers count: Int) {
        guard let inflater = Inflater(library) else { return nil }
        self.inflater = inflater
        memberCount = count
        trailer.reserveCapacity(8)
    }

    /// Whether the input may end here.
    var isBetweenMembers: Bool { state == .padding || state == .header && header.isUntouched && memberCount > 0 }

    /// Decodes until the input is used up, the output is full, or a member ends.
    func step(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep {
        var consumed = 0
        while state == .header {
            guard consumed < input.count else { return DecodingStep(outcome: .goesOn, consumed: consumed) }
            let isFirst = header.isUntouched
            if isFirst, memberCount > 0, unsafe input[consumed] == 0 {
                state = .padding
                break
            }
            guard unsafe header.take(input[consumed]) else {
                let fault: CompressionFault = !isFirst ? .damaged("") : memberCount == 0 ? .notCompressed : .trailingBytes
                return DecodingStep(outcome: .hasFailed(fault), consumed: consumed)
            }
            consumed += 1
            if header.isDone { state = .body }
        }
        if state == .padding {
            while consumed < input.count, unsafe input[consumed] == 0 { consumed += 1 }
            return DecodingStep(
                outcome: consumed == input.count ? .goesOn : .hasFailed(.trailingBytes), consumed: consumed)
        }
        if state == .body {
            var step = unsafe inflater.step(UnsafeRawBufferPointer(rebasing: input[consumed...]), into: output)
            step.consumed += consumed
            textCount &+= UInt32(truncatingIfNeeded: step.produced)
            guard case .isAtEnd = step.outcome else { return step }
            state = .trailer
            // The inflater has consumed these bytes of the trailer already. They are at most 8, the size of a trailer.
            trailer = inflater.rest
            step.outcome = .goesOn
            return step
        }
        while trailer.count < 8 {
            guard consumed < input.count else { return DecodingStep(outcome: .goesOn, consumed: consumed) }
            unsafe trailer.append(input[consumed])
            consumed += 1
        }
        guard number(at: 0) == inflater.checksum, number(at: 4) == textCount else {
            return DecodingStep(outcome: .hasFailed(.wrongChecksum), consumed: consumed)
        }
        endMember()
        return DecodingStep(outcome: .isAtEnd, consumed: consumed)
    }

    private func endMember() {
        memberCount += 1
        state = .header
        header = GzipHeader()
        trailer.removeAll(keepingCapacity: true)
        textCount = 0
        inflater.reset()
    }

    private func number(at index: Int) -> UInt32 {
        trailer[index..<(index + 4)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
#endif
