// What a database keeps beside the rows.

#if SQLite
import GRDB
import SluiceIngest
import SluiceSQLite
import SluiceTestSupport
import Testing

@Suite struct LedgerTests {
    /// Databases that earlier versions have made stay as they are. If a definition changes, `LedgerLayout.number` goes up.
    @Test func theTablesOfTheLedgerAreThoseOfLayout2() async throws {
        let scratch = try Scratch()
        let queue = try DatabaseQueue()
        let feed = try scratch.file("in.ndjson", "{\"id\":1,\"a\":\"x\"}\nbad\n")
        let ingest = Ingest([feed], into: SQLiteSink(queue, table: "t")).key("id").conflict(.upsert).missing(.mark)
        // Because of the rejected record, the noted keys stay.
        _ = try await ingest.rejects(.table("bad")).changes(.table("changed")).run()
        let found = try await queue.read { db in
            try Row.fetchAll(db, sql: "SELECT name, sql FROM sqlite_master WHERE name NOT IN ('t') AND sql IS NOT NULL").map {
                row in
                (row["sql"] as String).split { $0.isWhitespace || $0 == "\"" }.joined(separator: " ").replacing("( ", with: "(")
            }.sorted()
        }
        #expect(
            found == [
                "CREATE TABLE _sluice_checkpoints (table_name TEXT NOT NULL, input TEXT NOT NULL, byte_offset INTEGER NOT NULL, "
                    + "records INTEGER NOT NULL, rejected INTEGER NOT NULL, is_complete INTEGER NOT NULL, sequence INTEGER NOT NULL, "
                    + "checkpoint TEXT NOT NULL, state TEXT NOT NULL, is_held INTEGER NOT NULL DEFAULT 0, "
                    + "layout INTEGER NOT NULL DEFAULT 2, run TEXT NOT NULL DEFAULT '', PRIMARY KEY (table_name, input))",
                "CREATE TABLE _sluice_keys_t (id INTEGER, PRIMARY KEY (id )) WITHOUT ROWID",
                "CREATE TABLE _sluice_memory (table_name TEXT PRIMARY KEY COLLATE NOCASE, memory TEXT NOT NULL) WITHOUT ROWID",
                "CREATE TABLE bad (file TEXT, line INTEGER, line_byte_position INTEGER, byte_position INTEGER, column_name TEXT, "
                    + "error_type TEXT, json_line TEXT, error_message TEXT)",
                "CREATE TABLE changed (number INTEGER PRIMARY KEY, table_name TEXT NOT NULL, key TEXT NOT NULL, "
                    + "operation TEXT NOT NULL, changed_at TEXT NOT NULL, file TEXT, line INTEGER, byte_position INTEGER, "
                    + "patch TEXT NOT NULL, nulls TEXT, hidden TEXT)",
            ])
    }
}
#endif
