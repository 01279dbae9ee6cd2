import Foundation
import SluiceCore
import SluiceTestSupport
import Synchronization
import Testing

@testable import SluiceFeed

/// Feeds that tasks read.
@Suite struct AsyncFeedTests {
    typealias Numbers = [String: Int]

    /// Everything that can be seen of a feed, as a task sees it.
    private func trace<Records: AsyncSequence>(_ feed: JSONFeed<Numbers>, _ records: Records) async -> FeedTrace
    where Records.Element == Numbers {
        var trace = FeedTrace()
        var iterator = records.makeAsyncIterator()
        while true {
            let words: String
            do {
                guard let record = try await iterator.next() else { break }
                words = "\(record.sorted { $0.key < $1.key })"
            } catch {
                words = "\(error)"
            }
            trace.steps.append(words + FeedTrace.state(of: feed))
        }
        trace.finish(feed)
        return trace
    }

    /// A number that several tasks change.
    private final class Count: Sendable {
        private let number = Mutex(0)

        var value: Int { number.withLock { $0 } }

        func add() { number.withLock { $0 += 1 } }
    }

    /// Pieces of bytes, as a server gives them.
    private func pieces(_ bytes: [UInt8], _ size: Int) -> AsyncStream<ArraySlice<UInt8>> {
        AsyncStream { continuation in
            for start in stride(from: 0, to: bytes.count, by: size) {
                continuation.yield(bytes[start..<min(start + size, bytes.count)])
            }
            continuation.finish()
        }
    }

    @Test(arguments: FaultyFeedTests.feeds) func tasksSeeWhatOthersSee(_ sample: (text: String, format: JSONFeedFormat))
        async throws
    {
        for text in [sample.text, sample.text.replacing("22", with: "\"x\""), sample.text + "?"] {
            for format in [sample.format, .automatic] {
                let bytes = Array(text.utf8)
                let options = JSONFeed<Numbers>.Options(format: format)
                let serial = FeedTrace(JSONFeed<Numbers>(bytes: bytes, options: options))
                let read = JSONFeed<Numbers>(bytes: bytes, options: options)
                #expect(await trace(read, read.records) == serial)
                let parallel = try JSONFeed<Numbers>(bytes: bytes, options: options).parallel(workers: 2)
                #expect(await trace(parallel, parallel.records) == serial)
                for size in [1, 2, 7, 1000] {
                    let pushed = JSONFeedParser<Numbers>(options: options)
                    #expect(await trace(pushed.feed, pushed.records(from: pieces(bytes, size))) == serial)
                }
            }
        }
    }

    /// Bytes one at a time, as `URLSession.AsyncBytes` gives them.
    private func single(_ bytes: [UInt8]) -> AsyncStream<UInt8> {
        AsyncStream { continuation in
            for byte in bytes { continuation.yield(byte) }
            continuation.finish()
        }
    }

    @Test(arguments: FaultyFeedTests.feeds) func bytesComeOneAtATime(_ sample: (text: String, format: JSONFeedFormat))
        async throws
    {
        for text in [sample.text, sample.text.replacing("22", with: "\"x\""), sample.text + "?"] {
            let bytes = Array(text.utf8)
            let options = JSONFeed<Numbers>.Options(format: sample.format)
            let serial = FeedTrace(JSONFeed<Numbers>(bytes: bytes, options: options))
            let pushed = JSONFeedParser<Numbers>(options: options)
            #expect(await trace(pushed.feed, pushed.records(from: single(bytes))) == serial)
        }
    }

