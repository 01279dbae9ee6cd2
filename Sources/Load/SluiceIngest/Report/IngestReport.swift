// The result of an ingest, in numbers.

public import SluiceCore

/// The result of an ingest.
///
/// It is `Codable`, so that a service can keep or send it. What `sluice ingest --report json` prints has other names.
public struct IngestReport: Sendable, Codable {
    /// What became of the rows of a child table.
    public struct ChildSummary: Hashable, Sendable, Codable {
        public let table: String
        public package(set) var rows: RowCounts
        /// The columns that values of the elements go into. Those of the key are not among them.
        public package(set) var columns: [ColumnSummary] = []
    }

    /// What became of the rows that the inputs do not have.
    public struct MissingSummary: Hashable, Sendable, Codable {
        /// What was asked for: `mark` or `delete`.
        package let action: MissingRows
        /// How many rows were marked or removed.
        public package(set) var count = 0
        /// How many rows were marked, and have come back.
        public package(set) var returned = 0
        /// Why no missing rows were looked for; nil if they were.
        public package(set) var refusal: IngestMessage?

        package init(_ action: MissingRows) { self.action = action }

        /// The summary as the report of the command line shows it.
        ///
        /// - Parameter words: The words of the command line for a message.
        package func text(_ words: (IngestMessage) -> String) -> String {
            let back = returned > 0 ? ", \(returned.grouped) are back" : ""
            if let refusal { return "rows that the inputs lack were not looked for: \(words(refusal))\(back)" }
            return "\(count.grouped) that the inputs lack \(action == .mark ? "marked" : "removed")\(back)"
        }
    }

    /// Why the ingest ended.
    public enum Outcome: Hashable, Sendable, Codable {
        /// The feed has ended.
        case complete
        /// Earlier runs have already read everything.
        case nothingToDo
        /// More records were rejected than allowed.
        case tooManyErrors
        /// A key appeared that the contract forbids.
        case frozen(IngestMessage)
        /// A signal arrived, whose number this is. If the task was cancelled, there was no signal, and the number is that of SIGINT.
        case interrupted(Int32)
        /// The feed could not be read further, or the database could not be written.
        case failed(IngestMessage)
    }

    /// A rejected record.
    public struct Rejection: Hashable, Sendable, Codable {
        public let position: SourcePosition
        /// The reason, with path and position; it may have several lines.
        public let reason: String
        /// The place of the record, or of the element, that was rejected; ``RecordOrigin/text()`` reads it. Nil in a report of an earlier
        /// version.
        public let origin: RecordOrigin?
    }

    /// A column with values that were not of its inferred type, or that it did not take.
    public struct TypeDeviation: Hashable, Sendable, Codable {
        public let column: String
        public let type: String
        public let count: Int
    }

    /// An input that this run continued where an earlier run had ended.
    package struct Resumption: Hashable, Sendable, Codable {
        package let input: String
        /// How many records earlier runs had read of it.
        package let records: Int
    }

    /// A column of the table.
    public struct ColumnSummary: Hashable, Sendable, Codable {
        public let name: String
        private let typeName: String
        /// The path of its values in the records; keys inside a sensitive value are not shown.
        public let path: String
        /// What messages show in place of a name with keys inside a sensitive value; nil for other names.
        package let hiddenName: String?

        init(_ column: JSONColumn, in layout: TableLayout, hiddenName: String?) {
            (name, typeName, path) = (column.name, column.type.name, layout.shown(column.keys[0].components))
            self.hiddenName = hiddenName
        }

        public var type: ColumnType { ColumnType(named: typeName) ?? .json }

        private enum CodingKeys: String, CodingKey { case name, typeName = "type", path, hiddenName }
    }

    /// Where the columns come from.
    package enum Origin: Hashable, Sendable, Codable {
        case declared
        /// Found by looking at this many records.
        case inferred(records: Int)
        /// Taken from the run that is resumed.
        case resumed
    }

