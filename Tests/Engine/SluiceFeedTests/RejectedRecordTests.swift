import Foundation
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceFeed

/// What is known of rejected records, where their bytes go, and how many may be.
@Suite struct RejectedRecordTests {
    typealias Numbers = [String: Int]

    @Test func rejectedRecordHasItsRangePositionIndexAndReason() throws {
        let text = "{\"a\":1}\n\n  {\"a\":\"x\"} \n{\"a\":3}\n{\"b\":[]}"
        let feed = JSONFeed<Numbers>(bytes: Array(text.utf8), options: .init(invalidRecords: .skip, reading: .strict))
        #expect(try feed.next() == ["a": 1])
        #expect(feed.lastRejected == nil)
        #expect(try feed.next() == ["a": 3])
        let first = try #require(feed.lastRejected)
        #expect(first.range == 9..<21)
        #expect(first.line == 3)
        #expect(first.index == 1)
        #expect(first.error.path == "a")
        #expect(first.error.column == 8)
        #expect(!first.error.expected.isEmpty && !first.error.found.isEmpty)
        #expect(try feed.next() == nil)
        #expect(feed.rejectedRecords.map(\.index) == [1, 3])
        #expect(feed.rejectedRecords.map(\.range) == [9..<21, 30..<38])
        #expect(feed.reasons.map(\.line) == [3, 5])
    }

    @Test(arguments: [1, 5, 16, 1000])
    func rejectedBytesAreWrittenOneRecordALine(_ size: Int) throws {
        let long = "{\"long\":\"" + String(repeating: "y", count: 300) + "\"}"
        let text = "[{\"a\":1}, {\"a\":\n \"x\"},\n\(long), {\"a\" 3},{\"a\":2}, \(long)]"
        let rejects = JSONRejects(to: [UInt8]())
        let feed = JSONFeed<Numbers>(
            source: BytesSource(Array(text.utf8), chunkSize: size),
            options: .init(invalidRecords: .rejects(rejects), maximumRecordSize: 100))
        #expect(FeedOutcome(of: feed).records == [["a": 1], ["a": 2]])
        #expect(rejects.count == 4)
        let lines = "{\"a\":  \"x\"}\n\(long)\n{\"a\" 3}\n\(long)\n"
        #expect(rejects.withSink { ($0 as? [UInt8]) ?? [] } == Array(lines.utf8))
    }

    /// Found by the fuzzer of feeds: white space that was skipped before the line's first byte was missing in the rejects.
    @Test(arguments: [1, 2, 7, 16, 1000], ["", "id"])
    func lineThatIsTooLongIsRejectedWithoutTheWhiteSpaceInFrontHoweverItsBytesCome(_ size: Int, _ path: JSONRecordPath) {
        let blanks = String(repeating: " \t", count: 25)
        let text = "\(blanks)[1,2,3,4,5,6 \n\n[1]\n \(blanks) \n\(blanks)\"\(blanks)x\" \n  [1,2,3,4,5,6,7]  \n\(blanks)"
        let rejects = JSONRejects(to: [UInt8]())
        let feed = JSONFeed<[Int]>(
            source: BytesSource(Array(text.utf8), chunkSize: size),
            options: .init(format: .lines, at: path, invalidRecords: .rejects(rejects), maximumRecordSize: 10))
        let outcome = FeedOutcome(of: feed)
        #expect(outcome.records == (path.isEmpty ? [[1]] : []))
        // The short line lacks the path.
        let short = path.isEmpty ? "" : "[1]\n"
        let lines = "[1,2,3,4,5,6 \n\(short)\"\(blanks)x\" \n[1,2,3,4,5,6,7]  \n"
        #expect(rejects.withSink { ($0 as? [UInt8]).map { String(decoding: $0, as: UTF8.self) } } == lines)
    }

    @Test func damagedLinesAreWrittenToTheRejectsToo() throws {
        let text = "{\"i\":[1],,\"x\":2}\n{\"i\":[2]} 3\n{\"i\":[3]}\n"
        let rejects = JSONRejects(to: [UInt8]())
        let feed = JSONFeed<Int>(bytes: Array(text.utf8), options: .init(at: "i", invalidRecords: .rejects(rejects)))
        #expect(FeedOutcome(of: feed).records == [1, 2, 3])
        #expect(feed.rejectedRecords.map(\.range) == [0..<16, 17..<28])
        #expect(rejects.withSink { ($0 as? [UInt8]) ?? [] } == Array(text.utf8.prefix(29)))
    }

