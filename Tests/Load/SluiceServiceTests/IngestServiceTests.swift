// An ingest as a service: its end, its events and its metrics.

#if Services && SQLite
import Foundation
import GRDB
import InMemoryLogging
import Logging
import MetricsTestKit
import ServiceLifecycle
import ServiceLifecycleTestKit
import SluiceIngest
import SluiceSQLite
import SluiceTestSupport
import Testing

@testable import SluiceService

@Suite struct IngestServiceTests {
    private let scratch: Scratch
    private let queue: DatabaseQueue
    private let events = InMemoryLogHandler()
    private let metrics = TestMetrics()

    init() throws { (scratch, queue) = (try Scratch(), try DatabaseQueue()) }

    private func service(_ ingest: Ingest, progress: (@Sendable (IngestProgress) -> Void)? = nil) -> IngestService {
        var logger = Logger(label: "test") { [events] _ in events }
        logger.logLevel = .trace
        return IngestService(ingest, logger: logger, factory: metrics, progress: progress)
    }

    private func service(_ reports: FollowedReports) -> IngestService {
        var logger = Logger(label: "test") { [events] _ in events }
        logger.logLevel = .trace
        return IngestService(reports, logger: logger, factory: metrics)
    }

    private func ingest(_ text: String, _ name: String = "in.ndjson") throws -> Ingest {
        Ingest([try scratch.file(name, text)], into: SQLiteSink(queue, table: "events"))
    }

    /// The metadata of the events with a message.
    private func metadata(_ message: String) -> [Logger.Metadata] {
        events.entries.filter { $0.message.description == message }.map(\.metadata)
    }

