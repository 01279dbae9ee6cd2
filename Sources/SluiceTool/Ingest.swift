// A feed goes in, a table with its rows and a report come out. The bytes are read once; those of the first records are looked at
// twice when columns must be found.

#if CommandLine
internal import Foundation
internal import SluiceCore
internal import SluiceFeed

/// Streams a feed into a database.
struct Ingest {
    /// What is done, and how.
    struct Options: Sendable {
        var database: String
        var table = "records"
        /// The declared columns; empty if they are to be found in the records.
        var columns: [Column] = []
        var format = JSONFeedFormat.automatic
        /// Records that are looked at to find columns.
        var sample = 1_000
        /// Rows in one transaction.
        var batch = 10_000
        var existing = ExistingTable.refuse
        /// Rejected records beyond which to stop; nil is no limit.
        var maximumErrors: Int?
        /// Bytes that one record may have; a longer one is rejected.
        var maximumRecordSize = 64 << 20
        /// Bytes of the feed after which no further record is looked at to find columns: about what memory has room for.
        var maximumSampleSize = 8 << 20
    }

    let options: Options
    let interruption: Interruption

    init(_ options: Options, interruption: Interruption = Interruption()) {
        self.options = options
        self.interruption = interruption
    }

    /// Ingests a file, or standard input for `-`.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput` or ``IngestError``, before anything was changed.
    func run(input path: String, progress: inout ProgressLine) throws -> IngestReport {
        guard path != "-" else {
            let source = InterruptibleSource(
                descriptor: STDIN_FILENO, name: "standard input", interruption: interruption)
            return try run(source, totalBytes: OpenFile.size(of: STDIN_FILENO), progress: &progress)
        }
        let file = try OpenFile(path: path)
        return try withExtendedLifetime(file) {
            try run(file.source, totalBytes: file.size, progress: &progress)
        }
    }

    /// Ingests what a source gives.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput` or ``IngestError``, before anything was changed.
    func run(_ source: any ByteSource, totalBytes: Int? = nil, progress: inout ProgressLine) throws -> IngestReport {
        // A database that cannot take the records is told of before any are read.
        if FileManager.default.fileExists(atPath: options.database) { _ = try openDatabase() }
        // A record that the sample ends in is seen as a whole, or so much of it as shows that it is too long.
        let source = ReplayableSource(source, recordingLimit: options.maximumSampleSize + options.maximumRecordSize + 1)
        var report = IngestReport(database: options.database, table: options.table)
        report.columns = options.columns
        if options.columns.isEmpty { try infer(from: source, &report) }
        source.rewind()
        guard interruption.received == 0, !report.columns.isEmpty else {
            report.bytes = source.count
            if interruption.received != 0 { report.outcome = .interrupted(interruption.received) }
            return report
        }
        try load(source, totalBytes, &report, &progress)
        return report
    }

    private func openDatabase() throws(IngestError) -> RecordDatabase {
        try RecordDatabase(path: options.database, table: options.table, existing: options.existing)
    }

    private func splitter(_ source: ReplayableSource) -> RecordSplitter {
        RecordSplitter(source: source, format: options.format, maximumRecordSize: options.maximumRecordSize)
    }

    // MARK: Finding columns

    private func infer(from source: ReplayableSource, _ report: inout IngestReport) throws {
        var splitter = splitter(source)
        var reader = JSONReader()
        var inference = ColumnInference()
        var seen = 0
        var firstFailure: JSONError?
        while seen < options.sample, source.count < options.maximumSampleSize, interruption.received == 0 {
            do throws(JSONError) {
                guard let record = try splitter.next() else { break }
                seen += 1
                do throws(JSONError) {
                    inference.observe(try unsafe reader.read(JSONValue.self, from: record.bytes))
                } catch {
                    throw error.shifted(by: record.position)
                }
            } catch {
                if Ingest.isFatal(error) { throw error }
                firstFailure = firstFailure ?? error
            }
        }
        if interruption.received != 0 { return }
        report.columns = try inference.columns()
        report.origin = .inferred(records: seen)
        guard report.columns.isEmpty, seen > 0 || firstFailure != nil else { return }
        throw IngestError.noColumns(
            "no columns: none of the first \(max(seen, 1).grouped) records is an object with a key"
                + (firstFailure.map { "\n\($0)" } ?? ""))
    }

