// Stores batches of rows in a table: by one COPY straight into it, or by a COPY into a temporary table and a merge by the key. It
// works inside the caller's transaction. A single row only gets a statement of its own if it is refused.

#if PostgreSQL
internal import SluiceCore
internal import SluiceIngest

/// Stores rows in a table that exists.
final class RowStore {
    /// The result of storing a batch.
    struct Outcome {
        var added = 0
        var changed = 0
        var same = 0
        var kept = 0
        /// The rows that were not stored, in their order.
        var refused: [(row: Int, reason: String)] = []
        /// The rows that were left out because the table has their keys; only if they are asked for.
        var keptRows: [Int] = []
        /// The values of stored rows that had digits which their columns do not keep.
        var losses: [CopyRows.Loss] = []

        /// Adds the result for the rows that follow.
        static func += (left: inout Outcome, right: Outcome) {
            left.added += right.added
            left.changed += right.changed
            left.same += right.same
            left.kept += right.kept
            left.refused += right.refused
            left.keptRows += right.keptRows
            left.losses += right.losses
        }
    }

    let table: PostgresTable
    /// The names of the key's columns.
    let keyNames: [String]
    /// The table of noted keys, as SQL has it; nil unless missing rows are looked for.
    var keyNotes: String?
    private let changes: ChangeRecorder?
    /// The table that the rows belong to, if its rows may have been replaced.
    private let parent: ReplacedParent?
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
    private var refused: [(row: Int, reason: String)] = []
    /// The COPY that has begun before the batch is complete, or nil.
    private var copying: PostgresCopy?
    /// The size of the batch when the server was last asked whether it takes data.
    private var pushedBytes = 0

    /// How many new bytes the batch must have before some are sent.
    private static let chunk = 1 << 16

    /// A parent table whose rows may be replaced in the same transaction before their child rows are stored.
    struct ReplacedParent {
        /// Its name with its schema, as SQL has it.
        let path: String
        /// The columns of its key, as SQL has them, in the order of the first columns of the rows.
        let key: [String]
    }

    /// - Parameters:
    ///   - columns: The columns of the rows. Those that cannot be written are left out.
    ///   - key: The names of the key's columns.
    ///   - rule: What happens to a row whose key the table has. Nil if the row is refused, or if there is no key.
    ///   - staging: The name of the temporary table.
    ///   - namesKept: Whether to find out which rows were left out because the table has their keys.
    ///   - parent: The table that the rows belong to, if its rows may have been replaced.
    init(
        _ table: PostgresTable, columns: [JSONColumn], key: [String], rule: MergeRule?, staging: String = "sluice_rows",
        _ connection: PostgresConnection, namesKept: Bool = false, changes: ChangeRecorder? = nil, parent: ReplacedParent? = nil
    ) throws(PostgresError) {
        self.changes = changes
        self.parent = parent
        self.table = table
        self.connection = connection
        var fields: [CopyField] = []
        var places: [Int] = []
        var unnameable: Set<Int> = []
        for column in columns {
            guard let found = table.column(named: PostgresTable.clipped(column.name)) else {
                if try !connection.hasCharacters(of: column.name) {
                    unnameable.insert(places.count)
                    places.append(-1)
                    continue
                }
                throw .impossible("the table \(table.name) has no column \(column.name)")
            }
            places.append(found.isWritable ? fields.count : -1)
            guard found.isWritable else { continue }
            fields.append(CopyField(name: found.name, type: found.type, source: column.type, isSensitive: column.isSensitive))
        }
        (self.fields, self.unnameable) = (fields, unnameable)
        let keyNames = key.map { table.column(named: PostgresTable.clipped($0))?.name ?? $0 }
        let keyPlaces = keyNames.compactMap { name in fields.firstIndex { $0.name.bytes == name.bytes } }
        self.keyNames = keyNames
        let rule = rule ?? (table.hasPolicies || changes != nil ? .add : nil)
        if let rule, rule != .add {
            guard keyPlaces.count == keyNames.count, !keyNames.isEmpty else {
                throw .impossible("the records have no values for the key \(key.joined(separator: ", "))")
            }
            guard table.uniqueKeys.contains(where: { $0.columns.byteSet == keyNames.byteSet }) else {
                throw .impossible("the table \(table.name) has no primary key or unique index of \(key.joined(separator: ", "))")
            }
            merge = RowMerge(
                table: table, fields: fields, key: keyPlaces, rule: rule, staging: "pg_temp.\(staging)", connection: connection,
                namesKept: namesKept && rule == .ignore, tracked: changes == nil ? [] : keyPlaces)
        } else {
            merge = rule.map { _ in
                RowMerge(
                    table: table, fields: fields, key: [], rule: .add, staging: "pg_temp.\(staging)", connection: connection,
                    tracked: changes == nil ? [] : keyPlaces)
            }
        }
        let primaryKey = table.primaryKey.byteSet
        required = rule == nil || rule == .add ? fields.indices.filter { primaryKey.contains(fields[$0].name.bytes) } : keyPlaces
        path = try connection.identifier(table.schema) + "." + connection.identifier(table.name)
        list = try fields.map { field throws(PostgresError) in try connection.identifier(field.name) }.joined(separator: ", ")
        rows = CopyRows(fields, places: places, format: CopyFormat(fields.map(\.type)), isStaged: rule != nil)
    }

