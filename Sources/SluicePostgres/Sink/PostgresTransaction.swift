// One transaction of a run. It makes or widens the table, and stores rows, checkpoints and rejected records.

#if PostgreSQL
internal import SluiceCore
internal import SluiceIngest

/// An open transaction.
final class PostgresTransaction: RejectionTransaction {
    private let session: PostgresSinkConnection
    private var connection: PostgresConnection { session.connection }

    init(_ session: PostgresSinkConnection) { self.session = session }

    func contents() throws -> SinkContents { try session.readContents() }

    /// Repeats a step of an earlier attempt at this transaction.
    func take(_ step: PostgresSinkConnection.Step) throws {
        switch step {
        case .prepare(let table): _ = try prepare(table)
        case .forget(let run, let includingOthers): try forgetCheckpoints(of: run, includingOthers: includingOthers)
        }
    }

    // MARK: The table

    func prepare(_ wanted: SinkTable) throws -> [String] {
        if wanted.parent != nil { return try prepareChild(wanted) }
        let added = try makeTable(wanted)
        try open(wanted)
        session.wanted = wanted
        session.steps.append(.prepare(wanted))
        return added
    }

    /// Prepares the store for rows of a table that exists.
    func open(_ wanted: SinkTable) throws(PostgresError) {
        let name = wanted.parent == nil ? session.tableName : wanted.name
        guard let table = try PostgresTable(name, schema: session.schema, connection) else {
            throw .impossible("the table \(name) is gone")
        }
        let rule: MergeRule? =
            switch wanted.conflict {
            case .reject: nil
            case .upsert: .upsert
            case .ignore: .ignore
            case .replace: .replace
            }
        let staging = PostgresTransaction.staging(of: wanted)
        let earlier = session.stagings[staging] ?? 0
        if earlier > 0 { try connection.run("DROP TABLE IF EXISTS pg_temp.\(staging)_\(earlier)") }
        session.stagings[staging] = earlier + 1
        let store = try RowStore(
            table,
            columns: wanted.columns.map {
                RowStore.Column(name: $0.name, type: $0.type, isSensitive: $0.column?.isSensitive == true)
            }, key: wanted.key.isEmpty ? table.primaryKey : wanted.key, rule: rule, staging: "\(staging)_\(earlier + 1)",
            connection, namesKept: wanted.parent == nil && !wanted.children.isEmpty, changes: wanted.changes,
            parent: replacedParent(of: wanted))
        if wanted.parent == nil {
            session.store = store
        } else {
            session.children[wanted.name] = PostgresSinkConnection.Child(wanted: wanted, store: store)
        }
    }

    /// The parent table of a child table, if rows of the parent table may be replaced.
    private func replacedParent(of wanted: SinkTable) throws(PostgresError) -> RowStore.ReplacedParent? {
        guard wanted.conflict == .replace, let parent = wanted.parent, session.children[parent.table] != nil else { return nil }
        return RowStore.ReplacedParent(
            path: try path(of: tableName(of: parent)),
            key: try parent.key.map { name throws(PostgresError) in try connection.identifier(PostgresTable.clipped(name)) })
    }

    /// The first part of the name of the temporary table for a table's rows.
    private static func staging(of wanted: SinkTable) -> String {
        guard wanted.parent != nil else { return "_sluice_rows" }
        return "_sluice_\(String(UInt64(bitPattern: PostgresConnection.lockNumber(wanted.name)), radix: 16))"
    }

    /// Makes or widens a child table.
    private func prepareChild(_ wanted: SinkTable) throws -> [String] {
        try PostgresTable.checkNames(wanted.name, tableNames)
        let added = try makeTable(wanted)
        try open(wanted)
        session.steps.append(.prepare(wanted))
        return added
    }

    /// The names of the tables that the run has prepared, and of those that are ours.
    private var tableNames: [String] {
        [session.tableName, CheckpointLayout.table, keyNotesName] + session.children.values.map(\.wanted.name)
    }

