// The entry point of the library: what to read, where it goes, and how.

internal import Foundation
public import SluiceCompression
public import SluiceCore
public import SluiceFeed
public import SluiceSchema

/// Reads JSON feeds into a sink, such as a table of a database.
///
/// ```swift
/// let report = try await Ingest(["events.ndjson.gz", "more/*.ndjson"], into: SQLiteSink(pool, table: "events"))
///     .primaryKey("id").conflict(.upsert).rejects(.table("bad"))
///     .run { progress in print(progress.records) }
/// print(report.rows.added, report.rejected)
/// ```
///
/// Columns are inferred from the first records, unless ``columns(_:)`` declares them. Each batch of rows is one transaction,
/// which also stores how far the inputs have been read. So the same ingest, run again, resumes where an earlier one has ended,
/// and stores nothing twice. If two runs read the same input into the same table, one of them ends with an error, or waits for
/// the other one (``waiting()``).
public struct Ingest: Sendable {
    /// A column of the table, by a name that GRDB does not have, too.
    public typealias Column = JSONColumn

    private let inputs: @Sendable (inout [IngestInput.FolderRest]) throws -> [IngestInput]
    /// What the inputs were called; nil if they are no files.
    private let names: [String]?
    private let sink: any RecordSink
    private var options = IngestOptions()
    /// The model whose properties are the columns, or nil.
    private var model: (@Sendable () throws(IngestError) -> ModelReading)?
    /// The condition of ``filter(_:)``, which is parsed when the columns are known.
    private var condition: String?

    /// Reads files.
    ///
    /// - Parameters:
    ///   - inputs: Paths of files, folders (for the JSON files in them), and patterns with `*`, `?` or `[`; `-` is standard input. Files
    ///     may be compressed.
    ///   - sink: Where the rows go.
    public init(_ inputs: [String], into sink: some RecordSink) {
        self.inputs = { passedOver in try IngestInput.list(inputs, passedOver: &passedOver) }
        names = inputs
        self.sink = sink
    }

    /// Reads the bytes of a source, such as a socket. It cannot be read again, so it has no checkpoint.
    ///
    /// - Parameter totalBytes: The number of its bytes, for the progress; nil if it is unknown.
    public init(_ source: some ByteSource & Sendable, totalBytes: Int? = nil, into sink: some RecordSink) {
        inputs = { _ in [.source(source, totalBytes: totalBytes)] }
        names = nil
        self.sink = sink
    }

    /// Reads files whose records are those of a model, into columns that are its properties. No model is made.
    ///
    /// ```swift
    /// let report = try await Ingest(["events.ndjson.gz"], as: Event.self, into: SQLiteSink(pool, table: "events"))
    ///     .primaryKey("id").conflict(.upsert).run()
    /// ```
    ///
    /// Names, types, keys, paths, conversions, dates and required properties are those of the model: a record that the model refuses is
    /// rejected for the same reason, at the same position. The article "The loader" says which property becomes which column.
    ///
    /// - Parameters:
    ///   - inputs: As for ``init(_:into:)``.
    ///   - model: The model.
    ///   - reading: The options with which the model would be read.
    ///   - sink: Where the rows go.
    public init<Model: JSONModel>(
        _ inputs: [String], as model: Model.Type, reading: JSONReader.Options = .init(), into sink: some RecordSink
    ) {
        self.init(inputs, into: sink)
        self.model = { () throws(IngestError) in try ModelReading(model, reading) }
    }

    /// Reads the bytes of a source, whose records are those of a model.
    ///
    /// - Parameter totalBytes: The number of its bytes, for the progress; nil if it is unknown.
    public init<Model: JSONModel>(
        _ source: some ByteSource & Sendable, totalBytes: Int? = nil, as model: Model.Type, reading: JSONReader.Options = .init(),
        into sink: some RecordSink
    ) {
        self.init(source, totalBytes: totalBytes, into: sink)
        self.model = { () throws(IngestError) in try ModelReading(model, reading) }
    }

    /// Reads the file of a feed, as the feed's options say.
    init<Model: JSONModel>(
        file path: String, as model: Model.Type, _ feed: JSONFeed<Model>.Options, into sink: some RecordSink
    ) {
        inputs = { _ in [IngestInput.file(path)] }
        names = [path]
        self.sink = sink
        options.feed = FeedReading(format: feed.format, path: feed.at, compression: feed.compression, hasHeader: feed.hasHeader)
        options.feed.optional = feed.atOptional ? .yes : .no
        options.maximumRecordSize = feed.maximumRecordSize
        options.limit = feed.limit
        options.maximumErrors = feed.maximumErrors
        options.maximumErrorRatio = feed.maximumErrorRatio
        let reading = feed.reading
        self.model = { () throws(IngestError) in try ModelReading(model, reading) }
    }

