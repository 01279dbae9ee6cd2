// The main loop: a record becomes cells, and cells become a row. Each batch of rows is committed with the place up to which the
// input was read.

#if CommandLine
internal import Foundation
internal import GRDB
internal import SluiceCore
internal import SluiceFeed

/// One run of an ingest, from the first row to the last.
final class IngestRun {
    let options: Ingest.Options
    let identity: RunIdentity
    let interruption: Interruption
    var plan: IngestPlan
    var report: IngestReport
    let rows: RowReader
    let rejects: RejectedRecords?
    var filter: PathWatch?
    var loader: RecordLoader?
    var db: Database?
    var start: UInt64 = 0
    var databaseTime: UInt64 = 0
    /// Records of all inputs that this run has read, without those that do not match `--where`.
    var records = 0
    /// Total size of the inputs before the current one; the next property is the size of all inputs, if known.
    var bytesBehind = 0
    var totalBytes: Int?
    /// The keys of the first records, used to suggest what a misspelt path means.
    var firstRecords = ColumnInference()
    static let firstRecordCount = 100

    /// The point up to which the current input has been read. The next properties count the records rejected and passed over
    /// before it, and say whether nothing is left.
    var resumePoint = ResumePoint()
    var rejectedOfInput = 0
    var passedOverOfInput = 0
    var isInputComplete = false
    /// The rejected records in which the input ended: the last record and, in a container, the document around it. ``resumePoint``
    /// stays in front of them, so that the next run reads them again: the rest of them may be added to the input until then.
    var cutOff: [StoredCheckpoint.CutOff.Record] = []
    /// The records in which an earlier run found the end of the current input. Their rejections stay until this run stores
    /// what has become of these records.
    var earlierCutOff = StoredCheckpoint.CutOff()
    /// The records of the current input that earlier runs have read.
    var earlierRecords = 0
    var isStopped = false
    let limit: Int
    /// How many records were sampled before a signal ended the sampling: they are stored in spite of the signal.
    let recordsBeforeSignal: Int
    /// Whether rejected records of this run may be missing in their table or file.
    private var hasLostRejections = false
    /// The rows of the inputs in the table of checkpoints, as this run wrote them last, and the number of the next write in the
    /// open transaction.
    var versions: [String: CheckpointTable.Version] = [:]
    var nextSequence: Int?
    /// Whether a transaction with the tables was committed.
    var hasCommitted = false

    init(
        _ plan: IngestPlan, _ options: Ingest.Options, _ identity: RunIdentity, _ interruption: Interruption,
        _ report: IngestReport
    ) throws {
        self.plan = plan
        self.options = options
        self.identity = identity
        self.interruption = interruption
        self.report = report
        recordsBeforeSignal = plan.recordsBeforeSignal ?? 0
        limit = max(0, (options.limit ?? .max) - plan.recordsBefore)
        rows = RowReader(
            plan.layout, contract: options.effectiveContract, mapThreshold: options.mapThreshold, types: options.types,
            watchesColumns: plan.origin == .declared)
        rejects = options.rejects.map { RejectedRecords($0, of: identity) }
        filter = options.feed.filter?.makeFilter()
    }

    /// Whether to read further records.
    var goesOn: Bool {
        !isStopped && records < limit && (interruption.received == 0 || records < recordsBeforeSignal)
    }

    func stop(_ outcome: IngestReport.Outcome) {
        isStopped = true
        if report.outcome == .complete { report.outcome = outcome }
    }

    // MARK: The whole run

