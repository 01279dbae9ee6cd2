// Stores batches of rows in a table: by one COPY straight into it, or by a COPY into a temporary table and a merge by the key. It
// works inside the caller's transaction. A single row only gets a statement of its own if it is refused.

#if PostgreSQL
internal import SluiceCore
internal import SluiceIngest

/// Stores rows in a table that exists.
final class RowStore {
    let table: PostgresTable
    /// The names of the key's columns.
    let keyNames: [String]
    /// The table of noted keys, as SQL has it; nil unless missing rows are looked for.
    var keyNotes: String?
    private let changes: ChangeRecorder?
    /// The condition that a row `s` has no parent; nil unless the parent table's rows may have been replaced in the same transaction.
    private let isOrphan: String?
    private let connection: PostgresConnection
    private let fields: [CopyField]
    /// Nil if the rows are copied straight into the table.
    private let merge: RowMerge?
    private let required: [Int]
    /// The columns of the rows whose names the database cannot hold. Their values are left out.
    let unnameable: Set<Int>
    /// The table's name with its schema, as SQL has it.
    private let path: String
    private let list: String
    private(set) var rows: CopyRows
    private var refused: [RefusedRow] = []
    /// What the values so far have lost in their columns. Rows that are not stored are included.
    private(set) var losses: [CopyRows.Loss] = []
    /// The COPY that has begun before the batch is complete, or nil.
    private var copying: PostgresCopy?
    /// The size of the batch when the server was last asked whether it takes data.
    private var pushedBytes = 0

    /// How many new bytes the batch must have before some are sent.
    private static let chunk = 1 << 16

    /// - Parameters:
    ///   - columns: The columns of the rows. Those that cannot be written are left out.
    ///   - key: The names of the key's columns.
    ///   - rule: What happens to a row whose key the table has.
    ///   - staging: The name of the temporary table.
    ///   - namesKept: Whether to find out which rows were left out because the table has their keys.
    ///   - isOrphan: The condition that a row `s` has no parent, if it may have lost its parent in the same transaction.
    ///   - places: The columns among them that say where records are.
    init(
        _ table: PostgresTable, columns: [JSONColumn], key: [String], rule: KeyConflict, staging: String = "sluice_rows",
        _ connection: PostgresConnection, namesKept: Bool = false, changes: ChangeRecorder? = nil, isOrphan: String? = nil,
        places: Set<Int> = []
    ) throws(PostgresError) {
        self.changes = changes
        self.isOrphan = isOrphan
        self.table = table
        self.connection = connection
        var fields: [CopyField] = []
        var fieldIndices: [Int] = []
        var unnameable: Set<Int> = []
        for (index, column) in columns.enumerated() {
            guard let found = table.column(named: column.name) else {
                if try !connection.hasCharacters(of: column.name) {
                    unnameable.insert(fieldIndices.count)
                    fieldIndices.append(-1)
                    continue
                }
                throw .impossible("the table \(table.name) has no column \(column.name)")
            }
            fieldIndices.append(found.isWritable ? fields.count : -1)
            guard found.isWritable else { continue }
            fields.append(
                CopyField(
                    name: found.name, type: found.type, declaration: found.declaration, source: column.type,
                    isSensitive: column.isSensitive, isOfPlace: places.contains(index)))
        }
        (self.fields, self.unnameable) = (fields, unnameable)
        let keyNames = key.map { table.column(named: $0)?.name ?? $0 }
        let keyIndices = keyNames.compactMap { name in fields.firstIndex { $0.name.bytes == name.bytes } }
        self.keyNames = keyNames
        if rule != .reject {
            guard keyIndices.count == keyNames.count, !keyNames.isEmpty else {
                throw .impossible("the records have no values for the key \(key.joined(separator: ", "))")
            }
            guard table.uniqueKeys.contains(where: { $0.columns.byteSet == keyNames.byteSet }) else {
                throw .impossible("the table \(table.name) has no primary key or unique index of \(key.joined(separator: ", "))")
            }
        }
        let isMerged = rule != .reject || table.hasPolicies || changes != nil
        merge =
            try isMerged
            ? RowMerge(
                table, fields, key: keyIndices, rule, tracksChanges: changes != nil, staging: staging, connection,
                namesKept: namesKept && rule == .ignore) : nil
        let primaryKey = table.primaryKey.byteSet
        required = rule == .reject ? fields.indices.filter { primaryKey.contains(fields[$0].name.bytes) } : keyIndices
        path = try connection.path(of: table.name, in: table.schema)
        list = try connection.identifiers(fields.map(\.name)).joined(separator: ", ")
        rows = CopyRows(fields, fieldIndices: fieldIndices, format: CopyFormat(fields.map(\.type)), isStaged: isMerged)
    }