    // MARK: Storing records

    private func load(
        _ source: ReplayableSource, _ totalBytes: Int?, _ report: inout IngestReport, _ progress: inout ProgressLine
    ) throws {
        let database = try openDatabase()
        let columns = report.columns
        let start = Clock.nanoseconds
        let readingBefore = source.nanoseconds
        var loader: RecordLoader?
        var lastCommit = start
        do {
            try database.load(columns, batchSize: options.batch) { made in
                loader = made
                report.databaseNanoseconds = Clock.nanoseconds - start
                try store(source, totalBytes, made, start, &report, &progress)
                lastCommit = Clock.nanoseconds
            }
            report.databaseNanoseconds += Clock.nanoseconds - lastCommit
        } catch {
            guard loader != nil else {
                throw IngestError.database("cannot write \(options.database): \(RecordDatabase.words(for: error))")
            }
            report.outcome = .failed("cannot write \(options.database): \(RecordDatabase.words(for: error))")
        }
        progress.clear()
        report.nanoseconds = Clock.nanoseconds - start
        report.readingNanoseconds = source.nanoseconds - readingBefore
        report.bytes = source.count
        guard let loader else { return }
        report.stored = loader.stored
        report.addedColumns = loader.addedColumns
        report.surprises = zip(columns, loader.offTypeCounts).filter { $0.1 > 0 }.map {
            IngestReport.Surprise(column: $0.0.name, type: $0.0.type.name, count: $0.1)
        }
    }

    /// The main loop: record, cells, row.
    private func store(
        _ source: ReplayableSource, _ totalBytes: Int?, _ loader: RecordLoader, _ start: UInt64,
        _ report: inout IngestReport, _ progress: inout ProgressLine
    ) throws {
        var splitter = splitter(source)
        var reader = ColumnReader(columns: report.columns)
        let maximumErrors = options.maximumErrors ?? .max
        var records = 0
        var databaseTime: UInt64 = 0
        defer { report.databaseNanoseconds += databaseTime }
        reading: while report.rejected <= maximumErrors {
            let record: RecordSplitter.Record
            do throws(JSONError) {
                let next = try splitter.next()
                // After a signal the source ends, and what it ended with may be half a record.
                guard let next, interruption.received == 0 else { break reading }
                do throws(JSONError) {
                    unsafe try reader.read(next.bytes)
                } catch {
                    throw error.shifted(by: next.position)
                }
                record = next
            } catch {
                if interruption.received != 0 { break }
                // A feed that breaks off has been read to its end; one whose layout is damaged has not.
                let isUnreadable = splitter.isBroken && error.kind != .unexpectedEnd
                if Ingest.isFatal(error) || isUnreadable {
                    // What was read before it is kept.
                    report.outcome = .failed(error.summary)
                    return
                }
                report.reject(at: error.position, error.description)
                continue
            }
            // From the cells on it is SQLite's time: nearly all of `bind` is spent in its functions.
            let read = Clock.nanoseconds
            loader.bind(reader)
            let verdict = try loader.insert()
            let inserted = Clock.nanoseconds
            databaseTime &+= inserted &- read
            records += 1
            if case .refused(let reason) = verdict {
                report.reject(
                    at: record.position,
                    "not accepted by the table (line \(record.position.line), column \(record.position.column), "
                        + "byte \(record.position.offset)): \(reason)")
            }
            if progress.isDue(inserted &- start) {
                progress.show(
                    ProgressLine.State(
                        bytes: splitter.position.offset, totalBytes: totalBytes, records: records,
                        rejected: report.rejected, nanoseconds: inserted &- start))
            }
        }
        if report.rejected > maximumErrors { report.outcome = .tooManyErrors }
        if interruption.received != 0 { report.outcome = .interrupted(interruption.received) }
    }

    /// Whether an error is about more than one record.
    private static func isFatal(_ error: JSONError) -> Bool {
        error.kind == .inputOutput || error.kind == .incompatibleParser || error.kind == .invalidModel
    }
}
#endif
