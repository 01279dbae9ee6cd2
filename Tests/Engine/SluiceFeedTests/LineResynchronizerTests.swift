import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceFeed

/// A record that breaks off does not take its neighbour with it.
@Suite struct LineResynchronizerTests {
    static let inputs: [(String, JSONFeedFormat, [String])] = [
        // Where a value may begin, what follows is a record of its own once the damage is known.
        ("{\"a\":1,\"b\":\n{\"c\":2}\n{\"d\":3}\n", .concatenated, [#"{"a":1,"b":"#, #"{"c":2}"#, #"{"d":3}"#]),
        ("{\"a\":[\n{\"c\":2}\n{\"d\":3}", .concatenated, [#"{"a":["#, #"{"c":2}"#, #"{"d":3}"#]),
        ("{\"a\":[1,\n{\"c\":2}\n{\"d\":3}", .concatenated, [#"{"a":[1,"#, #"{"c":2}"#, #"{"d":3}"#]),
        ("[{\"a\":1,\"b\":\n{\"c\":2},\n{\"d\":3}]", .array, [#"{"a":1,"b":"#, #"{"c":2}"#, #"{"d":3}"#]),
        // The damage shows at the end of the feed.
        ("{\"a\":1,\"b\":\n{\"c\":2}", .concatenated, [#"{"a":1,"b":"#, #"{"c":2}"#]),
        ("{\"a\":1,\"b\":\n{\"c\":2} \n", .concatenated, [#"{"a":1,"b":"#, #"{"c":2}"#]),
        // White space before the line break belongs to no record.
        ("{\"a\":1,\"b\": \n\t\n\n{\"c\":2}\n{\"d\":3}", .concatenated, [#"{"a":1,"b":"#, #"{"c":2}"#, #"{"d":3}"#]),
        ("[{\"a\":1,\"b\":\n\n[],\n\n{\"d\":3}]", .array, [#"{"a":1,"b":"#, "[]", #"{"d":3}"#]),
        (
            "{\"a\":1,\"b\":\(String(repeating: "\n", count: 40)){\"c\":2}\n{\"d\":3}", .concatenated,
            [#"{"a":1,"b":"#, #"{"c":2}"#, #"{"d":3}"#]
        ),
        // One after the other, and one inside the other.
        (
            "{\"a\":\n{\"b\":\n{\"c\":\n{\"d\":1}\n{\"e\":2}", .concatenated,
            [#"{"a":"#, #"{"b":"#, #"{"c":"#, #"{"d":1}"#, #"{"e":2}"#]
        ),
        ("{\"a\":1,\"b\":\n{\"c\":\"x\n{\"d\":3}", .concatenated, [#"{"a":1,"b":"#, #"{"c":"x"#, #"{"d":3}"#]),
        // What goes on after the container is one value, wherever that is damaged.
        ("{\"a\":\n{\"x\":1},\"b\":\"torn\n{\"c\":2}", .concatenated, ["{\"a\":\n{\"x\":1},\"b\":\"torn", #"{"c":2}"#]),
        ("{\"a\":[\n[1]],\"b\":{\n{\"c\":2}", .concatenated, ["{\"a\":[\n[1]],\"b\":{", #"{"c":2}"#]),
        // JSON is never cut.
        (
            "{\"a\":\n{\"b\":1},\"c\":[\n{\"d\":[\n[1],\n[2]]}]}\n{\"e\":\n[\n{}]}", .concatenated,
            ["{\"a\":\n{\"b\":1},\"c\":[\n{\"d\":[\n[1],\n[2]]}]}", "{\"e\":\n[\n{}]}"]
        ),
    ]

    @Test(arguments: inputs)
    func neighboursOfADamagedRecordAreGivenOut(_ text: String, _ format: JSONFeedFormat, _ records: [String]) {
        let bytes = Array(text.utf8)
        let whole = Pieces(bytes, format: format)
        #expect(whole.texts == records)
        #expect(whole.errors.isEmpty)
        for limit in [64 << 20, 9, 12] {
            let whole = Pieces(bytes, format: format, maximumRecordSize: limit)
            for size in 1...bytes.count {
                let chunks = Pieces(bytes, format: format, chunkSize: size, readSize: 16, maximumRecordSize: limit)
                #expect(chunks.isEqual(whole), "chunks of \(size), limit \(limit): \(chunks)\n\(whole)")
                let pushed = Pieces(pushing: bytes, format: format, pieceSize: size, maximumRecordSize: limit)
                #expect(pushed.isEqual(whole), "pieces of \(size), limit \(limit)")
            }
        }
    }

    /// After each record, a splitter that knows nothing of what came before says the same.
    @Test(arguments: inputs)
    func readingGoesOnAfterADamagedRecord(_ text: String, _ format: JSONFeedFormat, _ records: [String]) throws {
        let bytes = Array(text.utf8)
        let whole = CheckpointTests.run(RecordSplitter(source: BytesSource(bytes), format: format), limit: 100)
        for (index, checkpoint) in whole.checkpoints.enumerated() {
            var splitter = RecordSplitter(source: BytesSource(bytes, chunkSize: 3), format: format)
            try splitter.resume(from: checkpoint, totalBytes: bytes.count)
            #expect(CheckpointTests.run(splitter, limit: 100).events == Array(whole.events[index...]), "after \(index)")
        }
    }

    /// White space is not kept without end; what went with it is too long, and never a record without its text.
    @Test func aRecordBeforeMuchWhiteSpaceIsNeverEmpty() {
        let bytes = Array("{\"a\":1,\"b\":\(String(repeating: " ", count: 100_000))\n{\"c\":2}\n{\"d\":3}".utf8)
        for size in [1000, 70_000, 1 << 20] {
            let pieces = Pieces(bytes, format: .concatenated, chunkSize: size, readSize: size, maximumRecordSize: 12)
            #expect(pieces.texts.suffix(2) == [#"{"c":2}"#, #"{"d":3}"#])
            #expect(!pieces.texts.contains(""))
            #expect(pieces.texts.count + pieces.errors.count == 3)
        }
    }

    /// What is too far after is not looked at again.
    @Test func recordsAfterALongDamagedOneAreNotLost() {
        let long = "{\"x\":\"\(String(repeating: "y", count: 40_000))\"}"
        let bytes = Array("{\"a\":\n\(long)\n{\"c\":1}\n".utf8)
        for size in [1, 100, 10_000, 1 << 20] {
            let pieces = Pieces(bytes, format: .concatenated, chunkSize: size)
            #expect(pieces.texts == ["{\"a\":\n\(long)", #"{"c":1}"#])
        }
    }
}
