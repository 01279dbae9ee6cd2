// The loop over the inputs and their records: each record becomes a row of the batch, or a rejection.

package import SluiceCore
internal import SluiceFeed

extension IngestRun {
    /// Reads all inputs, one after the other.
    package func readAllInputs() throws {
        for (index, part) in plan.parts.enumerated() where goesOn {
            do {
                try read(part)
            } catch let error as JSONError where part.input.isMember {
                // What cannot be read of one file does not keep the others from being read. When the run looked, the checkpoint fitted the
                // text: if it does not now, and the file has changed, the log has been copied and truncated in between.
                if part.input.isMoved || error.kind == .unusableCheckpoint && part.input.hasChanged {
                    report.movedFiles += 1
                } else {
                    report.unread.append("\(error.summary)")
                }
            } catch let error as JSONError {
                // The rows read before the error are kept.
                if case .after(let earlier) = part.rest {
                    stop(.failed(earlier.words(for: error, of: part.input)))
                } else {
                    stop(.failed("\(error.summary)"))
                }
            } catch IngestError.frozen(let reason) {
                stop(.frozen(reason))
            } catch let error as IngestError where index > 0 {
                stop(.failed(error.message))
            }
        }
        if !tally.isStopped, interruption.received != 0 { stop(.interrupted(interruption.received)) }
    }

    /// Reads the rest of an input.
    private func read(_ part: IngestPlan.Part) throws {
        var earlier: StoredCheckpoint?
        if case .after(let checkpoint) = part.rest {
            earlier = checkpoint
            report.resumed.append(IngestReport.Resumption(input: part.input.name, records: checkpoint.feed.recordIndex))
        }
        guard !part.input.isMoved else {
            report.movedFiles += 1
            return
        }
        let opened =
            try part.opened ?? OpenInput(part.input, options.feed, from: earlier?.feed, interruption: interruption)
        // If this throws, the checkpoint stays unchanged, because no record of the input has been read yet.
        var envelopeReading = options.model?.options ?? JSONReader.Options()
        // What is written as text is checked as a whole, the document around the records included.
        if textWork != nil { envelopeReading.validation = .full }
        let splitter = try opened.splitter(maximumRecordSize: options.maximumRecordSize, envelopeReading: envelopeReading)
        let number = rows.hasNumbers ? earlier?.recordInput ?? takeNumbers(of: opened) : nil
        let input = InputProgress(opened, at: splitter.resumePoint, after: earlier, number: number)
        inputs.append(input)
        enter(opened)
        let readingBefore = opened.source.nanoseconds
        defer {
            noteCountedKeys(of: input, opened)
            report.readingNanoseconds += opened.source.nanoseconds - readingBefore
            report.bytes += opened.newBytes
            readInputs.bytes = readInputs.bytesBefore
            readInputs.bytes += input.isComplete ? opened.totalBytes ?? 0 : opened.bytesRead(at: input.resumePoint.position)
            readInputs.bytesBefore += opened.totalBytes ?? 0
        }
        do {
            try readRecords(splitter, input, opened)
        } catch {
            input.finish()
            throw error
        }
        if input.isComplete { readInputs.complete += 1 }
        // With a limit on errors, a batch holds records of one input only, because a refused row may end the run inside the
        // batch.
        if hasErrorLimit { try flush(evenIfEmpty: hasUncommitted) }
        input.finish()
    }

    /// Begins with the rows of an input. Their places name the file by its absolute path; a replay's rejections have the name that the user
    /// gave, from the same folder.
    private func enter(_ opened: OpenInput) {
        let identity = opened.origin ?? (options.replay == nil ? nil : IngestInput(opened.name).identity) ?? opened.name
        let name = opened.name
        let restored = options.replay.map { replay in { (position: SourcePosition) in replay.restored(position, in: name) } }
        batch.enter(input: name, identity: identity, restored: restored)
        childReading?.enter(input: name, identity: identity, childReaders, restored: restored)
    }

