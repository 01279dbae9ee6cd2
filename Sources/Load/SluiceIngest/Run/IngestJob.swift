// Reads inputs into a table, and returns a report. The bytes are read once, but the first records are parsed twice when columns
// must be inferred.

package import SluiceCore
internal import SluiceFeed

/// Streams feeds into a sink.
package struct IngestJob: Sendable {
    package internal(set) var options: IngestOptions
    package let sink: any RecordSink
    package let interruption: Interruption

    package init(_ options: IngestOptions, into sink: any RecordSink, interruption: Interruption = Interruption()) {
        self.options = options
        self.sink = sink
        self.interruption = interruption
    }

    /// Ingests the inputs that the arguments of a command line name.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput` or ``IngestError``, before anything is changed.
    package func run(inputs: [String], progress: any ProgressDisplay) throws -> IngestReport {
        if options.rotation != nil { return try runRotated(inputs, progress) }
        var passedOver: [IngestInput.FolderRest] = []
        let inputs = try IngestInput.list(inputs, passedOver: &passedOver)
        return try run(inputs, passedOver: passedOver, progress: progress)
    }

    /// Ingests a file, or standard input for `-`.
    package func run(input path: String, progress: any ProgressDisplay) throws -> IngestReport {
        try run(inputs: [path], progress: progress)
    }

    /// Ingests the bytes of a source.
    package func run(_ source: any ByteSource, totalBytes: Int? = nil, progress: any ProgressDisplay) throws -> IngestReport {
        try run([.source(source, totalBytes: totalBytes)], progress: progress)
    }

    /// - Parameters:
    ///   - passedOver: The files of folders that are no inputs, for the notes of the report.
    ///   - passes: Takes the figures of all passes, of which this is one; nil if it is the whole run.
    package func run(
        _ inputs: [IngestInput], passedOver: [IngestInput.FolderRest] = [], progress: any ProgressDisplay,
        memory: LookMemory = LookMemory(), watcher passes: RunWatch? = nil
    ) throws -> IngestReport {
        let run = RunIdentity.new()
        defer { run.end() }
        let outputs = sink.files + [options.rejects?.path, options.changes?.path, options.metricsFile].compactMap { $0 }
        let watcher = passes ?? makeWatcher(of: inputs)
        func ended(_ report: IngestReport) -> IngestReport {
            if let passes { passes.endPass(report) } else { watcher?.end(report) }
            return report
        }
        while true {
            do {
                return try ended(attempt(inputs, run, progress, memory, watcher).noting(passedOver, outputs: outputs))
            } catch let other as OtherRun {
                guard options.waits else { throw other.error(sink) }
                if try !wait(for: other, seenFrom: run) { return ended(interruptedReport(of: inputs)) }
            } catch IngestError.locked(_) where interruption.received != 0 {
                return ended(interruptedReport(of: inputs))
            }
        }
    }

    /// Takes the figures of a run; nil if nobody watches it.
    func makeWatcher(of inputs: [IngestInput] = []) -> RunWatch? {
        options.watch.map { RunWatch(inputs, options, sink, emptyReport(of: inputs), $0) }
    }

    /// The report of a run that has no result yet.
    private func emptyReport(of inputs: [IngestInput]) -> IngestReport {
        var report = IngestReport(destination: sink.destination, table: sink.table)
        report.isDryRun = options.isDryRun
        report.inputs = inputs.count
        report.isResumable = !options.isDryRun && inputs.allSatisfy { $0.identity(of: options.feed) != nil }
        return report
    }

    private func interruptedReport(of inputs: [IngestInput]) -> IngestReport {
        var report = emptyReport(of: inputs)
        report.outcome = .interrupted(interruption.received)
        return report
    }

    private func attempt(
        _ inputs: [IngestInput], _ identity: RunIdentity, _ progress: any ProgressDisplay, _ memory: LookMemory,
        _ watcher: RunWatch?
    ) throws -> IngestReport {
        var report = emptyReport(of: inputs)
        let text = (sink as? any TextSink)?.textForm(
            columns: options.columns, needsCells: options.needsCells, needsColumns: options.flattening.isChosen)
        var options = options
        try options.fit(sink)
        // The database is checked first: if it cannot take the records, the error comes before any are read.
        try OutputNames(sink.files, rejects: options.rejects, changes: options.changes, metrics: options.metricsFile).check(
            against: inputs)
        let run = SinkRun(identity: identity, isDryRun: options.isDryRun, waits: options.waits) { [interruption] in
            interruption.received != 0
        }
        if options.rotation != nil { options.feed.format = .lines }
        var plan = try IngestPlan(inputs, options, sink, run, interruption, text: text, memory: memory)
        watcher?.begin(plan)
        if let changes = options.changes { try ChangeLog.check(changes, plan.connection, of: sink) }
        if let provenance = options.provenance, let name = provenance.table {
            let table = PlaceTable(name: name, rows: sink.table, key: plan.primaryKey, names: provenance.names)
            let columns = try plan.connection.columns(of: name)
            guard columns.isEmpty || table.isThis(columns) else { throw table.isTaken(in: sink.destination) }
        }
        if let rejects = options.rejects { try RejectedRecords.check(rejects, plan.connection, of: sink) }
        if let rejects = options.rejects, !options.isDryRun { try RejectedRecords.settle(rejects, plan.connection) }
        if let changes = options.changes, !options.isDryRun { try ChangeLog.settle(changes, plan.connection) }
        report.rejectedBefore = plan.rejectedBefore
        (report.notes, report.lossesBefore) = (plan.reportedNotes, plan.lossesBefore)
        if let families = plan.families {
            report.inputs = max(1, plan.parts.count)
            (report.isRotated, report.unread, report.movedFiles) = (true, families.losses, families.movedFiles)
            try OutputNames(sink.files, rejects: options.rejects, changes: options.changes, metrics: options.metricsFile)
                .check(against: families.files.map { .file($0.path) })
        }
        guard !plan.isDone else {
            report.outcome = .nothingToDo
            report.totalRows = plan.rowCount
            // A run that was killed may have left its last transactions in memory only.
            if !options.isDryRun {
                if let families = plan.families, !families.restamped.isEmpty || !families.expired.isEmpty {
                    try plan.connection.transaction { try plan.storeFamilies($0) }
                }
                try plan.connection.sync()
                try plan.connection.close(isComplete: true)
            }
            return report
        }
        let sample = try plan.findColumns(options, interruption)
        report.notes = plan.reportedNotes
        report.columns = plan.reported(plan.layout)
        report.origin = plan.origin
        if plan.recordsBeforeSignal == 0 {
            report.outcome = .interrupted(interruption.received)
            return report
        }
        guard !plan.layout.columns.isEmpty || text?.hasColumns == false else {
            report.bytes = sample.bytes
            report.passedOver = plan.passedOverInSample
            if options.missing != .keep {
                report.missing = IngestReport.MissingSummary(options.missing)
                report.missing?.refusal = IngestRun.noRecords
            }
            report.unseenPaths = options.feed.filter?.sightings.unseenPaths(hiding: options.feed.sensitive) ?? []
            // The file of an input without records is there, too.
            if !options.isDryRun { try plan.connection.close(isComplete: true) }
            return report
        }
        do {
            return try IngestRun(plan, options, sink, identity, interruption, report, progress, watcher).run()
        } catch let other as OtherRun where plan.parts.contains(where: { $0.opened != nil }) {
            // The records that were sampled cannot be read again, so there is no second attempt.
            throw other.error(sink)
        }
    }

}
