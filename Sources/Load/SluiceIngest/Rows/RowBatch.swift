// The rows of one transaction, as cells. Their texts lie in the slices of the input that the workers have read, or in the batch's own
// memory. So a row needs no allocation, and a cell is converted only if the sink asks for its value.

public import SluiceCore

/// Rows that a sink stores, in the order of the input.
///
/// ```swift
/// try batch.forEachRow { index, row in
///     for cell in row.cellIndices { row.withValue(cell) { value in … } }
/// }
/// ```
@safe
public final class RowBatch {
    /// A row: where its cells and its record are.
    private struct Row {
        /// The slice that holds them; -1 for the batch's own memory, -2 for a record that is only borrowed.
        var storage: Int
        var cells: Range<Int>
        /// The text of the record.
        var record: Range<Int>
        var position: SourcePosition
        let input: Int
        /// The row's number; see ``RecordNumbers``.
        var number: Int64 = 0
        /// The digest of the record's text; only if it is wanted.
        var digest: Int64 = 0
        /// The index of the row's parent in the batch of the parent table, and where the row's text begins in its record.
        var parent = 0
        var offset = 0
        /// Whether the row is not stored.
        var isLeftOut = false
    }

    /// Text of rows that stand one after the other.
    private struct TextPart {
        let slice: SliceRows
        var range: Range<Int>
    }

    // Unchecked: while the batch changes these, it calls nothing that uses the batch again. The check would cost as much as
    // adding a cell.
    @exclusivity(unchecked) private var rows: [Row] = []
    @safe @exclusivity(unchecked) private var slices: [SliceRows] = []
    @exclusivity(unchecked) private var own = SliceRows.Draft(expecting: (0, 0))
    @exclusivity(unchecked) private var ownBytes: [UInt8] = []
    /// A record that is too long to be copied; see ``isBorrowing``.
    // Safe: it is used only while the record is; see ``isBorrowing``.
    private var borrowed = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    @safe @exclusivity(unchecked) private var sliceBytes = 0
    /// The rows that are text: parts of the slices, in the order of the input.
    private var parts: [TextPart] = []
    @safe @exclusivity(unchecked) private var textRows = 0
    /// Whether rows are text instead of cells.
    package let isText: Bool
    /// The names of the inputs that the rows come from, and what identifies each of them.
    @safe @exclusivity(unchecked) private var names: [UInt8] = []
    @safe @exclusivity(unchecked) private var inputs: [InputName] = []
    /// The columns whose values no record has.
    private let made: [MadeColumn]
    /// How many of them are of the place of the record.
    private let placeCount: Int
    /// Whether the digests of the records' texts are kept.
    private let keepsDigests: Bool
    /// Where the bytes of the row that was begun last lie in the batch's own, or in the borrowed record.
    @safe @exclusivity(unchecked) private var recordStart = 0
    /// Whether the text of a long record is copied, too.
    private let copiesAll: Bool

    /// A record of this size is not copied.
    private static let longRecord = 1 << 20
    /// How many bytes of memory make a batch full. For SQLite, 1 to 8 MiB take the same time within 2 %.
    private let fullSize: Int

    /// Where the name of an input lies, and what identifies it.
    private struct InputName {
        var name: Range<Int>
        var identity: Range<Int>
        /// The place of a position; nil if that is the position itself.
        var restored: ((SourcePosition) -> SourcePosition)?
    }

    /// - Parameters:
    ///   - made: The columns whose values no record has: its number, the name of its input, its place.
    ///   - keepsDigests: Whether the places of rows are asked for, though none of these columns has them.
    package init(
        made: [MadeColumn] = [], keepsDigests: Bool = false, fullSize: Int = 2 << 20, copiesAll: Bool = false,
        isText: Bool = false
    ) {
        self.made = made
        placeCount = made.count { $0.source.isOfPlace }
        self.keepsDigests = keepsDigests || made.contains { $0.source == .digest }
        self.isText = isText
        self.fullSize = fullSize
        self.copiesAll = copiesAll
    }

    /// The number of rows.
    public var count: Int { unsafe rows.count &+ textRows }

    package var isEmpty: Bool { count == 0 }

    /// Whether the rows take so much memory that they should be stored now.
    package var isLarge: Bool { byteCount > fullSize || isBorrowing }

