// Inputs that have changed between two runs: they grew, were packed anew, or were replaced by another file of the same name.

#if CommandLine && Compression
import Foundation
import SluiceCompression
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceFeed
@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

@Suite struct ChangedInputTests {
    private let scratch: Scratch
    private let file: String

    init() throws {
        scratch = try Scratch()
        file = scratch.path("log.ndjson.gz")
    }

    private func lines(_ numbers: some Sequence<Int>) -> [UInt8] { Array(numbers.map { "{\"a\":\($0)}\n" }.joined().utf8) }

    private func packed(_ text: [UInt8], _ format: CompressionFormat = .gzip, level: Int? = nil) throws -> [UInt8] {
        var sink = try CompressingSink(to: [UInt8](), format: format, level: level)
        try unsafe text.withUnsafeBytes { try unsafe sink.write($0) }
        try sink.finish()
        return sink.sink
    }

    private func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: file)) }

    private func ingest(_ change: (inout IngestSetup) -> Void = { _ in }) throws -> IngestReport {
        try scratch.ingest(file: file, change)
    }

    private func state() throws -> String? {
        try scratch.value("SELECT count(*) || ' ' || count(DISTINCT a) || ' ' || ifnull(max(a), '') FROM records")
    }

    private func storedCheckpoint() throws -> String? {
        try scratch.value("SELECT checkpoint FROM _sluice_checkpoints WHERE table_name <> ''")
    }

    /// Found by a history: a file that was shortened while a run read it, and then grew back to its old size, counted as read.
    @Test(arguments: [false, true]) func aFileThatShrankWhileItWasReadIsReadOnWhenItHasItsOldSizeAgain(isPacked: Bool) throws {
        func bytes(_ numbers: ClosedRange<Int>) throws -> [UInt8] { try isPacked ? packed(lines(numbers)) : lines(numbers) }
        let (first, second, other) = try (bytes(1...50), bytes(51...99), bytes(50...98))
        try #require(second.count == other.count)
        try write(first + second)
        let reading = FeedReading(compression: isPacked ? .automatic : .none)
        let opened = try OpenInput(.file(file), reading, interruption: Interruption())
        try FileHandle(forUpdating: URL(fileURLWithPath: file)).truncate(atOffset: UInt64(first.count))
        var splitter = try opened.splitter(maximumRecordSize: 1 << 20)
        var point = splitter.resumePoint
        while let slice = splitter.nextSlice() {
            point.enter(slice)
            unsafe slice.bytes.withUnsafeBytes { bytes in
                var records = unsafe FeedSliceReader(slice, bytes)
                while records.next() != nil { point.pass(records.entryIndex, end: records.end) }
            }
        }
        #expect(point.recordCount == 50)
        var stored = StoredCheckpoint(feed: opened.checkpoint(of: point, isComplete: true))
        stored.isComplete = true
        let checkpoint = stored
        let rest = { try checkpoint.rest(of: .file(file), reading, Interruption()) }
        #expect(try rest() == .nothing)
        try write(first + other)
        #expect(try rest() == .after(checkpoint))
    }

    @Test(arguments: [0, 1, 6, 9], [1, 2])
    func aFileThatWasPackedAnewIsReadOnWhereItsTextEnded(level: Int, workers: Int) throws {
        for format in [CompressionFormat.gzip, .zstd] {
            try? FileManager.default.removeItem(atPath: scratch.path("out.db"))
            try write(packed(lines(1...100), format))
            #expect(try ingest { $0.workers = workers }.stored == 100)
            try write(packed(lines(1...300), format, level: format == .zstd ? max(level, 1) : level))
            let report = try ingest { $0.workers = workers }
            #expect(report.stored == 200)
            #expect(report.rejected == 0)
            #expect(report.status == .success)
            #expect(try state() == "300 300 300")
            #expect(try ingest().outcome == .nothingToDo)
            // Members may follow.
            try write(packed(lines(1...300), format, level: 1) + packed(lines(301...303), format))
            #expect(try ingest { $0.workers = workers }.stored == 3)
            #expect(try state() == "303 303 303")
        }
    }

    @Test(arguments: [CompressionFormat.gzip, .zstd])
    func anotherFileOfTheSameNameIsRefusedAndItsCheckpointStays(_ format: CompressionFormat) throws {
        try write(packed(lines(1...300), format))
        _ = try ingest()
        let known = try storedCheckpoint()
        // The first is refused by its beginning, the second by the text before the checkpoint.
        for text in [lines(1000...1900), lines(1...280) + lines(1281...1900)] {
            try write(packed(text, format))
            do {
                let report = try ingest()
                #expect(report.status == .inputOutput)
                #expect(report.text().contains("another text; --restart reads it from its start, as another input"))
                #expect(report.stored == 0)
            } catch let error as IngestError {
                #expect(error.status == .inputOutput)
                #expect(error.commandLine.contains("--restart reads it from its start, as another input"))
            }
            #expect(try state() == "300 300 300")
            #expect(try storedCheckpoint() == known)
        }
    }

    @Test(arguments: [CompressionFormat.gzip, .zstd], [1, 2])
    func recordsBeforeDamageAreStoredAlsoIfItIsInTheSample(_ format: CompressionFormat, workers: Int) throws {
        let whole = try packed(lines(1...300), format)
        var damaged = whole
        if format == .gzip { damaged.removeLast(4) } else { damaged[damaged.count - 1] ^= 1 }
        try write(damaged)
        let report = try ingest { $0.workers = workers }
        #expect(report.status == .inputOutput)
        #expect(report.stored == 300)
        try write(whole)
        #expect(try ingest { $0.workers = workers }.status == .success)
        #expect(try state() == "300 300 300")
        // Without a record before it, nothing is stored.
        try FileManager.default.removeItem(atPath: scratch.path("out.db"))
        try write(Array(whole.prefix(11)))
        let error = #expect(throws: JSONError.self) { try ingest { $0.workers = workers } }
        #expect(error?.kind == .inputOutput)
    }

    @Test func anotherTextOfTheSameSizeIsNotTakenForTheSame() throws {
        try write(lines(100...399))
        _ = try ingest()
        #expect(try ingest().outcome == .nothingToDo)
        try write(lines(100...379) + lines(400...419))
        let report = try ingest()
        #expect(report.status == .inputOutput)
        #expect(try state() == "300 300 399")
    }

    @Test(arguments: [1, 2]) func aRangeIsReadOnOnlyAfterTheSameText(workers: Int) throws {
        func change(_ options: inout IngestSetup) {
            options.feed.range = 1000..<2000
            options.workers = workers
        }
        try write(lines(1...600))
        let whole = try ingest(change).stored
        #expect(whole > 80)
        #expect(try ingest(change).outcome == .nothingToDo)
        try write(lines(1...700))
        #expect(try ingest(change).stored == 0)
        let count = try scratch.count()
        #expect(count == whole)
        // The last line of the range is another one.
        try write(lines(1...100) + lines(501...1000))
        let report = try? ingest(change)
        #expect(report?.status ?? .inputOutput == .inputOutput)
        #expect(try scratch.count() == whole)
    }

    @Test func aRangeThatWasReadInPartIsReadOn() throws {
        try write(lines(1...600))
        let whole = try ingest { $0.feed.range = 1000..<2000 }.stored
        try FileManager.default.removeItem(atPath: scratch.path("out.db"))
        for limit in [3, 40, nil] {
            _ = try ingest {
                $0.feed.range = 1000..<2000
                $0.limit = limit
            }
        }
        #expect(try scratch.count() == whole)
        #expect(try scratch.value("SELECT count(DISTINCT a) FROM records") == whole)
    }
}
#endif
