// How far one input has been read, and what the next checkpoint says about it.

internal import SluiceCore
package import SluiceFeed

/// The progress in an input, from its first record that this run reads to its last.
package final class InputProgress {
    package let name: String
    package let identity: String?
    /// What the places of its records name.
    package let origin: String
    /// The open input; nil once it is read.
    package private(set) var opened: OpenInput?
    /// The point up to which the input has been read.
    // Unchecked: it moves on with each record, and nothing that is called meanwhile uses it.
    @safe @exclusivity(unchecked) package var resumePoint: ResumePoint
    /// The records before that point that do not match `--where`.
    package var passedOver: Int
    /// The records that were rejected, without those of the open batch.
    private var rejected: Int
    /// What the records have lost, without what the database has lost in the open batch.
    package var losses: StoredLosses
    /// The number of records before ``resumePoint`` at the last commit.
    package private(set) var committedRecords: Int
    /// Whether nothing is left.
    package var isComplete = false
    /// The rejected records inside which the input ended: the last record and, in a container, the document around it.
    /// ``resumePoint`` stays before them, so that the next run reads them again. By then, the rest of them may have been added to
    /// the input.
    package var cutOff: [CutOffRecords.Record] = []
    /// The records inside which the input ended for an earlier run. Their rejections stay until this run stores a new result for
    /// these records.
    package var earlierCutOff: CutOffRecords
    /// The numbers of the open batch's records that are neither stored nor rejected; see ``leaveOut()``.
    package private(set) var leftOut: Set<Int> = []
    /// The records of the input that earlier runs have read.
    package let earlierRecords: Int
    /// How many documents before the position where this run begins lack the path of the records.
    package let absentBefore: Int
    /// The input's number, if its records have numbers; see ``RecordNumbers``.
    package let recordInput: Int?
    /// The position of the checkpoint, once the input is read; and whether it was another file by then.
    private var finished: (feed: JSONCheckpoint, evidence: ContentEvidence?, isIntact: Bool)?
    /// Where this run began to read its text.
    private let start: Int

    package init(_ opened: OpenInput, at point: ResumePoint, after earlier: StoredCheckpoint?, number: Int?) {
        self.opened = opened
        recordInput = number
        name = opened.name
        identity = opened.identity
        origin = opened.origin ?? opened.name
        member = opened.member
        resumePoint = point
        rejected = earlier?.lastingRejections ?? 0
        passedOver = earlier?.passedOver ?? 0
        losses = earlier?.losses ?? StoredLosses()
        earlierCutOff = earlier?.cutOff ?? CutOffRecords()
        earlierRecords = point.recordCount
        start = point.position.offset
        absentBefore = earlier?.feed.pathFindings.absentCount ?? 0
        committedRecords = point.recordCount
    }

    /// Closes the input, because a batch may hold the records of thousands of inputs.
    package func finish() {
        finished = opened.map { opened in
            (
                opened.checkpoint(of: resumePoint, isComplete: isComplete),
                opened.evidence(of: resumePoint, isComplete: isComplete),
                opened.isIntact
            )
        }
        opened = nil
    }

    /// Whether the text that was read is still that of the file: a rotated log may be truncated while it is read.
    package var isIntact: Bool { finished?.isIntact ?? opened?.isIntact ?? true }
    /// The file of a rotated log that the input is.
    private let member: LogMember?
    package var file: FileStamp? { member?.file }
    /// Whether the input's last line is complete without a line break.
    package var isEnded: Bool { member?.isEnded ?? false }

    /// The position as a checkpoint.
    private var position: JSONCheckpoint? { finished?.feed ?? opened?.checkpoint(of: resumePoint, isComplete: isComplete) }

    /// By what the text of a rotated log is known again.
    private var evidence: ContentEvidence? {
        finished?.evidence ?? opened?.evidence(of: resumePoint, isComplete: isComplete)
    }

    /// How many bytes of the file have been read; nil if it is compressed, and not read to its end.
    package var readBytes: Int? {
        guard member == nil else { return evidence?.readBytes(isComplete: isComplete) }
        return position?.readBytes(isComplete: isComplete)
    }

    /// How many bytes of its text this run has read so far; 0 once the input is closed, and they count in the report.
    package var openBytes: Int { opened == nil ? 0 : max(0, resumePoint.position.offset - start) }

    /// Whether there is something new for a checkpoint. If the run ends before it has read the cut-off records again, the earlier
    /// checkpoint is still right.
    ///
    /// - Parameter rejections: How many records of the open batch are rejected.
    package func hasNews(rejections: Int) -> Bool {
        earlierCutOff.records.isEmpty || rejections > 0 || isComplete || resumePoint.recordCount != earlierRecords
    }

    /// The checkpoint to store.
    ///
    /// - Parameters:
    ///   - load: The load that notes the keys of the records, or nil.
    ///   - rejections: How many records of the open batch are rejected.
    ///   - losses: What the others have lost.
    package func checkpoint(
        _ layout: TableLayout, signature: String, load: String?, rejections: Int, losses: StoredLosses
    ) -> StoredCheckpoint? {
        guard let feed = position else { return nil }
        var checkpoint = StoredCheckpoint(feed: feed)
        checkpoint.evidence = evidence
        checkpoint.rejected = rejected + rejections
        checkpoint.losses = self.losses
        checkpoint.losses += losses
        checkpoint.passedOver = passedOver
        checkpoint.isComplete = isComplete
        checkpoint.columns = layout.columns
        checkpoint.children = layout.children.map(\.json)
        checkpoint.recordInput = recordInput
        checkpoint.load = load
        checkpoint.signature = signature
        checkpoint.cutOff = CutOffRecords(file: name, records: cutOff)
        return checkpoint
    }

    /// Notes that the next record is left out by a contract or a condition. If it is replayed, its rejection stays.
    package func leaveOut() { leftOut.insert(resumePoint.recordCount) }

    /// Notes that the open batch is committed.
    package func noteCommit(rejections: Int, losses: StoredLosses = StoredLosses()) {
        self.losses += losses
        if hasNews(rejections: rejections) { earlierCutOff = CutOffRecords() }
        rejected += rejections
        committedRecords = resumePoint.recordCount
        leftOut = []
    }

    /// Takes back what was read after a point.
    package func goBack(to point: ResumePoint, passedOver: Int) {
        (resumePoint, self.passedOver) = (point, passedOver)
        isComplete = false
        cutOff = []
        leftOut = leftOut.filter { $0 < point.recordCount }
    }
}
