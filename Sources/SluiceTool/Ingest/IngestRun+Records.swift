// The loop over the inputs and their records.

#if CommandLine
internal import Foundation
internal import GRDB
internal import SluiceCore
internal import SluiceFeed

extension IngestRun {
    /// Reads all inputs, one after the other.
    func readInputs(_ progress: inout ProgressLine) throws {
        for (index, part) in plan.parts.enumerated() where goesOn {
            do {
                try read(part, &progress)
            } catch let error as JSONError {
                // The rows read before the error are kept.
                if case .behind(let earlier) = part.rest {
                    stop(.failed(earlier.words(for: error, of: part.input)))
                } else {
                    stop(.failed(error.summary))
                }
            } catch CommandError.frozen(let reason) {
                stop(.frozen(reason))
            } catch CommandError.output(let reason) {
                // The open transaction cannot be committed: its rejected records would be lost.
                throw CommandError.output(reason)
            } catch let error as CommandError where index > 0 {
                stop(.failed(error.description))
            }
        }
        if !isStopped, interruption.received != 0 { stop(.interrupted(interruption.received)) }
        if isBeyondRatio { stop(.tooManyErrors) }
    }

    /// Reads the rest of an input, and stores how far it has been read.
    func read(_ part: IngestPlan.Part, _ progress: inout ProgressLine) throws {
        rejectedOfInput = 0
        passedOverOfInput = 0
        isInputComplete = false
        cutOff = []
        earlierCutOff = StoredCheckpoint.CutOff()
        var checkpoint: JSONCheckpoint?
        if case .behind(let earlier) = part.rest {
            checkpoint = earlier.feed
            rejectedOfInput = earlier.lastingRejections
            passedOverOfInput = earlier.passedOver
            earlierCutOff = earlier.cutOff
            report.resumed.append(IngestReport.Resumption(input: part.input.name, records: earlier.feed.recordIndex))
        }
        let opened =
            try part.opened ?? OpenInput(part.input, options.feed, from: checkpoint, interruption: interruption)
        // If this throws, the checkpoint stays as it is: no record of the input has been read yet.
        let splitter = try opened.splitter(maximumRecordSize: options.maximumRecordSize)
        resumePoint = splitter.resumePoint
        earlierRecords = resumePoint.recordCount
        let readingBefore = opened.source.nanoseconds
        defer {
            rows.noteCountedKeys { describe($0, opened) }
            report.readingNanoseconds += opened.source.nanoseconds - readingBefore
            report.bytes += opened.newBytes
            bytesBehind += opened.totalBytes ?? 0
        }
        do {
            try readRecords(splitter, opened, &progress)
        } catch {
            if !(error is DatabaseError) { try keepCheckpoint(opened) }
            throw error
        }
        try keepCheckpoint(opened)
    }

    /// The main loop.
    private func readRecords(
        _ splitter: consuming RecordSplitter, _ opened: OpenInput, _ progress: inout ProgressLine
    ) throws {
        let workers = workerCount(for: opened)
        if workers > 1 { return try readSlices(splitter, opened, workers: workers, &progress) }
        while goesOn {
            let timeBefore = rows.cellsAreRead
            var next = Result { () throws(JSONError) in try splitter.next(waits: !opened.mayWait) }
            while splitter.needsBytes, !splitter.isBroken {
                let filling = try waiting(for: opened, isReady: opened.isReady(within: IngestRun.patience)) {
                    Result { () throws(JSONError) in try splitter.fill() }
                }
                next = Result { () throws(JSONError) in
                    try filling.get()
                    return try splitter.next(waits: false)
                }
            }
            // A signal ends the source early, so the last record may be cut in half.
            guard goesOn else { break }
            switch next {
            case .success(nil):
                isInputComplete = cutOff.isEmpty
                return
            case .success(let record?) where unsafe filter?.matches(record.bytes) == false:
                countPassedOver()
                resumePoint.pass(behind: splitter)
            case .success(let record?):
                records += 1
                let text = unsafe splitter.sourceBytes(of: record.bytes)
                let failure = unsafe try store(record.bytes, of: text, at: record.position, opened)
                if let failure {
                    let rejected = unsafe RejectedRecord(
                        splitter.located(failure), text, at: record.position, of: opened.name)
                    try reject(rejected, isCutOff: splitter.endsInRecord)
                }
                if failure == nil || !splitter.endsInRecord { resumePoint.pass(behind: splitter) }
            case .failure(let error):
                // A feed that breaks off has been read to its end; a feed with a damaged layout has not.
                let isUnreadable = splitter.isBroken && error.kind != .unexpectedEnd
                if Ingest.isFatal(error) || isUnreadable { throw error }
                let isCutOff = splitter.isBroken || splitter.endsInRecord
                if !isCutOff { records += 1 }
                let text = unsafe splitter.rejectedText(error)
                try reject(unsafe RejectedRecord(error, text, at: error.position, of: opened.name), isCutOff: isCutOff)
                if !isCutOff { resumePoint.pass(behind: splitter) }
            }
            rows.endRecord()
            // For a stored record, the time at which its cells were read serves again, to save a call.
            let isRead = rows.cellsAreRead != timeBefore
            try endRecord(opened, at: (isRead ? rows.cellsAreRead : Clock.nanoseconds) &- start, &progress)
        }
    }

