import Foundation
import SluiceCompression
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceFeed

/// Feeds that are compressed.
@Suite struct CompressedFeedTests {
    typealias Numbers = [String: Int]

    #if Compression
    private static let text = (0..<50).map { "{\"a\":\($0)}\n" }.joined()
    private static let records = (0..<50).map { ["a": $0] }

    private struct Outcome: Equatable {
        var records: [Numbers] = []
        var error: JSONError?

        init(_ feed: JSONFeed<Numbers>) {
            do throws(JSONError) {
                while let record = try feed.next() { records.append(record) }
            } catch {
                self.error = error
            }
        }
    }

    private func outcome(pushing bytes: [UInt8], _ pieceSize: Int, _ options: JSONFeed<Numbers>.Options = .init()) -> (
        records: [Numbers], error: JSONError?, feed: JSONFeed<Numbers>
    ) {
        let feed = JSONFeedParser<Numbers>(options: options)
        var records: [Numbers] = []
        do throws(JSONError) {
            for start in stride(from: 0, to: bytes.count, by: pieceSize) {
                feed.append(bytes[start..<min(start + pieceSize, bytes.count)])
                while let record = try feed.next() { records.append(record) }
            }
            feed.finish()
            while let record = try feed.next() { records.append(record) }
        } catch {
            return (records, error, feed.feed)
        }
        return (records, nil, feed.feed)
    }

    @Test(arguments: CompressionFormat.allCases) func compressedFileIsReadByItself(_ format: CompressionFormat) throws {
        let data = try compressed(Array(Self.text.utf8), format) + compressed(Array(Self.text.utf8), format)
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)")
        try Data(data).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let feed = try JSONFeed<Numbers>(path: url.path)
        #expect(Outcome(feed).records == Self.records + Self.records)
        #expect(feed.compression.rawValue == format.rawValue)
        #expect(feed.totalBytes == data.count)
        #expect(feed.consumedInputBytes == data.count)
        #expect(feed.consumedBytes == 2 * Self.text.utf8.count)
        #expect(feed.compressionBoundary == .init(inputOffset: data.count, textOffset: 2 * Self.text.utf8.count))
    }

    @Test(arguments: CompressionFormat.allCases, [0, 2])
    func feedGoesOnFromTheMemberThatHoldsThePosition(_ format: CompressionFormat, _ workers: Int) throws {
        let numbers = 0..<60
        let members = try stride(from: 0, to: 60, by: 20).map { first in
            try compressed(Array((first..<(first + 20)).map { "{\"a\":\($0)}\n" }.joined().utf8), format)
        }
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)")
        try Data(members.flatMap { $0 }).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let feed = try JSONFeed<Numbers>(path: url.path, options: .init(format: .lines))
        if workers > 0 { try feed.parallel(workers: workers) }
        var seen = 0
        while let record = try feed.next() {
            #expect(record == ["a": seen])
            seen += 1
            let checkpoint = try JSONDecoder().decode(JSONCheckpoint.self, from: JSONEncoder().encode(feed.checkpoint))
            if seen > 20 { #expect((checkpoint.memberOffset ?? 0) >= members[0].count) }
            let rest = try JSONFeed<Numbers>(
                path: url.path, options: .init(format: .lines), resumingFrom: checkpoint)
            #expect(Outcome(rest).records == numbers.dropFirst(seen).map { ["a": $0] })
        }
        #expect(seen == 60)
    }

    @Test(arguments: CompressionFormat.allCases) func pushedBytesAreDecompressedHoweverTheyAreCut(_ format: CompressionFormat)
        throws
    {
        let data = try compressed(Array(Self.text.utf8), format) + compressed(Array(Self.text.utf8), format)
        for size in [1, 2, 3, 7, 50, 1000] {
            let result = outcome(pushing: data, size)
            #expect(result.records == Self.records + Self.records)
            #expect(result.error == nil)
            #expect(result.feed.isFinished)
            #expect(result.feed.consumedInputBytes == data.count)
        }
    }

    @Test(arguments: CompressionFormat.allCases) func pushedBytesThatBreakOffAreAnError(_ format: CompressionFormat) throws {
        let data = try compressed(Array(Self.text.utf8), format)
        for count in 4..<data.count {
            let pulled = Outcome(JSONFeed(bytes: Array(data[..<count]), options: .init(format: .lines)))
            #expect(pulled.error?.found.contains("data end too early") == true)
            #expect(Self.records.starts(with: pulled.records))
            for size in [1, 1000] {
                let pushed = outcome(pushing: Array(data[..<count]), size, .init(format: .lines))
                #expect(pushed.records == pulled.records)
                #expect(pushed.error?.found.contains("data end too early") == true)
                #expect(try pushed.feed.next() == nil)
                #expect(pushed.feed.isFinished)
            }
        }
    }

    /// Text that is 1000 times as long as its compressed form does not wait in memory.
    @Test func manyRecordsOfFewCompressedBytesTakeLittleMemory() throws {
        let line = Array("{\"a\":1}\n".utf8)
        let data = try compressed(Array(repeatElement(line, count: 200_000).joined()), .zstd)
        let result = outcome(pushing: data, data.count)
        #expect(result.records.count == 200_000)
        #expect(result.feed.bufferSize <= 1 << 20)
    }
    #else
    @Test func compressedFeedNamesTheTrait() {
        for first: [UInt8] in [[0x1F, 0x8B, 8, 0], [0x28, 0xB5, 0x2F, 0xFD]] {
            let feed = JSONFeed<Numbers>(bytes: first)
            let error = #expect(throws: JSONError.self) { try feed.next() }
            #expect(error?.found.contains("it is compressed with \(first[0] == 0x1F ? "gzip" : "zstd")") == true)
            #expect(error?.hint == "enable the package trait Compression")
        }
    }
    #endif

    @Test(arguments: ["", "{\"a\":1}", "[{\"a\":1}]", "\u{1F}", "("]) func pushedTextIsNotTakenForCompressedBytes(_ text: String)
    {
        let whole = FeedWords(JSONFeed(bytes: Array(text.utf8)))
        let feed = JSONFeedParser<Numbers>()
        for byte in text.utf8 { feed.append([byte]) }
        feed.finish()
        #expect(FeedWords(feed.feed) == whole)
        #expect(feed.consumedInputBytes == text.utf8.count)
        #expect(feed.compression == .none)
    }

    private struct FeedWords: Equatable {
        var words: [String] = []

        init(_ feed: JSONFeed<Numbers>) {
            do throws(JSONError) {
                while let record = try feed.next() { words.append("\(record)") }
            } catch {
                words.append(error.summary)
            }
        }
    }
}