    /// Notes the keys of an input's records that no column has read.
    private func noteCountedKeys(of input: InputProgress, _ opened: OpenInput) {
        rows.noteCountedKeys { describe($0, opened) }
        for child in childReaders { child.rows.noteCountedKeys { describe($0, opened) } }
        noteLosses(of: input)
    }

    /// Notes how many values the records of an input have lost so far, for its checkpoint. The keys that workers and column readers count
    /// are left out on purpose, and are no losses.
    package func noteLosses(of input: InputProgress) {
        guard options.effectiveContract.losesKeys(hasOverflow: options.overflow != nil) else { return }
        input.losses.leftOut += rows.unknownKeys.total - readInputs.notedKeys
        readInputs.notedKeys = rows.unknownKeys.total
    }

    /// Takes the numbers of an input's records.
    ///
    /// If the input is read again into the table with its rows, its records get other numbers, because they are added once more. But
    /// where records change the rows of their keys, they have the numbers that they had.
    private func takeNumbers(of opened: OpenInput) -> Int {
        var name = opened.identity ?? "\(identity.id) \(readInputs.takenNumbers.count)"
        if let input = opened.identity, options.restarts, !options.emptiesTable {
            if options.conflict == .reject {
                name += " \(identity.id)"
            } else if let former = plan.formerNumber(of: input) {
                return former
            }
        }
        let number = RecordNumbers.input(name, taken: readInputs.takenNumbers)
        readInputs.takenNumbers.insert(number)
        return number
    }

    /// The number of the next record.
    ///
    /// - Throws: ``IngestError/input(_:)`` if all numbers are taken.
    package func nextNumber(of input: InputProgress) throws -> Int64 {
        guard let taken = input.recordInput else { return 0 }
        guard let number = RecordNumbers.number(input.resumePoint.recordCount, of: taken) else {
            throw IngestError.input(
                "\(input.name) has more records than there are numbers for them; name a key with \(option: .key(nil))")
        }
        return number
    }

    /// Notes what the documents of a whole input have at the path of the records.
    func noteEnd(of input: InputProgress, _ found: PathFindings) {
        if options.feed.optional != .no { readInputs.absentDocuments += found.absentCount - input.absentBefore }
        input.resumePoint.noteEnd(found)
    }

    /// Counts a record that does not match `--where`.
    package func countPassedOver(_ input: InputProgress, _ count: Int = 1) {
        input.passedOver += count
        report.passedOver += count
    }

    /// Reads a record, and adds its row to the batch. Returns the error if the record cannot be read.
    ///
    /// - Parameters:
    ///   - known: The error, if it is known.
    ///   - text: The bytes of the record in the input.
    func add(
        _ bytes: UnsafeRawBufferPointer, _ known: JSONError?, of text: UnsafeRawBufferPointer, at position: SourcePosition,
        _ number: Int64, _ opened: OpenInput
    ) throws -> JSONError? {
        unsafe lookAtFirst(bytes)
        do {
            if let known { throw known }
            let decision = try unsafe rows.read(
                bytes, of: text, into: connection == nil ? nil : batch, at: position, number: number,
                words: describe(position, opened))
            if decision == .discard { unsafe lookAtUnread(bytes) }
            return nil
        } catch let error as JSONError where !error.endsIngest {
            unsafe lookAtUnread(bytes)
            return error
        }
    }

    package func describe(_ position: SourcePosition, _ opened: OpenInput) -> String {
        report.inputs > 1 ? "\(opened.name), line \(position.line)" : "line \(position.line)"
    }

    /// Whether the first records are looked at, to say what a misspelt path of a declared column means.
    package var watchesFirst: Bool { plan.origin == .declared && !plan.layout.columns.isEmpty }

    /// Looks at a record that is left out or rejected: it may have the path of a column that no other record has.
    private func lookAtUnread(_ bytes: UnsafeRawBufferPointer) {
        guard watchesFirst, !first.hasMoreUnread, !rows.unseenColumns.isEmpty else { return }
        unsafe first.look(atUnread: bytes)
    }

