// Checks a feed: counts its records, and notes the first places where it is not JSON.

internal import SluiceCompression
package import SluiceCore
internal import SluiceFeed

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
        var report: CheckReport
        if usesSlices {
            report = try runSlices(input, name: input.name, progress: &progress)
        } else {
            let opened = try CommandInput(input, interruption: interruption)
            let feed = try opened.feed(
                of: CheckedText.self, options.feed, reading, maximumRecordSize: options.maximumRecordSize)
            report = run(feed, name: input.name, progress: &progress)
        }
        if options.feed.path == nil, options.feed.range == nil, !report.isCompressed, input.isRegularFile,
            report.records == 0, report.errors.first?.kind == .sizeLimit
        {
            try checkDocument(path, &report)
        }
        return report
    }

    /// Checks the bytes of a source.
    package func run(_ source: any ByteSource, name: String, progress: inout some ProgressDisplay) -> CheckReport {
        if usesSlices {
            do throws(JSONError) {
                return try runSlices(.source(source, totalBytes: nil), name: name, progress: &progress)
            } catch {
                var report = CheckReport(name: name)
                report.note(error, limit: options.keptErrors)
                return report
            }
        }
        var feedOptions = options.feed.options(of: CheckedText.self, reading: reading)
        feedOptions.maximumRecordSize = options.maximumRecordSize
        return run(JSONFeed(source: source, options: feedOptions), name: name, progress: &progress)
    }

    private func run(_ feed: JSONFeed<CheckedText>, name: String, progress: inout some ProgressDisplay) -> CheckReport {
        // A range does not begin at byte 0 of its file.
        let first = feed.consumedBytes
        var report = CheckReport(name: name)
        report.path = options.feed.path
        let start = Clock.nanoseconds
        while report.wrong <= options.maximumErrors ?? .max {
            do throws(JSONError) {
                // A signal ends the source early, so the last record may be cut in half.
                guard try feed.next() != nil, interruption.received == 0 else { break }
                report.records += 1
            } catch {
                if interruption.received != 0 { break }
                report.note(error, limit: options.keptErrors)
                if error.kind == .inputOutput { break }
            }
            // Asking for the time after every record would cost as much as checking a small record.
            guard (report.records + report.wrong) & 63 == 0 else { continue }
            let now = Clock.nanoseconds - start
            if progress.isDue(now) {
                progress.show(
                    IngestProgress(
                        bytes: feed.consumedInputBytes, totalBytes: feed.totalBytes, records: report.records,
                        rejected: report.wrong,
                        nanoseconds: now))
            }
        }
        progress.clear()
        report.format = feed.format
        report.isCompressed = feed.compression != .none
        report.bytes = feed.consumedBytes - first
        report.nanoseconds = Clock.nanoseconds - start
        report.signal = interruption.received
        report.isStopped = report.wrong > options.maximumErrors ?? .max
        return report
    }

    /// Whether the feed is checked slice by slice: with several threads, or with `--where` and `--sensitive`, which look at the text of
    /// records. Rows under a header cannot be read in slices: the thread that cuts the feed reads them.
    private var usesSlices: Bool {
        (options.workers > 1 || options.feed.filter != nil || options.sightings != nil) && !options.feed.hasHeader
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
