// A run that follows logs, as a sequence of its reports.

internal import Foundation
internal import Synchronization

/// The reports of a run that follows logs: each is of all that was stored so far. See ``Ingest/follow(every:poll:)``.
///
/// Each iterator begins a run of its own.
public struct FollowedReports: AsyncSequence, Sendable {
    public typealias Element = IngestReport

    package let ingest: Ingest
    private let following: Following

    init(_ ingest: Ingest, _ following: Following) { (self.ingest, self.following) = (ingest, following) }

    public func makeAsyncIterator() -> Iterator { Iterator(ingest, following) }

    /// Tells a function the figures of all passes after each commit and at the end, in the run's thread.
    package func watched(_ watch: @escaping @Sendable (RunFigures) -> Void) -> FollowedReports {
        FollowedReports(ingest.watched(watch), following)
    }

    /// The run goes on until the iterator's task is cancelled, or the iterator is released.
    public final class Iterator: AsyncIteratorProtocol {
        private let interruption = Interruption()
        private let channel = FollowChannel()
        private let ingest: Ingest
        private let following: Following
        private var hasBegun = false

        init(_ ingest: Ingest, _ following: Following) { (self.ingest, self.following) = (ingest, following) }

        deinit { interruption.raise(SIGTERM) }

        /// Waits for the next report. If its task is cancelled, it waits until the run has stored what it has read, and returns the last
        /// report, and nil after that.
        ///
        /// - Throws: As ``Ingest/run(progress:)``.
        public func next() async throws -> IngestReport? {
            if !hasBegun {
                hasBegun = true
                // The thread waits for files and for the database: it must not be one that other tasks need.
                Thread.detachNewThread { [ingest, following, interruption, channel] in
                    channel.end(
                        with: Result {
                            var observer = channel
                            return try ingest.follow(following, interruption, &observer)
                        })
                }
            }
            return try await withTaskCancellationHandler {
                try await channel.next()
            } onCancel: { [interruption] in
                interruption.raise(SIGTERM)
            }
        }
    }
}

/// Takes reports out of the thread of a run. Of those that nobody has taken, only the newest counts.
final class FollowChannel: FollowObserver, Sendable {
    private struct State {
        var newest: IngestReport?
        var end: Result<IngestReport?, any Error>?
        var waiter: CheckedContinuation<IngestReport?, any Error>?
    }

    private let state = Mutex(State())

    func passed(_ report: IngestReport) {
        state.withLock { state in
            state.newest = report
            FollowChannel.serve(&state)
        }
    }

    func paused(_ reason: IngestMessage) {}

    func end(with result: Result<IngestReport, any Error>) {
        state.withLock { state in
            switch result {
            case .success(let report): (state.newest, state.end) = (report, .success(nil))
            case .failure(let error): state.end = .failure(error)
            }
            FollowChannel.serve(&state)
        }
    }

    private static func serve(_ state: inout State) {
        guard let waiter = state.waiter else { return }
        if let report = state.newest {
            (state.newest, state.waiter) = (nil, nil)
            waiter.resume(returning: report)
        } else if let end = state.end {
            (state.end, state.waiter) = (.success(nil), nil)
            waiter.resume(with: end)
        }
    }

    func next() async throws -> IngestReport? {
        try await withCheckedThrowingContinuation { continuation in
            state.withLock { state in
                state.waiter = continuation
                FollowChannel.serve(&state)
            }
        }
    }
}
