import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceFeed

/// Bytes that are pushed give what the same bytes give from a source.
@Suite struct PushedFeedTests {
    typealias Numbers = [String: Int]

    @Test(arguments: RecordSplitterTests.inputs, [true, false])
    func pushedBytesGiveTheSameRecordsAndPositions(_ input: (text: String, format: JSONFeedFormat), _ isFormatGiven: Bool) {
        let bytes = Array(input.text.utf8)
        let format = isFormatGiven ? input.format : .automatic
        for readSize in [16, 64, 4096] {
            let whole = Pieces(bytes, format: format, readSize: readSize)
            for pieceSize in 1...max(bytes.count, 1) {
                let pieces = Pieces(pushing: bytes, format: format, pieceSize: pieceSize, readSize: readSize)
                #expect(pieces.isEqual(whole), "pieces of \(pieceSize), decided after \(readSize): \(pieces)")
            }
        }
    }

    @Test(arguments: [JSONFeedFormat.lines, .array, .concatenated, .automatic], [20, 1000])
    func pushedGarbageGivesTheSame(_ format: JSONFeedFormat, _ limit: Int) {
        var random = SplitMix64(seed: 23)
        let words = [
            "[", "]", "{", "}", "\"", "\"", "\\", "\\\"", ",", ":", "1", "x", " ", "\n", "\n", "{\"a\":[", "]}", "true", "\u{1}",
            "\r\n",
            "\u{FEFF}", "é", "{\"a\":1}", "[1]",
        ]
        for _ in 0..<200 {
            let text = (0..<Int.random(in: 0...40, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
                .joined()
            let bytes = Array(text.utf8)
            let whole = Pieces(bytes, format: format, maximumRecordSize: limit)
            for pieceSize in [1, 2, 3, 7, 30, 1000] {
                let pieces = Pieces(pushing: bytes, format: format, pieceSize: pieceSize, maximumRecordSize: limit)
                #expect(pieces.isEqual(whole), "\(text.debugDescription), pieces of \(pieceSize): \(pieces), whole: \(whole)")
            }
        }
    }

    @Test(arguments: FaultyFeedTests.feeds) func typedRecordsAreTheSame(_ feed: (text: String, format: JSONFeedFormat)) {
        let damaged = feed.text.replacing("22", with: "\"x\"")
        for text in [feed.text, damaged] {
            for format in [feed.format, .automatic] {
                for invalid in [JSONFeed<Numbers>.InvalidRecords.throw, .skip] {
                    let options = JSONFeed<Numbers>.Options(format: format, invalidRecords: invalid, reading: .strict)
                    let whole = FeedOutcome(text, options)
                    for pieceSize in 1...text.utf8.count {
                        #expect(FeedOutcome(pushing: Array(text.utf8), pieceSize: pieceSize, options) == whole)
                    }
                }
            }
        }
    }

    @Test func nilSaysThatMoreIsNeededUntilTheFeedIsFinished() throws {
        let feed = JSONFeedParser<Numbers>()
        #expect(try feed.next() == nil)
        #expect(!feed.isFinished)
        feed.append("{\"a\":1}\n{\"a\"".utf8)
        #expect(try feed.next() == ["a": 1])
        #expect(try feed.next() == nil)
        #expect(!feed.isFinished)
        #expect(feed.recordRange == 0..<7)
        feed.append(Array(":2}".utf8))
        #expect(try feed.next() == nil)
        feed.finish()
        #expect(try feed.next() == ["a": 2])
        #expect(!feed.isFinished)
        #expect(try feed.next() == nil)
        #expect(feed.isFinished)
        #expect(feed.acceptedCount == 2)
        #expect(feed.consumedBytes == 15)
    }

    @Test func feedWithASourceIsFinishedAtItsEnd() throws {
        let feed = JSONFeed<Int>(bytes: Array("1\n2".utf8))
        while try feed.next() != nil { #expect(!feed.isFinished) }
        #expect(feed.isFinished)
        let broken = JSONFeed<Int>(bytes: Array("[1 2]".utf8))
        #expect(try broken.next() == 1)
        #expect(throws: JSONError.self) { try broken.next() }
        #expect(try broken.next() == nil)
        #expect(broken.isFinished)
    }

    @Test(arguments: [
        ("{\"a\":1}\n", JSONFeedFormat.lines), ("[\n{\"a\":1},", .array), ("{\n\"a\":1}", .concatenated),
        ("{\"a\":1} {", .concatenated),
    ])
    func layoutIsToldAsSoonAsItIsCertain(_ text: String, _ format: JSONFeedFormat) throws {
        let feed = JSONFeedParser<Numbers>()
        feed.append(text.utf8)
        #expect(try feed.next() == ["a": 1])
        #expect(feed.format == format)
    }

    @Test func memoryIsThatOfOnePieceAndOneRecord() throws {
        let piece = Array(String(repeating: "{\"a\":1}\n", count: 1000).utf8)
        let long = Array("{\"long\":\"\(String(repeating: "x", count: 100_000))\"}\n".utf8)
        var splitter = RecordSplitter(format: .lines, readSize: 4096)
        for round in 0..<100 {
            unsafe (round % 10 == 0 ? long : piece).withUnsafeBytes { unsafe splitter.append($0) }
            while try splitter.next() != nil {}
        }
        #expect(splitter.recordCount == 90 * 1000 + 10)
        #expect(splitter.bufferSize <= long.count)
    }

    /// Pieces that each hold a line break must not make the look for the layout quadratic.
    @Test func layoutOfManySmallPiecesIsFoundWithFewLooks() throws {
        let text = Array(("[" + String(repeating: "1,", count: 1 << 15) + "1]" + String(repeating: "\n", count: 1 << 15)).utf8)
        let feed = JSONFeedParser<Int>()
        for byte in text { feed.append(CollectionOfOne(byte)) }
        feed.finish()
        var count = 0
        while try feed.next() != nil { count += 1 }
        #expect(count == (1 << 15) + 1)
        #expect(feed.format == .array)
    }

    @Test func sourceOfOnesOwnNamesItsErrors() {
        struct Body: ByteSource {
            mutating func read(into output: inout OutputRawSpan) throws(JSONError) {
                throw .inputOutput("the server closed the connection")
            }
        }
        let outcome = FeedOutcome(of: JSONFeed<Int>(source: Body()))
        #expect(outcome.errors.map(\.kind) == [.inputOutput])
        #expect(outcome.errors.first?.summary == "input/output error: the server closed the connection")
    }
}
