import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceFeed

@Suite struct RecordSplitterTests {
    static let inputs: [(String, JSONFeedFormat)] = [
        ("{\"a\":1}\r\n\n  \n{\"b\":[1,\"é😀\",{\"c\":\"\\\\\\\"}\"}]}\n7\n\"x\"", .lines),
        ("\u{FEFF}{\"a\":1}\n{\"a\":2}\n\n", .lines),
        ("{\"a\":1\n{\"a\":2}\n]]\nnull\n", .lines),
        (" [ {\"a\":1} ,\n[ ],\t\"],[\\\"\" , 12.5e3\n,true , null,{\"b\":{\"c\":[[]]}} ] \n ", .array),
        ("\u{FEFF}[]\n", .array),
        ("[\n  {\n    \"long\": \"0123456789012345678901234567890123456789\"\n  },\n  1\n]", .array),
        ("{\n \"a\": [1,\n2]\n}\n{\"b\":\"}{\"}[1]\"s\"1 2\ntrue{\"c\":1}\n", .concatenated),
        ("1", .concatenated), ("[1,2", .array), ("[1,,2]", .array), ("[1 2]", .array), ("{\"a\":", .concatenated), ("", .lines),
    ]

    @Test(arguments: inputs) func recordsAndPositionsDoNotDependOnHowTheBytesCome(_ text: String, _ format: JSONFeedFormat) {
        let bytes = Array(text.utf8)
        let whole = Pieces(bytes, format: format)
        for readSize in [16, 17, 19, 31, 64, 4096] {
            for chunkSize in 1...max(bytes.count, 1) {
                let pieces = Pieces(bytes, format: format, chunkSize: chunkSize, readSize: readSize)
                #expect(pieces.isEqual(whole), "chunks of \(chunkSize), reads of \(readSize): \(pieces)")
            }
        }
    }

