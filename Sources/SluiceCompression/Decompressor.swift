// Bytes as they stand in a file go in, the text comes out: the same bytes where they are not compressed.

package import SluiceCore

/// A place where a member or frame of compressed data begins: there, decompression can start.
public struct CompressionBoundary: Sendable, Hashable, Codable {
    /// The place in the compressed input.
    public var inputOffset: Int
    /// The place in the text.
    public var textOffset: Int

    /// The start of an input.
    public static let start = CompressionBoundary(inputOffset: 0, textOffset: 0)

    /// - Parameters:
    ///   - inputOffset: The place in the compressed input.
    ///   - textOffset: The place in the text.
    public init(inputOffset: Int, textOffset: Int) {
        self.inputOffset = inputOffset
        self.textOffset = textOffset
    }
}

/// Decompresses an input that comes in pieces, in memory that does not depend on its length.
package struct Decompressor {
    private enum Decoder {
        /// The first bytes, while they do not say yet how the input is compressed.
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
    /// Members or frames before the input's beginning, of which one is enough to know: nothing need follow it.
    private let membersBefore: Int
    #endif
    /// First bytes that were looked at, and have not been decoded.
    private var held: [UInt8] = []
    /// What the input is called, for errors.
    package var name: String
    /// How the input is compressed; `automatic` until its first bytes are there.
    package private(set) var compression: JSONCompression

    /// Where the next byte of the input stands.
    package private(set) var inputOffset: Int
    /// Where the next byte of the text stands.
    package private(set) var textOffset: Int
    private var boundaries: BoundaryList

    /// - Parameters:
    ///   - boundary: Where the input starts, if not at its beginning.
    ///   - usesFastLibrary: Whether ISA-L is used where it is installed.
    package init(
        _ compression: JSONCompression, name: String, startingAt boundary: CompressionBoundary = .start,
        usesFastLibrary: Bool = true
    ) {
        choice = compression
        self.compression = compression
        self.name = name
        inputOffset = boundary.inputOffset
        textOffset = boundary.textOffset
        boundaries = BoundaryList(boundary)
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
        case .gzip: decoder = GzipDecoder(library, behindMembers: membersBefore).map(Decoder.gzip) ?? .failed(.noMemory)
        case .zstd: decoder = ZstdDecoder(behindFrames: membersBefore).map(Decoder.zstd) ?? .failed(.noMemory)
        #else
        case .gzip, .zstd: decoder = .failed(.traitIsOff)
        #endif
        }
    }

    /// Whether the text is the input itself, byte by byte, from here on.
    package var isPlain: Bool {
        if case .none = decoder { return held.isEmpty }
        return false
    }

    /// Notes bytes of an input that is not compressed, which went to the reader without passing through here.
    package mutating func passOver(_ count: Int) {
        inputOffset += count
        textOffset += count
    }

    /// The last place at or before a place in the text where decompression can start.
    package func boundary(before textOffset: Int) -> CompressionBoundary {
        isPlain
            ? CompressionBoundary(inputOffset: textOffset, textOffset: textOffset) : boundaries.last(before: textOffset)
    }

    /// Decompresses as much as there is input for and room for.
    ///
    /// - Parameter isWhole: Whether no input follows.
    /// - Returns: How many bytes of the input were used, and how many of the output filled. When both are 0 and there is room, the
    ///   input has been used up.
    /// - Throws: `JSONError` of kind `inputOutput`, after what came before the fault has been given out.
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
            // `withUnsafeBytes` rethrows without a type, so the error travels as a value.
            let result = unsafe held.withUnsafeBytes { bytes -> Result<(consumed: Int, produced: Int), JSONError> in
                do throws(JSONError) {
                    return .success(try unsafe decode(bytes, isWhole: isWhole && consumed == input.count, into: output))
                } catch {
                    return .failure(error)
                }
            }
            let used = try result.get()
            self.held.removeFirst(used.consumed)
            // Bytes that are held give text only where nothing is compressed; then what follows gives no error.
            produced = used.produced
            if produced == output.count || !self.held.isEmpty { return (consumed, produced) }
        }
        let rest = unsafe UnsafeRawBufferPointer(rebasing: input[consumed...])
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: output[produced...])
        let used = try unsafe decode(rest, isWhole: isWhole, into: room)
        return (consumed + used.consumed, produced + used.produced)
    }

    /// Decodes bytes, without a look at how they are compressed.
    private mutating func decode(
        _ input: UnsafeRawBufferPointer, isWhole: Bool, into output: UnsafeMutableRawBufferPointer
    ) throws(JSONError) -> (consumed: Int, produced: Int) {
        var total = (consumed: 0, produced: 0)
        while true {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: input[total.consumed...])
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: output[total.produced...])
            let step = unsafe decodeOnce(rest, into: room)
            total.consumed += step.consumed
            total.produced += step.produced
            inputOffset += step.consumed
            textOffset += step.produced
            switch step.outcome {
            case .isAtEnd: boundaries.append(CompressionBoundary(inputOffset: inputOffset, textOffset: textOffset))
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
            // A library that gets nowhere with input and room would be asked forever.
            decoder = .failed(.damaged(""))
            throw error(.damaged(""))
        }
        if total.produced == 0, isWhole, total.consumed == input.count, !mayEnd {
            decoder = .failed(.truncated)
            throw error(.truncated)
        }
        return total
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

    private func error(_ fault: CompressionFault) -> JSONError {
        let place = "byte \(inputOffset) of the compressed input"
        let (words, hint): (String, String) =
            switch fault {
            case .notCompressed: ("it is not compressed with \(compression)", "")
            case .damaged(let reason):
                ("its \(compression) data are damaged at \(place)\(reason.isEmpty ? "" : " (\(reason))")", "")
            case .wrongChecksum:
                ("the text that its \(compression) data give does not fit their checksum at \(place)", "the data are damaged")
            case .trailingBytes:
                // A library may have taken some of these bytes.
                (
                    "something else follows its \(compression) data, at byte \(boundaries.last.inputOffset) of the compressed "
                        + "input", ""
                )
            case .truncated:
                ("its \(compression) data end too early, at \(place)", "the file was cut off, or is still being written")
            case .traitIsOff: ("it is compressed with \(compression)", "enable the package trait Compression")
            case .noMemory: ("there is no memory for its \(compression) data", "")
            }
        return JSONError(.inputOutput, found: "cannot read \(name): \(words)", hint: hint)
    }
}

/// Where members or frames begin, as far as someone may ask: a limited number of places.
private struct BoundaryList {
    private var places: [CompressionBoundary]

    init(_ first: CompressionBoundary) { places = [first] }

    mutating func append(_ place: CompressionBoundary) {
        // Very short members: every second place is enough, because any earlier one serves as well.
        if places.count == 512 { places = stride(from: 0, to: 512, by: 2).map { places[$0] } }
        places.append(place)
    }

    var last: CompressionBoundary { places[places.count - 1] }

    func last(before textOffset: Int) -> CompressionBoundary {
        places.last { $0.textOffset <= textOffset } ?? places[0]
    }
}
