// Workers read slices of an input into rows of cells; one thread writes them into the database. What needs more than cells — a damaged
// record, one with late keys — is left to that thread, which reads it again, so the result is the same as without workers.

#if CommandLine
internal import SluiceCore
internal import SluiceFeed

/// The cells of one record.
protocol CellSource: ~Copyable {
    func value(at index: Int) -> CellValue
    func isOffType(at index: Int) -> Bool
    func isPresent(at index: Int) -> Bool
}

extension ColumnReader: CellSource {}

/// A slice with the cells of its records.
// Safe: nothing is changed once a worker has handed it over.
final class SliceRows: @unchecked Sendable {
    /// What a worker has made of a record.
    enum Kind {
        /// Its cells are there.
        case cells
        /// It must be read again.
        case again
        /// It does not match `--where`.
        case passedOver
        case rejected(JSONError)
        /// The feed ends with this error.
        case failed(JSONError)
    }

    struct Entry {
        let kind: Kind
        /// Its bytes in the slice.
        let range: Range<Int>
        let position: SourcePosition
        /// The place behind it.
        let end: SourcePosition
        /// Where the record ends in the input.
        let recordEnd: Int
        /// Where the input stood behind it; nil among lines, where the place says all.
        let mark: Mark?
    }

    /// A cell without pointers, because it goes to another thread.
    fileprivate struct Cell {
        enum Tag: UInt8 { case null, integer, real, sliceText, ownText }

        var tag = Tag.null
        var isOffType = false
        var isPresent = false
        var count: Int32 = 0
        /// The integer, the bits of the double, or where the text begins.
        var payload: Int64 = 0
    }

    /// What is being made of a slice.
    fileprivate struct Draft {
        var entries: [Entry] = []
        var cells: [Cell] = []
        var text: [UInt8] = []
        var unknownKeys: (named: [JSONUnknownKey], count: Int) = ([], 0)
    }

    let slice: FeedSlice
    let entries: [Entry]
    /// The keys that no column reads, counted in all its records with cells.
    let unknownKeys: (named: [JSONUnknownKey], count: Int)
    fileprivate let cells: [Cell]
    fileprivate let text: [UInt8]
    fileprivate let columnCount: Int

    fileprivate init(_ slice: FeedSlice, _ draft: Draft, columnCount: Int) {
        self.slice = slice
        entries = draft.entries
        unknownKeys = draft.unknownKeys
        cells = draft.cells
        text = draft.text
        self.columnCount = columnCount
    }

    /// The rows while their bytes stay in place.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe slice.bytes.withUnsafeBytes { bytes in
            try unsafe text.withUnsafeBytes { text in try unsafe body(bytes, text) }
        }
    }
}

/// One of a slice's rows.
@safe
struct SliceRow: CellSource {
    private let rows: SliceRows
    private let first: Int
    private let bytes: UnsafeRawBufferPointer
    private let text: UnsafeRawBufferPointer

    /// - Parameter index: The number of the row among those that have cells.
    init(_ rows: SliceRows, _ index: Int, _ bytes: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) {
        self.rows = rows
        first = index * rows.columnCount
        unsafe self.bytes = unsafe bytes
        unsafe self.text = unsafe text
    }

    func value(at index: Int) -> CellValue {
        let cell = rows.cells[first + index]
        let start = Int(cell.payload)
        switch cell.tag {
        case .null: return .null
        case .integer: return .integer(cell.payload)
        case .real: return .real(Double(bitPattern: UInt64(bitPattern: cell.payload)))
        case .sliceText: return unsafe .text(SliceRow.part(of: bytes, start, Int(cell.count)))
        case .ownText: return unsafe .text(SliceRow.part(of: text, start, Int(cell.count)))
        }
    }

    private static func part(of bytes: UnsafeRawBufferPointer, _ start: Int, _ count: Int) -> UnsafeBufferPointer<UInt8> {
        // Safe: the worker has noted a part of these bytes.
        unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<(start + count)]).assumingMemoryBound(to: UInt8.self)
    }

    func isOffType(at index: Int) -> Bool { rows.cells[first + index].isOffType }
    func isPresent(at index: Int) -> Bool { rows.cells[first + index].isPresent }
}

