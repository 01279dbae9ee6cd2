// The values that an ingest and a sink exchange.

public import SluiceCore

/// What a sink must know about the run that uses it.
public struct SinkRun: Sendable {
    package let identity: RunIdentity
    /// Tells this run from all others, such as in the name of a temporary file.
    public var id: String { identity.id }
    /// Whether nothing may be written.
    public let isDryRun: Bool
    /// Whether to wait without limit while others use the target.
    public let waits: Bool
    /// Whether the run has been asked to end; a long wait should then end, too.
    public let isInterrupted: @Sendable () -> Bool

    package init(
        identity: RunIdentity, isDryRun: Bool = false, waits: Bool = false,
        isInterrupted: @escaping @Sendable () -> Bool = { false }
    ) {
        self.identity = identity
        self.isDryRun = isDryRun
        self.waits = waits
        self.isInterrupted = isInterrupted
    }
}

/// What a target holds before a run, or in a transaction of it.
public struct SinkContents: Sendable {
    /// Whether the table exists.
    public var hasTable = false
    /// The names of the table's columns, including those that cannot be written.
    public var columns: [String] = []
    /// The columns of the table's primary key, in the key's order.
    public var key: [String] = []
    /// The columns that hold any number with all its digits, as `numeric` of PostgreSQL does. Numbers for them are read as text.
    public var exactColumns: [String] = []
    /// The type of all columns that are not declared, for a target without types: `text`, or `json` for each value's own text. Nil
    /// where a column has the type of its values.
    public var onlyType: ColumnType?
    /// How many columns a table may have.
    public var mostColumns = 2_000
    /// The notes that transactions have stored with ``SinkTransaction/setNote(_:named:)``, under their names; nil if the sink keeps none.
    /// Then an ingest has no checkpoints: it reads its inputs from the start each time.
    public var notes: [String: String]?
    /// Whether a database of this package has filled in what it keeps beside the rows.
    package var isOfDatabase = false
    /// The checkpoints of the table's inputs; the last one was written last.
    package var checkpoints: [SinkCheckpoint] = []
    /// What the table remembers: the text of the last ``SinkLedger/remember(_:)``. It stays when the table is emptied; of a table that
    /// is gone, it has no meaning.
    package var memory: String?
    /// The last load whose keys were noted; nil if there was none.
    package var snapshot: SinkSnapshot?

    /// The files of rejected records or changes that runs still have to write lines to, under the names that
    /// ``SinkLedger/setPendingRejects(_:of:to:)`` was told.
    package var pendingFiles: Set<String> = []

    /// Whether the sink changes the type of a column that has only had null, if a run wants another one.
    package var retypesColumns = false
    /// Whether a column that has only had null has no type, and keeps each value as it comes.
    package var hasUntypedColumns = false
    /// How many bytes of a name the database keeps; nil if it keeps all.
    package var longestName: Int?

    /// The triggers that see a row before it is stored, and can change it.
    package var rowTriggers: [RowTrigger] = []

    /// An empty target.
    public init() {}
}

/// The table that a run wants.
public struct SinkTable: Sendable {
    /// The name of the table.
    public let name: String
    /// The table that its rows belong to; nil for the table of the records.
    package let parent: SinkParent?
    /// The names of the tables below it, the deepest first. A table that is dropped is dropped together with these.
    package let children: [String]
    /// All columns of the rows. The first ones are those of the last call of ``SinkTransaction/prepare(_:)``.
    public let columns: [IngestColumn]
    /// The columns of the table's key; empty for the key that the table has, if any.
    public let key: [String]
    /// What to do with a table that exists.
    public let existing: ExistingTable
    /// What to do with a row that exists.
    public let conflict: KeyConflict
    /// All columns that runs have filled, as they were before this run. The target may have cut their names.
    package let filled: [IngestColumn]
    /// Takes the changes of the table's rows; nil if they are not wanted. Only a sink with ``SinkAbilities/changes`` gets it.
    package let changes: ChangeRecorder?

    package init(
        name: String, columns: [IngestColumn], key: [String], existing: ExistingTable, conflict: KeyConflict,
        parent: SinkParent? = nil, children: [String] = [], filled: [IngestColumn] = [], changes: ChangeRecorder? = nil
    ) {
        self.filled = filled
        (self.name, self.parent, self.children, self.changes) = (name, parent, children, changes)
        self.columns = columns
        self.key = key
        self.existing = existing
        self.conflict = conflict
    }
}

/// The table that the rows of a child table belong to.
package struct SinkParent: Sendable {
    /// The name of the table.
    package let table: String
    /// The columns of its key.
    package let key: [String]
    /// The columns of the child table that hold the parent's key: its first columns. They refer to the parent's row, and a child
    /// row is deleted with its parent's row.
    package let columns: [String]

    package init(table: String, key: [String], columns: [String]) {
        (self.table, self.key, self.columns) = (table, key, columns)
    }
}

/// What became of the rows of a batch.
public struct StoredBatch: Sendable {
    public var counts = RowCounts()
    /// The rows that the target did not accept, in the order of the batch.
    package var refused: [RefusedRow] = []
    /// The rows that were left out because the table has their keys and keeps its rows. They are only needed if there are child
    /// tables.
    package var keptRows: [Int] = []
    /// How many rows of tables below a child table were removed together with its rows, by table name.
    package var removedBelow: [String: Int] = [:]
    /// For each column, how many values were not of its type; empty if there were none.
    package var offTypeCounts: [Int] = []
    /// For each column, how many values were left out, because the target computes the column itself; empty if there were none.
    package var generatedCounts: [Int] = []
    /// The columns among these whose names the target cannot hold.
    package var unnameable: Set<Int> = []
    /// The columns whose values lost digits, because the target converted them to fit the column's type.
    package var digitLosses: [DigitLoss] = []

