// Stores a batch: its rows, the checkpoints of the inputs that they come from, and the rejected records, in one transaction.

internal import SluiceCore
internal import SluiceFeed

/// An error of the sink, or of the file of rejected records: the open batch cannot be committed, so the run ends.
package struct SinkFailure: Error {
    package let error: any Error
}

/// A file of a rotated log was truncated or moved while it was read. Nothing of the batch is stored, and the next run reads it again.
package struct FileMoved: Error {}

/// Thrown inside a transaction to roll it back: elements of arrays were refused, so their records must be left out.
private struct ElementsRefused: Error {
    /// The records' rows, with the reasons.
    let records: [Int: IngestRun.PendingRejection]
}

/// Thrown inside a transaction to roll it back: more rows were refused than the run allows, so it ends at this row.
private struct TooManyRefused: Error {
    let row: Int
}

extension IngestRun {
    /// Commits what was read since the last commit.
    ///
    /// - Parameter evenIfEmpty: Whether to commit also if nothing was read.
    /// - Throws: ``SinkFailure``.
    package func flush(evenIfEmpty: Bool = false) throws {
        guard let connection else {
            noteRejections(rejections)
            return forgetBatch(rejectionCounts(rejections))
        }
        guard evenIfEmpty || hasUncommitted else { return }
        guard inputs.allSatisfy(\.isIntact) else { throw SinkFailure(error: FileMoved()) }
        let start = Clock.nanoseconds
        defer { report.databaseNanoseconds &+= Clock.nanoseconds &- start }
        do {
            try commit(to: connection)
        } catch {
            rejects?.abandonCommit()
            changeLog?.abandonCommit()
            throw SinkFailure(error: error)
        }
        noteCommit()
        tellCommit(since: start)
    }

    /// Whether anything was read since the last commit.
    package var hasUncommitted: Bool {
        !batch.isEmpty || !rejections.isEmpty || inputs.count > 1
            || inputs.contains { $0.isComplete || $0.resumePoint.recordCount != $0.committedRecords }
    }

    private func commit(to connection: any SinkConnection) throws {
        var stored = StoredBatch()
        var all: [PendingRejection] = []
        var counts: [Int] = []
        var losses: [StoredLosses] = []
        if let input = inputs.last { noteLosses(of: input) }
        var written: [String: CheckpointVersion] = [:]
        var (added, addedNames) = ([String](), ColumnName.List([]))
        var hasGoneBack = false
        // The records that are left out, with their rejections.
        var leftOut: [Int: PendingRejection] = [:]
        var storedChildren: [(ChildReader, StoredBatch)] = []
        var outdated = 0
        takeOpenColumns()
        let open = texts.open
        func attempt() throws {
            try self.transaction(connection) { transaction in
                added = try prepare(transaction)
                addedNames = ColumnName.List(added)
                forgetChanges()
                try noteSnapshot(transaction)
                try remember(in: transaction, added: addedNames)
                if childReading != nil { batch.leaveOut { row, _ in leftOut[row] != nil } }
                stored = batch.isEmpty ? StoredBatch() : try transaction.store(batch)
                noteTexts(in: &stored, open: open, added: addedNames)
                var refused = stored.refused.map { ($0.row, rejection(of: $0)) } + leftOut.map { ($0.key, $0.value) }
                if childReading != nil {
                    storedChildren = []
                    let missing = Set(refused.map(\.0) + stored.keptRows)
                    let elements = try storeChildren(missing: missing, transaction) { storedChildren.append(($0, $1)) }
                    if !elements.isEmpty, options.children.rejects == .record {
                        throw ElementsRefused(records: rejections(ofRecordsWith: elements))
                    }
                    refused += elements.map { (row(of: $0), rejection(of: $0, isElement: true)) }
                }
                refused.sort { $0.0 < $1.0 }
                if !hasGoneBack, let row = fatalRow(of: refused.filter { !$0.1.isElement }.map(\.0)) {
                    throw TooManyRefused(row: row)
                }
                all = restored(merged(refused.map(\.1)))
                counts = rejectionCounts(all)
                losses = batchLosses(all, [stored] + storedChildren.map(\.1))
                written = try writeCheckpoints(counts, losses, transaction)
                try rememberReplayed(counts, in: transaction)
                // A rejection that is not found in these rejects may stand in others.
                outdated = unremoved(counts)
                if let rejects {
                    let left = try rejects.store(all.map(\.record), removing: unwanted(counts), replayed: replayed, transaction)
                    outdated = min(outdated, left)
                }
                try storeChanges(transaction)
                try storePlaces(transaction)
            }
        }
        while true {
            do {
                try attempt()
                break
            } catch let limit as TooManyRefused {
                hasGoneBack = true
                goBack(to: limit.row)
                leftOut = leftOut.filter { $0.key <= limit.row }
            } catch let refusal as ElementsRefused {
                leftOut.merge(refusal.records) { earlier, _ in earlier }
            }
        }
        noteTypes(added: addedNames)
        known.hasCommitted = true
        endRemembering()
        endNotingSnapshot()
        note(storedChildren)
        report.addedColumns += added.filter { !report.addedColumns.contains($0) }
        versions.merge(written) { $1 }
        note(stored)
        noteRejections(all)
        stayingRejections.outdated += outdated
        stayingRejections.ofLeftOut += inputs.reduce(0) { $0 + $1.leftOut.count }
        watch(all, stored, storedChildren, leftOut: leftOut.count)
        forgetBatch(counts, losses)
        try rejects?.endCommit(connection)
        try changeLog?.endCommit(connection)
    }

