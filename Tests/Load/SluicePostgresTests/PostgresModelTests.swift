#if PostgreSQL
import Foundation
import SluiceIngest
import SluicePostgres
import SluiceTestSupport
import Testing

@Suite(.needsServer) struct PostgresModelTests {
    @Test func aTableGetsTheColumnsOfAModel() throws {
        let server = try PostgresServer()
        let feed = try FeedFile([
            #"{"number":"1","to":{"city":"Rome"},"sent":"2014-01-20T12:24:48+02:00","weights":["1",2.5],"fragile":1}"#,
            #"{"id":2,"to":{}}"#, #"{"id":3,"to":{"city":"Bonn"}}"#,
        ])
        let ingest = Ingest([feed.path], as: Shipment.self, into: PostgresSink(server.url, table: "t")).primaryKey("id").conflict(
            .upsert)
        #expect(try ingest.limit(1).runBlocking().rows.added == 1)
        let report = try ingest.runBlocking()
        #expect((report.rows.added, report.rejected) == (1, 1))
        let types = try server.rows(
            "SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 't'::regclass AND attnum > 0 ORDER BY attnum"
        )
        let wanted: [[String?]] = [
            ["id", "bigint"], ["to_city", "text"], ["sent_at", "timestamp with time zone"], ["weights", "jsonb"],
            ["fragile", "boolean"],
        ]
        #expect(types == wanted)
        let rows = try server.rows("SELECT id, to_city, sent_at AT TIME ZONE 'UTC', weights, fragile FROM t ORDER BY id")
        let expected: [[String?]] = [
            ["1", "Rome", "2014-01-20 10:24:48", "[1, 2.5]", "t"], ["3", "Bonn", nil, nil, nil],
        ]
        #expect(rows == expected)
    }

    @Test func anArrayOfAModelIsATableWithAForeignKey() throws {
        let server = try PostgresServer()
        let feed = try FeedFile([
            #"{"id":1,"stops":[{"city":"Rome","arrival":"2014-01-20T12:24:48+02:00"}, {"city":7}]}"#,
            #"{"id":2,"stops":[{"city":"Bonn"},{"arrival":null}]}"#, #"{"id":3,"stops":[]}"#,
        ])
        let report = try Ingest([feed.path], as: Tour.self, into: PostgresSink(server.url, table: "t")).primaryKey("id")
            .runBlocking()
        #expect((report.rows.added, report.rejected) == (2, 1))
        #expect(report.rejections.first?.reason.contains("stops[1]") == true)
        let rows = try server.rows("SELECT t_id, position, city, arrival AT TIME ZONE 'UTC' FROM t_stops ORDER BY 1, 2")
        let wanted: [[String?]] = [["1", "0", "Rome", "2014-01-20 10:24:48"], ["1", "1", "7", nil]]
        #expect(rows == wanted)
        let keys = try server.rows("SELECT count(*) FROM pg_constraint WHERE conrelid = 't_stops'::regclass AND contype = 'f'")
        let one: [[String?]] = [["1"]]
        #expect(keys == one)
        let required = try server.rows(
            "SELECT attname FROM pg_attribute WHERE attrelid = 't_stops'::regclass AND attnum > 2 AND attnotnull")
        let city: [[String?]] = [["city"]]
        #expect(required == city)
    }
}
#endif
