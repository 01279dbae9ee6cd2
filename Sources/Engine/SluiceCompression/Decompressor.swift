// The bytes of a file go in, and its text comes out: the same bytes if they are not compressed.

package import SluiceCore

/// A position where a member or frame of compressed data begins, so that decompression can start there.
package struct CompressionBoundary: Sendable, Hashable, Codable {
    /// The byte offset in the compressed input.
    package var inputOffset: Int
    /// The byte offset in the text.
    package var textOffset: Int

    /// The start of an input.
    package static let start = CompressionBoundary(inputOffset: 0, textOffset: 0)

    /// Makes a boundary from its two offsets.
    ///
    /// - Parameters:
    ///   - inputOffset: The byte offset in the compressed input.
    ///   - textOffset: The byte offset in the text.
    package init(inputOffset: Int, textOffset: Int) {
        self.inputOffset = inputOffset
        self.textOffset = textOffset
    }
}

/// Decompresses an input that comes in pieces, in memory that does not depend on its length.
package struct Decompressor {
    private enum Decoder {
        /// The first bytes, as long as they do not show how the input is compressed.
        case undecided([UInt8])
        case none
        #if Compression
        case gzip(GzipDecoder)
        case zstd(ZstdDecoder)
        #endif
        case failed(CompressionFault)
    }

    private let choice: JSONCompression
    private var decoder: Decoder
    #if Compression
    private let library: Inflater.Library
    /// 1 if members or frames come before the input's beginning, otherwise 0. After at least one member, the input may end.
    private let membersBefore: Int
    #endif
    /// The first bytes, which were examined to find the compression, as long as they are not decoded.
    private var held: [UInt8] = []
    /// The name of the input, for errors.
    package var name: String
    /// How the input is compressed; `automatic` until its first bytes have come.
    package private(set) var compression: JSONCompression

    /// The offset of the next byte in the input.
    package private(set) var inputOffset: Int
    /// The offset of the next byte in the text.
    package private(set) var textOffset: Int
    private var boundaries: BoundaryList
    /// The last bytes of the compressed input that were used, as many as a digest covers.
    private var recent: [UInt8] = []

    /// - Parameters:
    ///   - compression: How the input is compressed.
    ///   - name: The name of the input, for errors.
    ///   - boundary: The position of the first byte that comes in, if that is not the input's beginning.
    ///   - tail: The digest of the bytes before that position, if it is known.
    ///   - usesFastLibrary: Whether to use ISA-L if it is installed.
    package init(
        _ compression: JSONCompression, name: String, startingAt boundary: CompressionBoundary = .start,
        after tail: TailDigest? = nil, usesFastLibrary: Bool = true
    ) {
        choice = compression
        self.compression = compression
        self.name = name
        inputOffset = boundary.inputOffset
        textOffset = boundary.textOffset
        boundaries = BoundaryList(boundary, tail)
        #if Compression
        library = usesFastLibrary ? .automatic : .zlib
        membersBefore = boundary.inputOffset > 0 ? 1 : 0
        #endif
        decoder = .undecided([])
        if compression != .automatic { choose(compression) }
    }

    private mutating func choose(_ compression: JSONCompression) {
        self.compression = compression
        switch compression {
        case .automatic: break
        case .none: decoder = .none
        #if Compression
        case .gzip: decoder = GzipDecoder(library, afterMembers: membersBefore).map(Decoder.gzip) ?? .failed(.noMemory)
        case .zstd: decoder = ZstdDecoder(afterFrames: membersBefore).map(Decoder.zstd) ?? .failed(.noMemory)
        #else
        case .gzip, .zstd: decoder = .failed(.traitIsOff)
        #endif
        }
    }

    /// Whether the input is not compressed: from here on the text is the input itself.
    package var isPlain: Bool {
        if case .none = decoder { return held.isEmpty }
        return false
    }

    /// Counts bytes of an uncompressed input that went to the reader without passing through `step`.
    package mutating func passOver(_ count: Int) {
        inputOffset += count
        textOffset += count
    }

    /// The last position, at or before byte `textOffset` of the text, where decompression can start; and the digest of the compressed bytes
    /// before it, nil at the beginning of the input or if it is not known.
    package func member(before textOffset: Int) -> (boundary: CompressionBoundary, tail: TailDigest?) {
        isPlain
            ? (CompressionBoundary(inputOffset: textOffset, textOffset: textOffset), nil)
            : boundaries.last(before: textOffset)
    }

    /// Decompresses until the input is used up or the output is full.
    ///
    /// - Parameter isWhole: Whether no more input follows.
    /// - Returns: How many bytes of the input were used, and how many bytes of the output were filled. If both are 0 although the output
    ///   has room, the input is used up.
    /// - Throws: `JSONError` of kind `inputOutput`, after all text before the fault has been returned.
    package mutating func step(
        _ input: UnsafeRawBufferPointer, isWhole: Bool, into output: UnsafeMutableRawBufferPointer
    ) throws(JSONError) -> (consumed: Int, produced: Int) {
        var consumed = 0
        var produced = 0
        if case .undecided(var first) = decoder {
            while consumed < input.count, JSONCompression.detect(first, isWhole: false) == nil {
                unsafe first.append(input[consumed])
                consumed += 1
            }
            guard let found = JSONCompression.detect(first, isWhole: isWhole) else {
                decoder = .undecided(first)
                return (consumed, 0)
            }
            held = first
            choose(found)
        }
        if !held.isEmpty {
            let held = self.held
            let used = try unsafe held.withUnsafeBufferPointer { (bytes) throws(JSONError) in
                try unsafe decode(UnsafeRawBufferPointer(bytes), isWhole: isWhole && consumed == input.count, into: output)
            }
            self.held.removeFirst(used.consumed)
            // The held bytes produce text only if the input is not compressed. Then decoding the rest below throws no error.
            produced = used.produced
            if produced == output.count || !self.held.isEmpty { return (consumed, produced) }
        }
        let rest = unsafe UnsafeRawBufferPointer(rebasing: input[consumed...])
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: output[produced...])
        let used = try unsafe decode(rest, isWhole: isWhole, into: room)
        return (consumed + used.consumed, produced + used.produced)
    }

    /// Decodes bytes with the decoder that has been chosen.
    private mutating func decode(
        _ input: UnsafeRawBufferPointer, isWhole: Bool, into output: UnsafeMutableRawBufferPointer
    ) throws(JSONError) -> (consumed: Int, produced: Int) {
        var total = (consumed: 0, produced: 0)
        defer { unsafe keepRecent(UnsafeRawBufferPointer(rebasing: input[..<total.consumed])) }
        while true {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: input[total.consumed...])
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: output[total.produced...])
            let step = unsafe decodeOnce(rest, into: room)
            total.consumed += step.consumed
            total.produced += step.produced
            inputOffset += step.consumed
            textOffset += step.produced
            switch step.outcome {
            case .isAtEnd:
                let used = unsafe UnsafeRawBufferPointer(rebasing: input[..<total.consumed])
                boundaries.append(
                    CompressionBoundary(inputOffset: inputOffset, textOffset: textOffset), unsafe tail(endingWith: used))
            case .hasFailed(let fault):
                decoder = .failed(fault)
                if total.produced > 0 { return total }
                throw error(fault)
            case .goesOn: break
            }
            if room.count == step.produced { return total }
            if step.consumed == 0 && step.produced == 0 { break }
        }
        if total == (0, 0), unsafe !input.isEmpty, unsafe !output.isEmpty {
            // A library that makes no progress, although it has input and room, would be called forever.
            decoder = .failed(.damaged(""))
            throw error(.damaged(""))
        }
        if total.produced == 0, isWhole, total.consumed == input.count, !mayEnd {
            decoder = .failed(.truncated)
            throw error(.truncated)
        }
        return total
    }

    /// The digest of the input up to the end of these bytes, which come after the recent ones.
    private func tail(endingWith bytes: UnsafeRawBufferPointer) -> TailDigest {
        if bytes.count >= TailDigest.reach { return unsafe TailDigest(of: bytes) }
        return unsafe (recent + bytes).withUnsafeBytes { unsafe TailDigest(of: $0) }
    }

    private mutating func keepRecent(_ bytes: UnsafeRawBufferPointer) {
        if isPlain { return }
        let last = unsafe UnsafeRawBufferPointer(rebasing: bytes[max(bytes.count - TailDigest.reach, 0)...])
        recent.removeFirst(max(recent.count + last.count - TailDigest.reach, 0))
        unsafe recent.append(contentsOf: last)
    }

    private mutating func decodeOnce(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> DecodingStep {
        switch decoder {
        case .undecided: return DecodingStep(outcome: .goesOn, consumed: 0)
        case .none:
            let count = min(input.count, output.count)
            if count > 0 { unsafe output.copyMemory(from: UnsafeRawBufferPointer(rebasing: input[..<count])) }
            return DecodingStep(outcome: .goesOn, consumed: count, produced: count)
        #if Compression
        case .gzip(let gzip): return unsafe gzip.step(input, into: output)
        case .zstd(let zstd): return unsafe zstd.step(input, into: output)
        #endif
        case .failed(let fault): return DecodingStep(outcome: .hasFailed(fault), consumed: 0)
        }
    }

    /// Whether the input may end here.
    private var mayEnd: Bool {
        switch decoder {
        case .undecided, .none: true
        #if Compression
        case .gzip(let gzip): gzip.isBetweenMembers
        case .zstd(let zstd): zstd.isBetweenMembers
        #endif
        case .failed: false
        }
    }

    private static func words(ofSize bytes: Int) -> String {
        bytes % (1 << 30) == 0 ? "\(bytes >> 30) GiB" : "\(bytes >> 20) MiB"
    }

    private func error(_ fault: CompressionFault) -> JSONError {
        let position = "byte \(inputOffset) of the compressed input"
        let (words, hint): (String, String) =
            switch fault {
            case .notCompressed: ("it is not compressed with \(compression)", "")
            case .damaged(let reason):
                ("its \(compression) data are damaged at \(position)\(reason.isEmpty ? "" : " (\(reason))")", "")
            case .wrongChecksum:
                ("the text that its \(compression) data give does not fit their checksum at \(position)", "the data are damaged")
            case .trailingBytes:
                // The library may have consumed some of these bytes, so `inputOffset` can be too high.
                (
                    "something else follows its \(compression) data, at byte \(boundaries.last.boundary.inputOffset) of the compressed "
                        + "input", ""
                )
            case .truncated:
                ("its \(compression) data end too early, at \(position)", "the file was cut off, or is still being written")
            case .traitIsOff: ("it is compressed with \(compression)", "enable the package trait Compression")
            case .window(let size):
                (
                    "its \(compression) data need a window of \(Self.words(ofSize: size)), and at most "
                        + "\(Self.words(ofSize: 128 << 20)) are allowed",
                    size > 1 << 31
                        ? "compress the text with a smaller window"
                        : "decompress it into a pipe: zstd -dc --long=\(Int.bitWidth - (max(size, 2) - 1).leadingZeroBitCount)"
                )
            case .noMemory: ("there is no memory for its \(compression) data", "")
            }
        return JSONError(.inputOutput, found: "cannot read \(name): \(words)", hint: hint)
    }
}

/// The positions where members or frames begin; at most 512 of them are kept.
private struct BoundaryList {
    /// A position, and the digest of the compressed bytes before it, if it is known.
    typealias Position = (boundary: CompressionBoundary, tail: TailDigest?)

    private var positions: [Position]

    init(_ first: CompressionBoundary, _ tail: TailDigest?) { positions = [(first, tail)] }

    mutating func append(_ boundary: CompressionBoundary, _ tail: TailDigest) {
        // If there are many short members, every second position is dropped: starting at an earlier position works, too.
        if positions.count == 512 { positions = stride(from: 0, to: 512, by: 2).map { positions[$0] } }
        positions.append((boundary, tail))
    }

    var last: Position { positions[positions.count - 1] }

    func last(before textOffset: Int) -> Position {
        positions.last { $0.boundary.textOffset <= textOffset } ?? positions[0]
    }
}
