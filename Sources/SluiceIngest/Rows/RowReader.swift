// Turns the bytes of a record into the cells of a row, and adds columns for unknown keys. A column that is added after the sample, for an
// unknown key, is a late column.
//
//     most columns             one reader, one pass
//     late columns             further readers, only for records with unknown keys; now and then all are merged
//     a value where others     taken from the record as a whole, which is read anyway because of this value
//     have an object

package import SluiceCore

/// Reads records into the columns of a table.
package final class RowReader {
    /// Whether a record is stored.
    package enum Decision {
        case store
        /// The contract drops the record.
        case discard
    }

    private let contract: KeyContract
    /// Whether values that no column reads are only left out: then it is enough to count their keys.
    package let countsKeys: Bool
    private let mapThreshold: Int
    private let types: [TypeOption]
    package private(set) var layout: TableLayout
    private var keys: ReadKeys
    private var main: ColumnReader
    private var mainIndices: [Int]
    /// The columns that workers read: those of the main reader.
    package let workerColumns: WorkerColumns
    /// The readers of the columns that were added since the last merge. A new reader takes over the columns of every reader that
    /// has no more columns than itself. So each reader has fewer columns than the one before it, and a column is taken over only a
    /// few times, however many columns there are.
    private var late: [LateReader] = []
    private var lateCount = 0
    private var reader = JSONReader()
    /// The index of the column that takes the name of the input; nil if there is none.
    package let fileNameIndex: Int?
    private let overflowIndex: Int?

    /// How many records had unknown keys since the readers were last merged, and how many are enough to merge them again.
    private var secondLooks = 0
    private var enoughLooks = 16
    private static let enoughLateColumns = 32

    /// A reader of late columns, with their indices in the table.
    private final class LateReader {
        var reader: ColumnReader
        let indices: [Int]

        init(_ indices: [Int], _ layout: TableLayout) {
            reader = ColumnReader(columns: indices.compactMap { layout.columns[$0].column })
            self.indices = indices
        }
    }

    /// Keys whose values went into no column.
    package private(set) var unknownKeys = UnknownKeys()
    /// The late columns, with the place where the key of each was found first.
    package private(set) var lateColumns: [UnknownKey] = []
    package private(set) var discarded = 0
    /// The declared columns whose keys no record has had so far.
    private var unseen: [Int]
    /// Writes records as text; nil where they become cells.
    package let writer: (any RecordText)?

    package init(
        _ layout: TableLayout, contract: KeyContract, mapThreshold: Int, types: [TypeOption], watchesColumns: Bool,
        writer: (any RecordText)? = nil
    ) {
        self.layout = layout
        self.writer = writer
        reader.hidesText = layout.columns.contains { $0.column?.isSensitive == true }
        self.contract = contract
        self.mapThreshold = mapThreshold
        self.types = types
        keys = ReadKeys(layout.columns)
        mainIndices = layout.columns.indices.filter { layout.columns[$0].column != nil }
        // The columns of text may read one value several times, which cells cannot.
        let columns = writer == nil ? layout.columns.compactMap(\.column) : []
        workerColumns = WorkerColumns((columns, mainIndices))
        fileNameIndex = layout.columns.firstIndex { $0.source == .fileName }
        overflowIndex = layout.columns.firstIndex { $0.source == .overflow }
        countsKeys = contract == .discardValue && overflowIndex == nil && layout.columns.allSatisfy(RowReader.hasKeysAlone)
        main = .reading(columns, countsKeys: countsKeys)
        if writer != nil { unknownKeys = UnknownKeys(keptKeys: .max) }
        unseen = watchesColumns ? Array(mainIndices.indices) : []
    }

    /// Whether a column reads all of a key's value. False for a column that reads one element of an array, because the others are
    /// left out, and for one that takes values which are not objects where other columns read an object's keys.
    private static func hasKeysAlone(_ column: IngestColumn) -> Bool {
        if case .variant = column.source { return false }
        return column.path?.contains { Int($0) != nil } != true
    }

    /// The declared columns whose keys no record has had.
    package var unseenColumns: [IngestColumn] { unseen.map { layout.columns[mainIndices[$0]] } }

    /// Reads a record, and adds its row to a batch.
    ///
    /// - Parameters:
    ///   - text: The bytes of the record in the input.
    ///   - batch: Where the row goes; nil if nothing is to be written.
    ///   - position: The position of the record.
    ///   - place: The same position in words.
    /// - Throws: ``JSONError`` if the record cannot be read, or ``IngestError/frozen(_:)``.
    package func read(
        _ bytes: UnsafeRawBufferPointer, of text: UnsafeRawBufferPointer, into batch: RowBatch?, at position: SourcePosition,
        place: @autoclosure () -> String
    ) throws -> Decision {
        if let writer {
            if let error = unsafe writer.append(bytes) { throw error }
            if let batch { batch.appendOwnText() } else { writer.removeAll() }
            return .store
        }
        unsafe try main.read(bytes)
        var overflow: JSONObject?
        var variants: [(Int, JSONValue)] = []
        let needsSecondLook = main.hasUnknownValue && !countsKeys
        if countsKeys, main.hasUnknownValue { main.acceptUnknownKeys(at: position) }
        if needsSecondLook {
            let look = unsafe try lookAgain(bytes, place())
            guard look.isKept else { return .discard }
            (overflow, variants) = (look.overflow, look.variants)
        }
        if !unseen.isEmpty { unseen.removeAll { main.nextColumn(from: $0) == $0 } }
        guard let batch else { return .store }
        let texts = try variants.map { ($0, try RowReader.text(of: $1)) }
        let gathered = try overflow.map { try JSONValue.object($0).jsonString() }
        unsafe batch.beginRow(bytes, of: text, at: position)
        unsafe batch.append(main, of: bytes, to: mainIndices)
        guard needsSecondLook else { return .store }
        for late in late { unsafe batch.append(late.reader, of: bytes, to: late.indices) }
        for (index, text) in texts { batch.append(text, at: index) }
        if let gathered, let overflowIndex { batch.append(gathered, at: overflowIndex) }
        return .store
    }

    /// Notes the columns of a row that a worker has read.
    package func note(_ cells: Range<Int>, of rows: SliceRows) {
        if !unseen.isEmpty { unseen.removeAll { rows.hasColumn(at: mainIndices[$0], in: cells) } }
    }

    /// A value as text: a string is itself, every other value is JSON.
    private static func text(of value: JSONValue) throws -> String { try value.string ?? value.jsonString() }

    // MARK: Keys that are counted

    /// Adds the keys that a reader has counted in the records of an input.
    package func note(_ keys: (named: [JSONUnknownKey], count: Int), place: (SourcePosition) -> String) {
        for key in keys.named { unknownKeys.note(layout.shown(key.path), count: key.count, at: place(key.position)) }
        unknownKeys.noteUnnamed(keys.count - keys.named.reduce(0) { $0 + $1.count })
    }

    /// Adds the keys counted in the records read so far. All of these must be of one input.
    package func noteCountedKeys(place: (SourcePosition) -> String) {
        if let writer { return note((writer.takeUnknownKeys(), writer.unseenColumns)) }
        note(main.takeUnknownKeys(), place: place)
    }

    /// Adds what was found in records that became text.
    package func note(_ found: (unknownKeys: [(path: String, count: Int)], unseen: Set<Int>)) {
        for key in found.unknownKeys { unknownKeys.note(layout.shown(key.path), count: key.count, at: "") }
        if !unseen.isEmpty { unseen.removeAll { !found.unseen.contains($0) } }
    }

    /// Counts the keys of a record that a worker has already read.
    package func countKeys(of bytes: UnsafeRawBufferPointer, at position: SourcePosition) {
        guard unsafe (try? main.read(bytes)) != nil else { return }
        main.acceptUnknownKeys(at: position)
    }

    // MARK: Unknown keys

    private struct Look {
        var isKept = true
        var overflow: JSONObject?
        var variants: [(Int, JSONValue)] = []
    }

    /// Reads a record as a whole, and treats the values that no column reads as the contract says.
    @inline(never)
    private func lookAgain(_ bytes: UnsafeRawBufferPointer, _ place: String) throws -> Look {
        let value = try unsafe reader.read(JSONValue.self, from: bytes)
        guard case .object(let record) = value else { return Look() }
        var look = Look()
        var unknown = keys.unknownValues(in: record) { look.variants.append(($0, $1)) }
        if !unknown.isEmpty {
            switch contract {
            case .evolve:
                if addColumns(for: unknown, place) {
                    look.variants = []
                    unknown = keys.unknownValues(in: record) { look.variants.append(($0, $1)) }
                }
            case .freeze:
                throw IngestError.frozen(
                    "the key '\(layout.shown(unknown[0].path))' has no column (\(place)), and \(option: .contract(.freeze)) allows no other"
                )
            case .discardRow:
                discarded += 1
                look.isKept = false
            case .report, .discardValue: break
            }
        }
        if !unknown.isEmpty { look.overflow = leaveOut(unknown, look.isKept, place) }
        for late in late { unsafe try late.reader.read(bytes) }
        noteLook()
        return look
    }

    /// Collects the values that no column takes for the overflow column, or counts their keys.
    private func leaveOut(_ unknown: [ReadKeys.UnknownValue], _ isKept: Bool, _ place: String) -> JSONObject? {
        let isLeftOut = overflowIndex == nil || !isKept
        if isLeftOut || contract == .report { for value in unknown { unknownKeys.note(layout.shown(value.path), at: place) } }
        guard !isLeftOut else { return nil }
        let overflow = GatheredObject()
        for value in unknown { overflow.add(value.value, at: value.path) }
        return overflow.object
    }

    /// Adds columns for values that no column reads. Returns false if none was added.
    private func addColumns(for unknown: [ReadKeys.UnknownValue], _ place: String) -> Bool {
        var added: [IngestColumn] = []
        for value in unknown {
            // An object that keeps getting new keys is a dictionary.
            if value.path.count > 1, !value.isVariant, value.neighbours + added.count > mapThreshold { continue }
            let leaves =
                value.isVariant
                ? [(path: value.path, type: Column.ColumnType.text)]
                : ColumnInference.columns(for: value.value, at: value.path, mapThreshold: mapThreshold)
            guard layout.columns.count + leaves.count <= ColumnInference.maximumColumns else { continue }
            for leaf in leaves {
                let column = makeColumn(leaf.path, leaf.type, isVariant: value.isVariant)
                layout.append(column)
                added.append(column)
                keys.add(column, at: layout.columns.count - 1)
                lateColumns.append(UnknownKey(path: PathSyntax.text(ofKeys: leaf.path), count: 1, place: place))
            }
        }
        guard !added.isEmpty else { return false }
        let start = layout.columns.count - added.count
        addLateReader((start..<layout.columns.count).filter { layout.columns[$0].column != nil })
        return true
    }

    /// Adds a reader of new columns. It takes over the columns of every reader that has no more columns than itself.
    private func addLateReader(_ indices: [Int]) {
        guard !indices.isEmpty else { return }
        lateCount += indices.count
        var indices = indices
        while let last = late.last, last.indices.count <= indices.count {
            indices = last.indices + indices
            late.removeLast()
        }
        late.append(LateReader(indices, layout))
    }

    private func makeColumn(_ path: [String], _ type: Column.ColumnType, isVariant: Bool) -> IngestColumn {
        let name = layout.freeName(like: path.joined(separator: "_"))
        if isVariant { return IngestColumn(name: name, type: type, source: .variant(path)) }
        let chosen = types.first { $0.isMeant(for: name, path) }
        return IngestColumn(
            Column(
                name: name, type: chosen?.type ?? layout.readingType(of: name, type), keys: [JSONKeyPath(components: path)],
                isTolerant: chosen == nil))
    }

    /// Marks the readers to be merged once enough records have needed several, or there are many late columns for those that the main reader
    /// has. It is not done more often, because a merge takes time for each column, and memory that is never returned.
    private func noteLook() {
        secondLooks += 1
        let enoughColumns = max(RowReader.enoughLateColumns, mainIndices.count / 4)
        guard !late.isEmpty, secondLooks >= enoughLooks || lateCount >= enoughColumns else { return }
        isMergeDue = true
    }

    private var isMergeDue = false

    /// Gets ready for the next record.
    package func endRecord() {
        guard isMergeDue else { return }
        isMergeDue = false
        secondLooks = 0
        let (doubled, isTooMany) = enoughLooks.multipliedReportingOverflow(by: 2)
        enoughLooks = isTooMany ? .max : doubled
        for late in late { mainIndices += late.indices }
        let columns = mainIndices.compactMap { layout.columns[$0].column }
        main = ColumnReader(columns: columns)
        workerColumns.change(to: (columns, mainIndices))
        late = []
        lateCount = 0
    }
}