    @Test func aRecordDoesNotWaitForTheNext() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: UInt8.self)
        let feed = JSONFeedParser<Numbers>(options: .init(format: .array))
        var records = feed.records(from: stream).makeAsyncIterator()
        for byte in "[{\"a\":1}".utf8 { continuation.yield(byte) }
        #expect(try await records.next() == ["a": 1])
        for byte in ",{\"a\":2}]".utf8 { continuation.yield(byte) }
        #expect(try await records.next() == ["a": 2])
        continuation.finish()
        #expect(try await records.next() == nil)
    }

    @Test func theRecordsOfAFileAreSendable() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID()).ndjson")
        try Data("{\"a\":1}\n{\"a\":2}\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let records = JSONFeed<Numbers>.records(path: file.path)
        let sums = (0..<4).map { _ in Task { try await records.reduce(0) { $0 + ($1["a"] ?? 0) } } }
        for sum in sums { #expect(try await sum.value == 3) }
        let missing = JSONFeed<Numbers>.records(path: file.path + ".none")
        await #expect(throws: JSONError.self) { for try await _ in missing {} }
    }

    @Test func batchesHoldAllRecords() async throws {
        let bytes = Array((0..<10).map { "{\"a\":\($0)}\n" }.joined().utf8)
        var batches: [[Int?]] = []
        for try await batch in JSONFeed<Numbers>(bytes: bytes).batches(of: 4) { batches.append(batch.map { $0["a"] }) }
        #expect(batches == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]])
        batches = []
        for try await batch in JSONFeedParser<Numbers>().batches(of: 3, from: pieces(bytes, 5)) {
            batches.append(batch.map { $0["a"] })
        }
        #expect(batches == [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9]])
    }

    @Test func recordsBeforeAnErrorComeInABatch() async throws {
        let bytes = Array("{\"a\":1}\n{\"a\":2}\n{\"a\":\n{\"a\":4}\n".utf8)
        var iterator = JSONFeed<Numbers>(bytes: bytes).batches(of: 10).makeAsyncIterator()
        #expect(try await iterator.next()?.count == 2)
        await #expect(throws: JSONError.self) { try await iterator.next() }
        #expect(try await iterator.next() == [["a": 4]])
        #expect(try await iterator.next() == nil)
    }

    @Test func errorOfThePiecesIsThrownAsItIs() async throws {
        struct Lost: Error {}
        let stream = AsyncThrowingStream<[UInt8], any Error> { continuation in
            continuation.yield(Array("{\"a\":1}\n{\"a\"".utf8))
            continuation.finish(throwing: Lost())
        }
        let feed = JSONFeedParser<Numbers>(options: .init(format: .lines))
        var count = 0
        await #expect(throws: Lost.self) { for try await _ in feed.records(from: stream) { count += 1 } }
        #expect(count == 1)
        #expect(!feed.isFinished)
    }

    /// All threads of the pool would be blocked by two feeds that read where they are awaited.
    @Test func tasksRunWhileFeedsWaitForSlowPipes() async throws {
        let pipes = (0..<2 * ProcessInfo.processInfo.activeProcessorCount).map { _ in Pipe() }
        let waiting = Count()
        let readers = pipes.enumerated().map { index, pipe in
            Task { () throws -> Int in
                let feed = JSONFeed<Numbers>(descriptor: pipe.fileHandleForReading.fileDescriptor, options: .init(format: .lines))
                if index % 2 == 1 { try feed.parallel(workers: 1) }
                waiting.add()
                var sum = 0
                for try await record in feed.records { sum += record["a"] ?? 0 }
                return sum
            }
        }
        // The heart beats while all feeds wait: nothing has been written yet.
        let heart = Task {
            var beats = 0
            while beats < 100 || waiting.value < pipes.count {
                await Task.yield()
                beats += 1
            }
            return beats
        }
        #expect(await heart.value >= 100)
        for pipe in pipes {
            try pipe.fileHandleForWriting.write(contentsOf: Data("{\"a\":1}\n{\"a\":2}\n".utf8))
            try pipe.fileHandleForWriting.close()
        }
        for reader in readers { #expect(try await reader.value == 3) }
    }

    @Test(arguments: [false, true]) func cancelledTaskDoesNotWaitForThePipe(_ isParallel: Bool)
        async throws
    {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("{\"a\":1}\n".utf8))
        let seen = Count()
        let task = Task { () throws -> Int in
            let feed = JSONFeed<Numbers>(descriptor: pipe.fileHandleForReading.fileDescriptor, options: .init(format: .lines))
            if isParallel { try feed.parallel(workers: 2) }
            do {
                for try await _ in feed.records { seen.add() }
            } catch is CancellationError {
                return feed.acceptedCount
            }
            return -1
        }
        while seen.value == 0 { await Task.yield() }
        task.cancel()
        #expect(try await task.value == 1)
        try pipe.fileHandleForWriting.close()
    }

    @Test func feedIsReadOnAfterACancelledTask() async throws {
        let bytes = Array((0..<10).map { "{\"a\":\($0)}\n" }.joined().utf8)
        let task = Task { () throws -> [Int] in
            let feed = JSONFeed<Numbers>(bytes: bytes)
            var numbers: [Int] = []
            do {
                for try await record in feed.records {
                    numbers.append(record["a"] ?? -1)
                    if numbers.count == 4 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
                }
            } catch is CancellationError {}
            while let record = try feed.next() { numbers.append(record["a"] ?? -1) }
            return numbers
        }
        #expect(try await task.value == Array(0..<10))
    }

    @Test func threadIsHeldBackByASlowTask() async throws {
        final class Endless: BufferSource {
            private let bytes = Mutex(0)
            let line = Array("{\"a\":1}\n".utf8)

            var count: Int { bytes.withLock { $0 } }

            func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
                let lines = min(buffer.count / 8, 10_000)
                for index in 0..<lines {
                    unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[(index * 8)...]).copyBytes(from: line)
                }
                bytes.withLock { $0 += lines * 8 }
                return lines * 8
            }
        }
        let source = Endless()
        let feed = JSONFeed<Numbers>(source: source, options: .init(format: .lines))
        var count = 0
        for try await record in feed.records {
            #expect(record == ["a": 1])
            count += 1
            if count == 50_000 { break }
        }
        // What was used, two pieces ahead, one that is being used, and one that is read.
        #expect(source.count <= 50_000 * 8 + 4 * 80_000)
    }
}
