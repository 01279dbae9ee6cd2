// Looks for rows of other tables that refer to the rows of a table, before these are removed: SQLite would remove the rows of a table
// with ON DELETE CASCADE together with them, and say nothing.

#if SQLite
internal import GRDB
internal import SluiceCore
internal import SluiceIngest

/// A foreign key of a table.
private struct ForeignKey {
    /// The table that has it.
    let table: String
    /// Its columns, with those that they refer to.
    var columns: [(from: String, to: String)]
    let isCascading: Bool

    /// The foreign keys that refer to a table.
    static func all(to parent: String, _ db: Database) throws -> [ForeignKey] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT t.name AS child, k.id, k.seq, k."from" AS source, k."to" AS target, k.on_delete
                FROM sqlite_master t, pragma_foreign_key_list(t.name) k
                WHERE t.type = 'table' AND k."table" = ? COLLATE NOCASE ORDER BY t.name, k.id, k.seq
                """,
            arguments: [parent])
        let names = try RecordTable.columns(of: parent, db)
        let primaryKey = try RecordTable.primaryKey(of: parent, db)
        var keys: [ForeignKey] = []
        for row in rows {
            let index: Int = row["seq"]
            let target: String? = row["target"]
            // A foreign key that names no columns refers to the primary key.
            guard let to = target ?? (index < primaryKey.count ? primaryKey[index] : nil) else { continue }
            let (table, source, action): (String, String, String) = (row["child"], row["source"], row["on_delete"])
            if index == 0 { keys.append(ForeignKey(table: table, columns: [], isCascading: action == "CASCADE")) }
            if !keys.isEmpty { keys[keys.count - 1].columns.append((from: source, to: to)) }
        }
        // SQLite ignores a foreign key to columns that are not there when it drops a table.
        return keys.filter { key in
            key.columns.allSatisfy { column in names.contains { ColumnName.areEqual($0, column.to) } }
        }
    }

    /// Whether the table is a child table that a load has made for a parent: its name begins with the parent's, and its key is the
    /// parent's key and a position, whose name tells it from the key of a table that joins two others.
    func isOfChildTable(of parent: String, _ db: Database) throws -> Bool {
        let start = ColumnName.folded(parent + "_")
        let key = try RecordTable.primaryKey(of: table, db)
        return isCascading && ColumnName.folded(table).starts(with: start) && key.count == columns.count + 1
            && zip(key, columns).allSatisfy { ColumnName.areEqual($0, $1.from) }
            && key.last.map { $0 == "position" || $0.starts(with: "position_") } == true
    }

    /// Whether the table has a row that refers to one of the parent's.
    func isUsed(by parent: String, _ db: Database) throws -> Bool {
        let isSame = columns.map { "p.\($0.to.quotedForSQL) = c.\($0.from.quotedForSQL)" }.joined(separator: " AND ")
        let sql =
            "SELECT EXISTS (SELECT 1 FROM \(table.quotedForSQL) c "
            + "WHERE EXISTS (SELECT 1 FROM \(parent.quotedForSQL) p WHERE \(isSame)))"
        return try Bool.fetchOne(db, sql: sql) == true
    }
}

extension RecordTable {
    /// Checks that no rows of other tables refer to the rows of a table that is dropped or emptied. Its child tables are no others.
    ///
    /// - Throws: ``IngestError/database(_:)`` with the name of such a table.
    static func checkReferences(_ wanted: SinkTable, _ db: Database) throws {
        // Without this setting, SQLite leaves other tables alone.
        guard try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true else { return }
        var own = [wanted.name] + wanted.children
        var index = 0
        while index < own.count {
            let parent = own[index]
            index += 1
            guard try RecordTable.exists(parent, db) else { continue }
            for key in try ForeignKey.all(to: parent, db) where !own.contains(where: { ColumnName.areEqual($0, key.table) }) {
                if try key.isOfChildTable(of: parent, db) {
                    own.append(key.table)
                } else if try key.isUsed(by: parent, db) {
                    let option = wanted.existing == .drop ? IngestOption.drop : .truncate
                    throw IngestError.database(
                        "rows of the table \(key.table) refer to rows of \(parent), which \(option: option) would remove; remove those of "
                            + "\(key.table) first, or load into another \(option: .table)")
                }
            }
        }
    }
}
#endif
