// The result of an ingest, in numbers.

#if CommandLine
internal import SluiceCore

/// The result of an ingest.
struct IngestReport {
    /// Why the ingest ended.
    enum Outcome: Hashable {
        /// The feed has ended.
        case complete
        /// Earlier runs have already read everything.
        case nothingToDo
        /// More records were rejected than allowed.
        case tooManyErrors
        /// A key appeared that the contract forbids.
        case frozen(String)
        /// A signal arrived.
        case interrupted(Int32)
        /// The feed could not be read further, or the database could not be written.
        case failed(String)
    }

    /// A rejected record.
    struct Rejection: Hashable {
        let position: SourcePosition
        /// The reason, with path and place; it may have several lines.
        let reason: String
    }

    /// An inferred column with values that were not of its type.
    struct TypeDeviation: Hashable {
        let column: String
        let type: String
        let count: Int
    }

    /// An input that this run continued where an earlier run had ended.
    struct Resumption: Hashable {
        let input: String
        /// How many records earlier runs had read of it.
        let records: Int
    }

    /// Where the columns come from.
    enum Origin: Hashable {
        case declared
        /// Found by looking at this many records.
        case inferred(records: Int)
        /// Taken from the run that is resumed.
        case resumed
    }

    var outcome = Outcome.complete
    /// Where the table is: the path of the database, or the server.
    var place: String
    var table: String
    var isDryRun = false
    /// Whether the same command, run again, goes on where this run has ended.
    var isResumable = false
    var inputs = 1
    var columns: [Column] = []
    var origin = Origin.declared
    var resumed: [Resumption] = []
    /// Columns that were added to a table that already existed.
    var addedColumns: [String] = []
    /// The late columns: those that were added after the sample, for unknown keys.
    var lateColumns: [UnknownKey] = []
    /// Records that were read and match `--where`.
    var records = 0
    /// What became of the rows that were committed.
    var rows = RowCounts()
    /// Rows that were added or changed.
    var stored: Int { rows.added + rows.changed }
    /// Whether records may have changed existing rows instead of adding new ones.
    var isMerged = false
    /// Rows of the table at the end; nil if unknown.
    var totalRows: Int?
    var contract = KeyContract.evolve
    var hasOverflow = false
    /// Keys whose values went into no column of their own, and how many values those are.
    var unknownKeys: [UnknownKey] = []
    var unknownValues = 0
    /// Records that `--contract discard-row` left out.
    var discarded = 0
    /// Records that do not match `--where`.
    var passedOver = 0
    var rejected = 0
    /// Records of the inputs that earlier runs have rejected: they are not in the output either.
    var rejectedBefore = 0
    var rejections: [Rejection] = []
    var rejectsTarget: String?
    var typeDeviations: [TypeDeviation] = []
    /// Paths of `--column`, `--type` and `--where` that no record has had.
    var unseenPaths: [UnseenPath] = []
    /// What the user should know about other runs.
    var notes: [String] = []
    var digitLosses: [DigitLoss] = []
    var bytes = 0
    /// Nanoseconds from the first byte to the last commit, and how many of them were spent waiting for input and in SQLite.
    var nanoseconds: UInt64 = 0
    var readingNanoseconds: UInt64 = 0
    var databaseNanoseconds: UInt64 = 0

    /// How many rejected records are kept with their reasons.
    private let keptRejections: Int

    init(place: String, table: String, keptRejections: Int = 5) {
        self.place = place
        self.table = table
        self.keptRejections = keptRejections
    }

    mutating func reject(at position: SourcePosition, _ reason: String) {
        rejected += 1
        if rejections.count < keptRejections {
            rejections.append(Rejection(position: position, reason: reason))
        }
    }

    /// Whether all of the input is in the output, except what the user chose to leave out.
    private var isWhole: Bool {
        let leavesKeysOut = unknownValues > 0 && (contract == .evolve || contract == .report && !hasOverflow)
        let hasMisspeltPaths = unseenPaths.contains { $0.meant != nil }
        return rejected + rejectedBefore == 0 && !leavesKeysOut && digitLosses.isEmpty && !hasMisspeltPaths
    }

    /// The exit status of the process.
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