    @Test(arguments: inputs) func placesAreThoseOfTheFile(_ text: String, _ format: JSONFeedFormat) {
        let bytes = Array(text.utf8)
        let found = Pieces(bytes, format: format)
        for piece in found.pieces {
            let start = piece.position.offset
            #expect(piece.position == position(of: start, in: bytes))
            #expect(Array(piece.text.utf8) == Array(bytes[start..<(start + piece.text.utf8.count)]))
        }
        for error in found.errors { #expect(error.position == position(of: error.offset, in: bytes)) }
        if found.errors.isEmpty { #expect(found.end == position(of: bytes.count, in: bytes)) }
    }

    @Test func recordLongerThanTheBufferIsWhole() {
        let long = "{\"a\":\"" + String(repeating: "0123456789", count: 1000) + "\"}"
        for (format, text) in [
            (JSONFeedFormat.lines, "1\n\(long)\n2\n\(long)"), (.array, "[1,\(long), 2,\(long)]"),
            (.concatenated, "1 \(long)2 \(long)"),
        ] {
            for chunkSize in [1, 7, 1021, .max] {
                let pieces = Pieces(Array(text.utf8), format: format, chunkSize: chunkSize, readSize: 16)
                #expect(pieces.texts == ["1", long, "2", long], "\(format), chunks of \(chunkSize)")
                #expect(pieces.bufferSize < long.utf8.count * 4)
            }
        }
    }

    @Test(arguments: [JSONFeedFormat.lines, .array, .concatenated], [1, 3, 16, 50, 1000])
    func oversizedRecordIsOneErrorAndTheNextRecordFollows(_ format: JSONFeedFormat, _ chunkSize: Int) {
        let long = "[" + String(repeating: "[\"],\"],", count: 60) + "0]"
        let records = ["[1]", long, "[2]", "[3]", long, long, "[4]"]
        let text =
            switch format {
            case .array: "[" + records.joined(separator: ",") + "]"
            case .lines: records.joined(separator: "\n")
            default: records.joined(separator: " ")
            }
        let bytes = Array(text.utf8)
        for readSize in [16, 64, 256 << 10] {
            let pieces = Pieces(bytes, format: format, chunkSize: chunkSize, readSize: readSize, maximumRecordSize: 100)
            #expect(pieces.texts == ["[1]", "[2]", "[3]", "[4]"])
            #expect(pieces.errors.map(\.kind) == [.sizeLimit, .sizeLimit, .sizeLimit])
            let starts = text.ranges(of: long).map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) }
            #expect(pieces.errors.map(\.position) == starts.map { position(of: $0, in: bytes) })
            for piece in pieces.pieces { #expect(piece.position == position(of: piece.position.offset, in: bytes)) }
        }
    }

    @Test(arguments: [JSONFeedFormat.lines, .array, .concatenated])
    func recordOfExactlyTheLimitIsAccepted(_ format: JSONFeedFormat) {
        let record = "\"" + String(repeating: "x", count: 98) + "\""
        let text = format == .array ? "[\(record),\(record)]" : "\(record)\n\(record)\n"
        #expect(Pieces(text, format: format, maximumRecordSize: 100).texts == [record, record])
        let less = Pieces(text, format: format, maximumRecordSize: 99)
        #expect(less.texts == [])
        #expect(less.errors.count == 2)
    }

    @Test func oversizedLastRecordWithoutEndIsAnErrorToo() {
        let long = String(repeating: "x", count: 500)
        for format in [JSONFeedFormat.lines, .concatenated] {
            let pieces = Pieces(Array("1\n\"\(long)".utf8), format: format, chunkSize: 5, readSize: 16, maximumRecordSize: 100)
            #expect(pieces.texts == ["1"])
            #expect(pieces.errors.map(\.kind) == [.sizeLimit])
        }
    }

    @Test(arguments: [JSONFeedFormat.lines, .array, .concatenated])
    func oversizedLastRecordIsRejectedWithItsRangeHoweverItsBytesCome(_ format: JSONFeedFormat) {
        let long = "\"" + String(repeating: "x", count: 200) + (format == .lines ? "" : "\"")
        let text = (format == .array ? "[1, " : "1\n") + long
        let bytes = Array(text.utf8)
        let start = bytes.count - long.utf8.count
        for readSize in [16, 64, 99, 100, 101, 4096] {
            for chunkSize in 1...(bytes.count + 1) {
                let found = Pieces(bytes, format: format, chunkSize: chunkSize, readSize: readSize, maximumRecordSize: 100)
                let name: Comment = "chunks of \(chunkSize), reads of \(readSize)"
                #expect(found.texts == ["1"], name)
                #expect(found.errors.first?.kind == .sizeLimit, name)
                #expect(found.errors.first?.position == position(of: start, in: bytes), name)
                #expect(found.errors.first?.found == "one of \(long.utf8.count) bytes", name)
                #expect(found.ranges == [0..<1, start..<bytes.count].map { format == .array && $0.lowerBound == 0 ? 1..<2 : $0 })
                // An array that does not end is one more error.
                #expect(found.errors.count == (format == .array ? 2 : 1), name)
            }
        }
    }

    @Test func blankLineOfAnyLengthIsPassedOver() {
        let blank = String(repeating: " ", count: 300)
        for text in ["1\n\(blank)\n2", "1\n2\n\(blank)", "\(blank)\n1\n2\n\(blank)\n", "1\n2\n\(blank)\r"] {
            for chunkSize in [1, 7, 64, 299, 300, 301, 1000] {
                let found = Pieces(
                    Array(text.utf8), format: .lines, chunkSize: chunkSize, readSize: 16, maximumRecordSize: 100)
                #expect(found.texts == ["1", "2"])
                #expect(found.errors == [])
                #expect(found.end.offset == text.utf8.count)
            }
        }
        let late = Pieces(
            Array("\(blank)1\n2".utf8), format: .lines, chunkSize: 16, readSize: 16, maximumRecordSize: 100)
        #expect(late.texts == ["2"])
        #expect(late.errors.map(\.kind) == [.sizeLimit])
    }

    @Test(arguments: [
        (#"[[\"x\"],1,2]"#, JSONFeedFormat.array, [#"[\"x\"]"#, "1", "2"]),
        (#"{\"} 1 2 3"#, .concatenated, [#"{\"}"#, "1", "2", "3"]),
        (#"{\\"} 1 "}2 3"#, .concatenated, [#"{\\"} 1 "}"#, "2", "3"]),
        (#"[{"a":\},1,2]"#, .array, [#"{"a":\}"#, "1", "2"]),
    ])
    func backslashOutsideStringsHasOneMeaningHoweverTheBytesCome(
        _ text: String, _ format: JSONFeedFormat, _ records: [String]
    ) {
        let bytes = Array(text.utf8)
        for readSize in [16, 4096] {
            for chunkSize in 1...bytes.count {
                #expect(Pieces(bytes, format: format, chunkSize: chunkSize, readSize: readSize).texts == records)
            }
        }
    }

    /// What is no JSON is cut into the same records, too.
    @Test(arguments: [JSONFeedFormat.lines, .array, .concatenated, .automatic])
    func recordsOfGarbageDoNotDependOnHowTheBytesCome(_ format: JSONFeedFormat) {
        var random = SplitMix64(seed: 7)
        let words = [
            "[", "]", "{", "}", "\"", "\"", "\\", "\\", "\\\"", ",", ":", "1", "x", " ", "\n", "{\"a\":[", "]}", "true", "\u{1}",
            "[[\"x\"],", String(repeating: " ", count: 61), String(repeating: "y", count: 63), String(repeating: "\\", count: 31),
        ]
        for _ in 0..<50 {
            let start = format == .array ? "[" : ""
            let text = (0..<Int.random(in: 1...20, using: &random)).reduce(start) { text, _ in
                text + (words.randomElement(using: &random) ?? "")
            }
            let bytes = Array(text.utf8)
            let limit = Bool.random(using: &random) ? 40 : 64 << 20
            let whole = Pieces(bytes, format: format, readSize: 4096, maximumRecordSize: limit)
            // The layout is found from the first read, so its size must be the same.
            for readSize in format == .automatic ? [4096] : [16, 131] {
                for chunkSize in 1...bytes.count {
                    let pieces = Pieces(
                        bytes, format: format, chunkSize: chunkSize, readSize: readSize, maximumRecordSize: limit)
                    guard !pieces.isEqual(whole) else { continue }
                    Issue.record(
                        "\(text.debugDescription), chunks of \(chunkSize), reads of \(readSize): \(pieces), whole: \(whole)")
                    return
                }
            }
        }
    }

    /// Gives one piece at each call and remembers how many were asked for.
    private final class Log { var reads = 0 }

    private struct LoggedSource: BufferSource {
        let pieces: [String]
        let log: Log

        mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
            guard log.reads < pieces.count else { return 0 }
            let piece = Array(pieces[log.reads].utf8)
            log.reads += 1
            unsafe buffer.copyBytes(from: piece)
            return piece.count
        }
    }

    @Test(arguments: [JSONFeedFormat.lines, .array, .concatenated])
    func recordOfALiveStreamIsGivenBeforeTheNextIsThere(_ format: JSONFeedFormat) throws {
        let log = Log()
        let pieces = format == .array ? ["[{},", "{},", "{}]"] : ["{}\n ", "{}\n ", "{}\n "]
        var splitter = RecordSplitter(source: LoggedSource(pieces: pieces, log: log), format: format)
        for number in 1...3 {
            #expect(try splitter.next() != nil)
            #expect(log.reads == number)
        }
        #expect(try splitter.next() == nil)
    }
}
