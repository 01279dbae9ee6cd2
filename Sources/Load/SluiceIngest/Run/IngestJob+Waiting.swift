// Waits until another run that reads the same input has ended.

internal import Foundation

extension IngestJob {
    /// Waits until another run has ended.
    ///
    /// - Returns: Whether it has ended; false if a signal came first.
    /// - Throws: ``IngestError``.
    package func wait(for other: OtherRun, seenFrom run: RunIdentity) throws -> Bool {
        guard other.isRunning, let holder = other.run else { return interruption.received == 0 }
        while interruption.received == 0 {
            // A signal ends the pause.
            usleep(20_000)
            do {
                // The database is opened anew each time. An open connection would keep the other run from restoring the journal
                // mode.
                let connection = try sink.connect(
                    SinkRun(identity: run, isDryRun: true, waits: true) { [interruption] in interruption.received != 0 })
                let contents = try connection.look(.versions)
                let holds =
                    contents.checkpoints.contains { $0.isHeld && $0.run?.id == holder.id }
                    || contents.snapshot?.runInProgress?.id == holder.id
                if !holds || holder.state(seenFrom: run) != .running { return true }
            } catch {
                if interruption.received != 0 { return false }
                // A killed run may have left a transaction that a read-only connection cannot roll back. The next attempt of this
                // run rolls it back.
                if holder.state(seenFrom: run) != .running { return true }
                // The holder is still running, and rolls such a transaction back itself. So wait further.
                if case .locked? = error as? IngestError { continue }
                throw error
            }
        }
        return false
    }
}
