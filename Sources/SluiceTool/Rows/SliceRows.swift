// What a worker has made of a slice of an input: rows of cells, for the thread that writes them into the database. What needs more than
// cells — a damaged record, one with late keys — is left to that thread, which reads it again, so the result is the same as without
// workers.

#if CommandLine
internal import SluiceCore
internal import SluiceFeed

/// A slice with the cells of its records.
// Safe: nothing is changed once a worker has handed it over.
final class SliceRows: @unchecked Sendable {
    /// What a worker has made of a record.
    enum Kind {
        /// Its cells are there: a part of ``SliceRows/cells``.
        case cells(Range<Int>)
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
        /// Whether the input ended inside the document that is rejected.
        let endsInDocument: Bool
    }

    /// A cell without pointers, because it goes to another thread. A record has cells only for the keys that it has: where columns are
    /// many, most records have few of them.
    fileprivate struct Cell {
        enum Tag: UInt8 { case null, integer, real, sliceText, ownText }

        var tag = Tag.null
        let isOffType: Bool
        /// The place of its column among the table's.
        let place: Int32
        var count: Int32 = 0
        /// The integer, the bits of the double, or where the text begins.
        var payload: Int64 = 0
    }

    /// What is being made of a slice.
    struct Draft {
        fileprivate var entries: [Entry] = []
        fileprivate var cells: [Cell] = []
        fileprivate var text: [UInt8] = []

        /// - Parameter size: entries and cells that there will probably be.
        init(expecting size: (entries: Int, cells: Int)) {
            entries.reserveCapacity(size.entries)
            cells.reserveCapacity(size.cells)
        }

        /// How much there is.
        var size: (entries: Int, cells: Int) { (entries.count, cells.count) }
    }

    let slice: FeedSlice
    let entries: [Entry]
    /// The keys that no column reads, counted in all its records with cells.
    let unknownKeys: (named: [JSONUnknownKey], count: Int)
    fileprivate let cells: [Cell]
    fileprivate let text: [UInt8]

    init(_ slice: FeedSlice, _ draft: Draft, unknownKeys: (named: [JSONUnknownKey], count: Int)) {
        self.slice = slice
        self.unknownKeys = unknownKeys
        entries = draft.entries
        cells = draft.cells
        text = draft.text
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
struct SliceRow {
    private let rows: SliceRows
    private let cells: Range<Int>
    private let bytes: UnsafeRawBufferPointer
    private let text: UnsafeRawBufferPointer

    /// - Parameter cells: the row's cells among those of the slice.
    init(_ rows: SliceRows, _ cells: Range<Int>, _ bytes: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) {
        self.rows = rows
        self.cells = cells
        unsafe self.bytes = unsafe bytes
        unsafe self.text = unsafe text
    }

    /// Binds the cells.
    func bind(to loader: RecordLoader) {
        for index in cells {
            let cell = rows.cells[index]
            loader.bind(value(of: cell), isOffType: cell.isOffType, at: Int(cell.place))
        }
    }

    /// Whether the record has the key of the column at a place, be it with null.
    func hasColumn(at place: Int) -> Bool { cells.contains { rows.cells[$0].place == place } }

    private func value(of cell: SliceRows.Cell) -> CellValue {
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
}
extension SliceRows.Draft {
    /// Adds what became of a record.
    mutating func append(_ entry: SliceRows.Entry) { entries.append(entry) }

    /// Adds the cells of the record that a reader has read last; the range of them.
    ///
    /// - Parameters:
    ///   - bytes: The slice's, which the reader was given a part of.
    ///   - places: For each of the reader's columns, its place among the table's.
    mutating func append(
        _ reader: borrowing ColumnReader, of bytes: UnsafeRawBufferPointer, to places: [Int]
    ) -> Range<Int> {
        let start = cells.count
        var next = reader.nextColumn(from: 0)
        while let index = next {
            var cell = SliceRows.Cell(
                isOffType: reader.isOffType(at: index), place: Int32(truncatingIfNeeded: places[index]))
            switch reader.value(at: index) {
            case .null: break
            case .integer(let value):
                cell.tag = .integer
                cell.payload = value
            case .real(let value):
                cell.tag = .real
                cell.payload = Int64(bitPattern: value.bitPattern)
            case .text(let text): unsafe set(text, of: &cell, in: bytes)
            }
            cells.append(cell)
            next = reader.nextColumn(from: index + 1)
        }
        return start..<cells.count
    }

    /// Text that stands in the slice is not copied.
    private mutating func set(
        _ text: UnsafeBufferPointer<UInt8>, of cell: inout SliceRows.Cell, in bytes: UnsafeRawBufferPointer
    ) {
        cell.count = Int32(truncatingIfNeeded: text.count)
        let place = unsafe bytes.offset(of: UnsafeRawBufferPointer(text))
        if unsafe text.baseAddress != nil && place.lowerBound >= 0 && place.upperBound <= bytes.count {
            cell.tag = .sliceText
            cell.payload = Int64(place.lowerBound)
        } else {
            cell.tag = .ownText
            cell.payload = Int64(self.text.count)
            unsafe self.text.append(contentsOf: text)
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Where other bytes begin and end, counted from the beginning of these; empty if there is no address to count from.
    func offset(of part: UnsafeRawBufferPointer) -> Range<Int> {
        guard let base = baseAddress, let start = part.baseAddress else { return 0..<0 }
        let offset = unsafe start - base
        return offset..<(offset + part.count)
    }
}
#endif