    /// Appends a row to the batch.
    func append(_ row: RowCells, _ number: Int) {
        do throws(CopyRefusal) { try rows.append(row, number, required: required) } catch {
            refused.append(RefusedRow(row: number, reason: error.description))
        }
    }

    /// Forgets the batch.
    func removeAll() {
        forgetRows()
        losses.removeAll()
    }

    private func forgetRows() {
        rows.removeAll()
        refused.removeAll()
        (copying, pushedBytes) = (nil, 0)
    }

    /// Sends as much of the batch as the server takes now, so that the server works while further rows are appended.
    @inline(__always)
    func push() throws(PostgresError) {
        if rows.byteCount &- pushedBytes >= RowStore.chunk { try pushRows() }
    }

    @inline(never)
    private func pushRows() throws(PostgresError) {
        pushedBytes = rows.byteCount
        if copying == nil {
            try merge?.makeStaging()
            copying = try connection.beginCopy("SAVEPOINT sluice_rows; \(copyStatement)")
        }
        guard var begun = copying else { return }
        try unsafe rows.withDataSoFar { data throws(PostgresError) in unsafe try connection.push(data, &begun) }
        copying = begun
    }

    // MARK: Storing

    /// Stores the rows so far, and forgets them.
    ///
    /// - Parameter stored: What became of rows. The result for these is added.
    func store(_ stored: inout StoredBatch) throws(PostgresError) {
        defer { forgetRows() }
        stored.refused += refused
        if rows.count > 0 { try merge == nil ? append(&stored) : merge(&stored) }
        stored.refused.sort { $0.row < $1.row }
        losses += rows.losses
    }

    private func note(_ refused: [(row: Int, error: ServerError?)], _ stored: inout StoredBatch) {
        stored.refused += refused.map { RefusedRow(row: rows.origins[$0.row], reason: reason($0.error)) }
    }

    private var copyStatement: String {
        if let merge { return merge.copyStatement(rows.format) }
        // Without columns, a row in the format `text` is an empty line.
        return "COPY \(path)\(list.isEmpty ? "" : " (\(list))") FROM STDIN \(rows.format.options)"
    }

    /// Copies the rows into the table.
    private func append(_ stored: inout StoredBatch) throws(PostgresError) {
        var division = Division(connection)
        try division.store([0..<rows.count], isBegun: copying != nil) { range, isFirst throws(PostgresError) in
            try copy(range, isFirst) == range.count
        }
        stored.counts.added += rows.count - division.refused.count
        note(division.refused, &stored)
    }

    /// Copies some rows. If the COPY of all rows has already begun, it is continued.
    private func copy(_ range: Range<Int>, _ isFirst: Bool) throws(PostgresError) -> Int {
        let begun = copying
        copying = nil
        return unsafe try rows.withData(of: range) { data throws(PostgresError) in
            if var begun { return unsafe try connection.endCopy(data, &begun) }
            // The server may also send notices of a trigger, which are no sign of an error. So the first attempt ignores what it
            // sends.
            return unsafe try connection.copy(copyStatement, data, watches: !isFirst)
        }
    }

