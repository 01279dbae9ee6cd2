#if PostgreSQL
import Foundation
import SluiceCore
import SluiceIngest
import Testing

@testable import SluicePostgres

/// Records that come in several commands: each value is stored as in one command, or counted, or its record is rejected.
@Suite(.needsServer) struct PostgresDividedFeedTests {
    private struct NoProgress: ProgressDisplay {
        func isDue(_ nanoseconds: UInt64) -> Bool { false }
        mutating func show(_ progress: IngestProgress) {}
        mutating func clear() {}
    }

    @discardableResult
    private func ingest(
        _ lines: [String], into table: String = "t", _ server: PostgresServer, _ change: (inout IngestOptions) -> Void = { _ in }
    ) throws -> IngestReport {
        let feed = try FeedFile(lines)
        var options = IngestOptions()
        options.existing = .append
        change(&options)
        return try IngestJob(options, into: PostgresSink(server.url, table: table)).run(input: feed.path, progress: NoProgress())
    }

    @Test(arguments: [
        ("1", #""007""#), ("1", #""7""#), ("1.5", #""2.5""#), ("true", #""yes""#), ("true", #""true""#), ("true", "1"),
        (#""[1]""#, "[1]"), (#""x""#, #"{"a":1}"#),
    ]) func aValueThatBecomesAnotherInALaterCommandIsCounted(first: String, second: String) throws {
        let server = try PostgresServer()
        for conflict in [KeyConflict.reject, .upsert] {
            let table = "t\(conflict)"
            func setUp(_ options: inout IngestOptions) {
                (options.primaryKey, options.conflict, options.flattening.depth) = (["id"], conflict, 1)
            }
            try ingest([#"{"id":1,"v":\#(first)}"#], into: table, server, setUp)
            let report = try ingest([#"{"id":2,"v":\#(second)}"#], into: table, server, setUp)
            #expect(report.rows.added == 1 && report.digitLosses.map(\.count) == [1], "\(report)")
        }
    }

    @Test func aKeyThatWasAlwaysNullHasTheTypeOfItsFirstValue() throws {
        let server = try PostgresServer()
        try ingest([#"{"id":1,"active":null,"n":null,"s":null}"#], server)
        try ingest([#"{"id":2,"active":true,"n":5,"s":"x"}"#], server)
        #expect(try server.value("SELECT active::text FROM t WHERE active AND n = 5 AND s = 'x'") == "true")
        // A view needs the column.
        try server.connection.run("CREATE TABLE u AS SELECT 1::bigint id; DROP TABLE u")
        try ingest([#"{"id":1,"v":null}"#], into: "u", server)
        try server.connection.run("CREATE VIEW w AS SELECT v FROM u")
        try ingest([#"{"id":2,"v":5}"#], into: "u", server)
        #expect(try server.value("SELECT v FROM u WHERE id = 2") == "5")
    }

    @Test(arguments: ["5", "1.5", "true", "[1]"]) func aValueInAColumnThatAViewNeedsIsCounted(_ value: String) throws {
        let server = try PostgresServer()
        try ingest([#"{"id":1,"v":null}"#], server)
        try server.connection.run("CREATE VIEW w AS SELECT v FROM t")
        #expect(try ingest([#"{"id":2,"v":\#(value)}"#], server).digitLosses.map(\.example) == [value])
        #expect(try server.value("SELECT v FROM t WHERE id = 2") == value)
        // From now on, it is a column of texts.
        #expect(try ingest([#"{"id":3,"v":"x"}"#], server).digitLosses.isEmpty)
        #expect(try ingest([#"{"id":4,"v":[2]}"#], server).digitLosses.map(\.example) == ["'[2]'"])
    }

    @Test func aKeyThatWasAlwaysNullHasTheTypeOfItsFirstValueAfterTheSampleOfAnUpsert() throws {
        let server = try PostgresServer()
        func upsert(_ lines: [String]) throws {
            try ingest(lines, server) { ($0.primaryKey, $0.conflict, $0.sample) = (["id"], .upsert, 1) }
        }
        try upsert([#"{"id":1,"v":null}"#])
        try upsert([#"{"id":2}"#, #"{"id":1,"v":null}"#, #"{"id":2,"v":5}"#])
        #expect(try server.value("SELECT pg_typeof(v)::text || v FROM t WHERE id = 2") == "bigint5")
        try upsert([#"{"id":1}"#, #"{"id":2,"v":null}"#])
        #expect(try server.value("SELECT count(v) FROM t") == "0")
    }

    @Test func aColumnOfJSONThatBeginsWithNullsIsOne() throws {
        let server = try PostgresServer()
        let lines = ["null", #"{"x":1}"#, #""s""#, "6"].enumerated().map { #"{"id":\#($0),"v":\#($1)}"# }
        let report = try ingest(lines, server) { ($0.sample, $0.batch, $0.flattening.depth) = (1, 1, 0) }
        #expect(report.digitLosses.isEmpty)
        #expect(try ingest([#"{"id":7,"v":"7"}"#], server).digitLosses.isEmpty)
        #expect(
            try server.rows("SELECT v::text FROM t WHERE v IS NOT NULL ORDER BY id").map { $0[0] } == [
                #"{"x": 1}"#, #""s""#, "6", #""7""#,
            ])
    }

    @Test func aRunThatIsResumedKnowsTheTypeThatAnotherHasFound() throws {
        let server = try PostgresServer()
        let first = try FeedFile([#"{"id":1,"v":null}"#])
        func ingest(_ feed: borrowing FeedFile) throws -> IngestReport {
            var options = IngestOptions()
            (options.existing, options.batch) = (.append, 1)
            return try IngestJob(options, into: PostgresSink(server.url, table: "t")).run(
                input: feed.path, progress: NoProgress())
        }
        _ = try ingest(first)
        _ = try ingest(FeedFile([#"{"id":2,"v":5}"#]))
        try first.write([#"{"id":1,"v":null}"#, #"{"id":3,"v":null}"#, #"{"id":4,"v":6}"#])
        let report = try ingest(first)
        #expect(report.digitLosses.isEmpty && report.rejected == 0)
        #expect(try server.value("SELECT pg_typeof(v)::text || v FROM t WHERE id = 4") == "bigint6")
    }

    @Test func aTextAfterASampleOfNullsMakesAColumnOfTexts() throws {
        let server = try PostgresServer()
        let texts = try ingest([#"{"id":0,"v":null}"#, #"{"id":1,"v":"5"}"#, #"{"id":2,"v":6}"#], into: "u", server) {
            $0.sample = 1
        }
        #expect(texts.digitLosses.isEmpty)
        let word = try ingest([#"{"id":0,"v":null}"#, #"{"id":1,"v":"tru\u0065"}"#, #"{"id":2,"v":6}"#], into: "w", server) {
            $0.sample = 1
        }
        #expect(word.digitLosses.isEmpty)
    }

    @Test func aNumberIsCountedInLaterCommandsTooUntilATextComes() throws {
        let server = try PostgresServer()
        func examples(_ lines: [String]) throws -> [String] {
            try ingest(lines, server) { $0.sample = 1 }.digitLosses.map(\.example)
        }
        #expect(try examples([#"{"id":1,"v":null}"#]) == [])
        try server.connection.run("CREATE INDEX ON t (v)")
        #expect(try examples([#"{"id":2,"v":5}"#]) == ["5"])
        #expect(try examples([#"{"id":3,"v":6}"#]) == ["6"])
        #expect(try examples([#"{"id":4}"#, #"{"id":5,"v":true}"#]) == ["true"])
        #expect(try examples([#"{"id":6,"v":null}"#, #"{"id":7,"v":7}"#]) == ["7"])
        #expect(try examples([#"{"id":8}"#, #"{"id":9,"v":"x"}"#]) == [])
        #expect(try examples([#"{"id":10,"v":8}"#, #"{"id":11,"v":9}"#]) == [])
        #expect(
            try server.rows("SELECT v FROM t WHERE id > 1 ORDER BY id").compactMap { $0[0] } == [
                "5", "6", "true", "7", "x", "8", "9",
            ])
    }

    @Test(arguments: [
        "CREATE UNIQUE INDEX ON u (v)", "ALTER TABLE u ADD UNIQUE (id, v)", "ALTER TABLE u ADD CHECK (v <> 'no' OR id > 0)",
        "ALTER TABLE u ALTER v SET DEFAULT 'x'", "GRANT SELECT (v) ON u TO pg_monitor", "COMMENT ON COLUMN u.v IS 'mine'",
    ]) func aColumnOfWhichTheUserHasMadeUseKeepsItsType(statement: String) throws {
        let server = try PostgresServer()
        try ingest([#"{"id":1,"v":null}"#], into: "u", server)
        try server.connection.run(statement)
        try ingest([#"{"id":2,"v":5}"#], into: "u", server)
        #expect(try server.value("SELECT pg_typeof(v)::text || v FROM u WHERE id = 2") == "text5")
    }

    @Test func keysWhoseLettersBeyondASCIIDifferByCaseHaveTheirOwnColumns() throws {
        let server = try PostgresServer()
        try ingest([#"{"id":1,"é":false}"#], server)
        let report = try ingest([#"{"id":2,"é":true,"É":"x"}"#], server)
        #expect(report.rejected == 0 && report.rows.added == 1)
        #expect(try server.value(#"SELECT "É" FROM t WHERE "é""#) == "x")
    }

    @Test func keysOfWhichTheServerKeepsTheSamePartAreAnErrorInALaterCommandToo() throws {
        let server = try PostgresServer()
        let name = String(repeating: "k", count: 63)
        try ingest([#"{"id":1,"\#(name)a":1}"#], server)
        #expect(throws: IngestError.self) { try ingest([#"{"id":2,"\#(name)b":2}"#], server) }
        #expect(throws: IngestError.self) { try ingest([#"{"id":2,"\#(name)":2}"#], server) }
        try ingest([#"{"id":3,"\#(name)a":3}"#], server)
        #expect(try server.value("SELECT count(*) FROM t") == "2")
    }

    @Test func twoRunsAtOnceUniteWhatTheTableRemembers() async throws {
        let server = try PostgresServer()
        try ingest([#"{"id":0}"#], server)
        let url = server.url
        await withTaskGroup(of: Void.self) { group in
            for number in 1...4 {
                group.addTask {
                    let lines = (0..<300).map {
                        #"{"id":\#(number * 1_000 + $0),"k\#(number)":\#($0),"late\#($0 / 100)_\#(number)":true}"#
                    }
                    guard let feed = try? FeedFile(lines) else { return }
                    let ingest = Ingest([feed.path], into: PostgresSink(url, table: "t")).existing(.append).sample(10).batch(20)
                    _ = try? ingest.runBlocking()
                }
            }
        }
        #expect(try server.value("SELECT count(*) FROM t") == "1201")
        let text = try #require(try PostgresSink(server.url, table: "t").connect(SinkRun(identity: .new())).contents().memory)
        let memory = try TableMemory(text: text, of: "t")
        #expect(memory.layout.columns.count == 1 + 4 + 12)
    }
}
#endif
