#if SQLite
import SluiceCore
import SluiceFeed
import SluiceTestSupport
import Testing

@testable import SluiceIngest

/// The text of a log while it is read: it ends where a look says, and its digests are right however it comes.
@Suite struct MemberTextTests {
    private static let key = ContentDigest.Key(50, 1)
    private static let text = Array(lines(1...60).utf8)

    private func member(end: Int? = nil, isEnded: Bool = false) -> LogMember {
        LogMember(
            file: FileStamp(path: "logs/app.ndjson", device: 1, inode: 2, size: Self.text.count, changed: 3, modified: 4),
            openPath: "logs/app.ndjson", identity: "/logs/app.ndjson%#1", checkpoint: nil, end: end, isCompressed: false,
            isEnded: isEnded, key: Self.key)
    }

    private func open(
        _ source: any ByteSource, from position: Int = 0, to end: Int? = nil, after evidence: ContentEvidence? = nil
    ) -> MemberText {
        MemberText(source, from: position, to: end, after: evidence, key: Self.key)
    }

    /// Reads all that a text gives.
    @discardableResult
    private func read(_ text: MemberText, room: Int = 4_096) throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: room)
        var bytes: [UInt8] = []
        while true {
            let count = try unsafe buffer.withUnsafeMutableBytes { try unsafe text.fill($0) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// Checks evidence of a text: its digests are those of the text and of its beginnings, whose lengths at most double.
    private func check(
        _ evidence: ContentEvidence, of text: [UInt8], _ comment: @autoclosure () -> Comment,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let lengths = evidence.marks.map(\.length)
        #expect(evidence.length == text.count, comment(), sourceLocation: sourceLocation)
        #expect(lengths.last == text.count, comment(), sourceLocation: sourceLocation)
        #expect(lengths.first ?? 0 <= ContentEvidence.shortest, comment(), sourceLocation: sourceLocation)
        let isDoubling = zip(lengths, lengths.dropFirst()).allSatisfy { $0 < $1 && $1 <= 2 * $0 }
        #expect(isDoubling, comment(), sourceLocation: sourceLocation)
        #expect(lengths.count <= ContentEvidence.mostMarks, comment(), sourceLocation: sourceLocation)
        for mark in evidence.marks {
            #expect(mark.digest == sipHash13(text.prefix(mark.length), Self.key), comment(), sourceLocation: sourceLocation)
        }
        let beginning = (1...min(text.count, 1_024)).map { UInt8(truncatingIfNeeded: sipHash13(text.prefix($0), Self.key)) }
        #expect(evidence.beginning == beginning, comment(), sourceLocation: sourceLocation)
        #expect(evidence.last.count == text.count, comment(), sourceLocation: sourceLocation)
        #expect(evidence.last.value == evidence.marks.last?.digest, comment(), sourceLocation: sourceLocation)
    }

    @Test func theDigestsDoNotDependOnHowTheTextIsCut() throws {
        let whole = open(BytesSource(Self.text))
        #expect(try read(whole) == Self.text)
        let expected = whole.evidence(upTo: nil, of: member())
        check(expected, of: Self.text, "the whole text")
        for cut in 0...Self.text.count {
            let text = open(CutSource(Self.text, cut: cut))
            #expect(try read(text) == Self.text)
            #expect(text.evidence(upTo: nil, of: member()) == expected, "cut at \(cut)")
        }
        for size in [1, 2, 3, 7, 15, 16, 17, 64, 255, 1_023, 1_024, 1_025] {
            let text = open(BytesSource(Self.text, chunkSize: size))
            #expect(try read(text) == Self.text)
            #expect(text.evidence(upTo: nil, of: member()) == expected, "pieces of \(size)")
            let other = open(BytesSource(Self.text))
            #expect(try read(other, room: size) == Self.text)
            #expect(other.evidence(upTo: nil, of: member()) == expected, "room for \(size)")
        }
    }

    @Test func theTextEndsWhereTheLookSays() throws {
        for end in 0...Self.text.count {
            let text = open(BytesSource(Self.text, chunkSize: 100), to: end)
            #expect(try read(text) == Array(Self.text[..<end]))
            guard end > 0 else { continue }
            check(text.evidence(upTo: nil, of: member(end: end)), of: Array(Self.text[..<end]), "\(end) bytes")
        }
    }

    /// The digests go on where an earlier run ended, though reading begins somewhere before that.
    @Test func aTextThatIsReadInTwoRunsHasTheDigestsOfOne() throws {
        let whole = open(BytesSource(Self.text))
        try read(whole)
        let expected = whole.evidence(upTo: nil, of: member())
        for end in 1...Self.text.count {
            let first = open(BytesSource(Self.text), to: end)
            try read(first)
            let earlier = first.evidence(upTo: nil, of: member(end: end))
            for start in [0, end / 2, max(0, end - 256), end] {
                let second = open(BytesSource(Array(Self.text[start...])), from: start, after: earlier)
                #expect(try read(second) == Array(Self.text[start...]))
                let evidence = second.evidence(upTo: nil, of: member())
                let comment: Comment = "read up to \(end), then from \(start)"
                #expect(evidence.marks.filter { $0.length >= ContentEvidence.shortest } == expected.marks, comment)
                #expect((evidence.last, evidence.length) == (expected.last, expected.length), comment)
                #expect(evidence.beginning == expected.beginning, comment)
            }
        }
    }

    /// A batch ends after a record, and more of the text has been read by then.
    @Test func whatIsKnownAtTheEndOfABatchIsRight() throws {
        let text = open(BytesSource(Self.text))
        try read(text)
        for (index, byte) in Self.text.enumerated() where byte == UInt8(ascii: "\n") {
            let length = index + 1
            let evidence = text.evidence(upTo: length, of: member())
            #expect(evidence.length == length)
            #expect(evidence.last.count <= length)
            for mark in evidence.marks {
                #expect(mark.length <= length)
                #expect(mark.digest == sipHash13(Self.text[..<mark.length], Self.key))
            }
            #expect(evidence.last.value == sipHash13(Self.text[..<evidence.last.count], Self.key))
            // A run that is killed now goes on from there.
            let next = open(BytesSource(Self.text), after: evidence)
            try read(next)
            check(next.evidence(upTo: nil, of: member()), of: Self.text, "after \(length) bytes")
        }
    }

    @Test func aTextThatEndsInALineIsKnownToEndThereOnlyIfItWasTakenAsWhole() throws {
        let bytes = Array("{\"id\":1}\n{\"id\":2}".utf8)
        let broken = bytes + [UInt8(ascii: "\n")]
        for (text, isEnded, expected) in [(bytes, true, true), (bytes, false, false), (broken, true, false)] {
            let opened = open(BytesSource(text))
            try read(opened)
            #expect(opened.evidence(upTo: nil, of: member(isEnded: isEnded)).isEnded == expected)
            // The run stopped after the first record.
            #expect(!opened.evidence(upTo: 9, of: member(isEnded: isEnded)).isEnded)
        }
    }

    @Test func evidenceNamesTheFileThatWasRead() throws {
        let text = open(BytesSource(Self.text))
        try read(text)
        let evidence = text.evidence(upTo: nil, of: member())
        #expect(evidence.file == member().file.absolute)
        #expect(evidence.key == Self.key)
        #expect(evidence.missingSince == nil && !evidence.isMissingReported && !evidence.isCompressed)
    }

    /// Far into a text, the digests of its shortest beginnings are given up for newer ones.
    @Test func thereAreNeverMoreThan32Digests() throws {
        let length = 16 << 32
        let marks = (0...32).map { ContentEvidence.Mark(length: 16 << $0, digest: UInt64($0)) }
        let last = try #require(ContentDigest(text: "1.2.3.4.0.\(String(length, radix: 16))"))
        let earlier = ContentEvidence(
            key: Self.key, marks: marks, last: last, beginning: [UInt8](repeating: 7, count: 1_024), length: length,
            file: member().file)
        let text = open(BytesSource(Self.text), from: length, after: earlier)
        try read(text)
        let evidence = text.evidence(upTo: nil, of: member())
        #expect(evidence.marks.count == ContentEvidence.mostMarks)
        #expect(evidence.marks.last?.length == length + Self.text.count)
        var expected = last
        update(&expected, Self.text)
        #expect(evidence.marks.last?.digest == expected.value)
        #expect(evidence.last == expected)
        #expect(Array(evidence.marks.dropLast()) == Array(marks.suffix(31)))
    }

    @Test func theDigestsOfALongTextAreThoseOfDoublingLengths() throws {
        var random = SplitMix64(seed: 3)
        let bytes = (0..<(3 << 20) + 5).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let text = open(BytesSource(bytes, chunkSize: 100_003))
        try read(text, room: 128 << 10)
        let evidence = text.evidence(upTo: nil, of: member())
        #expect(evidence.marks.map(\.length) == (4...21).map { 1 << $0 } + [bytes.count])
        for mark in evidence.marks {
            var digest = ContentDigest(Self.key)
            update(&digest, bytes.prefix(mark.length))
            #expect(mark.digest == digest.value, "\(mark.length) bytes")
        }
    }
}
#endif
