// Records of a model go into a sink that is no database, and are the same for each number of workers.

#if SQLite
import Foundation
import GRDB
import SluiceCore
import SluiceFeed
import SluiceIngest
import SluiceSQLite
import Testing

@testable import SluiceTestSupport

@Suite struct ModelSinkTests {
    @Test func aSinkOfOnesOwnTakesTheColumnsOfAModel() async throws {
        let scratch = try Scratch()
        let feed = try scratch.file(
            "in.ndjson",
            #"{"number":"1","to":{"city":"Rome"},"sent":"2014-01-20T12:24:48+02:00","weights":["1",2.5],"fragile":1}"# + "\n"
                + #"{"id":2,"to":{}}"# + "\n" + #"{"id":3,"to":{"city":"Bonn"}}"# + "\n")
        let output = scratch.path("out.ndjson")
        let report = try await Ingest([feed], as: Shipment.self, into: LineFile(destination: output)).run()
        #expect(report.rejected == 1)
        #expect(report.columns.map(\.name) == ["id", "to_city", "sent_at", "weights", "fragile"])
        let lines = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 2)
        let first = try JSONValue(json: String(lines[0]))
        #expect(first["id"] == 1 && first["to_city"] == "Rome" && first["sent_at"] == "2014-01-20T10:24:48Z")
    }

    @Test func workersAndOneThreadStoreAndRejectTheSame() async throws {
        let scratch = try Scratch()
        let feed = try scratch.file(
            "in.ndjson",
            (1...20_000).map { number in
                let city = number % 7 == 0 ? "null" : "\"a city with a long name, \(number)\""
                return
                    #"{"id":\#(number),"to":{"city":\#(city)},"weights":[\#(number),\#(number % 11 == 0 ? "true" : "0.5")],"x":1}"#
                    + "\n"
            }.joined())
        var seen: [[Row]] = []
        for workers in [1, 2, 4] {
            let queue = try DatabaseQueue()
            let report = try await Ingest([feed], as: Shipment.self, into: SQLiteSink(queue, table: "t"))
                .workers(workers).rejects(.table("bad")).run()
            #expect(report.rejected == 20_000 / 7)
            #expect(report.unknownKeys.map(\.path) == ["x"])
            seen.append(
                try queue.read {
                    try Row.fetchAll($0, sql: "SELECT * FROM t ORDER BY id")
                        + Row.fetchAll(
                            $0, sql: "SELECT line, byte_position, column_name, error_type, error_message FROM bad ORDER BY line")
                })
        }
        #expect(seen[0].count == 20_000)
        #expect(seen[0] == seen[1])
        #expect(seen[0] == seen[2])
    }
}
#endif
