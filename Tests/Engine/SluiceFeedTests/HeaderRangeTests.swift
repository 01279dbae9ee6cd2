import Foundation
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceFeed

/// Ranges of a file whose first record is a row of names: each range has the names, wherever it begins.
@Suite struct HeaderRangeTests {
    typealias Numbers = [String: Int]

    private func withFile(_ text: String, _ body: (String) throws -> Void) throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)")
        try Data(text.utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        try body(url.path)
    }

    /// The records and errors of a feed with their positions.
    private func outcome(of feed: JSONFeed<Numbers>) -> [String] {
        var found: [String] = []
        while true {
            do throws(JSONError) {
                guard let record = try feed.next() else { return found }
                found.append("\(record.sorted { $0.key < $1.key }) at \(feed.recordRange)")
            } catch {
                found.append("\(error.kind) at \(error.offset), \(error.path)")
                if feed.isFinished { return found }
            }
        }
    }

    @Test(
        arguments: [
            "[\"a\",\"b\"]\n[1,2]\n[3,4]\n[5]", "\n \r\n[\"a\"]\r\n[1]\r\n\n[2]\n", "\u{FEFF}[\"a\",\"b\"]\n[1,2]\n", "[\"a\"]",
            "[\"a\"]\n", "", "\n\n",
            "[\"a\"]\n[\"a\"]\n[1,2]\n[3]\n", "  [\"é.b\"]\n[1]\n[true]\n[2]\n",
        ])
    func anyTwoCutsGiveEachRowOnce(_ text: String) throws {
        let options = JSONFeed<Numbers>.Options(format: .lines, reading: .strict, hasHeader: true)
        let count = text.utf8.count
        try withFile(text) { path in
            let whole = try outcome(of: JSONFeed(path: path, options: options))
            for first in 0...count {
                for second in first...count {
                    let found =
                        try outcome(of: JSONFeed(path: path, range: 0..<first, options: options))
                        + outcome(of: JSONFeed(path: path, range: first..<second, options: options))
                        + outcome(of: JSONFeed(path: path, range: second..., options: options))
                    #expect(found == whole, "cut at \(first) and \(second)")
                }
            }
        }
    }

    @Test func rangeOfAFileWithoutARowOfNamesIsAnError() throws {
        for text in ["{\"a\":1}\n[1]\n", "[[1],2]\n[3,4]\n", "x\n[1]\n"] {
            try withFile(text) { path in
                let options = JSONFeed<Numbers>.Options(format: .lines, hasHeader: true)
                let whole = failure { () throws(JSONError) in try JSONFeed<Numbers>(path: path, options: options).next() }
                let part = failure { () throws(JSONError) in try JSONFeed<Numbers>(path: path, range: 3..., options: options) }
                #expect(whole != nil)
                #expect(part?.kind == whole?.kind)
                #expect(part?.offset == whole?.offset)
                #expect(part?.expected == whole?.expected)
            }
        }
    }

    @Test func rowOfNamesThatIsTooLongIsPassedOverAsInTheWholeFile() throws {
        let text = "[\"\(String(repeating: "y", count: 300))\"]\n[\"a\"]\n[1]\n[2]\n"
        try withFile(text) { path in
            let options = JSONFeed<Numbers>.Options(
                format: .lines, invalidRecords: .skip, maximumRecordSize: 100, hasHeader: true)
            let whole = try outcome(of: JSONFeed(path: path, options: options))
            #expect(whole.count == 2)
            let last = text.utf8.count - 5
            #expect(try outcome(of: JSONFeed(path: path, range: last..., options: options)) == whole.suffix(1))
        }
    }

    @Test func rangeFarAfterALongFilesRowOfNamesHasTheNames() throws {
        let rows = (0..<100_000).map { "[\($0),\($0 % 7)]\n" }
        try withFile("[\"a\",\"b\"]\n" + rows.joined()) { path in
            let feed = try JSONFeed<Numbers>(path: path, range: 900_000..., options: .init(hasHeader: true))
            let first = try #require(try feed.next())
            let number = try #require(first["a"])
            #expect(first["b"] == number % 7)
            var count = 1
            while try feed.next() != nil { count += 1 }
            #expect(number + count == 100_000)
        }
    }
}
