// What a feed does with records that cannot be read, and with what was left out of the others.

public import SluiceCore

extension JSONFeed {
    /// The reasons of ``rejectedRecords``.
    public var reasons: [JSONError] { rejectedRecords.map(\.error) }

    /// What the records given out so far held that was left out of them (see `JSONReadReport`); the paths are those within the
    /// records, the places those in the feed. Unknown keys are named if `options.reading.unknownKeys` is `report`.
    public var report: JSONReadReport {
        var report = dropped
        if report.unknownKeyCount > 0 { report.add(unknownKeys: unsafe reader.acceptedUnknownKeys) }
        if countsProperties { report.properties = propertyCounts.list }
        return report
    }

    /// Takes note of a record that cannot be read.
    ///
    /// - Parameter given: The record's bytes, if they were given out.
    /// - Throws: The error where that is asked; `JSONError` if that is one too many, or its bytes cannot be written down.
    @inline(never)
    func reject(_ error: JSONError, at place: SourcePosition, _ given: UnsafeRawBufferPointer) throws(JSONError) {
        counts.rejected += 1
        let record = JSONRejectedRecord(
            range: recordRange, position: place, index: firstIndex + counts.total - 1,
            error: error)
        lastRejected = record
        if rejectedRecords.count < options.keptReasons { rejectedRecords.append(record) }
        if case .quarantine(let quarantine) = options.invalidRecords {
            do throws(JSONError) {
                if let quarantineFailure { throw quarantineFailure }
                try unsafe quarantine.write(given.isEmpty ? splitter.rejectedBytes : splitter.sourceBytes(of: given))
            } catch {
                hasEnded = true
                throw error
            }
        }
        try checkLimits(isAtEnd: false)
        if options.invalidRecords == .throw { throw error }
    }

    /// Lets a quarantine have the records that are too long to be kept, too.
    func keepPassedOver() {
        guard case .quarantine(let quarantine) = options.invalidRecords else { return }
        unsafe splitter.passedOver = { [weak self] piece in
            do throws(JSONError) {
                try unsafe quarantine.write(piece: piece)
            } catch {
                self?.quarantineFailure = error
            }
        }
    }

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

    /// Takes note of what the feed's own reader left out of the record that it read last.
    @inline(never)
    func noteDropped(at position: SourcePosition) {
        var report = unsafe reader.report
        // The reader has counted them by name.
        report.unknownKeys = []
        dropped.add(report.shifted(by: position), limit: options.reading.reportLimit)
        unsafe reader.acceptUnknownKeys(at: position)
    }

    /// Takes note of what a worker left out of a record.
    @inline(never)
    func noteDropped(_ report: JSONReadReport) {
        dropped.add(report, limit: options.reading.reportLimit)
        if !report.unknownKeys.isEmpty { dropped.add(unknownKeys: report.unknownKeys) }
    }
}
