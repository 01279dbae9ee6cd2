// What is done with a server of PostgreSQL. Scripts/net linear starts one, where it is installed.

import SluiceCore
import SluiceIngest

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

#if PostgreSQL
import SluicePostgres

let postgresShapes: [Shape] = {
    guard let url = unsafe getenv("SLUICE_POSTGRES").map({ unsafe String(cString: $0) }) else { return [] }
    return [
        // One record in 64 refers to a row that is not there. The errors name no record, so each of them has to be looked for.
        Shape("rows that a server refuses", 1024) { size in
            let records = joined(size) { "{\"id\":\($0),\"parent\":\($0 % 64 == 63 ? 2 : 1)}" }
            return {
                try psql(
                    """
                    DROP TABLE IF EXISTS refusing, parents, _sluice_checkpoints; CREATE TABLE parents (id bigint PRIMARY KEY);
                    INSERT INTO parents VALUES (1); CREATE TABLE refusing (id bigint, parent bigint REFERENCES parents DEFERRABLE)
                    """)
                let ingest = Ingest(BytesSource(Array("[\(records)]".utf8)), into: PostgresSink(url, table: "refusing"))
                let report = try ingest.existing(.append).batch(size).workers(1).runBlocking()
                // Each of the refused ones is the 64th.
                return report.rejected * 64 == size ? report.rows.added + report.rejected : -1
            }
        },
        // What the server does for them is measured by PostgresChangeTests.
        Shape("new rows with their changes", 512) { size in
            let records = joined(size) { "{\"id\":\($0),\"name\":\"name \($0)\"}" }
            return {
                try psql("DROP TABLE IF EXISTS recorded, changed, _sluice_checkpoints")
                let ingest = Ingest(BytesSource(Array("[\(records)]".utf8)), into: PostgresSink(url, table: "recorded"))
                let report = try ingest.primaryKey("id").conflict(.upsert).changes(.table("changed")).batch(size).workers(1)
                    .runBlocking()
                return report.rows.added
            }
        },
        // A key that comes again takes no statement of its own.
        Shape("a key that comes in each record", 512) { size in
            let records = joined(size) { "{\"id\":1,\($0 % 2 == 0 ? "\"a\"" : "\"b\""):\($0)}" }
            return {
                try psql("DROP TABLE IF EXISTS repeating, _sluice_checkpoints")
                let ingest = Ingest(BytesSource(Array("[\(records)]".utf8)), into: PostgresSink(url, table: "repeating"))
                let report = try ingest.primaryKey("id").conflict(.upsert).batch(size).workers(1).runBlocking()
                return report.rows.added + report.rows.changed
            }
        },
    ]
}()

/// Runs SQL, and fails if it does.
private func psql(_ sql: String) throws {
    fflush(nil)
    let status = unsafe popen("psql -Xq -v ON_ERROR_STOP=1 >/dev/null", "w").map { pipe in
        unsafe fputs("SET client_min_messages = error; " + sql + ";\n", pipe)
        return unsafe pclose(pipe)
    }
    if status != 0 { throw SQLFailure() }
}

private struct SQLFailure: Error {}
#else
let postgresShapes: [Shape] = []
#endif