    /// How many bytes of memory the rows take.
    package var byteCount: Int { unsafe sliceBytes + ownBytes.count + own.byteCount }

    /// Whether the last row's record is only borrowed: it must be stored before the next record is read.
    @safe @exclusivity(unchecked) package private(set) var isBorrowing = false

    // MARK: Filling

    /// Begins with the rows of another input.
    ///
    /// - Parameters:
    ///   - identity: What it is found again by; nil for the name.
    ///   - restored: The position that a record of a replay has in its own file; nil for other inputs.
    package func enter(
        input name: String, identity: String? = nil, restored: ((SourcePosition) -> SourcePosition)? = nil
    ) {
        let start = names.count
        names.append(contentsOf: name.utf8)
        let end = names.count
        names.append(contentsOf: (identity ?? "").utf8)
        inputs.append(
            InputName(
                name: start..<end, identity: identity == nil ? start..<end : end..<names.count, restored: restored))
    }

    /// Keeps a slice, whose rows come next, unless it is the last one that is kept already.
    package func enter(_ slice: SliceRows) {
        guard slices.last !== slice else { return }
        slices.append(slice)
        sliceBytes += slice.byteCount
    }

    /// Adds a row of the slice that was entered last.
    package func append(cells: Range<Int>, record: Range<Int>, at position: SourcePosition, number: Int64 = 0) {
        var row = Row(
            storage: slices.count - 1, cells: cells, record: record, position: position, input: inputs.count - 1, number: number)
        if keepsDigests {
            row.digest = unsafe withStorage(row.storage) { _, bytes, _ in
                unsafe RecordDigest.of(UnsafeRawBufferPointer(rebasing: bytes[record]))
            }
        }
        unsafe rows.append(row)
    }

    /// Adds rows that are text of the slice that was entered last.
    package func append(text range: Range<Int>, of slice: SliceRows, count: Int) {
        textRows &+= count
        if let last = parts.indices.last, parts[last].slice === slice, parts[last].range.upperBound == range.lowerBound {
            parts[last].range = parts[last].range.lowerBound..<range.upperBound
        } else {
            parts.append(TextPart(slice: slice, range: range))
        }
    }

    /// Begins a row of the batch's own.
    ///
    /// - Parameters:
    ///   - bytes: The record, which the cells' texts may lie in.
    ///   - text: The bytes of the record in the input.
    ///   - number: The row's number.
    package func beginRow(
        _ bytes: UnsafeRawBufferPointer, of text: UnsafeRawBufferPointer, at position: SourcePosition, number: Int64 = 0
    ) {
        let isLong = bytes.count >= RowBatch.longRecord && !copiesAll
        var start = 0
        if isLong {
            (unsafe borrowed, isBorrowing) = (unsafe bytes, true)
        } else {
            start = unsafe ownBytes.count
            unsafe ownBytes.append(contentsOf: bytes)
        }
        var record = start..<(start + bytes.count)
        if !isLong, unsafe text.baseAddress != bytes.baseAddress || text.count != bytes.count {
            record = unsafe ownBytes.count..<(ownBytes.count + min(text.count, RejectedRecord.keptBytes))
            unsafe ownBytes.append(contentsOf: text.prefix(record.count))
        }
        let cells = unsafe own.size.cells
        unsafe rows.append(
            Row(
                storage: isLong ? -2 : -1, cells: cells..<cells, record: record, position: position, input: inputs.count - 1,
                number: number, digest: keepsDigests ? RecordDigest.of(text) : 0))
        recordStart = start
    }

    /// Says which row of the parent's batch the row that was begun last belongs to, and where it begins in its record's text.
    package func setParent(_ parent: Int, offset: Int) {
        let last = unsafe rows.count - 1
        guard last >= 0 else { return }
        unsafe (rows[last].parent, rows[last].offset) = (parent, offset)
    }

    /// Says where the row that was begun last is in the input.
    ///
    /// - Parameter digest: The digest of the text there; nil if that is the row's own.
    package func setPlace(_ position: SourcePosition, digest: Int64?) {
        let last = unsafe rows.count - 1
        guard last >= 0 else { return }
        unsafe rows[last].position = position
        if let digest { unsafe rows[last].digest = digest }
    }

