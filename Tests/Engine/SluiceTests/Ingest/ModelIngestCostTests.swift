// What an ingest by a model costs, against one by declared columns of the same keys: `SLUICE_MEASURE=1 swift test --filter ModelIngestCost`.
// Instructions: `SLUICE_MEASURE=20000 SLUICE_MEASURE_KIND=model valgrind --tool=callgrind …` (or `columns`, `sample`), at two sizes.
#if Macros && SQLite

import Foundation
import GRDB
import Sluice
import SluiceIngest
import SluiceSQLite
import SluiceTestSupport
import Testing

@Suite(.enabled(if: ProcessInfo.processInfo.environment["SLUICE_MEASURE"] != nil, "measures: SLUICE_MEASURE=1"), .serialized)
struct ModelIngestCostTests {
    @JSONModel
    struct Actor { var login: String }

    @JSONModel
    struct Repository {
        var id: Int
        var name: String
    }

    @JSONModel(keys: .snakeCase)
    struct Event {
        var id: Int
        var type: String
        var createdAt: Date
        var actor: Actor
        var repo: Repository
        @JSONKey("payload.size") var size: Int?
        @JSONKey("payload.ratio") var ratio: Double?
        @JSONKey("public") var isPublic = true
    }

    private static let columns: [Ingest.Column] = [
        .column("id", .integer), .column("type", .text), .column("created_at", .timestamp),
        .column("actor_login", .text, at: "actor.login"), .column("repo_id", .integer, at: "repo.id"),
        .column("repo_name", .text, at: "repo.name"), .column("payload_size", .integer, at: "payload.size"),
        .column("payload_ratio", .real, at: "payload.ratio"), .column("public", .bool),
    ]

    private func processorTime() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// A feed of events, gone with the test.
    private func feed(_ count: Int) throws -> (path: String, scratch: Scratch) {
        let scratch = try Scratch()
        var text = ""
        for number in 1...count {
            text +=
                #"{"id":\#(number),"type":"PushEvent","actor":{"id":\#(number % 977),"login":"user-with-a-name-\#(number % 977)"},"repo":{"id":\#(number % 77),"name":"owner/a-repository-\#(number % 77)"},"payload":{"size":\#(number % 9),"ratio":0.\#(number % 1_000 + 1),"ref":"refs/heads/main"},"public":true,"created_at":"2024-02-\#(10 + number % 19)T12:00:00Z"}"#
                + "\n"
        }
        return (try scratch.file("events.ndjson", text), scratch)
    }

    private func ingest(_ path: String, _ kind: String, _ sink: SQLiteSink) -> Ingest {
        switch kind {
        case "model": Ingest([path], as: Event.self, into: sink)
        case "columns": Ingest([path], into: sink).columns(Self.columns)
        default: Ingest([path], into: sink)
        }
    }

    /// One ingest of `SLUICE_MEASURE` events, to be counted by callgrind: the difference of two sizes is the cost of the records.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["SLUICE_MEASURE_KIND"] != nil)) func oneIngest() throws {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["SLUICE_MEASURE"].flatMap { Int($0) } ?? 1_000
        let (path, scratch) = try feed(count)
        defer { _ = scratch }
        let sink = SQLiteSink(try DatabaseQueue(), table: "t")
        let report = try ingest(path, environment["SLUICE_MEASURE_KIND"] ?? "", sink).workers(1).runBlocking()
        #expect((report.rows.added, report.rejected) == (count, 0))
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["SLUICE_MEASURE_KIND"] == nil))
    func aModelCostsLittleMoreThanDeclaredColumns() throws {
        let (path, scratch) = try feed(200_000)
        defer { _ = scratch }
        let queue = try DatabaseQueue()
        func cost(_ kind: String) throws -> Double {
            let start = processorTime()
            let report = try ingest(path, kind, SQLiteSink(queue, table: "t")).existing(.drop).workers(1).runBlocking()
            #expect((report.rows.added, report.rejected) == (200_000, 0))
            return processorTime() - start
        }
        var times: [String: [Double]] = [:]
        let kinds = ["columns", "sample", "model"]
        for _ in 0..<5 { for kind in kinds { times[kind, default: []].append(try cost(kind)) } }
        let medians = times.mapValues { $0.sorted()[2] }
        let (columns, model) = (medians["columns"] ?? 0, medians["model"] ?? 0)
        print("CPU seconds, medians of 5: \(medians), model to declared columns \(model / columns)")
        #expect(model / columns < 1.3)
    }
}
#endif
