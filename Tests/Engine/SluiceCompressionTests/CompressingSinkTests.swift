#if Compression
import Foundation
import SluiceCore
import SluiceFeed
import SluiceTestSupport
import Testing

@testable import SluiceCompression

@Suite struct CompressingSinkTests {
    /// Takes some bytes, and no more.
    private struct FullSink: ByteSink {
        var room: Int

        mutating func write(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
            room -= bytes.count
            if room < 0 { throw JSONError(.inputOutput, found: "the sink is full") }
        }
    }

    @Test(arguments: CompressionFormat.allCases) func recordsAreWrittenAndReadBack(_ format: CompressionFormat) throws {
        for count in [0, 1, 20_000] {
            let writer = try JSONFeedWriter(to: CompressingSink(to: [UInt8](), format: format), format: .array)
            for number in 0..<count { try writer.write(["a": number]) }
            try writer.finish()
            try writer.finish()
            let feed = JSONFeed<[String: Int]>(source: DecompressingSource(BytesSource(writer.sink.sink)))
            var number = 0
            while let record = try feed.next() {
                #expect(record == ["a": number])
                number += 1
            }
            #expect(number == count)
        }
    }

    @Test(arguments: CompressionFormat.allCases) func anUnfinishedSinkIsReadAsTruncated(_ format: CompressionFormat) throws {
        var sink = try CompressingSink(to: [UInt8](), format: format)
        try write(sampleText(300_000), to: &sink)
        #expect(Decompressed(sink.sink).error?.found.contains("data end too early") == true)
    }

    @Test(arguments: CompressionFormat.allCases) func errorOfTheSinkBelowIsThrownFromThenOn(_ format: CompressionFormat) throws {
        var sink = try CompressingSink(to: FullSink(room: 5), format: format)
        let text = sampleText(1_000_000)
        var errors: [String] = []
        for _ in 0..<2 {
            do throws(JSONError) {
                try write(text, to: &sink)
            } catch {
                errors.append(error.found)
            }
        }
        for _ in 0..<2 {
            do throws(JSONError) { try sink.finish() } catch { errors.append(error.found) }
        }
        #expect(errors == Array(repeating: "the sink is full", count: 4))
    }

    @Test(arguments: CompressionFormat.allCases) func feedWriterThrowsWhatTheEndThrows(_ format: CompressionFormat) throws {
        let writer = try JSONFeedWriter(to: CompressingSink(to: FullSink(room: 5), format: format), format: .lines)
        try writer.write(["a": 1])
        for _ in 0..<2 {
            let error = #expect(throws: JSONError.self) { try writer.finish() }
            #expect(error?.found == "the sink is full")
        }
    }

    @Test(arguments: CompressionFormat.allCases) func compressedFileIsWritten(_ format: CompressionFormat) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let writer = try JSONFeedWriter(path: path, format: .lines, compression: format)
        for number in 0..<1000 { try writer.write(["a": number]) }
        try writer.finish()
        let feed = try JSONFeed<[String: Int]>(path: path)
        var count = 0
        while let record = try feed.next() {
            #expect(record == ["a": count])
            count += 1
        }
        #expect(count == 1000)
        #expect(feed.compression.rawValue == format.rawValue)
    }

    @Test func levelsOfZlibAndZstdAreTaken() throws {
        let text = sampleText(100_000)
        let sizes = try (1...9).map { try compressed(text, .gzip, level: $0).count }
        #expect(sizes[0] > sizes[8])
        #expect(throws: JSONError.self) { try compressed(text, .gzip, level: 10) }
        #expect(throws: JSONError.self) { try compressed(text, .gzip, level: .max) }
        #expect(try compressed(text, .zstd, level: 1).count > compressed(text, .zstd, level: 19).count)
    }

    @Test func textAfterTheEndIsRefused() throws {
        var sink = try CompressingSink(to: [UInt8](), format: .gzip)
        try sink.finish()
        let error = #expect(throws: JSONError.self) {
            try write(sampleText(3), to: &sink)
        }
        #expect(error?.kind == .notWritable)
    }
}
#endif