    /// Adds the cells of the last record that a reader has read to the row that was begun last.
    ///
    /// - Parameters:
    ///   - indices: For each column of the reader, its index in the table.
    ///   - isMade: Whether the reader has read a text that is not the row's own.
    package func append(_ reader: ColumnReader, to indices: [Int], isMade: Bool = false) {
        unsafe extend(with: own.append(reader, recordAt: isMade ? nil : recordStart, to: indices, keepsArrays: false).cells)
    }

    /// Adds a value to the row that was begun last; a text is copied.
    package func append(_ value: RawCellValue, at column: Int) { unsafe extend(with: own.append(value, at: column)) }

    /// Adds a text to the row that was begun last.
    package func append(_ text: String, at column: Int) { unsafe extend(with: own.append(text, at: column)) }

    /// Makes columns of the row that was begun last null.
    package func setNull(_ columns: Set<Int>) {
        guard let row = unsafe rows.last else { return }
        for column in columns where unsafe !own.setNull(column, in: row.cells) { append(.null, at: column) }
    }

    private func extend(with cells: Range<Int>) {
        let last = unsafe rows.count - 1
        guard last >= 0 else { return }
        unsafe rows[last].cells = unsafe rows[last].cells.lowerBound..<cells.upperBound
    }

    /// Chooses the rows that are left out when the batch is stored, by their index and that of their parent.
    package func leaveOut(_ isLeftOut: (_ row: Int, _ parent: Int) -> Bool) {
        for index in unsafe rows.indices { unsafe rows[index].isLeftOut = isLeftOut(index, rows[index].parent) }
    }

    /// Whether a row is not stored.
    package func isLeftOut(_ row: Int) -> Bool { unsafe rows[row].isLeftOut }

    /// How many rows are stored.
    package var storedCount: Int { unsafe rows.reduce(0) { $0 + ($1.isLeftOut ? 0 : 1) } }

    /// The row of the parent's batch that a row belongs to.
    package func parent(of row: Int) -> Int { unsafe rows[row].parent }

    /// Where a child row's value begins in the text of its record.
    package func offset(of row: Int) -> Int { unsafe rows[row].offset }

    /// Keeps only the rows of the first rows of the parent's batch.
    package func truncate(toParents count: Int) {
        while let last = unsafe rows.last, last.parent >= count { unsafe rows.removeLast() }
    }

    /// Keeps only the first rows.
    package func truncate(to count: Int) { unsafe rows.removeSubrange(min(count, rows.count)...) }

    package func removeAll() {
        unsafe rows.removeAll(keepingCapacity: true)
        slices.removeAll(keepingCapacity: true)
        parts.removeAll(keepingCapacity: true)
        textRows = 0
        unsafe own.removeAll()
        unsafe ownBytes.removeAll(keepingCapacity: true)
        sliceBytes = 0
        (unsafe borrowed, isBorrowing) = (unsafe UnsafeRawBufferPointer(start: nil, count: 0), false)
        // Later rows may come from the same input.
        guard inputs.count > 1, let last = inputs.last else { return }
        let start = last.name.lowerBound
        names.removeSubrange(..<start)
        inputs = [
            InputName(
                name: 0..<last.name.count,
                identity: (last.identity.lowerBound - start)..<(last.identity.upperBound - start), restored: last.restored)
        ]
    }

    // MARK: Reading

    /// Calls a body with each row and its index. A row is valid only during the call: do not keep it, for the compiler does not see that its
    /// memory is gone. It does see that the texts of the row's values do not leave ``RowCells/withValue(_:_:)``.
    public func forEachRow(_ body: (Int, RowCells) throws -> Void) rethrows {
        _ = try forEachRow(from: 0, ofParentsTo: .max, body)
    }

    /// The same for the rows from an index on that belong to the parents up to a row of the parent's batch. Returns the index of
    /// the next row.
    package func forEachRow(
        from start: Int, ofParentsTo parent: Int, _ body: (Int, RowCells) throws -> Void
    ) rethrows -> Int {
        var index = start
        while unsafe index < rows.count, unsafe rows[index].parent <= parent {
            let storage = unsafe rows[index].storage
            // Rows that lie in the same memory are read in one go.
            let end = unsafe rows[index...].firstIndex { $0.storage != storage || $0.parent > parent } ?? rows.count
            try withCells(in: storage) { cells in
                for number in index..<end {
                    let row = unsafe rows[number]
                    guard !row.isLeftOut else { continue }
                    try body(number, cells(row))
                }
            }
            index = end
        }
        return index
    }

