// One run of an ingest: it takes the inputs, reads them, stores what it has read in batches, and ends with a report.

internal import Foundation
package import SluiceCore
package import SluiceFeed

/// One run of an ingest, from the first row to the last.
package final class IngestRun {
    package let options: IngestOptions
    package let sink: any RecordSink
    package let identity: RunIdentity
    package let interruption: Interruption
    package var plan: IngestPlan
    package var report: IngestReport
    // Access to these is not checked at run time, because they are used for each record. Nothing that is called meanwhile uses
    // them again.
    @safe @exclusivity(unchecked) package var progress: any ProgressDisplay
    package let rows: RowReader
    package let rejects: RejectedRecords?
    /// Takes the figures of the run for who watches it; nil if nobody does.
    package let watcher: RunWatch?
    /// Takes the changes of the table's rows, and where they go; nil if they are not wanted.
    package let changes: ChangeRecorder?
    package private(set) var changeLog: ChangeLog?
    package var readInputs = ReadInputs()
    /// What workers need to make text of records, and what looks for the paths of sensitive values; nil where records become cells.
    package let textWork: TextWork?
    @safe @exclusivity(unchecked) package var tally = Tally()
    package let start = Clock.nanoseconds
    package var first = FirstRecords()
    package let limit: Int
    /// How many records were sampled before a signal ended the sampling: they are stored in spite of the signal.
    package let recordsBeforeSignal: Int

    // MARK: The open batch

    /// The rows that are not committed yet.
    package let batch: RowBatch
    /// The rejections that are not committed yet.
    package var rejections: [PendingRejection] = []
    /// The inputs that were read since the last commit; the last one is the current one.
    package var inputs: [InputProgress] = []
    /// The state after each row of the batch. It is only kept if a limit on errors may end the run in the middle of the batch.
    package var marks: [Mark] = []
    package var known = Known()
    package var texts: TextColumns
    /// The versions of the inputs' checkpoints, as this run wrote them last.
    package var versions: [String: CheckpointVersion] = [:]
    /// What was stored otherwise than it was read, by the tables' names.
    package var deviations: [String: Deviations] = [:]
    /// Whether rejected records of this run may be missing in their table or file.
    private var hasLostRejections = false
    /// What had been read when the last batch was committed.
    package private(set) var committed = Progress()
    /// Whether a batch could not be committed: another run reads its records again.
    private var hasLostBatch = false

    /// How much a run has read.
    package struct Progress {
        var (records, bytes, passedOver, discarded) = (0, 0, 0, 0)
    }

    private var counts: Progress {
        Progress(
            records: records, bytes: report.bytes + (inputs.last?.openBytes ?? 0), passedOver: report.passedOver,
            discarded: rows.discarded)
    }

    /// Notes that a batch was committed.
    func noteCommit() { committed = counts }
    /// How many rejections of earlier runs are still there, though their records have been read again; and how many stay, because a replay
    /// has left their records out.
    package var stayingRejections = (outdated: 0, ofLeftOut: 0)

    /// What is counted and looked at for each record.
    package struct Tally {
        /// Records of all inputs that this run has read, without those that do not match `--where`.
        package var records = 0
        /// The text of the rejections that are not committed yet, in bytes.
        package var rejectedBytes = 0
        package var isStopped = false
    }

    package var records: Int { tally.records }

    /// What the sink knows of the table.
    package struct Known {
        /// How many discoveries of columns.
        package var columns = 0
        /// Those that the table remembers; nil before the first commit.
        package var discoveries: Int?
        /// Whether the sink has prepared the table in any transaction of this run.
        package var isPrepared = false
        package var hasCommitted = false
    }

    /// A rejected record, and the row of the batch before which it comes.
    package struct PendingRejection {
        /// The record, or the element of an array whose record is stored.
        package let record: RejectedRecord
        package var isElement = false
        /// The reason for the report.
        package let reason: String
        package let row: Int
        /// The input's index in ``IngestRun/inputs``.
        package let input: Int
    }

    /// How much of its inputs a run has read.
    package struct ReadInputs {
        /// The size of the inputs before the current one, and of all, if it is known.
        package var bytesBefore = 0
        package var totalBytes: Int?
        /// How many bytes had been read when the last one was closed.
        package var bytes = 0
        /// How many were read to their end.
        package var complete = 0
        /// How many documents lack the path of the records, as they may.
        package var absentDocuments = 0
        /// The numbers of inputs that are taken; see ``RecordNumbers``.
        package var takenNumbers: Set<Int> = []
        /// How many values without a column are noted in the progress of the inputs.
        package var notedKeys = 0
    }

    /// The keys of the first records, used to suggest what a misspelt path means.
    package struct FirstRecords {
        package private(set) var inference = ColumnInference()
        /// How many records were left out or rejected while a declared column had not been seen. So many of them are looked at.
        package private(set) var unread = 0
        package var hasMoreUnread: Bool { unread > 10_000 }
        package static let count = 100

        package mutating func look(at bytes: UnsafeRawBufferPointer) {
            var reader = JSONReader()
            if let value = try? unsafe reader.read(JSONValue.self, from: bytes) { inference.observe(value) }
        }

        package mutating func look(atUnread bytes: UnsafeRawBufferPointer) {
            unread += 1
            if !hasMoreUnread { unsafe look(at: bytes) }
        }
    }

    /// For each column of a table, how many values were stored otherwise than they were read.
    package struct Deviations {
        /// Values that are not of the column's type.
        package private(set) var offType: [Int] = []
        /// Values that are left out, because the table computes them, or because it cannot hold the column's name.
        package private(set) var generated: [Int] = []
        package private(set) var unnameable: Set<Int> = []

        package mutating func add(_ stored: StoredBatch) {
            IngestRun.add(stored.offTypeCounts, to: &offType)
            IngestRun.add(stored.generatedCounts, to: &generated)
            unnameable.formUnion(stored.unnameable)
        }
    }

    /// How far a run had come when a row was read.
    package struct Mark {
        package let resumePoint: ResumePoint
        package let records: Int
        package let passedOver: Int
        package let passedOverOfInput: Int
        package let rows: RowReader.Mark
    }

    /// What the readers of child tables share; nil if there can be none.
    package let childReading: ChildReading?

    package init(
        _ plan: IngestPlan, _ options: IngestOptions, _ sink: any RecordSink, _ identity: RunIdentity,
        _ interruption: Interruption, _ report: IngestReport, _ progress: any ProgressDisplay, _ watcher: RunWatch? = nil
    ) {
        self.plan = plan
        self.watcher = watcher
        self.options = options
        self.sink = sink
        self.identity = identity
        self.interruption = interruption
        self.report = report
        self.progress = progress
        recordsBeforeSignal = plan.recordsBeforeSignal ?? 0
        limit = max(0, (options.limit ?? .max) - plan.recordsBefore)
        let sensitive = options.feed.sensitive
        if let form = plan.text {
            let (columns, hidesText) = (plan.layout.columns.compactMap(\.read), options.feed.hidesText)
            let sightings = sensitive.isEmpty ? nil : PathSightings(of: sensitive)
            textWork = TextWork(make: { form.make(columns, hidesText) }, sightings: sightings)
        } else {
            textWork = nil
        }
        childReading =
            options.children.hasTables
            ? options.childReading(plan.names)
            : nil
        rows = RowReader(
            plan.layout, contract: options.effectiveContract, flattening: options.flattening, types: options.types,
            watchesColumns: plan.origin == .declared, children: childReading.map { ($0, sink.table, plan.keyIndices) },
            isText: textWork != nil, known: plan.known,
            merges: options.conflict == .upsert, model: options.model, schema: options.schema,
            takesLateTypes: plan.takesLateTypes,
            unknownKeys: textWork == nil ? UnknownKeys() : UnknownKeys(keptKeys: .max))
        batch = RowBatch(
            made: rows.made, keepsDigests: options.provenance != nil, fullSize: sink.batchSize, isText: textWork != nil)
        rejects = options.rejects.map { RejectedRecords($0, of: identity) }
        let tracksChanges = options.tracksChanges && !options.isDryRun
        changes = tracksChanges ? ChangeRecorder(table: sink.table, key: plan.primaryKey) : nil
        readInputs.takenNumbers = plan.takenInputs
        texts = TextColumns(plan)
        if options.children.rejects == .element {
            unsafe childReading?.reject = { [unowned self] error, text, position in
                unsafe rejectElement(RejectedRecord(error, text, at: position, of: inputs.last?.name ?? ""))
            }
        }
    }

    /// Where rows go; nil if nothing is to be written.
    package var connection: (any SinkConnection)? { options.isDryRun ? nil : plan.connection }

    /// Whether to read further records.
    package var goesOn: Bool {
        !tally.isStopped && records < limit && (interruption.received == 0 || records < recordsBeforeSignal)
    }

    package func stop(_ outcome: IngestReport.Outcome) {
        tally.isStopped = true
        if report.outcome == .complete { report.outcome = outcome }
    }

    // MARK: The whole run

    package func run() throws -> IngestReport {
        let isResumable = plan.parts.contains { $0.input.identity != nil }
        if !options.isDryRun {
            try rejects?.open(
                isResumable: isResumable, isReplay: options.replay != nil, isOfOneFile: plan.sink is FileSink)
            changeLog = try options.changes.map { target throws(IngestError) in try ChangeLog(target, of: identity) }
        }
        readInputs.totalBytes = IngestRun.totalBytes(of: plan.parts)
        if let connection {
            try store(in: connection)
            // Other runs may have added rows, which count here too.
            if options.rotation?.isFollowed != true { report.totalRows = connection.rowCount() }
        } else {
            try readAllInputs()
            try flush()
            stopIfBeyondRatio()
        }
        progress.end(
            IngestProgress(
                bytes: readInputs.bytes, totalBytes: readInputs.totalBytes, records: records, rejected: report.rejected,
                nanoseconds: Clock.nanoseconds - start))
        return finishedReport()
    }

    /// Reads the inputs into the sink.
    ///
    /// - Throws: ``OtherRun`` and errors of the sink before anything is stored; later errors go into the report.
    private func store(in connection: any SinkConnection) throws {
        let claim = SinkClaim(
            inputs: plan.parts.compactMap { part in
                part.input.identity(of: options.feed).map {
                    SinkClaim.Input(identity: $0, name: part.input.name, planned: plan.checkpoints[$0]?.version)
                }
            }, run: identity, emptiesTable: options.emptiesTable, restarts: options.restarts)
        versions = try connection.begin(claim)
        if claim.inputs.contains(where: { versions[$0.identity] == nil }) { report.isResumable = false }
        var failure: (any Error)?
        do {
            try readAllInputs()
            // An empty table without a checkpoint would keep the next run from starting.
            if !(endedEarly && hasReadNothing) { try flush(evenIfEmpty: true) }
            stopIfBeyondRatio()
            try settleMissing(connection)
        } catch let error as SinkFailure {
            failure = error.error
        }
        let isCommitted = Clock.nanoseconds
        defer { report.databaseNanoseconds += Clock.nanoseconds - isCommitted }
        // If this fails, the next run finds that this one has ended and that its pending rejects are written.
        try? connection.transaction { transaction in
            try transaction.ledger.release(identity)
            if failure == nil { try plan.storeFamilies(transaction) }
            try rejects?.forgetPendingRejects(transaction)
            try changeLog?.forgetPending(transaction)
        }
        do {
            try rejects?.sync()
            try changeLog?.sync()
            try connection.sync()
        } catch {
            failure = failure ?? error
        }
        do {
            try connection.close(isComplete: failure == nil && report.outcome == .complete)
        } catch {
            failure = failure ?? error
        }
        do {
            // A run without an output is read again as a whole, and its lines would then be there twice.
            if failure == nil, !isInterrupted {
                try rejects?.writeWaiting()
                try rejects?.sync()
            }
        } catch {
            failure = error
        }
        if let failure { try fail(failure) }
    }

    private var isInterrupted: Bool { if case .interrupted = report.outcome { true } else { false } }

    /// A run with too large a share of rejected records fails, however few records there are.
    private func stopIfBeyondRatio() {
        if isBeyondRatio(rejected: report.rejected, of: records) { stop(.tooManyErrors) }
    }

    package var hasReadNothing: Bool { records == 0 && rejectedCount == 0 && report.passedOver == 0 }

    /// Whether the run ended for a reason that has nothing to do with the records.
    private var endedEarly: Bool {
        guard tally.isStopped else { return false }
        switch report.outcome {
        case .interrupted, .failed: return true
        case .complete, .nothingToDo, .tooManyErrors, .frozen: return false
        }
    }

    /// The size of all inputs in bytes; nil unless all sizes are known.
    package static func totalBytes(of parts: [IngestPlan.Part]) -> Int? {
        var total = 0
        for part in parts {
            switch part.input {
            case .file(let path):
                var status = stat()
                guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
                total += Int(status.st_size)
            case .member(let member): total += member.end ?? member.file.size
            case .standardInput:
                guard let size = OpenFile.size(of: STDIN_FILENO) else { return nil }
                total += size
            case .source(_, let size):
                guard let size else { return nil }
                total += size
            }
        }
        return total
    }

    /// Handles an error of the sink or of the file of rejected records: throws it if the table was never prepared, and reports it
    /// otherwise.
    private func fail(_ error: any Error) throws {
        if let other = error as? OtherRun, !known.isPrepared { throw other }
        hasLostBatch = true
        if error is FileMoved {
            report.movedFiles += 1
            return
        }
        let reason = (error as? OtherRun)?.error(sink) ?? error as? IngestError ?? .database("\(error)")
        guard known.isPrepared else { throw reason }
        hasLostRejections = true
        if case .locked = reason, interruption.received != 0 {
            report.outcome = .interrupted(interruption.received)
            return
        }
        report.isOutrun = reason.isOutrun
        report.outcome = .failed(reason.message)
    }

    // MARK: The report

    /// Adds what became of a committed batch.
    package func note(_ stored: StoredBatch) {
        report.rows += stored.counts
        for loss in stored.digitLosses { report.digitLosses.note(loss) }
        deviations[sink.table, default: Deviations()].add(stored)
    }

    package static func add(_ counts: [Int], to sum: inout [Int]) {
        sum += Array(repeating: 0, count: max(0, counts.count - sum.count))
        for (column, count) in counts.enumerated() { sum[column] += count }
    }

    /// The columns with counted values, in the columns' order.
    private static func columnCounts(_ layout: TableLayout, _ counts: [Int], of table: String?) -> [IngestReport.TypeDeviation] {
        zip(layout.columns, counts).filter { $0.1 > 0 }.map { column, count in
            IngestReport.TypeDeviation(
                column: table.map { "\($0).\(layout.shownName(column.name))" } ?? layout.shownName(column.name),
                type: column.type.name, count: count)
        }
    }

    package func finishedReport() -> IngestReport {
        report.nanoseconds = Clock.nanoseconds - start
        let read = hasLostBatch ? committed : counts
        (report.records, report.bytes, report.passedOver, report.discarded) = (
            read.records, read.bytes, read.passedOver, read.discarded
        )
        report.rejectsTarget = options.isDryRun || hasLostRejections ? nil : options.rejects?.name
        report.unknownKeys = rows.unknownKeys.keys
        report.unknownValues = rows.unknownKeys.total
        report.contract = options.effectiveContract
        report.hasOverflow = options.overflow != nil
        report.isTableMade = known.hasCommitted
        report.lateColumns = rows.lateColumns
        if rows.lacksColumns || childReaders.contains(where: \.rows.lacksColumns) { report.columnLimit = rows.layout.mostColumns }
        if let path = rows.crowdedObject ?? childReaders.compactMap(\.rows.crowdedObject).first {
            report.keyLimit = IngestReport.KeyLimit(path: path, count: options.flattening.mapThreshold)
        }
        noteChildren()
        report.columns = plan.reported(rows.layout)
        noteUnseenPaths()
        noteStayingRejections()
        guard connection != nil else {
            report.rows.added = report.isDryRun ? records - report.rejected - rows.discarded : 0
            return report
        }
        report.isMerged = options.conflict == .upsert || options.conflict == .replace
        report.digitLosses = report.digitLosses.map { $0.withPath(in: rows.layout).hidden(by: rows.layout) }
        report.addedColumns = report.addedColumns.map { rows.layout.shownName($0) }
        (report.typeDeviations, report.generatedValues, report.unnameableColumns) = ([], [], [])
        note(deviations[sink.table], in: rows.layout, of: nil)
        for child in childReaders { note(deviations[child.table.name], in: child.rows.layout, of: shownName(of: child)) }
        return report
    }

    /// Reports the values of a table that are of another type, or left out because of their columns.
    private func note(_ deviations: Deviations?, in layout: TableLayout, of table: String?) {
        guard let deviations else { return }
        report.typeDeviations += IngestRun.columnCounts(layout, deviations.offType, of: table)
        report.generatedValues += IngestRun.columnCounts(layout, deviations.generated, of: table)
        let unnamed = deviations.generated.enumerated().map { deviations.unnameable.contains($0) ? $1 : 0 }
        report.unnameableColumns += IngestRun.columnCounts(layout, unnamed, of: table).map(\.column)
    }

    /// Reports the paths of options that no record has had, with the paths that were probably meant.
    package func noteUnseenPaths() {
        guard report.outcome == .complete else { return }
        report.unseenPaths += options.feed.filter?.sightings.unseenPaths(hiding: options.feed.sensitive) ?? []
        report.unseenPaths += textWork?.sightings?.unseenPaths(hiding: options.feed.sensitive) ?? []
        guard records > report.rejected + rows.discarded else { return }
        for column in rows.unseenColumns where !first.hasMoreUnread {
            guard let path = column.path else { continue }
            // A record that has the path may be one that was left out or rejected.
            if first.unread > 0, first.inference.mayHaveValue(at: path) { continue }
            report.unseenPaths.append(
                UnseenPath(path, reader: .column(column.name), among: first.inference.paths, hiding: options.feed.sensitive))
        }
        let layout = rows.currentLayout
        for type in options.types where !layout.hasColumn(meantBy: type) {
            let names = layout.columns.filter { $0.read != nil && !$0.isHidden(by: options.feed.sensitive) }.map { [$0.name] }
            let holder = layout.columns.first { $0.path.map(type.liesInside) == true }
            report.unseenPaths.append(
                UnseenPath(
                    holder == nil ? [type.column] : type.path, reader: .type, among: names, hiding: options.feed.sensitive,
                    inside: holder.map { layout.shownName($0.name) }))
        }
        // A record that was left out, or whose values were, may have the path.
        guard report.rejected + rows.discarded + rows.unknownKeys.total == 0 else { return }
        for path in options.flattening.whole where !layout.reads(path) {
            report.unseenPaths.append(
                UnseenPath(path, reader: .json, among: layout.valuePaths, hiding: options.feed.sensitive))
        }
    }
}