    private func noteRejections(_ all: [PendingRejection]) {
        for rejection in all {
            let (input, record) = (inputs[rejection.input], rejection.record)
            report.reject(
                at: record.position, rejection.reason,
                of: RecordOrigin(input: input.origin, line: record.record.line, byte: record.record.offset),
                isElement: rejection.isElement, keeping: options.keptRejections)
        }
    }

    /// For each input, how many of the rejected records are its own.
    private func rejectionCounts(_ all: [PendingRejection]) -> [Int] {
        var counts = Array(repeating: 0, count: inputs.count)
        for rejection in all where !rejection.isElement { counts[rejection.input] += 1 }
        return counts
    }

    /// For each input, what the records of the batch have lost when they were stored. A sink does not say which rows have lost digits or values, so
    /// these count for the last input.
    private func batchLosses(_ all: [PendingRejection], _ stored: [StoredBatch]) -> [StoredLosses] {
        var losses = Array(repeating: StoredLosses(), count: inputs.count)
        for rejection in all where rejection.isElement { losses[rejection.input].elements += 1 }
        let changed = stored.reduce(0) { sum, batch in batch.digitLosses.reduce(sum) { $0 + $1.count } }
        let generated = stored.reduce(0) { $0 + $1.generatedCounts.reduce(0, +) }
        if let last = losses.indices.last { (losses[last].changed, losses[last].generated) = (changed, generated) }
        return losses
    }

    /// - Parameters:
    ///   - counts: For each input, how many records of the batch are rejected.
    ///   - losses: What the others have lost; empty if nothing was stored.
    private func forgetBatch(_ counts: [Int], _ losses: [StoredLosses] = []) {
        for (index, (input, count)) in zip(inputs, counts).enumerated() {
            input.noteCommit(rejections: count, losses: index < losses.count ? losses[index] : StoredLosses())
        }
        batch.removeAll()
        rows.removeChildRows()
        rows.unknownKeys.endBatch()
        rejections.removeAll(keepingCapacity: true)
        tally.rejectedBytes = 0
        marks.removeAll(keepingCapacity: true)
        inputs.removeFirst(max(0, inputs.count - 1))
    }

    // MARK: The table

    /// Runs a transaction. A sink may run the body again, after a deadlock: what the body has prepared was rolled back, so it prepares it again.
    package func transaction(_ connection: any SinkConnection, _ body: (any SinkTransaction) throws -> Void) throws {
        let before = (columns: known.columns, ofChildren: childReaders.map(\.preparedColumns), versions: versions)
        do {
            try connection.transaction { transaction in
                (known.columns, versions) = (before.columns, before.versions)
                for (child, count) in zip(childReaders, before.ofChildren) { child.preparedColumns = count }
                try body(transaction)
            }
        } catch {
            // The sink has forgotten the tables.
            known.columns = 0
            for child in childReaders { child.preparedColumns = 0 }
            versions = before.versions
            throw error
        }
    }

