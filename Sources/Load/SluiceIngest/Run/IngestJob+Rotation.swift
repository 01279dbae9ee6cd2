// Reads rotated logs once: what a look finds, and what was moved while it was read.

internal import Foundation
internal import SluiceCore

extension IngestJob {
    /// Ingests the logs that arguments of a command line name, with their rotated files.
    package func runRotated(_ arguments: [String], _ progress: any ProgressDisplay) throws -> IngestReport {
        var passedOver: [IngestInput.FolderRest] = []
        let logs = try NamedLogs(arguments, movedTo: options.rotation?.folders ?? [], mustExist: true, passedOver: &passedOver)
        var job = self
        let memory = LookMemory()
        let watcher = makeWatcher()
        var report = try job.pass(logs, progress, memory, watcher, passedOver: passedOver)
        for number in 0..<IngestJob.mostLooks where report.movedFiles > 0 && [.complete, .nothingToDo].contains(report.outcome) {
            // Rotation takes a moment.
            _ = interruption.waits(for: -1, atMost: number)
            report.movedFiles = 0
            // What was stored must not be deleted again.
            if report.isTableMade { job.options.existing = .append }
            report = try report.followed(by: job.pass(logs, progress, memory, watcher))
        }
        if report.movedFiles > 0 {
            report.unread.append(
                "\(counted(report.movedFiles, "file")) could not be read, because rotation moved them again and again")
        }
        watcher?.end(report)
        return report
    }

    private static let mostLooks = 100

    /// Looks at the logs, and reads what is new in them.
    ///
    /// - Parameter watcher: Takes the figures of all passes.
    func pass(
        _ logs: NamedLogs, _ progress: any ProgressDisplay, _ memory: LookMemory, _ watcher: RunWatch?, isFollowed: Bool = false,
        passedOver: [IngestInput.FolderRest] = []
    ) throws -> IngestReport {
        var options = options
        options.rotation?.families = logs.families
        options.rotation?.roots = logs.roots
        options.rotation?.patterns = logs.patterns
        options.rotation?.isFollowed = isFollowed
        return try IngestJob(options, into: sink, interruption: interruption).run(
            [], passedOver: passedOver, progress: progress, memory: memory, watcher: watcher)
    }
}

extension IngestPlan {
    /// Stores under which names the texts of rotated logs lie now, and which are gone. It comes last: until the report has said what is gone,
    /// the next run must say it.
    package func storeFamilies(_ transaction: any SinkTransaction) throws {
        for input in families?.restamped ?? [] {
            // If another run has the input by now, it does this itself.
            _ = try transaction.ledger.write(input.checkpoint, of: input.identity, over: input.version)
        }
        for input in families?.expired ?? [] { try transaction.ledger.forget(input.identity, over: input.version) }
    }
}