    /// Looks at a record that has been counted, if it is one of the first.
    package func lookAtFirst(_ bytes: UnsafeRawBufferPointer) {
        if records <= FirstRecords.count, watchesFirst { unsafe first.look(at: bytes) }
    }

    /// Rejects what the splitter or cutter has refused: with a path, that is the document around the records, unless it is a row or
    /// member that does not become an object.
    package func rejectCut(_ record: RejectedRecord, of input: InputProgress, isCutOff: Bool) {
        let kinds = [JSONError.Kind.typeMismatch, .duplicateKey].map { "\($0)" }
        let isRecord = options.feed.path?.isEmpty ?? true || options.feed.makesObjects && kinds.contains(record.kind)
        reject(isRecord ? record : record.of(.document), of: input, isCutOff: isCutOff)
    }

    /// A rejection, marked if its text lacks the record's key.
    package func withKeyMark(_ record: RejectedRecord) -> RejectedRecord {
        options.feed.wrapping?.keyColumn == nil ? record : record.of(.value)
    }

    /// Rejects a record.
    ///
    /// - Parameter isCutOff: Whether the input ended inside the record, which must then not be passed.
    package func reject(_ record: RejectedRecord, of input: InputProgress, isCutOff: Bool) {
        // Nothing comes after the last line of a file to which nothing is added.
        let isCutOff = isCutOff && !input.isEnded
        let mayGrow = isCutOff && input.identity.flatMap { versions[$0] } != nil
        let record = withKeyMark(mayGrow ? record.unfinished : record)
        add(record, isElement: false)
        if isCutOff { input.cutOff.append(cutOff(record, of: input)) }
        if isTooMany(rejected: rejectedCount, of: records) { stop(.tooManyErrors) }
    }

    /// Rejects an element of an array, whose record is stored.
    package func rejectElement(_ record: RejectedRecord) { add(record.of(.element), isElement: true) }

    private func add(_ record: RejectedRecord, isElement: Bool) {
        rejections.append(
            PendingRejection(
                record: record, isElement: isElement, reason: reasonInReport(record.reason, record.file), row: batch.count,
                input: inputs.count - 1))
        tally.rejectedBytes += record.text.utf8.count + record.reason.utf8.count
    }

    /// The most bytes of rejected records that wait to be committed.
    private static let enoughRejectedBytes = 1 << 20

    /// Stores a full batch.
    package func endRecord(_ input: InputProgress) throws {
        rows.endRecord()
        // Only a run with such a limit goes back, and only to a row of the batch.
        if hasErrorLimit, !batch.isEmpty { noteMarks(input) } else { rows.unknownKeys.endBatch() }
        if batch.count >= options.batch || isBatchLarge || tally.rejectedBytes > IngestRun.enoughRejectedBytes { try flush() }
    }

    /// Updates the progress line, if that is due.
    ///
    /// - Parameter time: Nanoseconds since the start of the run.
    package func showProgress(_ input: InputProgress, _ opened: OpenInput, at time: UInt64) {
        guard progress.isDue(time) else { return }
        progress.show(
            IngestProgress(
                bytes: readInputs.bytesBefore + opened.bytesRead(at: input.resumePoint.position),
                totalBytes: readInputs.totalBytes, records: records, rejected: rejectedCount, nanoseconds: time))
    }

    /// Whether the rows of the batch, and those of child tables, take so much memory that they should be stored now.
    private var isBatchLarge: Bool {
        batch.isLarge || childReading != nil && batch.byteCount + rows.childBytes > sink.batchSize
    }

    /// Notes the state after the batch's last row.
    private func noteMarks(_ input: InputProgress) {
        guard marks.count < batch.count else { return }
        marks.append(
            Mark(
                resumePoint: input.resumePoint, records: records, passedOver: report.passedOver,
                passedOverOfInput: input.passedOver, rows: rows.mark))
    }
}
