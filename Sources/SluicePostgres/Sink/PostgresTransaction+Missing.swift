// Notes the keys of a snapshot, and marks or removes the rows that it lacks. The ledger decides which rows these are.

#if PostgreSQL
internal import SluiceCore
internal import SluiceIngest
internal import SluiceSQL

extension PostgresTransaction: LedgerRows {
    var noteKey: [String]? { session.store?.keyNames }
    var keyTable: String { session.keyTable }
    var notesKeys: Bool { session.store?.keyNotes != nil }
    var hasFoundNotedKeys: Bool {
        get { session.hasFoundNotedKeys }
        set { session.hasFoundNotedKeys = newValue }
    }

    func makeKeyTable() throws {
        let list = try (noteKey ?? []).map { try connection.identifier($0) }.joined(separator: ", ")
        let path = try path(of: keyTable)
        try connection.run(
            """
            CREATE TABLE \(path) AS SELECT \(list) FROM \(self.path(of: session.tableName)) WITH NO DATA;
            ALTER TABLE \(path) ADD PRIMARY KEY (\(list))
            """)
    }

    func noteKeys(_ notes: Bool) throws { session.store?.keyNotes = notes ? try path(of: keyTable) : nil }

    func settle(_ change: MissingChange, where condition: String, mark: String, most: Int) throws -> StoredBatch {
        var stored = StoredBatch()
        guard let store = session.store, let wanted = session.wanted else { return stored }
        let path = try path(of: session.tableName)
        let keys = try store.keyNames.map { try connection.identifier($0) }
        let list = keys.enumerated().map { "t.\($1) AS k\($0)" }.joined(separator: ", ")
        let marks = change == .clear ? ", t.\(mark) AS mark" : ""
        let found = try connection.run(
            """
            DROP TABLE IF EXISTS pg_temp._sluice_missing;
            CREATE TEMPORARY TABLE _sluice_missing ON COMMIT DROP AS SELECT \(list)\(marks) FROM \(path) t WHERE \(condition) LIMIT \(most)
            """
        ).affectedCount
        guard found > 0 else { return stored }
        let isSame = keys.enumerated().map { "t.\($1) = g.k\($0)" }.joined(separator: " AND ")
        let object = try keyObject(store.keyNames)
        guard change == .delete else {
            let old = change == .clear ? try connection.json("g.mark") : "NULL"
            let rows = try connection.query(
                """
                UPDATE \(path) t SET \(mark) = \(change == .mark ? "now()" : "NULL") FROM pg_temp._sluice_missing g WHERE \(isSame)
                RETURNING \(wanted.changes == nil ? "1" : "\(object), \(old), \(try connection.json("t.\(mark)"))")
                """, [])
            stored.counts.changed = rows.affectedCount
            guard let changes = wanted.changes else { return stored }
            for row in 0..<rows.count {
                let key = rows.text(row, 0).flatMap { JSONObject(text: $0) } ?? JSONObject()
                var (before, after) = (key, key)
                before[MissingRows.markColumn] = rows.text(row, 1).flatMap { try? JSONValue(json: $0) }
                after[MissingRows.markColumn] = rows.text(row, 2).flatMap { try? JSONValue(json: $0) }
                changes.add(row: nil, before: before, after: after)
            }
            return stored
        }
        for child in tables(below: wanted.name) {
            let names = try firstColumns(of: child, keys.count)
            let belongs = names.enumerated().map { "t.\($1) = g.k\($0)" }.joined(separator: " AND ")
            let rows = try connection.query(
                """
                DELETE FROM \(self.path(of: PostgresTable.clipped(child.name))) t USING pg_temp._sluice_missing g WHERE \(belongs)
                RETURNING \(child.changes == nil ? "1" : try keyObject(of: child))
                """, [])
            stored.removedBelow[child.name] = rows.affectedCount
            noteRemoved(rows, child.changes)
        }
        let rows = try connection.query(
            "DELETE FROM \(path) t USING pg_temp._sluice_missing g WHERE \(isSame) RETURNING \(wanted.changes == nil ? "1" : object)",
            [])
        stored.counts.removed = rows.affectedCount
        noteRemoved(rows, wanted.changes)
        return stored
    }

    /// Reports rows that were removed.
    private func noteRemoved(_ rows: PostgresRows, _ changes: ChangeRecorder?) {
        guard let changes else { return }
        for row in 0..<rows.count { if let key = rows.text(row, 0).flatMap({ JSONObject(text: $0) }) { changes.remove(key) } }
    }
}
#endif
