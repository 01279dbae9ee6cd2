// What an ingest has done, in numbers.

#if CommandLine
internal import SluiceCore

/// The result of an ingest.
struct IngestReport {
    /// How it ended.
    enum Outcome: Hashable {
        /// At the end of the feed.
        case complete
        /// Earlier runs have read all there is.
        case nothingToDo
        /// More records were rejected than allowed.
        case tooManyErrors
        /// At a key that the contract forbids.
        case frozen(String)
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

    /// A declared column that no record has had.
    struct UnseenColumn: Hashable {
        let column: String
        let path: String
        /// The path that was probably meant.
        let meant: String?
    }

    /// An input that was taken up where an earlier run ended.
    struct Resumption: Hashable {
        let input: String
        /// Records that are behind that place.
        let records: Int
    }

    /// Where the columns come from.
    enum Origin: Hashable {
        case declared
        /// Found by looking at this many records.
        case inferred(records: Int)
        /// Those of the run that is taken up again.
        case resumed
    }

    var outcome = Outcome.complete
    var database: String
    var table: String
    var isDryRun = false
    var inputs = 1
    var columns: [Column] = []
    var origin = Origin.declared
    var resumed: [Resumption] = []
    /// Columns that a table that existed before did not have.
    var addedColumns: [String] = []
    /// Columns that were made for keys that came late.
    var lateColumns: [LateKey] = []
    /// Records that were read.
    var records = 0
    /// Rows that are committed.
    var stored = 0
    /// Rows that stayed as they were, because they had the key of a record.
    var kept = 0
    /// Whether records may have changed rows instead of adding some.
    var isMerged = false
    var rowsBefore = 0
    /// Rows of the table in the end.
    var totalRows: Int?
    var contract = KeyContract.evolve
    var hasOverflow = false
    /// Keys whose values are in no column, and how many values those are.
    var lostKeys: [LateKey] = []
    var lostValues = 0
    /// Records that `--contract discard-row` has left out.
    var discarded = 0
    /// Records that do not match `--where`.
    var passedOver = 0
    var rejected = 0
    var rejections: [Rejection] = []
    var rejectsTarget: String?
    var surprises: [Surprise] = []
    var unseenColumns: [UnseenColumn] = []
    var digitLosses: [RecordLoader.DigitLoss] = []
    var bytes = 0
    /// From the first byte to the last commit, in nanoseconds, and how much of that went into waiting for input and into SQLite.
    var nanoseconds: UInt64 = 0
    var readingNanoseconds: UInt64 = 0
    var databaseNanoseconds: UInt64 = 0

    /// How many rejections are kept with their reasons.
    private let keptRejections: Int

    init(database: String, table: String, keptRejections: Int = 5) {
        self.database = database
        self.table = table
        self.keptRejections = keptRejections
    }

    mutating func reject(at position: SourcePosition, _ reason: String) {
        rejected += 1
        if rejections.count < keptRejections {
            rejections.append(Rejection(position: position, reason: reason))
        }
    }

    /// Rows that are in the table and were not before.
    var addedRows: Int { isMerged ? max(0, (totalRows ?? stored) - rowsBefore) : stored }

    /// Whether all of the input is in the output, but for what the user has left out.
    private var isWhole: Bool {
        let losesKeys = lostValues > 0 && (contract == .evolve || contract == .report && !hasOverflow)
        return rejected == 0 && !losesKeys && digitLosses.isEmpty && unseenColumns.allSatisfy { $0.meant == nil }
    }

    /// What the process ends with.
    var status: ExitStatus {
        switch outcome {
        case .complete, .nothingToDo: isWhole ? .success : .rejected
        case .tooManyErrors: .tooManyErrors
        case .frozen: .frozen
        case .interrupted(let signal): .interrupted(signal: signal)
        case .failed: .inputOutput
        }
    }
}
#endif