    private func count() throws -> Int? { try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM events") } }

    /// Waits until the table has so many rows. It takes as long as it takes: tests that block hold the threads that a service needs.
    private func wait(for rows: Int) async throws {
        while (try? count()) ?? 0 < rows { try await Task.sleep(for: .milliseconds(5)) }
    }

    /// Blocks a thread of a run until tasks have had many turns. A shutdown reaches the run through some tasks, and tests that block may hold
    /// their threads for longer than the run takes.
    private static func waitForOtherTasks() {
        let isOver = DispatchSemaphore(value: 0)
        Task.detached {
            for _ in 0..<200 { await Task.yield() }
            isOver.signal()
        }
        isOver.wait()
    }

    // MARK: Its end

    @Test func aGracefulShutdownEndsItAtACheckpoint() async throws {
        let ingest = try ingest((1...40_000).map { "{\"id\":\($0)}\n" }.joined()).workers(1)
        let stored = try await testGracefulShutdown { trigger in
            // A transaction for each row takes longer than the first report of its progress.
            let service = service(ingest.batch(1)) { _ in
                trigger.triggerGracefulShutdown()
                IngestServiceTests.waitForOtherTasks()
            }
            // It returns, and does not throw.
            try await service.run()
            return try count() ?? 0
        }
        #expect(stored > 0 && stored < 40_000)
        #expect(events.entries.last?.message.description.hasPrefix("ingest ended: ") == true)
        // The same ingest goes on there.
        let report = try await service(ingest).load()
        #expect(report.outcome == .complete && report.rows.added == 40_000 - stored)
        #expect(try count() == 40_000)
    }

    @Test func aServiceThatFollowsALogEndsAtACheckpoint() async throws {
        let ingest = try ingest("{\"id\":1}\n", "app.ndjson")
        let service = service(ingest.follow(every: 0.01))
        let report = try await testGracefulShutdown { trigger in
            async let end = service.load()
            try await wait(for: 1)
            let handle = try #require(FileHandle(forWritingAtPath: scratch.path("app.ndjson")))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data("{\"id\":2}\nbad\n".utf8))
            try handle.close()
            try await wait(for: 2)
            trigger.triggerGracefulShutdown()
            return try await end
        }
        #expect(report.outcome == .complete && report.rows.added == 2 && report.rejected == 1)
        #expect(try count() == 2)
        #expect("\(service)" == "ingest into the table events of \(queue.path)")
        // The passes are one run.
        #expect(events.entries.filter { $0.message.description.hasPrefix("ingest ended: ") }.count == 1)
        #expect(metrics.counterTotal(label: "sluice.records") == 3 && metadata("record rejected").map { $0["line"] } == ["3"])
    }

    @Test func aShutdownBeforeTheStartStoresNothing() async throws {
        let ingest = try ingest("{\"id\":1}\n")
        let report = try await testGracefulShutdown { trigger in
            trigger.triggerGracefulShutdown()
            return try await service(ingest).load()
        }
        if case .complete = report.outcome { #expect(try count() == 1) } else { #expect(report.rows.added == 0) }
    }

    @Test func whatEndsTheWorkIsAnErrorWithTheReport() async throws {
        let ingest = try ingest("{\"id\":1}\nbad\nbad\n").maximumErrors(1)
        let error = await #expect(throws: IngestService.Failure.self) { try await service(ingest).run() }
        #expect(error?.report.outcome == .tooManyErrors && error?.description.hasPrefix("too many records rejected") == true)
        #expect(events.entries.last?.level == .error)
    }

    @Test func anErrorBeforeTheStartIsAnEvent() async throws {
        let ingest = try ingest("{\"id\":1}\n").primaryKey("nope")
        await #expect(throws: IngestError.self) { try await service(ingest).run() }
        let found = metadata("ingest failed")
        #expect(found.count == 1 && "\(found[0]["reason"] ?? "")".contains("primaryKey(\"nope\")"))
    }

    /// A group logs the name of its services. What a struct is described by would show the address of its sink.
    @Test func theNameOfTheServiceIsThatOfTheTable() throws {
        let service = service(try ingest("{\"id\":1}\n"))
        #expect("\(service)" == "ingest into the table events of \(queue.path)")
    }

    // MARK: Events

    @Test func eventsHaveMetadata() async throws {
        let file = try scratch.file("in.ndjson", "{\"id\":1}\n{\"id\":2}\n")
        let ingest = Ingest([file], into: SQLiteSink(queue, table: "events"))
        _ = try await service(ingest).load()
        #expect(events.entries.last?.level == .info)
        events.clear()
        let text = try String(contentsOfFile: file, encoding: .utf8) + "{\"id\":3,\"late\":1}\nbad\n"
        _ = try scratch.file("in.ndjson", text)
        let report = try await service(ingest).load()
        #expect(report.rows.added == 1 && report.rejected == 1)
        let taken = try #require(metadata("input taken up").first)
        #expect(taken["input"] == "\(file)" && taken["count"] == "2" && taken["table"] == "events")
        let rejected = try #require(metadata("record rejected").first)
        #expect(rejected["input"] == "\(file)" && rejected["line"] == "4" && rejected["error.type"] == "syntax")
        #expect("\(rejected["reason"] ?? "")".hasPrefix("invalid JSON"))
        #expect(metadata("column added").map { $0["column"] } == ["late"])
        let end = try #require(events.entries.last)
        #expect(end.level == .warning && end.metadata["count"] == "2" && end.metadata["isWhole"] == "false")
        #expect(end.message.description == "ingest ended: \(report)")
    }

    @Test func aDamagedFeedDoesNotFloodTheLog() async throws {
        let bad = Array(repeating: "bad\n", count: 300).joined()
        _ = try await service(try ingest("{\"id\":1}\n" + bad)).load()
        #expect(metadata("record rejected").count == 10)
        #expect(metadata("more records rejected").map { $0["count"] } == ["290"])
    }

    @Test func noEventShowsASensitiveValue() async throws {
        let secret = "zQ7wKx93mJv51"
        let lines = [#"{"id":1,"pin":{"a":1}}"#, #"{"id":2,"pin":{"\#(secret)":"\#(secret)"}}"#, #"{"id":3,"pin":\#(secret)}"#]
        _ = try await service(try ingest(lines.joined(separator: "\n") + "\n").sample(1).batch(1).sensitive("pin")).load()
        #expect(metadata("record rejected").count == 1)
        for event in events.entries {
            #expect(!"\(event.message) \(event.metadata)".contains(secret), "\(event.message) \(event.metadata)")
        }
        for counter in metrics.counters { #expect(!"\(counter.dimensions)".contains(secret)) }
    }

    // MARK: Metrics

    @Test func countersAreThoseOfTheReport() async throws {
        let lines = (1...10).map { "{\"id\":\($0),\"a\":\($0 % 2 == 0 ? "null" : "1")}\n" }.joined() + "bad\n"
        let report = try await service(try ingest(lines).batch(3)).load()
        let table = [("sluice.database", queue.path), ("db.collection.name", "events")]
        func total(_ label: String, _ more: [(String, String)] = []) throws -> Int64 {
            try metrics.expectCounter(label, table + more).totalValue
        }
        #expect(try total("sluice.records") == 11 && total("sluice.records.rejected") == 1)
        #expect(try total("sluice.bytes") == Int64(report.bytes))
        #expect(try total("sluice.rows", [("sluice.result", "added")]) == 10)
        #expect(try total("sluice.rejections", [("error.type", "syntax")]) == 1)
        #expect(try total("sluice.column.values", [("sluice.column", "a")]) == 5)
        #expect(try total("sluice.column.nulls", [("sluice.column", "a")]) == 5)
        // A counter is there before it counts.
        #expect(try metrics.expectCounter("sluice.rows", table + [("sluice.result", "refused")]).values == [0])
        let timer = try metrics.expectTimer(
            "db.client.operation.duration", [("db.system.name", "sqlite"), ("db.collection.name", "events")])
        #expect(try timer.values.count == Int(total("sluice.commits")) && timer.values.allSatisfy { $0 > 0 })
    }

    @Test func countersGoOnFromRunToRun() async throws {
        for name in ["a.ndjson", "b.ndjson"] { _ = try await service(try ingest("{\"id\":1}\n", name).existing(.append)).load() }
        #expect(metrics.counterTotal(label: "sluice.records") == 2)
    }

    @Test func whatIsBehindIsAGauge() async throws {
        let file = try scratch.file("in.ndjson", "{\"id\":1}\n{\"id\":2}\n")
        let report = try await service(Ingest([file], into: SQLiteSink(queue, table: "events")).limit(1)).load()
        #expect(report.rows.added == 1)
        let meter = try #require(metrics.meters(label: "sluice.input.behind").last)
        #expect(meter.lastValue == 9 && meter.dimensions.last.map { $0 == ("sluice.input", file) } == true)
    }
}
#endif
