// Ingests into databases that the caller has open, and uses at the same time.

#if SQLite
import Foundation
import GRDB
import SluiceIngest
import SluiceTestSupport
import Testing

@testable import SluiceSQLite

@Suite struct DatabaseTests {
    /// A process that is stopped while it repairs the write-ahead log holds it. A run that follows logs tries again.
    @Test func aWriteAheadLogThatAnotherProcessHoldsIsALock() {
        let error = DatabaseError(resultCode: .SQLITE_PROTOCOL, message: "locking protocol")
        #expect(
            RecordDatabase.failure("cannot open a.db", error)
                == .locked("cannot open a.db: the database is locked: another process holds its write-ahead log"))
    }

    @Test func aPoolServesOtherTasksMeanwhile() async throws {
        let scratch = try Scratch()
        let input = try scratch.records("in.ndjson", 1...20_000)
        let pool = try DatabasePool(path: scratch.path("app.db"))
        try await pool.write { try $0.execute(sql: "CREATE TABLE visits (number INTEGER)") }
        let reads = Counter()
        let writes = Counter()
        let isDone = Counter()
        let report = try await withThrowingTaskGroup(of: IngestReport?.self) { group in
            group.addTask {
                defer { isDone.count() }
                return try await Ingest([input], into: SQLiteSink(pool, table: "events")).batch(500).run()
            }
            group.addTask {
                repeat {
                    try await pool.write { try $0.execute(sql: "INSERT INTO visits VALUES (1)") }
                    writes.count()
                } while isDone.value == 0
                return nil
            }
            group.addTask {
                repeat {
                    // A reader sees whole batches.
                    let count = try await pool.read { db in
                        try db.tableExists("events") ? try Int.fetchOne(db, sql: "SELECT count(*) FROM events") ?? -1 : 0
                    }
                    #expect(count % 500 == 0)
                    reads.count()
                } while isDone.value == 0
                return nil
            }
            var report: IngestReport?
            for try await result in group { report = result ?? report }
            return try #require(report)
        }
        #expect(report.outcome == .complete)
        #expect(report.rows.added == 20_000)
        #expect(reads.value > 0)
        let visits = try await pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM visits") }
        #expect(visits == writes.value)
    }

    @Test func aQueueInMemoryTakesRecords() async throws {
        let scratch = try Scratch()
        let input = try scratch.records("in.ndjson", 1...100)
        let queue = try DatabaseQueue()
        let first = try await Ingest([input], into: SQLiteSink(queue, table: "events")).run()
        #expect(first.rows.added == 100)
        let second = try await Ingest([input], into: SQLiteSink(queue, table: "events")).run()
        #expect(second.outcome == .nothingToDo)
        #expect(try await queue.read { try Int.fetchOne($0, sql: "SELECT sum(id) FROM events") } == 5_050)
    }

    @Test func theCallersConnectionStaysAsItWas() async throws {
        let scratch = try Scratch()
        let pool = try DatabasePool(path: scratch.path("app.db"))
        func settings() async throws -> [String] {
            try await pool.writeWithoutTransaction { db in
                let pragmas = [
                    "synchronous", "cache_size", "journal_mode", "foreign_keys", "busy_timeout", "fullfsync", "temp_store",
                ]
                let values = try pragmas.map { try "\($0) \(String.fetchOne(db, sql: "PRAGMA \($0)") ?? "")" }
                let functions = try String.fetchAll(
                    db, sql: "SELECT DISTINCT name FROM pragma_function_list WHERE name LIKE '%sluice%' ORDER BY name")
                return values + functions
            }
        }
        let before = try await settings()
        for conflict in [KeyConflict.reject, .upsert, .ignore, .replace] {
            let input = try scratch.file("\(conflict).ndjson", lines(1...50) + "{\"id\":1,\"name\":\"again\"}\n")
            try await Ingest([input], into: SQLiteSink(pool, table: "\(conflict)")).primaryKey("id").conflict(conflict).run()
            #expect(try await settings() == before, "\(conflict)")
        }
        // Also after a run that a trigger has ended.
        try await pool.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE guarded (id INTEGER PRIMARY KEY, name TEXT);
                    CREATE TRIGGER guard BEFORE INSERT ON guarded WHEN new.id = 30 BEGIN SELECT raise(ROLLBACK, 'no'); END
                    """)
        }
        let input = try scratch.records("guarded.ndjson", 1...50)
        let report = try await Ingest([input], into: SQLiteSink(pool, table: "guarded")).conflict(.upsert).batch(10).run()
        guard case .failed = report.outcome else { return #expect(Bool(false), "\(report.outcome)") }
        #expect(report.rows.added == 20)
        #expect(try await settings() == before)
    }

    /// Each ingest counts rows by a function of its own in the connection that they share.
    @Test func upsertsThroughOneConnectionCountTheirOwnRows() async throws {
        let scratch = try Scratch()
        let pool = try DatabasePool(path: scratch.path("app.db"))
        let inputs = try (0..<6).map { number in
            try scratch.file("\(number).ndjson", lines(1...400) + lines(1...400).replacing(":\"n", with: ":\"m"))
        }
        let reports = try await withThrowingTaskGroup(of: IngestReport.self) { group in
            for (number, input) in inputs.enumerated() {
                group.addTask {
                    try await Ingest([input], into: SQLiteSink(pool, table: "t\(number)")).primaryKey("id").conflict(.upsert)
                        .batch(
                            7 + number
                        )
                        .run()
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for report in reports {
            #expect(report.outcome == .complete)
            #expect(report.rejected == 0, "\(report.rejections)")
            #expect(report.rows == RowCounts(added: 400, changed: 400))
        }
    }

    @Test func twoIngestsOfOneFileDoubleNothing() async throws {
        let scratch = try Scratch()
        let input = try scratch.records("in.ndjson", 1...5_000)
        for waits in [false, true] {
            let pool = try DatabasePool(path: scratch.path("\(waits).db"))
            let results = await withTaskGroup(of: Result<IngestReport, any Error>.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        do {
                            let ingest = Ingest([input], into: SQLiteSink(pool, table: "events")).batch(100)
                            return .success(try await waits ? ingest.waiting().run() : ingest.run())
                        } catch {
                            return .failure(error)
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            var added = 0
            for result in results {
                switch result {
                case .success(let report):
                    #expect([.complete, .nothingToDo].contains(report.outcome))
                    added += report.rows.added
                case .failure(let error):
                    #expect(!waits)
                    guard case IngestError.outrun = error else { return #expect(Bool(false), "\(error)") }
                }
            }
            #expect(added == 5_000)
            let rows = try pool.read { try Row.fetchOne($0, sql: "SELECT count(*), count(DISTINCT id) FROM events") }
            #expect(rows == ["count(*)": 5_000, "count(DISTINCT id)": 5_000])
        }
    }
}
#endif
