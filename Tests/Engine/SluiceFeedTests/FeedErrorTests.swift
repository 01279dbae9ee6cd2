import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceFeed

@Suite struct FeedErrorTests {
    typealias Numbers = [String: Int]

    @Test(arguments: [JSONFeedFormat.lines, .automatic])
    func p31ALineThatBreaksOffDoesNotTakeTheNextWithIt(_ format: JSONFeedFormat) {
        let outcome = FeedOutcome<Numbers>("{\"a\":1\n{\"a\":2}", .init(format: format))
        #expect(outcome.records == [["a": 2]])
        #expect(outcome.errors.map(\.kind) == [.unexpectedEnd])
        #expect(outcome.errors.first?.position == SourcePosition(offset: 6, line: 1, column: 7))
        #expect(outcome.accepted == 1)
        #expect(outcome.rejected == 1)
    }

    @Test(arguments: ["", "\n", " \n\n\t ", "\u{FEFF}"], [JSONFeedFormat.automatic, .lines, .concatenated])
    func p32AFeedMayBeEmpty(_ text: String, _ format: JSONFeedFormat) {
        let outcome = FeedOutcome<Numbers>(text, .init(format: format))
        #expect(outcome.records.isEmpty)
        #expect(outcome.errors.isEmpty)
    }

    @Test func recordsOfAnUntrustedFeedHaveBudgets() {
        let long = String(repeating: " ", count: 1 << 20)
        let text = "{\"a\":1}\n{\"a\":1,\"a\":2}\n{\"a\":\(long)1}\n[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\n{\"b\":2}\n"
        let outcome = FeedOutcome<Numbers>(text, .untrusted)
        #expect(outcome.records == [["a": 1], ["b": 2]])
        #expect(outcome.errors.map(\.kind) == [.duplicateKey, .sizeLimit, .typeMismatch])
        #expect(outcome.errors.map(\.line) == [2, 3, 4])
        #expect(outcome.errors[1].expected == "a record of at most 1048576 bytes (maximumRecordSize)")
    }

    @Test func placesAreInTheTermsOfTheFile() {
        let text = "{\"a\":1}\r\n\n{\"a\":\"x\"}\n  {\"a\":2}\n  {\"b\":1,\"a\":null}\n"
        let outcome = FeedOutcome<Numbers>(text)
        #expect(outcome.records == [["a": 1], ["a": 2]])
        #expect(outcome.errors.map(\.kind) == [.typeMismatch, .typeMismatch])
        #expect(outcome.errors.map(\.path) == ["a", "a"])
        let bytes = Array(text.utf8)
        #expect(outcome.errors.map(\.position) == [position(of: 15, in: bytes), position(of: 43, in: bytes)])
        #expect(outcome.errors.map(\.line) == [3, 5])
        #expect(outcome.errors.map(\.column) == [6, 14])
    }

    @Test func placesInPrettyPrintedElementsAreInTheTermsOfTheFile() {
        let text = "[\n  {\n    \"a\": 1\n  },\n  {\n    \"a\": \"x\"\n  }\n]\n"
        let outcome = FeedOutcome<Numbers>(text)
        #expect(outcome.records == [["a": 1]])
        #expect(outcome.errors.map(\.position) == [SourcePosition(offset: 35, line: 6, column: 10)])
    }

    @Test func byteOrderMarkCountsInPositions() {
        let outcome = FeedOutcome<Int>("\u{FEFF}x\n7")
        #expect(outcome.records == [7])
        #expect(outcome.errors.map(\.line) == [1])
        #expect(outcome.errors.first?.offset ?? 0 >= 3)
    }

    @Test func twoValuesOnOneLineAreOneBadRecord() {
        let outcome = FeedOutcome<Numbers>("{\"a\":1} {\"a\":2}\n{\"a\":3}\n", .init(format: .lines))
        #expect(outcome.records == [["a": 3]])
        #expect(outcome.errors.map(\.kind) == [.trailingContent])
        #expect(outcome.errors.first?.line == 1)
        #expect(outcome.rejected == 1)
    }

