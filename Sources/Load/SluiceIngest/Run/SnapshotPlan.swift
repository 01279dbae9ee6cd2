// Whether a run begins a load whose keys are noted, goes on with one, or must be refused.

internal import SluiceCore

/// The load that a run belongs to, if missing rows are to be found.
package struct SnapshotPlan {
    /// Identifies the load. All its runs have the same text.
    package let load: String
    /// What the sink has stored.
    package internal(set) var stored: SinkSnapshot?
    /// Whether no key of the load has been noted yet.
    package internal(set) var begins: Bool
    /// Whether the inputs were read to their end, but missing rows were not dealt with.
    package let isPending: Bool

    /// - Parameters:
    ///   - read: The checkpoints of the inputs that earlier runs have read in part. All must be those of this load: another run
    ///     notes no keys.
    ///   - isLeft: Whether a part of them is left to read.
    /// - Throws: ``IngestError``, or ``OtherRun`` if another run loads other inputs.
    init(
        _ inputs: [IngestInput], _ options: IngestOptions, _ run: RunIdentity, read: [StoredCheckpoint], isLeft: Bool,
        stored: SinkSnapshot?
    ) throws {
        self.stored = stored
        let identities = inputs.compactMap { $0.identity(of: options.feed) }
        let text = identities.sorted().joined(separator: "\0") + "\0" + (options.feed.filter?.text ?? "")
        // Inputs that cannot be read again make a new load each time.
        load = identities.count == inputs.count ? String(NameHash.value(of: text), radix: 16) : run.id
        if let stored, stored.load != load, let other = stored.runInProgress, other.state(seenFrom: run) == .running {
            throw OtherRun(loading: other)
        }
        let isRead = !read.isEmpty
        let goesOn = stored?.load == load && !options.restarts && !options.emptiesTable
        begins = !goesOn || !isRead
        isPending = !begins && stored?.isDone == false
        if isRead, !goesOn || !read.allSatisfy({ $0.load == load }) {
            throw IngestError.usage(
                "earlier runs have read these inputs without \(option: .missing(options.missing)), so it is not known which rows they have; "
                    + "\(option: .restart) reads them again")
        }
        if isLeft, goesOn, isRead, stored?.isDone == true {
            throw IngestError.usage(
                "the inputs have grown since the rows that they lack were looked for; \(option: .restart) reads them from the start"
            )
        }
    }
}
