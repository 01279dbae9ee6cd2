// The loop over inputs and their records.

#if CommandLine
internal import GRDB
internal import SluiceCore
internal import SluiceFeed

extension IngestRun {
    /// Reads all inputs, one behind the other.
    func readInputs(_ progress: inout ProgressLine) throws {
        for (index, part) in plan.parts.enumerated() where goesOn {
            do {
                try read(part, &progress)
            } catch let error as JSONError {
                // What was read before it is kept.
                stop(.failed(error.summary))
            } catch let error as IngestError where error.status == .frozen {
                stop(.frozen(error.description))
            } catch let error as IngestError where index > 0 {
                stop(.failed(error.description))
            }
        }
        if !isStopped, interruption.received != 0 { stop(.interrupted(interruption.received)) }
        if isBeyondRatio { stop(.tooManyErrors) }
    }

    /// Reads what is left of an input, and notes how far that went.
    func read(_ part: IngestPlan.Part, _ progress: inout ProgressLine) throws {
        checkpoint = Checkpoint()
        if case .behind(let earlier) = part.rest {
            checkpoint = earlier
            checkpoint.isComplete = false
            report.resumed.append(IngestReport.Resumption(input: part.input.name, records: earlier.records))
        }
        let opened =
            try part.opened
            ?? OpenInput(
                part.input, format: options.format, at: options.path, compression: options.compression, from: checkpoint,
                interruption: interruption)
        checkpoint.signature = options.signature
        checkpoint.fingerprint = opened.fingerprint()
        let readingBefore = opened.source.nanoseconds
        defer {
            report.readingNanoseconds += opened.source.nanoseconds - readingBefore
            report.bytes += opened.source.count
            bytesBehind += opened.totalBytes ?? 0
        }
        do {
            try readRecords(opened, &progress)
        } catch {
            if !(error is DatabaseError) { try keepCheckpoint(opened) }
            throw error
        }
        try keepCheckpoint(opened)
    }

    /// The main loop.
    private func readRecords(_ opened: OpenInput, _ progress: inout ProgressLine) throws {
        var splitter = try opened.splitter(maximumRecordSize: options.maximumRecordSize)
        openEnd = nil
        if options.workers > 1 { return try readSlices(splitter, opened, &progress) }
        var isCutOff = false
        while goesOn {
            let before = checkpoint.position
            let next = Result { () throws(JSONError) in try splitter.next() }
            // After a signal the source ends, and what it ended with may be half a record.
            guard goesOn else { break }
            switch next {
            case .success(nil):
                // A last record without a line break may not be complete yet.
                finish(at: splitter.recordRange.upperBound == splitter.position.offset ? openEnd : nil, isCutOff)
                return
            case .success(let record?):
                note(splitter.position, splitter.detectedFormat, opened)
                unsafe try storeOrReject(record.bytes, at: record.position, opened, before)
            case .failure(let error):
                let error = error.shifted(by: opened.place(.start))
                // A feed that breaks off has been read to its end; one whose layout is damaged has not.
                let isUnreadable = splitter.isBroken && error.kind != .unexpectedEnd
                if Ingest.isFatal(error) || isUnreadable { throw error }
                isCutOff = splitter.isBroken
                if !splitter.isBroken { note(splitter.position, splitter.detectedFormat, opened) }
                unsafe try reject(RejectedRecord(error, nil, at: error.position, of: opened.name), error.description)
            }
            rows.endRecord()
            try endRecord(opened, &progress)
        }
    }

    /// The input has ended.
    ///
    /// - Parameter open: The place before a last record that may not be complete yet.
    func finish(at open: SourcePosition?, _ isCutOff: Bool) {
        checkpoint.isComplete = !isCutOff && open == nil
        guard !isCutOff, let open else { return }
        checkpoint.position = open
        checkpoint.records -= 1
        checkpoint.rejected -= 1
    }

    /// Reads a record and inserts its row, or rejects it.
    func storeOrReject(
        _ bytes: UnsafeRawBufferPointer, at position: SourcePosition, _ opened: OpenInput, _ before: SourcePosition
    ) throws {
        let failure: JSONError?
        do {
            failure = unsafe try store(bytes, at: opened.place(position), opened)
        } catch {
            // The record is not read yet.
            checkpoint.position = before
            checkpoint.records -= 1
            throw error
        }
        guard let failure else { return }
        if failure.kind == .unexpectedEnd { openEnd = before }
        unsafe try reject(
            RejectedRecord(failure, bytes, at: opened.place(position), of: opened.name), failure.description)
    }

