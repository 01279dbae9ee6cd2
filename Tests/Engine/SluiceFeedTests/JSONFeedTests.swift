import Foundation
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceFeed

@Suite struct JSONFeedTests {
    typealias Numbers = [String: Int]

    private static let text = "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n"
    private static let records: [Numbers] = [["a": 1], ["a": 2], ["a": 3]]

    /// A file for the duration of a test.
    private func withFile<Result>(_ text: String, _ body: (String) throws -> Result) throws -> Result {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString).json")
        try Data(text.utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        return try body(url.path)
    }

    @Test func bytesAreRead() {
        let feed = JSONFeed<Numbers>(bytes: Array(Self.text.utf8))
        #expect(feed.totalBytes == 24)
        #expect(feed.consumedBytes == 0)
        let outcome = FeedOutcome(of: feed)
        #expect(outcome.records == Self.records)
        #expect(outcome.accepted == 3)
        #expect(outcome.consumedBytes == 24)
        #expect(outcome.format == .lines)
    }

    @Test func fileIsRead() throws {
        try withFile(Self.text) { path in
            let feed = try JSONFeed<Numbers>(path: path)
            #expect(feed.totalBytes == 24)
            #expect(FeedOutcome(of: feed).records == Self.records)
        }
    }

    @Test func fileIsReadAsAnArray() throws {
        try withFile("[" + Self.text.split(separator: "\n").joined(separator: ",\n") + "]") { path in
            let outcome = FeedOutcome(of: try JSONFeed<Numbers>(path: path))
            #expect(outcome.records == Self.records)
            #expect(outcome.format == .array)
        }
    }

    @Test func fileIsClosedWithItsFeed() throws {
        let before = try openDescriptors()
        try withFile(Self.text) { path in
            for _ in 0..<64 {
                let feed = try JSONFeed<Numbers>(path: path)
                #expect(try feed.next() == ["a": 1])
            }
        }
        // Other tests open files at the same time, but not 64.
        #expect(try openDescriptors() < before + 60)
    }

    private func openDescriptors() throws -> Int {
        #if os(Linux)
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        #else
        try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count
        #endif
    }

    @Test func pipeIsRead() throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(Self.text.utf8))
        try pipe.fileHandleForWriting.close()
        let feed = JSONFeed<Numbers>(descriptor: pipe.fileHandleForReading.fileDescriptor)
        #expect(feed.totalBytes == nil)
        #expect(FeedOutcome(of: feed).records == Self.records)
    }

    @Test func recordOfAPipeIsThereBeforeThePipeIsClosed() throws {
        let pipe = Pipe()
        let feed = JSONFeed<Numbers>(descriptor: pipe.fileHandleForReading.fileDescriptor, options: .init(format: .lines))
        for number in 1...3 {
            try pipe.fileHandleForWriting.write(contentsOf: Data("{\"a\":\(number)}\n".utf8))
            #expect(try feed.next() == ["a": number])
        }
        try pipe.fileHandleForWriting.close()
        #expect(try feed.next() == nil)
    }

    @Test func absentFileIsAnInputOutputError() {
        let error = #expect(throws: JSONError.self) { try JSONFeed<Numbers>(path: "no/such/file.json") }
        #expect(error?.kind == .inputOutput)
        #expect(error?.description == "input/output error: cannot open no/such/file.json: No such file or directory")
    }

    @Test func directoryIsAnInputOutputError() {
        let folder = FileManager.default.temporaryDirectory.path
        let error = #expect(throws: JSONError.self) { try JSONFeed<Numbers>(path: folder) }
        #expect(error?.kind == .inputOutput)
        #expect(error?.found == "cannot read \(folder): Is a directory")
    }

    @Test func closedDescriptorIsAnInputOutputError() {
        let feed = JSONFeed<Numbers>(descriptor: -1)
        let error = #expect(throws: JSONError.self) { try feed.next() }
        #expect(error?.kind == .inputOutput)
        #expect(throws: Never.self) { try feed.next() }
    }

    @Test func nextStaysNilAfterTheEnd() throws {
        let feed = JSONFeed<Numbers>(bytes: Array(Self.text.utf8))
        for _ in 0..<3 { #expect(try feed.next() != nil) }
        for _ in 0..<3 { #expect(try feed.next() == nil) }
        #expect(feed.acceptedCount == 3)
    }

    @Test(arguments: ["", " \n", "\u{FEFF}", "[]", "[ ]\n"]) func emptyFeedHasNoRecordsAndNoErrors(_ text: String) {
        let outcome = FeedOutcome<Numbers>(text)
        #expect(outcome.records == [])
        #expect(outcome.errors == [])
        #expect(outcome.consumedBytes == text.utf8.count)
    }

    @Test func recordsAreAnAsynchronousSequence() async throws {
        let feed = JSONFeed<Numbers>(bytes: Array(Self.text.utf8))
        var records: [Numbers] = []
        for try await record in feed.records { records.append(record) }
        #expect(records == Self.records)
        #expect(feed.acceptedCount == 3)
    }

    @Test func asynchronousSequenceThrowsAndGoesOn() async throws {
        let feed = JSONFeed<Numbers>(bytes: Array("{\"a\":1}\n{\"a\":\n{\"a\":3}".utf8))
        var iterator = feed.records.makeAsyncIterator()
        #expect(try await iterator.next() == ["a": 1])
        do {
            _ = try await iterator.next()
            Issue.record("the second record is damaged")
        } catch let error as JSONError {
            #expect(error.line == 2)
        }
        #expect(try await iterator.next() == ["a": 3])
        #expect(try await iterator.next() == nil)
    }

    @Test func cancelledTaskStopsBetweenRecords() async throws {
        let task = Task {
            let feed = JSONFeed<Numbers>(bytes: Array(Self.text.utf8))
            do {
                for try await _ in feed.records {
                    unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                }
            } catch is CancellationError {
                return feed.acceptedCount
            }
            return -1
        }
        #expect(try await task.value == 1)
    }

    @Test(.enabled(if: Corpus.isPresent)) func elementsOfACorpusFileAreItsRecords() throws {
        let bytes = try Corpus.bytes("github_events.json")
        let whole = try [JSONValue](json: bytes)
        let feed = FeedOutcome(of: JSONFeed<JSONValue>(bytes: bytes))
        #expect(feed.format == .array)
        #expect(feed.records == whole)
        let lines = try whole.map { try $0.jsonString() }.joined(separator: "\n")
        #expect(FeedOutcome<JSONValue>(lines).records == whole)
        #expect(FeedOutcome<JSONValue>(lines.replacing("\n", with: "")).records == whole)
    }
}
