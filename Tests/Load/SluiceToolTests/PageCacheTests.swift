// The memory of an ingest is that of SQLite's cache, and little more. `Scripts/net memory` measures whole processes.

#if CommandLine
import GRDB
import GRDBSQLite
import SluiceTestSupport
import Testing

@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

@Suite struct PageCacheTests {
    /// Found in an ingest of 87 MB into a new database, which took 93 MiB: SQLite kept 64 MiB of pages.
    @Test func theCacheTakesAsMuchOfANewDatabaseAsOfAnOldOne() throws {
        let scratch = try Scratch()
        for _ in 0..<2 {
            let database = try RecordDatabase(SQLiteSink(path: scratch.path("out.db")), SinkRun(identity: .new()))
            let used = try database.write { db in
                try db.execute(sql: "CREATE TABLE IF NOT EXISTS records (value)")
                for _ in 0..<64 { try db.execute(sql: "INSERT INTO records VALUES (zeroblob(1000000))") }
                var used: Int32 = 0
                var most: Int32 = 0
                unsafe sqlite3_db_status(db.sqliteConnection, SQLITE_DBSTATUS_CACHE_USED, &used, &most, 0)
                return Int(used)
            }
            #expect(used > 8 << 20)
            #expect(used < 18 << 20)
        }
    }
}
#endif