    /// Copies the rows into a temporary table, and merges them from there.
    private func merge(_ stored: inout StoredBatch) throws(PostgresError) {
        guard var merge else { return }
        // A value that is not stored loses nothing.
        if merge.rule == .ignore, !rows.losses.isEmpty { merge.namesKept = true }
        if copying == nil { try merge.makeStaging() }
        var staging = Division(connection, checksLate: false)
        try staging.store([0..<rows.count], isBegun: copying != nil) { range, isFirst throws(PostgresError) in
            _ = try copy(range, isFirst)
            return true
        }
        let present = rows.hasOneMask ? fields.indices.filter { rows.isPresent($0) } : nil
        try merge.prepareJoins(looksUpMasks: merge.rule == .upsert && present == nil)
        let rounds = try merge.findRepetitions()
        // Without an index, each of many statements would read all rows.
        if let rounds, rounds.count > RowStore.manyRepetitions { try merge.indexNumbers() }
        let ranges = if table.dependsOnOrder, let rounds { rounds.ranges(of: rows.count) } else { [0..<rows.count] }
        var merging = Division(connection)
        var tallies: [RowMerge.Tally] = []
        var orphans: Set<Int>?
        try merging.store(
            ranges,
            divide: { () throws(PostgresError) in
                orphans = try removeOrphans(merge)
                try merge.indexNumbers()
            },
            keep: { for tally in tallies { note(tally, merge.rule, &stored) } },
            attempt: { range, _ throws(PostgresError) in
                guard let rounds else {
                    tallies = try merge.mergeCombined(range, present: present)
                    return true
                }
                tallies = try rounds.rounds(in: range).map { round throws(PostgresError) in
                    try merge.merge(range, round: round, present: present)
                }
                guard merge.rule == .reject else { return true }
                let missing = staging.refused.count { range.contains($0.row) }
                return tallies.reduce(missing) { $0 + $1.added } == range.count
            })
        if orphans == nil, !merging.refused.isEmpty { orphans = try removeOrphans(merge) }
        merging.forget(orphans ?? [])
        // Rows that were refused by the COPY into the temporary table were not merged.
        note(staging.refused + merging.refused, &stored)
        if let keyNotes, merge.rule != .reject {
            let keys = merge.keyColumns
            try connection.run(
                "INSERT INTO \(keyNotes) SELECT DISTINCT \(keys) FROM \(merge.staging) ORDER BY \(keys) ON CONFLICT DO NOTHING")
        }
    }

    /// Removes the rows whose parent row no longer exists, because a later record of the batch has replaced it. The keys of the
    /// two records differ in JSON, like `"1"` and `1`, but are equal in the table. Only the table knows how its columns convert
    /// and compare values. This is only called when rows had to be divided or were refused.
    ///
    /// - Returns: The removed rows.
    private func removeOrphans(_ merge: RowMerge) throws(PostgresError) -> Set<Int> {
        guard let isOrphan else { return [] }
        let rows = try connection.query("DELETE FROM \(merge.staging) s WHERE \(isOrphan) RETURNING s.number")
        return Set((0..<rows.count).compactMap { rows.integer($0, 0) })
    }

    /// The number of repeated keys from which an index is faster.
    private static let manyRepetitions = 20

    private func note(_ tally: RowMerge.Tally, _ rule: KeyConflict, _ stored: inout StoredBatch) {
        stored.counts.added += tally.added
        stored.counts.changed += tally.changed
        if rule == .ignore { stored.counts.kept += tally.unchanged } else { stored.counts.same += tally.unchanged }
        stored.keptRows += tally.keptRows.map { rows.origins[$0] }
        for row in tally.written {
            changes?.add(row: row.row.map { rows.origins[$0] }, before: row.before, after: row.after)
        }
        note(tally.ignoredRows.map { ($0, nil) }, &stored)
        stored.refused += tally.ignoredChanges.map {
            RefusedRow(row: rows.origins[$0], reason: "a trigger of the table has ignored the change to its row")
        }
    }

    // MARK: Reasons

    /// Why the server has refused a row. Its message may contain values of the row, so it is not used if a column is sensitive.
    private func reason(_ error: ServerError?) -> String {
        guard let error else { return "a trigger of the table has ignored the record" }
        let column = error.column.isEmpty ? fields.first { error.names(column: $0.name) }?.name ?? "" : error.column
        if fields.contains(where: \.isSensitive) {
            if !error.constraint.isEmpty { return "it breaks the constraint \(error.constraint)" }
            return "PostgreSQL refuses \(column.isEmpty ? "it" : "its value of \(column)") with the error \(error.state)"
        }
        return column.isEmpty || error.message.contains("\"\(column)\"") ? error.message : "\(column): \(error.message)"
    }
}

extension ServerError {
    /// Whether the context of a COPY names a column: `COPY events, line 3, column id: "x"`.
    fileprivate func names(column: String) -> Bool {
        let line = context.prefix { !$0.isNewline }
        return line.hasSuffix(", column \(column)") || line.contains(", column \(column): ")
    }
}
#endif
