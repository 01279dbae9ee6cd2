// One transaction of a run: the table is made or widened, rows go in, and so do checkpoints and rejected records.

#if PostgreSQL
internal import SluiceCore
internal import SluiceIngest

/// An open transaction.
final class PostgresTransaction: SinkTransaction {
    private let session: PostgresSinkConnection
    private var connection: PostgresConnection { session.connection }

    init(_ session: PostgresSinkConnection) { self.session = session }

    func contents() throws -> SinkContents { try session.readContents() }

    /// Takes a step that an earlier attempt of this transaction has taken.
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

    /// Gets ready for rows of a table that is there.
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
            connection, namesKept: wanted.parent == nil && !wanted.children.isEmpty)
        if wanted.parent == nil {
            session.store = store
        } else {
            session.children[wanted.name] = PostgresSinkConnection.Child(wanted: wanted, store: store)
        }
    }

    /// The beginning of the name of the temporary table for a table's rows.
    private static func staging(of wanted: SinkTable) -> String {
        guard wanted.parent != nil else { return "_sluice_rows" }
        return "_sluice_\(String(UInt64(bitPattern: PostgresConnection.lockNumber(wanted.name)), radix: 16))"
    }

    /// Makes or widens a child table.
    private func prepareChild(_ wanted: SinkTable) throws -> [String] {
        let added = try makeTable(wanted)
        try open(wanted)
        session.steps.append(.prepare(wanted))
        return added
    }

    /// Makes, empties or widens the table.
    ///
    /// - Returns: The names of the columns that a table has got which was there already.
    private func makeTable(_ wanted: SinkTable) throws(PostgresError) -> [String] {
        let name = wanted.parent == nil ? session.tableName : PostgresTable.clipped(wanted.name)
        let path = try self.path(of: name)
        // Two runs that make or widen the table at once would stand in each other's way.
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
            // A key that refers to another has its type.
            let type = index < keyTypes.count ? keyTypes[index] : column.type.postgres
            definitions.append(try connection.identifier(name) + " " + type)
        }
        guard let table = try PostgresTable(name, schema: session.schema, connection) else {
            var parts = definitions
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

    /// The name of a parent's table as the server has it.
    private func tableName(of parent: SinkParent) -> String {
        session.children[parent.table] == nil ? session.tableName : PostgresTable.clipped(parent.table)
    }

    /// The types of the key's columns of a parent.
    private func typesOfKey(of parent: SinkParent) throws(PostgresError) -> [String] {
        let name = tableName(of: parent)
        guard let table = try PostgresTable(name, schema: session.schema, connection) else {
            throw .impossible("the table \(name) is gone")
        }
        let names = parent.key.map { PostgresTable.clipped($0) }
        guard table.uniqueKeys.contains(where: { Set($0.columns) == Set(names.map { table.column(named: $0)?.name ?? $0 }) })
        else {
            throw .impossible(
                "child tables need a primary key or a unique index of \(names.joined(separator: ", ")) in the table \(name)")
        }
        return names.map { table.column(named: $0)?.definition ?? "text" }
    }

    /// Deletes all rows. TRUNCATE is fast, but not possible for a table that others refer to.
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
        if let ends { stored.counts.removed = try remove(behind: ends, child.wanted) }
        return stored
    }

    /// Removes the rows of each parent from a position on.
    private func remove(behind ends: RowBatch, _ wanted: SinkTable) throws -> Int {
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
        else { return 0 }
        let names = wanted.key.prefix(count + 1).map { PostgresTable.clipped($0) }
        let types = names.map { table.column(named: $0)?.definition ?? "text" }
        let quoted = try names.map { name throws(PostgresError) in try connection.identifier(name) }
        let keys = (0..<count).map { "e.k\($0)::\(types[$0])" }
        let list = (0...count).map { "k\($0)" }.joined(separator: ", ")
        let arrays = (0...(count + 1)).map { $0 > count ? "$\($0 + 1)::bigint[]" : "$\($0 + 1)::text[]" }.joined(separator: ", ")
        let isSame = (0..<count).map { "t.\(quoted[$0]) = l.p\($0)" } + ["t.\(quoted[count]) >= l.position"]
        let places = (0..<count).map { "\(keys[$0]) AS p\($0)" }.joined(separator: ", ")
        // Of several records with one key, the last one counts.
        return try connection.query(
            """
            DELETE FROM \(path(of: table.name)) t USING (
                SELECT DISTINCT ON (\(keys.joined(separator: ", "))) \(places), e.k\(count)::bigint AS position
                FROM unnest(\(arrays)) AS e (\(list), number) ORDER BY \(keys.joined(separator: ", ")), e.number DESC) l
            WHERE \(isSame.joined(separator: " AND "))
            """, columns.map { PostgresParameter($0) } + [PostgresParameter(numbers)]
        ).affectedCount
    }

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

    func removeRejections(_ records: CutOffRecords, from table: String) throws {
        guard try PostgresTable(table, schema: session.schema, connection) != nil, !records.records.isEmpty else { return }
        let path = try connection.identifier(session.schema) + "." + connection.identifier(table)
        try connection.query(
            """
            DELETE FROM \(path) t USING unnest($2::bigint[], $3::text[]) AS o (position, kind)
            WHERE t.file = $1 AND t.line_byte_position = o.position AND t.error_type = o.kind
            """,
            [
                .text(records.file), PostgresParameter(records.records.map { "\($0.offset)" }),
                PostgresParameter(records.records.map(\.kind)),
            ])
    }

    func pendingRejects(to file: String) throws -> [PendingRejects] { try session.checkpoints.pendingRejects(to: file) }

    func setPendingRejects(_ pending: PendingRejects?, of owner: String, to file: String) throws {
        try session.checkpoints.setPendingRejects(pending, of: owner, to: file)
    }
}
#endif
