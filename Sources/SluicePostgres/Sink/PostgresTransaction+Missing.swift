// Notes the keys of a snapshot, and marks or removes the rows that it lacks.

#if PostgreSQL
internal import SluiceCore
internal import SluiceIngest

extension PostgresTransaction {
    func setSnapshot(_ snapshot: SinkSnapshot, over earlier: SinkSnapshot?, begins: Bool) throws -> Bool {
        guard let store = session.store, try session.checkpoints.snapshot() == earlier else { return false }
        if snapshot != earlier { try session.checkpoints.keepSnapshot(snapshot) }
        let notes = try pathOfKeyNotes()
        if snapshot.isDone || begins { try connection.run("DROP TABLE IF EXISTS \(notes)") }
        guard !snapshot.isDone else {
            store.keyNotes = nil
            return true
        }
        if try connection.query("SELECT to_regclass($1) IS NULL", [.text(notes)]).isTrue(0, 0) {
            let keys = try store.keyNames.map { name throws(PostgresError) in try connection.identifier(name) }
            let list = keys.joined(separator: ", ")
            try connection.run(
                """
                CREATE TABLE \(notes) AS SELECT \(list) FROM \(path(of: session.tableName)) WITH NO DATA;
                ALTER TABLE \(notes) ADD PRIMARY KEY (\(list))
                """)
        }
        store.keyNotes = notes
        return true
    }

    /// The table of noted keys.
    private func pathOfKeyNotes() throws(PostgresError) -> String {
        try path(of: keyNotesName)
    }

    var keyNotesName: String {
        let name = session.tableName
        let number = String(UInt64(bitPattern: PostgresConnection.lockNumber(name)), radix: 16)
        return "_sluice_keys_" + (name.utf8.count > 40 ? number : name)
    }

    func settleMissing(_ change: MissingChange, most: Int) throws -> StoredBatch {
        guard let store = session.store, let wanted = session.wanted else { return StoredBatch() }
        var stored = StoredBatch()
        let path = try path(of: session.tableName)
        let mark = try connection.identifier(MissingRows.markColumn)
        // Rows must not change between the statements.
        try connection.run("LOCK TABLE \(path) IN SHARE ROW EXCLUSIVE MODE")
        let hasMarks =
            try PostgresTable(session.tableName, schema: session.schema, connection)?.column(named: MissingRows.markColumn) != nil
        if !hasMarks {
            if change == .clear { return stored }
            if change == .mark { try connection.run("ALTER TABLE \(path) ADD COLUMN \(mark) timestamptz") }
        }
        let keys = try store.keyNames.map { name throws(PostgresError) in try connection.identifier(name) }
        let isNoted =
            "EXISTS (SELECT FROM \(try pathOfKeyNotes()) k WHERE \(keys.map { "k.\($0) = t.\($0)" }.joined(separator: " AND ")))"
        if change != .clear, !session.hasFoundNotedKeys {
            // A trigger may have given a row another key than its record has. Its row must not count as missing.
            let hasRow = "EXISTS (SELECT FROM \(path) t WHERE \(keys.map { "k.\($0) = t.\($0)" }.joined(separator: " AND ")))"
            let unfound = try connection.run("SELECT count(*) FROM \(pathOfKeyNotes()) k WHERE NOT \(hasRow)").integer(0, 0) ?? 0
            guard unfound == 0 else { throw UnfoundKeys(count: unfound) }
            session.hasFoundNotedKeys = true
        }
        let condition =
            switch change {
            case .delete: "NOT \(isNoted)"
            case .mark: "t.\(mark) IS NULL AND NOT \(isNoted)"
            case .clear: "t.\(mark) IS NOT NULL AND \(isNoted)"
            }
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
