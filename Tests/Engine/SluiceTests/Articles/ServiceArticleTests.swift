// The code of the articles "What to watch" and "Feeds that grow".

#if Services && SQLite
import Foundation
import GRDB
import Logging
import ServiceLifecycle
import SluiceIngest
import SluiceSQLite
import SluiceService
import Synchronization
import Testing
import UnixSignals

@testable import SluiceTestSupport

@Suite struct ServiceArticleTests {
    private let scratch: Scratch
    private let feed: String
    private let pool: DatabasePool
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    init() throws {
        scratch = try Scratch()
        feed = try scratch.file("feed.ndjson", (1...20).map { "{\"id\":\($0)}\n" }.joined())
        pool = try DatabasePool(path: scratch.path("app.db"))
    }

    private func count() async throws -> Int? { try await pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM events") } }

    @Test func aGroupRunsAnIngest() async throws {
        let shown = Mutex(0)
        @Sendable func show(_ records: Int) { shown.withLock { $0 = records } }

        let ingest = Ingest([feed], into: SQLiteSink(pool, table: "events"))
            .primaryKey("id").conflict(.upsert).rejects(.table("bad"))
        let service = IngestService(ingest, logger: logger) { progress in
            show(progress.records)
        }
        let group = ServiceGroup(
            configuration: .init(
                services: [
                    .init(
                        service: service,
                        successTerminationBehavior: .gracefullyShutdownGroup)
                ],
                gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        try await group.run()

        #expect(try await count() == 20)
        #expect(shown.withLock { $0 } == 20)
    }

    /// This is only compiled: it would go on until its task is cancelled.
    private func followLogs() async throws {
        let sink = SQLiteSink(path: "logs.db", table: "lines")
        let ingest = Ingest(["logs"], into: sink).existing(.append)
        for try await report in ingest.follow() {
            print(report.rows.added, report.unread)
        }
    }

    @Test func aServiceFollowsALogUntilTheGroupShutsDown() async throws {
        let logs = feed

        let service = IngestService(
            Ingest([logs], into: SQLiteSink(pool, table: "lines")).follow(),
            logger: logger)

        let group = ServiceGroup(configuration: .init(services: [.init(service: service)], logger: logger))
        async let run: Void = group.run()
        func count() async throws -> Int? { try await pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM lines") } }
        while (try? await count()) ?? 0 < 20 { try await Task.sleep(for: .milliseconds(5)) }
        await group.triggerGracefulShutdown()
        try await run
        #expect(try await count() == 20)
    }

    @Test func aServiceOfOnesOwnGetsTheReport() async throws {
        let ingest = Ingest([feed], into: SQLiteSink(pool, table: "events"))

        let report = try await IngestService(ingest, logger: logger).load()
        if case .interrupted = report.outcome { return }

        #expect(report.rows.added == 20)
    }
}
#endif
