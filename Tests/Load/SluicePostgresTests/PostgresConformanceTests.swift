// PostgreSQL's sink keeps the promises of RecordSink.

#if PostgreSQL
import SinkConformance
import SluiceCore
import SluiceIngest
import Testing

@testable import SluicePostgres

@Suite(.needsServer) struct PostgresConformanceTests {
    @Test func tablesOfPostgreSQLConform() async throws {
        // Text with U+0000 is refused there.
        @Sendable func target(_ url: String) -> SinkConformance.Target {
            SinkConformance.Target(PostgresSink(url, table: "rows")) { table in
                let count = try PostgresConnection(url).query("SELECT count(*) FROM \(table)").integer(0, 0)
                return count ?? -1
            } rows: {
                try PostgresConformanceTests.rows(PostgresConnection(url))
            }
        }
        try await SinkConformance.check(
            [.checkpoints, .keys, .rejectsTables, .emptyText],
            refusing: {
                let url = try PostgresServer().url
                _ = try PostgresConnection(url).query("CREATE TABLE rows (id bigint CHECK (id % 7 <> 0), name text)")
                return target(url)
            },
            { target(try PostgresServer().url) })
    }

    private static func rows(_ connection: PostgresConnection) throws -> [SinkConformance.Row] {
        let found = try connection.query(
            """
            SELECT column_name, data_type FROM information_schema.columns
            WHERE table_schema = current_schema AND table_name = 'rows' ORDER BY ordinal_position
            """)
        guard found.count > 0 else { return [] }
        let columns = (0..<found.count).map { (name: found.text($0, 0) ?? "", type: found.text($0, 1) ?? "") }
        let list = columns.map { column in
            let name = "\"" + column.name.replacing("\"", with: "\"\"") + "\""
            guard column.type == "timestamp with time zone" else { return name }
            return "replace(to_char(\(name) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"'), '.000Z', 'Z')"
        }
        let values = try connection.query("SELECT \(list.joined(separator: ", ")) FROM rows")
        return try (0..<values.count).map { row in
            var found: SinkConformance.Row = [:]
            for (index, column) in columns.enumerated() {
                found[column.name] = try values.text(row, index).map { try value($0, column.type) } ?? .null
            }
            return found
        }
    }

    private static func value(_ text: String, _ type: String) throws -> SinkConformance.Value {
        switch type {
        case "bigint": .integer(try #require(Int64(text)))
        case "double precision": .real(try #require(Double(text)))
        case "boolean": .bool(text == "t")
        case "jsonb": .text(try JSONValue(json: text).jsonString())
        default: .text(text)
        }
    }
}
#endif
