// How often properties were there, null, converted or wrong: the same for one thread and for workers.

import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceFeed

private struct Sale: JSONModel, Equatable {
    var id: Int
    var note: String?
    var prices: [Int]?
    var place: Place?

    struct JSONDraft: _JSONModelDraft {
        var id: Int?
        var note: String?
        var prices: [Int]?
        var place: Place?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("id", \JSONDraft.id)
        model.property("note", \JSONDraft.note, presence: .optional)
        model.property("prices", \JSONDraft.prices, presence: .optional)
        model.property("place", \JSONDraft.place, presence: .optional)
    }

    static let _jsonTable = PropertyTable._compiled(for: Sale.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        id = try bound.required(draft.id, 0)
        note = draft.note
        prices = draft.prices
        place = draft.place
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}

private struct Place: JSONModel, Equatable {
    var city: String

    struct JSONDraft: _JSONModelDraft {
        var city: String?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) { model.property("city", \JSONDraft.city) }

    static let _jsonTable = PropertyTable._compiled(for: Place.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        city = try bound.required(draft.city, 0)
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}

struct PropertyCountTests {
    private static let lines = """
        {"id":1,"note":"a","prices":[1,"2",3],"place":{"city":"Rom"}}
        {"id":"2","note":null,"prices":[]}
        {"id":[3],"note":"lost","place":{"city":"Bonn"}}
        {"note":"no id"}
        {"id":4,"note":7,"place":null,"unknown":{"id":"x"}}
        {"id":5,"prices":[1,"x"]}
        {"id":6,"place":{"town":"Ulm"}}
        {"id":7
        """

    private func feed(_ elements: JSONElementPolicy? = nil, parser: JSONReader.Options.Parser = .automatic) -> JSONFeed<Sale> {
        JSONFeed(
            bytes: Array(Self.lines.utf8),
            options: .init(
                format: .lines, invalidRecords: .skip,
                reading: .init(elements: elements, parser: parser, countsProperties: true)))
    }

    private func counts(_ feed: JSONFeed<Sale>) throws -> [String: [Int]] {
        while try feed.next() != nil {}
        var counts: [String: [Int]] = [:]
        for count in feed.report.properties {
            counts["\(count.model).\(count.name)"] = [
                count.objectCount, count.presentCount, count.nullCount, count.missingCount, count.convertedCount,
                count.failedCount,
            ]
        }
        return counts
    }

    @Test(arguments: [JSONReader.Options.Parser.automatic, .yajl])
    func propertiesOfAcceptedRecordsAreCounted(_ parser: JSONReader.Options.Parser) throws {
        #expect(
            try counts(feed(parser: parser)) == [
                // Objects, present, null, missing, converted, failed. Accepted are lines 1, 2 and 5.
                "Sale.id": [3, 3, 0, 0, 1, 2],
                "Sale.note": [3, 2, 1, 0, 1, 0],
                "Sale.prices": [3, 2, 0, 1, 1, 1],
                "Sale.place": [3, 1, 1, 1, 0, 0],
                "Place.city": [1, 1, 0, 0, 0, 1],
            ])
    }

    @Test func valuesDroppedByAPolicyCountAsFailed() throws {
        let counts = try counts(feed(.skipInvalid))
        // Line 6 is accepted now, and one of its two prices was left out.
        #expect(counts["Sale.prices"] == [4, 3, 0, 1, 1, 1])
    }

    @Test(arguments: [1, 2, 7]) func workersCountTheSame(_ workers: Int) throws {
        let serial = feed()
        _ = try counts(serial)
        let parallel = try feed().parallel(workers: workers)
        _ = try counts(parallel)
        #expect(parallel.report.properties == serial.report.properties)
        #expect(!serial.report.properties.isEmpty)
    }

    @Test func recordsThatAreNotTakenAreNotCounted() throws {
        for workers in [nil, 2] {
            let feed = feed()
            if let workers { try feed.parallel(workers: workers) }
            _ = try feed.next()
            #expect(feed.report.properties.first { $0.name == "id" }?.objectCount == 1)
        }
    }

    @Test func withoutTheOptionNothingIsCounted() throws {
        let feed = JSONFeed<Sale>(bytes: Array(#"{"id":1}"#.utf8))
        _ = try feed.next()
        #expect(feed.report.properties.isEmpty)
    }

    @Test func readerCountsOneDocument() throws {
        var reader = JSONReader(options: .init(countsProperties: true))
        _ = try reader.read([Sale].self, from: #"[{"id":1,"note":"a"},{"id":2.0}]"#)
        #expect(reader.report.properties.map(\.presentCount) == [2, 1, 0, 0])
        _ = try reader.read([Sale].self, from: "[]")
        #expect(reader.report.properties.allSatisfy { $0.objectCount == 0 })
    }
}
