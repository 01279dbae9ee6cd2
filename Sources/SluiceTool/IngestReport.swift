// What an ingest has done, in numbers and in words.

#if CommandLine
internal import SluiceCore

/// The result of an ingest.
struct IngestReport {
    /// How it ended.
    enum Outcome: Hashable {
        /// At the end of the feed.
        case complete
        /// More records were rejected than allowed.
        case tooManyErrors
        /// At a signal.
        case interrupted(Int32)
        /// The feed could not be read on, or the database not be written.
        case failed(String)
    }

    /// A record that was not stored.
    struct Rejection: Hashable {
        let position: SourcePosition
        /// Why, with path and place; may have more than one line.
        let reason: String
    }

    /// A column that was found in the records, and whose type a later record contradicted.
    struct Surprise: Hashable {
        let column: String
        let type: String
        let count: Int
    }

    /// Where the columns come from.
    enum Origin: Hashable {
        case declared
        /// Found by looking at this many records.
        case inferred(records: Int)
    }

    var outcome = Outcome.complete
    var database: String
    var table: String
    var columns: [Column] = []
    var origin = Origin.declared
    /// Columns that a table that existed before did not have.
    var addedColumns: [String] = []
    /// Rows that are committed.
    var stored = 0
    var rejected = 0
    var rejections: [Rejection] = []
    var surprises: [Surprise] = []
    var bytes = 0
    /// From the first byte to the last commit, in nanoseconds, and how much of that went into waiting for input and into SQLite.
    var nanoseconds: UInt64 = 0
    var readingNanoseconds: UInt64 = 0
    var databaseNanoseconds: UInt64 = 0

    /// How many rejections are kept with their reasons.
    static let keptRejections = 5

    mutating func reject(at position: SourcePosition, _ reason: String) {
        rejected += 1
        if rejections.count < IngestReport.keptRejections {
            rejections.append(Rejection(position: position, reason: reason))
        }
    }

    /// What the process ends with.
    var status: ExitStatus {
        switch outcome {
        case .complete: rejected == 0 ? .success : .rejected
        case .tooManyErrors: .tooManyErrors
        case .interrupted(let signal): .interrupted(signal: signal)
        case .failed: .inputOutput
        }
    }

    /// The report as it is printed.
    var text: String {
        var lines: [String] = []
        switch outcome {
        case .complete: break
        case .tooManyErrors: lines.append("stopped: too many records were rejected")
        case .interrupted(let signal): lines.append("stopped by signal \(signal)")
        case .failed(let reason): lines.append("stopped: \(reason)")
        }
        lines.append(
            columns.isEmpty
                ? "the input holds no records: no table was made"
                : "\(counted(stored, "record")) in \(database), table \(table): "
                    + "\(counted(columns.count, "column")), \(originText)")
        if !addedColumns.isEmpty {
            lines.append("columns added to the table: \(addedColumns.joined(separator: ", "))")
        }
        for surprise in surprises {
            let values = surprise.count == 1 ? "1 value" : "\(surprise.count.grouped) values"
            lines.append(
                "\(surprise.column) is \(surprise.type), but \(values) of another type came later and were kept as they are")
        }
        if rejected > 0 {
            lines.append("\(counted(rejected, "record")) rejected" + (rejections.count < rejected ? "; the first:" : ":"))
            for rejection in rejections { lines.append("  " + rejection.reason.replacing("\n", with: "\n    ")) }
        }
        lines.append(speedText)
        if nanoseconds > 0 { lines.append(timeText) }
        return lines.joined(separator: "\n") + "\n"
    }

    private var originText: String {
        switch origin {
        case .declared: "declared"
        case .inferred(let records): "inferred from the first \(counted(records, "record")); other keys are left out"
        }
    }

    private var speedText: String {
        let seconds = Double(nanoseconds) / 1e9
        guard seconds > 0 else { return megabytes(bytes) }
        return "\(megabytes(bytes)) in \(seconds.fixed(2)) s: \((Double(bytes) / 1e6 / seconds).fixed(1)) MB/s, "
            + "\((Double(stored + rejected) / seconds).fixed(0)) records/s"
    }

    private var timeText: String {
        let others = nanoseconds - min(nanoseconds, readingNanoseconds + databaseNanoseconds)
        func share(_ part: UInt64) -> String { (Double(part) / Double(nanoseconds) * 100).fixed(0) + " %" }
        return "reading \(share(readingNanoseconds)), parsing and binding \(share(others)), SQLite \(share(databaseNanoseconds))"
    }

    private func counted(_ count: Int, _ noun: String) -> String { "\(count.grouped) \(noun)\(count == 1 ? "" : "s")" }
}
#endif
