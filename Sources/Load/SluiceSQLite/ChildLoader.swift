// Stores the rows of a child table.

#if SQLite
internal import GRDB
internal import GRDBSQLite
internal import SluiceCore
internal import SluiceIngest

/// The statements of a child table.
final class ChildLoader {
    let rows: RecordLoader
    let wanted: SinkTable
    /// Those of the tables whose parent this one is.
    var children: [ChildLoader] = []
    /// Finds a child row of a parent, at a position or after it.
    private let remainder: Statement
    /// Removes such rows, but first the rows of deeper tables that belong to them.
    private var removals: [RowRemoval] = []
    /// The same for the row at one position; empty until a position has no row.
    private var removalsAtGaps: [RowRemoval] = []
    /// Finds the parent of a row; nil unless the parent may have been replaced.
    private let parent: Statement?

    /// - Parameter isNested: Whether the parent table is also a child table.
    init(
        _ wanted: SinkTable, isNested: Bool, _ db: Database, _ run: RunIdentity, _ found: RecordLoader.Found
    ) throws {
        self.wanted = wanted
        let table = try RecordTable(wanted, db)
        rows = try RecordLoader(
            db, table: table, columns: wanted.columns, conflict: wanted.conflict, run: run, found, changes: wanted.changes)
        let keyCount = wanted.parent?.columns.count ?? 0
        let conditions = RowRemoval.conditions(wanted, keyCount: keyCount, .from)
        remainder = try db.makeStatement(sql: "SELECT 1 FROM \(wanted.name.quotedForSQL) WHERE \(conditions) LIMIT 1")
        if isNested, wanted.conflict == .replace, let parent = wanted.parent {
            let conditions = parent.key.enumerated().map { "\($1.quotedForSQL) = ?\($0 + 1)" }.joined(separator: " AND ")
            self.parent = try db.makeStatement(sql: "SELECT 1 FROM \(parent.table.quotedForSQL) WHERE \(conditions)")
        } else {
            parent = nil
        }
    }

    /// The tables below this one, the deepest first.
    private var below: [ChildLoader] { children.flatMap { $0.below + [$0] } }

    /// Stores the rows of a batch; see `SinkTransaction.store(_:inChild:replacing:)`.
    func store(_ batch: RowBatch, replacing ends: RowBatch?, _ db: Database) throws -> StoredBatch {
        var stored = try storeAll(batch, replacing: ends, db)
        try stored.refused.removeAll { refused in try batch.withRow(refused.row) { try isOrphan($0) } }
        return stored
    }

