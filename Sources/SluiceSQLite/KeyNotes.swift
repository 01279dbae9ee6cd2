// A table of the keys that the inputs of a load have, and the search for rows whose keys are not in it.

#if SQLite
internal import GRDB
internal import SluiceCore
internal import SluiceIngest

/// The noted keys of a table.
struct KeyNotes {
    private let rows: RecordLoader
    /// The table of the keys.
    let name: String

    init(_ rows: RecordLoader) { (self.rows, name) = (rows, "_sluice_keys_\(rows.name)") }

    /// Makes the table if it is missing. At the beginning of a load, an existing table is replaced by an empty one.
    func make(begins: Bool, _ db: Database) throws {
        if begins { try remove(db) }
        if try RecordTable.exists(name, db) { return }
        // The columns compare values like those of the key.
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
                CREATE TABLE \(name.quotedForSQL) (\(columns.joined(separator: ", ")), \
                PRIMARY KEY (\(list(rows.key)))) WITHOUT ROWID\(RecordTable.isStrict(rows.name, db) ? ", STRICT" : "")
                """)
    }

    func remove(_ db: Database) throws { try db.execute(sql: "DROP TABLE IF EXISTS \(name.quotedForSQL)") }

    private func list(_ names: [String]) -> String { names.map(\.quotedForSQL).joined(separator: ", ") }

    // MARK: Missing rows

    /// Makes one kind of change; see `SinkTransaction.settleMissing(_:most:)`.
    ///
    /// - Parameter children: The child tables, the deepest first.
    func settle(
        _ change: MissingChange, most: Int, _ table: SinkTable, children: [SinkTable], _ db: Database
    ) throws -> StoredBatch {
        var stored = StoredBatch()
        let hasMarks = try RecordTable.columns(of: rows.name, db).contains { ColumnName.areEqual($0, MissingRows.markColumn) }
        let mark = MissingRows.markColumn.quotedForSQL
        if !hasMarks {
            if change == .clear { return stored }
            if change == .mark { try db.execute(sql: "ALTER TABLE \(rows.name.quotedForSQL) ADD COLUMN \(mark) TEXT") }
        }
        let isNoted = rows.key.map { "k.\($0.quotedForSQL) = t.\($0.quotedForSQL)" }.joined(separator: " AND ")
        let exists = "EXISTS (SELECT 1 FROM \(name.quotedForSQL) k WHERE \(isNoted))"
        if change != .clear, !rows.hasFoundNotedKeys {
            // A trigger may have given a row another key than its record has. Its row must not count as missing.
            let unfound =
                "SELECT count(*) FROM \(name.quotedForSQL) k WHERE NOT EXISTS "
                + "(SELECT 1 FROM \(rows.name.quotedForSQL) t WHERE \(isNoted))"
            let count = try Int.fetchOne(db, sql: unfound) ?? 0
            guard count == 0 else { throw UnfoundKeys(count: count) }
            rows.hasFoundNotedKeys = true
        }
        let condition =
            switch change {
            case .delete: "NOT \(exists)"
            case .mark: "t.\(mark) IS NULL AND NOT \(exists)"
            case .clear: "t.\(mark) IS NOT NULL AND \(exists)"
            }
        let marks = change == .clear ? ", \(mark)" : ""
        let found = try Row.fetchAll(
            db, sql: "SELECT \(list(rows.key))\(marks) FROM \(rows.name.quotedForSQL) t WHERE \(condition) LIMIT ?",
            arguments: [most])
        let hasKey = rows.key.map { "\($0.quotedForSQL) IS ?" }.joined(separator: " AND ")
        guard change == .delete else {
            let update = try db.makeStatement(sql: "UPDATE \(rows.name.quotedForSQL) SET \(mark) = ? WHERE \(hasKey)")
            let time = change == .mark ? RecordedChange.now : nil
            for row in found {
                try update.execute(
                    arguments: StatementArguments([time?.databaseValue ?? .null] + row.databaseValues.prefix(rows.key.count)))
                guard db.changesCount > 0 else { continue }
                stored.counts.changed += 1
                let before = JSONObject(row)
                var after = before
                after[MissingRows.markColumn] = time.map { .string($0) }
                table.changes?.add(row: nil, before: before, after: after)
            }
            return stored
        }
        let below = try children.map { try RowRemoval($0, keyCount: rows.key.count, .all, db) }
        let deletion = try db.makeStatement(sql: "DELETE FROM \(rows.name.quotedForSQL) WHERE \(hasKey)")
        for row in found {
            let key = StatementArguments(row.databaseValues)
            for removal in below {
                stored.removedBelow[removal.table.name, default: 0] += try removal.remove(key, db) { $0.remove($1) }
            }
            try deletion.execute(arguments: key)
            guard db.changesCount > 0 else { continue }
            stored.counts.removed += 1
            table.changes?.remove(JSONObject(row))
        }
        return stored
    }
}
#endif
