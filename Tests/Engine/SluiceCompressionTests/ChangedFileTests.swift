// Files that have changed since a checkpoint was made: they grew, were packed anew, cut off, or replaced by another file of the same
// name. What follows the position is read if the text before it is the same; otherwise the checkpoint is refused.

#if Compression
import Foundation
import SluiceCompression
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceFeed

@Suite struct ChangedFileTests {
    typealias Numbers = [String: Int]

    /// The layouts of a feed of the records `{"a":0}`, `{"a":1}` and so on.
    enum Layout: CaseIterable {
        case lines, array, path

        var options: JSONFeed<Numbers>.Options {
            switch self {
            case .lines: .init(format: .lines)
            case .array: .init(format: .array)
            case .path: .init(at: "d.items")
            }
        }

        /// The text of some records. It can grow: the array is not closed.
        func text(_ numbers: some Sequence<Int>) -> [UInt8] {
            switch self {
            case .lines: Array(numbers.map { "{\"a\":\($0)}\n" }.joined().utf8)
            case .array: Array("[\n\(numbers.map { "{\"a\":\($0)}" }.joined(separator: ",\n"))".utf8)
            case .path: Array("{\"x\":[1],\"d\":{\"items\":[\(numbers.map { "{\"a\":\($0)}" }.joined(separator: ", "))".utf8)
            }
        }
    }

    /// Ways to pack a text into a file.
    enum Packing: CaseIterable {
        case plain, stored, fast, best, members, zstd, frames, skippable

        func pack(_ text: [UInt8]) throws -> [UInt8] {
            switch self {
            case .plain: text
            case .stored: try compressed(text, .gzip, level: 0)
            case .fast: try compressed(text, .gzip, level: 1)
            case .best: try compressed(text, .gzip, level: 9)
            case .members: try pieces(text, 700).flatMap { try compressed($0, .gzip) }
            case .zstd: try compressed(text, .zstd)
            case .frames: try pieces(text, 900).flatMap { try compressed($0, .zstd) }
            case .skippable:
                try pieces(text, 800).flatMap { [0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3] + (try compressed($0, .zstd)) }
            }
        }

        /// The text cut at multiples of a size, as in a file to which members are appended.
        private func pieces(_ text: [UInt8], _ size: Int) -> [[UInt8]] {
            stride(from: 0, to: text.count, by: size).map { Array(text[$0..<min($0 + size, text.count)]) }
        }
    }

    /// What comes of reading on: the numbers that were read, or the kind of error that refused the checkpoint.
    enum Outcome: Equatable {
        case read([Int])
        case refused(JSONError.Kind)
    }

