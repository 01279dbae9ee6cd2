// The code of the article "Into PostgreSQL".

#if PostgreSQL
import Foundation
import SluiceIngest
import SluicePostgres
import Synchronization
import Testing

@testable import SluiceTestSupport

@Suite struct PostgresArticleTests {
    @Test func theAddressIsShownWithoutItsUser() {
        let database = "postgresql://db.example.org/shop"

        #expect(PostgresSink(database, table: "events").destination == "the database shop of PostgreSQL at db.example.org")
    }

    /// The server that Scripts/with-postgres starts. Here the table is in its schema `public`, which no other test uses.
    private static let server = ProcessInfo.processInfo.environment["SLUICE_POSTGRES"]
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test(.enabled(if: server != nil, "needs a server: Scripts/with-postgres swift test"))
    func anIngestFromAProgram() async throws {
        let database = try #require(Self.server)
        // Other keys than those of an earlier run beside the same server.
        let first = Int.random(in: 1 << 40..<1 << 60)
        let feed = try scratch.file("feed.ndjson", (0..<200).map { "{\"id\":\(first + $0)}\n" }.joined() + "{\n")
        let shown = Mutex<[Double]>([])
        @Sendable func show(_ fraction: Double) { shown.withLock { $0.append(fraction) } }
        var printed = ""
        func print(_ items: Any...) { printed += items.map { "\($0)" }.joined(separator: " ") }

        let sink = PostgresSink(database, table: "events")
        let report = try await Ingest([feed], into: sink)
            .primaryKey("id").conflict(.upsert).rejects(.table("bad"))
            .run { progress in show(progress.fraction ?? 0) }
        print(report.rows.added, report.rejected)

        #expect(printed == "200 1")
        #expect(shown.withLock { $0.last } == 1)

        let patient = PostgresSink(database, table: "events", reconnects: 20)
        #expect(try await Ingest([feed], into: patient).run().outcome == .nothingToDo)
    }
}
#endif