    public package(set) var outcome = Outcome.complete
    /// Where the table is: the path of the database, or the server.
    public package(set) var destination: String
    /// The name of the table.
    public package(set) var table: String
    /// Whether nothing was written.
    package var isDryRun = false
    /// Whether the same command, run again, resumes where this run has ended.
    public package(set) var isResumable = false
    /// How many inputs were named.
    package var inputs = 1
    /// The columns of the table that records are read into.
    public package(set) var columns: [ColumnSummary] = []
    package var origin = Origin.declared
    /// The inputs that this run has continued.
    package var resumed: [Resumption] = []
    /// Columns that were added to a table that already existed.
    public package(set) var addedColumns: [String] = []
    /// The late columns: those that were added after the sample, for unknown keys.
    package var lateColumns: [UnknownKey] = []
    /// Records that were read and match `--where`.
    public package(set) var records = 0
    /// What became of the rows that were committed.
    public package(set) var rows = RowCounts()
    /// The child tables, each after the one that its rows belong to.
    public package(set) var children: [ChildSummary] = []
    /// Elements of arrays that were rejected, while their records were stored.
    public package(set) var rejectedElements = 0
    /// Rows that were added or changed.
    package var stored: Int { rows.added + rows.changed }
    /// What became of the rows that the inputs do not have; nil if such rows stay.
    public package(set) var missing: MissingSummary?
    /// Whether records may have changed existing rows instead of adding new ones.
    package var isMerged = false
    /// Rows of the table at the end; nil if unknown.
    public package(set) var totalRows: Int?
    /// What to do with keys that no column reads.
    package var contract = KeyContract.evolve
    /// Whether a column collected the values that no other column takes.
    package var hasOverflow = false
    /// Keys without a column of their own, each with the number of its values.
    public package(set) var unknownKeys: [UnknownKey] = []
    public package(set) var unknownValues = 0
    /// How many columns the table may have, if there are keys without a column because of that.
    package var columnLimit: Int?
    /// An object whose late keys have no column, because it has so many that it may be a dictionary.
    package var keyLimit: KeyLimit?

    package struct KeyLimit: Sendable, Codable {
        package let path: String
        package let count: Int
    }

    /// Records that `--contract discard-row` left out.
    public package(set) var discarded = 0
    /// Records that do not match `--where`.
    public package(set) var passedOver = 0
    /// Records that were rejected.
    public package(set) var rejected = 0
    /// Records of the inputs that earlier runs have rejected: they are not in the output either.
    public package(set) var rejectedBefore = 0
    /// What the stored records of the inputs have lost in earlier runs. ``notes`` says it.
    package var lossesBefore = StoredLosses()
    /// The first rejected records.
    public package(set) var rejections: [Rejection] = []
    /// The table or file of the rejected records; nil without one, or if records may be missing from it.
    package var rejectsTarget: String?
    /// Inferred columns with values that were not of their types.
    public package(set) var typeDeviations: [TypeDeviation] = []
    /// Paths of `--column`, `--type`, `--where`, `--sensitive` and `--json` that no record has had.
    public package(set) var unseenPaths: [UnseenPath] = []
    /// Notes for the user about other runs.
    public package(set) var notes: [String] = []
    /// What a rotated log has lost before it could be read, and which of its files are not read, in words.
    public package(set) var unread: [String] = []
    /// Whether the inputs are rotated logs, of which nothing can be read again.
    package var isRotated = false
    /// How many files of rotated logs were moved or truncated while they were read: the next run reads them.
    package var movedFiles = 0
    /// Whether another run reads the inputs, or has read them since this one looked.
    package var isOutrun = false
    /// Whether something was stored, so that the table is there.
    package var isTableMade = false
    /// Columns that the table computes itself, or whose names the database cannot hold, with the number of values that records had for
    /// them: these were left out.
    public package(set) var generatedValues: [TypeDeviation] = []
    /// Those among them whose names the database cannot hold.
    package var unnameableColumns: [String] = []
    /// Columns whose values lost digits.
    public package(set) var digitLosses: [DigitLoss] = []
    /// How many moments of a conversion to Arrow lost the digits below their microseconds, and how many numbers those beyond a double.
    package var cutFractions = 0
    package var cutNumbers = 0
    /// Bytes of text that were read.
    public package(set) var bytes = 0
    /// Nanoseconds from the first byte to the last commit, and how many of them were spent waiting for input and in SQLite.
    public package(set) var nanoseconds: UInt64 = 0
    package var readingNanoseconds: UInt64 = 0
    package var databaseNanoseconds: UInt64 = 0

