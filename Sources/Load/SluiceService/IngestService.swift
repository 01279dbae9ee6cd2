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
/// `successTerminationBehavior` says otherwise.
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

    private let ingest: Ingest
    private let logger: Logger
    private let progress: (@Sendable (IngestProgress) -> Void)?
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
        (self.ingest, self.logger, self.factory, self.progress) = (ingest, logger, factory, progress)
    }

    /// What a group logs as the name of the service. Without it, that would be all that the ingest has, the address of a database with its
    /// password included.
    public var description: String { "ingest into \(ingest.target)" }

    /// Reads the inputs to their ends, or until the group shuts down gracefully or the task is cancelled.
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
            return try await read(
                ingest.watched { figures in
                    log.note(figures)
                    metrics.note(figures)
                })
        } catch {
            logger.error("ingest failed", metadata: ["reason": "\(error)"])
            throw error
        }
    }

    /// Reads what there is. This is the one place that knows how an ingest goes on: one that follows its inputs ends in the same way, when its
    /// task is cancelled, after a commit.
    private func read(_ ingest: Ingest) async throws -> IngestReport {
        try await cancelWhenGracefulShutdown { [progress] in try await ingest.run(progress: progress) }
    }
}
#endif
