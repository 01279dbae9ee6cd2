// How a feed handles records that cannot be read, and reports what was left out of the others.

public import SluiceCore

extension JSONFeed {
    /// The errors of ``rejectedRecords``.
    public var reasons: [JSONError] { rejectedRecords.map(\.error) }

    /// What was in the text of the records returned so far but was left out of them (see `JSONReadReport`). Paths start at the record,
    /// positions at the start of the feed. Unknown keys are named if `options.reading.unknownKeys` is `report`.
    public var report: JSONReadReport {
        var report = dropped
        if report.unknownKeyCount > 0 { report.add(unknownKeys: unsafe reader.acceptedUnknownKeys) }
        if countsProperties { report.properties = propertyCounts.list }
        return report
    }

    /// Counts and keeps a record that cannot be read.
    ///
    /// - Parameter given: The record's bytes, if the splitter returned them.
    /// - Throws: `error` itself if `options.invalidRecords` is `throw`; `JSONError` of kind `tooManyErrors` if a limit is exceeded; the
    ///   file's error if it cannot take the bytes.
    @inline(never)
    func reject(_ error: JSONError, at position: SourcePosition, _ given: UnsafeRawBufferPointer) throws(JSONError) {
        counts.rejected += 1
        let record = JSONRejectedRecord(
            range: recordRange, position: position, index: firstIndex + counts.total - 1,
            error: error)
        lastRejected = record
        if rejectedRecords.count < options.keptReasons { rejectedRecords.append(record) }
        if let rejectsLine {
            do throws(JSONError) {
                if let rejectsFailure { throw rejectsFailure }
                try unsafe rejectsLine.write(given.isEmpty ? splitter.rejectedBytes : splitter.sourceBytes(of: given))
            } catch {
                hasEnded = true
                rejectsLine.cutOff()
                throw error
            }
        }
        try checkLimits(isAtEnd: false)
        if case .throw = options.invalidRecords { throw error }
    }

    /// Sends records that are too long to be kept to the file of rejects, too, piece by piece.
    func keepPassedOver() {
        guard case .rejects(let rejects) = options.invalidRecords else { return }
        let line = rejects.makeLine()
        rejectsLine = line
        unsafe splitter.passedOver = { [weak self] piece in
            do throws(JSONError) {
                try unsafe line.write(piece: piece)
            } catch {
                self?.rejectsFailure = error
            }
        }
    }

    /// Ends the feed if too many records were rejected.
    ///
    /// - Throws: `JSONError` of kind `tooManyErrors`.
    func checkLimits(isAtEnd: Bool) throws(JSONError) {
        let total = counts.total
        let limit: String
        if let maximum = options.maximumErrors, rejectedCount > maximum, !isAtEnd {
            limit = "at most \(maximum) rejected records (maximumErrors)"
        } else if let ratio = options.maximumErrorRatio, Double(rejectedCount) > ratio * Double(total), isAtEnd || total >= 1000 {
            limit = "at most \(ratio) of all records rejected (maximumErrorRatio)"
        } else {
            return
        }
        hasEnded = true
        throw JSONError(
            .tooManyErrors, position: lastRejected?.error.position ?? .start, expected: limit,
            found: "\(rejectedCount) of \(total)", hint: lastRejected.map { "the last: \($0.error.summary)" } ?? "")
    }

    /// Adds to the report what the feed's own reader left out of the last record.
    @inline(never)
    func noteDropped(at position: SourcePosition) {
        var report = unsafe reader.report
        // The reader counts unknown keys by name itself.
        report.unknownKeys = []
        dropped.add(report.shifted(by: position), limit: options.reading.reportLimit)
        unsafe reader.acceptUnknownKeys(at: position)
    }

    /// Adds to the report what a worker left out of a record.
    @inline(never)
    func noteDropped(_ report: JSONReadReport) {
        dropped.add(report, limit: options.reading.reportLimit)
        if !report.unknownKeys.isEmpty { dropped.add(unknownKeys: report.unknownKeys) }
    }
}
