// Reads the bodies of the inbox into the database, two at a time.

import Foundation
import Logging
import ServiceLifecycle
import SluiceSQLite
import SluiceService

/// Reads bodies, one after the other and two at once, until the service ends.
actor FeedLoader: Service {
    private let inbox: Inbox
    private let logger: Logger
    private let names: AsyncStream<String>
    private nonisolated let waiting: AsyncStream<String>.Continuation
    /// How far the bodies have been read that are being read now.
    private var progress: [String: IngestProgress] = [:]

    private static let mostAtOnce = 2

    init(_ inbox: Inbox, logger: Logger) {
        (self.inbox, self.logger) = (inbox, logger)
        (names, waiting) = AsyncStream.makeStream()
    }

    /// Reads a body when it is its turn.
    nonisolated func add(_ name: String) { waiting.yield(name) }

    /// How far a body has been read in this run of the service; nil before and after that.
    func progress(of name: String) -> IngestProgress? { progress[name] }

    func run() async throws {
        try await cancelWhenGracefulShutdown { try await self.readAll() }
    }

    private func readAll() async throws {
        for name in try inbox.unread() { add(name) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            var running = 0
            for await name in names {
                if running == FeedLoader.mostAtOnce {
                    try await group.next()
                    running -= 1
                }
                running += 1
                group.addTask { try await self.read(name) }
            }
            try await group.waitForAll()
        }
    }

    /// Reads a body. If the service is told to end, what was read is stored. If it is killed, too, the checkpoint in the database says where
    /// the next one goes on.
    private func read(_ name: String) async throws {
        let (updates, update) = AsyncStream.makeStream(of: IngestProgress.self, bufferingPolicy: .bufferingNewest(1))
        async let shown: Void = show(updates, of: name)
        let failure: String?
        do {
            let ingest = Ingest([inbox.file(of: name).path], into: SQLiteSink(inbox.database, table: "events"))
                .format(.lines)
                .columns([.column("id", .integer), .column("type", .text), .column("actor", .text, at: "actor.login")])
                .existing(.append)
                .rejects(.table("rejected"))
            let report = try await IngestService(ingest, logger: logger) { update.yield($0) }.load()
            switch report.outcome {
            case .complete, .nothingToDo: failure = nil
            case .interrupted:
                // The service ends; the next one goes on.
                update.finish()
                return await shown
            case .failed(let reason): failure = "\(reason)"
            case .tooManyErrors, .frozen: failure = "\(report.outcome)"
            }
        } catch {
            failure = "\(error)"
        }
        update.finish()
        await shown
        if let failure { try await inbox.fail(name, failure) } else { try await inbox.finish(name) }
        progress[name] = nil
    }

    private func show(_ updates: AsyncStream<IngestProgress>, of name: String) async {
        for await update in updates { progress[name] = update }
    }
}