    /// Runs a body with the cells of a row.
    package func withRow<Result>(_ row: Int, _ body: (RowCells) throws -> Result) rethrows -> Result {
        let row = unsafe rows[row]
        return try withCells(in: row.storage) { try body($0(row)) }
    }

    /// Runs a body with what makes the cells of a row that lies in some memory.
    @inline(__always)
    private func withCells<Result>(in storage: Int, _ body: ((Row) -> RowCells) throws -> Result) rethrows -> Result {
        try unsafe withStorage(storage) { cells, bytes, text in
            guard !made.isEmpty else {
                return try body { row in
                    unsafe RowCells(cells: UnsafeBufferPointer(rebasing: cells[row.cells]), bytes: bytes, text: text)
                }
            }
            return try unsafe names.withUnsafeBytes { names in
                try unsafe withUnsafeTemporaryAllocation(of: Cell.self, capacity: made.count) { room in
                    unsafe room.initialize(repeating: Cell())
                    return try body { row in
                        // Safe: the room has as many cells, and is used for one row at a time.
                        for index in made.indices { unsafe room[index] = cell(of: made[index], row) }
                        var found = unsafe RowCells(
                            cells: UnsafeBufferPointer(rebasing: cells[row.cells]), bytes: bytes, text: text)
                        unsafe (found.made, found.names) = unsafe (UnsafeBufferPointer(room), names)
                        found.placeCount = placeCount
                        return found
                    }
                }
            }
        }
    }

    /// Counts the rows, and for each column those that have a value that is not null.
    ///
    /// - Parameter refused: The rows that are not counted, besides those that are left out.
    package func count(except refused: Set<Int>, into counts: inout ValueCounts) {
        forEachRow { index, row in
            guard !refused.contains(index) else { return }
            counts.rows += 1
            for cell in row.cellIndices {
                if case .null = row.value(cell) { continue }
                counts.note(row.column(cell))
            }
        }
    }

    /// The value of a column that no record has.
    private func cell(of made: MadeColumn, _ row: Row) -> Cell {
        var cell = Cell()
        cell.column = Int16(truncatingIfNeeded: made.column)
        switch made.source {
        case .fileName, .input:
            let text = made.source == .input ? inputs[row.input].identity : inputs[row.input].name
            (cell.tag, cell.offset, cell.count) = (.ownText, text.lowerBound, text.count)
        case .line: (cell.tag, cell.integer) = (.integer, Int64(place(of: row).line))
        case .byte: (cell.tag, cell.integer) = (.integer, Int64(place(of: row).offset))
        case .digest: (cell.tag, cell.integer) = (.integer, row.digest)
        default: (cell.tag, cell.integer) = (.integer, row.number)
        }
        return cell
    }

    private func place(of row: Row) -> SourcePosition { inputs[row.input].restored?(row.position) ?? row.position }

    /// The place of a row's record, or of the element that the row is.
    package func origin(of row: Int) -> RecordOrigin {
        let row = unsafe rows[row]
        let position = place(of: row)
        return RecordOrigin(
            input: String(decoding: names[inputs[row.input].identity], as: UTF8.self), line: position.line,
            byte: position.offset, digest: row.digest)
    }

    /// Calls a body with the text of all rows, piece by piece.
    package func forEachText(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        for part in parts {
            try unsafe part.slice.withMemory { _, _, text in try unsafe body(UnsafeRawBufferPointer(rebasing: text[part.range])) }
        }
    }

    /// The text of a row's record, the index of its input in the batch, and its position in the input.
    package func withRecord<Result>(_ row: Int, _ body: (UnsafeRawBufferPointer, Int, SourcePosition) throws -> Result) rethrows
        -> Result
    {
        let row = unsafe rows[row]
        return try unsafe withStorage(row.storage) { _, bytes, _ in
            try unsafe body(UnsafeRawBufferPointer(rebasing: bytes[row.record]), row.input, row.position)
        }
    }

