// The options of an ingest.

package import SluiceCore
internal import SluiceFeed
package import SluiceSchema

/// What to ingest, and how.
package struct IngestOptions: Sendable {
    /// The declared columns; empty if they are to be inferred from the records.
    package var columns: [JSONColumn] = []
    /// The model whose columns these are, or nil.
    package var model: ModelReading?
    /// The schema that each record must fit; nil for none. Columns that are inferred have the types that it says.
    package var schema: JSONSchema?
    /// The types that `--type` gives to single inferred columns.
    package var types: [TypeOption] = []
    /// How the inputs hold their records.
    package var feed = FeedReading()
    /// How many records are sampled to infer columns; -1 is all.
    package var sample = 1_000
    /// How far objects become columns, if they are inferred.
    package var flattening = Flattening()
    /// How many threads read records while one more writes rows; with 1, one thread does both. Nil is two, if there is more
    /// than one processor and the input is not small.
    package var workers: Int? = 1
    /// How many rows make one transaction at most.
    package var batch = 10_000
    package var existing = ExistingTable.refuse
    /// The columns of the table's key; if empty, the key that the table has.
    package var primaryKey: [String] = []
    package var conflict = KeyConflict.reject
    /// What happens to keys that no column reads. Nil is `evolve` for inferred columns and `discard-value` for declared ones.
    package var contract: KeyContract?
    /// The name of a column that collects, as JSON, the values that no other column takes.
    package var overflow: String?
    /// The columns whose values reports and rejections must not show, by name or by path.
    package var sensitive: [String] = []
    /// Which arrays go into tables of their own.
    package var children = ChildOptions()
    /// Whether each row gets the name of its input.
    package var addsFileName = false
    /// Where the places of the records are kept; nil if they are not.
    package var provenance: Provenance?
    /// Stop after this many records; nil for no limit.
    package var limit: Int?
    /// Whether to write nothing.
    package var isDryRun = false
    /// Where rejected records go; nil if they are only counted.
    package var rejects: RejectsTarget?
    /// Where the changes of rows go; nil if they are not wanted.
    package var changes: ChangesTarget?
    /// How the files of rotated logs are found; nil if an input is the file of its name.
    package var rotation: Rotation?
    /// What happens to rows that the inputs do not have.
    package var missing = MissingRows.keep
    /// The rejections whose records are read again; nil if feeds are read.
    package var replay: Replay?
    /// Stop when more records than this are rejected; nil for no limit.
    package var maximumErrors: Int?
    /// Stop when a larger share of the records than this is rejected, from 0 to 1; nil for no limit.
    package var maximumErrorRatio: Double?
    /// How many rejected records the report shows with their reasons.
    package var keptRejections = 5
    /// Whether to ignore what earlier runs have read, and start from the beginning.
    package var restarts = false
    /// Whether to wait for another run that reads the same input, and go on where it ends.
    package var waits = false
    /// The most bytes that a record may have; a longer one is rejected.
    package var maximumRecordSize = 64 << 20
    /// Is told the figures of the run after each commit and at its end, in the run's thread; nil if nobody watches.
    package var watch: (@Sendable (RunFigures) -> Void)?
    /// The file that the watcher writes, which must be neither an input nor another output.
    package var metricsFile: String?
    /// After this many bytes of the feed, no further record is sampled to infer columns. The sample of a pipe is kept in memory.
    package var maximumSampleSize = 8 << 20

    /// The same for a sink that takes no late columns.
    private static let sampleForFixedColumns = 64 << 20

    package init() {}

    /// How a record is read as a value.
    package var reading: JSONReader.Options { schema.map { JSONReader.Options(schema: $0) } ?? JSONReader.Options() }

    /// Checks the numbers, which a caller may have computed.
    ///
    /// - Throws: ``IngestError/usage(_:)``.
    func check() throws(IngestError) {
        guard sample > 0 || sample == -1 else { throw .usage("a sample has at least 1 record, or -1 for all: \(sample)") }
        guard (workers ?? 1) <= 64 else { throw .usage("there can be no more than 64 workers: \(workers ?? 1)") }
        guard (maximumErrors ?? 0) >= 0 else { throw .usage("the number of errors must not be negative: \(maximumErrors ?? 0)") }
        guard (limit ?? 0) >= 0 else { throw .usage("the limit must not be negative: \(limit ?? 0)") }
        let ratio = maximumErrorRatio ?? 0
        guard flattening.depth >= 1 else { throw .usage("at least 1 level of keys becomes columns: \(flattening.depth)") }
        guard ratio >= 0, ratio <= 1 else { throw .usage("the share of errors is between 0 and 1: \(ratio)") }
        for column in columns {
            guard ColumnType.ofTables.contains(column.type) else {
                throw .usage("the column '\(column.name)' is of type \(column.type.name), which no table has")
            }
            guard model != nil || column.keys.count == 1 else {
                throw .usage(
                    "the column '\(column.name)' has \(column.keys.count) keys, and one of a table is read from one; a model may have more"
                )
            }
            guard model != nil || !column.isSensitive else {
                throw .usage("the column '\(column.name)' is sensitive: say so with \(option: .sensitive(column.name))")
            }
            guard model != nil || !column.isRequired else {
                throw .usage(
                    "the column '\(column.name)' is required: only a model, and the table itself, can ask for its values")
            }
            guard column.dates == nil || column.type.isOfDates else {
                throw .usage("the column '\(column.name)' is of type \(column.type.name), which has no form of dates")
            }
            if let problem = column.dates?.problem(of: column.name) { throw .usage("\(problem.found)") }
        }
        try provenance?.check()
        try checkMissing()
        try checkRotation()
    }

    /// Checks that the options allow reading rotated logs: each file by its lines, and what was read once never again.
    package func checkRotation() throws(IngestError) {
        guard let rotation else { return }
        guard [.automatic, .lines].contains(feed.format), !feed.hasHeader else {
            throw .usage("rotated logs are read by their lines: \(option: .format("ndjson")) without \(option: .header)")
        }
        guard feed.range == nil else {
            throw .usage("rotated logs are read as a whole, and \(option: .range) is a part of a file")
        }
        guard limit == nil else { throw .usage("rotated logs are read as a whole: without a limit") }
        guard !restarts else {
            throw .usage(
                "\(option: .restart) would store the rows of rotated logs again; \(option: .truncate) deletes them before")
        }
        guard missing == .keep else {
            throw .usage("\(option: .missing(missing)) needs a complete snapshot, and a rotated log is none")
        }
        guard 0...Rotation.longestSettle ~= rotation.settle else {
            throw .usage("a file settles after 0 seconds or more, and within a year: \(rotation.settle)")
        }
    }

    /// Checks that the options allow finding the rows that the inputs lack.
    package func checkMissing() throws(IngestError) {
        guard missing != .keep else { return }
        guard conflict != .reject else {
            throw .usage(
                "\(option: .missing(missing)) compares rows with records: choose \(option: .upsert), \(option: .replace) or \(option: .ignore)"
            )
        }
        // The row of a record that is left out would count as missing.
        guard contract != .discardRow, limit == nil, feed.range == nil else {
            throw .usage(
                "\(option: .missing(missing)) needs all records of its inputs: it goes with no limit, no range, and not with "
                    + "\(option: .contract(.discardRow))")
        }
    }

    /// Checks that changes can be recorded: the rows are not deleted as a whole, and no other table has the name of the table of
    /// changes.
    package func checkChanges(_ sink: any RecordSink, among tables: [String]) throws(IngestError) {
        guard changes == nil || !emptiesTable else {
            throw .usage(
                "changes cannot say which rows \(option: .truncate) and \(option: .drop) delete; \(option: .missing(.delete)) removes rows one by one"
            )
        }
        guard case .table(let name)? = changes else { return }
        var taken = [sink.table] + OwnTables.names + tables
        if case .table(let rejects)? = rejects { taken.append(rejects) }
        guard !taken.contains(where: { ColumnName.areEqual($0, name) }) else {
            throw .usage("\(option: .changes(name)) needs a table of its own, or a file")
        }
    }

    /// Checks that the places of records have a table of their own, if they need one.
    package func checkProvenance(_ sink: any RecordSink, among tables: [String]) throws(IngestError) {
        guard let provenance, let name = provenance.table else { return }
        var taken = [sink.table] + OwnTables.names + tables
        if case .table(let rejects)? = rejects { taken.append(rejects) }
        if case .table(let changes)? = changes { taken.append(changes) }
        let names = [name] + tables.compactMap { provenance.table(ofChild: $0) }
        guard !name.namesFile, !taken.contains(where: { other in names.contains { ColumnName.areEqual(other, $0) } }) else {
            throw .usage("\(option: .provenance(name)) needs a table of its own, and that is a file or another table")
        }
        if let key = primaryKey.first(where: { key in provenance.names.contains { ColumnName.areEqual($0, key) } }) {
            throw .usage(
                "\(option: .provenance(name)): \(key) is a column of the key of the rows; choose another name for that of the place"
            )
        }
    }

    /// Checks that rejected records have a table of their own.
    ///
    /// - Parameter tables: The child tables of the run.
    /// - Throws: ``IngestError/usage(_:)``.
    package func checkRejects(_ sink: any RecordSink, among tables: [String]) throws(IngestError) {
        guard case .table(let name)? = rejects else { return }
        guard !([sink.table] + OwnTables.names + tables).contains(where: { ColumnName.areEqual($0, name) }) else {
            throw .usage("\(option: .rejects(name)) needs a table of its own, or a file")
        }
    }

    /// Whether options other than the columns need cells, so that records cannot become text directly. A model needs cells,
    /// because it checks each record.
    var needsCells: Bool {
        model != nil || !types.isEmpty || contract != nil || overflow != nil || addsFileName || provenance != nil
    }

    /// Whether the sink tells which rows it has written: for their changes, or for places in a table of their own.
    package var tracksChanges: Bool { changes != nil || provenance?.table != nil }

    /// Checks that a sink can do what the options ask for, and sets the options that the user has not chosen to what the sink can
    /// do.
    ///
    /// - Throws: ``IngestError/usage(_:)``.
    mutating func fit(_ sink: any RecordSink) throws(IngestError) {
        let abilities = sink.abilities
        if case .table = rejects, !abilities.contains(.rejectionTables) {
            throw .usage("\(sink.name) has no tables for rejected records; name a file, such as rejects.ndjson")
        }
        guard abilities.contains(.changes) || changes == nil else {
            throw .usage("\(sink.name) does not tell which rows have changed")
        }
        if let table = provenance?.table, !abilities.contains(.changes) {
            throw .usage(
                "\(option: .provenance(table)): \(sink.name) has no table beside it; \(option: .provenance(nil)) adds columns")
        }
        try provenance?.check()
        guard abilities.contains(.missingRows) || missing == .keep else {
            throw .usage("\(sink.name) does not find the rows that the inputs lack")
        }
        try checkChanges(sink, among: [])
        try checkProvenance(sink, among: [])
        try checkMissing()
        guard abilities.contains(.childTables) || !children.hasTables else {
            throw .usage("\(sink.name) has no child tables: arrays stay JSON")
        }
        guard abilities.contains(.keys) || primaryKey.isEmpty && conflict == .reject else {
            throw .usage("\(sink.name) has no keys: its rows cannot be compared with records")
        }
        guard abilities.contains(.appending) || existing != .append else {
            throw .usage("\(sink.name) is written anew: no rows can be added to those that it has")
        }
        guard !abilities.contains(.lateColumns) else { return }
        guard contract != .evolve else {
            throw .usage("\(sink.name) cannot get columns after its first rows, as \(option: .contract(.evolve)) asks for")
        }
        if contract == nil, columns.isEmpty { contract = .report }
        // In a pipe, a key after the sample would have no column. So the sample of a pipe is larger.
        maximumSampleSize = max(maximumSampleSize, IngestOptions.sampleForFixedColumns)
    }

    /// The contract in force: the chosen one, or the default.
    package var effectiveContract: KeyContract { contract ?? (columns.isEmpty ? .evolve : .discardValue) }

    package func childInference(_ names: TableNames) -> ChildInference {
        ChildInference(children, types: types, names: names, contract: effectiveContract, flattening: flattening)
    }

    package func childReading(_ names: TableNames) -> ChildReading {
        ChildReading(
            childInference(names), contract: effectiveContract, flattening: flattening, overflow: overflow,
            replaces: conflict == .upsert || conflict == .replace, replacesAll: conflict == .replace, writes: !isDryRun,
            tracksChanges: tracksChanges, provenance: provenance)
    }

    /// Whether the rows of an existing table are deleted.
    package var emptiesTable: Bool { existing.emptiesTable }

    /// Whether rows may be added to an existing table.
    package var addsToTable: Bool { existing.allowsRows(merged: conflict) }

    /// The options that must not change when a run is resumed, as text.
    package var signature: String {
        let columns = columns.map { "\($0.name):\($0.declaredType.name)=\($0.keys[0].components)" }
        let types = types.map { "\($0.column):\($0.type.name)" }
        return "\(columns) \(types) \(feed.path?.description ?? "automatic") \(addsFileName) \(overflow ?? "") "
            + (feed.filter?.text ?? "") + children.signature + flattening.signature + (feed.wrapping?.signature ?? "")
            + (model?.signature ?? "") + (provenance?.signature ?? "")
    }
}

extension IngestOptions {
    /// Makes an ingest of the feeds of a replay.
    ///
    /// - Parameter target: Where the rejections are. Rejections of stored records are removed there; those of records that are
    ///   rejected again stay.
    package mutating func read(_ replay: Replay, from target: RejectsTarget) {
        // Only one thread reads, because the number of a record says which rejections it settles.
        (existing, rejects, workers) = (.append, target, 1)
        feed.format = .sequence
        self.replay = replay
    }
}
