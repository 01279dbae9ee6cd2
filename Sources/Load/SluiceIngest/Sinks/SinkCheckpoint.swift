// How far each input has been read, which run has read it, and which run reads it now.

/// The state of a stored checkpoint when a run read or wrote it. A sink compares it with the stored one before it writes the next
/// one.
package struct CheckpointVersion: Hashable, Sendable, Codable {
    /// The table's name as the checkpoint spells it.
    package var table: String
    /// Increases with each write to any checkpoint.
    package var sequence: Int
    /// How many bytes of the input had been read.
    package var offset: Int
    /// The ``RunIdentity/text`` of the run that wrote it; empty if that is unknown.
    package var run: String

    package init(table: String, sequence: Int = 0, offset: Int = 0, run: String = "") {
        self.table = table
        self.sequence = sequence
        self.offset = offset
        self.run = run
    }
}

/// How much is read of the checkpoints of a table.
package enum CheckpointReading: Sendable {
    case whole
    /// What the runs of the inputs are, and which checkpoint is the newest: little, even of a table with many inputs.
    case versions
}

/// How far an input has been read into a table, and by which run.
package struct SinkCheckpoint: Sendable {
    package let input: String
    package let version: CheckpointVersion
    /// Nil if no batch has been committed yet, or if only the versions were read.
    @Apart package private(set) var checkpoint: StoredCheckpoint?
    /// Whether a run has claimed the input and has not released it.
    package var isHeld: Bool

    package init(input: String, version: CheckpointVersion, checkpoint: StoredCheckpoint?, isHeld: Bool) {
        self.input = input
        self.version = version
        self.checkpoint = checkpoint
        self.isHeld = isHeld
    }

    /// Whether it says by what the text of a rotated log is known again.
    package var hasEvidence: Bool { checkpoint?.evidence != nil }

    package var run: RunIdentity? { RunIdentity(text: version.run) }

    /// Whether another run holds the input, and goes on.
    package func isTaken(seenFrom run: RunIdentity) -> Bool { isHeld && self.run?.state(seenFrom: run) == .running }
}

/// The inputs that a run is about to read.
package struct SinkClaim: Sendable {
    /// An input that can be read again, so that it has a checkpoint.
    package struct Input: Sendable {
        /// What the input's checkpoint is stored under.
        package let identity: String
        /// The input's name in messages.
        package let name: String
        /// The version of its checkpoint when the run was planned; nil if it had none.
        let planned: CheckpointVersion?
    }

    package let inputs: [Input]
    /// The run that reads them.
    package let run: RunIdentity
    /// Whether the table's rows are deleted.
    let emptiesTable: Bool
    /// Whether the inputs are read from their start, whatever earlier runs have read.
    let restarts: Bool

    /// Checks that no other run reads one of the inputs, and that all have been read as far as the plan says.
    ///
    /// - Parameter found: The checkpoints that the table has now.
    /// - Returns: The checkpoint of each input that has one.
    /// - Throws: ``OtherRun``.
    package func check(_ found: [SinkCheckpoint]) throws -> [String: SinkCheckpoint] {
        if emptiesTable, let other = found.first(where: { $0.isTaken(seenFrom: run) }) {
            throw OtherRun(other.input, other, isRunning: true)
        }
        let entries = Dictionary(found.map { ($0.input, $0) }, uniquingKeysWith: { $1 })
        for input in inputs {
            let entry = entries[input.identity]
            if let entry, entry.isTaken(seenFrom: run) { throw OtherRun(input.name, entry, isRunning: true) }
            // A run that reads the inputs from the start may ignore how far others have read.
            if !emptiesTable, !restarts, !SinkClaim.isAsPlanned(entry?.version, input.planned) {
                throw OtherRun(input.name, entry, isRunning: false)
            }
        }
        return entries
    }

    /// Whether an input has been read as far as the plan says. It does not matter which run has read it.
    private static func isAsPlanned(_ found: CheckpointVersion?, _ planned: CheckpointVersion?) -> Bool {
        (found?.sequence ?? 0, found?.offset ?? 0) == (planned?.sequence ?? 0, planned?.offset ?? 0)
    }
}