    /// What the sink must know of the columns: how many there are, and, if it takes their types late, how many these are.
    private var columnVersion: Int { max(plan.takesLateTypes ? rows.ownDiscoveries : rows.layout.columns.count, 1) }

    /// Makes the table in the first transaction, and adds late columns in later ones.
    package func prepare(_ transaction: any SinkTransaction) throws -> [String] {
        let columns = rows.layout.columns
        guard known.columns < columnVersion else {
            if childReading != nil { try prepareChildren(transaction) }
            return []
        }
        let dropped = plan.droppedTables
        let children = childReaders.reversed().map(\.table.name).filter { !dropped.contains($0) }
        func prepare(_ columns: [IngestColumn], _ existing: ExistingTable) throws -> [String] {
            try transaction.prepare(
                SinkTable(
                    name: sink.table, columns: columns, key: plan.primaryKey, existing: existing, conflict: options.conflict,
                    children: existing == .drop ? dropped + children : childReaders.reversed().map(\.table.name),
                    filled: plan.memory.layout.columns + plan.layout.undecided,
                    changes: changes))
        }
        changes?.hide(in: rows.layout)
        var added: [String] = []
        if !known.hasCommitted {
            try forgetCheckpoints(transaction)
            added = try prepare(Array(columns.prefix(plan.layout.columns.count)), options.existing)
        }
        if known.hasCommitted || columns.count > plan.layout.columns.count { added += try prepare(columns, .append) }
        if childReading != nil { try prepareChildren(transaction) }
        // If the table of changes has other columns, this ends the run before anything is stored.
        if !known.hasCommitted { try changeLog?.store([], transaction) }
        known.isPrepared = true
        known.columns = columnVersion
        return added
    }

    /// Forgets the checkpoints of inputs that are read anew.
    private func forgetCheckpoints(_ transaction: any SinkTransaction) throws {
        let contents = try transaction.look()
        // Another run may have created the table since this one looked.
        if contents.hasTable, plan.newest == nil, !options.addsToTable { throw sink.madeMeanwhile }
        let includesOthers = !contents.hasTable || options.emptiesTable
        guard includesOthers || options.restarts else { return }
        // Another run may have claimed an input after this run claimed its own. The rows that it stores must not be deleted.
        if options.emptiesTable,
            let other = contents.checkpoints.first(where: { $0.run?.id != identity.id && $0.isTaken(seenFrom: identity) })
        {
            throw OtherRun(other.input, other, isRunning: true)
        }
        try transaction.ledger.forgetCheckpoints(of: identity, includingOthers: includesOthers)
        for index in versions.indices { versions.values[index].offset = 0 }
    }

    // MARK: Rejections

    /// The rejections of the batch in the order of the input, with those of the rows that the sink has refused.
    private func merged(_ refused: [PendingRejection]) -> [PendingRejection] {
        guard !refused.isEmpty else { return rejections }
        var all: [PendingRejection] = []
        all.reserveCapacity(rejections.count + refused.count)
        var next = rejections[...]
        for row in refused {
            while let first = next.first, first.row <= row.row { all.append(next.removeFirst()) }
            all.append(row)
        }
        return all + next
    }

    /// The rejection of a row that the sink has refused. Its record is valid JSON.
    private func rejection(of refused: RefusedRow) -> PendingRejection {
        unsafe batch.withRecord(refused.row) { text, input, position in
            let words = "line \(position.line), column \(position.column), byte \(position.offset)"
            let reason = "not accepted by the table (\(words)): \(refused.reason)"
            return unsafe PendingRejection(
                record: withKeyMark(RejectedRecord(constraint: refused.reason, text, at: position, of: inputs[input].name)),
                reason: reasonInReport(reason, inputs[input].name), row: refused.row, input: input)
        }
    }

    /// A reason as the report shows it, with the input's name if there are several.
    package func reasonInReport(_ reason: String, _ input: String) -> String {
        report.inputs > 1 ? "\(input): \(reason)" : reason
    }

