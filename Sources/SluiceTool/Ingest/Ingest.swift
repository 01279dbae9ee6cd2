// Reads inputs into a table, and returns a report. The bytes are read once, but the first records are parsed twice when columns
// must be inferred.

#if CommandLine
internal import Foundation
internal import GRDB
internal import SluiceCore
internal import SluiceFeed

/// Streams feeds into a database.
struct Ingest {
    let options: Options
    let interruption: Interruption

    init(_ options: Options, interruption: Interruption = Interruption()) {
        self.options = options
        self.interruption = interruption
    }

    /// Ingests the inputs that the arguments of a command line name.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput` or ``CommandError``, before anything is changed.
    func run(inputs: [String], progress: inout ProgressLine) throws -> IngestReport {
        try run(IngestInput.list(inputs), progress: &progress)
    }

    /// Ingests a file, or standard input for `-`.
    func run(input path: String, progress: inout ProgressLine) throws -> IngestReport {
        try run(inputs: [path], progress: &progress)
    }

    /// Ingests the bytes of a source.
    func run(_ source: any ByteSource, totalBytes: Int? = nil, progress: inout ProgressLine) throws -> IngestReport {
        try run([.source(source, totalBytes: totalBytes)], progress: &progress)
    }

    private func run(_ inputs: [IngestInput], progress: inout ProgressLine) throws -> IngestReport {
        var report = IngestReport(
            database: options.database, table: options.table, keptRejections: options.keptRejections)
        report.isDryRun = options.isDryRun
        report.inputs = inputs.count
        report.isResumable = !options.isDryRun && inputs.allSatisfy { $0.identity(of: options.feed) != nil }
        // The database is checked first: if it cannot take the records, the error comes before any are read.
        try OutputNames(options).check(against: inputs)
        var plan = try IngestPlan(inputs, options, interruption)
        if let rejects = options.rejects, let database = plan.database, !options.isDryRun {
            try settle(rejects, database)
        }
        report.rejectedBefore = plan.rejectedBefore
        guard !plan.isDone else {
            report.outcome = .nothingToDo
            report.totalRows = plan.rowCount
            return report
        }
        let sample = try plan.findColumns(options, interruption)
        report.columns = plan.layout.columns.compactMap(\.column)
        report.origin = plan.origin
        guard !report.columns.isEmpty else {
            report.bytes = sample.bytes
            report.passedOver = plan.passedOverInSample
            report.unseenPaths = options.feed.filter?.sightings.unseenPaths ?? []
            if interruption.received != 0 { report.outcome = .interrupted(interruption.received) }
            return report
        }
        if interruption.received != 0, sample.records == 0 {
            report.outcome = .interrupted(interruption.received)
            return report
        }
        let run = try IngestRun(plan, options, interruption, report)
        return try run.run(&progress)
    }

    /// Writes to the file of rejected records what a killed run owes it.
    private func settle(_ rejects: String, _ database: RecordDatabase) throws(CommandError) {
        do {
            try RejectedRecords.settle(rejects, database)
        } catch let error as CommandError {
            throw error
        } catch {
            throw .database("cannot write \(options.database): \(RecordDatabase.words(for: error))")
        }
    }

    /// Whether an error concerns more than one record, so that the work must end.
    static func isFatal(_ error: JSONError) -> Bool {
        error.kind == .inputOutput || error.kind == .invalidModel
    }
}
#endif
