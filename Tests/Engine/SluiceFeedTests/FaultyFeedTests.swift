import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceFeed

/// Reads that fail, are short or are interrupted, at each call of a feed.
@Suite struct FaultyFeedTests {
    typealias Numbers = [String: Int]

    static let feeds: [(String, JSONFeedFormat)] = [
        ("{\"a\":1}\r\n\n{\"a\":22}\n{\"a\":333}\n{\"b\":-4}", .lines),
        (" [ {\"a\":1}, {\"a\":22},\n{\"a\":333} ,{\"b\":-4}]\n", .array),
        ("{\"a\":1}{\"a\":22}\n\n{\"a\":333} {\"b\":-4}", .concatenated),
    ]
    static let records = [["a": 1], ["a": 22], ["a": 333], ["b": -4]]

    @Test(arguments: feeds, [false, true])
    func aReadThatFailsEndsTheFeedAfterWholeRecords(_ feed: (text: String, format: JSONFeedFormat), _ isLasting: Bool) throws {
        let bytes = Array(feed.text.utf8)
        for format in [feed.format, .automatic] {
            for chunkSize in [1, 3, 8, 1000] {
                var longest = 0
                for call in 1...FaultySource.calls(bytes.count, chunkSize: chunkSize) {
                    let source = FaultySource(bytes, chunkSize: chunkSize, .failure, at: call, isLasting: isLasting)
                    let outcome = FeedOutcome(
                        of: JSONFeed<Numbers>(source: source, options: .init(format: format, invalidRecords: .skip)))
                    #expect(outcome.records == Array(Self.records.prefix(outcome.records.count)))
                    #expect(outcome.records.count >= longest, "a later failure must not cost records")
                    longest = outcome.records.count
                    #expect(outcome.accepted == outcome.records.count)
                    #expect(outcome.rejected == 0)
                    #expect(outcome.errors.map(\.found) == ["cannot read the faulty disk: Input/output error"])
                }
            }
        }
    }

    @Test(arguments: feeds, [false, true])
    func shortReadsChangeNothing(_ feed: (text: String, format: JSONFeedFormat), _ isLasting: Bool) throws {
        let bytes = Array(feed.text.utf8)
        for format in [feed.format, .automatic] {
            for chunkSize in [1, 3, 8, 1000] {
                for call in 1...FaultySource.calls(bytes.count, chunkSize: chunkSize) {
                    let source = FaultySource(bytes, chunkSize: chunkSize, .shortRead, at: call, isLasting: isLasting)
                    let outcome = FeedOutcome(of: JSONFeed<Numbers>(source: source, options: .init(format: format)))
                    #expect(outcome.records == Self.records)
                    #expect(outcome.errors == [])
                    #expect(outcome.format == feed.format)
                }
            }
        }
    }

    @Test(arguments: feeds) func bytesAppendedOneByOneAreReadAndThoseOfAFailedReadAreLost(
        _ feed: (text: String, format: JSONFeedFormat)
    ) async throws {
        let bytes = Array(feed.text.utf8)
        for chunkSize in [1, 3, 8, 1000] {
            for call in 1...(FaultySource.calls(bytes.count, chunkSize: chunkSize) + 1) {
                let options = JSONFeed<Numbers>.Options(format: feed.format)
                func appended() -> JSONFeed<Numbers> {
                    JSONFeed(source: AppendingSource(bytes, chunkSize: chunkSize, failingAt: call), options: options)
                }
                let failing = FaultySource(bytes, chunkSize: chunkSize, .failure, at: call, isLasting: true)
                let expected = FeedOutcome(of: JSONFeed<Numbers>(source: failing, options: options))
                #expect(FeedOutcome(of: appended()) == expected)
                #expect(FeedOutcome(of: try appended().parallel(workers: 2)) == expected)
                var records: [Numbers] = []
                var failure: JSONError?
                do {
                    for try await record in appended().records { records.append(record) }
                } catch {
                    failure = error as? JSONError
                }
                #expect(records == expected.records)
                #expect(failure?.found == expected.errors.first?.found)
            }
        }
    }

    @Test(arguments: feeds) func readsThatSignalsInterruptAreTakenUpAgain(_ feed: (text: String, format: JSONFeedFormat)) {
        let (result, signals) = interrupted(Array(feed.text.utf8), pieceSize: 4) { descriptor in
            FeedOutcome(of: JSONFeed<Numbers>(descriptor: descriptor)).records
        }
        #expect(result == Self.records)
        #expect(signals > 0)
    }
}
