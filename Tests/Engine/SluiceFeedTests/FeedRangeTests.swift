import Foundation
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceFeed

/// Ranges that cover a file give each of its records once.
@Suite struct FeedRangeTests {
    typealias Numbers = [String: Int]

    private func withFile(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)")
        try Data(bytes).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        try body(url.path)
    }

    /// The records of a feed with their positions.
    private func records(of feed: JSONFeed<Numbers>) throws -> [String] {
        var records: [String] = []
        while let record = try feed.next() { records.append("\(record) at \(feed.recordRange)") }
        return records
    }

    private static let texts = [
        "", "\n", "{\"a\":1}", "{\"a\":1}\n", "{\"a\":1}\n\n{\"a\":2}\r\n{\"a\":3}\n  \n{\"b\":44}",
        "\u{FEFF}{\"a\":1}\n{\"a\":2}\n",
        "{\"a\":1}\n\u{FEFF}{\"a\":2}\n", "{\"a\":\r1}\n{\"a\":2}\n",
    ]

    @Test(arguments: texts) func anyTwoCutsGiveEachRecordOnce(_ text: String) throws {
        let bytes = Array(text.utf8)
        try withFile(bytes) { path in
            let whole = try records(of: JSONFeed(bytes: bytes, options: .init(format: .lines)))
            for first in 0...bytes.count {
                for second in first...bytes.count {
                    let found =
                        try records(of: JSONFeed(path: path, range: 0..<first))
                        + records(of: JSONFeed(path: path, range: first..<second))
                        + records(of: JSONFeed(path: path, range: second...))
                    #expect(found == whole, "cut at \(first) and \(second)")
                }
            }
        }
    }

    @Test func longFileIsCutAnywhere() throws {
        var random = SplitMix64(seed: 11)
        let lines = (0..<3000).map { "{\"a\":\($0)\(String(repeating: " ", count: Int(random.next() % 300)))}\n" }
        let bytes = Array(lines.joined().utf8)
        try withFile(bytes) { path in
            let whole = try records(of: JSONFeed(bytes: bytes, options: .init(format: .lines)))
            for _ in 0..<5 {
                let cuts = ([0] + (0..<9).map { _ in Int.random(in: 0...bytes.count, using: &random) } + [bytes.count]).sorted()
                var found: [String] = []
                var consumed = 0
                for (start, end) in zip(cuts, cuts.dropFirst()) {
                    let feed = try JSONFeed<Numbers>(path: path, range: start..<end)
                    found += try records(of: feed)
                    #expect(feed.consumedBytes >= consumed)
                    consumed = feed.consumedBytes
                }
                #expect(found == whole)
                #expect(consumed == bytes.count)
            }
        }
    }

    @Test func errorHasItsOffsetInTheFile() throws {
        try withFile(Array("{\"a\":1}\n{\"a\":2}\n{\"a\":x}\n".utf8)) { path in
            let feed = try JSONFeed<Numbers>(path: path, range: 3...)
            #expect(try feed.next() == ["a": 2])
            let error = #expect(throws: JSONError.self) { try feed.next() }
            #expect(error?.offset == 21)
            #expect(error?.line == 2)
            #expect(feed.recordRange == 16..<23)
        }
    }

    @Test func workersReadARange() throws {
        let bytes = Array((0..<5000).map { "{\"a\":\($0)}\n" }.joined().utf8)
        try withFile(bytes) { path in
            let serial = try records(of: JSONFeed(path: path, range: 100..<40_000))
            #expect(try records(of: JSONFeed(path: path, range: 100..<40_000).parallel(workers: 2)) == serial)
        }
    }

    @Test func whatHasNoRangesSaysSo() throws {
        try withFile([0x1F, 0x8B, 8, 0]) { path in
            let error = #expect(throws: JSONError.self) { try JSONFeed<Numbers>(path: path, range: 1...) }
            #expect(error?.found == "cannot read a range of \(path): it is compressed with gzip")
            #expect(throws: Never.self) { try JSONFeed<Numbers>(path: path, range: 0...) }
        }
        try withFile([]) { path in
            let error = #expect(throws: JSONError.self) {
                try JSONFeed<Numbers>(path: path, range: 0..<1, options: .init(format: .array))
            }
            #expect(error?.found == "cannot read a range of \(path): that needs a feed of lines")
        }
        #expect(throws: JSONError.self) { try JSONFeed<Numbers>(path: "/dev/null", range: 1...) }
        // Without a format, the first bytes decide.
        let others: [(String, JSONFeedFormat)] = [
            ("[{\"a\":1},\n{\"a\":2}]\n", .array), ("\u{FEFF}\n [\n{\"a\":1}]", .array),
            ("{\n\"items\":[\n{\"a\":1},\n{\"a\":2}]}\n", .concatenated), ("\u{1E}{\"a\":1}\n\u{1E}{\"a\":2}\n", .sequence),
        ]
        for (text, format) in others {
            try withFile(Array(text.utf8)) { path in
                let error = #expect(throws: JSONError.self) {
                    try JSONFeed<Numbers>(path: path, range: 0..<5, options: .init(invalidRecords: .skip))
                }
                #expect(
                    error?.found
                        == "cannot read a range of \(path): that needs a feed of lines, and its first bytes show the format "
                        + "\(format); ask for the format lines if that is wrong")
                #expect(throws: Never.self) { try JSONFeed<Numbers>(path: path, range: 0..<5, options: .init(format: .lines)) }
            }
        }
    }
}