    /// Counts a record, and notes the place behind it.
    func note(_ position: SourcePosition, _ format: JSONFeedFormat, _ opened: OpenInput) {
        records += 1
        checkpoint.records += 1
        checkpoint.position = opened.place(position)
        if checkpoint.layout.isEmpty { checkpoint.layout = IngestLayout.name(of: format) }
        openEnd = nil
    }

    /// Reads a record and inserts its row; why it cannot be read, if it cannot.
    private func store(_ bytes: UnsafeRawBufferPointer, at place: SourcePosition, _ opened: OpenInput) throws -> JSONError? {
        if records <= IngestRun.firstRecordCount, plan.origin == .declared { unsafe lookAtFirst(bytes) }
        let decision: RowReader.Decision
        do {
            decision = try unsafe rows.read(bytes, into: loader, file: opened.name, place: describe(place, opened))
        } catch let error as JSONError {
            let error = error.shifted(by: place)
            if Ingest.isFatal(error) { throw error }
            return error
        }
        if decision == .store { unsafe try insert(bytes, at: place, opened) }
        return nil
    }

    /// Inserts the row that is bound.
    func insert(_ bytes: UnsafeRawBufferPointer, at place: SourcePosition, _ opened: OpenInput) throws {
        guard let loader else { return }
        let verdict = try loader.insert()
        databaseTime &+= Clock.nanoseconds &- rows.cellsAreRead
        guard case .refused(let reason) = verdict else { return }
        unsafe try reject(
            RejectedRecord(constraint: reason, bytes, at: place, of: opened.name),
            "not accepted by the table (line \(place.line), column \(place.column), byte \(place.offset)): \(reason)")
    }

    private func describe(_ place: SourcePosition, _ opened: OpenInput) -> String {
        report.inputs > 1 ? "\(opened.name), line \(place.line)" : "line \(place.line)"
    }

    @inline(never)
    func lookAtFirst(_ bytes: UnsafeRawBufferPointer) {
        var reader = JSONReader()
        if let value = try? unsafe reader.read(JSONValue.self, from: bytes) { firstRecords.observe(value) }
    }

    func reject(_ record: RejectedRecord, _ reason: String) throws {
        report.reject(at: record.place, report.inputs > 1 ? "\(record.file): \(reason)" : reason)
        checkpoint.rejected += 1
        try rejects?.add(record)
        if report.rejected > options.maximumErrors ?? .max || records >= IngestRun.enoughForRatio && isBeyondRatio {
            stop(.tooManyErrors)
        }
    }

    /// Records from which on the share of the rejected ones says something.
    private static let enoughForRatio = 100

    private var isBeyondRatio: Bool {
        guard let ratio = options.maximumErrorRatio, records > 0 else { return false }
        return Double(report.rejected) > ratio * Double(records)
    }

    /// Commits a batch that is full, and shows how far the work has come.
    func endRecord(_ opened: OpenInput, _ progress: inout ProgressLine) throws {
        if let loader, loader.batchCount >= options.batch {
            let start = Clock.nanoseconds
            try rejects?.flush()
            try keepCheckpoint(opened)
            try loader.commit()
            databaseTime &+= Clock.nanoseconds &- start
        }
        // The clock is not looked at for a record that is not stored.
        let time = (loader == nil ? Clock.nanoseconds : rows.cellsAreRead) &- start
        guard progress.isDue(time) else { return }
        progress.show(
            ProgressLine.State(
                bytes: bytesBehind + opened.bytesRead(at: checkpoint.position), totalBytes: totalBytes, records: records,
                rejected: report.rejected, nanoseconds: time))
    }

    /// Writes how far the input has been read, into the transaction of its rows.
    private func keepCheckpoint(_ opened: OpenInput) throws {
        guard let db, db.isInsideTransaction, let identity = opened.identity else { return }
        checkpoint.columns = rows.layout.columns
        checkpoint.compression = opened.compression
        checkpoint.rejectsSize = rejects?.size ?? 0
        checkpoint.fingerprint = opened.moved(checkpoint.fingerprint, to: checkpoint.position.offset)
        try CheckpointTable.write(checkpoint, of: identity, for: options.table, db)
    }
}

extension RejectedRecord {
    /// Bytes of a record that are kept, at the most.
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
