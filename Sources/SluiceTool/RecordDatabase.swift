// Rows go into a table of a SQLite database, many in a transaction.
//
// A process that dies half-way leaves a database that opens and holds whole batches: every batch is one transaction, and the
// journal stays on. `synchronous = NORMAL` keeps that true when the power fails, but for a last batch that may be missing.

#if CommandLine
internal import Foundation
internal import GRDB
internal import SluiceCore

/// What happens when the table is there already.
enum ExistingTable: Hashable, Sendable {
    /// Nothing is done to it.
    case refuse
    /// Rows are added to it, and the columns that it does not have.
    case append
    /// It is dropped, together with the first batch that takes its place.
    case replace
}

/// A database with the table that records go into.
struct RecordDatabase {
    private let queue: DatabaseQueue
    private let table: String
    private let existing: ExistingTable

    /// Opens a database, or makes one.
    ///
    /// - Throws: ``IngestError/database(_:)``, also when the table exists and should not.
    init(path: String, table: String, existing: ExistingTable) throws(IngestError) {
        self.table = table
        self.existing = existing
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
            // 16 MiB of pages: a batch of ordinary records is written once, when it is committed.
            try db.execute(sql: "PRAGMA cache_size = -16384")
        }
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
            let problem: String? = try queue.read { db in
                if try db.viewExists(table) { return "\(table) is a view of \(path)" }
                guard existing == .refuse, try db.tableExists(table) else { return nil }
                return "\(path) has a table \(table) already; choose --append, --replace or another --table"
            }
            if let problem { throw IngestError.database(problem) }
        } catch let error as IngestError {
            throw error
        } catch {
            throw .database("cannot open \(path): \(RecordDatabase.words(for: error))")
        }
    }

    /// Makes the table fit for the columns and hands out a loader. What it has loaded when `body` returns is committed; when
    /// `body` throws, the batch that has begun is taken back.
    func load<Result>(
        _ columns: [SluiceCore.Column], batchSize: Int, _ body: (RecordLoader) throws -> Result
    ) throws -> Result {
        try queue.writeWithoutTransaction { db in
            try db.beginTransaction(.immediate)
            do {
                let added = try prepareTable(columns, db)
                let loader = try RecordLoader(db, table: table, columns: columns, addedColumns: added, batchSize: batchSize)
                let result = try body(loader)
                try db.commit()
                loader.noteCommit()
                return result
            } catch {
                if db.isInsideTransaction { try db.rollback() }
                throw error
            }
        }
    }

    /// Creates the table, or adds the columns that it does not have; the names of those.
    private func prepareTable(_ columns: [SluiceCore.Column], _ db: Database) throws -> [String] {
        let name = table.quotedForSQL
        if existing == .replace { try db.execute(sql: "DROP TABLE IF EXISTS \(name)") }
        let definitions = columns.map { "\($0.name.quotedForSQL) \($0.type.sql)" }
        guard try db.tableExists(table) else {
            try db.execute(sql: "CREATE TABLE \(name) (\(definitions.joined(separator: ", ")))")
            return []
        }
        let names = try String.fetchAll(db, sql: "SELECT name FROM pragma_table_xinfo(?)", arguments: [table])
        let known = Set(names.map(ColumnName.folded))
        let missing = columns.indices.filter { !known.contains(ColumnName.folded(columns[$0].name)) }
        for index in missing { try db.execute(sql: "ALTER TABLE \(name) ADD COLUMN \(definitions[index])") }
        return missing.map { columns[$0].name }
    }

    /// SQLite's own words, without the statement.
    static func words(for error: any Error) -> String {
        guard let error = error as? DatabaseError else { return String(describing: error) }
        return error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
    }
}

extension String {
    /// The text as an identifier of SQL, whatever is in it; GRDB's own quoting leaves quotes as they are.
    var quotedForSQL: String { "\"" + replacing("\"", with: "\"\"") + "\"" }
}
#endif