    @Test(arguments: [
        ("[1 2]", [1], JSONError.Kind.syntax, 3), ("[1,2,]", [1, 2], .syntax, 5), ("[1,,2]", [1], .syntax, 3),
        ("[,1]", [], .syntax, 1),
        ("[1,2", [1, 2], .unexpectedEnd, 4), ("[1,", [1], .unexpectedEnd, 3), ("[", [], .unexpectedEnd, 1),
        ("[1]2", [1], .trailingContent, 3), ("[1]\n]", [1], .trailingContent, 4), ("[1}2]", [1], .syntax, 2),
    ])
    func damagedArrayEndsTheFeedWithAnError(_ text: String, _ records: [Int], _ kind: JSONError.Kind, _ offset: Int) {
        for invalid in [JSONFeed<Int>.InvalidRecords.throw, .skip] {
            let outcome = FeedOutcome<Int>(text, .init(format: .array, invalidRecords: invalid))
            #expect(outcome.records == records)
            #expect(outcome.errors.map(\.kind) == [kind])
            #expect(outcome.errors.map(\.offset) == [offset])
            #expect(outcome.rejected == 0)
        }
    }

    @Test func whatIsNoArrayIsAnError() {
        let outcome = FeedOutcome<Int>("{\"a\":1}", .init(format: .array))
        #expect(outcome.errors.map(\.kind) == [.syntax])
        let empty = FeedOutcome<Int>("  ", .init(format: .array))
        #expect(empty.errors.map(\.kind) == [.unexpectedEnd])
    }

    @Test(arguments: [
        ("{\"a\":1}\n{\"a\":", JSONFeedFormat.lines), ("[{\"a\":1},{\"a\":", .array), ("{\"a\":1}{\"a\":", .concatenated),
    ])
    func truncatedLastRecordIsRejected(_ text: String, _ format: JSONFeedFormat) {
        let outcome = FeedOutcome<Numbers>(text, .init(format: format))
        #expect(outcome.records == [["a": 1]])
        #expect(outcome.accepted == 1)
        #expect(outcome.rejected == 1)
        #expect(outcome.errors.allSatisfy { $0.kind == .unexpectedEnd })
        #expect(outcome.errors.count == (format == .array ? 2 : 1))
    }

    @Test func elementThatIsWrongDoesNotEndTheArray() {
        let outcome = FeedOutcome<Int>("[1,\"x\",2,{\"a\":[1}},3, nul ,4]")
        #expect(outcome.records == [1, 2, 3, 4])
        #expect(outcome.errors.map(\.offset) == [3, 9, 25])
        #expect(outcome.rejected == 3)
    }

