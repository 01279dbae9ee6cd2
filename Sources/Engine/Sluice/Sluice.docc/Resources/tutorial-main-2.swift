import GRDB
import Sluice

let database = try DatabaseQueue(path: "events.db")
try await database.write { connection in
    try connection.execute(
        sql: """
            CREATE TABLE IF NOT EXISTS event
            (id TEXT PRIMARY KEY, type TEXT, actor TEXT, createdAt DATETIME)
            """)
}
