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
        let text = try String(contentsOfFile: PostgresServer.log ?? "", encoding: .utf8)
        return text.split(separator: "\n").filter { $0.hasPrefix("\(session) LOG:") }.map(String.init)
    }
}

extension Trait where Self == ConditionTrait {
    /// The test needs the server.
    static var needsServer: Self { .enabled(if: PostgresServer.url != nil, PostgresServer.reason) }
}
#endif
