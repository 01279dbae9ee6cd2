// Records that are selected while they are read, by each comparison.
#if Macros

import Sluice
import Testing

@Suite struct PredicateSpecTests {
    @JSONModel
    struct Measurement: Equatable {
        var id: Int
        var level: Int
        var score: Double?
    }

    private let text = """
        {"id":1,"level":1,"score":1.5}
        {"id":2,"level":2,"score":null}
        {"id":3,"level":3}
        {"level":4,"score":4.5,"id":4}
        {"id":5,"score":3,"level":5}
        """

    private func ids(_ predicate: JSONPredicate<Measurement>) throws -> [Int] {
        let feed = JSONFeed<Measurement>(bytes: Array(text.utf8), options: .init(where: predicate))
        var ids: [Int] = []
        while let measurement = try feed.next() { ids.append(measurement.id) }
        #expect(feed.unmatchedCount == 5 - ids.count)
        return ids
    }

    @Test func aPropertyIsComparedWithAValue() throws {
        #expect(try ids(\.level == 3) == [3])
        #expect(try ids(\.level != 3) == [1, 2, 4, 5])
        #expect(try ids(\.level < 3) == [1, 2])
        #expect(try ids(\.level <= 3) == [1, 2, 3])
        #expect(try ids(\.level > 3) == [4, 5])
        #expect(try ids(\.level >= 3) == [3, 4, 5])
    }

    @Test func aPropertyThatIsNilMatchesNoOrder() throws {
        #expect(try ids(\.score == 3) == [5])
        #expect(try ids(\.score == nil) == [2, 3])
        #expect(try ids(\.score != nil) == [1, 4, 5])
        #expect(try ids(\.score < 3) == [1])
        #expect(try ids(\.score <= 3) == [1, 5])
        #expect(try ids(\.score > 3) == [4])
        #expect(try ids(\.score >= 3) == [4, 5])
        #expect(try ids(!(\.score >= 3)) == [1, 2, 3])
        #expect(try ids(\.score >= 3 && \.level < 5 || \.id == 2) == [2, 4])
    }
}
#endif
