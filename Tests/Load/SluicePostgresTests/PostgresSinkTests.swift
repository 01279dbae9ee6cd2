#if PostgreSQL
import Foundation
import SluiceCore
import SluiceFeed
import SluiceIngest
import Synchronization
import Testing

@testable import SinkConformance
@testable import SluicePostgres

/// A file with a feed, which is gone at the end of the test.
struct FeedFile: ~Copyable {
    let path = FileManager.default.temporaryDirectory.appending(path: "feed-\(UUID().uuidString).ndjson").path

    init(_ lines: [String]) throws { try write(lines) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ lines: [String]) throws {
        try lines.map { $0 + "\n" }.joined().write(toFile: path, atomically: false, encoding: .utf8)
    }
}

private struct NoProgress: ProgressDisplay {
    func isDue(_ nanoseconds: UInt64) -> Bool { false }
    mutating func show(_ progress: IngestProgress) {}
    mutating func clear() {}
}

@Suite(.needsServer) struct PostgresSinkTests {
    private func ingest(
        _ path: String, into table: String = "t", _ server: PostgresServer, _ change: (inout IngestOptions) -> Void = { _ in }
    ) throws -> IngestReport {
        var options = IngestOptions()
        options.batch = 100
        change(&options)
        return try IngestJob(options, into: PostgresSink(server.url, table: table)).run(input: path, progress: NoProgress())
    }