/// Reads slices in one thread.
final class SliceRowWorker {
    // Safe: it is used only in `read(_:in:into:)`, which calls nothing that knows the worker. To check that for each cell cost as
    // much as to read it.
    @exclusivity(unchecked) private var reader: ColumnReader
    private let columnCount: Int
    private let countsKeys: Bool
    /// Cells of the last slice: the next one has about as many.
    private var expectedCount = 0

    private var filter: RecordFilter?

    /// - Parameter countsKeys: Whether keys that no column reads are only counted.
    init(_ columns: [Column], _ predicate: ColumnPredicate? = nil, countsKeys: Bool = false) {
        filter = predicate?.makeFilter()
        unsafe reader = .reading(columns, countsKeys: countsKeys)
        self.countsKeys = countsKeys
        columnCount = columns.count
    }

    func read(_ slice: FeedSlice) -> SliceRows {
        var rows = SliceRows.Draft()
        rows.cells.reserveCapacity(expectedCount + expectedCount / 8)
        unsafe slice.bytes.withUnsafeBytes { bytes in
            var records = unsafe FeedSliceReader(slice, bytes)
            while let step = records.next() {
                let kind: SliceRows.Kind
                var range = 0..<0
                var position = SourcePosition.start
                switch step {
                case .record(let record, let place):
                    position = place
                    range = unsafe offset(of: record, in: bytes)
                    kind =
                        unsafe filter?.matches(record) == false ? .passedOver : kindOf(record, at: place, in: bytes, into: &rows)
                case .rejected(let error): (kind, position) = (.rejected(error), error.position)
                case .failed(let error): (kind, position) = (.failed(error), error.position)
                }
                rows.entries.append(
                    SliceRows.Entry(
                        kind: kind, range: range, position: position, end: records.end, recordEnd: records.range.upperBound,
                        mark: records.mark))
            }
        }
        expectedCount = rows.cells.count
        rows.unknownKeys = unsafe reader.takeUnknownKeys()
        return SliceRows(slice, rows, columnCount: columnCount)
    }

    private func offset(of part: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer) -> Range<Int> {
        guard let base = bytes.baseAddress, let start = part.baseAddress else { return 0..<0 }
        let offset = unsafe start - base
        return offset..<(offset + part.count)
    }

    private func kindOf(
        _ record: UnsafeRawBufferPointer, at position: SourcePosition, in bytes: UnsafeRawBufferPointer,
        into rows: inout SliceRows.Draft
    ) -> SliceRows.Kind {
        unsafe read(record, at: position, in: bytes, into: &rows) ? .cells : .again
    }

    /// Reads a record's cells; false if it must be read again.
    private func read(
        _ record: UnsafeRawBufferPointer, at position: SourcePosition, in bytes: UnsafeRawBufferPointer,
        into rows: inout SliceRows.Draft
    ) -> Bool {
        do throws(JSONError) { unsafe try reader.read(record) } catch { return false }
        if unsafe reader.hasUnboundValue {
            guard countsKeys else { return false }
            unsafe reader.acceptUnknownKeys(at: position)
        }
        for index in 0..<columnCount {
            var cell = SliceRows.Cell()
            cell.isOffType = unsafe reader.isOffType(at: index)
            cell.isPresent = unsafe reader.isPresent(at: index)
            switch unsafe reader.value(at: index) {
            case .null: break
            case .integer(let value):
                cell.tag = .integer
                cell.payload = value
            case .real(let value):
                cell.tag = .real
                cell.payload = Int64(bitPattern: value.bitPattern)
            case .text(let text):
                cell.count = Int32(truncatingIfNeeded: text.count)
                let place = unsafe offset(of: UnsafeRawBufferPointer(text), in: bytes)
                if unsafe text.baseAddress != nil && place.lowerBound >= 0 && place.upperBound <= bytes.count {
                    cell.tag = .sliceText
                    cell.payload = Int64(place.lowerBound)
                } else {
                    cell.tag = .ownText
                    cell.payload = Int64(rows.text.count)
                    unsafe rows.text.append(contentsOf: text)
                }
            }
            rows.cells.append(cell)
        }
        return true
    }
}
#endif