    package init(destination: String, table: String) {
        self.destination = destination
        self.table = table
    }

    /// - Parameter kept: How many rejected records are kept with their reasons.
    package mutating func reject(
        at position: SourcePosition, _ reason: String, of origin: RecordOrigin? = nil, isElement: Bool = false, keeping kept: Int
    ) {
        if isElement { rejectedElements += 1 } else { rejected += 1 }
        if rejections.count < kept {
            rejections.append(Rejection(position: position, reason: reason, origin: origin))
        }
    }

    /// The report with notes on the files of folders that are no inputs, and no outputs either.
    package func noting(_ passedOver: [IngestInput.FolderRest], outputs: [String]) -> IngestReport {
        var report = self
        report.notes = passedOver.compactMap { $0.note(besides: outputs) } + report.notes
        return report
    }

    /// Whether all of the input is in the output, except for what the options leave out.
    public var isWhole: Bool {
        let leavesKeysOut = unknownValues > 0 && contract.losesKeys(hasOverflow: hasOverflow)
        let hasMisspeltPaths = unseenPaths.contains { $0.meant != nil }
        return rejected + rejectedElements + rejectedBefore == 0 && !leavesKeysOut && digitLosses.isEmpty
            && generatedValues.isEmpty && !hasMisspeltPaths
            && missing?.refusal == nil && lossesBefore.isEmpty && unread.isEmpty && cutFractions + cutNumbers == 0
    }
}

extension IngestReport: CustomStringConvertible {
    /// The result on one line: `complete: 3 added, 1 changed, 2 records rejected`.
    public var description: String {
        let leftOut = generatedValues.reduce(unknownValues) { $0 &+ $1.count }
        let counts = [
            (rows.changed, "changed"), (rows.same, "the same"), (rows.kept, "there already"), (rows.removed, "removed"),
            (missing?.action == .mark ? missing?.count ?? 0 : 0, "marked"), (discarded, "discarded"), (leftOut, "left out"),
        ]
        var parts = ["\(rows.added.grouped) added"] + counts.filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
        let rejections = [
            (rejected, "record"), (rejectedElements, "element"), (rejectedBefore, "earlier record"),
        ]
        parts += rejections.filter { $0.0 > 0 }.map { counted($0.0, $0.1) + " rejected" }
        let changed = digitLosses.reduce(0) { $0 &+ $1.count }
        if changed > 0 { parts.append("digits of \(counted(changed, "value")) lost") }
        if missing?.refusal != nil { parts.append("rows that the inputs lack were not looked for") }
        return outcome.summary + ": " + parts.joined(separator: ", ")
    }
}

extension IngestReport.Outcome {
    fileprivate var summary: String {
        switch self {
        case .complete: "complete"
        case .nothingToDo: "nothing to do"
        case .tooManyErrors: "too many records rejected"
        case .frozen(let reason): "frozen (\(reason.oneLine))"
        case .interrupted: "interrupted"
        case .failed(let reason): "failed (\(reason.oneLine))"
        }
    }
}

extension IngestMessage {
    fileprivate var oneLine: String { description.split(whereSeparator: \.isNewline).joined(separator: " ") }
}
