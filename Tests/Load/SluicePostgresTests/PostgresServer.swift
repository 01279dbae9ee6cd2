// The server that Scripts/with-postgres starts. Without it the tests are skipped, visibly.

#if PostgreSQL
import Foundation
import Testing

@testable import SluicePostgres

/// The server of the tests. Each test gets a schema of its own, because all run at once.
struct PostgresServer {
    static let url = ProcessInfo.processInfo.environment["SLUICE_POSTGRES"]
    static let log = ProcessInfo.processInfo.environment["SLUICE_POSTGRES_LOG"]
    static let reason: Comment = "needs a server: Scripts/with-postgres swift test"

    let schema: String
    /// A connection that looks into the schema first.
    let connection: PostgresConnection

    /// A URL whose sessions look into the schema first.
    var url: String { (PostgresServer.url ?? "") + "&options=-csearch_path%3D" + schema }

    /// The same with a note in the server's log for each statement, how much processor time the session has taken so far.
    var urlThatCountsTime: String { url + "%20-clog_statement%3Dnone%20-clog_statement_stats%3Don" }

    init() throws {
        schema = "s" + String(UInt64.random(in: .min ... .max), radix: 16)
        connection = try PostgresConnection((PostgresServer.url ?? "") + "&options=-csearch_path%3D" + schema)
        // Nothing here is about a loss of power.
        try connection.run("SET synchronous_commit = off")
        try connection.run("CREATE SCHEMA \(schema)")
    }

    /// The rows of a query, as texts; nil stands for null.
    func rows(_ sql: String) throws -> [[String?]] {
        let rows = try connection.query(sql)
        return (0..<rows.count).map { row in (0..<rows.columnCount).map { rows.text(row, $0) } }
    }

    /// The first value of a query.
    func value(_ sql: String) throws -> String? { try rows(sql).first?.first ?? nil }

    /// The statements that the server has run in a session.
    func statements(of session: Int) throws -> [String] {
        try PostgresServer.logText().split(separator: "\n").filter { $0.hasPrefix("\(session) LOG:") }.map(String.init)
    }

    /// The server's log. Statements for a database of another encoding are there as they are.
    static func logText() throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: log ?? "")), as: UTF8.self)
    }

    /// How long the server's log is.
    static var logSize: Int { (try? FileManager.default.attributesOfItem(atPath: log ?? "")[.size] as? Int) ?? 0 }

    /// The seconds of processor time that the server has taken for the last session of ``urlThatCountsTime``.
    ///
    /// - Parameter start: The size of the log before the session.
    func seconds(since start: Int) throws -> Double {
        let log = try FileHandle(forReadingFrom: URL(filePath: PostgresServer.log ?? ""))
        try log.seek(toOffset: UInt64(start))
        // A note is `7 DETAIL:  ! system usage stats:`, whose second line ends with `[0.005 s user, 0.004 s system total]`. After it is
        // the statement, `7 STATEMENT:  SELECT …`.
        var (times, total, session, found): ([Substring: Double], Double, Substring, Substring) = ([:], 0, "", "")
        let text = try String(decoding: log.readToEnd() ?? Data(), as: UTF8.self)
        for line in text.split(separator: "\n") {
            let words = line.prefix(80).split(separator: " ", maxSplits: 5)
            if line.hasPrefix("\t!\t["), words.count > 3 {
                total = (Double(words[0].dropFirst(4)) ?? 0) + (Double(words[3]) ?? 0)
            } else if words.count > 1, Int(words[0]) != nil {
                session = words[1] == "STATEMENT:" ? words[0] : ""
                if !session.isEmpty { times[session] = total }
            }
            if !session.isEmpty, line.utf8.count < 2000, line.contains("\"\(schema)\"") { found = session }
        }
        return times[found] ?? 0
    }
}

extension PostgresConnection {
    /// Lets the server wait until another session waits for a lock on a table, two minutes at most.
    ///
    /// - Parameter statement: What the server does at once when that is so.
    func awaitSession(thatWaitsFor table: String, then statement: String = "NULL") throws {
        try run(
            """
            DO $$ BEGIN
                FOR pause IN 1..12000 LOOP
                    EXIT WHEN EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = '\(table)'::regclass);
                    PERFORM pg_sleep(0.01);
                END LOOP;
                \(statement);
            END $$
            """)
    }
}

extension Trait where Self == ConditionTrait {
    /// The test needs the server.
    static var needsServer: Self { .enabled(if: PostgresServer.url != nil, PostgresServer.reason) }
}
#endif
