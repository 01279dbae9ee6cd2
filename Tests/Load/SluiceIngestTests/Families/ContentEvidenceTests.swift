#if SQLite
import SluiceCore
import SluiceFeed
import SluiceTestSupport
import Testing

@testable import SluiceIngest

/// What a checkpoint keeps of a text is the same after it was stored.
@Suite struct ContentEvidenceTests {
    private func evidence(_ random: inout SplitMix64, marks count: Int) -> ContentEvidence {
        let key = ContentDigest.Key(random.next(), random.next())
        var last = ContentDigest(key)
        update(&last, (0..<count).map { UInt8(truncatingIfNeeded: $0) })
        let beginning = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let marks = (0..<count).map { ContentEvidence.Mark(length: 16 << $0, digest: random.next()) }
        // Beyond 2⁵³, a number is no longer exact if it passes through a double.
        let file = FileStamp(
            path: "logs/ä \"b\"\n.ndjson", device: random.next(), inode: .max, size: 9_007_199_254_740_993,
            changed: 1_764_547_200_123_456_789, modified: 1_764_547_199_987_654_321)
        return ContentEvidence(
            key: key, marks: marks, last: last, beginning: beginning, length: (marks.last?.length ?? 0) + 7 + count, file: file)
    }

    @Test func evidenceIsTheSameAfterItsJSON() throws {
        var random = SplitMix64(seed: 7)
        for count in 0...ContentEvidence.mostMarks {
            var evidence = evidence(&random, marks: count)
            for number in 0..<16 {
                (evidence.isCompressed, evidence.isEnded) = (number & 1 != 0, number & 2 != 0)
                evidence.missingSince = number & 4 != 0 ? 1_764_547_200 : nil
                evidence.isMissingReported = number & 8 != 0
                let text = try evidence.json.jsonString()
                let restored = try ContentEvidence(json: JSONValue(json: text))
                #expect(restored == evidence, "\(text)")
            }
        }
    }

    @Test func whatIsNoEvidenceIsNotTakenForIt() throws {
        var random = SplitMix64(seed: 8)
        let made = evidence(&random, marks: 3)
        let whole = try #require(made.json.object)
        #expect(ContentEvidence(json: .object(whole)) != nil)
        let needed = [
            "key", "lengths", "digests", "last", "beginning", "length", "file", "device", "inode", "size", "changed", "modified",
        ]
        for missing in needed {
            try #require(whole.members.contains { $0.key == missing })
            let members = whole.members.filter { $0.key != missing }
            #expect(ContentEvidence(json: .object(JSONObject(members))) == nil, "without \(missing)")
        }
        /// The evidence with another value.
        func changed(_ key: String, _ value: JSONValue) -> JSONValue {
            .object(JSONObject(whole.members.map { ($0.key, $0.key == key ? value : $0.value) }))
        }
        for (key, value) in [
            ("key", "x"), ("last", "1.2"), ("device", "-"), ("inode", "g"), ("lengths", "16"), ("size", "7"),
            ("beginning", "AA=="),
        ] {
            #expect(ContentEvidence(json: changed(key, .string(value))) == nil, "\(key) is \(value)")
        }
        // More text than was read, and lengths in another order, are damage.
        for lengths in [[16, 32, 1 << 40], [32, 16, 64]] as [[Int]] {
            let numbers = JSONValue.array(lengths.map { .number(JSONNumber($0)) })
            #expect(ContentEvidence(json: changed("lengths", numbers)) == nil, "\(lengths)")
        }
        #expect(ContentEvidence(json: nil) == nil)
        #expect(ContentEvidence(json: .null) == nil)
        #expect(ContentEvidence(json: [:]) == nil)
    }

    /// A checkpoint of the first records of a text.
    private func checkpoint(_ text: String, records: Int) throws -> StoredCheckpoint {
        let feed = JSONFeed<JSONValue>(bytes: Array(text.utf8))
        for _ in 0..<records { _ = try feed.next() }
        return StoredCheckpoint(feed: feed.checkpoint)
    }

    private func entry(_ checkpoint: StoredCheckpoint?) -> SinkCheckpoint {
        SinkCheckpoint(
            input: "/logs/app.ndjson%#1", version: CheckpointVersion(table: "records"), checkpoint: checkpoint, isHeld: false)
    }

    @Test func aCheckpointKeepsItsEvidence() throws {
        var random = SplitMix64(seed: 9)
        var checkpoint = try checkpoint(lines(1...3), records: 2)
        #expect(StoredCheckpoint(text: checkpoint.text)?.evidence == nil)
        checkpoint.evidence = evidence(&random, marks: 4)
        let restored = try #require(StoredCheckpoint(text: checkpoint.text))
        #expect(restored == checkpoint)
        #expect(restored.evidence != nil)
    }

    /// A checkpoint at 0 would fit every file.
    @Test func nothingReadIsNoIdentity() throws {
        #expect(KnownInput(entry(nil)) == nil)
        let beginning = try checkpoint(lines(1...3), records: 0)
        #expect(KnownInput(entry(beginning)) == nil)
        let first = try checkpoint(lines(1...3), records: 1)
        let known = try #require(KnownInput(entry(first)))
        #expect(known.identity == "/logs/app.ndjson%#1")
        #expect(known.length > 0)
        #expect(!known.tests.isEmpty)
    }
}
#endif