    /// Appends a row to the batch.
    func append(_ row: RowCells, _ number: Int) {
        do throws(CopyRefusal) { try rows.append(row, number, required: required) } catch {
            refused.append((number, error.description))
        }
    }

    /// Forgets the batch.
    func removeAll() {
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
            try merge?.lockForChanges()
            try merge?.makeStaging()
            copying = try connection.beginCopy("SAVEPOINT sluice_rows; \(copyStatement)")
        }
        guard var begun = copying else { return }
        try unsafe rows.withDataSoFar { data throws(PostgresError) in unsafe try connection.push(data, &begun) }
        copying = begun
    }

    // MARK: Storing

    /// Stores the batch, and forgets it.
    func store() throws(PostgresError) -> Outcome {
        defer { removeAll() }
        var outcome = Outcome()
        if rows.count > 0 { outcome = try merge == nil ? append() : merge(outcome) }
        outcome.refused = outcome.refused.map { (rows.origins[$0.row], $0.reason) } + refused
        outcome.refused.sort { $0.row < $1.row }
        outcome.keptRows = outcome.keptRows.map { rows.origins[$0] }
        if !rows.losses.isEmpty {
            let others = Set(outcome.refused.map(\.row) + outcome.keptRows)
            outcome.losses = rows.losses.filter { !others.contains($0.row) }
        }
        return outcome
    }

    private var copyStatement: String {
        if let merge { return merge.copyStatement(rows.format) }
        // Without columns, a row in the format `text` is an empty line.
        return "COPY \(path)\(list.isEmpty ? "" : " (\(list))") FROM STDIN \(rows.format.options)"
    }

    /// Copies the rows into the table.
    private func append() throws(PostgresError) -> Outcome {
        var division = Division(connection)
        try division.store([0..<rows.count], isBegun: copying != nil) { range, isFirst throws(PostgresError) in
            try copy(range, isFirst) == range.count ? .stored : .incomplete
        }
        var outcome = Outcome()
        outcome.added = rows.count - division.refused.count
        outcome.refused = division.refused.map { ($0.row, reason($0.error)) }
        return outcome
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
    private func merge(_ outcome: Outcome) throws(PostgresError) -> Outcome {
        guard var merge else { return outcome }
        // A value that is not stored loses nothing.
        if merge.rule == .ignore, !rows.losses.isEmpty { merge.namesKept = true }
        var outcome = outcome
        if copying == nil {
            try merge.lockForChanges()
            try merge.makeStaging()
        }
        var staging = Division(connection, checksLate: false)
        try staging.store([0..<rows.count], isBegun: copying != nil) { range, isFirst throws(PostgresError) in
            _ = try copy(range, isFirst)
            return .stored
        }
        let present = rows.hasOneMask ? fields.indices.filter { rows.isPresent($0) } : nil
        try merge.prepareJoins(looksUpMasks: merge.rule == .upsert && present == nil)
        let repetitions = try merge.key.isEmpty ? .none : merge.findRepetitions()
        var ranges = [0..<rows.count]
        if case .rounds(let rounds) = repetitions {
            if table.dependsOnOrder { ranges = rounds.ranges(of: rows.count) }
            // Without an index, each of many statements would read all rows.
            if rounds.count > RowStore.manyRepetitions { try merge.indexNumbers() }
        }
        var merging = Division(connection)
        var tallies: [RowMerge.Tally] = []
        var orphans: Set<Int>?
        try merging.store(
            ranges,
            divide: { () throws(PostgresError) in
                orphans = try removeOrphans(merge)
                try merge.indexNumbers()
            },
            keep: { for tally in tallies { note(tally, merge.rule, &outcome) } },
            attempt: { range, _ throws(PostgresError) in
                tallies = []
                if merge.rule == .add {
                    let missing = staging.refused.count { range.contains($0.row) }
                    tallies = [try merge.add(range)]
                    return tallies[0].added + missing == range.count ? .stored : .incomplete
                }
                switch repetitions {
                case .none: tallies = [try merge.merge(range, round: 1, present: present)]
                case .combined: tallies = try merge.mergeCombined(range, present: present)
                case .rounds(let rounds):
                    for round in rounds.rounds(in: range) {
                        tallies.append(try merge.merge(range, round: round, present: present))
                    }
                }
                return .stored
            })
        if orphans == nil, !merging.refused.isEmpty { orphans = try removeOrphans(merge) }
        merging.forget(orphans ?? [])
        // Rows that were refused by the COPY into the temporary table were not merged.
        outcome.refused += (staging.refused + merging.refused).map { ($0.row, reason($0.error)) }
        if let keyNotes, !merge.key.isEmpty {
            let keys = merge.key.map { "c\($0)" }.joined(separator: ", ")
            try connection.run(
                "INSERT INTO \(keyNotes) SELECT DISTINCT \(keys) FROM \(merge.staging) ORDER BY \(keys) ON CONFLICT DO NOTHING")
        }
        return outcome
    }

    /// Removes the rows whose parent row no longer exists, because a later record of the batch has replaced it. The keys of the
    /// two records differ in JSON, like `"1"` and `1`, but are equal in the table. Only the table knows how its columns convert
    /// and compare values. This is only called when rows had to be divided or were refused.
    ///
    /// - Returns: The removed rows.
    private func removeOrphans(_ merge: RowMerge) throws(PostgresError) -> Set<Int> {
        guard let parent else { return [] }
        let isParent = parent.key.enumerated().map { "p.\($1) = s.c\($0)" }.joined(separator: " AND ")
        let rows = try connection.query(
            "DELETE FROM \(merge.staging) s WHERE NOT EXISTS (SELECT FROM \(parent.path) p WHERE \(isParent)) RETURNING s.number")
        return Set((0..<rows.count).compactMap { rows.integer($0, 0) })
    }

    /// The number of repeated keys from which an index is faster.
    private static let manyRepetitions = 20

    private func note(_ tally: RowMerge.Tally, _ rule: MergeRule, _ outcome: inout Outcome) {
        outcome.added += tally.added
        outcome.changed += tally.changed
        if rule == .ignore { outcome.kept += tally.unchanged } else { outcome.same += tally.unchanged }
        outcome.keptRows += tally.keptRows
        for row in tally.written {
            changes?.add(row: row.row.map { rows.origins[$0] }, before: row.before, after: row.after)
        }
        outcome.refused += tally.ignoredRows.map { ($0, "a trigger of the table has ignored the record") }
        outcome.refused += tally.ignoredChanges.map { ($0, "a trigger of the table has ignored the change to its row") }
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