    private func withStorage<Result>(
        _ storage: Int, _ body: (UnsafeBufferPointer<Cell>, UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        guard storage < 0 else { return try unsafe slices[storage].withMemory(body) }
        return try unsafe own.withMemory { cells, text in
            if storage == -2 { return try unsafe body(cells, borrowed, text) }
            return try unsafe ownBytes.withUnsafeBytes { bytes in try unsafe body(cells, bytes, text) }
        }
    }
}

/// A column whose values no record has.
package struct MadeColumn: Hashable, Sendable {
    package let column: Int
    package let source: IngestColumn.Source

    /// Those of a layout. The columns of the place come last, so that a row without them is its beginning.
    package static func all(in layout: TableLayout) -> [MadeColumn] {
        let sources: [IngestColumn.Source] = [.recordNumber, .fileName, .input, .line, .byte, .digest]
        return sources.compactMap { source in
            layout.columns.firstIndex { $0.source == source }.map { MadeColumn(column: $0, source: source) }
        }
    }
}

/// The cells of one row. A row only has cells for the keys of its record.
@frozen
@safe
public struct RowCells {
    // Safe if no row leaves `forEachRow`: the batch makes rows only while it holds the memory that they lie in. The compiler does not check
    // it; Swift 6.3 has no initializer for a struct that cannot escape.
    @usableFromInline package let cells: UnsafeBufferPointer<Cell>
    @usableFromInline package let bytes: UnsafeRawBufferPointer
    @usableFromInline package let text: UnsafeRawBufferPointer
    /// The cells after those of the record: its number, the name of its input, its place. Their texts lie in ``names``.
    @usableFromInline package fileprivate(set) var made = unsafe UnsafeBufferPointer<Cell>(start: nil, count: 0)
    @usableFromInline package fileprivate(set) var names = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    /// How many of them are of the place.
    @usableFromInline package fileprivate(set) var placeCount = 0

    package init(cells: UnsafeBufferPointer<Cell>, bytes: UnsafeRawBufferPointer, text: UnsafeRawBufferPointer) {
        unsafe (self.cells, self.bytes, self.text) = unsafe (cells, bytes, text)
    }

    /// The indices of the cells.
    @inlinable public var cellIndices: Range<Int> { unsafe 0..<(cells.count &+ made.count) }

    /// The row without its place: what is compared with a stored row.
    package var withoutPlace: RowCells {
        guard placeCount > 0 else { return self }
        var row = self
        unsafe row.made = unsafe UnsafeBufferPointer(rebasing: made[..<(made.count - placeCount)])
        row.placeCount = 0
        return row
    }

    /// The index of a cell's column.
    @inlinable public func column(_ index: Int) -> Int {
        unsafe index < cells.count ? Int(cells[index].column) : Int(made[index &- cells.count].column)
    }

    /// The value of a cell; a text is valid as long as the row is.
    @inlinable package func value(_ index: Int) -> RawCellValue {
        if unsafe index < cells.count { return unsafe cells[index].value(input: bytes, own: text) }
        return unsafe made[index &- cells.count].value(input: bytes, own: names)
    }

    /// Passes the value of a cell to `body`, with the bytes of a text for as long as it runs. Call it only in the closure that
    /// ``RowBatch/forEachRow(_:)`` has passed the row to.
    @inlinable
    public func withValue<Result>(_ index: Int, _ body: (CellValue) throws -> Result) rethrows -> Result {
        try value(index).withValue(body)
    }

    /// Whether a text was a string of the record, in a column of texts; if not, it was a number or a truth value.
    package func isString(_ index: Int) -> Bool {
        guard unsafe index < cells.count else { return true }
        let cell = unsafe cells[index]
        // A text of our own is a string with escapes, or a word.
        guard cell.tag == .inputText else { return !cell.isWord }
        return unsafe cell.offset > 0 && bytes[cell.offset - 1] == UInt8(ascii: "\"")
    }

    /// Whether a value is the text of an array or an object, in a column of another type.
    package func isContainer(_ index: Int) -> Bool { unsafe index < cells.count && cells[index].isContainer }

    /// Whether a value does not have the type of its column.
    @inlinable package func isOffType(_ index: Int) -> Bool { unsafe index < cells.count && cells[index].isOffType }
}
