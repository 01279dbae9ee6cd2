// Stores the rows of a child table.

#if SQLite
internal import GRDB
internal import SluiceCore
internal import SluiceIngest

/// The statements of a child table.
final class ChildLoader {
    let rows: RecordLoader
    /// Removes the rows of a parent from a position on.
    private let removal: Statement

    init(_ wanted: SinkTable, _ db: Database, _ run: RunIdentity, _ found: RecordLoader.Found) throws {
        let table = try RecordTable(wanted, db)
        rows = try RecordLoader(db, table: table, columns: wanted.columns, conflict: wanted.conflict, run: run, found)
        let columns = wanted.parent?.columns ?? []
        let conditions = columns.map { "\($0.quotedForSQL) IS ?" } + ["\(wanted.key[columns.count].quotedForSQL) >= ?"]
        removal = try db.makeStatement(
            sql: "DELETE FROM \(wanted.name.quotedForSQL) WHERE \(conditions.joined(separator: " AND "))")
    }

    /// Stores the rows of a batch; see `SinkTransaction.store(_:inChild:replacing:)`.
    func store(_ batch: RowBatch, replacing ends: RowBatch?, _ db: Database) throws -> StoredBatch {
        guard let ends else { return try rows.store(batch) }
        rows.beginBatch()
        var removed = 0
        // What is left of the rows of a parent goes before the rows of the next parent come, which may have the same key.
        var next = 0
        try ends.forEachRow { row, end in
            let parent = ends.parent(of: row)
            next = try batch.forEachRow(from: next, ofParentsTo: parent) { index, row in try rows.store(index, row) }
            removed += try remove(behind: end, db)
        }
        _ = try batch.forEachRow(from: next, ofParentsTo: .max) { index, row in try rows.store(index, row) }
        var stored = rows.endBatch()
        stored.counts.removed = removed
        return stored
    }

    private func remove(behind end: RowCells, _ db: Database) throws -> Int {
        var arguments = StatementArguments()
        for cell in end.cellIndices {
            switch end.value(cell) {
            case .null: arguments += [nil]
            case .integer(let value): arguments += [value]
            case .real(let value): arguments += [value]
            case .text(let bytes): unsafe arguments += [String(decoding: bytes, as: UTF8.self)]
            }
        }
        try removal.execute(arguments: arguments)
        return db.changesCount
    }
}
#endif
