// The values of a feed's columns, as buffers and one by one.
#if Macros

import Sluice
import Testing

@Suite struct ColumnValuesSpecTests {
    @JSONModel
    struct Sample: Equatable {
        var id: Int
        var score: Double?
        var name: String?
        var tags: [Int] = []
    }

    @Test func numbersAreABufferAndOtherValuesAreReadOneByOne() throws {
        let text = """
            {"id":1,"score":0.5,"name":"ä","tags":[1,2]}
            {"id":-2,"score":null,"tags":[]}
            {"id":3,"score":1e3,"name":null,"tags":[3]}
            """
        let batches = try JSONFeed<Sample>(bytes: Array(text.utf8)).columnBatches(of: 10)
        let batch = try #require(try batches.next())
        #expect(batch.rowCount == 3)
        #expect(batch.columns.map(\.column.name) == ["id", "score", "name", "tags"])

        let ids = try #require(batch.column(named: "id"))
        #expect(unsafe ids.withInt64s { unsafe Array($0) } == [1, -2, 3])
        #expect(unsafe ids.withDoubles { unsafe Array($0) } == nil)
        let scores = try #require(batch.column(named: "score"))
        #expect(unsafe scores.withDoubles { unsafe Array($0) } == [0.5, 0, 1000])
        #expect(unsafe scores.withInt64s { unsafe Array($0) } == nil)
        #expect((0..<3).map { scores.isNull(at: $0) } == [false, true, false])
        #expect((0..<3).map { scores.double(at: $0) } == [0.5, nil, 1000])

        let names = try #require(batch.column(named: "name"))
        #expect((0..<3).map { names.string(at: $0) } == ["ä", nil, nil])
        let tags = try #require(batch.column(named: "tags"))
        #expect((0..<3).map { tags.elementRange(at: $0) } == [0..<2, 2..<2, 2..<3])
        let elements = try #require(tags.elements)
        #expect((0..<elements.count).map { elements.int64(at: $0) } == [1, 2, 3])
        #expect(batch.column(named: "none") == nil)
        #expect(try batches.next() == nil)
    }
}
#endif
