// A run that follows logs in a thread of its own, so that a test can write logs meanwhile.

#if SQLite
import Foundation
import SluiceTestSupport
import Synchronization
import Testing

@testable import SluiceIngest

/// A run that follows logs, until it is stopped.
final class Follower: Sendable {
    /// The run has not ended though it was asked to.
    struct Hang: Error {}

    private struct State {
        var reports: [IngestReport] = []
        var pauses: [String] = []
        var result: Result<IngestReport, any Error>?
    }

    private struct Observer: FollowObserver {
        let follower: Follower

        mutating func passed(_ report: IngestReport) { follower.state.withLock { $0.reports.append(report) } }
        mutating func paused(_ reason: IngestMessage) { follower.state.withLock { $0.pauses.append(reason.description) } }
    }

    private let state = Mutex(State())
    private let interruption = Interruption()
    private let hasEnded = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - log: Says what is followed, and how it is rotated.
    ///   - arguments: What is followed, if it is not what the log's own runs are given.
    init(
        _ log: LogFolder, _ arguments: [String]? = nil, into sink: any RecordSink, every interval: Double = 0.02,
        poll: Double? = nil, _ change: (inout IngestOptions) -> Void = { _ in }
    ) {
        var options = IngestOptions()
        options.rotation = log.rotation
        change(&options)
        let job = IngestJob(options, into: sink, interruption: interruption)
        let inputs = arguments ?? log.arguments
        Thread.detachNewThread { [self] in
            var following = Following()
            (following.interval, following.poll) = (interval, poll)
            let settings = following
            let result = Result<IngestReport, any Error> {
                var observer = Observer(follower: self)
                return try job.follow(inputs, settings, &observer)
            }
            state.withLock { $0.result = result }
            hasEnded.signal()
        }
    }

    /// The reports of the passes so far.
    var reports: [IngestReport] { state.withLock { $0.reports } }
    /// Why the run could not go on for a while, each time that it has said so.
    var pauses: [String] { state.withLock { $0.pauses } }
    var isRunning: Bool { state.withLock { $0.result == nil } }

    /// Asks the run to end as a signal does, waits for its end, and returns its report.
    func stop() throws -> IngestReport {
        interruption.raise(SIGTERM)
        guard hasEnded.wait(timeout: .now() + 120) == .success else { throw Hang() }
        hasEnded.signal()
        let result = try #require(state.withLock { $0.result })
        return try result.get()
    }
}

/// A sink that counts how often a run has connected to it.
struct CountedSink: RecordSink {
    let sink: any RecordSink
    let connections = Counter()

    init(_ sink: any RecordSink) { self.sink = sink }

    var destination: String { sink.destination }
    var table: String { sink.table }
    var files: [String] { sink.files }
    var abilities: SinkAbilities { sink.abilities }

    func connect(_ run: SinkRun) throws -> any SinkConnection {
        connections.count()
        return try sink.connect(run)
    }
}

/// Waits until something is so, and returns whether it is. The limit is far beyond what a slow machine needs.
func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = Date(timeIntervalSinceNow: 60)
    while Date() < deadline {
        if try condition() { return true }
        usleep(5_000)
    }
    return try condition()
}
#endif