    func run(_ progress: inout ProgressLine) throws -> IngestReport {
        start = Clock.nanoseconds
        let isResumable = plan.parts.contains { $0.input.identity != nil }
        if !options.isDryRun { try rejects?.openFile(isResumable: isResumable) }
        let database = try plan.openDatabase(options, interruption)
        totalBytes = IngestRun.totalBytes(of: plan.parts)
        if let database, !options.isDryRun {
            try store(in: database, &progress)
            // The count includes rows that another run has stored since.
            report.totalRows = try? database.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM \(options.table.quotedForSQL)") ?? 0
            }
        } else {
            try readInputs(&progress)
        }
        progress.clear()
        return finishedReport()
    }

    /// Reads the inputs into the database.
    ///
    /// - Throws: ``OtherRun`` and errors of the database before anything is read; later errors go into the report.
    private func store(in database: RecordDatabase, _ progress: inout ProgressLine) throws {
        let journal = database.journalToRestore
        do {
            try database.write { try takeInputs(journal, $0) }
        } catch let other as OtherRun {
            throw other
        } catch {
            throw RecordDatabase.failure("cannot write \(options.database)", error)
        }
        database.useLog()
        var failure: (any Error)?
        do {
            try database.write { db in
                try prepare(db)
                report.databaseNanoseconds = Clock.nanoseconds - start
                try readInputs(&progress)
                if endedEarly, hasReadNothing { throw NothingRead() }
                try rejects?.beginCommit(db)
            }
            loader?.noteCommit()
            try database.inDatabase { try rejects?.endCommit($0) }
        } catch {
            rejects?.abandonCommit()
            failure = error is NothingRead ? nil : error
        }
        let isCommitted = Clock.nanoseconds
        defer { databaseTime += Clock.nanoseconds - isCommitted }
        // If this fails, the next run finds that this one has ended, and that its pending rejects are written.
        try? database.write { db in
            try CheckpointTable.release(identity, of: options.table, db)
            try rejects?.forgetPendingRejects(db)
        }
        do {
            try rejects?.sync()
            try database.sync()
        } catch {
            failure = failure ?? error
        }
        database.restoreJournal(journal, after: identity)
        if let failure { try fail(failure) }
    }

    /// Thrown to roll back the first transaction if the run ended before the first record. An empty table without a checkpoint
    /// would keep the next run from starting.
    private struct NothingRead: Error {}

    var hasReadNothing: Bool { records == 0 && report.rejected == 0 && report.passedOver == 0 }

    /// Whether the run ended for a reason that has nothing to do with the records.
    private var endedEarly: Bool {
        guard isStopped else { return false }
        switch report.outcome {
        case .interrupted, .failed: return true
        case .complete, .nothingToDo, .tooManyErrors, .frozen: return false
        }
    }

    /// The size of all inputs in bytes; nil unless all sizes are known.
    static func totalBytes(of parts: [IngestPlan.Part]) -> Int? {
        var total = 0
        for part in parts {
            switch part.input {
            case .file(let path):
                var status = stat()
                guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
                total += Int(status.st_size)
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

    /// Creates the tables and the loader, inside the first transaction.
    func prepare(_ db: Database) throws {
        self.db = db
        let isThere = try RecordTable.exists(options.table, db)
        // Another run may have created the table since this one looked.
        if isThere, plan.newest == nil, !options.addsToTable {
            throw CommandError.database(
                "\(options.database) has a table \(options.table) already, which another run has just made; choose --append")
        }
        try forgetCheckpoints(ofAll: !isThere || options.emptiesTable, db)
        let table = try RecordTable(
            options.table, plan.layout.columns, primaryKey: plan.primaryKey, existing: options.existing, db)
        do {
            loader = try RecordLoader(db, table: table, columns: plan.layout.columns, conflict: options.conflict)
        } catch let error as DatabaseError where error.message?.contains("ON CONFLICT") == true {
            throw CommandError.usage(
                "the table \(options.table) has no primary key or unique index of \(plan.primaryKey.joined(separator: ", "))")
        }
        try rejects?.open(db)
    }

    /// Takes the rows of the inputs in the table of checkpoints, in a transaction of its own, so that other runs see them.
    private func takeInputs(_ journal: String?, _ db: Database) throws {
        guard plan.parts.contains(where: { $0.input.identity != nil }) else { return }
        try CheckpointTable.make(db)
        if let journal { try CheckpointTable.keepJournal(journal, db) }
        let all = try CheckpointTable.entries(of: options.table, db)
        if options.emptiesTable, let other = all.first(where: { $0.isTaken(seenFrom: identity) }) {
            throw OtherRun(other.input, other, isRunning: true)
        }
        let entries = Dictionary(all.map { ($0.input, $0) }, uniquingKeysWith: { $1 })
        for part in plan.parts {
            guard let input = part.input.identity(of: options.feed) else { continue }
            let entry = entries[input]
            if let entry, entry.isTaken(seenFrom: identity) { throw OtherRun(part.input.name, entry, isRunning: true) }
            // A run that begins anew does not care how far others have read.
            if !options.emptiesTable, !options.restarts, !isAsPlanned(entry, plan.entries[input]) {
                throw OtherRun(part.input.name, entry, isRunning: false)
            }
            versions[input] = try CheckpointTable.take(
                input, of: options.table, for: identity, from: entry?.version, db)
        }
    }

    /// Whether an input has been read as far as the plan says. Which run has done that does not matter.
    private func isAsPlanned(_ entry: CheckpointTable.Entry?, _ planned: CheckpointTable.Entry?) -> Bool {
        let (found, expected) = (entry?.version, planned?.version)
        return (found?.sequence ?? 0, found?.offset ?? 0) == (expected?.sequence ?? 0, expected?.offset ?? 0)
    }

    /// Forgets the checkpoints of inputs that are read anew.
    private func forgetCheckpoints(ofAll: Bool, _ db: Database) throws {
        guard ofAll || options.restarts else { return }
        // Another run may have taken an input since this one has; what it stores must not be deleted.
        if options.emptiesTable,
            let other = try CheckpointTable.entries(of: options.table, db).first(where: {
                $0.run?.id != identity.id && $0.isTaken(seenFrom: identity)
            })
        {
            throw OtherRun(other.input, other, isRunning: true)
        }
        try CheckpointTable.forget(of: options.table, for: identity, includingOthers: ofAll, db)
        for input in versions.keys { versions[input]?.offset = 0 }
    }

    /// Handles an error of the database or of the file of rejected records: throws it if no loader exists yet, and reports it
    /// otherwise.
    private func fail(_ error: any Error) throws {
        if let other = error as? OtherRun, loader == nil { throw other }
        let known =
            (error as? OtherRun)?.error(options) ?? RecordDatabase.failure("cannot write \(options.database)", error)
        guard loader != nil else { throw known }
        hasLostRejections = true
        if case .locked = known, interruption.received != 0 {
            report.outcome = .interrupted(interruption.received)
            return
        }
        report.outcome = .failed(known.description)
    }

    func finishedReport() -> IngestReport {
        report.nanoseconds = Clock.nanoseconds - start
        report.databaseNanoseconds += databaseTime
        report.records = records
        report.rejectsTarget = options.isDryRun || hasLostRejections ? nil : options.rejects
        report.unknownKeys = rows.unknownKeys.keys
        report.unknownValues = rows.unknownKeys.total
        report.contract = options.effectiveContract
        report.hasOverflow = options.overflow != nil
        report.lateColumns = rows.lateColumns
        report.discarded = rows.discarded
        report.columns = rows.layout.columns.compactMap(\.column)
        noteUnseenPaths()
        guard let loader else {
            report.rows.added = report.isDryRun ? records - report.rejected - rows.discarded : 0
            return report
        }
        report.rows = loader.counts
        report.isMerged = options.conflict == .upsert || options.conflict == .replace
        report.addedColumns = loader.addedColumns
        report.digitLosses = loader.digitLosses.map { rows.layout.isSensitive($0.column) ? $0.withoutExample : $0 }
        report.typeDeviations = zip(loader.columns, loader.offTypeCounts).filter { $0.1 > 0 }.map {
            IngestReport.TypeDeviation(column: $0.0.name, type: $0.0.type.name, count: $0.1)
        }
        return report
    }

    /// Reports the paths of options that no record has had, with the paths that were probably meant.
    func noteUnseenPaths() {
        guard report.outcome == .complete else { return }
        report.unseenPaths += options.feed.filter?.sightings.unseenPaths ?? []
        guard records > report.rejected else { return }
        for column in rows.unseenColumns {
            guard let path = column.path else { continue }
            report.unseenPaths.append(UnseenPath(path, reader: .column(column.name), among: firstRecords.paths))
        }
        let layout = rows.layout
        for type in options.types where !layout.columns.contains(where: { type.isMeant(for: $0.name, $0.path) }) {
            let names = layout.columns.filter { $0.column != nil }.map { [$0.name] }
            report.unseenPaths.append(UnseenPath([type.column], reader: .type, among: names))
        }
    }
}
#endif