    @Test func aNewTableGetsTheColumnsOfTheFeed() throws {
        let server = try PostgresServer()
        let feed = try FeedFile([
            #"{"id":1,"name":"a\tb","price":1.5,"ok":true,"at":"2024-02-29T12:00:00Z","tags":["x",1],"user":{"age":5}}"#,
            #"{"id":2,"name":"\\N","price":2.5,"ok":false,"at":"2024-02-29T12:00:00.5Z","tags":["y"],"user":{"age":null}}"#,
        ])
        let report = try ingest(feed.path, server) { $0.types = (try? [TypeOption("at:timestamp")]) ?? [] }
        #expect(report.outcome == .complete && report.rows.added == 2 && report.rejected == 0)
        let types = try server.rows(
            "SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 't'::regclass AND attnum > 0 ORDER BY 1"
        )
        let wanted: [[String?]] = [
            ["at", "timestamp with time zone"], ["id", "bigint"], ["name", "text"], ["ok", "boolean"],
            ["price", "double precision"],
            ["tags", "jsonb"], ["user_age", "bigint"],
        ]
        #expect(types == wanted)
        let rows = try server.rows("SELECT id, name, price, ok, at AT TIME ZONE 'UTC', tags, user_age FROM t ORDER BY id")
        let expected: [[String?]] = [
            ["1", "a\tb", "1.5", "t", "2024-02-29 12:00:00", #"["x", 1]"#, "5"],
            ["2", "\\N", "2.5", "f", "2024-02-29 12:00:00.5", #"["y"]"#, nil],
        ]
        #expect(rows == expected)
        #expect(try ingest(feed.path, server) { $0.types = (try? [TypeOption("at:timestamp")]) ?? [] }.outcome == .nothingToDo)
    }

    @Test func aRunGoesOnWhereTheLastOneEnded() throws {
        let server = try PostgresServer()
        let lines = (0..<1000).map { #"{"id":\#($0),"v":"\#($0)"}"# }
        let feed = try FeedFile(Array(lines.prefix(500)))
        #expect(try ingest(feed.path, server) { $0.limit = 250 }.rows.added == 250)
        #expect(try ingest(feed.path, server).rows.added == 250)
        try feed.write(lines)
        let last = try ingest(feed.path, server)
        #expect(last.rows.added == 500 && last.totalRows == 1000)
        #expect(try server.value("SELECT count(DISTINCT id) FROM t") == "1000")
        #expect(try ingest(feed.path, server) { $0.existing = .truncate }.rows.added == 1000)
        #expect(try ingest(feed.path, server) { $0.existing = .drop }.rows.added == 1000)
        #expect(try server.value("SELECT count(*) FROM t") == "1000")
        #expect(try server.value("SELECT count(*) FROM _sluice_checkpoints WHERE is_held") == "0")
    }

    @Test func digitsThatASingleDoesNotHoldAreReported() throws {
        let server = try PostgresServer()
        try server.connection.run("CREATE TABLE single (k float4)")
        let single = try FeedFile(["0.1", "0.5", "0.123456789"].map { #"{"k":\#($0)}"# })
        let other = try ingest(single.path, into: "single", server) { $0.existing = .append }
        #expect(other.digitLosses == [DigitLoss(column: "k", count: 1, example: "0.123456789")])
    }

    @Test(arguments: [KeyConflict.reject, .ignore, .upsert])
    func valuesOfGeneratedColumnsAreLeftOutAndCounted(conflict: KeyConflict) throws {
        let server = try PostgresServer()
        try server.connection.run(
            """
            CREATE TABLE t (n bigint PRIMARY KEY, id bigint GENERATED ALWAYS AS IDENTITY,
                twice bigint GENERATED ALWAYS AS (n * 2) STORED, a smallint)
            """)
        let lines = [
            #"{"id":100,"n":1,"twice":3}"#, #"{"id":null,"n":2,"twice":4,"a":1}"#, #"{"id":101,"n":3,"a":70000}"#,
            #"{"id":102,"n":1}"#,
        ]
        let feed = try FeedFile(lines)
        let report = try ingest(feed.path, server) {
            $0.existing = .append
            $0.conflict = conflict
            $0.primaryKey = conflict == .reject ? [] : ["n"]
        }
        #expect(report.rows.added == 2 && report.rejected == (conflict == .reject ? 2 : 1))
        let counts = Dictionary(uniqueKeysWithValues: report.generatedValues.map { ($0.column, $0.count) })
        #expect(counts == ["id": conflict == .upsert ? 2 : 1, "twice": 2])
        #expect(!report.isWhole)
        // A later run that finds nothing to do still says so.
        #expect(
            try server.value("SELECT state::jsonb -> 'losses' ->> 'generated' FROM _sluice_checkpoints")
                == (conflict == .upsert ? "4" : "3"))
    }

    /// A database of another encoding than UTF8, and a connection to it.
    private func narrowDatabase(_ encoding: String) throws -> (url: String, PostgresConnection) {
        let server = try PostgresServer()
        let database = "narrow_" + server.schema
        try server.connection.run(
            "CREATE DATABASE \(database) ENCODING '\(encoding)' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'")
        let url = (PostgresServer.url ?? "").replacing("///postgres?", with: "///\(database)?")
        return (url, try PostgresConnection(url))
    }

    @Test(arguments: [1, 100]) func aKeyWhoseNameTheDatabaseCannotHoldIsLeftOutAndTheRestIsStored(batch: Int) throws {
        let (url, connection) = try narrowDatabase("LATIN1")
        func value(_ sql: String) throws -> String? { try connection.query(sql).text(0, 0) }
        let lines = [
            #"{"id":1,"preis €":5,"é":"x"}"#, #"{"id":2,"n":[{"é":1,"€":2},{"é":3}]}"#, #"{"id":3,"late €":true,"late":"y"}"#,
            #"{"id":4,"€s":[1,2]}"#, #"{"id":5,"preis €":null}"#,
        ]
        var options = IngestOptions()
        options.primaryKey = ["id"]
        options.conflict = .upsert
        options.existing = .append
        options.batch = batch
        options.sample = 2
        options.rejects = .table("bad")
        options.changes = .table("changed")
        options.children.storage = .tables
        for count in 1...2 {
            let feed = try FeedFile(lines)
            let report = try IngestJob(options, into: PostgresSink(url, table: "t")).run(input: feed.path, progress: NoProgress())
            #expect(report.outcome == .complete && report.rejected == 1 && report.records == 5)
            let counts = Dictionary(uniqueKeysWithValues: report.generatedValues.map { ($0.column, $0.count) })
            #expect(counts == ["preis €": 1, "t_n.€": 1, "late €": 1])
            #expect(Set(report.unnameableColumns) == Set(counts.keys))
            #expect(report.rejections.allSatisfy { $0.reason.contains("LATIN1, which lacks a character of the name") })
            #expect(
                try value("SELECT string_agg(id || coalesce(é, '') || coalesce(late, ''), ' ' ORDER BY id) FROM t") == "1x 2 3y 5"
            )
            #expect(try value("SELECT string_agg(é::text, ' ' ORDER BY position) FROM t_n") == "1 3")
            #expect(try value("SELECT count(*) FROM bad") == "\(count)")
        }
        // A key must be there.
        options.primaryKey = ["preis €"]
        options.existing = .drop
        options.changes = nil
        let feed = try FeedFile(lines)
        #expect {
            _ = try IngestJob(options, into: PostgresSink(url, table: "t")).run(input: feed.path, progress: NoProgress())
        } throws: { "\($0)".contains("preis €") && "\($0)".contains("lacks a character") }
    }

    @Test(arguments: ["LATIN1", "EUC_JP"]) func aDatabaseOfAnotherEncodingRejectsOnlyRecordsThatItCannotHold(encoding: String)
        throws
    {
        let (url, connection) = try narrowDatabase(encoding)
        func value(_ sql: String) throws -> String? { try connection.query(sql).text(0, 0) }
        let held = encoding == "LATIN1" ? "é" : "日"
        let folder = FileManager.default.temporaryDirectory.appending(path: "2 \u{1F600}-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "\(held).ndjson").path
        let lines = [
            #"{"id":1,"a":"\#(held)","n":[]}"#, #"{"id":2,"a":"\#u{1F600}"}"#, #"{"id":3,"n":[{"b":"\#u{1F600}"}]}"#,
            #"{"id":4,"a":"\#u{1F600}\#(held)"#, #"{"id":5,"a":"y","n":[{"b":"c"}]}"#,
        ]
        try lines.map { $0 + "\n" }.joined().write(toFile: path, atomically: false, encoding: .utf8)
        var options = IngestOptions()
        options.primaryKey = ["id"]
        options.conflict = .upsert
        options.feed.format = .lines
        options.rejects = .table("bad")
        options.changes = .table("changed")
        options.children.storage = .tables
        let sink = PostgresSink(url, table: "t")
        let report = try IngestJob(options, into: sink).run(input: path, progress: NoProgress())
        #expect(report.rows.added == 2 && report.rejected == 3)
        #expect(try value("SELECT string_agg(id || coalesce(a, ''), ' ' ORDER BY id) FROM t") == "1\(held) 5y")
        #expect(try value(#"SELECT json_line FROM bad WHERE json_line LIKE '{"id":2%'"#) == #"{"id":2,"a":"\ud83d\ude00"}"#)
        #expect(try value("SELECT count(DISTINCT file) FROM bad") == "1")
        #expect(try value("SELECT string_agg(DISTINCT file, '') FROM changed") == value("SELECT max(file) FROM bad"))
        // The checkpoint is found again, and so are the records.
        #expect(try IngestJob(options, into: sink).run(input: path, progress: NoProgress()).outcome == .nothingToDo)
        #expect(try sink.rejections(in: "bad").allSatisfy { $0.file == path })
        try connection.run(#"UPDATE bad SET json_line = replace(json_line, '\ud83d\ude00', 'smile')"#)
        options.changes = nil
        let replay = Replay(try sink.rejections(in: "bad"))
        options.read(replay, from: .table("bad"))
        let repaired = try IngestJob(options, into: sink).run(replay.inputs, progress: NoProgress())
        #expect(repaired.rows.added == 2)
        #expect(try value("SELECT count(*) FROM bad") == "1")
    }

    @Test func namesThatPostgreSQLCutsAlikeAreAnErrorInLaterRunsToo() throws {
        let server = try PostgresServer()
        let name = String(repeating: "k", count: 63)
        func load(_ lines: [String], children: Bool = false) throws -> IngestReport {
            let feed = try FeedFile(lines)
            return try ingest(feed.path, server) {
                $0.existing = .append
                if children { ($0.children.storage, $0.primaryKey, $0.conflict) = (.tables, ["id"], .upsert) }
            }
        }
        _ = try load([#"{"\#(name)1":"first"}"#])
        for lines in [[#"{"\#(name)2":"second"}"#], [#"{"\#(name)1":"x","\#(name)2":"second"}"#]] {
            #expect(throws: IngestError.self) { try load(lines) }
        }
        #expect(try load([#"{"\#(name)1":"again"}"#, #"{"late\#(name)3":1}"#]).rows.added == 2)
        #expect(throws: IngestError.self) { try load([#"{"late\#(name)4":1}"#]) }
        #expect(try server.value("SELECT string_agg(\(name), ',' ORDER BY \(name)) FROM t") == "again,first")
        // The names are remembered, not in a comment, which is the user's.
        try server.connection.run("COMMENT ON COLUMN t.\(name) IS 'mine'")
        #expect(throws: IngestError.self) { try load([#"{"\#(name)2":"second"}"#]) }
        #expect(try server.value("SELECT count(*) FROM pg_description WHERE objoid = 't'::regclass") == "1")
        // A table that another program has made has no such column of ours.
        try server.connection.run(
            "DROP TABLE t; CREATE TABLE t (id bigint PRIMARY KEY, \(name) text); COMMENT ON COLUMN t.\(name) IS 'mine'")
        #expect(try load([#"{"id":1,"\#(name)1":"x"}"#]).rows.added == 1)
        _ = try load([#"{"id":2,"\#(name)x":[1]}"#], children: true)
        #expect(throws: IngestError.self) { try load([#"{"id":3,"\#(name)y":[1]}"#], children: true) }
    }

    @Test func aTableForTheSessionAloneIsRefused() throws {
        let server = try PostgresServer()
        let feed = try FeedFile([#"{"id":1}"#])
        var options = IngestOptions()
        options.batch = 1
        for sink in [
            PostgresSink((PostgresServer.url ?? "") + "&options=-csearch_path%3Dpg_temp", table: "t"),
            PostgresSink(server.url, table: "t", schema: "pg_temp"),
        ] {
            #expect(throws: IngestError.self) { try IngestJob(options, into: sink).run(input: feed.path, progress: NoProgress()) }
        }
    }

    @Test(arguments: ["oid", "xid", "xid8"]) func aNumberBelowZeroIsNotATypeWithoutASign(type: String) throws {
        let server = try PostgresServer()
        try server.connection.run("CREATE TABLE t (o \(type))")
        let values = ["-1", #""-1""#, "4294967295", #""7""#, "0", "1.5", "true", "2.0", "99999999999999999999"]
        let feed = try FeedFile(values.map { #"{"o":\#($0)}"# })
        let report = try ingest(feed.path, server) { $0.existing = .append }
        #expect(report.rejected == 6)
        #expect(
            try server.value("SELECT string_agg(o::text, ' ' ORDER BY length(o::text), o::text) FROM t") == "0 7 4294967295")
    }

    /// Each run adds columns again and again, and merges rows that the other run has, too.
    @Test func twoRunsThatAddLateColumnsAtOnceLoseNothing() async throws {
        let server = try PostgresServer()
        try server.connection.run("CREATE TABLE t (id bigint PRIMARY KEY)")
        let count = 3000
        let up = try FeedFile((0..<count).map { #"{"id":\#($0),"x\#($0 / 100)":\#($0)}"# })
        let down = try FeedFile((0..<count).map { #"{"id":\#(count - 1 - $0),"y\#($0 / 100)":\#($0)}"# })
        let (paths, url) = ([up.path, down.path], server.url)
        try await withThrowingTaskGroup(of: IngestReport.self) { group in
            for path in paths {
                group.addTask {
                    try await Ingest([path], into: PostgresSink(url, table: "t"))
                        .primaryKey("id").conflict(.upsert).sample(10).batch(50).run()
                }
            }
            for try await report in group {
                #expect(report.outcome == .complete && report.records == count && report.rejected == 0)
            }
        }
        #expect(try server.value("SELECT count(*) FROM t") == "\(count)")
        let sum = (0..<count).reduce(0, +)
        for name in ["x", "y"] {
            let columns = (0..<(count / 100)).map { "coalesce(\(name)\($0), 0)" }.joined(separator: " + ")
            #expect(try server.value("SELECT sum(\(columns)) FROM t") == "\(sum)")
        }
    }

    /// A deadlock: the run holds a lock on the table from its first transaction, another session holds a row, and each waits for
    /// the other one.
    @Test func aTransactionThatADeadlockEndsIsDoneAgain() throws {
        let server = try PostgresServer()
        try server.connection.run("CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t VALUES (1, 0), (2, 0)")
        let other = try PostgresConnection(server.url)
        try other.run("SET deadlock_timeout = '60s'; BEGIN; UPDATE t SET v = 5 WHERE id = 2")
        let feed = try FeedFile([#"{"id":1,"v":7,"w":1}"#, #"{"id":2,"v":7,"w":2}"#])
        // A session checks for a deadlock once while it waits. The run checks after three seconds, and the other session after
        // sixty. So the server ends the run's transaction.
        let (path, url) = (feed.path, server.url + "%20-cdeadlock_timeout%3D3s")
        let outcome = Mutex<Result<IngestReport, any Error>?>(nil)
        let hasEnded = DispatchSemaphore(value: 0)
        // A thread of its own, because a machine with one processor has no second one for tasks.
        Thread {
            var options = IngestOptions()
            options.primaryKey = ["id"]
            options.conflict = .upsert
            let job = IngestJob(options, into: PostgresSink(url, table: "t"))
            let result = Result { try job.run(input: path, progress: NoProgress()) }
            outcome.withLock { $0 = result }
            hasEnded.signal()
        }.start()
        // The server waits, because a thread of a busy machine could be later than the run's check for a deadlock.
        try other.awaitSession(
            thatWaitsFor: "t", then: "PERFORM pg_advisory_xact_lock(\(PostgresConnection.lockNumber("\(server.schema).t")))")
        try other.run("COMMIT")
        hasEnded.wait()
        let rows = try #require(outcome.withLock { $0 }).get().rows
        #expect(rows.changed == 2)
        #expect(try server.value("SELECT string_agg(v::text || w, ' ' ORDER BY id) FROM t") == "71 72")
        let log = try PostgresServer.logText()
        #expect(log.contains("deadlock detected"))
    }

    /// Another run makes the table and reads the same input while this run looks at the target.
    @Test func aTableThatComesWhileARunLooksIsNotFilledTwice() throws {
        let server = try PostgresServer()
        let feed = try FeedFile((0..<3).map { #"{"id":\#($0)}"# })
        let (path, url) = (feed.path, server.url)
        #expect(try ingest(path, server).rows.added == 3)
        try server.connection.run(
            "ALTER TABLE t RENAME TO u; UPDATE _sluice_checkpoints SET table_name = 'u' WHERE table_name = 't'")
        let other = try PostgresConnection(url)
        try other.run(
            """
            BEGIN; ALTER TABLE u RENAME TO t; UPDATE _sluice_checkpoints SET table_name = 't' WHERE table_name = 'u';
            LOCK TABLE _sluice_checkpoints IN ACCESS EXCLUSIVE MODE
            """)
        let hasEnded = DispatchSemaphore(value: 0)
        Thread {
            var options = IngestOptions()
            options.existing = .append
            _ = try? IngestJob(options, into: PostgresSink(url, table: "t")).run(input: path, progress: NoProgress())
            hasEnded.signal()
        }.start()
        try other.awaitSession(thatWaitsFor: "_sluice_checkpoints")
        try other.run("COMMIT")
        hasEnded.wait()
        #expect(try server.value("SELECT count(*) FROM t") == "3")
    }

    /// Another run commits while this run looks. What it sees is from before or from after that, and not a part of each.
    @Test func aLookSeesOneMoment() throws {
        let server = try PostgresServer()
        let feed = try FeedFile((0..<3).map { #"{"id":\#($0)}"# })
        _ = try ingest(feed.path, server)
        let url = server.url
        @Sendable func look() throws -> SinkContents {
            try PostgresSink(url, table: "t").connect(SinkRun(identity: .new())).contents()
        }
        let before = try look()
        let other = try PostgresConnection(server.url)
        try other.run("BEGIN; LOCK TABLE _sluice_memory IN ACCESS EXCLUSIVE MODE")
        let found = Mutex<Result<SinkContents, any Error>?>(nil)
        let hasEnded = DispatchSemaphore(value: 0)
        Thread {
            let contents = Result { try look() }
            found.withLock { $0 = contents }
            hasEnded.signal()
        }.start()
        try other.awaitSession(thatWaitsFor: "_sluice_memory")
        try other.run(
            """
            ALTER TABLE t ADD COLUMN late bigint; UPDATE _sluice_memory SET memory = 'of later'; DELETE FROM _sluice_checkpoints;
            COMMIT
            """)
        hasEnded.wait()
        let contents = try #require(found.withLock { $0 }).get()
        #expect(before.checkpoints.count == 1 && before.columns == ["id"] && before.memory != nil)
        #expect(contents.checkpoints.count == 1 && contents.columns == before.columns && contents.memory == before.memory)
        let after = try look()
        #expect(after.checkpoints.isEmpty && after.columns == ["id", "late"] && after.memory == "of later")
    }

    /// The columns are inferred, and one of them is late. The type in the table decides how their numbers are read.
    @Test func aNumericColumnKeepsAllDigits() throws {
        let server = try PostgresServer()
        try server.connection.run("CREATE TABLE t (id int, price numeric, total numeric)")
        var lines = (0..<1200).map { #"{"id":\#($0),"price":\#($0)}"# }
        lines.append(#"{"id":1200,"price":18446744073709551617,"total":0.1234567890123456789}"#)
        let feed = try FeedFile(lines)
        let report = try ingest(feed.path, server) { $0.existing = .append }
        #expect(report.rows.added == 1201 && report.digitLosses.isEmpty && report.typeDeviations.isEmpty)
        let digits = try server.value("SELECT price || ' ' || total FROM t WHERE id = 1200")
        #expect(digits == "18446744073709551617 0.1234567890123456789")
        #expect(try server.value("SELECT sum(price) FROM t WHERE id < 1200") == "719400")
    }

    @Test func lateKeysGetTheirColumns() throws {
        let server = try PostgresServer()
        var lines = (0..<1500).map { #"{"id":\#($0)}"# }
        for index in 1200..<1500 { lines[index] = #"{"id":\#(index),"late":\#(index),"later_\#(index / 100)":true}"# }
        let feed = try FeedFile(lines)
        for rule in [KeyConflict.reject, .upsert] {
            let report = try ingest(feed.path, into: "t\(rule)", server) {
                $0.conflict = rule
                if rule != .reject { $0.primaryKey = ["id"] }
            }
            #expect(report.rows.added == 1500 && report.lateColumns.count == 4)
            #expect(try server.value("SELECT count(late) FROM t\(rule)") == "300")
            #expect(try server.value("SELECT count(later_13) FROM t\(rule)") == "100")
        }
    }

    @Test func refusedRecordsGoToTheTableOfRejectedOnes() throws {
        let server = try PostgresServer()
        try server.connection.run("CREATE TABLE t (id int PRIMARY KEY, v varchar(3) CHECK (v <> 'no'))")
        let feed = try FeedFile([
            #"{"id":1,"v":"yes"}"#, #"{"id":2,"v":"no"}"#, #"{"id":3000000000,"v":"a"}"#, #"{"id":4,"v":"long"}"#,
            #"{"id":1,"v":"b"}"#,
            #"{"id":5,"v":"a\u0000"}"#, #"{"id":6,"v":"#, #"{"id":7,"v":"\ud800"}"#, #"{"id":8,"v":"ok"}"#,
        ])
        let report = try ingest(feed.path, server) {
            $0.existing = .append
            $0.rejects = .table("bad")
        }
        #expect(report.rows.added == 2 && report.rejected == 7)
        let bad = try server.rows("SELECT line, error_type, error_message FROM bad ORDER BY line")
        #expect(bad.map { $0[0] } == ["2", "3", "4", "5", "6", "7", "8"])
        #expect(bad[0][2]?.contains("t_v_check") == true && bad[1][2]?.contains("id: expected integer, found 3000000000") == true)
        #expect(bad[3][2]?.contains("t_pkey") == true && bad[4][2]?.contains("U+0000") == true)
        #expect(try server.value("SELECT json_line FROM bad WHERE line = 6") == #"{"id":5,"v":"a\u0000"}"#)
    }

    @Test func rejectionsLeaveATableWhoseColumnsHaveOtherTypes() throws {
        let server = try PostgresServer()
        try server.connection.run(
            """
            CREATE TABLE bad (file varchar, line text, line_byte_position numeric, byte_position int, column_name text, error_type text,
                json_line jsonb, error_message text)
            """)
        let feed = try FeedFile([#"{"id":1}"#, #"{"id":two}"#])
        _ = try ingest(feed.path, server) { ($0.existing, $0.rejects) = (.append, .table("bad")) }
        try server.connection.run(#"UPDATE bad SET json_line = '{"id":2}'"#)
        let sink = PostgresSink(server.url, table: "t")
        var options = IngestOptions()
        let replay = Replay(try sink.rejections(in: "bad"))
        options.read(replay, from: .table("bad"))
        let report = try IngestJob(options, into: sink).run(replay.inputs, progress: NoProgress())
        #expect(report.rows.added == 1 && report.rejected == 0)
        #expect(try server.value("SELECT count(*) FROM bad") == "0")
    }

    /// A rejection in the same table may be that of another input with the same name.
    @Test func anInputThatHasGrownTakesBackItsOwnRejectionOnly() throws {
        let server = try PostgresServer()
        let feed = try FeedFile([])
        let beginning = "{\"id\":1}\n{\"id\":"
        for text in [beginning, beginning + "2}\n"] {
            try text.write(toFile: feed.path, atomically: false, encoding: .utf8)
            _ = try ingest(feed.path, server) { ($0.existing, $0.rejects) = (.append, .table("bad")) }
            guard text == beginning else { continue }
            try server.connection.run(
                """
                INSERT INTO bad SELECT file, line, line_byte_position, byte_position + 1, column_name, error_type, json_line || ' ',
                    error_message FROM bad
                """)
            #expect(try server.value("SELECT count(*) FROM bad") == "2")
        }
        #expect(try server.value("SELECT count(*) FROM t") == "2")
        #expect(try server.rows("SELECT json_line FROM bad") == [[#"{"id": "#]] as [[String?]])
    }

    @Test func noStatementIsSentForASingleRow() throws {
        let server = try PostgresServer()
        let feed = try FeedFile((0..<2000).map { #"{"id":\#($0),"v":"needle\#($0)"}"# })
        for rule in [KeyConflict.reject, .upsert] {
            _ = try ingest(feed.path, into: "t\(rule)", server) {
                $0.conflict = rule
                if rule != .reject { $0.primaryKey = ["id"] }
                $0.batch = 1000
            }
        }
        let log = try PostgresServer.logText()
        #expect(!log.contains("needle"))
        let ours = log.split(separator: "\n").filter { $0.contains(server.schema) && $0.contains("COPY") }
        #expect(!ours.isEmpty && ours.count < 10)
    }

    @Test func anotherRunKeepsItsInput() throws {
        let server = try PostgresServer()
        let feed = try FeedFile((0..<10).map { #"{"id":\#($0)}"# })
        let sink = PostgresSink(server.url, table: "t")
        let run = SinkRun(identity: .new())
        let holder = try sink.connect(run)
        let other = try FeedFile([#"{"id":77}"#])
        #expect(try ingest(other.path, server).rows.added == 1)
        let identity = try #require(
            try server.value("SELECT input FROM _sluice_checkpoints LIMIT 1")?.replacing(other.path, with: feed.path))
        // Only the lock shows that a run is still running.
        let holding = try PostgresConnection(server.url)
        #expect(try holding.tryLock(PostgresConnection.lockNumber("\(server.schema)\0t\0\(identity)")))
        #expect {
            _ = try ingest(feed.path, server) { $0.existing = .append }
        } throws: { if case .outrun? = $0 as? IngestError { true } else { false } }
        try holding.run("SELECT pg_advisory_unlock_all()")
        #expect(try ingest(feed.path, server) { $0.existing = .append }.rows.added == 10)
        try holder.close(isComplete: false)
    }

    @Test func runsOfDifferentInputsStoreAtOnce() async throws {
        let server = try PostgresServer()
        let url = server.url
        try await withThrowingTaskGroup(of: IngestReport.self) { group in
            for number in 0..<4 {
                group.addTask {
                    let feed = try FeedFile((0..<500).map { #"{"id":\#($0),"by":\#(number),"c\#(number)":1}"# })
                    var options = IngestOptions()
                    options.batch = 20
                    options.existing = .append
                    options.conflict = .upsert
                    options.primaryKey = ["id"]
                    let report = try IngestJob(options, into: PostgresSink(url, table: "t")).run(
                        input: feed.path, progress: NoProgress())
                    #expect(FileManager.default.fileExists(atPath: feed.path))
                    return report
                }
            }
            for try await report in group {
                #expect(report.outcome == .complete && report.records == 500, "\(report.outcome) \(report.notes)")
            }
        }
        #expect(try server.value("SELECT count(*) FROM t WHERE c0 = 1 AND c1 = 1 AND c2 = 1 AND c3 = 1") == "500")
    }

    @Test(arguments: [KeyConflict.reject, .upsert]) func aBatchOfManyColumnsIsSentInParts(rule: KeyConflict) throws {
        let server = try PostgresServer()
        try server.connection.run("CREATE TABLE t (id int PRIMARY KEY)")
        let first = #"{"id":0,"# + (0..<1500).map { "\"c\($0)\":null" }.joined(separator: ",") + "}"
        let feed = try FeedFile([first] + (1..<2000).map { #"{"id":\#($0 == 1900 ? 5 : $0),"c7":"x"}"# })
        let report = try ingest(feed.path, server) {
            $0.batch = 10_000
            $0.existing = .append
            $0.conflict = rule
            if rule != .reject { $0.primaryKey = ["id"] }
        }
        #expect(report.rows.added == 1999)
        #expect(rule == .reject ? report.rejected == 1 : report.rows.same == 1)
        #expect(try server.value("SELECT count(*) FROM t WHERE c7 = 'x'") == "1998")
    }

    @Test func whatIsImpossibleIsSaidClearly() throws {
        let server = try PostgresServer()
        let long = String(repeating: "n", count: 63)
        let feed = try FeedFile([#"{"\#(long)1":1,"\#(long)2":2}"#])
        #expect {
            _ = try ingest(feed.path, server)
        } throws: { "\($0)".contains("cuts names after 63 bytes") }
        let wide = try FeedFile(["{" + (0..<1700).map { "\"c\($0)\":1" }.joined(separator: ",") + "}"])
        #expect {
            _ = try ingest(wide.path, server)
        } throws: { "\($0)".contains("no more than 1,600 columns") }
        try server.connection.run("CREATE VIEW t AS SELECT 1 AS a")
        #expect {
            _ = try ingest(feed.path, server)
        } throws: { "\($0)".contains("is a view") }
        #expect(throws: IngestError.self) {
            try PostgresSink("postgresql://u:hunter2@127.0.0.1:1/x", table: "t").connect(SinkRun(identity: .new()))
        }
        #expect(
            PostgresSink("postgresql://u:hunter2@h.example/x", table: "t").destination
                == "the database x of PostgreSQL at h.example")
    }

    @Test func aFileOfRejectedRecordsIsWrittenOnce() throws {
        let server = try PostgresServer()
        let feed = try FeedFile((0..<300).map { $0 % 50 == 7 ? "oops \($0)" : #"{"id":\#($0)}"# })
        let rejects = feed.path + ".rejects.ndjson"
        defer { try? FileManager.default.removeItem(atPath: rejects) }
        #expect(try ingest(feed.path, server) { $0.rejects = .file(path: rejects) }.rejected == 6)
        let text = try String(contentsOfFile: rejects, encoding: .utf8)
        #expect(text.split(separator: "\n").count == 6)
        #expect(try server.value("SELECT count(*) FROM _sluice_checkpoints WHERE table_name = ''") == "0")
    }

    @Test func aRunThatConnectsAnewStoresEachBatchOnce() throws {
        let server = try PostgresServer()
        let feed = try FeedFile((0..<3000).map { #"{"id":\#($0)}"# })
        let marker = "sluice-\(server.schema)"
        let url = server.url + "&application_name=" + marker
        let schema = server.schema
        let isDone = Flag()
        let killer = Thread {
            guard let connection = try? PostgresConnection(PostgresServer.url ?? "") else { return }
            var stored: String? = "nothing yet"
            while !isDone.isSet {
                usleep(UInt32.random(in: 60_000..<200_000))
                // On a slow machine, a run that loses its connection again before it has stored a batch would never end.
                let count = (try? connection.query("SELECT count(*) FROM \(schema).t"))?.text(0, 0)
                if count == stored { continue }
                stored = count
                _ = try? connection.query(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1", [marker])
            }
            isDone.set()
        }
        killer.start()
        defer { isDone.set() }
        var options = IngestOptions()
        options.batch = 20
        options.conflict = .upsert
        options.primaryKey = ["id"]
        let report = try IngestJob(options, into: PostgresSink(url, table: "t", reconnects: 1000)).run(
            input: feed.path, progress: NoProgress())
        let outcome: Comment = "\(report.outcome) \(report.records) \(report.rows) \(report.notes) \(report.rejections)"
        #expect(report.rows.added == 3000 && report.rows.changed == 0 && report.rows.same == 0, outcome)
        #expect(try server.value("SELECT count(*) FROM t") == "3000")
    }

    /// The connection breaks in the transaction that makes the table. Before the run is back, another one makes the table.
    @Test(arguments: [ExistingTable.append, .truncate, .drop, .refuse])
    func aRunThatReconnectsSeesTheTableOfAnother(existing: ExistingTable) async throws {
        let server = try PostgresServer()
        let mine = try FeedFile((0..<100).map { #"{"id":\#($0)}"# })
        let theirs = try FeedFile((100..<200).map { #"{"id":\#($0)}"# })
        let (path, url) = (theirs.path, server.url)
        let marker = "sluice-\(server.schema)"
        @Sendable func other() throws -> IngestReport {
            var options = IngestOptions()
            options.batch = 30
            options.existing = .append
            return try IngestJob(options, into: PostgresSink(url, table: "t")).run(input: path, progress: NoProgress())
        }
        let reports = Mutex<[IngestReport?]>([])
        let fault = Fault(.store, 1) {
            _ = try? PostgresConnection(url).query(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = $1", [marker])
            let report = try? other()
            reports.withLock { $0.append(report) }
        }
        var options = IngestOptions()
        options.batch = 30
        options.existing = existing
        let sink = FaultySink(PostgresSink(url + "&application_name=" + marker, table: "t", reconnects: 10), fault)
        let run = Result { try IngestJob(options, into: sink).run(input: mine.path, progress: NoProgress()) }
        #expect(reports.withLock { $0.map { $0?.rows.added } } == [100])
        if existing == .refuse {
            #expect("\(try run.get().outcome)".contains("another run has just made"))
            #expect(try server.value("SELECT count(*) FROM t WHERE id >= 100") == "100")
        } else {
            #expect(try run.get().rows.added == 100)
        }
        // The rows of the other run are there as long as its checkpoint is.
        let keepsOther = existing == .append || existing == .refuse
        #expect(try server.value("SELECT count(*) FROM t") == (existing == .append ? "200" : "100"))
        #expect(try other().rows.added == (keepsOther ? 0 : 100))
        #expect(try server.value("SELECT count(*) FROM t WHERE id >= 100") == "100")
        #expect(FileManager.default.fileExists(atPath: mine.path) && FileManager.default.fileExists(atPath: theirs.path))
    }
}

/// A switch that another thread looks at.
final class Flag: @unchecked Sendable {
    // Safe: the lock guards it.
    private let lock = NSLock()
    private var value = false
    var isSet: Bool { lock.withLock { value } }
    func set() { lock.withLock { value = true } }
}
#endif
