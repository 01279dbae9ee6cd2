// What a run does about another run that reads the same input: it ends with an error, or waits.

#if CommandLine
internal import Foundation

/// Another run reads an input, or has read it since this run looked.
struct OtherRun: Error {
    /// The name of the input.
    let input: String
    /// The other run; nil if it has left no name.
    let run: RunIdentity?
    /// Whether the other run still goes on.
    let isRunning: Bool

    init(_ input: String, _ entry: SinkCheckpoint?, isRunning: Bool) {
        self.input = input
        run = entry?.run
        self.isRunning = isRunning
    }

    /// The error to report if this run does not wait.
    func error(_ sink: any RecordSink) -> CommandError {
        let other = "another run (\(run?.description ?? "of an unknown process"))"
        let target = sink.name
        if isRunning { return .outrun("\(other) is reading \(input) into \(target); --wait waits until it has ended") }
        return .outrun(
            "\(other) has read \(input) into \(target) since this run began; what this run read in the meantime was not stored; "
                + "run the same command again to go on")
    }

    /// The note about a run on another machine, which may or may not go on.
    static func note(_ input: String, _ run: RunIdentity) -> String {
        "a run on \(run.host) (\(run.description)) has not ended its work on \(input); if it is still running, it will stop with "
            + "an error, because this run takes the input over"
    }
}

extension Ingest {
    /// Waits until another run has ended.
    ///
    /// - Returns: Whether it has ended; false if a signal came first.
    /// - Throws: ``CommandError``.
    func wait(for other: OtherRun, seenFrom run: RunIdentity) throws -> Bool {
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
#endif