    public init() {}

    /// Notes that the target did not accept a row. The ingest rejects its record.
    ///
    /// - Parameters:
    ///   - row: The index of the row in its batch. Rows are refused in the order of the batch.
    ///   - reason: The target's reason.
    public mutating func refuse(_ row: Int, _ reason: String) { refused.append(RefusedRow(row: row, reason: reason)) }
}

/// A row that the target did not accept.
package struct RefusedRow: Hashable, Sendable {
    /// The index of the row in its batch.
    package let row: Int
    /// The target's reason.
    package let reason: String

    package init(row: Int, reason: String) {
        self.row = row
        self.reason = reason
    }
}

/// What became of records.
public struct RowCounts: Hashable, Sendable, Codable {
    /// Rows that were added.
    public var added = 0
    /// Rows that were changed, because the table had their keys.
    public var changed = 0
    /// Rows that had the same values already.
    public var same = 0
    /// Records that were left out, because the user wants to keep existing rows with the same key.
    public var kept = 0
    /// Rows that were removed.
    public var removed = 0

    package init(added: Int = 0, changed: Int = 0, same: Int = 0, kept: Int = 0, removed: Int = 0) {
        self.removed = removed
        self.added = added
        self.changed = changed
        self.same = same
        self.kept = kept
    }

    static func += (left: inout RowCounts, right: RowCounts) {
        left.added += right.added
        left.changed += right.changed
        left.same += right.same
        left.kept += right.kept
        left.removed += right.removed
    }
}

/// A column whose values lost digits.
public struct DigitLoss: Hashable, Sendable, Codable {
    public let column: String
    /// How many values lost digits.
    public package(set) var count: Int
    /// The first such value.
    public let example: String
    /// What an option calls the column, if that is not its name.
    package private(set) var path: String?
    /// Whether the values have become others of another kind: a number of a text, a text of an array.
    package private(set) var isOfKind = false

    /// Whether they have become texts.
    package private(set) var isOfTexts = false

    package init(column: String, count: Int = 1, example: String, isOfKind: Bool, isOfTexts: Bool = false) {
        self.init(column: column, count: count, example: example)
        (self.isOfKind, self.isOfTexts) = (isOfKind, isOfTexts)
    }

    package init(column: String, count: Int, example: String) {
        self.column = column
        self.count = count
        self.example = example
    }

    /// For an example that is not shown: whether it is an array or an object.
    private var hidesContainer: Bool?

    /// Whether the first of the values is an array or an object.
    package var isOfContainer: Bool { hidesContainer ?? ["[", "{", "'[", "'{"].contains { example.hasPrefix($0) } }

    /// The same for a column of a child table.
    package func of(_ table: String, path: String?) -> DigitLoss {
        var loss = DigitLoss(
            column: "\(table).\(column)", count: count, example: example, isOfKind: isOfKind, isOfTexts: isOfTexts)
        (loss.path, loss.hidesContainer) = (path, hidesContainer)
        return loss
    }

    /// The same with the path of its column, if there is one.
    package func withPath(in layout: TableLayout) -> DigitLoss {
        // A loss in a child table has its path.
        guard path == nil else { return self }
        var loss = self
        let found = layout.columns.first { $0.name.utf8.elementsEqual(column.utf8) }?.path.map { layout.shown($0) }
        if isOfContainer, found != column { loss.path = found }
        return loss
    }

    /// The same for a column whose values must not be shown.
    package func hidden(by layout: TableLayout) -> DigitLoss {
        // An array or an object, such as a record that is a value, may hold what is sensitive elsewhere.
        guard hidesContainer == nil, layout.isSensitive(column) || isOfContainer && !layout.hiddenNames.isEmpty else {
            return self
        }
        var loss = DigitLoss(
            column: layout.shownName(column), count: count, example: "not shown", isOfKind: isOfKind, isOfTexts: isOfTexts)
        (loss.path, loss.hidesContainer) = (path, isOfContainer)
        return loss
    }
}

extension [DigitLoss] {
    /// Adds a loss to that of the same column.
    package mutating func note(_ loss: DigitLoss) {
        // To Swift, both Unicode spellings of é are one string.
        if let known = firstIndex(where: { $0.column.utf8.elementsEqual(loss.column.utf8) }) {
            self[known].count += loss.count
        } else {
            append(loss)
        }
    }
}

/// Lines that a run must still write to a file of rejected records or of changes. A file takes no part in a transaction. So the
/// transaction stores the lines, and the next run writes them if this one is killed.
package struct PendingRejects: Hashable, Sendable {
    /// The run that stored the lines, or the name under which the sink keeps them.
    package let owner: String
    /// The lines as one line of JSON.
    package let text: String

    package init(owner: String, text: String) {
        self.owner = owner
        self.text = text
    }
}

extension Sequence<SinkTable> {
    /// The child tables below a table, the deepest first.
    package func below(_ parent: String) -> [SinkTable] {
        filter { $0.parent?.table == parent }.sorted { $0.name < $1.name }.flatMap { below($0.name) + [$0] }
    }
}
