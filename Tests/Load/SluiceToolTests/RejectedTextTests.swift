#if CommandLine && os(Linux)
import Foundation
import GRDB
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

/// The text in `json_line` of records that the built tool rejects at a path.
@Suite(.enabled(if: Shell.isPresent)) struct RejectedTextTests {
    private static let feed = """
        {"data":[{"a":1},{"a":2}]}
        {"data":[{"a":3},{"a":}]}
        {"data":[{"a":4} {"a":5}]}
        {"data":[{"a":6}],"x":nul}
        {"data":[{"a":7}]}
        """

    @Test(arguments: ["1", "2"]) func aDamagedDocumentAtAPathIsKeptWithItsText(workers: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("feed.ndjson", Self.feed)
        for target in ["bad", "bad.ndjson"] {
            let result = try scratch.shell(
                "sluice ingest -q --at data --format ndjson --workers \(workers) --drop --restart --rejects \(target) feed.ndjson out.db"
            )
            #expect(result.status == 2)
            #expect(try scratch.rows("SELECT a FROM records ORDER BY rowid").map { $0["a"] } == [1, 2, 3, 4, 6, 7])
        }
        let expected = [#"{"a":}"#, #"{"data":[{"a":4} {"a":5}]}"#, #"{"data":[{"a":6}],"x":nul}"#]
        let rows = try scratch.rows("SELECT * FROM bad ORDER BY byte_position")
        #expect(rows.map { $0["json_line"] as String? } == expected)
        #expect(rows.map { $0["line"] as Int } == [2, 3, 4])
        let lines = try String(contentsOfFile: scratch.path("bad.ndjson"), encoding: .utf8).split(separator: "\n")
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

    @Test(arguments: ["1", "2"]) func ofALongDocumentItsBeginningIsKept(workers: String) throws {
        let scratch = try Scratch()
        let long = #"{"data":[{"a":""# + String(repeating: "x", count: 3 << 20) + #""} 7]}"#
        _ = try scratch.file("feed.ndjson", #"{"data":[{"a":"y"}]}"# + "\n" + long + "\n")
        let result = try scratch.shell(
            "sluice ingest -q --at data --format ndjson --workers \(workers) --rejects bad feed.ndjson out.db")
        #expect(result.status == 2)
        #expect(try scratch.count() == 2)
        #expect(try scratch.value("SELECT length(json_line) FROM bad") == 1 << 20)
        #expect(try scratch.value("SELECT substr(json_line, 1, 14) FROM bad") == #"{"data":[{"a":"#)
    }
}
#endif
