// Runs one after the other, runs that are cancelled, and many at once.

#if SQLite
import Foundation
import GRDB
import SluiceIngest
import SluiceSQLite
import SluiceTestSupport
import Synchronization
import Testing

@Suite struct RunTests {
    @Test func theSameIngestGoesOnWhereItEnded() async throws {
        let scratch = try Scratch()
        let input = try scratch.records("in.ndjson", 1...100)
        let queue = try DatabaseQueue()
        let ingest = Ingest([input], into: SQLiteSink(queue, table: "events"))
        #expect(try await ingest.limit(40).run().rows.added == 40)
        let rest = try await ingest.run()
        #expect(rest.rows.added == 60)
        #expect(rest.resumed.map(\.records) == [40])
        #expect(try await ingest.run().outcome == .nothingToDo)
        try scratch.append(lines(101...103), to: input)
        #expect(try await ingest.run().rows.added == 3)
        #expect(try await queue.read { try Int.fetchOne($0, sql: "SELECT count(DISTINCT id) FROM events") } == 103)
        #expect(try await ingest.existing(.append).restarting().run().rows.added == 103)
        #expect(try await ingest.existing(.truncate).run().totalRows == 103)
        #expect(try await ingest.existing(.drop).run().totalRows == 103)
    }

    @Test(arguments: [1, 2]) func aCancelledTaskStopsAndTheNextRunGoesOn(workers: Int) async throws {
        let scratch = try Scratch()
        let input = try scratch.records("in.ndjson", 1...3_000)
        let pool = try DatabasePool(path: scratch.path("app.db"))
        let plain = SQLiteSink(pool, table: "events")
        let batches = Counter()
        let (signals, signal) = AsyncStream.makeStream(of: Void.self)
        let isCancelled = Counter()
        let sink = ObservedSink(plain) {
            guard batches.count() == 3 else { return }
            signal.finish()
            // The task is cancelled before the run has ended.
            while isCancelled.value == 0 { usleep(1_000) }
        }
        let task = Task { try await Ingest([input], into: sink).batch(100).workers(workers).run() }
        for await _ in signals {}
        task.cancel()
        isCancelled.count()
        let report = try await task.value
        #expect(report.outcome == .interrupted(SIGINT))
        #expect(report.isResumable)
        #expect((300..<3_000).contains(report.rows.added))
        let stored = try await pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM events") }
        #expect(stored == report.rows.added)

        let rest = try await Ingest([input], into: plain).run()
        #expect(rest.outcome == .complete)
        let row = try pool.read { try Row.fetchOne($0, sql: "SELECT count(*) AS n, count(DISTINCT id) AS d FROM events") }
        #expect(row == ["n": 3_000, "d": 3_000])
    }