    // MARK: Replayed rejections

    /// The rejections whose records this batch settles.
    private var replayed: [Replay.Rejection] {
        guard let replay = options.replay else { return [] }
        return inputs.flatMap { replayedRejections(of: $0, replay) }
    }

    package func replayedRejections(of input: InputProgress, _ replay: Replay) -> [Replay.Rejection] {
        replay.settled(input.name, input.committedRecords..<input.resumePoint.recordCount, except: input.leftOut)
    }

    /// Rejections with the positions that replayed records have in their files.
    private func restored(_ all: [PendingRejection]) -> [PendingRejection] {
        guard let replay = options.replay else { return all }
        return all.map {
            PendingRejection(
                record: replay.restored($0.record), isElement: $0.isElement, reason: replay.restored($0.reason, of: $0.record),
                row: $0.row, input: $0.input)
        }
    }

    // MARK: Limits on errors

    /// Whether a limit on errors may end the run.
    package var hasErrorLimit: Bool { options.maximumErrors != nil || options.maximumErrorRatio != nil }

    /// The share of rejected records is only checked from this number of records on.
    package static let enoughForRatio = 100

    /// How many records are rejected, those of the open batch included.
    package var rejectedCount: Int { report.rejected + rejections.count }

    /// Whether more records are rejected than the options allow, so that the run must end.
    package func isTooMany(rejected: Int, of records: Int) -> Bool {
        if rejected > options.maximumErrors ?? .max { return true }
        return records >= IngestRun.enoughForRatio && isBeyondRatio(rejected: rejected, of: records)
    }

    package func isBeyondRatio(rejected: Int, of records: Int) -> Bool {
        guard let ratio = options.maximumErrorRatio, records > 0 else { return false }
        return Double(rejected) > ratio * Double(records)
    }

    /// The first refused row at which the run must end; nil if it goes on.
    private func fatalRow(of refused: [Int]) -> Int? {
        guard hasErrorLimit else { return nil }
        var earlier = 0
        for (number, row) in refused.enumerated() where row < marks.count {
            while earlier < rejections.count, rejections[earlier].row <= row { earlier += 1 }
            let rejected = report.rejected + earlier + number + 1
            if isTooMany(rejected: rejected, of: marks[row].records) { return row }
        }
        return nil
    }

    /// Takes back everything that was read after the row at which the run ends.
    private func goBack(to row: Int) {
        guard row < marks.count, let input = inputs.last else { return }
        let mark = marks[row]
        batch.truncate(to: row + 1)
        rows.truncateChildren(to: row + 1)
        rows.goBack(to: mark.rows)
        noteLosses(of: input)
        rejections.removeAll { $0.row > row }
        marks.removeSubrange((row + 1)...)
        tally.records = mark.records
        report.passedOver = mark.passedOver
        input.goBack(to: mark.resumePoint, passedOver: mark.passedOverOfInput)
        tally.isStopped = true
        report.outcome = .tooManyErrors
    }

    // MARK: Checkpoints

    /// Stores how far the inputs have been read.
    ///
    /// - Throws: ``OtherRun`` if another run has written a checkpoint since this run wrote it. The transaction must then be
    ///   rolled back, because the other run has stored the same records.
    private func writeCheckpoints(
        _ counts: [Int], _ losses: [StoredLosses], _ transaction: any SinkTransaction
    ) throws -> [String: CheckpointVersion] {
        var written: [String: CheckpointVersion] = [:]
        let time = RecordedChange.now
        for (index, (input, rejections)) in zip(inputs, counts).enumerated() {
            // A sink without checkpoints has no versions of them.
            guard let identity = input.identity, let version = versions[identity], input.hasNews(rejections: rejections),
                var checkpoint = input.checkpoint(
                    rows.currentLayout, signature: options.signature, load: plan.snapshot?.load, rejections: rejections,
                    losses: losses[index])
            else { continue }
            checkpoint.time = time
            guard let version = try transaction.ledger.write(checkpoint, of: identity, over: version) else {
                let found = try transaction.look().checkpoints
                throw OtherRun(input.name, found.last { $0.input == identity }, isRunning: false)
            }
            written[identity] = version
        }
        return written
    }
}
