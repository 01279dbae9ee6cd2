// What an ingest and a sink tell each other.

#if CommandLine
internal import SluiceCore

/// What a target holds before a run, or in a transaction of it.
struct SinkContents: Sendable {
    /// Whether the table exists.
    var hasTable = false
    /// The names of the table's columns, those included that cannot be written.
    var columns: [String] = []
    /// The columns of the table's primary key, in the key's order.
    var key: [String] = []
    /// The checkpoints of the table's inputs; the last one was written last.
    var checkpoints: [SinkCheckpoint] = []
}

/// What a stored checkpoint was like when a run read or wrote it. A sink compares it before it writes the next one.
struct CheckpointVersion: Hashable, Sendable {
    /// The table's name as the checkpoint spells it.
    var table: String
    /// Counted up with each write to any checkpoint.
    var sequence = 0
    /// How many bytes of the input had been read.
    var offset = 0
    /// The run that wrote it, as JSON; empty if that is unknown.
    var run = ""
}

/// How far an input has been read into a table, and by which run.
struct SinkCheckpoint: Sendable {
    let input: String
    let version: CheckpointVersion
    /// Nil if no batch has been committed yet.
    let checkpoint: StoredCheckpoint?
    /// Whether the run that wrote it has not said that it has ended.
    let isHeld: Bool

    var run: RunIdentity? { RunIdentity(json: version.run) }

    /// Whether another run holds the input, and goes on.
    func isTaken(seenFrom run: RunIdentity) -> Bool { isHeld && self.run?.state(seenFrom: run) == .running }
}

/// The inputs that a run is about to read.
struct SinkClaim: Sendable {
    struct Input: Sendable {
        let identity: String
        /// The input's name in messages.
        let name: String
        /// The version of its checkpoint when the run was planned; nil if it had none.
        let planned: CheckpointVersion?
    }

    var inputs: [Input]
    /// Whether the table's rows are deleted.
    var emptiesTable = false
    /// Whether the inputs are read from their start, however far they have been read.
    var restarts = false
    var run: RunIdentity

    /// Checks that no other run reads one of the inputs, and that all have been read as far as the plan says.
    ///
    /// - Parameter found: The checkpoints that the table has now.
    /// - Returns: The checkpoint of each input that has one.
    /// - Throws: ``OtherRun``.
    func check(_ found: [SinkCheckpoint]) throws -> [String: SinkCheckpoint] {
        if emptiesTable, let other = found.first(where: { $0.isTaken(seenFrom: run) }) {
            throw OtherRun(other.input, other, isRunning: true)
        }
        let entries = Dictionary(found.map { ($0.input, $0) }, uniquingKeysWith: { $1 })
        for input in inputs {
            let entry = entries[input.identity]
            if let entry, entry.isTaken(seenFrom: run) { throw OtherRun(input.name, entry, isRunning: true) }
            // A run that begins anew does not care how far others have read.
            if !emptiesTable, !restarts, !SinkClaim.isAsPlanned(entry?.version, input.planned) {
                throw OtherRun(input.name, entry, isRunning: false)
            }
        }
        return entries
    }

    /// Whether an input has been read as far as the plan says. Which run has done that does not matter.
    private static func isAsPlanned(_ found: CheckpointVersion?, _ planned: CheckpointVersion?) -> Bool {
        (found?.sequence ?? 0, found?.offset ?? 0) == (planned?.sequence ?? 0, planned?.offset ?? 0)
    }
}

/// The table that a run wants.
struct SinkTable: Sendable {
    /// All columns of the rows. The first ones are those of the last call.
    var columns: [TableColumn]
    /// The columns of the table's key; empty for the key that the table has, if any.
    var key: [String]
    var existing: ExistingTable
    var conflict: KeyConflict
}

/// What became of the rows of a batch.
struct StoredBatch: Sendable {
    var counts = RowCounts()
    /// In the order of the rows.
    var refused: [RefusedRow] = []
    /// For each column, how many values were not of its type.
    var offTypeCounts: [Int] = []
    var digitLosses: [DigitLoss] = []
}

/// A row that the target did not accept.
struct RefusedRow: Hashable, Sendable {
    /// The index of the row in its batch.
    let row: Int
    let reason: String
}

/// What became of records.
struct RowCounts: Hashable, Sendable {
    /// Rows that were added.
    var added = 0
    /// Rows that were changed, because the table had their keys.
    var changed = 0
    /// Rows that had the same values already.
    var same = 0
    /// Records that were left out, because the user wants to keep existing rows with the same key.
    var kept = 0

    var total: Int { added + changed + same + kept }

    static func += (left: inout RowCounts, right: RowCounts) {
        left.added += right.added
        left.changed += right.changed
        left.same += right.same
        left.kept += right.kept
    }
}

/// A column whose values lost digits, because the target converted them to fit the column's type.
struct DigitLoss: Hashable, Sendable {
    let column: String
    var count: Int
    /// The first such value.
    let example: String

    /// The same for a column whose values must not be shown.
    var withoutExample: DigitLoss { DigitLoss(column: column, count: count, example: "not shown") }
}

extension [DigitLoss] {
    /// Adds a loss to that of the same column.
    mutating func note(_ loss: DigitLoss) {
        if let known = firstIndex(where: { $0.column == loss.column }) {
            self[known].count += loss.count
        } else {
            append(loss)
        }
    }
}

/// What a run owes a file of rejected records.
struct OwnedRejects: Sendable {
    /// The id of the run, or the name under which the sink keeps them.
    let owner: String
    let pendingRejects: RejectsFile.PendingRejects
}
#endif
