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
                // Each look opens the database anew: an open one would keep the other run from restoring the journal mode.
                let connection = try sink.connect(
                    SinkRun(identity: run, isDryRun: true, waits: true) { [interruption] in interruption.received != 0 })
                let holds = try connection.contents().checkpoints.contains { $0.isHeld && $0.run?.id == holder.id }
                if !holds || holder.state(seenFrom: run) != .running { return true }
            } catch {
                if interruption.received != 0 { return false }
                // A killed run may have left a transaction that a connection for reading cannot roll back; the next attempt does.
                if holder.state(seenFrom: run) != .running { return true }
                throw error
            }
        }
        return false
    }
}
