import SluiceCore
import SluiceTestSupport
import Synchronization
import Testing

@testable import SluiceFeed

/// Feeds that share a file of rejects: each rejected record is a line of its own, also one that comes in pieces.
@Suite struct SharedRejectsTests {
    typealias Feed = JSONFeed<Int>

    private func feed(_ rejects: JSONRejects) -> JSONFeedParser<Int> {
        JSONFeedParser(options: .init(format: .lines, invalidRecords: .rejects(rejects), maximumRecordSize: 100))
    }

    private func text(_ rejects: JSONRejects) -> String {
        rejects.withSink { String(decoding: ($0 as? [UInt8]) ?? [], as: UTF8.self) }
    }

    /// A line that is too long, in which a piece that is lost or misplaced is seen.
    private func long(_ letter: Character, _ count: Int = 500) -> String {
        "\(letter)" + (0..<count / 4).map { "\(letter)\(100 + $0)" }.joined()
    }

    private func append(_ text: some StringProtocol, to feed: JSONFeedParser<Int>) throws {
        feed.append(Array(text.utf8))
        while try feed.next() != nil {}
    }

    @Test func recordInPiecesIsNotMixedWithThatOfAnotherFeed() throws {
        let rejects = JSONRejects(to: [UInt8]())
        let (first, second) = (feed(rejects), feed(rejects))
        try append(long("a").prefix(300), to: first)
        try append("x\n7\ny\n", to: second)
        try append(long("a").dropFirst(300) + "\n", to: first)
        #expect(text(rejects) == "\(long("a"))\nx\ny\n")
        #expect(rejects.count == 3)
        try append("z\n", to: second)
        #expect(text(rejects) == "\(long("a"))\nx\ny\nz\n")
    }

    @Test(arguments: 1...20) func recordsOfManyFeedsAreAllWhole(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let rejects = JSONRejects(to: [UInt8]())
        var feeds = (0..<4).map { _ in feed(rejects) }
        var lines: [String] = []
        var texts: [Substring] = []
        for letter: Character in ["a", "b", "c", "d"] {
            let own = (0..<6).map { number in
                number % 2 == 0 ? long(letter, 200 + Int(random.next() % 900)) + "#\(number)" : "\(letter)#\(number)"
            }
            lines += own
            texts.append(Substring(own.joined(separator: "\n12\n") + (letter == "c" ? "" : "\n")))
        }
        while let index = texts.indices.filter({ !texts[$0].isEmpty }).randomElement(using: &random) {
            let count = 1 + Int(random.next() % 150)
            try append(texts[index].prefix(count), to: feeds[index])
            texts[index] = texts[index].dropFirst(count)
            guard texts[index].isEmpty else { continue }
            feeds[index].finish()
            while try feeds[index].next() != nil {}
        }
        #expect(text(rejects).split(separator: "\n").sorted() == lines.map { Substring($0) }.sorted())
        #expect(rejects.count == lines.count)
        feeds = []
        #expect(text(rejects).utf8.count == lines.reduce(0) { $0 + $1.utf8.count + 1 })
    }

    @Test func feedThatIsDroppedInsideARecordEndsItsLine() throws {
        let rejects = JSONRejects(to: [UInt8]())
        let second = feed(rejects)
        do {
            let first = feed(rejects)
            try append(long("a").prefix(300), to: first)
            try append("x\n", to: second)
            let third = feed(rejects)
            try append(long("b").prefix(300), to: third)
            #expect(rejects.count == 0)
            _ = (first, third)
        }
        try append("y\n", to: second)
        // Of the record that another feed's record was in the way of, nothing is written.
        let lines = text(rejects).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 4)
        #expect(lines.first.map { !$0.isEmpty && long("a").hasPrefix($0) } == true)
        #expect(lines.dropFirst() == ["x", "y", ""])
        #expect(rejects.count == 2)
    }

    @Test func feedWhoseSourceFailsInsideARecordEndsItsLine() throws {
        let rejects = JSONRejects(to: [UInt8]())
        let source = FaultySource(Array(long("a").utf8), chunkSize: 150, .failure, at: 3, isLasting: true)
        let first = Feed(
            source: source, options: .init(format: .lines, invalidRecords: .rejects(rejects), maximumRecordSize: 100))
        #expect(failure { () throws(JSONError) in try first.next() }?.kind == .inputOutput)
        let second = feed(rejects)
        try append("x\n", to: second)
        #expect(text(rejects).hasSuffix("\nx\n"))
        #expect(rejects.count == 1)
        _ = first
    }

    /// Fails at one call and then goes on.
    private struct StubbornSink: ByteSink, Sendable {
        var bytes: [UInt8] = []
        var callsLeft: Int

        mutating func write(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
            callsLeft -= 1
            if callsLeft == 0 { throw .inputOutput("the disk is full") }
            unsafe self.bytes.append(contentsOf: bytes)
        }
    }

    @Test(arguments: 1...8) func sinkThatFailsOnceLosesNoWaitingLine(_ call: Int) throws {
        let rejects = JSONRejects(to: StubbornSink(callsLeft: call))
        let (first, second) = (feed(rejects), feed(rejects))
        try? append(long("a").prefix(300), to: first)
        try? append("x\n", to: second)
        try? append(long("a").dropFirst(300) + "\n", to: first)
        let third = feed(rejects)
        try? append("y\n", to: third)
        while (try? append("z\n", to: feed(rejects))) == nil {}
        let lines = rejects.withSink { String(decoding: ($0 as? StubbornSink)?.bytes ?? [], as: UTF8.self) }.split(
            separator: "\n")
        for line in lines { #expect(long("a").contains(line) || line == "x" || line == "y" || line == "z") }
        #expect(lines.contains("z"))
    }

    @Test func feedsOfSeveralTasksWriteWholeLines() async throws {
        let rejects = JSONRejects(to: [UInt8]())
        await withTaskGroup(of: Void.self) { group in
            for letter in ["a", "b", "c", "d"] as [Character] {
                let line = long(letter, 5000)
                group.addTask {
                    let text = String(repeating: "\(line)\nx\n1\n", count: 20)
                    let feed = Feed(
                        source: BytesSource(Array(text.utf8), chunkSize: 61),
                        options: .init(format: .lines, invalidRecords: .rejects(rejects), maximumRecordSize: 100))
                    while (try? feed.next()) != nil {}
                }
            }
        }
        let lines = text(rejects).split(separator: "\n")
        #expect(lines.count == 160)
        #expect(rejects.count == 160)
        for letter in ["a", "b", "c", "d"] as [Character] {
            let line = long(letter, 5000)
            #expect(lines.count { $0 == line } == 20)
        }
        #expect(lines.count { $0 == "x" } == 80)
    }
}