    @Test(arguments: [1, 7, 1000])
    func bytesOfOneRejectedRecordAreNotThoseOfTheNext(_ size: Int) {
        let long = "\"" + String(repeating: "y", count: 300) + "\""
        let text = "{\"i\":[1,\(long)]}\n{\"i\":[2],,\"x\":0}\n{\"i\":[3]}\n"
        let rejects = JSONRejects(to: [UInt8]())
        let feed = JSONFeed<Int>(
            source: BytesSource(Array(text.utf8), chunkSize: size),
            options: .init(format: .concatenated, at: "i", invalidRecords: .rejects(rejects), maximumRecordSize: 100))
        #expect(FeedOutcome(of: feed).records == [1, 2, 3])
        // Of the damaged document, no bytes are at hand.
        #expect(rejects.withSink { ($0 as? [UInt8]) ?? [] } == Array("\(long)\n\n".utf8))
    }

    @Test func rejectsMayBeAFile() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString).ndjson")
        defer { try? FileManager.default.removeItem(at: url) }
        let rejects = try JSONRejects(path: url.path)
        let feed = JSONFeed<Int>(bytes: Array("1\nx\n2\n[]\n".utf8), options: .init(invalidRecords: .rejects(rejects)))
        #expect(FeedOutcome(of: feed).records == [1, 2])
        #expect(try String(contentsOf: url, encoding: .utf8) == "x\n[]\n")
        #expect(throws: JSONError.self) { try JSONRejects(path: url.path + "/no/such/folder") }
    }

    private struct FullSink: ByteSink, Sendable {
        mutating func write(_ bytes: UnsafeRawBufferPointer) throws(JSONError) { throw .inputOutput("the disk is full") }
    }

    @Test func rejectsThatTakeNothingEndTheFeed() {
        let rejects = JSONRejects(to: FullSink())
        let feed = JSONFeed<Int>(bytes: Array("1\nx\n2\n".utf8), options: .init(invalidRecords: .rejects(rejects)))
        let outcome = FeedOutcome(of: feed)
        #expect(outcome.records == [1])
        #expect(outcome.errors.map(\.kind) == [.inputOutput])
        #expect(feed.isFinished)
    }

    @Test(arguments: [(JSONFeed<Int>.InvalidRecords.skip, 1), (.throw, 3)])
    func moreRejectedRecordsThanAllowedEndTheFeed(_ invalid: JSONFeed<Int>.InvalidRecords, _ errorCount: Int) {
        let text = Array("1\nx\n2\ny\n3\nz\n4\n".utf8)
        let feed = JSONFeed<Int>(bytes: text, options: .init(invalidRecords: invalid, maximumErrors: 2))
        let outcome = FeedOutcome(of: feed)
        #expect(outcome.records == [1, 2, 3])
        #expect(outcome.errors.last?.kind == .tooManyErrors)
        #expect(outcome.errors.last?.line == 6)
        #expect(outcome.errors.count == errorCount)
        #expect(feed.isFinished)
        let allowed = FeedOutcome(of: JSONFeed<Int>(bytes: text, options: .init(invalidRecords: .skip, maximumErrors: 3)))
        #expect(allowed.records == [1, 2, 3, 4])
        #expect(allowed.errors == [])
    }

    @Test func ratioOfRejectedRecordsIsLookedAtFromAThousandRecordsOnAndAtTheEnd() {
        func outcome(_ lines: [String], _ ratio: Double) -> FeedOutcome<Int> {
            FeedOutcome(
                of: JSONFeed<Int>(
                    bytes: Array(lines.joined(separator: "\n").utf8),
                    options: .init(invalidRecords: .skip, maximumErrorRatio: ratio)))
        }
        // Bad at the beginning, good enough as a whole.
        #expect(outcome(["x", "x"] + (0..<98).map(String.init), 0.02).errors == [])
        #expect(outcome(["x", "x"] + (0..<97).map(String.init), 0.02).errors.map(\.kind) == [.tooManyErrors])
        let late = outcome((0..<990).map(String.init) + [String](repeating: "x", count: 100) + ["7"], 0.02)
        #expect(late.errors.map(\.kind) == [.tooManyErrors])
        #expect(late.rejected < 30)
    }

    @Test(arguments: [0, 2]) func limitEndsTheFeedAfterThatManyRecords(_ workers: Int) throws {
        let text = Array("1\nx\n2\n3\n4\n".utf8)
        let feed = JSONFeed<Int>(bytes: text, options: .init(format: .lines, invalidRecords: .skip, limit: 2))
        if workers > 0 { try feed.parallel(workers: workers) }
        #expect(FeedOutcome(of: feed).records == [1, 2])
        #expect(feed.isFinished)
        #expect(feed.checkpoint.offset == 6)
        let rest = try JSONFeed<Int>(source: BytesSource(text), resumingFrom: feed.checkpoint)
        #expect(FeedOutcome(of: rest).records == [3, 4])
        #expect(FeedOutcome(of: JSONFeed<Int>(bytes: text, options: .init(limit: 0))).records == [])
    }

    // MARK: Resynchronisation

    @Test(arguments: [
        // Values one after the other, and elements of an array that have lines of their own.
        ("{\n\"a\":1\n}\n{\"a\":2\n{\"a\":3}\n{\"a\":4}", JSONFeedFormat.concatenated, [1, 3, 4], 1),
        ("{\n\"a\":1\n}\n{\"a\":2,\n{\"a\":3}\n{\"a\":4}", .concatenated, [1, 3, 4], 1),
        ("{\n\"a\":1\n}\n{\"a\n{\"a\":3}\n{\"a\":4}", .concatenated, [1, 3, 4], 1),
        ("{\n\"a\":1\n}\n{\"a\":\"x\n{\"a\":3}\n{\n\"a\":4}", .concatenated, [1, 3, 4], 1),
        // After a colon, too; here, the comma is no record either.
        ("{\"a\":1} {\"a\":\n{\"a\":2},\n{\"a\":3}\n{\"a\":4}", .concatenated, [1, 2, 3, 4], 2),
        ("[\n{\"a\":1},\n{\"a\":\"x},\n{\"a\":3},\n{\"a\":4}\n]", .array, [1, 3, 4], 1),
        ("[\n{\"a\":1},\n{\"a\":2\n{\"a\":3},\n{\"a\":4}\n]", .array, [1, 3, 4], 1),
        ("[\r\n{\"a\":1},\r\n{\"a\":2,\r\n{\"a\":3},\r\n{\"a\":4}\r\n]", .array, [1, 3, 4], 1),
        ("[\n{\"a\":1},\n{\"a\":\"\n{\"a\":\"\n{\"a\":3},\n{\"a\":4}\n]", .array, [1, 3, 4], 2),
    ])
    func recordThatBreaksOffDoesNotSwallowTheNextLine(
        _ text: String, _ format: JSONFeedFormat, _ accepted: [Int], _ rejected: Int
    ) {
        let bytes = Array(text.utf8)
        let options = JSONFeed<Numbers>.Options(format: format, invalidRecords: .skip, reading: .strict)
        let whole = FeedOutcome(text, options)
        #expect(whole.records == accepted.map { ["a": $0] }, "\(text)")
        #expect(whole.rejected == rejected, "\(text): \(whole)")
        #expect(whole.errors == [], "\(text)")
        for size in 1...bytes.count {
            #expect(FeedOutcome(pushing: bytes, pieceSize: size, options) == whole)
            #expect(FeedOutcome(of: JSONFeed<Numbers>(source: BytesSource(bytes, chunkSize: size), options: options)) == whole)
        }
    }

    /// What is JSON is never cut, however it is laid out.
    @Test func jsonIsNeverCut() {
        let inner = "{\"a\":[1,\n[2],\n{\n\"b\":\n[\n[\n{\n}\n,\n[\n]\n]\n]\n,\n\"c\":\n{\n}\n}\n]\n,\n\"d\":\"\\\"{[\"\n}"
        for (text, format) in [("[\(inner),\n\(inner)\n]", JSONFeedFormat.array), ("\(inner)\n\(inner)", .concatenated)] {
            for size in [1, 2, 3, 7, 1000] {
                let pieces = Pieces(Array(text.utf8), format: format, chunkSize: size, readSize: 16)
                #expect(pieces.texts == [inner, inner])
            }
            #expect(Pieces(Array(text.utf8), format: format, chunkSize: 3, readSize: 16, maximumRecordSize: 20).errors.count == 2)
        }
    }

    // MARK: Rows under a header

    @Test(arguments: [
        ("[\"id\",\"name\"]\n[1,\"a\"]\n[2, \"b\" ]\n\n [ 3 ,\"c\" ] \n", JSONFeedFormat.lines),
        ("[[\"id\",\"name\"],[1,\"a\"],[2,\"b\"],\n[3,\n\"c\"]]", .array),
        ("[\"id\",\"name\"] [1,\"a\"][2,\"b\"] [3,\"c\"]", .concatenated),
    ])
    func rowsAreReadUnderTheNamesOfTheFirst(_ text: String, _ format: JSONFeedFormat) throws {
        let rows = [Row(id: 1, name: "a"), Row(id: 2, name: "b"), Row(id: 3, name: "c")]
        for size in 1...text.utf8.count {
            let source = BytesSource(Array(text.utf8), chunkSize: size)
            let feed = JSONFeed<Row>(source: source, options: .init(format: format, hasHeader: true))
            #expect(FeedOutcome(of: feed).records == rows)
            #expect(feed.acceptedCount == 3)
        }
        let feed = JSONFeed<Row>(bytes: Array(text.utf8), options: .init(format: format, hasHeader: true))
        #expect(try feed.next() == rows[0])
        let checkpoint = feed.checkpoint
        #expect(checkpoint.recordIndex == 1)
        let rest = try JSONFeed<Row>(
            source: BytesSource(Array(text.utf8)), options: .init(format: format, hasHeader: true), resumingFrom: checkpoint)
        #expect(FeedOutcome(of: rest).records == Array(rows.dropFirst()))
    }

    @Test func rowsAtAPathMayHaveAHeader() {
        let text = #"{"table":{"rows":[["name","x","id"],["a",{"y":[]},1],["b",null,2]]}}"#
        let feed = JSONFeed<Row>(bytes: Array(text.utf8), options: .init(at: "table.rows", hasHeader: true))
        #expect(FeedOutcome(of: feed).records == [Row(id: 1, name: "a"), Row(id: 2, name: "b")])
    }

    @Test func errorsOfRowsHaveTheirPositionsInTheFeed() throws {
        let text = "[\"id\", \"name\"]\n[1, \"a\"]\n[2,   \"b\", 3]\n[\"x\",\"c\"]\n[4]\n{\"id\":5}\n[6 \"d\"]\n[7,\n[8,\"h\"]\n"
        let rejects = JSONRejects(to: [UInt8]())
        let feed = JSONFeed<Row>(
            bytes: Array(text.utf8), options: .init(invalidRecords: .rejects(rejects), reading: .strict, hasHeader: true))
        #expect(FeedOutcome(of: feed).records == [Row(id: 1, name: "a"), Row(id: 8, name: "h")])
        #expect(feed.reasons.map(\.line) == [3, 4, 5, 6, 7, 8])
        #expect(feed.reasons.map(\.kind) == [.typeMismatch, .typeMismatch, .missingKeys, .typeMismatch, .syntax, .unexpectedEnd])
        #expect(feed.reasons[1].path == "id")
        #expect(feed.reasons[1].column == 2)
        let bytes = Array(text.utf8)
        for error in feed.reasons { #expect(error.position == position(of: error.offset, in: bytes)) }
        let lines = text.split(separator: "\n")
        #expect(rejects.withSink { ($0 as? [UInt8]) ?? [] } == Array((lines[2...7].joined(separator: "\n") + "\n").utf8))
    }

    @Test(arguments: ["{\"id\":1}\n[1]", "[1,[2]]\n[1]", "[\"a\"\n[1]"])
    func feedWithoutNamesInItsFirstRowIsAnError(_ text: String) {
        let outcome = FeedOutcome(of: JSONFeed<Row>(bytes: Array(text.utf8), options: .init(format: .lines, hasHeader: true)))
        #expect(outcome.records == [])
        #expect(outcome.errors.map(\.expected) == ["a first row of names"])
    }

    // MARK: Unknown keys

    @Test(arguments: [1, 4, 1000]) func unknownKeysAreReportedWithCountsAndFirstPositions(_ size: Int) {
        let text =
            "{\"id\":1,\"name\":\"a\"}\n{\"idd\":2,\"id\":2,\"name\":\"b\",\"x\":{\"id\":0}}\n{\"id\":\"q\",\"z\":1}\n{\"x\":[],\"id\":3,\"name\":\"c\"}\n"
        let feed = JSONFeed<Row>(
            source: BytesSource(Array(text.utf8), chunkSize: size),
            options: .init(invalidRecords: .skip, reading: .init(unknownKeys: .report)))
        #expect(FeedOutcome(of: feed).accepted == 3)
        #expect(feed.report.unknownKeyCount == 3)
        #expect(feed.report.unknownKeys.map(\.path) == ["idd", "x"])
        #expect(feed.report.unknownKeys.map(\.count) == [1, 2])
        #expect(feed.report.unknownKeys.map(\.position) == [21, 47].map { position(of: $0, in: Array(text.utf8)) })
        #expect(feed.rejectedCount == 1)
    }

    @Test func unknownKeysMayBeRefused() {
        let text = "{\"id\":1,\"name\":\"a\"}\n{\"id\":2,\"name\":\"b\",\"x\":0}\n"
        for parser in [JSONReader.Options.Parser.automatic, .yajl] {
            let feed = JSONFeed<Row>(
                bytes: Array(text.utf8),
                options: .init(invalidRecords: .skip, reading: .init(parser: parser, unknownKeys: .reject)))
            #expect(FeedOutcome(of: feed).records == [Row(id: 1, name: "a")])
            #expect(feed.reasons.map(\.kind) == [.unknownKey])
            #expect(feed.reasons.map(\.offset) == [39])
            #expect(feed.reasons.first?.keys == ["x"])
        }
    }
}
