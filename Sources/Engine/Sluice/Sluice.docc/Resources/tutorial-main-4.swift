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

let options = JSONFeed<Event>.Options(invalidRecords: .skip)
let feed = JSONFeed<Event>(descriptor: 0, options: options)
for try await events in feed.batches(of: 1000) {
    try await database.write { connection in
        for event in events {
            try connection.execute(
                sql: "INSERT OR REPLACE INTO event VALUES (?, ?, ?, ?)",
                arguments: [event.id, event.type, event.actor, event.createdAt])
        }
    }
}
print(feed.acceptedCount, "stored,", feed.rejectedCount, "skipped")

let busiest = try database.read { connection in
    try Row.fetchAll(
        connection,
        sql: """
            SELECT actor, count(*) AS n FROM event
            GROUP BY actor ORDER BY n DESC, actor LIMIT 3
            """)
}
for row in busiest { print(row["actor"] as String, row["n"] as Int) }
