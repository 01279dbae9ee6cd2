// Checks a feed: counts its records, and notes the first positions where it is not JSON.

package import SluiceCore
internal import SluiceFeed

/// Checks records in one thread.
private struct CheckWorker: ~Copyable, RecordWorker {
    private var reader: JSONReader
    private let checker: (any DocumentChecker)?

    init(_ reading: JSONReader.Options, hidesText: Bool, contract: (any DocumentContract)?) {
        reader = JSONReader(options: reading)
        reader.hidesText = hidesText
        checker = contract?.makeChecker()
    }

    mutating func take(_ record: UnsafeRawBufferPointer, at offset: Int) -> JSONError? {
        do throws(JSONError) {
            // A contract reads the record itself, and finds that it is not JSON. Only a reader looks for repeated keys.
            if checker == nil || reader.options.duplicateKeys == .errorEverywhere {
                _ = try unsafe reader.read(CheckedText.self, from: record)
            }
            return unsafe checker?.fault(in: record, hidesText: reader.hidesText)
        } catch {
            return error
        }
    }

    mutating func takeOutput() {}
}

/// Reads feeds only to check them; keeps none of their records.
package struct Check {
    /// What is checked, and how.
    package struct Options {
        package var feed = FeedReading()
        /// How many threads check.
        package var workers = 1
        /// Whether a key that appears twice in one object is an error.
        package var isStrict = false
        /// Stop when more records than this are wrong; nil for no limit.
        package var maximumErrors: Int?
        /// How many errors the report keeps; further ones are only counted.
        package var keptErrors = 5
        /// The most bytes that a record may have. A longer document that is alone in its file is read in pieces.
        package var maximumRecordSize = 64 << 20
        /// Notes which sensitive paths the records have; nil if that is not asked for. Rows under a header are not looked at.
        package var sightings: PathSightings?
        /// What each record must fit; nil if it need only be JSON.
        package var contract: (any DocumentContract)?

        package init() {}
    }

    let options: Options
    let interruption: Interruption

    package init(_ options: Options, interruption: Interruption = Interruption()) {
        self.options = options
        self.interruption = interruption
    }

    /// Checks a file, or standard input for `-`.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput` if it cannot be opened.
    package func run(input path: String, progress: inout some ProgressDisplay) throws(JSONError) -> CheckReport {
        let input = IngestInput(path)
        var report = try run(input, name: input.name, progress: &progress)
        // A contract takes a record as a whole.
        if options.feed.path == nil, options.feed.range == nil, options.contract == nil, !report.isCompressed,
            input.isRegularFile,
            report.records == 0, report.errors.first?.kind == .sizeLimit
        {
            try checkDocument(path, &report)
        }
        return report
    }

    /// Checks the bytes of a source.
    package func run(_ source: any ByteSource, name: String, progress: inout some ProgressDisplay) -> CheckReport {
        do throws(JSONError) {
            return try run(.source(source, totalBytes: nil), name: name, progress: &progress)
        } catch {
            var report = CheckReport(name: name)
            report.note(error, limit: options.keptErrors)
            return report
        }
    }

    /// - Throws: ``JSONError`` of kind `inputOutput` if the input cannot be opened.
    private func run(
        _ input: IngestInput, name: String, progress: inout some ProgressDisplay
    ) throws(JSONError) -> CheckReport {
        var report = CheckReport(name: name)
        report.path = options.feed.path
        var pass = RecordPass(
            feed: options.feed, reading: reading, workers: options.workers, interruption: interruption,
            sightings: options.sightings)
        // Records that are left out are records, too: a path that one of them has is not misspelt.
        pass.watchesAll = true
        pass.maximumRecordSize = options.maximumRecordSize
        let (reading, hidesText, contract) = (reading, options.feed.hidesText, options.contract)
        let parts = try pass.parts(of: input) { CheckWorker(reading, hidesText: hidesText, contract: contract) }
        let opened = parts.opened
        let start = Clock.nanoseconds
        var position = SourcePosition(offset: opened.textOffset, line: 1, column: 1)
        while !report.isStopped, let part = parts.next() {
            report.format = part.format
            position = note(part, in: &report)
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
    private func note(_ part: RecordPart<Void>, in report: inout CheckReport) -> SourcePosition {
        let recordsBefore = report.records
        for problem in part.problems {
            report.note(problem.error, limit: options.keptErrors)
            guard report.wrong > options.maximumErrors ?? .max else { continue }
            report.isStopped = true
            report.records = recordsBefore + problem.recordsBefore
            return problem.end
        }
        report.records = recordsBefore + part.count
        return part.end
    }

    var reading: JSONReader.Options {
        var reading = JSONReader.Options(validation: .full)
        if options.isStrict { reading.duplicateKeys = .errorEverywhere }
        return reading
    }

    /// Reads a file again in pieces, because it may be one document that is longer than any record may be.
    private func checkDocument(_ path: String, _ report: inout CheckReport) throws(JSONError) {
        let input = try CommandInput(path: path, interruption: interruption)
        let start = Clock.nanoseconds
        var document = CheckReport(name: report.name)
        document.bytes = input.size ?? 0
        document.format = .concatenated
        do throws(JSONError) {
            var reader = JSONReader(options: reading)
            reader.hidesText = options.feed.hidesText
            var source = AnyByteSource(source: input.source)
            _ = try reader.read(CheckedText.self, from: &source)
            document.records = 1
        } catch {
            // The file holds more than one value.
            if error.kind == .trailingContent { return }
            document.note(error, limit: options.keptErrors)
        }
        document.nanoseconds = Clock.nanoseconds - start
        document.signal = interruption.received
        report = document
    }
}