    /// Makes, empties or widens the table.
    ///
    /// - Returns: The names of the columns that were added to a table that already existed.
    private func makeTable(_ wanted: SinkTable) throws(PostgresError) -> [String] {
        let name = wanted.parent == nil ? session.tableName : PostgresTable.clipped(wanted.name)
        let path = try self.path(of: name)
        // A lock, so that two runs do not make or widen the table at the same time.
        try connection.lockUntilCommit("\(session.schema).\(name)")
        if wanted.existing == .drop {
            for child in wanted.children {
                try connection.run("DROP TABLE IF EXISTS \(self.path(of: PostgresTable.clipped(child)))")
            }
            try connection.run("DROP TABLE IF EXISTS \(path)")
        }
        let names = try PostgresTable.columnNames(for: wanted.columns.map(\.name))
        let keyTypes = try wanted.parent.map { parent throws(PostgresError) in try typesOfKey(of: parent) } ?? []
        var definitions: [String] = []
        for (index, (name, column)) in zip(names, wanted.columns).enumerated() {
            // A column of a foreign key has the type and the collation of the column that it refers to, so both find the same rows.
            let type = index < keyTypes.count ? keyTypes[index] : column.type.postgres
            definitions.append(try connection.identifier(name) + " " + type)
        }
        guard let table = try PostgresTable(name, schema: session.schema, connection) else {
            var parts = zip(definitions, wanted.columns).map { $1.isRequired ? $0 + " NOT NULL" : $0 }
            if !wanted.key.isEmpty {
                let key = try wanted.key.map { name throws(PostgresError) in
                    try connection.identifier(PostgresTable.clipped(name))
                }
                parts.append("PRIMARY KEY (\(key.joined(separator: ", ")))")
            }
            if let parent = wanted.parent {
                parts.append(
                    "FOREIGN KEY (\(try list(parent.columns))) REFERENCES \(try self.path(of: tableName(of: parent))) "
                        + "(\(try list(parent.key))) ON DELETE CASCADE")
            }
            try connection.run("CREATE TABLE \(path) (\(parts.joined(separator: ", ")))")
            return []
        }
        if wanted.existing == .truncate { try empty(path) }
        if let parent = wanted.parent,
            let lost = wanted.key.first(where: { table.column(named: PostgresTable.clipped($0)) == nil })
        {
            throw .impossible(
                "there is a table \(name) already, and it is no child table of \(parent.table): it has no column \(lost)")
        }
        let missing = names.indices.filter { table.column(named: names[$0]) == nil }
        guard !missing.isEmpty else { return [] }
        _ = try PostgresTable.columnNames(for: table.columns.map(\.name) + missing.map { names[$0] })
        try connection.run("ALTER TABLE \(path) " + missing.map { "ADD COLUMN \(definitions[$0])" }.joined(separator: ", "))
        return missing.map { names[$0] }
    }

    private func path(of table: String) throws(PostgresError) -> String {
        try connection.identifier(session.schema) + "." + connection.identifier(table)
    }

    /// Names of columns, separated by commas.
    private func list(_ names: [String]) throws(PostgresError) -> String {
        try names.map { name throws(PostgresError) in try connection.identifier(PostgresTable.clipped(name)) }.joined(
            separator: ", ")
    }

    /// The name of a parent table as the server has it.
    private func tableName(of parent: SinkParent) -> String {
        session.children[parent.table] == nil ? session.tableName : PostgresTable.clipped(parent.table)
    }

    /// The types of the key's columns in the parent table.
    private func typesOfKey(of parent: SinkParent) throws(PostgresError) -> [String] {
        let name = tableName(of: parent)
        guard let table = try PostgresTable(name, schema: session.schema, connection) else {
            throw .impossible("the table \(name) is gone")
        }
        let names = parent.key.map { PostgresTable.clipped($0) }
        guard
            table.uniqueKeys.contains(where: { $0.columns.byteSet == names.map { table.column(named: $0)?.name ?? $0 }.byteSet })
        else {
            throw .impossible(
                "child tables need a primary key or a unique index of \(names.joined(separator: ", ")) in the table \(name)")
        }
        return names.map { table.column(named: $0)?.declaration ?? "text" }
    }

    /// Deletes all rows. TRUNCATE is fast, but the server refuses it for a table that foreign keys refer to.
    private func empty(_ path: String) throws(PostgresError) {
        try connection.run("SAVEPOINT sluice_rows")
        do throws(PostgresError) {
            try connection.run("TRUNCATE \(path); RELEASE SAVEPOINT sluice_rows")
        } catch {
            guard case .server = error else { throw error }
            try connection.run("ROLLBACK TO SAVEPOINT sluice_rows; RELEASE SAVEPOINT sluice_rows; DELETE FROM \(path)")
        }
    }

