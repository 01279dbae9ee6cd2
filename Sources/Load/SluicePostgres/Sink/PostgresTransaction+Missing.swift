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
        let list = try connection.identifiers(noteKey ?? []).joined(separator: ", ")
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
        let keys = try connection.identifiers(store.keyNames)
        let list = keys.enumerated().map { "t.\($1) AS k\($0)" }.joined(separator: ", ")
        let marks = change == .clear ? ", t.\(mark) AS mark" : ""
        let found = try connection.run(
            """
            DROP TABLE IF EXISTS pg_temp._sluice_missing;
            CREATE TEMPORARY TABLE _sluice_missing ON COMMIT DROP AS SELECT \(list)\(marks) FROM \(path) t WHERE \(condition) LIMIT \(most)
            """
        ).affectedCount
        guard found > 0 else { return stored }
        func isFound(_ columns: [String]) -> String {
            columns.enumerated().map { "t.\($1) = g.k\($0)" }.joined(separator: " AND ")
        }
        let object = try keyObject(store.keyNames)
        guard change == .delete else {
            let old = change == .clear ? try connection.json("g.mark") : "NULL"
            let rows = try connection.query(
                """
                UPDATE \(path) t SET \(mark) = \(change == .mark ? "now()" : "NULL") FROM pg_temp._sluice_missing g WHERE \(isFound(keys))
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
        for table in tables(below: wanted.name) + [wanted] {
            let isChild = table.parent != nil
            let columns = try isChild ? firstColumns(of: table, keys.count) : keys
            let key = try table.changes == nil ? "1" : isChild ? keyObject(of: table) : object
            let rows = try connection.query(
                """
                DELETE FROM \(self.path(of: table)) t USING pg_temp._sluice_missing g WHERE \(isFound(columns)) RETURNING \(key)
                """)
            if isChild {
                stored.removedBelow[table.name] = rows.affectedCount
            } else {
                stored.counts.removed = rows.affectedCount
            }
            guard let changes = table.changes else { continue }
            for row in 0..<rows.count {
                if let key = rows.text(row, 0).flatMap({ JSONObject(text: $0) }) { changes.remove(key) }
            }
        }
        return stored
    }
}
#endif
