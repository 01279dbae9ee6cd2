// The code of the article "Into PostgreSQL".

#if PostgreSQL
import Foundation
import SluiceIngest
import SluicePostgres
import Synchronization
import Testing

@Suite struct PostgresArticleTests {
    @Test func theAddressIsShownWithoutItsUser() {
        let database = "postgresql://db.example.org/shop"

        #expect(PostgresSink(database, table: "events").destination == "the database shop of PostgreSQL at db.example.org")
    }

    @Test(.needsServer) func anIngestFromAProgram() async throws {
        let server = try PostgresServer()
        let database = server.url
        let file = try FeedFile((1...200).map { "{\"id\":\($0)}" } + ["{"])
        let feed = file.path
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
        #expect(try server.value("SELECT count(*) FROM bad") == "1")

        let patient = PostgresSink(database, table: "events", reconnects: 20)
        #expect(patient.reconnects == 20)
        #expect(try await Ingest([feed], into: patient).run().outcome == .nothingToDo)
        #expect(file.path == feed)  // the file lives until here
    }
}
#endif
