import Foundation
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceFeed

/// Every intact record of a damaged feed is delivered, and every rejection has the position of its damage.
///
/// `SLUICE_DAMAGE=full` takes 100,000 records with 500 damaged ones; otherwise a sample is taken.
@Suite struct DamagedFeedTests {
    static let isFull = ProcessInfo.processInfo.environment["SLUICE_DAMAGE"] == "full"

    static func feed(_ layout: DamagedFeed.Layout, seed: UInt64 = 10) -> DamagedFeed {
        isFull
            ? DamagedFeed(layout, count: 100_000, damaged: 500, seed: seed)
            : DamagedFeed(layout, count: 1000, damaged: 120, seed: seed)
    }

    @Test(arguments: DamagedFeed.Layout.allCases)
    func everyIntactRecordIsDeliveredAndEveryRejectionHasItsRange(_ layout: DamagedFeed.Layout) {
        let damaged = Self.feed(layout)
        let whole = DamagedFeed.outcome(of: JSONFeed<Row>(bytes: damaged.bytes, options: damaged.options))
        #expect(whole.accepted.count == damaged.accepted.count)
        #expect(whole.errors == [])
        #expect(Set(damaged.accepted.map(\.id)).subtracting(whole.accepted.map(\.id)).sorted().prefix(5) == [])
        #expect(whole.rejected.count == damaged.rejected.count)
        for (found, expected) in zip(whole.rejected, damaged.rejected) where found != expected {
            Issue.record("\(found), not \(expected): \(String(decoding: damaged.bytes[expected].prefix(200), as: UTF8.self))")
            break
        }
        // The error of a record lies in the record.
        var (line, counted) = (1, 0)
        for (range, reason) in zip(whole.rejected, whole.reasons) {
            #expect(range.lowerBound <= reason.offset && reason.offset <= range.upperBound)
            // Positions ascend, except for those that lie before their record's end.
            if reason.offset < counted { (line, counted) = (1, 0) }
            line += damaged.bytes[counted..<reason.offset].count { $0 == 10 }
            counted = reason.offset
            #expect(reason.line == line)
        }
        // On threads.
        for workers in [1, 2, 7] {
            let feed = JSONFeed<Row>(bytes: damaged.bytes, options: damaged.options)
            _ = try? feed.parallel(workers: workers)
            let outcome = DamagedFeed.outcome(of: feed)
            #expect(outcome == whole, "\(workers) workers")
            #expect(outcome.reasons == whole.reasons, "\(workers) workers")
            #expect(feed.rejectedRecords.map(\.index) == Self.indices(of: damaged))
        }
        // However the bytes come.
        for size in Self.isFull ? [4099, 1 << 20] : [1, 61, 4099] {
            let pulled = JSONFeed<Row>(source: BytesSource(damaged.bytes, chunkSize: size), options: damaged.options)
            let outcome = DamagedFeed.outcome(of: pulled)
            #expect(outcome == whole, "chunks of \(size)")
            #expect(outcome.reasons == whole.reasons, "chunks of \(size)")
            var offset = 0
            let parser = JSONFeedParser<Row>(options: damaged.options)
            let pushed = DamagedFeed.outcome(of: parser.feed) { _ in
                let end = min(offset + size, damaged.bytes.count)
                if offset == end { parser.finish() } else { parser.append(damaged.bytes[offset..<end]) }
                offset = end
                return true
            }
            #expect(pushed == whole, "pieces of \(size)")
            #expect(pushed.reasons == whole.reasons, "pieces of \(size)")
        }
    }

    /// The same for tasks: from a thread that reads ahead, and from pieces that arrive.
    @Test(arguments: DamagedFeed.Layout.allCases) func tasksSeeTheSame(_ layout: DamagedFeed.Layout) async throws {
        let damaged = Self.feed(layout)
        let whole = DamagedFeed.outcome(of: JSONFeed<Row>(bytes: damaged.bytes, options: damaged.options))
        for size in Self.isFull ? [4099, 1 << 20] : [61, 4099] {
            let read = JSONFeed<Row>(source: BytesSource(damaged.bytes, chunkSize: size), options: damaged.options)
            var rows: [Row] = []
            for try await row in read.records { rows.append(row) }
            let pieces = AsyncStream<ArraySlice<UInt8>> { continuation in
                for start in stride(from: 0, to: damaged.bytes.count, by: size) {
                    continuation.yield(damaged.bytes[start..<min(start + size, damaged.bytes.count)])
                }
                continuation.finish()
            }
            let pushed = JSONFeedParser<Row>(options: damaged.options)
            var pushedRows: [Row] = []
            for try await batch in pushed.batches(of: 10, from: pieces) { pushedRows += batch }
            for (feed, rows) in [(read, rows), (pushed.feed, pushedRows)] {
                #expect(rows == whole.accepted)
                #expect(feed.rejectedRecords.map(\.range) == whole.rejected)
                #expect(feed.reasons == whole.reasons)
            }
        }
    }

    /// The index of each record that is not intact.
    static func indices(of damaged: DamagedFeed) -> [Int] {
        let intact = Set(damaged.accepted.map(\.id))
        return (0..<(damaged.accepted.count + damaged.rejected.count)).filter { !intact.contains($0) }
    }

    /// The same from a checkpoint after any of the damaged positions.
    @Test(arguments: DamagedFeed.Layout.allCases, [0, 2])
    func readingGoesOnAfterDamage(_ layout: DamagedFeed.Layout, _ workers: Int) throws {
        let damaged = DamagedFeed(layout, count: 300, damaged: 100, seed: 3)
        let whole = JSONFeed<Row>(bytes: damaged.bytes, options: damaged.options)
        if workers > 0 { try whole.parallel(workers: workers) }
        var checkpoints: [(accepted: Int, rejected: Int, JSONCheckpoint)] = []
        while try whole.next() != nil { checkpoints.append((whole.acceptedCount, whole.rejectedCount, whole.checkpoint)) }
        for index in stride(from: 0, to: checkpoints.count, by: DamagedFeedTests.isFull ? 1 : 5) {
            let (accepted, rejected, checkpoint) = checkpoints[index]
            let rest = try JSONFeed<Row>(
                source: BytesSource(damaged.bytes, chunkSize: 100), options: damaged.options, resumingFrom: checkpoint)
            let outcome = DamagedFeed.outcome(of: rest)
            #expect(outcome.accepted == Array(damaged.accepted.dropFirst(accepted)))
            #expect(outcome.rejected == Array(damaged.rejected.dropFirst(rejected)))
        }
    }
}