    @Test(arguments: [
        ("{\"a\":1}\n {\"a\":[]} \r\n\n{\"a\":\n{\"a\":2}", JSONFeedFormat.lines, [" {\"a\":[]} \r", "{\"a\":"]),
        ("[{\"a\":1}, {\"a\":[]},{ \"a\" } ,{\"a\":2}]", .array, ["{\"a\":[]}", "{ \"a\" }"]),
        ("{\"a\":1}{\"a\":[]}\n \"x\" {\"a\":2}", .concatenated, ["{\"a\":[]}", "\"x\""]),
    ])
    func rejectedRecordsAreKnownByTheirBytes(_ text: String, _ format: JSONFeedFormat, _ rejected: [String]) throws {
        let bytes = Array(text.utf8)
        func record(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        for size in [1, 2, 7, bytes.count] {
            let feed = JSONFeed<Numbers>(
                source: BytesSource(bytes, chunkSize: size),
                options: .init(format: format, invalidRecords: .skip, reading: .strict))
            #expect(try feed.next() == ["a": 1])
            #expect(record(feed.recordRange) == "{\"a\":1}")
            #expect(try feed.next() == ["a": 2])
            #expect(record(feed.recordRange) == "{\"a\":2}")
            #expect(try feed.next() == nil)
            #expect(feed.rejectedRecords.map(\.range).map(record) == rejected)
            let throwing = JSONFeed<Numbers>(bytes: bytes, options: .init(format: format, reading: .strict))
            #expect(try throwing.next() == ["a": 1])
            #expect(throws: JSONError.self) { try throwing.next() }
            #expect(record(throwing.recordRange) == rejected[0])
        }
    }

    @Test func skippedRecordsAreCountedAndTheFirstReasonsKept() {
        let lines = (0..<100).map { $0 % 3 == 0 ? "{\"a\":\($0)}" : "{\"a\":\"\($0)\"}" }
        let outcome = FeedOutcome<Numbers>(
            lines.joined(separator: "\n"), .init(invalidRecords: .skip, keptReasons: 4, reading: .strict))
        #expect(outcome.records.count == 34)
        #expect(outcome.accepted == 34)
        #expect(outcome.rejected == 66)
        #expect(outcome.errors == [])
        #expect(outcome.reasons.map(\.line) == [2, 3, 5, 6])
        #expect(outcome.reasons.allSatisfy { $0.kind == .typeMismatch && $0.path == "a" && $0.column == 6 })
    }

    @Test func oversizedRecordIsCountedAndPassedOver() {
        let long = "{\"a\":" + String(repeating: "1", count: 200) + "}"
        let outcome = FeedOutcome<Numbers>(
            "{\"a\":1}\n\(long)\n{\"a\":2}\n", .init(invalidRecords: .skip, maximumRecordSize: 100))
        #expect(outcome.records == [["a": 1], ["a": 2]])
        #expect(outcome.rejected == 1)
        #expect(outcome.reasons.map(\.kind) == [.sizeLimit])
        #expect(outcome.reasons.map(\.line) == [2])
    }

    @Test func recordsNestedTooDeepAreRejectedOneByOne() {
        let deep = String(repeating: "[", count: 20) + String(repeating: "]", count: 20)
        let outcome = FeedOutcome<JSONValue>("[1]\n\(deep)\n[2]", .init(reading: .init(maximumDepth: 10)))
        #expect(outcome.records == [[1], [2]])
        #expect(outcome.errors.map(\.kind) == [.depthLimit])
    }

    private struct FailingSource: BufferSource {
        var pieces: [String]

        mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(JSONError) -> Int {
            guard !pieces.isEmpty else { throw JSONError.inputOutput("read", "the test", 5) }
            let piece = Array(pieces.removeFirst().utf8)
            unsafe buffer.copyBytes(from: piece)
            return piece.count
        }
    }

    @Test(arguments: [JSONFeed<Int>.InvalidRecords.throw, .skip])
    func errorOfTheSourceEndsTheFeedAndIsNoRecord(_ invalid: JSONFeed<Int>.InvalidRecords) {
        let feed = JSONFeed<Int>(
            source: FailingSource(pieces: ["1\n2", "\n"]), options: .init(format: .lines, invalidRecords: invalid))
        let outcome = FeedOutcome(of: feed)
        #expect(outcome.records == [1, 2])
        #expect(outcome.errors.map(\.kind) == [.inputOutput])
        #expect(outcome.errors.first?.summary.contains("cannot read the test") == true)
        #expect(outcome.rejected == 0)
    }

    /// Whatever the feed contains, as many records are accepted or rejected as went in.
    @Test(arguments: [JSONFeedFormat.lines, .array, .concatenated])
    func nothingIsLost(_ format: JSONFeedFormat) {
        var random = SplitMix64(seed: 11)
        let good = ["{\"a\":1}", "{\"a\":-7,\"b\":2}", "{}", "{ \"a\" : 0 }"]
        // Balanced, so that an array or a run of values goes on after it.
        let balanced = [
            "{\"a\":\"x\"}", "[1]", "{\"a\":{\"b\":[]}}", "null", "{\"a\":}", "{\"a\" 1}", "\"{\"", "12", "{\"a\":nul}", "{,}",
        ]
        let unbalanced = ["{\"a\":1", "]", "{\"a\":\"", "{\"a\":1}}", "[[", "\\", "{\"a\":1} 2", "\u{1}"]
        for _ in 0..<200 {
            let bad = format == .lines ? balanced + unbalanced : balanced
            let records = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                Bool.random(using: &random) ? good.randomElement(using: &random) ?? "" : bad.randomElement(using: &random) ?? ""
            }
            let accepted = records.count { good.contains($0) }
            let text =
                switch format {
                case .array: "[" + records.joined(separator: " ,\n") + "]"
                case .lines: records.joined(separator: "\n")
                default: records.joined(separator: " ")
                }
            let source = BytesSource(Array(text.utf8), chunkSize: Int.random(in: 1...64, using: &random))
            let outcome = FeedOutcome(
                of: JSONFeed<Numbers>(source: source, options: .init(format: format, invalidRecords: .skip, reading: .strict)))
            #expect(outcome.accepted == accepted, "\(text)")
            #expect(outcome.rejected == records.count - accepted, "\(text)")
            #expect(outcome.consumedBytes == text.utf8.count)
            #expect(outcome.errors == [])
        }
    }
}