    /// A copy with other options.
    private func with(_ change: (inout IngestOptions) -> Void) -> Ingest {
        var copy = self
        change(&copy.options)
        return copy
    }

    /// Where the rows go, in messages.
    package var target: String { sink.name }

    /// Tells a function the figures of the run after each commit and at its end, in the run's thread.
    package func watched(_ watch: @escaping @Sendable (RunFigures) -> Void) -> Ingest { with { $0.watch = watch } }

    // MARK: Where records are

    /// Where the records are in each input: `data.items`, or `*.jobs`.
    ///
    /// A document without this path is rejected, and the run fails if no document has it.
    ///
    /// - Parameter optional: Whether documents may lack the path: `true`, `false` or ``OptionalPath/empty``.
    public func at(_ path: JSONRecordPath, optional: OptionalPath = false) -> Ingest {
        with {
            $0.feed.path = path
            $0.feed.optional = optional
        }
    }

    /// How the records are laid out, if it is not to be found out.
    public func format(_ format: JSONFeedFormat) -> Ingest { with { $0.feed.format = format } }

    /// How the inputs are compressed, if it is not to be found out.
    public func compression(_ compression: JSONCompression) -> Ingest { with { $0.feed.compression = compression } }

    /// Records are arrays of values, and the first array holds their names.
    public func header() -> Ingest { with { $0.feed.hasHeader = true } }

    /// Only the records for which a condition holds, such as `type = 'Push' and size > 3`. The article "The command line" describes it
    /// under `--where`.
    public func filter(_ condition: String) -> Ingest {
        var copy = self
        copy.condition = condition
        return copy
    }

    /// Stops after this many records.
    public func limit(_ count: Int) -> Ingest { with { $0.limit = count } }

    // MARK: Columns

    /// Declares the columns: none are inferred. A record with a value of another type is rejected.
    ///
    /// ```swift
    /// let columns: [Ingest.Column] = [
    ///     .column("id", .integer), .column("created", .timestamp, dates: .unix),
    ///     .column("due", .date, dates: .format("dd.MM.yyyy")),
    /// ]
    /// ```
    public func columns(_ columns: [JSONColumn]) -> Ingest { with { $0.columns = columns } }

    /// How many records are looked at to infer columns; the default is 1,000.
    public func sample(_ count: Int) -> Ingest { with { $0.sample = count } }

    /// How many levels of keys become columns, if they are inferred: with 1, an object inside a record is one column of JSON. The default
    /// is 8.
    public func depth(_ levels: Int) -> Ingest { with { $0.flattening.depth = min(levels, Flattening.maximumDepth) } }

    /// Values that stay one column of JSON each, however their keys look.
    ///
    /// - Parameter paths: Their paths, such as `actor` or `payload.extra`.
    public func keepJSON(at paths: JSONKeyPath...) -> Ingest { with { $0.flattening.whole = paths.map(\.components) } }

    /// A column with the key under which a record stands: for the records of an object at a path with `*`, such as `events.*`. A value that
    /// is no object goes into a column `value`.
    ///
    /// - Parameter column: The name of the column. A record that already has a key of this name is rejected.
    public func keyColumn(_ column: String) -> Ingest { with { $0.feed.wrapping = RecordWrapping(keyColumn: column) } }

    /// A column for records that are no objects, such as the lines `1` and `2`.
    public func valueColumn(_ column: String) -> Ingest {
        with { $0.feed.wrapping = RecordWrapping(keyColumn: $0.feed.wrapping?.keyColumn, valueColumn: column) }
    }

    /// What happens to keys that no column reads. The default is `evolve` for inferred columns and `discardValue` for declared ones.
    public func contract(_ contract: KeyContract) -> Ingest { with { $0.contract = contract } }

    /// A JSON Schema that each record must fit. One that does not is rejected with the keyword, the place in the schema, and the position in the
    /// feed.
    ///
    /// ```swift
    /// let report = try await Ingest(["events.ndjson"], into: SQLiteSink(path: "events.db"))
    ///     .schema(JSONSchema(path: "event.schema.json")).rejects(.file(path: "bad.ndjson")).run()
    /// ```
    ///
    /// Columns that are inferred have the types that the schema says, those that the first records lack too. A column of a new table is `NOT
    /// NULL` if the schema requires its value.
    public func schema(_ schema: JSONSchema) -> Ingest { with { $0.schema = schema } }

    /// A column that collects the values that no other column takes, as one JSON object. An `upsert` replaces the object of the row as a
    /// whole, unless the record has no such values.
    public func overflow(_ column: String) -> Ingest { with { $0.overflow = column } }

    /// Columns whose values no report, error or rejection shows, by name or by path.
    public func sensitive(_ columns: String...) -> Ingest {
        with {
            $0.sensitive = columns
            $0.feed.sensitive = SensitivePaths(columns)
        }
    }

