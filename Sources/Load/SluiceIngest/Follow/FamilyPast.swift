// What a look keeps of the checkpoints of logs, of which only some are in memory at a time.

/// What earlier runs have read of some logs.
package struct FamilyPast {
    /// An input whose text is gone, and a report has said so.
    package struct Missing: Sendable {
        package let identity: String
        package let version: CheckpointVersion
        /// Since when, in seconds since 1970.
        package let since: Int
    }

    /// Whether they have read anything.
    package private(set) var isEmpty = true
    /// How many records they have rejected of the inputs that are there, and have nothing new.
    package private(set) var rejected = 0
    /// What the stored records of these inputs have lost.
    package private(set) var losses = StoredLosses()
    /// The first of the checkpoints with the most columns.
    package private(set) var widest: StoredCheckpoint?
    private var sequence = Int.max
    /// When the newest checkpoint was stored.
    package private(set) var time: String?
    /// How many bytes of the files have been read; nil where that is not known.
    package private(set) var readBytes: [FileStamp.Place: Int?] = [:]
    private(set) var missing: [Missing] = []

    /// - Parameters:
    ///   - isRead: Whether the run reads the input on.
    ///   - isPresent: Whether the text of the input is there.
    mutating func add(_ input: KnownInput, isRead: Bool, isPresent: Bool) {
        isEmpty = false
        let (checkpoint, evidence) = (input.checkpoint, input.checkpoint.evidence)
        if let time = checkpoint.time { self.time = max(self.time ?? time, time) }
        let (columns, most) = (checkpoint.columns.count, widest?.columns.count ?? -1)
        if columns > most || columns == most && input.version.sequence < sequence {
            (widest, sequence) = (checkpoint, input.version.sequence)
        }
        if evidence?.isMissingReported == true, !isPresent {
            missing.append(Missing(identity: input.identity, version: input.version, since: evidence?.missingSince ?? 0))
        }
        guard evidence?.missingSince == nil else { return }
        if let evidence {
            readBytes.updateValue(evidence.readBytes(isComplete: checkpoint.isComplete), forKey: evidence.file.place)
        }
        guard !isRead else { return }
        rejected += checkpoint.lastingRejections
        losses += checkpoint.losses
    }
}
