#if SQLite
import Foundation
import SluiceCore
import SluiceFeed
import SluiceTestSupport
import Testing

@testable import SluiceIngest

/// The text in `json_line` of records that are rejected at a path.
@Suite struct RejectedTextTests {
    private static let feed = """
        {"data":[{"a":1},{"a":2}]}
        {"data":[{"a":3},{"a":}]}
        {"data":[{"a":4} {"a":5}]}
        {"data":[{"a":6}],"x":nul}
        {"data":[{"a":7}]}
        """

    @Test(arguments: LoaderSink.databases, [1, 2]) func aDamagedDocumentAtAPathIsKeptWithItsText(sink: LoaderSink, workers: Int)
        throws
    {
        let loader = try Loader(sink)
        let file = try loader.scratch.file("feed.ndjson", Self.feed)
        let path = loader.scratch.path("bad.ndjson")
        for target in [RejectsTarget.table("bad"), .file(path: path)] {
            let report = try loader.load(file: file) {
                ($0.feed.path, $0.feed.format, $0.workers) = ("data", .lines, workers)
                ($0.existing, $0.restarts, $0.rejects) = (.drop, true, target)
            }
            #expect(report.isLossy)
            #expect(try loader.rows("a") == [[1], [2], [3], [4], [6], [7]])
        }
        let expected = [#"{"a":}"#, #"{"data":[{"a":4} {"a":5}]}"#, #"{"data":[{"a":6}],"x":nul}"#]
        #expect(
            try loader.rows("json_line", "line", of: "bad", by: "byte_position")
                == zip(expected, [2, 3, 4]).map { [.text($0), .integer($1)] })
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(try lines.map { try JSONValue(json: String($0))["json_line"]?.string } == expected)
    }

    /// JSON has no escape `\\x`, wherever the byte is.
    @Test func bytesThatAreNotUTF8BecomeEscapes() {
        let texts: [([UInt8], String)] = [
            (Array("plain é".utf8), "plain é"), ([0x61, 0xE9, 0x22], #"a\xE9""#), ([0x5C, 0xE9], #"\xE9"#),
            ([0x5C, 0x5C, 0xE9, 0xFF], #"\\\xE9\xFF"#), ([0x61, 0, 0x62], #"a\x00b"#), ([0x61, 0xE2, 0x82], #"a\xE2\x82"#),
            ([0xE2, 0x82, 0x62], #"\xE2\x82b"#), ([0xC3, 0xA9, 0xED, 0xA0, 0x80], #"é\xED\xA0\x80"#), ([], ""),
        ]
        for (bytes, text) in texts {
            #expect(unsafe bytes.withUnsafeBytes { unsafe RejectedRecord.text(of: $0) } == text)
        }
    }

    @Test(arguments: LoaderSink.databases, [1, 2]) func ofALongDocumentItsBeginningIsKept(sink: LoaderSink, workers: Int) throws {
        let loader = try Loader(sink)
        let long = #"{"data":[{"a":""# + String(repeating: "x", count: 3 << 20) + #""} 7]}"#
        let file = try loader.scratch.file("feed.ndjson", #"{"data":[{"a":"y"}]}"# + "\n" + long + "\n")
        let report = try loader.load(file: file) {
            ($0.feed.path, $0.feed.format, $0.workers, $0.rejects) = ("data", .lines, workers, .table("bad"))
        }
        #expect(report.isLossy)
        #expect(try loader.count() == 2)
        #expect(
            try loader.query("SELECT length(json_line), substr(json_line, 1, 14) FROM bad") == [[1_048_576, #"{"data":[{"a":"#]])
    }
}
#endif