    /// Whether the parent of a row no longer exists, because a later record of the batch has replaced it. The keys of the two
    /// records differ in JSON, like `"1"` and `1`, but are equal in the table. Only the table knows how its columns convert and
    /// compare values.
    private func isOrphan(_ row: RowCells) throws -> Bool {
        guard let parent, let columns = wanted.parent?.columns else { return false }
        let handle = unsafe parent.sqliteStatement
        guard unsafe KeyParameters(columns, in: rows.columns).bind(row, to: handle) else { return false }
        defer { unsafe sqlite3_reset(handle) }
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return false
        case SQLITE_DONE: return true
        case let code: throw unsafe DatabaseError(code, of: handle)
        }
    }

    private func storeAll(_ batch: RowBatch, replacing ends: RowBatch?, _ db: Database) throws -> StoredBatch {
        guard let ends else { return try rows.store(batch) }
        let below = below
        if removals.count != below.count + 1 {
            removals = try makeRemovals(.from, below, db)
            removalsAtGaps = []
        }
        rows.beginBatch()
        var removed: [String: Int] = [:]
        // The remaining rows of a parent are removed before the rows of the next parent are stored, because both parents may have
        // the same key.
        var next = 0
        try ends.forEachRow { row, end in
            let parent = ends.parent(of: row)
            let (start, refused) = (next, rows.refused.count)
            var count: Int64 = 0
            next = try batch.forEachRow(from: next, ofParentsTo: parent) { index, row in
                try rows.store(index, row)
                count += 1
            }
            try remove(after: end, of: parent, &removed, db)
            let refusedRows = rows.refused[refused...]
            guard let elements = end.integer(at: keyCount), count - Int64(refusedRows.count) < elements else { return }
            let gaps = batch.gaps(in: start..<next, column: keyCount, count: elements, refused: Set(refusedRows.map(\.row)))
            if removalsAtGaps.isEmpty { removalsAtGaps = try makeRemovals(.at, below, db) }
            for gap in gaps { try remove(removalsAtGaps, end, position: gap, of: parent, &removed, db) }
        }
        _ = try batch.forEachRow(from: next, ofParentsTo: .max) { index, row in try rows.store(index, row) }
        var stored = rows.endBatch()
        stored.counts.removed = removed.removeValue(forKey: wanted.name) ?? 0
        stored.removedBelow = removed
        return stored
    }

    /// How many columns the parent's key has. The next column has the positions.
    private var keyCount: Int { wanted.parent?.columns.count ?? 0 }

    private func makeRemovals(_ positions: RowRemoval.Positions, _ below: [ChildLoader], _ db: Database) throws -> [RowRemoval] {
        try (below + [self]).map { try RowRemoval($0.wanted, keyCount: keyCount, positions, db) }
    }

    private func remove(after end: RowCells, of parent: Int, _ removed: inout [String: Int], _ db: Database) throws {
        // Most records have as many elements as before, or more.
        guard try Row.fetchOne(remainder, arguments: arguments(of: end)) != nil else { return }
        try remove(removals, end, position: nil, of: parent, &removed, db)
    }

    /// - Parameters:
    ///   - end: A row with the parent's key, and with a position.
    ///   - position: Another position instead of that one.
    private func remove(
        _ removals: [RowRemoval], _ end: RowCells, position: Int64?, of parent: Int, _ removed: inout [String: Int],
        _ db: Database
    ) throws {
        let arguments = arguments(of: end, position: position)
        for removal in removals {
            removed[removal.table.name, default: 0] += try removal.remove(arguments, db) { changes, row in
                if let replaced = wanted.changes { changes.remove(row, after: parent, in: replaced) }
            }
        }
    }

    private func arguments(of end: RowCells, position: Int64? = nil) -> StatementArguments {
        var arguments = StatementArguments()
        for cell in end.cellIndices {
            if let position, end.column(cell) == keyCount {
                arguments += [position]
                continue
            }
            switch end.value(cell) {
            case .null: arguments += [nil]
            case .integer(let value): arguments += [value]
            case .real(let value): arguments += [value]
            case .text(let bytes): unsafe arguments += [String(decoding: bytes, as: UTF8.self)]
            }
        }
        return arguments
    }
}

/// The statements that remove the rows of a table that begin with a key.
final class RowRemoval {
    /// Which of the rows with a parent's key are meant.
    enum Positions {
        case all
        /// Those from a position on.
        case from
        /// The one at a position.
        case at
    }

    let table: SinkTable
    private let deletion: Statement
    /// Finds the keys of the rows; nil if changes are not recorded.
    private let selection: Statement?

    /// - Parameters:
    ///   - keyCount: How many of the first columns have a given value.
    ///   - positions: Which values the next column has.
    init(_ table: SinkTable, keyCount: Int, _ positions: Positions, _ db: Database) throws {
        self.table = table
        let conditions = RowRemoval.conditions(table, keyCount: keyCount, positions)
        let name = table.name.quotedForSQL
        deletion = try db.makeStatement(sql: "DELETE FROM \(name) WHERE \(conditions)")
        let key = table.key.map(\.quotedForSQL).joined(separator: ", ")
        selection = try table.changes == nil ? nil : db.makeStatement(sql: "SELECT \(key) FROM \(name) WHERE \(conditions)")
    }

    /// The conditions for the first columns of a child table: those of its parent's key, and its position.
    static func conditions(_ table: SinkTable, keyCount: Int, _ positions: Positions) -> String {
        let names = table.columns.prefix(keyCount + 1).map(\.name.quotedForSQL)
        let position: [String] =
            switch positions {
            case .all: []
            case .from: ["\(names[keyCount]) >= ?"]
            case .at: ["\(names[keyCount]) = ?"]
            }
        return (names.prefix(keyCount).map { "\($0) IS ?" } + position).joined(separator: " AND ")
    }

    /// Removes the rows, and reports each of them. Returns how many rows were removed.
    func remove(_ arguments: StatementArguments, _ db: Database, note: (ChangeRecorder, JSONObject) -> Void) throws -> Int {
        if let changes = table.changes, let selection {
            for row in try Row.fetchAll(selection, arguments: arguments) { note(changes, JSONObject(row)) }
        }
        try deletion.execute(arguments: arguments)
        return db.changesCount
    }
}

extension JSONObject {
    /// The columns of a row of the database.
    init(_ row: Row) { self.init(row.map { name, value in (name, JSONValue(value, isTruth: false)) }) }
}
#endif
