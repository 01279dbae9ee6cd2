// The keys that the inputs of a load have, and the rows whose keys are not among them. The ledger decides which rows these are.

#if SQLite
internal import GRDB
internal import SluiceCore
internal import SluiceIngest
internal import SluiceSQL

extension SQLiteTransaction: LedgerRows {
    var noteKey: [String]? { connection.loader?.key }
    var keyTable: String { "_sluice_keys_\(connection.sink.table)" }
    var notesKeys: Bool { connection.loader?.notesKeys ?? false }
    var hasFoundNotedKeys: Bool {
        get { connection.loader?.hasFoundNotedKeys ?? false }
        set { connection.loader?.hasFoundNotedKeys = newValue }
    }

    func makeKeyTable() throws {
        guard let rows = connection.loader else { return }
        let collations = try rows.collationsOfKey(db)
        let types = Dictionary(
            try Row.fetchAll(db, sql: "SELECT name, type FROM pragma_table_xinfo(?)", arguments: [rows.name]).map {
                (ColumnName.folded($0["name"]), $0["type"] as String)
            }
        ) { $1 }
        let columns = rows.key.map { column in
            let folded = ColumnName.folded(column)
            let collation = collations[folded].map { " COLLATE \($0.quotedForSQL)" } ?? ""
            return "\(column.quotedForSQL) \(types[folded] ?? "")\(collation)"
        }
        try db.execute(
            sql: """
                CREATE TABLE \(keyTable.quotedForSQL) (\(columns.joined(separator: ", ")), \
                PRIMARY KEY (\(list(rows.key)))) WITHOUT ROWID\(RecordTable.isStrict(rows.name, db) ? ", STRICT" : "")
                """)
    }

    func noteKeys(_ notes: Bool) throws {
        if notes { try connection.loader?.noteKeys(in: keyTable, db) } else { connection.loader?.forgetKeyNotes() }
    }

    private func list(_ names: [String]) -> String { names.map(\.quotedForSQL).joined(separator: ", ") }

    func settle(_ change: MissingChange, where condition: String, mark: String, most: Int) throws -> StoredBatch {
        var stored = StoredBatch()
        guard let rows = connection.loader, let wanted = connection.wanted else { return stored }
        let path = rows.name.quotedForSQL
        let marks = change == .clear ? ", \(mark)" : ""
        let found = try Row.fetchAll(
            db, sql: "SELECT \(list(rows.key))\(marks) FROM \(path) t WHERE \(condition) LIMIT ?", arguments: [most])
        let hasKey = rows.key.map { "\($0.quotedForSQL) IS ?" }.joined(separator: " AND ")
        guard change == .delete else {
            let update = try db.makeStatement(sql: "UPDATE \(path) SET \(mark) = ? WHERE \(hasKey)")
            let time = change == .mark ? RecordedChange.now : nil
            for row in found {
                try update.execute(
                    arguments: StatementArguments([time?.databaseValue ?? .null] + row.databaseValues.prefix(rows.key.count)))
                guard db.changesCount > 0 else { continue }
                stored.counts.changed += 1
                let before = JSONObject(row)
                var after = before
                after[MissingRows.markColumn] = time.map { .string($0) }
                wanted.changes?.add(row: nil, before: before, after: after)
            }
            return stored
        }
        let below = try connection.children.values.map(\.wanted).below(wanted.name).map { table in
            try RowRemoval(table, keyCount: rows.key.count, .all, db)
        }
        let deletion = try db.makeStatement(sql: "DELETE FROM \(path) WHERE \(hasKey)")
        for row in found {
            let key = StatementArguments(row.databaseValues)
            for removal in below {
                stored.removedBelow[removal.table.name, default: 0] += try removal.remove(key, db) { $0.remove($1) }
            }
            try deletion.execute(arguments: key)
            guard db.changesCount > 0 else { continue }
            stored.counts.removed += 1
            wanted.changes?.remove(JSONObject(row))
        }
        return stored
    }
}
#endif
