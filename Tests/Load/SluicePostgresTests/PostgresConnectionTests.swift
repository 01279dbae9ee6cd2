#if PostgreSQL
import Foundation
import Testing

@testable import SluicePostgres

@Suite(.needsServer) struct PostgresConnectionTests {
    @Test func parametersGoOutAndRowsComeBack() throws {
        let server = try PostgresServer()
        let rows = try server.connection.query(
            "SELECT $1::int + 1, $2::text, $3::text, $4::bytea, $5::text[]",
            ["41", nil, "ü'\"\\", "\\x0001ff", ["a,b", "\"\\"].asParameter])
        #expect(rows.text(0, 0) == "42")
        #expect(rows.text(0, 1) == nil)
        #expect(rows.text(0, 2) == "ü'\"\\")
        #expect(rows.text(0, 3) == "\\x0001ff")
        #expect(rows.text(0, 4) == #"{"a,b","\"\\"}"#)
        #expect(rows.text(1, 0) == nil && rows.text(0, 5) == nil && rows.text(-1, 0) == nil)
    }

    @Test func anErrorOfTheServerIsAValue() throws {
        let server = try PostgresServer()
        try server.connection.run("CREATE TABLE t (a int CONSTRAINT positive CHECK (a > 0), b int NOT NULL)")
        let error = try #require(failure { try server.connection.query("INSERT INTO t VALUES (-1, 1)") })
        #expect(error.state == "23514" && error.constraint == "positive" && error.table == "t" && error.isAboutRow)
        #expect(error.message.contains("positive") && error.detail.contains("-1"))
        let missing = try #require(failure { try server.connection.query("INSERT INTO t VALUES (1, NULL)") })
        #expect(missing.state == "23502" && missing.column == "b" && missing.isAboutRow)
        let syntax = try #require(failure { try server.connection.run("SELEC 1") })
        #expect(syntax.state == "42601" && !syntax.isAboutRow)
        #expect(try server.value("SELECT 1") == "1", "the connection goes on")
    }

    @Test func noErrorShowsAPassword() {
        for text in [
            "postgresql://me:hunter2@", "postgresql://me:hunter2@h:port/", "postgresql://me:hun%zzter2@h/",
            "password=hunter2 user",
            "postgresql://me:hunter2@[::1/", "host=/nowhere/at/all password=hunter2 user=me",
            "postgresql://me:hunter2@127.0.0.1:1/db?connect_timeout=2", "postgresql://me:hunter2@h/?no=thing", "service=hunter2",
        ] {
            #expect {
                _ = try PostgresConnection(text)
            } throws: { error in
                guard case .connecting(let reason) = error as? PostgresError else { return false }
                return (text.contains("service") || !reason.contains("hunter2")) && !"\(error)".contains("postgresql://")
            }
        }
    }

    @Test func aWaitForALockEndsWhenTheRunIsInterrupted() throws {
        let server = try PostgresServer()
        try server.connection.run("CREATE TABLE t (a int)")
        try server.connection.run("BEGIN; LOCK TABLE t")
        let start = ContinuousClock.now
        let waiting = try PostgresConnection(server.url, isInterrupted: { start.duration(to: .now) > .milliseconds(200) })
        #expect {
            try waiting.query("SELECT * FROM t")
        } throws: { error in if case .interrupted = error as? PostgresError { true } else { false } }
        #expect(start.duration(to: .now) < .seconds(10))
        try server.connection.run("COMMIT")
        #expect(try waiting.query("SELECT count(*) FROM t").text(0, 0) == "0", "what ends soon goes on")
    }

    @Test func aLostConnectionIsAnErrorOfItsOwn() throws {
        let server = try PostgresServer()
        let victim = try PostgresConnection(server.url)
        try server.connection.query("SELECT pg_terminate_backend($1)", ["\(victim.session)"])
        #expect {
            try victim.query("SELECT 1")
        } throws: { error in if case .broken = error as? PostgresError { true } else { false } }
        #expect {
            try victim.query("SELECT 1")
        } throws: { error in if case .broken = error as? PostgresError { true } else { false } }
        #expect(!victim.isAlive)
    }

    @Test func namesAndTextsAreQuotedAsTheServerWantsThem() throws {
        let server = try PostgresServer()
        #expect(try server.connection.identifier("a\"b") == "\"a\"\"b\"")
        #expect(try server.value("SELECT " + server.connection.literal("a'b\\c")) == "a'b\\c")
        #expect(throws: PostgresError.self) { try server.connection.identifier("a\0b") }
    }

    @Test(arguments: [false, true]) func aCopyThatFailsEndsEarlyAndLeavesTheConnectionAsItWas(watches: Bool) throws {
        let server = try PostgresServer()
        try server.connection.run("CREATE TABLE t (a int)")
        let data = Array(("x\n" + String(repeating: "1\n", count: 3_000_000)).utf8)
        let error = unsafe data.withUnsafeBytes { bytes in
            failure { _ = try unsafe server.connection.copy("COPY t FROM STDIN", [bytes], watches: watches) }
        }
        #expect(error?.state == "22P02" && error?.copyRow == 0)
        #expect(try server.value("SELECT count(*) FROM t") == "0")
        let refused = unsafe data.withUnsafeBytes { bytes in
            failure { _ = try unsafe server.connection.copy("COPY nothing FROM STDIN", [bytes]) }
        }
        #expect(refused?.state == "42P01")
        let count = unsafe try Array("1\n2\n".utf8).withUnsafeBytes { bytes in
            try unsafe server.connection.copy("COPY t FROM STDIN", [bytes], watches: watches)
        }
        #expect(count == 2)
        #expect(throws: PostgresError.self) { try server.connection.run("COPY t FROM STDIN") }
        #expect(try server.value("SELECT count(*) FROM t") == "2")
    }

    @Test func namesAreCutBetweenCharactersAsTheServerCutsThem() throws {
        let server = try PostgresServer()
        for name in [
            String(repeating: "a", count: 64), String(repeating: "ü", count: 40), String(repeating: "x", count: 62) + "😀",
            "short",
        ] {
            try server.connection.run("DROP TABLE IF EXISTS t; CREATE TABLE t (\(server.connection.identifier(name)) int)")
            let cut = try server.value(
                "SELECT attname FROM pg_attribute WHERE attrelid = 't'::regclass AND attnum = 1")
            #expect(PostgresTable.clipped(name) == cut)
        }
        let long = String(repeating: "a", count: 63)
        #expect(throws: PostgresError.self) { try PostgresTable.columnNames(for: ["\(long)1", "\(long)2"]) }
        #expect(throws: PostgresError.self) { try PostgresTable.columnNames(for: (0...1600).map { "c\($0)" }) }
        #expect(try PostgresTable.columnNames(for: ["\(long)1", "b"]) == [long, "b"])
    }

    private func failure(_ body: () throws -> Void) -> ServerError? {
        do {
            try body()
            return nil
        } catch PostgresError.server(let error) {
            return error
        } catch {
            return nil
        }
    }
}
#endif
