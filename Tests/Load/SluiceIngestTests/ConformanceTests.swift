// All sinks of the package keep the promises of RecordSink, and the kit finds a sink that does not.

#if SQLite
import Foundation
import GRDB
import SinkConformance
import SluiceCore
import SluiceIngest
import SluiceSQLite
import SluiceTestSupport
import Synchronization
import Testing

@Suite struct ConformanceTests {
    @Test func databasesInFilesConform() async throws {
        let scratch = try Scratch()
        let count = Counter()
        @Sendable func target(_ path: String) -> SinkConformance.Target {
            SinkConformance.Target(SQLiteSink(path: path, table: "rows")) { table in
                try ConformanceTests.count(table, try DatabaseQueue(path: path))
            } rows: {
                guard FileManager.default.fileExists(atPath: path) else { return [] }
                return try ConformanceTests.rows(try DatabaseQueue(path: path))
            }
        }
        try await SinkConformance.check(
            .all,
            refusing: {
                let path = scratch.path("\(count.count()).db")
                try ConformanceTests.makeRule(in: DatabaseQueue(path: path))
                return target(path)
            },
            { target(scratch.path("\(count.count()).db")) })
    }

    /// Makes a table that refuses rows.
    private static func makeRule(in queue: DatabaseQueue) throws {
        try queue.write { try $0.execute(sql: "CREATE TABLE rows (id INTEGER CHECK (id % 7 <> 0), name TEXT)") }
    }

    // MARK: Sinks that do not conform

    @Test(arguments: ObservedSink.Flaw.allCases) func aSinkWithAFlawIsFound(
        flaw: ObservedSink.Flaw
    ) async throws {
        @Sendable func target(_ queue: DatabaseQueue) -> SinkConformance.Target {
            SinkConformance.Target(ObservedSink(SQLiteSink(queue, table: "rows"), flaw)) { table in
                try ConformanceTests.count(table, queue)
            } rows: {
                try ConformanceTests.rows(queue)
            }
        }
        let error = await #expect(throws: SinkConformance.Violation.self) {
            try await SinkConformance.check(
                .all,
                refusing: {
                    let queue = try DatabaseQueue()
                    try ConformanceTests.makeRule(in: queue)
                    return target(queue)
                },
                { target(try DatabaseQueue()) })
        }
        #expect(error?.description.contains(flaw.rawValue) == true, "\(String(describing: error))")
    }

    // MARK: Databases

    @Test func poolsConform() async throws {
        let scratch = try Scratch()
        let count = Counter()
        try await SinkConformance.check(.all) {
            let pool = try DatabasePool(path: scratch.path("\(count.count()).db"))
            return SinkConformance.Target(SQLiteSink(pool, table: "rows")) { table in
                try ConformanceTests.count(table, pool)
            } rows: {
                try ConformanceTests.rows(pool)
            }
        }
    }

    @Test func queuesInMemoryConform() async throws {
        try await SinkConformance.check(.all) {
            let queue = try DatabaseQueue()
            return SinkConformance.Target(SQLiteSink(queue, table: "rows")) { table in
                try ConformanceTests.count(table, queue)
            } rows: {
                try ConformanceTests.rows(queue)
            }
        }
    }

    private static func count(_ table: String, _ database: any DatabaseReader) throws -> Int {
        try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? -1 }
    }

    private static func rows(_ database: any DatabaseReader) throws -> [SinkConformance.Row] {
        try database.read { db in
            guard try db.tableExists("rows") else { return [] }
            let names = try db.columns(in: "rows").map(\.name)
            // GRDB reads texts up to a U+0000.
            let texts = names.map { name in
                let column = "\"" + name.replacing("\"", with: "\"\"") + "\""
                return "CASE typeof(\(column)) WHEN 'text' THEN CAST(\(column) AS BLOB) ELSE \(column) END"
            }
            return try Row.fetchAll(db, sql: "SELECT \(texts.joined(separator: ", ")) FROM rows").map { row in
                var values: SinkConformance.Row = [:]
                for (name, value) in zip(names, row.databaseValues) {
                    values[name] =
                        switch value.storage {
                        case .null: .null
                        case .int64(let number): .integer(number)
                        case .double(let number): .real(number)
                        case .string(let text): .text(text)
                        case .blob(let data): .text(String(decoding: data, as: UTF8.self))
                        }
                }
                return values
            }
        }
    }

    /// The rows of a file of lines.
    static func rows(ofLines path: String) throws -> [SinkConformance.Row] {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        return try data.split(separator: UInt8(ascii: "\n")).map { try row(JSONValue(json: Array($0))) }
    }

    /// The rows of a file that is one array.
    static func rows(ofArray path: String) throws -> [SinkConformance.Row] {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        return try (JSONValue(json: Array(data)).array ?? []).map(row)
    }

    private static func row(_ json: JSONValue) throws -> SinkConformance.Row {
        var row: SinkConformance.Row = [:]
        for (key, value) in json.object?.members ?? [] {
            row[key] =
                switch value {
                case .null: .null
                case .bool(let flag): .bool(flag)
                case .number(let number): number.int.map { .integer(Int64($0)) } ?? .real(number.double ?? .nan)
                case .string(let text): .text(text)
                case .array, .object: .text(try value.jsonString())
                }
        }
        return row
    }
}
#endif
