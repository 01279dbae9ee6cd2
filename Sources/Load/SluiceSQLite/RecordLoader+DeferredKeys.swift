// Foreign keys that SQLite checks only when the transaction ends. A row that refers to nothing would let the whole transaction fail, and
// no error would say which row it is. So each batch is checked when its rows are stored, and such rows are refused.

#if SQLite
internal import GRDB
internal import GRDBSQLite
internal import SluiceIngest

extension RecordLoader {
    /// Stores the rows of a batch, for a table of the database as it is.
    ///
    /// - Throws: `DatabaseError` if SQLite cannot go on.
    func store(_ batch: RowBatch, _ db: Database) throws -> StoredBatch {
        guard defersForeignKeys, !hasOpenReferences(db) else { return try store(batch) }
        let changeCount = changes?.entries.count ?? 0
        try db.execute(sql: "SAVEPOINT sluice_batch")
        var stored = try store(batch)
        if hasOpenReferences(db) {
            try db.execute(sql: "ROLLBACK TO sluice_batch")
            let (refused, suspects) = try rowsWithoutReference(batch, db)
            for leftOut in [refused, suspects] {
                try db.execute(sql: "ROLLBACK TO sluice_batch")
                changes?.truncate(to: changeCount)
                stored = try store(batch, without: leftOut)
                if !hasOpenReferences(db) { break }
            }
        }
        try db.execute(sql: "RELEASE sluice_batch")
        return stored
    }

    /// Whether rows of this transaction refer to rows that do not exist: https://www.sqlite.org/c3ref/c_dbstatus_options.html
    private func hasOpenReferences(_ db: Database) -> Bool {
        var (current, highest): (Int32, Int32) = (0, 0)
        let code = unsafe sqlite3_db_status(db.sqliteConnection, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
        return code == SQLITE_OK && current != 0
    }

    /// Stores the rows of a batch in their order, except some that are refused.
    private func store(_ batch: RowBatch, without leftOut: Set<Int>) throws -> StoredBatch {
        beginBatch()
        try batch.forEachRow { index, row in if !leftOut.contains(index) { try store(index, row) } }
        var stored = endBatch()
        stored.refused += leftOut.map { RefusedRow(row: $0, reason: "FOREIGN KEY constraint failed") }
        stored.refused.sort { $0.row < $1.row }
        return stored
    }

    /// How often the rows that wait for the rows that they refer to are tried.
    private static let mostPasses = 50

    /// Finds the rows that refer to rows which are neither in the table nor in the batch.
    ///
    /// - Returns: Also the rows that refer to nothing when they come, `suspects`. Without these, no row is left that refers to nothing.
    private func rowsWithoutReference(_ batch: RowBatch, _ db: Database) throws -> (refused: Set<Int>, suspects: Set<Int>) {
        var waiting: [Int] = []
        beginBatch()
        try batch.forEachRow { index, row in
            if try !isStored(index, row, db) { waiting.append(index) }
        }
        let suspects = Set(waiting)
        // A row may refer to a row after it. Every second time they are tried from the last one on, because they often lie in
        // reverse order.
        for _ in 0..<RecordLoader.mostPasses {
            let count = waiting.count
            waiting = try waiting.reversed().filter { index in
                try batch.withRow(index) { row in try !isStored(index, row, db) }
            }
            if waiting.isEmpty || waiting.count == count { break }
        }
        // Rows may refer to each other.
        for index in waiting.sorted() { try batch.withRow(index) { row in try store(index, row) } }
        _ = endBatch()
        return (hasOpenReferences(db) ? Set(waiting) : [], suspects)
    }

    /// Stores a row if all that it refers to is there.
    private func isStored(_ index: Int, _ row: RowCells, _ db: Database) throws -> Bool {
        try db.execute(sql: "SAVEPOINT sluice_row")
        try store(index, row)
        let isComplete = !hasOpenReferences(db)
        if !isComplete {
            _ = endBatch()
            try db.execute(sql: "ROLLBACK TO sluice_row")
        }
        try db.execute(sql: "RELEASE sluice_row")
        return isComplete
    }
}
#endif