    /// A column with the name of the input that a record comes from.
    public func fileNameColumn() -> Ingest { with { $0.addsFileName = true } }

    /// Keeps the place that each row comes from: the input, the line and the byte of its record, and a digest of the record's text, by default
    /// in four columns of the table.
    ///
    /// A row that a record changes gets the place of that record. A row that stays the same keeps its place: a row is not changed only
    /// because an equal record is elsewhere. Rows of child tables have the places of their elements. ``RecordOrigin/text()`` reads a record.
    public func provenance(_ provenance: Provenance = .columns) -> Ingest { with { $0.provenance = provenance } }

    // MARK: Arrays

    /// Where the elements of arrays go: with ``ChildStorage/tables``, each array of the records has a table of its own, named by the
    /// records' table and the array's path, such as `events_items`. The article "Nested feeds" shows them.
    ///
    /// - Parameter rejects: What happens to a record if an element cannot be stored.
    public func children(_ storage: ChildStorage, rejects: ChildRejects = .record) -> Ingest {
        with { ($0.children.storage, $0.children.rejects) = (storage, rejects) }
    }

    /// Where the elements of one array go, or the members of one object whose keys are data.
    ///
    /// - Parameter path: Its path, such as `order.items`.
    public func child(_ path: JSONKeyPath, _ storage: ChildStorage = .tables) -> Ingest {
        with { $0.children.choices.append(ChildOptions.Choice(path: path.components, storage: storage)) }
    }

    // MARK: The table

    /// The columns of the table's key; without them, the key that the table has.
    public func primaryKey(_ columns: String...) -> Ingest { with { $0.primaryKey = columns } }

    /// What happens to a record whose key is in the table; the default is to reject it.
    public func conflict(_ conflict: KeyConflict) -> Ingest { with { $0.conflict = conflict } }

    /// What happens to a table that exists. By default, the ingest is refused, unless it resumes an earlier one or has a
    /// ``conflict(_:)``.
    public func existing(_ existing: ExistingTable) -> Ingest { with { $0.existing = existing } }

    /// How many rows make one transaction at most; the default is 10,000. A batch is also stored when its rows take more memory
    /// than the `batchSize` of the sink.
    public func batch(_ count: Int) -> Ingest { with { $0.batch = max(1, count) } }

    /// How many threads read records besides the one that stores rows; with 1, one thread does both. By default, a large input is read
    /// by 2.
    public func workers(_ count: Int) -> Ingest { with { $0.workers = max(1, count) } }

    /// Writes nothing: the report says what would be stored.
    public func dryRun() -> Ingest { with { $0.isDryRun = true } }

    // MARK: Runs

    /// Reads the inputs from their start, however far earlier runs have read them.
    public func restarting() -> Ingest { with { $0.restarts = true } }

    /// Waits until another run that reads the same input has ended, and goes on from there.
    public func waiting() -> Ingest { with { $0.waits = true } }

    // MARK: Rejected records

    /// Where rejected records go. By default they are only counted, and the report shows the first reasons.
    public func rejects(_ target: RejectsTarget) -> Ingest { with { $0.rejects = target } }

    /// Stops when more records than this are rejected.
    public func maximumErrors(_ count: Int) -> Ingest { with { $0.maximumErrors = count } }

    /// Stops when a larger share of the records than this is rejected, from 0 to 1.
    public func maximumErrorRatio(_ ratio: Double) -> Ingest { with { $0.maximumErrorRatio = ratio } }

    // MARK: Changes

    /// Where the changes of rows go: of each row that is added, changed or removed, its key and the difference. The article "What changed"
    /// shows them.
    public func changes(_ target: ChangesTarget) -> Ingest { with { $0.changes = target } }

    /// What happens to rows that the inputs do not have; by default, they stay. The inputs must be a complete snapshot of the table. If they
    /// cannot be read to their end, or a record is rejected, no row is missing, and the report says so.
    public func missing(_ rows: MissingRows) -> Ingest { with { $0.missing = rows } }

    // MARK: Logs

    /// The inputs are logs that are rotated: files that are renamed, copied, truncated or compressed are known by their text, and each line
    /// is read once. The article "Feeds that grow" says how.
    ///
    /// ```swift
    /// let report = try await Ingest(["logs/app.ndjson"], into: SQLiteSink(path: "events.db")).rotated().run()
    /// ```
    ///
    /// - Parameters:
    ///   - folders: The folders to which rotation moves files, if that is not the folder of the log.
    ///   - settle: For how many seconds an older file must not have changed, until its last line counts as complete though no line break
    ///     ends it.
    public func rotated(movedTo folders: [String] = [], settle: Double = 30) -> Ingest {
        with {
            var rotation = Rotation()
            (rotation.folders, rotation.settle) = (folders, settle)
            $0.rotation = rotation
        }
    }