    /// Counts a record that does not match `--where`.
    func countPassedOver() {
        passedOverOfInput += 1
        report.passedOver += 1
    }

    /// Reads a record and inserts its row. Returns the error if the record cannot be read.
    ///
    /// - Parameter text: The bytes of the record in the input.
    func store(
        _ bytes: UnsafeRawBufferPointer, of text: UnsafeRawBufferPointer, at position: SourcePosition, _ opened: OpenInput
    ) throws -> JSONError? {
        if records <= IngestRun.firstRecordCount, plan.origin == .declared { unsafe lookAtFirst(bytes) }
        do {
            let decision = try unsafe rows.read(
                bytes, into: loader, file: opened.name, at: position, place: describe(position, opened))
            guard decision == .store, loader != nil else { return nil }
            unsafe try insert(text, at: position, opened)
            databaseTime &+= Clock.nanoseconds &- rows.cellsAreRead
            return nil
        } catch let error as JSONError where !Ingest.isFatal(error) {
            return error
        }
    }

    /// Inserts the row whose values are bound.
    func insert(_ text: UnsafeRawBufferPointer, at position: SourcePosition, _ opened: OpenInput) throws {
        guard let loader else { return }
        guard case .refused(let reason) = try loader.insert() else { return }
        // A row that a table does not accept was made of a whole record.
        let place = "line \(position.line), column \(position.column), byte \(position.offset)"
        try reject(
            unsafe RejectedRecord(constraint: reason, text, at: position, of: opened.name), isCutOff: false,
            reason: "not accepted by the table (\(place)): \(reason)")
    }

    /// Removes the rejections of the records in which an earlier run found the input's end: they are being read again.
    private func removeEarlierRejections() throws {
        guard let db, db.isInsideTransaction, !earlierCutOff.records.isEmpty else { return }
        try rejects?.remove(earlierCutOff, db)
        earlierCutOff = StoredCheckpoint.CutOff()
    }

    func describe(_ position: SourcePosition, _ opened: OpenInput) -> String {
        report.inputs > 1 ? "\(opened.name), line \(position.line)" : "line \(position.line)"
    }

    @inline(never)
    func lookAtFirst(_ bytes: UnsafeRawBufferPointer) {
        var reader = JSONReader()
        if let value = try? unsafe reader.read(JSONValue.self, from: bytes) { firstRecords.observe(value) }
    }

    /// Rejects a record.
    ///
    /// - Parameters:
    ///   - isCutOff: Whether the input ended inside the record, which must then not be passed.
    ///   - reason: The reason for the report; nil if it is the one that is stored.
    func reject(_ record: RejectedRecord, isCutOff: Bool, reason: String? = nil) throws {
        let reason = reason ?? record.reason
        report.reject(at: record.place, report.inputs > 1 ? "\(record.file): \(reason)" : reason)
        rejectedOfInput += 1
        try removeEarlierRejections()
        if isCutOff { cutOff.append(StoredCheckpoint.CutOff.Record(offset: record.record.offset, kind: record.kind)) }
        try rejects?.add(record)
        if report.rejected > options.maximumErrors ?? .max || records >= IngestRun.enoughForRatio && isBeyondRatio {
            stop(.tooManyErrors)
        }
    }

