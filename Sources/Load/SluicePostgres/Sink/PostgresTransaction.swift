// One transaction of a run. It makes or widens the table, and stores rows.

#if PostgreSQL
internal import SluiceCore
internal import SluiceIngest
internal import SluiceSQL

/// An open transaction.
final class PostgresTransaction: TableTransaction {
    let session: PostgresSinkConnection
    var connection: PostgresConnection { session.connection }
    let sqlLedger: Ledger
    var tableLedger: any SinkLedger { sqlLedger }

    init(_ session: PostgresSinkConnection) {
        self.session = session
        sqlLedger = session.ledger()
        sqlLedger.rows = self
    }

    func contents() throws -> SinkContents {
        // What the run finds here decides whether it forgets the checkpoints of others. So no other run may make the table between the two.
        if session.wanted == nil { try sqlLedger.connection.lock(session.tableName) }
        return try session.readContents(sqlLedger, .versions)
    }

    // MARK: Rows

    func store(_ batch: RowBatch) throws -> StoredBatch {
        guard let store = session.store, let wanted = session.wanted else {
            throw PostgresError.impossible("rows came before their table")
        }
        return try self.store(batch, in: store, wanted)
    }

    func storeRows(_ batch: RowBatch, inChild table: String, replacing ends: RowBatch?) throws -> StoredBatch {
        if session.impossible.contains(table) {
            var stored = StoredBatch()
            batch.forEachRow { row, _ in stored.refused.append(RefusedRow(row: row, reason: connection.lacksCharacters)) }
            return stored
        }
        guard let wanted = session.children[table], let store = session.stores[table] else {
            throw PostgresError.impossible("rows came before their table \(table)")
        }
        var stored = try self.store(batch, in: store, wanted)
        if let ends {
            let gaps = PostgresTransaction.gaps(in: batch, ends, wanted, refused: Set(stored.refused.map(\.row)))
            var removed = try remove(after: ends, gaps, wanted)
            stored.counts.removed = removed.removeValue(forKey: table) ?? 0
            stored.removedBelow = removed
        }
        return stored
    }

    // MARK: Storing

    private func store(_ batch: RowBatch, in store: RowStore, _ wanted: SinkTable) throws -> StoredBatch {
        var stored = StoredBatch()
        store.removeAll()
        // The row and the column of each value that is not of its column's type.
        var offType: [(row: Int, column: Int)] = []
        try batch.forEachRow { index, row in
            for cell in row.cellIndices where row.isOffType(cell) { offType.append((index, row.column(cell))) }
            store.append(row, index)
            if store.rows.isLarge { try store.store(&stored) } else { try store.push() }
        }
        try store.store(&stored)
        let refused = Set(stored.refused.map(\.row))
        stored.offTypeCounts = Array(repeating: 0, count: wanted.columns.count)
        stored.unnameable = store.unnameable
        for value in offType where !refused.contains(value.row) { stored.offTypeCounts[value.column] += 1 }
        let others = refused.union(stored.keptRows)
        for loss in store.losses.sorted(by: { $0.column < $1.column })
        where loss.column < wanted.columns.count && !others.contains(loss.row) {
            if let example = loss.example {
                stored.digitLosses.note(DigitLoss(column: wanted.columns[loss.column].name, count: 1, example: example))
            } else {
                IngestRun.add(Array(repeating: 0, count: loss.column) + [1], to: &stored.generatedCounts)
            }
            // A value that has changed or is left out counts only as that.
            if loss.isOffType { stored.offTypeCounts[loss.column] = max(0, stored.offTypeCounts[loss.column] - 1) }
        }
        return stored
    }
}
#endif
