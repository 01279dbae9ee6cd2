// Feeds become tables of a private database, for queries. The database is in memory. Beyond a limit, SQLite writes it to a
// temporary file without a name, which the system deletes with the process (https://www.sqlite.org/inmemorydb.html#temp_db).

#if SQLite
internal import Foundation
internal import GRDB
internal import SluiceCore
package import SluiceIngest

/// A database of feeds.
///
/// ```swift
/// let database = try FeedDatabase(memory: 256 << 20)
/// _ = try database.load("events.ndjson", options, progress: progress)
/// try database.run("SELECT count(*) FROM events", into: &writer)
/// ```
package final class FeedDatabase {
    /// A table that was made of feeds.
    package struct Table {
        package let name: String
        package let columns: [IngestReport.ColumnSummary]
    }

    let queue: DatabaseQueue
    package private(set) var tables: [Table] = []
    let interruption: Interruption
    private var names: Set<[UInt8]> = []

    /// - Parameter memory: How many bytes stay in memory.
    /// - Throws: ``IngestError/database(_:)``.
    package init(memory: Int, interruption: Interruption = Interruption()) throws(IngestError) {
        self.interruption = interruption
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            // The size of a page comes first: SQLite counts the cache in pages.
            try db.execute(sql: "PRAGMA page_size = 16384")
            try db.execute(sql: "PRAGMA cache_size = -\(max(1, memory >> 10))")
            try db.execute(sql: "PRAGMA synchronous = OFF")
            _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = MEMORY")
        }
        do {
            queue = try DatabaseQueue(path: "", configuration: configuration)
        } catch {
            throw RecordDatabase.failure("cannot make a database", error)
        }
    }

    /// Reads the feeds that an argument names, a file, a folder or a pattern, into one table.
    ///
    /// - Throws: As ``IngestJob/run(inputs:progress:)``.
    package func load(
        _ argument: String, _ options: IngestOptions, progress: any ProgressDisplay
    ) throws -> IngestReport {
        let name = freeName(like: FeedDatabase.name(of: argument))
        let report = try IngestJob(options, into: SQLiteSink(queue, table: name), interruption: interruption).run(
            inputs: [argument], progress: progress)
        if !report.columns.isEmpty { tables.append(Table(name: name, columns: report.columns)) }
        return report
    }

    /// The table's name for an argument: the file's name without its endings, as far as SQL needs no quotes for it.
    static func name(of argument: String) -> String {
        if argument == "-" { return "stdin" }
        let parts = argument.split(separator: "/").map(String.init)
        // A pattern is named after what is left of it, or after its folder.
        for part in parts.reversed() {
            let stem = part.hasPrefix(".") ? part.dropFirst() : part[...]
            let plain = stem.prefix { $0 != "." }.unicodeScalars.map { scalar -> Character in
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_" ? Character(scalar) : "_"
            }
            let name = String(plain).drop { $0 == "_" }
            guard !name.isEmpty else { continue }
            let isFree = name.first?.isNumber != true && !name.lowercased().hasPrefix("sqlite_")
            return (isFree ? "" : "_") + name
        }
        return "feed"
    }

    private func freeName(like wanted: String) -> String {
        ColumnName.free(like: wanted) { !names.insert(ColumnName.folded($0)).inserted }
    }
}
#endif
