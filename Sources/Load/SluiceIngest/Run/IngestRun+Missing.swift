// The end of a load of a complete snapshot. Rows that the inputs lack are marked or removed, in several transactions. If the run
// is killed in between, the next run continues, because the noted keys stay until everything is done.

internal import SluiceCore
internal import SluiceFeed

extension IngestRun {
    /// The state of the load with this run as the one that notes keys.
    private var ownSnapshot: SinkSnapshot? {
        plan.snapshot.map { SinkSnapshot(load: $0.load, run: identity.text, isDone: false) }
    }

    /// Tells the sink in a transaction to note the keys of its rows.
    package func noteSnapshot(_ transaction: any SinkTransaction) throws {
        guard let own = ownSnapshot else { return }
        try set(own, begins: plan.snapshot?.begins ?? false, transaction)
    }

    private func set(_ new: SinkSnapshot, begins: Bool = false, _ transaction: any SinkTransaction) throws {
        guard try transaction.ledger.setSnapshot(new, over: plan.snapshot?.stored, begins: begins) else {
            throw IngestError.outrun("another run has begun to load the table, to find the rows that its inputs lack")
        }
    }

    /// Notes that such a transaction was committed.
    package func endNotingSnapshot() {
        guard let own = ownSnapshot else { return }
        plan.snapshot?.stored = own
        plan.snapshot?.begins = false
    }

    /// How many rows are removed or marked in one transaction.
    private static let enoughMissing = 50_000

    /// Marks or removes the rows that the inputs do not have.
    ///
    /// - Throws: ``SinkFailure``.
    package func settleMissing(_ connection: any SinkConnection) throws {
        guard let own = ownSnapshot, report.outcome == .complete else { return }
        var summary = IngestReport.MissingSummary(options.missing)
        summary.refusal = refusalOfMissing
        do {
            summary.returned = try settle(.clear, connection)
            if summary.refusal == nil {
                summary.count = try settle(options.missing == .mark ? .mark : .delete, connection)
                let done = SinkSnapshot(load: own.load, run: own.run, isDone: true)
                try connection.transaction { try set(done, $0) }
                plan.snapshot?.stored = done
            }
        } catch let unfound as UnfoundKeys {
            // Nothing has been removed, because the sink looks for the noted keys first.
            changeLog?.abandonCommit()
            summary.refusal =
                "\(counted(unfound.count, "key")) of the records \(unfound.count == 1 ? "is" : "are") not in the table: a trigger has "
                + "changed them, or somebody has removed their rows"
        } catch {
            changeLog?.abandonCommit()
            throw SinkFailure(error: error)
        }
        report.missing = summary
    }

    /// Applies one kind of change to all rows that it concerns. Returns how many rows it has changed.
    private func settle(_ change: MissingChange, _ connection: any SinkConnection) throws -> Int {
        var total = 0
        while true {
            var stored = StoredBatch()
            try self.transaction(connection) { transaction in
                _ = try prepare(transaction)
                forgetChanges()
                try noteSnapshot(transaction)
                stored = try transaction.ledger.settleMissing(change, most: IngestRun.enoughMissing)
                try storeChanges(transaction)
                try storePlaces(transaction, isOfRecords: false)
            }
            endNotingSnapshot()
            try changeLog?.endCommit(connection)
            let count = stored.counts.removed + stored.counts.changed
            if count == 0 { return total }
            total += count
            report.rows.removed += stored.counts.removed
            noteRemoved(stored.removedBelow)
        }
    }

    /// Why missing rows cannot be determined; nil if they can.
    private var refusalOfMissing: IngestMessage? {
        if readInputs.complete < plan.parts.count { return "not all inputs were read to their end" }
        let rejected = report.rejected + report.rejectedBefore
        if rejected > 0 { return "records were rejected: \(rejected.grouped)" }
        let absent = readInputs.absentDocuments + plan.absentBefore
        if options.feed.optional != .empty, absent > 0 {
            return
                "\(counted(absent, "document")) \(absent == 1 ? "has" : "have") no records at '\(options.feed.path?.description ?? "")'; "
                + "with \(option: .atOptional(.empty)) they count as empty"
        }
        if report.rejectedElements > 0 { return "elements of arrays were rejected: \(report.rejectedElements.grouped)" }
        return records + plan.recordsBefore == 0 ? IngestRun.noRecords : nil
    }

    /// Inputs without any record are probably a mistake, so no row counts as missing.
    package static let noRecords: IngestMessage = "the inputs have no records"
}
