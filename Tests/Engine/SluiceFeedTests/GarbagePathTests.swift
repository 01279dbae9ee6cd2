import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceFeed

/// A feed may contain anything: records at a path, errors and checkpoints depend on the bytes alone.
@Suite struct GarbagePathTests {
    static let words = [
        "{", "}", "[", "]", ",", ":", "\"i\":", "\"i\":[", "\"a\":{", "\"", "\\", "\\\"", "1", "x", "null", "tru", " ", "\n",
        "\n{", "\r\n",
        "{\"i\":[", "]}", "{\"i\":[1,2]}", "{\"a\":{\"i\":[{}]}}", "\n{\"i\":[[1],\"s\"]}\n", "\"k\":", "\u{1}", "\u{1E}", "é",
        ",\"z\":0}",
        "{\"i\":{\"b\":[]}}", "-1.5", "{\"x\":[1,{\"i\":2}],",
    ]

    static func text(_ random: inout SplitMix64) -> [UInt8] {
        Array((0..<Int.random(in: 1...24, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }.joined().utf8)
    }

    @Test(
        arguments: [JSONFeedFormat.automatic, .lines, .object, .concatenated, .sequence, .array],
        ["i", "*.i", "a.i"] as [JSONRecordPath])
    func recordsAtAPathDoNotDependOnHowTheBytesCome(_ format: JSONFeedFormat, _ path: JSONRecordPath) {
        var random = SplitMix64(seed: 77)
        for _ in 0..<150 {
            let bytes = Self.text(&random)
            let limit = Bool.random(using: &random) ? 12 : 1000
            let whole = Pieces(bytes, format: format, at: path, maximumRecordSize: limit)
            for size in [1, 2, 5, 17] {
                let pulled = Pieces(
                    bytes, format: format, chunkSize: size, at: path, readSize: 256 << 10, maximumRecordSize: limit)
                let pushed = Pieces(pushing: bytes, format: format, pieceSize: size, at: path, maximumRecordSize: limit)
                guard !pulled.isEqual(whole) || !pushed.isEqual(whole) else { continue }
                Issue.record(
                    "\(String(decoding: bytes, as: UTF8.self).debugDescription), pieces of \(size): \(pulled), \(pushed), whole: \(whole)"
                )
                return
            }
        }
    }

    @Test(
        arguments: [JSONFeedFormat.automatic, .lines, .object, .concatenated, .sequence, .array],
        ["", "i", "*.i", "[0]", "[0].i"] as [JSONRecordPath])
    func readingGoesOnFromAnyCheckpointOfGarbage(_ format: JSONFeedFormat, _ path: JSONRecordPath) throws {
        var random = SplitMix64(seed: 78)
        for _ in 0..<100 {
            let bytes = Self.text(&random)
            guard try expectTheSameFromAnyCheckpoint(of: bytes, format, path) else { return }
        }
    }

    /// Found by the fuzzer of feeds: a token of more than 64 bytes that is not allowed in its place was a document that could not be
    /// followed, or the end of the input in the middle of it.
    @Test(arguments: ["5", "true", "\"x", "\"\\"])
    func aLongTokenThatIsNotAllowedIsTheSameErrorHoweverItsBytesCome(_ start: String) {
        for count in [0, 1, 10, 58, 59, 60, 61, 62, 63, 64, 65, 66, 100] {
            let token = start + String(repeating: "5", count: count) + (start.hasPrefix("\"") ? "\"" : "")
            for text in [
                "{\"e\":1,\"a\":\t[{\"x y\" \(token):128,\"i\":[[\"1.50\"]]}],\"b\":\"(})\"}",
                "{\"a\" \(token)", "{\"a\":[] \(token)\n{}\n",
            ] {
                let bytes = Array(text.utf8)
                for format in [JSONFeedFormat.automatic, .concatenated, .object] {
                    let whole = Pieces(bytes, format: format, at: "a[*].i")
                    #expect(!whole.errors.contains { "\($0)".contains("cannot be followed") }, "\(text): \(whole)")
                    for size in [1, 2, 7, 64] {
                        let pulled = Pieces(bytes, format: format, chunkSize: size, at: "a[*].i", readSize: 256 << 10)
                        let pushed = Pieces(pushing: bytes, format: format, pieceSize: size, at: "a[*].i")
                        #expect(pulled.isEqual(whole), "\(text), chunks of \(size): \(pulled), whole: \(whole)")
                        #expect(pushed.isEqual(whole), "\(text), pieces of \(size): \(pushed), whole: \(whole)")
                    }
                }
            }
        }
    }

    /// A parser that has read one document accepts an unterminated string after it (P29).
    @Test(
        arguments: [JSONFeedFormat.automatic, .lines, .concatenated, .sequence],
        ["i", "*.i", "[0]", "[0].i"] as [JSONRecordPath])
    func anUnterminatedStringIsTheSameErrorAfterAnyDocument(_ format: JSONFeedFormat, _ path: JSONRecordPath) throws {
        var random = SplitMix64(seed: 79)
        for text in ["\"\"", "{\"i\":[1]}", "[{\"i\":[2]}]", "null"] {
            let mark = format == .sequence ? "\u{1E}" : ""
            let bytes = Array("\(mark)\(text)\n\(mark)  \"on0}]".utf8)
            guard try expectTheSameFromAnyCheckpoint(of: bytes, format, path) else { return }
            let error = CheckpointTests.run(RecordSplitter(source: BytesSource(bytes), format: format, at: path), limit: 60)
            #expect("\(error)".contains("the rest of the string"), "\(error)")
        }
        for _ in 0..<40 {
            let bytes = Self.text(&random) + Array("\n  \"on0}]".utf8)
            guard try expectTheSameFromAnyCheckpoint(of: bytes, format, path) else { return }
        }
    }

    /// Returns false after an issue.
    private func expectTheSameFromAnyCheckpoint(
        of bytes: [UInt8], _ format: JSONFeedFormat, _ path: JSONRecordPath
    ) throws -> Bool {
        let whole = CheckpointTests.run(RecordSplitter(source: BytesSource(bytes), format: format, at: path), limit: 60)
        for (index, checkpoint) in whole.checkpoints.enumerated() {
            var rest = RecordSplitter(source: BytesSource(bytes, chunkSize: 3), format: format, at: path)
            try rest.resume(from: checkpoint, totalBytes: bytes.count)
            let found = CheckpointTests.run(rest, limit: 60).events.prefix(whole.events.count - index)
            guard Array(found) != Array(whole.events[index...]) else { continue }
            Issue.record(
                "\(String(decoding: bytes, as: UTF8.self).debugDescription) after \(index): \(found), not \(whole.events[index...])"
            )
            return false
        }
        return true
    }
}
