// One transaction of a run. It makes or widens the table, and stores rows and what is kept beside them.

#if SQLite
internal import GRDB
internal import SluiceCore
internal import SluiceIngest
internal import SluiceSQL

/// An open transaction of the database.
final class SQLiteTransaction: TableTransaction {
    let connection: SQLiteConnection
    let db: Database
    private let sqlLedger: Ledger
    var tableLedger: any SinkLedger { sqlLedger }

    init(_ connection: SQLiteConnection, _ db: Database) {
        self.connection = connection
        self.db = db
        sqlLedger = Ledger(db, of: connection.sink)
        sqlLedger.rows = self
    }

    func contents() throws -> SinkContents { try SinkContents(of: sqlLedger, db, .versions) }

    // MARK: Rows

    func prepare(_ wanted: SinkTable) throws -> [String] {
        if wanted.parent != nil { return try prepareChild(wanted) }
        if let loader = connection.loader {
            let known = loader.addedColumns.count
            try loader.take(wanted.columns, db)
            return Array(loader.addedColumns.dropFirst(known))
        }
        let made = try RecordTable(wanted, db)
        do {
            connection.loader = try RecordLoader(
                db, table: made, columns: wanted.columns, conflict: wanted.conflict, run: connection.run.identity,
                connection.found, changes: wanted.changes)
            connection.wanted = wanted
        } catch let error as DatabaseError where error.message?.contains("ON CONFLICT") == true {
            throw IngestError.usage(
                "the table \(wanted.name) has no primary key or unique index of \(wanted.key.joined(separator: ", "))")
        }
        return made.addedColumns
    }

    private func prepareChild(_ wanted: SinkTable) throws -> [String] {
        if let child = connection.children[wanted.name] {
            try child.rows.take(wanted.columns, db)
            return []
        }
        guard try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true else {
            throw IngestError.usage(
                "child tables need a connection with PRAGMA foreign_keys = ON, as GRDB makes it unless it is told otherwise")
        }
        let parent = wanted.parent.flatMap { connection.children[$0.table] }
        let child = try ChildLoader(wanted, isNested: parent != nil, db, connection.run.identity, connection.found)
        connection.children[wanted.name] = child
        parent?.children.append(child)
        return []
    }

    func store(_ batch: RowBatch) throws -> StoredBatch {
        guard let loader = connection.loader else { return StoredBatch() }
        return try loader.store(batch, db)
    }

    func storeRows(_ batch: RowBatch, inChild table: String, replacing ends: RowBatch?) throws -> StoredBatch {
        guard let child = connection.children[table] else { return StoredBatch() }
        return try child.store(batch, replacing: ends, db)
    }
}
#endif
