// A feed's text, compressed in one member or in several that are cut anywhere; and a file that holds bytes.

import Glibc
import SluiceTestSupport

@testable import SluiceCompression
@testable import SluiceCore

/// Compressed text.
struct CompressedFeed {
    let compression: JSONCompression
    private(set) var bytes: [UInt8] = []
    /// Where members begin and the last one ends.
    private(set) var boundaries = [0]

    init(_ text: [UInt8], _ random: inout SplitMix64) {
        let format = random.pick(CompressionFormat.allCases)
        compression = format == .gzip ? .gzip : .zstd
        var cuts = (0..<random.below(4)).map { _ in random.below(text.count + 1) }.sorted()
        cuts.append(text.count)
        var start = 0
        for end in cuts {
            add(text[start..<end], format, level: random.pick([1, 6]))
            start = end
        }
    }

    private mutating func add(_ text: ArraySlice<UInt8>, _ format: CompressionFormat, level: Int) {
        do throws(JSONError) {
            var sink = try CompressingSink(to: [UInt8](), format: format, level: level)
            let piece = Array(text)
            var failure: JSONError?
            piece.withUnsafeBytes { bytes in
                do throws(JSONError) { try sink.write(bytes) } catch { failure = error }
            }
            if let failure { throw failure }
            try sink.finish()
            bytes += sink.sink
            boundaries.append(bytes.count)
        } catch {
            finding("cannot compress: \(error)")
        }
    }
}

/// One file of this process, written anew each time.
enum FuzzFile {
    private static let descriptor: Int32 = {
        var name = Array("/tmp/sluice-fuzz-XXXXXX".utf8CString)
        let descriptor = mkstemp(&name)
        unlink(name)
        return descriptor
    }()

    /// The path of a file that holds some bytes until the next call.
    static func path(holding bytes: [UInt8]) -> String {
        ftruncate(descriptor, 0)
        _ = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        return "/proc/self/fd/\(descriptor)"
    }
}
