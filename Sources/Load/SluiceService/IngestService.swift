// An ingest as a service of a program: swift-service-lifecycle runs and ends it, swift-log gets its events, and swift-metrics its counters.
//
//     IngestService    runs the ingest, and ends it at a checkpoint
//     RunLog           the figures after each commit, and the report → events
//     RunMetrics       the series of the figures → counters and gauges

#if Services
internal import CoreMetrics
public import Logging
public import ServiceLifecycle
public import SluiceIngest

/// An ingest that a `ServiceGroup` runs.
///
/// ```swift
/// let service = IngestService(
///     Ingest(["events.ndjson"], into: sink), logger: logger)
/// let group = ServiceGroup(
///     configuration: .init(
///         services: [
///             .init(
///                 service: service,
///                 successTerminationBehavior: .gracefullyShutdownGroup)
///         ],
///         gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
/// try await group.run()
/// ```
///
/// When the group shuts down gracefully, the ingest ends after the current record, and what it has read is stored. The same ingest, run again,
/// goes on there. An ingest ends when it has read its inputs, and a group takes the end of a service for an error unless its
/// `successTerminationBehavior` says otherwise. One that follows logs goes on until the group shuts down:
///
/// ```swift
/// let service = IngestService(Ingest(["logs"], into: sink).follow(), logger: logger)
/// ```
///
/// The events and the metrics are those of the article "What to watch". The metrics go to the factory with which the program has
/// bootstrapped `MetricsSystem`.
public struct IngestService: Service, CustomStringConvertible {
    /// The error of a service whose ingest could not be finished.
    public struct Failure: Error, CustomStringConvertible {
        /// The report of the ingest: what was stored, and why it ended.
        public let report: IngestReport

        /// The report on one line.
        public var description: String { report.description }
    }

    /// Reads the inputs, and tells a function the figures.
    private let read: @Sendable (@escaping @Sendable (RunFigures) -> Void) async throws -> IngestReport
    private let target: String
    private let logger: Logger
    /// Nil for the one that the program has chosen.
    private let factory: (any MetricsFactory)?

    /// Makes a service of an ingest.
    ///
    /// - Parameters:
    ///   - logger: Gets the events of each run.
    ///   - progress: Called ten times a second and at the end of a run, in the run's thread.
    public init(_ ingest: Ingest, logger: Logger, progress: (@Sendable (IngestProgress) -> Void)? = nil) {
        self.init(ingest, logger: logger, factory: nil, progress: progress)
    }

    init(
        _ ingest: Ingest, logger: Logger, factory: (any MetricsFactory)?, progress: (@Sendable (IngestProgress) -> Void)? = nil
    ) {
        read = { tell in try await ingest.watched(tell).run(progress: progress) }
        (target, self.logger, self.factory) = (ingest.target, logger, factory)
    }

    /// Makes a service that follows logs as they grow.
    ///
    /// - Parameters:
    ///   - reports: What `Ingest.follow(every:poll:)` returns.
    ///   - logger: Gets the events of the run.
    public init(_ reports: FollowedReports, logger: Logger) { self.init(reports, logger: logger, factory: nil) }

    init(_ reports: FollowedReports, logger: Logger, factory: (any MetricsFactory)?) {
        read = { tell in
            var last: IngestReport?
            for try await report in reports.watched(tell) { last = report }
            // The run ends with a report or an error.
            guard let last else { throw CancellationError() }
            return last
        }
        (target, self.logger, self.factory) = (reports.ingest.target, logger, factory)
    }

    /// What a group logs as the name of the service. Without it, that would be all that the ingest has, the address of a database with its
    /// password included.
    public var description: String { "ingest into \(target)" }

    /// Reads the inputs to their ends, or follows them, until the group shuts down gracefully or the task is cancelled.
    ///
    /// - Throws: ``Failure`` if the ingest fails, if more records are rejected than allowed, or if a key comes that the contract forbids; else
    ///   as `Ingest.run(progress:)`.
    public func run() async throws {
        let report = try await load()
        switch report.outcome {
        case .complete, .nothingToDo, .interrupted: return
        case .tooManyErrors, .frozen, .failed: throw Failure(report: report)
        }
    }

    /// Does the same for a part of another service, and returns the report, whatever the outcome is.
    ///
    /// - Throws: As `Ingest.run(progress:)`.
    public func load() async throws -> IngestReport {
        let log = RunLog(logger)
        let metrics = RunMetrics(factory ?? MetricsSystem.factory)
        do {
            return try await cancelWhenGracefulShutdown { [read] in
                try await read { figures in
                    log.note(figures)
                    metrics.note(figures)
                }
            }
        } catch {
            logger.error("ingest failed", metadata: ["reason": "\(error)"])
            throw error
        }
    }
}
#endif
