#if PostgreSQL && SQLite
import Foundation
import GRDB
import SluiceIngest
import SluiceSQLite
import Testing

@testable import SluicePostgres

private struct NoProgress: ProgressDisplay {
    func isDue(_ nanoseconds: UInt64) -> Bool { false }
    mutating func show(_ progress: IngestProgress) {}
    mutating func clear() {}
}

/// SQLite's sink stores records one by one, so it shows what a batch must do.
@Suite(.needsServer) struct SQLiteComparisonTests {
    private static let tables = [
        "id INTEGER PRIMARY KEY, a INTEGER, b VARCHAR(20)",
        "id INTEGER PRIMARY KEY, a INTEGER CHECK (a <> 3), b VARCHAR(20) NOT NULL",
        "id INTEGER PRIMARY KEY, a INTEGER UNIQUE, b VARCHAR(20), c INTEGER DEFAULT 7",
    ]

    @Test(arguments: tables, [KeyConflict.reject, .upsert, .ignore, .replace]) func bothDatabasesHoldTheSameAndCountTheSame(
        definition: String, rule: KeyConflict
    ) throws {
        let server = try PostgresServer()
        let file = FileManager.default.temporaryDirectory.appending(path: "compared-\(UUID().uuidString).db").path
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + end) } }
        let queue = try DatabaseQueue(path: file)
        try queue.write { try $0.execute(sql: "CREATE TABLE t (\(definition))") }
        try server.connection.run("CREATE TABLE t (\(definition))")
        for round in 0..<6 {
            let isUniform = round % 2 == 0
            let feed = try FeedFile(
                (0..<300).map { _ in
                    var members = [#""id":\#(Int.random(in: 0..<(round < 3 ? 20 : 400)))"#]
                    if Int.random(in: 0..<40) == 0 { members = [] }
                    if isUniform || Bool.random() {
                        members.append(#""a":\#(Int.random(in: 0..<5) == 0 ? "null" : "\(Int.random(in: 0..<8))")"#)
                    }
                    if isUniform || Bool.random() {
                        members.append(#""b":\#(Int.random(in: 0..<5) == 0 ? "null" : "\"x\(Int.random(in: 0..<3))\"")"#)
                    }
                    return "{" + members.joined(separator: ",") + "}"
                })
            var options = IngestOptions()
            options.batch = [1, 7, 64, 1000][Int.random(in: 0..<4)]
            options.existing = .append
            options.conflict = rule
            if rule != .reject { options.primaryKey = ["id"] }
            let theirs = try IngestJob(options, into: SQLiteSink(path: file, table: "t")).run(
                input: feed.path, progress: NoProgress())
            let ours = try IngestJob(options, into: PostgresSink(server.url, table: "t")).run(
                input: feed.path, progress: NoProgress())
            #expect(ours.rows == theirs.rows && ours.rejected == theirs.rejected)
            let columns = definition.contains(" c ") ? "id, a, b, c" : "id, a, b"
            let found = try server.rows("SELECT \(columns) FROM t ORDER BY id").map {
                $0.map { $0 ?? "null" }.joined(separator: "|")
            }
            let wanted = try rows(queue, "SELECT \(columns) FROM t ORDER BY id")
            #expect(found == wanted)
        }
    }

    /// Keys come again within a batch and in later ones, written as numbers and as texts.
    @Test(arguments: [KeyConflict.upsert, .ignore, .replace], [1, 3, 1000]) func bothDatabasesHoldTheSameElements(
        rule: KeyConflict, batch: Int
    ) throws {
        let server = try PostgresServer()
        let file = FileManager.default.temporaryDirectory.appending(path: "compared-\(UUID().uuidString).db").path
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + end) } }
        let queue = try DatabaseQueue(path: file)
        let definition = "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER)"
        try queue.write { try $0.execute(sql: definition) }
        try server.connection.run(definition)
        for round in 0..<3 {
            let feed = try FeedFile(
                (0..<60).map { _ in
                    let key = Int.random(in: 0..<(round == 0 ? 8 : 40))
                    let items = (0..<Int.random(in: 0..<4)).map { _ in
                        let tags = (0..<Int.random(in: 0..<3)).map { _ in "\(Int.random(in: 0..<9))" }
                        return "{\"n\":\(Int.random(in: 0..<99)),\"tags\":[\(tags.joined(separator: ","))]}"
                    }
                    let text = Bool.random() ? "\(key)" : "\"\(key)\""
                    return "{\"id\":\(text),\"a\":\(Int.random(in: 0..<9)),\"items\":[\(items.joined(separator: ","))]}"
                })
            var options = IngestOptions()
            options.batch = batch
            options.existing = .append
            options.conflict = rule
            options.primaryKey = ["id"]
            options.children.storage = .tables
            let theirs = try IngestJob(options, into: SQLiteSink(path: file, table: "t")).run(
                input: feed.path, progress: NoProgress())
            let ours = try IngestJob(options, into: PostgresSink(server.url, table: "t")).run(
                input: feed.path, progress: NoProgress())
            #expect(ours.rows == theirs.rows && ours.rejected == 0 && theirs.rejected == 0)
            #expect(ours.children.map(\.rows) == theirs.children.map(\.rows))
            for (table, count) in [("t", 2), ("t_items", 3), ("t_items_tags", 4)] {
                let columns = [
                    "t": "id, a", "t_items": "t_id, position, n", "t_items_tags": "t_id, items_position, position, value",
                ]
                let order = (1...count).map { "\($0)" }.joined(separator: ", ")
                let sql = "SELECT \(columns[table] ?? "") FROM \(table) ORDER BY \(order)"
                let found = try server.rows(sql).map { $0.map { $0 ?? "null" }.joined(separator: "|") }
                #expect(try found == rows(queue, sql))
            }
        }
    }

    private func rows(_ queue: DatabaseQueue, _ sql: String) throws -> [String] {
        try queue.read { db in
            try Row.fetchAll(db, sql: sql).map { row in
                row.databaseValues.map { value in
                    switch value.storage {
                    case .null: "null"
                    case .int64(let number): "\(number)"
                    case .string(let text): text
                    default: "?"
                    }
                }.joined(separator: "|")
            }
        }
    }
}
#endif