    private let url = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)")

    /// Reads some records of a file, and makes a checkpoint after them.
    private func checkpoint(_ file: [UInt8], _ layout: Layout, after count: Int, workers: Int = 0) throws -> JSONCheckpoint {
        try Data(file).write(to: url)
        let feed = try JSONFeed<Numbers>(path: url.path, options: layout.options)
        if workers > 0 { try feed.parallel(workers: workers) }
        for _ in 0..<count { _ = try feed.next() }
        if layout == .lines, count == 200 { #expect(try feed.next() == nil) }
        return try JSONDecoder().decode(JSONCheckpoint.self, from: JSONEncoder().encode(feed.checkpoint))
    }

    /// The checkpoint as earlier versions of Sluice have stored it.
    private func withoutDigests(_ checkpoint: JSONCheckpoint) throws -> JSONCheckpoint {
        var value = try #require(try JSONValue(json: [UInt8](JSONEncoder().encode(checkpoint))).object)
        value["tail"] = nil
        value["memberTail"] = nil
        value["memberText"] = nil
        return try JSONDecoder().decode(JSONCheckpoint.self, from: Data(JSONValue.object(value).jsonString().utf8))
    }

    private func outcome(
        _ file: [UInt8], _ layout: Layout, from checkpoint: JSONCheckpoint, workers: Int = 0
    ) throws -> Outcome {
        try Data(file).write(to: url)
        do throws(JSONError) {
            let feed = try JSONFeed<Numbers>(path: url.path, options: layout.options, resumingFrom: checkpoint)
            if workers > 0 { try feed.parallel(workers: workers) }
            var numbers: [Int] = []
            do throws(JSONError) {
                while let record = try feed.next() { numbers.append(record["a"] ?? -1) }
            } catch {
                // The array is not closed.
                guard layout != .lines, error.kind == .unexpectedEnd else { throw error }
            }
            return .read(numbers)
        } catch {
            return .refused(error.kind)
        }
    }

    @Test(arguments: Layout.allCases, Packing.allCases)
    func textThatIsTheSameIsReadOnHoweverItIsPacked(_ layout: Layout, _ packing: Packing) throws {
        defer { try? FileManager.default.removeItem(at: url) }
        for count in [0, 1, 60, 130, 200] {
            let known = try checkpoint(
                packing.pack(layout.text(0..<200)), layout, after: count, workers: count % 20 == 0 ? 0 : 2)
            let old = try withoutDigests(known)
            for other in Packing.allCases where (other == .plain) == (packing == .plain) {
                for size in [200, 201, 600] {
                    let grown = try other.pack(layout.text(0..<size))
                    let expected = Outcome.read(Array(count..<size))
                    #expect(try outcome(grown, layout, from: known) == expected, "\(other) \(count) \(size)")
                    guard grown.count >= known.feedSize ?? 0 else { continue }
                    #expect(try outcome(grown, layout, from: old, workers: 2) == expected, "\(other) \(count) \(size), old")
                }
            }
        }
    }

    @Test(arguments: Layout.allCases, Packing.allCases)
    func anotherTextIsRefusedHoweverItIsPacked(_ layout: Layout, _ packing: Packing) throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let texts = [
            layout.text(Array(7..<800)),
            // The beginning is the same, and so are all lengths.
            layout.text(Array(0..<180) + [888, 888] + Array(182..<800)),
            // The lines differ, too.
            layout.text(Array(0..<180) + [18888888] + Array(182..<800)),
            layout.text(0..<150),
        ]
        for count in [185, 200] {
            let known = try checkpoint(packing.pack(layout.text(0..<200)), layout, after: count)
            for (index, text) in texts.enumerated() {
                for other in Packing.allCases {
                    let file = try other.pack(text)
                    let found = try outcome(file, layout, from: known)
                    #expect(found == .refused(.unusableCheckpoint), "\(other) \(count) text \(index)")
                    // A checkpoint of an earlier version knows the beginning, and how many lines there were.
                    guard index == 0 || index == 2 && layout != .path, packing != .plain else { continue }
                    let old = try outcome(file, layout, from: withoutDigests(known))
                    #expect(old == .refused(.unusableCheckpoint), "\(other) \(count) text \(index), old")
                }
            }
        }
    }

    @Test(arguments: Packing.allCases) func fileThatIsCutOffIsRefused(_ packing: Packing) throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let file = try packing.pack(Layout.lines.text(0..<200))
        let known = try checkpoint(file, .lines, after: 200)
        for size in stride(from: 0, to: file.count, by: max(file.count / 40, 1)) {
            let found = try outcome(Array(file[..<size]), .lines, from: known)
            #expect(found == .refused(.unusableCheckpoint) || found == .refused(.inputOutput), "\(size) bytes")
        }
    }

    /// A member that is whole need not be decompressed again when others are appended.
    @Test(arguments: [CompressionFormat.gzip, .zstd])
    func membersBeforeThePositionAreNotReadAgain(_ format: CompressionFormat) throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let first = try compressed(Layout.lines.text(0..<200_000), format)
        try Data(first).write(to: url)
        let feed = try JSONFeed<Numbers>(path: url.path, options: .init(format: .lines))
        while try feed.next() != nil {}
        #expect(feed.checkpoint.memberOffset == first.count)
        let file = first + (try compressed(Layout.lines.text(200_000..<200_003), format))
        try Data(file).write(to: url)
        let start = try #require(try OpenFile(path: url.path).seek(to: feed.checkpoint, .automatic))
        #expect(start.boundary.inputOffset == first.count)
        #expect(try outcome(file, .lines, from: feed.checkpoint) == .read([200_000, 200_001, 200_002]))
    }

    /// At the end of a file no bytes show how it is compressed.
    @Test(arguments: [CompressionFormat.gzip, .zstd])
    func checkpointAtTheEndOfACompressedFileStaysOne(_ format: CompressionFormat) throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let first = try compressed(Layout.lines.text(0..<200), format)
        let known = try checkpoint(first, .lines, after: 200)
        let feed = try JSONFeed<Numbers>(path: url.path, options: .init(format: .lines), resumingFrom: known)
        #expect(try feed.next() == nil)
        #expect(feed.checkpoint == known)
        let more = first + (try compressed(Layout.lines.text(200..<203), format))
        #expect(try outcome(more, .lines, from: feed.checkpoint) == .read([200, 201, 202]))
    }

    @Test func aDamagedLineThatLooksCompressedIsReadAsText() throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let text = Layout.lines.text(0..<200)
        // The bytes after the position minus the reach of the digest look like gzip data.
        var file = text
        let known = try checkpoint(file, .lines, after: 190)
        let start = known.offset - TailDigest.reach
        file.replaceSubrange(start..<(start + 2), with: [0x1F, 0x8B])
        let options = JSONFeed<Numbers>.Options(format: .lines, invalidRecords: .skip)
        try Data(file).write(to: url)
        let first = try JSONFeed<Numbers>(path: url.path, options: options)
        while first.acceptedCount + first.rejectedCount < 190, try first.next() != nil {}
        #expect(first.rejectedCount == 1)
        let rest = try JSONFeed<Numbers>(path: url.path, options: options, resumingFrom: first.checkpoint)
        #expect(try rest.next() == ["a": 190])
        #expect(rest.compression == .none)
    }
}
#endif