    @Test func aTaskThatWasCancelledBeforeStoresNothing() async throws {
        let scratch = try Scratch()
        let input = try scratch.records("in.ndjson", 1...10)
        let queue = try DatabaseQueue()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await Ingest([input], into: SQLiteSink(queue, table: "events")).run()
        }
        task.cancel()
        #expect(try await task.value.outcome == .interrupted(SIGINT))
        #expect(try await Ingest([input], into: SQLiteSink(queue, table: "events")).run().rows.added == 10)
    }

    @Test(arguments: [1, 2]) func progressRisesToOne(workers: Int) async throws {
        let scratch = try Scratch()
        let inputs = try (0..<3).map { try scratch.records("\($0).ndjson", 1...3_000) }
        let queue = try DatabaseQueue()
        let fractions = Mutex<[Double]>([])
        // Slow enough for some calls.
        let sink = ObservedSink(SQLiteSink(queue, table: "events")) { usleep(20_000) }
        try await Ingest(inputs, into: sink).batch(500).workers(workers).run { progress in
            fractions.withLock { $0.append(progress.fraction ?? -1) }
        }
        let seen = fractions.withLock { $0 }
        #expect(seen.count > 1)
        #expect(seen == seen.sorted())
        #expect(seen.allSatisfy { $0 > 0 && $0 <= 1 })
        #expect(seen.last == 1)
    }

    @Test func theReportSurvivesJSON() async throws {
        let scratch = try Scratch()
        let text = lines(1...10) + "{\"id\":11,\"name\":[\n{\"id\":1,\"name\":\"twice\"}\n{\"id\":12,\"late\":1.5,\"name\":7}\n"
        let input = try scratch.file("in.ndjson", text)
        let queue = try DatabaseQueue()
        let report = try await Ingest([input], into: SQLiteSink(queue, table: "events")).primaryKey("id").sample(5).rejects(
            .table("bad")
        ).run()
        #expect(report.rejected == 2)
        #expect(report.lateColumns.count == 1)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = try encoder.encode(report)
        let copy = try JSONDecoder().decode(IngestReport.self, from: json)
        #expect(try encoder.encode(copy) == json)
        #expect(copy.outcome == report.outcome)
        #expect(copy.rows == report.rows)
        #expect(copy.rejections == report.rejections)
        #expect(copy.columns == report.columns)
        for outcome in [.frozen("key"), .interrupted(SIGINT), .failed("reason"), .tooManyErrors] as [IngestReport.Outcome] {
            #expect(try JSONDecoder().decode(IngestReport.Outcome.self, from: JSONEncoder().encode(outcome)) == outcome)
        }
    }

    @Test func aReportIsPrintedAsOneLine() async throws {
        let scratch = try Scratch()
        let input = try scratch.file("in.ndjson", lines(1...3) + "{\"id\":11,\"name\":[\n{\"id\":1,\"name\":\"twice\"}\n")
        let ingest = Ingest([input], into: SQLiteSink(try DatabaseQueue(), table: "events")).primaryKey("id")
        #expect("\(try await ingest.run())" == "complete: 3 added, 2 records rejected")
        #expect("\(try await ingest.run())" == "nothing to do: 0 added, 2 earlier records rejected")
        var report = IngestReport(destination: "p", table: "t")
        report.outcome = .failed("the disk\nis full")
        #expect("\(report)" == "failed (the disk is full): 0 added")
        report.outcome = .interrupted(SIGINT)
        report.rows.changed = 1_000
        #expect("\(report)" == "interrupted: 0 added, 1,000 changed")
        report.rows = RowCounts()
        report.rows.removed = 2
        report.missing = .init(.delete)
        report.missing?.count = 2
        #expect("\(report)" == "interrupted: 0 added, 2 removed")
        report.missing?.refusal = "an input was damaged"
        #expect("\(report)".hasSuffix("rows that the inputs lack were not looked for"))
    }

    @Test func sixtyFourIngestsLeaveATimerAlone() async throws {
        let scratch = try Scratch()
        let inputs = try (0..<64).map { try scratch.records("\($0).ndjson", 1...200) }
        let started = Counter()
        let ticks = Counter()
        let timer = Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(10))
                ticks.count()
            }
        }
        let added = try await withThrowingTaskGroup(of: Int.self) { group in
            for (number, input) in inputs.enumerated() {
                let sink = ObservedSink(SQLiteSink(try DatabaseQueue(), table: "t\(number)")) {
                    // All ingests wait, in their threads, until the timer has ticked while they run.
                    started.count()
                    while started.value < 64 { usleep(1_000) }
                    let now = ticks.value
                    while ticks.value < now + 2 { usleep(1_000) }
                }
                group.addTask { try await Ingest([input], into: sink).run().rows.added }
            }
            return try await group.reduce(0, +)
        }
        timer.cancel()
        #expect(added == 64 * 200)
        #expect(ticks.value >= 2)
    }

    @Test func aRunThatBlocksItsThreadGivesTheSameReport() throws {
        let scratch = try Scratch()
        let queue = try DatabaseQueue()
        let report = try Ingest([try scratch.records("in.ndjson", 1...10)], into: SQLiteSink(queue, table: "events"))
            .runBlocking()
        #expect(report.rows == RowCounts(added: 10))
        #expect(report.totalRows == 10)
    }
}
#endif