    /// Reads logs, and goes on as they grow, appear and are rotated. The sequence has the report of all that was stored so far, after each
    /// pass that stores something; it ends when its task is cancelled, and what was read is stored by then.
    ///
    /// ```swift
    /// for try await report in Ingest(["logs"], into: SQLiteSink(path: "events.db")).follow() {
    ///     print(report.rows.added)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - interval: How many seconds lie between two passes at least: what comes within them is stored together.
    ///   - poll: How many seconds lie between two looks at the files, where the system tells of no changes, as on a network file system.
    public func follow(every interval: Double = 1, poll: Double? = nil) -> FollowedReports {
        var following = Following()
        (following.interval, following.poll) = (interval, poll)
        return FollowedReports(options.rotation == nil ? rotated() : self, following)
    }

    // MARK: Running

    /// Reads the inputs, in a thread of its own. If the task is cancelled, the run ends after the current record: what it has read is
    /// stored, the outcome is `interrupted`, and the same ingest goes on there.
    ///
    /// - Parameter progress: Called ten times a second and at the end, in that thread.
    /// - Throws: ``IngestError``, or `JSONError` of kind `inputOutput`, before anything is stored. What ends the run later is the
    ///   ``IngestReport/outcome-swift.property`` of the report.
    @discardableResult
    public func run(progress: (@Sendable (IngestProgress) -> Void)? = nil) async throws -> IngestReport {
        let interruption = Interruption()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // The thread waits for the disk and for other users of the database: it must not be one that other tasks need.
                Thread.detachNewThread {
                    continuation.resume(with: Result { try run(interruption, progress) })
                }
            }
        } onCancel: {
            interruption.raise(SIGINT)
        }
    }

    /// Reads the inputs in this thread. Not for tasks: it blocks the thread.
    ///
    /// - Parameter progress: Called ten times a second and at the end.
    /// - Throws: As ``run(progress:)``.
    @discardableResult
    public func runBlocking(progress: ((IngestProgress) -> Void)? = nil) throws -> IngestReport {
        try run(Interruption(), progress)
    }

    /// Follows the inputs in this thread.
    func follow(
        _ following: Following, _ interruption: Interruption, _ observer: inout some FollowObserver
    ) throws -> IngestReport {
        guard let names else { throw IngestError.usage("only files can be followed") }
        return try job(interruption).follow(names, following, &observer)
    }

    private func run(_ interruption: Interruption, _ progress: ((IngestProgress) -> Void)?) throws -> IngestReport {
        let job = try job(interruption)
        if options.rotation != nil {
            guard let names else { throw IngestError.usage("only files can be rotated") }
            return try job.run(inputs: names, progress: ProgressCalls(progress))
        }
        var passedOver: [IngestInput.FolderRest] = []
        let inputs = try inputs(&passedOver)
        return try job.run(inputs, passedOver: passedOver, progress: ProgressCalls(progress))
    }

    private func job(_ interruption: Interruption) throws -> IngestJob {
        var options = options
        if let model { try options.take(model()) }
        do throws(WhereError) {
            options.feed.filter = try condition.map { text throws(WhereError) in try WhereClause(text, columns: options.columns) }
        } catch {
            throw IngestError.usage("\(option: .filter): \(error)")
        }
        try options.check()
        return IngestJob(options, into: sink, interruption: interruption)
    }
}

/// Calls a function with the progress, ten times a second and at the end.
private struct ProgressCalls: ProgressDisplay {
    private let call: (IngestProgress) -> Void
    private var next: UInt64
    private static let interval: UInt64 = 100_000_000

    init(_ call: ((IngestProgress) -> Void)?) {
        self.call = call ?? { _ in }
        next = call == nil ? .max : ProgressCalls.interval
    }

    func isDue(_ nanoseconds: UInt64) -> Bool { nanoseconds >= next }

    mutating func show(_ progress: IngestProgress) {
        next = progress.nanoseconds + ProgressCalls.interval
        call(progress)
    }

    mutating func clear() {}

    mutating func end(_ progress: IngestProgress) { call(progress) }
}

extension JSONColumn {
    /// A column of a table.
    ///
    /// - Parameters:
    ///   - name: The column's name.
    ///   - type: The type of its values.
    ///   - path: The path of the value in a record, such as `actor.login`; nil for the key of the column's name.
    ///   - dates: The form of the dates in JSON, for a column of type `date` or `timestamp`; nil for texts in any known form.
    public static func column(
        _ name: String, _ type: ColumnType, at path: JSONKeyPath? = nil, dates: JSONDateFormat? = nil
    ) -> JSONColumn {
        JSONColumn(name: name, type: type, keys: path.map { [$0] } ?? [], dates: dates)
    }
}