    // MARK: Rows

    func store(_ batch: RowBatch) throws -> StoredBatch {
        guard let store = session.store, let wanted = session.wanted else {
            throw PostgresError.impossible("rows came before their table")
        }
        return try self.store(batch, in: store, wanted)
    }

    func store(_ batch: RowBatch, inChild table: String, replacing ends: RowBatch?) throws -> StoredBatch {
        guard let child = session.children[table], let store = child.store else {
            throw PostgresError.impossible("rows came before their table \(table)")
        }
        var stored = try self.store(batch, in: store, child.wanted)
        if let ends {
            var removed = try remove(behind: ends, child.wanted)
            stored.counts.removed = removed.removeValue(forKey: table) ?? 0
            stored.removedBelow = removed
        }
        return stored
    }

    /// Removes the rows of each parent from a position on, and those of the tables below. Returns how many, by the tables' names.
    private func remove(behind ends: RowBatch, _ wanted: SinkTable) throws -> [String: Int] {
        let count = wanted.parent?.columns.count ?? 0
        var columns: [[String]] = Array(repeating: [], count: count + 1)
        var numbers: [String] = []
        ends.forEachRow { row, cells in
            var values = Array(repeating: "", count: count + 1)
            for cell in cells.cellIndices where cells.column(cell) <= count {
                switch cells.value(cell) {
                case .null: break
                case .integer(let value): values[cells.column(cell)] = "\(value)"
                case .real(let value): values[cells.column(cell)] = "\(value)"
                case .text(let bytes): unsafe values[cells.column(cell)] = String(decoding: bytes, as: UTF8.self)
                }
            }
            for (index, value) in values.enumerated() { columns[index].append(value) }
            numbers.append("\(ends.parent(of: row))")
        }
        guard !numbers.isEmpty,
            let table = try PostgresTable(PostgresTable.clipped(wanted.name), schema: session.schema, connection)
        else { return [:] }
        let types = wanted.key.prefix(count + 1).map { table.column(named: PostgresTable.clipped($0))?.declaration ?? "text" }
        let keys = (0..<count).map { "e.k\($0)::\(types[$0])" }
        let list = (0...count).map { "k\($0)" }.joined(separator: ", ")
        let arrays = (0...(count + 1)).map { $0 > count ? "$\($0 + 1)::bigint[]" : "$\($0 + 1)::text[]" }.joined(separator: ", ")
        let places = (0..<count).map { "\(keys[$0]) AS p\($0)" }.joined(separator: ", ")
        // Of several records with the same key, the last one counts.
        let source = """
            SELECT DISTINCT ON (\(keys.joined(separator: ", "))) \(places), e.k\(count)::bigint AS position, e.number
            FROM unnest(\(arrays)) AS e (\(list), number) ORDER BY \(keys.joined(separator: ", ")), e.number DESC
            """
        var removed: [String: Int] = [:]
        for other in tables(below: wanted.name) + [wanted] {
            let names = try firstColumns(of: other, count + 1)
            let isSame = (0..<count).map { "t.\(names[$0]) = l.p\($0)" } + ["t.\(names[count]) >= l.position"]
            let rows = try connection.query(
                """
                DELETE FROM \(path(of: PostgresTable.clipped(other.name))) t USING (\(source)) l
                WHERE \(isSame.joined(separator: " AND "))\(other.changes == nil ? "" : " RETURNING l.number, \(try keyObject(of: other))")
                """, columns.map { PostgresParameter($0) } + [PostgresParameter(numbers)])
            removed[other.name] = rows.affectedCount
            guard let changes = other.changes, let replaced = wanted.changes else { continue }
            for row in 0..<rows.count {
                guard let key = rows.text(row, 1).flatMap({ JSONObject(text: $0) }) else { continue }
                changes.remove(key, behind: rows.integer(row, 0) ?? 0, in: replaced)
            }
        }
        return removed
    }

    /// The child tables below a table, the deepest first.
    private func tables(below parent: String) -> [SinkTable] {
        session.children.values.map(\.wanted).below(parent)
    }

