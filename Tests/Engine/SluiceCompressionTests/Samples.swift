// Compressed samples, made by the sink, and what reading them gives.

#if Compression
import SluiceCore
import SluiceTestSupport

@testable import SluiceCompression

/// Text that has some shape, and is not the same all over.
func sampleText(_ count: Int, seed: UInt64 = 7) -> [UInt8] {
    var random = SplitMix64(seed: seed)
    var text: [UInt8] = []
    while text.count < count {
        text += Array("{\"id\":\(random.next() % 1000),\"name\":\"item \(random.next() % 40)\"}\n".utf8)
    }
    return Array(text.prefix(count))
}

/// One member or frame.
func compressed(_ text: [UInt8], _ format: CompressionFormat, level: Int? = nil) throws -> [UInt8] {
    var sink = try CompressingSink(to: [UInt8](), format: format, level: level)
    try write(text, to: &sink)
    try sink.finish()
    return sink.sink
}

/// Writes bytes. `withUnsafeBytes` rethrows without a type, so the error travels as a value.
func write(_ bytes: [UInt8], to sink: inout some ByteSink) throws(JSONError) {
    let result = unsafe bytes.withUnsafeBytes { bytes -> JSONError? in
        do throws(JSONError) {
            try unsafe sink.write(bytes)
            return nil
        } catch {
            return error
        }
    }
    if let result { throw result }
}

/// All that a source gives, and its error.
struct Decompressed: Equatable {
    var text: [UInt8] = []
    var error: JSONError?
    var boundaries: [CompressionBoundary] = []
    var compression = JSONCompression.automatic

    init(
        _ source: any ByteSource, _ compression: JSONCompression = .automatic, room: Int = 1000, usesFastLibrary: Bool = true
    ) {
        var source = DecompressingSource(
            source, Decompressor(compression, name: source.name, usesFastLibrary: usesFastLibrary))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 16)
        defer { unsafe buffer.deallocate() }
        do throws(JSONError) {
            while true {
                let count = try unsafe source.read(into: buffer)
                if count == 0 { break }
                unsafe text += Array(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                let boundary = source.member(before: text.count).boundary
                if boundaries.last != boundary { boundaries.append(boundary) }
            }
        } catch {
            self.error = error
        }
        self.compression = source.compression
    }

    init(
        _ bytes: [UInt8], _ compression: JSONCompression = .automatic, room: Int = 1000, usesFastLibrary: Bool = true
    ) {
        self.init(Named(BytesSource(bytes)), compression, room: room, usesFastLibrary: usesFastLibrary)
    }
}

/// A source with a name for errors.
struct Named<Source: ByteSource>: ByteSource {
    var source: Source
    let name = "books"

    init(_ source: Source) { self.source = source }

    mutating func read(into output: inout OutputRawSpan) throws(JSONError) {
        try source.read(into: &output)
    }
}
#endif
