#if Macros
import Foundation
import Sluice
import Testing

@testable import SluiceTestSupport

struct InferredRecordTests {
    @Test func theInferredModelReadsTheRecords() throws {
        let feed = try JSONFeed<InferredRecord>(path: TestTables.folder.appendingPathComponent("Fixtures/inferred.ndjson").path)
        let first = try #require(try feed.next())
        #expect(first.createdAt == Date(timeIntervalSince1970: 1_767_323_045))
        #expect((first.id2, first.actor.login, first.actor.avatarUrl, first.selfValue) == ("x", "ann", nil, 1))
        #expect(first.statuses.map(\.text) == ["hi", "ho"])
        #expect((first.score, first.ratio, first.swiftVersion, first._2x) == (1, 2.5, "6.3", [[1, 2], [3]]))
        #expect(first.huge.number?.description == "123456789012345678901234567890")
        #expect(first.responses == nil)
        let second = try #require(try feed.next())
        #expect((second.score, second.ratio, second.htmlUrl?.absoluteString) == (nil, 3, "https://example.com/2"))
        #expect(second.mixed.string == "one")
        #expect(second.responses?.map(\.code) == [200])
        #expect(try feed.next() == nil)
    }
}
#endif
