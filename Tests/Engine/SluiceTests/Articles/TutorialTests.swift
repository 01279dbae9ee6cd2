// The code of the tutorial "From a URL to SQLite to a query", compiled and run: the code of its last files is here.

#if Macros && CommandLine
import Foundation
import GRDB
import Sluice
import Testing

@JSONModel(keys: .snakeCase)
struct Event {
    var id: String
    var type: String
    @JSONKey("actor.login") var actor: String
    var createdAt: Date
}

@Suite struct TutorialTests {
    @Test func aFeedIsStoredAndAsked() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let input = folder.appendingPathComponent("events.json")
        let events = ["ann", "bob", "ann"].enumerated().map { index, actor in
            #"{"id":"\#(index)","type":"PushEvent","actor":{"login":"\#(actor)"},"created_at":"2026-01-01T00:00:00Z"}"#
        }
        try Data("[\(events.joined(separator: ",")), {\"id\": 4}]".utf8).write(to: input)
        let handle = try FileHandle(forReadingFrom: input)
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

        let database = try DatabaseQueue(path: folder.appendingPathComponent("events.db").path)
        try await database.write { connection in
            try connection.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS event
                    (id TEXT PRIMARY KEY, type TEXT, actor TEXT, createdAt DATETIME)
                    """)
        }

        let options = JSONFeed<Event>.Options(invalidRecords: .skip)
        let feed = JSONFeed<Event>(descriptor: handle.fileDescriptor, options: options)
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

        #expect(printed == ["3 stored, 1 skipped", "ann 2", "bob 1"])
    }

    /// Each line of the tutorial's model and of its last main file is above, except for the names of standard input and the database.
    @Test func theTutorialsCodeStandsHere() throws {
        let here = try lines(URL(fileURLWithPath: #filePath))
        let resources = Article("Mapping").file.deletingLastPathComponent().appendingPathComponent("Resources")
        for name in ["tutorial-event.swift", "tutorial-main-4.swift"] {
            for line in try lines(resources.appendingPathComponent(name)) {
                let adapted = line.replacingOccurrences(of: "descriptor: 0", with: "descriptor: handle.fileDescriptor")
                    .replacingOccurrences(of: "\"events.db\"", with: "folder.appendingPathComponent(\"events.db\").path")
                #expect(here.contains(adapted), "\(name): \(line)")
            }
        }
    }

    private func lines(_ file: URL) throws -> Set<String> {
        Set(
            try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
    }
}
#endif
