// A slice of an input as rows of cells. A worker makes them, and the main thread writes them into the database. Records that need
// more than cells (a damaged record, or one with unknown keys) are read again by the main thread, so the result is the same as
// without workers.

package import SluiceCore
package import SluiceFeed

/// A slice with the cells of its records.
// Safe: nothing in it changes after a worker has handed it over.
package final class SliceRows: @unchecked Sendable {
    /// The result of a worker for one record. An error is named by its index in ``SliceRows/errors``, so entries are plain bytes.
    package enum Kind {
        /// The record's cells: a range of ``SliceRows/cells``.
        case cells(Range<Int>)
        /// Records as the sink stores them: a range of ``SliceRows/text``, and how many records it holds. Between them lie records that
        /// do not match `--where`.
        case text(Range<Int>, count: Int, passedOver: Int)
        /// The main thread must read the record again; or reject it, if it has not become text because of this error.
        case again(error: Int?)
        /// The record does not match `--where`.
        case passedOver
        case rejected(error: Int)
        /// The feed ends with this error.
        case failed(error: Int)
    }

    package struct Entry {
        package let kind: Kind
        /// The range of the record's bytes in the slice.
        package let range: Range<Int>
        /// The record's index among those of the slice; see ``FeedSliceReader/entryIndex``.
        package let index: Int?
        package let position: SourcePosition
        /// The position after the record and its separator.
        package let end: SourcePosition
        /// Whether the input ended inside the record, or inside its document.
        package let endsInRecord: Bool
        /// The cells of the record's arrays whose elements are rows of their own.
        package let arrays: Range<Int>
    }

    /// The rows of a slice while they are being collected.
    package struct Draft {
        package fileprivate(set) var entries: [Entry] = []
        fileprivate var errors: [JSONError] = []
        /// Only for the keys that the records have: with many columns, most records have few of these. A text is an offset, in the
        /// slice or in ``text``.
        fileprivate var cells: [Cell] = []
        fileprivate var text: [UInt8] = []
        /// The cells of the last record, until they are added to ``cells`` together.
        private var found: [Cell] = []
        /// Those of its arrays, which are added after all cells of its columns.
        private var arrays: [Cell] = []

        /// - Parameter size: The expected number of entries and cells.
        package init(expecting size: (entries: Int, cells: Int)) {
            entries.reserveCapacity(size.entries)
            cells.reserveCapacity(size.cells)
        }

        /// The number of entries and cells so far.
        package var size: (entries: Int, cells: Int) { (entries.count, cells.count) }

        /// The memory of the cells and of their own text, in bytes.
        package var byteCount: Int { cells.count * MemoryLayout<Cell>.stride + text.count }

        /// Replaces the value of a column in a row's cells by null. Returns false if the row has no cell for the column.
        package mutating func setNull(_ column: Int, in row: Range<Int>) -> Bool {
            var isFound = false
            for index in row where Int(cells[index].column) == column {
                cells[index].tag = .null
                cells[index].isOffType = false
                isFound = true
            }
            return isFound
        }

        /// Forgets all cells, and keeps their memory.
        package mutating func removeAll() {
            entries.removeAll(keepingCapacity: true)
            errors.removeAll(keepingCapacity: true)
            cells.removeAll(keepingCapacity: true)
            text.removeAll(keepingCapacity: true)
        }

        /// Runs a body with the cells and their own text, which stay in place during the call.
        package func withMemory<Result>(
            _ body: (UnsafeBufferPointer<Cell>, UnsafeRawBufferPointer) throws -> Result
        ) rethrows -> Result {
            try unsafe cells.withUnsafeBufferPointer { cells in
                try unsafe text.withUnsafeBytes { text in try unsafe body(cells, text) }
            }
        }
    }

    package let slice: FeedSlice
    package let entries: [Entry]
    package let errors: [JSONError]
    /// The keys that no column reads, counted in all records that have cells or became text.
    package let unknownKeys: CountedKeys
    /// The columns that none of the worker's records has had a key for; only for records that became text.
    package let unseenColumns: Set<Int>
    fileprivate let cells: [Cell]
    fileprivate let text: [UInt8]

    package init(_ slice: FeedSlice, _ draft: Draft, unknownKeys: CountedKeys) {
        self.slice = slice
        self.unknownKeys = unknownKeys
        unseenColumns = []
        (entries, errors) = (draft.entries, draft.errors)
        cells = draft.cells
        text = draft.text
    }

    /// A slice whose records became text.
    package init(_ slice: FeedSlice, _ draft: Draft, _ written: any RecordText) {
        self.slice = slice
        (entries, errors) = (draft.entries, draft.errors)
        (unknownKeys, unseenColumns) = (written.takeUnknownKeys(), written.unseenColumns)
        cells = []
        text = written.take()
    }

    /// The memory of the slice and its cells, in bytes.
    package var byteCount: Int { slice.bytes.count + cells.count * MemoryLayout<Cell>.stride + text.count }

    /// Runs a body with the cells, the bytes of the slice, and the cells' own text, which stay in place during the call.
    package func withMemory<Result>(
        _ body: (UnsafeBufferPointer<Cell>, UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try unsafe cells.withUnsafeBufferPointer { cells in
            try unsafe slice.bytes.withUnsafeBytes { bytes in
                try unsafe text.withUnsafeBytes { text in try unsafe body(cells, bytes, text) }
            }
        }
    }

    /// Whether a row has the key of the column at an index, even with null.
    package func hasColumn(at index: Int, in row: Range<Int>) -> Bool { row.contains { cells[$0].column == index } }
}

extension SliceRows.Draft {
    /// Adds the result for a record.
    package mutating func append(_ entry: SliceRows.Entry) { entries.append(entry) }

    /// Adds an error, and returns its index.
    package mutating func add(_ error: JSONError) -> Int {
        errors.append(error)
        return errors.count - 1
    }

    /// Adds the cells of the last record that the reader has read. Returns the range of these cells, and the range of the cells
    /// after them for arrays whose elements become rows.
    ///
    /// - Parameters:
    ///   - start: Where the record begins in the bytes that the offsets of texts count in; nil if it is made, and its texts are copied.
    ///   - indices: For each column of the reader, its index in the table, or ``ChildReader/index(of:)``.
    ///   - keepsArrays: Whether the cells of these arrays are kept.
    package mutating func append(
        _ reader: ColumnReader, recordAt start: Int?, to indices: [Int], keepsArrays: Bool
    ) -> (cells: Range<Int>, arrays: Range<Int>) {
        var found: [Cell] = []
        swap(&found, &self.found)
        if found.count < indices.count { found = Array(repeating: Cell(), count: indices.count) }
        var count = 0
        unsafe found.withUnsafeMutableBufferPointer { found in
            unsafe reader.withCells { read in
                // Safe: a reader has a column for each index.
                for index in read.indices where unsafe read[index].isPresent {
                    var cell = unsafe read[index]
                    cell.column = Int16(truncatingIfNeeded: indices[index])
                    switch cell.tag {
                    case .inputText:
                        if let start { cell.offset &+= start } else { unsafe keep(reader.inputText(of: cell), in: &cell) }
                    case .ownText: unsafe keep(reader.ownText(of: cell), in: &cell)
                    // Columns of a table never have a list or an object.
                    case .list, .object: cell.tag = .null
                    case .null, .integer, .real: break
                    }
                    if cell.column < 0 {
                        arrays.append(cell)
                    } else {
                        unsafe found[count] = cell
                        count &+= 1
                    }
                }
            }
        }
        let first = cells.count
        cells.append(contentsOf: found[..<count])
        swap(&found, &self.found)
        let end = cells.count
        guard !arrays.isEmpty else { return (first..<end, end..<end) }
        defer { arrays.removeAll(keepingCapacity: true) }
        guard keepsArrays else { return (first..<end, end..<end) }
        cells.append(contentsOf: arrays)
        return (first..<end, end..<cells.count)
    }

    /// Adds a value as a cell; a text is copied. Returns the range of this cell.
    package mutating func append(_ value: RawCellValue, at column: Int) -> Range<Int> {
        var cell = Cell()
        cell.column = Int16(truncatingIfNeeded: column)
        switch value {
        case .null: break
        case .integer(let value): (cell.tag, cell.integer) = (.integer, value)
        case .real(let value): (cell.tag, cell.real) = (.real, value)
        case .text(let text):
            (cell.tag, cell.offset, cell.count) = (.ownText, self.text.count, text.count)
            unsafe self.text.append(contentsOf: text)
        }
        cells.append(cell)
        return (cells.count - 1)..<cells.count
    }

    /// Adds a text as a cell. Returns the range of this cell.
    package mutating func append(_ text: String, at column: Int) -> Range<Int> {
        var cell = Cell()
        cell.tag = .ownText
        cell.column = Int16(truncatingIfNeeded: column)
        (cell.offset, cell.count) = (self.text.count, text.utf8.count)
        self.text.append(contentsOf: text.utf8)
        cells.append(cell)
        return (cells.count - 1)..<cells.count
    }

    /// Copies the text of a cell.
    private mutating func keep(_ text: UnsafeBufferPointer<UInt8>, in cell: inout Cell) {
        cell.tag = .ownText
        cell.offset = self.text.count
        unsafe self.text.append(contentsOf: text)
    }
}

extension UnsafeRawBufferPointer {
    /// The range of other bytes, counted from the beginning of these; empty if one of the two has no address.
    package func offset(of part: UnsafeRawBufferPointer) -> Range<Int> {
        guard let base = baseAddress, let start = part.baseAddress else { return 0..<0 }
        let offset = unsafe start - base
        return offset..<(offset + part.count)
    }
}
