// Checks a feed with several threads. Each counts the records of a slice, and keeps only the slice's errors.

internal import SluiceCore
internal import SluiceFeed

/// The findings of one thread in one slice.
private struct CheckedSlice: Sendable {
    /// A record that is not valid JSON.
    struct Problem: Sendable {
        let error: JSONError
        /// How many records before it in the slice are valid.
        let recordsBefore: Int
        /// The position after it.
        let end: SourcePosition
    }

    /// How many records are valid.
    var records = 0
    var problems: [Problem] = []
    let format: JSONFeedFormat
    let end: SourcePosition

    init(_ slice: FeedSlice, _ reader: inout JSONReader, _ filter: inout PathWatch?, _ watch: inout PathWatch?) {
        format = slice.format
        end = slice.end
        unsafe slice.bytes.withUnsafeBytes { bytes in
            var steps = unsafe FeedSliceReader(slice, bytes)
            while let step = steps.next() {
                switch step {
                case .record(let record, let place):
                    // Records that are left out are records, too: a path that one of them has is not misspelt.
                    unsafe watch?.look(at: record)
                    if unsafe filter?.matches(record) == false { continue }
                    do throws(JSONError) {
                        _ = try unsafe reader.read(CheckedText.self, from: record)
                        records += 1
                    } catch {
                        note(error.shifted(by: place), steps.end)
                    }
                case .rejected(let error, _), .failed(let error): note(error, steps.end)
                }
            }
        }
    }

    private mutating func note(_ error: JSONError, _ end: SourcePosition) {
        problems.append(Problem(error: error, recordsBefore: records, end: end))
    }
}

extension Check {
    /// Checks the records of an input that match `--where`, with ``Options/workers`` threads.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput` if it cannot be opened.
    func runSlices(
        _ input: IngestInput, name: String, progress: inout some ProgressDisplay
    ) throws(JSONError) -> CheckReport {
        let opened = try OpenInput(input, options.feed, interruption: interruption)
        var report = CheckReport(name: name)
        report.path = options.feed.path
        let splitter = try opened.splitter(maximumRecordSize: options.maximumRecordSize, envelopeReading: reading)
        let (reading, condition, hidesText, sightings) = (
            reading, options.feed.filter, options.feed.hidesText, options.sightings
        )
        let workers = try OrderedWorkers(count: options.workers, cutter: SliceCutter(splitter, keeping: opened)) {
            var reader = JSONReader(options: reading)
            reader.hidesText = hidesText
            var filter = condition?.makeFilter()
            var watch = sightings?.makeWatch()
            return { CheckedSlice($0, &reader, &filter, &watch) }
        }
        let start = Clock.nanoseconds
        var position = SourcePosition(offset: opened.textOffset, line: 1, column: 1)
        // A signal ends the source early, so the last record may be cut in half.
        while !report.isStopped, let slice = workers.next(), interruption.received == 0 {
            report.format = slice.format
            position = note(slice, in: &report)
            let now = Clock.nanoseconds - start
            guard progress.isDue(now) else { continue }
            progress.show(
                IngestProgress(
                    bytes: opened.bytesRead(at: position), totalBytes: opened.totalBytes, records: report.records,
                    rejected: report.wrong, nanoseconds: now))
        }
        progress.clear()
        report.isCompressed = opened.isCompressed
        report.bytes = position.offset - opened.textOffset
        report.nanoseconds = Clock.nanoseconds - start
        report.signal = interruption.received
        return report
    }

    /// Adds the findings of a slice to the report. Returns the position up to which the input is checked now.
    private func note(_ slice: CheckedSlice, in report: inout CheckReport) -> SourcePosition {
        let recordsBefore = report.records
        for problem in slice.problems {
            report.note(problem.error, limit: options.keptErrors)
            guard report.wrong > options.maximumErrors ?? .max else { continue }
            report.isStopped = true
            report.records = recordsBefore + problem.recordsBefore
            return problem.end
        }
        report.records = recordsBefore + slice.records
        return slice.end
    }
}