    /// The names of a child table's first columns, as SQL has them.
    private func firstColumns(of table: SinkTable, _ count: Int) throws(PostgresError) -> [String] {
        try table.columns.prefix(count).map { column throws(PostgresError) in
            try connection.identifier(PostgresTable.clipped(column.name))
        }
    }

    /// The key of a row `t` as a JSON object.
    private func keyObject(of table: SinkTable) throws(PostgresError) -> String {
        try keyObject(table.key.map(PostgresTable.clipped))
    }

    private func keyObject(_ names: [String]) throws(PostgresError) -> String {
        let members = try names.map { name throws(PostgresError) in
            "'\(name.replacing("'", with: "''"))', t.\(try connection.identifier(name))"
        }
        return "jsonb_build_object(\(members.joined(separator: ", ")))"
    }

    // MARK: Missing rows

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

    private var keyNotesName: String {
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
            let old = change == .clear ? "to_jsonb(g.mark)" : "NULL"
            let rows = try connection.query(
                """
                UPDATE \(path) t SET \(mark) = \(change == .mark ? "now()" : "NULL") FROM pg_temp._sluice_missing g WHERE \(isSame)
                RETURNING \(wanted.changes == nil ? "1" : "\(object), \(old), to_jsonb(t.\(mark))")
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

    func record(_ changes: [RecordedChange], into table: String) throws {
        try PostgresTable.checkNames(table, tableNames)
        let path = try self.path(of: table)
        if let found = try PostgresTable(table, schema: session.schema, connection) {
            guard found.columns.map(\.name) == RecordedChange.columns else {
                throw PostgresError.impossible("there is a table \(table) already that is no table of changes; name another one")
            }
        } else {
            try connection.lockUntilCommit("\(session.schema).\(table)")
            try connection.run(
                """
                CREATE TABLE IF NOT EXISTS \(path) (
                    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, table_name text NOT NULL, key jsonb NOT NULL, operation text NOT NULL, changed_at timestamptz NOT NULL, file text,
                    line bigint, byte_position bigint, patch jsonb NOT NULL, nulls jsonb, hidden jsonb)
                """)
        }
        guard !changes.isEmpty else { return }
        // PostgreSQL has no texts with the character U+0000. An empty text stands for null.
        let columns: [[String]] = [
            changes.map(\.table), changes.map(\.key), changes.map(\.operation.rawValue), changes.map(\.time),
            changes.map { ($0.file ?? "").replacing("\0", with: "\u{FFFD}") }, changes.map { $0.line.map { "\($0)" } ?? "" },
            changes.map { $0.byte.map { "\($0)" } ?? "" }, changes.map(\.patch), changes.map { $0.nulls ?? "" },
            changes.map { $0.hidden ?? "" },
        ]
        let arrays = columns.indices.map { "$\($0 + 1)::text[]" }.joined(separator: ", ")
        try connection.query(
            """
            INSERT INTO \(path) (\(RecordedChange.columns.dropFirst().joined(separator: ", "))) SELECT a, b::jsonb, c, d::timestamptz, nullif(e, ''), nullif(f, '')::bigint, nullif(g, '')::bigint,
                h::jsonb, nullif(i, '')::jsonb, nullif(j, '')::jsonb
            FROM unnest(\(arrays)) WITH ORDINALITY AS u (a, b, c, d, e, f, g, h, i, j, place) ORDER BY place
            """, columns.map { PostgresParameter($0) })
    }

    // MARK: Storing

    private func store(_ batch: RowBatch, in store: RowStore, _ wanted: SinkTable) throws -> StoredBatch {
        var stored = StoredBatch()
        store.removeAll()
        // The row and the column of each value that is not of its column's type.
        var offType: [(row: Int, column: Int)] = []
        var outcome = RowStore.Outcome()
        try batch.forEachRow { index, row in
            for cell in row.cellIndices where row.isOffType(cell) { offType.append((index, row.column(cell))) }
            PostgresTransaction.append(row, index, to: store)
            if store.rows.isLarge { outcome += try store.store() } else { try store.push() }
        }
        outcome += try store.store()
        for (column, loss) in outcome.losses.sorted(by: { $0.key < $1.key }) where column < wanted.columns.count {
            stored.digitLosses.append(DigitLoss(column: wanted.columns[column].name, count: loss.count, example: loss.example))
        }
        stored.counts = RowCounts(added: outcome.added, changed: outcome.changed, same: outcome.same, kept: outcome.kept)
        stored.refused = outcome.refused.map { RefusedRow(row: $0.row, reason: $0.reason) }
        stored.keptRows = outcome.keptRows
        let refused = Set(stored.refused.map(\.row))
        stored.offTypeCounts = Array(repeating: 0, count: wanted.columns.count)
        for value in offType where !refused.contains(value.row) { stored.offTypeCounts[value.column] += 1 }
        // A value that has changed counts only as a loss.
        for (column, loss) in outcome.losses where column < wanted.columns.count {
            stored.offTypeCounts[column] = max(0, stored.offTypeCounts[column] - loss.offTypeCount)
        }
        return stored
    }

    @inline(__always)
    private static func append(_ row: RowCells, _ index: Int, to store: RowStore) {
        let count = row.cellIndices.count
        guard let (column, name) = row.fileName else {
            return store.append(
                index, cellCount: count, column: { row.column($0) }, value: { (row.value($0), row.isOffType($0)) })
        }
        var text = name
        text.withUTF8 { bytes in
            store.append(
                index, cellCount: count + 1, column: { $0 < count ? row.column($0) : column },
                value: { unsafe $0 < count ? (row.value($0), row.isOffType($0)) : (.text(bytes), false) })
        }
    }

    // MARK: Checkpoints

    func forgetCheckpoints(of run: RunIdentity, includingOthers: Bool) throws {
        try session.checkpoints.forget(for: run, includingOthers: includingOthers)
        session.steps.append(.forget(run, includingOthers: includingOthers))
    }

    func write(_ checkpoint: StoredCheckpoint, of input: String, over version: CheckpointVersion) throws -> CheckpointVersion? {
        try session.checkpoints.write(checkpoint, of: input, over: version)
    }

    func release(_ run: RunIdentity) throws { try session.checkpoints.release(run) }

    // MARK: Rejected records

    private static let rejectColumns: [(name: String, type: SluiceCore.Column.ColumnType)] = [
        ("file", .text), ("line", .integer), ("line_byte_position", .integer), ("byte_position", .integer),
        ("column_name", .text),
        ("error_type", .text), ("json_line", .text), ("error_message", .text),
    ]

    func reject(_ records: [RejectedRecord], into table: String) throws {
        try PostgresTable.checkNames(table, tableNames)
        let path = try connection.identifier(session.schema) + "." + connection.identifier(table)
        if try PostgresTable(table, schema: session.schema, connection) == nil {
            try connection.lockUntilCommit("\(session.schema).\(table)")
            try connection.run(
                """
                CREATE TABLE IF NOT EXISTS \(path) (
                    file text, line bigint, line_byte_position bigint, byte_position bigint, column_name text, error_type text,
                    json_line text, error_message text)
                """)
        }
        guard !records.isEmpty, let found = try PostgresTable(table, schema: session.schema, connection) else { return }
        let columns = PostgresTransaction.rejectColumns.map { RowStore.Column(name: $0.name, type: $0.type) }
        let store = try RowStore(found, columns: columns, key: [], rule: nil, staging: "_sluice_rejects", connection)
        for (index, record) in records.enumerated() { PostgresTransaction.append(record, index, to: store) }
        if let refused = try store.store().refused.first {
            throw PostgresError.impossible("the table \(table) does not take a rejected record: \(refused.reason)")
        }
    }

    private static func append(_ record: RejectedRecord, _ index: Int, to store: RowStore) {
        // The character U+0000 is not a text of PostgreSQL.
        func plain(_ text: String) -> [UInt8] { Array(text.replacing("\0", with: "\u{FFFD}").utf8) }
        let texts = [record.file, record.column, record.kind, record.text, record.reason].map(plain)
        let numbers = [record.record.line, record.record.offset, record.place.offset]
        /// A missing text is null.
        func value(_ text: UnsafeBufferPointer<UInt8>, isOptional: Bool) -> CellValue {
            unsafe isOptional && text.isEmpty ? .null : .text(text)
        }
        unsafe texts[0].withUnsafeBufferPointer { file in
            unsafe texts[1].withUnsafeBufferPointer { column in
                unsafe texts[2].withUnsafeBufferPointer { kind in
                    unsafe texts[3].withUnsafeBufferPointer { text in
                        unsafe texts[4].withUnsafeBufferPointer { reason in
                            // Safe: the texts stay in place until the row is appended, which copies them.
                            let cells: [CellValue] = unsafe [
                                .text(file), .integer(Int64(numbers[0])), .integer(Int64(numbers[1])),
                                .integer(Int64(numbers[2])),
                                value(column, isOptional: true), .text(kind), value(text, isOptional: true), .text(reason),
                            ]
                            store.append(index, cellCount: cells.count, column: { $0 }, value: { (cells[$0], false) })
                        }
                    }
                }
            }
        }
    }

    func removeRejections(_ records: CutOffRecords, from table: String) throws -> Int {
        guard try PostgresTable(table, schema: session.schema, connection) != nil, !records.records.isEmpty else { return 0 }
        let path = try connection.identifier(session.schema) + "." + connection.identifier(table)
        let columns = RejectedRecord.columns.map { "t." + $0 }.joined(separator: ", ")
        let rows = try connection.query(
            """
            SELECT t.ctid, \(columns) FROM \(path) t
            WHERE t.file = $1 AND (t.line_byte_position, t.error_type) IN (
                SELECT o.position, o.kind FROM unnest($2::bigint[], $3::text[]) AS o (position, kind))
            ORDER BY t.ctid
            """,
            [
                .text(records.file), PostgresParameter(records.records.map { "\($0.offset)" }),
                PostgresParameter(records.records.map(\.kind)),
            ])
        var search = CutOffSearch(records)
        var places: [String] = []
        for row in 0..<rows.count {
            let found = RejectedRecord(
                file: rows.text(row, 1) ?? "",
                record: SourcePosition(offset: rows.integer(row, 3) ?? 0, line: rows.integer(row, 2) ?? 1, column: 1),
                place: SourcePosition(offset: rows.integer(row, 4) ?? 0, line: 1, column: 1), column: rows.text(row, 5) ?? "",
                kind: rows.text(row, 6) ?? "", text: rows.text(row, 7) ?? "", reason: rows.text(row, 8) ?? "")
            if search.take(found) { places.append(rows.text(row, 0) ?? "") }
        }
        guard !places.isEmpty else { return 0 }
        return try connection.query(
            "WITH gone AS (DELETE FROM \(path) WHERE ctid = ANY($1::text[]::tid[]) RETURNING 1) SELECT count(*) FROM gone",
            [PostgresParameter(places)]
        ).integer(0, 0) ?? 0
    }

    func settle(_ rejections: [Replay.Rejection], in table: String) throws -> Int {
        guard try PostgresTable(table, schema: session.schema, connection) != nil else { return 0 }
        let path = try connection.identifier(session.schema) + "." + connection.identifier(table)
        var (places, texts): ([String], [String]) = ([], [])
        for rejection in rejections {
            // Only rejections with a text are read again.
            guard case .row(let place, let text?) = rejection.place else { continue }
            places.append(place)
            texts.append(text)
        }
        guard places.count == rejections.count else { return 0 }
        // Another row may take the place of a removed one, so the rest is compared, too.
        let removed = try connection.query(
            """
            WITH gone AS (
                DELETE FROM \(path) t
                USING unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[]) AS o (place, line, file, position, kind)
                WHERE t.ctid = o.place::tid AND t.json_line = o.line AND coalesce(t.file, '') = o.file
                    AND coalesce(t.line_byte_position, 0) = o.position AND coalesce(t.error_type, '') = o.kind
                RETURNING 1)
            SELECT count(*) FROM gone
            """,
            [
                PostgresParameter(places), PostgresParameter(texts), PostgresParameter(rejections.map(\.file)),
                PostgresParameter(rejections.map { "\($0.offset)" }), PostgresParameter(rejections.map(\.kind)),
            ])
        return removed.integer(0, 0) ?? 0
    }

    func pendingRejects(to file: String) throws -> [PendingRejects] { try session.checkpoints.pendingRejects(to: file) }

    func setPendingRejects(_ pending: PendingRejects?, of owner: String, to file: String) throws {
        try session.checkpoints.setPendingRejects(pending, of: owner, to: file)
    }
}
#endif
