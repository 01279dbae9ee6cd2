// The events of a run. While it goes on: inputs that are taken up, late columns, rejected records. At its end: what was left out or changed, and
// the outcome. No event has a value of a record; keys inside sensitive values are hidden, as in reports.

#if Services
internal import Logging
internal import SluiceCore
internal import SluiceIngest
internal import Synchronization

/// Turns the figures of a run into events.
final class RunLog: Sendable {
    private let logger: Logger
    /// What the log has of the lists of the report.
    private let logged = Mutex(Logged())

    private struct Logged {
        var (resumed, commits) = (0, 0)
        var columns = 0
        /// Their order changes: at the end, those on the files of folders come first.
        var notes: Set<String> = []
    }

    init(_ logger: Logger) { self.logger = logger }

    /// Logs what is new, after each commit and at the end.
    func note(_ figures: RunFigures) {
        var logger = logger
        let report = figures.report
        logger[metadataKey: "table"] = "\(report.table)"
        if let reason = figures.pause { return logger.warning("ingest pauses", metadata: ["reason": "\(reason)"]) }
        // Figures are told, too, after a look at the files that has found nothing to store.
        let isCommit = logged.withLock { logged in
            for note in report.notes where logged.notes.insert(note).inserted { logger.notice("\(note)") }
            for loss in report.unread where logged.notes.insert(loss).inserted { logger.warning("\(loss)") }
            for one in report.resumed.dropFirst(logged.resumed) {
                logger.info("input taken up", metadata: ["input": "\(one.input)", "count": "\(one.records)"])
            }
            for column in report.addedColumns.dropFirst(logged.columns) {
                logger.notice("column added", metadata: ["column": "\(column)"])
            }
            (logged.resumed, logged.columns) = (report.resumed.count, report.addedColumns.count)
            defer { logged.commits = figures.commits }
            return figures.commits > logged.commits
        }
        log(figures.lastRejections, of: figures.lastRejectionCount, logger)
        if figures.isEnd {
            end(report, logger)
        } else if isCommit {
            logger.debug("batch committed", metadata: RunLog.counts(report))
        }
    }

    private func log(_ rejections: [RejectedRecord], of count: Int, _ logger: Logger) {
        for record in rejections {
            logger.warning(
                "record rejected",
                metadata: [
                    "input": "\(record.file)", "line": "\(record.record.line)", "byte": "\(record.record.offset)",
                    "error.type": "\(record.kind)", "reason": "\(record.reason)",
                ])
        }
        if count > rejections.count {
            logger.warning("more records rejected", metadata: ["count": "\(count - rejections.count)"])
        }
    }

    private static func counts(_ report: IngestReport) -> Logger.Metadata {
        [
            "count": "\(report.records)", "bytes": "\(report.bytes)", "added": "\(report.rows.added)",
            "changed": "\(report.rows.changed)", "same": "\(report.rows.same)", "rejected": "\(report.rejected)",
        ]
    }

    // MARK: The end

    private func end(_ report: IngestReport, _ logger: Logger) {
        for key in report.unknownKeys {
            logger.notice(
                "key without a column", metadata: ["key": "\(key.path)", "count": "\(key.count)", "first": "\(key.position)"])
        }
        for column in report.typeDeviations {
            logger.notice(
                "values of another type",
                metadata: ["column": "\(column.column)", "type": "\(column.type)", "count": "\(column.count)"])
        }
        for loss in report.digitLosses {
            logger.warning("values changed", metadata: ["column": "\(loss.column)", "count": "\(loss.count)"])
        }
        for column in report.generatedValues {
            logger.warning("values left out", metadata: ["column": "\(column.column)", "count": "\(column.count)"])
        }
        for path in report.unseenPaths { logger.warning("no record has a path", metadata: ["path": "\(path.path)"]) }
        var metadata = RunLog.counts(report)
        metadata["seconds"] = "\(Double(report.nanoseconds) / 1e9)"
        metadata["isWhole"] = "\(report.isWhole)"
        logger.log(level: RunLog.level(of: report), "ingest ended: \(report)", metadata: metadata)
    }

    private static func level(of report: IngestReport) -> Logger.Level {
        switch report.outcome {
        case .complete, .nothingToDo: report.isWhole ? .info : .warning
        case .interrupted: .notice
        case .tooManyErrors, .frozen, .failed: .error
        }
    }
}
#endif