    /// The number of records from which on the share of rejected ones is meaningful.
    private static let enoughForRatio = 100

    private var isBeyondRatio: Bool {
        guard let ratio = options.maximumErrorRatio, records > 0 else { return false }
        return Double(report.rejected) > ratio * Double(records)
    }

    /// Commits a full batch, and updates the progress line.
    ///
    /// - Parameter time: Nanoseconds since the start of the run.
    func endRecord(_ opened: OpenInput, at time: UInt64, _ progress: inout ProgressLine) throws {
        if let loader, let db, loader.batchCount >= options.batch || rejects?.isFull == true {
            let start = Clock.nanoseconds
            try commitBatch(opened, db)
            // Gives another process that waits for the database a chance to get it.
            usleep(300)
            try db.beginTransaction(.immediate)
            databaseTime &+= Clock.nanoseconds &- start
        }
        guard progress.isDue(time) else { return }
        progress.show(
            ProgressLine.State(
                bytes: bytesBehind + opened.bytesRead(at: resumePoint.position), totalBytes: totalBytes, records: records,
                rejected: report.rejected, nanoseconds: time))
    }

    /// Commits what was read of an input, together with its checkpoint and rejections.
    func commitBatch(_ opened: OpenInput, _ db: Database) throws {
        try keepCheckpoint(opened)
        try rejects?.beginCommit(db)
        nextSequence = nil
        try db.commit()
        hasCommitted = true
        loader?.noteCommit()
        try rejects?.endCommit(db)
    }

    /// Stores how far the input has been read, in the transaction of its rows.
    ///
    /// - Throws: ``OtherRun`` if another run has written the checkpoint since this run did. The transaction must then be rolled
    ///   back, because the other run has stored the same records.
    func keepCheckpoint(_ opened: OpenInput) throws {
        guard let db, db.isInsideTransaction, let identity = opened.identity else { return }
        // If the run ends before it has read those records again, the earlier checkpoint still says all there is to say.
        if !earlierCutOff.records.isEmpty, resumePoint.recordCount == earlierRecords, !isInputComplete { return }
        try removeEarlierRejections()
        let checkpoint = StoredCheckpoint(
            feed: opened.checkpoint(of: resumePoint, isComplete: isInputComplete), rejected: rejectedOfInput,
            passedOver: passedOverOfInput, isComplete: isInputComplete, columns: rows.layout.columns,
            signature: options.signature, cutOff: StoredCheckpoint.CutOff(file: opened.name, records: cutOff))
        let sequence = try nextSequence ?? CheckpointTable.nextSequence(db)
        let version = try versions[identity].flatMap { version in
            try CheckpointTable.write(checkpoint, of: identity, over: version, sequence: sequence, db)
        }
        guard let version else {
            let entries = try CheckpointTable.entries(of: options.table, db)
            throw OtherRun(opened.name, entries.last { $0.input == identity }, isRunning: false)
        }
        versions[identity] = version
        nextSequence = sequence + 1
    }
}

extension RejectedRecord {
    /// The most bytes of a rejected record that are kept.
    private static let keptBytes = 1 << 20

    init(_ error: JSONError, _ bytes: UnsafeRawBufferPointer?, at record: SourcePosition, of file: String) {
        unsafe self.init(
            file: file, record: record, place: error.position, column: error.path, kind: "\(error.kind)",
            text: bytes.map { unsafe String(decoding: $0.prefix(RejectedRecord.keptBytes), as: UTF8.self) } ?? "",
            reason: error.description)
    }

    init(constraint reason: String, _ bytes: UnsafeRawBufferPointer, at record: SourcePosition, of file: String) {
        unsafe self.init(
            file: file, record: record, place: record, column: "", kind: "constraint",
            text: String(decoding: bytes.prefix(RejectedRecord.keptBytes), as: UTF8.self), reason: reason)
    }
}
#endif
